"""A board of Dollar Draw with a learned evaluation: weights for what lies around the two tokens.

Each position has some traits, and the evaluation adds up their weights (docs/protocols/learned.md, "Traits"). A key of
the position is kept up move by move. rules/engine/pursuit.py searches on it, rules/engine/pursuer.py learns the weights.
"""

from typing import Final, Self

from quadrille.rules.arrays import array, filled
from quadrille.rules.board import PART, Board, mixed
from quadrille.rules.boards.dollar_draw import BLANK, BORDER, CAPTURED, CLAIMED, DOLLAR, DollarDrawBoard
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64, mypyc_attr, vec

#: Units of a weight, and of the whole evaluation, in one natural unit of log odds.
UNIT: Final = 1 << 20
#: The evaluation of a lead before anything is learned, for each captured dollar and each claimed square.
OF_A_DOLLAR: Final = 838_861
OF_A_SQUARE: Final = 157_286
#: Maximum distance of columns or rows that is told apart, and classes of distances, mirror images being alike.
FAR: Final = 8
DISTANCES: Final = 45
#: Phases of the game for the leads, and for the contents of squares.
PHASES: Final = 8
SPELLS: Final = 4
#: Greatest lead in captured dollars and in claimed squares that is told apart, and the numbers of leads.
MOST_DOLLARS: Final = 6
MOST_SQUARES: Final = 8
DOLLAR_LEADS: Final = 13
SQUARE_LEADS: Final = 17
#: Contents of a square beside a token: blank, a dollar, the token's mark, the other mark, in the way.
KINDS: Final = 5
IN_THE_WAY: Final = 4
BESIDE_BAR: Final = 0o444_3210
BESIDE_S: Final = 0o444_2310
#: The first weights of the leads, the contents by distance, the ways out, the four neighbours, and the distance of tokens.
LEADS: Final = 0
CONTENTS: Final = 1768
WAYS: Final = 3208
NEIGHBOURS: Final = 5708
TOKENS: Final = 11958
ALL: Final = 12003


@mypyc_attr(allow_interpreted_subclasses=True)
class DollarDrawOutlook(DollarDrawBoard):
    """`distances` has the class of the distance between each two squares, `room` squares apart; `contents` the numbers
    of all squares that are none of the border. `keys` are mixed into `key_now`.
    """

    __slots__ = ("across", "distances", "key_now", "keys", "room", "squares", "weights")

    weights: vec[i64]
    distances: vec[i64]
    squares: vec[i64]
    keys: vec[i64]
    across: vec[i64]
    room: i64
    key_now: i64

    def take_weights(self, weights: vec[i64]) -> None:
        """Make the tables of a board of this size."""
        self.weights = weights
        stride = self.stride
        room = self.last + stride + 2
        self.room = room
        self.squares = array(square for square in range(room) if self.blank[square] != BORDER)
        self.distances = filled(room * room, 0)
        for one in self.squares:
            for other in self.squares:
                columns: i64 = one // stride - other // stride
                rows: i64 = one % stride - other % stride
                far = min(FAR, max(columns, -columns, rows, -rows))
                near = min(FAR, max(columns, -columns), max(rows, -rows))
                self.distances[one * room + other] = far * (far + 1) // 2 + near
        #: For each step the distance to the square at its side.
        self.across = array((1, stride, stride, 1))
        # 8 keys a square: its contents as in `holds`, and a token of Bar or of S
        self.keys = filled(8 * room + 8 * room, 0)
        key: i64 = 1
        for place in range(16 * room):
            key = mixed(mixed(key, place), 77)
            self.keys[place] = key

    def copy(self) -> Self:
        """The same position, nothing to take back."""
        twin = super().copy()
        twin.weights = self.weights
        twin.distances = self.distances
        twin.squares = self.squares
        twin.keys = self.keys
        twin.across = self.across
        twin.room = self.room
        twin.key_now = self.key_now
        return twin

    def become(self, other: Board) -> None:
        """Take the position of another board on a grid of the same size."""
        super().become(other)
        self.sign()

    def sign(self) -> None:
        """Work out the key again."""
        key: i64 = self.turn
        keys = self.keys
        for square in self.squares:
            key ^= keys[8 * square + self.holds[square]]
        for seat in range(2):
            key ^= keys[8 * self.room + 2 * self.tokens[seat] + seat]
        self.key_now = key

    def stamp(self) -> i64:
        """The key."""
        return self.key_now

    def apply(self, move: i64) -> None:
        """As the board does."""
        seat = self.turn
        keys = self.keys
        holds = self.holds
        before = keys[8 * move + holds[move]]
        token = 8 * self.room + seat
        left = keys[token + 2 * self.tokens[seat]]
        super().apply(move)
        self.key_now ^= before ^ keys[8 * move + holds[move]] ^ left ^ keys[token + 2 * move] ^ 1

    def undo(self) -> None:
        """As the board does."""
        seat = 1 - self.turn
        keys = self.keys
        holds = self.holds
        move = self.tokens[seat]
        before = keys[8 * move + holds[move]]
        super().undo()
        token = 8 * self.room + seat
        self.key_now ^= (
            before ^ keys[8 * move + holds[move]] ^ keys[token + 2 * move] ^ keys[token + 2 * self.tokens[seat]] ^ 1
        )

    def judge(self) -> i64:
        """The log odds of the mover, by its leads and all traits."""
        weights = self.weights
        holds = self.holds
        seat = self.turn
        room = self.room
        distances = self.distances
        lead = self.captured[seat] - self.captured[1 - seat]
        ahead = self.claimed[seat] - self.claimed[1 - seat]
        if not len(weights):
            return self.guess_of(lead, ahead)
        total = OF_A_DOLLAR * lead + OF_A_SQUARE * ahead + weights[self.lead_trait(lead, ahead)]
        own = self.tokens[seat] * room
        other = self.tokens[1 - seat] * room
        total += weights[TOKENS + distances[own + self.tokens[1 - seat]]]
        spell = self.plies * SPELLS // len(self.squares)
        near = CONTENTS + 2 * DISTANCES * 4 * (spell if spell < SPELLS else SPELLS - 1)
        far = near + DISTANCES * 4
        # what a square holds, for the mover: its mark, the other's, a dollar, a captured one
        for square in self.squares:
            held = holds[square]
            if held == BLANK:
                continue
            kind: i64 = 2 if held == DOLLAR else 3 if held >= CAPTURED else held - CLAIMED ^ seat
            total += weights[near + 4 * distances[own + square] + kind]
            total += weights[far + 4 * distances[other + square] + kind]
        return total + self.around(0, seat) + self.around(1, 1 - seat)

    def guess_of(self, lead: i64, ahead: i64) -> i64:
        """The evaluation where nothing was learned: a dollar beside the mover's token is half of a captured one."""
        token = self.tokens[self.turn]
        total = 16 * lead + 3 * ahead
        for step in self.steps:
            if self.holds[token + step] == DOLLAR:
                return (total + 8) * UNIT // 16
        return total * UNIT // 16

    def lead_trait(self, lead: i64, ahead: i64) -> i64:
        """The weight of the leads in this phase."""
        phase = self.plies * PHASES // len(self.squares)
        if phase >= PHASES:
            phase = PHASES - 1
        lead = min(max(lead, -MOST_DOLLARS), MOST_DOLLARS) + MOST_DOLLARS
        return LEADS + (phase * DOLLAR_LEADS + lead) * SQUARE_LEADS + min(max(ahead, -MOST_SQUARES), MOST_SQUARES) + MOST_SQUARES

    def around(self, which: i64, seat: i64) -> i64:
        """The weights of the four ways from a token, and of what lies beside it."""
        weights = self.weights
        token = self.tokens[seat]
        tally = self.lead(token, seat)
        first = WAYS + (which * 2 + (1 if tally > 0 else 0)) * KINDS * 125
        total: i64 = 0
        for way in range(4):
            total += weights[first + self.way_out(way, token, seat)]
        return total + weights[self.neighbours(which, seat, token, tally)]

    def beside(self, square: i64, seat: i64) -> i64:
        """What lies on a square for a token: one of the KINDS."""
        if square == self.tokens[1 - seat]:
            return IN_THE_WAY
        return (BESIDE_S if seat else BESIDE_BAR) >> 3 * self.holds[square] & 7

    def way_out(self, way: i64, token: i64, seat: i64) -> i64:
        """The number of what lies one step that way, then ahead, and at both sides."""
        step = self.steps[way]
        across = self.across[way]
        square = token + step
        ahead: i64 = IN_THE_WAY
        if self.holds[square] != BORDER:
            ahead = self.beside(square + step, seat)
        one = self.beside(square - across, seat)
        other = self.beside(square + across, seat)
        if one > other:
            side = one
            one = other
            other = side
        return self.beside(square, seat) * 125 + ahead * 25 + one * 5 + other

    def neighbours(self, which: i64, seat: i64, token: i64, tally: i64) -> i64:
        """The weight of the four squares beside a token, mirror images alike."""
        one = self.both(token - self.stride, token + self.stride, seat)
        other = self.both(token - 1, token + 1, seat)
        if one > other:
            side = one
            one = other
            other = side
        return NEIGHBOURS + ((which * 5 + min(max(tally, -2), 2) + 2) * 25 + one) * 25 + other

    def both(self, one: i64, other: i64, seat: i64) -> i64:
        """The number of what lies on two squares, in any order."""
        low = self.beside(one, seat)
        high = self.beside(other, seat)
        return low * 5 + high if low < high else high * 5 + low

    def most_traits(self) -> i64:
        """Two for each square, and those of the tokens and the leads."""
        return 2 * len(self.squares) + 12

    def traits(self, places: vec[i64]) -> i64:
        """Write the places of the weights that `judge` adds up; return their number."""
        seat = self.turn
        room = self.room
        places[0] = self.lead_trait(
            self.captured[seat] - self.captured[1 - seat], self.claimed[seat] - self.claimed[1 - seat]
        )
        places[1] = TOKENS + self.distances[self.tokens[0] * room + self.tokens[1]]
        count: i64 = 2
        spell = min(self.plies * SPELLS // len(self.squares), SPELLS - 1)
        for square in self.squares:
            held = self.holds[square]
            if held == BLANK:
                continue
            kind: i64 = 2 if held == DOLLAR else 3 if held >= CAPTURED else held - CLAIMED ^ seat
            for which in range(2):
                token = self.tokens[seat if which == 0 else 1 - seat]
                distance = self.distances[token * room + square]
                places[count] = CONTENTS + ((2 * spell + which) * DISTANCES + distance) * 4 + kind
                count += 1
        for which in range(2):
            whose = seat if which == 0 else 1 - seat
            token = self.tokens[whose]
            tally = self.lead(token, whose)
            for way in range(4):
                first = WAYS + (which * 2 + (1 if tally > 0 else 0)) * KINDS * 125
                places[count] = first + self.way_out(way, token, whose)
                count += 1
            places[count] = self.neighbours(which, whose, token, tally)
            count += 1
        return count

    # For UCT

    def estimate(self, seat: i64) -> i64:
        """Log odds of four are as good as won."""
        value = min(max(self.judge(), -4 * UNIT), 4 * UNIT) * PART // (4 * UNIT)
        return value if seat == self.turn else -value

    def play_on(self, dice: Dice) -> None:
        """Any position is good for a guess."""


def outlook_of(board: DollarDrawBoard, weights: vec[i64]) -> DollarDrawOutlook:
    """The same position with that evaluation."""
    found = DollarDrawOutlook((board.last + 1) // board.stride, board.stride - 1)
    found.take_weights(weights)
    found.become(board)
    return found
