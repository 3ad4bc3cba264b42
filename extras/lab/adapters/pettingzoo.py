"""Every game in PettingZoo: environments in which agents take turns (AEC).

    from quadrille.extras.lab.adapters import pettingzoo
    env = pettingzoo.env("coin-isolation", {"take": "greedy"}, seats=3)
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination else env.action_space(agent).sample(observation["action_mask"]))

Agents are `player_0`, `player_1`, … An action is one of extras/lab/actions.py, so that an agent can be asked several
times for one turn; an illegal one is refused with the game's own reason. An observation has the `action_mask`, without
a 1 for an agent that is not to move, and the `observation`: planes (extras/lab/docs/observations.md). In Dotter, whose
board knows whole moves only, they are one row of numbers, and after them come two numbers for each action: how often it
was made in this turn, then 1 for the last one made. Chance is answered by the seed: the first game after
`reset(seed=7)` is dealt as every table with the seed 7 is, the next one (`reset()`) as with `7 2`. Rewards come at the
end: `Play.payoffs`. Nothing is ever truncated.
"""

import secrets
from collections.abc import Mapping
from typing import Any, Final

from quadrille.ai.missing import needs
from quadrille.extras.lab.actions import steps_of
from quadrille.extras.lab.adapters.play import OVER, Play
from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import WHOLE, Given
from quadrille.rules.errors import RulesError
from quadrille.rules.options import shown
from quadrille.rules.registry import game

with needs("PettingZoo", "pettingzoo", "numpy", "gymnasium", "pettingzoo"):
    import numpy
    from gymnasium import spaces
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # type: ignore[import-untyped]

VERSION: Final = 0
RENDER_MODES: Final = ("ansi", "human")
_SEED_BYTES: Final = 16


class TurnEnv(AECEnv[str, dict[str, Any], int | None]):  # type: ignore[misc]
    """The environment of a game, not yet wrapped."""

    def __init__(
        self, key: str, options: Given = None, seats: int | None = None, *, render_mode: str | None = None
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise RulesError(f"positions are drawn in text: render_mode is ansi or human, not {shown(render_mode)}")
        self.steps = steps_of(game(key), options, seats)
        self.render_mode = render_mode
        self.metadata = {"name": f"quadrille_{key.replace('-', '_')}_v{VERSION}", "render_modes": [*RENDER_MODES]}
        self.possible_agents = [f"player_{seat}" for seat in range(self.steps.start.seats)]
        numbers = spaces.Box(-numpy.inf, numpy.inf, self.steps.sight, numpy.float32)
        sight = spaces.Dict({"observation": numbers, "action_mask": spaces.Box(0, 1, (self.steps.count,), numpy.int8)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, sight)
        self.action_spaces = {agent: spaces.Discrete(self.steps.count) for agent in self.possible_agents}
        self._seed = secrets.token_hex(_SEED_BYTES)
        self._games = 0

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def render(self) -> str | None:
        """Draw the position as the whole table knows it, in text: return it (`ansi`), or print it (`human`)."""
        picture = self.play.picture(WHOLE) if self.render_mode else None
        if self.render_mode != "human":
            return picture
        print(picture)
        return None

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin the next game, dealt from the seed, or from the last one and a number. `options` are ignored: they are
        set when the environment is made.
        """
        if seed is not None:
            self._seed, self._games = str(seed), 0
        self._games += 1
        self._dealer = SeedDealer(self._seed if self._games == 1 else f"{self._seed} {self._games}")
        self.play = Play.start(self.steps).dealt(self._dealer)
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._look()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's observation, and 1 for each of its legal actions."""
        seat, play = self.possible_agents.index(agent), self.play
        numbers = numpy.array(play.observation(seat), numpy.int64).astype(numpy.float32)
        if not self.steps.in_planes:
            numbers = numpy.concatenate([numbers, *numpy.array(play.turn_rows(), numpy.float32)])
        mask = numpy.zeros(self.steps.count, numpy.int8)
        mask[list(play.moves) if seat == play.seat else []] = 1
        return {"observation": numbers.reshape(self.steps.sight), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Act for the agent whose turn it is; None after the end."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        plain = int(action) if isinstance(action, numpy.integer) else action
        self.play = self.play.after(plain).dealt(self._dealer)
        self._look()
        self._cumulative_rewards[agent] = 0.0
        self._accumulate_rewards()

    def _look(self) -> None:
        """Note whose turn it is, and the rewards."""
        over = self.play.seat == OVER
        self.rewards = dict(zip(self.possible_agents, self.play.payoffs(), strict=True))
        self.terminations = dict.fromkeys(self.agents, over)
        self.agent_selection = self.possible_agents[0 if over else self.play.seat]


def env(key: str, options: Given = None, seats: int | None = None, **rest: Any) -> Any:
    """Make the environment of a game, which also checks that it is reset before use."""
    return OrderEnforcingWrapper(TurnEnv(key, options, seats, **rest))
