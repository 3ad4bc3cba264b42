"""People at tables in a simulated network, before plain lines, a screen or a phone's page, and what each of them reads.

No sockets, no processes, virtual time.
"""

import io
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, Self
from unittest.mock import patch

from quadrille.client.evening.scores import Scoreboard
from quadrille.client.phones import requests
from quadrille.client.phones.guests import Lead, Visitor
from quadrille.client.phones.seat import PhoneSeat
from quadrille.client.phones.view import Remembered, place_parts
from quadrille.client.plain.console import Console
from quadrille.client.plain.face import PlainFace
from quadrille.client.plain.network import onward
from quadrille.client.plain.network import plain_face as face_of
from quadrille.client.plain.table import PlainTable
from quadrille.client.presence.place import keep_log
from quadrille.client.screen.evening import Evening as ScreenEvening
from quadrille.client.screen.evening import Front, update_evening
from quadrille.client.screen.lobby.model import LobbyScreen as ScreenLobby
from quadrille.client.screen.lobby.waiting_room import WaitingRoomScreen as WaitingScreen
from quadrille.client.screen.lobby.waiting_room import question
from quadrille.client.screen.network.news import News, Order
from quadrille.client.screen.network.session import NetworkSession
from quadrille.client.screen.table.model import Model, Question
from quadrille.client.screen.table.terminal import Begun, Key, Pasted
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.notices import Refused, Why
from quadrille.client.table.stage import NetworkContext, NetworkStage
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import BareWish, Wish
from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.neighbours.neighbour import Census
from quadrille.net.seating import lobby as net
from quadrille.net.seating.gathering import Gathering
from quadrille.net.tables.table import Table
from tests.net.simulation import Peer, World
from tests.net.tables import terms

SMALL: Final = {"width": 3, "height": 3}


def barons(seats: int = 2, **more: object) -> Terms:
    """A small game, in which the host has the first seat."""
    return terms("barons", seats, SMALL, lot=False, **more)


@contextmanager
def mute(silent: bytes) -> Iterator[None]:
    """The program with this key does not say that its own time is up, nor is it woken each millisecond to say so."""
    lose, deadline = Table.lose, Table.deadline.fget
    assert deadline is not None

    def loses(table: Table, how: str, now: int) -> None:
        if table.identity.key != silent:
            lose(table, how, now)

    def wanted(table: Table) -> int:
        return table._beat if table.identity.key == silent else deadline(table)

    with patch.object(Table, "lose", loses), patch.object(Table, "deadline", property(wanted)):
        yield


def plain_face(stage: NetworkStage, out: io.StringIO) -> PlainFace:
    return face_of(stage, Console(None, out))


def here(face: PlainTable, event: object) -> None:
    face.hear(net.At(face.table.log.table, event))


class Evening:
    """People around a table: what each types and what each is told. The first one hosts."""

    #: Whether people are asked whom they trust, as all are who do not play on the machine of another.
    by_touch = False

    def __init__(
        self, agreed: Terms, others: int = 0, *, guests: int | None = None, beside: tuple[tuple[str, str], ...] = (),
        kind: str = "bot",
    ) -> None:  # fmt: skip
        """`guests`: how many of those who could sit down do; all if absent. `beside` play at the host's program. All
        are of that `kind`.
        """
        self.world = World("evening", agreed, others=others)
        self.world.kind = kind
        self.peers = list(self.world.peers.values())
        self.talks: dict[str, PlainFace] = {}
        self.deputies: dict[str, dict[tuple[bytes, int], str]] = {}  # those of each program
        self.outs: dict[str, io.StringIO] = {}
        self.world.act = self._act
        self.world.notice = self._notice
        for peer in self.peers:
            self.world.start(peer)
        host, *invited = self.peers[: agreed.seats]
        gathering = self.opens(host.name, agreed, b"nonce", beside)
        self.settle(500)
        for guest in invited[:guests]:
            self.joins(guest.name, gathering)
            self.settle(300)

    def peer(self, name: str) -> Peer:
        return next(peer for peer in self.peers if peer.name == name)

    def context(self, peer: Peer) -> NetworkContext:
        nonce, deputies = peer.name.encode(), self.deputies.setdefault(peer.name, {})
        return NetworkContext(
            peer.lobby, lambda: self.world.now, lambda _: None, lambda: nonce, keep=keep_log,
            come_along=self.bring, by_touch=self.by_touch, deputies=deputies,
        )  # fmt: skip

    def bring(self, kind: str, _: bytes) -> Chair:
        """Let a bot of that kind come: the last of the peers."""
        return Chair(self.peers[-1].identity.key, f"{kind}-1", "bot")

    def _play_lent(self, peer: Peer) -> None:
        """Let the stand-ins of a program make the first move of their list."""
        for name, table in peer.lobby.tables.items():
            turn = table.log.now.turn
            if table.is_my_turn and turn in table.log.now.lent and self.deputies.get(peer.name, {}).get((name, turn)):
                table.play(str(next(iter(table.view.moves))), self.world.now)

    def sit(self, peer: Peer, stage: NetworkStage) -> PlainFace:
        face = self.talks[peer.name] = plain_face(stage, self.outs.setdefault(peer.name, io.StringIO()))
        face.begin()
        self.world.after(peer)
        return face

    def opens(
        self, name: str, agreed: Terms, nonce: bytes = b"", beside: tuple[tuple[str, str], ...] = ()
    ) -> Gathering:
        peer = self.peer(name)
        gathering = peer.lobby.host(agreed, nonce or name.encode(), self.world.now, others=beside)
        self.sit(peer, WaitingRoom(self.context(peer), gathering))
        return gathering

    def joins(self, name: str, gathering: Gathering) -> None:
        """Give somebody a chair in a waiting room."""
        peer = self.peer(name)
        self.sit(peer, WaitingRoom(self.context(peer), peer.lobby.join(gathering.offer(), self.world.now)))

    def choose(self, name: str, wanted: str = "", *, sits: bool = False) -> None:
        """Let somebody look for a table."""
        peer = self.peer(name)
        self.sit(peer, TableSearch(self.context(peer), wanted, sits=sits))

    def start(self, name: str) -> None:
        self.world.start(self.peer(name))
        self.settle()

    def returns(self, name: str) -> None:
        """Seat a person at the table that the own program has come to."""
        peer = self.peer(name)
        self.sit(peer, TableSeat(self.context(peer), next(iter(peer.lobby.tables.values()))))

    def begin(self) -> Self:
        self.world.run(lambda: all(isinstance(talk, PlainTable) for talk in self.talks.values()))
        self.settle()
        return self

    def _notice(self, peer: Peer, event: net.Event) -> None:
        if peer.name in self.talks:
            self.talks[peer.name].hear(event)
            self._onward(peer)

    def _act(self, peer: Peer) -> None:
        if peer.name in self.talks and peer.lobby:
            self._play_lent(peer)
            self.talks[peer.name].tick()
            self._onward(peer)

    def _onward(self, peer: Peer) -> None:
        self.talks[peer.name] = onward(self.talks[peer.name])

    def settle(self, time: int = 1500) -> None:
        self.world.pass_time(time)

    def type(self, name: str, *lines: str) -> str:
        peer = self.peer(name)
        self.told(name)
        for line in lines:
            self.talks[name].typed(line)
            self._onward(peer)
            self.world.after(peer)
            self.settle()
        return self.told(name)

    def wish(self, name: str, wish: Wish, seat: TableSeat | None = None) -> list[Why | Exception]:
        """Wish something at the program of that name, at its own seat or at another one there; return the refusals."""
        peer, seat = self.peer(name), seat or self.table(name).stage
        seat.drain()
        seat.wish(wish)
        said = [notice.why for notice in seat.drain() if isinstance(notice, Refused)]
        self._onward(peer)
        self.world.after(peer)
        self.settle(300)
        return said

    def told(self, name: str) -> str:
        """Return what a person has been told since this was asked last."""
        text = self.outs[name].getvalue()
        self.outs[name].seek(0)
        self.outs[name].truncate()
        return text

    def crash(self, name: str) -> None:
        """Let somebody's program die, with nobody before it."""
        self.world.check_step = lambda: None
        self.talks.pop(name, None)
        self.world.crash(self.peer(name), None)

    def table(self, name: str) -> PlainTable:
        return self.talks[name]


# A transcript of all that people of one face read. The same stories (stories.py) are told before each face
#
# What a person types at a screen or a phone's page goes the whole way: keys, the screen's update, an order, the
# session, the table.


class Party(Evening):
    """People in a simulated network, before plain lines or another face. The first ones sit down, others look on."""

    def __init__(self, agreed: Terms, others: int = 0, *, guests: int | None = None) -> None:
        self.lines: list[str] = []
        super().__init__(agreed, others, guests=guests)
        self.write("all sit down")

    def enter(self, name: str, line: str) -> None:
        talk = self.talks[name]
        self.outs[name].write(f"{talk.prompt}{line}\n")
        talk.typed(line)
        self._onward(self.peer(name))
        self.world.after(self.peer(name))

    def hear(self, name: str, event: net.Event | Any) -> None:
        """Let something happen on the network, for one person alone."""
        self.talks[name].hear(event)
        self._onward(self.peer(name))

    def read(self, name: str) -> list[str]:
        """Return all that a person has read since this was asked last."""
        if name not in self.outs:
            return []
        talk = self.talks.get(name)
        end = [f"(done, {talk.stage.code})"] if talk is not None and talk.stage.done else []
        if end:
            del self.talks[name]
        return [*self.told(name).splitlines(), *end]

    def write(self, title: str) -> None:
        folder = str(Path.cwd())
        self.lines.append(f"== {title}")
        for peer in self.peers:
            self.lines += [f"{peer.name}| {line}".rstrip().replace(folder, "DIR") for line in self.read(peer.name)]

    def types(self, name: str, *lines: str) -> None:
        for line in lines:
            self.enter(name, line)
            self.settle()
            self.write(f"{name} types: {line}")

    def happens(self, name: str, *events: object) -> None:
        for event in events:
            self.hear(name, event)
            self.write(f"{name} hears of {type(event).__name__}")

    def passes(self, time: int) -> None:
        self.settle(time)
        self.write(f"{time} ms pass")


class Before:
    """One person before the screen: the session and the evening that it tells, and what was written down last."""

    def __init__(self, party: "ScreenParty", peer: Peer) -> None:
        self.party, self.peer = party, peer
        self.said: list[str] = []
        self.seen: dict[str, Any] = {}
        self.evening = ScreenEvening(ScreenLobby(name=peer.name))
        store = SimpleNamespace(tables=lambda state: [], table=lambda name: None)
        census = Census(0, 0, 0)
        node = SimpleNamespace(tcp_port=1, overlay=None, broadcast=SimpleNamespace(has_network=True))
        station = SimpleNamespace(
            lobby=peer.lobby, node=node, store=store, shelf=SimpleNamespace(unfinished=list),
            census=lambda: census, halfway=list, incompatible=list, identity=peer.identity,
            flush=lambda: None, watch=lambda *_: nullcontext(),
        )  # fmt: skip
        options = SimpleNamespace(interfaces=None, room=None, ticket=None, evening=False)
        place = SimpleNamespace(
            station=station, ended=lambda _: [], parting=list, options=options, let_bots_go=lambda: None,
            evening=SimpleNamespace(board=Scoreboard()), turn=lambda _: [],
            door=SimpleNamespace(come_back_to=lambda log: [], guests=(), here=(), rest=lambda: None, asked=False),
        )  # fmt: skip
        place.context = Evening.context(party, peer)
        self.session = NetworkSession(place)
        self.update(Begun())

    def tell(self, told: Any) -> None:
        if isinstance(told, News):
            self.said += [f"told: {line}" for line in told.said]
        self.update(told)

    def turn(self, event: Any) -> Sequence[object]:
        self.evening, effects = update_evening(self.evening, event)
        return effects

    def update(self, *events: Any) -> None:
        for event in events:
            for effect in self.turn(event):
                if isinstance(effect, Order):
                    self.tick(effect)
                    self.party.world.after(self.peer)

    def tick(self, *orders: Order) -> None:
        for told in self.session.turn(deque(orders)):
            self.tell(told)

    def agrees(self) -> None:
        """Answer a question by yes."""
        front, asked = self.evening.front, ""
        if isinstance(front, Model) and isinstance(front.overlay, Question):
            asked = front.overlay.text
        elif isinstance(front, WaitingScreen) and front.asked:
            asked = question(front)
        if asked:
            self.said.append(f"asked: {asked}")
            self.update(Key("enter"))
        self.tick()

    def shown(self, front: Front) -> dict[str, Any]:
        match front:
            case WaitingScreen(room) as waiting:
                chairs = [f"{who.name} ({who.kind})" for who in room.chairs]
                others = [f"{who.name} ({who.doing or who.kind})" for who in room.others]
                return {
                    "room": f"{room.game}: {room.terms}", "seats": f"{chairs} {list(room.coming)} others {others}",
                    "said": list(room.said), "notice": waiting.notice,
                }  # fmt: skip
            case Model(table=table) as model:
                turn = "" if table.turn is None else f"{table.turn}{' mine' if table.is_mine else ''}"
                return {
                    "chairs": ", ".join(chair.name for chair in table.chairs), "link": table.link,
                    "turn": turn, "banner": table.banner, "said": list(table.chat), "notice": model.notice,
                }  # fmt: skip
        lobby = self.evening.lobby
        rows = [f"{row.host}: {row.terms} {row.state} {row.taken}/{row.seats}" for row in lobby.around.tables]
        return {"tables": f"{rows}", "notice": lobby.notice}

    def read(self) -> list[str]:
        shown, lines = self.shown(self.evening.front), self.said
        self.said = []
        for name, value in shown.items():
            before = self.seen.get(name)
            if isinstance(value, list):
                fresh = value[len(before) :] if before and value[: len(before)] == before else value
                lines += [f"{name}: {line}" for line in fresh]
            elif value != before and (value or before):
                lines.append(f"{name}: {value}")
        self.seen = shown
        return lines


class ScreenParty(Party):
    def __init__(self, agreed: Terms, others: int = 0, *, guests: int | None = None) -> None:
        self.people: dict[str, Before] = {}
        self.is_lit = False
        super().__init__(agreed, others, guests=guests)

    def settle(self, time: int = 1500) -> None:
        """Let some time pass; screens are lit once the host has met those who are there."""
        super().settle(time)
        self.is_lit = True

    def context(self, peer: Peer) -> NetworkContext:
        if peer.name not in self.people:
            self.people[peer.name] = self.person(peer)
        return self.people[peer.name].session.place.context

    def person(self, peer: Peer) -> Before:
        return Before(self, peer)

    def sit(self, peer: Peer, stage: NetworkStage) -> None:
        self.people[peer.name].session._begin(stage)
        self._act(peer)

    def crash(self, name: str) -> None:
        self.people.pop(name, None)
        super().crash(name)

    def _notice(self, peer: Peer, event: net.Event) -> None:
        if peer.name in self.people and self.is_lit:
            self.people[peer.name].session._hear(event)

    def _act(self, peer: Peer) -> None:
        if peer.name in self.people and peer.lobby and self.is_lit:
            self._play_lent(peer)
            self.people[peer.name].tick()

    def enter(self, name: str, line: str) -> None:
        who = self.people[name]
        front = who.evening.front
        if (front.line.text or not front.table.asks) if isinstance(front, Model) else who.evening.lobby.line.text:
            who.update(Key("escape"))
        who.update(Pasted(line), Key("enter"))
        who.agrees()

    def hear(self, name: str, event: net.Event | Any) -> None:
        self.people[name].session._hear(event)
        self.people[name].tick()

    def read(self, name: str) -> list[str]:
        return self.people[name].read() if name in self.people else []


class StillSeat(PhoneSeat):
    """A seat on pages without a loop: nothing happens later by itself."""

    def __init__(self, wish: Any, leave: Any) -> None:
        guests = SimpleNamespace(call=lambda deed, name, *told: deed(*told), wish=wish, leaves=leave)
        super().__init__(guests, Visitor("Gus", "code", "token", 0))
        self.go_to("00", Lead("00", about="a table"))
        self._wishes = self._lines = SimpleNamespace(take=lambda _: True)
        self._hints = SimpleNamespace(take=lambda _: False)

    def later(self, seconds: float, deed: Any) -> Any:
        return SimpleNamespace(cancel=lambda: None)


class BeforePage(Before):
    """One person before a phone's page: the same session, and a seat as pages show it."""

    def __init__(self, party: "PhoneParty", peer: Peer) -> None:
        self.phone, self.remembered = StillSeat(self.wish, lambda: self.wish(BareWish.LEAVE)), Remembered()
        super().__init__(party, peer)
        self.session._straight = True  # so that the page ends with the table, as that of every guest

    def wish(self, wish: Any) -> None:
        self.tick(wish)
        self.party.world.after(self.peer)

    def tell(self, told: Any) -> None:
        if isinstance(told, News) and told.front is not None:
            self.phone.hear(told.front, (), "  ".join(told.said), alarm=told.refused)

    def tick(self, *orders: Order) -> None:
        if not self.session.ends:
            super().tick(*orders)
            if self.session.ends:
                [left] = self.session.leave()
                self.said += [*(f"told: {line}" for line in left.said), "(the page ends)"]

    def enter(self, line: str) -> None:
        """Ask for a word as a page does, and answer a question by yes."""
        word, _, rest = line.partition(" ")
        page = SimpleNamespace(refuse=lambda why: self.said.append(f"! {why}"))
        self.phone.obey(page, requests.Word(word, rest))
        front = self.phone.front
        if self.phone.is_leaving or (isinstance(front, Model) and isinstance(front.overlay, Question)):
            self.said.append(f"asked: {self.phone.parts()['ask']['text']}")
            self.phone.obey(page, requests.GiveAnswer(True))
        self.tick()

    def shown(self, front: Front) -> dict[str, Any]:
        self.phone._parts = {}
        parts = place_parts(self.phone, self.remembered)
        room, told, asks = parts.get("room", {}), parts["told"], parts["ask"]
        chairs = [f"{one['name']} ({one['kind']})" for one in room.get("chairs", ())]
        there = parts.get("players", {}).values()
        players = [f"{one['letter']} {one['name']}{', has left' if one.get('left') else ''}" for one in there]
        head = parts.get("head", {})
        return {
            "stage": parts["stage"], "room": room.get("terms", ""), "chairs": ", ".join(chairs or players),
            "head": " | ".join(filter(None, (head.get("turn"), head.get("link")))), "room said": room.get("said", []),
            "told": f"{'! ' if told['alarm'] else ''}{told['text']}", "asks": asks["text"] if asks else "",
            "chat": [*parts.get("chat", {}).values()], "log": [text for _, text in parts.get("log", {}).values()],
            "over": " ".join((parts.get("over") or {}).get("lines", ())),
        }  # fmt: skip


class PhoneParty(ScreenParty):
    by_touch = True

    def person(self, peer: Peer) -> Before:
        return BeforePage(self, peer)

    def enter(self, name: str, line: str) -> None:
        self.people[name].enter(line)
