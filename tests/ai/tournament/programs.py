"""What tests of running tournaments share: small programs that play, files that name them, and what is left of them.

The programs know no game: they answer with a move of the list, so that they start at once and always play the same.
"""

import os
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from quadrille.ai.bots.command_files import start_folder
from quadrille.ai.bots.process.isolation import sight
from quadrille.ai.tournament.counting import counted
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan import Plan
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play.places import hidden, hidden_from
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.ai.tournament.play.worker_bench import bench
from quadrille.ai.tournament.run import Run
from quadrille.ai.tournament.run_events import Event

#: A program by what it does before all else and when it hears each kind of line, which is `said`.
PROGRAM = """\
import json, os, signal, sys, time
def say(**line):
    print(json.dumps(line), flush=True)
{before}
for line in sys.stdin:
    said = json.loads(line)
    match said["do"]:
        case "turn":
            {turn}
        case "start":
            {start}
        case "hello":
            {hello}
        case "over":
            {over}
        case "quit":
            {quit}
"""
#: For the top of a file whose programs write into their folder, or reach for each other: no box holds them.
NO_BOX = '[limits]\nisolate = "none"\n'
FIRST, LAST, MIDDLE = 'said["moves"][0]', 'said["moves"][-1]', 'said["moves"][len(said["moves"]) // 2]'
#: Programs that a plan may name without more ado: they are written where they are missing.
USUAL = {"first": FIRST, "last": LAST, "middle": MIDDLE}
TWO, THREE = ("first", "last"), tuple(USUAL)


def source(choose: str = FIRST, *, before: str = "pass", over: str = "pass", greeting: str = "") -> str:
    """`choose` gives a move; `before` and `over` are done at the start and end of a game; `games` have begun."""
    return PROGRAM.format(
        before="games = 0",
        turn=f'say(turn=said["turn"], move={choose})',
        start=f"games += 1\n            {before}\n            say(ready=True)",
        hello=f'say(**{{"hello": "a bot", "protocol": 1, "omit": ["view", "text"]{greeting}}})',
        over=over,
        quit="break",
    )


def program(folder: Path, name: str, choose: str = FIRST, **more: str) -> None:
    (folder / f"{name}.py").write_text(source(choose, **more), "utf-8")


def three(folder: Path, names: Iterable[str] = THREE) -> tuple[str, ...]:
    """Write those of the usual programs that are missing, and return the names of all three."""
    for name in USUAL.keys() & {*names}:
        if not (folder / f"{name}.py").exists():
            program(folder, name, USUAL[name])
    return THREE


def games(path: Path) -> int:
    """How many games a journal keeps, which somebody else may be writing, or begin later."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
            return int(file.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def entrant(name: str, more: str = "") -> str:
    return f'[[entrant]]\nname = "{name}"\nexec = "{sys.executable} -I -S {name}.py"\n{more}'


def file(
    names: Iterable[str],
    *,
    cycles: int = 4,
    form: str = "",
    top: str = "",
    more: str = "",
    game: str = "maze",
    size: int = 3,
    seats: int = 3,
) -> str:
    """The file of a tournament of programs that stand beside it; `form` is another format than so many cycles."""
    options = (
        f"options = {{size = {size}}}" if game == "maze" else f"seats = {seats}\noptions = {{width = 3, height = 3}}"
    )
    return f"""\
seed = "test"
{top}
[format]
{form or f"cycles = {cycles}"}
{more}
[[game]]
game = "{game}"
{options}
{"".join(map(entrant, names))}"""


def plan_in(folder: Path, names: Iterable[str] = THREE, **form: Any) -> Plan:
    """Return the plan of a tournament of programs that stand in a folder, `form` as in `file`."""
    three(folder, names)
    return parse(file(names, **form), str(folder))


def write_file(folder: Path, names: Iterable[str] = TWO, *, name: str = "one", **form: Any) -> None:
    three(folder, names)
    (folder / f"{name}.toml").write_text(file(names, **form), "utf-8")


def league(folder: Path, names: Iterable[str] = THREE, *, name: str = "one", **form: Any) -> Journal:
    """Open the journal of such a tournament."""
    return Journal(folder / f"{name}.sqlite", plan=plan_in(folder, names, **form))


def finished(folder: Path, names: Iterable[str] = TWO, *, tried: bool = False, **form: Any) -> list[GameOutcome]:
    """Play such a tournament to its end, and return its games."""
    with league(folder, names, **form) as journal:
        play(journal, tried=tried)
        return list(journal.outcomes())


class Threads:
    """A worker that is a thread of this process."""

    slots = 1
    trouble = ""

    def open(self) -> Executor:
        self.executor = ThreadPoolExecutor(1)
        return self.executor

    def close(self, *, at_once: bool) -> None:
        if hasattr(self, "executor"):
            self.executor.shutdown()


def clear(_: object = None) -> None:
    bench().clear()


def play(
    journal: Journal, tell: Callable[[Event], None] = lambda _: None, *, tried: bool = False, skip_failing: int = 0
) -> Run:
    """Play the tournament of a journal that is open to be written, here."""
    with Run(journal.plan(), journal, Threads(), tell) as run:
        run.skip_failing = skip_failing
        try:
            if tried:
                run.try_all()
            run.go()
        finally:
            run._farm.submit(clear, None)
            run._farm.ended(60)
    return run


def told(journal: Journal) -> list[object]:
    """All that must be the same however often a run was disturbed."""
    rows = [(one.number, one.result.game, one.result.places, one.record) for one in journal.outcomes()]
    found = counted(journal.plan(), journal.results())
    return [rows, found.count.games, found.count.blocks, found.count.verdict]


def sights(plan: Plan) -> Iterator[tuple[list[str], list[str]]]:
    """Yield for each entrant its command and the places that its box shows."""
    away = hidden(plan.entrants, plan.folder, plan.handed)
    for command in (one.command(plan.folder) for one in plan.entrants):
        yield command, sight(command, start_folder(command), {"PATH": "/usr/bin"}, hidden_from(command, away))


def sights_in(folder: Path, words: dict[str, str]) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the same for a tournament there whose entrants have these words."""
    rows = "".join(f'[[entrant]]\nname = "{name}"\nexec = "python3 {more}"\n' for name, more in words.items())
    return sights(parse(f'[[game]]\ngame = "maze"\n{rows}', str(folder)))


def working_in(folder: Path) -> dict[int, str]:
    """The processes that work in a folder, and their commands, where the system tells."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "cwd") == str(folder) and (words := (process / "cmdline").read_text()):
                found[int(process.name)] = words.replace("\0", " ")
        except OSError:
            continue  # it has ended, or is somebody else's
    return found


def left_in(folder: Path) -> list[str]:
    """The commands that still run there."""
    return list(working_in(folder).values())
