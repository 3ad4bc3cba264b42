"""Puzzles: exactly one move wins, which the checker of certificates proves again; everybody has the same."""

import functools
from typing import Any

import pytest

from quadrille.ai.opponents import opponent
from quadrille.extras.study import puzzles
from quadrille.extras.study.certificates.walk import StrategyWalk
from quadrille.extras.study.puzzles import Puzzle, in_game, refutation, search
from quadrille.rules.board import Board
from quadrille.rules.chance import Stream
from quadrille.rules.registry import game, games
from quadrille.rules.search import Position, Proof

#: For each game a day, the number of the game in which its puzzle is, and its solution.
OF_THE_DAY = {
    "maze": ("2026-05-18", 1, "e6-f6"),
    "dollar-draw": ("2026-11-25", 17, "e2"),
    "barons": ("2026-11-25", 49, "e6"),
    "coin-isolation": ("2026-11-25", 69, "d7"),
}
#: Plain Python takes seconds for most of them.
KEYS = [pytest.param(key, marks=[] if key == "maze" else pytest.mark.slow) for key in OF_THE_DAY]


@functools.cache
def of_the_day(key: str) -> Puzzle:
    day, number, _ = OF_THE_DAY[key]
    found = in_game(game(key), Stream(f"puzzle {puzzles.VERSION} {key} {day}", str(number)))
    assert found is not None
    return found


def test_every_game_for_two_who_see_everything_has_puzzles() -> None:
    assert set(OF_THE_DAY) == {one.key for one in games() if one.puzzle_options is not None}
    assert {one.key for one in games() if one.puzzle_options is None} == {"dotter"}


@pytest.mark.slow
def test_the_search_tells_the_games_that_it_looked_through() -> None:
    told = list(search(game("maze"), OF_THE_DAY["maze"][0]))
    assert [number for number, found in told if found is None] == [1]
    assert told[-1][1] is not None and told[-1][1].solution == OF_THE_DAY["maze"][2]


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_everybody_has_the_same_puzzle_and_one_move_wins_as_the_rules_alone_show(key: str) -> None:
    """The strategies of the prover are followed by the walk of a checker, through all games of every fifth move."""
    found = of_the_day(key)
    assert found.solution == OF_THE_DAY[key][2] == found.line[0] and len(found.line) >= puzzles.DEPTH
    mover = found.state.board.turn
    moves = [str(move) for move in found.state.moves]
    assert sorted([found.solution, *found.refuted]) == sorted(moves)
    for text in {found.solution, *moves[::5]}:
        seat = mover if text == found.solution else 1 - mover
        walk = walked(found.state.play(found.state.game.parse(text, found.state)), seat)
        while walk.go_on(1000):
            pass
    assert ended(found, *found.line) == mover
    for text, answer in found.refuted.items():
        line = refutation(found, text)
        assert line[:1] == ((answer,) if answer else ()) and ended(found, text, *line) == 1 - mover


def ended(found: Puzzle, *moves: str) -> int:
    """Return the seat that wins after these moves, which end the game."""
    match = found.match.copy()
    for move in moves:
        match.play(move)
    assert match.over
    return 0 if match.state.board.payoff(0) > 0 else 1


def walked(state: Any, seat: int) -> StrategyWalk:
    """Return a walk through the games in which that seat makes the prover's best moves, and wins."""
    if not state.can_move:
        return StrategyWalk(state, (), seat, 1, lambda _, moves: 0)
    proof = Proof(Position(state))

    def answer(board: Board, moves: list[int]) -> int:
        proof.stand(Position(state.on(board.copy())))
        assert not proof.go_on(1_000_000)
        return moves.index(proof.found.move)

    return StrategyWalk(state, (), seat, 1, answer)


def test_the_bot_that_must_not_find_it_is_level_2() -> None:
    assert opponent(str(puzzles.LEVEL)).level == 2 == puzzles.LEVEL
