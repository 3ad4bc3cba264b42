"""The games of a tournament that readers of its report can step through: their choice, and the film that shows them.

The choice is bounded, because a page of all games could have any size. See report.py for the rest of the report.
"""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.client.picture.film import Film, FilmedMatch
from quadrille.client.picture.page import FilmParts, stage
from quadrille.client.tournament.html_table import Html
from quadrille.rules.record import read, story

#: Maximum replayable games: those with faults first, then the last ones.
MOST_GAMES: Final = 2000
#: Maximum size of the records of one page, in characters.
MOST_CHARACTERS: Final = 256 << 20


@dataclass(frozen=True)
class ReplayableGames:
    """The replayable games, and the numbers of all games by their ids."""

    outcomes: tuple[GameOutcome, ...]
    numbers: Mapping[str, int]

    def link(self, game: str) -> Html:
        """Return a game's number, as a link if the game is replayable."""
        number = int(self.numbers[game])
        return Html(f'<a href="#{number}">{number}</a>' if number in self.here else number)

    @cached_property
    def here(self) -> frozenset[int]:
        return frozenset(outcome.number for outcome in self.outcomes)


def choose(outcomes: Sequence[GameOutcome], most: int) -> ReplayableGames:
    """Choose the replayable games: all, or those with faults first and then the last ones."""
    all_numbers = {outcome.result.game: outcome.number for outcome in outcomes}
    if len(outcomes) > most:
        faulty = [outcome for outcome in outcomes if any(outcome.whys)][-(most // 2) :] if most > 1 else []
        numbers = {outcome.number for outcome in faulty}
        rest = [outcome for outcome in outcomes if outcome.number not in numbers]
        found = [*faulty, *rest[len(rest) - (most - len(faulty)) :]]
        outcomes = sorted(found, key=lambda outcome: outcome.number)
    return ReplayableGames(tuple(outcomes), all_numbers)


def stage_of(chosen: ReplayableGames, journal: Journal, names: Sequence[str]) -> FilmParts | None:
    """Return the film of the games; None if there are none. `names` are those of all entrants."""
    if not chosen.outcomes:
        return None
    records = _records(chosen, journal)
    # Games with the same beginning follow each other, so that it is played and drawn once.
    places = sorted(range(len(records)), key=lambda place: story(records[place]))

    def games() -> Iterator[FilmedMatch]:
        match = None
        for place in places:
            match = read(records[place], match)
            outcome = chosen.outcomes[place]
            seated = [names[entrant] for entrant in outcome.result.seats]
            yield FilmedMatch(match, names=seated, thoughts=journal.thoughts(outcome.number))

    with _uncollected():
        film = Film(games(), places)
        data = film.data()
    for game, outcome in zip(data["games"], chosen.outcomes, strict=True):
        game |= {"name": f"Game {outcome.number}", "number": outcome.number}
    return stage(film, data)


def _records(chosen: ReplayableGames, journal: Journal) -> list[str]:
    records, size = [], 0
    for outcome in chosen.outcomes:
        records.append(journal.record(outcome.number))
        size += len(records[-1])
        if size > MOST_CHARACTERS:
            raise TournamentError(
                f"the records of {len(chosen.outcomes)} games have more than {MOST_CHARACTERS} characters: "
                "give a smaller number with --games"
            )
    return records


@contextmanager
def _uncollected() -> Iterator[None]:
    """Turn garbage collection off meanwhile: games leave no cycles, and it would scan many small objects in vain."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
