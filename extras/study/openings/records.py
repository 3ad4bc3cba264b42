"""Records from files and folders, for a book of openings: bounded, whatever lies there."""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from quadrille.client.files import STANDARD_INPUT, path_of, read_text
from quadrille.client.foreign import shown
from quadrille.extras.study.openings.book import OpeningBook
from quadrille.rules.errors import RulesError

#: Maximum files of all folders together.
MOST_FILES: Final = 100_000
#: The beginning of every record, of this version or another.
_RECORD: Final = b"quadrille record "


class RecordFiles:
    """Reads records into a book. `files` counts those that were looked at, `others` those that are no records."""

    def __init__(self, book: OpeningBook, passing: Callable[[], None]) -> None:
        """`passing` is called after each file."""
        self.book = book
        self.files = self.others = 0
        #: Whether there were more files than are read.
        self.full = False
        self._passing = passing

    def read(self, name: str) -> None:
        """Read a record, or all records in a folder and in those below it."""
        if name != STANDARD_INPUT and path_of(name).is_dir():
            for path in self._below(Path(name).expanduser()):
                if not self._read_one(path):
                    return
            return
        self.files += 1
        if name != STANDARD_INPUT and not stat.S_ISREG(path_of(name).stat().st_mode):
            raise RulesError(f"{shown(name)} is no ordinary file: name a record, a folder of them, or a tournament")
        self.book.take_record(read_text(name), shown(name))
        self._passing()

    def _read_one(self, path: Path) -> bool:
        """Read a file of a folder if it is a record; return whether more may be read."""
        if self.files == MOST_FILES:
            self.full = True
            return False
        self.files += 1
        try:
            if not _is_record(path):
                self.others += 1
            else:
                self.book.take_record(read_text(str(path)), shown(str(path)))
        except OSError as error:
            self.book.unusable(f"{shown(str(path))}: {error.strerror or error}")
        self._passing()
        return True

    @staticmethod
    def _below(folder: Path) -> Iterator[Path]:
        """The files of a folder in order, then those of the folders in it; links to folders are not followed."""

        def refuse(error: OSError) -> None:
            if error.filename == str(folder):
                raise error

        for place, folders, files in os.walk(folder, onerror=refuse):
            folders.sort()
            yield from (Path(place, file) for file in sorted(files))


def _is_record(path: Path) -> bool:
    """Whether a file says that it is a record; a pipe or a device is not opened."""
    if not stat.S_ISREG(path.stat().st_mode):
        return False
    with path.open("rb") as file:
        return file.read(len(_RECORD)) == _RECORD
