"""Every game in PettingZoo: environments in which agents take turns (AEC), or are all asked at once (parallel).

    from quadrille.extras.lab.adapters import pettingzoo
    env = pettingzoo.env("coin-isolation", {"take": "greedy"}, seats=3)
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        over = termination or truncation
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

Agents are `player_0`, `player_1`, … An action is one of extras/lab/actions.py, so that an agent can be asked
several times for one turn; the last action of the space is `wait`, all that an agent can do that is not to move. An
observation has the `action_mask` and the `observation`: planes (extras/lab/docs/observations.md). In Dotter,
whose board knows whole moves only, they are one row of numbers, and after them come two numbers for each action: how
often it was made in this turn, then 1 for the last one made. Chance is answered by the seed: the first game after
`reset(seed=7)` is dealt as every table with the seed 7 is, the next one (`reset()`) as with `7 2`. Rewards come at the
end: `Play.payoffs`.

An illegal action is refused with the game's own reason; with `illegal="replace"` an action at random is made
instead of it, for programs that look at no mask (PettingZoo's `max_cycles_test` is one). With `max_cycles` agents are
truncated after that many rounds of turns, in the parallel environment after that many steps.
"""

import secrets
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from quadrille.ai.missing import missing
from quadrille.extras.lab.actions import steps_of
from quadrille.extras.lab.adapters.play import OVER, Play
from quadrille.rules.chance import SeedDealer, Stream
from quadrille.rules.core import WHOLE, Given
from quadrille.rules.errors import GameOver, IllegalMove, RulesError
from quadrille.rules.options import shown
from quadrille.rules.registry import game

try:
    import numpy
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv  # type: ignore[import-untyped]
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # type: ignore[import-untyped]
except ModuleNotFoundError as error:
    if error.name not in ("numpy", "gymnasium", "pettingzoo"):
        raise
    raise missing("PettingZoo", "pettingzoo") from None

Observation: TypeAlias = dict[str, Any]
REFUSE: Final = "refuse"
REPLACE: Final = "replace"
VERSION: Final = 0
_SEED_BYTES: Final = 16


class TableEnv:
    """The common part of both kinds of environment: a game and its agents, their actions and observations, the
    dealer.
    """

    def __init__(
        self,
        key: str,
        options: Given = None,
        seats: int | None = None,
        *,
        max_cycles: int | None = None,
        illegal: str = REFUSE,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if illegal not in (REFUSE, REPLACE):
            raise RulesError(f"illegal actions can be met with {REFUSE} or {REPLACE}, not with {shown(illegal)}")
        if max_cycles is not None and (type(max_cycles) is not int or max_cycles < 1):
            raise RulesError(f"max_cycles is a whole number from 1 on, or nothing, not {shown(max_cycles)}")
        if render_mode not in (None, "ansi"):
            raise RulesError(f"positions are drawn in text: render_mode is ansi or nothing, not {shown(render_mode)}")
        self.steps = steps_of(game(key), options, seats)
        self.max_cycles = max_cycles
        self.illegal = illegal
        self.render_mode = render_mode
        self.metadata = {
            "name": f"quadrille_{key.replace('-', '_')}_v{VERSION}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        start = self.steps.start
        self.possible_agents = [f"player_{seat}" for seat in range(start.seats)]
        self.agents: list[str] = []
        self.seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.wait = self.steps.count
        self.shape = self.steps.sight
        self.observation_spaces = {agent: self._sights() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.wait + 1) for agent in self.possible_agents}
        self._seed: str | None = None
        self._games = 0

    def _sights(self) -> spaces.Dict:
        numbers = spaces.Box(-numpy.inf, numpy.inf, self.shape, numpy.float32)
        mask = spaces.Box(0, 1, (self.wait + 1,), numpy.int8)
        return spaces.Dict({"observation": numbers, "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The possible observations of this agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The actions, the last of them `wait`."""
        return self.action_spaces[agent]

    def render(self) -> str | None:
        """The position as the whole table knows it, in text; with render_mode ansi."""
        return self.play.picture(WHOLE) if self.render_mode else None

    def close(self) -> None:
        """Does nothing: nothing is open."""

    def deal(self, seed: object) -> None:
        """Begin the next game, dealt from the seed, or from the last one and a number."""
        if seed is not None:
            self._seed, self._games = str(seed), 0
        elif self._seed is None:
            self._seed = secrets.token_hex(_SEED_BYTES)
        self._games += 1
        named = self._seed if self._games == 1 else f"{self._seed} {self._games}"
        self.dealer = SeedDealer(named)
        self.stream = Stream(named, "replaced actions")
        self.play = Play.start(self.steps).dealt(self.dealer)
        self.agents = list(self.possible_agents)

    @property
    def mover(self) -> str | None:
        """The agent that is to act."""
        return None if self.play.seat == OVER else self.possible_agents[self.play.seat]

    def sight(self, agent: str) -> Observation:
        """An agent's observation, and 1 for each legal action."""
        seat, play = self.seat[agent], self.play
        numbers = numpy.array(play.observation(seat), numpy.float32)
        if not self.steps.in_planes:
            numbers = numpy.concatenate([numbers, *numpy.array(play.turn_rows(), numpy.float32)])
        mask = numpy.zeros(self.wait + 1, numpy.int8)
        mask[play.legal() if agent == self.mover else self.wait] = 1
        return {"observation": numbers.reshape(self.shape), "action_mask": mask}

    def objection(self, agent: str, action: object) -> str | None:
        """Why an action is illegal for an agent; None if it is legal."""
        waits = type(action) is int and action == self.wait
        if agent != self.mover:
            return None if waits else f"{agent} is not to move: it can only wait"
        return f"{agent} is to move: it can't wait" if waits else self.play.objection(action)

    def chosen(self, agent: str, action: Any) -> tuple[Any, str | None]:
        """The action to make, and the reason if it replaces an illegal one."""
        if isinstance(action, numpy.integer):
            action = int(action)
        why = self.objection(agent, action)
        if why is None:
            return action, None
        if self.illegal == REFUSE:
            raise (GameOver if self.play.seat == OVER else IllegalMove)(why)
        legal = self.play.legal()
        return legal[self.stream.randrange(len(legal))] if agent == self.mover else self.wait, why

    def move(self, action: int) -> dict[str, float]:
        """Make the mover's action and answer chance; return the rewards."""
        self.play = self.play.after(action).dealt(self.dealer)
        return dict(zip(self.possible_agents, self.play.payoffs(), strict=True))


class TurnEnv(TableEnv, AECEnv[str, Observation, int | None]):  # type: ignore[misc]
    """The AEC environment of a game, not yet wrapped."""

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a new game. `options` are ignored: they are set when the environment is made."""
        self.deal(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.mover or self.agents[0]

    def observe(self, agent: str) -> Observation:
        """An agent's observation with its legal actions."""
        return self.sight(agent)

    def step(self, action: int | None) -> None:
        """Act for the agent whose turn it is; a dead one gives None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        chosen, why = self.chosen(agent, action)
        self.rewards = self.move(chosen)
        self.infos = {each: {} for each in self.agents}
        if why:
            self.infos[agent]["refused"] = why
        self._cumulative_rewards[agent] = 0.0
        self._accumulate_rewards()
        if self.play.seat == OVER:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.max_cycles and self.play.turns >= self.max_cycles * len(self.agents):
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.mover or self.agents[0]


class RoundEnv(TableEnv, ParallelEnv[str, Observation, int | None]):  # type: ignore[misc]
    """The parallel environment of a game: all agents are asked in each step, and all but the mover can only wait."""

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a new game; return all observations, and empty infos."""
        self.deal(seed)
        self.cycles = 0
        return {agent: self.sight(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int | None]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """All agents act; the one to move moves."""
        agents, mover = self.agents, self.mover
        if mover is None or not agents:
            raise GameOver("the game is over for all agents: reset begins another")
        chosen = {agent: self.chosen(agent, actions.get(agent)) for agent in agents}
        rewards = self.move(chosen[mover][0])
        self.cycles += 1
        over = self.play.seat == OVER
        cut = not over and self.max_cycles is not None and self.cycles >= self.max_cycles
        if over or cut:
            self.agents = []
        observations = {agent: self.sight(agent) for agent in agents}
        infos: dict[str, dict[str, Any]] = {
            agent: {"refused": why} if why else {} for agent, (_, why) in chosen.items()
        }
        return observations, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, cut), infos


raw_env = TurnEnv
parallel_env = RoundEnv


def env(key: str, options: Given = None, seats: int | None = None, **rest: Any) -> Any:
    """The AEC environment of a game, which also checks that it is reset before use."""
    return OrderEnforcingWrapper(raw_env(key, options, seats, **rest))
