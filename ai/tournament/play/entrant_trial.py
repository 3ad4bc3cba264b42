"""A trial of an entrant before the first game: it starts, knows its games, and makes some moves of each."""

import hashlib
import platform
import sys
from dataclasses import dataclass, field

from quadrille import __version__
from quadrille.ai.bots.first_moves import make_first_moves
from quadrille.ai.bots.lines.parameters import BadValues
from quadrille.ai.bots.process.executable import why_not
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault, NotIsolated
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan import NAMED, Entrant, Time
from quadrille.ai.tournament.play.places import Hidden
from quadrille.ai.tournament.play.speed import speed
from quadrille.ai.tournament.play.worker_bench import FIND, Bench, bench
from quadrille.ai.tournament.schedules.schedule import Contest
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game


class Unfit(str):
    """Why a bot can't play, by its own fault: then the others can play without it."""

    __slots__ = ()


class Slip(str):
    """Say that a bot made an illegal move: a game costs it that, and it may do better there, as models do."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class EntrantTrial:
    """An entrant, for a trial before the first game."""

    entrant: Entrant
    contests: tuple[Contest, ...]
    folder: str
    time: Time = field(default_factory=Time)
    hidden: Hidden | None = None

    @property
    def mark(self) -> str:
        """A hash of all that decides how the trial goes on this machine; "" for a bot without a folder, which may need
        files that nobody knows, and where a file of the command is missing now.
        """
        entrant = self.entrant
        if len(entrant.digest) == NAMED or not entrant.digest or why_not(entrant.whole(self.folder), self.folder):
            return ""
        here = platform.node(), sys.version, __version__, self.folder
        return hashlib.sha256(repr((entrant, self.contests, self.time, here)).encode()).hexdigest()[:16]


def attempt(trial: EntrantTrial) -> str:
    """Start a bot and play some moves of each game with it; return its fault, "" for none."""
    here, entrant = bench(), trial.entrant
    speed()  # the measurement takes a while, and there is time for it now
    try:
        for contest in trial.contests:
            match = Match(game(contest.game), dict(contest.options), contest.seats, deal=Deal("trial"))
            make_first_moves(_tried(here, trial, contest), match, counts_work=bool(trial.time.work))
    except BadValues as wrong:
        return f"{entrant.known_as} {wrong}"
    except NotIsolated as fault:
        return f"bots {fault.why}"
    except BotFault as fault:
        here.dismiss((entrant,), trial.folder)
        return (Slip if fault.kind == "illegal" else Unfit)(f"{entrant.known_as} {fault.why}")
    except TournamentError as error:
        return str(error)
    if entrant.peer:
        here.dismiss((entrant,), trial.folder)
    return ""


def _tried(here: Bench, trial: EntrantTrial, contest: Contest) -> Talk:
    if not trial.entrant.peer:
        return here.bring(trial.entrant, trial.folder, hidden=trial.hidden)
    return here.engage(trial.entrant, trial.folder, contest, trial.time, fresh=False, patience=FIND)
