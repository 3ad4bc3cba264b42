"""How a person names a bot: one of the house, a file of the kit, a program, or a command with its words.

A bot's name stays one text wherever it goes (menus, `quadrille bot`, a host's folder of bots): files in it have their
whole paths, so that it means the same from any folder. Cheap to import: `--help` comes at once.
"""

import argparse
import os
import re
import shlex
import shutil
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

#: The kinds of the house, in a row from the weakest, and its levels (ai/opponents).
KINDS: Final = ("random", "greedy", "alphabeta", "mcts", "ismcts", "solver")
LEVELS: Final = ("1", "2", "3", "4", "5")
WAYS: Final = (
    f"a level ({LEVELS[0]} to {LEVELS[-1]}), {', '.join(KINDS)}, each with :LEVEL if you like, FILE.py, ./PROGRAM, "
    "or a command with its words, such as 'node bot.js'"
)
_LONGEST_SLUG: Final = 30
#: How like a kind a word is that is taken for a slip of the pen.
_NEAR: Final = 0.7


def bot_name(text: str) -> str:
    """A bot as the kit knows it (ai/kit.py); what is none is refused, with what there is."""
    bot = text.strip()
    path, name = split_file(bot)
    if path and os.path.isfile(os.path.expanduser(path)):
        return os.path.abspath(os.path.expanduser(path)) + (f":{name}" if name else "")
    if is_of_house(bot.lower()):
        return bot.lower()
    if is_command(bot):
        return command_name(bot)
    if path:
        raise argparse.ArgumentTypeError(f"there is no file {path!r}")
    near = get_close_matches(bot.lower().partition(":")[0], KINDS, 1, _NEAR)
    hint = f"did you mean {near[0]}? There are" if near else "there are"
    if os.path.isfile(bot):
        hint = f"did you mean ./{bot}? There are"
    raise argparse.ArgumentTypeError(f"there is no bot {text!r}: {hint} {WAYS}")


def is_of_house(bot: str) -> bool:
    """Whether it is a kind of the house, with its level or without, or a level."""
    kind, colon, level = bot.partition(":")
    return (kind in KINDS and (level in LEVELS or not colon)) or (kind in LEVELS and not colon)


def is_command(bot: str) -> bool:
    """Whether it can only be a program: a path, or several words."""
    path, _ = split_file(bot)
    if path and os.path.isfile(path):
        return False
    first, *more = bot.split() or [""]
    if more:  # of the kit is a file that is gone, too, and may have spaces in its name
        return not path or shutil.which(first) is not None
    return not path and ("/" in bot or os.sep in bot)


def command_name(text: str) -> str:
    """A command as bots are named: its files with their whole paths, refused if its program can't be started."""
    from quadrille.ai.executable import why_not

    if os.path.isfile(os.path.expanduser(text)):  # there may be spaces in a path
        words = [text]
    else:
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"{text!r} is no command: {error}") from None
    words = [word if word in words[:1] and not os.path.dirname(word) else whole_path(word) for word in words]
    if why := why_not(words):
        raise argparse.ArgumentTypeError(f"the bot {text!r} can't be started: {why}")
    words[0] = shutil.which(words[0]) or words[0]  # a name on the PATH might be that of a bot of the house
    named = shlex.join(words)
    return named if program_words(named) == words else shlex.join(["/usr/bin/env", *words])


def whole_path(word: str) -> str:
    """A word of a command; if it names a file from here on, its path."""
    path = os.path.expanduser(word)
    return os.path.abspath(path) if os.path.isfile(path) else path


def program_words(bot: str) -> list[str]:
    """The words that start a bot which `bot_name` has named."""
    from quadrille.ai.program import kit_command

    return shlex.split(bot) if is_command(bot) else kit_command(bot)


def bot_names(text: str) -> list[str]:
    """Bots between commas."""
    return [bot_name(word) for word in text.split(",") if word.strip()]


def split_file(bot: str) -> tuple[str, str]:
    """The file of a bot and the name of a class in it, which may be absent; nothing for one of the house."""
    if bot.endswith(".py"):
        return bot, ""
    path, _, name = bot.rpartition(".py:")
    return (f"{path}.py", name) if path else ("", "")


def called(bot: str) -> str:
    """What people call it: `Level 2`, `mcts 4`, a class by its name, a file without its folder."""
    path, name = split_file(bot)
    if is_command(bot):
        words = [word for word in shlex.split(bot) if word != "/usr/bin/env"]
        path, name = next((word for word in words[1:] if os.path.isfile(word)), words[0]), ""
    if path:
        return name or os.path.splitext(os.path.basename(path))[0]
    kind, _, level = bot.partition(":")
    return f"Level {kind}" if kind in LEVELS else f"{kind} {level}".strip()


def numbered(name: str, number: int) -> str:
    """What the one of that number is called, of several that go by a name."""
    return name if number == 1 else f"{name} #{number}"


def told_apart(bots: Sequence[str]) -> list[str]:
    """What all bots of a table are called; "" stays, which is no bot."""
    names = [called(bot) if bot else "" for bot in bots]
    return [numbered(name, names[: seat + 1].count(name)) if name else "" for seat, name in enumerate(names)]


def slug(bot: str) -> str:
    """What an identity is called after the bot: letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", called(bot).lower()).strip("-")[:_LONGEST_SLUG] or "bot"
