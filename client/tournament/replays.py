"""The games of a tournament that readers of its report can step through: their choice, and the film that shows them.

The choice is bounded, because a page of all games could have any size. See report.py for the rest of the report.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, permutations, zip_longest
from typing import Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.client.picture.film import Film, FilmedMatch
from quadrille.client.picture.page import FilmParts, stage
from quadrille.rules.record import read

#: Maximum replayable games. With 2,000, films that nobody opens took half of the time of a report.
MOST_GAMES: Final = 100
#: Maximum games of a fault or of a repetition that are named.
NAMED: Final = 10
#: Maximum size of the records of one page, in characters.
MOST_CHARACTERS: Final = 256 << 20


@dataclass(frozen=True)
class ReplayableGames:
    """The replayable games, the last one first; the numbers of all games by their ids, and of those with faults."""

    outcomes: tuple[GameOutcome, ...]
    numbers: Mapping[str, int]
    faulty: Sequence[int]
    #: The greatest surprise: its number, and what its winner could expect.
    surprise: tuple[int, float] | None = None

    def named(self, games: Sequence[str]) -> list[int]:
        """Return the numbers of the first few of these games."""
        return [self.numbers[game] for game in games[:NAMED]]


def choose(journal: Journal, most: int, expected: Sequence[Sequence[float]] = ()) -> ReplayableGames:
    """Choose the replayable games: all, or in turn one with a fault, a late one, a surprise, a short one, a long one.
    The less a winner could expect from a loser (`expected`), the greater is the surprise.
    """
    numbers, faulty, plies, hopes = dict[str, int](), list[int](), dict[int, int](), dict[int, float]()
    for number, game, whys, moves, seats, places in journal.rows(("number", "id", "whys", "plies", "seats", "places")):
        numbers[game], plies[number] = number, moves
        if any(whys):
            faulty.append(number)
        elif expected and (hope := _hope(seats, places, expected)) < 0.5:
            hopes[number] = hope
    upsets, short = sorted(hopes, key=lambda number: (hopes[number], -number)), sorted(plies, key=plies.__getitem__)
    chosen = set(plies)
    if len(chosen) > most:
        orders = (faulty[::-1], sorted(plies, reverse=True), upsets, short, short[::-1])
        in_turn = filter(lambda number: number is not None, chain.from_iterable(zip_longest(*orders)))
        chosen = set(islice(dict.fromkeys(in_turn), most))
    outcomes, size = list[GameOutcome](), 0
    for number in sorted(chosen, reverse=True):
        outcome = journal.outcome(number)
        assert outcome is not None, "its row has just been read"
        outcomes.append(outcome)
        size += len(outcome.record)
        if size > MOST_CHARACTERS:
            raise TournamentError(
                f"the records of {len(chosen)} games have more than {MOST_CHARACTERS} characters: "
                "give a smaller number with --games"
            )
    surprise = next(((number, hopes[number]) for number in upsets if number in chosen), None)
    return ReplayableGames(tuple(outcomes), numbers, faulty, surprise)


def _hope(seats: Sequence[int], places: Sequence[int], expected: Sequence[Sequence[float]]) -> float:
    """Return the least that a seat could expect from one that it beat."""
    rows = permutations(zip(seats, places, strict=True), 2)
    return min((expected[entrant][other] for (entrant, place), (other, behind) in rows if place < behind), default=1.0)


def stage_of(outcomes: Sequence[GameOutcome], names: Sequence[str]) -> FilmParts | None:
    """Return the film of games; None if there are none. `names` are those of all entrants."""
    if not outcomes:
        return None
    film = Film(
        FilmedMatch(read(one.record), names=[names[entrant] for entrant in one.result.seats], thoughts=one.thoughts)
        for one in outcomes
    )
    data = film.data()
    for game, outcome in zip(data["games"], outcomes, strict=True):
        game |= {"name": f"Game {outcome.number}", "number": outcome.number}
    return stage(film, data)
