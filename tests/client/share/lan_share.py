"""A party without the internet: one host shares Quadrille, the others type the line, and play.

    bash tests/net/lan.sh 3 python -m tests.client.share.lan_share FOLDER

There is no route but the one between the hosts. The second host types the line that checks the fingerprint, at a
terminal, plays alone, and sits down at the first one's table. The third one types the short line, and its Python has no
pip of its own.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.client import programs
from tests.client.programs import Program, Terminal, play_on

IP = shutil.which("ip") or "ip"
PLAY = ("play", "maze", "--against", "1")


@contextmanager
def on(host: str, *command: str) -> Iterator[None]:
    """Programs that are started now run on that host, by another command than usual."""
    usual = list(programs.COMMAND)
    programs.COMMAND[:] = [IP, "netns", "exec", host, *(command or usual)]
    try:
        yield
    finally:
        programs.COMMAND[:] = usual


def typed(line: str, folder: Path) -> tuple[str, ...]:
    """The command of somebody who types a line in an empty folder. The system's Python may be older than ours."""
    (folder / "bin").mkdir(parents=True)
    python = folder / "bin/python3"
    base = getattr(sys, "_base_executable", sys.executable)
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(base)} "$@"\n')
    python.chmod(0o755)
    return "sh", "-c", f"cd {shlex.quote(str(folder))} && PATH=$PWD/bin:$PATH && {line}"


def party(home: Path) -> None:
    with on("h1"):
        sharing = Program("share", "--interface", "eth0")
    with sharing:
        short = sharing.wait(r"^ +(python3 -c .*)")[1]
        digits = sharing.wait("Fingerprint: (.*)")[1]
        checking = sharing.wait(r"^ +(python3 -c .*)")[1]
        sharing.wait("Python 3.*: everything works")
        with on("h2", *typed(checking, home / "two")), Terminal() as two:
            two.wait(f"Quadrille .*, from http://10.77.0.1:8765.*Fingerprint: {digits}.*Ctrl-C ends: ".encode())
            assert not (home / "two/quadrille").exists()
            two.press("\r")
            two.wait(rb"Start it: quadrille/bin/quadrille\r\n")
        assert not re.search(rb"has no |installed:", two.screen), two.screen
        sharing.wait("10.77.0.2 has fetched the installer")
        sharing.wait("10.77.0.2 has fetched Quadrille")
        bare = short.replace("exec(s)", "exec(s.replace(b'ensurepip', b'no_ensurepip'))")
        with on("h3", *typed(bare, home / "three")):
            done = subprocess.run(programs.COMMAND, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        assert done.returncode == 0 and b"kB  pip " in done.stdout, done
        assert sharing.end(signal.SIGINT) == 0
    for host, folder in (("h2", "two"), ("h3", "three")):
        with on(host, str(home / folder / "quadrille/bin/quadrille")):
            command = [*programs.COMMAND, *PLAY, "--home", str(home / "own")]
            done = subprocess.run(command, input=b"quit\n", capture_output=True, check=False, cwd=home)
            assert done.returncode == 0 and b"player 1>" in done.stdout, done
    table(home)


def table(home: Path) -> None:
    """What was installed sits down at a table of the host that shared it."""
    place = ("--interface", "eth0", "--home")
    with on("h1"):
        ann = Program("host", "barons", "--seats", "2", "--name", "Ann", *place, str(home / "ann"))
    with ann, on("h2", str(home / "two/quadrille/bin/quadrille")):
        ann.wait("Waiting|waits|open")
        with Program("join", "--name", "Ben", *place, str(home / "ben")) as ben:
            play_on(ann, ben, plies=4)


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    party(Path(sys.argv[1]))
