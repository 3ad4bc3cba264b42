"""The bots of guides and examples: the first plays every game, better than chance; the strong one keeps its time."""

import re
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any, Final

import pytest

from quadrille.ai.bot import Clock
from quadrille.ai.bots.lines.dialogue import advised
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys
from tests.guides.typed import GUIDES, ROOT

#: One lap in place of six: a sixth of the time.
SHORT: dict[str, dict[str, Any]] = {"dotter": {"laps": 1}}
#: The clock of the strong bot's guide, in milliseconds.
TOLD: Final = re.findall(r"--clock (\d+)s\+(\d+)ms", (GUIDES / "strong-bot.md").read_text("utf-8"))
INITIAL, INCREMENT = int(TOLD[0][0]) * 1000, int(TOLD[0][1])


def written(name: str) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec((ROOT / f"examples/{name}.py").read_text("utf-8"), space)
    return space


def against_chance(key: str, number: int, choose: Callable[[Any, Random], object]) -> Match:
    """Play with the usual seats, where `choose` has one, and all others move by chance."""
    seats, dice = game(key).usual_seats, Random(number)
    match = Match(game(key), SHORT.get(key, {}), seats, deal=Deal(f"a {number}"))
    while not match.over:
        seat = match.state.board.turn
        view = match.state.view(seat)
        match.play(str(choose(view, dice) if seat == number % seats else view.moves.sample(dice)))
    return match


@pytest.mark.slow
@pytest.mark.parametrize("key", keys())
def test_the_first_bot_is_clearly_better_than_chance_in_every_game(key: str) -> None:
    """12 games against random, with the usual seats and options: by chance alone 10 points come once in 50 tests."""
    first, points, seats = written("first_bot")["First"](), 0.0, game(key).usual_seats

    def choose(view: Any, dice: Random) -> object:
        return first.choose(view, Clock(view.board.turn, None, 0, 1000), dice)

    for number in range(12):
        places, mine = against_chance(key, number, choose).state.pending.places, number % seats
        behind = [(place > places[mine]) + (place == places[mine]) / 2 for place in places]
        points += (sum(behind) - 0.5) / (seats - 1)
    assert points >= 10


def timed(key: str, space: dict[str, Any], now: Callable[[], float]) -> None:
    """Play a game with the strong bot at the clock of its guide, where `now` tells how many seconds have gone by."""
    space["monotonic"], bot, left = now, space["Strong"](), float(INITIAL)
    bot.starts(None, 0)

    def choose(view: Any, dice: Random) -> object:
        nonlocal left
        began, whole = now(), int(left)
        move = bot.choose(view, Clock(0, (whole,) * view.seats, INCREMENT, advised(whole, INCREMENT)), dice)
        left -= 1000 * (now() - began)
        assert left > 0
        left += INCREMENT
        return move

    against_chance(key, 0, choose)


@pytest.mark.slow
@pytest.mark.parametrize("key", keys())
def test_the_strong_bot_keeps_its_time_as_it_is_installed(key: str) -> None:
    """By the processor's time, so that no other program takes any of it."""
    timed(key, written("strong_bot"), process_time)


@pytest.mark.parametrize("key", keys())
def test_the_strong_bot_keeps_its_time_on_a_slow_machine(key: str) -> None:
    """Only its searches take time: three times as long as those on the largest boards take in plain Python."""
    space, seconds = written("strong_bot"), [0.0]
    for name, each in (("Proof", 0.0015), ("TreeSearch", 0.006)):

        def go_on(search: Any, count: int, kind: Any = space[name], each: float = each) -> bool:
            seconds[0] += count * each
            return bool(kind.go_on(search, count))

        space[name] = type(name, (space[name],), {"go_on": go_on})
    timed(key, space, lambda: seconds[0])
