"""Tables at one keyboard in plain lines, made for tests."""

import io
from collections.abc import Callable
from typing import Any

from quadrille.client.kept.own_tables import OwnTables
from quadrille.client.plain.console import Console
from quadrille.client.plain.own_table import PlainOwnTable, welcome
from quadrille.client.table.game_setup import GameSetup
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Match


class Typist(Console):
    """Somebody who answers each prompt as a function says; `said` has all that was to be read."""

    def __init__(self, answer: Callable[[str], str | None]) -> None:
        self.said = io.StringIO()
        super().__init__(None, self.said)
        self.ask = answer


def plain_table(
    match: Match,
    console: Console,
    *bots: str,
    clock: TimeControl | None = None,
    now: Callable[[], int] = lambda: 0,
    greets: bool = True,
    **more: Any,
) -> PlainOwnTable:
    """A table with these bots in the first seats, "" for a person, and people in the others."""
    row = [*bots, *[""] * (match.state.seats - len(bots))]
    setup = GameSetup.of(match, row, clock)
    if greets:
        welcome(setup, console.say)
    return PlainOwnTable(setup, console, OwnTables(now=now), keeps=False, **more)
