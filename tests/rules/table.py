"""What the tests of the games do at their tables: play, look, be refused; and take boards there and back."""

from typing import Any

import pytest

from quadrille.rules.board import Board
from quadrille.rules.chance import Stream
from quadrille.rules.core import Game, Given, State
from quadrille.rules.errors import RulesError


def played(game: Game[Any, Any], options: Given, moves: str, seats: int | None = None) -> Any:
    """The position after these moves, separated by blanks, each written as it is."""
    state = game.start(options, seats)
    for text in moves.split():
        state = state.play(game.parse(text, state))
    return state


def listed(state: State[Any, Any]) -> str:
    """The legal moves in their order, with blanks between."""
    return " ".join(str(move) for move in state.moves)


def refusal(state: State[Any, Any], text: object, error: type[RulesError]) -> str:
    """The sentence that refuses a text, which changes nothing."""
    before = state.digest()
    with pytest.raises(error) as caught:
        state.play(state.game.parse(text, state))
    assert state.digest() == before
    return str(caught.value)


def contents(board: Board) -> dict[str, object]:
    """Every slot of a board but `moves`, which is what the last listing left; arrays as they are now."""
    names = {name for kind in type(board).__mro__ for name in getattr(kind, "__slots__", ())} - {"moves"}
    return {name: value[:] if isinstance(value := getattr(board, name), list) else value for name in sorted(names)}


def there_and_back(board: Board, seed: str) -> int:
    """A random game, undone move by move, with every slot compared on the way back; how many moves it had.

    At every ply a copy moves on, which must leave the board alone.
    """
    rng, past = Stream(seed, "there and back"), []
    while count := board.legal():
        moves = board.moves[:count]
        past.append((contents(board), sorted(moves)))
        twin = board.copy()
        twin.apply(moves[0])
        assert contents(board) == past[-1][0]
        board.apply(moves[rng.randrange(count)])
        assert board.plies == len(past)
    assert board.ended
    for before, moves in reversed(past):
        board.undo()
        assert contents(board) == before
        assert sorted(board.moves[: board.legal()]) == moves
    return len(past)
