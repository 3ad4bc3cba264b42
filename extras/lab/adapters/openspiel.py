"""Every game in OpenSpiel: importing this module registers them as `quadrille_barons` and so on.

    from quadrille.extras.lab.adapters import openspiel
    game = openspiel.load("maze", {"size": 4})                  # or, once this file is imported:
    game = pyspiel.load_game("quadrille_maze(size=4)")

A game's parameters are its options and `players`. Actions and the faces that chance answers are those of
extras/lab/actions.py: so a turn can be several decisions of one player. Chance is explicit. Returns are those of
`Play.payoffs`: they add up to 0. An information state is a text, all that the player has learned since the start; an
observation is a text, the position as the player knows it, and a tensor: `planes` (extras/lab/docs/observations.md)
and in Dotter, whose board knows whole moves only, `turn`: two rows with a number for each action, how often it is
made in this turn, and 1 for the last one.

OpenSpiel's algorithms that are written in Python play these games; its C++ searches crash on any game of its own that
is written in Python, and so on these (seen with 2.0.2).
"""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, ClassVar, Final

from quadrille.ai.missing import needs
from quadrille.extras.lab.actions import Steps, steps_of
from quadrille.extras.lab.adapters.play import OVER, Play
from quadrille.rules.board import CHANCE
from quadrille.rules.core import WHOLE, Game, Given, Viewer
from quadrille.rules.options import Value
from quadrille.rules.registry import game as find_game
from quadrille.rules.registry import games

with needs("OpenSpiel", "open_spiel", "numpy", "pyspiel"):
    import numpy
    import pyspiel

PLAYERS: Final = "players"
#: OpenSpiel's numbers of nobody and of chance.
_OTHERS: Final = {OVER: int(pyspiel.PlayerId.TERMINAL), CHANCE: int(pyspiel.PlayerId.CHANCE)}


def short_name(key: str) -> str:
    """Return OpenSpiel's name of a game."""
    return "quadrille_" + key.replace("-", "_")


def load(key: str, options: Given = None, seats: int | None = None) -> Any:
    """Load a game with these options. Unlike OpenSpiel's own `load_game`, it refuses in our own sentences."""
    start = find_game(key).start(options, seats)
    return pyspiel.load_game(short_name(key), {PLAYERS: start.seats, **start.options.plain()})


def game_type(game: Game[Any, Any], *, chance: bool) -> Any:
    """Return OpenSpiel's description of a game before its start; some options leave nothing to chance."""
    kind = pyspiel.GameType
    return kind(
        short_name=short_name(game.key),
        long_name=game.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if chance else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION if game.hidden else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={PLAYERS: game.usual_seats, **game.Options().plain()},
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options and seats; each game has a subclass of it."""

    key: ClassVar[str]

    def __init__(self, parameters: Mapping[str, Value]) -> None:
        options = dict(parameters)
        seats = options.pop(PLAYERS)
        game = find_game(self.key)
        steps = steps_of(game, options, seats)  # type: ignore[arg-type]
        info = pyspiel.GameInfo(
            num_distinct_actions=steps.count,
            max_chance_outcomes=steps.faces,
            num_players=seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=steps.longest,
        )
        super().__init__(game_type(game, chance=steps.faces > 0), info, dict(parameters))
        self.steps = steps

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game as its text, to be read where this module is imported."""
        return again, (str(self),)

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the maximum chance events of any game."""
        return self.steps.draws

    def make_py_observer(self, kind: Any = None, params: Mapping[str, Any] | None = None) -> "PlanesObserver":
        """Make an observer of a player's knowledge; `kind` is an IIGObservationType."""
        if params:
            raise ValueError(f"observations have no parameters here: {', '.join(params)} means nothing")
        return PlanesObserver(self.steps, kind or pyspiel.IIGObservationType(perfect_recall=False))


def again(text: str) -> Any:
    return pyspiel.load_game(text)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position between two actions."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.play = Play.start(game.steps)

    def current_player(self) -> int:
        """Return OpenSpiel's number for the next to act: a player, chance, or nobody."""
        seat = self.play.seat
        return seat if seat >= 0 else _OTHERS[seat]

    def _legal_actions(self, player: int) -> list[int]:
        return self.play.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible faces of the next draw, with their probabilities."""
        return self.play.chances()

    def _apply_action(self, action: int) -> None:
        self.play = self.play.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.play.text(action)

    def is_terminal(self) -> bool:
        return self.play.seat == OVER

    def returns(self) -> list[float]:
        """Return the payoff of each player at the end."""
        return self.play.payoffs()

    def __str__(self) -> str:
        return self.play.picture(WHOLE)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "SpielState":
        """Draw a state that this player cannot distinguish from this one, by its likelihood; `sampler` gives 0 to 1."""
        state: SpielState = self.get_game().new_initial_state()
        dice = SimpleNamespace(randrange=lambda stop: min(int(sampler() * stop), stop - 1))
        for action in self.play.guessed(player, dice):
            state.apply_action(action)
        return state


class PlanesObserver:
    """Describes a position, or with perfect recall its whole history, as a player, all players or nobody knows it."""

    def __init__(self, steps: Steps, kind: Any) -> None:
        self.steps = steps
        self.recall = bool(kind.perfect_recall)
        self.public = bool(kind.public_info)
        self.private = kind.private_info
        self.dict: dict[str, Any] = {}
        self.tensor: Any = None
        if self.public and not self.recall and self.private == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            shapes = {"planes": steps.shape}
            if not steps.in_planes:
                shapes["turn"] = (2, steps.count)
            sizes = [int(numpy.prod(shape)) for shape in shapes.values()]
            self.tensor = numpy.zeros(sum(sizes), numpy.float32)
            parts = numpy.split(self.tensor, numpy.cumsum(sizes)[:-1])
            self.dict = {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with the player's knowledge."""
        if self.tensor is None:
            return
        play = state.play
        self.dict["planes"].reshape(-1)[:] = play.observation(player)
        if not self.steps.in_planes:
            self.dict["turn"][:] = play.turn_rows()

    def string_from(self, state: SpielState, player: int) -> str:
        """Write the player's knowledge as text."""
        play, private = state.play, pyspiel.PrivateInfoType
        if self.public:
            viewers: dict[Any, Viewer] = {private.ALL_PLAYERS: WHOLE, private.NONE: None}
            viewer = viewers.get(self.private, player)
            return "; ".join(play.heard(viewer)) if self.recall else play.picture(viewer)
        # what not everybody knows: a player's own, all of it, or nothing
        seats = {private.ALL_PLAYERS: range(play.state.seats), private.NONE: ()}.get(self.private, (player,))
        secrets = {seat: play.secrets(seat, ever=self.recall) for seat in seats}
        return "; ".join(f"p{seat + 1} {', '.join(faces)}" for seat, faces in secrets.items() if faces)


def register(game: Game[Any, Any]) -> None:
    """Register a game with OpenSpiel.

    It gets a class instead of a function, because it releases the reference only after Python has ended, when nothing
    may need cleaning up. A class references itself.
    """
    maker = type(f"{game.title.replace(' ', '')}Game", (SpielGame,), {"key": game.key})
    pyspiel.register_game(game_type(game, chance=steps_of(game).faces > 0), maker)


for _game in games():
    register(_game)
