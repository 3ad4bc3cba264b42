"""The walk of a move through two programs, measured: `python -m tests.trace`, from the root of a checkout.

Ann and Ben play Barons 3 x 3 on loopback, each in a real program at a pseudo-terminal. A move's walk goes from Enter to
the first bytes on a socket; and in the other program from those bytes to the screen that shows it. It begins in one
thread, which wakes the thread where it ends. What else is due, such as a look around, can only add modules, so of a few
moves the one with fewest counts.
"""

import json
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Sequence
from functools import cache
from itertools import cycle
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from tests.client.screen.pseudo_terminal import Program
from tests.net.ports import udp_port

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("rules", "net", "ai", "client")
TABLE = ("barons", "--seats", "2", "--set", "width=3", "--set", "height=3", "--no-lot")
#: By Ann and Ben in turn. Each has imported and kept all it needs with the first one, which is not measured.
MOVES = ("a1", "b2", "c3", "a3", "c1")
#: How many of the functions that are called most often are printed.
MOST_CALLED = 5


class Step(NamedTuple):
    """A call of a function of ours in a module, or a deed without one: read, wake, take, send, recv, write."""

    at: float
    thread: int
    module: str
    name: str


class Recorder:
    """Records a program's steps, from one SIGUSR1 to the next, which writes them to a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._on = False
        self._steps: list[Step] = []
        threading.setprofile(self._note)  # of threads to come; that of the main thread is set when it is needed
        signal.signal(signal.SIGUSR1, self._switch)

    def _note(self, frame: FrameType, event: str, called: Any) -> None:
        if not self._on or event not in ("call", "c_call"):
            return
        named = _named(frame.f_code) if event == "call" else ("", _deed(called))
        if named[1]:
            self._steps.append(Step(time.monotonic(), threading.get_ident(), *named))

    def _switch(self, *_: object) -> None:
        self._on = not self._on
        sys.setprofile(self._note if self._on else None)
        if not self._on:
            part = self._file.with_suffix(".part")
            part.write_text(json.dumps(self._steps), "utf-8")
            part.rename(self._file)


@cache
def _named(code: CodeType) -> tuple[str, str]:
    """Return the module and the name of a function; no name for one that is not ours."""
    module = code.co_filename.removeprefix(f"{ROOT}/")
    return (module, code.co_qualname) if module.startswith(FLOORS) else ("", "")


def _deed(called: Any) -> str:
    """What a function of Python itself moves, if it is from one thread to another, or in or out of the program."""
    match called.__name__:
        case "read" if called is os.read:
            return "read"
        case "write" if called is os.write:
            return "write"
        case "popleft" if isinstance(called.__self__, deque):
            return "take"
        case "send" | "recv" as name if isinstance(called.__self__, socket.socket):
            is_bell = name == "send" and not called.__self__.getsockname()  # TCP and a pipe to libzmq have one
            return "wake" if is_bell else name * (called.__self__.family == socket.AF_INET)
    return ""


def first(steps: Sequence[Step], name: str, after: float) -> Step:
    return next(step for step in steps if step.name == name and not step.module and step.at > after)


def between(steps: Sequence[Step], begins: Step, decided: Step, woken: Step | None, ends: Step) -> list[Step]:
    """Our calls in the thread of the one until it wakes that of the other after the decision, and from then, or from
    where that was woken, on in that.
    """
    wakes = first([step for step in steps if step.thread == begins.thread], "wake", decided.at)
    spans = ((begins.thread, begins.at, wakes.at), (ends.thread, (woken or wakes).at, ends.at))
    return [step for step in steps if step.module and any(t == step.thread and a < step.at < z for t, a, z in spans)]


def walks(typed: Sequence[Step], heard: Sequence[Step], pressed: float, shown: float) -> dict[str, list[Step]]:
    """One program's steps from Enter to the wire, and those of the other from there to its screen."""
    enter = first(typed, "read", pressed)
    played = next(step for step in typed if step.name == "Table.play" and step.at > enter.at)
    take = [step for step in typed if step.name == "take" and step.thread == played.thread and step.at < played.at][-1]
    sent = first(typed, "send", played.at)  # what goes out before is no move
    came = first(heard, "recv", sent.at)
    took = next(step for step in heard if step.name == "Table._take_all" and step.at > came.at)
    written = [step for step in heard if step.name == "write" and not step.module and step.at < shown][-1]
    return {
        "From Enter to the wire": between(typed, enter, enter, take, sent),
        "From the wire to the screen": between(heard, came, took, None, written),
    }


def modules(steps: Sequence[Step]) -> Counter[str]:
    """How often each module is called, in the order of the first calls."""
    return Counter(step.module for step in steps)


def rooms(steps: Sequence[Step]) -> list[str]:
    """Return the rooms, as tests/budgets.toml counts them, in the order of the first calls."""
    return list(dict.fromkeys("/".join(module.split("/")[:-1][:2]) for module in modules(steps)))


def measured(home: Path) -> dict[str, list[Step]]:
    """Return both walks, of the move on whose way least else was due."""
    network = ("--port", str(udp_port()), "--interface", "127.0.0.1")

    def program(name: str, *words: str) -> Program:
        own = ("--home", str(home / name), "--name", name)
        child = (sys.executable, "-m", "tests.trace", str(home / f"{name}.json"))
        return Program(*child, *words, *network, *own, home=home, PYTHONPATH=str(ROOT))

    with program("Ann", "host", *TABLE) as ann, program("Ben", "join", "Ann") as ben:
        ben.sees("Ann moves")
        for one in (ann, ben):
            os.kill(one.process.pid, signal.SIGUSR1)
        times = []
        for mover, other, move in zip(cycle((ann, ben)), cycle((ben, ann)), MOVES):
            mover.sees("YOUR TURN")
            mover.press(move)
            mover.sees(f"> {move}")
            pressed = time.monotonic()
            mover.press("enter")
            other.sees("YOUR TURN", f" {move}")
            times.append((pressed, time.monotonic()))
        anns, bens = recorded(ann, home / "Ann.json"), recorded(ben, home / "Ben.json")
    found = [walks(*both, *span) for both, span in zip(cycle(((anns, bens), (bens, anns))), times[2:])]
    return {title: min((each[title] for each in found), key=lambda steps: len(modules(steps))) for title in found[0]}


def recorded(program: Program, file: Path) -> list[Step]:
    os.kill(program.process.pid, signal.SIGUSR1)
    program.until(file.exists, "a record")
    return [Step(*step) for step in json.loads(file.read_text("utf-8"))]


def main(words: Sequence[str]) -> int:
    """Print the walks; with words, be one of the programs."""
    if words:
        from quadrille.client.cli import main as quadrille

        Recorder(Path(words[0]))
        return quadrille(words[1:])
    with tempfile.TemporaryDirectory() as home:
        for title, steps in measured(Path(home)).items():
            often = Counter(f"{step.module} {step.name}" for step in steps if not step.name.endswith(">"))
            print(f"{title}: {len(modules(steps))} modules, {len(steps)} calls, in {', '.join(rooms(steps))}\n")
            for most in (modules(steps).items(), often.most_common(MOST_CALLED)):
                print(*(f"{count:7} {name}" for name, count in most), "", sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
