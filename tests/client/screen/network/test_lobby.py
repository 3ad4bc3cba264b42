"""What keys, clicks and words do in the lobby, the dialog and the room; all without a network."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.client.picture.film import FilmedMatch
from quadrille.client.screen.evening import Evening
from quadrille.client.screen.evening_stage import games_played
from quadrille.client.screen.lobby.gallery import game_cards
from quadrille.client.screen.lobby.model import Errand, GamesShown, LobbyScreen, NewGame, PageLine, actions
from quadrille.client.screen.lobby.new_table import NewTable, request
from quadrille.client.screen.lobby.waiting_room import WaitingRoomScreen
from quadrille.client.screen.network.news import INVITED, Around, News, Order, PersonRow, Rename
from quadrille.client.screen.table.model import Model, Remember, ShownChair, ShownTable, SitDown
from quadrille.client.screen.table.shown import replay_of
from quadrille.client.screen.table.terminal import Begun, Quit, Ring, Tick, Told, Wake
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.wishes import BareWish, JoinTable, Load, Return, TextWish, Verb
from quadrille.client.words.commands import COMMANDS
from quadrille.rules.match import Deal as Seed
from quadrille.rules.match import Match
from quadrille.rules.registry import game, games, keys
from tests.client.screen.keyboard import after, click, match_of, pasted, press, prose, text
from tests.client.screen.network.scenes import AROUND, DOOR, EMPTY, LEFT, NOW, PEOPLE, ROOM, TABLES, evening, shut_by


def orders(effects: Sequence[object]) -> list[object]:
    return [effect for effect in effects if isinstance(effect, Order)]


# Tables


@pytest.mark.parametrize(
    ("number", "order"),
    [
        (1, JoinTable(TABLES[1].id)),
        (3, Return(TABLES[0].id)),
        (4, JoinTable(TABLES[3].id)),
        (5, JoinTable(TABLES[4].id, watches=True)),
        (7, Return(LEFT[0].id)),
    ],
)
def test_a_table_is_gone_to_in_three_ways(number: int, order: object) -> None:
    lobby = evening().lobby
    name = f"table {lobby.tables[number - 1].id}"
    by_keys = press(evening(), *["down"] * lobby.entries.index(name), "enter")[1]
    by_number = press(evening(), str(number), "enter")[1]
    by_mouse = click(evening(), name, 2 if number > 1 else 1)[1]
    assert orders(by_keys) == orders(by_number) == orders(by_mouse) == [order]


@pytest.mark.parametrize(("number", "why"), [(6, "Only those"), (9, "no table 9")])
def test_where_nobody_can_go_is_said(number: int, why: str) -> None:
    there, effects = press(evening(), str(number), "enter")
    assert orders(effects) == [] and why in text(there) and there.lobby.alarm


def test_free_seats_of_friends_come_first_and_games_without_anybody_last() -> None:
    """Enter continued an abandoned game, with all others away, while a friend's chair was free."""
    there = evening()
    kinds = [entry.split()[0] for entry in there.lobby.entries]
    assert [row.state for row in there.lobby.tables] == [
        "open", "open", "mine", "agreeing", "playing", "playing", "kept", "left",
    ]  # fmt: skip
    assert kinds[:6] == ["table"] * 6 and kinds[6] == "game" and kinds[-2:] == ["table"] * 2
    assert orders(press(there, "enter")[1]) == [JoinTable(TABLES[1].id)]
    alone = evening(Around(), left=LEFT)
    assert isinstance(press(alone, "enter")[1][0], NewGame)
    met = after(there, News(replace(AROUND, people=(PersonRow("09" * 32, "Ina", "person"),)), None))[0].lobby.tables
    assert [row.id for row in met[:3]] == [TABLES[1].id, TABLES[2].id, LEFT[0].id], "who waits for this person is here"
    assert met[-1].id == TABLES[0].id or met[-2].id == TABLES[0].id, "and those of an open table have gone"


def test_del_forgets_an_unfinished_game_once_it_is_confirmed() -> None:
    there = replace(evening(), lobby=replace(evening().lobby, chosen=f"table {LEFT[1].id}"))
    asked, effects = press(there, "delete")
    assert effects == [] and "Delete it for good" in text(asked) and "Barons with Ada" in text(asked)
    assert press(asked, "enter")[1] == [Errand("forget", LEFT[1].id)]
    assert press(asked, "down", "enter")[1] == press(asked, "escape")[1] == [], "it is kept"
    assert press(pasted(evening(), "forget 7")[0], "enter")[1] == [Errand("forget", LEFT[0].id)]
    for refused in (press(evening(), "delete"), pasted(evening(), "forget 1"), pasted(evening(), "forget me")):
        assert not refused[1] and refused[0].lobby.alarm
    assert press(press(there, *"ab")[0], "home", "delete")[0].lobby.line.text == "b", "a letter at the prompt"


def test_after_five_seconds_alone_an_address_and_the_doctor_are_offered() -> None:
    there = after(Evening(replace(evening(EMPTY).lobby, opened=0)), Begun(), Tick(NOW), Tick(NOW + 4900))[0]
    assert "Looking for others" in text(there)
    there, effects = after(there, Tick(NOW + 5100))
    told = prose(there)
    assert "Nobody found yet" in told and "Press F4 and type the address" in told
    assert "F2 starts a game against a bot." in told  # to its end, in the smallest window that shows the games
    assert effects == [Wake(60_000)]
    assert "Nobody" not in text(after(there, News(replace(EMPTY, people=PEOPLE), None))[0])


@pytest.mark.parametrize("line", ["join bob", "watch bob", "1.2.3.4:555", "host maze"])
def test_what_needs_a_network_says_so_where_there_is_none(line: str) -> None:
    shut = after(evening(EMPTY), shut_by("another program is playing with the identity in /home/ann"))[0]
    assert "another program is playing" in text(shut) and "NO NETWORK" in text(shut)
    assert isinstance(press(shut, "f2")[0].front, NewTable), "a game against bots needs none"
    there, effects = pasted(shut, line)
    if line.startswith("host"):
        there, effects = press(there, "enter")
    told = "That needs a network, and there is none here: another program is playing with the identity in /home/ann."
    assert told in prose(there) and there.lobby.alarm
    assert there.lobby.notice and not orders(effects) and there.front is None
    back = after(there, News(EMPTY, None))[0]
    assert "NO NETWORK" not in text(back)
    assert orders(pasted(back, "join bob")[1]) == [JoinTable("bob")]
    assert orders(pasted(shut, "name Zoe")[1]) == [Rename("Zoe")]


# Actions


@pytest.mark.parametrize("word", [one.word for one in actions() if one.word in COMMANDS])
def test_an_action_by_key_word_list_and_mouse(word: str) -> None:
    key = COMMANDS[word].key
    high = replace(evening(), lobby=replace(evening().lobby, rows=40))
    by_key = press(high, key)
    by_word = pasted(high, word)
    by_list = press(high, *["down"] * high.lobby.entries.index(f"do {word}"), "enter")
    by_mouse = click(high, f"do {word}", 2)
    shown = [
        (there.front, there.page, there.lobby.pick, there.lobby.line, [e for e in effects if not isinstance(e, Wake)])
        for there, effects in (by_key, by_word, by_list, by_mouse)
    ]
    assert shown[1:] == shown[:1] * 3
    assert click(evening(), key)[1] == press(evening(), key)[1], "a small window has them as keys"


def test_a_bot_at_once() -> None:
    assert pasted(evening(), "play maze 4")[1] == [NewGame("maze", (), ("", "4"))]
    assert pasted(evening(), "play dotter mcts:2")[1] == [NewGame("dotter", (), ("", "mcts:2"))]
    assert "There is no bot" in text(pasted(evening(), "play maze deep")[0])
    assert "There is no game" in text(pasted(evening(), "play chess")[0])
    assert "Did you mean play dotter, or host dotter?" in text(pasted(evening(), "dotter")[0])
    there = press(evening(), "f2", "enter")
    assert there[1][-1] == NewGame("coin-isolation", (), ("", "2")) and there[0].front is None


@pytest.mark.parametrize("key", ["f2", "f3", "f6", "f8", "f1"])
def test_ctrl_q_closes_what_is_open_and_only_then_the_program(key: str) -> None:
    """It ended the program from a form, with what was filled in."""
    there, effects = press(evening(), key, "c-q")
    assert Quit() not in effects and there == press(evening(), key, "escape")[0]
    assert Quit() in press(there, "c-q")[1]


def test_settings_are_a_list_that_stays() -> None:
    there = press(evening(), "f8")[0]
    there, effects = press(there, "down", "enter")
    assert there.lobby.look.theme == "paper" and isinstance(effects[0], Remember) and there.lobby.pick
    assert "paper" in text(there)
    there, effects = press(there, "down", "enter")
    assert there.lobby.look.plain and text(there).isascii()
    named, effects = press(there, "up", "up", "enter")
    assert named.lobby.line.text == "name " and named.lobby.pick is None
    assert orders(press(named, *"Zoe", "enter")[1]) == [Rename("Zoe")]
    assert "There is no theme" in text(pasted(evening(), "theme pink")[0])
    assert "did you mean night?" in text(pasted(evening(), "theme nigth")[0])
    assert "asks for options: write host maze." in text(pasted(evening(), "host maze --set size=3")[0])


def test_rules_of_every_game() -> None:
    there = press(evening(), "f6")[0]
    for number, one in enumerate(games()):
        page = press(there, *["down"] * number, "enter")[0].page
        assert page and page.title.startswith(one.title)


def test_the_list_of_games_leads_to_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("e1" * 16, "2026-03-01 18:30  Maze, you and Bob: Bob wins"), ("m.txt", "2026-03-02 19:00  Maze  m.txt")]
    none = after(evening(), games_played(str(tmp_path)))[0]
    monkeypatch.setattr("quadrille.client.kept.own_games.played_games", lambda *_: rows)
    there = after(evening(), games_played(None))[0]
    assert all(line in text(there) for _, line in rows)
    assert press(there, "enter")[1] == [Errand("replay", "e1" * 16)]
    assert press(there, "down", "enter")[1] == [Errand("replay", "m.txt")]
    assert "No game has been finished yet" in text(none)


def test_playing_on_from_a_record_is_against_a_bot_and_says_so() -> None:
    match = match_of("barons", 3, 4)
    there, _ = after(evening(), replay_of(FilmedMatch(match, names=("Ann", "Ben", "Cy"))))
    for words in ("resign", "undo", "hint", "against 2"):
        assert "You are viewing a saved game. Press Enter to play on from" in text(pasted(there, words)[0])
    asked = press(there, "right", "enter")[0]
    assert "against Level 3? The saved game is not changed." in text(asked)
    on = press(asked, "enter")[0]
    assert isinstance(on.front, Model) and [chair.bot for chair in on.front.table.chairs] == ["3", "", "3"]
    assert on.front.table.match.ply == 1 and len(match.entries) == 4
    assert "You are B, Level 3 has the other seats. against BOT, or against people," in text(on)
    there = after(there, News(EMPTY, None, remarks=("Cy has another key.",)), News(EMPTY, None, remarks=("Di too.",)))[
        0
    ]
    left = press(press(there, "end", "left")[0], "escape")[0]
    assert left.front is None and "Cy has another key. Di too." in text(left), "once the game is left"


def test_the_doctor_tells_one_finding_after_another_and_its_verdict_is_seen_at_the_end() -> None:
    there = press(evening(), "f9")[0]
    there = after(there, PageLine("another page", "nothing"))[0]
    for number in range(40):
        there = after(there, PageLine(there.page.title, f"ok       finding {number}"))[0]
        assert there.page and f"finding {number}" in text(there) and "nothing" not in text(there)
    reading = after(press(there, "home")[0], PageLine(there.page.title, "Nothing is in the way."))[0]
    assert "finding 1" in text(reading) and "in the way." not in text(reading)  # who reads is left alone
    assert "Nothing is in the way." in text(press(reading, "end")[0])
    assert press(there, "escape")[0].page is None


def test_who_types_in_a_waiting_room_is_told_how_to_talk() -> None:
    there = after(evening(), News(Around(), ROOM))[0]
    assert "say TEXT: say something to all at the table." in text(press(there, *"say", " ", "h")[0])
    assert "No word here begins so. Ctrl-T talks to all" in text(press(there, *"hello")[0])
    refused, effects = press(there, *"hello", " ", *"all", "enter")
    assert '"hello" is no word here. Did you mean help? Ctrl-T' in text(refused) and "> hello all" in text(refused)
    assert not effects


def test_what_is_said_to_the_lobby() -> None:
    there = after(evening(), News(AROUND, None, ("Ben invites you.",)))[0]
    assert "Ben invites you." in text(there)
    assert "gone" in text(after(there, Told("gone", alarm=True))[0])
    looking = after(evening(), News(replace(AROUND, searching=True), None, ("There is no table yet.",)))[0]
    assert "There is no table yet." in text(looking) and orders(press(looking, "escape")[1]) == [BareWish.LEAVE]
    assert "There is no table yet." not in text(after(looking, News(AROUND, None))[0])
    both = text(after(looking, News(replace(AROUND, searching=True), None, ("Ann is heard and lets nobody in.",)))[0])
    assert "There is no table yet. Ann is heard and lets nobody in." in both, "neither hides the other"


# The dialog


def dialog(key: str = "barons", *, local: bool = False) -> Evening:
    return pasted(evening(), f"{'play' if local else 'new'} {key}")[0]


@pytest.mark.parametrize("key", keys())
def test_every_game_can_be_opened_as_it_is(key: str) -> None:
    for local in (True, False):
        there = dialog(key, local=local)
        assert isinstance(there.front, NewTable) and request(there.front)
        assert press(there, "enter")[0].front is None
    there = click(dialog("barons"), "2 right")[0]
    assert isinstance(there.front, NewTable) and there.front.values["seats"] == "5"
    assert orders(click(there, "enter")[1]) and click(there, "escape")[0].front is None


def test_the_start_of_a_name_is_enough_if_only_one_game_begins_so() -> None:
    assert isinstance(dialog("dol").front, NewTable) and dialog("dol").front == dialog("dollar-draw").front
    assert dialog("do").front is None and 'There is no game "do"' in text(dialog("do"))


def test_a_name_may_be_written_with_a_blank_where_bots_follow() -> None:
    assert dialog("coin isolation", local=True).front == dialog("coin-isolation", local=True).front
    typed, hyphened = (pasted(evening(), f"play {name} 1,2")[1] for name in ("Coin Isolation", "coin-isolation"))
    assert typed == hyphened and typed


def test_the_dialog_counts_guests_who_come_while_it_is_open() -> None:
    there, _ = after(press(dialog(), *["down"] * 3)[0], News(replace(AROUND, guests=2), None))
    assert isinstance(there.front, NewTable) and there.front.row.name == "bots"
    host = orders(press(there, "enter")[1])[0]
    assert (host.guests, host.terms.seats) == (2, 3)


# Before the first move


def waiting() -> Evening:
    return after(evening(), News(AROUND, ROOM))[0]


def test_a_room() -> None:
    there = waiting()
    assert isinstance(there.front, WaitingRoomScreen) and "2 of 4 seats taken" in text(there)
    assert orders(press(there, "enter")[1]) == [TextWish(Verb.INVITE, "Ben")]
    assert orders(click(there, PEOPLE[2].key, 2)[1]) == [TextWish(Verb.INVITE, "Dot")]
    assert orders(pasted(there, "kick Vic")[1]) == [TextWish(Verb.KICK, "Vic")]
    assert orders(press(there, "c-q")[1]) == [BareWish.LEAVE]
    assert press(there, "f6")[0].page
    assert Ring() in after(there, News(AROUND, replace(ROOM, chairs=(*ROOM.chairs, PEOPLE[0]))))[1]
    assert after(there, News(AROUND, None, ("The table is closed.",)))[0].front is None


# The games


@pytest.mark.parametrize("key", keys())
def test_two_keys_lead_from_the_command_to_the_first_move_of_a_short_game(key: str) -> None:
    there = replace(evening(Around()), lobby=replace(evening(Around()).lobby, chosen=f"game {key}"))
    there, [order] = press(there, "enter")
    assert order == NewGame(key, tuple(game(key).lesson.options.items()), ("", *["1"] * (game(key).usual_seats - 1)))
    match = Match(game(key), dict(game(key).lesson.options), len(order.bots), deal=Seed("s"))
    there, _ = after(there, SitDown(GameSetup.of(match, order.bots)))
    assert isinstance(there.front, Model)
    assert game(key).lesson.goal in prose(there)


def test_the_games_are_there_at_once_and_their_aims_come_later() -> None:
    bare = LobbyScreen(now=NOW, opened=NOW)
    there = Evening(bare)
    assert all(game(key).title in text(there) for key in keys()) and game("maze").lesson.goal not in text(there)
    there, _ = after(there, GamesShown(game_cards()))
    assert all(game(key).lesson.goal in text(there) for key in keys())


def test_a_line_that_is_being_typed_is_there_when_the_game_begins() -> None:
    match = Match(game("barons"), None, 2, deal=Seed("s"))
    table = ShownTable(match, (ShownChair("you"), ShownChair("Ben")), (0,), 0, local=False)
    begun = after(press(waiting(), *"say hel")[0], News(AROUND, replace(table, id="f0" * 16)))[0]
    assert isinstance(begun.front, Model) and begun.front.line.text == "say hel"


def test_who_is_asked_already_is_not_to_be_invited() -> None:
    asked = replace(PEOPLE[0], doing=INVITED)
    again = replace(ROOM, again=True, others=(asked,))
    assert f"{asked.name} is asked for a rematch." in text(after(evening(), News(AROUND, again))[0])
    assert f"{asked.name} is invited." in text(after(evening(), News(AROUND, replace(again, again=False)))[0])
    nobody = text(after(evening(), News(AROUND, replace(again, others=(), chairs=())))[0])
    assert "The seats are kept for those who played." in nobody


def test_a_file_is_loaded_here_and_the_evening_s_page_is_the_network_s() -> None:
    there = after(evening(), replay_of(FilmedMatch(match_of("barons", 2, 3))))[0]
    assert pasted(there, "load game")[1] == [Load("game")]
    assert orders(pasted(evening(), "evening ours.html")[1]) == [TextWish(Verb.EVENING, "ours.html")]


def test_a_small_lobby_shows_games_and_tells_all_of_what_is_chosen() -> None:
    there = evening(Around())
    small = replace(there, lobby=replace(there.lobby, rows=21, columns=60, cards=game_cards()))
    assert "Coin Isolation   Keep" in text(small) and "Nobody found yet" in text(small)
    assert "a short first game of Coin Isolation. F2: all options." in prose(small)
    assert "F2 play F3 host F4 join" in text(small), "and the actions in a row"


def test_tables_come_before_games_where_both_have_no_room() -> None:
    small = replace(evening(), lobby=replace(evening().lobby, rows=16, around=replace(AROUND, entrance=DOOR)))
    assert not small.lobby.shows_games and "Coin Isolation   Keep" not in text(small)
    assert not any(entry.startswith("game ") for entry in small.lobby.entries)
    empty = replace(small.lobby, columns=60, left=(), around=replace(EMPTY, entrance=DOOR))
    assert "2345.\n Tables on this network\n Games  " in text(replace(small, lobby=empty))
    tiny = text(replace(small, lobby=replace(small.lobby, rows=12, columns=40)))
    assert "Quadrille needs a window" in tiny and "use a smaller font. Ctrl-Q leaves." in " ".join(tiny.split())


def test_what_is_no_word_is_refused_and_the_next_letter_takes_its_place() -> None:
    there, _ = pasted(evening(), "ruels maze")
    assert "Did you mean rules?" in text(there) and there.lobby.line.text == "ruels maze"
    assert orders(press(there, *"join ben", "enter")[1]) == [JoinTable("ben")]
    assert press(there, "backspace")[0].lobby.line.text == "ruels maz"
