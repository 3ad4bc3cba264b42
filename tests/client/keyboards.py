"""Local tables in plain lines, made for tests."""

from collections.abc import Callable, Mapping
from typing import Any

from quadrille.client.plain.console import Console
from quadrille.client.plain.table import PlainTable
from quadrille.client.table.local import LocalTable
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Match


def plain_table(
    match: Match,
    seated: Callable[[Match], Mapping[int, str]],
    console: Console,
    clock: TimeControl | None = None,
    **more: Any,
) -> PlainTable:
    """A table where `seated` says which bots have which seats; people have the others."""
    row = seated(match)
    bots = [row.get(seat, "") for seat in range(match.state.seats)]
    return PlainTable(LocalTable.of(match, bots, clock), console, **more)
