"""The example that learns in batches learns, and tells by how much."""

import io

import numpy as np
import pytest

from quadrille.extras.lab.examples import learn_in_batches as learner


@pytest.mark.slow
def test_the_same_seed_learns_the_same_weights() -> None:
    told = io.StringIO()
    one, two, other = (learner.learn(rounds=1, games=3, seed=seed, out=told) for seed in (5, 5, 6))
    assert all(np.array_equal(a, b) for a, b in zip(one.weights, two.weights, strict=True))
    assert not np.array_equal(one.weights[0], other.weights[0])
    assert told.getvalue() == 3 * "round 1 of 1: 3 games\n"


@pytest.mark.slow
def test_some_rounds_make_it_better_than_random_and_than_it_was() -> None:
    """By more than five standard errors, after a few seconds."""
    before, _ = learner.score(learner.learn(rounds=0))
    after, error = learner.score(learner.learn(rounds=4, out=io.StringIO()))
    assert 0 < error < 0.02
    assert after - 5 * error > max(before, 0.5)
