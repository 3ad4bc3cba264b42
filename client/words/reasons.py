"""Sentences for the reason of a hint (rules/core/thoughts.py), by the names of all seats."""

from collections.abc import Sequence
from typing import Final

from quadrille.client.words.story import YOU
from quadrille.rules.core.thoughts import HalfTurnAnswer, OnlyReply, ProvedResult, Reason, Worth

#: The proved result of all other moves, beside that of the move itself.
_OTHERS: Final = {
    (1, -1): "and all others lose",
    (1, 0): "and no other does more than tie",
    (0, -1): "and all others lose",
}
_HALF_TURNS: Final = {1: "wins", 0: "never loses"}
#: Minimum squares of a row or column that is called one.
_LINE: Final = 4


def reason_text(reason: Reason, names: Sequence[str]) -> str:
    """Return the reason of a move, to follow it after a colon and without a full stop; "" if it is none.

    A seat without a name is `player 2`.
    """
    match reason:
        case ProvedResult():
            return _proved_text(reason)
        case HalfTurnAnswer(result):
            does = _HALF_TURNS.get(result)
            return f"whoever turns each move of the other by 180 degrees from now on {does}" if does else ""
        case OnlyReply(reply):
            return f"after that all replies but {reply} lose"
        case Worth():
            return _worth_text(reason, names)


def _proved_text(reason: ProvedResult) -> str:
    """Tell a proved result: `it wins within 7 moves, and all others lose`."""
    if reason.result < 0:
        return "all moves lose against best play"
    does = "it wins" if reason.result else "it ties at best play"
    if reason.result and reason.turns is not None:
        does += " at once" if reason.turns == 1 else f" within {reason.turns} moves, those of both counted"
    others = _OTHERS.get((reason.result, reason.others), "") if reason.others is not None else ""
    return f"{does}, {others}" if others else does


def _worth_text(reason: Worth, names: Sequence[str]) -> str:
    """Tell the worth of a move: `a3 to c5 promise Ann 1.8 dollars less than after d5`."""
    name = names[reason.seat] if reason.seat < len(names) else f"player {reason.seat + 1}"
    much = f"{abs(reason.hundredths) / 100:.1f}".removesuffix(".0")
    unit = reason.unit if much == "1" else f"{reason.unit}s"
    less = "less" if reason.hundredths < 0 else "more"
    if not reason.squares:
        has = "have" if name == YOU else "has"
        return f"{name} {has} {much} {unit} {less} than after {reason.than}"
    where, is_single = place_text(reason.squares)
    return f"{where} {'promises' if is_single else 'promise'} {name} {much} {unit} {less} than after {reason.than}"


def place_text(squares: Sequence[str]) -> tuple[str, bool]:
    """Name squares, and say whether that is one thing: `row 5`, `column a`, `a3 to c5`."""
    columns, rows = {square[0] for square in squares}, {square[1:] for square in squares}
    if len(squares) >= _LINE and len(rows) == 1:
        return f"row {rows.pop()}", True
    if len(squares) >= _LINE and len(columns) == 1:
        return f"column {columns.pop()}", True
    return (f"{squares[0]} to {squares[-1]}", False) if len(squares) > 1 else (squares[0], True)
