"""A bot that is led through a game: what it hears and when, what comes back, and that one place says it for all."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.bots import player as player_module
from quadrille.ai.bots import talk as talk_module
from quadrille.ai.bots.lines.answers import Greeting
from quadrille.ai.bots.lines.dialogue import Chosen, Ready, Replied, Seating
from quadrille.ai.bots.lines.time_terms import TimeTerms
from quadrille.ai.bots.local import LocalGame
from quadrille.ai.bots.player import BotEvent, BotPlayer, StillThinking
from quadrille.ai.faults import BotFault
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from tests.ai.inside import Anything, small, talk

ROOT = Path(__file__).resolve().parents[3]


def told(program: Any) -> list[str]:
    return [json.loads(line)["do"] for line in program.told]


def silent(line: bytes) -> bytes:
    """Ask in place of moving: the bot thinks for ever."""
    return b'{"ask": "view"}' if b'"turn"' in line else line


class Led:
    """A player, the clock by which it thinks, and all that it did."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, distort: Callable[[bytes], bytes] = bytes) -> None:
        self.now = 0
        for module in (talk_module, player_module):
            monkeypatch.setattr(module, "now", lambda: self.now)
        self.player = BotPlayer(talk(Anything(), distort), Seating(1), TimeTerms(patience=90_000), 15_000)
        self.match = small()

    def hear(self) -> list[BotEvent]:
        return list(iter(self.player.hear, None))

    @property
    def told(self) -> list[str]:
        return told(self.player.talk and self.player.talk.program)


@pytest.fixture
def led(monkeypatch: pytest.MonkeyPatch) -> Led:
    return Led(monkeypatch)


def test_a_bot_is_told_once_and_asked_once_in_each_position(led: Led) -> None:
    assert [type(event) for event in led.hear()] == [Greeting]
    led.player.follow(led.match)
    assert not led.player.ask(), "it is not ready yet"
    assert [type(event) for event in led.hear()] == [Ready]
    led.match.play("a1")
    led.player.follow(led.match)
    assert led.player.ask() and not led.player.ask()
    [chosen] = led.hear()
    assert isinstance(chosen, Chosen) and not led.player.ask(), "it has answered there"
    led.match.play(chosen.move)
    led.player.follow(led.match)
    led.player.offer("draw", 0, 7)
    assert led.hear() == [Replied(7, agree=False)]
    led.match.agree()
    assert led.match.over
    for _ in range(2):
        led.player.over(led.match.over, led.match)
        assert led.hear() == []
    assert led.told == ["hello", "start", "turn", "offer", "over"]


def test_a_game_goes_on_after_its_end_for_a_bot_as_another_one(led: Led) -> None:
    """Moves may be taken back over the end."""
    led.player.follow(led.match)
    led.hear()
    ended = led.match.copy()
    ended.agree()
    led.player.over(ended.over, ended)
    led.player.follow(led.match)
    led.hear()
    assert led.told == ["hello", "start", "over", "start"] and led.player.is_ready


def test_who_never_began_a_game_hears_nothing_of_its_end(led: Led) -> None:
    led.hear()
    led.match.agree()
    led.player.over(led.match.over, led.match)
    assert led.hear() == [] and led.told == ["hello"]


@pytest.mark.parametrize(
    ("clocks", "waited", "kind"),
    [
        (None, [15_000, 30_000, 45_000, 60_000, 75_000, 90_000], "stall"),
        (Clocks.full(TimeControl(90_000, 0), 2), [], "time"),
    ],
)
def test_who_still_thinks_is_reported_while_no_clock_runs(
    monkeypatch: pytest.MonkeyPatch, clocks: Clocks | None, waited: list[int], kind: str
) -> None:
    led = Led(monkeypatch, silent)
    led.player.follow(led.match)
    led.hear()
    assert led.player.ask(clocks)
    found = []
    while led.player.fault is None:
        found += led.hear()
        assert led.player.deadline is None or led.player.deadline >= led.now
        led.now = max(led.now + 1, led.player.deadline or 0)
    *reports, fault = found
    assert reports == [StillThinking(time) for time in waited]
    assert isinstance(fault, BotFault) and fault.kind == kind
    assert led.hear() == [] and led.player.talk is None and not led.player.ask()


def test_a_program_that_can_not_be_started_is_a_fault_like_any_other() -> None:
    fault = BotFault("crash", "can't be started: it is gone")
    player = BotPlayer(fault, Seating())
    player.follow(small())
    assert not player.ask() and player.hear() is fault and player.hear() is None and player.fault is fault


def test_nobody_is_told_anything_when_a_game_of_bots_is_made() -> None:
    talks = [talk(), talk()]
    made = LocalGame(small(), talks)
    assert [told(one.program) for one in talks] == [[], []]
    made.get_ready()
    assert [told(one.program) for one in talks] == [["hello", "start"]] * 2
    assert made.faults == {}


def test_a_seat_is_ready_for_the_game_that_it_was_told_of_last() -> None:
    bot, played = talk(), small()
    bot.hear()
    assert bot.is_greeted and not (bot.is_told or bot.is_ready)
    for dropped in (False, True):
        bot.start(played, played.state, Seating())
        assert bot.is_told and not bot.is_ready
        if dropped:
            bot.forget()
        assert isinstance(bot.hear(), Ready) and bot.is_ready is not dropped


@pytest.mark.parametrize("says", [r"\bdialogue\.(turn|offer|over)\(", r"\btalk\.start\("])
def test_one_place_leads_bots(says: str) -> None:
    """A second place that tells bots of a game would keep its own order of ready, ask and over."""
    files = list((ROOT / "ai").rglob("*.py"))
    files += (ROOT / "client").rglob("*.py")
    found = {str(path.relative_to(ROOT)) for path in files if re.search(says, path.read_text("utf-8"))}
    assert found == {"ai/bots/player.py"}
