"""Every game in Gymnasium: a vector environment over a Batch (extras/lab/docs/batch.md), for learning by self-play.

    from quadrille.extras.lab.adapters import gymnasium
    envs = gymnasium.vector_env("barons", {"width": 5, "height": 5}, seats=2, num_envs=64)
    sights, infos = envs.reset(seed=42)
    for _ in range(1000):
        sights, rewards, over, _, infos = envs.step(envs.sample())

One learner plays all seats. An observation is what the seat to move sees, with its `action_mask`, and `infos["seat"]`
tells its number. A reward is that of the seat that has just acted, at the end of the game; `infos["rewards"]` has those
of all seats then, as in PettingZoo (`Play.payoffs`). A game that ends is followed by the next one in the same step, so
there are no final observations. Nothing is ever truncated.
"""

from collections.abc import Mapping
from typing import Any

from quadrille.ai.missing import needs
from quadrille.extras.lab.batch import SEEDS, Batch
from quadrille.rules.core import Given
from quadrille.rules.errors import RulesError

with needs("Gymnasium", "gymnasium", "numpy", "gymnasium"):
    import numpy
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space


class BatchEnv(VectorEnv[dict[str, Any], Any, Any]):
    """The vector environment of a game. No array changes after it was returned."""

    def __init__(self, key: str, options: Given = None, seats: int | None = None, *, num_envs: int = 64) -> None:
        self._terms = (key, options, seats, num_envs)
        self.batch = Batch(*self._terms)
        self._begun = False
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        seen: Any = self.batch.observations
        limits = numpy.iinfo(seen.dtype)
        numbers = spaces.Box(limits.min, limits.max, seen.shape[1:], seen.dtype.type)
        mask = spaces.Box(0, 1, (self.batch.actions,), numpy.uint8)
        self.single_observation_space = spaces.Dict({"observation": numbers, "action_mask": mask})
        self.single_action_space = spaces.Discrete(self.batch.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin all games anew. `options` are ignored: they are set when the environment is made."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(SEEDS)) if seed is None else seed
        self.batch = Batch(*self._terms, drawn)
        self._begun = True
        return self._sights(), {"seat": self.batch.seat.copy()}

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Act for the seat to move in every game."""
        batch = self.batch
        if not self._begun:
            raise RulesError("no game has begun: reset comes before step")
        movers = batch.seat.copy()
        batch.step(actions)
        rewards = batch.rewards / (batch.seats - 1)
        own = rewards[numpy.arange(self.num_envs), movers]
        infos = {"seat": batch.seat.copy(), "rewards": rewards}
        return self._sights(), own, batch.done.astype(bool), numpy.zeros(self.num_envs, bool), infos

    def sample(self) -> Any:
        """Draw a legal action for every game; those of `action_space` need not be legal."""
        return self.batch.sample().copy()

    def render(self) -> None:
        """Draw nothing: `print(envs.batch.state(0))` does."""

    def _sights(self) -> dict[str, Any]:
        return {"observation": self.batch.observations.copy(), "action_mask": self.batch.mask.copy()}


vector_env = BatchEnv
