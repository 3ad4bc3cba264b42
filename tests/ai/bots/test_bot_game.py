"""The game of bots as a machine: nothing is said before its time, and one place says it for every table."""

import re
from pathlib import Path
from typing import Any

from quadrille.ai.bots.bot_game import BotGame
from quadrille.ai.bots.lines.dialogue import Chosen, Ready
from quadrille.ai.bots.lines.time_terms import TimeTerms
from quadrille.ai.bots.local import LocalGame
from quadrille.ai.bots.talk import Talk
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.ai.inside import Anything, Inside
from tests.ai.inside import talk as inside

ROOT = Path(__file__).resolve().parents[3]


def match(seats: int = 2) -> Match:
    return Match(game("barons"), {"width": 4, "height": 4}, seats, deal=Deal("bots"))


def told(talk: Talk) -> list[bytes]:
    program: Any = talk.program
    assert isinstance(program, Inside)
    return [line.split(b'"')[3] for line in program.told]


def test_nobody_is_told_anything_when_a_game_is_made() -> None:
    talks = [inside(), inside()]
    made = LocalGame(match(), talks)
    assert [told(talk) for talk in talks] == [[], []]
    made.get_ready()
    made.get_ready()
    assert [told(talk) for talk in talks] == [[b"hello", b"start"]] * 2
    assert made.faults == {}


def test_a_seat_is_ready_for_the_game_that_it_was_told_of_last() -> None:
    bot, played = inside(), match()
    bot.hear()
    assert bot.is_greeted and not (bot.is_told or bot.is_ready)
    bot.start(played, 0, table="one")
    assert bot.is_told and not bot.is_ready
    assert isinstance(bot.hear(), Ready) and bot.is_ready
    bot.start(played, 0, table="two")
    assert not bot.is_ready
    bot.forget()
    assert isinstance(bot.hear(), Ready) and not bot.is_ready, "the game that it got ready for is none any more"


def test_a_bot_pays_for_its_turns_and_the_others_do_not() -> None:
    one = BotGame(match(), TimeTerms(TimeControl(60_000, 5), period=2), table="clocks")
    one.bots[0] = inside(Anything())
    one.bots[0].greet()
    one.start(0)
    one.ask(0)
    assert isinstance(one.hear(0), Ready)
    one.await_move(0)
    assert one.match.ply == 1 and len(one.times[0]) == 1
    assert one.clocks is not None and one.clocks.left[1] == 60_000 and one.clocks.left[0] <= 60_005


def test_terms_of_time_say_what_a_move_costs() -> None:
    free = TimeTerms(TimeControl(1000, 0), free=200)
    assert free.after(Clocks(TimeControl(1000, 0), (1000, 1000)), 1, 450.4, 1).left == (1000, 750)
    assert free.after(Clocks(TimeControl(1000, 0), (1000, 1000)), 1, 200, 1).left == (1000, 1000)
    periods = TimeTerms(TimeControl(1000, 10), period=3)
    left = periods.clocks(1)
    assert left is not None
    for number, shown in ((1, 910), (2, 820), (3, 1730), (4, 1640)):
        left = periods.after(left, 0, 100, number)
        assert left.left == (shown,)
    assert TimeTerms().clocks(2) is None


def test_only_one_place_says_the_lines_of_a_game() -> None:
    """A second place that tells bots of a game would keep its own order of ready, ask and over."""
    says = re.compile(r"\bdialogue\.(start|turn|offer|over)\(")
    files = [path for floor in ("ai", "client") for path in (ROOT / floor).rglob("*.py")]
    found = {str(path.relative_to(ROOT)) for path in files if says.search(path.read_text("utf-8"))}
    assert found == {"ai/bots/talk.py"}


def test_a_chosen_move_is_played_once() -> None:
    one = BotGame(match())
    for seat in (0, 1):
        one.bots[seat] = inside()
        one.bots[seat].greet()
        one.start(seat)
    while one.match.over is None:
        seat = one.match.state.board.turn
        one.ask(seat)
        event = one.hear(seat, 1)
        while not isinstance(event, Chosen):
            event = one.hear(seat, 1)
        one.pay(seat)
        one.match.play(event.move)
    assert sum(map(len, one.times)) == one.match.ply
