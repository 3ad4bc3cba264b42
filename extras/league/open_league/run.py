"""An open league's run: it finds the bots of a room, tries them, and lets those play that are there.

The journal is that of every tournament. Its plan gets each entrant and each table as they come, so a run that is killed
goes on, and everything is checked and told as elsewhere. Specification: docs/open-league.md.
"""

import argparse
import json
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.book import Bookbinder, BookStopped
from quadrille.ai.tournament.journals.journal import SUFFIX, Journal
from quadrille.ai.tournament.plans.openings import Book, opening_of
from quadrille.ai.tournament.plans.plan import Entrant, Plan
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play.cores import cores
from quadrille.ai.tournament.play.entrant_trial import EntrantTrial, attempt
from quadrille.ai.tournament.play.farm import Farm, Lost
from quadrille.ai.tournament.play.playing import GameOutcome, Job, Killed, job, play
from quadrille.ai.tournament.play.worker_bench import WITHDRAWN
from quadrille.ai.tournament.run_events import Linked, Passing, Warned
from quadrille.ai.tournament.schedules.schedule import Fixture, Table
from quadrille.ai.tournament.schedules.secret import SECRETS
from quadrille.client.bots.boxes import USUAL
from quadrille.client.cli import INTERRUPTED, interrupts
from quadrille.client.network.options import network_options
from quadrille.client.network.station import own_station
from quadrille.client.progress_line import ProgressLine
from quadrille.client.reports import many
from quadrille.client.tournament.inspection import TOML
from quadrille.client.tournament.progress import sentence as event_sentence
from quadrille.client.tournament.runs import RunTerms, quick_file, workers
from quadrille.client.tournament.tables import standing_of, text
from quadrille.client.tournament.ways import Beside
from quadrille.extras.league.formats.open_tables import OpenTables, Pairing
from quadrille.extras.league.open_league.field import AFTER_TRIAL, FACT, MOST_TRIALS, Field, Member, SeenBot
from quadrille.extras.league.peers.exchange import RUNNER, Exchange
from quadrille.extras.league.peers.program import reach
from quadrille.net.core.home import home
from quadrille.net.core.machine import drain
from quadrille.net.core.machine import now as clock
from quadrille.rules.core import Game
from quadrille.rules.registry import game

#: The usual clock: a bot of a stranger may think, and the others wait.
CLOCK: Final = "1m+1s"
OPENINGS: Final = 50
#: Games at a time for each core, because their bots think elsewhere, and at most.
GAMES_A_CORE: Final = 4
MOST_GAMES: Final = 10
#: Milliseconds to look for a bot before a game: if it has not come by then, it loses.
FIND: Final = 20_000
STOPPING: Final = "The tables that have begun are finished; Ctrl-C again stops at once"
#: What a person reads before the work that keeps this program busy longest.
OPENING: Final = "Openings about even are looked for, a minute or two without a compiled build; then the games begin"
#: Seconds between two looks at everything.
TICK: Final = 0.2
#: Maximum attempts at a game that fails through nobody's fault.
TRIES: Final = 10

#: Entrants that lose a game without playing it, each with the reason.
Withdrawn: TypeAlias = tuple[tuple[Entrant, str], ...]


def run(settings: argparse.Namespace) -> int:
    """Play until Ctrl-C."""
    chosen = game(settings.open)
    path = Path(settings.file or f"{chosen.key}-open").expanduser().with_suffix(SUFFIX)
    if (other := path.with_suffix(TOML)).exists():
        raise TournamentError(f"{other} is a tournament with entrants of its own: name another file")
    plan, options = continued(plan_of(settings, chosen), path), network_options(settings)
    at_once = min(MOST_GAMES, GAMES_A_CORE * cores()) if settings.at_once is None else settings.at_once
    with ExitStack() as stack:
        peers = stack.enter_context(Exchange(lambda: own_station(options, kind="runner", bot=RUNNER), FIND))
        here = Beside()
        here.prepare = partial(reach, peers.address)
        ways = [stack.enter_context(way.beside(replace(plan, entrants=()), path, settings)) for way in settings.ways]
        terms = RunTerms(home=settings.home, at_once=at_once and at_once + MOST_TRIALS)
        farm = Farm(workers(plan, terms, [here, *ways]))
        opens = partial(Journal, path, folder=home(settings.home) / SECRETS)
        league = stack.enter_context(OpenLeague(plan, opens, settings.each, farm))
        stack.enter_context(interrupts(league.stop))
        progress = ProgressLine(quiet=settings.quiet)
        stack.callback(progress.end)
        while not league.is_over:
            if not peers.is_there:
                raise TournamentError("the league has lost its place on the network: run it again to go on")
            league.turn(peers.bots, clock())
            for sentence in [*drain(league.news), *peers.warnings(lambda key: league.field.members[key].name)]:
                progress.say(f"{sentence}.", always=True)
            for event in (event for way in ways for event in way.take(Passing())):
                if isinstance(event, Linked | Warned):
                    progress.say(event_sentence(event), always=True)
            progress.tell(league.line)
    if path.exists():
        with Journal(path) as journal:
            print(text(standing_of(journal, moves=False)))
    print("Stopped: run it again to go on.", file=sys.stderr)
    return INTERRUPTED


def plan_of(settings: argparse.Namespace, chosen: Game[Any, Any]) -> Plan:
    """Make the plan of a league without bots, by the options of its command."""
    seats = settings.seats or chosen.usual_seats
    settings_told = {"game": chosen.key, "bots": ["random"] * seats, "seats": seats, "clock": settings.clock or CLOCK}
    usual = dict.fromkeys(("games", "sprt", "keep", "work", "openings")) | {"isolate": USUAL, "seed": "open"}
    written = quick_file(argparse.Namespace(**vars(settings) | settings_told | usual), openings=OPENINGS)
    return replace(parse(written, "."), entrants=(), format=OpenTables())


def continued(plan: Plan, path: Path) -> Plan:
    """Add to the plan all that a journal has already. Opening the journal refuses any other difference."""
    if not path.exists():
        return plan
    with Journal(path) as journal:
        there = journal.plan()
    return replace(plan, entrants=there.entrants, format=there.format)


class OpenLeague(AbstractContextManager["OpenLeague"]):
    """A league and its journal; `turn` is called again and again."""

    def __init__(self, plan: Plan, opens: Callable[..., Journal], each: int, farm: Farm) -> None:
        """Begin with a plan; `opens` its journal, to write. `each`: how many bots of a machine play. The workers of the
        farm reach the bots.
        """
        self.plan = plan
        self.field = Field(each, [(bytes.fromhex(entrant.peer), entrant.name) for entrant in plan.entrants])
        self.news = self.field.news
        #: 1: no new table is begun; 2: games in progress are aborted.
        self.stopping = 0
        self._opens = opens
        self._farm = farm
        self._journal: Journal | None = None
        self._book: Book = ()
        #: The games of each table that has begun, in their order: one at a time.
        self._blocks: dict[int, deque[Fixture]] = {}
        self._busy = Counter[int]()
        self._pairing = Pairing(self._drawn)
        self._failed = Counter[int]()
        self._noted: list[list[str]] = []
        self._trials, self._is_told = Counter[str](), False
        #: The present time, and the last time at which nobody was there.
        self._now, self._alone = 0, -FIND

    def __exit__(self, *_: object) -> None:
        self._farm.close(at_once=True)
        if self._journal is not None:
            self._journal.note(FACT, "[]")
            self._journal.close()

    @property
    def _drawn(self) -> tuple[Table, ...]:
        return self.plan.format.drawn if isinstance(self.plan.format, OpenTables) else ()

    @property
    def is_over(self) -> bool:
        return self.stopping > 1 or (self.stopping > 0 and not self._blocks)

    def stop(self) -> None:
        """Finish the tables that have begun, so that all their games count; at the second call abort them."""
        self.stopping += 1
        if self.stopping == 1:
            self.news.append(STOPPING)

    def line(self) -> str:
        """Say how far it is."""
        if tried := ", ".join(+self._trials):
            return f"{tried}: tried by a short game first"
        ready = sum(member.is_ready for member in self.field.members.values())
        if ready < (seats := self.plan.contests[0].seats):
            brings = "quadrille bot mybot.py --serve, in the same room, brings one"
            return f"{many(ready, 'bot')} here, and a game needs {seats}: {brings}"
        ended = 0 if self._journal is None else self._journal.games
        return f"{ready} bots here, {many(len(self._blocks), 'game')} at play, {ended} ended"

    def turn(self, bots: Iterable[SeenBot], now: int) -> None:
        """Take the bots that are there, and do what is due."""
        self._now = now
        self.field.see(bots, now)
        if not any(member.here for member in self.field.members.values()):
            self._alone = now
        if self._journal is not None or len(self.plan.entrants) < self.plan.contests[0].seats:
            self._try()
        elif not self._farm.busy and self._is_told:
            self._open()
        elif not self._farm.busy:  # told first: nothing is shown while they are made
            self._is_told = True
            self.news.append(OPENING)
        if self._journal is not None and not self.stopping:
            self._draw(self._journal)
        for given, end in self._farm.ended(TICK):
            if isinstance(given, EntrantTrial):
                self._tried(given, end)
            else:
                self._take(given, end)
        if not self._farm.busy:
            time.sleep(TICK)

    # Trials

    def _try(self) -> None:
        """Begin trials; a bot that is back may have to end a game first."""
        at_play = +self._busy
        while not self.stopping and (member := self.field.next_trial(self._now, at_play)) is not None:
            entrant, plan = Entrant(member.name, peer=member.key.hex()), self.plan
            self._trials[member.name] += 1
            self._farm.submit(attempt, EntrantTrial(entrant, plan.contests, plan.folder, plan.time))

    def _tried(self, trial: EntrantTrial, end: Lost | str) -> None:
        """Take the end of a trial: a bot that passes its first one becomes an entrant."""
        member = self.field.members[bytes.fromhex(trial.entrant.peer)]
        self._trials[member.name] -= 1
        fault, is_new = end.why if isinstance(end, Lost) else end, member.entrant is None
        if self.field.tried(member, fault.removeprefix(trial.entrant.known_as).strip(" :"), self._now) and is_new:
            self._go_on(replace(self.plan, entrants=(*self.plan.entrants, trial.entrant)))

    # The journal

    def _open(self) -> None:
        """Begin the journal or go on from it, with openings."""
        self._journal = journal = self._opens(plan=self.plan)
        try:
            self._book = Bookbinder(self.plan, journal, self._farm, lambda _: not self.stopping).bind()
        except BookStopped:
            return
        self.plan = journal.plan()
        played, schedule = {*journal.numbers()}, self.plan.schedule()
        for number in range(len(self._drawn)):
            fixtures = schedule.block(number).fixtures
            self._begin_block(journal, (fixture for fixture in fixtures if fixture.number not in played))

    def _go_on(self, plan: Plan) -> None:
        self.plan = plan
        if self._journal is not None:
            self._journal.go_on(plan)

    # Games

    def _draw(self, journal: Journal) -> None:
        """Begin new tables of bots without a game, and write down for the page who is there."""
        if (rows := self.field.rows()) != self._noted:
            self._noted = rows
            journal.note(FACT, json.dumps(rows))
        while len(self._blocks) < self._farm.workers.slots - MOST_TRIALS:
            ready = [member.entrant for member in self.field.members.values() if member.is_ready]
            idle = [entrant for entrant in ready if entrant is not None and not self._busy[entrant]]
            if (table := self._pairing.table(idle, self.plan.contests[0].seats, len(ready))) is None:
                return
            self._go_on(replace(self.plan, format=OpenTables((*self._drawn, table))))
            self._pairing.add(table)
            self._begin_block(journal, self.plan.schedule().block(len(self._drawn) - 1).fixtures)

    def _begin_block(self, journal: Journal, fixtures: Iterable[Fixture]) -> None:
        if left := deque(fixtures):
            self._blocks[left[0].block] = left
            self._busy.update(left[0].seats)
            self._play(journal, left[0])

    def _play(self, journal: Journal, fixture: Fixture, gone: Withdrawn = ()) -> None:
        """Let a worker play a game, which absent bots lose."""
        secret, opening = journal.secrets.of(fixture.number), opening_of(self._book, fixture.contest, fixture.nth)
        given = job(self.plan, fixture, secret, again=journal.begun(fixture.number), opening=opening)
        self._farm.submit(play, replace(given, withdrawn=gone))

    def _take(self, given: Job, end: GameOutcome | Killed | Lost) -> None:
        """Take the end of a game, and begin the next one of its table."""
        journal, fixture = self._journal, given.fixture
        assert journal is not None
        if not isinstance(end, GameOutcome):
            journal.void(fixture.number, end.why)
            self._play(journal, fixture, self._absent(given, end))
            return
        journal.keep(end)
        for entrant, fault in zip(given.entrants, end.whys, strict=True):
            if not fault.startswith(WITHDRAWN):
                self.field.ended(self._member(entrant), fault, self._now)
        left = self._blocks[fixture.block]
        left.popleft()
        if left:
            self._play(journal, left[0])
        else:
            del self._blocks[fixture.block]
            self._busy.subtract(fixture.seats)

    def _absent(self, given: Job, end: Killed | Lost) -> Withdrawn:
        """Let a bot that did not come to a game lose it, for by leaving it could choose its opponents. But if nobody
        was there, this machine was cut off.
        """
        absent = end.absent if isinstance(end, Lost) else ""
        entrant = next((entrant for entrant in given.entrants if entrant.peer == absent), None)
        number = given.fixture.number
        self._failed[number] += entrant is None
        if self._failed[number] >= TRIES:
            raise TournamentError(f"game {number} can't be played: it was tried {TRIES} times, and at last {end.why}")
        if entrant is None or self._now - self._alone < FIND:
            return ()
        sentence, _, _ = end.why.removeprefix(entrant.known_as).partition(":")
        self.field.send_away(self._member(entrant), f"it{sentence}", self._now, AFTER_TRIAL)
        return (*given.withdrawn, (entrant, "it did not come to the game"))

    def _member(self, entrant: Entrant) -> Member:
        return self.field.members[bytes.fromhex(entrant.peer)]
