"""The example that learns in batches learns, and tells by how much."""

import importlib.util
import io
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


def test_the_same_seed_learns_the_same_weights(learner: ModuleType) -> None:
    told = io.StringIO()
    one, two, other = (learner.learn(rounds=1, games=3, seed=seed, told=told) for seed in (5, 5, 6))
    assert all(np.array_equal(a, b) for a, b in zip(one.weights, two.weights, strict=True))
    assert not np.array_equal(one.weights[0], other.weights[0])
    assert told.getvalue() == 3 * "round 1 of 1: 3 games\n"


def test_an_untrained_network_is_not_better_than_random(learner: ModuleType) -> None:
    """The score is one of games that the network does not win by itself: half of the points, within the error."""
    points = []
    for seed in range(4):
        batch = learner.Batch(learner.GAME, learner.OPTIONS, learner.SEATS, 1)
        untrained = learner.Network(batch.observations[0].size, batch.actions, np.random.default_rng(seed))
        points.append(learner.score(untrained, games=250, seed=seed)[0])
    assert 0.4 < sum(points) / 4 < 0.6


@pytest.mark.slow
def test_some_rounds_make_it_better_than_random(learner: ModuleType) -> None:
    """By more than five standard errors, after a few seconds."""
    points, error = learner.score(learner.learn(rounds=6, told=io.StringIO()))
    assert points - 5 * error > 0.5 and 0 < error < 0.02
