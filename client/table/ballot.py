"""The people and bots of one peer at a table, and what they say to a motion or a rematch.

A peer holds several seats: one person is at its keyboard, guests play by phone, and bots beside them. One signature of
the peer stands for all of them, so everybody here is asked before it signs, and one "no" declines for all: that is the
`Ballot`. Each person has a `Vote`, which tells them what is open at the table, and takes what they say to it.
client/bots/table_bots.py passes a question on to the bots.
"""

from typing import TYPE_CHECKING, Literal, TypeAlias

from quadrille.client.table import notices
from quadrille.client.table.notices import About, Fact, Kind, NotGranted, Notice, Who, Why
from quadrille.client.table.wishes import BareWish
from quadrille.net.entries.bodies import MoveBody
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.motions import BackMotion, SeatDecision, TableMotion
from quadrille.net.entries.terms import NEWCOMER
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Played

if TYPE_CHECKING:
    from quadrille.client.table.table_seat import TableSeat


#: A rematch is no motion of the log, and the people here are asked all the same.
Question: TypeAlias = TableMotion | Literal[BareWish.REMATCH]


class Ballot:
    """The people here, the open question to them, and who has agreed to it."""

    def __init__(self) -> None:
        self.people: list[TableSeat] = []
        #: The seats of bots that have not agreed, each with the number under which it was asked; 0 before that.
        self.bots: dict[int, int] = {}
        self.open: Question | None = None
        #: The person here who asked it.
        self.asker: TableSeat | None = None
        self._agreed: list[TableSeat] = []
        self._head = b""  # the last entry of the log then

    @property
    def is_open(self) -> bool:
        """Tell whether there is a question, and the log has not gone on since. Word of entries may come late."""
        return self.asker is not None and self.asker.table.log.head == self._head

    def join(self, person: "TableSeat") -> None:
        """Ask this person from now on, in place of the same one who has come back to the table by another way."""
        self.people[:] = [*(seated for seated in self.people if seated.guest != person.guest), person]

    def has_agreed(self, person: "TableSeat", question: Question) -> bool:
        return question == self.open and person in self._agreed

    @property
    def agreed(self) -> tuple[int, ...]:
        """A seat of each person here who has agreed."""
        return tuple(person.seat for person in self._agreed if person.seat is not None)

    @property
    def missing(self) -> list[int | None]:
        """The seats of those here who still have to agree to the open question; None for who has only lent ones."""
        question = self.open
        if question is None:
            return []
        return [*(one.seat for one in self.people if one.decides(question) and one not in self._agreed), *self.bots]

    def agree(self, person: "TableSeat", question: Question) -> bool:
        """Note that a person agrees; return whether all here do. A RulesError says why a motion is impossible."""
        if isinstance(question, TableMotion) and (objection := person.table.log.motion_objection(question)):
            raise RulesError(objection)
        if question != self.open or not self.is_open:
            self.clear()
            self.open, self.asker, self._head = question, person, person.table.log.head
            self.bots = dict.fromkeys(person.bots_asked(question), 0)
        self._agreed.append(person)
        if not self.missing:
            return True
        for one in self.people:
            if isinstance(question, TableMotion):
                one.vote.hear(question)
            elif (who := one.who_wants_rematch) is not None:
                one.say(About(Fact.WANTS_REMATCH, who))
        return False

    def answer(self, seat: int, *, agrees: bool) -> None:
        """Take a bot's answer. One that is not awaited, or comes after a move, is late."""
        asker, motion = self.asker, self.open
        if asker is None or not self.is_open or self.bots.pop(seat, None) is None:
            return
        assert isinstance(motion, TableMotion)  # bots are asked about nothing else
        if not agrees:
            asker.vote.refuse(motion, seat)
        elif not self.missing:
            asker.attempt(lambda: asker.vote.sign(motion))

    def clear(self) -> None:
        """End the question."""
        self.open = self.asker = None
        self.bots, self._agreed = {}, []


class Vote:
    """One person's part in the motion that is open at their table: they propose it, agree to it, or decline it.

    The table's news come by `hear`, `hear_decline` and `lapse`, and are told to the person; `concern` is what awaits an
    answer.
    """

    def __init__(self, person: "TableSeat") -> None:
        self._person, self._ballot = person, person.ballot
        #: The open motion, as this person has heard.
        self.open: TableMotion | None = None
        self._signed: tuple[int, ...] = ()  # the seats that have signed it, one of each peer
        self._agreed: tuple[int, ...] = ()  # the same, and the seats of those who have agreed to it here
        self._is_old = False  # it may have been open before this person came: nobody here knows who proposed it
        self._came = b""  # the last entry of the log then, until a motion is heard

    def begin(self) -> None:
        """Hear of the motion that is open where this person comes to the table, or comes back to it."""
        table, accord = self._person.table, self._person.table.accord
        if table.waits_for_head or accord.open is not None:
            self._came = table.log.head
        if accord.open is not None and accord.newcomer is None:
            self.hear(accord.open, tuple(sorted(accord.signed.keys() - {NEWCOMER})))
        if self._ballot.is_open and isinstance(self._ballot.open, TableMotion):
            self.hear(self._ballot.open)

    def _has_agreed(self, motion: TableMotion) -> bool:
        """Tell whether this person has agreed, or this peer has signed for all its people."""
        signed = motion == self.open and not {*self._signed}.isdisjoint(self._person.table.seats)
        return signed or self._ballot.has_agreed(self._person, motion)

    @property
    def is_asked(self) -> bool:
        """Tell whether a proposal awaits this person's answer."""
        motion, table = self.open, self._person.table
        if motion is None or {*table.seats}.isdisjoint(motion.signers(table.log.now)):
            return False
        return self._person.decides(motion) and not self._has_agreed(motion)

    def concern(self) -> Notice | None:
        """Return the motion that this person has to answer, or for which others have to."""
        if self.open is None:
            return None
        motion = self._person.motion(self.open)
        if self.is_asked:
            return notices.ProposalTold(motion, self._agreed, self._is_old, answers=True)
        return notices.ProposedHere(motion, self._missing(self.open)) if self._has_agreed(self.open) else None

    def _missing(self, motion: TableMotion) -> tuple[int, ...]:
        """Return the seats that have not signed the open motion, or not agreed to it here."""
        table = self._person.table
        others = {*motion.signers(table.log.now)} - {*self._agreed, *table.seats, NEWCOMER}
        here = self._ballot.missing if motion == self._ballot.open else ()
        return tuple(sorted(others.union(seat for seat in here if seat is not None)))

    # The person

    def propose(self, motion: TableMotion) -> None:
        """Propose a motion, or agree to it; sign it once all here agree. A watcher signs nothing for the guests."""
        if self.open is not None and self.open != motion and self.is_asked:
            raise NotGranted(Why.ANSWER_FIRST, motion=self._person.motion(self.open))
        if self.open == motion and self._has_agreed(motion):
            raise NotGranted(Why.AGREED_ALREADY)
        by_owner = isinstance(motion, BackMotion)
        if not (by_owner or self._person.decides(motion)):
            raise self._not_granted(motion)
        if by_owner or self._ballot.agree(self._person, motion):
            self.sign(motion)

    def agree(self) -> None:
        if self.open is None or not self.is_asked:
            raise NotGranted(Why.NOTHING_TO_ANSWER)
        self.propose(self.open)

    def sign(self, motion: TableMotion, *told_first: Notice) -> None:
        """Sign a motion for all here; where no other peer has a seat, it is carried at once."""

        def sign() -> None:
            if not self._person.table.agree(motion, self._person.context.now()):
                raise self._not_granted(motion)

        self._ballot.clear()
        self._person.change(sign, *told_first)

    def _not_granted(self, motion: TableMotion) -> NotGranted:
        """Say why this person has nothing to sign now."""
        table = self._person.table
        deciding = motion.signers(table.log.now) if isinstance(motion, SeatDecision) else ()
        away = tuple(seat for seat in deciding if seat in table.gone)
        return NotGranted(Why.AWAY, seats=away) if self._person.is_inside and away else NotGranted(Why.NO_SEAT)

    def decline(self) -> None:
        """Refuse, or withdraw this person's own proposal."""
        if self.open is None:
            raise NotGranted(Why.NOTHING_PROPOSED)
        seat = self._person.seat
        self.refuse(self.open, seat if seat is not None else "", self._person)

    def refuse(self, motion: TableMotion, who: Who, own: "TableSeat | None" = None) -> None:
        """Refuse a motion for all here, because one of them does, or a bot."""
        self._person.table.decline()
        self._ballot.clear()
        for person in self._ballot.people:
            person.say(notices.DeclineTold(person.motion(motion), None if person is own else who))
            person.vote.open = None

    # The table and its others

    def hear(self, motion: TableMotion, signed: tuple[int, ...] | None = None) -> None:
        """Tell who signs a motion, another seat, or this person while others must sign too; without `signed`, who has
        agreed here.
        """
        person, table, ballot = self._person, self._person.table, self._ballot
        if self.open != motion:
            self.open, self._signed, self._agreed = motion, (), ()
            self._is_old, self._came = table.log.head == self._came, b""
        before, self._signed = self._agreed, self._signed if signed is None else signed
        self._agreed = (*self._signed, *(ballot.agreed if motion == ballot.open else ()))
        fresh = [seat for seat in self._agreed if seat not in before]
        others = tuple(seat for seat in fresh if seat not in person.people)
        if others:
            notice = notices.ProposalTold(person.motion(motion), others, bool(before) or self._is_old, self.is_asked)
            person.tell(Kind.PROPOSAL, table.log.now.keys[others[0]], notice)
        elif fresh and motion in (table.accord.open, ballot.open) and (missing := self._missing(motion)):
            person.say(notices.ProposedHere(person.motion(motion), missing, bool(before)))

    def hear_decline(self, motion: TableMotion, key: bytes) -> None:
        person = self._person
        people = [chair.key for chair in person.table.log.now.chairs if chair.is_person]
        if person.seat is not None or key in people:  # a bot declines each time
            person.tell(Kind.PROPOSAL, key, notices.DeclineTold(person.motion(motion), person.who(key)))
        self.open = None
        self._ballot.clear()

    def lapse(self, entry: Entry) -> None:
        """Forget the motion once the log has gone on: it was carried, or is void. A question asked since then stays."""
        if self._ballot.is_open:
            return
        self._ballot.clear()
        table, is_open, self.open = self._person.table, self.open is not None, None
        # a slice, because another entry may have taken this one's place since, and ended the log there
        after = table.log.standings[entry.index : entry.index + 1] if isinstance(entry.body, MoveBody) else []
        match [last for standing in after for last in standing.match.entries[-1:]]:
            case [Played(seat)] if is_open and seat not in self._person.people:
                if not {*self._agreed}.isdisjoint(table.seats):
                    self._person.say(About(Fact.LAPSED, seat))
