"""The words of Coin Isolation for unfinished and for illegal turns: refusals in its own terms."""

from dataclasses import replace
from typing import Any

from quadrille.rules.core import Face
from quadrille.rules.core.talk import Half, read_steps
from quadrille.rules.games.coin_isolation import board as rules
from quadrille.rules.games.coin_isolation.board import CoinBoard
from quadrille.rules.games.coin_isolation.paths import BARE, KINDS, ROW, followers
from quadrille.rules.games.coin_isolation.turns import (
    COIN_NAMES,
    LETTERS,
    SIDE_NAMES,
    CoinMove,
    CoinTurn,
    sheet_of,
    written,
)


def half_made(state: Any, line: str) -> Half:
    """Read a line as steps, and ask for a side in words: a touch on the board says nothing then."""
    half = read_steps(state, line)
    asks = half.wants == "" and state.board.at[rules.STAGE] == rules.SIDES
    return replace(half, wants="choose the side from which you enter") if asks else half


def reason(before: CoinBoard, board: CoinBoard, turn: CoinMove, step: int | None, *, done: bool) -> str:
    """Explain why a turn is illegal. `board` is where it stuck, `step` the illegal step; None: it is incomplete.

    `done`: the turn was complete before that step, so the step is too much.
    """
    stage = board.at[rules.STAGE]
    if isinstance(turn, Face):
        return "the coins are still being laid out: one of p, n, d and q is owed that is not used up"
    if done:
        return _too_much(before, turn, (step or 0) - before.first)
    if before.at[rules.STAGE] == rules.SIDES:
        free = [SIDE_NAMES[one - board.first - rules.SIDE] for one in board.listed()]
        if turn.word.startswith("side"):
            return f"the {turn.word.removeprefix('side ')} is taken: pick {' or '.join(free)}"
        return "pick a side first: " + " or ".join(f"side {name}" for name in free)
    if step is None:
        return _too_little(board, stage)
    if turn.word.startswith("side"):
        return "the sides are picked already"
    if turn.word == "pass":
        has_path = any(one < before.first for one in before.listed())
        stand = " (you may also stand still)" if before.can_stand() else ""
        return f"you can't pass: there is a path for you{stand}" if has_path else "you can still stand still"
    if turn.word == "stand":
        return _no_stand(before, stage)
    if stage < rules.WALK:
        return _no_beginning(before, board, turn)
    if stage == rules.WALK:
        return _no_way_on(board, step)
    return _wrong_clause(board, stage, step)


def _name(board: CoinBoard, q: int) -> str:
    return sheet_of(board).names[q]


def _letters(types: int) -> list[str]:
    return [LETTERS[kind] for kind in range(KINDS) if types >> kind & 1]


def _coins(number: int, coin: str = "coin") -> str:
    return f"1 {coin}" if number == 1 else f"{number} {coin}s"


def _half(board: CoinBoard) -> str:
    return f"give names {_coins(board.half())} from under your pawn: that is half of them, rounded down"


def _too_much(before: CoinBoard, turn: CoinTurn, clause: int) -> str:
    """Refuse a superfluous clause."""
    if turn.word == "stand":
        return "stand is written alone here: there is only one type of coin under your pawn"
    if turn.path and (turn.word or before.is_wild()):
        return "a renegade keeps no coins and moves none: only the path is written"
    if clause >= rules.TAKE:
        many = "all coins on the target are kept" if before.terms.take else "one coin is kept"
        return f"take is only written in Semi-Greedy: here {many}"
    if clause < rules.COIN:
        return "to is not written here: no coin is to be placed"
    if turn.give is None:
        return "type is not written here: all squares of the path have just one type of coin in common"
    if before.gives():
        return _half(before)
    mixed = before.terms.mixed_change
    reason = "half the coins under your pawn are of one type, or none" if mixed else "piles don't mix"
    return f"give is not written here: {reason}"


def _too_little(board: CoinBoard, stage: int) -> str:
    """Refuse a missing clause, or a square off the board."""
    if stage == rules.STAND_WANTED:
        return f"say which coin you keep: stand {' or stand '.join(_letters(board.types(board.source())))}"
    if board.at[rules.LENGTH] == 0:
        return "a square of this move is off the board"
    if stage == rules.KIND_WANTED:
        return (
            f"say which type of coin the path runs along: add type {' or type '.join(_letters(board.at[rules.MASK]))}"
        )
    if stage == rules.TAKE_WANTED:
        return f"say how many coins you keep: add take 0 to take {board.most(board.target(), board.at[rules.KIND])}"
    if stage == rules.GIVE_WANTED:
        return f"say which coins go along from under your pawn: add give with {_coins(board.half())} in all"
    return (
        f"say where the collected coins go: add to with {_coins(board.wanted(board.at[rules.LENGTH]), 'empty square')}"
    )


def _no_stand(before: CoinBoard, stage: int) -> str:
    if not before.terms.standing_still:
        return "standing still is not played at this table"
    if before.is_wild():
        return "a renegade can't stand still: it keeps no coins"
    if before.source() == rules.NONE:
        return "your pawn is not on the board yet"
    return f"no coin {'of that type ' if stage == rules.STAND_WANTED else ''}lies under your pawn"


def _no_beginning(before: CoinBoard, board: CoinBoard, turn: CoinTurn) -> str:
    """Explain why a path can't begin where it does, or the player can't turn renegade."""
    pawn = before.source()
    if turn.word and not before.terms.renegade:
        return "renegades are not played at this table"
    if turn.word and before.is_wild():
        return "you are a renegade already: write the path alone"
    q = sheet_of(before).number(turn.path[0])
    if q is None or q in followers(before.terms.near, before.starts(before.turn)):
        return _bad_square(board, q or 0, "the path begins there")
    if pawn == q:
        return f"your own pawn stands on {turn.path[0]}: no pawn may stand on a path"
    if pawn != rules.NONE:
        return f"{turn.path[0]} does not touch your pawn on {_name(before, pawn)}"
    side = SIDE_NAMES[before.at[before.side + before.turn]]
    return f"{turn.path[0]} is not in the first row of your side, the {side}"


def _bad_square(board: CoinBoard, q: int, so: str) -> str:
    way = board.at[board.ways + q]
    if way == 0:
        return f"a pawn stands on {_name(board, q)}: no pawn may stand on a path"
    if way == BARE:
        return f"{_name(board, q)} is empty: a path runs over coins, and {so}"
    return f"a path can't begin on {_name(board, q)}"


def _no_way_on(board: CoinBoard, step: int) -> str:
    if step >= board.first:
        return "the path goes on before that can be said"
    name = _name(board, step)
    if step in board.at[board.path : board.path + board.at[rules.LENGTH]]:
        return f"{name} is on the path twice"
    if step not in followers(board.terms.near, ROW * board.target()):
        return f"{name} is not adjacent to {_name(board, board.target())}"
    if board.at[board.ways + step] in (0, BARE):
        return _bad_square(board, step, "it comes on this one")
    kinds = " or ".join(COIN_NAMES[kind][0] for kind in range(KINDS) if board.at[rules.MASK] >> kind & 1)
    return f"the path runs along one type of coin, and {name} has no {kinds or 'empty place'}"


def _wrong_clause(board: CoinBoard, stage: int, step: int) -> str:
    """Refuse a required clause with a wrong value."""
    clause = step - board.first
    if stage == rules.GIVE_WANTED:
        return _half(board)
    if stage == rules.KIND_WANTED and clause >= rules.COIN:
        return "not every square of the path has a coin of that type"
    if stage == rules.TAKE_WANTED and clause >= rules.TAKE:
        most = board.most(board.target(), board.at[rules.KIND])
        lie = f"{_coins(most)} of the path's type {'lies' if most == 1 else 'lie'} on the target"
        return f"you can't keep {clause - rules.TAKE}: {lie}"
    if stage == rules.PLACE_WANTED and clause < 0:
        return _wrong_place(board, step)
    wanted = {rules.KIND_WANTED: "type", rules.TAKE_WANTED: "take"}.get(stage, "to")
    return f"{wanted} has to be said first: the order is type, take, give, to"


def _wrong_place(board: CoinBoard, q: int) -> str:
    """Explain why a collected coin can't be placed there, or why there are not enough squares."""
    after, trial, name = board.terms.collect == rules.TRANSPLANT_AFTER, board.copy(), _name(board, q)
    if q in written(trial, trial.rooms()):
        return f"the collected coins go to {_coins(board.wanted(board.at[rules.LENGTH]), 'empty square')}, each its own"
    if q == board.target():
        return f"your pawn will stand on {name} by then" if after else f"a coin is left on {name}"
    if q == board.source() and not after:
        return f"your pawn still stands on {name}: the coins are placed before it moves"
    return f"{name} is not empty: a transplanted coin goes to an empty square"
