"""The keys of images that a prover has a board keep up name the same positions alike as the board itself."""

import random
from typing import Any

import pytest

from quadrille.rules.board import Board
from quadrille.rules.search.views import seen, view
from tests.search.test_proof import BOARDS, LARGE, begun

IMAGES = [(key, options) for key, options in BOARDS if key in ("maze", "dollar-draw")] + [
    ("dollar-draw", {"width": 4, "height": 4}),
]


@pytest.mark.parametrize(
    ("key", "options"),
    [pytest.param(*board, marks=pytest.mark.slow if board in (*LARGE, IMAGES[-1]) else ()) for board in IMAGES],
)
def test_keys_of_images_are_kept_up_and_back(key: str, options: dict[str, Any]) -> None:
    """They name the same positions alike as the board's own `alike`, which looks at every square."""
    named: dict[int, int] = {}
    for seed in range(8):
        board, rng = seen(begun(key, options).board, view("prover", key)), random.Random(seed)
        board.keep_images()
        while count := board.legal():
            move = rng.choice(sorted(board.moves[:count]))
            before = keys(board)
            board.apply(move)
            after = keys(board)
            board.undo()
            assert keys(board) == before
            board.apply(move)
            afresh = board.copy()
            afresh.images = None
            old = afresh.alike()
            afresh.keep_images()
            assert keys(board) == keys(afresh) == after
            assert named.setdefault(old, board.alike()) == board.alike()
    assert len(set(named.values())) == len(named)


def keys(board: Board) -> list[int]:
    assert board.images is not None
    return list(map(int, board.images.keys))
