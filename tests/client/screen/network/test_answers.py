"""Answers to open questions: y and n, yes and no, Enter and Esc mean the same, whoever asks."""

from dataclasses import replace

import pytest

from quadrille.client.screen.evening import Evening
from quadrille.client.screen.evening_events import Dealt
from quadrille.client.screen.network.news import News, PersonRow
from quadrille.client.screen.network.views import seated as shown_seat
from quadrille.client.screen.table.model import Model, Question
from quadrille.client.screen.table.terminal import Key, Told
from quadrille.client.table.network.wishes import BareWish, LeaveTable, PlayMove
from quadrille.client.table.wishes import WrittenDown
from quadrille.client.words.answers import LETTERS, PRESSED, TYPED
from quadrille.client.words.network.terms import arbiter_question
from quadrille.net.seating.lobby import Invited
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.evening import Evening as Network
from tests.client.parties import ScreenParty
from tests.client.screen.network.scenes import AROUND, EMPTY, PEOPLE, ROOM, evening
from tests.client.screen.network.test_lobby import after, orders, press, text, typed, waiting
from tests.client.screen.network.test_looking_on import before, model, seated
from tests.client.stories import STRANGER, barons
from tests.client.test_arbiters import at_choice
from tests.net.tables import terms

#: What a person presses, one key after another.
YES = [["y"], ["Y"], ["enter"], ["y", "enter"], [*"yes"], [*"yes", "enter"], [*"YES", "enter"]]
NO = [["n"], ["N"], ["escape"], ["n", "enter"], [*"no"], [*"no", "enter"], [*"No", "enter"]]
WAYS = [*((keys, True) for keys in YES), *((keys, False) for keys in NO)]


def at_own(key: str = "barons", bots: tuple[str, ...] = ("", "")) -> Evening:
    return after(evening(), Dealt(Match(game(key), None, len(bots), deal=Deal("s")), bots))[0]


# Questions of the screen's own


@pytest.mark.parametrize(("keys", "yes"), WAYS)
def test_an_own_question_is_answered_in_every_way(keys: list[str], yes: bool) -> None:
    there = press(at_own(), "f4")[0]
    assert f"A draw? {PRESSED}" in text(there)
    there = press(there, *keys)[0]
    assert (model(there).table.match.over is not None) is yes
    assert model(there).overlay is None and model(there).line.text == "" and not model(there).alarm
    if not yes:  # what is typed next is no part of the answer
        assert model(typed(there, "e4")[0]).table.match.ply == 1
        assert model(press(there, *"e4", "enter")[0]).table.match.ply == 1


def test_a_no_in_a_replay_does_not_ask_again() -> None:
    there = press(typed(at_own(), "a1")[0], "f5", "home", "enter")[0]
    assert isinstance(model(there).overlay, Question)
    for keys in NO:
        after_no = model(press(there, *keys)[0])
        assert after_no.overlay is None and after_no.replay is not None and after_no.line.text == ""


@pytest.mark.parametrize("keys", YES)
def test_a_yes_that_leaves_leaves_nothing_in_the_lobby(keys: list[str]) -> None:
    there = after(typed(at_own(), "a1")[0], WrittenDown("the disk is full"))[0]
    there = press(there, "c-q", *keys)[0]
    assert there.front is None and there.lobby.line.text == "" and not there.lobby.notice


# What others propose


def asked(**more: object) -> Evening:
    return before(seated(1, banner=f"Ben proposes a draw. {TYPED}", asks=True, **more))


@pytest.mark.parametrize(("keys", "yes"), WAYS)
def test_a_proposal_of_others_is_answered_in_every_way(keys: list[str], yes: bool) -> None:
    there = asked()
    assert f"Ben proposes a draw. {PRESSED}" in text(there)
    there, effects = press(there, *keys)
    assert orders(effects) == [BareWish.AGREE if yes else BareWish.DECLINE]
    assert model(there).line.text == "" and not model(there).alarm


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
    shown = " ".join(text(there).split())
    assert f"{wants} {LETTERS}" in shown and "is no square" in shown and model(there).line.text == "xy"
    again = press(there, "enter")[0]  # the error once more, and the offer stays
    assert f"{wants} {LETTERS}" in " ".join(text(again).split())
    answered, effects = press(there, "y")
    assert orders(effects) == [BareWish.AGREE] and not model(answered).line.text
    typing = press(there, "c", "3")[0]
    assert f"{wants} Esc clears the line. Then {LETTERS}" in " ".join(text(typing).split())
    assert orders(press(typing, "escape", "n")[1]) == [BareWish.DECLINE]


def test_a_letter_that_begins_a_square_is_typed() -> None:
    match = Match(game("barons"), {"width": 15, "height": 3}, 2, deal=Deal("s"))
    there = seated(0, banner=f"Ben proposes a draw. {TYPED}", asks=True)
    wide = before(replace(there, table=replace(there.table, match=match)))
    typing, effects = press(wide, "n")
    assert not orders(effects) and model(typing).line.text == "n"
    assert orders(press(typing, "enter")[1]) == [BareWish.DECLINE]
    assert orders(press(wide, *"n1", "enter")[1]) != [BareWish.DECLINE]


def test_nothing_is_answered_where_nothing_is_asked() -> None:
    for keys in (["enter"], ["escape"], ["y"], ["n"]):
        assert not orders(press(before(seated(1)), *keys)[1])


def test_nothing_is_asked_once_a_move_is_made() -> None:
    """While the move was on its way, Esc was taken for an answer to what had lapsed."""
    there = before(seated(0, banner=f"Ben proposes a draw. {TYPED}", asks=True))
    moved, effects = typed(there, "b2")
    assert orders(effects) == [PlayMove("b2")] and PRESSED not in text(moved)
    assert not orders(press(moved, "escape")[1])


def test_a_move_in_answer_to_an_offer_is_told() -> None:
    made = Network(terms("barons", 2, {"width": 3, "height": 3}, lot=False))
    made.begin()
    made.type("p1", "draw")
    made.type("p0", "a1")
    assert "player 1 (p0) plays on, so the proposal lapses." in made.told("p1")
    assert "lapses" not in made.type("p1", "draw") + made.told("p0")
    assert "lapses" not in made.type("p1", "b2")


# A rematch


def after_the_end() -> Network:
    """Two at a table that is over; the second is invited to play once more."""
    made = Network(terms("barons", 2, {"width": 3, "height": 3}, lot=False))
    made.begin()
    made.type("p0", "resign")
    table = made.table("p1").table.log.now
    made.table("p1").hear(Invited(made.peers[0].identity.key, b"t" * 16, table.terms))
    return made


def test_a_rematch_is_a_question_on_the_screen() -> None:
    stage = after_the_end().table("p1").stage
    there = before(shown_seat(stage, (), cut_off=False, here=1))
    assert f"p0 wants a rematch. {PRESSED}" in text(there)
    assert orders(press(there, "y")[1]) == [BareWish.AGREE] and orders(press(there, "escape")[1]) == [BareWish.DECLINE]


@pytest.mark.parametrize("line", ["y", "yes", "rematch"])
def test_a_yes_to_a_rematch_sits_down(line: str) -> None:
    made = after_the_end()
    assert "wants a rematch. Type yes or no." in made.told("p1")
    made.talks["p1"].typed(line)
    assert made.talks["p1"].stage.onward is not None


@pytest.mark.parametrize("line", ["n", "no"])
def test_a_no_to_a_rematch_is_understood_and_not_final(line: str) -> None:
    made = after_the_end()
    talk = made.table("p1")
    talk.typed(line)
    assert "You decline the rematch." in made.told("p1") and talk.stage.onward is None
    assert not shown_seat(talk.stage, (), cut_off=False, here=1).table.asks
    talk.typed("n")
    assert "Nobody has proposed anything" in made.told("p1")
    talk.typed("rematch")
    assert talk.stage.onward is not None


@pytest.mark.parametrize("answer", ["n", "quit"])
def test_who_wants_a_rematch_is_told_of_a_no(answer: str) -> None:
    """Nothing was said when the other one declined, or left."""
    made = Network(terms("barons", 2, {"width": 3, "height": 3}, lot=False))
    made.begin()
    made.type("p0", "resign")
    made.type("p0", "rematch")
    assert "wants a rematch." in made.told("p1")
    made.type("p1", answer)
    assert "declines the rematch." in made.told("p0")


# Plain lines


@pytest.mark.parametrize(("line", "told"), [("y", "You have a seat."), ("n", "You stay out of that table.")])
def test_plain_lines_understand_a_letter_about_an_arbiter(line: str, told: str) -> None:
    made, talk = at_choice()
    assert not talk.holds(line) and talk.stage.arbiter_asked is not None
    assert arbiter_question(talk.stage.arbiter_asked).endswith(f"Sit down anyway? {TYPED}")
    assert told in made.type("p1", line)


# In the lobby


@pytest.mark.parametrize(("keys", "yes"), WAYS)
def test_a_question_about_an_arbiter_is_answered_in_every_way(keys: list[str], yes: bool) -> None:
    question = f"An arbiter may put you out of the game here. Sit down anyway? {TYPED}"
    told = ("An arbiter may put you out of the game here. Type yes to sit down anyway, or no.",)
    there = after(evening(), News(AROUND, None, told, searching=True, question=question))[0]
    assert f"Sit down anyway? {PRESSED}" in " ".join(text(there).split())
    there, effects = press(there, *keys)
    assert orders(effects) == [BareWish.AGREE if yes else BareWish.DECLINE] and there.lobby.line.text == ""


@pytest.mark.parametrize(("key", "sits"), [("y", True), ("enter", True), ("n", False), ("escape", False)])
def test_the_lobby_asks_about_an_arbiter_until_it_is_answered(key: str, sits: bool) -> None:
    party = ScreenParty(barons(3), 3, guests=0)
    party.choose("p4", "p1", sits=True)
    party.open("p1", barons(2, arbiter=STRANGER))
    party.settle(3000)
    who = party.people["p4"]
    who.update(Key("down"))  # what was said is gone then
    assert f"Sit down anyway? {PRESSED}" in " ".join(text(who.evening).split())
    who.update(Key(key))
    party.settle(3000)
    assert isinstance(who.evening.front, Model) is sits and PRESSED not in text(who.evening)


def test_letters_in_the_lobby_are_typed_where_nothing_is_asked() -> None:
    assert press(evening(), *"new")[0].lobby.line.text == "new"
    assert not orders(press(evening(), "y")[1]) and not orders(press(evening(), "escape")[1])


# The room before a game


@pytest.mark.parametrize(("keys", "yes"), WAYS)
@pytest.mark.parametrize("hosts", [True, False])
def test_a_waiting_room_asks_before_esc_leaves_it(keys: list[str], yes: bool, hosts: bool) -> None:
    """It closed the table at once."""
    chairs = (PersonRow("09" * 32, "you", "person"), PEOPLE[0])
    for there in (ROOM, replace(ROOM, chairs=()), replace(ROOM, chairs=chairs)):
        room = after(evening(), News(AROUND, replace(there, hosts=hosts)))[0]
        room, effects = press(room, "escape")
        assert not orders(effects) and PRESSED in text(room)
        assert ("Close the table?" if hosts else "Give your seat back?") in text(room)
        there_after, effects = press(room, *keys)
        assert orders(effects) == ([LeaveTable()] if yes else [])
        assert PRESSED not in text(there_after) and not isinstance(there_after.front, Model)


def test_the_question_stays_to_be_read_while_others_come() -> None:
    room = press(waiting(), "escape")[0]
    room = after(room, News(AROUND, ROOM, ("Ben is not here.",)), Told("Something else."))[0]
    assert f"Close the table? {PRESSED}" in text(room)
    room = after(room, News(AROUND, replace(ROOM, chairs=(*ROOM.chairs, PEOPLE[0]))))[0]
    assert "Ben must go then." in text(room) and orders(press(room, "y")[1]) == [LeaveTable()]


def test_a_no_can_be_pasted_in_a_waiting_room() -> None:
    room = press(waiting(), "escape")[0]
    assert not orders(typed(room, "no")[1]) and orders(typed(room, "yes")[1]) == [LeaveTable()]


@pytest.mark.parametrize(("line", "yes"), [("y", True), ("yes", True), ("Yes ", True), ("n", False), ("no", False)])
def test_an_answer_can_be_pasted(line: str, yes: bool) -> None:
    there = typed(press(at_own(), "f4")[0], line)[0]
    assert (model(there).table.match.over is not None) is yes and model(there).line.text == ""
