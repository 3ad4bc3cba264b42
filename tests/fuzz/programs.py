"""What programs put on top of a lobby: a person's conversations, a bot that serves, the runner of a tournament."""

import io
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final, Protocol, TypeAlias, cast
from unittest.mock import patch

from quadrille.ai.bots.notes import Notes
from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.talk import Talk
from quadrille.ai.peer.engaged import Engagements
from quadrille.ai.peer.guest import Guest
from quadrille.ai.tournament.play.peers_exchange import Exchange
from quadrille.client.plain.network_stage import PlainStage
from quadrille.client.presence.place import KeptLogs
from quadrille.client.screen.network.views import listed, people, room, seated
from quadrille.client.table.network.bystander import Bystander
from quadrille.client.table.network.context import NetworkContext
from quadrille.client.table.network.next_stage import next_stage
from quadrille.client.table.network.seat import NetworkSeat
from quadrille.client.table.network.stage import NetworkStage
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.net.entries.terms import Chair
from quadrille.net.entries.wire import REPLIES, Engage, Engaged, Gone, Words
from quadrille.net.program.reliable_stream import ReliableStream
from quadrille.net.seating.lobby import Aside, Began, Event, Lobby
from quadrille.net.tables.table import Table
from tests.ai.inside import Anything, Inside
from tests.client.evening import plain_face
from tests.fuzz.liar import LINES
from tests.fuzz.logs import KINDS, SEATS, STRANGERS

TYPED: Final = (
    "yes", "no", "draw", "takeback", "takeback 2", "pause", "drop", "wait", "back", "seats",
    "board", "stand-in 3", "stand-in cdcd", "resign", "say hello", "moves", "book", "rematch", "invite", "who", "start",
    "a1", "kick x", "b2",
)  # fmt: skip


#: An engagement: its name, the other end, and what has been said if it is open.
Open: TypeAlias = tuple[bytes, bytes, ReliableStream | None]


class Attendant(Protocol):
    """Somebody who is told of events, and does something now and then."""

    def hear(self, event: Event) -> None: ...
    def act(self, now: int) -> None: ...
    def close(self) -> None: ...


class Person:
    """All places that a person could be at once, in plain lines or on the screen."""

    def __init__(self, lobby: Lobby, dice: Random, clock: Callable[[], int], *, draws: bool) -> None:
        self.lobby, self.dice, self.draws = lobby, dice, draws
        self.out = io.StringIO()
        nonces = iter(range(10**6))
        self.context = NetworkContext(
            lobby, clock, bring=self._bring, nonce=lambda: next(nonces).to_bytes(8, "big"), keep=KeptLogs().keep
        )
        self.faces: list[PlainStage] = []
        self._begin(Bystander(self.context))
        for table in lobby.tables.values():
            self._begin(NetworkSeat(self.context, table))
        for gathering in lobby.gatherings.values():
            self._begin(WaitingRoom(self.context, gathering))

    def _bring(self, kind: str, table: Table) -> Chair:
        return Chair(STRANGERS[1].key, f"{kind}-1", "bot")

    def _begin(self, stage: NetworkStage) -> None:
        face = plain_face(stage, self.out)
        face.begin()
        self.faces.append(face)

    def hear(self, event: Event) -> None:
        for face in self.faces[:]:
            face.hear(event)
        match event:
            case Began(name) if name in self.lobby.tables:
                known = [face.stage.table for face in self.faces if isinstance(face.stage, NetworkSeat)]
                if self.lobby.tables[name] not in known:
                    self._begin(NetworkSeat(self.context, self.lobby.tables[name]))

    def act(self, now: int) -> None:
        for face in self.faces[:]:
            face.tick()
            if self.dice.random() < 0.1:
                face.typed(self.dice.choice(TYPED))
            after = next_stage(face.stage)
            if after is not None or face.done:
                self.faces.remove(face)
            if after is not None and not isinstance(after, NetworkSeat):
                self._begin(after)
            if self.draws and self.dice.random() < 0.1:
                self._show(face.stage)
        self.out.seek(0)
        self.out.truncate()

    def _show(self, stage: NetworkStage) -> None:
        """What a screen would draw."""
        people(self.context)
        listed(self.context, [], lambda table, state: 0)
        match stage:
            case WaitingRoom():
                room(stage, ())
            case NetworkSeat():
                seated(stage, (), cut_off=False, here=len(self.lobby.peers))

    def close(self) -> None:
        self.out.close()


class Served:
    """A bot that sits down wherever it may, and plays for any runner."""

    def __init__(self, lobby: Lobby, dice: Random, clock: Callable[[], int], folder: Path) -> None:
        self.lobby, self.dice = lobby, dice
        self.engagements = Engagements(lobby, lambda: self._lend(folder), lambda key, terms: None, 3)
        self.guest = Guest(
            lobby,
            lambda: Talk(cast("Program", Inside(Anything()))),
            asks=lambda offer, at: None if dice.random() < 0.5 else "not now",
            comes=lambda offer, at: None if dice.random() < 0.5 else "not now",
            engagements=self.engagements,
            stays=True,
            tables=8,
        )
        self._clock = clock

    def open(self) -> list[Open]:
        return [(table, one.runner, one.stream) for table, one in self.engagements._open.items()]

    def _lend(self, folder: Path) -> tuple[Program, Notes]:
        program = cast("Program", Deaf())
        return program, Notes(folder, program.command, lambda: "", lambda text: None)

    def hear(self, event: Event) -> None:
        self.guest.hear(event, self._clock())

    def act(self, now: int) -> None:
        self.guest.act(now)
        self.guest.news.clear()
        self.guest.done = False

    def close(self) -> None:
        self.guest.close()


class Deaf(Inside):
    """A program that takes any line: what a runner says is not its affair here."""

    def __init__(self) -> None:
        super().__init__(Anything())

    def send(self, line: bytes) -> None:
        self._said.append(b'{"hello": "x", "protocol": 1}')


class Way:
    """A connection to a worker who reads nothing."""

    def send(self, what: Any) -> None:
        assert what

    def close(self) -> None:
        """It was none."""


class Runner:
    """A run's exchange, whose workers engage peers without end."""

    def __init__(self, lobby: Lobby, dice: Random, clock: Callable[[], int]) -> None:
        self.lobby, self.dice = lobby, dice
        self.station: Any = SimpleNamespace(lobby=lobby, identity=lobby.identity, need=lambda _: None)
        self.exchange = Exchange(lambda: self.station)
        self.ways: list[Any] = []

    def hear(self, event: Event) -> None:
        if isinstance(event, Aside):
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

    def close(self) -> None:
        """Nothing was opened."""


def fitting(attendant: Attendant | None, message: Any, dice: Random) -> tuple[bytes | None, Any]:
    """For one who serves or runs, often something about an engagement that there is, after all that was said before;
    and who has to say it: else nobody would listen.
    """
    if not isinstance(attendant, Served | Runner) or dice.random() < 0.6:
        return None, message
    open = attendant.open()
    if not open:
        terms = dice.choice([*KINDS.values()]).plain()
        return None, Engage(getattr(message, "table", None) or bytes(16), terms, dice.random() < 0.5)
    table, key, stream = dice.choice(open)
    if isinstance(attendant, Runner) and dice.random() < 0.4:
        return key, Engaged(table, dice.choice(REPLIES), "why", dice.choice((0, 0, 5)))
    if dice.random() < 0.1:
        return key, Gone(table)
    line = dice.choice(LINES)
    said = line[: dice.randrange(len(line) + 1)] if dice.random() < 0.1 else line * dice.choice((1, 1, 1, 50))
    start, heard = (stream.heard, dice.choice((0, stream.said))) if stream is not None else (0, 0)
    return key, Words(table, start + (dice.random() < 0.1), heard, said, dice.choice((0, 1, 2**53)))


def virtual_time(clock: Callable[[], int]) -> ExitStack:
    """Programs take the world's time for their own, so that a run is the same again."""
    stack = ExitStack()
    for place in ("ai.bots.talk.now", "ai.peer.engaged.ms", "ai.tournament.play.peers_exchange.now"):
        stack.enter_context(patch(f"quadrille.{place}", clock))
    return stack
