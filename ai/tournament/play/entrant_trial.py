"""A trial of an entrant before the first game: it starts, knows its games, and makes some moves of each."""

from dataclasses import dataclass, field

from quadrille.ai.bots.first_moves import make_first_moves
from quadrille.ai.bots.lines.parameters import BadValues
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault, NotIsolated
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan import Entrant, Time
from quadrille.ai.tournament.play.places import Hidden
from quadrille.ai.tournament.play.speed import speed
from quadrille.ai.tournament.play.worker_bench import FIND, Bench, bench
from quadrille.ai.tournament.schedules.schedule import Contest
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game


class Unfit(str):
    """Why a bot can't play, by its own fault: then the others can play without it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class EntrantTrial:
    """An entrant, for a trial before the first game."""

    entrant: Entrant
    contests: tuple[Contest, ...]
    folder: str
    time: Time = field(default_factory=Time)
    hidden: Hidden | None = None


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
        return Unfit(f"{entrant.known_as} {fault.why}")
    except TournamentError as error:
        return str(error)
    if entrant.peer:
        here.dismiss((entrant,), trial.folder)
    return ""


def _tried(here: Bench, trial: EntrantTrial, contest: Contest) -> Talk:
    if not trial.entrant.peer:
        return here.bring(trial.entrant, trial.folder, hidden=trial.hidden)
    return here.engage(trial.entrant, trial.folder, contest, trial.time, fresh=False, patience=FIND)
