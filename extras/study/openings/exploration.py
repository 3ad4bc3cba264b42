"""The run of `quadrille openings`: games from tournaments, records and folders, then a table for each kind of them."""

import argparse
import json
from pathlib import Path
from typing import Final

from quadrille.ai.tournament.journals.journal import SUFFIX
from quadrille.client.cli import FINE, INTERRUPTED, NO
from quadrille.client.progress_line import ProgressLine
from quadrille.client.reports import folded, many
from quadrille.client.tournament.inspection import TOML, opened
from quadrille.client.tournament.standings import standing_of
from quadrille.extras.study.openings.book import OpeningBook
from quadrille.extras.study.openings.lines import OpeningTable, table_of
from quadrille.extras.study.openings.proved import BoundedProofs
from quadrille.extras.study.openings.records import MOST_FILES, RecordFiles
from quadrille.extras.study.openings.tables import book_notes, data, table_text
from quadrille.extras.study.openings.tournament import take_journal
from quadrille.rules.errors import RulesError

MOST_PLIES: Final = 20
MOST_POSITIONS: Final = 100_000_000


class Exploration:
    """The games and tables so far. Ctrl-C ends a phase early, and the next goes on with what is there."""

    def __init__(self, settings: argparse.Namespace) -> None:
        self.progress = ProgressLine()
        self.book = OpeningBook(settings.plies)
        self.files = RecordFiles(self.book, self._tell)
        self.tables: list[OpeningTable] = []
        self.stopped = False
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
                    self.files.read(name)
        except KeyboardInterrupt:
            self.stopped = True

    def judge(self) -> None:
        """Make the tables, with what is proven about their lines."""
        positions = 0 if self.stopped else self._settings.positions
        for tree in self.book.ordered():
            if not tree.games:
                continue
            try:
                made = table_of(tree, self._settings.least, BoundedProofs(positions).of, self._tell_lines)
            except KeyboardInterrupt:
                self.stopped, positions = True, 0
                made = table_of(tree, self._settings.least, BoundedProofs(0).of)
            self.tables.append(made)

    def _read_tournament(self, name: str) -> None:
        with opened(name) as journal:
            path = journal.path.resolve()
            if path not in self._journals:
                self._journals.add(path)
                take_journal(self.book, journal, standing_of(journal).counted, self._tell)

    def _tell(self) -> None:
        files = f"{many(self.files.files, 'file')}, " if self.files.files else ""
        self.progress.tell(lambda: f"{files}{many(self.book.games, 'game')}")

    def _tell_lines(self, lines: int) -> None:
        self.progress.tell(lambda: f"looking for proofs: {many(lines, 'line')}")


def explore(settings: argparse.Namespace) -> int:
    """Print all tables, or everything as data."""
    for name, least, most in (("plies", 1, MOST_PLIES), ("least", 1, 10**9), ("positions", 0, MOST_POSITIONS)):
        if not least <= getattr(settings, name) <= most:
            raise RulesError(f"--{name} takes a number from {least} to {most}, not {getattr(settings, name)}")
    found = Exploration(settings)
    found.read()
    found.judge()
    _tell_wrong(found)
    found.progress.end()
    if settings.json:
        print(json.dumps(data(found.book, found.tables, others=found.files.others, stopped=found.stopped), indent=2))
    else:
        print(_text(found))
    if found.stopped:
        return INTERRUPTED
    return FINE if any(not table.tree.why_not for table in found.tables) else NO


def _tell_wrong(found: Exploration) -> None:
    """Name what can't be used."""
    book, say = found.book, found.progress.say
    for why in book.named:
        say(f"passed over: {why}")
    if book.damaged > len(book.named):
        say(f"{many(book.damaged - len(book.named), 'more record')} can't be used")
    if found.files.full:
        say(f"there are more than {MOST_FILES:,} files: the rest was not read")
    if found.stopped:
        say("stopped: the tables have only what was read and proven so far")


def _text(found: Exploration) -> str:
    tables = [table_text(table) for table in found.tables]
    notes = book_notes(found.book)
    if not tables:
        notes.insert(0, "No finished game is there to tell anything")
    if others := found.files.others:
        notes.append("1 other file is no record" if others == 1 else f"{others} other files are no records")
    said = "\n".join(line for note in notes for line in folded(f"{note}."))
    return "\n\n".join([*tables, said])


def _is_tournament(name: str) -> bool:
    """Whether a path is a tournament's file or its journal."""
    return Path(name).suffix in (TOML, SUFFIX)
