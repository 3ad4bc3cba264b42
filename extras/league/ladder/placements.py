"""The placement of a bot among the samples of a ladder: a tournament in a folder, which goes on where it was left."""

import argparse
import hashlib
import json
import time
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Final

from quadrille.ai.faults import BotFault
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan import Entrant, Plan, Time, digest_of
from quadrille.ai.tournament.plans.plan_file import command, named
from quadrille.ai.tournament.play.entrant_trial import EntrantTrial, attempt
from quadrille.ai.tournament.play.places import hidden
from quadrille.ai.tournament.play.worker_bench import bench
from quadrille.ai.tournament.run_events import STOPPED
from quadrille.ai.tournament.schedules.secret import SECRETS
from quadrille.client.bots.boxes import limits
from quadrille.client.bots.names import is_command
from quadrille.client.files import write_file
from quadrille.client.tournament.runs import RunTerms, names_of, played
from quadrille.extras.league.formats.placement import Placement
from quadrille.extras.league.ladder.ladders import RatedLadder, ladder
from quadrille.extras.league.ladder.place import Placing, placed
from quadrille.extras.league.ladder.workshop import Workshop, begun, openings_of
from quadrille.net.core.home import home
from quadrille.rules.squares import quoted
from quadrille.value import value

#: Milliseconds after which a move loses the game.
MOVE: Final = 10_000
#: Samples that the bot meets in a round.
AT_ONCE: Final = 4
#: The content of a file that keeps a folder of placements out of a repository.
_IGNORED: Final = "*\n"


@value
class PlacementEnd:
    """A bot's place after a run: `placing` is None without a game that counts.

    `lacking` has for each sample that was not played what is missing. `why` says how the run ended, and `late` whether
    its time was over.
    `points` and `games` go by sample, as do `lost`, the numbers of a game that it lost without a fault of anybody;
    `faults` are the reasons of the games that the bot lost by its own fault.
    """

    ladder: RatedLadder
    name: str
    why: str
    late: bool
    seconds: float
    placing: Placing | None
    points: dict[str, float]
    games: dict[str, int]
    lost: dict[str, int]
    faults: tuple[str, ...]
    lacking: dict[str, str]
    journal: Path


def left_out(ladder: RatedLadder, workshop: Workshop, without: list[str]) -> dict[str, str]:
    """Return the samples that are not played, each with what is missing; "" for one that nobody wants."""
    for name in without:
        if ladder.rung(name) is None:
            names = ", ".join(rung.sample.name for rung in ladder.rungs)
            raise TournamentError(f"there is no sample {quoted(name)} on the ladder of {ladder.game}: {names}")
    return dict.fromkeys(without, "") | workshop.lacking(ladder)


def newcomer(bot: str, isolate: str, folder: Path) -> Entrant:
    """Return the bot, whose files have whole paths, as an entrant of a tournament in that folder."""
    kit, words = ("", command(bot, str(folder))) if is_command(bot) else named(bot, str(folder))
    [name] = names_of([bot])
    return Entrant(name, kit, words, digest_of(kit, words, str(folder)), limits(isolate))


def games_of(entrant: Entrant, folder: Path, keys: list[str], *, only: bool) -> list[str]:
    """Start the bot, and return those of the games that it plays. `only`: it has to play them all."""
    try:
        greeting = bench().bring(entrant, str(folder)).greet()
    except BotFault as fault:
        raise TournamentError(f"{entrant.known_as} {fault.why}{entrant.hint(str(folder))}") from None
    finally:
        bench().clear()
    games = [key for key in keys if greeting.plays(key)]
    if not games or (only and games != keys):
        raise TournamentError(
            f"{entrant.name} does not play {keys[0] if only else 'a game with a ladder'}, "
            f"only {', '.join(greeting.games)}"
        )
    return games


def place(own: Entrant, folder: Path, key: str, settings: argparse.Namespace, until: float) -> PlacementEnd:
    """Play the placement of a newcomer in one game until that moment, or as far as it goes."""
    ladder_there, workshop = ladder(key), Workshop(folder)
    absent = left_out(ladder_there, workshop, settings.without)
    names = [rung.sample.name for rung in ladder_there.rungs if rung.sample.name not in absent]
    if len(names) < 2:
        raise TournamentError(f"of the samples of {key} too few can be played here: {', '.join(names) or 'none'}")
    if own.name in (rung.sample.name for rung in ladder_there.rungs):
        own = Entrant(f"{own.name} (yours)", own.bot, own.words, own.digest, own.limits)
    plan = _plan(ladder_there, own, names, workshop, settings)
    _try(own, plan)
    path = folder / f"{key}-{_identity(plan)}.sqlite"
    plan = _at_least_as_long(plan, path)
    secret = hashlib.sha256(f"quadrille/placement/1{settings.seed}".encode()).digest()
    given = secret if settings.seed and not path.exists() else None
    began = time.monotonic()
    begun(path, plan, ladder_there.book, home(settings.home) / SECRETS, given).close()
    terms = RunTerms(home=settings.home, at_once=settings.at_once, untried=True, quiet=settings.quiet)
    standing, ending, _ = played(plan, path, terms, until=until)
    ended = time.monotonic()
    late, results, every = ending == STOPPED and ended >= until, standing.counted.results, [own.name, *names]
    points, games = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0)
    for result in results:
        seat = result.seats.index(0)
        other = every[result.seats[1 - seat]]
        points[other] += result.halves[seat] / 2
        games[other] += 1
    told = placed(ladder_there, results, every), points, games, *_losses(path, every), absent, path
    return PlacementEnd(ladder_there, own.name, ending, late, ended - began, *told)


def _plan(
    ladder: RatedLadder, own: Entrant, names: list[str], workshop: Workshop, settings: argparse.Namespace
) -> Plan:
    rungs = [rung for rung in ladder.rungs if rung.sample.name in names]
    limit = Time(move=max(MOVE, settings.budget), budget=settings.budget)
    openings, tables = openings_of(ladder.draft, ladder.book), min(AT_ONCE, len(rungs))
    known = tuple(rung.elo for rung in rungs), tuple(rung.error for rung in rungs)
    shape = Placement(*known, ceil(settings.games / (2 * tables)), tables)
    return Plan(
        (own, *(workshop.entrant(rung.sample) for rung in rungs)),
        (ladder.draft.contest(", ".join(filter(None, (str(limit), str(openings or ""))))),),
        shape,
        seed=settings.seed,
        time=limit,
        openings=openings,
        folder=str(workshop.root),
    )


def _try(own: Entrant, plan: Plan) -> None:
    """Refuse a bot that can't make a move or two. The samples are not tried: a block in which one fails counts for
    nobody.
    """
    try:
        trial = EntrantTrial(own, plan.contests, plan.folder, plan.time, hidden=hidden(plan.entrants, plan.folder))
        if fault := attempt(trial):
            raise TournamentError(fault)
    finally:
        bench().clear()


def _identity(plan: Plan) -> str:
    """Return a name for a placement: the same bot with the same samples goes on, and any change begins anew."""
    plain = plan.plain()
    counted = plain | {"format": {name: part for name, part in plain["format"].items() if name != "rounds"}}
    return hashlib.sha256(json.dumps(counted, sort_keys=True).encode()).hexdigest()[:8]


def _at_least_as_long(plan: Plan, path: Path) -> Plan:
    """Return the plan, with as many rounds as its journal was begun with, if these are more."""
    if not path.exists() or not isinstance(plan.format, Placement):
        return plan
    with Journal(path) as journal:
        before = journal.plan().format
    rounds = before.rounds if isinstance(before, Placement) else 0
    return replace(plan, format=replace(plan.format, rounds=max(plan.format.rounds, rounds)))


def checked_folder(name: str) -> Path:
    """Make the folder of placements, which a version control leaves alone."""
    folder = Path(name).expanduser().absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / ".gitignore").exists():
            write_file(str(folder / ".gitignore"), _IGNORED)
    except OSError as error:
        raise TournamentError(f"{folder} can't be written: {error.strerror or error}") from None
    return folder


def _losses(path: Path, names: list[str]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return a game that the bot lost to each sample without a fault, and why it lost others by faults of its own."""
    lost, faults = dict[str, int](), list[str]()
    with Journal(path) as journal:
        for outcome in journal.outcomes(records=False):
            result = outcome.result
            seat = result.seats.index(0)
            other = names[result.seats[1 - seat]]
            if reason := outcome.whys[seat]:
                faults.append(f"game {outcome.number} against {other}: it {reason}")
            elif result.places[seat] > result.places[1 - seat] and not any(result.faults):
                lost.setdefault(other, outcome.number)
    return lost, tuple(faults)
