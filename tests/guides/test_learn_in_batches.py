"""The example that learns in batches learns, and tells its score."""

import importlib.util
import io
import re
from types import ModuleType

import numpy as np
import pytest

from quadrille.client.example_files import example


@pytest.fixture(scope="module")
def learner() -> ModuleType:
    spec = importlib.util.spec_from_file_location("learn_in_batches", example("learn_in_batches.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_same_seed_learns_the_same(learner: ModuleType) -> None:
    told = io.StringIO()
    one, two = (learner.learn(rounds=2, games=3, seed=5, told=told) for _ in range(2))
    assert told.getvalue() == 2 * "round 1 of 2: 3 games\nround 2 of 2: 6 games\n"
    assert all(np.array_equal(ours, theirs) for ours, theirs in zip(one.weights, two.weights, strict=True))
    other = learner.learn(rounds=1, games=3, seed=6, told=told)
    assert not np.array_equal(one.weights[0], other.weights[0])


def test_before_it_learns_it_plays_as_random_moves_do(learner: ModuleType) -> None:
    """Its answers are even where its weights are 0; then the first legal square is no better and no worse."""
    network = learner.Network(7 * 25, 25, np.random.default_rng(1))
    points, error = learner.score(network, games=300)
    assert abs(points - 0.5) < 0.2 and 0.01 < error < 0.03


@pytest.mark.slow
def test_the_whole_lesson_beats_random_moves(learner: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    learner.main()
    [told] = capsys.readouterr().out.splitlines()
    read = re.fullmatch(r"learned in \d+ s: (0\.\d{3}) \+- (0\.\d{3}) points a game against random moves", told)
    assert read is not None
    points, error = map(float, read.groups())
    assert points - 5 * error > 0.6
