"""A bot that is led through a game: what it hears and when, what comes back, and that one place says it for all."""

import json
import os
import re
import sys
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
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
from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.process.usage import share
from quadrille.ai.bots.talk import Talk, now
from quadrille.ai.faults import BotFault
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from tests.ai.inside import Anything, small, talk
from tests.waiting import DEADLINE

ROOT = Path(__file__).resolve().parents[3]


def told(program: Any) -> list[str]:
    return [json.loads(line)["do"] for line in program.told]


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
    led = Led(monkeypatch, lambda line: b'{"ask": "view"}' if b'"turn"' in line else line)  # it thinks for ever
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


# A program and the dialogue with it: what is sent and heard, by one who waits and by one who looks in now and then


class Script(Program):
    """A program that has written these lines, or does so when it was waited for so long, on a machine where it gets
    such a `share` of the processor, and waits for such a share, in each second; None: the system does not tell. The
    clock goes on as often as somebody waits.
    """

    def __init__(self, *lines: str, share: tuple[float, float] | None = None, after: float = 0) -> None:
        self.command = ["bot"]
        self.now, self.hurried, self.ended_with = 0.0, 0, -1.0
        self.told: list[bytes] = []
        self._share, self._lines, self._after = share, deque(lines), after
        self.instead = lambda: iter(())  # type: ignore[method-assign]

    def send(self, line: bytes) -> None:
        self.told.append(line)

    def line(self, timeout: float | None = 0) -> bytes | None:
        if self.now >= self._after and self._lines:
            return self._lines.popleft().encode()
        self.now += min(timeout or 0, 0.05)
        return None

    def share(self) -> tuple[float, float] | None:
        return self._share and (self._share[0] * self.now, self._share[1] * self.now)

    def hurry(self) -> None:
        self.hurried += 1

    def close(self, grace: float = 0) -> None:
        self.ended_with = grace


def starts(monkeypatch: pytest.MonkeyPatch, program: Script) -> str:
    """Its fault as it greets and gets ready, if any."""
    monkeypatch.setattr(talk_module, "now", lambda: round(1000 * program.now))
    found, match = Talk(program), small("maze")
    try:
        found.greet()
        found.start(match, match.state, Seating(table="x"))
        program._after = program.now + program._after
        while not found.is_ready:
            found.hear(1)
    except BotFault as fault:
        return fault.why
    return ""


@pytest.mark.parametrize("ready", [False, True])
@pytest.mark.parametrize(
    ("share", "seconds"),
    [
        pytest.param((0, 0), 10, id="asleep on an idle machine"),
        pytest.param((1, 0), 10, id="at work on an idle machine"),
        pytest.param((2, 4), 10, id="its own threads wait for each other"),
        pytest.param((0.04, 0.96), 250, id="at work at a load of 25"),
        pytest.param((0.2, 0.3), 14.3, id="at work and asleep by turns on a busy machine"),
        pytest.param((0.001, 0.999), 300, id="it gets hardly anything"),
        pytest.param(None, 30, id="the system does not tell"),
    ],
)
def test_a_bot_has_ten_seconds_of_its_own_to_start(
    monkeypatch: pytest.MonkeyPatch, share: tuple[float, float] | None, seconds: float, ready: bool
) -> None:
    """Those in which it waits for a processor are not its own."""
    said = (HELLO, READY)
    assert starts(monkeypatch, Script(*said, share=share, after=seconds - 0.4)) == ""
    before = said[:1] if ready else ()
    why = starts(monkeypatch, Script(*before, share=share, after=1 if ready else 0))
    assert f"did not say {'that it is ready for a game' if ready else 'who it is'} within" in why
    assert float(why.partition("within ")[2].split()[0]) == pytest.approx(seconds, abs=0.3)


@pytest.mark.slow
@pytest.mark.skipif(share(os.getpid(), {}) is None, reason="this system does not tell who waits for a processor")
def test_a_bot_that_shares_its_processor_with_eight_others_starts() -> None:
    """It works for 0.3 seconds before it greets, and has 0.6: the others make that 2.7."""
    bound = f"import os, sys, time; os.sched_setaffinity(0, [{min(os.sched_getaffinity(0))}]); print(flush=True)\n"
    greets = f"while time.process_time() < 0.3: pass\nprint({HELLO!r}, flush=True); input()"
    with ExitStack() as stack:
        crowd = [stack.enter_context(Program([sys.executable, "-c", bound + "while True: pass"])) for _ in range(8)]
        assert all(one.line(DEADLINE) is not None for one in crowd)
        bot = stack.enter_context(Program([sys.executable, "-I", "-S", "-c", bound + greets]))
        assert bot.line(DEADLINE) is not None
        began = now()
        assert stack.enter_context(Talk(bot, start=600)).greet().name == "script"
        assert now() - began > 600


HELLO, READY = '{"hello": "script", "protocol": 1, "omit": ["view", "text", "moves"]}', '{"ready": true}'


def talk_of(script: Script) -> Talk:
    match = small("maze")
    found = Talk(script)
    assert found.greet().name == "script"
    found.dialogue.start(match, match.state, Seating(), now())
    assert found.hear() == Ready()
    found.dialogue.turn(match, match.state, now())
    return found


def test_many_lines_are_heard_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A screen and a peer on the network have other things to do, however long each answer takes the table."""
    script = Script(HELLO, READY, *['{"ask": "legal", "move": "a1-a2"}'] * 250, '{"turn": 1, "move": "a3-a2"}')
    found = talk_of(script)
    monkeypatch.setattr(talk_module, "now", lambda: 10 * len(script.told))
    while not isinstance(found.hear(), Chosen):
        pass
    assert script.hurried > 50 and len(script.told) == 3 + 250


def test_after_a_fault_there_is_no_more_talk() -> None:
    script = Script(HELLO, READY, "what?")
    found = talk_of(script)
    with pytest.raises(BotFault) as caught:
        found.hear()
    assert script.ended_with == 0, "its program is ended at once"
    assert found.fault is found.dialogue.fault is caught.value
    with pytest.raises(BotFault):
        found.hear()
    found.close()
    assert b"quit" not in script.told[-1]


def test_one_that_waits_is_told_in_time() -> None:
    found = talk_of(Script(HELLO, READY))
    match = small("maze")
    found.dialogue.turn(match, match.state, now() - 10, TimeTerms(patience=9))
    with pytest.raises(BotFault, match=r"did not move within 0\.009 seconds in its turn 2 of the game"):
        found.hear(60)


def test_a_game_that_is_dropped_in_its_turn_has_no_deadline() -> None:
    found = talk_of(Script(HELLO, READY))
    found.hear()
    assert found.dialogue.deadline is not None
    found.forget()
    assert found.dialogue.deadline is None
