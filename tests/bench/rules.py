"""How fast the rules are: random games and searches through the public interface, beside OpenSpiel in the same run.

    python -m tests.bench.rules [--rounds N] [--milliseconds N] [--json]

A rate alone says more about the machine than about the program. So everything runs in rounds, one case after the
other, and the result is the ratio to OpenSpiel's connect_four (pip install open_spiel) within a round: to its games
driven from Python, and of searches to its C++ MCTSBot.
"""

import argparse
import itertools
import json
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from quadrille.rules.board import CHANCE, Board
from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import Over, settle
from quadrille.rules.drawing.plain_text import aligned
from quadrille.rules.native.compiled import engine
from quadrille.rules.options import Value
from quadrille.rules.registry import game
from quadrille.rules.search import Position

#: The measured tables: name, game, options, seats.
TABLES: Final[tuple[tuple[str, str, dict[str, Value], int], ...]] = (
    ("Dollar Draw 8 x 8", "dollar-draw", {"width": 8, "height": 8}, 2),
    ("Maze 8", "maze", {"size": 8}, 2),
    ("Barons 10 x 10, 3 seats", "barons", {"width": 10, "height": 10}, 3),
    ("Coin Isolation", "coin-isolation", {}, 2),
    ("Dotter", "dotter", {}, 2),
)
YARDSTICK: Final = "connect_four"
#: Target ratios to the yardstick: driven from Python by the plain engine, and by case in the compiled one.
AIMS: Final = {"board": 0.9, "state": 0.175}
AIMED: Final = ("Dollar Draw", "Maze", "Barons")
COMPILED_AIMS: Final = {
    ("Dollar Draw 8 x 8", "playouts"): 20.0,
    ("Dollar Draw 8 x 8", "search"): 4.0,
    ("Barons 10 x 10, 3 seats", "playouts"): 35.0,
    ("Barons 10 x 10, 3 seats", "search"): 2.0,
    ("Maze 8", "playouts"): 15.0,
}
SIMULATIONS: Final = {"compiled": 2000, "plain": 5}

#: Plays a game, or a batch of them, and returns the number of moves; or searches, and returns that of simulations.
Play = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to measure. `aim` is the target ratio to the yardstick, if there is one."""

    name: str
    kind: str
    play: Play
    aim: float | None = None


@dataclass(frozen=True, slots=True)
class Rate:
    """What a case does a second, and its ratio to each yardstick by name, all medians of the rounds."""

    name: str
    kind: str
    rate: float
    aim: float | None
    ratios: dict[str, float]


class Quick:
    """Fast random numbers, the same for every case."""

    __slots__ = ("random",)

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 up to, not including, `stop`; nearly enough uniform for a benchmark."""
        return int(self.random() * stop)


def board_games(board: Board) -> Play:
    """Play on a board, driven move by move; any remaining face is drawn for chance."""
    pick = Quick(1).random
    legal: Callable[[], int] = board.legal

    def play() -> int:
        board.reset()
        moves = 0
        while count := legal():
            moves += board.turn != CHANCE
            board.apply(board.moves[int(pick() * count)])
        return moves

    return play


def state_games(first: Any, choose: Callable[[Any, Quick], Any]) -> Play:
    """Play States, as a player sees them: each move is checked and makes a new position."""
    quick, dealt = Quick(1), itertools.count()

    def play() -> int:
        dealer = SeedDealer(str(next(dealt)))
        state = settle(first, dealer)
        moves = 0
        while not isinstance(state.pending, Over):
            state = settle(state.play(choose(state, quick)), dealer)
            moves += 1
        return moves

    return play


def sampled(state: Any, quick: Quick) -> Any:
    return state.moves.sample(quick)


def stepped(state: Any, quick: Quick) -> Any:
    """Choose step by step, as learning programs do."""
    made: list[int] = []
    while following := state.next_steps(made):
        made.append(following[quick.randrange(len(following))])
    return state.move_of(made)


def whole_games(position: Position) -> Play:
    """Play whole random games inside the engine, a batch at a time."""
    batch, seeds = 20 if engine() == "compiled" else 1, itertools.count()
    return lambda: position.playouts(batch, next(seeds)).moves


def searches(position: Position) -> Play:
    simulations, seeds = SIMULATIONS[engine().partition(":")[0]], itertools.count()
    return lambda: sum(position.search(simulations, next(seeds)).visits)


def yardsticks() -> Iterator[Case]:
    """Yield OpenSpiel's random games and its search in C++, if it is installed."""
    try:
        import pyspiel
    except ImportError:
        return
    found, pick, simulations = pyspiel.load_game(YARDSTICK), Quick(1).random, SIMULATIONS["compiled"]

    def play() -> int:
        state = found.new_initial_state()
        moves = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(pick() * len(actions))])
            moves += 1
        return moves

    def search() -> int:
        bot = pyspiel.MCTSBot(found, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, simulations, 1000, False, 1, False)
        bot.mcts_search(found.new_initial_state())
        return simulations

    yield Case(YARDSTICK, "yardstick", play)
    yield Case(YARDSTICK, "searcher", search)


def cases() -> list[Case]:
    """Return all cases, the yardsticks first."""
    found = list(yardsticks())
    for name, key, options, seats in TABLES:
        first: Any = game(key).start(options, seats)
        position = Position(settle(first, SeedDealer("bench")))
        plays = {
            "board": board_games(first.board.copy()),
            "state": state_games(first, sampled),
            "steps": state_games(first, stepped),
            "playouts": whole_games(position),
            "search": searches(position),
        }
        for kind, play in plays.items():
            aim = COMPILED_AIMS.get((name, kind)) if engine() == "compiled" else None
            found.append(Case(name, kind, play, aim or (AIMS.get(kind) if name.startswith(AIMED) else None)))
    return found


def rates(every: Sequence[Case], rounds: int, seconds: float) -> list[Rate]:
    """Measure every case for about `seconds` in each round, in turn; a search is compared with searches."""
    rows: list[list[float]] = [[] for _ in every]
    for _ in range(rounds):
        for case, row in zip(every, rows, strict=True):
            row.append(measured(case.play, seconds))
    of_kind = {"search": "searcher", "searcher": "searcher"}
    return [
        Rate(case.name, case.kind, statistics.median(row), case.aim, {
            other.name: ratio(row, beside)
            for other, beside in zip(every, rows, strict=True)
            if other.kind == of_kind.get(case.kind, "yardstick")
        })
        for case, row in zip(every, rows, strict=True)
    ]  # fmt: skip


def measured(play: Play, seconds: float) -> float:
    """Return how many moves a second are played."""
    moves, begin = 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds or not moves:
        moves += play()
    return moves / spent


def ratio(row: list[float], other: list[float]) -> float:
    """Return the median of the ratios within each round."""
    return statistics.median(one / two for one, two in zip(row, other, strict=True))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--milliseconds", type=int, default=200, help="of each case in each round")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def tell(found: list[Rate], *, as_data: bool) -> None:
    """Print rates as a table, or as data."""
    if as_data:
        print(json.dumps({"engine": engine(), "rates": [asdict(rate) for rate in found]}))
        return
    print(f"The engine is {engine()}.")
    names = list(dict.fromkeys(name for rate in found for name in rate.ratios))
    rows = [("", "", "a second", "aim", *(f"/ {name}" for name in names))]
    for rate in found:
        ratios = [f"{rate.ratios[name]:.2f}" for name in names]
        rows.append((rate.name, rate.kind, f"{rate.rate:,.0f}", f"{rate.aim:,g}" if rate.aim else "", *ratios))
    print("\n".join(aligned(rows, 2)))


def main(cases: Callable[[], list[Case]] = cases) -> None:
    given = arguments()
    tell(rates(cases(), given.rounds, given.milliseconds / 1000), as_data=given.json)


if __name__ == "__main__":
    main()
