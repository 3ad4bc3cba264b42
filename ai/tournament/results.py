"""What a game of a tournament left behind.

Plain values. How a game is played and where its record is kept is the runner's affair; what results mean is said by
ratings.py, tables.py and their neighbours.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

#: How a seat can lose a game otherwise than by its rules.
Fault: TypeAlias = Literal["time", "illegal", "crash", "stall", "protocol"]
FAULTS: Final[tuple[Fault, ...]] = get_args(Fault)


#: How often a game is begun in which signals end programs; then it is void.
BEGINNINGS: Final = 3


@dataclass(frozen=True, slots=True)
class Kill:
    """A beginning of a game that came to nothing, because a signal ended the program of an entrant."""

    number: int
    seats: tuple[int, ...]
    entrant: int
    why: str


@dataclass(frozen=True, slots=True)
class Result:
    """One game. All rows are by seat: who sat there (entrants count from 0), its place (the lower the better, equal
    where it is shared), the seconds it took, the fault that cost it the game.

    A game that came to nothing as often as it was begun is `void`, has no places, and says nothing about anybody.
    """

    game: str
    block: int
    seats: tuple[int, ...]
    places: tuple[int, ...]
    contest: int = 0
    moves: str = ""  # a hash of all moves and faces
    plies: int = 0
    times: tuple[float, ...] = ()
    faults: tuple[Fault | None, ...] = ()
    void: bool = False

    @property
    def halves(self) -> tuple[int, ...]:
        """Half points by seat: two for each opponent that is behind, one for each whose place is the same."""
        return tuple(sum((place <= other) + (place < other) for other in self.places) - 1 for place in self.places)
