"""A position of Coin Isolation, and its queries. rules/boards/coin_isolation.py changes it."""

from typing import Self

from quadrille.rules.arrays import array, filled, grown
from quadrille.rules.board import Board
from quadrille.rules.boards._coin.terms import (
    BARE,
    COINS,
    FIELDS,
    IDLE,
    KINDS,
    LENGTH,
    NONE,
    PASSES,
    PLACED,
    ROW,
    STAGE,
    TAKE,
    TRANSPLANT,
    TRANSPLANT_AFTER,
    WALK,
    WILD,
    CoinTerms,
)
from quadrille.rules.ints import i64, mypyc_attr, vec
from quadrille.rules.patterns.keys import mixed, mixed_all


@mypyc_attr(allow_interpreted_subclasses=True)
class CoinPosition(Board):
    """A position, and the steps of the unfinished turn.

    All mutable state is in one array, `at`, so a copy is one copy and an undo restores numbers. After the counted
    FIELDS come, at the places named by these attributes: `piles` (4 numbers a square: coins of each kind), `ways`,
    `pawn`, `side`, `held` (4 a seat: coins kept), `renegades`, `last_coin`, `path`, `placed` (for transplants), `laid`
    (coins of each kind that the layout has so far). The first `changes` numbers of `trail` are the places that the last
    `make` changed, each followed by the number that was there.

    `ways` has for each square a bit for each kind of coin on it, BARE if there is none, and 0 under a pawn or on the
    unfinished path: a path is legal while the `ways` of its squares have a common bit.
    """

    __slots__ = (
        "at",
        "changes",
        "first",
        "held",
        "laid",
        "last_coin",
        "path",
        "pawn",
        "piles",
        "placed",
        "renegades",
        "side",
        "terms",
        "top",
        "trail",
        "ways",
    )

    at: vec[i64]
    trail: vec[i64]
    top: i64
    changes: i64

    def __init__(self, seats: i64, terms: CoinTerms) -> None:
        super().__init__(seats, terms.cells + TAKE + 2 * terms.cells)
        self.terms = terms
        self.first = terms.cells
        self.piles = FIELDS
        self.ways = self.piles + KINDS * terms.cells
        self.pawn = self.ways + terms.cells
        self.side = self.pawn + seats
        self.held = self.side + seats
        self.renegades = self.held + KINDS * seats
        self.last_coin = self.renegades + seats
        self.path = self.last_coin + seats
        self.placed = self.path + terms.cells
        self.laid = self.placed + terms.cells

    def copy(self) -> Self:
        """The same position, nothing to take back."""
        twin = self.twin()
        twin.trail = filled(64, 0)
        twin.moves = self.moves[:]
        twin.terms = self.terms
        twin.first = self.first
        twin.piles = self.piles
        twin.ways = self.ways
        twin.pawn = self.pawn
        twin.side = self.side
        twin.held = self.held
        twin.renegades = self.renegades
        twin.last_coin = self.last_coin
        twin.path = self.path
        twin.placed = self.placed
        twin.laid = self.laid
        twin.become(self)
        return twin

    def become(self, other: Board) -> None:
        """Take the position of another board on the same terms."""
        assert isinstance(other, CoinPosition)
        self.stand_as(other)
        self.at = other.at[:]
        self.top = 0
        self.changes = 0

    def note(self, one: i64, other: i64) -> None:
        """Push two numbers on the undo stack."""
        top = self.top
        if top + 2 > len(self.trail):
            self.trail = grown(self.trail, 2 * top + 2)
        self.trail[top] = one
        self.trail[top + 1] = other
        self.top = top + 2

    def put(self, place: i64, value: i64) -> None:
        """Change one number of the position, with undo."""
        at = self.at
        was = at[place]
        if was != value:
            self.note(place, was)
            at[place] = value

    def undo(self) -> None:
        """Take back the last step: its changed numbers lie below its mark on the stack."""
        trail = self.trail
        at = self.at
        top = self.top - 4
        mark = trail[top + 3]
        self.ended = trail[top + 2] == 1
        self.plies = trail[top + 1]
        self.turn = trail[top]
        while top > mark:
            top -= 2
            at[trail[top]] = trail[top + 1]
        self.top = top

    def key(self) -> i64:
        """Everything except the number of turns, including the unfinished turn."""
        at = self.at
        key = mixed_all(mixed(mixed(0, self.turn), at[PASSES]), self.left)
        for place in range(IDLE, self.path + at[LENGTH]):
            key = mixed(key, at[place])
        for i in range(at[PLACED]):
            key = mixed(key, at[self.placed + i])
        return key

    # Queries

    def pile(self, q: i64) -> i64:
        """Number of coins on a square."""
        at = self.at
        p = self.piles + KINDS * q
        return at[p] + at[p + 1] + at[p + 2] + at[p + 3]

    def types(self, q: i64) -> i64:
        """The kinds of coin on a square, as bits."""
        at = self.at
        p = self.piles + KINDS * q
        found: i64 = 0
        for kind in range(KINDS):
            if at[p + kind]:
                found |= 1 << kind
        return found

    def starts(self, seat: i64) -> i64:
        """Index in `terms.near` of the squares where a path of that seat can begin.

        They are next to its pawn, or in the first row of its side.
        """
        pawn = self.at[self.pawn + seat]
        return ROW * (pawn if pawn != NONE else self.terms.cells + self.at[self.side + seat])

    def onward(self) -> i64:
        """Index in `terms.near` of the squares where the path of this turn can begin, or go on once it has begun."""
        return ROW * self.target() if self.at[STAGE] == WALK else self.starts(self.turn)

    def allowed(self) -> i64:
        """The kinds that the path of this turn may run over."""
        at = self.at
        return COINS | BARE if at[WILD] or at[self.renegades + self.turn] else COINS

    def can_stand(self) -> bool:
        """ "if coins lie under the pawn, the player may instead stay and keep one of them": never a renegade."""
        pawn = self.at[self.pawn + self.turn]
        return bool(
            self.terms.standing_still
            and pawn != NONE
            and self.at[self.renegades + self.turn] == 0
            and self.pile(pawn) > 0
        )

    def target(self) -> i64:
        """The last square of the path."""
        return self.at[self.path + self.at[LENGTH] - 1]

    def most(self, target: i64, kind: i64) -> i64:
        """Number of coins on the target: "all of the path's type"."""
        return self.at[self.piles + KINDS * target + kind]

    def half(self) -> i64:
        """Mixed change: "half the coins on the source square, rounded down, go from it to the target"."""
        pawn = self.at[self.pawn + self.turn]
        return self.pile(pawn) // 2 if self.terms.mixed_change and pawn != NONE else 0

    def wanted(self, length: i64) -> i64:
        """Number of coins that a transplant along a path of that length has to place."""
        collect = self.terms.collect
        return length - 1 if collect == TRANSPLANT or collect == TRANSPLANT_AFTER else 0

    def has_room(self, q: i64, target: i64, taken: i64, *, walked: bool) -> bool:
        """Whether a square is empty for a coin of this path, when that many coins were taken from its target.

        "transplant: empty at that moment (after the take and after collecting, before the pawn moves): the target may
        be among them if the take emptied it, the source square may not. transplant-after: the pawn moves first, so
        the source square may be among them if no coin is on it, and the target may not."
        """
        after = self.terms.collect == TRANSPLANT_AFTER
        if q == target:
            return not after and self.pile(q) == taken
        if q == self.at[self.pawn + self.turn]:
            return after and self.pile(q) == 0
        return self.at[self.ways + q] == BARE or (walked and self.pile(q) == 1)

    def cents(self, seat: i64) -> i64:
        """The money of a seat."""
        at = self.at
        held = self.held + KINDS * seat
        return at[held] + 5 * at[held + 1] + 10 * at[held + 2] + 25 * at[held + 3]

    def exits(self, seat: i64) -> i64:
        """How many squares a path of that seat could begin with, were it to move now."""
        at = self.at
        near = self.terms.near
        allowed = COINS | BARE if at[self.renegades + seat] else COINS
        count: i64 = 0
        place = self.starts(seat)
        while near[place] >= 0:
            if at[self.ways + near[place]] & allowed:
                count += 1
            place += 1
        return count

    # Observations

    def shape(self) -> vec[i64]:
        """Seventeen planes, and ten a seat."""
        return array((17 + 10 * self.seats, self.terms.width, self.terms.height))
