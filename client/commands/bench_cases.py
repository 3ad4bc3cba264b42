"""The speed of the rules: random games through the public interface, beside OpenSpiel in the same run.

A rate alone says more about the machine than about the program. So everything runs in rounds, one case after the
other, and the result is the ratio to the yardstick within a round. bench.py prints it.
"""

import itertools
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from quadrille.rules.board import CHANCE, Board
from quadrille.rules.chance import SeedDealer, Stream
from quadrille.rules.core import Over, settle
from quadrille.rules.native.compiled import engine
from quadrille.rules.options import Value
from quadrille.rules.registry import game
from quadrille.rules.search import Position

#: The measured tables: name, game, options, seats.
TABLES: Final[tuple[tuple[str, str, dict[str, Value], int], ...]] = (
    ("Dollar Draw 8 x 8", "dollar-draw", {"width": 8, "height": 8}, 2),
    ("Dollar Draw 10 x 10", "dollar-draw", {"width": 10, "height": 10}, 2),
    ("Maze 8", "maze", {"size": 8}, 2),
    ("Barons 10 x 10, 3 seats", "barons", {"width": 10, "height": 10}, 3),
    ("Barons 10 x 10, 6 seats", "barons", {"width": 10, "height": 10}, 6),
    ("Coin Isolation", "coin-isolation", {}, 2),
    ("Dotter", "dotter", {}, 2),
)
YARDSTICKS: Final = ("connect_four", "hex")
#: Target ratios to `connect_four` driven from Python: of boards driven move by move in plain Python, and of States a
#: quarter of that; of whole playouts in the compiled engine; and of its search, as a ratio to a C++ MCTSBot.
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
LISTED: Final = 1000
#: The option groups of Coin Isolation, each by itself, and together the options with the longest lists of moves.
VARIANTS: Final[tuple[dict[str, Value], ...]] = (
    {},
    {"coins": "many-many-pennies"},
    {"adjacency": "diagonal"},
    {"take": "greedy"},
    {"take": "semi-greedy"},
    {"collect": "transplant"},
    {"collect": "transplant-after"},
    {"collect": "cleanup"},
    {"mixed_change": True},
    {"standing_still": True},
    {"renegade": True},
    {
        "coins": "many-many-pennies",
        "adjacency": "diagonal",
        "take": "semi-greedy",
        "mixed_change": True,
        "standing_still": True,
        "renegade": True,
    },
    {"coins": "many-many-pennies", "adjacency": "diagonal", "take": "semi-greedy", "collect": "transplant"},
)

#: Plays one random game and returns its number of moves.
Play = Callable[[], int]


class Quick:
    """Fast random numbers, the same for every case."""

    __slots__ = ("random",)

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random  # noqa: S311, nothing depends on it

    def randrange(self, stop: int, /) -> int:
        """A number from 0 up to, not including, `stop`; nearly enough uniform for a benchmark."""
        return int(self.random() * stop)


@dataclass(frozen=True, slots=True)
class Case:
    """A benchmark that plays games: `kind` is board, state or playouts, or yardstick for another program's.

    Or one that searches, and returns its number of simulations: `search`, or `searcher`.
    """

    name: str
    kind: str
    play: Play


@dataclass(frozen=True, slots=True)
class Rate:
    """The result: moves (or simulations) per second, and the ratio to each yardstick, all medians of the rounds."""

    name: str
    kind: str
    moves: float
    ratios: dict[str, float]

    @property
    def aim(self) -> float | None:
        """The target ratio to `connect_four`, if there is one."""
        if engine() == "compiled" and self.kind in ("playouts", "search"):
            return COMPILED_AIMS.get((self.name, self.kind))
        return AIMS.get(self.kind) if self.name.startswith(AIMED) else None


def board_games(board: Board, quick: Quick) -> Play:
    """Games on a board, driven move by move; any remaining face is drawn for chance."""
    pick = quick.random
    legal: Callable[[], int] = board.legal

    def play() -> int:
        board.reset()
        moves = 0
        while count := legal():
            board.apply(board.moves[int(pick() * count)])
            moves += 1
        return moves

    def play_with_chance() -> int:
        board.reset()
        moves = 0
        while count := legal():
            if board.turn != CHANCE:
                moves += 1
            board.apply(board.moves[int(pick() * count)])
        return moves

    return play_with_chance if game_has_chance(board) else play


def game_has_chance(board: Board) -> bool:
    """Whether some of its games draw faces."""
    found = False
    for number in range(50):
        if count := board.legal():
            board.apply(board.moves[number % count])
        found = found or board.turn == CHANCE
    return found


def state_games(key: str, options: dict[str, Any], seats: int, quick: Quick) -> Play:
    """Games of States, as a player sees them: each move is checked and makes a new position."""
    first: Any = game(key).start(options, seats)

    def play() -> int:
        state = first
        moves = 0
        while not isinstance(state.pending, Over):
            state = state.play(state.moves.sample(quick))
            moves += 1
        return moves

    dealt = itertools.count()

    def play_with_chance() -> int:
        dealer = SeedDealer(str(next(dealt)))
        state = settle(first, dealer)
        moves = 0
        while not isinstance(state.pending, Over):
            state = settle(state.play(state.moves.sample(quick)), dealer)
            moves += 1
        return moves

    return play_with_chance if game_has_chance(first.board.copy()) else play


def yardstick_games(name: str, quick: Quick) -> Play:
    """Games of OpenSpiel, driven from Python."""
    import pyspiel

    start, pick = pyspiel.load_game(name).new_initial_state, quick.random

    def play() -> int:
        state = start()
        moves = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(pick() * len(actions))])
            moves += 1
        return moves

    return play


def settled(key: str, options: dict[str, Any], seats: int) -> Position:
    """The first position in which a seat is to move."""
    return Position(settle(game(key).start(options, seats), SeedDealer("bench")))


def whole_games(position: Position) -> Play:
    """Whole random games inside the engine, a batch at a time."""
    batch = 20 if engine() == "compiled" else 1
    seeds = itertools.count()
    return lambda: position.playouts(batch, next(seeds)).moves


def searches(position: Position) -> Play:
    """Searches from the first position."""
    simulations = SIMULATIONS[engine().partition(":")[0]]
    seeds = itertools.count()
    return lambda: sum(position.search(simulations, next(seeds)).visits)


def searcher(name: str) -> Play:
    """The yardstick's own search in C++, with the same number of simulations, one random game for each."""
    import pyspiel

    found = pyspiel.load_game(name)
    simulations = SIMULATIONS["compiled"]

    def play() -> int:
        bot = pyspiel.MCTSBot(found, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, simulations, 1000, False, 1, False)
        bot.mcts_search(found.new_initial_state())
        return simulations

    return play


def yardsticks() -> tuple[str, ...]:
    """The available yardsticks: none without the extra `bench`."""
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        return ()
    return YARDSTICKS


def cases() -> list[Case]:
    """All cases, the yardsticks first."""
    found = [Case(name, "yardstick", yardstick_games(name, Quick(1))) for name in yardsticks()]
    found += [Case(name, "searcher", searcher(name)) for name in yardsticks()]
    for name, key, options, seats in TABLES:
        start: Any = game(key).start(options, seats)
        found.append(Case(name, "board", board_games(start.board.copy(), Quick(1))))
        found.append(Case(name, "state", state_games(key, options, seats, Quick(1))))
        position = settled(key, options, seats)
        found.append(Case(name, "playouts", whole_games(position)))
        found.append(Case(name, "search", searches(position)))
    return found


def rates(rounds: int, seconds: float) -> list[Rate]:
    """Run every case for about `seconds` a round, in turn."""
    every = cases()
    found = all_rounds(every, rounds, seconds)
    rows = {(case.name, case.kind): row for case, row in zip(every, found, strict=True)}

    def ratios(kind: str, row: list[float]) -> dict[str, float]:
        beside = "searcher" if kind in ("search", "searcher") else "yardstick"
        return {name: ratio(row, rows[name, beside]) for name in yardsticks()}

    return [
        Rate(case.name, case.kind, statistics.median(row), ratios(case.kind, row))
        for case, row in zip(every, found, strict=True)
    ]


def all_rounds(every: list[Case], rounds: int, seconds: float) -> list[list[float]]:
    """The rates of each case, round by round, each round with all cases in turn."""
    found: list[list[float]] = [[] for _ in every]
    for _ in range(rounds):
        for case, row in zip(every, found, strict=True):
            row.append(measured(case.play, seconds))
    return found


def measured(play: Play, seconds: float) -> float:
    """Moves a second."""
    moves, begin = 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds or not moves:
        moves += play()
    return moves / spent


def ratio(row: list[float], other: list[float]) -> float:
    """The median of the ratios within each round."""
    return statistics.median(one / two for one, two in zip(row, other, strict=True))


@dataclass(frozen=True, slots=True)
class Listing:
    """The time to list the moves of random positions, at most LISTED of them, in milliseconds."""

    options: dict[str, Value]
    moves: int
    median: float
    worst: float


def listings(positions: int) -> Iterator[Listing]:
    """Coin Isolation, one variant after another, because its lists can be too long to write."""
    for options in VARIANTS:
        times, longest = [], 0
        for number in range(positions):
            state = middle(options, number)
            begin = time.perf_counter()
            count = sum(1 for _ in itertools.islice(state.moves, LISTED))
            times.append(1000 * (time.perf_counter() - begin))
            longest = max(longest, count)
        yield Listing(options, longest, statistics.median(times), max(times))


def middle(options: dict[str, Value], number: int) -> Any:
    """A random position from the middle of a game."""
    rng = Stream(str(number), "middle")
    state: Any = settle(game("coin-isolation").start(options, 2), SeedDealer(str(number)))
    for _ in range(2 + number % 14):
        after = state.play(state.moves.sample(rng))
        if isinstance(after.pending, Over):
            break
        state = after
    return state


def starts(times: int) -> dict[str, float]:
    """The median milliseconds from the start of a process to its first answer."""
    command = [sys.executable, "-m", "quadrille.client.cli"]
    return {
        "quadrille engine, first answer": statistics.median(answer_time([*command, "engine"]) for _ in range(times)),
        "quadrille --help": statistics.median(answer_time([*command, "--help"]) for _ in range(times)),
    }


def answer_time(command: list[str]) -> float:
    """Milliseconds until a command has written its first line."""
    begin = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"do": "games"}).encode() + b"\n")
        process.stdin.flush()
        first = process.stdout.readline()
        spent = 1000 * (time.perf_counter() - begin)
        process.stdin.close()
        process.stdout.read()
    assert first
    return spent
