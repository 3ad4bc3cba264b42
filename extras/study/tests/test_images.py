"""A board keeps up two things for a prover: keys of images, by which it names positions, and stakes."""

import random
from typing import Any

import pytest

from extras.study.tests.test_barons_stakes import BOARDS as STAKES
from quadrille.extras.study.boards.barons import ProvenBarons
from quadrille.rules.board import Board
from quadrille.rules.search.views import seen, view
from tests.search.test_proof import BOARDS, LARGE, begun

IMAGES = [(key, options) for key, options in BOARDS if key in ("maze", "dollar-draw")] + [
    ("dollar-draw", {"width": 4, "height": 4}), *(("barons", options) for options in STAKES[::-1]),
]  # fmt: skip
SLOW = (*LARGE, *IMAGES[-len(STAKES) - 1 : -1])


@pytest.mark.parametrize(
    ("key", "options"), [pytest.param(*board, marks=pytest.mark.slow if board in SLOW else ()) for board in IMAGES]
)
def test_keys_of_images_and_stakes_are_kept_up_and_back(key: str, options: dict[str, Any]) -> None:
    """They name the same positions alike as the board's own `alike`, which looks at every square."""
    named: dict[int, int] = {}
    for seed in range(8):
        board, rng = seen(begun(key, options).board, view("prover", key)), random.Random(seed)
        board.keep_images()
        while count := board.legal():
            move = rng.choice(sorted(board.moves[:count]))
            before = kept(board)
            board.apply(move)
            after = kept(board)
            board.undo()
            assert kept(board) == before
            board.apply(move)
            afresh = board.copy()
            afresh.images = None
            old = afresh.alike()
            afresh.keep_images()
            assert kept(board) == kept(afresh) == after
            assert named.setdefault(old, board.alike()) == board.alike()
    assert len(set(named.values())) == len(named)


def kept(board: Board) -> list[int]:
    """Return the keys of images, and in Barons the stakes as well."""
    assert board.images is not None
    found = list(map(int, board.images.keys))
    if isinstance(board, ProvenBarons):
        found += [
            int(board.matters()),
            *(int(stake(seat)) for stake in (board.settled, board.secured) for seat in (0, 1)),
        ]
    return found
