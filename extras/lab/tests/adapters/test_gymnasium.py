"""The games as vector environments of Gymnasium: its spaces and wrappers, and the rewards of self-play."""

import pytest

from quadrille.rules.errors import IllegalMove, RulesError
from quadrille.rules.registry import keys

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install gymnasium")
numpy = pytest.importorskip("numpy")

from gymnasium import spaces  # noqa: E402
from gymnasium.utils.env_checker import data_equivalence  # noqa: E402
from gymnasium.vector import VectorEnv  # noqa: E402
from gymnasium.wrappers.vector import RecordEpisodeStatistics, TransformReward  # noqa: E402

from extras.lab.tests.test_batch import SMALL  # noqa: E402
from quadrille.extras.lab.adapters import gymnasium  # noqa: E402
from quadrille.extras.lab.batch import Batch  # noqa: E402


@pytest.mark.parametrize("key", keys())
def test_all_that_a_vector_environment_returns_is_in_its_spaces(key: str) -> None:
    """There is no checker of vector environments in Gymnasium; this is what that of single ones looks at."""
    envs = gymnasium.vector_env(key, SMALL[key], num_envs=5)
    assert isinstance(envs, VectorEnv) and envs.unwrapped is envs
    assert envs.single_action_space == spaces.Discrete(envs.batch.actions)
    assert envs.action_space == spaces.MultiDiscrete([envs.batch.actions] * 5)
    sights, infos = envs.reset(seed=3)
    for _ in range(60):
        assert sights in envs.observation_space
        assert infos["seat"].shape == (5,)
        assert {name: rows[0] for name, rows in sights.items()} in envs.single_observation_space
        actions = envs.sample()
        assert actions in envs.action_space
        assert all(mask[action] for mask, action in zip(sights["action_mask"], actions, strict=True))
        sights, rewards, over, cut, infos = envs.step(actions)
        assert rewards.dtype == numpy.float64 and over.dtype == cut.dtype == bool
        assert rewards.shape == over.shape == cut.shape == (5,) and not cut.any()
    envs.close()
    assert envs.closed


@pytest.mark.parametrize("key", keys())
def test_the_same_seed_gives_the_same_games(key: str) -> None:
    """With a seed, and without one from a seed before."""
    one, other = (gymnasium.vector_env(key, SMALL[key], num_envs=3) for _ in range(2))
    for seed in (9, None):
        assert data_equivalence(one.reset(seed=seed), other.reset(seed=seed))
        for _ in range(40):
            actions = one.sample()
            assert data_equivalence(one.step(actions), other.step(actions))


def test_rewards_are_those_of_the_seat_that_acted() -> None:
    """Against the batch itself, over some games; all seats together win nothing."""
    envs = gymnasium.vector_env("barons", {"width": 3, "height": 2}, 3, num_envs=8)
    batch = Batch("barons", {"width": 3, "height": 2}, 3, 8, 4)
    sights, _ = envs.reset(seed=4)
    ended = 0
    for _ in range(20):
        assert numpy.array_equal(sights["observation"], batch.observations)
        actions, movers = batch.sample().copy(), batch.seat.copy()
        sights, rewards, over, _, infos = envs.step(actions)
        batch.step(actions)
        ended += over.sum()
        assert numpy.array_equal(over, batch.done == 1)
        assert numpy.array_equal(infos["rewards"] * 2, batch.rewards) and not infos["rewards"].sum(1).any()
        assert rewards.tolist() == [infos["rewards"][game, seat] for game, seat in enumerate(movers)]
    assert ended == 24


def test_arrays_stay_as_they_were() -> None:
    envs = gymnasium.vector_env("barons", num_envs=2)
    sights, _ = envs.reset(seed=1)
    before = sights["action_mask"].copy()
    envs.step(envs.sample())
    assert numpy.array_equal(before, sights["action_mask"])


def test_wrappers_of_gymnasium_go_over_it() -> None:
    envs = RecordEpisodeStatistics(
        TransformReward(gymnasium.vector_env("maze", {"size": 3}, num_envs=4), lambda rewards: 2 * rewards)
    )
    envs.reset(seed=2)
    lengths = []
    for _ in range(30):
        _, rewards, over, _, infos = envs.step(envs.unwrapped.sample())
        assert set(numpy.abs(rewards[over])) <= {2.0}
        lengths += infos["episode"]["l"][over].tolist() if over.any() else []
    assert lengths and all(0 < length <= 8 for length in lengths)


def test_what_can_not_be_done_is_told() -> None:
    envs = gymnasium.vector_env("barons", {"width": 3, "height": 3}, num_envs=2)
    with pytest.raises(RulesError, match="reset comes before step"):
        envs.step([0, 0])
    envs.reset(seed=1)
    envs.step([4, 4])
    with pytest.raises(IllegalMove, match="game 1, action 4: b2 belongs to player 1"):
        envs.step([0, 4])
    with pytest.raises(RulesError, match="batch has 1 to"):
        gymnasium.vector_env("barons", num_envs=0)
