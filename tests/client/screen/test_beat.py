"""The moves of several bots come one after the other on a screen."""

from collections.abc import Callable
from typing import Any

import pytest

from quadrille.client.screen.table import bots
from quadrille.client.screen.table.bots import Bots
from quadrille.client.table.effects import Think
from quadrille.client.table.wishes import Answer, Heard, Moved
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Match
from quadrille.rules.registry import game


class Loop:
    """A loop whose time is set by a test."""

    def __init__(self) -> None:
        self.time = 1000
        self.later: list[tuple[int, Answer]] = []

    def call_later(self, seconds: float, deed: Callable[[Answer], None], answer: Answer) -> None:
        self.later.append((self.time + round(seconds * 1000), answer))


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Loop:
    made = Loop()
    monkeypatch.setattr(bots, "BEAT", 400)
    monkeypatch.setattr(bots, "now", lambda: made.time)
    return made


def shown(loop: Any) -> tuple[Bots, list[Answer]]:
    there: list[Answer] = []
    return Bots(there.append, loop), there


def test_moves_of_bots_come_one_after_the_other(loop: Loop) -> None:
    made, there = shown(loop)
    for number in range(3):
        made.answered(Heard(number))
        made.answered(Moved(number, "a1"))
        loop.time += 10
    assert there == [Heard(0), Moved(0, "a1"), Heard(1), Heard(2)]
    assert loop.later == [(1400, Moved(1, "a1")), (1800, Moved(2, "a1"))]
    loop.time = 2300
    made.answered(Moved(3, "a1"))
    assert there[-1] == Moved(3, "a1")


def test_no_clock_runs_while_a_move_is_held_back(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    made, there = shown(loop)
    monkeypatch.setattr("quadrille.client.bots.opponents.Opponents.perform", lambda self, effect: None)
    match = Match(game("barons"), seats=3)
    clocks = Clocks.full(TimeControl(60_000, 0), 3)
    for number in range(2):
        made.perform(Think(number, 1, "random", match, clocks))
        made.answered(Moved(number, "a1"))
    assert len(there) == 2 and not loop.later
