"""Statistics of results: ratings, errors, verdicts, tables."""

from typing import Final

#: The probability that an interval holds the truth.
LEVEL: Final = 0.95
#: Minimum blocks whose scatter means something, also where a seat wins everything.
FEW_BLOCKS: Final = 5
