"""The games of a tournament that readers of its report can step through: their choice, and the film that shows them.

The choice is bounded, because a page of all games could have any size. See report.py for the rest of the report.
"""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.client.picture.film import Film, FilmedMatch
from quadrille.client.picture.page import FilmParts, stage
from quadrille.rules.record import read, story

#: Maximum replayable games: those with faults first, then the last ones.
MOST_GAMES: Final = 2000
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

    def named(self, games: Sequence[str]) -> list[int]:
        """Return the numbers of the first few of these games."""
        return [self.numbers[game] for game in games[:NAMED]]


def choose(journal: Journal, most: int) -> ReplayableGames:
    """Choose the replayable games: all, or those with faults first and then the last ones."""
    numbers, faulty = dict[str, int](), list[int]()
    for number, game, whys in journal.rows(("number", "id", "whys")):
        numbers[game] = number
        if any(whys):
            faulty.append(number)
    chosen = set(numbers.values())
    if len(chosen) > most:
        chosen = set(faulty[-(most // 2) :] if most > 1 else [])
        rest = [number for number in numbers.values() if number not in chosen]
        chosen.update(rest[len(rest) - (most - len(chosen)) :])
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
    return ReplayableGames(tuple(outcomes), numbers, faulty)


def stage_of(outcomes: Sequence[GameOutcome], names: Sequence[str]) -> FilmParts | None:
    """Return the film of games; None if there are none. `names` are those of all entrants."""
    if not outcomes:
        return None
    # Games with the same beginning follow each other, so that it is played and drawn once.
    places = sorted(range(len(outcomes)), key=lambda place: story(outcomes[place].record))

    def games() -> Iterator[FilmedMatch]:
        match = None
        for place in places:
            outcome = outcomes[place]
            match = read(outcome.record, match)
            seated = [names[entrant] for entrant in outcome.result.seats]
            yield FilmedMatch(match, names=seated, thoughts=outcome.thoughts)

    with _uncollected():
        film = Film(games(), places)
        data = film.data()
    for game, outcome in zip(data["games"], outcomes, strict=True):
        game |= {"name": f"Game {outcome.number}", "number": outcome.number}
    return stage(film, data)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Suspend garbage collection: games leave no cycles, and a collection would scan many small objects for nothing."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
