"""Bots that break, each in one way, and what is said of each: the same for every table, local or on a network.

They are programs of their own and import nothing of the project. They are written to a folder, which goes with the
process that runs the tests.
"""

import atexit
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.ai.tournament.programs import PROGRAM

FOLDER = Path(tempfile.mkdtemp(prefix="quadrille-broken-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)

MEANS = """\
def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()
def deaf():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
def spawn():
    # Three children of a child, in a session of their own, which listen to nobody.
    if os.fork() == 0:
        os.setsid()
        for _ in range(3):
            if os.fork() == 0:
                deaf()
                time.sleep(3600)
        os._exit(0)
    os.wait()
"""
MOVES = 'say(turn=said["turn"], move=said["moves"][0])'
HALF = """write('{"turn": 1, "mo'); """
WHOLE = """write(json.dumps({"turn": said["turn"], "move": said["moves"][0]}))"""
ERRORS = 'os.write(2, b"x" * 50_000_000)'
WAITS = "time.sleep(3600)"
ORPHANS = "signal.signal(signal.SIGCHLD, signal.SIG_IGN); [os.fork() or os._exit(0) for _ in range(9)]"
LAST_MOVE = '([""] + [item["move"] for item in said["news"] if "move" in item])[-1]'


@dataclass(frozen=True)
class Broken:
    """A program, the kind of its fault at a table with a clock, and words of the sentence that tells of it.

    Without a clock `time` is a `stall`. Where `kind` is None, it plays to the end, and what is wrong comes after. The
    other fields are what it does when it hears each kind of line.
    """

    file: str
    kind: str | None
    says: str = ""
    turn: str = MOVES
    hello: str = 'say(hello="broken", protocol=1)'
    start: str = "say(ready=True)"
    over: str = "pass"
    quit: str = "break"
    before: str = MEANS

    def __post_init__(self) -> None:
        self.path.write_text(PROGRAM.format_map(vars(self)), "utf-8")

    def __str__(self) -> str:
        return self.file.removesuffix(".py")

    @property
    def path(self) -> Path:
        return FOLDER / self.file


#: Those that come to their turn.
AT_TURN = (
    Broken("raises.py", "crash", "RuntimeError: lost the thread", 'raise RuntimeError("lost the thread")'),
    Broken("exits.py", "crash", "exit code 3", "sys.exit(3)"),
    Broken("falls.py", "crash", "SIGSEGV", "os.kill(os.getpid(), signal.SIGSEGV)"),
    Broken("torn_line.py", "crash", "in the middle of a line", f"{HALF}sys.exit(0)"),
    Broken("closes_output.py", "crash", "closed its output", f"os.close(1); {WAITS}"),
    Broken("hangs.py", "time", "ran out of time", WAITS),
    Broken("sleeps.py", "time", "ran out of time", f"time.sleep(30); {MOVES}"),
    Broken("spins.py", "time", "ran out of time", "while True: pass"),
    Broken("half_a_line.py", "time", "it wrote 15 bytes without the end of a line, ", f"{HALF}{WAITS}"),
    Broken("no_newline.py", "time", "bytes without the end of a line, ", f"{WHOLE}; {WAITS}"),
    Broken("asks_on.py", "time", "; it asked ", 'while True: say(ask="moves"); sys.stdin.readline()'),
    Broken("floods_errors.py", "time", "bytes to standard error meanwhile", f"{ERRORS}; {WAITS}"),
    Broken("closes_input.py", "time", "it has closed its standard input", f"os.close(0); {WAITS}"),
    Broken("reads_no_more.py", "time", "bytes of the table's lines unread", start=f"say(ready=True); {WAITS}"),
    Broken("illegal.py", "illegal", "z99-z98", 'say(turn=said["turn"], move="z99-z98")'),
    Broken("twice.py", "illegal", "which is not legal", f'say(turn=said["turn"], move={LAST_MOVE})'),
    Broken("garbage.py", "protocol", "not UTF-8", 'os.write(1, bytes(range(128, 256)) + b"\\n")'),
    Broken("chats.py", "protocol", "best move so far", f'write("best move so far: b2\\n"); {MOVES}'),
    Broken("no_move.py", "protocol", "answered a turn otherwise", 'say(turn=said["turn"])'),
    Broken("other_turn.py", "protocol", "the last that it was given", MOVES.replace('["turn"]', '["turn"] + 7')),
    Broken("floods.py", "protocol", "no JSON", """while True: print('{"turn": 1, "move": "a1"}' * 20)"""),
    Broken("huge_line.py", "protocol", "a line of more than", 'while True: sys.stdout.write("x" * 65536)'),
    Broken("asks_for_ever.py", "stall", "input; it asked ", """while True: print('{"ask": "view"}')"""),
)
#: Those that never come so far.
AT_START = (
    Broken("dies_early.py", "crash", "no such model", hello='sys.exit("no such model")'),
    Broken("silent.py", "stall", "say who it is", hello="pass"),
    Broken("not_ready.py", "stall", "say that it is ready", start="pass"),
    Broken("old_version.py", "protocol", "version 99", hello='say(hello="broken", protocol=99)'),
    Broken("nameless.py", "protocol", '"hello" takes', hello="say(protocol=1)"),
)
#: Those that play well, and are trouble afterwards.
AFTERWARDS = (
    Broken("dies_between.py", None, "exit code 1", over="sys.exit(1)"),
    Broken("ignores_quit.py", None, quit=f"while True: {WAITS}", before=f"{MEANS}deaf()"),
    Broken("leaves_children.py", None, start="spawn(); say(ready=True)"),
)
#: Those that are rude and lose nothing by it.
RUDE = (
    Broken("writes_late.py", None, over='for _ in range(50): say(turn=1, move="a1")'),
    Broken("ignores_children.py", None, start=f"{ORPHANS}; say(ready=True)"),
)
BROKEN = (*AT_TURN, *AT_START, *AFTERWARDS)


def first(bots: Iterable[Broken], *quick: str) -> list[Any]:
    """Return them as cases of a test, of which the default suite runs the quick ones."""
    return [pytest.param(bot, id=str(bot), marks=() if str(bot) in quick else pytest.mark.slow) for bot in bots]
