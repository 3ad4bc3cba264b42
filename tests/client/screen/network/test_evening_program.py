"""`quadrille` as a program on a real pseudo-terminal: the lobby, a game at once, signals, and what it leaves behind."""

import sys
from pathlib import Path

import pytest

from tests.net.ports import udp_port

if sys.platform == "win32":
    pytest.skip("there are no terminals of this kind", allow_module_level=True)

from tests.client.screen.pseudo_terminal import Program

CLI = [sys.executable, "-m", "quadrille.client.cli"]


def lobby(home: Path, *words: str) -> Program:
    network = ["--home", str(home), "--port", str(udp_port()), "--interface", "127.0.0.1", "--name", "Ann"]
    return Program(*CLI, *words, *network, home=home)


def test_a_game_against_a_bot_is_two_keys_away_and_goes_on_after_it_was_left(tmp_path: Path) -> None:
    with lobby(tmp_path, "lobby") as shown:
        shown.sees("Tables on this network", "you are Ann")
        shown.press("f2", "enter")
        shown.sees("Barons, 4 players", "YOUR TURN")
        shown.press("e5", "enter")
        shown.sees("1 A e5", "2 B")
        shown.press("c-q")
        shown.sees("1 Barons", "unfinished")
        shown.press("enter")
        shown.sees("1 A e5", "YOUR TURN")
        shown.press("c-q")
        shown.sees("unfinished")
        shown.press("c-q")
        assert shown.ends() == 0 and shown.is_clean()
