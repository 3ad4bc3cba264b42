"""Names that people give bots: a bot of the house, a file of the kit, a program, or a command with its arguments.

A bot's name is the same text everywhere (menus, `quadrille bot`, a host's folder of bots). Its files have absolute
paths, so that the name means the same in any folder. Cheap to import, so that `--help` comes at once.
"""

import argparse
import os
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Final
from zlib import crc32

from quadrille.ai.house import ARCHIVE, KINDS, is_of_house, levels, meant, plugged, split_file
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted


class WordRefused(RulesError, argparse.ArgumentTypeError):
    """Refuse a word that a person typed. On a command line argparse says why; anywhere else it is a refusal like those
    of the rules, so that no typo ends a program that runs.
    """


#: The level of a bot that nobody has chosen.
USUAL_LEVEL: Final = "2"
#: Names of built-in bots at a table, by their first seats.
NAMES: Final = (
    "Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gwen", "Hugo", "Ivy", "Jack", "Kira", "Leo", "Mia", "Ned", "Olga",
    "Paul", "Quinn", "Rosa", "Sam", "Tess", "Uma", "Vic", "Wren", "Xena", "Yuri", "Zoe",
)  # fmt: skip
_LONGEST_SLUG: Final = 30
#: Maximum characters of a path or a command that a refusal repeats: enough to find the slip.
_REPEATED: Final = 200


def ways() -> str:
    known = levels()
    more = "".join(f"{name}, " for name in plugged() if name not in known)
    return (
        f"a level ({known[0]} to {known[-1]}), {', '.join(KINDS)}, each with :LEVEL if you like, {more}FILE.py, "
        './PROGRAM, or a command with its words, such as "node bot.js"'
    )


class _WaysInHelp:
    """The ways as a help text has them: entry points are read when it is printed."""

    def __str__(self) -> str:
        return ways()


def add_ways(option: argparse.Action, help: str) -> None:
    """Give an option a help text in which `%(ways)s` stands for the ways to name a bot."""
    option.ways = _WaysInHelp()  # type: ignore[attr-defined]
    option.help = help


def bot_name(text: str, commands: Sequence[str] = ()) -> str:
    """Return the bot's name as the kit reads it (ai/kit.py); the refusal of any other text lists the bots there are, or
    names the one of the `commands` that was perhaps meant.
    """
    bot = _in_folder(text.strip())
    path, name = split_file(bot)
    if path and os.path.isfile(os.path.expanduser(path)):
        return os.path.abspath(os.path.expanduser(path)) + (f":{name}" if name else "")
    if is_of_house(bot.lower()):
        return bot.lower()
    if is_command(bot):
        return command_name(bot)
    raise WordRefused(_no_such_bot(text, path, commands))


def _in_folder(bot: str) -> str:
    """Return what starts the bot of a folder or an archive of one; any other name as it is."""
    path = os.path.expanduser(bot)
    if not os.path.isdir(path) and not (ARCHIVE.fullmatch(os.path.basename(path)) and os.path.isfile(path)):
        return bot
    from quadrille.ai.bots.bot_folder import NoStart, start_of

    try:
        kit, words = start_of(Path(bot).expanduser().absolute())
    except NoStart as why:
        raise WordRefused(f"the bot {quoted(bot, _REPEATED)} can't be started: {why}") from None
    return kit or shlex.join(words)


def _no_such_bot(text: str, path: str, commands: Sequence[str]) -> str:
    """Return the refusal of a name, with the bot, the command or the file that was perhaps meant."""
    from difflib import get_close_matches  # only a wrong word needs it

    from quadrille.ai.bots.process.executable import meant_command, no_file, similar_file

    if path:
        return no_file(path)
    if text == "0":
        return f"there is no bot {quoted(text)}: leave the option away if no bot is to play"
    words = (name for name in commands if get_close_matches(text, name.split()[-1:]))
    near = meant_command(text) or meant(text) or next(words, "") or similar_file(text)
    hint = f"did you mean {near}? Or give" if near else "give"
    return f"there is no bot {quoted(text)}: {hint} {ways()}"


def is_command(bot: str) -> bool:
    """Return whether the name can only be a program: a path, or several words."""
    path, _ = split_file(bot)
    if path and os.path.isfile(path):
        return False
    first, *more = bot.split() or [""]
    if more:  # a missing file of the kit is one too, and its name may contain spaces
        return not path or shutil.which(first) is not None
    return not path and ("/" in bot or os.sep in bot)


def command_name(text: str) -> str:
    """Return a command as a bot's name, with absolute paths; refuse a program that can't be started."""
    from quadrille.ai.bots.process.executable import why_not

    words = command_words(text)
    if obstacle := why_not(words):
        raise WordRefused(f"the bot {quoted(text, _REPEATED)} can't be started: {obstacle}")
    words[0] = shutil.which(words[0]) or words[0]  # a built-in bot may have the same name as a program on the PATH
    named = shlex.join(words)
    return named if program_words(named) == words else shlex.join(["/usr/bin/env", *words])


def command_words(text: str) -> list[str]:
    """Split a command as a person typed it; its files get absolute paths."""
    from quadrille.ai.bots.command_files import whole_command
    from quadrille.ai.bots.process.executable import split_words

    if os.path.isfile(os.path.expanduser(text)):  # a path may contain spaces
        return whole_command([text])
    try:
        return whole_command(split_words(text))
    except ValueError as error:
        raise WordRefused(f"{quoted(text, _REPEATED)} is no command: {error}") from None


def program_words(bot: str) -> list[str]:
    from quadrille.ai.bots.process.executable import split_words
    from quadrille.ai.bots.process.program import kit_command

    return split_words(bot) if is_command(bot) else kit_command(bot)


def bot_names(text: str) -> list[str]:
    return [bot_name(word) for word in text.split(",") if word.strip()]


def called(bot: str) -> str:
    """Return the short name for people: `Level 2`, `mcts 4`, the name of a class, or a file without its folder."""
    path, name = split_file(bot)
    if is_command(bot):
        from quadrille.ai.bots.process.executable import split_words

        words = [word for word in split_words(bot) if word != "/usr/bin/env"]
        path, name = next((word for word in words[1:] if os.path.isfile(word)), words[0]), ""
    if path:
        return name or os.path.splitext(os.path.basename(path))[0]
    kind, _, level = bot.partition(":")
    return f"Level {kind}" if kind.isdigit() else f"{kind} {level}".strip()


def numbered(name: str, number: int) -> str:
    """Return the name of one of several bots of the same name, with its number."""
    return name if number == 1 else f"{name} #{number}"


def named(bots: Sequence[str], given: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the names of all at a table, distinct for bots; a seat with a `given` name keeps it.

    A built-in bot gets a name of its own; any other bot goes by its kind. A person without a name has "".
    """
    names = [*given] or [""] * len(bots)
    programs = [called(bot) if bot and not is_of_house(bot) else "" for bot in bots]
    for seat, bot in enumerate(bots):
        if not bot or names[seat]:
            continue
        taken = {name.casefold() for name in names}
        if programs[seat]:
            names[seat] = numbered(programs[seat], programs[: seat + 1].count(programs[seat]))
        else:
            row = (NAMES[(seat + step) % len(NAMES)] for step in range(len(NAMES)))
            names[seat] = next((name for name in row if name.casefold() not in taken), called(bot))
    return tuple(names)


def kind_of(bot: str) -> str:
    """Return a built-in bot's kind, beside its name: `level 2`, `mcts 4`; "" for others."""
    return called(bot).lower() if bot and is_of_house(bot) else ""


def bot_of(kind: str) -> str:
    """Return the built-in bot of a kind, perhaps with its owner: `3` for `level 3 of Ann`; "" for others."""
    bot = kind.partition(" of ")[0].removeprefix("level ").replace(" ", ":")
    return bot if is_of_house(bot) else ""


def own_names(owner: str) -> Iterator[str]:
    """Yield the names for the bots of this owner, but not the owner's own; there is always another.

    They begin at another place for each owner, so that bots of two people seldom have the same name.
    """
    first = crc32(owner.encode("utf-8", "replace")) % len(NAMES)
    row = [name for name in NAMES[first:] + NAMES[:first] if name.casefold() not in owner.casefold().split()]
    yield from (numbered(name, number) for number in count(1) for name in row)


def slug(bot: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", called(bot).lower()).strip("-")[:_LONGEST_SLUG] or "bot"
