"""A table on the network before one who looks on, one whose opponent is gone, one that rests; all without a network."""

from dataclasses import replace

import pytest

from quadrille.client.screen.evening import Evening
from quadrille.client.screen.lobby.model import NewGame
from quadrille.client.screen.network.news import News, Shut
from quadrille.client.screen.network.session import seated as shown
from quadrille.client.screen.table.messages import in_menu
from quadrille.client.screen.table.model import Model, Question, ShownChair, ShownTable
from quadrille.client.screen.table.terminal import Resized, Ring, Tick, Told, Wake
from quadrille.client.table.notices import EveningTold
from quadrille.client.table.wishes import Advise, BareWish, PlayMove, TextWish, Verb
from quadrille.client.words.terms import terms_text
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import HINTS, TimeControl
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.evening import Evening as Network
from tests.client.evening import barons
from tests.client.screen.keyboard import after, pasted, press, prose, text
from tests.client.screen.network.scenes import AROUND, EMPTY, NOW, evening
from tests.client.screen.network.test_lobby import orders
from tests.client.screen.positions import played
from tests.net.tables import terms

TIME = TimeControl(65_000, 0)
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


# The match of the table


def test_what_is_picked_stays_when_the_same_game_is_told_again() -> None:
    there = press(before(seated()), "c", "3")[0]
    again, _ = after(there, News(EMPTY, seated()))
    assert model(again).line.text == "c3" and model(again).ticket == model(there).ticket
    moved, _ = after(again, News(EMPTY, seated(3)))
    assert model(moved).ticket > model(there).ticket
    small = text(after(there, Resized(8, 60))[0])
    assert "quadrille resume --plain needs no size" in " ".join(small.split()), "the same table, and no other game"


def test_a_change_calls_the_one_whose_turn_it_is_and_takes_away_what_was_told_before_the_others_moved() -> None:
    there = after(press(before(seated(1)), *"c3")[0], Told("You see Q♦ and A♥."))[0]
    same, effects = after(there, News(EMPTY, seated(1)))
    assert not effects and "You see Q♦ and A♥." in text(same) and model(same).line.text == "c3"
    turn, effects = after(same, News(EMPTY, seated(2)))
    assert Ring() in effects and "You see" not in text(turn) and "last: B a1" in text(turn)


def test_a_long_line_of_chat_keeps_its_sender() -> None:
    long = " ".join(f"word{number}" for number in range(90))
    for chat in ((f"Ben: {long}",), ("Ann: hello", f"Ben: {long}"), (f"Ben: {long}", "Ann: hello")):
        shown = text(before(seated(1, chat=chat)))
        part = shown[shown.index("Chat") :]
        assert "word0" not in part or "Ben: word0" in part
        assert f"{chat[-1][:11]}" in part


# A pause


def test_a_table_that_rests_shows_it_and_its_clocks_stand() -> None:
    there = before(seated(clocks=Clocks(TIME, (65_000, 70_000)), rests=True))
    assert "PAUSED  YOUR TURN  1:05" in text(there)
    moved = replace(there, front=replace(model(there), now=NOW + 30_000))
    assert "1:05" in text(moved)
    running = before(seated(clocks=Clocks(TIME, (65_000, 70_000), 0, NOW)))
    assert Wake(1000) in after(running, Tick(NOW))[1] and Wake(1000) not in after(there, Tick(NOW))[1]
    assert "0:35" in text(replace(running, front=replace(model(running), now=NOW + 30_000)))
    keys = press(there, "f1", "tab")[0]
    help_there = text(keys) + text(press(keys, "pagedown")[0])
    assert "propose a pause" in help_there and "press it again" not in help_there


# Cards that are being turned


def turning(*, gone: bool = False, seat: int | None = 0, awaits: int = 1, **more: object) -> Evening:
    """Dotter after a move for which cards have to be turned; the other seat owes its part, and may be gone."""
    there = seated(0, seat, key="dotter", waits=gone, awaits=awaits, **more)
    match = Match(game("dotter"), None, 2)  # nobody has dealt it
    match.play("draw")
    match.play("peek p1 1a 1b")
    return before(replace(there, match=match, mine=()))


@pytest.mark.parametrize("gone", [False, True])
def test_a_move_while_cards_are_turned_is_kept(gone: bool) -> None:
    there = turning(gone=gone)
    assert "Cards are being turned: Ben is awaited." in text(there) and "CARDS" in text(there)
    typing = press(there, *"draw")[0]
    assert "Cards are being turned: Ben is awaited. Your line is kept until your turn." in text(typing)
    there, effects = press(typing, "enter")
    assert not orders(effects) and "kept" in text(there) and "game is over" not in text(there)
    assert there.kept == "draw" or model(there).line.text == "draw"
    on = seated(0, key="dotter")
    there, effects = after(there, News(EMPTY, on))
    effects += press(there, "enter")[1]
    assert orders(effects) == [PlayMove("draw")]


def test_whose_part_is_awaited_is_said_unless_it_is_one_s_own() -> None:
    assert "Cards are being turned." in text(turning(awaits=0))
    assert "Ben is awaited" in text(turning(seat=None))
    watching = pasted(turning(seat=None), "peek p1 1a")[0]
    assert "You are only watching" in text(watching) and "game is over" not in text(watching)
    ended = seated(2)
    ended.match.leave(1)
    assert (model(turning()).title, model(before(ended)).title) == ("Dotter", "Barons: over")


def test_the_table_says_whose_part_is_awaited() -> None:
    made = Network(terms("dotter", 2, lot=False, takebacks=False, grace=2000)).begin()
    made.type("p0", "draw")
    made.type("p1", "draw")
    assert shown(made.table("p0").stage, (), here=1).awaits is None
    made.crash("p1")
    made.type("p0", "peek p1 1a 1b")
    there = before(shown(made.table("p0").stage, (), here=1))
    assert model(there).table.awaits == 1 and "Cards are being turned: p1" in text(pasted(there, "draw")[0])


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


def test_a_copy_does_not_know_how_the_table_was_dealt_and_begins_where_it_was_looked_at() -> None:
    there = before(seated())
    assert model(copied(there)).table.match.deal != Deal("s") == model(there).table.match.deal
    assert model(copied(there, "left")).table.match.ply == 1


def test_when_the_table_is_closed_the_copy_stays_and_leads_to_the_lobby() -> None:
    copy = copied(before(seated()))
    copy, _ = after(copy, News(EMPTY, None))
    assert model(copy).table.local
    left = press(copy, "c-q", "enter")[0]
    assert left.front is None and not left.table
    copy = copied(before(seated(1)))
    assert "It is your turn at your table: quit leads there." in text(after(copy, News(EMPTY, seated(2)))[0])
    copy, _ = after(copied(before(seated())), Shut("the cable is cut"))
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


def test_without_hints_in_the_terms_f2_is_refused_and_not_in_the_foot() -> None:
    for hints in (True, False):
        there = before(seated(plies=2, hints=hints))
        assert ("F2 Hint" in text(there)) == hints
        told, effects = press(there, "f2")
        assert bool(orders(effects) or [one for one in effects if isinstance(one, Advise)]) == hints
        assert ("This table plays without hints" in text(told)) != hints


@pytest.mark.parametrize(
    ("kind", "agreed", "allowed"), [("bot", False, True), ("person", False, False), ("person", True, True)]
)
def test_hints_are_for_tables_without_another_person_and_where_all_agreed(
    kind: str, agreed: bool, allowed: bool
) -> None:
    more = ((HINTS, True),) if agreed else ()
    talk = Network(barons(more=more)).talks["p0"].stage
    standing = talk.table.log.now
    chairs = tuple(replace(chair, kind=kind) for chair in standing.chairs)
    talk.table.log.now = talk.table.log.standings[-1] = replace(standing, chairs=chairs)
    assert shown(talk, (), here=1).hints == allowed
    assert ("hints" in terms_text(standing.terms)) == agreed


def test_the_menu_begins_with_what_is_wanted_and_leaves_out_what_can_not_be_done() -> None:
    there = model(before(seated(0)))
    words = [one.word for one in in_menu(there)]
    assert words[:4] == ["help", "hint", "takeback", "draw"] and words[-1] == "quit"
    assert not {"book", "flag", "rematch", "phones"} & {*words} and {"resign", "pause"} <= {*words}
    assert "hint" not in [one.word for one in in_menu(replace(there, table=replace(there.table, hints=False)))]
    assert "phones" in [one.word for one in in_menu(replace(there, table=replace(there.table, serves_guests=True)))]
    ended = there.table.match.copy()
    ended.leave(0)
    after_all = [one.word for one in in_menu(replace(there, table=replace(there.table, match=ended)))]
    assert "rematch" in after_all and not {"resign", "pause", "draw"} & {*after_all}
    lines = text(press(before(seated(0)), "f10", "down", "down")[0]).splitlines()
    assert any("▸ takeback" in line for line in lines)


# The evening


def test_the_word_evening_opens_a_page_with_the_points_and_with_a_file_it_is_the_network_s() -> None:
    there, effects = pasted(before(seated()), "evening")
    assert orders(effects) == [TextWish(Verb.EVENING, "")]
    there = after(there, EveningTold(("After 2 games:", "1.  Ann  3")))[0]
    assert "The evening so far" in text(there) and "1.  Ann  3" in text(there)
    assert press(there, "escape")[0].page is None
    assert orders(pasted(before(seated(seat=None)), "evening ours.html")[1]) == [TextWish(Verb.EVENING, "ours.html")]


def test_a_long_notice_about_the_evening_hides_no_result() -> None:
    match = Match(game("barons"), {"width": 3, "height": 3}, 2, deal=Deal("s"))
    match.leave(1)
    chairs = (ShownChair("you"), ShownChair("Ben"))
    table = ShownTable(match, chairs, (0,), 0, local=False, id="a1" * 16)
    said = f"The evening so far: {', '.join(f'Somebody {number} 12.5' for number in range(12))}."
    there = after(before(table), Told(said))[0]
    assert "You win. Ben has resigned. The evening so far: Somebody 0 12.5" in prose(there)
    brief = after(before(table), Told("The evening so far: Ann 1 and Ben 0."))[0]
    assert "The evening so far: Ann 1 and Ben 0. You win." in prose(brief)
