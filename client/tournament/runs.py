"""`quadrille tournament run` and `quick`: a tournament from its file to its last table."""

import argparse
import glob
import json
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, fields
from functools import partial
from math import comb, inf
from pathlib import Path
from typing import Any, Final

from quadrille.ai.bots.lines.parameters import Values
from quadrille.ai.bots.process import cgroup
from quadrille.ai.bots.process.executable import no_file, split_words
from quadrille.ai.bots.process.program import Limits
from quadrille.ai.house import split_file
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import NOWHERE, SUFFIX, Journal
from quadrille.ai.tournament.plans.folders import ABSENT, with_folders
from quadrille.ai.tournament.plans.implied_limits import with_limits
from quadrille.ai.tournament.plans.plan import Plan
from quadrille.ai.tournament.plans.plan_file import model_in, parse, read
from quadrille.ai.tournament.plans.plan_schema import toml_section
from quadrille.ai.tournament.play.cores import slots as usual_slots
from quadrille.ai.tournament.play.farm import Workers
from quadrille.ai.tournament.play.processes import Processes, WorkerProcess, forked
from quadrille.ai.tournament.play.worker_bench import KEPT
from quadrille.ai.tournament.run import Run
from quadrille.ai.tournament.run_events import STOPPED, Event, Warned
from quadrille.ai.tournament.schedules.blocks import block_size
from quadrille.ai.tournament.schedules.secret import SECRETS, from_file
from quadrille.client.bots.boxes import USUAL
from quadrille.client.cli import FINE, INTERRUPTED, NO, interrupts
from quadrille.client.files import write_file
from quadrille.client.progress_line import tell_pace
from quadrille.client.table_setup import options_of
from quadrille.client.tournament.progress import DroppedThoughts, RunProgress
from quadrille.client.tournament.standings import TournamentStanding, standing_of
from quadrille.client.tournament.tables import text
from quadrille.client.tournament.ways import Beside
from quadrille.net.core.home import home
from quadrille.rules.core import Game
from quadrille.rules.registry import game, keys
from quadrille.rules.squares import quoted

#: Games of a quick tournament by default, and maximum games of one that ends when it is decided.
GAMES: Final = 100
GAMES_TO_DECIDE: Final = 20_000
#: Maximum characters of an entrant's name, which leave room for a number (plan_file.py).
_LONGEST: Final = 34
_NOT_KEPT: Final = (
    "Its games are not kept: with --keep FILE.toml they could be looked at (tournament game, show, report)."
)
#: The options of a run that a tournament's file has in its place.
OF_FOLDERS: Final = ("game", "games", "seats", "set", "preset", "clock", "work", "openings", "seed", "isolate")
#: The word that stands for no file of openings.
NO_OPENINGS: Final = "none"
#: Maximum generated openings of a quick tournament.
MOST_OPENINGS: Final = 500
_LOST: Final = "Stopped; nothing of it is kept: --keep FILE.toml would have kept it."


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTerms:
    """How a tournament is played here and told: nothing of it changes a result.

    `home` is the folder with the secrets, None for the usual one. `at_once` overrides the plan's number of games at a
    time, `ready` are workers that wait for them.
    """

    home: str | None
    at_once: int | None = None
    dialogues: bool = False
    untried: bool = False
    skip_failing: int = 0
    quiet: bool = False
    ready: Sequence[WorkerProcess] = ()


def run(settings: argparse.Namespace) -> int:
    if (settings.file is None) == (settings.folder is None):
        raise TournamentError(
            "run takes the file of a tournament: quadrille tournament run league.toml, or a folder of bots: "
            "--folder bots/"
        )
    if settings.folder is not None:
        path = _file_of_folder(settings)
    else:
        path = _named(settings.file)
        for name in OF_FOLDERS:
            if getattr(settings, name) not in (None, "", [], USUAL):
                raise TournamentError(f"--{name} is for a new --folder: {settings.file} says what is played, and how")
    if not path.exists():
        raise TournamentError(no_file(settings.file))
    return _play(read(path), path.with_suffix(SUFFIX), settings)


def _named(name: str) -> Path:
    """Return the path of a tournament's file; its journal is what people name by mistake."""
    path = Path(name).expanduser()
    if not path.name or path.suffix == SUFFIX:
        raise TournamentError(
            f"{quoted(name)} is no tournament: name one such as league.toml, and its journal goes beside it"
        )
    return path


def _file_of_folder(settings: argparse.Namespace) -> Path:
    """Return the file of a folder's tournament, beside the folder; write it where it is missing."""
    folder = Path(os.path.abspath(os.path.expanduser(settings.folder)))
    if not settings.folder or not folder.is_dir():
        raise TournamentError(f"there is no folder {quoted(settings.folder)}")
    if not folder.name:
        raise TournamentError(f"nothing can be written beside {quoted(settings.folder)}: name a folder within it")
    path = folder.with_name(f"{folder.name}.toml")
    if path.exists():
        if settings.game is not None and not settings.quiet:
            print(f"{path.name} is there and says what is played: edit it to change that.", file=sys.stderr)
        return path
    if settings.game is None:
        raise TournamentError(f"which game do they play? Add --game, such as --game maze ({', '.join(keys())})")
    pattern = f"{glob.escape(folder.name)}/*"
    entrants, absent = with_folders([], pattern, str(folder.parent), Limits())
    settings.bots = [entrant.name for entrant in entrants]
    try:
        write_file(str(path), quick_file(settings, pattern=pattern))
    except TournamentError as error:  # too few, perhaps, because some can't be started
        whys = (f"{quoted(name)}: {reason}" for name, reason in absent)
        raise TournamentError("; ".join([str(error), *whys])) from None
    return path


def quick(settings: argparse.Namespace) -> int:
    text = quick_file(settings)
    path = _named(settings.keep or "quick.toml")
    plan = parse(text, str(path.absolute().parent))
    if settings.seats is None and not settings.quiet and (sentence := seating(plan)):
        print(sentence, file=sys.stderr)
    if settings.keep:
        if not path.exists() or path.read_bytes() != text.encode():
            write_file(settings.keep, text)
        return _play(plan, path.with_suffix(SUFFIX), settings)
    return _play(plan, NOWHERE, settings)


def seating(plan: Plan) -> str:
    """Return how many bots play each game of a quick tournament, if nobody chose and pairs can play it too."""
    seats = plan.contests[0].seats
    if seats <= 2 or 2 not in game(plan.contests[0].game).seats:
        return ""
    return f"Each game is for {seats} bots; --seats 2 plays pairs."


def quick_file(
    settings: argparse.Namespace,
    names: Sequence[str] = (),
    values: Sequence[Values] = (),
    openings: int | None = None,
    pattern: str = "",
) -> str:
    """Return the file of a tournament of some bots; `names` and `values` for their parameters, where they differ from
    the usual ones. `openings`: their number, by default that of the cycles. `pattern`: the folders of the bots.
    """
    chosen = game(settings.game)
    bots: list[str] = settings.bots
    seats = settings.seats
    if seats is None:
        seats = min(chosen.usual_seats, max(len(bots), chosen.seats[0]))
    chosen.check_seats(seats)
    if len(bots) < seats:
        raise TournamentError(f"{seats} seats need as many bots: there {'is' if len(bots) == 1 else 'are'} {len(bots)}")
    cycles = _cycles(settings, len(bots), seats)
    names = names or names_of(bots)
    values = values or [()] * len(bots)
    folder = Path(settings.keep).expanduser().absolute().parent if settings.keep else Path.cwd()
    sections: list[tuple[str, Mapping[str, Any]]] = [
        ("", {"seed": settings.seed or None}),
        ("[format]", {"kind": "round robin", "cycles": cycles}),
        ("[time]", {"clock": settings.clock, "work": settings.work}),
        ("[openings]", _openings(settings.openings, chosen, openings or min(cycles, MOST_OPENINGS))),
        ("[limits]", {"isolate": None if settings.isolate == USUAL else settings.isolate}),
        ("[stop]", _stop(settings.sprt, names[0]) if settings.sprt else {}),
        ("[[game]]", {"game": chosen.key, "seats": seats}),
        ("[game.options]", options_of(settings, chosen)),
        ("[entrants]", {"from": pattern or None}),
        *(
            ("[[entrant]]", {"name": name, _kind(bot): _seen_from(bot, folder), "parameters": dict(row) or None})
            for name, bot, row in zip(names, bots, values, strict=True)
            if not pattern
        ),
    ]
    return "\n\n".join(filter(None, (toml_section(head, values) for head, values in sections))) + "\n"


def _openings(wanted: str | None, chosen: Game[Any, Any], count: int) -> dict[str, Any]:
    """Return the openings. In games without a deal, deterministic bots would otherwise repeat the same games."""
    if wanted == NO_OPENINGS or (wanted is None and chosen.dealt):
        return {}
    return {"count": count, "fewer": True} if wanted is None else {"file": wanted}


def _stop(sprt: str, entrant: str) -> dict[str, Any]:
    try:
        low, high = map(float, sprt.split(","))
    except ValueError:
        raise TournamentError(f"--sprt takes two numbers, such as 0,20, not {quoted(sprt)}") from None
    return {"elo0": low, "elo1": high, "entrant": entrant}


def _cycles(settings: argparse.Namespace, bots: int, seats: int) -> int:
    """Return how often all entrants must meet for enough games."""
    games: int | None = settings.games
    if games is None:
        games = GAMES_TO_DECIDE if settings.sprt else GAMES
    meetings = comb(bots, 2) if seats == 2 else max(1, bots // seats)
    return -(-games // (meetings * block_size(seats)))


def _kind(bot: str) -> str:
    """Return the kind of entrant that a word names; a word with spaces is a command unless it is a file."""
    return "exec" if " " in bot.strip() and not _path_from(bot, Path.cwd()) else "bot"


def _seen_from(bot: str, folder: Path) -> str:
    """Return a bot's name relative to its tournament's folder, because people name files relative to their own."""
    if folder == Path.cwd():
        return bot
    if seen := _path_from(bot, folder):
        return seen
    try:
        words = split_words(bot) if " " in bot.strip() else []
    except ValueError:
        return bot  # the command is refused later, with the reason
    return shlex.join(_path_from(word, folder) or word for word in words) if words else bot


def _path_from(word: str, folder: Path) -> str:
    """Return the file that a word names from a folder on, with a slash, so that it is not looked up on the PATH; "" if
    it names none.
    """
    file, name = split_file(word)
    path = os.path.expanduser(file or word)
    if not os.path.isfile(path):
        return ""
    if not os.path.isabs(path):
        path = os.path.abspath(path)
        with suppress(ValueError):  # on another drive of Windows
            path = os.path.relpath(path, folder)
    return (path if os.path.dirname(path) else os.path.join(os.curdir, path)) + (f":{name}" if name else "")


def names_of(bots: list[str]) -> list[str]:
    """Return the bots' names without folders, numbered where a bot plays twice."""
    names: list[str] = []
    for place, bot in enumerate(bots):
        word = model_in(bot.split()) or " ".join(Path(word).name for word in bot.split())[:_LONGEST]
        names.append(word if word not in names else f"{word} ({place + 1})")
    return names


def _play(plan: Plan, path: Path, settings: argparse.Namespace) -> int:
    tell_pace(quiet=settings.quiet)
    slots, usual = settings.at_once or plan.at_once, usual_slots(clocked=plan.time.clock is not None)
    settings.ready = forked(min(slots or usual, usual))  # more come when games want them
    terms = RunTerms(**{field.name: getattr(settings, field.name) for field in fields(RunTerms)})
    given = from_file(Path(settings.secret).expanduser()) if settings.secret is not None else None
    with ExitStack() as stack:
        besides = [stack.enter_context(way.beside(plan, path, settings)) for way in settings.ways]
        standing, ending, run = played(plan, path, terms, given, besides)
        print(text(standing))
        for line in _ending(ending, run, kept=path != NOWHERE, quiet=settings.quiet):
            print(line, file=sys.stderr)
        if ending != STOPPED and settings.what == "quick" and settings.keep and not settings.quiet:
            print(f"Kept: quadrille tournament report {shlex.quote(settings.keep)} -o report.html", file=sys.stderr)
        return INTERRUPTED if ending == STOPPED else _code(standing, run, settings)


def played(
    plan: Plan,
    path: Path,
    terms: RunTerms,
    given: bytes | None = None,
    besides: Sequence[Beside] = (),
    until: float = inf,
) -> tuple[TournamentStanding, str, Run]:
    """Play a tournament, or what is left of it, dealt by the `given` secret if there is one; begin no game after
    `until`, on the monotonic clock. Return the standing, why the run ended, and the run. `besides`: what
    packages add to it (ways.py).
    """
    with ExitStack() as stack:
        folder = None if path == NOWHERE else home(terms.home) / SECRETS
        journal = stack.enter_context(Journal(path, plan=plan, folder=folder, secret=given))
        plan = journal.begun_plan or plan
        crew = workers(plan, terms, besides)
        plan, implied = with_limits(plan, crew.slots, KEPT)
        run = stack.enter_context(Run(plan, journal, crew))
        for beside in besides:
            beside.join(run)
        progress = RunProgress(run, quiet=terms.quiet)
        stack.callback(progress.end)
        dropped = DroppedThoughts([entrant.name for entrant in plan.entrants])

        def tell(event: Event) -> None:
            for beside_part in (*(news for beside in besides for news in beside.take(event)), event):
                progress.take(beside_part)
                dropped.take(beside_part)
            if time.monotonic() > until and not run.stopping:
                run.stopping = 1

        run.tell = tell
        run.keeps_dialogues = terms.dialogues
        run.skip_failing = terms.skip_failing
        stack.enter_context(interrupts(run.stop))
        journal.note(ABSENT, json.dumps(plan.absent))
        absent = [f"{name} has no part: {ending}" for name, ending in plan.absent]
        for change in (*absent, *journal.changes, *([implied] if implied else [])):
            tell(Warned(change))
        if uneven := plan.uneven():
            tell(Warned(uneven.removesuffix(".")))
        if not terms.untried:
            run.try_all()
        ending = run.go()
        progress.end()
        if not terms.quiet:
            for line in dropped.lines():
                print(line, file=sys.stderr)
        return standing_of(journal, moves=False), ending, run


def _ending(ending: str, run: Run, *, kept: bool, quiet: bool) -> Iterator[str]:
    """Yield the sentences about a finished run that the table lacks."""
    if ending == STOPPED:
        yield "Stopped: run it again to go on." if kept else _LOST
    elif not run.played:
        yield f"Nothing was left to play: {ending}."
    elif not (kept or quiet):
        yield _NOT_KEPT


def _code(standing: TournamentStanding, run: Run, settings: argparse.Namespace) -> int:
    """Return the exit code, and print why it is 1 where the table does not say so."""
    wrong = standing.is_unranked or bool(standing.plan.stop and standing.verdict != "stronger")
    faults = {fault for tally in standing.counted.count.tallies for fault in tally.faults}
    reasons = []
    if settings.strict and faults - {"forfeit"}:
        reasons.append("bots have lost games by their faults (--strict)")
    if not settings.lenient and (run.withdrawn or "forfeit" in faults):  # the journal tells of runs before
        reasons.append("not all entrants have played (--lenient: exit code 0 all the same)")
    for reason in reasons:
        print(f"quadrille: exit code {NO}, because {reason}", file=sys.stderr)
    return NO if wrong or reasons else FINE


def workers(plan: Plan, terms: RunTerms, besides: Sequence[Beside] = ()) -> Workers:
    """Return what plays the games: the workers of a way, or processes of this machine."""
    slots = terms.at_once if terms.at_once is not None else plan.at_once
    firsts = [beside.prepare for beside in besides if beside.prepare is not None]
    if not firsts and (far := next((entrant for entrant in plan.entrants if entrant.peer), None)):
        raise TournamentError(
            f"{far.name} plays on its owner's machine, which only the folder extras/league of quadrille-games reaches: "
            "it is not installed here"
        )
    for beside in besides:
        if (farm := beside.workers(slots)) is not None:
            return farm
    if any(entrant.limits.memory or entrant.limits.isolate == "required" for entrant in plan.entrants):
        cgroup.prepare()  # before there are workers, which can't do it
    first = partial(_each, firsts) if firsts else None
    return Processes(slots or usual_slots(clocked=plan.time.clock is not None), first, terms.ready)


def _each(firsts: Sequence[Callable[[], object]]) -> None:
    """Prepare a worker before its first game."""
    for first in firsts:
        first()
