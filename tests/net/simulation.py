"""Whole lobbies and their tables on the simulated network (network.py), with crashes, liars and crowds.

Only sockets and clocks are left out: what a peer has said is carried as the weather wants it, and a crash loses
everything but the shelf. A liar is a function that makes of each message what is said instead. After every step the
promises of net/tables/table.py are checked.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from quadrille.net.core.machine import drain
from quadrille.net.entries.bodies import MoveBody
from quadrille.net.entries.entry import NOBODY, Entry
from quadrille.net.entries.motions import DropMotion
from quadrille.net.entries.terms import Terms
from quadrille.net.entries.wire import Advert, Entries, Message, sealed
from quadrille.net.game_log.log import Log, replayed
from quadrille.net.game_log.news import Blamed, Convicted, Stopped
from quadrille.net.game_log.precedence import is_final
from quadrille.net.seating import lobby as net
from quadrille.net.seating.lobby import Lobby
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from quadrille.rules.chance import Stream
from tests.net.by_hand import Crash, CrashShelf
from tests.net.network import CALM, Network, Weather, check_contract
from tests.net.tables import TABLE, beginning

NOTICED = CALM.noticed


@dataclass
class Peer:
    """A peer of the simulation: its shelf survives, its lobby does not."""

    identity: Identity
    name: str
    shelf: CrashShelf
    rate: int = 1000
    ahead: int = 0
    held: int = 1  # how many seats it holds where it sits
    lobby: Lobby | None = None
    dead: bool = False
    lives: int = 0

    @property
    def key(self) -> bytes:
        return self.identity.key

    @property
    def others(self) -> tuple[tuple[str, str], ...]:
        """Who plays at its program besides itself."""
        return tuple((f"{self.name} {number}", "guest") for number in range(1, self.held))


#: What a peer says to another instead of a message.
Lie: TypeAlias = Callable[["World", Peer, bytes, Message], list[Message]]


class World(Network):
    """All peers and what they have promised. The first ones sit at a table, others are only there."""

    #: Milliseconds after which a person or bot looks again at what there is to do, and within which nobody does.
    beat, rest = 250, 1
    #: What all programs say they are.
    kind = "bot"

    def __init__(
        self,
        seed: str,
        terms: Terms,
        weather: Weather = CALM,
        others: int = 0,
        *,
        identities: Sequence[Identity] = (),
        held: Sequence[int] = (),
    ) -> None:
        """Identities are drawn from the seed, unless they are named. Each peer that sits has one seat, or as many as
        are `held`, one peer after another.
        """
        super().__init__(seed, weather)
        self.peers: dict[bytes, Peer] = {}
        self.held = tuple(held) or (1,) * terms.seats
        assert sum(self.held) == terms.seats
        count = len(self.held) + others
        drawn = [Stream(seed, f"p{number}").word().to_bytes(8, "big") * 4 for number in range(count)]
        for number, own in enumerate(identities or map(Identity, drawn)):
            rate, seats = weather.clocks[number % len(weather.clocks)], [*self.held[number:], 1][0]
            self.peers[own.key] = Peer(own, f"p{number}", CrashShelf(own.key), rate, held=seats)
        self.entropy = Stream(seed, "entropy")
        self.terms = terms
        self.posted: dict[bytes, Advert] = {}
        self.signed: dict[tuple[bytes, int, bytes, bytes], bytes] = {}
        self.seen: set[bytes] = set()
        self.touched: dict[bytes, None] = {}  # peers that did something in this step
        self.at: dict[bytes, dict[bytes, None]] = {}  # everybody that ever had a table
        self.blamed: list[Blamed | Convicted | Stopped] = []
        self.liars: dict[bytes, Lie] = {}
        self.equivocate = False  # whether liars tell one peer other moves than another
        self.final: dict[bytes, dict[int, bytes]] = {key: {} for key in self.peers}  # what must not change any more

    @property
    def seated(self) -> list[Peer]:
        return list(self.peers.values())[: len(self.held)]

    @property
    def others(self) -> list[Peer]:
        return list(self.peers.values())[len(self.held) :]

    def run(self, done: Callable[[], bool], most: int = 200_000) -> None:
        """Let time pass until it is done; a run that does not end is a failure."""
        for _ in range(most):
            if done():
                return
            self.step()
            self.check_step()
        raise AssertionError(f"not done after {most} steps: {self.describe()}")

    def pass_time(self, milliseconds: int) -> None:
        end = self.now + milliseconds
        self.run(lambda: self.now > end)

    def describe(self) -> str:
        """Who stands where, with the entries of each log by their kinds and hashes."""
        rows = [f"at {self.now} ms"]
        for peer in self.peers.values():
            for table in peer.lobby.tables.values() if peer.lobby else ():
                log, who = table.log, f"{peer.name}, a liar" if peer.key in self.liars else peer.name
                kinds = " ".join(f"{entry.kind[0]}{entry.hash.hex()[:3]}" for entry in log.entries)
                rows.append(f"{who}: {kinds}; {str(log.now.match.pending)[:60]}; gone: {table.gone}")
        return "\n".join(rows)

    def draw(self, size: int) -> bytes:
        """Bytes for what is random elsewhere; here a run is repeated by its seed."""
        return b"".join(self.entropy.word().to_bytes(8, "big") for _ in range(-(-size // 8)))[:size]

    def clock(self, peer: Peer) -> int:
        """What time a peer takes it to be."""
        return self.now * peer.rate // 1000 + peer.ahead

    # Peers

    def program(self, peer: Peer) -> Lobby:
        """The lobby of a program that has just started."""

        def entropy(size: int) -> bytes:  # a deep copy of a lobby shares a function, and would copy a method's world
            return self.draw(size)

        return Lobby(peer.identity, peer.name, self.kind, peer.shelf, entropy=entropy)

    def start(self, peer: Peer) -> None:
        """A peer's program starts, for the first time or again."""
        peer.lobby = self.program(peer)
        peer.lives += 1
        for table in peer.shelf.tables():
            self.do(peer, lambda lobby, now, table=table: lobby.resume(table, now))
        for other in self.peers.values():
            if other is not peer and other.lobby and not self.is_cut(peer.key, other.key):
                self.meet(peer, other)
        self.tick(peer, peer.lives)

    def do(self, peer: Peer, action: Callable[[Lobby, int], object]) -> None:
        """A peer's program does something, if it runs; it may die of it, and then what it meant to say is not said."""
        if peer.lobby is None:
            return
        self.touched[peer.key] = None
        try:
            action(peer.lobby, self.clock(peer))
            peer.lobby.flush(self.clock(peer))
        except Crash:
            self.crash(peer, 1000)
        else:
            self.say(peer)
            if peer.lobby is not None:  # it lives, and a person may have acted on what it noticed
                peer.lobby.flush(self.clock(peer))
                check_contract(peer.lobby, self.clock(peer))

    def meet(self, one: Peer, other: Peer) -> None:
        for here, there in ((one, other), (other, one)):
            self.do(here, lambda lobby, now, there=there: lobby.came(there.key, now))
            self.post(there, here)

    def post(self, peer: Peer, other: Peer) -> None:
        """What a peer posts reaches another by their link, and whoever is not linked now hears it when they meet."""
        key = peer.key

        def hear() -> None:
            if peer.lobby is not None and not self.is_cut(peer.key, other.key):
                advert = peer.lobby.advert  # the newest: serials order them
                self.do(other, lambda lobby, _: lobby.list_peer(key, advert))

        self.later(1 + self.dice.randrange(self.weather.delay), hear)

    def part(self, one: Peer, other: Peer) -> None:
        """Either notices that the other is gone, if it still is."""
        for here, there in ((one, other), (other, one)):
            if there.lobby is None or self.is_cut(one.key, other.key):
                self.do(here, lambda lobby, now, there=there: lobby.went(there.key, now))
                self.do(here, lambda lobby, now, there=there: lobby.unlist_peer(there.key))

    def crash(self, peer: Peer, back: int | None) -> None:
        """The program dies at once; it is started again after a while, or never."""
        peer.lobby = None
        peer.dead = back is None
        if self.weather.power:
            peer.shelf.lose_power()
        for other in self.peers.values():
            if other is not peer:
                self.later(self.weather.noticed, lambda other=other: self.part(peer, other))
        if back is not None:
            self.later(back, lambda: self.start(peer))

    def sever(self, one: Peer, other: Peer, time: int) -> None:
        """A cable is pulled between two peers for a while."""
        link = frozenset((one.key, other.key))
        self.cut.add(link)

        def mend() -> None:
            self.cut.discard(link)
            if one.lobby and other.lobby:
                self.meet(one, other)

        self.later(self.weather.noticed, lambda: self.part(one, other))
        self.later(time, mend)

    def tick(self, peer: Peer, life: int) -> None:
        """The peer's own clock: wake it when it wants to be."""
        if peer.lobby is None or peer.lives != life:
            return

        def wake(lobby: Lobby, now: int) -> None:
            lobby.wake(now)
            assert lobby.deadline > now, "once woken, it waits for something in the future"
            self.act(peer)

        self.do(peer, wake)
        if peer.lobby:
            wait = max(self.rest, min(peer.lobby.deadline - self.clock(peer), self.beat))
            self.later(wait, lambda: self.tick(peer, life))

    def after(self, peer: Peer) -> None:
        """Somebody has called a peer's program: what came of that."""
        self.do(peer, lambda *_: None)

    def say(self, peer: Peer) -> None:
        """Deliver what a peer wants to say, look at what it noticed, and let the weather strike."""
        lobby = peer.lobby
        said = drain(lobby.outgoing)
        for event in lobby.events:
            self.notice(peer, event)
        lobby.events.clear()
        if self.posted.get(peer.key) != lobby.advert:
            self.posted[peer.key] = lobby.advert
            for other in self.peers.values():
                if other is not peer and other.lobby is not None:
                    self.post(peer, other)
        lie = self.liars.get(peer.key)
        for key, message in said:
            for told in [message] if lie is None else lie(self, peer, key, message):
                self.send(peer, key, told)
        self.strike(peer)

    def send(self, peer: Peer, key: bytes, message: Message) -> None:
        receiver = self.peers[key]
        if isinstance(message, Entries):
            self.check_said(message)
        size = lambda: len(sealed(message, peer.identity))  # noqa: E731
        self.carry(peer.key, key, size, lambda: self.deliver(peer, receiver, message))

    def deliver(self, sender: Peer, receiver: Peer, message: Message) -> None:
        self.do(receiver, lambda lobby, now: (lobby.receive(sender.key, message, now), self.act(receiver)))

    def strike(self, peer: Peer) -> None:
        """Crashes, deaths, cuts and stops; somebody always stays."""
        alive = [other for other in self.peers.values() if other.lobby]
        if not self.begun(peer):
            return
        if self.chance(self.weather.jumps):
            peer.ahead += min(self.dice.randrange(7_200_000), 1000)  # all that a running clock counts of a stop
        if self.chance(self.weather.crashes):
            self.crash(peer, 100 + self.dice.randrange(8000))
        elif self.weather.deaths and len(alive) > 2 and self.chance(self.weather.deaths):
            if not any(other.dead for other in self.peers.values()):
                self.crash(peer, None)
        elif self.chance(self.weather.cuts) and len(alive) > 1:
            others = [other for other in alive if other is not peer]
            self.sever(peer, others[self.dice.randrange(len(others))], 500 + self.dice.randrange(9000))
        elif self.weather.away and self.chance(self.weather.away):
            time = 500 + self.dice.randrange(9000)
            for other in self.peers.values():
                if other is not peer:
                    self.sever(peer, other, time)

    # Play

    def begin(self) -> None:
        """Let time pass until all who sit are at the table."""
        self.run(lambda: all(self.begun(peer) for peer in self.seated))

    def begun(self, peer: Peer) -> bool:
        return bool(peer.lobby and peer.lobby.tables)

    def act(self, peer: Peer) -> None:
        """What the person or bot at this peer does."""
        lobby = peer.lobby
        for table in lobby.tables.values():
            now = self.clock(peer)
            self.call_back(table)
            for seat in table.overdue(now):
                if table.log.now.turn == seat and len(table.log.now.speakers()) > 2:
                    table.agree(DropMotion(seat), now)
            if table.is_my_turn and table.accord.promise is None:
                table.play(str(table.view.moves.sample(self.dice)), now)

    def call_back(self, table: Table) -> None:
        """Who died between another's signature that a seat is gone and its own: for that one the table has to wait."""
        if table.accord.promise is not None:
            deciding = table.accord.promise.signers(table.log.now)
            for dead in [self.peers[table.log.now.keys[seat]] for seat in deciding]:
                if dead.dead:
                    dead.dead = False
                    self.later(60_000, lambda dead=dead: self.start(dead))

    def notice(self, peer: Peer, event: net.Event) -> None:
        match event:
            case net.At(_, Blamed() | Convicted() | Stopped() as found) if peer.key not in self.liars:
                self.blamed.append(found)

    def check_said(self, message: Entries) -> None:
        """Nothing honest is signed twice in one place after the same entry; every entry is looked at once."""
        for entry in message.entries:
            if entry.data not in self.seen:
                self.seen.add(entry.data)
                place = (entry.table, entry.index, entry.before, entry.author)
                if entry.author != NOBODY and entry.author not in self.liars and entry.is_signed:
                    assert self.signed.setdefault(place, entry.hash) == entry.hash

    def check_step(self) -> None:
        """Among honest peers or liars that tell everybody the same. Of tables at which nobody did anything, it was
        checked before.
        """
        if self.equivocate:
            for key in self.touched:
                if key not in self.liars and (lobby := self.peers[key].lobby) is not None:
                    for table in lobby.tables.values():
                        self.check_final(key, table.log)
            self.touched.clear()
        else:
            self.check_alike()

    def check_final(self, key: bytes, log: Log) -> None:
        """An entry that all the others have gone on from stays at every honest seat, unless liars are all but one."""
        kept = self.final[key]
        if len({log.now.keys[seat] for seat in log.now.seats_in()} - self.liars.keys()) < 2:
            kept.clear()
            return
        for place, entry in kept.items():
            assert place < len(log.entries) and log.entries[place].hash == entry, self.describe()
        for place in range(max(1, len(log.entries) - 2 * len(self.peers)), len(log.entries)):
            before = log.standings[place - 1]
            if place not in kept and before.turn is not None and is_final(log.entries[place:], before, before.turn):
                kept[place] = log.entries[place].hash

    def check_alike(self) -> None:
        """Logs of honest seats still in a game are prefixes of each other, digests and all."""
        names: dict[bytes, None] = {}
        for key in self.touched:
            lobby = self.peers[key].lobby
            for name in lobby.tables if lobby is not None else ():
                names[name] = None
                self.at.setdefault(name, {})[key] = None
        self.touched.clear()
        for name in names:
            there = [self.peers[key] for key in self.at[name]]
            logs = {
                peer.key: peer.lobby.tables[name].log
                for peer in there
                if peer.lobby and peer.key not in self.liars and name in peer.lobby.tables
            }
            if len({log.head for log in logs.values()}) < 2:
                continue
            keys = [log.now.keys for log in logs.values()]
            boards = [(log.now, log.now.match.state.board.left) for log in logs.values()]
            out = {key for now, left in boards for key in now.keys if all(left[seat] for seat in now.seats_of(key))}
            # An owner that comes back does not know yet who plays on: its last entry may have reached nobody.
            out |= {key for key in logs if 0 < sum(key in row for row in keys) < len(keys)}
            inside = [log for key, log in logs.items() if key not in out]
            longest = max(inside, key=lambda log: len(log.entries), default=None)
            for log in inside:
                assert log.head == longest.entries[len(log.entries) - 1].hash, self.describe()

    def honest(self) -> list[Peer]:
        """The peers that run, but for those that lie."""
        return [peer for peer in self.peers.values() if peer.lobby and peer.key not in self.liars]

    def tables(self) -> list[Table]:
        """The tables of all honest peers that are alive."""
        return [table for peer in self.honest() for table in peer.lobby.tables.values()]

    def logs(self) -> list[Log]:
        return [table.log for table in self.tables()]

    def settled(self) -> bool:
        """Every living seat has seen the end, and the same one."""
        return self.is_settled(self.peers.values())

    def is_settled(self, peers: Iterable[Peer]) -> bool:
        """Whether these, who are all at one table, have."""
        heads = set[bytes]()
        for peer in peers:
            if peer.dead or peer.key in self.liars:
                continue
            if peer.lobby is None or not peer.lobby.tables:
                return False
            for table in peer.lobby.tables.values():
                if table.log.now.over is None:
                    return False
                heads.add(table.log.head)
        return len(heads) == 1


class QuietWorld(World):
    """Nobody moves by itself here, and what programs notice is kept."""

    def __init__(self, *given: Any, **more: Any) -> None:
        self.heard: list[tuple[Peer, object]] = []
        super().__init__(*given, **more)

    def act(self, peer: Peer) -> None:
        """Nobody does anything."""

    def notice(self, peer: Peer, event: net.Event) -> None:
        self.heard.append((peer, event.event if isinstance(event, net.At) else event))

    def events(self, kind: type) -> list[Any]:
        """What of this kind anybody has noticed."""
        return [event for _, event in self.heard if isinstance(event, kind)]


def other_move(world: World, peer: Peer, entry: Entry) -> Message | None:
    """Another move in place of one of a liar's own, if there is any."""
    log = peer.lobby.tables[entry.table].log if peer.lobby else None
    if (
        log is None
        or entry.author != peer.key
        or not isinstance(entry.body, MoveBody)
        or entry.index >= len(log.entries)
    ):
        return None
    before = replayed(log.table, log.entries[: entry.index])
    moves = [str(move) for move in before.now.match.state.moves if str(move) != entry.body.move]
    if not moves:
        return None
    return Entries(log.table, (before.write(MoveBody(moves[world.dice.randrange(len(moves))]), peer.identity),))


def gather(world: World) -> None:
    """The first peer hosts, the others ask for a chair, the host starts when all are taken."""
    for peer in world.peers.values():
        world.start(peer)
    seat(world, world.seated, world.terms)


def resume(world: World) -> None:
    """All find the table, which has begun, on their shelves."""
    begun = beginning(world.terms, sitting=[peer.identity for peer in world.seated for _ in range(peer.held)])
    entry = Log(TABLE).write(begun, None)
    for peer in world.seated:
        peer.shelf.keep_entry(entry)
    for peer in world.peers.values():
        world.start(peer)


def seat(world: World, peers: Sequence[Peer], terms: Terms) -> None:
    first, *others = peers
    table = first.lobby.host(terms, b"nonce", world.now, others=first.others).table
    world.after(first)

    def seek(peer: Peer) -> None:
        lobby = peer.lobby
        if lobby and not lobby.tables and table not in lobby.gatherings:
            host = lobby.peers.get(first.key)
            for offer in host.tables if host else ():
                lobby.join(offer, world.now, peer.others)
            world.after(peer)
        elif lobby and table in lobby.gatherings and lobby.gatherings[table].phase == "open":
            lobby.gatherings[table].ask(peer.name, "bot", peer.others)
            world.after(peer)
        if not world.begun(peer):
            world.later(700, lambda: seek(peer))

    def begin() -> None:
        if first.lobby and table in first.lobby.gatherings:
            gathering = first.lobby.gatherings[table]
            if len(gathering.chairs) == sum(peer.held for peer in peers) < gathering.terms.seats:
                gathering.drop_free_chairs()
            gathering.start(world.now)
            world.after(first)
        if not world.begun(first):
            world.later(300, begin)

    for peer in others:
        world.later(10, lambda peer=peer: seek(peer))
    world.later(20, begin)
