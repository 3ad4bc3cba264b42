"""The players in a record (docs/protocols/records.md, "Records"), written from a table and read back; its summary.

A record may come from anybody: invalid parts are ignored.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Self

from quadrille.ai.house import is_of_house
from quadrille.client.bots.names import called
from quadrille.net.core.shapes import Shape, listed, text, whole
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.core.thoughts import Thoughts
from quadrille.rules.match import Left, Match
from quadrille.value import value

#: The field of the line with the thoughts of bots.
THOUGHTS: Final = "thoughts"
#: The field of the line with the number of moves that the game began with.
OPENING: Final = "opening"
#: The prefix of a program that only its owner can start.
_PROGRAM: Final = "./"
_TEXT: Final = Shape(lambda given: isinstance(given, str), "a text")
_BOT: Final = text(4096)
#: Time left may exceed a clock's initial time.
_TIME: Final = whole(24 * 60 * 60 * 1000 * 1000)


@value
class Players:
    """Names and bots by seat, "" for none; the clocks, if any."""

    names: tuple[str, ...] = ()
    bots: tuple[str, ...] = ()
    clocks: Clocks | None = None

    @classmethod
    def read(cls, about: Mapping[str, Any], seats: int) -> Self:
        """Read the players from the line of a record with that many seats."""
        from quadrille.net.trust.names import plain_name  # imported here: only a saved game has names to read

        names = tuple(name and plain_name(name) for name in _row(about.get("names"), _TEXT, seats))
        return cls(names, _row(about.get("bots"), _BOT, seats), _clocks(about, seats))

    def signed(self, own: str) -> Self:
        """Add the person's own name, if a single person plays without a name."""
        return self._renamed("", own)

    def unsigned(self, own: str) -> Self:
        """Remove the name that `signed` added."""
        return self._renamed(own, "")

    def _renamed(self, before: str, after: str) -> Self:
        """Rename the single person who plays here under the name before."""
        people = [seat for seat, bot in enumerate(self.bots) if not bot]
        names = self.names or ("",) * len(self.bots)
        if len(people) != 1 or len(self.bots) < 2 or names[people[0]] != before:
            return self
        return replace(self, names=(*names[: people[0]], after, *names[people[0] + 1 :]))

    @property
    def seatable(self) -> Self:
        """With people in the seats of programs, which a record from somebody else may not start; with one at least."""
        bots = tuple(bot if bot and is_of_house(bot) else "" for bot in self.bots)
        return replace(self, bots=("", *bots[1:]) if bots and all(bots) else bots)

    def told(self, now: int | None = None, *, private: bool) -> dict[str, object]:
        """Return the record's line.

        Only a `private` record has the commands that start programs. Without `now`, the clock of the seat to move
        stands as it began to run.
        """
        about: dict[str, object] = {}
        if any(self.names):
            about["names"] = list(self.names)
        if any(self.bots):
            about["bots"] = [bot if private else _shared(bot) for bot in self.bots]
        if self.clocks is not None:
            about["clock"] = [self.clocks.terms.initial, self.clocks.terms.increment]
            at = self.clocks.since if now is None else now
            about["left"] = [max(0, self.clocks.at(seat, at)) for seat in range(len(self.clocks.left))]
        return about


def thoughts_in(about: Mapping[str, Any]) -> Thoughts:
    """Read the thoughts of bots from the line of a record."""
    return Thoughts.read(about[THOUGHTS]) if THOUGHTS in about else Thoughts()


def with_thoughts(about: dict[str, object], thoughts: Thoughts) -> dict[str, object]:
    """Add the thoughts of bots to the record's line: for a person's own file, or if somebody asks for them."""
    return about | {THOUGHTS: thoughts.plain()} if thoughts else about


def opening_in(about: Mapping[str, Any], plies: int) -> int:
    """Count the moves at the beginning of a game that are an opening, which no player chose."""
    moves = about.get(OPENING)
    return moves if type(moves) is int and 0 < moves <= plies else 0


def with_opening(about: dict[str, object], moves: int) -> dict[str, object]:
    """Add the number of moves of an opening to the record's line."""
    return about | {OPENING: moves} if moves else about


def _shared(bot: str) -> str:
    return bot if not bot or is_of_house(bot) else f"{_PROGRAM}{called(bot)}"


def _row(given: Any, shape: Shape, number: int) -> tuple[Any, ...]:
    """Return a list of that many values of a shape, or nothing."""
    return tuple(given) if listed(shape, number, number).fits(given) else ()


def _clocks(about: Mapping[str, Any], seats: int) -> Clocks | None:
    terms, left = _row(about.get("clock"), _TIME, 2), _row(about.get("left"), _TIME, seats)
    if not terms or not terms[0]:
        return None
    full = Clocks.full(TimeControl(terms[0], terms[1]), seats)
    return Clocks(full.terms, left) if left else full


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
    def of(cls, match: Match, about: Mapping[str, Any]) -> Self:
        """Summarise a match, with what its record tells about the players."""
        seats, over = match.state.seats, match.over
        left = frozenset(entry.seat for entry in match.entries if isinstance(entry, Left))
        places = tuple(over.places) if over else ()
        return cls(match.game.key, seats, Players.read(about, seats), match.length, places, left)

    @classmethod
    def read(cls, game: str, about: Mapping[str, Any]) -> Self:
        """Read the summary of a game in the store, where its players stand too."""
        seats = len(about.get("bots") or about.get("names") or ()) or int(about.get("seats", 0))
        return cls(
            game, seats, Players.read(about, seats), int(about.get("entries", 0)), tuple(about.get("places", ())),
            frozenset(about.get("out", ())),
        )  # fmt: skip

    def plain(self) -> dict[str, object]:
        """Return what `read` reads beside the players."""
        return {"seats": self.seats, "entries": self.entries, "out": [*self.left], "places": [*self.places]}

    @property
    def awaits_person(self) -> bool:
        """Tell whether a person still plays in this game."""
        bots = self.players.bots or ("",) * self.seats
        return not self.places and any(not bot and seat not in self.left for seat, bot in enumerate(bots))
