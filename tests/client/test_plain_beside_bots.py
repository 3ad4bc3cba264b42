"""Plain lines are answered at once beside a bot that hangs, and scripts keep their order beside one that moves."""

import time
from pathlib import Path

import pytest

from tests.client.programs import Program
from tests.client.slow_bots import HANGS, WAITS
from tests.waiting import soon

#: Less than the patience after which a person is asked what to do about a bot (15 s).
AT_ONCE = 10.0


WORDS = ("play", "maze", "--set", "size=3", "--plain", "--isolate", "none", "--against")
#: The bot has begun to think.
THINKS = r"^player 1> a3-a2"


def written(folder: Path, code: str) -> str:
    path = folder / "bot.py"
    path.write_text(code)
    return str(path)


@pytest.mark.slow
def test_commands_and_the_end_of_input_are_noticed_beside_a_bot_that_hangs(tmp_path: Path) -> None:
    with Program(*WORDS, written(tmp_path, HANGS)) as play:
        play.enter("a3-a2")
        play.wait(THINKS)
        begin = time.monotonic()
        play.enter("moves")
        play.wait(r"moves|a2-")
        play.enter("takeback")
        play.wait(r"^Taken back: a3-a2")
        play.enter("a3-b3")
        play.wait(r"a3-b3")
        play.close_input()
        play.wait(r"This game is kept: quadrille resume")
        assert play.end() == 0
        assert time.monotonic() - begin < AT_ONCE


def test_a_move_typed_too_early_waits_for_its_turn_in_a_pipe(tmp_path: Path) -> None:
    """A script plays against a bot that takes its time; its lines stay in their order."""
    with Program(*WORDS, written(tmp_path, WAITS)) as play:
        play.enter("a3-a2", "resign")
        assert soon((tmp_path / "thinks").exists)
        (tmp_path / "go").touch()
        play.wait(r"^player 2 \(\w+\): a2-")
        play.wait(r"^player 1> resign")
        play.wait(r"^player 1 (has )?resign|^The game is over")
        play.close_input()
        assert play.end() == 0
