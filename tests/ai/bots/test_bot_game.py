"""The game of bots as a machine: nothing is said before its time, and one place says it for every table."""

import re
from pathlib import Path

import pytest

from quadrille.ai.bots.lines.dialogue import Ready, Seating
from quadrille.ai.bots.local import LocalGame
from quadrille.ai.bots.talk import Talk
from tests.ai.inside import small
from tests.ai.inside import talk as inside

ROOT = Path(__file__).resolve().parents[3]


def told(talk: Talk) -> list[bytes]:
    return [line.split(b'"')[3] for line in talk.program.told]


def test_nobody_is_told_anything_when_a_game_is_made() -> None:
    talks = [inside(), inside()]
    made = LocalGame(small(), talks)
    assert [told(talk) for talk in talks] == [[], []]
    made.get_ready()
    made.get_ready()
    assert [told(talk) for talk in talks] == [[b"hello", b"start"]] * 2
    assert made.faults == {}


def test_a_seat_is_ready_for_the_game_that_it_was_told_of_last() -> None:
    bot, played = inside(), small()
    bot.hear()
    assert bot.is_greeted and not (bot.is_told or bot.is_ready)
    bot.start(played, Seating(table="one"))
    assert bot.is_told and not bot.is_ready
    assert isinstance(bot.hear(), Ready) and bot.is_ready
    bot.start(played, Seating(table="two"))
    assert not bot.is_ready
    bot.forget()
    assert isinstance(bot.hear(), Ready) and not bot.is_ready, "the game that it got ready for is none any more"


@pytest.mark.parametrize(
    ("says", "where"),
    [
        (r"\bdialogue\.(start|turn|offer|over)\(", {"talk.py"}),
        (r"\b(talk|bots\[\w+\])\.(start|ask)\(", {"player.py", "bot_game.py"}),
    ],
)
def test_one_place_leads_a_bot_where_nobody_waits_and_one_where_somebody_does(says: str, where: set[str]) -> None:
    """A second place that tells bots of a game would keep its own order of ready, ask and over."""
    files = [path for floor in ("ai", "client") for path in (ROOT / floor).rglob("*.py")]
    found = {str(path.relative_to(ROOT)) for path in files if re.search(says, path.read_text("utf-8"))}
    assert found == {f"ai/bots/{name}" for name in where}
