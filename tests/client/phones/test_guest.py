"""What a guest may do, without a connection: whatever a page sends, nothing of the host's is reached."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from quadrille.client.phones.board import Easel
from quadrille.client.phones.guests import Lead
from quadrille.client.phones.requests import PlayLine, Word
from quadrille.client.phones.view import Remembered, changes, place_parts
from quadrille.client.screen.table.draw import scene_of
from quadrille.client.screen.table.model import Entered, LookedBack, Model, Picked, ShownChair, ShownTable, Written
from quadrille.client.screen.table.terminal import Key
from quadrille.client.table.notices import HintGiven, Why
from quadrille.client.table.wishes import Advise, BareWish, Hinted, NetworkWish, OtherLine, PlayMove, Save
from quadrille.client.words.commands import GUESTS, word_of
from quadrille.client.words.phones import HINTS_REST, SLOWLY
from quadrille.client.words.rules import touch_blocks
from quadrille.laws.settings import Setting, setting
from quadrille.laws.walks import random_match, walk
from quadrille.net.core.limits import Bucket, Pace
from quadrille.rules.core import WHOLE, ToDraw
from quadrille.rules.match import Deal, Match, mask
from quadrille.rules.registry import game, keys
from tests.client.evening import StillSeat
from tests.client.screen.test_any_keys import ANY_SIGNS

TABLE = "ab" * 8
MATCH = Match(game("barons"), {"width": 3, "height": 3}, 2)
SEATED = ShownTable(MATCH, (ShownChair("Ann"), ShownChair("Gus", kind="guest")), (0,), 0, local=False, id=TABLE)


def after(*events: Any, front: ShownTable = SEATED) -> tuple[StillSeat, list[Any]]:
    """A seat on pages after these events, and the wishes that it has made."""
    wishes: list[Any] = []
    seat = StillSeat(wishes.append, lambda: None)
    seat.hear(front, (), "", alarm=False)
    for event in events:
        seat._event(event)
    return seat, wishes


@pytest.mark.parametrize("line", ["save x.txt", "stand-in 3", "Stand-in  /etc/host", "stand-in ./b.py", "quit", "chat"])
def test_what_is_for_others_is_refused_without_a_word_of_the_hosts_files(line: str) -> None:
    seat, wishes = after(Entered(line))
    assert not wishes and isinstance(seat.front, Model)
    assert "file" not in seat.front.notice
    assert seat.front.alarm or "own machine" in seat.front.notice, seat.front.notice


@pytest.mark.parametrize(
    ("key", "place", "told"),
    [
        ("coin-isolation", "", "Choose the side from which you enter."),
        ("maze", "", "Touch a marked place."),
        ("dotter", "p1 1a", "Nothing lies there."),
    ],
)
def test_a_phone_is_told_where_to_begin_and_why_a_touch_does_nothing(key: str, place: str, told: str) -> None:
    played = game(key)
    match = Match(played, {}, 2, deal=Deal("begin"))
    assert match.turn is not None
    table = ShownTable(match, (ShownChair("you"), ShownChair("Ann")), (match.turn,), match.turn, local=False)
    seat, wishes = after(*[Picked(place)] * bool(place), front=table)
    assert place_parts(seat, Remembered())["told"] == {"text": told, "alarm": bool(place)} and not wishes


def test_a_move_that_was_taken_back_can_be_made_again_and_one_said_twice_is_one() -> None:
    match, move = MATCH.copy(), PlayLine(0, "a1")
    seat, wishes = after(front=replace(SEATED, match=match.copy()))
    seat.obey(None, move)
    seat.obey(None, move)  # another page of the same seat
    match.play("a1")
    seat.hear(replace(SEATED, match=match.copy()), (), "", alarm=False)
    seat.obey(None, move)
    assert wishes == [PlayMove("a1")]
    match.undo()
    seat.hear(replace(SEATED, match=match.copy()), (), "", alarm=False)
    seat.obey(None, move)
    assert wishes == [PlayMove("a1")] * 2


def test_a_guest_who_talks_without_end_is_told_so_and_the_host_keeps_a_voice() -> None:
    seat, wishes = after()
    told = list[str]()
    seat._lines, seat.pages = Bucket(Pace(3, 60_000)), [SimpleNamespace(refuse=told.append)]
    for request in (Word("say", "a"), Word("", "say b"), PlayLine(0, "say c"), *[Word("say", "more")] * 9):
        seat.obey(None, request)
    assert len(wishes) == 3 and told == [SLOWLY] * 9
    seat.obey(None, PlayLine(0, "a1"))
    assert wishes[3:] == [PlayMove("a1")]


def test_a_large_screen_tells_the_last_move_and_no_notice_from_moves_ago() -> None:
    match, chairs = Match(game("barons"), {"width": 3, "height": 3}, 2), (ShownChair("Ann"), ShownChair("Ben"))
    seat = StillSeat(None, lambda: None)
    seat.guest = None
    for said, move in (("Ben is back.", "a1"), ("", "b1"), ("", "a2")):
        match.play(move)
        seat.hear(ShownTable(match.copy(), chairs, (), None, local=False, id=TABLE), (), said, alarm=False)
    parts = place_parts(seat, Remembered())
    assert parts["told"]["text"] == "Ann: a2; scores 2 for 1 connection."
    assert parts["stage"] == "screen"


def test_a_hint_comes_from_the_usual_bot_where_the_table_has_hints_and_not_too_often() -> None:
    seat, _ = after(Entered("hint"))
    assert place_parts(seat, Remembered())["told"] == {"text": HINTS_REST, "alarm": True}
    seat._hints = SimpleNamespace(take=lambda _: True)
    asked: list[Any] = []
    seat._bots = SimpleNamespace(advise=asked.append)
    seat._event(Entered("hint"))
    (advise,) = asked
    assert isinstance(advise, Advise) and advise.bot == Model(SEATED).bot
    seat._event(Hinted(advise.ticket, HintGiven(advise.bot, "b2")))
    parts = place_parts(seat, Remembered())
    assert parts["draft"]["line"] == "b2" and parts["draft"]["stage"] == "legal"
    assert "hint" in {word for word, *_ in parts["words"]}
    seat.hear(replace(SEATED, no_hint=Why.NO_HINTS), (), "", alarm=False)
    seat._event(Entered("hint"))
    parts = place_parts(seat, Remembered())
    assert len(asked) == 1 and parts["told"]["alarm"] and "hint" not in {word for word, *_ in parts["words"]}


#: Words of a guest, and of others.
LINES = (
    "save! x|hint|stand-in mcts|kick Ann|say x|play maze|host maze|file x.txt|name x|watch|resume|file|quit|"
    "yes|no|invite|phones|b2|load x|doctor|bots 3|new"
)
EVENTS = some.one_of(
    some.sampled_from([Key(key) for key in ("backspace", "enter", "escape")]),
    some.sampled_from(LINES.split("|")).map(Entered),
    some.text(ANY_SIGNS, max_size=9).map(Entered),
    some.text(ANY_SIGNS, max_size=9).map(Written),
    some.text(ANY_SIGNS, max_size=3).map(Picked),
    some.integers(0, 5).map(LookedBack),
)


@settings(deadline=None)
@given(some.lists(EVENTS, max_size=25))
def test_whatever_is_sent_nothing_of_the_hosts_is_reached(events: list[Any]) -> None:
    for wish in after(*(event for event in events if event != Entered("hint")))[1]:
        assert isinstance(wish, NetworkWish) and wish is not BareWish.LEAVE and not isinstance(wish, Save | OtherLine)
        assert isinstance(wish, PlayMove) or word_of(wish) in GUESTS


def test_rules_tell_a_guest_what_to_touch_and_nothing_to_type() -> None:
    for key in keys():
        blocks = list(touch_blocks(game(key)))
        told = "\n".join(blocks)
        assert not re.search(r"Type |type (its|`|side)|such as e4|## Options|\w=\w|`|^#+ Rulings|preset", told), key
        drawn = [block for block in blocks if block.endswith("\n")]
        assert drawn and all(len(line) <= 44 for block in drawn for line in block.split("\n")), key
        assert all("\n" not in block for block in blocks if block not in drawn)
        assert told.endswith(f"{game(key).credit}.")


# What a large screen is sent is a function of what anybody may see: no hidden card, in any game, whatever is dealt


class LargeScreen:
    def __init__(self) -> None:
        self.remembered, self.shown = Remembered(), dict[str, Any]()

    def sent(self, match: Match) -> str:
        chairs = tuple(ShownChair(f"seat {seat}") for seat in range(match.state.seats))
        table = ShownTable(match, chairs, (), None, local=False)
        parts = place_parts(SimpleNamespace(front=Model(table), guest=None, lead=Lead()), self.remembered)
        told, self.shown = changes(parts, self.shown), parts
        return json.dumps(told)


@pytest.mark.first(1)
@pytest.mark.parametrize("setting", [setting(key, {}, game(key).seats[-1]) for key in keys()], ids=str)
def test_a_screen_is_sent_no_more_than_its_view(setting: Setting) -> None:
    whole = Match(setting.game, dict(setting.options), setting.seats, viewer=WHOLE)
    spectators = Match(setting.game, dict(setting.options), setting.seats, viewer=None)
    told_of_all, told_of_view = LargeScreen(), LargeScreen()
    for step in list(walk(setting, "screens", 100))[:-1]:
        for match, move in ((whole, step.move), (spectators, mask(step.state, step.move, None))):
            if isinstance(step.state.pending, ToDraw):
                match.answer(move)
            else:
                match.play(move)
        assert told_of_all.sent(whole) == told_of_view.sent(spectators)


@pytest.mark.parametrize("setting", [setting(key, {}, game(key).seats[0]) for key in keys()], ids=str)
def test_lines_that_are_remembered_are_those_of_the_game(setting: Setting) -> None:
    match, remembered = random_match(setting, "lines", 40), Remembered()
    for number in (*range(len(match.entries) + 1), 3, 9, len(match.entries)):  # moves are taken back, too
        one = match.before(min(number, len(match.entries)))
        table = ShownTable(one, tuple(ShownChair("x") for _ in range(setting.seats)), (), None, local=False)
        assert remembered.log(table) == Remembered().log(table)


def test_each_card_can_be_touched_also_where_another_row_lay() -> None:
    match, easel = random_match(setting("dotter", {"laps": 1}, 2), "touched"), Easel()
    for number in range(match.length):
        board = easel.draw(scene := scene_of(match.after(number)), ("Ann", "Ben"))[0]["board"]
        rows = [row for row in scene.rows if row.seat is not None]
        lie = {name for row in rows for name, mark in zip(row.places, row.marks, strict=True) if mark}
        assert lie <= {name for name, *_ in board["places"]}, f"after {number} moves"
