"""The board of Dotter: what a draw, a look and a score do, and when a round and the game are over.

The rules are in rules/pages/dotter.md, what three cards are worth in rules/boards/hands.py, the cards and the list of
moves in rules/boards/dotter_table.py.

**A game ends.** A draw takes three cards from a pile of at most 54, a score takes three drawn ones off the table: at
most 18 of each in a round. A peek shows its player a card that this player has not seen in the round: at most 54 for
each player. So with six players a round has at most 18 + 18 + 6 * 54 = 360 moves. It can't stand still before its end
either: a draw is legal while the pile holds three, and when it does not, each player's cards face down are a multiple
of three (they come and go by threes), so that a score is legal until none are left; then the round is over. There are
at most `max_rounds` rounds, 1000 by the options' range, whoever leaves.
"""

from quadrille.rules.board import CHANCE
from quadrille.rules.boards import hands
from quadrille.rules.boards.dotter_table import (
    DRAW,
    PUBLIC,
    ROWS,
    SCORES,
    UNKNOWN,
    DotterTable,
    guess_of,
    player_of,
)
from quadrille.rules.ints import i64


class DotterBoard(DotterTable):
    """A table that moves are made on."""

    __slots__ = ()

    def apply(self, move: i64) -> None:
        """Draw a row; or begin to look at cards or turn them up; or see the one that is owed."""
        self.save()
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
        rows = self.rows[:]
        drawn = self.drawn[:]
        rows[ROWS * mover + drawn[mover]] = self.dealt
        drawn[mover] += 1
        self.rows = rows
        self.drawn = drawn
        self.dealt += 3
        self.pass_turn()

    def pass_turn(self) -> None:
        """ "Turns go round." """
        self.mover = self.next_seat(self.mover)
        self.turn = self.mover

    def see(self, face: i64) -> None:
        """The card that is owed is looked at or turned up; after the last one the move is done."""
        position = self.owed()
        if face != UNKNOWN:
            faces = self.faces[:]
            faces[position] = face
            self.faces = faces
        seen = self.seen[:]
        if self.doing >= SCORES:
            seen[position] = PUBLIC
        else:
            seen[position] |= 1 << self.mover
        self.seen = seen
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
        best = self.best[:]
        best[self.mover] = max(best[self.mover], points)
        self.best = best
        self.free_pegs()
        if self.peg(points):
            self.ended = True
        elif self.serves() or self.dealt > self.discarded:
            self.pass_turn()
        else:
            # "A round ends when the deck cannot serve a draw and no face-down cards are left."
            self.end_round()

    def points(self) -> i64:
        """What the cards that are up are worth to the mover."""
        faces = self.faces
        ranks = self.ranks
        one, two, three = self.asked()
        ranked = hands.place(guess_of(self.doing), ranks[faces[one]], ranks[faces[two]], ranks[faces[three]])
        points = self.worth[ranked]
        # "Points from another player's cards are halved, rounded down." "Halving … comes last."
        return points if player_of(self.doing) == self.mover else points // 2

    def free_pegs(self) -> None:
        """A waiting peg is free when "another player has scored … whatever it was worth": "0 of the next lap"."""
        hole = self.hole[:]
        for seat in range(self.seats):
            if seat != self.mover and hole[seat] == self.lap_points:
                hole[seat] = 0
        self.hole = hole

    def peg(self, points: i64) -> bool:
        """Move the mover's peg; whether that wins the game."""
        mover = self.mover
        if self.hole[mover] == self.lap_points:
            return False  # "points its owner scores are lost"
        hole = self.hole[:]
        hole[mover] += points
        self.hole = hole
        if hole[mover] < self.lap_points:
            return False
        # "A score that reaches or passes it puts the peg on 121, what is over is lost, and one lap is complete."
        hole[mover] = self.lap_points
        laps = self.laps[:]
        laps[mover] += 1
        self.laps = laps
        # "Who completes the last lap wanted wins at once"; who left while the cards were turned up wins nothing
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
        furthest = 0
        for seat in range(self.seats):
            if not self.left[seat]:
                furthest = max(furthest, self.along(seat))
        hole = self.hole[:]
        for seat in range(self.seats):
            # "waiting ends": a peg on the last hole is on 0, the furthest or not. Seats that are out stay as they are.
            if not self.left[seat] and (self.along(seat) < furthest or hole[seat] == self.lap_points):
                hole[seat] = 0
        self.hole = hole

    def along(self, seat: i64) -> i64:
        """ "the peg's place (a peg on the last hole counts as 0 of the next lap)" """
        hole = self.hole[seat]
        return 0 if hole == self.lap_points else hole

    def after_leaving(self, seat: i64) -> None:
        """The turn passes on; but cards that are being looked at or turned up still are, and then it does."""
        if self.mover == seat and self.turn != CHANCE and not self.ended:
            self.pass_turn()

    def compare(self, one: i64, other: i64) -> i64:
        """ "Laps completed, then the peg's place." """
        if self.laps[one] != self.laps[other]:
            return self.laps[one] - self.laps[other]
        return self.along(one) - self.along(other)
