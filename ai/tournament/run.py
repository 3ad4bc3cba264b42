"""A running tournament: hands games out to workers, keeps their outcomes, and repeats lost ones.

The journal is the truth: a new run of the same tournament continues from it. So nothing here has to be saved, and
this program may be killed at any moment. farm.py plays games, the client shows the progress.
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.counting import Count
from quadrille.ai.tournament.journals.book import Bookbinder, BookStopped
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.openings import Book, opening_of
from quadrille.ai.tournament.plans.plan import Entrant, Plan
from quadrille.ai.tournament.play.entrant_trial import EntrantTrial, Slip, Unfit, attempt
from quadrille.ai.tournament.play.farm import Farm, Lost, Workers
from quadrille.ai.tournament.play.playing import GameOutcome, Job, Killed, job, play
from quadrille.ai.tournament.results import BEGINNINGS, Result
from quadrille.ai.tournament.run_events import (
    DECIDED,
    OVER,
    STOPPED,
    Ended,
    Event,
    Finished,
    Given,
    Passing,
    RunBegun,
    Unplayed,
    Void,
    Warned,
)
from quadrille.ai.tournament.schedules.schedule import Fixture

#: Maximum failures of a game by itself, and by the loss of its worker.
TRIES: Final = 3
LOSSES: Final = 10
#: The journal keeps under this name the marks of trials that went well, which nobody repeats.
TRIED: Final = "tried"
#: Seconds between two `Passing` events.
TICK: Final = 0.2


class Run(AbstractContextManager["Run"]):
    """A run of a tournament, from the state of its journal on."""

    def __init__(
        self,
        plan: Plan,
        journal: Journal,
        workers: Workers,
        tell: Callable[[Event], None] = lambda _: None,
        *,
        farm: Farm | None = None,
    ) -> None:
        """`farm`: one with the same workers that outlives this run, which is then not to be closed."""
        self.plan = plan
        self.journal = journal
        self.workers = workers
        self.count = Count(plan)
        self.schedule = plan.schedule()
        #: Games that were played before, and in this run.
        self.there = journal.games
        if self.schedule.out:
            self.there = sum(self.schedule.out.isdisjoint(result.seats) for result in journal.results())
        self._unplayed = journal.unplayed()
        self.played = 0
        self.began = time.monotonic()
        #: 1: no new game is begun; 2: games in progress are aborted.
        self.stopping = 0
        #: Gets all events, and `Passing` several times a second.
        self.tell = tell
        self._farm = farm or Farm(workers)
        self._waiting: deque[Job] = deque()
        self._again: dict[int, list[int]] = {}
        self._book: Book | None = None
        #: Progress of the openings, while they are made.
        self.making = ""
        #: The round whose games are given out, counted from 1.
        self.round = 0
        #: Progress of the trial of all bots.
        self.tried = ""
        self._warned: set[tuple[int, str]] = set()
        self.withdrawn: tuple[tuple[Entrant, str], ...] = ()
        #: Whether the journal keeps every line told and answered.
        self.keeps_dialogues = False
        #: An entrant is withdrawn after that many faults in a row; 0: never.
        self.skip_failing = 0
        self._in_row: Counter[int] = Counter()
        self._trouble = ""

    def try_all(self) -> None:
        """Try every bot where it will play, if there is anything to play. Withdraw unfit bots, if enough others are
        left for a game; else refuse, with all faults.
        """
        if not self._bind() or (first := self._next()) is None:
            return
        self._waiting.appendleft(first)
        plan = self.plan
        trials = [
            EntrantTrial(entrant, plan.contests, plan.folder, plan.time, hidden=first.hidden)
            for number, entrant in enumerate(plan.entrants)
            if number not in plan.out
        ]
        well = set(self.journal.fact(TRIED).split())
        todo = deque(trial for trial in trials if trial.mark not in well)
        wrong, losses, many = dict[EntrantTrial, str](), Counter[EntrantTrial](), len(todo)
        while (todo or self._farm.busy) and not self.stopping:
            # A trial lost with its worker is repeated alone, so that no entrant suffers from another.
            while todo and (not self._farm.busy if losses else self._farm.room > 0):
                self._farm.submit(attempt, todo.popleft())
            for trial, end in self._farm.ended(TICK):
                if isinstance(end, Lost) and end.worker:
                    losses[trial] += 1
                    if losses[trial] < TRIES:
                        todo.append(trial)
                        continue
                fault = f"{trial.entrant.name} can't be tried: {end.why}" if isinstance(end, Lost) else end
                if isinstance(fault, Slip):
                    self.tell(Warned(f"{fault}, when it was tried: it plays, and each such move costs it a game"))
                    continue
                wrong |= {trial: fault} if fault else {}
                well |= set() if fault else {trial.mark}
            self.tried = f"{many - len(todo) - self._farm.busy} of {many}"
            self._pass()
        self.journal.note(TRIED, " ".join(sorted(well)))
        if self.stopping:
            self.stopping = 2  # no game in progress could be finished
        elif wrong:
            # with advice for this person; what the journal and its pages keep names no folder of this machine
            texts = {
                trial: fault + (trial.entrant.hint(plan.folder) if isinstance(fault, Unfit) else "")
                for trial, fault in wrong.items()
            }
            played = self._was_well()
            unfit = [
                trial
                for trial in trials
                if isinstance(wrong.get(trial), Unfit) and not trial.entrant.peer and trial.entrant not in played
            ]
            left = len(plan.entrants) - len(plan.out) - len(unfit)
            if len(unfit) < len(wrong) or left < max(2, plan.contests[0].seats):
                raise TournamentError("; ".join(dict.fromkeys(texts[trial] for trial in trials if trial in texts)))
            self._withdraw({trial.entrant: f"it failed when it was tried: {wrong[trial]}" for trial in unfit})
            for trial in unfit:
                self._warned.add((plan.entrants.index(trial.entrant), "forfeit"))
                self.tell(Warned(f"{texts[trial]}. {_withdrawal(trial.entrant)} (--untried tries nobody)"))

    def _was_well(self) -> set[Entrant]:
        """Return the entrants that have played a game before this run without a fault: any change is this machine's."""
        seats = set()
        for outcome in self.journal.outcomes(records=False) if self.there else ():
            faults = outcome.result.faults or (None,) * len(outcome.result.seats)
            seats |= {seat for seat, fault in zip(outcome.result.seats, faults, strict=True) if fault is None}
        return {self.plan.entrants[entrant] for entrant in seats}

    def _withdraw(self, whys: Mapping[Entrant, str]) -> None:
        """Withdraw entrants: they forfeit all their games, because every format needs a result of each."""
        self.withdrawn = (*self.withdrawn, *whys.items())
        self._waiting = deque(replace(given, withdrawn=self.withdrawn) for given in self._waiting)

    def go(self) -> str:
        """Play until there is no more to play; return why it ended."""
        self.began = time.monotonic()
        self.tell(RunBegun(self.there))
        try:
            self._play()
        except TournamentError as error:
            self.tell(Finished(str(error)))
            raise
        reason = DECIDED if self.count.verdict else STOPPED if self.stopping else self.schedule.stuck or OVER
        if reason != STOPPED:
            self.journal.secrets.show()
        self.tell(Finished(reason))
        return reason

    def stop(self) -> None:
        """Finish the games in progress, or at the second call abort them."""
        self.stopping += 1

    def close(self) -> None:
        """Let the workers go, at once if that is wanted or after an error in the middle of games."""
        self._farm.close(at_once=self.stopping > 1 or self._farm.busy > 0)

    def __exit__(self, *_: object) -> None:
        self.close()

    def _bind(self) -> bool:
        """Make the openings if necessary; return False if somebody stops it meanwhile."""

        def passing(far: str) -> bool:
            self.making = far
            self._pass()
            return not self.stopping

        if self._book is None:
            try:
                self._book = Bookbinder(self.plan, self.journal, self._farm, passing).bind()
            except BookStopped:
                self.stopping = 2  # no game in progress could be finished
            self.making = ""
        return self._book is not None

    def _play(self) -> None:
        self._bind()
        while self.stopping < 2:
            self._give_out()
            if not self._farm.busy:
                return
            for given, end in self._farm.ended(TICK):
                self._take(given, end)
            self._pass()

    def _pass(self) -> None:
        """Report that time passes, and any trouble of workers."""
        before, self._trouble = self._trouble, self.workers.trouble
        if self._trouble and self._trouble != before:
            self.tell(Warned(self._trouble))
        self.tell(Passing())

    def _give_out(self) -> None:
        """Keep the workers busy."""
        if self.stopping or self.count.verdict:
            self._farm.recall()
            return
        while self._farm.room > 0 and (given := self._next()) is not None:
            self._farm.submit(play, given)
            self.tell(Given(given.fixture))

    def _next(self) -> Job | None:
        """Return the next game that has not been played; count those of the journal on the way."""
        while not self._waiting and self.count.verdict is None and (block := self.schedule.next()) is not None:
            self.round = block.round + 1
            self.count.expect(block.ids)
            for fixture in block.fixtures:
                if (result := self._known(fixture.number)) is not None:
                    if result.game != fixture.id:
                        raise TournamentError(f"{self.journal.path} has another game {fixture.number} than there is")
                    self._count(result)
                else:
                    self._waiting.append(self._job(fixture))
        return self._waiting.popleft() if self._waiting and self.count.verdict is None else None

    def _job(self, fixture: Fixture) -> Job:
        """Make the job of a game, with a new deal if it is repeated."""
        journal, number = self.journal, fixture.number
        opening = opening_of(self._book or (), fixture.contest, fixture.nth)
        job_found = job(self.plan, fixture, journal.secrets.of(number), again=journal.begun(number), opening=opening)
        return replace(job_found, withdrawn=self.withdrawn, speaks=self.keeps_dialogues)

    def _known(self, number: int) -> Result | None:
        """Return the result of a game before this run."""
        return self._unplayed.get(number) or (self.journal.result(number) if self.there else None)

    def _take(self, given: Job, end: GameOutcome | Killed | Lost) -> None:
        number = given.fixture.number
        if isinstance(end, Lost):
            self._lose(given, end)
        elif isinstance(end, Killed):
            self._kill(given, end)
        elif isinstance(end, GameOutcome) and self.journal.keep(end):
            self._again.pop(number, None)
            self.played += 1
            self._count(end.result)
            self.tell(Ended(end))
            self._warn(end)
            self._skip(end.result)

    def _skip(self, result: Result) -> None:
        """Withdraw an entrant that has failed in too many games in a row. Nobody knows who is to blame for a void game:
        of those at the table, only one that has failed in more in a row than the others.
        """
        if not self.skip_failing:
            return
        for entrant, fault in zip(result.seats, result.faults or (None,) * len(result.seats), strict=True):
            self._in_row[entrant] = self._in_row[entrant] + 1 if fault is not None or result.void else 0
        rows = [self._in_row[entrant] for entrant in result.seats]
        for entrant, row in zip(result.seats, rows, strict=True):
            who = self.plan.entrants[entrant]
            suspect = not result.void or (rows.count(row) == 1 and row == max(rows))
            if row >= self.skip_failing and suspect and who not in dict(self.withdrawn):
                failed = f"failed in {self.skip_failing} games in a row" + ", at last by a signal" * result.void
                self._withdraw({who: f"it {failed}"})
                self._warned.add((entrant, "forfeit"))
                ending = "Out of the file, its games would count for nobody"
                self.tell(Warned(f"{who.name} {failed}. {_withdrawal(who)}. {ending}"))

    def _count(self, result: Result) -> None:
        """Count a result, of this run or from before it."""
        self.schedule.tell(result)
        self.count.take(result)

    def _warn(self, outcome: GameOutcome) -> None:
        """Warn of a bot's first fault of each kind: the final table counts them all."""
        result = outcome.result
        for entrant, fault, reason in zip(result.seats, result.faults, outcome.whys, strict=False):
            if fault is not None and (entrant, fault) not in self._warned:
                self._warned.add((entrant, fault))
                who = self.plan.entrants[entrant]
                self.tell(Warned(f"{who.name} lost game {outcome.number}: it {reason}{who.hint(self.plan.folder)}"))

    def _kill(self, given: Job, end: Killed) -> None:
        """Repeat a game from the very same start before all others; or make it void, and go on."""
        fixture = given.fixture
        if self.journal.kill(fixture, end.seat, end.why) < BEGINNINGS:
            self.tell(Void(fixture.number, end.why))
            self._waiting.appendleft(self._job(fixture))
            return
        self.tell(Unplayed(fixture.number, end.why))
        result = Result(fixture.id, fixture.block, fixture.seats, (), fixture.contest, void=True)
        self._count(result)
        self._skip(result)

    def _lose(self, given: Job, end: Lost) -> None:
        """Repeat a game before all others; one that always fails ends the run."""
        number = given.fixture.number
        self.journal.void(number, end.why)
        self.tell(Void(number, end.why))
        lost = self._again.setdefault(number, [0, 0])
        lost[end.worker] += 1
        if lost[False] >= TRIES or lost[True] >= LOSSES:
            raise TournamentError(
                f"game {number} can't be played: it was tried {sum(lost)} times, and at last {end.why}. "
                "All other games that were played are kept: see to it, and run it again"
            )
        self._waiting.appendleft(self._job(given.fixture))

    @property
    def total(self) -> int | None:
        """Maximum number of games, if known."""
        return self.schedule.games

    def rate(self) -> float:
        """Return the games per second, in this run."""
        return self.played / max(time.monotonic() - self.began, 1e-9)


def _withdrawal(entrant: Entrant) -> str:
    return f"It is withdrawn: {entrant.name} forfeits each of its games, and plays none"
