"""A game that nobody brings an observer for: it is seen by a row of its own numbers, in a Batch and in each adapter."""

import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import pytest

from quadrille.client.documents import example
from quadrille.extras.lab.batch import Batch
from quadrille.extras.lab.observations import observation
from quadrille.laws.settings import setting
from quadrille.laws.walks import walk
from quadrille.plugs import GAME_FILE
from quadrille.rules.chance import Stream
from quadrille.rules.core import ToMove

#: What a researcher does first, with a card game of one file. OpenSpiel takes the games that there are at its import.
FIRST_STEPS = {
    "pyspiel": """
import pyspiel
from quadrille.extras.lab.adapters import openspiel
found = openspiel.load("kuhn@file")
pyspiel.random_sim_test(found, num_sims=2, serialize=True, verbose=False)
state = found.new_initial_state()
for face in (0, 2):
    state.apply_action(face)
one, other = (state.observation_tensor(player) for player in range(2))
assert len(one) == len(other) == found.observation_tensor_size() and one != other
""",
    "pettingzoo": """
from pettingzoo.test import api_test, render_test, seed_test
from quadrille.extras.lab.adapters import pettingzoo
make = lambda render_mode=None: pettingzoo.env("kuhn@file", render_mode=render_mode)
api_test(make(), num_cycles=60)
seed_test(make, num_cycles=60)
render_test(make)
""",
    "gymnasium": """
from quadrille.extras.lab.adapters import gymnasium
envs = gymnasium.vector_env("kuhn@file", num_envs=5)
seen, _ = envs.reset(seed=3)
for _ in range(60):
    assert seen in envs.observation_space
    seen, *_ = envs.step(envs.sample())
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("library", FIRST_STEPS)
def test_a_card_game_in_one_file_is_played_in(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    monkeypatch.setenv(GAME_FILE, str(example("kuhn.py")))
    done = subprocess.run([sys.executable, "-c", FIRST_STEPS[library]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def _unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no package plug in an observer."""
    monkeypatch.setattr("quadrille.extras.lab.observations.view", lambda purpose, game: None)


@pytest.mark.usefixtures("_unseen")
@pytest.mark.parametrize("key", ["barons", "coin-isolation", "maze"])
def test_a_game_without_an_observer_is_seen_in_a_batch_as_in_a_position(key: str) -> None:
    found = Batch(key, games=3)
    for _ in range(12):
        wanted = [observation(found.state(at), int(found.seat[at])) for at in range(3)]
        assert all(row.shape == found.steps.shape for row in wanted)
        assert (found.observations == wanted).all()
        found.step(found.sample())


@pytest.mark.usefixtures("_unseen")
def test_a_row_holds_what_its_seat_has_seen_and_no_more() -> None:
    """Of two tables that a seat can't tell apart its rows are the same; what it has seen makes rows differ."""
    rows: dict[Any, Any] = {}
    for seed in range(4):
        for step in walk(setting("dotter", {}, 2), f"rows {seed}", 40):
            if isinstance(step.state.pending, ToMove):
                for seat in range(2):
                    row = observation(step.state, seat).tobytes()
                    other = step.state.view(seat).guess(Stream("another whole"))
                    assert row == observation(other, seat).tobytes()
                    assert rows.setdefault((seat, row), step.state.view(seat)) == step.state.view(seat)
    assert len(rows) > 100
