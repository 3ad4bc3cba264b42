"""Where the programs of a tournament lie: in which folder each is started, and what its box must not show it.

A program sees the folder of its own files. Where others, the plan or the journal lie in it too, these are left away
(ai/bots/process/isolation.py). Files are named from the folder of the tournament's file on.
"""

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from quadrille.ai.bots.process.isolation import is_own, is_shared
from quadrille.ai.tournament.plans.plan import Entrant, split_file
from quadrille.ai.tournament.schedules.secret import SUFFIX

#: Endings of the files of a journal, of which the lock is there as soon as a run has begun.
_LOCK: Final = ".sqlite-lock"
_JOURNAL: Final = ".sqlite", ".sqlite-wal", ".sqlite-shm", ".sqlite-journal", _LOCK, f"{_LOCK}-journal", ".toml"


def own_folder(entrant: Entrant, folder: str) -> str:
    """The folder in which a program is started: that of the first file that its command names, or one for everybody."""
    first = next(_named(entrant, folder), "")
    return (first if os.path.isdir(first) else os.path.dirname(first)) or os.path.abspath(os.sep)


def command(entrant: Entrant, folder: str) -> list[str]:
    """The words that start a program in its own folder: what they name is found from there too."""
    words = entrant.command(folder)
    if os.path.normpath(own_folder(entrant, folder)) == os.path.normpath(os.path.abspath(folder)):
        return words
    return [words[0], *(_path(word, folder) or word for word in words[1:])]


@lru_cache
def hidden(entrants: tuple[Entrant, ...], folder: str) -> tuple[str, ...]:
    """The files of all programs, their folders, and what Python has made of files that lie in a folder of several."""
    folders = [own_folder(entrant, folder) for entrant in entrants if next(_named(entrant, folder), "")]
    found = {path for entrant in entrants for path in _named(entrant, folder)}
    found |= {place for place in folders if not is_shared(place)}
    found |= {os.path.join(place, "__pycache__") for place in folders if folders.count(place) > 1}
    return tuple(sorted(found))


def journals(folder: str) -> list[str]:
    """The plans, journals and secrets that lie in a folder."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    runs = [name.removesuffix(_LOCK) for name in names if name.endswith(_LOCK)]
    found = {f"{run}{ending}" for run in runs for ending in _JOURNAL}
    found |= {name for name in names if name.endswith(SUFFIX)}
    return [str(Path(folder, name).absolute()) for name in sorted(found)]


def _named(entrant: Entrant, folder: str) -> Iterator[str]:
    """The files and folders that its command names, without an interpreter on the PATH."""
    words: Iterable[str] = [split_file(entrant.bot)[0]] if entrant.bot else entrant.words
    for number, word in enumerate(words):
        path = _path(word, folder) if word else ""
        is_runtime = not number and not entrant.bot and not (os.path.dirname(word) and is_own(path))
        if path and not is_runtime:
            yield path


def _path(word: str, folder: str) -> str:
    """The file or folder that a word names, as a whole path; "" if there is none."""
    path = os.path.normpath(os.path.join(os.path.abspath(folder), os.path.expanduser(word)))
    try:
        return path if os.path.exists(path) else ""
    except ValueError:  # a word that no file system takes for a name
        return ""
