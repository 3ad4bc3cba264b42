"""The contents of the squares of Dollar Draw, as numbers. The board is in rules/boards/dollar_draw.py."""

from typing import Final

# The contents of a square. CLAIMED and CAPTURED each stand for two numbers: add the seat.
BLANK: Final = 0
DOLLAR: Final = 1  # uncaptured
CLAIMED: Final = 2
CAPTURED: Final = 4
BORDER: Final = 6
#: The first of two faces for the tokens, beside the contents below CAPTURED + 1: add the seat.
TOKEN: Final = 5
#: No possible Tally.
UNCOUNTED: Final = -9
