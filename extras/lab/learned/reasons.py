"""The window that tells two moves apart by a learned evaluation (extras/lab/docs/learned.md, "Reasons").

The evaluation is a sum, so the difference between the positions after two moves is one, too: of what each seat has
earned, and of the weights of windows. Nothing here knows a game or a clock.
"""

from typing import Any, Final

from quadrille.extras.lab.engine.sums import POINT
from quadrille.extras.lab.learned.evaluation import Evaluation, patterns_on, sheet_of, windows_of
from quadrille.extras.lab.learned.windows import LearnedSheet, Windows
from quadrille.rules.board import Board
from quadrille.rules.core import Move, State
from quadrille.rules.core.thoughts import Worth
from quadrille.rules.squares import Square

#: Minimum difference that is worth a word: half a point. Smaller ones are within what weights err.
LEAST: Final = POINT // 2
#: A reason is the whole difference within this factor: with less, something else matters as much for the move, and with
#: more, too much speaks against it.
WITHIN: Final = 2


def worth(evaluation: Evaluation, state: State[Any, Any], move: Move, other: Move) -> Worth | None:
    """Find the part of the evaluation by which the mover prefers a move to another one.

    Return None if no part by itself explains the difference, or if the evaluation does not prefer the move.
    """
    seat = state.board.turn
    after, two = evaluation.board(state.play(move)), evaluation.board(state.play(other))
    if after.ended or two.ended:
        return None
    first, second = patterns_on(after), patterns_on(two)
    first.look(after)
    second.look(two)
    # the lead of a seat is what it expects, less what the others expect on average
    others = state.seats - 1
    shares = [others if whose == seat else -1 for whose in range(state.seats)]
    outlooks = zip(shares, first.outlook, second.outlook, strict=True)
    difference = sum(share * (int(more) - int(less)) for share, more, less in outlooks)
    if difference < LEAST * others:
        return None
    whose, window, change = max(_parts(after, two), key=lambda part: shares[part[0]] * part[2])
    gain = shares[whose] * change
    if not difference <= WITHIN * gain <= WITHIN * WITHIN * difference:
        return None
    squares = () if window is None else _squares(windows_of(state), sheet_of(state), window)
    hundredths, unit = _in_units(state, change)
    return Worth(hundredths, unit, whose, str(other), squares)


def _parts(after: Board, two: Board) -> list[tuple[int, int | None, int]]:
    """Return the differences by seat, and by window (None: what the seat has earned)."""
    first, second = patterns_on(after), patterns_on(two)
    parts: list[tuple[int, int | None, int]] = []
    for seat in range(after.seats):
        parts.append((seat, None, POINT * (first.earned(after, seat) - second.earned(two, seat))))
        for window in range(first.windows):
            place = seat * first.windows + window
            number, instead = first.numbers[place], second.numbers[place]
            if number != instead:
                start, slots, weights = first.starts[window], first.slots, first.weights
                parts.append((seat, window, weights[slots[start + number]] - weights[slots[start + instead]]))
    return parts


def _squares(windows: Windows, sheet: LearnedSheet | None, window: int) -> tuple[str, ...]:
    assert sheet is not None
    links, span = windows.links, windows.span
    squares = [place // span for place in range(0, len(links), 1) if links[place] == window and place % span % 2 == 0]
    return tuple(str(Square(*divmod(square - sheet.first, sheet.stride))) for square in squares)


def _in_units(state: State[Any, Any], change: int) -> tuple[int, str]:
    """Write a change of points in hundredths of a unit: the largest that fits into it, else the smallest."""
    worths = state.game.worths
    name, points = next((pair for pair in worths if abs(change) >= pair[1] * POINT), worths[-1])
    unit = points * POINT
    return (100 * change + unit // 2) // unit, name
