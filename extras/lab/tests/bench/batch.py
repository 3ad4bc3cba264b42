"""How fast batches are: random actions in many games at once, beside another program's vector of games in the same run.

    python -m extras.lab.tests.bench.batch [--rounds N] [--milliseconds N] [--json]

The yardstick is OpenSpiel's SyncVectorEnv of connect_four (pip install open_spiel). Everything runs in rounds, as in
tests/bench/rules.py.
"""

from importlib import import_module
from types import SimpleNamespace
from typing import Final

from quadrille.extras.lab.batch import NONE, PACKED, PLANES, Batch
from quadrille.rules.native.compiled import engine
from quadrille.rules.options import Value
from tests.bench.rules import Case, Play, Quick, main

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


if __name__ == "__main__":
    main(cases)
