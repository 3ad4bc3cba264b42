"""The golden records replay to the same text and the same digest: what was saved yesterday is read tomorrow."""

import json
from pathlib import Path

import pytest

from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.match import Played
from quadrille.rules.record import read, write
from quadrille.rules.registry import games
from tests.golden.make import DIGESTS, EXAMPLE, FOLDER, GAMES, MOVES, VIEWS, digests_of

RECORDS = sorted(FOLDER.glob("*.txt"))
KNOWN: dict[str, list[str]] = json.loads(DIGESTS.read_text("utf-8"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_golden_record(path: Path) -> None:
    text = path.read_bytes()
    match = read(text)
    assert write(match).encode("ascii") == text
    assert digests_of(match) == KNOWN[path.stem]


def test_every_record_is_there() -> None:
    assert {path.stem for path in RECORDS} == {*GAMES, *VIEWS, EXAMPLE} == set(KNOWN)


def test_every_game_has_a_record_to_its_end_and_hidden_games_one_of_a_view() -> None:
    matches = [read(path.read_bytes()) for path in RECORDS]
    for game in games():
        own = [match for match in matches if match.game is game]
        assert any(match.over and match.ply > 10 for match in own)
        assert not game.hidden or {match.viewer for match in own} >= {"whole", None, 1}


def test_the_inventors_example_stands_after_its_first_round_as_it_is_told() -> None:
    """Purple, Blue, Green and Orange are A to D; h1, c1, c2, d2, g8, g7 and a6 lie bare."""
    match = read((FOLDER / f"{EXAMPLE}.txt").read_bytes())
    assert tuple(str(entry.move) for entry in match.entries if isinstance(entry, Played)) == MOVES
    drawn = [line[3:].split() for line in drawing(match.state.scene()).splitlines()[1:9]]
    assert drawn == [
        ["n", "d", "d", "p", "p", "p", ".", "p"],
        ["p", "p", "p", "n", "p", "C:2p", ".", "n"],
        [".", ">D:d", "n", "p", "n", "p", "d", "n"],
        ["n", "n", "n", "q", "d", "p", "n", "p"],
        ["p", "p", "n", "d", "d", "d", "n", "n"],
        ["n", "n", "q", "A:3p", "q", "n", "d", "p"],
        ["n", "n", ".", ".", "d", "n", "n", "n"],
        ["n", "d", ".", "n", "n", "p", "p", "B"],
    ]
    assert match.state.figures()["cents"] == (1, 25, 1, 10)
    match.play("c3")
    assert match.state.figures()["cents"] == (26, 25, 1, 10)
