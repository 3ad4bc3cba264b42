"""The README keeps its word: its Python runs, its console session answers so, its commands exist."""

import json
import re
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from quadrille.ai.bot import Clock
from quadrille.ai.bots.local import play
from quadrille.ai.bots.process.program import Program, kit_command
from quadrille.ai.bots.talk import Talk
from quadrille.ai.engine import Engine
from quadrille.client.cli import COMMANDS
from quadrille.rules.core import Over
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, games, keys
from tests.laws.settings import SMALL

#: Boards as a first bot is shown with, or smaller ones.
SHOWN: dict[str, dict[str, Any]] = {"maze": {}, "barons": {"width": 6, "height": 6}}
FOLDER = Path(__file__).parent.parent
TEXT = (FOLDER / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def test_the_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [code] = [code for code in blocks("python") if "Bot" not in code]
    exec(code, {})
    assert re.fullmatch(r"\((\d, ){2}\d\) \((\d+, ){2}\d+\)\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=() if key in ("coin-isolation", "dotter") else pytest.mark.slow) for key in keys()]
)
def test_the_first_bot_plays_every_game(key: str, tmp_path: Path) -> None:
    [code] = [code for code in blocks("python") if "Bot" in code]
    assert code == (FOLDER / "examples" / "first_bot.py").read_text("utf-8")
    assert len(code.splitlines()) < 20
    file = tmp_path / "first_bot.py"
    file.write_text(code)
    options, seats = SMALL[key][0]
    match = Match(game(key), options, seats, deal=Deal("first"))
    with ExitStack() as undo:
        players = [undo.enter_context(Talk(Program(kit_command(str(file))))) for _ in range(seats)]
        assert {talk.greet().name for talk in players} == {"First"}
        assert play(match, players).faults == {}


@pytest.mark.parametrize("key", ["maze", "barons"])
def test_s12_the_first_bot_looks_better_than_chance_in_the_games_that_it_is_shown_with(key: str) -> None:
    """12 games against random, in each seat as often: by chance alone 9 points come once in 50 such tests."""
    space: dict[str, Any] = {}
    exec((FOLDER / "examples" / "first_bot.py").read_text("utf-8"), space)
    first, points = space["First"](), 0.0
    for number in range(12):
        state, own = game(key).start(SHOWN[key], 2), Random(number)
        while not isinstance(state.pending, Over):
            seat = state.board.turn
            mine = seat == number % 2
            move = first.choose(state, Clock(seat, None, 0, 1000), own) if mine else state.moves.sample(own)
            state = state.play(move)
        places = state.pending.places
        ahead = places[1 - number % 2] - places[number % 2]
        points += (1 + ahead) / 2
    assert points >= 9


def test_the_engine_answers_so() -> None:
    [session] = blocks("console")
    _, *lines = session.splitlines()
    engine = Engine()
    for asked, told in zip(lines[::2], lines[1::2], strict=True):
        answer = json.loads(engine.answer(asked.encode()))
        shown = json.loads(told)
        assert shown.keys() == answer.keys()
        assert {**answer, "digest": "…"} == {**shown, "digest": "…"}


def test_every_command_is_there() -> None:
    named = set(re.findall(r"^quadrille ([a-z-]+)", "".join(blocks("sh")), re.MULTILINE))
    assert named <= set(COMMANDS)


def test_every_game_and_its_seats() -> None:
    for played in games():
        seats = f"{played.seats[0]}-{played.seats[-1]}" if len(played.seats) > 1 else str(played.seats[0])
        assert f"| {played.title} | {seats} |" in TEXT


def test_the_picture_is_there() -> None:
    [name] = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", TEXT)
    assert (FOLDER / name).read_text("utf-8").startswith("<svg ")
