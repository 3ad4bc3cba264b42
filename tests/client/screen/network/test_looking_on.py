"""A table on the network before one who looks on, one whose opponent is gone, one that rests; all without a network."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from quadrille.client.picture.film import FilmedMatch
from quadrille.client.screen.evening import Evening
from quadrille.client.screen.lobby.model import NewGame
from quadrille.client.screen.network.news import News, PersonRow
from quadrille.client.screen.table.messages import menu_rows
from quadrille.client.screen.table.model import Closed, Model, Question, ShownChair, ShownTable, SitDown
from quadrille.client.screen.table.shown import replay_of
from quadrille.client.screen.table.shown import seated as seen
from quadrille.client.screen.table.terminal import Line, Resized, Ring, Told
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.notices import EveningTold, Why
from quadrille.client.table.wishes import Advise, BareWish, PlayMove, TextWish, Verb, WrittenDown
from quadrille.client.words.answers import LETTERS, PRESSED, TYPED
from quadrille.client.words.terms import terms_text
from quadrille.net.entries.terms import HINTS, Terms
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.evening import Evening as Network
from tests.client.evening import barons
from tests.client.screen.keyboard import after, pasted, played, press, prose, text
from tests.client.screen.network.scenes import AROUND, EMPTY, PEOPLE, ROOM, evening, shut_by
from tests.client.screen.network.test_lobby import orders
from tests.net.tables import terms

MOVES = ("", "b2", "b2, a1", "b2, a1, c3")


def seated(
    plies: int = 2, seat: int | None = 0, *, key: str = "barons", waits: bool = False, **more: object
) -> ShownTable:
    match = played(key, MOVES[plies], {"width": 3, "height": 3} if key == "barons" else None, 2)
    mine = () if seat is None else (seat,)
    chairs = ShownChair("Ann"), ShownChair("Ben")
    return ShownTable(match, chairs, mine, seat, local=False, link="LAN 2", id="a1" * 16, waits=waits, **more)


def before(there: ShownTable) -> Evening:
    return after(evening(EMPTY), News(EMPTY, there))[0]


def model(there: Evening) -> Model:
    return there.front


def test_keys_in_the_moment_of_leaving_a_table_come_to_the_lobby() -> None:
    """They went to the table, which was there until the network had heard of it, and were lost with it."""
    there, effects = press(before(seated()), "c-q", *"play maze 4", "enter")
    assert orders(effects) == [BareWish.LEAVE]
    there, effects = after(there, News(EMPTY, seated(3)), News(EMPTY, None))
    assert NewGame("maze", (), ("", "4")) in effects and there.front is None


# Cards that are being turned


def turning(*, gone: bool = False, seat: int | None = 0, awaits: int = 1, **more: object) -> Evening:
    """Dotter after a move for which cards have to be turned; the other seat owes its part, and may be gone."""
    there = seated(0, seat, key="dotter", waits=gone, awaits=awaits, **more)
    match = Match(game("dotter"), None, 2)  # nobody has dealt it
    match.play("draw")
    match.play("peek p1 1a 1b")
    return before(replace(there, match=match, mine=()))


def test_whose_part_is_awaited_is_said_unless_it_is_one_s_own() -> None:
    assert "Cards are being turned." in text(turning(awaits=0))
    assert "Ben is awaited" in text(turning(seat=None))
    ended = seated(2)
    ended.match.leave(1)
    assert (model(turning()).title, model(before(ended)).title) == ("Dotter", "Barons: over")


def test_the_table_says_whose_part_is_awaited() -> None:
    made = Network(terms("dotter", 2, lot=False, takebacks=False, grace=2000)).begin()
    made.type("p0", "draw")
    made.type("p1", "draw")
    assert seen(made.table("p0").stage, (), here=1).awaits is None
    made.crash("p1")
    made.type("p0", "peek p1 1a 1b")
    there = before(seen(made.table("p0").stage, (), here=1))
    assert model(there).table.awaits == 1 and "Cards are being turned: p1" in text(pasted(there, "draw")[0])


def test_a_kept_move_is_made_on_ones_turn_and_stays_where_the_table_refuses_it() -> None:
    kept, effects = pasted(before(seated(1, waits=True)), "c3")
    assert kept.kept == "c3" and "c3 is kept" in text(kept) and not orders(effects)
    there, effects = after(kept, News(EMPTY, seated(2)))
    assert orders(effects) == [PlayMove("c3")] and not there.kept
    refused = after(there, News(EMPTY, seated(2), ("That square is taken.",), refused=True))[0]
    assert "That square is taken." in text(refused) and model(refused).line == Line.of("c3").entered
    typing = after(press(kept, *"b1")[0], News(EMPTY, seated(2)))[0]
    assert model(typing).line.text == "b1"


# A copy to play on


def copied(there: Evening, *keys: str) -> Evening:
    """The copy that F5 and Enter lead to."""
    return press(there, "f5", *keys, "enter", "enter")[0]


def test_a_copy_goes_on_against_a_bot_while_the_table_waits() -> None:
    gone = seated(banner="Ben is gone.", waits=True)
    there = before(gone)
    asked = press(there, "f5", "enter")[0]
    assert isinstance(model(asked).overlay, Question) and "a copy" in text(asked)
    copy = copied(there)
    assert model(copy).table.local and [chair.bot for chair in model(copy).table.chairs] == ["", "3"]
    assert model(copy).table.match.ply == 2
    copy, effects = pasted(copy, "c3")
    assert model(copy).table.match.ply == 3 and not orders(effects)
    copy, _ = after(copy, News(AROUND, gone), Resized(30, 100))
    assert model(copy).table.local
    copy, effects = after(copy, News(AROUND, seated()))
    assert "All are back at your table: quit leads there." in text(copy) and Ring() in effects
    back = press(copy, "c-q")[0]
    back = press(back, "enter")[0] if model(back).overlay else back
    assert not model(back).table.local and model(back).table.match.ply == 2 and back.table == "a1" * 16
    assert (model(back).rows, model(back).columns) == (30, 100)
    assert orders(pasted(back, "c3")[1]) == [PlayMove("c3")]


@pytest.mark.parametrize("key", ["barons", "coin-isolation"])
def test_a_copy_has_what_was_dealt_at_the_table_and_begins_where_it_was_looked_at(key: str) -> None:
    there = before(seated(2 if key == "barons" else 0, key=key))
    copy = copied(there, "left")
    assert model(copy).table.local and model(copy).table.match.state == model(there).table.match.after(1)


def test_when_the_table_is_closed_the_copy_stays_and_leads_to_the_lobby() -> None:
    copy = copied(before(seated()))
    copy, effects = after(copy, News(EMPTY, None))
    assert model(copy).table.local and not effects, "the table of the copy and its bots stay as they are"
    left = press(copy, "c-q", "enter")[0]
    assert left.front is None and not left.table
    copy = copied(before(seated(1)))
    assert "It is your turn at your table: quit leads there." in text(after(copy, News(EMPTY, seated(2)))[0])
    copy, _ = after(copied(before(seated())), shut_by("the cable is cut"))
    assert model(copy).table.local
    assert press(copy, "c-q", "enter")[0].front is None


def test_no_copy_where_cards_are_hidden_or_the_game_is_over() -> None:
    there, effects = press(before(seated(0, key="dotter")), "f5", "enter")
    assert not effects and "Not all cards are known here" in text(there)
    over = seated()
    over.match.leave(1)
    there, effects = press(before(over), "f5", "enter")
    assert not orders(effects) and not model(there).table.local
    assert "The game is over there" in text(there)
    assert copied(before(over), "left").front


# Chat


def test_a_key_in_the_foot_begins_a_line_to_all_and_shows_what_was_said() -> None:
    there = before(seated(chat=("Ben: hello",), told=("Ben is away. The table waits.", "Ben: hello")))
    assert "Chat" in text(there) and "is away" not in text(there)
    there = after(there, Resized(40, 120))[0]
    assert "^T Chat" in text(there)
    writing = press(there, "c-t")[0]
    assert model(writing).line.text == "say "
    assert orders(press(writing, *"hello", "enter")[1]) == [TextWish(Verb.SAY, "hello")]
    page = press(writing, "c-t")[0]
    assert "Ben: hello" in text(page) and "is away" not in text(page)
    assert "Ben is away. The table waits." in text(press(page, "tab")[0])


# Hints


def in_menu(there: Model, **more: object) -> list[str]:
    return [row.word for _, row in menu_rows(replace(there, table=replace(there.table, **more)))]


def test_the_menu_begins_with_what_is_wanted_and_leaves_out_what_can_not_be_done() -> None:
    there = model(before(seated(0)))
    words = in_menu(there)
    assert words[:4] == ["help", "hint", "takeback", "draw"] and words[-1] == "quit"
    assert not {"book", "flag", "drop", "wait", "rematch", "phones"} & {*words} and {"resign", "pause"} <= {*words}
    decides = in_menu(there, votes=True)
    assert {*decides} - {*words} == {"wait", "drop", "flag"}, "a player is away"
    assert not {"hint", "takeback"} & {*in_menu(there, no_hint=Why.HAND_UNTOLD, takebacks=False)}
    assert "phones" in in_menu(there, serves_guests=True)
    ended = there.table.match.copy()
    ended.leave(0)
    after_all = in_menu(there, match=ended)
    assert "rematch" in after_all and not {"resign", "pause", "draw"} & {*after_all}
    assert "▸ takeback" in text(press(before(seated(0)), "f10", "down", "down")[0])


AGREED = ((HINTS, True),)


@pytest.mark.parametrize(
    ("kind", "agreed", "withheld", "says"),
    [
        ("bot", barons(), set(), ""),
        ("person", barons(), {"hint"}, "This table plays without hints"),
        ("person", barons(takebacks=False, more=AGREED), {"takeback"}, ""),
        (
            "bot",
            terms("dotter", 2, takebacks=False),
            {"hint", "takeback"},
            "No bot may be told what you alone have seen",
        ),
    ],
)
def test_what_the_terms_do_not_allow_is_in_no_menu_and_the_seat_alone_says_why(
    kind: str, agreed: Terms, withheld: set[str], says: str
) -> None:
    """F3 and the phone's menu had takebacks where the terms have none; a hint was judged by screen and seat."""
    there = before(seen(Network(agreed, kind=kind).begin().talks["p0"].stage, (), here=1))
    assert {"hint", "takeback"} - {*in_menu(model(there))} == withheld
    assert {word for word in ("hint", "takeback") if word.capitalize() not in text(there)} == withheld
    told, effects = press(there, "f2")
    assert any(isinstance(effect, Advise) for effect in effects) == (not says) and says in text(told)
    assert ("hints" in terms_text(agreed)) == agreed.hints


# The evening


def test_the_word_evening_opens_a_page_with_the_points_and_with_a_file_it_is_the_network_s() -> None:
    there, effects = pasted(before(seated()), "evening")
    assert orders(effects) == [TextWish(Verb.EVENING, "")]
    there = after(there, EveningTold(("After 2 games:", "1.  Ann  3")))[0]
    assert "The evening so far" in text(there) and "1.  Ann  3" in text(there)
    assert press(there, "escape")[0].page is None
    assert orders(pasted(before(seated(seat=None)), "evening ours.html")[1]) == [TextWish(Verb.EVENING, "ours.html")]


def test_a_long_notice_about_the_evening_hides_no_result() -> None:
    table = replace(seated(0), chairs=(ShownChair("you"), ShownChair("Ben")))
    table.match.leave(1)
    said = f"The evening so far: {', '.join(f'Somebody {number} 12.5' for number in range(12))}."
    there = after(before(table), Told(said))[0]
    assert "You win. Ben has resigned. The evening so far: Somebody 0 12.5" in prose(there)
    brief = after(before(table), Told("The evening so far: Ann 1 and Ben 0."))[0]
    assert "The evening so far: Ann 1 and Ben 0. You win." in prose(brief)


# Answers to open questions: y and n, yes and no, Enter and Esc mean the same, whoever asks


#: What a person presses, one key after another, or pastes as a line.
YES = [["y"], ["Y"], ["enter"], ["y", "enter"], [*"yes"], [*"yes", "enter"], [*"YES", "enter"]]
NO = [["n"], ["N"], ["escape"], ["n", "enter"], [*"no"], [*"no", "enter"], [*"No", "enter"]]
WAYS: list[tuple[list[str] | str, bool]] = [
    *((keys, True) for keys in (*YES, "y", "Yes ")),
    *((keys, False) for keys in (*NO, "n", "no")),
]


def at_own() -> Evening:
    return after(evening(), SitDown(GameSetup.of(Match(game("barons"), None, 2, deal=Deal("s")), ("", ""))))[0]


@pytest.mark.parametrize("comes", [News(EMPTY, seated()), replay_of(FilmedMatch(played("maze")))])
def test_a_game_at_this_keyboard_is_left_where_something_else_takes_its_place(comes: object) -> None:
    """A sought table, or a record that is read now: else the next move of its bot would be shown there."""
    assert Closed() in after(at_own(), comes)[1]


def asked(**more: object) -> Evening:
    return before(seated(1, banner=f"Ben proposes a draw. {TYPED}", asks=True, **more))


def leaving(*, hosts: bool, chairs: tuple[PersonRow, ...] = ROOM.chairs, key: str = "escape") -> Evening:
    room, effects = press(after(evening(), News(AROUND, replace(ROOM, hosts=hosts, chairs=chairs)))[0], key)
    assert not orders(effects)
    return room


BOTH = PersonRow("09" * 32, "you", "person"), PEOPLE[0]
AGREED, DECLINED, LEFT = [BareWish.AGREE], [BareWish.DECLINE], [BareWish.LEAVE]
#: Who asks: how the question comes, its words, and what a yes and a no order.
ASKERS: dict[str, tuple[Callable[[], Evening], str, list[object], list[object]]] = {
    "the table of one's own": (lambda: press(at_own(), "f4")[0], "A draw?", [], []),
    "another person": (asked, "Ben proposes a draw.", AGREED, DECLINED),
    "a room": (lambda: leaving(hosts=True), "Close the table?", LEFT, []),
    "two people": (lambda: leaving(hosts=True, chairs=BOTH, key="c-q"), "Close the table? Ben must go then.", LEFT, []),
    "an empty room": (lambda: leaving(hosts=True, chairs=()), "Close the table?", LEFT, []),
    "a room of others": (lambda: leaving(hosts=False, chairs=BOTH), "Give your seat back?", LEFT, []),
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


def test_a_long_line_of_chat_keeps_its_sender() -> None:
    long = " ".join(f"word{number}" for number in range(90))
    for chat in ((f"Ben: {long}",), ("Ann: hello", f"Ben: {long}"), (f"Ben: {long}", "Ann: hello")):
        shown = text(before(seated(1, chat=chat)))
        part = shown[shown.index("Chat") :]
        assert "word0" not in part or "Ben: word0" in part
        assert f"{chat[-1][:11]}" in part
