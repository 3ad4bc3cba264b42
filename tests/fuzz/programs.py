"""What programs put on top of a lobby: a person's conversations, or a bot."""

import io
from collections.abc import Callable
from contextlib import ExitStack
from random import Random
from typing import Any, Final, cast
from unittest.mock import patch

from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.talk import Talk
from quadrille.ai.peer.guest import Guest
from quadrille.client.plain.face import PlainFace
from quadrille.client.presence.place import keep_log, next_stage
from quadrille.client.screen.network.session import listed, people, room
from quadrille.client.screen.table.shown import seated
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.stage import Bystander, NetworkContext, NetworkStage
from quadrille.client.table.table_seat import TableSeat
from quadrille.net.seating.lobby import Began, Event, Lobby
from tests.ai.inside import Anything, Inside
from tests.client.evening import plain_face

TYPED: Final = (
    "yes", "no", "draw", "takeback", "takeback 2", "pause", "drop", "wait", "back", "seats",
    "board", "stand-in 3", "stand-in cdcd", "resign", "say hello", "moves", "book", "rematch", "invite", "who", "start",
    "a1", "kick x", "b2",
)  # fmt: skip


class Attendant:
    """Somebody who is told of events, and does something now and then."""

    def hear(self, event: Event) -> None: ...
    def act(self, now: int) -> None: ...
    def close(self) -> None: ...

    def fitting(self, message: Any, dice: Random) -> tuple[bytes | None, Any]:
        """What a liar says in place of a message, so that this one listens, and who has to say it; None: anybody."""
        return None, message


class Person(Attendant):
    """All places that a person could be at once, in plain lines or on the screen."""

    def __init__(self, lobby: Lobby, dice: Random, clock: Callable[[], int], *, draws: bool) -> None:
        self.lobby, self.dice, self.draws = lobby, dice, draws
        self.out = io.StringIO()
        nonces = iter(range(10**6))
        self.context = NetworkContext(lobby, clock, nonce=lambda: next(nonces).to_bytes(8, "big"), keep=keep_log)
        self.faces: list[PlainFace] = []
        self._begin(Bystander(self.context))
        for table in lobby.tables.values():
            self._begin(TableSeat(self.context, table))
        for gathering in lobby.gatherings.values():
            self._begin(WaitingRoom(self.context, gathering))

    def _begin(self, stage: NetworkStage) -> None:
        face = plain_face(stage, self.out)
        face.begin()
        self.faces.append(face)

    def hear(self, event: Event) -> None:
        for face in self.faces[:]:
            face.hear(event)
        match event:
            case Began(name) if name in self.lobby.tables:
                known = [face.stage.table for face in self.faces if isinstance(face.stage, TableSeat)]
                if self.lobby.tables[name] not in known:
                    self._begin(TableSeat(self.context, self.lobby.tables[name]))

    def act(self, now: int) -> None:
        for face in self.faces[:]:
            face.tick()
            if self.dice.random() < 0.1:
                face.typed(self.dice.choice(TYPED))
            after = next_stage(face.stage)
            if after is not None or face.stage.done:
                self.faces.remove(face)
            if after is not None and not isinstance(after, TableSeat):
                self._begin(after)
            if self.draws and self.dice.random() < 0.1:
                self._show(face.stage)
        self.out.seek(0)
        self.out.truncate()

    def _show(self, stage: NetworkStage) -> None:
        """What a screen would draw."""
        people(self.context)
        listed(self.context)
        match stage:
            case WaitingRoom():
                room(stage, ())
            case TableSeat():
                seated(stage, (), here=len(self.lobby.peers))

    def close(self) -> None:
        self.out.close()


class Served(Attendant):
    """A bot that sits down wherever it may, and accepts invitations."""

    def __init__(self, lobby: Lobby, dice: Random, clock: Callable[[], int], **more: Any) -> None:
        self.lobby, self.dice = lobby, dice
        self.guest = Guest(
            lobby,
            lambda: Talk(cast("Program", Inside(Anything()))),
            asks=lambda offer, at: None if dice.random() < 0.5 else "not now",
            comes=lambda offer, at: None if dice.random() < 0.5 else "not now",
            stays=True,
            tables=8,
            **more,
        )
        self._clock = clock

    def hear(self, event: Event) -> None:
        self.guest.hear(event, self._clock())

    def act(self, now: int) -> None:
        self.guest.act(now)
        self.guest.news.clear()
        self.guest.done = False

    def close(self) -> None:
        self.guest.close()


def virtual_time(clock: Callable[[], int], *places: str) -> ExitStack:
    """Programs take the world's time for their own, so that a run is the same again."""
    stack = ExitStack()
    for place in ("ai.bots.talk.now", *places):
        stack.enter_context(patch(f"quadrille.{place}", clock))
    return stack
