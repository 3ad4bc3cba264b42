"""The board of Dollar Draw for searches: quick playouts, prospects, the keys of positions, and the answers that win.

The rules are in board.py.
"""

from typing import Final

from quadrille.rules.arrays import array, fill
from quadrille.rules.board import OVER, PART
from quadrille.rules.dice import Dice
from quadrille.rules.games.dollar_draw.board import BLANK, BORDER, CAPTURED, CLAIMED, DOLLAR, UNCOUNTED, DollarDrawBoard
from quadrille.rules.ints import i64, mypyc_attr, vec
from quadrille.rules.patterns.keys import mixed, mixed_all

#: The contents of a square from Bar's point of view, and from that of S, for which the marks are exchanged: 3 bits
#: each for BLANK, DOLLAR, CLAIMED by Bar and by S, CAPTURED by Bar and by S.
FACES_OF_BAR: Final = 0o443210
FACES_OF_S: Final = 0o442310
#: Squares per mixed number of a key: it takes numbers of 32 bits.
PACKED: Final = 10


@mypyc_attr(allow_interpreted_subclasses=True)
class SearchedDollarDraw(DollarDrawBoard):
    """The board that a position of Dollar Draw stands on."""

    __slots__ = ()

    def key(self) -> i64:
        """Mix the turn, the tokens and the marks; counts follow from these."""
        return mixed_all(mixed_all(mixed(0, self.turn), self.tokens), self.holds)

    def facts(self) -> vec[i64]:
        """Return turn, tokens, marks; of captured dollars the difference, and that they are in the way."""
        lead = self.captured[0] - self.captured[1]
        return array((self.turn, *self.tokens, lead, *[min(held, CAPTURED) for held in self.holds]))

    def estimate(self, seat: i64) -> i64:
        """Count captured dollars, then claimed squares; dollars beside a token count as captured by the mover."""
        if self.judge is not None:
            return self.judge.estimate(self, seat)
        lead = 16 * (self.captured[seat] - self.captured[1 - seat]) + 3 * (self.claimed[seat] - self.claimed[1 - seat])
        for step in self.steps:
            if self.holds[self.tokens[self.turn] + step] == DOLLAR:
                return PART // 64 * (lead + (8 if self.turn == seat else -8))
        return PART // 64 * lead

    def alike(self) -> i64:
        """Return the key of the board from the mover's corner, on a square grid mirrored or not, whichever key is less.

        Of captured dollars only the difference counts, and that they are in the way.
        """
        lead = self.captured[self.turn] - self.captured[1 - self.turn]
        return mover_key(self.turn, self.stride, self.first, self.last, self.holds, self.tokens, lead)

    def playout(self, dice: Dice) -> None:
        """Make one random move after another, in one piece and without a list."""
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
            rooms: i64 = 0
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
                    rooms |= square << room
                    room += 10
            if room == 0:
                break
            square = (rooms >> dice.below(room // 10) * 10) & 1023
            held = holds[square]
            holds[square] = CLAIMED + seat if held == BLANK else CAPTURED + seat if held == DOLLAR else i64(DOLLAR)
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
        """Return the answer of S on an even number of squares: the square opposite the one that Bar has just altered.

        It is always legal. The other seat's move alters one square, which is not the one opposite. A claim or a capture
        needs nothing else; and before a reclaim the Tally of the answering seat is that of the other seat, less at most
        one mark of its own.
        """
        holds = self.holds
        whole = self.first + self.last
        if self.ended or (self.last + 1) // self.stride * (self.stride - 1) % 2:
            return OVER
        move = whole - self.tokens[1 - self.turn]
        answer = OVER
        for place in range(self.legal()):
            if self.moves[place] == move:
                answer = move
        if answer < 0:
            return OVER
        self.apply(move)
        for square in range(self.first, self.last + 1):
            held = holds[square]
            opposite = holds[whole - square]
            if opposite != (held ^ 1 if CLAIMED <= held < BORDER else held):
                answer = OVER
        self.undo()
        return answer

    def half_turn_worth(self) -> i64:
        """Return the win of S: Bar runs out of moves first, with as many dollars and squares."""
        return 1

    def shape(self) -> vec[i64]:
        """Return eight planes."""
        return array((8, (self.last + 1) // self.stride, self.stride - 1))


def mover_key(turn: i64, stride: i64, first: i64, last: i64, holds: vec[i64], tokens: vec[i64], lead: i64) -> i64:
    """Return the key of a position from the mover's corner; `lead` is that of its captured dollars."""
    height = stride - 1
    width = (last + 1) // stride
    own = tokens[turn]
    other = tokens[1 - turn]
    faces: i64 = FACES_OF_BAR
    corner = first
    up: i64 = 1
    if turn:
        faces = FACES_OF_S
        corner = last
        up = -1
        own = first + last - own
        other = first + last - other
    along = stride * up
    # the image in the diagonal; on other grids than square ones it is the board itself
    begin = mixed(0, lead)
    one = mixed(begin, own << 16 | other)
    two = one
    over = along
    beside = up
    if width == height:
        over = up
        beside = along
        own = stride * (own % stride + 1) + own // stride - 1
        other = stride * (other % stride + 1) + other // stride - 1
        two = mixed(begin, own << 16 | other)
    bits: i64 = 0
    image: i64 = 0
    left: i64 = PACKED
    for column in range(width):
        square = corner + along * column
        mirrored = corner + over * column
        for _row in range(height):
            bits = bits << 3 | faces >> 3 * holds[square] & 7
            image = image << 3 | faces >> 3 * holds[mirrored] & 7
            square += up
            mirrored += beside
            left -= 1
            if left == 0:
                one = mixed(one, bits)
                two = mixed(two, image)
                bits = image = 0
                left = PACKED
    return min(mixed(one, bits), mixed(two, image))
