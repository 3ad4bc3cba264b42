"""Counts sequences of moves on a board whose every number is a move (rules/search/perft.py)."""

from quadrille.rules.board import Board
from quadrille.rules.ints import ONE, i64


def sequences(board: Board, depth: i64) -> i64:
    """Count the sequences of exactly `depth` moves from here; the board is left as it was."""
    count = board.legal()
    if depth <= 1:
        return count if depth else ONE
    moves = board.moves[:count]
    found: i64 = 0
    for move in moves:
        board.apply(move)
        found += sequences(board, depth - 1)
        board.undo()
    return found
