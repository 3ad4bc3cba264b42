"""What a log comes to after an entry: who sits, the match, the deck, whose time is how much, who may write next.

A value and nothing more. What leads from one to the next is net/ruling.py's affair. Specification: protocols.md, "The
log".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from quadrille.net.cards.deck import Deck, Duty
from quadrille.net.motions import BY_OTHERS
from quadrille.net.terms import Chair, Terms
from quadrille.rules.core import Over, ToDraw, ToMove
from quadrille.rules.match import Match

Owed: TypeAlias = Literal["move"] | Duty


@dataclass(frozen=True, slots=True)
class Standing:
    """`keys` are who writes for each seat; `chairs` are who sat down there; `deck` is that of a game with hidden cards.

    `rest` is "pause" or "adjourn" until the next move: no clock runs. `lent` are the seats that another plays for, each
    with the head of the log at which that was decided. `protocol` is the table's, by its entry 0.
    """

    terms: Terms
    chairs: tuple[Chair, ...]
    match: Match
    keys: tuple[bytes, ...]
    remaining: tuple[int, ...]
    aborted: bool = False
    rest: str = ""
    deck: Deck | None = None
    lent: Mapping[int, bytes] = field(default_factory=dict)
    protocol: int = 1

    @property
    def pending(self) -> ToMove | ToDraw | Over:
        """What the game waits for."""
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
        """The seat that writes the next entry: it moves, or owes the deck something."""
        pending = self.pending
        if isinstance(pending, Over):
            return None
        if self.deck is not None and (due := self.deck.due):
            return due.seat
        return pending.seat if isinstance(pending, ToMove) else None

    @property
    def owed(self) -> Owed:
        """What that seat owes."""
        due = self.deck.due if self.deck is not None else None
        return due.what if due else "move"

    def seats_in(self) -> tuple[int, ...]:
        """The seats that have not left the game."""
        left = self.match.state.board.left
        return tuple(seat for seat in range(self.terms.seats) if not left[seat])

    def bound(self, motion: tuple[Any, ...], head: bytes) -> bytes | None:
        """The head that signatures for a motion name: this one; but an owner may want its seat back at any time."""
        return self.lent.get(motion[1]) if motion[0] == "back" else head

    def needed(self, motion: tuple[Any, ...]) -> tuple[int, ...]:
        """The seats that have to sign a motion."""
        if motion[0] == "back":
            return (motion[1],)
        return tuple(seat for seat in self.seats_in() if motion[0] not in BY_OTHERS or seat != motion[1])
