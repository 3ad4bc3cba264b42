"""A table at one keyboard in plain lines: its bots and its files, beside the people who type there."""

import sys
import threading
from contextlib import closing
from typing import TYPE_CHECKING, Final

from quadrille.client.bots.boxes import USUAL
from quadrille.client.bots.table_bots import TableBots
from quadrille.client.files import keep, load
from quadrille.client.plain.console import Console
from quadrille.client.plain.face import Surroundings, sit
from quadrille.client.plain.table import PlainTable, greet
from quadrille.client.table import wishes
from quadrille.client.table.game_setup import GameSetup
from quadrille.net.core.machine import drain

if TYPE_CHECKING:
    from quadrille.client.kept.own_tables import OwnTables

#: Maximum seconds between two polls of the keyboard while a bot thinks.
_LOOK: Final = 0.05


class OwnProgram(Surroundings):
    """A table that this program holds alone: the seat of the people at its keyboard, bots, and files."""

    def __init__(
        self,
        setup: GameSetup,
        tables: "OwnTables",
        *,
        keeps: bool = True,
        isolate: str = USUAL,
        came: threading.Event | None = None,
    ) -> None:
        """`tables` makes the table, and with `keeps` writes its games. `isolate`: the box that each bot must have.
        `came` is set when a bot has answered.
        """
        self._came = came or threading.Event()
        self._bots = TableBots(self._came.set, isolate, beat=0)  # a line stays, and a script need not wait
        self._tables, self._keeps = tables, keeps
        self._answers: list[wishes.Answer] = []
        tables.tell = self._answers.append
        self.seat = tables.sit(setup, self._perform, self._bots, keeps=keeps)

    def turn(self, timeout: int) -> list[wishes.Answer]:
        """Wait at most `timeout` milliseconds for a bot; return the answers of bots and files."""
        if timeout:
            self._came.wait(min(timeout / 1000, _LOOK))
            self._came.clear()
        if self._keeps:
            self._tables.look(self.seat)
        if (hinted := self._bots.hint()) is not None:
            self._answers.append(hinted)
        return drain(self._answers)

    def close(self) -> None:
        """End the bots' programs."""
        if self._keeps:
            self._tables.look(self.seat)
        self._bots.close()

    def _perform(self, effect: wishes.TableEffect) -> None:
        match effect:
            case wishes.Advise():
                self._bots.advise(effect)
            case wishes.Keep():
                self.seat.wish(keep(effect))
            case wishes.Load(name):
                self.seat.wish(wishes.Loaded(name, *load(name)))


def play(setup: GameSetup, isolate: str, at_home: str | None, tables: "OwnTables | None" = None) -> None:
    """Play at this keyboard until the person leaves, and say how to resume the last game."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdout is None:
        return
    console = Console(sys.stdin, sys.stdout)
    greet(setup, console.say)
    from quadrille.client.kept.own_tables import (
        OwnTables,  # imported here: the game is named before its store is opened
    )

    tables = tables or OwnTables(at_home)
    try:
        with closing(OwnProgram(setup, tables, isolate=isolate)) as program:
            sit(program, PlainTable(program.seat, console))
    finally:
        for text in tables.close():
            console.say(text)
