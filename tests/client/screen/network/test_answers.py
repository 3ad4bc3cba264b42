"""Answers to open questions: y and n, yes and no, Enter and Esc mean the same, whoever asks."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from quadrille.client.screen.evening import Evening
from quadrille.client.screen.network.news import News, PersonRow
from quadrille.client.screen.network.session import seated as shown_seat
from quadrille.client.screen.table.model import Question, SitDown
from quadrille.client.screen.table.terminal import Told
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.wishes import BareWish, PlayMove, WrittenDown
from quadrille.client.words.answers import LETTERS, PRESSED, TYPED
from quadrille.net.seating.lobby import Invited
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.evening import Evening as Network
from tests.client.evening import barons
from tests.client.parties import ScreenParty
from tests.client.screen.keyboard import after, pasted, press, prose, text
from tests.client.screen.network.scenes import AROUND, EMPTY, PEOPLE, ROOM, evening
from tests.client.screen.network.test_lobby import orders, waiting
from tests.client.screen.network.test_looking_on import before, model, seated

#: What a person presses, one key after another, or pastes as a line.
YES = [["y"], ["Y"], ["enter"], ["y", "enter"], [*"yes"], [*"yes", "enter"], [*"YES", "enter"]]
NO = [["n"], ["N"], ["escape"], ["n", "enter"], [*"no"], [*"no", "enter"], [*"No", "enter"]]
WAYS: list[tuple[list[str] | str, bool]] = [
    *((keys, True) for keys in (*YES, "y", "Yes ")),
    *((keys, False) for keys in (*NO, "n", "no")),
]


def at_own(key: str = "barons", bots: tuple[str, ...] = ("", "")) -> Evening:
    return after(evening(), SitDown(GameSetup.of(Match(game(key), None, len(bots), deal=Deal("s")), bots)))[0]


def asked(**more: object) -> Evening:
    return before(seated(1, banner=f"Ben proposes a draw. {TYPED}", asks=True, **more))


def leaving(*, hosts: bool, chairs: tuple[PersonRow, ...] = ROOM.chairs, key: str = "escape") -> Evening:
    room, effects = press(after(evening(), News(AROUND, replace(ROOM, hosts=hosts, chairs=chairs)))[0], key)
    assert not orders(effects)
    return room


YOU = PersonRow("09" * 32, "you", "person")
AGREED, DECLINED, LEFT = [BareWish.AGREE], [BareWish.DECLINE], [BareWish.LEAVE]
#: Who asks: how the question comes, its words, and what a yes and a no order.
ASKERS: dict[str, tuple[Callable[[], Evening], str, list[object], list[object]]] = {
    "the table of one's own": (lambda: press(at_own(), "f4")[0], "A draw?", [], []),
    "another person": (asked, "Ben proposes a draw.", AGREED, DECLINED),
    "a room": (lambda: leaving(hosts=True), "Close the table?", LEFT, []),
    "a room with a person": (
        lambda: leaving(hosts=True, chairs=(YOU, PEOPLE[0]), key="c-q"),
        "Close the table? Ben must go then.",
        LEFT,
        [],
    ),
    "an empty room": (lambda: leaving(hosts=True, chairs=()), "Close the table?", LEFT, []),
    "a room of others": (lambda: leaving(hosts=False, chairs=(YOU, PEOPLE[0])), "Give your seat back?", LEFT, []),
}


@pytest.mark.parametrize("asker", ASKERS)
def test_a_question_is_answered_in_every_way(asker: str) -> None:
    begin, question, agreed, declined = ASKERS[asker]
    there = begin()
    assert f"{question} {PRESSED}" in prose(there)
    for keys, yes in WAYS:
        answered, effects = pasted(there, keys) if isinstance(keys, str) else press(there, *keys)
        assert orders(effects) == (agreed if yes else declined), keys
        shown = answered.front or answered.lobby
        assert shown.line.text == "" and not shown.alarm, keys
        assert asker == "another person" or PRESSED not in text(answered), keys
        if asker == "the table of one's own":
            assert (model(answered).table.match.over is not None) is yes and model(answered).overlay is None
            if not yes:  # what is typed next is no part of the answer
                assert model(pasted(answered, "e4")[0]).table.match.ply == 1
                assert model(press(answered, *"e4", "enter")[0]).table.match.ply == 1


def test_a_no_in_a_replay_does_not_ask_again() -> None:
    there = press(pasted(at_own(), "a1")[0], "f5", "home", "enter")[0]
    assert isinstance(model(there).overlay, Question)
    for keys in NO:
        after_no = model(press(there, *keys)[0])
        assert after_no.overlay is None and after_no.replay is not None and after_no.line.text == ""


def test_a_yes_that_leaves_leaves_nothing_in_the_lobby() -> None:
    asked_there = press(after(pasted(at_own(), "a1")[0], WrittenDown("the disk is full"))[0], "c-q")[0]
    for keys in YES:
        there = press(asked_there, *keys)[0]
        assert there.front is None and there.lobby.line.text == "" and not there.lobby.notice


# What others propose


def test_what_is_typed_or_picked_is_no_answer() -> None:
    """A proposal comes while a person makes a move: Enter and Esc still belong to that."""
    there = before(seated(2))
    proposed = seated(2, banner=f"Ben proposes a draw. {TYPED}", asks=True)
    typing = after(press(there, *"c3")[0], News(EMPTY, proposed))[0]
    assert [type(order).__name__ for order in orders(press(typing, "enter")[1])] == ["PlayMove"]
    assert not orders(press(typing, "escape")[1])
    picking = after(press(there, "down")[0], News(EMPTY, proposed))[0]
    assert f"Ben proposes a draw. {LETTERS}" in text(picking)
    assert not orders(press(picking, "enter")[1]) and model(press(picking, "enter")[0]).line.text
    assert orders(press(picking, "y")[1]) == [BareWish.AGREE]
    looking = press(asked(), "f5")[0]
    assert not orders(press(looking, "enter", "escape", "escape")[1])


def test_a_question_that_is_not_to_be_read_is_not_answered_by_enter() -> None:
    there = after(asked(), Told("Something else."))[0]
    assert PRESSED not in text(there)
    for key in ("enter", "escape"):
        again, effects = press(there, key)
        assert not orders(effects) and PRESSED in text(again) and orders(press(again, key)[1])
    assert orders(press(there, "n")[1]) == [BareWish.DECLINE]


@pytest.mark.parametrize("wants", ["Ben proposes a draw.", "Ben wants a rematch."])
def test_an_offer_is_shown_and_answered_while_the_line_holds_an_error(wants: str) -> None:
    there = press(before(seated(2)), *"xy", "enter")[0]
    there = after(there, News(EMPTY, seated(2, banner=f"{wants} {TYPED}", asks=True)))[0]
    shown = prose(there)
    assert f"{wants} {LETTERS}" in shown and "is no square" in shown and model(there).line.text == "xy"
    again = press(there, "enter")[0]  # the error once more, and the offer stays
    assert f"{wants} {LETTERS}" in prose(again)
    answered, effects = press(there, "y")
    assert orders(effects) == [BareWish.AGREE] and not model(answered).line.text
    typing = press(there, "c", "3")[0]
    assert f"{wants} Esc clears the line. Then {LETTERS}" in prose(typing)
    assert orders(press(typing, "escape", "n")[1]) == [BareWish.DECLINE]


def test_a_letter_that_begins_a_square_is_typed() -> None:
    match = Match(game("barons"), {"width": 15, "height": 3}, 2, deal=Deal("s"))
    there = seated(0, banner=f"Ben proposes a draw. {TYPED}", asks=True)
    wide = before(replace(there, match=match))
    typing, effects = press(wide, "n")
    assert not orders(effects) and model(typing).line.text == "n"
    assert orders(press(typing, "enter")[1]) == [BareWish.DECLINE]
    assert orders(press(wide, *"n1", "enter")[1]) != [BareWish.DECLINE]


def test_nothing_is_asked_once_a_move_is_made() -> None:
    there = before(seated(0, banner=f"Ben proposes a draw. {TYPED}", asks=True))
    moved, effects = pasted(there, "b2")
    assert orders(effects) == [PlayMove("b2")] and PRESSED not in text(moved)
    assert not orders(press(moved, "escape")[1])
    for keys in (["enter"], ["escape"], ["y"], ["n"]):  # nothing is answered where nothing is asked
        assert not orders(press(before(seated(1)), *keys)[1])


def test_a_move_in_answer_to_an_offer_is_told() -> None:
    made = Network(barons()).begin()
    made.type("p1", "draw")
    made.type("p0", "a1")
    assert "player 1 (p0) plays on, so the proposal lapses." in made.told("p1")
    assert "lapses" not in made.type("p1", "draw") + made.told("p0")
    assert "lapses" not in made.type("p1", "b2")


# A rematch


def after_the_end() -> Network:
    """Two at a table that is over; the second is invited to play once more."""
    made = Network(barons()).begin()
    made.type("p0", "resign")
    table = made.table("p1").table.log.now
    made.table("p1").hear(Invited(made.peers[0].identity.key, b"t" * 16, table.terms))
    return made


def test_a_rematch_is_a_question_on_the_screen_and_in_lines_and_a_no_is_not_final() -> None:
    talk = after_the_end().table("p1")
    shown = shown_seat(talk.stage, (), here=1)
    assert f"p0 wants a rematch. {PRESSED}" in text(before(shown))
    talk.typed("n")
    assert talk.stage.onward is None and not shown_seat(talk.stage, (), here=1).asks
    talk.typed("rematch")
    assert talk.stage.onward is not None
    (yes := after_the_end().table("p1")).typed("y")
    assert yes.stage.onward is not None


@pytest.mark.parametrize("answer", ["n", "quit"])
def test_who_wants_a_rematch_is_told_of_a_no(answer: str) -> None:
    made = Network(barons()).begin()
    made.type("p0", "resign")
    made.type("p0", "rematch")
    assert "wants a rematch." in made.told("p1")
    made.type("p1", answer)
    assert "declines the rematch." in made.told("p0")


def test_a_refusal_of_the_network_is_an_alarm_and_whatever_else_it_says_is_none() -> None:
    party = ScreenParty(barons(2), 2)
    party.settle(3000)
    host, other = (party.people[name] for name in ("p0", "p1"))
    for line, is_refused in (("invite nobody", True), ("say hello", False)):
        party.enter("p0", line)
        party.settle(1000)
        assert model(host.evening).alarm is is_refused, model(host.evening).notice
    assert "hello" in model(other.evening).notice and not model(other.evening).alarm


# The room before a game


def test_the_question_stays_to_be_read_while_others_come() -> None:
    room = press(waiting(), "escape")[0]
    room = after(room, News(AROUND, ROOM, ("Ben is not here.",)), Told("Something else."))[0]
    assert f"Close the table? {PRESSED}" in text(room)
    room = after(room, News(AROUND, replace(ROOM, chairs=(*ROOM.chairs, PEOPLE[0]))))[0]
    assert "Ben must go then." in text(room) and orders(press(room, "y")[1]) == [BareWish.LEAVE]
