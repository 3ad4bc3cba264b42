"""The entrants of a folder: one for each folder or bot's file in it, by its name, started as its author left it.

A bot that can't be started is no entrant, and costs nobody a game: the tables have a row with the reason.
Specification: docs/protocols/tournaments.md, "A folder of bots".
"""

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from quadrille.ai.bots.bot_folder import NoStart, Start, called, start_of, tree_digest, unpacked
from quadrille.ai.bots.process.program import Limits
from quadrille.ai.house import split_file
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan import Entrant, digest_of
from quadrille.net.trust.names import plain_name
from quadrille.rules.options import shown
from quadrille.rules.squares import is_line

LONGEST_NAME: Final = 40
#: The journal's fact with those whom the last run found, and could not start.
ABSENT: Final = "absent"
#: Suffixes of files that lie beside bots and are none.
_NO_BOT: Final = re.compile(r"\.(md|txt|toml|html|csv|json|sqlite.*)")


def with_folders(
    written: Sequence[Entrant], pattern: str, folder: str, limits: Limits
) -> tuple[list[Entrant], list[tuple[str, str]]]:
    """Return the entrants that a file names with those of its folders, and the names of the others with the reasons."""
    entrants, absent = [*written], list[tuple[str, str]]()
    for name, path in found(pattern, folder):
        try:
            if not name.strip() or len(name) > LONGEST_NAME or not is_line(name):
                raise NoStart(f"a name has 1 to {LONGEST_NAME} characters on one line")
            if any(plain_name(entrant.name) == plain_name(name) for entrant in entrants):  # letters may be invisible
                raise NoStart("another entrant has this name")
            entrants.append(_entrant(name, path, folder, limits))
        except NoStart as error:
            absent.append((name, str(error)))
        except OSError as error:
            absent.append((name, f"{error.filename or path.name} can't be read: {error.strerror or error}"))
    return entrants, absent


def read_absent(fact: str) -> tuple[tuple[str, str], ...]:
    """Read the journal's fact of that name."""
    try:
        return tuple((str(name), str(reason)) for name, reason in json.loads(fact or "[]"))
    except (ValueError, TypeError, RecursionError):
        raise TournamentError("the journal was damaged, or made by hand: it does not say who has no part") from None


def found(pattern: str, folder: str) -> list[tuple[str, Path]]:
    """Return the names of a pattern's folders and files, in order, with their places."""
    path = Path(folder) / Path(pattern).expanduser()
    parts = path.relative_to(path.anchor).as_posix()
    if not pattern or ".." in Path(pattern).parts[1:]:
        raise TournamentError(f"from takes folders, such as bots/*, not {shown(pattern)}")
    paths = sorted(file for file in Path(path.anchor).glob(parts) if not file.name.startswith((".", "__pycache__")))
    bots = [file for file in paths if file.is_dir() or not _NO_BOT.fullmatch(file.suffix)]
    if not bots:
        raise TournamentError(f"there is no bot in {shown(pattern)} (looked for from {folder} on)")
    return [(called(path), path) for path in bots]


def _entrant(name: str, path: Path, folder: str, limits: Limits) -> Entrant:
    bot, words = _from(folder, start_of(path))
    return Entrant(name, bot, words, digest_of(bot, words, folder) + tree_digest(unpacked(path)), limits)


def _from(folder: str, start: Start) -> Start:
    """Name the files of a start from a folder on, so that the tournament can be moved with its bots."""
    bot, words = start

    def named(word: str) -> str:
        path, kind = split_file(word)
        if not os.path.isabs(path or word) or not Path(path or word).is_relative_to(folder):
            return word
        return os.path.join(os.curdir, os.path.relpath(path or word, folder)) + (f":{kind}" if kind else "")

    return named(bot) if bot else "", tuple(map(named, words))
