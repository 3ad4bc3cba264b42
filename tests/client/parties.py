"""People of one face at tables in a simulated network, and a transcript of all that each of them reads.

The same stories (stories.py) are told before both faces. No sockets, no processes, virtual time. What a person types
at a screen goes the whole way: keys, the screen's update, an order, the session, the table.
"""

import queue
from abc import ABC, abstractmethod
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from quadrille.client.screen.evening import Evening as ScreenEvening
from quadrille.client.screen.evening import Front, update_evening
from quadrille.client.screen.lobby.model import LobbyScreen as ScreenLobby
from quadrille.client.screen.lobby.waiting_room import WaitingRoomScreen as WaitingScreen
from quadrille.client.screen.lobby.waiting_room import question
from quadrille.client.screen.network.news import News, Sent
from quadrille.client.screen.network.session import NetworkSession
from quadrille.client.screen.table.model import Model, Question
from quadrille.client.screen.table.terminal import Begun, Key, Pasted
from quadrille.client.table.network.seat import NetworkSeat
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.net.entries.terms import Terms
from quadrille.net.neighbours.neighbour import Crowd
from quadrille.net.seating import lobby as net
from tests.client.evening import Evening
from tests.net.simulation import Peer


class Party(ABC):
    """People in a simulated network, all before the same face. The first ones sit down, others are only there."""

    def __init__(self, agreed: Terms, others: int = 0, *, guests: int | None = None) -> None:
        self.lines: list[str] = []
        self.made = Evening.__new__(Evening)
        self.begin(agreed, others, guests)

    @abstractmethod
    def begin(self, agreed: Terms, others: int, guests: int | None) -> None:
        """All are on the network, and those who play sit down."""

    @abstractmethod
    def type(self, name: str, line: str) -> None:
        """What a person types."""

    @abstractmethod
    def hear(self, name: str, event: net.Event | Any) -> None:
        """Something happens on the network, for one person alone."""

    @abstractmethod
    def sit(self, name: str, *, looks_on: bool = False) -> None:
        """A person whose program has started again is at its table; one who `looks_on` at the table of the first."""

    @abstractmethod
    def choose(self, name: str, wanted: str = "", *, sits: bool = False) -> None:
        """A person looks for a table."""

    @abstractmethod
    def open(self, name: str, agreed: Terms) -> None:
        """Another table, of another host."""

    @abstractmethod
    def read(self, name: str) -> list[str]:
        """All that a person has read since this was asked last."""

    def peer(self, name: str) -> Peer:
        """Somebody by name."""
        return next(peer for peer in self.made.peers if peer.name == name)

    def write(self, title: str) -> None:
        """One more paragraph of the transcript."""
        folder = str(Path.cwd())
        self.lines.append(f"== {title}")
        for peer in self.made.peers:
            self.lines += [f"{peer.name}| {line}".rstrip().replace(folder, "DIR") for line in self.read(peer.name)]

    def types(self, name: str, *lines: str) -> None:
        """Lines of one person, each with what comes of it."""
        for line in lines:
            self.type(name, line)
            self.settle()
            self.write(f"{name} types: {line}")

    def happens(self, name: str, *events: object) -> None:
        """Events before one person, each with what comes of it."""
        for event in events:
            self.hear(name, event)
            self.write(f"{name} hears of {type(event).__name__}")

    def settle(self, time: int = 1500) -> None:
        """Let some time pass."""
        self.made.settle(time)

    def passes(self, time: int) -> None:
        """Time that is worth a paragraph."""
        self.settle(time)
        self.write(f"{time} ms pass")

    def crash(self, name: str) -> None:
        """Somebody's program dies."""
        self.made.world.check_step = lambda: None  # type: ignore[method-assign]
        self.leave(name)
        self.made.world.crash(self.peer(name), None)

    @abstractmethod
    def leave(self, name: str) -> None:
        """Nobody sits before that program any more."""

    def start(self, name: str) -> None:
        """It is started again."""
        self.made.world.start(self.peer(name))
        self.settle()


class PlainParty(Party):
    """People before plain lines."""

    def begin(self, agreed: Terms, others: int, guests: int | None) -> None:
        self.made = Evening(agreed, others, guests=guests)
        self.write("all sit down")

    def type(self, name: str, line: str) -> None:
        talk = self.made.talks[name]
        self.made.outs[name].write(f"{talk.prompt}{line}\n")
        talk.typed(line)
        self.made._onward(self.peer(name))
        self.made.world.after(self.peer(name))

    def hear(self, name: str, event: net.Event | Any) -> None:
        self.made.talks[name].hear(event)
        self.made._onward(self.peer(name))

    def sit(self, name: str, *, looks_on: bool = False) -> None:
        peer = self.peer(name)
        assert peer.lobby
        self.made.sit(peer, NetworkSeat(self.made.context(peer), next(iter(peer.lobby.tables.values()))))

    def choose(self, name: str, wanted: str = "", *, sits: bool = False) -> None:
        peer = self.peer(name)
        self.made.sit(peer, TableSearch(self.made.context(peer), wanted, sits=sits))

    def open(self, name: str, agreed: Terms) -> None:
        peer = self.peer(name)
        assert peer.lobby
        gathering = peer.lobby.host(agreed, name.encode(), self.made.world.now)
        self.made.sit(peer, WaitingRoom(self.made.context(peer), gathering))

    def read(self, name: str) -> list[str]:
        if name not in self.made.outs:
            return []
        talk = self.made.talks.get(name)
        end = [f"(done, {talk.code})"] if talk is not None and talk.done else []
        if end:
            del self.made.talks[name]
        return [*self.made.told(name).splitlines(), *end]

    def leave(self, name: str) -> None:
        self.made.talks.pop(name, None)


class Before:
    """One person before the screen: the session and the evening that it tells, and what was written down last."""

    def __init__(self, party: "ScreenParty", peer: Peer) -> None:
        self.party, self.peer = party, peer
        self.said: list[str] = []
        self.seen: dict[str, Any] = {}
        self.evening = ScreenEvening(ScreenLobby(name=peer.name))
        assert peer.lobby
        store = SimpleNamespace(tables=lambda state: [], table=lambda name: None)
        crowd = Crowd(0, 0, 0)
        node = SimpleNamespace(tcp_port=1, overlay=None)
        station = SimpleNamespace(
            lobby=peer.lobby, node=node, store=store, shelf=peer.shelf, unfinished=list,
            crowd=lambda: crowd, halfway=list, unlike=list, identity=peer.identity,
        )  # fmt: skip
        options = SimpleNamespace(interfaces=None, room=None, ticket=None)
        place = SimpleNamespace(
            station=station, ended=list, parting=list, options=options,
            bots=SimpleNamespace(let_go=lambda *_: None), door=SimpleNamespace(open_again=lambda log: []),
        )  # fmt: skip
        place.context = party.made.context(peer)
        self.session = NetworkSession(cast("Any", place), queue.SimpleQueue(), self.tell, None)
        self.update(Begun())

    def tell(self, told: Any) -> None:
        """The session tells the screen."""
        if isinstance(told, News):
            self.said += [f"told: {line}" for line in told.said]
        self.update(told)

    def update(self, *events: Any) -> None:
        """Something happens on the screen; orders are carried out."""
        for event in events:
            self.evening, effects = update_evening(self.evening, event)
            for effect in effects:
                if isinstance(effect, Sent):
                    self.session._obey(effect.order)
                    self.party.made.world.after(self.peer)

    def tick(self) -> None:
        """One turn of the session."""
        self.session._go_on()
        self.session._show()

    def shown(self, front: Front) -> dict[str, Any]:
        """The sentences and names on the screen."""
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
        """What is new on the screen."""
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
    """People before the screen."""

    def begin(self, agreed: Terms, others: int, guests: int | None) -> None:
        self.people: dict[str, Before] = {}
        self.made = Evening(agreed, others, guests=0)
        self.made.world.notice = self._notice  # type: ignore[method-assign]
        self.made.world.act = self._act  # type: ignore[method-assign]
        host, *invited = self.made.peers[: agreed.seats]
        self.made.talks.clear()
        assert host.lobby
        gathering = next(iter(host.lobby.gatherings.values()))
        self.comes(host.name).session._begin(WaitingRoom(self.context(host.name), gathering))
        for guest in invited[:guests]:
            assert guest.lobby
            joined = guest.lobby.join(gathering.offer(), self.made.world.now)
            self.comes(guest.name).session._begin(WaitingRoom(self.context(guest.name), joined))
            self.settle(300)
        self.write("all sit down")

    def context(self, name: str) -> Any:
        """What the session gives to a conversation."""
        return self.people[name].session.place.context

    def comes(self, name: str) -> Before:
        """Somebody sits down before a screen."""
        self.people[name] = Before(self, self.peer(name))
        return self.people[name]

    def _notice(self, peer: Peer, event: net.Event) -> None:
        if peer.name in self.people:
            self.people[peer.name].session._hear(event)

    def _act(self, peer: Peer) -> None:
        if peer.name in self.people and peer.lobby:
            self.people[peer.name].tick()

    def type(self, name: str, line: str) -> None:
        who = self.people[name]
        front = who.evening.front
        if (front.line.text or not front.table.asks) if isinstance(front, Model) else who.evening.lobby.line.text:
            who.update(Key("escape"))
        who.update(Pasted(line), Key("enter"))
        front = who.evening.front
        if isinstance(front, Model) and isinstance(front.overlay, Question):
            who.said.append(f"asked: {front.overlay.text}")
            who.update(Key("enter"))
        elif isinstance(front, WaitingScreen) and front.asked:
            who.said.append(f"asked: {question(front)}")
            who.update(Key("enter"))
        who.tick()

    def hear(self, name: str, event: net.Event | Any) -> None:
        self.people[name].session._hear(event)
        self.people[name].tick()

    def sit(self, name: str, *, looks_on: bool = False) -> None:
        who = self.comes(name)
        assert who.peer.lobby
        table = next(iter(who.peer.lobby.tables.values()))
        who.session._begin(NetworkSeat(self.context(name), table))
        who.tick()

    def choose(self, name: str, wanted: str = "", *, sits: bool = False) -> None:
        who = self.comes(name)
        who.session._begin(TableSearch(self.context(name), wanted, sits=sits))
        who.tick()

    def open(self, name: str, agreed: Terms) -> None:
        who = self.comes(name)
        assert who.peer.lobby
        gathering = who.peer.lobby.host(agreed, name.encode(), self.made.world.now)
        who.session._begin(WaitingRoom(self.context(name), gathering))
        self.made.world.after(who.peer)

    def read(self, name: str) -> list[str]:
        return self.people[name].read() if name in self.people else []

    def leave(self, name: str) -> None:
        self.people.pop(name, None)
