"""The games of a tournament that its report lets one step through: which, and the stage that shows them.

A page of all of them might be of any size. The rest of the report, and the list of these games, are made in report.py.
"""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journal import Journal
from quadrille.ai.tournament.playing import GameOutcome
from quadrille.client.picture.film import Film, FilmedMatch
from quadrille.client.picture.page import FilmParts, stage
from quadrille.client.tournament.html_table import Html
from quadrille.rules.record import read, story

#: So many games can be stepped through: those with faults, and then the last ones.
MOST_GAMES: Final = 2000
#: Maximum size of the records of one page, in characters.
MOST_CHARACTERS: Final = 256 << 20


@dataclass(frozen=True)
class ReplayableGames:
    """The games that can be stepped through; and the numbers of all games, by their ids."""

    outcomes: tuple[GameOutcome, ...]
    numbers: Mapping[str, int]

    def link(self, game: str) -> Html:
        """A game's number, as a link to it if it is here."""
        number = int(self.numbers[game])
        return Html(f'<a href="#{number}">{number}</a>' if number in self.here else number)

    @cached_property
    def here(self) -> frozenset[int]:
        """The numbers of those that can be stepped through."""
        return frozenset(outcome.number for outcome in self.outcomes)


def choose(outcomes: Sequence[GameOutcome], most: int) -> ReplayableGames:
    """Which games can be stepped through: all, or those with faults first and then the last ones."""
    all_numbers = {outcome.result.game: outcome.number for outcome in outcomes}
    if len(outcomes) > most:
        faulty = [outcome for outcome in outcomes if any(outcome.whys)][-(most // 2) :] if most > 1 else []
        numbers = {outcome.number for outcome in faulty}
        rest = [outcome for outcome in outcomes if outcome.number not in numbers]
        found = [*faulty, *rest[len(rest) - (most - len(faulty)) :]]
        outcomes = sorted(found, key=lambda outcome: outcome.number)
    return ReplayableGames(tuple(outcomes), all_numbers)


def stage_of(chosen: ReplayableGames, journal: Journal, names: Sequence[str]) -> FilmParts | None:
    """Where they are stepped through; `names`: of all entrants. None where there is no game."""
    if not chosen.outcomes:
        return None
    records = _records(chosen, journal)
    # Games that begin alike one after the other: what they have in common is played and drawn once.
    places = sorted(range(len(records)), key=lambda place: story(records[place]))

    def games() -> Iterator[FilmedMatch]:
        match = None
        for place in places:
            match = read(records[place], match)
            yield FilmedMatch(match, names=[names[entrant] for entrant in chosen.outcomes[place].result.seats])

    with _uncollected():
        film = Film(games(), places)
        data = film.data()
    for game, outcome in zip(data["games"], chosen.outcomes, strict=True):
        game |= {"name": f"Game {outcome.number}", "number": outcome.number}
    return stage(film, data)


def _records(chosen: ReplayableGames, journal: Journal) -> list[str]:
    """Their records; all of them are in memory at once, so a journal may not make them of any size."""
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
    """No search for cycles meanwhile: games leave none behind, and so many small objects are looked through in vain."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
