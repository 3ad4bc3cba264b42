"""The games in OpenSpiel: its own tests of games, its own algorithms at them, and what it is told of them."""

import pickle
import random
import subprocess
import sys
import unittest
from typing import Any

import pytest

from quadrille.extras.lab import observations
from quadrille.rules.errors import BadOptions, BadSeats, UnknownGame
from quadrille.rules.registry import game as find_game
from quadrille.rules.registry import keys
from quadrille.rules.search import Position

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")
numpy = pytest.importorskip("numpy")

from open_spiel.python.algorithms import minimax  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from quadrille.extras.lab.adapters import openspiel  # noqa: E402

#: Tables at which whole games are short, in OpenSpiel's own notation: at least one of each game.
SHORT = [
    "quadrille_barons(width=4,height=3,players=3)",
    "quadrille_coin_isolation(layout=pnd/npd/qnp,take=semi-greedy,mixed_change=true,standing_still=true)",
    "quadrille_coin_isolation(layout=ppp/p.p/ppp,collect=transplant,renegade=true,players=3)",
    "quadrille_dollar_draw(width=4,height=4)",
    "quadrille_dotter(laps=1,lap_points=21,max_rounds=1)",
    "quadrille_dotter(laps=1,lap_points=21,max_rounds=2,jokers=0,guess_nothing=true,players=3)",
    "quadrille_maze(size=4)",
]
#: Tables small enough for every position to be looked at.
TINY = [
    "quadrille_barons(width=2,height=2,players=2)",
    "quadrille_barons(width=3,height=2,players=3,end=full)",
    "quadrille_coin_isolation(layout=pp/np,idle_rounds=1)",
    "quadrille_dollar_draw(width=2,height=2)",
    "quadrille_maze(size=2)",
]


@pytest.fixture(autouse=True)
def _the_same_every_time() -> None:
    """OpenSpiel's tests in Python draw from the global streams."""
    random.seed(7)
    numpy.random.seed(7)


# OpenSpiel's own tests


@pytest.mark.first(1)
@pytest.mark.parametrize("table", SHORT)
def test_random_sim_test(table: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(table), num_sims=1, serialize=True, verbose=False)


def passes(case: type[unittest.TestCase], *left_out: str) -> None:
    names = [name for name in unittest.defaultTestLoader.getTestCaseNames(case) if name not in left_out]
    assert len(names) > 3
    result = unittest.TestResult()
    unittest.TestSuite(map(case, names)).run(result)
    told = [text for _, text in (*result.failures, *result.errors)]
    assert not told, "\n".join(told)
    assert result.testsRun == len(names) and not result.skipped


def api_test() -> Any:
    """It brings all of SciPy along: not for every run of any test."""
    from open_spiel.integration_tests import api_test

    return api_test


@pytest.mark.slow
@pytest.mark.parametrize("table", SHORT)
def test_api_test_of_some_positions(table: str) -> None:
    attributes = {"game_name": table, "game": pyspiel.load_game(table)}
    passes(type("Partial", (api_test().EnforceAPIOnPartialTreeBase,), attributes))


@pytest.mark.slow
@pytest.mark.parametrize("table", TINY)
def test_api_test_of_all_positions(table: str) -> None:
    """Without those that count what was counted in OpenSpiel's own games, or want tensors of information states."""
    attributes = {"game_name": table, "game": pyspiel.load_game(table)}
    passes(
        type("Full", (api_test().EnforceAPIOnFullTreeBase,), attributes),
        "test_number_of_nodes",
        "test_game_is_perfect_recall",
        "test_current_player_infosets_no_overlap_between_players",
    )


# Its algorithms


@pytest.mark.parametrize(
    ("table", "value"),
    [("quadrille_maze(size=2)", 1), ("quadrille_maze(size=3)", 1), ("quadrille_dollar_draw(width=2,height=2)", -1)],
)
def test_alpha_beta_finds_who_wins(table: str, value: int) -> None:
    """As the rules say: "With perfect play seat 0 wins sizes 2, 3, 4 and 6"; on an even grid S wins."""
    assert minimax.alpha_beta_search(pyspiel.load_game(table))[0] == value


# What it is told


def test_all_games_are_registered_with_their_options() -> None:
    told = {kind.short_name: kind for kind in pyspiel.registered_games()}
    for key in keys():
        kind, ours = told[openspiel.short_name(key)], find_game(key)
        assert kind.long_name == ours.title
        assert dict(kind.parameter_specification) == {"players": ours.usual_seats, **ours.Options().plain()}
        assert (kind.min_num_players, kind.max_num_players) == (ours.seats[0], ours.seats[-1])
        assert kind.default_loadable


def test_what_is_hidden_and_what_is_chance() -> None:
    modes, kinds = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    told = {key: openspiel.load(key).get_type() for key in keys()}
    assert {key for key in keys() if told[key].information == kinds.IMPERFECT_INFORMATION} == {"dotter"}
    chancy = {key for key in keys() if told[key].chance_mode == modes.EXPLICIT_STOCHASTIC}
    assert chancy == {"coin-isolation", "dotter"}
    laid = openspiel.load("coin-isolation", {"layout": "pp/np"})
    assert laid.get_type().chance_mode == modes.DETERMINISTIC and laid.max_chance_outcomes() == 0


def state_after(table: str, *words: str) -> Any:
    state = pyspiel.load_game(table).new_initial_state()
    for word in words:
        state.apply_action(state.string_to_action(state.current_player(), word))
    return state


PEEKED = ("draw", "draw", "peek", "p2", "1a", "1c", "AS", "2S")


def test_an_information_state_is_what_the_player_has_learned() -> None:
    state = state_after("quadrille_dotter", *PEEKED)
    assert state.information_state_string(0) == "draw; draw; peek; p2; 1a; 1c; AS; 2S"
    assert state.information_state_string(1) == "draw; draw; peek; p2; 1a; 1c; ?; ?"
    other = state_after("quadrille_dotter", *PEEKED[:-2], "KH", "JK1")
    assert other.information_state_string(1) == state.information_state_string(1)
    assert other.information_state_string(0) != state.information_state_string(0)
    assert list(other.observation_tensor(1)) == list(state.observation_tensor(1))
    assert list(other.observation_tensor(0)) != list(state.observation_tensor(0))
    assert other.observation_string(1) == state.observation_string(1)
    assert "AS" in state.observation_string(0) and "AS" not in state.observation_string(1)


def test_private_and_public_are_told_apart() -> None:
    state = state_after("quadrille_dotter", *PEEKED)
    told = {}
    for public in (False, True):
        for name in ("NONE", "SINGLE_PLAYER", "ALL_PLAYERS"):
            private = getattr(pyspiel.PrivateInfoType, name)
            kind = pyspiel.IIGObservationType(public_info=public, perfect_recall=False, private_info=private)
            told[public, name] = make_observation(state.get_game(), kind).string_from(state, 0)
    assert told[False, "NONE"] == ""
    assert told[False, "SINGLE_PLAYER"] == told[False, "ALL_PLAYERS"] == "p1 4 AS, 6 2S"
    assert "AS" not in told[True, "NONE"]
    assert "AS" in told[True, "SINGLE_PLAYER"] and "AS" in told[True, "ALL_PLAYERS"]


def test_another_state_of_the_same_information_is_as_likely() -> None:
    state = state_after("quadrille_dotter", *PEEKED)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    others = [state.resample_from_infostate(1, sampler) for _ in range(30)]
    assert {other.information_state_string(1) for other in others} == {state.information_state_string(1)}
    assert len({other.information_state_string(0) for other in others}) > 20
    other = state.resample_from_infostate(0, sampler)
    assert other.information_state_string(0) == state.information_state_string(0)


@pytest.mark.parametrize("table", SHORT)
def test_the_tensor_is_what_a_seat_sees_of_its_view(table: str) -> None:
    state = pyspiel.load_game(table).new_initial_state()
    observation = make_observation(state.get_game())
    player = state.num_players() - 1
    for _ in range(8):
        observation.set_from(state, player)
        planes = observations.observation(Position(state.play.state.view(player)), player)
        assert numpy.array_equal(observation.dict["planes"], planes)
        state.apply_action(random.choice(state.legal_actions()))
    assert set(observation.dict) == ({"planes", "turn"} if "dotter" in table else {"planes"})


@pytest.mark.slow
def test_what_was_pickled_is_read_by_a_program_that_knows_nothing_of_it() -> None:
    stored = pickle.dumps((pyspiel.load_game("quadrille_maze(size=4)"), state_after("quadrille_maze(size=4)", "a4-a3")))
    program = f"import pickle; game, state = pickle.loads({stored!r}); print(game, state.history())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("quadrille_maze(players=2,size=4) [8]\n", "", 0)


# What is refused


@pytest.mark.parametrize(
    ("load", "given", "kind", "why"),
    [
        (pyspiel.load_game, ["quadrille_barons(width=27)"], BadOptions, "option width takes a whole number from 2"),
        (pyspiel.load_game, ["quadrille_coin_isolation(take=all)"], BadOptions, "option take takes one of one, greedy"),
        (pyspiel.load_game, ["quadrille_coin_isolation(layout=pp/p)"], BadOptions, "layout: its row 2 has 1 squares"),
        (pyspiel.load_game, ["quadrille_maze(players=3)"], BadSeats, "Maze is for 2 seats, not 3"),
        (openspiel.load, ["barons", {"widht": 3}], BadOptions, 'there is no option "widht": did you mean width'),
        (openspiel.load, ["barons", {"width": "wide"}], BadOptions, "option width takes a whole number"),
        (openspiel.load, ["baron"], UnknownGame, "did you mean barons"),
    ],
)
def test_a_wrong_table_is_refused_in_the_games_words(load: Any, given: list[Any], kind: Any, why: str) -> None:
    with pytest.raises(kind, match=f"^{why}" if load is pyspiel.load_game else why):
        load(*given)


def test_an_observer_with_parameters_is_refused() -> None:
    with pytest.raises(ValueError, match="wide means nothing"):
        openspiel.load("maze").make_py_observer(None, {"wide": 1})
