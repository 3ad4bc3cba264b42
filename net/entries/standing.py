"""The state of a game after an entry: seats, match, deck, clocks, and the next author.

A value only. net/game_log/log.py and motions.py compute the next one. Specification: docs/protocols/log.md, "The log".
"""

from collections.abc import Collection, Mapping
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
    """`keys` are the keys that write for the seats, `chairs` those that sat down there; a key may have several. `deck`
    is None without hidden cards, and where one peer knows them all.

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
            looks = self.deck.asked.viewer if self.deck and self.deck.asked and self.due.what == "look" else None
            return self.beside(self.due.seat)[0] if looks is None else looks
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

    def seats_of(self, key: bytes) -> tuple[int, ...]:
        """Return the seats that the holder of this key writes for."""
        return tuple(seat for seat, other in enumerate(self.keys) if other == key)

    def beside(self, seat: int) -> tuple[int, ...]:
        """Return the seats in the game that one peer holds together with that seat, and that seat."""
        return tuple(other for other in self.seats_in() if self.keys[other] == self.keys[seat])

    def speakers(self, *back: int) -> tuple[int, ...]:
        """Return the lowest seat of each peer that is in the game, or `back` in it. It signs for all of its peer."""
        inside = sorted({*self.seats_in(), *back})
        return tuple(seat for seat in inside if all(self.keys[seat] != self.keys[low] for low in inside if low < seat))

    def dealers(self) -> tuple[int, ...]:
        """Return the peers with a seat in the game, as the deck names them: by the lowest seat that each holds, also
        one that has left, so that a peer keeps its name in the deck until its last seat leaves.
        """
        return tuple(sorted({self.keys.index(self.keys[seat]) for seat in self.seats_in()}))

    def has_seat(self, key: bytes) -> bool:
        """Tell whether the holder of this key writes for a seat, or sat down at one when the table began."""
        return key in self.keys or any(chair.key == key for chair in self.chairs)

    # Effects of motions and exclusions

    def put_out(self, how: str, key: bytes, *seats: int) -> "Standing":
        """Let a peer's own seats leave, and these. The others are lent to it, and go back to their owners, who did
        nothing wrong. Deal the cards again, because the peer's secret stays unknown.
        """
        inside = [seat for seat in self.seats_in() if self.keys[seat] == key]
        back = {seat for seat in inside if self.chairs[seat].key != key and seat not in seats}
        standing = self.left_by(how, *(seat for seat in inside if seat not in back))
        keys = tuple(self.chairs[seat].key if seat in back else other for seat, other in enumerate(self.keys))
        lent = {seat: head for seat, head in self.lent.items() if seat not in back}
        return replace(standing, keys=keys, lent=lent).dealt_anew()

    def left_by(self, how: str, *seats: int) -> "Standing":
        """Let seats leave, one after another as long as the game goes on."""
        match = self.match.copy()
        for seat in seats:
            if match.over is None:
                match.leave(seat, how)
        return replace(self, match=match)

    def written_by(self, key: bytes, seats: Collection[int], lent: Mapping[int, bytes]) -> "Standing":
        """Let another key write for seats; that key has secrets of its own."""
        keys = tuple(key if seat in seats else other for seat, other in enumerate(self.keys))
        return replace(self, keys=keys, lent=lent).dealt_anew()

    def dealt_anew(self) -> "Standing":
        """Begin a new epoch of the deck, for the peers still in. Cards that one peer knew are hidden from now on."""
        return self if self.deck is None else replace(self, deck=self.deck.deal_again(self.dealers()))
