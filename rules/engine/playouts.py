"""Random games from a position, many in a row; and all sequences of moves (rules/search/perft.py)."""

from quadrille.rules.board import Board
from quadrille.rules.dice import Dice
from quadrille.rules.ints import ONE, i64, vec


def play_out(board: Board, dice: Dice, games: i64, payoffs: vec[i64]) -> i64:
    """Play `games` random games from a board, which stays as it is; return their total number of moves.

    `payoffs` gets the result of each game, a number for each seat (`Board.payoff`).
    """
    trial = board.copy()
    seats = board.seats
    moves: i64 = 0
    place: i64 = 0
    for _ in range(games):
        trial.become(board)
        trial.playout(dice)
        moves += trial.plies - board.plies
        for seat in range(seats):
            payoffs[place] = trial.payoff(seat)
            place += 1
    return moves


def sequences(board: Board, depth: i64) -> i64:
    """Count the sequences of exactly `depth` moves on a board whose every number is a move; it is left as it was."""
    count = board.legal()
    if depth <= 1:
        return count if depth else ONE
    moves = board.moves[:count]
    total: i64 = 0
    for move in moves:
        board.apply(move)
        total += sequences(board, depth - 1)
        board.undo()
    return total
