"""A voice fills in the rows of sentences.py: for lines, where a seat is "player 1 (Ann)", or for a screen, where it is
"Ann", or "you" on Ann's own one.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from quadrille.client.reports import player
from quadrille.client.table.notices import Seats, Who
from quadrille.client.table.sight import face
from quadrille.client.words.sentences import BY_TOUCH, ON_SCREEN, ROWS, Key
from quadrille.client.words.story import YOU, Reader, few, gone

#: `{who}`, or `{who:{} is|you are}`.
_GAP: Final = re.compile(r"\{(\w+)(?::((?:[^{}|]|\{\w*\})*)\|((?:[^{}]|\{\w*\})*))?\}")
_INNER: Final = re.compile(r"\{(\w*)\}")


class Several(str):
    """A list in words, of more than one."""

    __slots__ = ()

    @classmethod
    def of(cls, words: Iterable[str]) -> str:
        """Return the list, which is `Several` only if it is one."""
        row = list(words)
        return cls(few(row)) if len(row) > 1 else few(row)


def filled(row: str, value: Callable[[str], object]) -> str:
    """Fill in a row by the value of each name."""

    def chosen(found: re.Match[str]) -> str:
        name, one, other = found.groups()
        given = value(name)
        if one is None:
            return str(given)
        is_one = given == 1 if isinstance(given, int) else bool(given) and not isinstance(given, Reader | Several)
        return _INNER.sub(lambda inner: str(value(inner[1]) if inner[1] else given), one if is_one else other)

    return _GAP.sub(chosen, row)


def line(key: Key, **values: object) -> str:
    """Say a row that every face says alike."""
    return filled(ROWS[key], values.__getitem__)


class Voice:
    """The names of a table as a face shows them; `own` is the seat of the reader."""

    __slots__ = ("lines", "names", "owners", "room", "rows")

    def __init__(self, seats: Seats, *, lines: bool, own: int | None = None) -> None:
        self.lines, self.room = lines, seats.room
        #: The rows of this face, before those of every face.
        self.rows = {} if lines else {**ON_SCREEN, **BY_TOUCH} if seats.by_touch else ON_SCREEN
        self.names, self.owners = seats.names, seats.owners
        if lines:
            self.names, self.owners = (
                tuple(player(seat, row) for seat in range(len(row))) for row in (seats.names, seats.owners)
            )
        elif own is not None:
            name = seats.owners[own]
            before = seats.names[own].removesuffix(name)  # of somebody who plays for the reader
            self.owners = (*seats.owners[:own], YOU, *seats.owners[own + 1 :])
            self.names = (*seats.names[:own], f"{before}{YOU}" if before else YOU, *seats.names[own + 1 :])

    def fill(self, key: Key, value: Callable[[str], object]) -> str:
        """Fill in the row of this face."""
        return filled(self.rows.get(key, ROWS[key]), value)

    def say(self, key: Key, **values: object) -> str:
        return self.fill(key, values.__getitem__)

    def who(self, who: Who) -> str:
        return self.names[who] if isinstance(who, int) else who

    def owner(self, seat: int, former: str = "") -> str:
        """Return who holds a seat, or whoever held it before that one."""
        if not former:
            return self.owners[seat]
        return player(seat, (*self.owners[:seat], former)) if self.lines else former

    def left(self, seat: int, how: str) -> str:
        """Return how a seat has left a game, in one of `WAYS_OUT` (rules/match.py), after its name."""
        who = self.names[seat]
        return gone(who, how).removeprefix(f"{who} ")

    def cards(self, labels: Sequence[str]) -> list[str]:
        """Write cards by their suit signs on a screen, which has ASCII twins for them; by letters in lines."""
        return list(labels) if self.lines else [face(label) for label in labels]
