"""A tuning: plays each step of SPSA as a small tournament of the bot against itself, and takes its score.

Games, workers, blocks, openings and lost games are those of every tournament (`Run`). A step's journal is in memory: a
tuning that ends in the middle of a step plays this step again. All deals follow from the tuning's seed.
"""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from quadrille.ai.bots.lines.parameters import Parameter, texts
from quadrille.ai.faults import BotFault
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.book import FACT, Bookbinder, BookStopped
from quadrille.ai.tournament.journals.journal import NOWHERE, Journal
from quadrille.ai.tournament.plans.openings import digest
from quadrille.ai.tournament.plans.plan import Entrant, Plan
from quadrille.ai.tournament.play.farm import Farm, Workers
from quadrille.ai.tournament.play.places import hidden
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.ai.tournament.play.worker_bench import bench
from quadrille.ai.tournament.run import Run
from quadrille.ai.tournament.run_events import STOPPED, Ended, Event, Passing, Warned
from quadrille.ai.tournament.schedules.blocks import block_size
from quadrille.ai.tournament.schedules.meetings import Gauntlet, RoundRobin
from quadrille.extras.league.tuning.lessons import Lessons
from quadrille.extras.league.tuning.spsa import Pair, Spsa

#: Faults that are a way to lose by the values themselves, such as a depth that takes too long.
_LOSSES: Final = ("time", "stall")
_DECLARE: Final = """\
{name} declares no numbers to tune. In Python they are attributes of its class,
    depth = Number(1, 9, usual=4)      # from quadrille.ai import Bot, Number
and self.depth is the value; in other languages its greeting has
    "parameters": [{{"name": "depth", "least": 1, "most": 9, "usual": 4}}]"""


@dataclass(frozen=True, slots=True)
class Task:
    """The bot to tune, which is the first entrant of the plan; its games, against itself or `against` another;
    `blocks` in each step.
    """

    plan: Plan
    parameters: tuple[Parameter, ...]
    blocks: int
    seed: str
    against: Entrant | None = None

    @property
    def bot(self) -> Entrant:
        return self.plan.entrants[0]

    @property
    def games(self) -> int:
        """The games of a step."""
        tables = 1 if self.against is None else 2
        return tables * self.blocks * block_size(self.plan.contests[0].seats)

    def plain(self) -> dict[str, Any]:
        """Return the task's identity, as data."""
        plan = self.plan
        return {
            "bot": self.bot.written,
            "digest": self.bot.digest,
            "parameters": [parameter.plain() for parameter in self.parameters],
            "against": self.against and self.against.text,
            "game": plan.contests[0].game,
            "options": dict(plan.contests[0].options),
            "time": str(plan.time),
            "openings": asdict(plan.openings) if plan.openings else None,
            "seed": self.seed,
            "blocks": self.blocks,
        }


def declared(plan: Plan) -> tuple[Parameter, ...]:
    """Return the numbers that the plan's first entrant declares. Refuse a bot without any that can be moved."""
    entrant, here = plan.entrants[0], bench()
    name = entrant.written
    try:
        talk = here.bring(entrant, plan.folder, hidden=hidden(plan.entrants, plan.folder, plan.handed))
        greeting = talk.greet()
    except BotFault as fault:
        raise TournamentError(f"{name} {fault.why}{entrant.hint(plan.folder)}") from None
    finally:
        here.dismiss([entrant], plan.folder)
    key = plan.contests[0].game
    if not greeting.plays(key):
        raise TournamentError(f"{name} does not play {key}, only {', '.join(greeting.games)}")
    if not greeting.parameters:
        raise TournamentError(_DECLARE.format(name=name))
    if all(parameter.fixed for parameter in greeting.parameters):
        names = ", ".join(parameter.name for parameter in greeting.parameters)
        raise TournamentError(f"{name} leaves nothing to tune: least and most are the same for {names}")
    return greeting.parameters


class Tuning:
    """A tuning in progress, from its lessons on."""

    def __init__(
        self,
        task: Task,
        lessons: Lessons,
        workers: Workers,
        tell: Callable[["Tuning", Event], None],
        keep: Callable[[], None],
    ) -> None:
        """`tell` gets all that happens, several times a second; `keep` writes the lessons to the disk."""
        self.task = task
        self.lessons = lessons
        self.spsa = Spsa(task.parameters, task.seed, steps=lessons.steps, games=task.games)
        for score in lessons.scores:
            self.spsa.tell(score)
        #: 1: no new game is begun; 2: games in progress are aborted.
        self.stopping = 0
        #: Games and seconds of this run, in complete steps and in this one.
        self.played = 0
        self.began = time.monotonic()
        self.making = ""
        self._before = lessons.seconds
        self._first = self.began
        self._tell = tell
        self._keep = keep
        self._workers = workers
        self._farm = Farm(workers)
        self._run: Run | None = None
        self._tried = False
        self._wrong = ""

    def go(self, done: Callable[["Tuning"], bool]) -> None:
        """Play steps until it is `done`, or somebody stops it."""
        if self.task.plan.openings is not None and self.lessons.book is None:
            self._bind()
        while not self.stopping and not done(self):
            if (score := self._step(self.spsa.pair())) is None:
                return
            self.spsa.tell(score)
            self.lessons.scores.append(score)
            self.lessons.seconds = self._before + self.seconds
            self._keep()

    def close(self) -> None:
        """Let the workers go."""
        self._farm.close(at_once=self.stopping > 1 or self._farm.busy > 0)

    @property
    def seconds(self) -> float:
        """Seconds of this run."""
        return time.monotonic() - self.began

    @property
    def rate(self) -> float:
        """Games per second of this run, since the first one began."""
        return self.played / max(time.monotonic() - self._first, 1e-9)

    def stop(self) -> None:
        """Finish the games in progress, or at the second call abort them; the step they belong to is lost."""
        self.stopping += 1
        if self._run is not None:
            self._run.stopping = self.stopping

    def secret(self, label: str) -> bytes:
        """Derive a secret that deals games, from the seed alone."""
        return hashlib.sha256(f"quadrille/tune/1 {label} {self.task.seed}".encode()).digest()

    def _bind(self) -> None:
        """Make the openings, once for all steps."""

        def passing(far: str) -> bool:
            self.making = far
            self._tell(self, Passing())
            return not self.stopping

        with Journal(NOWHERE, plan=self.task.plan, secret=self.secret("openings")) as journal:
            try:
                self.lessons.book = Bookbinder(self.task.plan, journal, self._farm, passing).bind()
            except BookStopped:
                self.stopping = 2
                return
        self.making = ""
        self._keep()

    def _step(self, pair: Pair) -> float | None:
        """Play a step. Return the share of points that its plus side took, None if somebody stopped it."""
        number = self.spsa.step
        plan = self._plan(pair)
        with Journal(NOWHERE, plan=plan, secret=self.secret(f"step {number}")) as journal:
            if plan.openings is not None and self.lessons.book is not None:
                first = number * self.task.blocks
                book = tuple(row and row[first % len(row) :] + row[: first % len(row)] for row in self.lessons.book)
                journal.name_book(replace(plan.openings, digest=digest(book)), FACT, json.dumps(book))
            self._run = run = Run(plan, journal, self._workers, self._take, farm=self._farm)
            run.stopping = self.stopping
            if not self._tried:
                try:
                    run.try_all()
                except TournamentError as error:
                    sides = f"plus is {texts(pair.plus)}, and minus {texts(pair.minus)}"
                    raise TournamentError(f"{error}; {sides}") from None
                self._tried = True
                self._first = time.monotonic()
            ending = run.go()
            self._run = None
        if self._wrong:
            raise TournamentError(self._wrong)
        if ending == STOPPED or self.stopping:
            return None
        scores = [tally.score for tally in run.count.tallies]
        plus, minus = scores[:2] if self.task.against is None else scores[1:]
        if plus is None or minus is None:
            raise TournamentError(f"no block of step {number + 1} has a result: signals ended its programs")
        return 0.5 + (plus - minus) / 2

    def _plan(self, pair: Pair) -> Plan:
        task = self.task
        sides = [replace(task.bot, name=side, parameters=getattr(pair, side)) for side in ("plus", "minus")]
        shape = RoundRobin(cycles=task.blocks) if task.against is None else Gauntlet(cycles=task.blocks)
        entrants = (*sides,) if task.against is None else (task.against, *sides)
        seed = f"{task.seed} step {self.spsa.step}"
        return replace(task.plan, entrants=entrants, format=shape, seed=seed, stop=None, anchor=None)

    def _take(self, event: Event) -> None:
        """Pass an event on. A bot that fails ends the tuning, since its score would say nothing about its values."""
        if isinstance(event, Ended):
            self.played += 1
            if not self._wrong and (wrong := self._failed(event.outcome)):
                self._wrong = wrong
                if self._run is not None:
                    self._run.stopping = 1
        if not isinstance(event, Warned) or not self._wrong:
            self._tell(self, event)

    def _failed(self, outcome: GameOutcome) -> str:
        """Say how a bot failed in a game; "" if none did, or only by its time."""
        assert self._run is not None
        for entrant, fault, reason in zip(outcome.result.seats, outcome.result.faults, outcome.whys, strict=False):
            if fault is not None and fault not in _LOSSES:
                plan = self._run.plan
                who = plan.entrants[entrant]
                values = f" with {texts(who.parameters)}" if who.parameters else ""
                return f"{who.written}{values} failed in step {self.spsa.step + 1}: it {reason}{who.hint(plan.folder)}"
        return ""
