"""One game of a tournament, played by a worker: a job comes in as plain data, an outcome goes out.

A worker is a process of this machine or of a cluster; the arbiter, its clock and the bots are all there, without a
network between them. A worker keeps its bots alive between its games (worker_bench.py). A bot's fault costs it the
game; an error that is nobody's fault is raised, and the game is repeated (farm.py). A bot that ends by a signal in a
box of its own has lost. Elsewhere such a game has no result (`Killed`), because nobody can know the sender
(docs/protocols/isolation.md, "Signals").
"""

import hashlib
import platform
import time
from contextlib import suppress
from dataclasses import field
from operator import attrgetter
from typing import Final

from quadrille.ai.bots.lines.parameters import BadValues
from quadrille.ai.bots.local import Adjudication, LocalGame
from quadrille.ai.bots.process.isolation import makes_a_box
from quadrille.ai.bots.process.usage import shortages
from quadrille.ai.bots.spoken import SpokenLines
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan import Entrant, Plan, Time
from quadrille.ai.tournament.play.paces import Pace, pace
from quadrille.ai.tournament.play.places import Hidden, hidden
from quadrille.ai.tournament.play.speed import speed
from quadrille.ai.tournament.play.worker_bench import FIND_AGAIN, KEPT, WITHDRAWN, Bench, bench
from quadrille.ai.tournament.results import Fault, Result
from quadrille.ai.tournament.schedules.schedule import Contest, Fixture
from quadrille.ai.tournament.schedules.secret import deal_label, made
from quadrille.rules.core import Over
from quadrille.rules.core.thoughts import Thoughts
from quadrille.rules.match import Deal, Match
from quadrille.rules.match import Played as Moved
from quadrille.rules.record import write
from quadrille.rules.registry import game
from quadrille.value import value

#: The end of the reason for a loss by a signal.
_BOXED: Final = "; no other bot's signal reaches its box"
#: Maximum characters of its standard error.
MOST_ERRORS: Final = 4000


@value
class Job:
    """A game to be played; `entrants` by seat, with files relative to `folder`.

    `deal` is the seed of the deal, and `dice` those of each seat's bot. `opening` is played first. `hidden` are the
    files of all entrants of the tournament. Bots may `ponder` while another is to move.
    """

    fixture: Fixture
    contest: Contest
    entrants: tuple[Entrant, ...]
    time: Time
    folder: str
    fresh: bool = False
    umpire: Adjudication = field(default_factory=Adjudication)
    deal: str = ""
    dice: tuple[str, ...] = ()
    opening: tuple[str, ...] = ()
    hidden: Hidden | None = None
    ponder: bool = True
    withdrawn: tuple[tuple[Entrant, str], ...] = ()
    #: Whether the outcome holds every line told and answered.
    speaks: bool = False
    #: Whether every bot that plays on this machine is in a box, where boxes are possible.
    boxed: bool = False


@value
class Killed:
    """A game without a result: a signal from elsewhere ended a program, of this seat first. `why` is a sentence."""

    seat: int
    why: str


@value
class GameOutcome:
    """A played game. By seat: the longest time of a move in seconds, the number of moves, the fault, the durations of
    moves (paces.py); the last lines of a faulty program's standard error.

    `held` is the isolation of each program here ("" for a peer's). `thoughts` are those that its bots told
    beside their moves.

    `began` is in seconds since 1970, and `seconds` is the total duration. `speed` is the host's, as the worker
    measured it.
    """

    number: int
    result: Result
    record: str
    reason: str
    longest: tuple[float, ...]
    counts: tuple[int, ...]
    whys: tuple[str, ...]
    host: str
    began: float
    seconds: float
    paces: tuple[Pace, ...] = ()
    speed: float = 1.0
    errors: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    thoughts: Thoughts = field(default_factory=Thoughts)
    #: Every line told and answered (spoken.py); "" if it is not kept.
    dialogue: str = ""


def job(
    plan: Plan, fixture: Fixture, secret: bytes | None = None, *, again: int = 0, opening: tuple[str, ...] = ()
) -> Job:
    """Make a fixture's job for a worker: of the secret only what is derived for this game.

    `again` counts earlier beginnings that failed. Without a secret nothing can be dealt.
    """
    contest = plan.contests[fixture.contest]
    label = deal_label(contest, fixture, again)
    if secret is None and label:
        raise TournamentError(f"what is dealt in game {fixture.number} is made from a secret that is not here")
    return Job(
        fixture,
        contest,
        tuple(plan.entrants[entrant] for entrant in fixture.seats),
        plan.time,
        plan.folder,
        plan.fresh,
        plan.umpire,
        deal=made(secret, label) if secret and label else fixture.start,
        dice=tuple(made(secret, f"dice {fixture.id} {seat}") for seat in range(len(fixture.seats))) if secret else (),
        opening=opening,
        hidden=hidden(plan.entrants, plan.folder, plan.handed),
        ponder=plan.ponder,
        boxed=all(_boxed(one) for number, one in enumerate(plan.entrants) if number not in plan.out),
    )


def _boxed(entrant: Entrant) -> bool:
    """Return whether a bot plays elsewhere, or gets a box of ours if one is possible."""
    return bool(entrant.peer) or not (entrant.limits.isolate == "none" or makes_a_box(entrant.words or ("",)))


def play(job: Job) -> GameOutcome | Killed:
    here = bench()
    host_speed = speed()  # before its bots are started, and long before a clock runs
    began, start, before = time.time(), time.perf_counter(), shortages()
    try:
        if job.fresh:
            here.dismiss(job.entrants, job.folder)
        kept = [here.has(entrant, job.folder) for entrant in job.entrants]
        table, spoken = _seated(here, job)
        if any(kept[seat] for seat in table.faults):
            # It may have ended after its last game, as a program for a single game does: that is no fault.
            here.dismiss(job.entrants, job.folder)
            table, spoken = _seated(here, job)
        here.playing = job, table.match
        over = table.play()
        here.playing = None
        if (killed := _killed(job, table, before)) is not None:
            here.dismiss(job.entrants, job.folder)  # the next game gets fresh programs
            return killed
    except BaseException as error:
        here.playing = None
        here.dismiss(job.entrants, job.folder)  # their state in the middle of a game is unknown
        if isinstance(error, BadValues):
            raise TournamentError(f"a bot {error}") from None
        raise
    dialogue = spoken.close() if spoken else ""
    here.dismiss([entrant for entrant in job.entrants if entrant.peer], job.folder)  # another worker may wait for it
    seconds = round(time.perf_counter() - start, 6)
    return _outcome(job, table, over, began=began, seconds=seconds, speed=host_speed, dialogue=dialogue)


def _seated(here: Bench, job: Job) -> tuple[LocalGame, SpokenLines | None]:
    """Seat all players at the table, with a listener if the job keeps the lines, and wait until they are ready."""
    table = _table(here, job)
    spoken = SpokenLines(table.bots) if job.speaks else None
    table.get_ready()
    return table, spoken


def _killed(job: Job, table: LocalGame, before: int) -> Killed | None:
    """Return the kill if a signal that another may have sent ended a program of this machine. The system may also have
    ended it for lack of memory, though the program kept within its limit. A peer's program is its owner's
    responsibility.
    """
    signalled = [seat for seat, fault in table.faults.items() if fault.by_signal]
    held = [_held(job, table, seat) for seat in table.bots]
    boxed = job.boxed and all(not box or box.startswith("namespaces") for box in held)
    short = shortages() > before
    for seat in signalled:
        entrant, fault = job.entrants[seat], table.faults[seat]
        starved = short if fault.starved is None else fault.starved
        if not boxed or (starved and entrant.limits.memory):
            return Killed(seat, f"{entrant.name} {fault.why}" + "; the machine had no memory left" * starved)
    return None


def _table(here: Bench, job: Job) -> LocalGame:
    """Seat all players at the table. A bot's dice reveal neither the deal nor another seat's dice."""
    fixture, contest = job.fixture, job.contest
    match = Match(game(contest.game), dict(contest.options), contest.seats, deal=Deal(job.deal or fixture.start))
    for move in job.opening:
        match.play(move)
    most = max(KEPT, len(job.entrants))
    try:
        # all workers engage bots in one order: else two could wait for each other
        players_of = {one: _player(here, job, one, most) for one in sorted(job.entrants, key=attrgetter("peer"))}
        players = [players_of[entrant] for entrant in job.entrants]
    except BotFault as fault:  # it could be started before the first game, and its files are the same
        raise TournamentError(f"a program {fault.why}") from None
    dice = hashlib.sha256(b"quadrille/dice/1" + fixture.id.encode()).hexdigest()[:32]
    return LocalGame(
        match,
        players,
        job.time.terms(),
        seed=job.dice or dice,
        table=fixture.id,
        umpire=job.umpire if job.umpire != Adjudication() else None,
        ponder=job.ponder,
    )


def _player(here: Bench, job: Job, entrant: Entrant, most: int) -> Talk | BotFault:
    """Bring a bot, greeted at once: it may take long until the others are there. A withdrawn one is not started."""
    if (reason := dict(job.withdrawn).get(entrant)) is not None:
        return BotFault("forfeit", f"{WITHDRAWN} {reason}")
    if entrant.peer:
        talk = here.engage(entrant, job.folder, job.contest, job.time, fresh=job.fresh, patience=FIND_AGAIN)
    else:
        talk = here.bring(entrant, job.folder, most, job.hidden)
    if talk.dialogue.greeting is None:
        with suppress(BotFault):  # reported again at the table, where it costs the game
            talk.hear()
    return talk


def _outcome(
    job: Job, table: LocalGame, over: Over, *, began: float, seconds: float, speed: float, dialogue: str
) -> GameOutcome:
    fixture, match, seats = job.fixture, table.match, range(len(job.entrants))
    found = [table.faults.get(seat) for seat in seats]
    faults: tuple[Fault | None, ...] = tuple(fault and fault.kind for fault in found)  # type: ignore[misc]
    times = [(*times, late) for times, late in zip(table.times, table.late, strict=True)]
    result = Result(
        game=fixture.id,
        block=fixture.block,
        seats=fixture.seats,
        places=over.places,
        contest=fixture.contest,
        moves=moves_hash(match),
        plies=match.ply,
        times=tuple(round(sum(row) / 1000, 6) for row in times),
        faults=faults if any(faults) else (),
    )
    return GameOutcome(
        number=fixture.number,
        result=result,
        record=write(match),
        reason=over.reason,
        longest=tuple(round(max(row) / 1000, 6) for row in times),
        counts=tuple(map(len, table.times)),
        whys=tuple(fault.why + _BOXED * fault.by_signal if fault else "" for fault in found),
        host=platform.node(),
        began=began,
        seconds=seconds,
        paces=tuple(map(pace, table.times)),
        errors=tuple(_errors(job, table, seat) for seat in seats) if table.faults else (),
        held=tuple(_held(job, table, seat) for seat in seats),
        thoughts=table.thoughts,
        speed=speed,
        dialogue=dialogue,
    )


def _held(job: Job, table: LocalGame, seat: int) -> str:
    """Return the isolation of a seat's program; "" for a seat without a program on this machine."""
    return table.bots[seat].program.protection.told if seat in table.bots and not job.entrants[seat].peer else ""


def _errors(job: Job, table: LocalGame, seat: int) -> str:
    """Return the last standard error of a faulty program of ours."""
    if seat not in table.faults or seat not in table.bots or job.entrants[seat].peer:
        return ""
    return table.bots[seat].program.errors[-MOST_ERRORS:]


def moves_hash(match: Match) -> str:
    """Return a hash that is equal for matches with the same events, from the first face to the end."""
    words = [*map(str, match.opening), ""]
    for entry in match.entries:
        if isinstance(entry, Moved):
            words.append(" ".join((str(entry.seat), entry.move.text, *map(str, entry.faces))))
        else:
            words.append(repr(entry))
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:32]
