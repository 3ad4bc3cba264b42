"""The files that a bot's command names: the same ones for a plan, its trial, its games and `bot check`.

A box shows what the words of a command name (process/isolation.py), and no folder that one of them merely goes
through. So whoever starts a bot gives it whole paths.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from quadrille.ai.bots.process.executable import named_path
from quadrille.ai.bots.process.isolation import is_own
from quadrille.ai.house import split_file


def whole_word(word: str, folder: str | Path | None = None) -> str:
    """Return a word of a command; where it names a file or folder, the whole path."""
    name, path = split_file(word)[1], named_path(word, folder)
    return path + (f":{name}" if name else "") if word and os.path.exists(path) else word


def whole_command(words: Sequence[str], folder: str | Path | None = None) -> list[str]:
    """Return a command that means the same from any folder. A first word without a slash is searched on the PATH."""
    return [whole_word(word, folder) if number or os.path.dirname(word) else word for number, word in enumerate(words)]


def named_files(command: Sequence[str]) -> Iterator[str]:
    """Yield the files and folders that a whole command names, without an interpreter."""
    paths = [split_file(word)[0] or word for word in command]
    named = [path for path in paths if os.path.isabs(path) and os.path.exists(path)]
    begins = bool(named) and named[0] == paths[0]  # not with a word that is searched on the PATH
    yield from named[1:] if begins and not is_own(named[0], alone=len(named) == 1) else named


def start_folder(command: Sequence[str]) -> str:
    """Return the folder in which a whole command starts: that of the first file that it names, or the root."""
    first = next(named_files(command), "")
    return (first if os.path.isdir(first) else os.path.dirname(first)) or os.path.abspath(os.sep)
