"""The legal steps of a turn of Coin Isolation.

A turn can hold too much to list (a path, and its coins), so a move of this board is a *step* of a turn: a square of
the path, its end, a clause. Every legal step can be completed. See rules/boards/coin_isolation.py for the effect of a
step.

Steps are numbered: first the squares, then from `self.first` on END, STAND, RENEGADE, PASS, four SIDEs, four kinds of
COIN, and TAKE 0, 1, 2, …
"""

from quadrille.rules.boards._coin.position import CoinPosition
from quadrille.rules.boards._coin.terms import (
    COIN,
    DECLARED,
    END,
    GIVE_WANTED,
    GIVEN,
    KIND,
    KIND_WANTED,
    KINDS,
    LAYOUT,
    LENGTH,
    MASK,
    NONE,
    PASS,
    PLACE_WANTED,
    PLACED,
    RENEGADE,
    ROW,
    SIDE,
    SIDES,
    STAGE,
    STAND,
    TAKE,
    TAKE_WANTED,
    TAKEN,
    TURN,
    WALK,
)
from quadrille.rules.ints import i64, mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class CoinSteps(CoinPosition):
    """A position that lists its steps."""

    __slots__ = ()

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

    def unlaid(self, kind: i64) -> i64:
        """How many coins of a kind are still to be drawn: `coins` less those that lie."""
        return self.terms.coins[kind] - self.at[self.laid + kind]
