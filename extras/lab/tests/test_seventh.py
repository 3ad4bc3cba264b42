"""A seventh game, of steps and of hidden cards, works with the adapters as the five do (tests/seventh)."""

import itertools
import random

import pytest

from quadrille.extras.lab.actions import steps_of
from quadrille.extras.lab.adapters.play import OVER, Play
from quadrille.rules import registry
from quadrille.rules.chance import SeedDealer
from tests.seventh.test_seventh import _on_the_menu  # noqa: F401


def test_its_turns_are_actions() -> None:
    play = Play.start(steps_of(registry.game("snoop"), {"rows": 1}, 2))
    assert (play.steps.count, play.steps.faces, play.steps.in_planes) == (5, 3, False)
    rng, dealer = random.Random(7), SeedDealer("actions")
    while play.seat != OVER:
        play = play.dealt(dealer)
        if play.seat != OVER:
            play = play.after(rng.choice(play.legal()))
    assert sum(play.payoffs()) == 0


def test_it_is_a_game_of_pettingzoo() -> None:
    pettingzoo = pytest.importorskip("quadrille.extras.lab.adapters.pettingzoo")
    env = pettingzoo.env("snoop", {"rows": 1}, seats=2)
    env.reset(seed=3)
    for agent in itertools.islice(env.agent_iter(), 200):
        seen, _, ended, cut, _ = env.last()
        mask = seen["action_mask"]
        env.step(None if ended or cut else env.action_space(agent).sample(mask))
    assert not env.agents


def test_it_is_a_game_of_openspiel() -> None:
    openspiel = pytest.importorskip("quadrille.extras.lab.adapters.openspiel")
    if "quadrille_snoop" not in openspiel.pyspiel.registered_names():
        openspiel.register(registry.game("snoop"))
    state = openspiel.load("snoop", {"rows": 1}).new_initial_state()
    rng = random.Random(1)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    assert sum(state.returns()) == 0
