"""The state of a game after an entry: seats, match, deck, clocks, and the next author.

A value only. net/game_log/log.py and motions.py compute the next one. Specification: docs/protocols/log.md, "The log".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from quadrille.net.entries.terms import Chair, Terms
from quadrille.rules.core import Over, ToMove
from quadrille.rules.match import Match

if TYPE_CHECKING:
    from quadrille.net.cards.deck import Deck, Due, Duty

Owed: TypeAlias = "Literal['move'] | Duty"


@dataclass(frozen=True)
class Standing:
    """`keys` are the keys that write for the seats, `chairs` those that sat down there; `deck` is None without hidden
    cards.

    The match is never changed once it stands here, so what follows from it is computed once. No clock runs while the
    game is `paused`, until the next move. `lent` maps each seat with a stand-in to the head of the log at which
    that was decided.
    """

    terms: Terms
    chairs: tuple[Chair, ...]
    match: Match
    keys: tuple[bytes, ...]
    remaining: tuple[int, ...]
    paused: bool = False
    deck: "Deck | None" = None
    lent: Mapping[int, bytes] = field(default_factory=dict)

    @cached_property
    def over(self) -> Over | None:
        """The result; None while the game goes on."""
        return self.match.over

    @cached_property
    def turn(self) -> int | None:
        """The seat that writes the next entry: it moves, or owes the deck something."""
        if self.over:
            return None
        if self.due:
            return self.due.seat
        pending = self.match.pending
        return pending.seat if isinstance(pending, ToMove) else None

    @cached_property
    def due(self) -> "Due | None":
        """The deck's claim on a seat, before which no move is possible."""
        return self.deck.due if self.deck is not None else None

    @property
    def owed(self) -> Owed:
        """The kind of entry that this seat owes."""
        return self.due.what if self.due else "move"

    def seats_in(self) -> tuple[int, ...]:
        return self.match.seats_in

    def seat_of(self, key: bytes) -> int | None:
        return self.keys.index(key) if key in self.keys else None

    def has_seat(self, key: bytes) -> bool:
        """Tell whether the holder of this key writes for a seat, or sat down at one when the table began."""
        return key in self.keys or any(chair.key == key for chair in self.chairs)

    # Effects of motions and exclusions

    def left_by(self, seat: int, how: str) -> "Standing":
        match = self.match.copy()
        match.leave(seat, how)
        return replace(self, match=match)

    def written_by(self, seat: int, key: bytes, lent: Mapping[int, bytes]) -> "Standing":
        """Let another key write for a seat; that key has secrets of its own."""
        return replace(self, keys=(*self.keys[:seat], key, *self.keys[seat + 1 :]), lent=lent).dealt_anew()

    def dealt_anew(self) -> "Standing":
        """Begin a new epoch of the deck, for the seats still in."""
        return self if self.deck is None else replace(self, deck=self.deck.deal_again(self.seats_in()))
