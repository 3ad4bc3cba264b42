"""The stakes that a prover sees in Barons for two are those that an exhaustive search finds."""

import random
from typing import Any

import pytest

from quadrille.extras.study.boards.barons import ProvenBarons
from quadrille.rules.board import Board
from quadrille.rules.search import Position, Proof
from quadrille.rules.search.views import seen as view_of
from tests.search.test_search import minimax

#: Small boards with several prices, with a square left over and without.
BOARDS: tuple[dict[str, Any], ...] = (
    {"width": 3, "height": 3},
    {"width": 3, "height": 3, "horizontal": 3, "vertical": 1, "row_bonus": 7, "column_bonus": 4},
    {"width": 3, "height": 3, "horizontal": 0, "vertical": 5, "row_bonus": 0, "column_bonus": 3, "end": "full"},
    {"width": 2, "height": 4, "row_bonus": 3, "column_bonus": 1},
    {"width": 5, "height": 2, "horizontal": 3, "column_bonus": 0},
    {"width": 4, "height": 3, "horizontal": 1, "vertical": 2, "row_bonus": 2, "column_bonus": 2},
    {"width": 3, "height": 5},
    {"width": 5, "height": 5, "horizontal": 3, "row_bonus": 9},
)
#: Claims before an exhaustive search: 7 squares or so are left.
LEFT = 7
ROUNDS = 25


def first(options: dict[str, Any]) -> ProvenBarons:
    """Return the first position, as a prover sees it."""
    board: ProvenBarons = view_of(Position.start("barons", options, 2).board, ProvenBarons)
    return board


def lead_of(board: Board, known: dict[int, int]) -> int:
    """Return the lead of the side to move with best play, from the scores alone."""
    return minimax(board, known, lambda end, seat: int(end.compare(seat, 1 - seat)))


def late(options: dict[str, Any], rng: random.Random) -> Board:
    board: Board = first(options)
    board.keep_images()
    while board.legal() > LEFT:
        board.apply(rng.choice(sorted(board.moves[: board.legal()])))
    return board


@pytest.mark.slow
@pytest.mark.parametrize("options", BOARDS)
def test_what_matters_decides_what_is_still_to_come(options: dict[str, Any]) -> None:
    """Positions with one key differ by `settled` alone, what is secured is got, and no twin left out is better."""
    rng, known = random.Random(3), dict[int, int]()
    to_come: dict[int, int] = {}
    met = shared = tight = sifted = 0
    for _ in range(ROUNDS):
        board = late(options, rng)
        while not board.ended:
            lead, turn, met = 2 * lead_of(board, known), board.turn, met + 1
            key, gain = int(board.matters()), lead - int(board.settled(turn))
            shared += key in to_come
            assert to_come.setdefault(key, gain) == gain
            least, greatest = int(board.secured(turn)), -int(board.secured(1 - turn))
            assert least <= lead <= greatest
            tight += least == greatest
            moves = list(board.moves[: board.sifted()])
            assert len(set(moves)) == len(moves) and board.legal() == len(list(board.listed()))
            sifted += len(moves) < board.legal()
            found = []
            for move in moves:
                board.apply(move)
                found.append(-2 * lead_of(board, known))
                board.undo()
            assert max(found) == lead
            board.apply(rng.choice(sorted(board.moves[: board.legal()])))
        assert board.outcome(board.turn) == 2 * board.compare(board.turn, 1 - board.turn)
    assert met > 50 and tight and sifted and (shared or options == BOARDS[-1])


@pytest.mark.slow
@pytest.mark.parametrize("options", [options for options in BOARDS if options["width"] * options["height"] % 2])
def test_a_prover_that_looks_at_what_is_known_after_each_move_is_right(options: dict[str, Any]) -> None:
    """With a square left over: the result of exhaustive search, and a move that gets it."""
    rng, known, foresaw = random.Random(6), dict[int, int](), 0
    for _ in range(ROUNDS // 3):
        position = Position.start("barons", options, 2)
        position.board = board = late(options, rng)
        foresaw += board.foresees()
        lead = lead_of(board, known)
        proof = Proof(position)
        assert not proof.go_on(10_000) and proof.result == (lead > 0) - (lead < 0)
        board.apply(proof.found.move)
        after = -lead_of(board, known)
        assert (after > 0) - (after < 0) == proof.result
    assert foresaw == (0 if options.get("end") == "full" else ROUNDS // 3)


@pytest.mark.first(1)
@pytest.mark.parametrize(("width", "height", "end", "first"), [(10, 5, "equal-turns", 0), (5, 5, "full", 1)])
def test_large_boards_need_few_positions(width: int, height: int, end: str, first: int) -> None:
    proof = Proof(Position.start("barons", {"width": width, "height": height, "end": end}, 2))
    assert not proof.go_on(1000) and proof.result == first
