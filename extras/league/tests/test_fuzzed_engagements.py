"""Whatever is well formed, rightly signed and senseless, said to bots that serve and to runs that engage them."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final, TypeAlias, cast

import pytest

from quadrille.ai.bots.notes import Notes
from quadrille.ai.bots.process.program import Program
from quadrille.extras.league.peers.engaged import Engagements
from quadrille.extras.league.peers.exchange import Exchange
from quadrille.extras.league.peers.reliable_stream import ReliableStream
from quadrille.net.entries.wire import REPLIES, Engage, Engaged, Gone, Words
from quadrille.net.seating.lobby import Event, Lobby, StrayMessage
from tests.ai.inside import Anything, Inside
from tests.fuzz.liar import LINES
from tests.fuzz.logs import KINDS, SEATS
from tests.fuzz.machines import many
from tests.fuzz.programs import Attendant, Served
from tests.fuzz.worlds import World

#: What takes the world's time for its own.
CLOCKS: Final = ("extras.league.peers.engaged.ms", "extras.league.peers.exchange.now")
#: An engagement: its name, the other end, and what has been said if it is open.
Open: TypeAlias = tuple[bytes, bytes, ReliableStream | None]


class Way:
    """A connection to a worker who reads nothing."""

    def send(self, what: Any) -> None:
        assert what

    def close(self) -> None:
        """It was none."""


class Serving(Served):
    """A bot that also plays for any runner."""

    def __init__(self, lobby: Lobby, dice: Random, clock: Callable[[], int], folder: Path) -> None:
        self.engagements = Engagements(lobby, lambda: self._lend(folder), lambda key, terms: None, 3)
        super().__init__(lobby, dice, clock, engagements=self.engagements)

    def open(self) -> list[Open]:
        return [(table, one.runner, one.stream) for table, one in self.engagements._open.items()]

    def _lend(self, folder: Path) -> tuple[Program, Notes]:
        deaf = Inside(Anything())  # it takes any line: what a runner says is not its affair here
        deaf.send = lambda line: deaf._said.append(b'{"hello": "x", "protocol": 1}')  # type: ignore[method-assign]
        program = cast("Program", deaf)
        return program, Notes(folder, program.command, lambda: "", lambda text: None)

    def fitting(self, message: Any, dice: Random) -> tuple[bytes | None, Any]:
        return fitting(self, message, dice)


class Runner:
    """A run's exchange, whose workers engage peers without end."""

    def __init__(self, lobby: Lobby, dice: Random, clock: Callable[[], int]) -> None:
        self.lobby, self.dice = lobby, dice
        self.station: Any = SimpleNamespace(lobby=lobby, identity=lobby.identity, need=lambda _: None)
        self.exchange = Exchange(lambda: self.station)
        self.ways: list[Any] = []

    def hear(self, event: Event) -> None:
        if isinstance(event, StrayMessage):
            self.exchange._hear(self.station, event)

    def act(self, now: int) -> None:
        dice, exchange = self.dice, self.exchange
        if len(exchange._open) < 4 and dice.random() < 0.3:
            way, key = Way(), dice.choice(SEATS).key
            told = ("engage", key, dice.choice([*KINDS.values()]), False, 60_000)
            exchange._take(self.station, cast("Any", way), told)
        for way in list(exchange._open):
            match dice.randrange(12):
                case 0:
                    exchange._take(self.station, way, ("say", dice.choice(LINES)))
                case 1:
                    exchange._take(self.station, way, None)
                case 2:
                    exchange._take(self.station, way, ("read", 1000))
        for one in list(exchange._open.values()):
            exchange._look_after(self.station, one, now)

    def open(self) -> list[Open]:
        return [(one.table, one.key, one.stream) for one in self.exchange._open.values()]

    def fitting(self, message: Any, dice: Random) -> tuple[bytes | None, Any]:
        return fitting(self, message, dice)

    def close(self) -> None:
        """Nothing was opened."""


def fitting(attendant: Serving | Runner, message: Any, dice: Random) -> tuple[bytes | None, Any]:
    """Often something about an engagement that there is, after all that was said before; and who has to say it."""
    if dice.random() < 0.6:
        return None, message
    open = attendant.open()
    if not open:
        terms = dice.choice([*KINDS.values()])
        return None, Engage(getattr(message, "table", None) or bytes(16), terms, dice.random() < 0.5)
    table, key, stream = dice.choice(open)
    if isinstance(attendant, Runner) and dice.random() < 0.4:
        return key, Engaged(table, dice.choice(REPLIES), "why", dice.choice((0, 0, 5)))
    if dice.random() < 0.1:
        return key, Gone(table)
    line = dice.choice(LINES)
    said = line[: dice.randrange(len(line) + 1)] if dice.random() < 0.1 else line * dice.choice((1, 1, 1, 50))
    start, heard = (stream.heard, dice.choice((0, stream.said))) if stream is not None else (0, 0)
    return key, Words(table, start + (dice.random() < 0.1), heard, said)


def attendant(world: World, folder: Path) -> Attendant:
    clock = lambda: world.now  # noqa: E731
    if world.dice.random() < 0.5:
        return Serving(world.lobby, world.dice, clock, folder)
    return Runner(world.lobby, world.dice, clock)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "count"), [("engaged", 400), ("engaged/0", 4000)])
def test_senseless_messages_end_nothing(name: str, count: int, tmp_path: Path) -> None:
    assert many(name, count, tmp_path, attendant, CLOCKS).total() == count
