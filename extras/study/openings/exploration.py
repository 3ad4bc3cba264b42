"""The run of `quadrille openings`: games from tournaments, records and folders, then a table for each kind of them.

What lies in a folder is bounded, whatever it is.
"""

import argparse
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from quadrille.ai.tournament.journals.journal import SUFFIX
from quadrille.client.cli import FINE, INTERRUPTED, NO
from quadrille.client.files import STANDARD_INPUT, path_of, read_text
from quadrille.client.foreign import shown
from quadrille.client.progress_line import ProgressLine
from quadrille.client.reports import folded, many
from quadrille.client.tournament.inspection import TOML, opened
from quadrille.client.tournament.standings import standing_of
from quadrille.extras.study.openings.book import OpeningBook
from quadrille.extras.study.openings.tables import OpeningTable, book_notes, data, table_text
from quadrille.extras.study.openings.tournament import take_journal
from quadrille.rules.errors import RulesError

#: Maximum files of all folders together.
MOST_FILES: Final = 100_000
#: The beginning of every record, of this version or another.
_RECORD: Final = b"quadrille record "


class Exploration:
    """The games and tables so far. Ctrl-C ends a phase early, and the next goes on with what is there.

    `files` counts those that were looked at, `others` those that are no records; `full` if there were more than are
    read.
    """

    def __init__(self, settings: argparse.Namespace) -> None:
        self.progress = ProgressLine()
        self.book = OpeningBook(settings.plies)
        self.tables: list[OpeningTable] = []
        self.files = self.others = 0
        self.stopped = self.full = False
        self._settings = settings
        self._journals: set[Path] = set()

    def read(self) -> None:
        """Read all games, those of tournaments first: a record of one of them is a copy."""
        names = sorted(self._settings.paths, key=lambda name: not _is_tournament(name))
        try:
            for name in names:
                if _is_tournament(name):
                    self._read_tournament(name)
                else:
                    self.read_records(name)
        except KeyboardInterrupt:
            self.stopped = True

    def judge(self) -> None:
        """Make the tables, with what is proven about their lines."""
        positions = 0 if self.stopped else self._settings.positions
        for tree in self.book.ordered():
            if not tree.games:
                continue
            try:
                made = OpeningTable(tree, self._settings.least, positions, self._tell_lines)
            except KeyboardInterrupt:
                self.stopped, positions = True, 0
                made = OpeningTable(tree, self._settings.least, 0)
            self.tables.append(made)

    def _read_tournament(self, name: str) -> None:
        with opened(name) as journal:
            path = journal.path.resolve()
            if path not in self._journals:
                self._journals.add(path)
                take_journal(self.book, journal, standing_of(journal).counted, self._tell)

    def read_records(self, name: str) -> None:
        """Read a record, or all records in a folder and in those below it."""
        if name != STANDARD_INPUT and path_of(name).is_dir():
            for path in _below(Path(name).expanduser()):
                self.full = self.files == MOST_FILES
                if self.full:
                    return
                self._read_one(path)
            return
        self.files += 1
        if name != STANDARD_INPUT and not stat.S_ISREG(path_of(name).stat().st_mode):
            raise RulesError(f"{shown(name)} is no ordinary file: name a record, a folder of them, or a tournament")
        self.book.take_record(read_text(name), shown(name))
        self._tell()

    def _read_one(self, path: Path) -> None:
        """Read a file of a folder if it is a record."""
        self.files += 1
        try:
            if not _is_record(path):
                self.others += 1
            else:
                self.book.take_record(read_text(str(path)), shown(str(path)))
        except OSError as error:
            self.book.unusable(f"{shown(str(path))}: {error.strerror or error}")
        self._tell()

    def _tell(self) -> None:
        files = f"{many(self.files, 'file')}, " if self.files else ""
        self.progress.tell(lambda: f"{files}{many(self.book.games, 'game')}")

    def _tell_lines(self, lines: int) -> None:
        self.progress.tell(lambda: f"looking for proofs: {many(lines, 'line')}")


def explore(settings: argparse.Namespace) -> int:
    """Print all tables, or everything as data."""
    exploration = Exploration(settings)
    exploration.read()
    exploration.judge()
    _tell_wrong(exploration)
    exploration.progress.end()
    if settings.json:
        book, others, stopped = exploration.book, exploration.others, exploration.stopped
        print(json.dumps(data(book, exploration.tables, others=others, stopped=stopped), indent=2))
    else:
        print(_text(exploration))
    if exploration.stopped:
        return INTERRUPTED
    return FINE if any(not table.tree.why_not for table in exploration.tables) else NO


def _tell_wrong(exploration: Exploration) -> None:
    """Name what can't be used."""
    book, say = exploration.book, exploration.progress.say
    for reason in book.named:
        say(f"passed over: {reason}")
    if more := book.counts["damaged"] - len(book.named):
        say(f"{many(more, 'more record')} can't be used")
    if exploration.full:
        say(f"there are more than {MOST_FILES:,} files: the rest was not read")
    if exploration.stopped:
        say("stopped: the tables have only what was read and proven so far")


def _text(exploration: Exploration) -> str:
    tables = [table_text(table) for table in exploration.tables]
    notes = book_notes(exploration.book)
    if not tables:
        notes.insert(0, "No finished game is there to tell anything")
    if others := exploration.others:
        notes.append("1 other file is no record" if others == 1 else f"{others} other files are no records")
    text = "\n".join(line for note in notes for line in folded(f"{note}."))
    return "\n\n".join([*tables, text])


def _is_tournament(name: str) -> bool:
    """Tell a tournament's file or its journal from other paths."""
    return Path(name).suffix in (TOML, SUFFIX)


def _below(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder in order, then those of the folders in it; links to folders are not followed."""

    def refuse(error: OSError) -> None:
        if error.filename == str(folder):
            raise error

    for place, folders, files in os.walk(folder, onerror=refuse):
        folders.sort()
        yield from (Path(place, file) for file in sorted(files))


def _is_record(path: Path) -> bool:
    """Tell a file that says that it is a record; a pipe or a device is not opened."""
    if not stat.S_ISREG(path.stat().st_mode):
        return False
    with path.open("rb") as file:
        return file.read(len(_RECORD)) == _RECORD
