"""Bots that break, each in one way, and what is said of each: the same for every table, local or on a network.

They are programs of their own and import nothing of the project.
"""

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Broken:
    """A program, the kind of its fault at a table with a clock, and words of the sentence that tells of it.

    Without a clock `time` is a `stall`. Where `kind` is None, it plays to the end, and what is wrong comes after.
    """

    file: str
    kind: str | None
    says: str = ""

    def __str__(self) -> str:
        return self.file.removesuffix(".py")

    @property
    def path(self) -> Path:
        return FOLDER / self.file


#: Those that come to their turn.
AT_TURN = (
    Broken("raises.py", "crash", "RuntimeError: lost the thread"),
    Broken("exits.py", "crash", "exit code 3"),
    Broken("falls.py", "crash", "SIGSEGV"),
    Broken("torn_line.py", "crash", "in the middle of a line"),
    Broken("closes_output.py", "crash", "closed its output"),
    Broken("hangs.py", "time", "ran out of time"),
    Broken("sleeps.py", "time", "ran out of time"),
    Broken("spins.py", "time", "ran out of time"),
    Broken("half_a_line.py", "time", "ran out of time"),
    Broken("illegal.py", "illegal", "z99-z98"),
    Broken("twice.py", "illegal", "which is not legal"),
    Broken("garbage.py", "protocol", "not UTF-8"),
    Broken("chats.py", "protocol", "best move so far"),
    Broken("no_move.py", "protocol", "answered a turn otherwise"),
    Broken("other_turn.py", "protocol", "the last that it was given"),
    Broken("floods.py", "protocol", "no JSON"),
    Broken("huge_line.py", "protocol", "a line of more than"),
    Broken("asks_for_ever.py", "stall", "does not read"),
)
#: Those that never come so far.
AT_START = (
    Broken("dies_early.py", "crash", "no such model"),
    Broken("silent.py", "stall", "say who it is"),
    Broken("not_ready.py", "stall", "say that it is ready"),
    Broken("old_version.py", "protocol", "version 99"),
    Broken("nameless.py", "protocol", '"hello" takes'),
)
#: Those that play well, and are trouble afterwards.
AFTERWARDS = (
    Broken("dies_between.py", None, "exit code 1"),
    Broken("ignores_quit.py", None),
    Broken("leaves_children.py", None),
)
BROKEN = (*AT_TURN, *AT_START, *AFTERWARDS)
