"""The board of Coin Isolation: coins, pawns, sides, and a turn made step by step.

The rules are in rules/pages/coin-isolation.md; rules/boards/_coin/paths.py walks whole paths. A turn can hold too much
to list (a path, and its coins), so a move of this board is a *step* of a turn: a square of the path, its end, a clause.
Every legal step can be completed. `turn` and `plies` change when the turn is complete.

Steps are numbered: first the squares, then from `self.first` on END, STAND, RENEGADE, PASS, four SIDEs, four kinds of
COIN, and TAKE 0, 1, 2, …

A game ends. At most as many turns keep a coin as there are coins. Between two of them, before the first and after the
last there are fewer than idle_rounds x seats turns that keep none. So it has at most (coins + 1) x idle_rounds x
seats turns, after at most two picks of a side.
"""

from typing import Final, Self

from quadrille.rules.arrays import array, fill, filled, grown
from quadrille.rules.board import CHANCE, PART, Board
from quadrille.rules.boards._coin.paths import Paths, renegade_paths
from quadrille.rules.boards._coin.terms import (
    BARE,
    CLEANUP,
    COIN,
    COINS,
    DECLARED,
    END,
    FIELDS,
    GIVE_WANTED,
    GIVEN,
    GREEDY,
    IDLE,
    KIND,
    KIND_WANTED,
    KINDS,
    LAID,
    LAYOUT,
    LENGTH,
    MASK,
    NONE,
    PASS,
    PASSES,
    PLACE_WANTED,
    PLACED,
    RENEGADE,
    ROW,
    SEMI_GREEDY,
    SIDE,
    SIDES,
    STAGE,
    STAND,
    STAND_WANTED,
    TAKE,
    TAKE_WANTED,
    TAKEN,
    TRANSPLANT,
    TRANSPLANT_AFTER,
    TURN,
    TURNS,
    WALK,
    WILD,
    CoinTerms,
)
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64, mypyc_attr, vec
from quadrille.rules.observations.layout import BIT, FIGURE, NUMBER, STILL
from quadrille.rules.observations.sight import Sight
from quadrille.rules.patterns.keys import mixed, mixed_all

#: Of a learned evaluation (docs/protocols/learned.md, "Coin Isolation"). A pawn comes to a square in as many turns as
#: the paths to it need while all other pawns stand still.
#: Kinds of distance: 1, 2, 3, 4, 5 or 6, and more turns, and squares that the pawn never comes to.
NEARNESSES: Final = 7
NEVER: Final = 6
#: Kinds of pile: the best coin, and one, two or more coins.
HEAPS: Final = 12
#: Faces of a pile by both distances, and of the squares under the own pawn and another.
APART: Final = HEAPS * NEARNESSES * NEARNESSES
UNDER: Final = HEAPS + 1
LOOKS: Final = APART + 2 * UNDER
#: Periods of a game, and turns of one seat in each.
PERIODS: Final = 4
PERIOD: Final = 5
#: Maximum exits, and kinds of number of squares in reach, of the two side counts.
EXITS: Final = 5
AREAS: Final = 9
#: Maximum paths of a turn that are looked at.
PATHS: Final = 400
#: Number of turns with weights of their own.
STAGES: Final = 64
#: The lead in cents that is as good as won.
SURE: Final = 50


def nearness(turns: i64) -> i64:
    """The kind of a distance of so many turns; 0 turns: never."""
    if turns == 0:
        return NEVER
    return turns - 1 if turns < 5 else 4 if turns < 7 else 5


def area(squares: i64) -> i64:
    """The kind of a number of squares in reach, finer for small ones."""
    if squares < 4:
        return squares
    return 4 if squares < 6 else 5 if squares < 10 else 6 if squares < 16 else 7 if squares < 28 else 8


@mypyc_attr(allow_interpreted_subclasses=True)
class CoinBoard(Board):
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
        "areas", "at", "changes", "edge", "first", "held", "laid", "last_coin", "path", "pawn", "piles", "placed",
        "reached", "renegades", "side", "terms", "top", "trail", "turns", "ways",
    )  # fmt: skip

    at: vec[i64]
    trail: vec[i64]
    top: i64
    changes: i64
    #: For each seat and square the turns to it, 0 for never; room for the search of them; squares in reach by seat.
    turns: vec[i64]
    reached: vec[i64]
    edge: vec[i64]
    areas: vec[i64]

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
        self.make_room()
        self.reset()

    def reset(self) -> None:
        """No side is picked; the coins of a given layout lie, others are to be drawn."""
        terms = self.terms
        self.start_over()
        at = filled(self.laid + KINDS, 0)
        self.at = at
        self.trail = filled(64, 0)
        self.top = 0
        self.changes = 0
        for seat in range(self.seats):
            at[self.pawn + seat] = NONE
            at[self.side + seat] = NONE
        at[KIND] = NONE
        at[STAGE] = LAYOUT
        self.turn = CHANCE
        for q in range(terms.cells):
            at[self.ways + q] = BARE
        if len(terms.layout):
            for q in range(terms.cells):
                self.lay(q, terms.layout[q])
            self.choose_sides()
            self.top = 0

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
        twin.make_room()
        twin.become(self)
        return twin

    def become(self, other: Board) -> None:
        """Take the position of another board on the same terms."""
        assert isinstance(other, CoinBoard)
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

    def unlaid(self, kind: i64) -> i64:
        """How many coins of a kind are still to be drawn: `coins` less those that lie."""
        return self.terms.coins[kind] - self.at[self.laid + kind]

    def ways_now(self) -> vec[i64]:
        """The ways of all squares, as they are now."""
        return self.at[self.ways : self.pawn]

    def paths(self) -> Paths:
        """The paths of the seat to move on which coins are taken; in the middle of a path, its continuations."""
        mask = self.at[MASK] if self.at[STAGE] == WALK else COINS
        return Paths(self.terms.near, self.ways_now(), self.onward(), mask & COINS)

    def renegade_paths(self) -> list[list[i64]]:
        """As `paths`, of a renegade: a shortest path to each target."""
        mask = self.at[MASK] if self.at[STAGE] == WALK else COINS | BARE
        return renegade_paths(self.terms.near, self.ways_now(), self.onward(), mask)

    # Legal steps

    def legal(self) -> i64:
        """Write the legal steps to `moves`, ascending."""
        if self.ended:
            return 0
        stage = self.at[STAGE]
        if stage == WALK:
            return self.legal_squares()
        if stage == TURN or stage == DECLARED:
            return self.legal_beginnings(stage)
        if stage == LAYOUT or stage == SIDES:
            return self.legal_before(stage)
        if stage == PLACE_WANTED:
            return self.legal_places()
        return self.legal_clauses(stage)

    def legal_before(self, stage: i64) -> i64:
        """A coin of a kind that is not all laid; a side that nobody has."""
        moves = self.moves
        at = self.at
        first = self.first
        count: i64 = 0
        if stage == LAYOUT:
            for kind in range(KINDS):
                if self.unlaid(kind):
                    moves[count] = first + COIN + kind
                    count += 1
            return count
        for side in range(4):
            free = True
            for seat in range(self.seats):
                if at[self.side + seat] == side:
                    free = False
            if free:
                moves[count] = first + SIDE + side
                count += 1
        return count

    def legal_beginnings(self, stage: i64) -> i64:
        """ "With at least one legal path the player must move; with none the one legal move is `pass`." """
        moves = self.moves
        at = self.at
        ways = self.ways
        first = self.first
        near = self.terms.near
        allowed = self.allowed()
        count: i64 = 0
        beyond = False
        place = self.starts(self.turn)
        q = near[place]
        while q >= 0:
            way = at[ways + q]
            if way & allowed:
                moves[count] = q
                count += 1
            elif way:
                beyond = True
            place += 1
            q = near[place]
        if stage == DECLARED:
            return count
        paths = count
        if self.can_stand():
            moves[count] = first + STAND
            count += 1
        may_pass = count == 0
        # "from any turn of its own on, a player may be a renegade"; "may pass or turn renegade" where it has no path
        if self.terms.renegade and not at[self.renegades + self.turn] and (paths or beyond):
            moves[count] = first + RENEGADE
            count += 1
        if may_pass:
            moves[count] = first + PASS
            count += 1
        return count

    def legal_squares(self) -> i64:
        """ "each further square is adjacent to the one before it", and the path may end with any square."""
        moves = self.moves
        at = self.at
        ways = self.ways
        near = self.terms.near
        mask = at[MASK]
        count: i64 = 0
        place = ROW * self.target()
        q = near[place]
        while q >= 0:
            if at[ways + q] & mask:
                moves[count] = q
                count += 1
            place += 1
            q = near[place]
        moves[count] = self.first + END
        return count + 1

    def legal_clauses(self, stage: i64) -> i64:
        """The type of the path or of the coin to stand for; how many to take; the next coin to give."""
        moves = self.moves
        at = self.at
        first = self.first
        count: i64 = 0
        if stage == TAKE_WANTED:
            for taken in range(self.most(self.target(), at[KIND]) + 1):
                moves[count] = first + TAKE + taken
                count += 1
            return count
        pawn = at[self.pawn + self.turn]
        types = at[MASK] if stage == KIND_WANTED else self.types(pawn)
        for kind in range(KINDS):
            if stage == GIVE_WANTED:
                fits = self.can_give(pawn, kind)
            else:
                fits = types >> kind & 1 == 1
            if fits:
                moves[count] = first + COIN + kind
                count += 1
        return count

    def can_give(self, pawn: i64, kind: i64) -> bool:
        """Coins are given p before n before d before q: whether there is one of this kind, and enough from it on."""
        at = self.at
        wanted = self.half()
        source = self.piles + KINDS * pawn
        if at[GIVEN + kind] == at[source + kind]:
            return False
        left: i64 = 0
        for k in range(KINDS):
            wanted -= at[GIVEN + k]
            if k > kind and at[GIVEN + k]:
                return False
            if k >= kind:
                left += at[source + k] - at[GIVEN + k]
        return left >= wanted

    def legal_places(self) -> i64:
        """Squares for the coins of a transplant, ascending, while enough are left for the rest."""
        at = self.at
        moves = self.moves
        target = self.target()
        rooms: i64 = 0
        for q in range(self.terms.cells):
            if self.has_room(q, target, at[TAKEN], walked=self.walked(q)):
                moves[rooms] = q
                rooms += 1
        last = at[self.placed + at[PLACED] - 1] if at[PLACED] else NONE
        spare = rooms - (self.wanted(at[LENGTH]) - at[PLACED])
        count: i64 = 0
        for i in range(spare + 1):
            if moves[i] > last:
                moves[count] = moves[i]
                count += 1
        return count

    def walked(self, q: i64) -> bool:
        """Whether the path in the making has this square."""
        at = self.at
        for i in range(at[LENGTH]):
            if at[self.path + i] == q:
                return True
        return False

    # Effects of steps

    def apply(self, move: i64) -> None:
        """Make a step."""
        mark = self.top
        turn = self.turn
        plies = self.plies
        ended = self.ended
        self.step(move)
        self.note(turn, plies)
        self.note(1 if ended else 0, mark)

    def make(self, move: i64) -> None:
        """As `apply`, without undo."""
        self.step(move)
        self.changes = self.top
        self.top = 0

    def step(self, move: i64) -> None:
        """Make a step that `legal` listed."""
        at = self.at
        stage = at[STAGE]
        step = move - self.first
        if stage == LAYOUT:
            self.lay(self.terms.reading[at[LAID]], step - COIN)
        elif stage == PLACE_WANTED:
            self.put(self.placed + at[PLACED], move)
            self.put(PLACED, at[PLACED] + 1)
            if at[PLACED] == self.wanted(at[LENGTH]):
                self.walk_ends()
        elif step < 0:
            self.put(MASK, (at[MASK] if stage == WALK else self.allowed()) & at[self.ways + move])
            self.put(self.path + at[LENGTH], move)
            self.put(LENGTH, at[LENGTH] + 1)
            self.put(self.ways + move, 0)
            self.put(STAGE, WALK)
        elif step >= TAKE:
            self.take(step - TAKE)
        elif step >= COIN:
            self.choose_coin(stage, step - COIN)
        elif step >= SIDE:
            self.choose_side(step - SIDE)
        elif step == PASS:
            self.plies += 1
            self.turn_ends(keeps=False, passes=True)
        elif step == RENEGADE:
            self.put(WILD, 1)
            self.put(STAGE, DECLARED)
        elif step == STAND:
            self.put(STAGE, STAND_WANTED)
            self.only_coin(self.types(at[self.pawn + self.turn]))
        elif self.allowed() & BARE:
            self.walk_ends()
        else:
            self.put(STAGE, KIND_WANTED)
            self.only_coin(at[MASK])

    def lay(self, q: i64, kind: i64) -> None:
        """A coin of the layout lies on a square (NONE: the square stays empty)."""
        if kind != NONE:
            self.put(self.piles + KINDS * q + kind, 1)
            self.put(self.laid + kind, self.at[self.laid + kind] + 1)
            self.refresh(q)
        self.put(LAID, self.at[LAID] + 1)
        if self.turn == CHANCE and self.at[LAID] == self.terms.cells:
            self.choose_sides()

    def choose_sides(self) -> None:
        """ "The last seat picks its side first"; the seat with the opposite side picks none; with 3 and 4 seats one
        more.

        If the seat that should pick has left, the one with the opposite side picks.
        """
        at = self.at
        side = self.side
        last = self.seats - 1
        self.put(STAGE, SIDES)
        for pick in range(1 if last == 1 else 2):
            chooser = last if pick == 0 else 2 if last == 3 else 0
            other = self.opposite(chooser)
            if self.left[chooser]:
                chooser = other
            if chooser != NONE and not self.left[chooser] and at[side + chooser] == NONE:
                self.turn = chooser
                return
        self.put(STAGE, TURN)
        self.turn = 0
        if self.left[0]:
            self.turn_ends(keeps=False, passes=True)

    def opposite(self, seat: i64) -> i64:
        """The seat with the opposite side; NONE in a game of three without such a seat."""
        if self.seats == 2:
            return 1 - seat
        if self.seats == 3:
            return NONE if seat == 0 else 3 - seat
        return (seat + 2) % 4

    def choose_side(self, chosen: i64) -> None:
        """Give a side to a seat, and the opposite one to its seat."""
        other = self.opposite(self.turn)
        self.put(self.side + self.turn, chosen)
        if other != NONE:
            self.put(self.side + other, chosen ^ 1)
        self.plies += 1
        self.choose_sides()

    def only_coin(self, types: i64) -> None:
        """If there is only one kind, nobody is asked."""
        for kind in range(KINDS):
            if types == 1 << kind:
                self.choose_coin(self.at[STAGE], kind)

    def choose_coin(self, stage: i64, kind: i64) -> None:
        """The kind of the path, of the coin kept by standing still, or of a coin given."""
        at = self.at
        if stage == GIVE_WANTED:
            self.put(GIVEN + kind, at[GIVEN + kind] + 1)
            if self.half() == at[GIVEN] + at[GIVEN + 1] + at[GIVEN + 2] + at[GIVEN + 3]:
                self.coins_go()
            return
        self.put(KIND, kind)
        if stage == STAND_WANTED:
            pawn = at[self.pawn + self.turn]
            self.keep(pawn, kind, 1)
            self.plies += 1
            self.turn_ends(keeps=True, passes=False)
        elif self.terms.take == SEMI_GREEDY:
            self.put(STAGE, TAKE_WANTED)
        else:
            self.take(self.most(self.target(), kind) if self.terms.take == GREEDY else 1)

    def take(self, count: i64) -> None:
        """Set the number of coins to keep; next, half the coins of the source are chosen if there is a choice."""
        at = self.at
        self.put(TAKEN, count)
        half = self.half()
        if half:
            types = self.types(at[self.pawn + self.turn])
            if types & (types - 1):
                self.put(STAGE, GIVE_WANTED)
                return
            for kind in range(KINDS):
                if types == 1 << kind:
                    self.put(GIVEN + kind, half)
        self.coins_go()

    def coins_go(self) -> None:
        """Everything is chosen except the targets of a transplant."""
        if self.wanted(self.at[LENGTH]):
            self.put(STAGE, PLACE_WANTED)
        else:
            self.walk_ends()

    def keep(self, q: i64, kind: i64, count: i64) -> None:
        """The player keeps coins of a square."""
        self.add(q, kind, -count)
        held = self.held + KINDS * self.turn + kind
        self.put(held, self.at[held] + count)
        self.refresh(q)

    def add(self, q: i64, kind: i64, count: i64) -> None:
        """Coins come to a square, or go when count is negative."""
        place = self.piles + KINDS * q + kind
        self.put(place, self.at[place] + count)

    def refresh(self, q: i64) -> None:
        """Set the `ways` of a square by what is on it."""
        way = self.types(q)
        if way == 0:
            way = BARE
        for seat in range(self.seats):
            if self.at[self.pawn + seat] == q:
                way = 0
        self.put(self.ways + q, way)

    def walk_ends(self) -> None:
        """The path is complete: coins, then the pawn."""
        at = self.at
        seat = self.turn
        target = self.target()
        source = at[self.pawn + seat]
        wild = self.allowed() & BARE != 0
        if wild:
            # "A renegade keeps no coins and moves none: only the pawn moves."
            self.put(self.renegades + seat, 1)
        else:
            self.move_coins(target, source)
        self.put(self.pawn + seat, target)
        self.free_path()
        for i in range(at[PLACED]):
            self.refresh(at[self.placed + i])
        if source != NONE:
            self.refresh(source)
        self.plies += 1
        self.turn_ends(keeps=not wild and at[TAKEN] > 0, passes=False)

    def free_path(self) -> None:
        """The squares of the path are ways again, as what is on them allows."""
        for i in range(self.at[LENGTH]):
            self.refresh(self.at[self.path + i])

    def move_coins(self, target: i64, source: i64) -> None:
        """Keep, collect, give, place."""
        at = self.at
        kind = at[KIND]
        self.keep(target, kind, at[TAKEN])
        collected: i64 = 0
        for i in range(at[LENGTH] - 1):
            q = at[self.path + i]
            count = self.most(q, kind) if self.terms.collect == CLEANUP else 1
            self.add(q, kind, -count)
            collected += count
        for k in range(KINDS):
            if at[GIVEN + k]:
                self.add(source, k, -at[GIVEN + k])
                self.add(target, k, at[GIVEN + k])
        if at[PLACED]:
            for i in range(at[PLACED]):
                self.add(at[self.placed + i], kind, 1)
        elif collected:
            self.add(target, kind, collected)

    # How a turn ends, and the game

    def turn_ends(self, *, keeps: bool, passes: bool) -> None:
        """Count the turn, clear its steps, and pass to the next seat; "a seat that is out … counts as its pass"."""
        at = self.at
        seat = self.turn
        self.put(TURNS, at[TURNS] + 1)
        self.put(PASSES, at[PASSES] + 1 if passes else 0)
        self.put(IDLE, 0 if keeps else at[IDLE] + 1)
        if keeps:
            self.put(self.last_coin + seat, at[TURNS])
        self.clear_steps()
        while True:
            self.end_or_not()
            if self.ended:
                return
            seat = (seat + 1) % self.seats
            if not self.left[seat]:
                self.turn = seat
                return
            self.put(TURNS, at[TURNS] + 1)
            self.put(PASSES, at[PASSES] + 1)
            self.put(IDLE, at[IDLE] + 1)

    def clear_steps(self) -> None:
        """No step of a turn is made."""
        for place in range(WILD, FIELDS):
            self.put(place, 0)
        self.put(KIND, NONE)
        self.put(STAGE, TURN)

    def end_or_not(self) -> None:
        """End: all passed one after another; nobody kept a coin for `idle_rounds` rounds; all are renegades."""
        at = self.at
        idle = self.terms.idle_rounds * self.seats
        if at[PASSES] >= self.seats or at[IDLE] >= idle or self.all_renegades():
            self.ended = True

    def all_renegades(self) -> bool:
        """Whether every seat still in is a renegade."""
        for seat in range(self.seats):
            if self.left[seat] == 0 and self.at[self.renegades + seat] == 0:
                return False
        return True

    def after_leaving(self, seat: i64) -> None:
        """The turns of a seat that is out count as its pass; its pawn stays."""
        stage = self.at[STAGE]
        if self.ended or stage == LAYOUT:
            return
        if stage == SIDES:
            self.choose_sides()
        elif self.turn == seat:
            self.free_path()
            self.turn_ends(keeps=False, passes=True)
        else:
            self.end_or_not()

    def compare(self, one: i64, other: i64) -> i64:
        """ "Most money. Equal money: who took a coin most recently is ahead." """
        lead = self.cents(one) - self.cents(other)
        if lead == 0:
            lead = self.at[self.last_coin + one] - self.at[self.last_coin + other]
        return lead

    # For search and playouts

    def face(self, dice: Dice) -> i64:
        """Each coin that is still to be laid is as likely as any other."""
        total: i64 = 0
        kinds: i64 = 0
        for kind in range(KINDS):
            unlaid = self.unlaid(kind)
            total += unlaid
            kinds += 1 if unlaid else 0
        chosen = dice.below(total) if kinds > 1 else 0
        kind = 0
        while chosen >= self.unlaid(kind):
            chosen -= self.unlaid(kind)
            kind += 1
        return self.first + COIN + kind

    def playout(self, dice: Dice) -> None:
        """Random steps to the end of the game, never to be taken back."""
        count = self.legal()
        while count:
            self.make(self.moves[dice.below(count)])
            count = self.legal()

    def estimate(self, seat: i64) -> i64:
        """The lead in cents over each other seat, and a little for each way to go on."""
        total: i64 = 0
        own = 2 * self.cents(seat) + self.exits(seat)
        for other in range(self.seats):
            if other != seat:
                total += own - 2 * self.cents(other) - self.exits(other)
        return PART // 128 * total

    # Observations

    def largest(self) -> i64:
        """A coin on each square, or turns without a coin."""
        return max(self.terms.cells, self.terms.idle_rounds * self.seats)

    def shape(self) -> vec[i64]:
        """Seventeen planes, and ten a seat."""
        return array((17 + 10 * self.seats, self.terms.width, self.terms.height))

    def packing(self) -> vec[i64]:
        """A square has coins, a place in the path, and bits; all else is said once."""
        seats = self.seats
        kinds = [NUMBER] * 5 + [BIT] + [FIGURE] * 11 + [BIT] * (2 * seats)
        return array(kinds + [STILL] * seats + [FIGURE] * (2 * seats) + [STILL] * seats + [FIGURE] * (KINDS * seats))

    def observe(self, seat: i64) -> vec[i64]:
        """0 to 3 coins by kind; of the unfinished turn 4 the path, from 1 on, 5 squares of a transplant, 6 stage, 7
        kind + 1, 8 coins taken; 9 a renegade as of now; 10 to 13 coins given by kind; 14 turns without a coin; 15
        passes one after another; 16 the number of the seat; then what `paint_seat` says, a plane a seat each.
        """
        return self.observed(seat)

    def paint(self, sight: Sight, seat: i64) -> None:
        """As `observe` says."""
        at = self.at
        place = self.piles
        for q in range(self.terms.cells):
            for kind in range(KINDS):
                if at[place]:
                    sight.put(kind, q, at[place])
                place += 1
        for i in range(at[LENGTH]):
            sight.put(4, at[self.path + i], i + 1)
        for i in range(at[PLACED]):
            sight.put(5, at[self.placed + i], 1)
        self.paint_turn(sight)
        self.paint_seats(sight, seat)

    def repaint(self, move: i64, sight: Sight) -> None:
        """A turn changes its path and its figures, and only its end moves coins and pawns."""
        at = self.at
        stage = at[STAGE]
        if stage > TURN:
            if move < self.first:
                if stage == PLACE_WANTED:
                    sight.put(5, move, 1)
                else:
                    sight.put(4, move, at[LENGTH])
            self.paint_turn(sight)
            return
        for i in range(0, self.changes, 2):
            pile = self.trail[i] - self.piles
            if 0 <= pile < KINDS * self.terms.cells:
                sight.change(pile % KINDS, pile // KINDS, at[self.trail[i]])
        sight.wipe(4, 6)
        sight.wipe(17, 17 + 2 * self.seats)
        self.paint_turn(sight)
        self.paint_seats(sight, self.turn)

    def paint_turn(self, sight: Sight) -> None:
        """Planes 6 to 13, of the unfinished turn."""
        at = self.at
        sight.fill(6, at[STAGE])
        sight.fill(7, at[KIND] + 1)
        sight.fill(8, at[TAKEN])
        sight.fill(9, at[WILD])
        for kind in range(KINDS):
            sight.fill(10 + kind, at[GIVEN + kind])

    def paint_seats(self, sight: Sight, seat: i64) -> None:
        """Planes 14 and up."""
        sight.fill(14, self.at[IDLE])
        sight.fill(15, self.at[PASSES])
        sight.fill(16, seat)
        for whose in range(self.seats):
            self.paint_seat(sight, seat, whose)

    def paint_seat(self, sight: Sight, seat: i64, whose: i64) -> None:
        """Of the seat `whose` places on: pawn; the first row of its side; to move; a renegade; how late its last coin
        was; left, 1 as the first. After these planes of all seats the coins that it keeps by kind, 4 planes a seat.
        """
        at = self.at
        seats = self.seats
        near = self.terms.near
        other = (seat + whose) % seats
        plane = 17 + whose
        if at[self.pawn + other] != NONE:
            sight.put(plane, at[self.pawn + other], 1)
        if at[self.side + other] != NONE:
            place = ROW * (self.terms.cells + at[self.side + other])
            while near[place] >= 0:
                sight.put(plane + seats, near[place], 1)
                place += 1
        sight.fill(plane + 2 * seats, 1 if self.turn == other else 0)
        sight.fill(plane + 3 * seats, at[self.renegades + other])
        sight.fill(plane + 4 * seats, self.lateness(other))
        sight.fill(plane + 5 * seats, self.left[other])
        for kind in range(KINDS):
            sight.fill(17 + 6 * seats + KINDS * whose + kind, at[self.held + KINDS * other + kind])

    def lateness(self, seat: i64) -> i64:
        """The place of a seat's last coin among those of all seats, 1 for the longest ago; 0 for a seat without one."""
        at = self.at
        last = at[self.last_coin + seat]
        found: i64 = 0
        for other in range(self.seats):
            if 0 < at[self.last_coin + other] <= last:
                found += 1
        return found

    # For a learned evaluation (docs/protocols/learned.md, "Coin Isolation"): turns to squares

    def make_room(self) -> None:
        """Arrays for the search of distances; nothing in them is part of the position."""
        cells = self.terms.cells
        self.turns = filled(self.seats * cells, 0)
        self.reached = filled(cells, 0)
        self.edge = filled(cells, 0)
        self.areas = filled(self.seats, 0)

    def find_turns(self, seat: i64) -> None:
        """Write the turns to each square for that seat, turn by turn from where its pawn is."""
        mine = seat * self.terms.cells
        fill(self.turns, mine, self.terms.cells, 0)
        fill(self.reached, 0, self.terms.cells, 0)
        count: i64 = 0
        if self.at[self.pawn + seat] != NONE or self.at[self.side + seat] != NONE:
            count = self.spread(self.starts(seat), COINS, 1, mine, 0)
        done: i64 = 0
        while done < count:
            q = self.edge[done]
            done += 1
            count = self.spread(ROW * q, COINS, self.turns[mine + q] + 1, mine, count)
        self.areas[seat] = count

    def spread(self, place: i64, kinds: i64, turn: i64, mine: i64, count: i64) -> i64:
        """Reach all squares of the paths over these kinds that go on in a row of `near`; new ones go to `edge`."""
        near = self.terms.near
        at = self.at
        ways = self.ways
        reached = self.reached
        q = near[place]
        while q >= 0:
            fresh = at[ways + q] & kinds & ~reached[q]
            if fresh:
                if reached[q] == 0:
                    self.turns[mine + q] = turn
                    self.edge[count] = q
                    count += 1
                reached[q] |= fresh
                count = self.spread(ROW * q, fresh, turn, mine, count)
            place += 1
            q = near[place]
        return count

    # For a learned evaluation: faces for patterns

    def sheet(self) -> vec[i64]:
        """Single squares of a board of any size; no window is larger, because distances say what lies between."""
        terms = self.terms
        return array((terms.width, terms.height, terms.height, 0, 1 + 2 * PERIODS * LOOKS, 0, 1, 1))

    def side_counts(self) -> vec[i64]:
        """Exits of both pawns, and squares in reach of both: each with whose turn it is, and whether they can meet."""
        return array((1 + 4 * EXITS * EXITS, 1 + 4 * AREAS * AREAS))

    def earned(self, seat: i64) -> i64:
        """The cents of a seat."""
        return self.cents(seat)

    def sure(self) -> i64:
        """Half of what is usual in a whole game."""
        return SURE

    def stage(self) -> i64:
        """The turn, while it is early."""
        return min(self.plies, STAGES - 1)

    def stages(self) -> i64:
        """The turns with weights of their own."""
        return STAGES

    def heap(self, q: i64) -> i64:
        """The kind of the pile on a square, from 1; 0 without coins."""
        types = self.types(q)
        if types == 0:
            return 0
        best: i64 = 3 if types & 8 else 2 if types & 4 else 1 if types & 2 else 0
        return 3 * best + min(self.pile(q), 3)

    def period(self) -> i64:
        """The part of the game that this turn belongs to."""
        return min(self.plies // (PERIOD * self.seats), PERIODS - 1)

    def see_all(self) -> None:
        """Tell the patterns all that they see of this position between two turns."""
        patterns = self.patterns
        assert patterns is not None
        for seat in range(self.seats):
            self.find_turns(seat)
        cells = self.terms.cells
        for seat in range(self.seats):
            first = 2 * self.period() + (1 if self.turn == seat else 0)
            self.see_squares(seat, 1 + first * LOOKS)
            meets = 0
            other = self.nearest(seat)
            for q in range(cells):
                if self.turns[seat * cells + q] and self.turns[other * cells + q]:
                    meets = 1
                    break
            known = 2 * meets + (1 if self.turn == seat else 0)
            exits = EXITS * min(self.exits(seat), EXITS - 1) + min(self.exits(other), EXITS - 1)
            patterns.see(seat, cells, 1 + known * EXITS * EXITS + exits)
            areas = AREAS * area(self.areas[seat]) + area(self.areas[other])
            patterns.see(seat, cells + 1, 1 + known * AREAS * AREAS + areas)

    def nearest(self, seat: i64) -> i64:
        """The other seat with the largest area."""
        found: i64 = NONE
        for other in range(self.seats):
            if other != seat and (found == NONE or self.areas[other] > self.areas[found]):
                found = other
        return found

    def see_squares(self, seat: i64, first: i64) -> None:
        """Tell a seat's patterns the face of each square; `first` is that of one penny next to both pawns."""
        patterns = self.patterns
        assert patterns is not None
        cells = self.terms.cells
        turns = self.turns
        for q in range(cells):
            way = self.at[self.ways + q]
            face: i64 = 0
            if way & COINS:
                least: i64 = 0
                for other in range(self.seats):
                    if other != seat:
                        there = turns[other * cells + q]
                        if there and (least == 0 or there < least):
                            least = there
                near = nearness(turns[seat * cells + q])
                face = first + ((self.heap(q) - 1) * NEARNESSES + near) * NEARNESSES + nearness(least)
            elif way == 0:
                face = first + APART + self.heap(q)
                if self.at[self.pawn + seat] != q:
                    face += UNDER
            patterns.see(seat, q, face)

    def renew(self, square: i64) -> None:
        """All is seen anew at each look: one turn changes distances all over the board."""

    def look(self) -> None:
        """Write what each seat can expect; in the middle of a turn, as if it ended the shortest way."""
        if self.at[STAGE] > TURN and not self.ended:
            made = self.finish()
            self.look()
            for _ in range(made):
                self.undo()
            return
        if not self.ended:
            self.see_all()
        super().look()

    def finish(self) -> i64:
        """End the turn: a path with its last square, and with the last choice of each clause; return the steps made.

        `moves` stays as it is.
        """
        listed = self.moves
        plies = self.plies
        made: i64 = 0
        while self.plies == plies:
            step = self.first + END
            if self.at[STAGE] != WALK:
                self.moves = listed[:]
                step = self.moves[self.legal() - 1]
            self.apply(step)
            made += 1
        self.moves = listed
        return made

    # For a learned evaluation: the best turn at sight

    def foremost(self) -> vec[i64]:
        """The steps of the turn after which the mover expects the largest lead, of at most PATHS paths."""
        if self.turn == CHANCE or self.ended:
            return filled(0, 0)
        patterns = self.patterns
        assert patterns is not None
        seat = self.turn
        best = filled(0, 0)
        highest: i64 = 0
        count = self.legal()
        steps = self.moves[:count]
        renegade = self.at[self.renegades + seat] == 1
        for i in range(count):
            if steps[i] >= self.first or renegade:
                self.look_after(steps[i])
                lead = patterns.lead(seat)
                if len(best) == 0 or lead > highest:
                    highest = lead
                    best = steps[i : i + 1]
        if self.at[STAGE] == TURN and not renegade and steps[0] < self.first:
            walk = self.paths()
            tried: i64 = 0
            while tried < PATHS and walk.go_on():
                tried += 1
                length = walk.length
                for i in range(length):
                    self.apply(walk.path[i])
                self.look()
                for _ in range(length):
                    self.undo()
                lead = patterns.lead(seat)
                if len(best) == 0 or lead > highest:
                    highest = lead
                    best = walk.path[:length]
        return self.completed(best)

    def completed(self, begun: vec[i64]) -> vec[i64]:
        """These steps and those that complete the turn: each the best at sight, and no more squares of a path."""
        patterns = self.patterns
        assert patterns is not None
        seat = self.turn
        plies = self.plies
        whole = filled(len(begun) + 4 + 2 * self.terms.cells, 0)
        made: i64 = 0
        for step in begun:
            self.apply(step)
            whole[made] = step
            made += 1
        while self.plies == plies:
            count = self.legal()
            chosen = self.moves[count - 1]
            if self.at[STAGE] != WALK and count > 1:
                steps = self.moves[:count]
                highest: i64 = 0
                for i in range(count):
                    self.look_after(steps[i])
                    lead = patterns.lead(seat)
                    if i == 0 or lead > highest:
                        highest = lead
                        chosen = steps[i]
            self.apply(chosen)
            whole[made] = chosen
            made += 1
        for _ in range(made):
            self.undo()
        return whole[:made]
