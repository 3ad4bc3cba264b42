"""The board of Dotter: draws, looks and scores, and the ends of rounds and of the game.

The rules are in rules/pages/dotter.md, what three cards are worth in rules/boards/_dotter/hands.py, the cards in
rules/boards/_dotter/table.py, the list of moves in rules/boards/_dotter/moves.py, their steps in
rules/boards/_dotter/steps.py.

**A game ends.** A draw takes three cards from a pile of at most 54, a score takes three drawn ones off the table: at
most 18 of each in a round. A peek shows its player a card that this player has not seen in the round: at most 54 for
each player. So with six players a round has at most 18 + 18 + 6 * 54 = 360 moves. It can't stand still before its end
either: a draw is legal while the pile holds three. After that, each player's cards face down are a multiple of three
(they come and go by threes), so a score is legal until none are left; then the round is over. There are at most
`max_rounds` rounds, 1000 by the options' range, whoever leaves.
"""

from quadrille.rules.arrays import array, filled
from quadrille.rules.board import CHANCE, OVER, PART, UNKNOWN
from quadrille.rules.boards._dotter import hands
from quadrille.rules.boards._dotter import sense as dotter_sense
from quadrille.rules.boards._dotter.steps import DotterTurns
from quadrille.rules.boards._dotter.table import (
    DRAW,
    PUBLIC,
    ROWS,
    SCORES,
    guess_of,
    player_of,
)
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64, mypyc_attr, vec


@mypyc_attr(allow_interpreted_subclasses=True)
class DotterBoard(DotterTurns):
    """A table that moves are made on."""

    __slots__ = ()

    def apply(self, move: i64) -> None:
        """Draw a row; or begin to look at cards or turn them up; or see the one that is owed."""
        self.save()
        self.make(move)

    def make(self, move: i64) -> None:
        """As `apply`, without undo."""
        self.plies += 1
        if self.turn == CHANCE:
            self.see(move)
        elif move == DRAW:
            self.draw()
        else:
            self.doing = move
            self.turn = CHANCE

    def draw(self) -> None:
        """ "the top three cards of the deck go face down, unseen, in a new row in front of the player" """
        mover = self.mover
        drawn = self.drawn
        self.rows[ROWS * mover + drawn[mover]] = self.dealt
        drawn[mover] += 1
        self.dealt += 3
        self.pass_turn()

    def pass_turn(self) -> None:
        """ "Turns go round." """
        self.mover = self.next_seat(self.mover)
        self.turn = self.mover

    def see(self, face: i64) -> None:
        """The owed card is looked at or turned up; after the last one the move is done."""
        position = self.owed()
        if face != UNKNOWN:
            self.faces[position] = face
        if self.doing >= SCORES:
            self.seen[position] = PUBLIC
        else:
            self.seen[position] |= 1 << self.mover
        if self.owed() == UNKNOWN:
            if self.doing >= SCORES:
                self.score()
            else:
                self.doing = DRAW
                self.pass_turn()

    def score(self) -> None:
        """The three cards are up: peg them, discard them; then the game or the round may be over."""
        points = self.points()
        self.doing = DRAW
        self.turn = self.mover
        self.discarded += 3
        if points > self.best[self.mover]:
            self.best[self.mover] = points
        self.free_pegs()
        if self.peg(points):
            self.ended = True
        elif self.serves() or self.dealt > self.discarded:
            self.pass_turn()
        else:
            # "A round ends when the deck cannot serve a draw and no face-down cards are left."
            self.end_round()

    def points(self) -> i64:
        """The points of the turned-up cards for the mover."""
        faces = self.faces
        ranks = self.ranks
        one = ranks[faces[self.asked_at(0)]]
        two = ranks[faces[self.asked_at(1)]]
        three = ranks[faces[self.asked_at(2)]]
        ranked = hands.place(guess_of(self.doing), one, two, three)
        points = self.worth[ranked]
        # "Points from another player's cards are halved, rounded down." "Halving … comes last."
        return points if player_of(self.doing) == self.mover else points // 2

    def free_pegs(self) -> None:
        """A waiting peg is free when "another player has scored … whatever it was worth": "0 of the next lap"."""
        hole = self.hole
        for seat in range(self.seats):
            if seat != self.mover and hole[seat] == self.lap_points:
                hole[seat] = 0

    def peg(self, points: i64) -> bool:
        """Move the mover's peg; whether that wins the game."""
        mover = self.mover
        if self.hole[mover] == self.lap_points:
            return False  # "points its owner scores are lost"
        hole = self.hole
        hole[mover] += points
        if hole[mover] < self.lap_points:
            return False
        # "A score that reaches or passes it puts the peg on 121, what is over is lost, and one lap is complete."
        hole[mover] = self.lap_points
        laps = self.laps
        laps[mover] += 1
        # "Who completes the last lap wanted wins at once"; a seat that left while the cards were turned up wins nothing
        return laps[mover] == self.laps_wanted and not self.left[mover]

    def end_round(self) -> None:
        """ "after `max_rounds` rounds the game ends"; else pegs are compared and the next round begins."""
        if self.round + 1 == self.max_rounds:
            self.ended = True
            return
        self.compare_pegs()
        self.new_round(self.round + 1)

    def compare_pegs(self) -> None:
        """ "the players whose peg is furthest along the track keep their points, all others start … from 0" """
        furthest: i64 = 0
        for seat in range(self.seats):
            if not self.left[seat]:
                along = self.along(seat)
                if along > furthest:
                    furthest = along
        hole = self.hole
        for seat in range(self.seats):
            # "waiting ends": a peg on the last hole is on 0, the furthest or not. Seats that are out stay as they are.
            if not self.left[seat] and (self.along(seat) < furthest or hole[seat] == self.lap_points):
                hole[seat] = 0

    def along(self, seat: i64) -> i64:
        """ "the peg's place (a peg on the last hole counts as 0 of the next lap)" """
        hole = self.hole[seat]
        return 0 if hole == self.lap_points else hole

    def after_leaving(self, seat: i64) -> None:
        """The turn passes on; but cards that are being looked at or turned up still are, and then it passes on."""
        if self.mover == seat and self.turn != CHANCE and not self.ended:
            self.pass_turn()

    def compare(self, one: i64, other: i64) -> i64:
        """ "Laps completed, then the peg's place." """
        if self.laps[one] != self.laps[other]:
            return self.laps[one] - self.laps[other]
        return self.along(one) - self.along(other)

    # For search and playouts

    def random_move(self, dice: Dice) -> i64:
        """A move by its number; at CHANCE a face that the owed card can have."""
        if self.ended:
            return OVER
        if self.turn != CHANCE:
            return self.nth(dice.below(self.count()))
        face = self.faces[self.owed()]
        if face != UNKNOWN:
            return face
        bits = self.unseen()
        number: i64 = 0
        rest = bits
        while rest:
            rest &= rest - 1
            number += 1
        for _ in range(dice.below(number)):
            bits &= bits - 1
        while bits & 1 == 0:
            bits >>= 1
            face += 1
        return face + 1

    def playout(self, dice: Dice) -> None:
        """Random moves to the end of the game, never to be taken back."""
        move = self.random_move(dice)
        while move >= 0:
            self.make(move)
            move = self.random_move(dice)

    def candidates(self, dice: Dice, most: i64) -> i64:
        """The draw, and moves spread evenly over the list: one from each of `most` parts of it."""
        if self.ended or self.turn == CHANCE:
            return self.legal()
        total = self.count()
        if total <= most:
            return self.legal()
        if most > len(self.moves):
            self.moves = filled(most, 0)
        self.moves[0] = self.nth(0)
        for i in range(1, most):
            first = i * total // most
            beyond = (i + 1) * total // most
            self.moves[i] = self.nth(first + dice.below(beyond - first))
        return most

    def promising(self, dice: Dice, most: i64) -> i64:
        """A dozen of a turn's thousands of moves."""
        if self.ended or self.turn == CHANCE:
            return self.legal()
        return dotter_sense.worth_a_thought(self, dice)

    def sharpen(self) -> bool:
        """Players count cards, and name the guess that most points can be expected of."""
        self.counts = True
        return True

    def at_sight(self, dice: Dice) -> i64:
        """By the cards that the mover has looked at; at CHANCE a face."""
        if self.ended or self.turn == CHANCE:
            return self.random_move(dice)
        return dotter_sense.move_at_sight(self, dice)

    def play_on(self, dice: Dice) -> None:
        """To the end of the round, each move as its player would make it at sight."""
        number = self.round
        while not self.ended and self.round == number:
            self.make(self.at_sight(dice))

    def estimate(self, seat: i64) -> i64:
        """A lap ahead is as good as won; between two rounds pegs have been compared already."""
        total: i64 = 0
        own = self.laps[seat] * self.lap_points + self.along(seat)
        for other in range(self.seats):
            if other != seat:
                lead = PART * (own - self.laps[other] * self.lap_points - self.along(other)) // self.lap_points
                total += PART if lead > PART else -PART if lead < -PART else lead
        return total

    def hides(self, seat: i64) -> bool:
        """ "looks at two … cards": the player alone does."""
        return self.doing < SCORES and self.mover != seat

    def guess(self, dice: Dice) -> None:
        """Give every card of the pile a face: those that are unknown lie in any order, all equally likely."""
        faces = self.faces
        rest = filled(len(faces), 0)
        count: i64 = 0
        bits = self.unseen()
        face: i64 = 0
        while bits:
            if bits & 1:
                rest[count] = face
                count += 1
            bits >>= 1
            face += 1
        for position in range(len(faces)):
            if faces[position] == UNKNOWN:
                chosen = dice.below(count)
                count -= 1
                faces[position] = rest[chosen]
                rest[chosen] = rest[count]

    def shape(self) -> vec[i64]:
        """Five planes, and six a seat, of one row: the cards from the top of the pile."""
        return array((5 + 6 * self.seats, len(self.faces), 1))
