"""Bots that break: each loses its own seat for the right reason, in bounded time, and leaves nothing behind."""

import time

import pytest

from quadrille.ai.faults import BotFault
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import WAYS_OUT
from tests.ai.bots.broken import AFTERWARDS, AT_START, AT_TURN, FOLDER, Broken, first
from tests.ai.inside import play, programs, small
from tests.ai.inside import talk as inside
from tests.waiting import soon

CLOCK = TimeControl(1000, 0)
LONG = TimeControl(60_000, 0)
#: For a game with a broken bot, its processes and its end, on a machine that has other things to do.
BOUND = 60.0


@pytest.mark.parametrize("bot", first(AT_TURN, "raises", "torn_line", "hangs", "illegal", "huge_line", "asks_for_ever"))
def test_one_that_breaks_on_its_turn(bot: Broken) -> None:
    """What bots say is tried without programs as well (test_dialogue.py)."""
    with programs() as made:
        seats = 2 + AT_TURN.index(bot) % 2
        match, began = small(seats=seats), time.monotonic()
        broken = made.broken(bot.path)
        others = [inside() for _ in range(seats - 1)]
        clock = CLOCK if bot.kind == "time" else LONG
        played = play(match, [others[0], broken, *others[1:]], clock=clock)
        assert time.monotonic() - began < BOUND
        assert list(played.faults) == [1]
        fault = played.faults[1]
        assert (fault.kind, bot.says in fault.why) == (bot.kind, True), fault
        assert str(fault)[0].islower() and "\n" not in fault.why
        left = next(entry for entry in match.entries if getattr(entry, "how", None))
        assert left.how == bot.kind and left.how in WAYS_OUT  # type: ignore[union-attr]
        assert played.match.over.places[1] == seats
        assert broken.program.ended or made.left_behind() == []
        assert sum(map(len, played.times)) == match.ply


@pytest.mark.parametrize("bot", AT_START, ids=str)
def test_one_that_breaks_before_its_first_turn(bot: Broken) -> None:
    with programs() as made:
        broken = made.broken(bot.path, start=5000 if bot.kind == "stall" else 10_000)
        try:
            broken.greet()
            fault = play(small(), [inside(), broken], clock=LONG).faults[1]
        except BotFault as found:
            fault = found
        assert (fault.kind, bot.says in fault.why) == (bot.kind, True), fault


@pytest.mark.first(1)
@pytest.mark.parametrize("bot", AFTERWARDS, ids=str)
def test_one_that_plays_well_and_then(bot: Broken) -> None:
    with programs() as made:
        broken = made.broken(bot.path)
        played = play(small(), [inside(), broken], clock=LONG)
        assert played.faults == {}
        if bot.says:  # it is told of another game
            again = play(small(), [inside(), broken], clock=LONG)
            assert again.faults[1].kind == "crash"
            assert bot.says in again.faults[1].why
        broken.close()
        assert made.left_behind() == []


def test_a_table_of_broken_bots_comes_to_its_end() -> None:
    with programs() as made:
        players = [made.broken(FOLDER / file) for file in ("raises.py", "chats.py", "illegal.py")]
        played = play(small(seats=3), players, clock=LONG)
        assert {seat: fault.kind for seat, fault in played.faults.items()} == {0: "crash", 1: "protocol"}
        assert played.match.over.places == (3, 2, 1)


@pytest.mark.slow
def test_nobody_is_late_because_another_was_waited_for() -> None:
    with programs() as made:
        broken = [made.broken(FOLDER / file, start=4000) for file in ("silent.py", "not_ready.py")]
        good = made.broken(FOLDER / "dies_between.py", start=6000)
        faults = play(small(seats=3), [*broken, good]).faults
        assert {seat: fault.kind for seat, fault in faults.items()} == {0: "stall", 1: "stall"}


def test_one_that_is_gone_before_it_was_spoken_to_loses_once() -> None:
    with programs() as made:
        gone, good = made.talk(made.python("-I", "-S", "-c", "")), made.broken(FOLDER / "dies_between.py")
        assert soon(lambda: gone.program._process.poll() is not None)
        assert [fault.kind for fault in play(small(), [gone, good]).faults.values()] == ["crash"]
