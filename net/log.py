"""The log of a table: what everybody checks, entry by entry, and what follows from it.

A log is a pure function of its entries: who sits, the match, whose time is how much, who may write next. It has no
clock and sends nothing. Whatever is wrong with an entry is a `Fault` that names the culprit, and changes nothing.
Specification: protocols.md, "The log".

Who writes the next entry: the seat whose turn it is, so the order of turns is the order of the log. Only what the
others decide about a seat that is gone is written by nobody, on its turn, signed by all of them; it takes the place of
what that seat may have written there unseen.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from quadrille.net.entry import (
    NOBODY,
    Entry,
    acceptance,
    proposal_hash,
    resignation,
    statement,
)
from quadrille.net.errors import PeerError
from quadrille.net.hashing import committed, joint, short
from quadrille.net.identity import Identity, verified
from quadrille.net.terms import Chair, Terms, read_terms
from quadrille.rules.chance import Stream
from quadrille.rules.core import Over, ToDraw, ToMove
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game

#: Motions that all seats still in agree on, carried by the one whose turn it is.
BY_ALL: Final = ("draw", "abort", "takeback", "pause", "adjourn")
#: Motions about a seat that is gone, carried by all the others together.
BY_OTHERS: Final = ("drop", "stand-in")


class Fault(PeerError):
    """An entry that can't stand, and whose fault that is (NOBODY where it can't be told)."""

    def __init__(self, culprit: bytes, why: str) -> None:
        super().__init__(why)
        self.culprit = culprit


class Fork(Fault):
    """Two different entries in one place that one key has signed: proof of cheating."""

    def __init__(self, culprit: bytes, one: Entry, other: Entry) -> None:
        super().__init__(culprit, f"two different entries at {one.index}, both signed")
        self.proof = (one.data, other.data)


class Desync(Fault):
    """The same entry leads to another position there than here: the engines disagree."""


class Gap(PeerError):
    """An entry that comes after one that is not here yet."""


class Late(PeerError):
    """An entry in a place, or after one, that has been decided otherwise; nobody is to blame."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the log comes to after an entry. `keys` are who writes for each seat; `chairs` are who sat down there.

    `rest` is "pause" or "adjourn" until the next move: no clock runs.
    """

    terms: Terms
    chairs: tuple[Chair, ...]
    match: Match
    keys: tuple[bytes, ...]
    remaining: tuple[int, ...]
    aborted: bool = False
    rest: str = ""

    @property
    def pending(self) -> ToMove | ToDraw | Over:
        """What is owed now."""
        if self.aborted:
            return Over((1,) * self.terms.seats, self.match.state.figures(), "the game was aborted")
        return self.match.pending

    @property
    def over(self) -> Over | None:
        """How it ended, None while it goes on."""
        pending = self.pending
        return pending if isinstance(pending, Over) else None

    @property
    def turn(self) -> int | None:
        """The seat to move."""
        pending = self.pending
        return pending.seat if isinstance(pending, ToMove) else None

    def seats_in(self) -> tuple[int, ...]:
        """The seats that have not left the game."""
        left = self.match.state.board.left
        return tuple(seat for seat in range(self.terms.seats) if not left[seat])

    def needed(self, motion: tuple[Any, ...]) -> tuple[int, ...]:
        """The seats that have to sign a motion."""
        if motion[0] == "back":
            return (motion[1],)
        return tuple(seat for seat in self.seats_in() if motion[0] not in BY_OTHERS or seat != motion[1])


def genesis(table: bytes) -> bytes:
    """What the first entry names as the one before it."""
    return short("genesis", table)


class Log:
    """The entries of one table, each checked before it was taken."""

    __slots__ = ("_written", "entries", "standings", "table")

    def __init__(self, table: bytes) -> None:
        self.table = table
        self.entries: list[Entry] = []
        self.standings: list[Standing] = []
        self._written: tuple[Entry, Standing] | None = None

    @property
    def head(self) -> bytes:
        """The hash that the next entry has to name."""
        return self.entries[-1].hash if self.entries else genesis(self.table)

    @property
    def now(self) -> Standing:
        """What all entries come to; there must be one."""
        return self.standings[-1]

    # Taking entries

    def take(self, entry: Entry) -> bool:
        """Check an entry and add it; False when it was here already. A `PeerError` of this file says what is wrong."""
        if self._written is not None and self._written[0] is entry and entry.before == self.head:
            self.entries.append(entry)
            self.standings.append(self._written[1])
            self._written = None
            return True
        if entry.table != self.table:
            raise Fault(NOBODY, "an entry of another table")
        if entry.index > len(self.entries):
            raise Gap(f"entry {entry.index} came before entry {len(self.entries)}")
        if entry.index < len(self.entries) and self.entries[entry.index].hash == entry.hash:
            return False
        if not entry.is_signed():
            raise Fault(NOBODY, f"the signature of entry {entry.index} is not its author's")
        kept, culprit = len(self.entries), None
        if entry.index < kept:
            kept = entry.index
            culprit = self._signed_twice(entry)
            if culprit is None:
                self._check_replaces(entry)
        standing = self._after(entry, kept)
        if culprit is not None:
            raise Fork(culprit, self.entries[kept], entry)
        del self.entries[kept:], self.standings[kept:]
        self.entries.append(entry)
        self.standings.append(standing)
        return True

    def _check_replaces(self, entry: Entry) -> None:
        """Only what all the others decided about its author takes an entry's place."""
        here = self.entries[entry.index]
        if entry.index == 0:
            if entry.kind != "begin":
                raise Fault(entry.author, "a log begins with what all seats agreed on")
            if entry.body[2] > here.body[2] and len(self.entries) == 1:
                return
            raise Late("the table began otherwise")
        if entry.before != here.before:
            raise Late(f"entry {entry.index} follows another one than here")
        if entry.author == here.author and entry.author != NOBODY:
            raise Fork(entry.author, here, entry)
        gone, instead = _decided_about(entry), _decided_about(here)
        beaten = gone == instead and entry.hash < here.hash  # both decided, otherwise: the smaller hash stands
        if gone is None or (not beaten and self.standings[entry.index - 1].keys[gone] != here.author):
            raise Late(f"entry {entry.index} comes too late: another stands there")

    def _signed_twice(self, entry: Entry) -> bytes | None:
        """Who signed the same otherwise in what all made together: honest programs sign the same bytes the same way.

        Else one who has the others' signatures could make another such entry whenever it liked.
        """
        here = self.entries[entry.index]
        if not here.author == entry.author == NOBODY or here.kind != entry.kind or here.before != entry.before:
            return None
        if entry.kind == "begin" and here.body[:3] == entry.body[:3]:
            keys = [chair[0] for chair in entry.body[1]]
            rows = [tuple(zip(keys, *body[3:5], strict=False)) for body in (here.body, entry.body)]
        elif entry.kind == "motion" and here.body[0] == entry.body[0]:
            rows = [here.body[1], entry.body[1]]
            keys = [self.standings[entry.index - 1].keys[seat] for seat, _ in here.body[1]]
        else:
            return None
        return next((key for key, one, other in zip(keys, *rows, strict=False) if one != other), None)

    def _after(self, entry: Entry, kept: int) -> Standing:
        """The standing that an entry leads to, from that after the first `kept` entries."""
        before = self.entries[kept - 1].hash if kept else genesis(self.table)
        if entry.before != before:
            raise Late(f"entry {entry.index} does not follow the one before it here")
        if entry.author == NOBODY and entry.used:
            raise Fault(NOBODY, "what all made together states no time")
        if entry.index == 0:
            standing = _begun(entry)
        else:
            standing = _continued(self.standings[kept - 1], entry)
        digest = standing.match.state.digest()
        if entry.digest != digest:
            here, there = digest.hex()[:12], entry.digest.hex()[:12]
            wrong = Fault if entry.author == NOBODY else Desync  # what nobody signed proves nothing about engines
            raise wrong(entry.author, f"entry {entry.index} leads to position {there} there, to {here} here")
        return standing

    # Writing entries

    def write(self, kind: str, body: tuple[Any, ...], identity: Identity | None, used: int = 0) -> Entry:
        """The next entry, signed (by nobody where identity is None); it is checked, and not taken yet."""
        author = identity.key if identity else NOBODY
        draft = Entry(self.table, len(self.entries), self.head, author, kind, body, used, bytes(32))
        standing = _begun(draft) if draft.index == 0 else _continued(self.now, draft)
        entry = replace(draft, digest=standing.match.state.digest())
        if identity:
            entry = entry.signed(identity)
        self._written = (entry, standing)
        return entry

    def motion_objection(self, motion: tuple[Any, ...]) -> str | None:
        """Why a motion can't be carried at this head of the log, whoever signs it."""
        try:
            _check_motion(self.now, motion, NOBODY)
        except Fault as error:
            return str(error)
        return None

    def motion_signed(self, motion: tuple[Any, ...], seat: int, signature: bytes) -> bool:
        """Whether that seat agreed to a motion at this head of the log."""
        standing = self.now
        key = standing.chairs[seat].key if motion[0] == "back" else standing.keys[seat]
        return verified(key, signature, statement(self.table, self.head, motion))


def _decided_about(entry: Entry) -> int | None:
    """The seat that the others, or the arbiter, decided about in this entry."""
    match entry.kind, entry.body:
        case "motion", ((str() as kind, int() as seat, _, _), _) if kind in BY_OTHERS:
            return seat
        case "left", (int() as seat, "forfeit", _):
            return seat
    return None


def replayed(table: bytes, entries: Iterable[Entry]) -> Log:
    """A log from its entries, all checked."""
    log = Log(table)
    for entry in entries:
        log.take(entry)
    return log


def _begun(entry: Entry) -> Standing:
    """Entry 0: "the seated peers sign terms and seats, draw a joint seed"."""
    if entry.kind != "begin" or entry.author != NOBODY:
        raise Fault(entry.author, "a log begins with what all seats agreed on")
    plain, chairs, turn, commitments, signatures, secrets = entry.body
    terms = read_terms(plain)
    terms.check()
    count = len(chairs)
    if not count == len(commitments) == len(signatures) == len(secrets) == terms.seats:
        raise Fault(NOBODY, "the table began without all its seats")
    keys = [chair[0] for chair in chairs]
    if len(set(keys)) != count or len(set(commitments)) != count:
        raise Fault(NOBODY, "two seats with one key, or one commitment")
    proposal = proposal_hash(plain, chairs)
    for place, key in enumerate(keys):
        if not verified(key, signatures[place], acceptance(entry.table, turn, proposal, commitments[place])):
            raise Fault(NOBODY, f"chair {place + 1} did not sign these terms")
        if committed(entry.table, turn, place, secrets[place]) != commitments[place]:
            raise Fault(key, f"chair {place + 1} did not reveal what it had committed to")
    return _seated(terms, [Chair(*chair) for chair in chairs], joint(entry.table, turn, secrets).hex())


def _seated(terms: Terms, chairs: list[Chair], seed: str) -> Standing:
    """Seats drawn by lot where the terms say so, and the match dealt from the joint seed."""
    if terms.lot:
        Stream(seed, "seats").shuffle(chairs)
    played = game(terms.game)
    match = Match(played, dict(terms.options), terms.seats, deal=Deal(seed))
    time = terms.clock.initial if terms.clock else 0
    keys = tuple(chair.key for chair in chairs)
    return Standing(terms, tuple(chairs), match, keys, (time,) * terms.seats)


def _continued(standing: Standing, entry: Entry) -> Standing:
    """The standing after any later entry."""
    if standing.over:
        raise Fault(entry.author, f"the game is over: {standing.over.reason}")
    match entry.kind:
        case "move":
            return _moved(standing, entry)
        case "left":
            return _left(standing, entry)
        case "motion":
            return _carried(standing, entry)
    raise Fault(entry.author, "a log begins only once")


def _check_turn(standing: Standing, entry: Entry) -> int:
    """The seat whose turn it is, if its key wrote this."""
    turn = standing.turn
    if turn is None or entry.author != standing.keys[turn]:
        raise Fault(entry.author, f"entry {entry.index} was not its author's to write")
    return turn


def _timed(standing: Standing, seat: int, used: int) -> tuple[int, ...]:
    """The clocks after a turn of that seat: "each entry states the time used"."""
    clock = standing.terms.clock
    if clock is None:
        return standing.remaining
    left = standing.remaining[seat] - used
    if left < 0:
        raise Fault(standing.keys[seat], f"player {seat + 1} moved {-left} ms after its time was up")
    return (*standing.remaining[:seat], left + clock.increment, *standing.remaining[seat + 1 :])


def _moved(standing: Standing, entry: Entry) -> Standing:
    seat = _check_turn(standing, entry)
    if standing.rest and entry.used:
        raise Fault(entry.author, "no clock runs in a pause: the time used is 0")
    remaining = _timed(standing, seat, entry.used)
    match = standing.match.copy()
    try:
        move = match.play(entry.body[0])
    except RulesError as error:
        raise Fault(entry.author, f"entry {entry.index} is no legal move: {error}") from None
    if str(move) != entry.body[0]:
        raise Fault(entry.author, f"entry {entry.index} writes {move} in another way")
    return replace(standing, match=match, remaining=remaining, rest="")


def _left(standing: Standing, entry: Entry) -> Standing:
    """A seat resigned, ran out of time by its own word, or was forfeited by the arbiter the terms name."""
    seat, how, signature = entry.body
    if seat not in standing.seats_in():
        raise Fault(entry.author, f"player {seat + 1} is not in the game")
    if how == "forfeit":
        if entry.author != standing.terms.arbiter or seat != standing.turn:
            raise Fault(entry.author, "only the arbiter forfeits a seat, and on its turn")
    else:
        turn = _check_turn(standing, entry)
        if how == "time" and (turn != seat or standing.terms.clock is None):
            raise Fault(entry.author, "a seat runs out of time on its own turn, by its own word")
        owner = standing.chairs[seat].key
        if turn != seat and not verified(owner, signature, resignation(entry.table, seat)):
            raise Fault(entry.author, f"player {seat + 1} did not sign its resignation")
    match = standing.match.copy()
    match.leave(seat, "resigned" if how == "resigned" else "dropped")
    return replace(standing, match=match)


def _carried(standing: Standing, entry: Entry) -> Standing:
    """A motion with the signatures it needs, bound to the entry before it."""
    motion, signatures = entry.body
    kind, number, key, _ = motion
    _check_motion(standing, motion, entry.author)
    signed = dict(signatures)
    if len(signed) != len(signatures) or tuple(signed) != tuple(sorted(signed)):
        raise Fault(entry.author, "signatures of a motion stand in the order of the seats, each once")
    author = None if kind in BY_OTHERS else _check_turn(standing, entry)
    needed = {seat for seat in standing.needed(motion) if seat != author or kind == "back"}
    if set(signed) != needed:
        raise Fault(entry.author, f"{kind}: not signed by just the seats that it needs")
    for seat, signature in signed.items():
        signer = standing.chairs[seat].key if kind == "back" else standing.keys[seat]
        if not verified(signer, signature, statement(entry.table, entry.before, motion)):
            raise Fault(entry.author, f"{kind}: the signature of player {seat + 1} is not its own")
    match = standing.match.copy()
    if kind == "draw":
        match.agree()
        return replace(standing, match=match)
    if kind == "abort":
        return replace(standing, aborted=True)
    if kind in ("pause", "adjourn"):
        return replace(standing, rest=kind)
    if kind == "takeback":
        match.undo(number)
        return replace(standing, match=match)
    if kind == "drop":
        match.leave(number, "dropped")
        return replace(standing, match=match)
    writer = standing.chairs[number].key if kind == "back" else key
    return replace(standing, keys=(*standing.keys[:number], writer, *standing.keys[number + 1 :]))


def _check_motion(standing: Standing, motion: tuple[Any, ...], author: bytes) -> None:
    """Refuse motions that the terms or the moment have no room for."""
    kind, number, key, _ = motion
    inside = standing.seats_in()
    if kind == "takeback":
        if not standing.terms.takebacks:
            raise Fault(author, "this table takes no move back")
        if not 1 <= number <= standing.match.ply:
            raise Fault(author, f"{number} moves can't be taken back")
    elif kind in (*BY_OTHERS, "back"):
        if number not in inside:
            raise Fault(author, f"player {number + 1} is not in the game")
        if kind in BY_OTHERS and number != standing.turn:
            raise Fault(author, f"{kind}: the others decide about a seat on its turn, and not before")
        if kind in BY_OTHERS and (author != NOBODY or len(inside) < 3):
            raise Fault(author, f"{kind}: two seats can't tell who is gone, and no seat decides it alone")
        if kind == "stand-in" and key in standing.keys:
            raise Fault(author, "who stands in must not sit at the table already")
        if kind == "back" and standing.keys[number] == standing.chairs[number].key:
            raise Fault(author, f"player {number + 1} has its seat")
