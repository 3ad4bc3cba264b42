"""The board of Coin Isolation: coins, pawns, sides, and a turn made step by step. The rules for players are in page.md.

A turn can hold too much to list (a path, and its coins), so a move of this board is a *step* of a turn: a square of the
path, its end, a clause. Every legal step can be completed. `turn` and `plies` change when the turn is complete.
`CoinBoard.ask` alone knows the order of the parts of a turn; notation, lists and refusals follow the board's stages.

A game ends. At most as many turns keep a coin as there are coins. Between two of them, before the first and after the
last there are fewer than idle_rounds x seats turns that keep none. So it has at most (coins + 1) x idle_rounds x
seats turns, after at most two picks of a side.
"""

from collections.abc import Iterator, Sequence
from typing import Final, Self

from quadrille.rules.arrays import array, fill, filled, packed
from quadrille.rules.board import CHANCE, PART, FlatBoard
from quadrille.rules.dice import Dice
from quadrille.rules.games.coin_isolation.paths import BARE, KINDS, ROW, coin_paths, renegade_paths
from quadrille.rules.ints import ONE, ZERO, i64, mypyc_attr, vec
from quadrille.rules.native.fields import fields_of, made
from quadrille.rules.patterns.keys import mixed, mixed_all

COINS: Final[i64] = (1 << KINDS) - 1
NONE: Final = -1

#: The option for the number of coins kept.
KEEP_ONE: Final = 0
GREEDY: Final = 1
SEMI_GREEDY: Final = 2
#: The options for collected coins.
PILE: Final = 0
TRANSPLANT: Final = 1
TRANSPLANT_AFTER: Final = 2
CLEANUP: Final = 3

#: The steps after the squares, counted from `CoinBoard.first`: four sides, four kinds of coin, take 0, 1, 2, …
END: Final = 0
STAND: Final = 1
RENEGADE: Final = 2
PASS: Final = 3
SIDE: Final = 4
COIN: Final = 8
TAKE: Final = 12

#: The stage of the next step: the layout's next coin, a side, a turn's beginning (DECLARED: as a new renegade), the
#: next square of a path, or a clause.
LAYOUT: Final = 0
SIDES: Final = 1
TURN: Final = 2
DECLARED: Final = 3
WALK: Final = 4
KIND_WANTED: Final = 5
TAKE_WANTED: Final = 6
GIVE_WANTED: Final = 7
PLACE_WANTED: Final = 8
STAND_WANTED: Final = 9

#: Indices in `CoinBoard.at`: counters, and the unfinished turn.
TURNS: Final = 0
PASSES: Final = 1
IDLE: Final = 2
LAID: Final = 3
STAGE: Final = 4
WILD: Final = 5
MASK: Final = 6
LENGTH: Final = 7
KIND: Final = 8
TAKEN: Final = 9
PLACED: Final = 10
GIVEN: Final = 11
FIELDS: Final = GIVEN + KINDS


def only(types: i64) -> i64:
    """Return the one kind among these bits; NONE if there are several, or none."""
    for kind in range(KINDS):
        if types == 1 << kind:
            return kind
    return NONE


@mypyc_attr(allow_interpreted_subclasses=True)
class CoinTerms:
    """The agreement before the game: sheet, coins, variants. Shared by boards, never changed.

    `near` has a row of ROW places for each square, with its adjacent squares, and after these one for each side, with
    its first row of squares: where a path can go on, or begin. An unused place holds -1.
    """

    __slots__ = (
        "cells", "coins", "collect", "height", "idle_rounds", "layout", "mixed_change", "near", "reading", "renegade",
        "standing_still", "take", "width",
    )  # fmt: skip

    take: i64
    collect: i64
    idle_rounds: i64

    def __init__(
        self, width: i64, height: i64, near: Sequence[Sequence[int]], layout: Sequence[int], coins: Sequence[int]
    ) -> None:
        """Note for each square q: `near[q]`, the squares adjacent to it, and `layout[q]`, its coin's kind, or NONE.

        Without a layout, `coins` are to be drawn, by number of each kind.
        """
        self.coins = array(coins)
        self.width = width
        self.height = height
        self.cells = width * height
        self.layout = array(layout)
        self.take = KEEP_ONE
        self.collect = PILE
        self.mixed_change = False
        self.standing_still = False
        self.renegade = False
        self.idle_rounds = 8
        # "in reading order, a8 to h8, then row 7 and so on"
        self.reading = array([column * height + row for row in range(height - 1, -1, -1) for column in range(width)])
        # The first rows of south, north, west and east; a side's opposite is its number with the last bit changed.
        south = list(range(0, width * height, height))
        west = list(range(height))
        north = [q + height - 1 for q in south]
        east = [q + width * height - height for q in west]
        self.near = packed([*near, south, north, west, east], ROW)

    def __reduce__(self) -> tuple[object, ...]:
        return made, (CoinTerms, fields_of(self))


@mypyc_attr(allow_interpreted_subclasses=True)
class CoinBoard(FlatBoard):
    """A position, and the steps of the unfinished turn.

    In `at`, after the counted FIELDS, come at the places named by these attributes: `piles` (4 numbers a square: coins
    of each kind), `ways`, `pawn`, `side`, `held` (4 a seat: coins kept), `renegades`, `last_coin`, `path`, `placed`
    (for transplants), `laid` (coins of each kind that the layout has so far). The first `changes` numbers of `changed`
    are the squares on which the last step may have changed coins.

    `ways` has for each square a bit for each kind of coin on it, BARE if there is none, and 0 under a pawn or on the
    unfinished path: a path is legal while the `ways` of its squares have a common bit.
    """

    __slots__ = (
        "changed", "changes", "first", "held", "laid", "last_coin", "path", "pawn", "piles", "placed", "renegades",
        "side", "terms", "ways",
    )  # fmt: skip

    changed: vec[i64]
    changes: i64
    piles: i64

    def __init__(self, seats: i64, terms: CoinTerms) -> None:
        super().__init__(seats, terms.cells + TAKE + 2 * terms.cells)
        self.arrange(terms)
        self.reset()

    def arrange(self, terms: CoinTerms) -> None:
        """Find the places in `at`."""
        seats = self.seats
        self.terms = terms
        self.first = terms.cells
        self.piles = FIELDS
        self.ways = FIELDS + KINDS * terms.cells
        self.pawn = self.ways + terms.cells
        self.side = self.pawn + seats
        self.held = self.side + seats
        self.renegades = self.held + KINDS * seats
        self.last_coin = self.renegades + seats
        self.path = self.last_coin + seats
        self.placed = self.path + terms.cells
        self.laid = self.placed + terms.cells
        self.changed = filled(2 * terms.cells + 1, 0)
        self.changes = 0

    def reset(self) -> None:
        """Reset to no side picked; the coins of a given layout lie, others are to be drawn."""
        terms = self.terms
        self.start_over()
        self.clear(self.laid + KINDS)
        at = self.at
        for seat in range(self.seats):
            # "The pawns do not begin the game on the board"
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

    def copy(self) -> Self:
        twin = self.twin()
        twin.arrange(self.terms)
        twin.moves = self.moves[:]
        return twin

    def key(self) -> i64:
        """Mix everything except the number of turns, including the unfinished turn."""
        at = self.at
        key = mixed_all(mixed(mixed(0, self.turn), at[PASSES]), self.left)
        for place in range(IDLE, self.path + at[LENGTH]):
            key = mixed(key, at[place])
        for i in range(at[PLACED]):
            key = mixed(key, at[self.placed + i])
        return key

    # Queries

    def pile(self, q: i64) -> i64:
        """Return the number of coins on a square."""
        at = self.at
        p = self.piles + KINDS * q
        return at[p] + at[p + 1] + at[p + 2] + at[p + 3]

    def most(self, q: i64, kind: i64) -> i64:
        """Return the number of coins of a kind on a square."""
        return self.at[self.piles + KINDS * q + kind]

    def types(self, q: i64) -> i64:
        """Return the kinds of coin on a square, as bits."""
        at = self.at
        p = self.piles + KINDS * q
        return (1 if at[p] else 0) | (2 if at[p + 1] else 0) | (4 if at[p + 2] else 0) | (8 if at[p + 3] else 0)

    def starts(self, seat: i64) -> i64:
        """Return the index in `terms.near` of the squares where a path of that seat can begin.

        "For a player's first turn, the path begins with a square on the first row of that player's side of the board
        (including the corners). For any other turn, the path begins with a square adjacent to the source square."
        """
        pawn = self.at[self.pawn + seat]
        return ROW * (pawn if pawn != NONE else self.terms.cells + self.at[self.side + seat])

    def source(self) -> i64:
        """Return "the square that a player's pawn is standing on"; NONE on the first turn."""
        return self.at[self.pawn + self.turn]

    def target(self) -> i64:
        """Return the target. "The target square of a path is the last square on that path." """
        return self.at[self.path + self.at[LENGTH] - 1]

    def is_wild(self) -> bool:
        """Return whether the turn is that of a renegade, or of a player who becomes one with it."""
        return self.at[WILD] + self.at[self.renegades + self.turn] > 0

    def allowed(self) -> i64:
        """Return the kinds that the path of this turn may run over: of a renegade also "a sequence in which all of the
        squares are empty".
        """
        at = self.at
        return COINS | BARE if at[WILD] or at[self.renegades + self.turn] else COINS

    def can_stand(self) -> bool:
        """Return whether the player may stand still. "If the source square has any coins on it, the player may, instead
        of forming a path, leave his/her pawn on the source square"; "A renegade player may not take any coins".
        """
        return bool(self.terms.standing_still and not self.is_wild() and self.source() != NONE
                    and self.pile(self.source()) > 0)  # fmt: skip

    def half(self) -> i64:
        """Return, in mixed change, "half of the coins on the source square, rounded down"."""
        if not self.terms.mixed_change or self.source() == NONE:
            return 0
        return self.pile(self.source()) // 2

    def gives(self) -> bool:
        """Return whether, in mixed change, it is a choice which coins go along from the source square."""
        return self.half() > 0 and only(self.types(self.source())) == NONE

    def kept(self, target: i64, kind: i64) -> i64:
        """Return the number of coins kept. "The player takes and keeps one coin from the target square"; Greedy: "all
        of the coins". Mixed change: "a coin of the type that the player used to create the path".
        """
        return self.most(target, kind) if self.terms.take == GREEDY else ONE

    def asks(self) -> bool:
        """Return whether a path of this turn can need a clause (`ask`)."""
        terms = self.terms
        return not self.is_wild() and (terms.mixed_change or terms.take == SEMI_GREEDY or self.wanted(2) > 0)

    def wanted(self, length: i64) -> i64:
        """Return the number of coins that a transplant along a path of that length has to place."""
        collect = self.terms.collect
        return length - 1 if collect == TRANSPLANT or collect == TRANSPLANT_AFTER else ZERO

    def cents(self, seat: i64) -> i64:
        """Return the cents of a seat. "The coins are worth their standard monetary values." """
        at = self.at
        held = self.held + KINDS * seat
        return at[held] + 5 * at[held + 1] + 10 * at[held + 2] + 25 * at[held + 3]

    def exits(self, seat: i64) -> i64:
        """Count the squares that a path of that seat could begin with, were it to move now, and write them."""
        return self.legal_squares(self.starts(seat), COINS | BARE if self.at[self.renegades + seat] else COINS)

    def unlaid(self, kind: i64) -> i64:
        """Return how many coins of a kind are still to be drawn: `coins` less those that lie."""
        return self.terms.coins[kind] - self.at[self.laid + kind]

    def paths(self) -> Iterator[list[int]]:
        """Yield the listed paths of the seat to move; in the middle of a path, its continuations."""
        at = self.at
        begun = at[STAGE] == WALK
        start = ROW * self.target() if begun else self.starts(self.turn)
        mask = at[MASK] if begun else self.allowed()
        ways = at[self.ways : self.pawn]
        if self.is_wild():
            return iter(renegade_paths(self.terms.near, ways, start, mask))
        return coin_paths(self.terms.near, ways, start, mask)

    # Legal steps

    def legal(self) -> i64:
        """Write the legal steps to `moves`, ascending."""
        if self.ended:
            return 0
        at = self.at
        stage = at[STAGE]
        if stage == WALK:
            # "Each of the other squares on the path is adjacent to the square preceding it."
            count = self.legal_squares(ROW * self.target(), at[MASK])
            self.moves[count] = self.first + END
            return count + 1
        if stage == TURN or stage == DECLARED:
            return self.legal_beginnings(stage)
        if stage == PLACE_WANTED:
            return self.legal_places()
        if stage == SIDES:
            return self.legal_sides()
        if stage == TAKE_WANTED:
            # Semi-Greedy: "any number of coins from the target square (including zero coins)"
            for taken in range(self.most(self.target(), at[KIND]) + 1):
                self.moves[taken] = self.first + TAKE + taken
            return self.most(self.target(), at[KIND]) + 1
        return self.legal_coins(stage)

    def legal_squares(self, place: i64, mask: i64) -> i64:
        """Write the squares where a path goes on. "All of the squares on the path have the same type of coin on
        them."
        """
        moves = self.moves
        at = self.at
        ways = self.ways
        near = self.terms.near
        count: i64 = 0
        q = near[place]
        while q >= 0:
            if at[ways + q] & mask:
                moves[count] = q
                count += 1
            place += 1
            q = near[place]
        return count

    def legal_beginnings(self, stage: i64) -> i64:
        """Write the beginnings of a turn. "If there are any legal paths, the player may not pass. If there is no legal
        path, the player must pass".
        """
        moves = self.moves
        first = self.first
        place = self.starts(self.turn)
        count = self.legal_squares(place, self.allowed())
        if stage == DECLARED:
            return count
        # "A player may choose to become a renegade at any time": with a path that is then legal
        beyond = False
        if self.terms.renegade and not self.is_wild():
            beyond = count > 0 or self.legal_squares(place, BARE) > 0
        if self.terms.standing_still and self.can_stand():
            moves[count] = first + STAND
            count += 1
        may_pass = count == 0
        if beyond:
            moves[count] = first + RENEGADE
            count += 1
        if may_pass:
            moves[count] = first + PASS
            count += 1
        return count

    def legal_sides(self) -> i64:
        """Write the free sides. "The first player then selects one of the two remaining sides of the board." """
        count: i64 = 0
        for side in range(4):
            free = True
            for seat in range(self.seats):
                if self.at[self.side + seat] == side:
                    free = False
            if free:
                self.moves[count] = self.first + SIDE + side
                count += 1
        return count

    def legal_coins(self, stage: i64) -> i64:
        """Write the coins: those left to draw, the types of the path, the coins to keep or to give."""
        count: i64 = 0
        pawn = self.source() if stage != LAYOUT else NONE
        for kind in range(KINDS):
            if stage == LAYOUT:
                fits = self.unlaid(kind) > 0
            elif stage == KIND_WANTED:
                fits = self.at[MASK] >> kind & 1 == 1
            elif stage == STAND_WANTED:
                fits = self.most(pawn, kind) > 0
            else:
                fits = self.can_give(pawn, kind)
            if fits:
                self.moves[count] = self.first + COIN + kind
                count += 1
        return count

    def can_give(self, pawn: i64, kind: i64) -> bool:
        """Return whether a coin of this kind can be given, with enough from it on: the order is p, n, d, q."""
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
        """Write the squares for the coins of a transplant, ascending, while enough are left for the rest."""
        at = self.at
        moves = self.moves
        rooms = self.rooms()
        last = at[self.placed + at[PLACED] - 1] if at[PLACED] else i64(NONE)
        spare = rooms - (self.wanted(at[LENGTH]) - at[PLACED])
        count: i64 = 0
        for i in range(spare + 1):
            if moves[i] > last:
                moves[count] = moves[i]
                count += 1
        return count

    def rooms(self) -> i64:
        """Write to `moves` the squares that are empty for the coins of a transplant, ascending.

        "It is okay to place a coin on an empty square that wasn't empty before the coins were collected." "Since the
        coins are moved before the pawn is moved, a coin can be put on the target square, but not the source square."
        Variant variant: "The pawn is moved before the coins on the path are moved. (So a coin can be moved to the
        source square, but not the target square.)"
        """
        at = self.at
        after = self.terms.collect == TRANSPLANT_AFTER
        target = self.target()
        pawn = self.source()
        count: i64 = 0
        for q in range(self.terms.cells):
            if q == target:
                fits = not after and self.pile(q) == at[TAKEN]
            elif q == pawn:
                fits = after and self.pile(q) == 0
            else:
                fits = at[self.ways + q] == BARE or (self.pile(q) == 1 and self.is_walked(q))
            if fits:
                self.moves[count] = q
                count += 1
        return count

    def is_walked(self, q: i64) -> bool:
        """Return whether the path in the making has this square."""
        at = self.at
        for i in range(at[LENGTH]):
            if at[self.path + i] == q:
                return True
        return False

    # Effects of steps

    def make(self, move: i64) -> None:
        """Make a step that `legal` listed, without undo."""
        self.changes = 0
        at = self.at
        stage = at[STAGE]
        step = move - self.first
        if step < 0:
            self.go_to(stage, move)
        elif step == END:
            if self.is_wild():
                self.walk_ends()
            else:
                self.ask(KIND_WANTED)
        elif step == PASS:
            # "When a player passes, that player's turn ends immediately."
            self.plies += 1
            self.turn_ends(keeps=False, passes=True)
        elif step == STAND:
            at[STAGE] = STAND_WANTED
            if only(self.types(self.source())) != NONE:
                self.stand(only(self.types(self.source())))
        elif step == RENEGADE:
            at[WILD] = 1
            at[STAGE] = DECLARED
        elif step >= TAKE:
            at[TAKEN] = step - TAKE
            self.ask(GIVE_WANTED)
        elif step < COIN:
            self.choose_side(step - SIDE)
        elif stage == LAYOUT:
            self.lay(self.terms.reading[at[LAID]], step - COIN)
        elif stage == STAND_WANTED:
            self.stand(step - COIN)
        elif stage == KIND_WANTED:
            at[KIND] = step - COIN
            self.ask(TAKE_WANTED)
        else:
            at[GIVEN + step - COIN] += 1
            if self.half() == at[GIVEN] + at[GIVEN + 1] + at[GIVEN + 2] + at[GIVEN + 3]:
                self.ask(PLACE_WANTED)

    def go_to(self, stage: i64, q: i64) -> None:
        """Go on to a square with the path; or choose it for a coin of a transplant."""
        at = self.at
        if stage == PLACE_WANTED:
            at[self.placed + at[PLACED]] = q
            at[PLACED] += 1
            if at[PLACED] == self.wanted(at[LENGTH]):
                self.walk_ends()
            return
        at[MASK] = (at[MASK] if stage == WALK else self.allowed()) & at[self.ways + q]
        at[self.path + at[LENGTH]] = q
        at[LENGTH] += 1
        at[self.ways + q] = 0  # "No square can be on a path more than once."
        at[STAGE] = WALK

    def ask(self, stage: i64) -> None:
        """Go on from the end of the path to the next clause that leaves a choice, or to the end of the turn.

        "The order of clauses is `type`, `take`, `give`, `to`."
        """
        at = self.at
        if stage <= KIND_WANTED:
            at[KIND] = only(at[MASK])
            if at[KIND] == NONE:
                at[STAGE] = KIND_WANTED
                return
        if stage <= TAKE_WANTED:
            if self.terms.take == SEMI_GREEDY:
                at[STAGE] = TAKE_WANTED
                return
            at[TAKEN] = self.kept(self.target(), at[KIND])
        if stage <= GIVE_WANTED and self.half():
            if self.gives():
                at[STAGE] = GIVE_WANTED
                return
            at[GIVEN + only(self.types(self.source()))] = self.half()
        if self.wanted(at[LENGTH]):
            at[STAGE] = PLACE_WANTED
        else:
            self.walk_ends()

    def walk_ends(self) -> None:
        """End a path that is complete: coins, then the pawn."""
        at = self.at
        seat = self.turn
        target = self.target()
        source = self.source()
        wild = self.is_wild()
        if wild:
            # "Once a player becomes a renegade, that player must be a renegade for the rest of the game." "A renegade
            # player may not take any coins or move any coins."
            at[self.renegades + seat] = 1
        else:
            self.move_coins(target, source)
        self.free_path()
        for i in range(at[PLACED]):
            self.free(at[self.placed + i])
        if source != NONE:
            self.free(source)
        # "The player moves his/her pawn to the top of the pile of coins on the target square."
        at[self.pawn + seat] = target
        at[self.ways + target] = 0
        self.plies += 1
        self.turn_ends(keeps=not wild and at[TAKEN] > 0, passes=False)

    def free_path(self) -> None:
        """Make the squares of the path ways again, as what is on them allows."""
        for i in range(self.at[LENGTH]):
            self.free(self.at[self.path + i])

    def move_coins(self, target: i64, source: i64) -> None:
        """Keep, collect, give and place coins."""
        at = self.at
        kind = at[KIND]
        pile = self.piles + KINDS * target
        self.keep(target, kind, at[TAKEN])
        collected: i64 = 0
        for i in range(at[LENGTH] - 1):
            # "The player collects one coin from each square on the path other than the target square"; Cleanup: "all of
            # the coins on the path".
            q = at[self.path + i]
            count = self.most(q, kind) if self.terms.collect == CLEANUP else ONE
            at[self.piles + KINDS * q + kind] -= count
            collected += count
        for k in range(KINDS):
            # "A player also moves half of the coins on the source square, rounded down, to the target square."
            if at[GIVEN + k]:
                at[self.piles + KINDS * source + k] -= at[GIVEN + k]
                at[pile + k] += at[GIVEN + k]
        if at[PLACED]:
            # "Instead of piling these coins up on the target square, the player places each coin on an empty square."
            for i in range(at[PLACED]):
                at[self.piles + KINDS * at[self.placed + i] + kind] += 1
        elif collected:
            # "And piles all of them up on the target square"
            at[pile + kind] += collected

    def stand(self, kind: i64) -> None:
        """Stand still: "leave his/her pawn on the source square, taking and keeping one of the coins from that
        square."
        """
        self.at[KIND] = kind
        self.keep(self.source(), kind, 1)
        self.changed[0] = self.source()
        self.changes = 1
        self.plies += 1
        self.turn_ends(keeps=True, passes=False)

    def keep(self, q: i64, kind: i64, count: i64) -> None:
        """Let the player keep coins of a square."""
        at = self.at
        at[self.piles + KINDS * q + kind] -= count
        at[self.held + KINDS * self.turn + kind] += count

    def free(self, q: i64) -> None:
        """Set the `ways` of a square without a pawn by what is on it: "No square on the path has a player's pawn on it
        (including the pawn of the player who is selecting the path)."
        """
        way = self.types(q)
        self.at[self.ways + q] = way if way else BARE
        self.changed[self.changes] = q
        self.changes += 1

    # Before the first turn

    def lay(self, q: i64, kind: i64) -> None:
        """Lay a coin of the layout. "The coins are randomly placed on the board, one coin per square"; NONE leaves the
        square empty.
        """
        at = self.at
        if kind != NONE:
            at[self.piles + KINDS * q + kind] = 1
            at[self.ways + q] = 1 << kind
            at[self.laid + kind] += 1
            self.changed[0] = q
            self.changes = 1
        at[LAID] += 1
        if self.turn == CHANCE and at[LAID] == self.terms.cells:
            self.choose_sides()

    def choose_sides(self) -> None:
        """Ask for the next side. "The player who will begin the game last selects a side of the board to start from";
        with 3 and 4 seats one more player selects. If the seat that should pick has left, the one with the opposite
        side picks.
        """
        at = self.at
        side = self.side
        last = self.seats - 1
        at[STAGE] = SIDES
        for pick in range(1 if last == 1 else 2):
            chooser = last if pick == 0 else 2 if last == 3 else 0
            other = self.opposite(chooser)
            if self.left[chooser]:
                chooser = other
            if chooser != NONE and not self.left[chooser] and at[side + chooser] == NONE:
                self.turn = chooser
                return
        at[STAGE] = TURN
        self.turn = 0
        if self.left[0]:
            self.turn_ends(keeps=False, passes=True)

    def opposite(self, seat: i64) -> i64:
        """Return the seat on the opposite side; NONE in a game of three without such a seat. "For a two-player game:
        The first player starts on the side of the board opposite the side selected by the last player. … For a
        four-player game: The second player starts on the side of the board opposite".
        """
        if self.seats == 2:
            return 1 - seat
        if self.seats == 3:
            return NONE if seat == 0 else 3 - seat
        return (seat + 2) % 4

    def choose_side(self, chosen: i64) -> None:
        """Give a side to a seat, and the opposite one to its seat."""
        at = self.at
        other = self.opposite(self.turn)
        at[self.side + self.turn] = chosen
        if other != NONE:
            at[self.side + other] = chosen ^ 1
        self.plies += 1
        self.choose_sides()

    # How a turn ends, and the game

    def turn_ends(self, *, keeps: bool, passes: bool) -> None:
        """Count the turn, clear its steps, and pass to the next seat; "a seat that is out … counts as its pass"."""
        at = self.at
        seat = self.turn
        at[TURNS] += 1
        at[PASSES] = at[PASSES] + 1 if passes else ZERO
        at[IDLE] = ZERO if keeps else at[IDLE] + 1
        if keeps:
            at[self.last_coin + seat] = at[TURNS]
        self.clear_steps()
        while True:
            self.end_or_not()
            if self.ended:
                return
            seat = (seat + 1) % self.seats
            if not self.left[seat]:
                self.turn = seat
                return
            for counter in (TURNS, PASSES, IDLE):
                at[counter] += 1

    def clear_steps(self) -> None:
        """Clear the steps of the unfinished turn."""
        at = self.at
        fill(at, WILD, FIELDS - WILD, 0)
        at[KIND] = NONE
        at[STAGE] = TURN

    def end_or_not(self) -> None:
        """End the game if it is over. "The game is over when all players pass consecutively"; also when nobody kept a
        coin for `idle_rounds` rounds, and when all are renegades.
        """
        at = self.at
        idle = self.terms.idle_rounds * self.seats
        if at[PASSES] >= self.seats or at[IDLE] >= idle or self.all_renegades():
            self.ended = True

    def all_renegades(self) -> bool:
        """Return whether every seat that is still in is a renegade."""
        for seat in range(self.seats):
            if self.left[seat] == 0 and self.at[self.renegades + seat] == 0:
                return False
        return True

    def after_leaving(self, seat: i64) -> None:
        """Count the turns of a seat that is out as its pass; its pawn stays."""
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

    def compare(self, seat: i64, other: i64) -> i64:
        """Compare by money. "The player who has the most money is the winner. … Ties are broken in favor of the player
        who was the last to take a coin."
        """
        lead = self.cents(seat) - self.cents(other)
        if lead == 0:
            lead = self.at[self.last_coin + seat] - self.at[self.last_coin + other]
        return lead

    # For search and playouts

    def face(self, dice: Dice) -> i64:
        """Draw a coin; each that is still to be laid is as likely as any other."""
        total: i64 = 0
        kinds: i64 = 0
        for kind in range(KINDS):
            unlaid = self.unlaid(kind)
            total += unlaid
            kinds += 1 if unlaid else 0
        chosen = dice.below(total) if kinds > 1 else ZERO
        kind = 0
        while chosen >= self.unlaid(kind):
            chosen -= self.unlaid(kind)
            kind += 1
        return self.first + COIN + kind

    def playout(self, dice: Dice) -> None:
        """Make random steps to the end of the game, never to be taken back."""
        count = self.legal()
        while count:
            self.make(self.moves[dice.below(count)])
            count = self.legal()

    def estimate(self, seat: i64) -> i64:
        """Return the lead in cents over each other seat, and a little for each way to go on."""
        total: i64 = 0
        own = 2 * self.cents(seat) + self.exits(seat)
        for other in range(self.seats):
            if other != seat:
                total += own - 2 * self.cents(other) - self.exits(other)
        return PART // 128 * total

    def shape(self) -> vec[i64]:
        """Return seventeen planes, and ten a seat."""
        return array((17 + 10 * self.seats, self.terms.width, self.terms.height))
