"""How a person names a bot: one of the house, or a file of one's own. Cheap to import: `--help` comes at once."""

import argparse
import os
import re
from collections.abc import Sequence
from typing import Final

#: The kinds of the house, in a row from the weakest, and its levels (ai/opponents).
KINDS: Final = ("random", "greedy", "alphabeta", "mcts", "ismcts", "solver")
LEVELS: Final = ("1", "2", "3", "4", "5")
WAYS: Final = f"a level ({LEVELS[0]} to {LEVELS[-1]}), {', '.join(KINDS)}, each with :LEVEL if you like, or FILE.py"
_LONGEST_SLUG: Final = 30


def bot_name(text: str) -> str:
    """A bot as the kit knows it (ai/kit.py); what is none is refused, with what there is."""
    bot = text.strip()
    path, name = split_file(bot)
    if path:
        if not os.path.isfile(path):
            raise argparse.ArgumentTypeError(f"there is no file {path!r}")
        return os.path.abspath(path) + (f":{name}" if name else "")
    kind, colon, level = bot.lower().partition(":")
    if (kind in KINDS and (level in LEVELS or not colon)) or (kind in LEVELS and not colon):
        return bot.lower()
    raise argparse.ArgumentTypeError(f"there is no bot {text!r}: there are {WAYS}")


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
