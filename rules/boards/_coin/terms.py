"""Shared data of all boards of Coin Isolation: the constants of its source, and the terms of a game.

Positions are in rules/boards/coin_isolation.py.
"""

from collections.abc import Sequence
from typing import Any, Final

from quadrille.rules.arrays import array, packed
from quadrille.rules.ints import i64

KINDS: Final = 4
#: The surfaces of a path, as bits: each kind of coin, and squares without coins for renegades.
COINS: Final = 15
BARE: Final = 16
NONE: Final = -1

#: The option for the number of coins kept.
ONE: Final = 0
GREEDY: Final = 1
SEMI_GREEDY: Final = 2
#: The options for collected coins.
PILE: Final = 0
TRANSPLANT: Final = 1
TRANSPLANT_AFTER: Final = 2
CLEANUP: Final = 3

#: The steps other than squares, counted from `CoinBoard.first`.
END: Final = 0
STAND: Final = 1
RENEGADE: Final = 2
PASS: Final = 3
SIDE: Final = 4
COIN: Final = 8
TAKE: Final = 12

#: The stage of the next step: the layout's next coin, a side, a turn's beginning (DECLARED: as a new renegade), the
#: next square of a path, or a clause.
LAYOUT: Final = 0
SIDES: Final = 1
TURN: Final = 2
DECLARED: Final = 3
WALK: Final = 4
KIND_WANTED: Final = 5
TAKE_WANTED: Final = 6
GIVE_WANTED: Final = 7
PLACE_WANTED: Final = 8
STAND_WANTED: Final = 9

#: Indices in `CoinBoard.at`: counters, and the unfinished turn.
TURNS: Final = 0
PASSES: Final = 1
IDLE: Final = 2
LAID: Final = 3
STAGE: Final = 4
WILD: Final = 5
MASK: Final = 6
LENGTH: Final = 7
KIND: Final = 8
TAKEN: Final = 9
PLACED: Final = 10
GIVEN: Final = 11
FIELDS: Final = GIVEN + KINDS
#: Places of a row in `CoinTerms.near`: at most twelve squares, and the -1 that ends them.
ROW: Final = 13


class CoinTerms:
    """The agreement before the game: sheet, coins, variants. Shared by boards, never changed.

    `near` has a row of ROW places for each square, with its adjacent squares, and after these one for each side, with
    its first row of squares: where a path can go on, or begin.
    """

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
        "standing_still",
        "take",
        "width",
    )

    take: i64
    collect: i64
    idle_rounds: i64

    def __init__(
        self, width: i64, height: i64, near: Sequence[Sequence[int]], layout: Sequence[int], coins: Sequence[int]
    ) -> None:
        """`near[q]` are the squares adjacent to q, ascending; `layout[q]` is the kind of coin there, NONE for none.

        Without a layout, `coins` are to be drawn, by number of each kind.
        """
        self.coins = array(coins)
        self.width = width
        self.height = height
        self.cells = width * height
        self.layout = array(layout)
        self.take = ONE
        self.collect = PILE
        self.mixed_change = False
        self.standing_still = False
        self.renegade = False
        self.idle_rounds = 8
        # "in reading order, a8 to h8, then row 7 and so on"
        self.reading = array([column * height + row for row in range(height - 1, -1, -1) for column in range(width)])
        # The first rows of south, north, west and east; a side's opposite is its number with the last bit changed.
        south = list(range(0, width * height, height))
        west = list(range(height))
        north = [q + height - 1 for q in south]
        east = [q + width * height - height for q in west]
        self.near = packed([*near, south, north, west, east], ROW)

    def __reduce__(self) -> tuple[object, ...]:
        """Its constructor arguments, and what was set afterwards."""
        rows = [[q for q in self.near[ROW * q : ROW * q + ROW] if q >= 0] for q in range(self.cells)]
        flags = (self.mixed_change, self.standing_still, self.renegade)
        given = (self.width, self.height, rows, list(self.layout), list(self.coins))
        return agreed_again, (given, self.take, self.collect, self.idle_rounds, flags)


def agreed_again(given: Any, take: int, collect: int, idle_rounds: int, flags: tuple[bool, bool, bool]) -> CoinTerms:
    """The terms of a pickle."""
    width, height, near, layout, coins = given
    terms = CoinTerms(width, height, near, layout, coins)
    terms.take = take
    terms.collect = collect
    terms.idle_rounds = idle_rounds
    terms.mixed_change, terms.standing_still, terms.renegade = flags
    return terms
