"""The people of one peer at a table, and what they say to a motion or a rematch.

A peer holds several seats: one person is at its keyboard, and guests play by phone. One signature of the peer stands
for all of them, so everybody here is asked before it signs, and one "no" declines for all.
"""

from enum import Enum, auto
from typing import TYPE_CHECKING, Final, TypeAlias

from quadrille.net.entries.motions import TableMotion
from quadrille.rules.errors import RulesError

if TYPE_CHECKING:
    from quadrille.client.table.table_seat import TableSeat


class Again(Enum):
    """Another game with the same people: no motion of the log, and the people here are asked all the same."""

    REMATCH = auto()


Question: TypeAlias = TableMotion | Again
REMATCH: Final = Again.REMATCH


class Ballot:
    """The people here, and the open question to them. Each keeps the question to which they `agreed` last."""

    def __init__(self) -> None:
        self.people: list[TableSeat] = []
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
        self.people[:] = [*(one for one in self.people if one.guest != person.guest), person]

    def seats(self, question: Question) -> tuple[int, ...]:
        """Return a seat of each person here who has agreed."""
        return tuple(person.seat for person in self.people if person.agreed == question and person.seat is not None)

    def missing(self, question: Question) -> "list[TableSeat]":
        """Return those here who still have to agree."""
        return [person for person in self.people if person.decides(question) and person.agreed != question]

    def agree(self, person: "TableSeat", question: Question) -> bool:
        """Note that a person agrees; return whether all here do. A RulesError says why a motion is impossible."""
        if isinstance(question, TableMotion) and (objection := person.table.log.motion_objection(question)):
            raise RulesError(objection)
        if question != self.open or not self.is_open:
            self.clear()
            self.open, self.asker, self._head = question, person, person.table.log.head
        person.agreed = question
        if not self.missing(question):
            return True
        for one in self.people:
            one.asked_here(question)
        return False

    def clear(self) -> None:
        self.open = self.asker = None
        for person in self.people:
            person.agreed = None
