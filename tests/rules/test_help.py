"""What a newcomer is told is true: `help` and `repr`, and a first game of each game with its aim and tips."""

import doctest
from types import ModuleType

import pytest

from quadrille.laws.settings import GAMES
from quadrille.rules import core, search
from quadrille.rules.chance import Stream
from quadrille.rules.core import Face
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.errors import BadOptions, IllegalMove
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys
from quadrille.rules.search import Position
from tests.rules.table import played


@pytest.mark.parametrize(("module", "taught", "least"), [(core, "State", 14), (search, "Position", 7)])
def test_examples_run(module: ModuleType, taught: str, least: int) -> None:
    [found] = [test for test in doctest.DocTestFinder(recurse=True).find(module) if test.name.endswith(f".{taught}")]
    assert len(found.examples) >= least
    told: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(found, out=told.append)
    assert result.failed == 0, "".join(told)


def test_the_first_lines_of_a_newcomer_work_and_mistakes_get_sentences() -> None:
    state = game("barons").start(width=3, height=2, seats=2)
    assert repr(state.game).startswith("<Barons, for 2 to 8 seats: width=5, ")
    assert repr(state.legal_moves[:2]) == "[<Claim a1>, <Claim a2>]"
    assert repr(state.moves) == "<legal moves: a1, a2, b1, b2, c1, ...>"
    assert state.play("a1") == state.play(state.legal_moves[0])
    assert (state.turn, state.over) == (0, None)
    with pytest.raises(IllegalMove, match="3 is no move of Barons: one of `legal_moves` is a1"):
        state.play(3)  # type: ignore[arg-type]
    with pytest.raises(BadOptions, match='there is no option "widht": did you mean width'):
        game("barons").start(widht=3)
    tied = played(game("barons"), {"width": 2, "height": 2}, "a1 a2 b2 b1", 2)
    assert tied.over and tied.over.winners == (0, 1) and tied.turn is None


@pytest.mark.parametrize("key", GAMES)
def test_a_position_is_seen_in_its_repr(key: str) -> None:
    state = GAMES[key].start()
    head, *lines = repr(state).splitlines()
    assert head.startswith(f"<{state.game.title}, {state.seats} seats, ") and head.endswith(">") and len(head) < 120
    assert lines == [line.rstrip() for line in drawing(state.scene()).splitlines() if line.strip()] != []
    assert repr(Position(state)) == f"Position of {state!r}"


def test_a_view_shows_no_card_in_its_repr_that_its_seat_has_not_seen() -> None:
    state = played(GAMES["dotter"], None, "draw,draw,peek p2 1a 1b", apart=",")
    state = state.play(Face("AS")).play(Face("KD"))
    assert "AS" in repr(state.view(0)) and "KD" in repr(Position(state))
    assert "AS" not in repr(state.view(1)) and "AS" not in repr(Position(state.view(None)))


# A first game

#: Maximum characters of an aim beside the title in a lobby of 80 columns, and of a tip above the prompt.
AIM, TIP = 59, 100


@pytest.mark.parametrize("key", keys())
def test_the_aim_and_three_tips_fit_their_lines(key: str) -> None:
    found = game(key)
    assert 0 < len(found.lesson.goal) <= AIM and found.lesson.goal.endswith(".")
    assert len(found.lesson.tips) == 3 and all(len(tip) <= TIP and tip.endswith(".") for tip in found.lesson.tips)


@pytest.mark.parametrize("key", keys())
def test_a_first_game_can_be_played_and_is_no_longer_than_a_usual_one(key: str) -> None:
    def moves(options: dict[str, object]) -> int:
        match, dice = Match(game(key), options, deal=Deal("first")), Stream("first", key)
        while match.over is None:
            match.play(match.state.moves.sample(dice))
        return match.ply

    assert moves(dict(game(key).lesson.options)) <= moves({})
    assert game(key).read_options(dict(game(key).lesson.options)).changed() == dict(game(key).lesson.options)
