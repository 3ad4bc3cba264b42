"""The folders of a tournament's programs: where each starts, and what its box must hide.

A program sees the folder of its own files, without other programs, the plan or the journal that may lie in it
(ai/bots/process/isolation.py). Files are named relative to the folder of the tournament's file.
"""

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from quadrille.ai.bots.process.isolation import is_own, is_shared
from quadrille.ai.tournament.plans.plan import Entrant, split_file
from quadrille.ai.tournament.schedules.secret import SUFFIX

#: Suffixes of a journal's files; the lock exists as soon as a run has begun.
_LOCK: Final = ".sqlite-lock"
_JOURNAL: Final = ".sqlite", ".sqlite-wal", ".sqlite-shm", ".sqlite-journal", _LOCK, f"{_LOCK}-journal", ".toml"


def own_folder(entrant: Entrant, folder: str) -> str:
    """Return the start folder of a program: that of the first file that its command names, or the root."""
    first = next(_named(entrant, folder), "")
    return (first if os.path.isdir(first) else os.path.dirname(first)) or os.path.abspath(os.sep)


def command(entrant: Entrant, folder: str) -> list[str]:
    """Return the command that starts a program in its own folder: its words are resolved for that."""
    if own_folder(entrant, folder) == os.path.realpath(folder):
        return entrant.command(folder)
    return whole_command(entrant, folder)


def whole_command(entrant: Entrant, folder: str) -> list[str]:
    """Return the command that starts a program from any folder: its files have whole paths."""
    words = entrant.command(folder)
    return [words[0], *(_path(word, folder) or word for word in words[1:])]


class Hidden(NamedTuple):
    """Places of all programs of a tournament: where they start, and the other files that their commands name."""

    starts: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()


@lru_cache
def hidden(entrants: tuple[Entrant, ...], folder: str) -> Hidden:
    """Return the files of all programs, their folders, and Python's caches of files in shared folders."""
    files = [named for entrant in entrants if (named := [*_named(entrant, folder)])]
    folders = [own_folder(entrant, folder) for entrant in entrants if next(_named(entrant, folder), "")]
    caches = {os.path.join(place, "__pycache__") for place in folders if folders.count(place) > 1}
    starts = {named[0] for named in files} | {place for place in folders if not is_shared(place)} | caches
    return Hidden(frozenset(starts), frozenset().union(*files) - starts)


def hidden_from(entrant: Entrant, hidden: Hidden, folder: str) -> list[str]:
    """Return the places that are not the entrant's own: its first file and the folder of that, and what else it names
    that no other starts from. An author who says that his bot is started with a rival's files neither sees those nor
    hides them from the rival.
    """
    start, [first, *more] = own_folder(entrant, folder), [*_named(entrant, folder), ""]
    others = [path for path in hidden.starts if path not in (start, first) and not _holds(path, start)]
    own = {start, first, *(path for path in more if not any(_holds(other, path) for other in others))}
    away = hidden.starts | {path for path in hidden.named if not _holds(start, path)}
    return [path for path in sorted(away) if not any(_holds(path, one) for one in own)]


def _holds(folder: str, path: str) -> bool:
    return f"{path}/".startswith(f"{folder}/")


def journals(folder: str) -> list[str]:
    """List the plans, journals and secrets that lie in a folder."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    runs = [name.removesuffix(_LOCK) for name in names if name.endswith(_LOCK)]
    found = {f"{run}{ending}" for run in runs for ending in _JOURNAL}
    found |= {name for name in names if name.endswith(SUFFIX)}
    return [os.path.join(os.path.realpath(folder), name) for name in sorted(found)]


def _named(entrant: Entrant, folder: str) -> Iterator[str]:
    """Yield the files and folders that an entrant's command names, without an interpreter on the PATH."""
    words: Iterable[str] = [split_file(entrant.bot)[0]] if entrant.bot else entrant.words
    for number, word in enumerate(words):
        path = _path(word, folder) if word else ""
        is_runtime = not number and not entrant.bot and not (os.path.dirname(word) and is_own(path))
        if path and not is_runtime:
            yield path


def _path(word: str, folder: str) -> str:
    """Return the full path of the file or folder that a word names; "" if there is none."""
    path = os.path.normpath(os.path.join(os.path.realpath(folder), os.path.expanduser(word)))
    try:
        return path if os.path.exists(path) else ""
    except ValueError:  # a word that no file system accepts as a name
        return ""
