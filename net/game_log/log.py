"""The log of a table: checks every entry, and computes what follows from it.

A log is a pure function of its entries. It has no clock and sends nothing. `after` alone checks an entry against the
terms, the rules and the deck; precedence.py decides which of two branches stands. A fault in an entry is a `Fault` that
names the culprit and changes nothing. Specification: docs/protocols/log.md, "The log".

The seat whose turn it is writes the next entry, so the order of turns is the order of the log. The one exception is a
decision of the others about a seat that is gone: it has no author, comes on that seat's turn, and all the others sign
it. It replaces an unseen entry of that seat in the same place, unless all the others have gone on after that entry.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import committed, joint, short
from quadrille.net.core.limits import FairBuffer
from quadrille.net.entries.bodies import (
    BY_ITSELF,
    MOST_PROOF_BYTES,
    BeginBody,
    EntryBody,
    ExcludedBody,
    LeftBody,
    MotionBody,
    MoveBody,
)
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.entry import (
    NOBODY,
    Entry,
    acceptance,
    proposal_hash,
    read_entry,
    resignation,
    revelation,
    statement,
    vouching,
)
from quadrille.net.entries.faults import Desync, Fault, Fork, Gap, Late
from quadrille.net.entries.motions import BackMotion, SeatDecision, TableMotion
from quadrille.net.entries.standing import Standing
from quadrille.net.entries.terms import Chair, Terms, chairs_objection
from quadrille.net.game_log import dealing
from quadrille.net.game_log.precedence import Branch, decided_about, signed_twice, wins
from quadrille.net.trust.identity import Identity, verified
from quadrille.rules.chance import Stream
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game

#: Maximum entries of other branches that a log remembers of one key: 4 MiB of the longest.
MOST_ASIDE: Final = 64


def genesis(table: bytes) -> bytes:
    """Return the hash that the first entry names as its predecessor."""
    return short("genesis", table)


@dataclass(slots=True)
class PutAside:
    """An entry of another branch, the key on whose account it is kept, and the standing after it: None as long as the
    entry that it follows is unknown, because then nobody can check it.
    """

    entry: Entry
    account: bytes
    after: Standing | None = None


class Log:
    """The entries of one table, each checked on arrival."""

    def __init__(self, table: bytes, *, believes: bool = False) -> None:
        """Begin without entries. One that `believes` checks no proofs about cards: they were checked before."""
        self.table = table
        self.believes = believes
        self.entries: list[Entry] = []
        self.books: dict[tuple[int, int], bytes] = {}  # books.py
        self.standings: list[Standing] = []
        #: The standing after all entries, once there is one.
        self.now: Standing
        #: Place of the first entry that the last call has changed, and the entries that stood from there on.
        self.since = 0
        self.replaced: tuple[Entry, ...] = ()
        self._vouches: dict[bytes, dict[bytes, bytes]] = {}  # by entry, which stands here or is put aside, and by key
        self._aside = FairBuffer[bytes, bytes, PutAside](MOST_ASIDE)
        self._written: tuple[Entry, Standing] | None = None

    @property
    def head(self) -> bytes:
        """The hash that the next entry must name."""
        return self.entries[-1].hash if self.entries else genesis(self.table)

    # Taking entries

    def take(self, entry: Entry) -> bool:
        """Check an entry and add it. Return False if it was here already. A `PeerError` of faults.py says what is
        wrong.
        """
        if self._written is not None and self._written[0] is entry and entry.before == self.head:
            self._replace(len(self.entries), [entry], [self._written[1]])
            self._written = None
            return True
        if entry.table != self.table:
            raise Fault(NOBODY, "an entry of another table")
        if entry.index > len(self.entries):
            raise Gap(f"entry {entry.index} came before entry {len(self.entries)}")
        if self.stands(entry.index, entry.hash):
            return False
        if not entry.is_signed:
            raise Fault(NOBODY, f"the signature of entry {entry.index} is not its author's")
        self._take(entry)
        return True

    def take_aside(self, entries: Iterable[Entry]) -> bool:
        """Put entries of another branch aside, up to the first false one. Return True if that branch stands now."""
        with suppress(PeerError):
            for entry in entries:
                self.put_aside(entry)
        return self.reconsider()

    def vouch(self, key: bytes, entry: bytes, before: bytes, signature: bytes) -> bool:
        """Take a seat's vouch that it signed no decision against another's entry. Return True if the log has changed. A
        seat may vouch for two entries in one place, if their author signed both. So two vouches prove no lie.
        """
        place = next((known.index + 1 for known in self.entries if known.hash == before), 0)
        if not place or key not in self.standings[place - 1].keys or key in self.vouchers(entry):
            return False
        if not self.stands(place, entry) and entry not in self._aside:
            return False
        if not verified(key, signature, vouching(self.table, before, entry)):
            raise Fault(key, "a seat vouches for an entry without its signature")
        self._vouches.setdefault(entry, {})[key] = signature
        if len(self._vouches) > len(self.entries) + len(self._aside):
            kept = {*self._aside, *(known.hash for known in self.entries)}
            self._vouches = {known: by_key for known, by_key in self._vouches.items() if known in kept}
        return self.reconsider()

    def vouchers(self, entry: bytes) -> dict[bytes, bytes]:
        return self._vouches.get(entry, {})

    def _take(self, entry: Entry) -> None:
        kept, culprit = len(self.entries), None
        if entry.index < kept:
            kept, here = entry.index, self.entries[entry.index]
            if here.author == entry.author == NOBODY and here.before == entry.before:  # perhaps two forms of one entry
                before = self.standings[kept - 1].keys if kept else ()
                culprit = next(iter(signed_twice(here, entry, before)), None)
            if culprit is None:
                self._check_replaces(entry)
        standing = self._after(entry, kept)
        if culprit is not None:
            raise Fork(culprit, self.entries[kept], entry)
        self._replace(kept, [entry], [standing])

    def _replace(self, place: int, entries: list[Entry], standings: list[Standing]) -> None:
        """Go on with other entries from that place, and put ours aside."""
        old = list(zip(self.entries[place:], self.standings[place:], strict=True))
        self.entries[place:], self.standings[place:] = entries, standings
        self.since, self.now, self.replaced = place, standings[-1], tuple(entry for entry, _ in old)
        for entry, standing in old:
            self._aside.put(entry.author, entry.hash, PutAside(entry, entry.author, standing))

    def _check_replaces(self, entry: Entry) -> None:
        """Refuse an entry that precedence.py does not let replace another."""
        here = self.entries[entry.index]
        if entry.index == 0 and not isinstance(entry.body, BeginBody):
            raise Fault(entry.author, "a log begins with what all seats agreed on")
        if entry.before != here.before:
            raise Late(f"entry {entry.index} follows another one than here")
        if entry.author == here.author and entry.author != NOBODY:
            raise Fork(entry.author, here, entry)
        if not self._wins([entry]):
            raise Late(f"entry {entry.index} comes too late: another stands there")

    def _wins(self, branch: Branch) -> bool:
        """Return True if a branch replaces ours from its first entry on."""
        first = branch[0]
        if not first.index < len(self.entries):
            return False
        if first.index == 0:
            return len(self.entries) == 1 and _begins_better(branch, self.entries[0])
        here = self.entries[first.index :]
        own = here[0] if decided_about(first) is not None else first
        return wins(branch, here, self.standings[first.index - 1], self.vouchers(own.hash))

    def stands(self, place: int, entry: bytes) -> bool:
        """Tell whether the entry of that hash stands in that place; in place -1 the genesis."""
        if place < 0:
            return place == -1 and entry == genesis(self.table)
        return place < len(self.entries) and self.entries[place].hash == entry

    # Branches put aside

    def put_aside(self, entry: Entry, sender: bytes = NOBODY) -> None:
        """Remember an entry that does not stand here; a `PeerError` if it is false.

        Only entries by seats and about them are worth the memory. One without an author is on its sender's account.
        """
        if entry.table != self.table or not entry.is_signed:
            raise Fault(NOBODY, f"entry {entry.index} is not its author's, or of another table")
        seats = {NOBODY, *(key for standing in self.standings[:1] + self.standings[-1:] for key in standing.keys)}
        if entry.author in seats and entry.hash not in self._aside and not self.stands(entry.index, entry.hash):
            account = sender if entry.author == NOBODY else entry.author
            self._aside.put(account, entry.hash, PutAside(entry, account, self._checked(entry)))

    def next_aside(self, entry: bytes) -> Entry | None:
        """Return the entry of that hash, if it is put aside and follows the last one here."""
        aside = self._aside.get(entry)
        return aside.entry if aside is not None and aside.entry.before == self.head else None

    def _checked(self, entry: Entry) -> Standing | None:
        """Compute the standing after an entry of another branch; None if the entry that it follows is unknown."""
        place, before, chain = entry.index, entry.before, list[PutAside]()
        while not self.stands(place - 1, before):
            aside = self._aside.get(before)
            if aside is None or aside.after is None or aside.entry.index != place - 1:
                return None
            chain.append(aside)
            place, before = place - 1, aside.entry.before
        branch = Log(self.table, believes=self.believes)
        branch.entries = [*self.entries[:place], *(link.entry for link in reversed(chain))]
        branch.standings = [*self.standings[:place], *(link.after for link in reversed(chain) if link.after)]
        return branch._after(entry, entry.index)

    def reconsider(self) -> bool:
        """Switch to a branch put aside that wins by the present entries and vouches. Return False if there is none."""
        checked = self._check_aside()
        longest = _longest(checked)
        for first in sorted(checked, key=lambda aside: (aside.entry.index, aside.entry.hash)):
            place, branch = first.entry.index, [first]
            if place < len(self.entries) and self.stands(place - 1, first.entry.before):
                while follower := longest.get(branch[-1].entry.hash):
                    branch.append(follower)
                if self._wins([aside.entry for aside in branch]):
                    after = [aside.after for aside in branch if aside.after]
                    self._replace(place, [aside.entry for aside in branch], after)
                    return True
        return False

    def _check_aside(self) -> list[PutAside]:
        """Check the entries put aside that follow a known one by now, each once. Remove what stands by now or is false,
        and all that is unchecked on the same account.
        """
        liars, valid = set[bytes](), list[PutAside]()
        for aside in sorted((aside for _, aside in self._aside.items()), key=lambda aside: aside.entry.index):
            if self.stands(aside.entry.index, aside.entry.hash):
                self._aside.pop(aside.entry.hash)
                continue
            if aside.after is None and aside.account not in liars:
                try:
                    aside.after = self._checked(aside.entry)
                except PeerError:
                    liars.add(aside.account)
            if aside.after is not None:
                valid.append(aside)
            elif aside.account in liars:
                self._aside.pop(aside.entry.hash)
        return valid

    def _after(self, entry: Entry, kept: int) -> Standing:
        """Compute the standing after an entry that follows the first `kept` entries."""
        before = self.entries[kept - 1].hash if kept else genesis(self.table)
        if entry.before != before:
            raise Late(f"entry {entry.index} does not follow the one before it here")
        if entry.author == NOBODY and entry.used:
            raise Fault(NOBODY, "an entry of all seats states no time")
        standing = after(self.standings[kept - 1] if kept else None, entry, believes=self.believes)
        if isinstance(body := entry.body, ExcludedBody) and (
            objection := self._proof_objection(body, kept, self.standings[kept - 1])
        ):
            raise Fault(entry.author, objection)
        digest = standing.match.state.digest()
        if entry.digest != digest:
            here, there = digest.hex()[:12], entry.digest.hex()[:12]
            # an unsigned entry proves nothing about anybody's engine
            wrong = Fault if entry.author == NOBODY else Desync
            raise wrong(entry.author, f"entry {entry.index} leads to position {there} there, to {here} here")
        return _asked(standing, entry.hash)

    def proves(self, body: ExcludedBody) -> bool:
        """Tell whether the proof of an exclusion holds at this head of the log."""
        return self._proof_objection(body, len(self.entries), self.now) is None

    def _proof_objection(self, body: ExcludedBody, index: int, standing: Standing) -> str | None:
        """Say why the proof of an exclusion at that index proves nothing. A proof is two different entries that the key
        signed for one place, or one beside the one that stands there, or one false digest.
        """
        entries, owner = [read_entry(data) for data in body.proof], standing.keys[body.seat]
        place = entries[0].index if entries else 0
        right = 0 < place <= index and all(
            (entry.table, entry.index, entry.author) == (self.table, place, owner) and entry.is_signed
            for entry in entries
        )
        too_long = len(entries) > 1 and sum(map(len, body.proof)) > MOST_PROOF_BYTES
        if right and not too_long:
            try:  # after another entry, or on another's turn, it is no entry of this log at all
                lies = sum(self._has_false_digest(entry) for entry in entries)
            except PeerError as error:
                return f"the proof is invalid for another reason: {error}"
            other = self.entries[place] if place < index else entries[0]
            twice = other.author == owner and other.hash != entries[0].hash
            # Of two in the other order there would be a second exclusion, which competes with this one for its place.
            proves = (lies or twice) if len(entries) == 1 else entries[0].hash < entries[1].hash
            if proves:
                return None
        return f"the proof does not show that player {body.seat + 1} cheated"

    def _has_false_digest(self, entry: Entry) -> bool:
        try:
            self._after(entry, entry.index)
        except Desync:
            return True
        return False

    # Writing entries

    def write(self, body: EntryBody, identity: Identity | None, used: int = 0) -> Entry:
        """Make the next entry, signed unless `identity` is None. Check it, but do not add it yet."""
        author = identity.key if identity else NOBODY
        draft = Entry(self.table, len(self.entries), self.head, author, body, used, bytes(32))
        standing = after(self.now if self.entries else None, draft, believes=True)
        entry = replace(draft, digest=standing.match.state.digest())
        if identity:
            entry = entry.signed(identity)
        if isinstance(body, ExcludedBody) and (objection := self._proof_objection(body, entry.index, self.now)):
            raise Fault(author, objection)
        self._written = (entry, _asked(standing, entry.hash))
        return entry

    def motion_objection(self, motion: TableMotion) -> str | None:
        """Say why a motion is impossible at this head of the log, no matter who signs it."""
        return motion.objection(self.now, NOBODY)

    def takes_leave(self, seat: int, secret: bytes) -> bool:
        """Accept the secret of a seat's key for the cards with which it leaves; after a new deal it needs another."""
        try:
            dealing.check_secret(self.now, seat, secret)
        except PeerError:
            return False
        return True


def _longest(checked: list[PutAside]) -> dict[bytes, PutAside]:
    """Map the hash of an entry to the one after it that begins the longest chain. The rows are in the order of their
    places.
    """
    length: dict[bytes, int] = {}
    longest: dict[bytes, PutAside] = {}
    for aside in reversed(checked):
        entry = aside.entry
        length[entry.hash] = 1 + (length[longest[entry.hash].entry.hash] if entry.hash in longest else 0)
        best = longest.get(entry.before)
        if best is None or (length[best.entry.hash], best.entry.hash) < (length[entry.hash], entry.hash):
            longest[entry.before] = aside
    return longest


def _begins_better(branch: Branch, here: Entry) -> bool:
    """Compare two beginnings that nobody has played on: the later one wins, then the smaller hash. Their terms differ
    in nothing but the seats. Half of the peers here take part in both, or one of three could put out the others.
    """
    old, new = here.body, branch[0].body
    if not (isinstance(old, BeginBody) and isinstance(new, BeginBody)):
        return False
    if replace(new.terms, seats=old.terms.seats) != old.terms or 2 * len({*old.keys} & {*new.keys}) < len(old.keys):
        return False
    if len(branch) > 1 or new.turn != old.turn:
        return len(branch) > 1 or new.turn > old.turn
    return branch[0].hash < here.hash


def replayed(table: bytes, entries: Iterable[Entry]) -> Log:
    log = Log(table)
    for entry in entries:
        log.take(entry)
    return log


# The effect of an entry: pure functions from one standing to the next


def after(standing: Standing | None, entry: Entry, *, believes: bool) -> Standing:
    """Compute the standing after an entry, or raise a `Fault` that names the culprit; before entry 0 there is none."""
    return _begun(entry) if standing is None else _continued(standing, entry, believes=believes)


def _begun(entry: Entry) -> Standing:
    """Check entry 0: "the seated peers sign terms and seats, draw a joint seed"."""
    body = entry.body
    if not isinstance(body, BeginBody) or entry.author != NOBODY:
        raise Fault(entry.author, "a log begins with what all seats agreed on")
    terms, parts = body.terms, (body.commitments, body.signatures, body.secrets, body.revelations)
    terms.check(alone=len(body.keys) == 1)
    if len(body.chairs) != terms.seats or {len(row) for row in parts} != {len(body.keys)}:
        raise Fault(NOBODY, "the table began without all its seats")
    if objection := chairs_objection(terms, body.chairs):
        raise Fault(NOBODY, objection)
    proposal = proposal_hash(terms, body.chairs)
    for place, (key, commitment) in enumerate(zip(body.keys, body.commitments, strict=True)):
        if not verified(key, body.signatures[place], acceptance(entry.table, body.turn, proposal, commitment)):
            raise Fault(NOBODY, f"peer {place + 1} did not sign these terms")
    _check_revealed(entry.table, body, proposal)
    return _seated(terms, list(body.chairs), joint(entry.table, body.turn, body.secrets).hex())


def _check_revealed(table: bytes, body: BeginBody, proposal: bytes) -> None:
    """Check that each peer signed all commitments (docs/protocols/gathering.md), so that no peer can commit again
    later.

    Only a key that signed both its commitment and another secret is to blame.
    """
    for place, (key, secret) in enumerate(zip(body.keys, body.secrets, strict=True)):
        revealed = revelation(table, body.turn, proposal, body.commitments, secret)
        if not verified(key, body.revelations[place], revealed):
            raise Fault(NOBODY, f"peer {place + 1} did not sign these commitments and this secret")
        if committed(table, body.turn, key, secret) != body.commitments[place]:
            raise Fault(key, f"peer {place + 1} did not reveal what it had committed to")


def _seated(terms: Terms, chairs: list[Chair], seed: str) -> Standing:
    """Seat the chairs, by lot if the terms say so, and deal the match from the joint seed."""
    if terms.lot:
        Stream(seed, "seats").shuffle(chairs)
    played, is_alone = game(terms.game), len({chair.key for chair in chairs}) == 1
    # The deck deals a game with hidden cards, and a log knows only what all may know. A peer that holds all seats may
    # know all cards: what each of its seats sees is for its program to keep apart.
    known = {"viewer": None} if played.hidden and not is_alone else {"deal": terms.deal or Deal(seed)}
    try:
        match = Match(played, terms.read_options(), terms.seats, **known)
    except RulesError as error:
        raise Fault(NOBODY, f"the cards of this table can't lie so: {error}") from None
    time = terms.clock.initial if terms.clock else 0
    keys = tuple(chair.key for chair in chairs)
    return Standing(terms, tuple(chairs), match, keys, terms.times or (time,) * terms.seats)


def _continued(standing: Standing, entry: Entry, *, believes: bool) -> Standing:
    if standing.over:
        raise Fault(entry.author, f"the game is over: {standing.over.reason}")
    match entry.body:
        case MoveBody() as body:
            return _moved(standing, entry, body)
        case LeftBody() as body:
            return _left(standing, entry, body)
        case MotionBody() as body:
            return dealing.settled(_carried(standing, entry, body))
        case ExcludedBody() as body:
            return _excluded(standing, entry, body)
        case BeginBody():
            raise Fault(entry.author, "a log begins only once")
        case _:
            return _dealt(standing, entry, believes=believes)


def _check_turn(standing: Standing, entry: Entry) -> int:
    """Return the seat whose turn it is, if its key wrote this entry."""
    turn = standing.turn
    if turn is None or entry.author != standing.keys[turn]:
        raise Fault(entry.author, f"entry {entry.index} was not its author's to write")
    return turn


def _check_owed(standing: Standing, entry: Entry) -> int:
    """Return the seat whose turn it is, if its key wrote the entry that it owes: a move, or a duty to the deck."""
    seat = _check_turn(standing, entry)
    if entry.kind != standing.owed:
        raise Fault(entry.author, f"entry {entry.index} is a {entry.kind}, and a {standing.owed} is owed")
    return seat


def _timed(standing: Standing, seat: int, used: int, *, adds: bool = True) -> tuple[int, ...]:
    """Compute the clocks after a seat's turn: "each entry states the time used". A move adds the increment."""
    clock = standing.terms.clock
    if clock is None:
        return standing.remaining
    if (late := used - standing.remaining[seat]) > 0:
        raise Fault(standing.keys[seat], f"player {seat + 1} moved {late} ms after its time was up")
    clocks = Clocks(clock, standing.remaining)
    return (clocks.moved(seat, used) if adds else clocks.paid(seat, used)).left


def _moved(standing: Standing, entry: Entry, body: MoveBody) -> Standing:
    seat = _check_owed(standing, entry)
    if standing.paused and entry.used:
        raise Fault(entry.author, "no clock runs in a pause, so the time used must be 0")
    remaining = _timed(standing, seat, entry.used)
    match = standing.match.copy()
    try:
        move = match.play(body.move)
    except RulesError as error:
        raise Fault(entry.author, f"entry {entry.index} is not a legal move: {error}") from None
    if str(move) != body.move:
        raise Fault(entry.author, f"entry {entry.index} writes {move} in another way")
    return replace(standing, match=match, remaining=remaining, paused=False)


def _asked(standing: Standing, hash: bytes) -> Standing:
    hides = standing.match.game.hidden and standing.match.deal is None  # one peer knows all that it has dealt
    return dealing.asked(standing, hash) if hides else standing


def _dealt(standing: Standing, entry: Entry, *, believes: bool) -> Standing:
    """Do a seat's duty to the deck. Its program does that at once; its clock pays for a delay."""
    seat = _check_owed(standing, entry)
    if entry.used and (standing.terms.clock is None or standing.paused):
        raise Fault(entry.author, "duties to the deck take no time of a clock, so the time used must be 0")
    if entry.used:
        standing = replace(standing, remaining=_timed(standing, seat, entry.used, adds=False))
    try:
        return dealing.given(standing, entry, believes=believes)
    except PeerError as error:
        raise Fault(entry.author, f"entry {entry.index} does not serve the deck: {error}") from None


def _left(standing: Standing, entry: Entry, body: LeftBody) -> Standing:
    """Let a seat leave: it resigned, or lost by its own statement."""
    seat, how, secret = body.seat, body.how, body.secret
    if seat not in standing.seats_in():
        raise Fault(entry.author, f"player {seat + 1} is not in the game")
    turn = _check_turn(standing, entry)
    on_duty = standing.due is not None and how != "time"
    if how in BY_ITSELF and (turn != seat or on_duty):
        raise Fault(entry.author, f"only the seat itself may state {how}, and only on its move")
    if how == "time" and standing.terms.clock is None:
        raise Fault(entry.author, "this game has no clock, so no time can run out")
    owner, its_own = standing.chairs[seat].key, turn == seat and (seat not in standing.lent or how in BY_ITSELF)
    if not its_own and not verified(owner, body.signature, resignation(entry.table, seat, secret)):
        raise Fault(entry.author, f"player {seat + 1} did not sign its resignation")
    try:
        dealing.check_secret(standing, seat, secret)
    except PeerError as error:
        raise Fault(entry.author, f"player {seat + 1} does not leave its cards behind: {error}") from None
    deck = None if standing.deck is None else dealing.gone(standing.deck, standing, seat, secret)
    return dealing.settled(replace(standing.left_by(how, seat), deck=deck))


def _excluded(standing: Standing, entry: Entry, body: ExcludedBody) -> Standing:
    """Put out the peer whose key has cheated, by a proof; the log checks the proof."""
    seat = body.seat
    if seat not in standing.seats_in():
        raise Fault(entry.author, f"player {seat + 1} is not in the game")
    if standing.turn not in standing.beside(seat):
        _check_turn(standing, entry)
    elif entry.author != NOBODY or seat != standing.turn:  # decisions in one place must be about one seat
        raise Fault(entry.author, "an exclusion has no author, and comes on the seat's own turn")
    return dealing.settled(standing.put_out("protocol", standing.keys[seat]))


def _carried(standing: Standing, entry: Entry, body: MotionBody) -> Standing:
    """Carry a motion that has the signatures it needs, bound to the entry before it."""
    motion, word = body.motion, body.motion.WORD
    if objection := motion.objection(standing, entry.author):
        raise Fault(entry.author, objection)
    signed = dict(body.signatures)
    if len(signed) != len(body.signatures) or tuple(signed) != tuple(sorted(signed)):
        raise Fault(entry.author, "the signatures of a motion must be in the order of the seats, each once")
    author = NOBODY if isinstance(motion, SeatDecision) else standing.keys[_check_turn(standing, entry)]
    if isinstance(motion, BackMotion):
        author = NOBODY  # the owner signs, whoever writes it
        if standing.due is not None:
            raise Fault(entry.author, "back: cards are being opened, so the owner has to wait for a move")
    if set(signed) != {seat for seat in motion.signers(standing) if motion.signer_key(standing, seat) != author}:
        raise Fault(entry.author, f"{word}: not signed by just the seats that it needs")
    for seat, signature in signed.items():
        if not is_signed_by(standing, motion, seat, signature, table=entry.table, head=entry.before):
            raise Fault(entry.author, f"{word}: a signature that is not that seat's own")
    return motion.done(standing, entry.before)


def is_signed_by(
    standing: Standing, motion: TableMotion, seat: int, signature: bytes, *, table: bytes, head: bytes
) -> bool:
    """Check the signature of a seat or a newcomer that has to sign a motion at that head of the log."""
    bound = motion.bound(standing, head)
    if bound is None or seat not in motion.signers(standing):
        return False
    return verified(motion.signer_key(standing, seat), signature, statement(table, bound, motion))
