"""Boards and States at random games side by side: `python -m tests.search.agreement --games 100000`.

A State plays a game move by move; a board beside it is told the numbers only, and is never copied. At each position
what they list has to be the same, and all that they hold. A group of options is played by each number of seats in turn.
It is the engine that is installed that is compared, plain or compiled.
"""

import argparse
import math
import multiprocessing
import random
import time
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from quadrille.laws.settings import GAMES, Setting, setting, values, words
from quadrille.laws.walks import SKIPPED, slots
from quadrille.rules.board import CHANCE, Board
from quadrille.rules.boards.dotter import DotterBoard
from quadrille.rules.core import Move, Over, State
from quadrille.rules.native.compiled import engine
from quadrille.rules.options import Spec, Value

#: Small tables, at which options are tried where they can: a usual game of Dotter has thousands of moves.
SMALL: dict[str, dict[str, Value]] = {
    "barons": {"width": 5, "height": 5},
    "coin-isolation": {"layout": "pnpdp/npqpn/pp.pd/nppnp/dp.pn"},
    "dotter": {"laps": 1, "lap_points": 21},
}


def groups(key: str) -> list[Setting]:
    """The usual table; and a small one, with each value of each option by itself and with options together.

    Of numbers it is the least, since the most makes nothing but longer games. Together are all flags and the last of
    all choices, with each value in turn of the option that has the most of them.
    """
    options: list[dict[str, Value]] = [{}]
    options += [{spec.name: value} for spec in GAMES[key].Options.specs() for value in others(key, spec)]
    chosen = words(key)
    if len(chosen) > 1:
        together = {spec.name: others(key, spec)[-1] for spec in chosen}
        longest = max(chosen, key=lambda spec: len(values(key, spec)))
        options += [{**together, longest.name: value} for value in values(key, longest)]
    usual = setting(key, {}, GAMES[key].usual_seats)
    return list(dict.fromkeys([usual, *(small(key, some) for some in options)]))


def others(key: str, spec: Spec) -> tuple[Value, ...]:
    """The values of an option that are tried, but for the usual one."""
    tried = (spec.least,) if spec.kind == "number" else values(key, spec)
    return tuple(value for value in tried if value != spec.default)


def small(key: str, options: dict[str, Value]) -> Setting:
    """These options at the small table, or at the usual one if they can't go together with that."""
    seats = GAMES[key].usual_seats
    table = setting(key, {**SMALL.get(key, {}), **options}, seats)
    return table if table.possible else setting(key, options, seats)


def text(group: Setting) -> str:
    """The options that make the group; seats take turns."""
    return " ".join([group.key, *(f"{name}={value}" for name, value in group.options)])


def compared(group: Setting, games: int, seconds: float = math.inf) -> tuple[int, int]:
    """So many games of a group of options, or as many as there is time for; how many, and positions, all the same."""
    firsts = [group.game.start(dict(group.options), seats) for seats in group.game.seats]
    positions, end = 0, time.monotonic() + seconds
    for number in range(games):
        if time.monotonic() >= end:
            return number, positions
        positions += agreed(firsts[number % len(firsts)], f"{text(group)}, game {number}")
    return games, positions


def agreed(first: State[Any, Any], seed: str) -> int:
    """A random game from the first position; how many positions it had after it, all the same."""
    dice, state, board, moves = random.Random(seed), first, first.board.copy(), list[Move]()
    # all that a board holds, compared at once; what is left out is what `frozen` leaves out
    held = attrgetter(*(name for name, _ in slots(board) if name not in SKIPPED))
    while state.can_move:
        assert listed(board) == listed(state.board), told(seed, state, moves, "what is listed differs")
        move = state.moves.sample(dice)
        for code in codes(state, move):
            assert lists(board, code), told(seed, state, moves, f"{code}, of {move}, is not listed")
            board.apply(code)
        moves.append(move)
        state = state.play(move)
        assert held(board) == held(state.board), told(seed, state, moves, "what the boards hold differs")
    over = state.pending
    assert isinstance(over, Over), told(seed, state, moves, "the game is not over")
    assert board.legal() == 0, told(seed, state, moves, "the board goes on")
    assert over.places == tuple(map(board.place, range(state.seats))), told(seed, state, moves, "places differ")
    return len(moves)


def codes(state: Any, move: Move) -> Sequence[int]:
    """What the board is told of a move: its number, or the steps that it is made of."""
    return state.steps(move) if state.board_steps else (state.code(move),)


def listed(board: Board) -> object:
    """The board's list; of a turn of Dotter, which can have thousands of moves, how long it is."""
    if isinstance(board, DotterBoard) and board.turn != CHANCE:
        return board.count()
    return board.moves[: board.legal()]


def lists(board: Board, code: int) -> bool:
    """Whether a number is on the board's list."""
    if isinstance(board, DotterBoard) and board.turn != CHANCE:
        return board.has(code)
    return code in board.moves[: board.legal()]


def told(seed: str, state: State[Any, Any], moves: list[Move], what: str) -> str:
    """Where boards and States part, so that it can be looked at."""
    return f"{seed}, {state.seats} seats, after {len(moves)} moves: {what}; the moves: {', '.join(map(str, moves))}"


def timed(task: tuple[Setting, int, float]) -> tuple[Setting, int, int, float]:
    """A group, what came out, and the seconds that it took."""
    begin = time.monotonic()
    return task[0], *compared(*task), time.monotonic() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="of each group of options (default 1000)")
    parser.add_argument("--minutes", type=float, default=math.inf, help="a group for no longer than that")
    parser.add_argument("--game", choices=tuple(GAMES), action="append", help="only this game; can be given again")
    parser.add_argument("--processes", type=int, default=1, help="on how many cores (default 1)")
    asked = parser.parse_args()
    tasks = [(group, asked.games, 60 * asked.minutes) for key in asked.game or GAMES for group in groups(key)]
    print(f"The engine is {engine()}.")
    print(f"{'games':>9} {'positions':>13} {'seconds':>8}  group of options")
    with multiprocessing.Pool(asked.processes) as pool:
        for group, games, positions, seconds in pool.imap(timed, tasks):
            print(f"{games:>9,} {positions:>13,} {seconds:>8.1f}  {text(group)}", flush=True)


if __name__ == "__main__":
    main()
