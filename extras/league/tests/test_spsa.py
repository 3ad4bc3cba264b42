"""SPSA finds what wins, in models of games whose truth is known; all dice come from seeds."""

import random
from collections.abc import Callable

import pytest

from quadrille.ai.bots.lines.parameters import Parameter, Values
from quadrille.extras.league.tuning.spsa import Spsa

FRACTION = Parameter("x", 0.0, 1.0, 0.2)
WHOLE = Parameter("n", 1, 9, 2)


def tuned(
    parameters: tuple[Parameter, ...],
    elo: Callable[[dict[str, float]], float],
    *,
    steps: int = 250,
    games: int = 8,
    seed: str = "s",
) -> Spsa:
    """Steps whose games are won as often as `elo` says of both sides."""
    spsa, dice = Spsa(parameters, seed, steps=steps, games=games), random.Random(seed)
    for _ in range(steps):
        pair = spsa.pair()
        for values in pair.plus, pair.minus:
            check(parameters, values)
        chance = 1 / (1 + 10 ** ((elo(dict(pair.minus)) - elo(dict(pair.plus))) / 400))
        spsa.tell(sum(dice.random() < chance for _ in range(games)) / games)
    check(parameters, spsa.values)
    return spsa


def check(parameters: tuple[Parameter, ...], values: Values) -> None:
    """All values are in range, and whole where they have to be."""
    for one, (name, number) in zip(parameters, values, strict=True):
        assert name == one.name and one.least <= number <= one.most
        assert isinstance(number, int) or not one.whole


HILL = lambda at: -400 * (at["x"] - 0.7) ** 2  # noqa: E731 - 100 Elo below the top at its usual value
THREE = (FRACTION, Parameter("wide", -300.0, 700.0, 500.0), WHOLE)


def three(at: dict[str, float]) -> float:
    """165 Elo below the top at the usual values."""
    return -300 * (at["x"] - 0.6) ** 2 - 300 * ((at["wide"] - 100) / 1000) ** 2 - 300 * ((at["n"] - 6) / 8) ** 2


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("parameters", "elo", "least"),
    [
        pytest.param((FRACTION,), HILL, -5, id="a hill of wins and losses"),
        pytest.param(THREE, three, -25, id="several at once of other ranges"),
        pytest.param((Parameter("idle", 0.0, 1.0, 0.5), FRACTION), HILL, -8, id="one that matters nothing"),
        pytest.param((Parameter("x", 0.0, 1.0, 1.0),), lambda at: -400 * at["x"], -40, id="the lower bound"),
        pytest.param((Parameter("x", 0.0, 1.0, 0.0),), lambda at: 400 * at["x"] - 400, -40, id="the upper bound"),
        pytest.param((Parameter("flag", 0, 1, 0), WHOLE), lambda at: 80 * at["flag"] - 80, -1, id="a flag"),
    ],
)
def test_it_climbs(parameters: tuple[Parameter, ...], elo: Callable[[dict[str, float]], float], least: float) -> None:
    found = [tuned(parameters, elo, seed=f"try {number}").values for number in range(12)]
    assert sum(elo(dict(values)) for values in found) / 12 > least


def test_whole_numbers_always_differ_between_the_sides() -> None:
    for one in (WHOLE, Parameter("flag", 0, 1, 0), Parameter("flag", 0, 1, 1), Parameter("big", 0, 1000, 1000)):
        spsa = Spsa((one,), "w", steps=100, games=8)
        for number in range(100):
            pair = spsa.pair()
            check((one,), pair.plus)
            assert pair.plus != pair.minus
            spsa.tell(number % 5 / 4)


def test_a_fixed_parameter_stays() -> None:
    fixed = Parameter("fixed", 3, 3, 3)
    spsa = tuned((fixed, FRACTION), lambda at: at["x"])
    assert spsa.values[0] == ("fixed", 3)
    assert len(spsa.places) == 1


def test_all_follows_from_the_seed_and_the_scores() -> None:
    one = tuned((FRACTION, WHOLE), lambda at: at["x"])
    assert one.places == tuned((FRACTION, WHOLE), lambda at: at["x"]).places
    assert one.places != tuned((FRACTION, WHOLE), lambda at: at["x"], seed="other").places
    # a sum of points does not tell in which order its games ended, and who goes on from the scores is there at once
    resumed = Spsa((FRACTION, WHOLE), "r", steps=50, games=8)
    scores = [random.Random(number).random() for number in range(30)]
    for score in scores:
        resumed.tell(score)
    fresh = Spsa((FRACTION, WHOLE), "r", steps=50, games=8)
    for score in scores:
        fresh.tell(score)
    assert fresh.pair() == resumed.pair()


def test_a_step_is_never_wild() -> None:
    spsa = Spsa((FRACTION,), "w", steps=1, games=10_000)
    before = spsa.places[0]
    spsa.tell(1.0)
    assert abs(spsa.places[0] - before) <= 0.15
