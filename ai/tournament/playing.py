"""One game of a tournament, played where it is told to: a job comes in as plain data, an outcome goes out.

This is what a worker runs, a process of this machine or of a cluster: the arbiter, its clock and the bots are all
there, and no network is between them. The bots of a worker are kept alive between its games (`Bench`). What a bot does
wrong costs it the game; what is nobody's fault is raised, and the game is played again (farm.py). A game in which a
signal ended a program has no result (`Killed`), since nobody can know who sent it.
"""

import atexit
import hashlib
import platform
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final, cast

from quadrille.ai.dialogue import Chosen
from quadrille.ai.faults import BotFault, NotIsolated
from quadrille.ai.local import Adjudication, LocalGame, LocalResult
from quadrille.ai.program import Program
from quadrille.ai.referee import Referee, RefereeFault
from quadrille.ai.talk import Talk, now
from quadrille.ai.tournament import TournamentError, peers
from quadrille.ai.tournament.paces import Pace, pace
from quadrille.ai.tournament.places import command, hidden, journals, own_folder
from quadrille.ai.tournament.plan import Entrant, Plan, Time
from quadrille.ai.tournament.results import Fault, Result
from quadrille.ai.tournament.schedule import Contest, Fixture
from quadrille.ai.tournament.secret import deal_label, made
from quadrille.ai.tournament.speed import speed
from quadrille.rules.chance import Stream
from quadrille.rules.core import ToMove
from quadrille.rules.match import Deal, Entry, Match
from quadrille.rules.match import Played as Moved
from quadrille.rules.record import write
from quadrille.rules.registry import game

#: How many bots a worker keeps alive, if no table needs more: about 20 MB each when they think little.
KEPT: Final = 16
#: So many characters are kept of what it wrote to standard error.
MOST_ERRORS: Final = 4000
#: So many moves a bot makes when it is tried before the first game, each in so many milliseconds at most.
TRIED_MOVES: Final = 2
_TRIED: Final = 20_000


@dataclass(frozen=True, slots=True)
class Job:
    """A game to be played; `entrants` by seat, who find their files from `folder` on.

    `deal` seeds what is dealt, and `dice` what each seat's bot leaves to chance. `opening` is played before all else.
    `hidden` are the files of all entrants of the tournament. Bots think while another is to move if they may `ponder`.
    """

    fixture: Fixture
    contest: Contest
    entrants: tuple[Entrant, ...]
    time: Time
    folder: str
    fresh: bool = False
    umpire: Adjudication = field(default_factory=Adjudication)
    referee: Entrant | None = None
    deal: str = ""
    dice: tuple[str, ...] = ()
    opening: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    ponder: bool = True
    withdrawn: tuple[tuple[Entrant, str], ...] = ()


class Unfit(str):
    """Why a bot can't play, by its own doing: then others can play without it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Killed:
    """A game without a result: a signal that this worker did not send ended the program of a seat, the first of those
    that it happened to. `why` is a sentence.
    """

    seat: int
    why: str


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """A game that was played. By seat: the longest time for a move in seconds, how many moves, what a faulty one did,
    how long moves took (paces.py); if one was faulty, the last that its program wrote to standard error.

    `held` is what isolated each program here ("" for a peer's), and `pondered` the processor time that it used while
    it was not to move, in seconds; empty where the system does not tell.

    `began` is in seconds since 1970, and `seconds` is how long all of it took. `speed` is that of the host, as the
    worker measured it, and as times were scaled by it.
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
    pondered: tuple[float, ...] = ()


def job(
    plan: Plan, fixture: Fixture, secret: bytes | None = None, *, again: int = 0, opening: tuple[str, ...] = ()
) -> Job:
    """What a worker has to know of a fixture: of the secret what is made from it for this game, and nothing else.

    `again` is how often the game was begun before and came to nothing. Without a secret nothing can be dealt.
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
        plan.referee,
        deal=made(secret, label) if secret and label else fixture.start,
        dice=tuple(made(secret, f"dice {fixture.id} {seat}") for seat in range(len(fixture.seats))) if secret else (),
        opening=opening,
        hidden=hidden((*plan.entrants, *([plan.referee] if plan.referee else [])), plan.folder),
        ponder=plan.ponder,
    )


class Bench:
    """The bots of a worker, between their games. Whoever has sat there longest is let go when there are too many.
    The referee has a chair of its own.
    """

    def __init__(self) -> None:
        self._talks: dict[tuple[Entrant, str], Talk] = {}
        self._referee: tuple[Entrant, str, Referee] | None = None

    def bring(self, entrant: Entrant, folder: str, most: int = KEPT, hidden: tuple[str, ...] = ()) -> Talk:
        """A bot, kept from before or started, whose box does not show what is hidden. `most` are kept."""
        talk = self._talks.pop((entrant, folder), None)
        if talk is None or talk.fault is not None or talk.program.ended:
            while len(self._talks) >= most:
                self._talks.pop(next(iter(self._talks))).close()
            program = Program(
                command(entrant, folder),
                cwd=own_folder(entrant, folder),
                limits=entrant.limits,
                hidden=(*hidden, *journals(folder)),
            )
            talk = Talk(program)
        self._talks[entrant, folder] = talk
        return talk

    def engage(
        self, entrant: Entrant, folder: str, contest: Contest, time: Time, *, fresh: bool, patience: int
    ) -> Talk:
        """A bot of somebody else's machine, for one game; looked for so long (peers.py)."""
        self.dismiss((entrant,), folder)
        talk = self._talks[entrant, folder] = peers.engage(entrant, contest, time, fresh=fresh, patience=patience)
        return talk

    def has(self, entrant: Entrant, folder: str) -> bool:
        """Whether it is here and well, as far as has been heard."""
        talk = self._talks.get((entrant, folder))
        return talk is not None and talk.fault is None and not talk.program.ended

    def dismiss(self, entrants: Sequence[Entrant], folder: str) -> None:
        """Let these go."""
        for entrant in entrants:
            if (talk := self._talks.pop((entrant, folder), None)) is not None:
                talk.close()

    def referee(self, entrant: Entrant, folder: str) -> tuple[Referee, bool]:
        """The referee, and whether it was kept from before or is started."""
        if self._referee is not None and self._referee[:2] == (entrant, folder):
            return self._referee[2], True
        self.dismiss_referee()
        started = Referee(entrant.command(folder), folder)
        self._referee = entrant, folder, started
        return started, False

    def dismiss_referee(self) -> None:
        """Let it go."""
        if self._referee is not None:
            self._referee[2].close()
            self._referee = None

    def clear(self) -> None:
        """Let all go."""
        for talk in self._talks.values():
            talk.close()
        self._talks.clear()
        self.dismiss_referee()


_HERE: Final = threading.local()


def bench() -> Bench:
    """That of this worker: each thread that plays is one."""
    if not hasattr(_HERE, "bench"):
        _HERE.bench = Bench()
        atexit.register(_HERE.bench.clear)
    found: Bench = _HERE.bench
    return found


def play(job: Job) -> GameOutcome | Killed:
    """Play a game."""
    here = bench()
    quickness = speed()  # before its bots are started, and long before a clock runs
    job = replace(job, time=job.time.at(quickness))
    began, start = time.time(), time.perf_counter()
    try:
        if job.fresh:
            here.dismiss(job.entrants, job.folder)
        kept = [here.has(entrant, job.folder) for entrant in job.entrants]
        table = _table(here, job)
        table.get_ready()
        if any(kept[seat] for seat in table.faults):
            # It may have ended after its last game, as a program for a single game does: that is no fault.
            here.dismiss(job.entrants, job.folder)
            table = _table(here, job)
        played = table.play()
        if (killed := _killed(job, played)) is not None:
            here.dismiss(job.entrants, job.folder)  # the next game is played by programs that nobody has touched
            here.dismiss_referee()
            return killed
        if table.referee is not None:
            table.referee.over(table.match)
    except BaseException as error:
        here.dismiss(job.entrants, job.folder)  # nobody knows in the middle of what they are
        here.dismiss_referee()
        if isinstance(error, RefereeFault):
            raise TournamentError(f"the referee {error}") from None
        raise
    here.dismiss([entrant for entrant in job.entrants if entrant.peer], job.folder)  # another worker may wait for it
    found = _outcome(job, table, played, began, time.perf_counter() - start)
    return replace(found, speed=quickness)


def _killed(job: Job, played: LocalResult) -> Killed | None:
    """Whether a signal ended a program of this machine. That of a peer is its owner's to look after."""
    for seat, fault in played.faults.items():
        if fault.by_signal and not job.entrants[seat].peer:
            return Killed(seat, f"{job.entrants[seat].name} {fault.why}")
    return None


def _table(here: Bench, job: Job) -> LocalGame:
    """All at the table. Nobody can work out from a bot's dice what is dealt, nor the dice of another seat."""
    fixture, contest = job.fixture, job.contest
    match = Match(game(contest.game), dict(contest.options), contest.seats, deal=Deal(job.deal or fixture.start))
    for move in job.opening:
        match.play(move)
    most = max(KEPT, len(job.entrants))
    try:
        found = {entrant: _player(here, job, entrant, most) for entrant in sorted(job.entrants, key=_by_peer)}
        players = [found[entrant] for entrant in job.entrants]
    except BotFault as fault:  # it could be started before the first game, and its files are what they were
        raise TournamentError(f"a program {fault.why}") from None
    dice = hashlib.sha256(b"quadrille/dice/1" + fixture.id.encode()).hexdigest()[:32]
    return LocalGame(
        match,
        players,
        seed=job.dice or dice,
        table=fixture.id,
        umpire=job.umpire if job.umpire != Adjudication() else None,
        referee=_referee(here, job, match),
        ponder=job.ponder,
        **job.time.terms(),
    )


def _referee(here: Bench, job: Job, match: Match) -> Referee | None:
    """The referee, told of the game. It may have ended after its last game, as a program for a single game does."""
    if job.referee is None:
        return None
    names = [entrant.name for entrant in job.entrants]
    while True:
        found, kept = here.referee(job.referee, job.folder)
        try:
            found.start(match, table=job.fixture.id, names=names)
        except RefereeFault:
            if not (kept and found.ended):
                raise
            here.dismiss_referee()
        else:
            return found


def _by_peer(entrant: Entrant) -> str:
    """In which order bots are brought: the same for all workers, or two could each have what the other waits for."""
    return entrant.peer


class Absent:
    """In place of the program of an entrant that is withdrawn: nothing is started, and its games are lost at once."""

    errors = ""
    ended = True

    def __init__(self, why: str) -> None:
        self._why = why

    def send(self, line: bytes) -> None:
        """Nobody hears it."""

    def line(self, timeout: float | None = 0) -> bytes | None:
        """It never says anything."""
        raise BotFault("crash", f"is withdrawn, since it failed when it was tried: {self._why}")

    def freeze(self, *, still: bool) -> None:
        """It stands still anyway."""

    def close(self, grace: float = 0) -> None:
        """There is nothing to end."""


def _player(here: Bench, job: Job, entrant: Entrant, most: int) -> Talk:
    """A bot, which is told hello at once: it may be long until the others and the referee are there."""
    if (why := dict(job.withdrawn).get(entrant)) is not None:
        return Talk(cast("Program", Absent(why)))
    if entrant.peer:
        again = peers.FIND_AGAIN
        talk = here.engage(entrant, job.folder, job.contest, job.time, fresh=job.fresh, patience=again)
    else:
        talk = here.bring(entrant, job.folder, most, job.hidden)
    if talk.dialogue.greeting is None:
        with suppress(BotFault):  # heard again at the table, where it costs the game
            talk.hear()
    return talk


def _outcome(job: Job, table: LocalGame, played: LocalResult, began: float, seconds: float) -> GameOutcome:
    fixture, match, seats = job.fixture, table.match, range(len(job.entrants))
    faults: tuple[Fault | None, ...] = tuple(
        played.faults[seat].kind if seat in played.faults else None  # type: ignore[misc]
        for seat in seats
    )
    result = Result(
        game=fixture.id,
        block=fixture.block,
        seats=fixture.seats,
        places=played.over.places,
        contest=fixture.contest,
        moves=moves_hash(match),
        plies=match.ply,
        times=tuple(round(used / 1000, 6) for used in played.used),
        faults=faults if any(faults) else (),
    )
    return GameOutcome(
        number=fixture.number,
        result=result,
        record=write(match),
        reason=played.over.reason,
        longest=tuple(round(used / 1000, 6) for used in played.longest),
        counts=played.moves,
        whys=tuple(played.faults[seat].why if seat in played.faults else "" for seat in seats),
        host=platform.node(),
        began=began,
        seconds=round(seconds, 6),
        paces=tuple(map(pace, table.times)),
        errors=tuple(_errors(job, table, seat) for seat in seats) if played.faults else (),
        held=tuple(_held(job, table, seat) for seat in seats),
        pondered=tuple(round(used, 6) for used in played.pondered),
    )


def _held(job: Job, table: LocalGame, seat: int) -> str:
    """The isolation of a seat's program; "" for a seat without a program on this machine."""
    entrant = job.entrants[seat]
    return "" if entrant.peer or entrant in dict(job.withdrawn) else table.players[seat].program.protection.told


def _errors(job: Job, table: LocalGame, seat: int) -> str:
    """What a faulty program of ours may have said of it."""
    if seat not in table.faults or job.entrants[seat].peer:
        return ""
    return table.players[seat].program.errors[-MOST_ERRORS:]


def moves_hash(match: Match) -> str:
    """The same for matches in which the same happened, from the first face to the end."""
    told = [*map(str, match.opening), "", *map(_told, match.entries)]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:32]


def _told(entry: Entry) -> str:
    match entry:
        case Moved(seat, move, faces):
            return " ".join((str(seat), move.text, *map(str, faces)))
        case _:
            return repr(entry)


@dataclass(frozen=True, slots=True)
class EntrantTrial:
    """An entrant, or the referee, to be tried before the first game."""

    entrant: Entrant
    contests: tuple[Contest, ...]
    folder: str
    time: Time = field(default_factory=Time)
    referee: bool = False
    hidden: tuple[str, ...] = ()


def attempt(trial: EntrantTrial) -> str:
    """Start a bot and play some moves of each game with it; what is wrong, "" if nothing is. A referee is greeted."""
    here = bench()
    speed()  # it takes a while, and there is time for it now
    name = f"{trial.entrant.name} ({trial.entrant.written})"
    try:
        if trial.referee:
            here.referee(trial.entrant, trial.folder)[0].greet()
            return ""
        for contest in trial.contests:
            talk = _tried(here, trial, contest)
            greeting = talk.greet()
            if not greeting.plays(contest.game):
                return Unfit(f"{name} does not play {contest.game}, only {', '.join(greeting.games)}")
            if trial.time.work and not greeting.work:
                return Unfit(f"{name} does not count its work, as bots have to where they are told how much to do")
            _try(talk, contest, 1 if trial.time.work else None)  # as much as may be asked of anybody in that time
    except RefereeFault as fault:
        here.dismiss_referee()
        return f"{name} {fault}"
    except NotIsolated as fault:
        return f"bots {fault.why}"
    except BotFault as fault:
        here.dismiss((trial.entrant,), trial.folder)
        return Unfit(f"{name} {fault.why}{trial.entrant.hint}")
    except TournamentError as error:
        return str(error)
    if trial.entrant.peer:
        here.dismiss((trial.entrant,), trial.folder)
    return ""


def _tried(here: Bench, trial: EntrantTrial, contest: Contest) -> Talk:
    if not trial.entrant.peer:
        return here.bring(trial.entrant, trial.folder, hidden=trial.hidden)
    return here.engage(trial.entrant, trial.folder, contest, trial.time, fresh=False, patience=peers.FIND)


def _try(talk: Talk, contest: Contest, work: int | None) -> None:
    """The first moves of a game: the bot's, and of the others any."""
    match = Match(game(contest.game), dict(contest.options), contest.seats, deal=Deal("trial"))
    dice, seat = Stream("trial", "moves"), 0
    dialogue = talk.dialogue
    dialogue.start(match, match.state.view(seat), seat, now(), table="trial")
    moves = 0
    while isinstance(turn := match.pending, ToMove) and moves < TRIED_MOVES:
        if turn.seat != seat:
            match.play(match.state.moves.sample(dice))
            continue
        dialogue.turn(match, match.state.view(seat), now(), patience=_TRIED, budget=100, work=work)
        while dialogue.thinks:
            if isinstance(event := talk.hear(1), Chosen):
                match.play(event.move)
        moves += 1
    if match.over is None:
        match.adjudicate([1] * contest.seats, "this was a trial")
    assert match.over is not None
    dialogue.over(match.over, match, match.state.view(seat))
    talk.hear(0)
