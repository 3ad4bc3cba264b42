"""What every board of Coin Isolation shares: the numbers that its source is written in, and the terms of a game.

No position in here: that is rules/boards/coin_isolation.py's.
"""

from typing import Final

from quadrille.rules.ints import i64, vec

KINDS: Final = 4
CENTS: Final = (1, 5, 10, 25)
#: What a path may run over, as bits: a kind of coin each, and squares without coins for renegades.
COINS: Final = 15
BARE: Final = 16
NONE: Final = -1

ONE, GREEDY, SEMI_GREEDY = 0, 1, 2
PILE, TRANSPLANT, TRANSPLANT_AFTER, CLEANUP = 0, 1, 2, 3

#: The steps that are no squares, counted from `CoinBoard.first`.
END, STAND, RENEGADE, PASS, SIDE, COIN, TAKE = 0, 1, 2, 3, 4, 8, 12

#: What the next step is for: the layout's next coin, a side, a turn's beginning (DECLARED: as a new renegade), the next
#: square of a path, or a clause.
LAYOUT, SIDES, TURN, DECLARED, WALK, KIND_WANTED, TAKE_WANTED, GIVE_WANTED, PLACE_WANTED, STAND_WANTED = range(10)

#: Places in `CoinBoard.at`: what is counted, and the turn in the making.
TURNS, PASSES, IDLE, LAID, STAGE, WILD, MASK, LENGTH, KIND, TAKEN, PLACED, GIVEN = range(12)
FIELDS: Final = GIVEN + KINDS


class CoinTerms:
    """What was agreed before the game: the sheet, the coins, the variants. Shared by boards, never changed."""

    __slots__ = (
        "cells",
        "coins",
        "collect",
        "height",
        "idle_rounds",
        "layout",
        "mixed_change",
        "near",
        "reading",
        "renegade",
        "sides",
        "standing_still",
        "take",
        "width",
    )

    def __init__(self, width: i64, height: i64, near: list[vec[i64]], layout: vec[i64], coins: vec[i64]) -> None:
        """`near[q]` are the squares adjacent to q, ascending; `layout[q]` is the kind of coin there, NONE for none.

        Without a layout, `coins` are to be drawn: how many there are of each kind.
        """
        self.coins = coins
        self.width = width
        self.height = height
        self.cells = width * height
        self.near = near
        self.layout = layout
        self.take = ONE
        self.collect = PILE
        self.mixed_change = False
        self.standing_still = False
        self.renegade = False
        self.idle_rounds = 8
        # "in reading order, a8 to h8, then row 7 and so on"
        self.reading = vec([column * height + row for row in range(height - 1, -1, -1) for column in range(width)])
        # The first rows of south, north, west and east; a side's opposite is its number with the last bit changed.
        south = vec(range(0, self.cells, height))
        west = vec(range(height))
        self.sides = [south, vec([q + height - 1 for q in south]), west, vec([q + self.cells - height for q in west])]
