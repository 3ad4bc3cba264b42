"""Recorded dialogues, replayed to the byte: the table says the same, and the kit answers the same."""

import json
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.bots.lines.dialogue import Chosen, Dialogue, Seating
from quadrille.ai.json_lines import encode
from quadrille.ai.kit import Part
from quadrille.rules.core.thoughts import Thought
from quadrille.rules.match import Match
from quadrille.rules.registry import game, keys
from tests.ai.bots.recording import FOLDER, Sampler, Table
from tests.documents import block

VECTORS = sorted(FOLDER.glob("*.jsonl"))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_game_has_been_recorded() -> None:
    assert {path.stem for path in VECTORS} == {*keys(), "asking"}


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_the_table_says_what_was_recorded(path: Path) -> None:
    table = Table()
    outgoing = table.told()
    for line in lines(path):
        match line:
            case {"told": told}:
                assert outgoing.pop(0) == encode(told)
            case {"said": said}:
                table.hear(encode(said))
                outgoing += table.told()
            case {"table": how}:
                assert not outgoing
                table.act(**how)
                outgoing += table.told()
    assert not outgoing


@pytest.mark.parametrize("path", [path for path in VECTORS if path.stem != "asking"], ids=lambda path: path.stem)
def test_the_kit_answers_what_was_recorded(path: Path) -> None:
    """The same dice, the same game."""
    part, owed = Part(Sampler()), None
    for line in lines(path):
        match line:
            case {"told": told}:
                assert owed is None
                owed = part.answer(encode(told))
            case {"said": said}:
                assert owed == encode(said)
                owed = None
    assert owed is None and part.done


def test_the_game_in_the_specification() -> None:
    """docs/protocols/bots.md: the table says what stands there, to the byte."""
    shown = [line for line in block("bots").splitlines() if not line.startswith("#")]
    match = Match(game("maze"), {"size": 2}, 2)
    dialogue = Dialogue(0)
    for line in shown:
        sign, said = line[0], json.loads(line[2:])
        if sign == "<":
            event = dialogue.receive(line[2:].encode(), 0)
            if isinstance(event, Chosen):
                assert event.thought == Thought(-1, 2, "both squares are Ann's", (("b2", "!"),))
                match.play(event.move)
            continue
        for item in said.get("news", ()):
            if item["seat"] == 0:
                match.play(item["move"])
        match said["do"]:
            case "start":
                dialogue.start(match, match.state, Seating(1, "ours", ["Ann", "bot.c"], seed="7"), 0)
            case "turn":
                dialogue.turn(match, match.state, 0)
            case "over":
                assert match.over
                dialogue.over(match.over, match, match.state)
            case "quit":
                dialogue.quit()
        assert dialogue.outgoing.pop(0) == encode(said)
    assert not dialogue.outgoing
