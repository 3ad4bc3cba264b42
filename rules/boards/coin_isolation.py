"""The board of Coin Isolation: coins, pawns, sides, and a turn made step by step.

The rules are in rules/pages/coin-isolation.md; rules/boards/_coin/steps.py lists the legal steps of a turn,
rules/boards/_coin/paths.py whole paths. `turn` and `plies` change when the turn is complete.

A game ends. At most as many turns keep a coin as there are coins. Between two of them, before the first and after the
last there are fewer than idle_rounds x seats turns that keep none. So it has at most (coins + 1) x idle_rounds x
seats turns, after at most two picks of a side.
"""

from quadrille.rules.arrays import filled
from quadrille.rules.board import CHANCE, PART
from quadrille.rules.boards._coin.steps import CoinSteps
from quadrille.rules.boards._coin.terms import (
    BARE,
    CLEANUP,
    COIN,
    DECLARED,
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
    SEMI_GREEDY,
    SIDE,
    SIDES,
    STAGE,
    STAND,
    STAND_WANTED,
    TAKE,
    TAKE_WANTED,
    TAKEN,
    TURN,
    TURNS,
    WALK,
    WILD,
    CoinTerms,
)
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64, mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class CoinBoard(CoinSteps):
    """A position that steps are made on."""

    __slots__ = ()

    def __init__(self, seats: i64, terms: CoinTerms) -> None:
        super().__init__(seats, terms)
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

    # Effects of steps

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

    def estimate(self, seat: i64) -> i64:
        """The lead in cents over each other seat, and a little for each way to go on."""
        total: i64 = 0
        own = 2 * self.cents(seat) + self.exits(seat)
        for other in range(self.seats):
            if other != seat:
                total += own - 2 * self.cents(other) - self.exits(other)
        return PART // 128 * total
