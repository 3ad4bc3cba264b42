"""The game of bots as a machine: nothing is said before its time, and one place says it for every table."""

import re
from pathlib import Path
from typing import Any

from quadrille.ai.bots.lines.dialogue import Ready
from quadrille.ai.bots.local import LocalGame
from quadrille.ai.bots.talk import Talk
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.ai.inside import Inside
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


def test_only_one_place_says_the_lines_of_a_game() -> None:
    """A second place that tells bots of a game would keep its own order of ready, ask and over."""
    says = re.compile(r"\bdialogue\.(start|turn|offer|over)\(")
    files = [path for floor in ("ai", "client") for path in (ROOT / floor).rglob("*.py")]
    found = {str(path.relative_to(ROOT)) for path in files if says.search(path.read_text("utf-8"))}
    assert found == {"ai/bots/talk.py"}
