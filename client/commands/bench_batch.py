"""The speed of batches: random games stepped together, beside OpenSpiel's vector environment in the same run.

As in bench_cases.py, cases take turns in rounds, and ratios are those within a round. bench.py prints it.
"""

import multiprocessing
import random
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from quadrille.client.commands.bench_cases import Play, measured, ratio
from quadrille.rules.batch import LAYOUTS, PACKED, PLANES, Batch
from quadrille.rules.drawing.plain_text import aligned
from quadrille.rules.errors import RulesError
from quadrille.rules.native.compiled import engine
from quadrille.rules.options import Value

#: The measured tables: name, game, options, seats.
TABLES: Final[tuple[tuple[str, str, dict[str, Value], int], ...]] = (
    ("Dollar Draw 8 x 8", "dollar-draw", {"width": 8, "height": 8}, 2),
    ("Maze 8", "maze", {"size": 8}, 2),
    ("Barons 10 x 10, 2 seats", "barons", {}, 2),
    ("Barons 10 x 10, 6 seats", "barons", {}, 6),
    ("Coin Isolation", "coin-isolation", {}, 2),
    ("Dotter", "dotter", {}, 2),
)
#: Games of a batch, and of the yardstick, whose speed depends less on their number.
GAMES: Final = {"compiled": 1024, "plain": 16}
YARDSTICK_GAMES: Final = 64
YARDSTICK: Final = "connect_four"
#: Targets of the compiled engine for the first three tables: steps a second, and the ratio to the yardstick.
AIMED: Final = 3
AIMS: Final = {PLANES: 2e6, PACKED: 5e6}
AIMED_RATIO: Final = 40.0


@dataclass(frozen=True, slots=True)
class BatchRate:
    """The result: steps of all games per second, and the ratio to the yardstick if there is one; medians of rounds."""

    name: str
    layout: str
    steps: float
    ratio: float | None
    aim: float | None


@dataclass(frozen=True, slots=True)
class BatchRates:
    """All results; `processes` is the rate of two processes at once as a ratio to one alone."""

    rates: list[BatchRate]
    processes: float


def batch_steps(key: str, options: dict[str, Any], seats: int, layout: str) -> Play:
    """A random step of every game."""
    batch = Batch(key, options, seats, GAMES[engine().partition(":")[0]], 1, layout)

    def play() -> int:
        batch.step(batch.sample())
        return batch.games

    return play


def yardstick_steps() -> Play | None:
    """A random step of every game in OpenSpiel's vector environment; None without the extra `bench`."""
    try:
        from open_spiel.python import rl_environment, vector_env  # type: ignore[import-untyped]
        from open_spiel.python.rl_agent import StepOutput  # type: ignore[import-untyped]
    except ImportError:
        return None
    pick = random.Random(1).random  # noqa: S311, nothing depends on it
    envs = vector_env.SyncVectorEnv([rl_environment.Environment(YARDSTICK) for _ in range(YARDSTICK_GAMES)])
    seen = envs.reset()

    def chosen(time_step: Any) -> Any:
        observations = time_step.observations
        legal = observations["legal_actions"][observations["current_player"]]
        return StepOutput(legal[int(pick() * len(legal))], None)

    def play() -> int:
        nonlocal seen
        seen = envs.step([chosen(time_step) for time_step in seen], reset_if_done=True)[0]
        return YARDSTICK_GAMES

    return play


def batch_rates(rounds: int, seconds: float) -> BatchRates:
    """Run every case for about `seconds` a round, in turn."""
    yardstick = yardstick_steps()
    cases = [(place, table, layout) for place, table in enumerate(TABLES) for layout in LAYOUTS]
    plays = {}
    for place, (name, key, options, seats), layout in cases:
        try:
            plays[place, name, layout] = batch_steps(key, options, seats, layout)
        except RulesError:  # a game whose squares are more than a byte
            assert layout == PACKED
    rows: dict[tuple[int, str, str], list[float]] = {case: [] for case in plays}
    beside: list[float] = []
    for _ in range(rounds):
        if yardstick:
            beside.append(measured(yardstick, seconds))
        for case, play in plays.items():
            rows[case].append(measured(play, seconds))
    found = [
        BatchRate(name, layout, statistics.median(row), ratio(row, beside) if beside else None, aim(place, layout))
        for (place, name, layout), row in rows.items()
    ]
    if beside:
        found.insert(0, BatchRate(f"OpenSpiel {YARDSTICK}", "SyncVectorEnv", statistics.median(beside), 1.0, None))
    return BatchRates(found, two_processes(rounds, seconds))


def aim(place: int, layout: str) -> float | None:
    """The target of a case in steps a second, if there is one."""
    return AIMS.get(layout) if place < AIMED and engine() == "compiled" else None


def two_processes(rounds: int, seconds: float) -> float:
    """The steps a second of two processes at once, each with its own batch, as a ratio to one process."""
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        rates = []
        for _ in range(rounds):
            alone = pool.map(process_rate, [seconds])
            both = pool.map(process_rate, [seconds, seconds], chunksize=1)
            rates.append(sum(both) / alone[0])
    return statistics.median(rates)


def process_rate(seconds: float) -> float:
    """The rate of the first table in this process."""
    _, key, options, seats = TABLES[0]
    return measured(batch_steps(key, options, seats, PLANES), seconds)


def batch_lines(found: BatchRates) -> Iterator[str]:
    """The results as text."""
    beside = any(rate.ratio is not None for rate in found.rates)
    if not beside:
        yield 'OpenSpiel is not installed (pip install "quadrille[bench]"): rates only, nothing to compare them with.'
    yield f"The engine is {engine()}. Steps a second of random games stepped together, in one process."
    rows = [("batches", "observations", "a second", "aim", f"/ {YARDSTICK}" if beside else "", "aim" if beside else "")]
    for rate in found.rates:
        aimed = rate.aim is not None
        rows.append(
            (
                rate.name,
                rate.layout,
                f"{rate.steps:,.0f}",
                f"{rate.aim:,.0f}" if rate.aim else "",
                f"{rate.ratio:.1f}" if rate.ratio else "",
                f"{AIMED_RATIO:.0f}" if aimed and beside else "",
            )
        )
    yield from aligned(rows, 2)
    yield ""
    yield f"Two processes make {found.processes:.2f} times the steps of one (aim 1.8)."
