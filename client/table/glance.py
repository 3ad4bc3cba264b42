"""The summary of a game for lists, from its record or from what stands beside its log."""

from collections.abc import Mapping
from typing import Any, Self

from quadrille.client.table.players import Players
from quadrille.rules.match import Match
from quadrille.value import value


@value
class Glance:
    """A game, its seats, players and those who left. `places` are empty while the game goes on."""

    game: str
    seats: int
    players: Players
    entries: int
    places: tuple[int, ...]
    left: frozenset[int] = frozenset()

    @classmethod
    def of(cls, match: Match, told: Mapping[str, Any]) -> Self:
        """Summarise a match, with what its record tells about the players."""
        seats, over = match.state.seats, match.over
        return cls(match.game.key, seats, Players.read(told, seats), match.length, tuple(over.places) if over else ())

    @property
    def awaits_person(self) -> bool:
        """Tell whether a person still plays in this game."""
        bots = self.players.bots or ("",) * self.seats
        return not self.places and any(not bot and seat not in self.left for seat, bot in enumerate(bots))
