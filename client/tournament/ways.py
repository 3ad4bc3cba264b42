"""Additions of packages to `quadrille tournament`: where games are played, who watches, sections of the report.

An entry point of `quadrille.commands` names an `Addition("tournament", "MODULE:WAY")`, and WAY is a `TournamentWay`.
Specification: docs/protocols/tournaments.md, "Ways to play".
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from quadrille.value import value

if TYPE_CHECKING:  # `--help` imports this module
    from quadrille.ai.tournament.journals.journal import Journal
    from quadrille.ai.tournament.plans.plan import Plan
    from quadrille.ai.tournament.play.farm import Workers
    from quadrille.ai.tournament.run import Run
    from quadrille.ai.tournament.run_events import Event
    from quadrille.client.tournament.standings import TournamentStanding


@value
class ReportTable:
    """A table in a section of the report, with a title or none; the columns of `words` are aligned left."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: Sequence[int] = ()
    title: str = ""


#: An anchor, a heading, and paragraphs and tables.
ReportSection: TypeAlias = tuple[str, str, Sequence[str | ReportTable]]


class Beside:
    """A part in one run. A subclass changes what it needs."""

    #: Called in each worker process of this machine before its first game. One that calls `reach` (worker_bench.py)
    #: brings the entrants that play on their owners' machines; a thread of it may read `bench().playing`.
    prepare: Callable[[], object] | None = None

    def workers(self, slots: int) -> "Workers | None":
        """Return what plays the games instead of processes here, this many at a time (0: as many as have room)."""
        return None

    def join(self, run: "Run") -> None:
        """Learn of the run before its first event."""

    def take(self, event: "Event") -> "Iterable[Event]":
        """Watch the run; return events for the person to see before this one, such as a `Warned`."""
        return ()


class TournamentWay:
    """An addition to the commands of tournaments. A subclass changes what it needs."""

    def arguments(self, parser: argparse.ArgumentParser, what: str) -> None:
        """Add options to `tournament WHAT`."""

    def beside(self, plan: "Plan", path: Path, settings: argparse.Namespace) -> AbstractContextManager[Beside]:
        """Join a run from its beginning to its end; `path` is its journal's, or NOWHERE."""
        return nullcontext(Beside())

    def instead(self, settings: argparse.Namespace) -> int | None:
        """Run the command in another way and return its exit code; None if the usual way is wanted."""
        return None

    def sections(self, standing: "TournamentStanding", journal: "Journal") -> Iterable[ReportSection]:
        """Return sections of the report; one without paragraphs and tables is left out."""
        return ()
