"""The games in PettingZoo: its own tests of environments, and what an agent is asked, shown and refused."""

import copy
from typing import Any

import pytest

from quadrille.extras.lab.observations import observation
from quadrille.laws.settings import setting
from quadrille.rules.chance import Stream
from quadrille.rules.errors import IllegalMove, RulesError
from quadrille.rules.registry import game as find_game
from quadrille.rules.registry import keys
from quadrille.rules.search import Position

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install pettingzoo")
numpy = pytest.importorskip("numpy")

from pettingzoo.test import api_test, render_test, seed_test  # noqa: E402
from pettingzoo.utils.wrappers import TerminateIllegalWrapper  # noqa: E402

from extras.lab.tests.test_batch import SMALL  # noqa: E402
from quadrille.extras.lab.adapters import pettingzoo  # noqa: E402

#: Tables at which whole games are short enough to be played to their end within a test's rounds.
SHORT = SMALL | {
    "coin-isolation": {"layout": "pnd/npd/qnp", "take": "semi-greedy", "mixed_change": True, "idle_rounds": 2},
}
ALL_AND_SHORT = [*((key, None) for key in keys()), *SHORT.items()]

# PettingZoo's test warns of observations with a mask unless they are its own environments'.
has_a_mask = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array", "ignore:Observation space for each agent probably should be"
)


# PettingZoo's own tests


@has_a_mask
@pytest.mark.parametrize(("key", "options"), ALL_AND_SHORT)
def test_api_test(key: str, options: dict[str, Any] | None, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(pettingzoo.env(key, options, render_mode="ansi"), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out


@has_a_mask
@pytest.mark.parametrize("key", keys())
def test_api_test_with_every_number_of_agents(key: str) -> None:
    for seats in find_game(key).seats:
        api_test(pettingzoo.env(key, SHORT[key], seats), num_cycles=10)


@pytest.mark.first(1)
@pytest.mark.parametrize(("key", "options"), ALL_AND_SHORT)
def test_seed_test(key: str, options: dict[str, Any] | None) -> None:
    seed_test(lambda: pettingzoo.env(key, options), num_cycles=60)


@pytest.mark.parametrize("key", keys())
def test_render_test(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In each mode that `metadata` names; a person reads the position, so it is printed."""
    render_test(lambda render_mode=None: pettingzoo.env(key, SHORT[key], render_mode=render_mode))
    assert "player 1" in capsys.readouterr().out


# A game


@pytest.mark.parametrize("key", keys())
def test_a_game_ends_with_who_won(key: str) -> None:
    env = pettingzoo.env(key, SHORT[key])
    env.reset(seed=7)
    rng, total = Stream("played"), dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        _, reward, over, _, _ = env.last()
        total[agent] += reward
        legal = env.observe(agent)["action_mask"].nonzero()[0]
        env.step(None if over else int(legal[rng.randrange(len(legal))]))
    state = env.unwrapped.play.state
    assert sum(total.values()) == pytest.approx(0)
    best = [f"player_{seat}" for seat, place in enumerate(state.pending.places) if place == 1]
    assert all(total[agent] == max(total.values()) for agent in best)


def test_a_seed_deals_what_it_deals_at_tables_and_without_one_each_has_its_own_cards() -> None:
    env = pettingzoo.env("coin-isolation")
    for seed, at_tables in ((42, "42"), (None, "42 2")):
        env.reset(seed=seed)
        assert env.unwrapped.play.state == setting("coin-isolation", {}, 2).match(at_tables).state

    one, other = pettingzoo.TurnEnv("coin-isolation"), pettingzoo.TurnEnv("coin-isolation")
    one.reset()
    other.reset()
    assert one.play.state != other.play.state


def test_an_agent_is_asked_for_each_step_of_its_turn() -> None:
    env = pettingzoo.env("dotter")
    env.reset(seed=1)
    asked = []
    for action in (0, 0, 1, 4, 5, 6, 0):  # draw; draw; peek p2 1a 1b; draw
        asked.append(env.agent_selection)
        env.step(action)
    assert asked == ["player_0", "player_1", *["player_0"] * 4, "player_1"]
    assert env.unwrapped.play.heard(None)[:7] == ["draw", "draw", "peek", "p2", "1a", "1b", "?"]


def test_who_is_not_to_move_has_no_action() -> None:
    env = pettingzoo.env("barons", SHORT["barons"], 3)
    env.reset(seed=1)
    masks = [env.observe(agent)["action_mask"].nonzero()[0].tolist() for agent in env.agents]
    assert masks == [list(range(12)), [], []]


@pytest.mark.parametrize(("key", "options"), SHORT.items())
def test_the_observation_is_what_a_seat_sees_and_the_turn_in_the_making(key: str, options: dict[str, Any]) -> None:
    env = pettingzoo.TurnEnv(key, options)
    env.reset(seed=1)
    for _ in range(8):
        for seat, agent in enumerate(env.agents):
            planes = observation(Position(env.play.state.view(seat)), seat)
            turn = env.play.turn_rows() if key == "dotter" else []
            seen = env.observe(agent)["observation"].reshape(-1)
            assert numpy.array_equal(seen, numpy.concatenate([planes.reshape(-1), *turn]))
        env.step(env.play.legal()[-1])


def test_a_position_is_drawn_in_text_alone() -> None:
    env = pettingzoo.env("maze", {"size": 3}, render_mode="ansi")
    env.reset(seed=1)
    assert env.render().startswith("    a   b   c\n 3  o   .   .\n")
    assert pettingzoo.TurnEnv("maze").render() is None
    with pytest.raises(RulesError, match='render_mode is ansi or human, not "rgb_array"'):
        pettingzoo.env("maze", render_mode="rgb_array")


def test_a_copy_of_an_environment_goes_its_own_way() -> None:
    env = pettingzoo.env("dotter", SHORT["dotter"])
    env.reset(seed=1)
    env.step(0)
    other = copy.deepcopy(env)
    other.step(0)
    assert (env.agent_selection, other.agent_selection) == ("player_1", "player_0")
    env.step(0)
    assert other.unwrapped.play.state == env.unwrapped.play.state


# What is refused


def test_an_action_that_the_mask_does_not_list_is_refused_with_its_reason() -> None:
    env = pettingzoo.env("barons")
    env.reset(seed=1)
    env.step(0)
    for action, why in (
        (0, "a1 belongs to player 1: nothing is ever taken over"),
        (40, "an action here is a whole number from 0 to 39, not 40"),
        (None, "an action here is a whole number from 0 to 39, not nothing"),
    ):
        with pytest.raises(IllegalMove) as refused:
            env.step(action)
        assert str(refused.value) == why
    assert env.agent_selection == "player_1" and env.unwrapped.play.turns == 1, "nothing has happened"


def test_pettingzoos_own_wrapper_lets_who_breaks_the_rules_lose() -> None:
    env = TerminateIllegalWrapper(pettingzoo.env("barons", SHORT["barons"], 2), illegal_reward=-1)
    env.reset(seed=1)
    env.step(0)
    env.last()
    env.step(0)
    assert all(env.terminations.values())
    assert env._cumulative_rewards == {"player_0": 0, "player_1": -1}
