"""`quadrille tournament run` and `quick`: a tournament from its file to its last table."""

import argparse
import json
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.blocks import block_size
from quadrille.ai.tournament.cores import slots as usual_slots
from quadrille.ai.tournament.farm import Processes, Workers
from quadrille.ai.tournament.journal import SUFFIX, Journal
from quadrille.ai.tournament.peers import reach
from quadrille.ai.tournament.plan import Plan
from quadrille.ai.tournament.plan_file import PlanError, parse, read
from quadrille.ai.tournament.run import STOPPED, Event, Run
from quadrille.client.cli import FINE, INTERRUPTED, NO
from quadrille.client.files import write_text
from quadrille.client.tournament.peers import exchange, links, news, told
from quadrille.client.tournament.progress import Stream, watcher
from quadrille.client.tournament.tables import Standing, data, standing_of, text
from quadrille.rules.options import read_settings
from quadrille.rules.registry import game

if TYPE_CHECKING:
    from quadrille.ai.tournament.peers_exchange import Exchange


def run(settings: argparse.Namespace) -> int:
    """Play the tournament of a file."""
    path = Path(settings.file)
    return _play(read(path), path.with_suffix(SUFFIX), settings)


def quick(settings: argparse.Namespace) -> int:
    """Play one that stands on the command line."""
    told = quick_file(settings)
    if settings.keep:
        path = Path(settings.keep)
        if not path.exists() or path.read_text("utf-8") != told:
            write_text(settings.keep, told)
        return _play(read(path), path.with_suffix(SUFFIX), settings)
    try:
        plan = parse(told, str(Path.cwd()))
    except PlanError as error:
        raise TournamentError(str(error)) from None
    with tempfile.TemporaryDirectory(prefix="quadrille-") as folder:
        return _play(plan, Path(folder, f"quick{SUFFIX}"), settings)


def quick_file(settings: argparse.Namespace) -> str:
    """The file of a quick tournament."""
    chosen = game(settings.game)
    options = (dict(chosen.preset(settings.preset)) if settings.preset else {}) | read_settings(
        chosen.Options, settings.set
    )
    bots: list[str] = settings.bots
    seats = settings.seats or min(chosen.usual_seats, max(len(bots), chosen.seats[0]))
    chosen.check_seats(seats)
    if len(bots) < seats:
        raise TournamentError(f"{seats} seats need as many bots: there are {len(bots)}")
    meetings = comb(len(bots), 2) if seats == 2 else max(1, len(bots) // seats)
    cycles = max(1, -(-settings.games // (meetings * block_size(seats))))
    lines = [f"seed = {_toml(settings.seed)}", "", "[format]", 'kind = "round robin"', f"cycles = {cycles}"]
    if settings.clock:
        lines += ["", "[time]", f'clock = "{settings.clock[0]}ms+{settings.clock[1]}ms"']
    names = _names(bots)
    if settings.sprt:
        elo = settings.sprt.split(",")
        try:
            low, high = map(float, elo)
        except ValueError:
            raise TournamentError(f"--sprt takes two numbers, such as 0,20, not {settings.sprt!r}") from None
        lines += ["", "[stop]", f"elo0 = {low}", f"elo1 = {high}", f"entrant = {_toml(names[0])}"]
    lines += ["", "[[game]]", f"game = {_toml(chosen.key)}", f"seats = {seats}"]
    if options:
        lines += ["", "[game.options]", *(f"{name} = {_toml(value)}" for name, value in options.items())]
    for name, bot in zip(names, bots, strict=True):
        lines += ["", "[[entrant]]", f"name = {_toml(name)}", f"bot = {_toml(bot)}"]
    return "\n".join(lines) + "\n"


def _names(bots: list[str]) -> list[str]:
    """The bots themselves; where one plays twice, with a number."""
    names = []
    for place, bot in enumerate(bots):
        word = Path(bot.split()[0]).name if "/" in bot else bot
        names.append(word if word not in names else f"{word} ({place + 1})")
    return names


def _toml(value: Any) -> str:
    """A value as it stands in TOML, whose texts are written as JSON's but for one letter."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _play(plan: Plan, path: Path, settings: argparse.Namespace) -> int:
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(path, plan=plan))
        out = stack.enter_context(_events(settings.events))
        peers = stack.enter_context(exchange(settings)) if any(entrant.peer for entrant in plan.entrants) else None
        run = stack.enter_context(Run(plan, journal, _workers(plan, settings, peers)))
        show, end = watcher(run, quiet=settings.quiet)
        stack.callback(end)
        takes = [show, *([Stream(run, out).take] if out else [])]

        def tell(event: Event) -> None:
            for one in (*(news(plan, peers) if peers else ()), event):
                for take in takes:
                    take(one)

        run.tell = tell
        stack.enter_context(_interrupts(run))
        if not settings.untried:
            run.try_all()
        why = run.go()
        end()
        found = standing_of(journal)
        if settings.json:
            print(json.dumps(data(found) | ({"links": links(plan, peers)} if peers else {}), indent=2))
        else:
            print("\n".join([text(found), *(told(plan, peers) if peers else ())]))
        if why == STOPPED:
            print("Stopped: run it again to go on.", file=sys.stderr)
            return INTERRUPTED
        return _code(found, run, settings)


def _code(found: Standing, run: Run, settings: argparse.Namespace) -> int:
    """What a script is to know."""
    wrong = []
    if found.plan.stop and found.counted.count.verdict != "stronger":
        wrong.append("")  # the verdict has been told
    if settings.fail_if_slower_than is not None and run.played and run.rate() < settings.fail_if_slower_than:
        wrong.append(f"{run.rate():.2f} games a second are fewer than {settings.fail_if_slower_than:g}")
    if settings.strict and any(tally.faults for tally in found.counted.count.tallies):
        wrong.append("bots have lost games by their faults")
    for why in filter(None, wrong):
        print(f"quadrille: {why}", file=sys.stderr)
    return NO if wrong else FINE


def _workers(plan: Plan, settings: argparse.Namespace, peers: "Exchange | None") -> Workers:
    slots = settings.at_once if settings.at_once is not None else plan.at_once
    if slots < 0:
        raise TournamentError(f"--at-once takes the number of games to play at a time, not {slots}")
    if settings.on is None:
        slots = slots or usual_slots(clocked=plan.time.clock is not None)
        first = partial(reach, peers.address) if peers is not None else None
        return Processes(slots, first, pinned=plan.pinned)
    if peers is not None:
        raise TournamentError("peers play with workers of this machine only: leave --on away")
    if plan.pinned:
        raise TournamentError("pinned = true is for workers of this machine only: leave --on away")
    from quadrille.ai.tournament.cluster import Cluster

    return Cluster(settings.on, slots, settings.tls)


@contextmanager
def _events(name: str | None) -> Iterator[TextIO | None]:
    """Where events go."""
    if name is None:
        yield None
    elif name == "-":
        yield sys.stdout
    else:
        with open(name, "a", encoding="utf-8") as file:
            yield file


@contextmanager
def _interrupts(run: Run) -> Iterator[None]:
    """Ctrl-C: once finishes the games that have begun, twice stops at once."""

    def stop(*_: object) -> None:
        run.stopping += 1

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
