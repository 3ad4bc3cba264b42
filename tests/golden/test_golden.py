"""The golden records replay to the same text and the same digest: what was saved yesterday is read tomorrow."""

import json
from pathlib import Path

import pytest

from quadrille.rules.record import read, write
from quadrille.rules.registry import games
from tests.golden.make import DIGESTS, FOLDER, GAMES, VIEWS, digests_of

RECORDS = sorted(FOLDER.glob("*.txt"))
KNOWN: dict[str, list[str]] = json.loads(DIGESTS.read_text("utf-8"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_golden_record(path: Path) -> None:
    text = path.read_bytes()
    match = read(text)
    assert write(match).encode("ascii") == text
    assert digests_of(match) == KNOWN[path.stem]


def test_every_record_is_there() -> None:
    assert {path.stem for path in RECORDS} == {*GAMES, *VIEWS} == set(KNOWN)


def test_every_game_has_a_record_to_its_end_and_hidden_games_one_of_a_view() -> None:
    matches = [read(path.read_bytes()) for path in RECORDS]
    for game in games():
        own = [match for match in matches if match.game is game]
        assert any(match.over and match.ply > 10 for match in own)
        assert not game.hidden or {match.viewer for match in own} >= {"whole", None, 1}
