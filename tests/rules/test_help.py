"""What `help` says of a State and a Position is true: their examples run, and `repr` shows the position."""

import doctest
from types import ModuleType

import pytest

from quadrille.laws.settings import GAMES
from quadrille.rules import core, search
from quadrille.rules.core import Face
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.search import Position


@pytest.mark.parametrize(("module", "taught", "least"), [(core, "State", 12), (search, "Position", 7)])
def test_examples_run(module: ModuleType, taught: str, least: int) -> None:
    [found] = [test for test in doctest.DocTestFinder(recurse=True).find(module) if test.name.endswith(f".{taught}")]
    assert len(found.examples) >= least
    told: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(found, out=told.append)
    assert result.failed == 0, "".join(told)


@pytest.mark.parametrize("key", GAMES)
def test_a_position_is_seen_in_its_repr(key: str) -> None:
    state = GAMES[key].start()
    head, *lines = repr(state).splitlines()
    assert head.startswith(f"<{state.game.title}, {state.seats} seats, ") and head.endswith(">")
    assert lines == [line.rstrip() for line in drawing(state.scene()).splitlines() if line.strip()] != []
    assert repr(Position(state)) == f"Position of {state!r}"


def test_a_view_shows_no_card_in_its_repr_that_its_seat_has_not_seen() -> None:
    state = GAMES["dotter"].start()
    for text in ("draw", "draw", "peek p2 1a 1b"):
        state = state.play(GAMES["dotter"].parse(text, state))
    state = state.play(Face("AS")).play(Face("KD"))
    assert "AS" in repr(state.view(0)) and "KD" in repr(Position(state))
    assert "AS" not in repr(state.view(1)) and "AS" not in repr(Position(state.view(None)))
