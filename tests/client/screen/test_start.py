"""The first picture stands before prompt-toolkit is there: what it waits for, what comes meanwhile, and the mouse."""

import os
import re
import signal
import sys
from pathlib import Path

import pytest

from quadrille.client.screen.app import mouse
from tests.client.screen.pseudo_terminal import Program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
#: A program that does something as soon as the first picture is there, and goes on.
MEANWHILE = """
import os, select, signal, sys
from quadrille.client.cli import main
from quadrille.client.screen import start
write = start._write
def shown(text):
    write(text)
    if "1049h" in text:
        {}
start._write = shown
sys.exit(main(sys.argv[1:]))
"""
MAZE = ("play", "maze", "--set", "size=4", "--seed", "s", "--two-people")
#: The modules of the network that hold words of the lobby: refusals, times, and how a name is written.
WORDS_OF_THE_NETWORK = {"core", "core.errors", "core.spans", "trust", "trust.names", "trust.lookalikes"}


def meanwhile(home: Path, does: str, *words: str) -> Program:
    return Program(sys.executable, "-c", MEANWHILE.format(does), *words, home=home)


def modules(home: Path, *words: str) -> set[str]:
    """The modules that are there with the first picture."""
    found = home / "found"
    with meanwhile(home, f"open({str(found)!r}, 'w').write(' '.join(sys.modules)); os._exit(0)", *words) as program:
        assert program.ends() == 0
    return {*found.read_text().split()}


def test_the_first_picture_of_the_lobby_waits_for_no_network_no_game_and_no_prompt_toolkit(tmp_path: Path) -> None:
    found = modules(tmp_path, "lobby")
    assert "quadrille.client.screen.lobby.draw" in found
    of_network = {name.removeprefix("quadrille.net.") for name in found if name.startswith("quadrille.net.")}
    assert of_network <= WORDS_OF_THE_NETWORK
    assert not [name for name in found if re.match(r"quadrille\.(rules\.(games\.|match|search)|ai\.(?!house))", name)]
    assert not found & {"prompt_toolkit", "asyncio", "zmq", "nacl", "msgpack", "quadrille.client.screen.table.draw"}


def test_the_first_picture_of_a_game_waits_for_no_other_game_and_no_prompt_toolkit(tmp_path: Path) -> None:
    found = modules(tmp_path, *MAZE)
    assert {name.split(".")[3] for name in found if name.startswith("quadrille.rules.games.")} == {"maze"}
    assert not found & {"prompt_toolkit", "asyncio", "zmq", "nacl"}


def test_the_mouse_is_read_as_each_kind_of_terminal_reports_it() -> None:
    reports = {
        "\x1b[<0;85;12M": (0, 11, 84), "\x1b[<20;85;12M": (0, 11, 84), "\x1b[<0;85;12m": (-1, 11, 84),
        "\x1b[<35;85;12M": (35, 11, 84), "\x1b[<64;85;12M": (64, 11, 84), "\x1b[32;14;13M": (0, 12, 13),
        "\x1b[97;14;13M": (65, 12, 13), "\x1b[M *m": (0, 76, 9), "\x1b[M#*m": (3, 76, 9),
        "\x1b[M`\udcc0!": (64, 0, 159), "LEFT;MOUSE_DOWN;9;8": (0, 8, 9), "NONE;SCROLL_DOWN;9;8": (65, 8, 9),
        "RIGHT;MOUSE_UP;9;8": (-1, 8, 9),
    }  # fmt: skip
    assert {data: mouse(data) for data in reports} == reports


def test_keys_that_are_typed_behind_the_first_picture_are_not_lost_and_nothing_flickers(tmp_path: Path) -> None:
    with meanwhile(tmp_path, "select.select([sys.stdin], [], [])", *MAZE) as program:
        program.sees("TURN OF A")
        assert b"2004h" not in program.written  # prompt-toolkit is not there yet
        program.press("b4", "enter")
        program.sees("last: A a4-b4")
        assert (program.written.count(b"\x1b[J"), program.written.count(b"\x1b[?1049h")) == (1, 1), "it flickers"


@pytest.mark.parametrize(
    ("does", "code", "says"),
    [
        ("os.kill(os.getpid(), signal.SIGTERM)", 128 + signal.SIGTERM, b""),
        ("os.kill(os.getpid(), signal.SIGINT)", 130, b""),
        ("raise OSError(5, 'planted')", 2, b"quadrille: planted"),
    ],
)
def test_what_ends_a_start_leaves_the_terminal_clean(does: str, code: int, says: bytes, tmp_path: Path) -> None:
    with meanwhile(tmp_path, does, *MAZE) as program:
        assert program.ends() == code
        assert program.is_clean()
        assert says in program.written[program.written.rfind(b"\x1b[?1049l") :]


def test_a_stop_behind_the_first_picture_leaves_the_terminal_clean(tmp_path: Path) -> None:
    with meanwhile(tmp_path, "os.kill(os.getpid(), signal.SIGTSTP)", *MAZE) as program:
        program.until(lambda: "T (stopped)" in Path(f"/proc/{program.process.pid}/status").read_text(), "the stop")
        assert program.is_clean()
        os.killpg(program.process.pid, signal.SIGCONT)
        program.sees("TURN OF A")
