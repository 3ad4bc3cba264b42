"""Openings from a file: records (rules/record.py), one after another, each of a game that has only begun.

A record that can't begin a game of the tournament is refused with its number and its line. The check whether an
opening is decided takes longer, and comes before the first game (book.py).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.openings import MOST, Book, Opening, has_openings
from quadrille.ai.tournament.schedules.schedule import Contest
from quadrille.rules.core import WHOLE
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match, Played
from quadrille.rules.record import FIRST_LINE, MOST_CHARACTERS, read
from quadrille.rules.squares import quoted

_WHERE: Final = "{path}, line {line}: opening {number} "


def read_book(path: Path, contests: Sequence[Contest]) -> Book:
    """Read the openings of each game, in the order of the file."""
    try:
        with path.open("rb") as file:
            text = file.read(MOST_CHARACTERS + 1).decode("latin-1")
    except OSError as error:
        raise TournamentError(f"{path} can't be read: {error.strerror or error}") from None
    if len(text) > MOST_CHARACTERS:
        raise TournamentError(f"{path} is too long: openings have at most {MOST_CHARACTERS} characters together")
    if not text.startswith(FIRST_LINE):
        raise TournamentError(f"{path} has no openings: they are records, which begin with {quoted(FIRST_LINE)}")
    book: list[list[Opening]] = [[] for _ in contests]
    before: dict[tuple[int, Opening], int] = {}
    line = 1
    for number, part in enumerate(text.split(FIRST_LINE)[1:], 1):
        where = _WHERE.format(path=path, line=line, number=number)
        if number > MOST:
            raise TournamentError(f"{path} has more than {MOST} openings")
        contest, opening = _opening(FIRST_LINE + part, contests, where)
        if (same := before.setdefault((contest, opening), number)) != number:
            raise TournamentError(f"{where}is the same as opening {same}: leave one of them out")
        book[contest].append(opening)
        line += part.count("\n")
    for played, lines in zip(contests, book, strict=True):
        if has_openings(played) and not lines:
            raise TournamentError(f"{path} has no opening of {played.game} as this tournament plays it")
    return tuple(map(tuple, book))


def _opening(text: str, contests: Sequence[Contest], where: str) -> tuple[int, Opening]:
    """Return the game of a record, and its moves."""
    try:
        match = read(text)
    except RulesError as error:
        raise TournamentError(f"{where}is refused in its {error}") from None
    contest = next((at for at, contest in enumerate(contests) if _is_of(match, contest)), None)
    if contest is None:
        played = "; ".join(f"{contest.game} for {contest.seats} with {dict(contest.options)}" for contest in contests)
        raise TournamentError(
            f"{where}is of another game: {match.game.key} for {match.state.seats} with "
            f"{match.state.options.plain()}. This tournament plays {played}"
        )
    if not has_openings(contests[contest]):
        raise TournamentError(f"{where}is of {match.game.key}, which is dealt and begins differently each time anyway")
    if match.over is not None or not all(isinstance(entry, Played) for entry in match.entries):
        raise TournamentError(f"{where}is decided: {match.over.reason if match.over else 'a seat has left it'}")
    if not match.entries or match.viewer != WHOLE:
        raise TournamentError(f"{where}has no moves" if not match.entries else f"{where}tells only what a seat saw")
    return contest, tuple(str(entry.move) for entry in match.entries if isinstance(entry, Played))


def _is_of(match: Match, contest: Contest) -> bool:
    state = match.state
    return (match.game.key, state.seats, state.options.plain()) == (
        contest.game,
        contest.seats,
        dict(contest.options),
    )
