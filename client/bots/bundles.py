"""Bundles of bots' games on the command line: make, list, replay and describe them."""

import argparse
import json
import shlex
from pathlib import Path
from typing import Any, Final

from quadrille.ai.bots.notes import GAMES, SUFFIX
from quadrille.ai.checks.bundle import Bundle, kept_bundle, read_bundle
from quadrille.ai.checks.rerun import Reply, Rerun
from quadrille.ai.faults import BotFault
from quadrille.client.bots.boxes import limits_of
from quadrille.client.bots.program import command_of, started
from quadrille.client.files import path_of, write_file
from quadrille.client.foreign import shown, shown_lines
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import BOT, home
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.squares import quoted

_MOST_BYTES: Final = 64 << 20
_LAST_LINES: Final = 12
#: The exit code of a replay that ran nothing.
NOT_RUN: Final = 2


def bundle(settings: argparse.Namespace) -> int:
    games = sorted(home(settings.home).glob(f"{BOT}*/{GAMES}/*{SUFFIX}"), key=lambda path: path.name, reverse=True)
    if settings.list:
        for path in games:
            print(_described(path))
        return 0
    if not games:
        raise LocalError("no bot of this home has played yet: quadrille bot plays, and each game is kept")
    chosen = games
    if settings.table != "last":
        chosen = [path for path in games if _table(path).startswith(settings.table.lower())]
    if not chosen:
        raise LocalError(f"no game at a table {quoted(settings.table)} is kept: quadrille bot bundle --list shows them")
    made = kept_bundle(chosen[0].read_bytes().splitlines())
    name: str = settings.output or f"bot-{_table(chosen[0])[:8]}.json"
    write_bundle(name, made)
    print(_described(chosen[0]))
    print(f"kept in {name}: quadrille bot replay --run {shlex.quote(name)} runs the bot on it again")
    return 0


def write_bundle(path: str, bundle: Bundle, *, over: bool = False) -> Path:
    """Write a bundle, one line of the dialogue to a line of the file."""
    data = bundle.plain()
    lines = data.pop("lines")
    head = json.dumps(data, indent=1)[:-2]
    rows = ",\n".join(f"  {json.dumps(line)}" for line in lines)
    return write_file(path, f'{head},\n "lines": [\n{rows}\n ]\n}}\n', over=over)


def _table(path: Path) -> str:
    return path.stem.rpartition("-")[2]


def _described(path: Path) -> str:
    made = kept_bundle(path.read_bytes().splitlines())
    start = next((line.told for line in made.lines if line.told and line.told["do"] == "start"), {})
    day, time = path.stem.split("-")[:2]
    when = f"{day[:4]}-{day[4:6]}-{day[6:]} {time[:2]}:{time[2:4]} UTC"
    bot = path.parent.parent.name.removeprefix(BOT)
    how = f"{made.fault.kind}: it {made.fault.why}" if made.fault else "no fault"
    return shown(f"{_table(path)[:8]}  {when}  {bot}, {start.get('game', 'no game')}, {how}")


def replay(settings: argparse.Namespace) -> int:
    """Replay a bundle with a bot, and report how the bot answers."""
    with path_of(settings.bundle).open("rb") as file:
        read = read_bundle(file.read(_MOST_BYTES))
    named = settings.bot is not None or settings.exec is not None
    command = command_of(settings) if named else list(read.command)
    if not (named or settings.run_it):
        print(f"The bundle names this command, which would run with your rights:\n  {shown(shlex.join(command))}")
        bundle = shlex.quote(settings.bundle)
        print(f"Nothing was run. If you trust it:  quadrille bot replay --run {shown(bundle)}")
        print(f"With a bot of your own:            quadrille bot replay {shown(bundle)} BOT")
        return NOT_RUN
    print(f"runs: {shown(shlex.join(command))}", flush=True)
    try:
        running = started(command, limits_of(settings))
    except BotFault as fault:
        raise LocalError(f"the bot {fault.why}") from None
    with running as program:
        again = Rerun(read, program, settings.patience)
        replies = []
        for reply in again.replies():
            replies.append(reply)
            print(shown(_told(reply)), flush=True)
        program.close(0.5)
        _tell_moment(again, program.errors)
    print(f"\n{sum(reply.same for reply in replies)} of {len(replies)} answers are the same as then.")
    if again.fault is not None:
        print(shown(f"It fails ({again.fault.kind}): it {again.fault.why}"))
        return 1
    print("It does not fail now." if read.fault else "It does not fail.")
    return 0


def _told(reply: Reply) -> str:
    then, now = reply.then or "nothing", reply.now or "nothing"
    return f"{reply.to:16} {now if reply.same else f'{now}, and then {then}'}  ({reply.took} ms)"


def _tell_moment(again: Rerun, errors: str) -> None:
    """Print the last position that the bot saw, with everything known about that moment."""
    read, turn, view = again.bundle, again.course.turn, again.course.view
    if view is not None:
        start = again.course.start
        print(f"\nThe last that seat {start['seat'] + 1} was told, in turn {turn.get('turn', 'none')}:\n")
        print(shown_lines(drawing(view.scene())))
    print(f"\nclock: {shown(_clock(turn))}")
    written = [line for line in read.lines if line.told is None][-3:]
    print("\n".join([f"then it wrote, at {line.at} ms: {shown(line.said[:300])}" for line in written]))
    if read.fault is not None:
        print(shown(f"then it failed ({read.fault.kind}): it {read.fault.why}"))
    if read.cut:
        print("the game went on, and the rest of it was not kept")
    for when, text in (("then", read.errors), ("now", errors)):
        if lines := text.strip().splitlines()[-_LAST_LINES:]:
            print(f"standard error, {when}:")
            print(shown_lines("\n".join(f"  {line}" for line in lines)))


def _clock(turn: Any) -> str:
    match turn.get("clock"):
        case {"left": list(left), "increment": int(more)}:
            seats = ", ".join(f"seat {seat + 1} has {ms} ms" for seat, ms in enumerate(left))
            return f"{seats}; {more} ms more for each move"
    return f"none, and {turn.get('patience', '?')} ms for a move"
