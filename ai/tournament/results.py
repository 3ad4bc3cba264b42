"""The result of a tournament's game.

Plain values. The runner plays games and keeps their records; ratings.py, tables.py and their neighbours interpret
results.
"""

from typing import Final, Literal, TypeAlias, get_args

from quadrille.value import value

#: The ways in which a seat can lose a game other than by its rules; a withdrawn entrant forfeits what it does not play.
Fault: TypeAlias = Literal["time", "illegal", "crash", "stall", "protocol", "forfeit"]
FAULTS: Final[tuple[Fault, ...]] = get_args(Fault)


#: Void a game after this many attempts that a signal ended.
BEGINNINGS: Final = 3


@value
class Kill:
    """A beginning of a game that was lost, because a signal ended an entrant's program."""

    number: int
    seats: tuple[int, ...]
    entrant: int
    why: str


@value
class Result:
    """One game. All rows are by seat: the entrant (counted from 0), its place (lower is better, equal if shared), its
    seconds, the fault that cost it the game.

    A game that failed at every beginning is `void`, has no places, and says nothing about anybody.
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
        """Half points by seat."""
        return half_points(self.places)


def half_points(places: tuple[int, ...]) -> tuple[int, ...]:
    """Return half points by seat: two for each opponent behind it, one for each with the same place."""
    return tuple(sum((place <= other) + (place < other) for other in places) - 1 for place in places)
