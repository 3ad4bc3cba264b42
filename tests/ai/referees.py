"""Referees for tests: programs that write down what they are told, and say what a test wants."""

import json
import sys
from pathlib import Path
from typing import Any

#: Each `{…}` is done when that is told; `said` is the line, `games` counts those begun.
PROGRAM = """\
import json, os, signal, sys
def say(what):
    sys.stdout.write((what if isinstance(what, str) else json.dumps(what)) + "\\n")
    sys.stdout.flush()
games = 0
with open("told.jsonl", "a") as told:
    told.write(json.dumps({{"pid": os.getpid()}}) + "\\n")
    for line in sys.stdin:
        told.write(line)
        told.flush()
        said = json.loads(line)
        if said["do"] == "hello":
            {hello}
        elif said["do"] == "start":
            games += 1
            {start}
        elif said["do"] == "judge":
            {judge}
        elif said["do"] == "over":
            {over}
        elif said["do"] == "quit":
            break
"""
HELLO = 'say({"hello": "judge", "protocol": 1})'
READY = 'say({"ready": True})'
GO_ON = 'say({"judge": said["judge"]})'
NAME = "judge.py"
COMMAND = [sys.executable, "-I", "-S", NAME]


def ends(at: int, *places: int, why: str = "a known win") -> str:
    """What ends each game when it is judged so often."""
    end = f'{{"judge": {at}, "places": {list(places)}, "why": "{why}"}}'
    return f'say({end} if said["judge"] == {at} else {{"judge": said["judge"]}})'


def referee(folder: Path, judge: str = GO_ON, *, hello: str = HELLO, start: str = READY, over: str = "pass") -> None:
    """Write one."""
    (folder / NAME).write_text(PROGRAM.format(hello=hello, start=start, judge=judge, over=over), "utf-8")


def told(folder: Path) -> list[dict[str, Any]]:
    """All that its programs were told; first of each, which process it was."""
    return [json.loads(line) for line in (folder / "told.jsonl").read_text("utf-8").splitlines()]


def processes(folder: Path) -> int:
    """How many programs there were."""
    return sum("pid" in line for line in told(folder))
