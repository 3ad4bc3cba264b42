"""The board of Dollar Draw: marks, two tokens, and the dollars they make.

The rules are in rules/pages/dollar-draw.md. A move is the number of the square that it alters, on a sheet with a
border: (column + 1) * (height + 1) + row. Seat 0 is Bar, 1 is S.

Every game ends: a move alters one square, and nothing takes a mark away. So a square is altered three times at most
(claimed, reclaimed, captured), and the two corners, claimed from the start, twice: 3 * squares - 2 moves in all.
"""

from typing import Self

from quadrille.rules.arrays import array, fill, filled
from quadrille.rules.board import OVER, PART, Board
from quadrille.rules.boards._dollar.images import mover_key
from quadrille.rules.boards._dollar.squares import BLANK, BORDER, CAPTURED, CLAIMED, DOLLAR, UNCOUNTED
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64, mypyc_attr, vec
from quadrille.rules.patterns.keys import mixed, mixed_all


@mypyc_attr(allow_interpreted_subclasses=True)
class DollarDrawBoard(Board):
    """`holds` has the contents of each square, `tokens` the square of each seat's token.

    `stride` is the distance to the next column, `steps` are those to the four neighbours, in order.
    """

    __slots__ = ("blank", "captured", "claimed", "first", "holds", "last", "steps", "stride", "tokens", "trail")

    holds: vec[i64]
    tokens: vec[i64]
    claimed: vec[i64]
    captured: vec[i64]
    trail: vec[i64]

    def __init__(self, width: i64, height: i64) -> None:
        super().__init__(2, 4)
        stride = height + 1
        self.stride = stride
        self.steps = array((-stride, -1, 1, stride))
        self.first = stride
        self.last = stride * width + height - 1
        self.trail = filled(3 * width * height - 2, 0)
        self.blank = filled(self.last + stride + 2, BORDER)
        for column in range(1, width + 1):
            for square in range(stride * column, stride * column + height):
                self.blank[square] = BLANK
        self.reset()

    def reset(self) -> None:
        """ "Bar's mark and token start on a1, S's on the diagonally opposite corner. All other squares are blank." """
        self.start_over()
        self.holds = self.blank[:]
        self.holds[self.first] = CLAIMED
        self.holds[self.last] = CLAIMED + 1
        self.tokens = array((self.first, self.last))
        self.claimed = filled(2, 1)
        self.captured = filled(2, 0)

    def copy(self) -> Self:
        """The same position, nothing to take back."""
        twin = self.twin()
        twin.stride = self.stride
        twin.steps = self.steps
        twin.blank = self.blank
        twin.first = self.first
        twin.last = self.last
        twin.moves = self.moves[:]
        twin.trail = self.trail[:]
        twin.become(self)
        return twin

    def become(self, other: Board) -> None:
        """Take the position of another board on a grid of the same size."""
        assert isinstance(other, DollarDrawBoard)
        self.stand_as(other)
        self.holds = other.holds[:]
        self.tokens = other.tokens[:]
        self.claimed = other.claimed[:]
        self.captured = other.captured[:]

    def legal(self) -> i64:
        """The squares beside the player's token that can be altered now, in order; without any the game is over."""
        if self.ended:
            return 0
        seat = self.turn
        holds = self.holds
        moves = self.moves
        token = self.tokens[seat]
        other = self.tokens[1 - seat]
        lead: i64 = UNCOUNTED
        count: i64 = 0
        for step in self.steps:
            square = token + step
            held = holds[square]
            if held <= DOLLAR:  # "blank: claim, always; an uncaptured dollar, whoever made it: capture, always"
                if square != other:  # "never the square that the other token stands on"
                    moves[count] = square
                    count += 1
            elif held == CLAIMED + 1 - seat and square != other:  # "reclaim: only if the Tally allows"
                if lead == UNCOUNTED:
                    lead = self.lead(token, seat)
                if lead > 0:
                    moves[count] = square
                    count += 1
        if count == 0:
            self.ended = True
        return count

    def listed(self) -> vec[i64]:
        """Without a copy of the board: there are four squares to look at."""
        seat = self.turn
        holds = self.holds
        token = self.tokens[seat]
        other = self.tokens[1 - seat]
        found = filled(4, 0)
        count: i64 = 0
        if not self.ended:
            for step in self.steps:
                square = token + step
                held = holds[square]
                if square != other and (held <= DOLLAR or (held == CLAIMED + 1 - seat and self.lead(token, seat) > 0)):
                    found[count] = square
                    count += 1
        return found[:count]

    def tally(self, token: i64) -> i64:
        """The contents of the up to eight squares around a token: 4 bits for each kind; "its own is not counted"."""
        holds = self.holds
        before = token - self.stride
        after = token + self.stride
        left = (1 << 4 * holds[before - 1]) + (1 << 4 * holds[before]) + (1 << 4 * holds[before + 1])
        right = (1 << 4 * holds[after - 1]) + (1 << 4 * holds[after]) + (1 << 4 * holds[after + 1])
        return left + (1 << 4 * holds[token - 1]) + (1 << 4 * holds[token + 1]) + right

    def lead(self, token: i64, seat: i64) -> i64:
        """How many more squares around the token hold the other's mark than the seat's own."""
        tally = self.tally(token)
        bar = (tally >> 4 * CLAIMED) & 15
        s = (tally >> 4 * (CLAIMED + 1)) & 15
        return bar - s if seat else s - bar

    def apply(self, move: i64) -> None:
        """ "First the mark, then the token moves onto the altered square." """
        seat = self.turn
        holds = self.holds
        held = holds[move]
        if held == BLANK:
            holds[move] = CLAIMED + seat
            self.claimed[seat] += 1
        elif held == DOLLAR:
            holds[move] = CAPTURED + seat
            self.captured[seat] += 1
        else:
            holds[move] = DOLLAR
            self.claimed[1 - seat] -= 1
        tokens = self.tokens
        plies = self.plies
        self.trail[plies] = tokens[seat]
        tokens[seat] = move
        if self.judge is not None:
            self.judge.renew(self, self.trail[plies])
            self.judge.renew(self, move)
        self.plies = plies + 1
        self.turn = 1 - seat

    def undo(self) -> None:
        """Take back the last move: the square's contents show its kind."""
        seat = 1 - self.turn
        plies = self.plies - 1
        tokens = self.tokens
        move = tokens[seat]
        holds = self.holds
        held = holds[move]
        if held == CLAIMED + seat:
            holds[move] = BLANK
            self.claimed[seat] -= 1
        elif held == DOLLAR:
            holds[move] = CLAIMED + 1 - seat
            self.claimed[1 - seat] += 1
        else:
            holds[move] = DOLLAR
            self.captured[seat] -= 1
        tokens[seat] = self.trail[plies]
        if self.judge is not None:
            self.judge.renew(self, tokens[seat])
            self.judge.renew(self, move)
        self.trail[plies] = 0
        self.plies = plies
        self.turn = seat
        self.ended = False

    def last_mover(self) -> i64:
        """The seat that made the last legal move; before any, the seat that would have made it: S, not yet to move."""
        return 1 - self.turn

    def compare(self, one: i64, other: i64) -> i64:
        """ "The first that separates the two: more captured dollars; more claimed squares; the last legal move." """
        lead = self.captured[one] - self.captured[other] or self.claimed[one] - self.claimed[other]
        return lead if lead else 1 if one == self.last_mover() else -1

    def key(self) -> i64:
        """Turn, tokens and marks; counts follow from these."""
        return mixed_all(mixed_all(mixed(0, self.turn), self.tokens), self.holds)

    def facts(self) -> vec[i64]:
        """Turn, tokens, marks; of captured dollars the difference, and that they are in the way."""
        lead = self.captured[0] - self.captured[1]
        return array((self.turn, *self.tokens, lead, *[min(held, CAPTURED) for held in self.holds]))

    def estimate(self, seat: i64) -> i64:
        """Captured dollars, then claimed squares; dollars beside a token count as captured by the mover."""
        if self.judge is not None:
            return self.judge.estimate(self, seat)
        lead = 16 * (self.captured[seat] - self.captured[1 - seat]) + 3 * (self.claimed[seat] - self.claimed[1 - seat])
        for step in self.steps:
            if self.holds[self.tokens[self.turn] + step] == DOLLAR:
                return PART // 64 * (lead + (8 if self.turn == seat else -8))
        return PART // 64 * lead

    def alike(self) -> i64:
        """The board from the mover's corner, on a square grid mirrored or not, whichever key is less.

        Of captured dollars only the difference counts, and that they are in the way.
        """
        lead = self.captured[self.turn] - self.captured[1 - self.turn]
        return mover_key(self.turn, self.stride, self.first, self.last, self.holds, self.tokens, lead)

    def playout(self, dice: Dice) -> None:
        """The same as one random move after another, in one piece and without a list."""
        if self.ended:
            return
        holds = self.holds
        tokens = self.tokens
        steps = self.steps
        seat = self.turn
        token = tokens[seat]
        other = tokens[1 - seat]
        plies = self.plies
        while True:
            lead: i64 = UNCOUNTED
            found: i64 = 0
            room = 0  # 10 bits for each square found
            for step in steps:
                square = token + step
                held = holds[square]
                if held > DOLLAR:
                    if held != CLAIMED + 1 - seat:
                        continue
                    if lead == UNCOUNTED:
                        lead = self.lead(token, seat)
                    if lead <= 0:
                        continue
                if square != other:
                    found |= square << room
                    room += 10
            if room == 0:
                break
            square = (found >> dice.below(room // 10) * 10) & 1023
            held = holds[square]
            holds[square] = CLAIMED + seat if held == BLANK else CAPTURED + seat if held == DOLLAR else DOLLAR
            token = other
            other = square
            plies += 1
            seat = 1 - seat
        tokens[seat] = token
        tokens[1 - seat] = other
        self.turn = seat
        self.plies = plies
        self.ended = True
        self.recount()

    def recount(self) -> None:
        """Count marks and captured dollars again."""
        holds = self.holds
        fill(self.claimed, 0, 2, 0)
        fill(self.captured, 0, 2, 0)
        for held in holds:
            if held == BORDER:
                continue
            if held >= CAPTURED:
                self.captured[held - CAPTURED] += 1
            elif held >= CLAIMED:
                self.claimed[held - CLAIMED] += 1

    def half_turn(self) -> i64:
        """The answer of S on an even number of squares: the square opposite the one that Bar has just altered.

        It is always legal. The other seat's move alters one square, which is not the one opposite. A claim or a capture
        needs nothing else; and before a reclaim the Tally of the answering seat is that of the other seat, less at most
        one mark of its own.
        """
        holds = self.holds
        whole = self.first + self.last
        if self.ended or (self.last + 1) // self.stride * (self.stride - 1) % 2:
            return OVER
        move = whole - self.tokens[1 - self.turn]
        found = OVER
        for place in range(self.legal()):
            if self.moves[place] == move:
                found = move
        if found < 0:
            return OVER
        self.apply(move)
        for square in range(self.first, self.last + 1):
            held = holds[square]
            opposite = holds[whole - square]
            if opposite != (held ^ 1 if CLAIMED <= held < BORDER else held):
                found = OVER
        self.undo()
        return found

    def half_turn_worth(self) -> i64:
        """Bar runs out of moves first, with as many dollars and squares as S, and S has moved last."""
        return 1

    def shape(self) -> vec[i64]:
        """Eight planes."""
        return array((8, (self.last + 1) // self.stride, self.stride - 1))
