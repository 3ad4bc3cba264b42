"""From a fresh clone to the first move against a bot: two commands, no key, no network, ten seconds.

`pip install .` is the first command and may use the network; what comes after runs where there is no interface that is
up, not even the loopback, with a key or two at most. A game of one's own opens no socket of the internet at all.
"""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from quadrille.ai.bots.process.usage import share
from tests.packaging.test_packaging import Place, tree, wheels

if sys.platform == "win32":
    pytest.skip("there are no terminals of this kind", allow_module_level=True)

from tests.client.screen.pseudo_terminal import Program

__all__ = ["tree", "wheels"]
#: So long it may take from the command to the first move and its answer, in seconds.
LIMIT = 10
#: Writes down every socket that a Python program of this environment makes.
WATCH = """
import os, sys

def watch(event, found):
    if event == "socket.__new__":
        with open({seen!r}, "a") as file:
            file.write(f"{{int(found[1])}}\\n")

sys.addaudithook(watch)
"""


def apart() -> list[str]:
    """Return the words that run a program without any network; none where that can't be done here."""
    found = shutil.which("unshare")
    for words in ([found, "-n"], [found, "-rn"]) if found else ():
        if subprocess.run([*words, "true"], check=False, capture_output=True).returncode == 0:
            return [str(word) for word in words]
    return []


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it needs network namespaces"),
    pytest.mark.skipif(not apart(), reason="unshare -n is not there, or may not be used by this user"),
]


@pytest.fixture(scope="module")
def place(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A fresh environment, after the first command, which .ci/run types as it stands. What Quadrille needs is that of
    the Python that runs the tests.
    """
    return Place(tmp_path_factory.mktemp("first-move") / "fresh").beside_our_packages(*wheels.glob("*none-any.whl"))


@pytest.fixture
def sockets(place: Place, tmp_path: Path) -> Iterator[Path]:
    """Yield a file of the families of all sockets that are made from now on."""
    hook = place.packages() / "sitecustomize.py"
    hook.write_text(WATCH.format(seen=str(tmp_path / "sockets")))
    yield tmp_path / "sockets"
    hook.unlink()


class Beginner(Program):
    """A program of a fresh install, without any network, and the time since the command."""

    def __init__(self, place: Place, home: Path, *command: str) -> None:
        self.began = time.monotonic()
        super().__init__(*apart(), str(place.python.parent / command[0]), *command[1:], home=home)

    def check(self) -> None:
        """It took no longer than it may, and nothing that has an address was there."""
        _, waited = share(self.process.pid, {}) or (0, 0)  # for a processor
        assert time.monotonic() - self.began - waited < LIMIT
        links = Path(f"/proc/{self.process.pid}/net/dev").read_text().splitlines()[2:]
        assert [line.split()[0] for line in links if line.split()[1] != "0"] == []


def test_the_first_move_against_a_bot(place: Place, tmp_path: Path, sockets: Path) -> None:
    with Beginner(place, tmp_path, "quadrille", "play", "maze", "--against", "1") as shown:
        shown.sees("Maze, 2 players", "YOUR TURN")  # there is nothing to be done before the move
        shown.press("b", "6", "enter")
        shown.sees("1 A a6-b6", "2 B b6-", "YOUR TURN")
        shown.check()
        shown.press("c-q")
        assert shown.ends() == 0 and shown.is_clean()
    made = set(sockets.read_text().split()) if sockets.exists() else set()
    assert made <= {"1"}, "only AF_UNIX: an event loop wakes itself by a pair of them"


def test_a_bot_that_begins_needs_no_key_at_all(place: Place, tmp_path: Path) -> None:
    with Beginner(place, tmp_path, "quadrille", "play", "maze", "--against", "1", "--seat", "2") as shown:
        shown.sees("1 A a6-", "YOUR TURN")
        shown.check()


def test_the_first_move_from_the_lobby(place: Place, tmp_path: Path) -> None:
    with Beginner(place, tmp_path, "quadrille") as shown:
        shown.sees("F2", "play", "against bots")
        shown.press("down", "down", "down", "f2", "enter")  # one is the dialog, in which bots and game can be chosen
        shown.sees("Barons, 4 players", "YOUR TURN")
        shown.press("e5", "enter")
        shown.sees("1 A e5", "2 B")
        shown.check()
