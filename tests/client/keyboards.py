"""Local tables in plain lines, made for tests."""

from typing import Any

from quadrille.client.plain.console import Console
from quadrille.client.plain.table import PlainTable
from quadrille.client.table.local import LocalTable
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Match


def plain_table(
    match: Match, console: Console, *bots: str, clock: TimeControl | None = None, **more: Any
) -> PlainTable:
    """A table with these bots in the first seats, "" for a person, and people in the others."""
    row = [*bots, *[""] * (match.state.seats - len(bots))]
    return PlainTable(LocalTable.of(match, row, clock), console, **more)
