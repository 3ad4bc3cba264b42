"""Half-made moves of Coin Isolation: a path square by square, then the clauses that its options require.

The board says step by step what can follow; nothing is listed here. Lines are the texts of half-made moves
(moves.py).
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from quadrille.rules.boards._coin.terms import (
    END,
    GIVE_WANTED,
    KIND_WANTED,
    PLACE_WANTED,
    RENEGADE,
    STAGE,
    STAND,
    STAND_WANTED,
    TAKE_WANTED,
)
from quadrille.rules.boards.coin_isolation import CoinBoard
from quadrille.rules.core.half import Half, longer, verdict
from quadrille.rules.errors import RulesError
from quadrille.rules.games._coin.steps import turn_of
from quadrille.rules.squares import grid

_SQUARE: Final = re.compile(r"[a-z][1-9][0-9]?")
#: A path of whole squares, with possible text before and after it.
_LINE: Final = re.compile(r"(renegade )?([a-z][1-9][0-9]?(?: ?- ?[a-z][1-9][0-9]?)*)( .*)?")
#: An incomplete square or clause at the end of a line.
_HALF_SQUARE: Final = re.compile(r"(?: ?-|^|(?<=renegade)) ?[a-z]?$")
_HALF_CLAUSE: Final = re.compile(r"(?: (?:type|take|give|to))?[ ,]*$")
_LAST_CLAUSE: Final = re.compile(r" (?:type|take|give|to)(?: [^ ]+)?(?<!type|take|give)$")
#: The end of a line that names a choice.
_CALLED: Final = re.compile(r"(?:(?:side|stand|type|take|give) )?[^ ]+$")
_WANTED: Final = {
    KIND_WANTED: "which type of coin is walked along?",
    TAKE_WANTED: "how many coins of the target are kept?",
    GIVE_WANTED: "which coins under the pawn go along?",
    PLACE_WANTED: "which empty squares do the coins go to?",
    STAND_WANTED: "which coin is kept?",
}


def half_made(state: Any, line: str) -> Half:
    """The meaning of a line, and its continuations."""
    move, why = verdict(state, line) if line else (None, "")
    names = grid(state.board.terms.width, state.board.terms.height).names
    steps, path, start = _read(state, names, line)
    board, wrong, done = state.trial(steps)
    following = [] if done or wrong is not None else list(board.listed())
    walked = start + "-".join(path)
    nexts = {names[step]: _line(state.board, [*steps, step]) for step in following if step < board.first}
    choices = tuple(_choices(state, steps, following))
    words = longer(line, [*nexts.values(), *(text for _, text in choices)])
    picks = {name: start + name for name in names}
    picks |= {name: start + "-".join(path[: at + 1]) for at, name in enumerate(path)} | nexts
    shorter = _LAST_CLAUSE.sub("", line)
    if shorter == line:
        shorter = start + "-".join(path[:-1]) if len(path) > 1 else ""
    if path and walked == line:
        picks[path[-1]] = line
    begins = not line or bool(words or (choices and path))
    if not begins and (why or move is None):
        return Half(move, why, path=path, picks=picks, shorter=shorter)
    wants = _WANTED.get(board.at[STAGE], "")
    return Half(move, why, begins, wants, path, picks, frozenset(nexts), choices, words, shorter)


def _read(state: Any, names: Sequence[str], line: str) -> tuple[list[int], tuple[str, ...], str]:
    """The steps in a line, the squares of its path, and the text before them."""
    first, line = state.board.first, _HALF_SQUARE.sub("", line)
    found = _LINE.fullmatch(line)
    if found is None:
        steps = {"renegade": [first + RENEGADE], "stand": [first + STAND]}.get(line, [])
        return steps, (), "renegade " if line == "renegade" else ""
    start, path = found[1] or "", tuple(_SQUARE.findall(found[2]))
    steps = [first + RENEGADE] if start else []
    steps += [names.index(name) if name in names else -1 for name in path]
    if found[3]:
        try:
            steps = state.steps(state.game.parse(_HALF_CLAUSE.sub("", line), state)) or [-1]
        except RulesError:
            steps = [-1]
    return steps, path, start


def _line(board: CoinBoard, steps: Sequence[int]) -> str:
    """The text of a half-made move."""
    return str(turn_of(board, steps)).strip()


def _choices(state: Any, steps: list[int], following: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Lines for steps other than squares, each with a short name; for a path that ends here, those after the end."""
    end = state.board.first + END
    for step in following:
        if step == end:
            ended = state.next_steps([*steps, end])
            if ended and ended[0] < state.board.first:
                yield "to ...", f"{_line(state.board, steps)} to "
            else:
                yield from _choices(state, [*steps, end], ended)
        elif step > state.board.first:
            line = _line(state.board, [*steps, step])
            found = _CALLED.search(line)
            yield found[0] if found else line, line
