"""The people and bots of one peer at a table, and what they say to a motion or a rematch.

A peer holds several seats: one person is at its keyboard, guests play by phone, and bots beside them. One signature of
the peer stands for all of them, so everybody here is asked before it signs, and one "no" declines for all.
client/bots/table_bots.py passes a question on to the bots.
"""

from typing import TYPE_CHECKING, Literal, TypeAlias

from quadrille.client.table.wishes import BareWish
from quadrille.net.entries.motions import TableMotion
from quadrille.rules.errors import RulesError

if TYPE_CHECKING:
    from quadrille.client.table.table_seat import TableSeat


#: A rematch is no motion of the log, and the people here are asked all the same.
Question: TypeAlias = TableMotion | Literal[BareWish.REMATCH]


class Ballot:
    """The people here, and the open question to them. Each keeps the question to which they `agreed` last."""

    def __init__(self) -> None:
        self.people: list[TableSeat] = []
        #: The seats of bots that have not agreed, each with the number under which it was asked; 0 before that.
        self.bots: dict[int, int] = {}
        self.open: Question | None = None
        #: The person here who asked it.
        self.asker: TableSeat | None = None
        self._head = b""  # the last entry of the log then

    @property
    def is_open(self) -> bool:
        """Tell whether there is a question, and the log has not gone on since. Word of entries may come late."""
        return self.asker is not None and self.asker.table.log.head == self._head

    def join(self, person: "TableSeat") -> None:
        """Ask this person from now on, in place of the same one who has come back to the table by another way."""
        self.people[:] = [*(seated for seated in self.people if seated.guest != person.guest), person]

    def seats(self, question: Question) -> tuple[int, ...]:
        """Return a seat of each person here who has agreed."""
        return tuple(person.seat for person in self.people if person.agreed == question and person.seat is not None)

    @property
    def missing(self) -> list[int | None]:
        """The seats of those here who still have to agree to the open question; None for who has only lent ones."""
        question = self.open
        if question is None:
            return []
        return [*(one.seat for one in self.people if one.decides(question) and one.agreed != question), *self.bots]

    def agree(self, person: "TableSeat", question: Question) -> bool:
        """Note that a person agrees; return whether all here do. A RulesError says why a motion is impossible."""
        if isinstance(question, TableMotion) and (objection := person.table.log.motion_objection(question)):
            raise RulesError(objection)
        if question != self.open or not self.is_open:
            self.clear()
            self.open, self.asker, self._head = question, person, person.table.log.head
            self.bots = dict.fromkeys(person.bots_asked(question), 0)
        person.agreed = question
        if not self.missing:
            return True
        for one in self.people:
            one.asked_here(question)
        return False

    def answer(self, seat: int, *, agrees: bool) -> None:
        """Take a bot's answer. One that is not awaited, or comes after a move, is late."""
        asker, motion = self.asker, self.open
        if asker is None or not self.is_open or self.bots.pop(seat, None) is None:
            return
        assert isinstance(motion, TableMotion)  # bots are asked about nothing else
        if not agrees:
            asker.refused_here(motion, seat)
        elif not self.missing:
            asker.agreed_here(motion)

    def close(self) -> None:
        """End the question. Each person here hears that for themselves."""
        self.open = self.asker = None
        self.bots = {}

    def clear(self) -> None:
        self.close()
        for person in self.people:
            person.agreed = None
