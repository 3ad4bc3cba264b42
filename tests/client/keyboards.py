"""Tables at one keyboard in plain lines, made for tests."""

import io
from collections.abc import Callable
from contextlib import closing
from typing import Any

from quadrille.client.kept.own_tables import OwnTables
from quadrille.client.plain.console import Console
from quadrille.client.plain.loop import sit
from quadrille.client.plain.own_table import OwnProgram
from quadrille.client.plain.table import PlainTable, greet
from quadrille.client.table.game_setup import GameSetup
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Match


class Typist(Console):
    """Somebody who answers each prompt as a function says; `said` has all that was to be read."""

    def __init__(self, answer: Callable[[str], str | None]) -> None:
        self.said = io.StringIO()
        super().__init__(None, self.said)
        self.ask = answer

    looks = ended = property(lambda _: False)  # type: ignore[assignment]


class OwnTable(PlainTable):
    """A table at one keyboard, with its loop."""

    def __init__(self, program: OwnProgram, console: Console) -> None:
        super().__init__(program.seat, console)
        self.program = program

    def run(self) -> None:
        with closing(self.program):
            sit(self.program, self)


def plain_table(
    match: Match,
    console: Console,
    *bots: str,
    clock: TimeControl | None = None,
    now: Callable[[], int] = lambda: 0,
    greets: bool = True,
    **more: Any,
) -> OwnTable:
    """A table with these bots in the first seats, "" for a person, and people in the others."""
    row = [*bots, *[""] * (match.state.seats - len(bots))]
    setup = GameSetup.of(match, row, clock)
    if greets:
        greet(setup, console.say)
    return OwnTable(OwnProgram(setup, OwnTables(now=now), keeps=False, **more), console)
