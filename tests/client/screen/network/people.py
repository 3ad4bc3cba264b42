"""People in this process, each with an evening on an emulated terminal and a station of their own on loopback.

Whatever is waited for is a condition on a screen, never a time.
"""

import argparse
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from quadrille.client.network.options import NetworkOptions, add_network, network_options
from quadrille.client.screen.evening import Evening
from quadrille.client.screen.evening_stage import EveningStage
from quadrille.client.screen.network.news import Order
from quadrille.client.screen.table.model import Model
from quadrille.rules.match import Match
from tests.client.screen.terminal import Person, at_stage


def network(home: Path, port: int, name: str, *more: str) -> NetworkOptions:
    parser = argparse.ArgumentParser()
    add_network(parser)
    words = ["--home", str(home / name), "--port", str(port), "--interface", "127.0.0.1", "--name", name, *more]
    return network_options(parser.parse_args(words))


class Guest(Person):
    @property
    def evening(self) -> Evening:
        return self.stage.shell.model

    @property
    def model(self) -> Model:
        front = self.evening.front
        assert isinstance(front, Model), self.emulator.text
        return front

    @property
    def match(self) -> Match:
        return self.model.table.match

    async def at_table(self, plies: int = 0) -> Match:
        """Wait until a table is in front, with so many moves made."""
        await self.until(lambda _: bool(self.evening.table) and self.is_there(plies))
        return self.match

    def is_there(self, plies: int) -> bool:
        front = self.evening.front
        return isinstance(front, Model) and front.table.match.ply >= plies

    async def plays(self, text: str = "") -> str:
        """Wait until it is this one's turn, and make a move; which one, if none is given."""
        await self.until(lambda _: isinstance(self.evening.front, Model) and self.evening.front.table.is_mine)
        move = text or str(next(iter(self.match.state.moves)))
        ply = self.match.ply
        self.press(move, "enter")
        await self.at_table(ply + 1)
        return move


@asynccontextmanager
async def at_evening(
    home: Path,
    port: int,
    name: str,
    first: Order | None = None,
    rows: int = 24,
    columns: int = 80,
    *,
    options: Sequence[str] = (),
) -> AsyncIterator[Guest]:
    """Somebody who has come for an evening, or for one table alone."""
    place = network(home, port, name, *options)
    async with at_stage(lambda: EveningStage(place, first), rows, columns, Guest) as guest:
        yield guest
