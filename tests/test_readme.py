"""The README keeps its word: its Python runs, its console session answers so, its commands exist."""

import json
import re
from pathlib import Path

import pytest

from quadrille.ai.engine import Engine
from quadrille.client.cli import COMMANDS
from quadrille.rules.registry import games

TEXT = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def test_the_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [code] = blocks("python")
    exec(code, {})
    assert re.fullmatch(r"\((\d, ){2}\d\) \((\d+, ){2}\d+\)\n", capsys.readouterr().out)


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
