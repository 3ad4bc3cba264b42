"""What a guest may do, without a connection: whatever a page sends, nothing of the host's is reached."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from quadrille.client.phones.guest import GuestScreen, update_guest
from quadrille.client.phones.view import Remembered, changes, guest_parts
from quadrille.client.screen.evening import Evening, EveningEffect, EveningEvent
from quadrille.client.screen.lobby.model import LobbyScreen
from quadrille.client.screen.network.news import Around, News, PersonRow, Room, Seated, Sent, StationLeft, TableRow
from quadrille.client.screen.table.model import Entered, LookedBack, Model, Picked, ShownChair, ShownTable, Written
from quadrille.client.screen.table.terminal import Entitle, Key, Ring
from quadrille.client.table.effects import Advise, Quit, Wake
from quadrille.client.table.wishes import (
    Hinted,
    LeaveTable,
    NetworkWish,
    PlayMove,
    Save,
    StandIn,
    UnknownWord,
    Watch,
)
from quadrille.client.words.commands import GUESTS, word_of
from quadrille.client.words.phones import NOBODY_YET
from quadrille.client.words.rules import touch_blocks
from quadrille.laws.settings import Setting, setting
from quadrille.laws.walks import random_match, walk
from quadrille.rules.core import WHOLE, ToDraw
from quadrille.rules.match import Match
from quadrille.rules.registry import game, keys
from tests.client.screen.test_any_keys import ANY_SIGNS

ABOUT, TABLE = "Barons, 2 players", "ab" * 8
MATCH = Match(game("barons"), {"width": 3, "height": 3}, 2)
ROOM = Room(TABLE, "barons", "Barons", "terms", False, 2)
SEATED = Seated(TABLE, ShownTable(MATCH, (ShownChair("Ann"), ShownChair("Gus", kind="guest")), (0,), 0, local=False))


def news(front: Room | Seated | None = None, *tables: TableRow) -> News:
    return News(Around(tables), front)


def after(*events: EveningEvent) -> tuple[GuestScreen, list[EveningEffect]]:
    guest, asked = GuestScreen(ABOUT, TABLE), list[EveningEffect]()
    for event in events:
        guest, more = update_guest(guest, event)
        asked += more
    return guest, asked


def test_from_the_search_to_a_move() -> None:
    assert after(news())[0].is_looking
    guest, asked = after(news(), news(ROOM), news(SEATED), Entered("b2"))
    assert not guest.is_looking and asked[-1] == Sent(PlayMove("b2"))
    assert after(news(SEATED), Entered("quit"))[1][-1] == Sent(LeaveTable())
    assert after(news(SEATED), StationLeft(0))[1][-1] == Quit()


def test_who_comes_late_may_look_on_unless_the_table_forbids_it() -> None:
    for may in (True, False):
        row = TableRow(TABLE, "Barons", "", "Ann", 2, 2, "playing", may_watch=may)
        assert after(news(None, row))[0].may_watch is may


def test_what_is_for_others_is_refused() -> None:
    for event in (Entered("save x.txt"), Entered("stand-in 3"), Entered("stand-in ./bot.py")):
        guest, asked = after(news(SEATED), event)
        assert not any(isinstance(effect, Sent) for effect in asked), event
        front = guest.evening.front
        assert isinstance(front, Model) and (front.alarm or "own machine" in front.notice), front.notice


def test_a_hint_comes_from_the_usual_bot_where_the_table_has_hints() -> None:
    guest, asked = after(news(SEATED), Entered("hint"))
    advise = asked[-1]
    assert isinstance(advise, Advise) and advise.bot == Evening(LobbyScreen()).bot
    guest, _ = update_guest(guest, Hinted(advise.ticket, "b2"))
    parts = guest_parts(guest, Remembered())
    assert parts["draft"]["line"] == "b2" and parts["draft"]["stage"] == "legal"
    assert "hint" in {word for word, *_ in parts["words"]}
    without = replace(SEATED, table=replace(SEATED.table, hints=False))
    guest, asked = after(news(without), Entered("hint"))
    assert not any(isinstance(effect, Advise) for effect in asked)
    parts = guest_parts(guest, Remembered())
    assert parts["told"]["alarm"] and "hint" not in {word for word, *_ in parts["words"]}


#: Words of a guest, and of others.
LINES = (
    "save! x|hint|stand-in mcts|kick Ann|say x|play maze|host maze|file x.txt|name x|watch|resume|file|quit|"
    "yes|no|invite|phones|b2|load x|doctor|bots 3|new"
)
EVENTS = some.one_of(
    some.sampled_from([Key(key) for key in ("backspace", "enter", "escape")] + [news(ROOM), news(SEATED), news()]),
    some.sampled_from(LINES.split("|")).map(Entered),
    some.text(ANY_SIGNS, max_size=9).map(Entered),
    some.text(ANY_SIGNS, max_size=9).map(Written),
    some.text(ANY_SIGNS, max_size=3).map(Picked),
    some.integers(0, 5).map(LookedBack),
)


@settings(deadline=None)
@given(some.lists(EVENTS, max_size=25))
def test_whatever_is_sent_nothing_of_the_hosts_is_reached(events: list[EveningEvent]) -> None:
    for effect in after(news(SEATED), *events)[1]:
        match effect:
            case Ring() | Entitle() | Wake() | Quit() | Sent(PlayMove()):
                continue
            case Advise(bot=bot):
                assert bot == Evening(LobbyScreen()).bot
            case Sent(Watch(table)):
                assert table == TABLE
            case Sent(order) if isinstance(order, NetworkWish):
                assert word_of(order) in GUESTS and not isinstance(order, Save | StandIn | UnknownWord)
            case _:
                raise AssertionError(effect)


def test_a_seat_that_is_kept_for_a_guest_is_free_and_no_person() -> None:
    chairs = tuple(PersonRow(name, name, "person") for name in ("Ann", NOBODY_YET, "you"))
    parts = guest_parts(after(news(replace(ROOM, seats=3, chairs=chairs)))[0], Remembered())
    assert [chair["name"] for chair in parts["room"]["chairs"]] == ["Ann", "you"] and parts["room"]["seats"] == 3


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
        parts = guest_parts(GuestScreen("", "", Evening(LobbyScreen(), Model(table))), self.remembered, screen=True)
        told, self.shown = changes(parts, self.shown, 0), parts
        told.pop("log", None)  # it tells a look as "= ?" or not at all, depending on what the match has
        return json.dumps(told)


@pytest.mark.first(1)
@pytest.mark.parametrize("setting", [setting(key, {}, game(key).seats[-1]) for key in keys()], ids=str)
def test_a_screen_is_sent_no_more_than_its_view(setting: Setting) -> None:
    whole = Match(setting.game, dict(setting.options), setting.seats, viewer=WHOLE)
    spectators = Match(setting.game, dict(setting.options), setting.seats, viewer=None)
    told_of_all, told_of_view = LargeScreen(), LargeScreen()
    for step in list(walk(setting, "screens", 100))[:-1]:
        for match, move in ((whole, step.move), (spectators, step.state.mask(step.move, None))):
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
