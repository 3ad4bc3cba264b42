"""The board of Dollar Draw: marks, two tokens, and the dollars they make.

The rules are in rules/pages/dollar-draw.md. A move is the number of the square that it alters. Seat 0 is Bar, 1 is S.

Every game ends: a move alters one square, and nothing takes a mark away, so a square is altered three times at most
(claimed, reclaimed, captured), and the two corners, claimed from the start, twice: 3 * squares - 2 moves in all.
"""

from typing import Self

from quadrille.rules.board import Board
from quadrille.rules.ints import filled, i64, packed, vec
from quadrille.rules.squares import grid

# What a square holds. Both CLAIMED and CAPTURED stand for two numbers: add the seat.
BLANK = 0
DOLLAR = 1  # uncaptured
CLAIMED = 2
CAPTURED = 4

BESIDE = 5  # places of a square in `beside`: four neighbours and the -1 that ends them
AROUND = 9
UNCOUNTED = -9  # no Tally comes out at that


class DollarDrawBoard(Board):
    """`holds` says what each square holds, `tokens` where each seat's token stands."""

    __slots__ = ("around", "beside", "captured", "claimed", "holds", "squares", "tokens", "trail")

    def __init__(self, width: i64, height: i64) -> None:
        super().__init__(2, 4)
        sheet = grid(width, height)
        self.squares = width * height
        self.beside = packed(sheet.beside, BESIDE)
        self.around = packed(sheet.around, AROUND)
        self.reset()

    def reset(self) -> None:
        """ "Bar's mark and token start on a1, S's on the diagonally opposite corner. All other squares are blank." """
        self.start_over()
        corner = self.squares - 1
        self.holds = filled(self.squares, BLANK)
        self.holds[0] = CLAIMED
        self.holds[corner] = CLAIMED + 1
        self.tokens = vec((0, corner))
        self.claimed = filled(2, 1)
        self.captured = filled(2, 0)
        self.trail = filled(3 * self.squares - 2, 0)

    def copy(self) -> Self:
        """The same position, nothing to take back."""
        twin = self.twin()
        twin.squares = self.squares
        twin.beside = self.beside
        twin.around = self.around
        twin.moves = self.moves[:]
        twin.holds = self.holds[:]
        twin.tokens = self.tokens[:]
        twin.claimed = self.claimed[:]
        twin.captured = self.captured[:]
        twin.trail = filled(len(self.trail), 0)
        return twin

    def legal(self) -> i64:
        """The squares beside the player's token that can be altered now, in their order; without any it is over."""
        if self.ended:
            return 0
        seat = self.turn
        holds = self.holds
        moves = self.moves
        beside = self.beside
        token = self.tokens[seat]
        other = self.tokens[1 - seat]
        theirs = CLAIMED + 1 - seat
        lead = UNCOUNTED
        count = 0
        place = BESIDE * token
        square = beside[place]
        while square >= 0:
            held = holds[square]
            if held <= DOLLAR:  # "blank: claim, always; an uncaptured dollar, whoever made it: capture, always"
                if square != other:  # "never the square that the other token stands on"
                    moves[count] = square
                    count += 1
            elif held == theirs and square != other:  # "reclaim: only if the Tally allows"
                if lead == UNCOUNTED:
                    lead = self.count_around(token, theirs) - self.count_around(token, CLAIMED + seat)
                if lead > 0:
                    moves[count] = square
                    count += 1
            place += 1
            square = beside[place]
        if count == 0:
            self.ended = True
        return count

    def count_around(self, token: i64, mark: i64) -> i64:
        """For the Tally: how many of the up to eight squares around a token hold this; its own is not counted."""
        holds = self.holds
        around = self.around
        found = 0
        place = AROUND * token
        square = around[place]
        while square >= 0:
            if holds[square] == mark:
                found += 1
            place += 1
            square = around[place]
        return found

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
        self.plies = plies + 1
        self.turn = 1 - seat

    def undo(self) -> None:
        """Take back the last move: what the square holds tells what it was."""
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
        self.trail[plies] = 0
        self.plies = plies
        self.turn = seat
        self.ended = False

    def last_mover(self) -> i64:
        """The seat that made the last legal move; before any, the seat that would have made it: S, not yet to move."""
        return 1 - self.turn

    def compare(self, one: i64, other: i64) -> i64:
        """ "The first that separates the two: more captured dollars; more claimed squares; the last legal move." """
        lead = self.captured[one] - self.captured[other]
        if lead == 0:
            lead = self.claimed[one] - self.claimed[other]
        if lead == 0:
            lead = 1 if one == self.last_mover() else -1
        return lead
