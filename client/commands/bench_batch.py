"""The speed of batches: random actions in many games at once, beside other programs' vectors of games in the same run.

As in bench_cases.py, everything runs in rounds, and a ratio is one of rates in the same round. bench.py prints it.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from types import SimpleNamespace
from typing import Any, Final

from quadrille.client.commands.bench_cases import Case, Play, Quick, all_rounds, measured, ratio
from quadrille.rules.batch import NONE, PACKED, PLANES, Batch
from quadrille.rules.native.compiled import engine
from quadrille.rules.options import Value

#: Games of each batch by engine, of another program's vector, and of one that makes an object for each game.
GAMES: Final = {"compiled": 1024, "plain": 16}
VECTOR_GAMES: Final = 1024
FEWER_GAMES: Final = 64
#: The measured tables: name, game, options, seats, layouts.
TABLES: Final[tuple[tuple[str, str, dict[str, Value], int, tuple[str, ...]], ...]] = (
    ("Dollar Draw 8 x 8", "dollar-draw", {"width": 8, "height": 8}, 2, (PLANES, PACKED, NONE)),
    ("Maze 8", "maze", {"size": 8}, 2, (PLANES, PACKED, NONE)),
    ("Barons 10 x 10, 2 seats", "barons", {"width": 10, "height": 10}, 2, (PLANES, PACKED, NONE)),
    ("Barons 10 x 10, 6 seats", "barons", {"width": 10, "height": 10}, 6, (PLANES, PACKED, NONE)),
    ("Coin Isolation", "coin-isolation", {}, 2, (PLANES, PACKED, NONE)),
    ("Dotter", "dotter", {}, 2, (PLANES, PACKED, NONE)),
)
#: Target rates of the compiled engine on one core, in steps a second, and the tables that they are for.
AIMS: Final = {PLANES: 2_000_000, PACKED: 5_000_000}
AIMED: Final = ("Dollar Draw 8 x 8", "Maze 8", "Barons 10 x 10, 2 seats")
#: Target ratio of two processes to one.
TWO_AIM: Final = 1.8
#: The longest wait of one process for the other to begin, in seconds.
PATIENCE: Final = 60


def batch_of(number: int, layout: str) -> Batch:
    """A batch of a table."""
    _, key, options, seats, _ = TABLES[number]
    return Batch(key, options, seats, GAMES[engine().partition(":")[0]], layout=layout)


def stepping(batch: Batch) -> Play:
    """A random action in every game."""

    def play() -> int:
        batch.step(batch.sample())
        return batch.games

    return play


# Yardsticks: random legal actions in vectors of games


def open_spiel_vector() -> Play:
    """OpenSpiel's connect_four, as many objects."""
    environment = import_module("open_spiel.python.rl_environment").Environment
    vector = import_module("open_spiel.python.vector_env").SyncVectorEnv
    games = vector([environment("connect_four") for _ in range(FEWER_GAMES)])
    pick = Quick(1).randrange
    seen = games.reset()

    def play() -> int:
        nonlocal seen
        legal = [each.observations["legal_actions"][each.observations["current_player"]] for each in seen]
        actions = [SimpleNamespace(action=row[pick(len(row))]) for row in legal]
        seen = games.step(actions, reset_if_done=True)[0]
        return FEWER_GAMES

    return play


def envpool_vector() -> Play:
    """EnvPool's ConnectFour in C++, on one thread."""
    numpy: Any = import_module("numpy")
    games = import_module("envpool").make_gymnasium("ConnectFour-v1", num_envs=VECTOR_GAMES, num_threads=1)
    rng = numpy.random.default_rng(1)
    info = games.reset()[1]

    def play() -> int:
        nonlocal info
        mask = info["legal_action_mask"]
        info = games.step((mask * rng.random(mask.shape)).argmax(1))[-1]
        return VECTOR_GAMES

    return play


def pgx_vector() -> Play:
    """Pgx's othello, compiled by JAX for the CPU."""
    jax: Any = import_module("jax")
    game = import_module("pgx").make("othello")
    step = jax.vmap(import_module("pgx.experimental.wrappers").auto_reset(game.step, game.init))

    def go_on(states: Any, key: Any) -> Any:
        mask = jax.numpy.log(states.legal_action_mask.astype(jax.numpy.float32))
        one, other = jax.random.split(key)
        return step(states, jax.random.categorical(one, mask, axis=1), jax.random.split(other, VECTOR_GAMES))

    compiled, key = jax.jit(go_on), jax.random.PRNGKey(1)
    states = jax.jit(jax.vmap(game.init))(jax.random.split(key, VECTOR_GAMES))

    def play() -> int:
        nonlocal states, key
        key, now = jax.random.split(key)
        states = jax.block_until_ready(compiled(states, now))
        return VECTOR_GAMES

    return play


#: Other programs by module: the name of a column, how their games are made, and the target ratio.
YARDSTICKS: Final[dict[str, tuple[str, Callable[[], Play], float]]] = {
    "open_spiel": ("SyncVectorEnv", open_spiel_vector, 40),
    "envpool": ("EnvPool", envpool_vector, 6),
    "pgx": ("Pgx", pgx_vector, 3.5),
}


def installed() -> list[str]:
    """The modules of the yardsticks that are here."""
    found = []
    for module in YARDSTICKS:
        try:
            import_module(module)
        except ImportError:
            continue
        found.append(module)
    return found


# Rates


@dataclass(frozen=True, slots=True)
class Stepped:
    """The result: steps a second, and the ratio to each yardstick by its column, all medians of the rounds."""

    name: str
    layout: str
    steps: float
    ratios: dict[str, float]

    @property
    def aim(self) -> int | None:
        """The target rate, if there is one."""
        return AIMS.get(self.layout) if engine() == "compiled" and self.name in AIMED else None


def batch_rates(rounds: int, seconds: float) -> list[Stepped]:
    """Run every yardstick and every batch for about `seconds` a round, in turn."""
    others = [Case(YARDSTICKS[module][0], "yardstick", YARDSTICKS[module][1]()) for module in installed()]
    cases = others + [
        Case(table[0], layout, stepping(batch_of(number, layout)))
        for number, table in enumerate(TABLES)
        for layout in table[-1]
    ]
    for case in cases:
        case.play()  # what is compiled at the first call is compiled now
    rows = all_rounds(cases, rounds, seconds)
    beside = {case.name: row for case, row in zip(others, rows, strict=False)}
    return [
        Stepped(case.name, case.kind, statistics.median(row), {name: ratio(row, beside[name]) for name in beside})
        for case, row in zip(cases, rows, strict=True)
    ]


# Two processes


@dataclass(frozen=True, slots=True)
class TwoAtOnce:
    """Steps a second of one process, and of two at the same time; their ratio; all medians of the rounds.

    `each` is the same ratio of steps a second of processor time, from 0 to 2: on a busy machine, too, it tells what the
    two processes take from each other.
    """

    one: float
    two: float
    ratio: float
    each: float


_meeting: Any = None


def _take_part(meeting: Any) -> None:
    """In a new process: the place to meet the other one."""
    global _meeting
    _meeting = meeting


def _steps_of_process(seconds: float, *, together: bool) -> tuple[float, float]:
    """Steps of a batch here a second, and a second of processor time; `together` with the other process, once both are
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


@contextmanager
def two_processes() -> Iterator[ProcessPoolExecutor]:
    """Two new processes that can meet."""
    context = get_context("spawn")
    with ProcessPoolExecutor(2, context, _take_part, (context.Barrier(2),)) as pool:
        yield pool


def process_rates(rounds: int, seconds: float) -> TwoAtOnce:
    """One process, then two at a time, round after round."""
    alone: list[tuple[float, float]] = []
    both: list[tuple[float, float]] = []
    with two_processes() as pool:
        for _ in range(rounds):
            alone.append(pool.submit(_steps_of_process, seconds, together=False).result())
            pair = [pool.submit(_steps_of_process, seconds, together=True) for _ in range(2)]
            (one, one_used), (two, two_used) = (rates.result() for rates in pair)
            both.append((one + two, one_used + two_used))
    (one_rates, one_used_rates), (two_rates, two_used_rates) = (
        tuple(map(list, zip(*rows, strict=True))) for rows in (alone, both)
    )
    found, each = ratio(two_rates, one_rates), ratio(two_used_rates, one_used_rates)
    return TwoAtOnce(statistics.median(one_rates), statistics.median(two_rates), found, each)
