"""The example that learns from games against itself learns, and plays what it has learned."""

import importlib.util
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest

from quadrille.ai.bot import Clock
from quadrille.rules.search import Position

FILE = Path(__file__).parents[1] / "examples/self_play.py"


def loaded(folder: Path) -> ModuleType:
    """The example from a folder of its own, as an author lays it."""
    path = folder / "self_play.py"
    path.write_text(FILE.read_text("utf-8"), "utf-8")
    spec = importlib.util.spec_from_file_location("self_play", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_same_seed_learns_the_same_weights(tmp_path: Path) -> None:
    learner, files = loaded(tmp_path), [tmp_path / "one.npz", tmp_path / "two.npz"]
    for file in files:
        learner.learn(2, seed=5, file=file)
    one, two = (dict(np.load(file)) for file in files)
    assert one and all(np.array_equal(one[name], two[name]) for name in one)


@pytest.mark.slow
def test_some_hundred_games_against_itself_make_it_better_than_random(tmp_path: Path) -> None:
    """60 games against random: by chance alone 40 points come once in 150 such tests."""
    learner = loaded(tmp_path)
    learner.learn(40)
    bot, points = learner.SelfPlay(), 0.0
    for number in range(60):
        state, dice = Position.start("barons", learner.OPTIONS, 2).state, Random(number)
        while not Position(state).over:
            seat = state.pending.seat
            mine = seat == number % 2
            state = state.play(
                bot.choose(state, Clock(seat, None, 0, 1000), dice) if mine else state.moves.sample(dice)
            )
        places = state.pending.places
        points += 0.5 + (places[1 - number % 2] - places[number % 2]) / 2
    assert points >= 40
