"""What the fuzz says: any message in its shape, and entries that are signed rightly by keys that are not ours.

Nothing here knows the fields of a message but those that have to be signed: shapes are read (tests/fuzz/grammar.py),
values are those that have been said before.
"""

from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any, Final

from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import committed, short
from quadrille.net.entries import motions, wire
from quadrille.net.entries.bodies import EntryBody, ExcludedBody
from quadrille.net.entries.entry import (
    BODIES,
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
from quadrille.net.game_log.log import Log
from quadrille.net.trust.identity import Identity, verified
from quadrille.rules.chance import Stream
from quadrille.rules.errors import RulesError
from tests.fuzz.grammar import Seen, node
from tests.fuzz.logs import ALL, KINDS, ME, WATCHED, WAYS, played
from tests.net.by_hand import agreed, cut
from tests.net.cards.by_hand import honest, left
from tests.net.tables import beginning

#: The keys that the fuzz holds.
FOES: Final = {key: one for key, one in ALL.items() if one is not ME}
#: Why an entry can't be made that would be right here: it is not the fuzz's to sign, or the moment has no room for it.
_CANNOT: Final = (KeyError, PeerError, RulesError, AssertionError, IndexError)


def shadow(log: Log, length: int) -> Log:
    """The first entries of a log, as another peer has them."""
    other = cut(log, length)
    other.believes = True
    return other


class Liar:
    """Makes messages, from one seed."""

    def __init__(self, seed: str) -> None:
        self.dice = Random(seed)
        self.stream = Stream(seed, "moves")
        self.seen = Seen(self.dice)
        self.foes = list(FOES.values())
        self.proposals: dict[bytes, wire.Propose] = {}  # the last one of each table
        self.accepted: dict[tuple[bytes, int, bytes], tuple[bytes, bytes]] = {}  # what a chair signed in a round
        for terms in (*KINDS.values(), *WATCHED.values()):
            node(wire.Invite.SHAPE.says).learn((NOBODY[:16], terms.plain()), self.seen)
        for key in ALL:
            self.seen.keep("32 bytes", key)
        for line in LINES:
            self.seen.keep("at most 60000 bytes", line)

    def hear(self, message: wire.Message) -> None:
        """Whatever is said may be said again, elsewhere."""
        node(type(message).SHAPE.says).learn(message.plain(), self.seen)
        match message:
            case wire.Propose(table):
                self.proposals[table] = message
            case wire.Accept(table, turn, proposal, commitment, signature):
                said = acceptance(table, turn, proposal, commitment)
                chairs = self.proposals[table].chairs if table in self.proposals else ()
                for key in [chair.key for chair in chairs if verified(chair.key, signature, said)]:
                    self.accepted[table, turn, key] = (commitment, signature)

    def message(self, tables: list[bytes], logs: list[Log]) -> tuple[Identity, wire.Message]:
        """One more, and who says it. `tables` are names that mean something, `logs` those at play."""
        author = self.dice.choice(self.foes)
        if logs and self.dice.random() < 0.4:
            return author, self.entries(self.dice.choice(logs))
        kind = self.dice.choice([*wire.TYPES.values()])
        if kind is wire.Entries:  # bytes that are no entries don't get this far
            return author, self.entries(self.dice.choice(logs)) if logs else wire.Entries(self.dice.choice(tables), ())
        message: Any = kind.read(node(kind.SHAPE.says).make(self.seen))
        if getattr(message, "table", None) is not None and self.dice.random() < 0.8:
            message = replace(message, table=self.dice.choice(tables))
        if self.dice.random() < 0.7:
            return self.signed(author, message, logs)
        return author, message

    def signed(self, author: Identity, message: Any, logs: list[Log]) -> tuple[Identity, wire.Message]:
        """With the signature that it should have, and at the place where the table is."""
        log = next((log for log in logs if log.table == getattr(message, "table", None)), None)
        match message:
            case wire.Motion(table, before, motion, seat, _) if log is not None:
                standing = log.now
                motion = self.motion(log) if self.dice.random() < 0.6 else motion
                needed = motion.signers(standing)
                seat = self.dice.choice(needed) if needed and self.dice.random() < 0.8 else seat
                before = (motion.bound(standing, log.head) or before) if self.dice.random() < 0.9 else before
                with suppress(IndexError):  # a seat that is not there has no key
                    author = FOES.get(motion.signer_key(standing, seat), author)
                return author, wire.Motion(table, before, motion, seat, author.sign(statement(table, before, motion)))
            case wire.Resign(table, seat, _, secret):
                if log is not None and seat < len(log.now.chairs):
                    author = FOES.get(log.now.chairs[seat].key, author)
                return author, wire.Resign(table, seat, author.sign(resignation(table, seat, secret)), secret)
            case wire.Accept() | wire.Reveal() if message.table in self.proposals and self.dice.random() < 0.8:
                return self.answer(author, message, self.proposals[message.table])
            case wire.Accept(table, turn, proposal, commitment):
                said = acceptance(table, turn, proposal, commitment)
                return author, replace(message, signature=author.sign(said))
            case wire.Vouch(table, before, entry, _, _):
                if log is not None and self.dice.random() < 0.8:
                    chosen = self.dice.choice(log.entries)
                    before, entry = chosen.before, chosen.hash if self.dice.random() < 0.8 else entry
                said = vouching(table, before, entry)
                return author, wire.Vouch(table, before, entry, author.key, author.sign(said))
        return author, message

    def answer(
        self, author: Identity, message: wire.Accept | wire.Reveal, said: wire.Propose
    ) -> tuple[Identity, wire.Message]:
        """What a chair of the fuzz answers to a proposal: its own commitment, or its secret behind those of all."""
        table, turn, keys = said.table, said.turn, [chair.key for chair in said.chairs]
        proposal = proposal_hash(said.terms, said.chairs)
        own = [FOES[key] for key in keys if key in FOES]
        author = self.dice.choice(own) if own else author
        secrets = {one.key: short("secret", one.key, table)[:32] for one in self.foes}
        row = []
        for key in keys:
            commitment = committed(table, turn, key, secrets.get(key, bytes(32)))
            signer = FOES.get(key, author)
            signature = signer.sign(acceptance(table, turn, proposal, commitment))
            row.append(self.accepted.get((table, turn, key), (commitment, signature)))
            if key == author.key and isinstance(message, wire.Accept):
                return author, wire.Accept(table, turn, proposal, commitment, signature)
        commitments = tuple(commitment for commitment, _ in row)
        secret = secrets[author.key]
        signature = author.sign(revelation(table, turn, proposal, commitments, secret))
        return author, wire.Reveal(table, turn, secret, tuple(row), signature)

    def motion(self, log: Log) -> motions.TableMotion:
        """Something that somebody at that table could want."""
        dice, standing = self.dice, log.now
        turn, seat = standing.turn, dice.randrange(standing.terms.seats)
        about = turn if turn is not None and dice.random() < 0.7 else seat
        match dice.randrange(11):
            case 0 | 1:
                return motions.DropMotion(about)
            case 5 | 6:
                return motions.HandMotion(seat, dice.choice(list(ALL)), dice.choice(("Zoe", "name 1")))
            case 8:
                return motions.FlagMotion(about)
            case 2:
                return motions.StandInMotion(about, dice.choice(list(ALL)), "deputy")
            case 3:
                return motions.BackMotion(seat)
            case 4:
                return motions.all_of("takeback", 1 + dice.randrange(3))
        return motions.all_of(dice.choice(("draw", "pause")))

    # Entries

    def entries(self, log: Log) -> wire.Message:
        """Entries about that table, or the log of another."""
        if self.dice.random() < 0.1:
            chosen = played(self.dice.choice([*KINDS, *WATCHED]), self.dice.choice(WAYS))
            at = self.dice.randrange(len(chosen) + 1) if self.dice.random() < 0.3 else 0
            return wire.Entries(chosen[0].table, chosen[at:][:256])
        made, other = [], log
        for _ in range(self.dice.choice((1, 1, 1, 2, 3))):
            entry = self.entry(other)
            made.append(entry)
            if entry.index == len(other.entries):
                other = shadow(other, len(other.entries))
                try:
                    other.take(entry)
                except PeerError:
                    break
        for one in made:
            self.seen.keep("at most 60000 bytes", one.data)
        return wire.Entries(log.table, tuple(made))

    def entry(self, log: Log) -> Entry:
        """One entry: the right one, one for an earlier place, or anything."""
        dice, length = self.dice, len(log.entries)
        if dice.random() < 0.65:
            at = length if dice.random() < 0.6 else dice.randrange(length + 1)
            try:
                # another object than the log has kept as written
                return read_entry(self.right(shadow(log, at)).data)
            except _CANNOT:
                pass
        old = dice.choice(log.entries)
        match dice.randrange(4):
            case 0:
                return self.changed(old)
            case 1:
                return self.changed(replace(old, index=length, before=log.head))
        at = min(length, max(0, length - dice.choice((0, 0, 1, 1, 2, dice.randrange(length + 1)))))
        kind = dice.choice(list(BODIES))
        before = log.entries[at - 1].hash if at else log.entries[0].before
        digest = log.standings[max(0, min(at, length) - 1)].match.state.digest()
        author = dice.choice((*FOES, NOBODY, ME.key))
        used = 0 if dice.random() < 0.8 else dice.choice((1, 60_000, 2**40))
        return self.sealed(Entry(log.table, at, before, author, self.body(kind), used, digest))

    def right(self, log: Log) -> Entry:
        """An entry that can stand at the end of that log."""
        dice = self.dice
        if not log.entries:
            kind, turn = dice.choice([*KINDS.values(), *WATCHED.values()]), dice.randrange(1000)
            sitting = dice.choices(self.foes, k=kind.seats) if dice.random() < 0.5 else self.foes[: kind.seats]
            return log.write(beginning(kind, log.table, turn, sitting), None)
        match dice.randrange(6):
            case 0:
                return agreed(log, self.motion(log), FOES)
            case 5:
                return self.exclusion(log)
            case 1:
                how = dice.choice(("resigned", "resigned", "time", "crash", "stall"))
                return left(log, dice.choice(log.now.seats_in()), how, FOES)
        return honest(log, self.stream, FOES)

    def exclusion(self, log: Log) -> Entry:
        """A seat of the fuzz goes by a proof: two entries that it signed for one place, or one with a false digest."""
        dice, turn = self.dice, log.now.turn
        assert turn is not None
        mine = [entry for entry in log.entries if entry.author in FOES and entry.author in log.now.keys]
        old = dice.choice(mine[-3:])
        seat, own = log.now.keys.index(old.author), FOES[old.author]
        if dice.random() < 0.5:
            proof = [replace(old, digest=dice.randbytes(32)).signed(own)]
        else:
            proof = sorted((old, replace(old, used=old.used + 1).signed(own)), key=lambda one: one.hash)
        author = None if turn == seat else FOES[log.now.keys[turn]]
        return log.write(ExcludedBody(seat, tuple(one.data for one in proof)), author)

    def body(self, kind: str) -> EntryBody:
        """Any body of that kind."""
        return BODIES[kind].read(node(BODIES[kind].SHAPE.says).make(self.seen))

    def changed(self, old: Entry) -> Entry:
        """A real entry with something else in it, signed anew by who could have."""
        dice = self.dice
        match dice.randrange(6):
            case 0:
                old = replace(old, body=self.body(old.kind))
            case 1:
                old = replace(old, body=self.body(dice.choice(list(BODIES))))
            case 2:
                old = replace(old, author=dice.choice((*FOES, NOBODY)))
            case 3:
                old = replace(old, index=max(0, old.index + dice.choice((-1, 1, 1000))))
            case 4:
                old = replace(old, digest=dice.randbytes(32), used=dice.choice((0, 1, 2**40)))
        return self.sealed(old)

    def sealed(self, draft: Entry) -> Entry:
        """With the signature of its author, if that is ours to make; as any other key's, or unsigned, if not."""
        plain = replace(draft, signature=bytes(64))
        if draft.author == NOBODY:
            return plain
        own = FOES.get(draft.author)
        return plain.signed(own) if own is not None else plain


#: What runners and bots say to each other, and do not.
LINES: Final = tuple(
    line + b"\n"
    for line in (
        b'{"do": "hello", "protocol": 1, "rules": 1}',
        b'{"do": "start"}',
        b'{"do": "start", "table": 1}',
        b'{"do": "start", "table": "t", "game": "maze", "options": {"size": 3}, "seats": 2, "seat": 0, '
        b'"names": ["a", "b"], "clock": null, "seed": "", "news": []}',
        b'{"do": "start" \xff}',
        b'{"do": "turn", "turn": 1, "news": [], "clock": null, "patience": 1, "budget": 1, "moves": []}',
        b'{"do": "over", "places": [1, 2], "figures": {}, "reason": "", "news": []}',
        b'{"do": "over"',
        b'{"do": ["start"], "table": {}}',
        b'{"do": "quit"}',
        b'{"hello": "x", "protocol": 1}',
        b'{"turn": 1, "move": "a1"}',
        b"[" * 2000,
        b"\xff\xfe",
        b"",
        b"null",
        b"1" * 5000,
    )
)
