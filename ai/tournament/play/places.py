"""The folders of a tournament's programs: where each starts, and what its box must hide.

A program sees the folder of its own files, without other programs, the plan or the journal that may lie in it
(ai/bots/process/isolation.py). Files are named relative to the folder of the tournament's file.
"""

import os
from functools import lru_cache
from typing import Final, NamedTuple

from quadrille.ai.bots.bot_folder import UNPACKED
from quadrille.ai.bots.command_files import named_files, start_folder
from quadrille.ai.bots.process.isolation import is_shared
from quadrille.ai.tournament.plans.plan import Entrant
from quadrille.ai.tournament.schedules.secret import SUFFIX

#: Suffixes of a journal's files; the lock exists as soon as a run has begun.
_LOCK: Final = ".sqlite-lock"
_JOURNAL: Final = ".sqlite", ".sqlite-wal", ".sqlite-shm", ".sqlite-journal", _LOCK, f"{_LOCK}-journal", ".toml"


class Hidden(NamedTuple):
    """Places of all programs of a tournament: where they start, and the other files that their commands name."""

    starts: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()


@lru_cache
def hidden(entrants: tuple[Entrant, ...], folder: str, handed: tuple[str, ...] = ()) -> Hidden:
    """Return the files of all programs, their folders, all that was `handed` in, and Python's caches in shared ones."""
    files = [named for entrant in entrants if (named := [*named_files(entrant.whole(folder))])]
    folders = [start_folder(named) for named in files]
    packed = {os.path.join(os.path.dirname(path), UNPACKED) for path in handed}
    caches = {os.path.join(place, "__pycache__") for place in folders if folders.count(place) > 1}
    starts = (
        {named[0] for named in files}
        | {place for place in folders if not is_shared(place)}
        | caches
        | packed
        | {*handed}
    )
    return Hidden(frozenset(starts), frozenset().union(*files) - starts)


def hidden_from(command: list[str], hidden: Hidden) -> list[str]:
    """Return the places that are not the command's own: its first file and the folder of that, and what else it names
    that no other starts from. An author who says that his bot is started with a rival's files neither sees those nor
    hides them from the rival.
    """
    start, [first, *more] = start_folder(command), [*named_files(command), ""]
    others = [path for path in hidden.starts if path not in (start, first) and not _holds(path, start)]
    own = {start, first, *(path for path in more if not any(_holds(other, path) for other in others))}
    away = hidden.starts | {path for path in hidden.named if not _holds(start, path)}
    return [path for path in sorted(away) if not any(_holds(path, kept) for kept in own)]


def _holds(folder: str, path: str) -> bool:
    return f"{path}/".startswith(f"{folder}/")


def journals(folder: str) -> list[str]:
    """List the plans, journals and secrets that lie in a folder."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    runs = [name.removesuffix(_LOCK) for name in names if name.endswith(_LOCK)]
    paths = {f"{run}{ending}" for run in runs for ending in _JOURNAL}
    paths |= {name for name in names if name.endswith(SUFFIX)}
    return [os.path.join(os.path.realpath(folder), name) for name in sorted(paths)]
