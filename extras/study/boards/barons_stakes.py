"""The stakes of Barons for two, for a prover: all that can still change the result, kept up claim by claim.

The rules are in barons/page.md; extras/study/docs/solved.md, "Pairs", has the proofs. A result here is a lead
in half points. A connection of two squares is worth half a connection to each of them: so on a full board the
lead from connections is the sum of the weights of one seat's squares, less that of the other's. The weight of a square
is the price of all connections around it. Whole rows and columns are at stake as well. So are, where one square
stays unclaimed, the connections that it keeps from its neighbours.
"""

from typing import Final

from quadrille.extras.study.boards.barons_ground import HOPES, IMAGES, SIDES, BaronsGround
from quadrille.rules.arrays import filled
from quadrille.rules.board import BEYOND
from quadrille.rules.games.barons.board import UNCLAIMED
from quadrille.rules.ints import i64
from quadrille.rules.patterns.image_keys import ImageKeys

KEY_MASK: Final = (1 << 62) - 1
#: How many squares of a line the last one that prevents it counts for, and the last one that completes it.
LAST: Final = 8
WINNING: Final = 20
#: More than twice the weight of any pair.
WEIGHTY: Final = 1 << 12
#: The haste of the answer in a pair: before all other moves.
ANSWER: Final = 1 << 17


class BaronsStakes(ImageKeys):
    """The stakes of a position of two seats.

    A line is alive for a seat that can still complete it. An unclaimed square is loose if both its lines are alive for
    nobody, and no connection to it depends on another unclaimed one: then its place does not matter.
    """

    __slots__ = (
        "alive", "fresh", "ground", "key", "lead", "left", "loss", "near", "of_kind", "owner", "paired", "pairs",
        "pull", "rest", "seen", "stamp", "tally", "turn", "twins", "used", "worst",
    )  # fmt: skip

    def __init__(self, ground: BaronsGround) -> None:
        """Begin with nothing claimed."""
        super().__init__(0, 0, ground.numbers)
        squares = ground.squares
        lines: i64 = len(ground.lengths)
        kinds: i64 = len(ground.kind_weights)
        self.ground = ground
        self.owner = filled(squares, UNCLAIMED)
        self.tally = filled(2 * lines, 0)
        #: How many more neighbours are the first seat's, as a face, and what connections to them are worth.
        self.near = filled(squares, 0)
        self.pull = filled(squares, 0)
        self.of_kind = filled(kinds, 0)
        self.rest = filled(kinds, 0)
        self.worst = filled(kinds, 0)
        self.loss = filled(2 * squares, 0)
        self.alive = filled(lines, 0)
        self.twins = filled(squares, -1)
        self.seen = filled(kinds * ground.faces, 0)
        self.used = filled(squares, 0)
        self.pairs = filled(2 * lines, 0)
        self.paired: i64 = 0
        self.stamp: i64 = 0
        self.key: i64 = 0
        self.turn: i64 = 0
        self.lead: i64 = 0
        self.left: i64 = 0
        self.fresh = False
        self.clear()
        if not ground.leaves_one and ground.mates[0] < 0:
            self.mate_all()

    def mate_all(self) -> None:
        """Pair all squares: two of each line as far as that goes, then squares of equal weight."""
        mates = self.ground.mates
        kinds = self.ground.kinds
        self.secured(0, 0)
        for place in range(self.paired):
            mates[self.pairs[2 * place]] = self.pairs[2 * place + 1]
            mates[self.pairs[2 * place + 1]] = self.pairs[2 * place]
        for square in range(self.ground.squares):
            for other in range(square + 1, self.ground.squares):
                if mates[square] < 0 and mates[other] < 0 and kinds[square] == kinds[other]:
                    mates[square] = other
                    mates[other] = square

    def clear(self) -> None:
        """Claim nothing any more."""
        ground = self.ground
        for square in range(ground.squares):
            self.owner[square] = UNCLAIMED
            self.near[square] = 0
            self.pull[square] = 0
        for place in range(len(self.tally)):
            self.tally[place] = 0
        for kind in range(len(self.of_kind)):
            self.of_kind[kind] = 0
        for square in range(ground.squares):
            self.of_kind[ground.kinds[square]] += 1
        self.lead = 0
        self.left = ground.squares - (1 if ground.leaves_one else 0)
        self.fresh = False

    def copy(self) -> ImageKeys:
        """Make the stakes of another board in the same position."""
        twin = BaronsStakes(self.ground)
        for square in range(self.ground.squares):
            if self.owner[square] != UNCLAIMED:
                twin.toggle(square, self.owner[square])
        return twin

    def toggle(self, place: i64, face: i64) -> None:
        """Let a seat claim a square, or take it back."""
        ground = self.ground
        height = ground.height
        sign: i64 = 1 if self.owner[place] == UNCLAIMED else -1
        ours = -sign if face else sign
        self.owner[place] = face if sign > 0 else UNCLAIMED
        self.fresh = False
        self.left -= sign
        self.of_kind[ground.kinds[place]] -= sign
        self.lead += ours * ground.weights[place]
        self.count_on(place % height, face, sign, ours)
        self.count_on(height + place // height, face, sign, ours)
        if ground.leaves_one:
            for side in range(SIDES * place, SIDES * place + SIDES):
                other = ground.beside[side]
                if other < 0:
                    break
                self.near[other] += ours * ground.units[side]
                self.pull[other] += ours * ground.prices[side]

    def count_on(self, line: i64, seat: i64, sign: i64, ours: i64) -> None:
        """Count a square of a line."""
        place = 2 * line + seat
        before = self.tally[place]
        self.tally[place] = before + sign
        if max(before, before + sign) == self.ground.lengths[line]:
            self.lead += ours * self.ground.bonuses[line]

    def hope(self, line: i64) -> i64:
        """Return the seats that can still complete a line: 1 for the first, 2 for the second, 3 for both."""
        length = self.ground.lengths[line]
        if self.ground.bonuses[line] == 0:
            return 0
        own = self.tally[2 * line]
        two = self.tally[2 * line + 1]
        hopes: i64 = 0
        if two == 0 and own < length and length - own <= self.moves_of(0):
            hopes = 1
        if own == 0 and two < length and length - two <= self.moves_of(1):
            hopes += 2
        return hopes

    def moves_of(self, seat: i64) -> i64:
        """Count the moves that a seat still has."""
        return (self.left + 1) // 2 if seat == self.turn else self.left // 2

    def survey(self, turn: i64) -> None:
        """Find what is alive and loose, and the key of all that matters to the seat to move."""
        self.fresh = True
        self.turn = turn
        ground = self.ground
        alive = self.alive
        numbers = ground.line_numbers
        one: i64 = 0
        two: i64 = 0
        three: i64 = 0
        four: i64 = 0
        for line in range(len(alive)):
            hope = self.hope(line)
            alive[line] = hope
            if hope:
                if turn and hope < 3:
                    hope = 3 - hope
                place = (line * HOPES + hope) * IMAGES
                one = (one + numbers[place]) & KEY_MASK
                two = (two + numbers[place + 1]) & KEY_MASK
                three = (three + numbers[place + 2]) & KEY_MASK
                four = (four + numbers[place + 3]) & KEY_MASK
        height = ground.height
        faces = ground.faces
        leaves_one = ground.leaves_one
        numbers = ground.numbers
        owner = self.owner
        twins = self.twins
        around: i64 = 0
        for square in range(ground.squares):
            if owner[square] != UNCLAIMED:
                continue
            face = ground.even
            around = 0
            if leaves_one:
                face += -self.near[square] if turn else self.near[square]
                around = self.open_around(square)
                self.loss[2 * square] = self.pull[square] + around
                self.loss[2 * square + 1] = around - self.pull[square]
            if around == 0 and alive[square % height] == 0 and alive[height + square // height] == 0:
                twin = ground.kinds[square] * faces + face
                twins[square] = twin
                known = ground.loose_numbers[twin]
                one = (one + known) & KEY_MASK
                two = (two + known) & KEY_MASK
                three = (three + known) & KEY_MASK
                four = (four + known) & KEY_MASK
            else:
                twins[square] = -1
                place = (square * faces + face) * IMAGES
                one = (one + numbers[place]) & KEY_MASK
                two = (two + numbers[place + 1]) & KEY_MASK
                three = (three + numbers[place + 2]) & KEY_MASK
                four = (four + numbers[place + 3]) & KEY_MASK
        least = min(min(one, two), min(three, four))
        self.key = least if least else 1

    def open_around(self, square: i64) -> i64:
        """Add up the prices of all connections to unclaimed neighbours."""
        ground = self.ground
        total: i64 = 0
        for side in range(SIDES * square, SIDES * square + SIDES):
            other = ground.beside[side]
            if other < 0:
                break
            if self.owner[other] == UNCLAIMED:
                total += ground.prices[side]
        return total

    def matters(self, turn: i64) -> i64:
        """Return the key of all that can still change the lead: two positions that share it differ by `lead` alone."""
        self.survey(turn)
        return self.key

    def is_first(self, square: i64, *, anew: bool) -> bool:
        """Return True if no twin of an unclaimed square was asked for since the last `anew`."""
        if anew:
            self.stamp += 1
        twin = self.twins[square]
        if twin < 0:
            return True
        if self.seen[twin] == self.stamp:
            return False
        self.seen[twin] = self.stamp
        return True

    def secured(self, seat: i64, turn: i64) -> i64:
        """Return a lead that a seat can make sure of: extras/study/docs/solved.md, "Pairs", has its strategy and the
        proof.

        Each line that the other can complete gets a pair of unclaimed squares, or its bonus is given up. The seat
        answers a move in a pair by the rest of that pair. Else it claims the heaviest of the other squares.
        """
        if not self.fresh or self.turn != turn:
            self.survey(turn)
        rest = self.rest
        for kind in range(len(rest)):
            rest[kind] = self.of_kind[kind]
        self.stamp += 1
        self.paired = 0
        base = -self.lead if seat else self.lead
        for line in range(len(self.alive)):
            if self.alive[line] & 2 - seat:
                base -= self.pair(line, seat)
        sign: i64 = 1 if seat == turn else -1
        if not self.ground.leaves_one:
            return base + self.shared_out(sign, -1)
        return base + self.shared_out_but_one(seat, sign)

    def pair(self, line: i64, seat: i64) -> i64:
        """Keep a pair of unclaimed squares of a line apart; return the cost, which is its bonus if there is none.

        The two are as equal in weight as possible, and rather on no other line that needs a pair.
        """
        ground = self.ground
        owner = self.owner
        used = self.used
        stamp = self.stamp
        weights = ground.weights
        step = ground.step[line]
        begin = ground.first[line]
        end = begin + step * ground.lengths[line]
        across = line < ground.height
        # lines at the edge leave the heavier squares to those that cross them
        outer = line == 0 or line == ground.height - 1 or line == ground.height or line == len(self.alive) - 1
        sign: i64 = 1 if outer else -1
        best: i64 = -1
        first: i64 = -1
        other: i64 = -1
        square = begin
        while square < end:
            if owner[square] == UNCLAIMED and used[square] != stamp:
                needed = self.needed(square, seat, across=across)
                second = square + step
                while second < end:
                    if owner[second] == UNCLAIMED and used[second] != stamp:
                        gap = max(weights[square], weights[second]) - min(weights[square], weights[second])
                        cost = 4 * gap + needed + self.needed(second, seat, across=across)
                        cost = cost * WEIGHTY + WEIGHTY // 2 + sign * (weights[square] + weights[second])
                        if first < 0 or cost < best:
                            best = cost
                            first = square
                            other = second
                    second += step
            square += step
        if first < 0 or best // (4 * WEIGHTY) >= ground.bonuses[line]:
            return ground.bonuses[line]
        used[first] = stamp
        used[other] = stamp
        self.rest[ground.kinds[first]] -= 1
        self.rest[ground.kinds[other]] -= 1
        self.pairs[2 * self.paired] = first
        self.pairs[2 * self.paired + 1] = other
        self.paired += 1
        return best // (4 * WEIGHTY)

    def needed(self, square: i64, seat: i64, *, across: bool) -> i64:
        """Return 1 if the other seat can complete the line that crosses this row (or column) here, else 0."""
        height = self.ground.height
        crossing = height + square // height if across else square % height
        return 1 if self.alive[crossing] & 2 - seat else 0

    def shared_out(self, sign: i64, without: i64) -> i64:
        """Return the lead if both seats claim the heaviest of the rest in turns; one of a kind can be left out."""
        total: i64 = 0
        for kind in range(len(self.rest)):
            if (self.rest[kind] - (1 if kind == without else 0)) % 2:
                total += sign * self.ground.kind_weights[kind]
                sign = -sign
        return total

    def shared_out_but_one(self, seat: i64, sign: i64) -> i64:
        """Return the least lead, as `shared_out`, over all that can stay unclaimed: a square of the rest, or one of a
        pair.
        """
        ground = self.ground
        worst = self.worst
        loss = self.loss
        for kind in range(len(worst)):
            worst[kind] = -BEYOND
        for square in range(ground.squares):
            if self.owner[square] == UNCLAIMED and self.used[square] != self.stamp:
                kind = ground.kinds[square]
                worst[kind] = max(worst[kind], loss[2 * square + seat])
        least: i64 = BEYOND
        for kind in range(len(worst)):
            if worst[kind] > -BEYOND:
                least = min(least, self.shared_out(sign, kind) - worst[kind])
        # the first seat has no answer to the last move; the second one begins a pair only if nothing else is left
        gain: i64 = 1 if seat else -1
        whole = self.shared_out(sign, -1)
        for place in range(self.paired):
            one = self.pairs[2 * place]
            other = self.pairs[2 * place + 1]
            least = min(least, whole + gain * ground.weights[one] - loss[2 * other + seat])
            least = min(least, whole + gain * ground.weights[other] - loss[2 * one + seat])
        return least

    def haste(self, square: i64, turn: i64, last: i64) -> i64:
        """Add up the weight of a square, the promise of its lines to the mover, and their promise to the other seat
        without it.

        The answer in a pair to the last move comes first: so a strategy meets few positions.
        """
        ground = self.ground
        height = ground.height
        return (
            (ANSWER if last >= 0 and ground.mates[last] == square else 0)
            + 4 * ground.weights[square]
            + self.promise(square % height, turn)
            + self.promise(height + square // height, turn)
        )

    def promise(self, line: i64, turn: i64) -> i64:
        """Return the worth of a square of this line to the mover."""
        alive = self.alive[line]
        bonus = self.ground.bonuses[line]
        length = self.ground.lengths[line]
        total: i64 = 0
        if alive & 2 - turn:
            theirs = self.tally[2 * line + 1 - turn]
            total += 4 * bonus * (theirs + 1 + (LAST if theirs + 1 == length else 0))
        if alive & turn + 1:
            ours = self.tally[2 * line + turn]
            total += 3 * bonus * (ours + (WINNING if ours + 1 == length else 0))
        return total
