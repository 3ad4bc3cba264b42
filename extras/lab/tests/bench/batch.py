"""How fast batches are: random actions in many games at once, beside another program's vector of games in the same run.

    python -m extras.lab.tests.bench.batch [--rounds N] [--milliseconds N] [--json]

The yardstick is OpenSpiel's SyncVectorEnv of connect_four (pip install open_spiel). Everything runs in rounds, as in
tests/bench/rules.py. At the end two processes step at the same time, beside one: their ratio by processor time tells on
a busy machine, too, what they take from each other.
"""

import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from types import SimpleNamespace
from typing import Any, Final

from quadrille.extras.lab.batch import NONE, PACKED, PLANES, Batch
from quadrille.rules.native.compiled import engine
from quadrille.rules.options import Value
from tests.bench.rules import Case, Play, Quick, arguments, measured, rates, ratio, tell

#: Games of each batch by engine, and of OpenSpiel's vector.
GAMES: Final = {"compiled": 1024, "plain": 16}
VECTOR_GAMES: Final = 64
#: The measured tables: name, game, options, seats.
TABLES: Final[tuple[tuple[str, str, dict[str, Value], int], ...]] = (
    ("Dollar Draw 8 x 8", "dollar-draw", {"width": 8, "height": 8}, 2),
    ("Maze 8", "maze", {"size": 8}, 2),
    ("Barons 10 x 10, 2 seats", "barons", {"width": 10, "height": 10}, 2),
    ("Barons 10 x 10, 6 seats", "barons", {"width": 10, "height": 10}, 6),
    ("Coin Isolation", "coin-isolation", {}, 2),
    ("Dotter", "dotter", {}, 2),
)
#: Target rates of the compiled engine on one core, in steps a second, and the tables that they are for.
AIMS: Final = {PLANES: 2_000_000, PACKED: 5_000_000}
AIMED: Final = ("Dollar Draw 8 x 8", "Maze 8", "Barons 10 x 10, 2 seats")
#: Target ratio of our planes to OpenSpiel's vector.
OPEN_SPIEL_AIM: Final = 40
#: Target ratio of two processes to one.
TWO_AIM: Final = 1.8
#: The longest wait of one process for the other to begin, in seconds.
PATIENCE: Final = 60


def batch_of(number: int, layout: str) -> Batch:
    _, key, options, seats = TABLES[number]
    return Batch(key, options, seats, GAMES[engine().partition(":")[0]], layout=layout)


def stepping(batch: Batch) -> Play:
    """Take a random action in every game."""

    def play() -> int:
        batch.step(batch.sample())
        return batch.games

    return play


def open_spiel_vector() -> Play:
    """Step OpenSpiel's connect_four, as many objects."""
    environment = import_module("open_spiel.python.rl_environment").Environment
    vector = import_module("open_spiel.python.vector_env").SyncVectorEnv
    games = vector([environment("connect_four") for _ in range(VECTOR_GAMES)])
    pick = Quick(1).randrange
    seen = games.reset()

    def play() -> int:
        nonlocal seen
        legal = [each.observations["legal_actions"][each.observations["current_player"]] for each in seen]
        actions = [SimpleNamespace(action=row[pick(len(row))]) for row in legal]
        seen = games.step(actions, reset_if_done=True)[0]
        return VECTOR_GAMES

    return play


def yardsticks() -> list[Case]:
    """Return OpenSpiel's vector, if it is installed."""
    try:
        return [Case("SyncVectorEnv", "yardstick", open_spiel_vector(), OPEN_SPIEL_AIM)]
    except ImportError:
        return []


def cases() -> list[Case]:
    """Return all cases, the yardsticks first. What is compiled at the first call is compiled then."""
    found = yardsticks()
    for number, (name, *_) in enumerate(TABLES):
        for layout in (PLANES, PACKED, NONE):
            aim = AIMS.get(layout) if engine() == "compiled" and name in AIMED else None
            found.append(Case(name, layout, stepping(batch_of(number, layout)), aim))
    for case in found:
        case.play()
    return found


# Two processes

_meeting: Any = None


def _take_part(meeting: Any) -> None:
    """Remember, in a new process, the place to meet the other one."""
    global _meeting
    _meeting = meeting


def _steps_of_process(seconds: float, *, together: bool) -> tuple[float, float]:
    """Return the steps a second, and a second of processor time; `together` with the other process, once both are
    ready.
    """
    play = stepping(batch_of(0, PLANES))
    play()
    if together:
        _meeting.wait(PATIENCE)
    used, begin = time.process_time(), time.perf_counter()
    rate = measured(play, seconds)
    spent, share = time.perf_counter() - begin, time.process_time() - used
    return rate, rate * spent / share


def two_at_once(rounds: int, seconds: float) -> tuple[float, float, float]:
    """Return the steps a second of one process, and the ratio of two at a time to it, also by processor time."""
    context = get_context("spawn")
    alone: list[tuple[float, float]] = []
    both: list[tuple[float, float]] = []
    with ProcessPoolExecutor(2, context, _take_part, (context.Barrier(2),)) as pool:
        for _ in range(rounds):
            alone.append(pool.submit(_steps_of_process, seconds, together=False).result())
            pair = [pool.submit(_steps_of_process, seconds, together=True) for _ in range(2)]
            (one, one_used), (two, two_used) = (rates.result() for rates in pair)
            both.append((one + two, one_used + two_used))
    by_clock, by_use = (ratio([row[at] for row in both], [row[at] for row in alone]) for at in (0, 1))
    return statistics.median(rate for rate, _ in alone), by_clock, by_use


def main() -> None:
    given = arguments()
    tell(rates(cases(), given.rounds, given.milliseconds / 1000), as_data=given.json)
    if not given.json:
        one, by_clock, by_use = two_at_once(given.rounds, given.milliseconds / 1000)
        print(f"One process: {one:,.0f} a second. Two: {by_clock:.2f} times as many, {by_use:.2f} by processor time;")
        print(f"the aim is {TWO_AIM:g}.")


if __name__ == "__main__":
    main()
