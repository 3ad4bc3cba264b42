"""What is true of every board: what was applied can be taken back, and a copy goes its own way.

Boards are walked as a search does, without the States above them; the steps of a turn and the faces that chance owes
are moves like any other here.
"""

from collections.abc import Iterator

import pytest

from quadrille.laws.settings import Setting, everywhere, quick, tried
from quadrille.laws.walks import frozen, slots
from quadrille.rules.board import Board
from quadrille.rules.chance import Stream

MOST = 150


def listed(board: Board) -> list[int]:
    count = board.legal()
    return list(board.moves[:count])


def position(board: Board) -> object:
    """All of a board but its undo stack, and the legal moves in the order in which it lists them."""
    return frozen(board), listed(board)


def walked(setting: Setting, seed: str, most: int) -> Iterator[tuple[Board, list[int], Stream]]:
    """One board of a random game, move by move, with its legal moves; a law leaves it as it finds it."""
    board, rng = setting.start().board.copy(), Stream(str(setting), seed)
    for _ in range(most):
        if not (moves := listed(board)):
            return
        yield board, moves, rng
        board.apply(moves[rng.randrange(len(moves))])


@pytest.mark.parametrize("setting", tried(everywhere()), ids=str)
def test_undo_restores_every_slot(setting: Setting) -> None:
    """Down a random game, some steps back now and then, and at last all the way back to the start."""
    board, rng = setting.start().board.copy(), Stream(str(setting), "board")
    path = [position(board)]
    for _ in range(MOST):
        moves = path[-1][1]  # type: ignore[index]
        if not moves:
            break
        board.apply(moves[rng.randrange(len(moves))])
        path.append(position(board))
        if rng.randrange(8) == 0:
            for _ in range(1 + rng.randrange(len(path) - 1)):
                board.undo()
                path.pop()
                assert position(board) == path[-1]
    while len(path) > 1:
        board.undo()
        path.pop()
        assert position(board) == path[-1]
    assert position(board) == position(setting.start().board)


@pytest.mark.parametrize("setting", quick(everywhere()), ids=str)
def test_every_move_can_be_taken_back(setting: Setting) -> None:
    """Not only the one that was chosen: each that is listed, here and there in a game."""
    for step, (board, moves, _) in enumerate(walked(setting, "each", 60)):
        before = position(board)
        for move in moves[:40] if step % 10 == 0 else ():
            board.apply(move)
            board.legal()
            board.undo()
            assert position(board) == before


@pytest.mark.parametrize("setting", quick(everywhere()), ids=str)
def test_a_list_of_its_own_is_the_same_list(setting: Setting) -> None:
    """In the same order, whatever has been listed before and whoever has left."""
    board, rng = setting.start().board.copy(), Stream(str(setting), "listed")
    for step in range(150):
        own = list(board.listed())
        assert own == listed(board) == list(board.listed())
        if not own:
            break
        board.apply(own[rng.randrange(len(own))])
        if step == 20:
            board.leave(rng.randrange(setting.seats))


@pytest.mark.parametrize("setting", tried(everywhere()), ids=str)
def test_a_copy_goes_its_own_way(setting: Setting) -> None:
    """Whatever happens on one of the two leaves the other as it was; leaving as well."""
    for step, (board, moves, rng) in enumerate(walked(setting, "copies", 60)):
        if step % 6 == 0:
            before, twin = position(board), board.copy()
            assert position(twin) == before
            assert {name for name, _ in slots(twin)} == {name for name, _ in slots(board)}
            for _ in range(5):
                if choices := listed(twin):
                    twin.apply(choices[rng.randrange(len(choices))])
            if not twin.ended:
                twin.leave(step // 6 % setting.seats)
            assert position(board) == before
            after, kept = position(twin), board.copy()
            board.apply(moves[0])
            assert position(twin) == after
            board.undo()
            assert position(board) == before == position(kept)


@pytest.mark.parametrize("setting", quick(everywhere()), ids=str)
def test_reset_is_the_start(setting: Setting) -> None:
    for board, _, _ in walked(setting, "reset", 20):  # noqa: B007 - the last one
        pass
    if not board.ended:
        board.leave(0)
    board.reset()
    assert position(board) == position(setting.start().board)


@pytest.mark.parametrize("setting", quick(everywhere()), ids=str)
def test_boards_hold_whole_numbers_and_arrays_of_them(setting: Setting) -> None:
    """No text, no dict, no set; but for shared terms, whole arrays to take back, and sums and keys."""
    for board, _, _ in walked(setting, "numbers", 30):  # noqa: B007 - the last one
        pass
    for name, value in slots(board):
        if name not in ("terms", "past", "judge", "images"):
            numbers = value if hasattr(value, "__getitem__") and not isinstance(value, str) else [value]
            assert all(isinstance(number, int) for number in numbers), name
