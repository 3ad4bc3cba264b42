"""A trial of an entrant before the first game: it starts, knows its games, and makes some moves of each."""

from dataclasses import dataclass, field
from typing import Final

from quadrille.ai.bots.bot_game import BotGame
from quadrille.ai.bots.lines.parameters import BadValues
from quadrille.ai.bots.talk import Talk
from quadrille.ai.bots.time_terms import TimeTerms
from quadrille.ai.faults import BotFault, NotIsolated
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan import Entrant, Time
from quadrille.ai.tournament.play.speed import speed
from quadrille.ai.tournament.play.worker_bench import FIND, Bench, bench
from quadrille.ai.tournament.schedules.schedule import Contest
from quadrille.rules.chance import Stream
from quadrille.rules.core import ToMove
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game

#: Number of moves of a trial, and the maximum milliseconds of each.
TRIED_MOVES: Final = 2
_TRIED: Final = 20_000


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
    hidden: tuple[str, ...] = ()


def attempt(trial: EntrantTrial) -> str:
    """Start a bot and play some moves of each game with it; return its fault, "" for none."""
    here = bench()
    speed()  # the measurement takes a while, and there is time for it now
    name = trial.entrant.known_as
    try:
        for contest in trial.contests:
            talk = _tried(here, trial, contest)
            greeting = talk.greet()
            if not greeting.plays(contest.game):
                return Unfit(f"{name} does not play {contest.game}, only {', '.join(greeting.games)}")
            talk.settled()
            if trial.time.work and not greeting.work:
                return Unfit(f"{name} does not count its work, as a tournament with `work` requires")
            _try(talk, contest, 1 if trial.time.work else None)  # the maximum work that may be asked in that time
    except BadValues as wrong:
        return f"{name} {wrong}"
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
    return here.engage(trial.entrant, trial.folder, contest, trial.time, fresh=False, patience=FIND)


def _try(talk: Talk, contest: Contest, work: int | None) -> None:
    """The first moves of a game: the bot's, and any of the others."""
    match = Match(game(contest.game), dict(contest.options), contest.seats, deal=Deal("trial"))
    dice, seat = Stream("trial", "moves"), 0
    tried = BotGame(match, TimeTerms(patience=_TRIED, budget=100, work=work), table="trial")
    tried.bots[seat] = talk
    tried.start(seat)
    while isinstance(turn := match.pending, ToMove) and len(tried.times[seat]) < TRIED_MOVES:
        if turn.seat == seat:
            tried.ask(seat)
            tried.await_move(seat)
        else:
            match.play(match.state.moves.sample(dice))
    if match.over is None:
        match.adjudicate([1] * contest.seats, "this was a trial")
    assert match.over is not None
    tried.bots[seat].over(match.over, match)
    tried.hear(seat)
