"""The book of a tournament: its openings, made or read before the first game, and stored in the journal.

The tournament's workers judge drafts in any order; the book is the same whoever judged them. openings.py defines
openings and good drafts.
"""

import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.opening_records import read_book
from quadrille.ai.tournament.plans.openings import (
    BATCH,
    Book,
    Drafter,
    Opening,
    digest,
    has_openings,
    is_decided,
    judge,
    opening_of,
    start_of,
)
from quadrille.ai.tournament.plans.plan import Plan
from quadrille.ai.tournament.play.farm import Farm, Lost
from quadrille.ai.tournament.schedules.schedule import Contest, Fixture
from quadrille.ai.tournament.schedules.secret import made

T = TypeVar("T")
#: The name of the journal's fact.
FACT: Final = "openings"
#: Seconds to wait for a worker before time passes.
_TICK: Final = 0.2


class BookStopped(Exception):
    """Somebody stopped the making of a book."""


def book_in(journal: Journal) -> Book | None:
    """Return the book of a journal, checked against its plan; None if there is none yet."""
    if not (text := journal.fact(FACT)):
        return None
    try:
        book: Book = tuple(tuple(tuple(map(str, row)) for row in lines) for lines in json.loads(text))
    except (ValueError, TypeError, RecursionError):
        raise TournamentError("the journal was damaged, or made by hand: its openings are none") from None
    openings = journal.plan().openings
    if openings is None or digest(book) != openings.digest:
        raise TournamentError(
            "the openings in the journal are not those that its plan names: somebody changed them. "
            "Move the journal away and start afresh"
        )
    return book


def starts_in(journal: Journal) -> Callable[[int], tuple[Fixture, Opening]]:
    """Return a function from a game's number, played or next, to its fixture and opening."""
    book, schedule = book_in(journal) or (), journal.schedule()

    def start(number: int) -> tuple[Fixture, Opening]:
        fixture = schedule.fixture(number)
        return fixture, opening_of(book, fixture.contest, fixture.nth)

    return start


def openings_in(journal: Journal) -> Callable[[int], Opening]:
    """Return a function from the number of a game to its opening."""
    if journal.plan().openings is None:
        return lambda _: ()
    start = starts_in(journal)
    return lambda number: start(number)[1]


class Bookbinder:
    """Makes the book of a run, by its workers."""

    def __init__(self, plan: Plan, journal: Journal, farm: Farm, passing: Callable[[str], bool]) -> None:
        """Take the parts of a run. `passing` gets the progress several times a second, and returns whether to go on."""
        self._plan = plan
        self._journal = journal
        self._farm = farm
        self._passing = passing
        self._far = ""

    def bind(self) -> Book:
        """Return the book: that of the journal, or a new one, which is stored there."""
        openings = self._plan.openings
        if openings is None:
            return ()
        if (book := book_in(self._journal)) is not None:
            return book
        if openings.file:
            path = Path(self._plan.folder) / Path(openings.file).expanduser()
            book = read_book(path, self._plan.contests)
            if digest(book) != openings.digest:
                raise TournamentError(f"{path} is not what it was when the tournament began")
            for contest, openings_of in zip(self._plan.contests, book, strict=True):
                self._check(contest, openings_of, openings.file)
        else:
            book = tuple(self._made(number, contest) for number, contest in enumerate(self._plan.contests))
        # A run that is killed in between makes the same book again.
        self._journal.name_book(replace(openings, digest=digest(book)), FACT, json.dumps(book))
        return book

    def _made(self, number: int, contest: Contest) -> tuple[Opening, ...]:
        """Make the openings of one game. The secret draws them: no file reveals them beforehand."""
        openings = self._plan.openings
        assert openings is not None
        if not has_openings(contest):
            return ()
        drafter = Drafter(contest, openings, made(self._journal.secrets.of(0), f"openings {number}"))
        for _, judged in self._judged(judge, iter(drafter.give, None)):
            drafter.take(judged)
            self._far = f"{len(drafter.found)} of {openings.count} for {contest.game}"
        return drafter.finished()

    def _check(self, contest: Contest, book: Sequence[Opening], path: str) -> None:
        """Refuse decided openings from a file."""
        parts = ((contest, book[at : at + BATCH]) for at in range(0, len(book), BATCH))
        for (_, part), answers in self._judged(decided, parts):
            for opening, is_lost in zip(part, answers, strict=True):
                if is_lost:
                    raise TournamentError(
                        f"the opening {' '.join(opening)} of {contest.game} in {path} is decided: "
                        "best play from there is proved. Leave it out"
                    )

    def _judged(self, work: Callable[[T], list[bool]], jobs: Iterator[T]) -> Iterator[tuple[T, list[bool]]]:
        """Yield jobs with their results, in the order of the jobs; one whose worker was lost goes to another."""
        asked, back = deque[T](), dict[T, list[bool]]()
        while True:
            while self._farm.room > 0 and (job := next(jobs, None)) is not None:
                asked.append(job)
                self._farm.submit(work, job)
            if not asked:
                return
            for job, end in self._farm.ended(_TICK):
                if not isinstance(end, Lost):
                    back[job] = end
                elif end.worker:
                    self._farm.submit(work, job)
                else:
                    raise TournamentError(f"openings can't be judged: {end.why}")
            while asked and asked[0] in back:
                yield asked[0], back.pop(asked.popleft())
            if not self._passing(self._far):
                raise BookStopped


def decided(asked: tuple[Contest, Sequence[Opening]]) -> list[bool]:
    """Return for each opening whether a small search proves its result. A worker runs this."""
    contest, book = asked
    verdicts = []
    for row in book:
        position = start_of(contest)
        for text in row:
            position.apply_quickly(position.read(text))
        verdicts.append(is_decided(position))
    return verdicts
