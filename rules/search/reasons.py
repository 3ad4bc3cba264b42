"""The findings of a search beside the result of a move: other moves, the end, the replies (rules/core/thoughts.py).

All efforts are counts of positions, small enough for a person who waits, so that the same search gives the same reason.
A move is one number of the board here. Turns of several steps are not compared: there are too many of them.
"""

from collections.abc import Mapping
from typing import Final

from quadrille.rules.core.thoughts import MOST_TURNS, OnlyReply, ProvedResult
from quadrille.rules.engine.tree import LOST
from quadrille.rules.search import Position, Proof, TreeSearch

#: Maximum positions of the proofs of all other moves, and of the way to the end: guesses; 200 take 8 ms, not compiled.
OTHERS: Final = 200
TO_WIN: Final = 120
#: Entries of the table of a proof that begins anew.
PLACES: Final = 1 << 10
#: Minimum number of replies: among fewer, an only one is no news.
REPLIES: Final = 3


def proved_result(
    position: Position, move: int, result: int, known: Mapping[int, int], proof: Proof | None = None
) -> ProvedResult:
    """Return the proved result of a move, with all that is soon found out. `known` are results of other moves; the
    table of a `proof` is used if there is one.
    """
    turns = turns_to_win(position, move) if result > 0 else None
    return ProvedResult(result, best_of_others(position, move, known, proof), turns)


def best_of_others(position: Position, move: int, known: Mapping[int, int], proof: Proof | None = None) -> int | None:
    """Return the best result of all other moves for the seat to move; None if that takes long, or there are none."""
    seat, results, left = position.seat, [], OTHERS
    trial = position.copy()
    for other in trial.moves():
        if other == move:
            continue
        if (result := known.get(other)) is None:
            trial.apply_quickly(other)
            if trial.over:
                result = trial.board.payoff(seat or 0)
            else:
                proof = proof or Proof(trial, PLACES)
                proof.stand(trial)
                before = proof.engine.nodes
                proof.go_on(left)
                left -= proof.engine.nodes - before
                if not proof.found.certain or left <= 0:
                    return None
                result = proof.found.value if trial.seat == seat else -proof.found.value
            trial.undo()
        results.append(result)
    return max(results, default=None)


def turns_to_win(position: Position, move: int) -> int | None:
    """Return the least number of turns, this move included, after which the mover has won in any case."""
    board, left = position.board.copy(), TO_WIN
    seat = board.turn

    def wins(turns: int) -> bool:
        """Return whether the seat has won after at most that many more turns; unknown once no positions are left."""
        nonlocal left
        left -= 1
        moves = [] if board.ended else list(board.listed())
        if not moves:
            return board.payoff(seat) > 0
        if turns == 0 or left <= 0:
            return False
        is_own = board.turn == seat
        for after in moves:
            board.apply(after)
            won = wins(turns - 1)
            board.undo()
            if won == is_own:
                return won
        return not is_own

    board.apply(move)
    turns = 1
    while turns <= MOST_TURNS and not wins(turns - 1):
        turns += 1
        if left <= 0:
            return None
    return turns if left > 0 else None


def only_reply(search: TreeSearch, position: Position, move: int) -> OnlyReply | None:
    """Return the only reply to a move that may not lose, if a search has found that all others do."""
    replies = search.replies([move])
    left = [reply for reply, proved in replies if proved != LOST]
    after = position.copy()
    after.apply_quickly(move)
    if len(replies) < REPLIES or len(left) != 1 or after.seat == position.seat:
        return None
    text, plies = after.text(left[0]), after.board.plies
    after.apply_quickly(left[0])
    return OnlyReply(text) if after.board.plies != plies else None  # else it is a step of many turns
