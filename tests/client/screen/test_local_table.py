"""A table of this program's alone: whose turn, what is granted, whose cards are shown, what is asked of bots."""

from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.client.files import keep
from quadrille.client.picture.film import FilmedMatch
from quadrille.client.screen.lobby.new_table import NewTable, request, rows_of
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Changed, Model, Replay
from quadrille.client.screen.table.shown import record_of, replay_of, table_model
from quadrille.client.screen.table.terminal import Key, Pasted, Quit, Tick, Wake
from quadrille.client.table.game_setup import Cover, GameSetup
from quadrille.client.table.notices import HintGiven, Seats
from quadrille.client.table.players import Players
from quadrille.client.table.wishes import Hinted, Host, Keep, WrittenDown
from quadrille.client.words.reasons import place_text, reason_text
from quadrille.client.words.table import by_name
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.core.thoughts import HalfTurnAnswer, OnlyReply, ProvedResult, Reason, Worth
from quadrille.rules.errors import BadSeats, RulesError
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys
from tests.client.screen import keyboard
from tests.client.screen.keyboard import after, begin_model, begun, match_of, pasted, played, press, text


def table(key: str, bots: list[str], options: dict[str, object] | None = None) -> Model:
    match = Match(game(key), options, len(bots), deal=Deal("s"))
    return begun(replace(begin_model(match, bots), notice=""))


def face_down(model: Model) -> int:
    """How many cards show their backs; in these positions they are drawn seven lines high."""
    return text(model).count("░░░░░░░░░") // 5


def test_enter_after_a_hint_plays_it_wherever_the_cursor_stayed() -> None:
    model = press(keyboard.moved_to(table("barons", ["", ""]), "b2"), "enter", "enter")[0]
    model = press(model, "f2")[0]
    hint = str(next(iter(model.table.match.state.moves)))
    assert model.cursor == "b2" != hint
    model = after(model, Hinted(model.ticket, HintGiven("greedy", hint)))[0]
    assert model.line.text == hint
    model = press(model, "enter")[0]
    assert str(model.table.match.entries[-1].move) == hint


def test_a_hint_is_for_those_who_play_as_it_is_asked_for() -> None:
    asked = press(table("barons", ["", ""]), "f2")[0]
    anew = pasted(asked, "against 2")[0]
    assert "greedy" not in text(after(anew, Hinted(asked.ticket, HintGiven("greedy", "c3")))[0])


# Looking back


def test_replay_steps_jumps_and_runs() -> None:
    model = begun(begin_model(match_of("barons", 2, 12), ["", ""]))
    looking = press(model, "f5", "left", "left")[0]
    assert looking.replay == Replay(10) and "REPLAY 10 of 12" in text(looking)
    assert press(looking, "home")[0].replay == Replay(0)
    assert press(looking, "pageup", "pagedown", "pagedown")[0].replay == Replay(12)
    running, effects = press(looking, " ")
    assert running.replay == Replay(10, runs=True) and isinstance(effects[0], Wake)
    running, effects = after(running, Tick(1))
    assert running.replay == Replay(11, runs=True) and isinstance(effects[0], Wake)
    assert after(running, Tick(2)) == (replace(running, now=2, replay=Replay(12)), [])
    assert press(running, "escape")[0].replay is None
    assert press(running, "f5")[0].replay is None


@pytest.mark.parametrize("is_record", [False, True])
def test_a_number_goes_to_that_move_of_a_replay(is_record: bool) -> None:
    match = match_of("barons", 2, 12)
    model = begun(begin_model(match, ["", ""]))
    looking = press(model, "f5")[0]
    if is_record:
        looking = Model(record_of(match, ("Ann", "Ben"), "whole"), replay=Replay(0))
    assert "Enter goes to move 7 of 12." in text(press(looking, "7")[0])
    for number in (7, 0, 12, 1):
        there = press(looking, *f"{number}", "enter")[0]
        assert there.replay == Replay(number) and there.line.text == "" and not there.alarm
    there = press(looking, *"99", "enter")[0]
    assert there.replay == looking.replay and "There is no move 99: the last one is 12" in text(there)
    assert press(there, *"3", "enter")[0].replay == Replay(3)
    assert press(looking, *"9" * 5000, "enter")[0].alarm


def test_a_takeback_is_no_longer_looked_back_over() -> None:
    match = match_of("barons", 2, 9)
    table = replace(record_of(match, ("Ann", "Ben"), None), local=False)
    for at, then in ((9, 7), (3, 3)):
        shown = after(Model(table, replay=Replay(at)), Changed(replace(table, match=match.before(7))))[0]
        assert f"REPLAY {then} of 7" in text(shown)


def test_replay_shows_no_card_that_the_viewer_may_not_see() -> None:
    match = played("dotter", "draw, peek p1 1a 1b, peek p1 1a 1b")
    model = press(begun(begin_model(match, ["", "random"])), "f5", "left")[0]
    assert text(model).count("(") == 0 and face_down(model) == 3
    own = press(begun(begin_model(match, ["random", ""])), "f5", "left")[0]
    assert text(own).count("(") == 3, "two cards, and what brackets mean"


# Hot seat


def hot_seat() -> Model:
    """Two people at Dotter; the first has drawn, the second looks at two of the cards."""
    model = table("dotter", ["", ""])
    model = press(pasted(model, "draw")[0], "enter", "enter")[0]
    return pasted(model, "peek p1 1a 1b")[0]


def test_hands_are_covered_between_turns() -> None:
    model = hot_seat()
    assert model.overlay == Cover(0, 1)
    assert "You see " in text(model) and "Press Enter, then hand over to A player 1" in text(model)
    covered = press(model, "enter")[0]
    assert "You see" not in text(covered) and "░░" not in text(covered) and "It is the turn of A" in text(covered)
    assert press(covered, "escape", "a", "f1", "f5", "left", " ", "tab")[0] == covered, "nothing but Enter uncovers"
    shown = press(covered, "enter")[0]
    assert shown.table.viewer == 0 and face_down(shown) == 3
    assert "peek p1 1a 1b =" not in text(shown) and "You see" not in text(shown)


def test_a_question_about_leaving_uncovers_no_hand() -> None:
    covered = after(press(hot_seat(), "enter")[0], WrittenDown("the disk is full"))[0]
    asked = press(covered, "c-q")[0]
    assert "Leave it?" in text(asked)
    assert press(asked, "escape")[0].overlay == Cover(0)
    assert press(asked, "escape", "c-q", "escape")[0].overlay == Cover(0)
    for other in (press(asked, "x")[0], after(covered, Key("c-q"), Pasted("draw"))[0]):  # what is no answer
        assert other.overlay == Cover(0) and "You see" not in text(other)
    for leaves in ("enter", "c-q"):
        assert Quit() in press(asked, leaves)[1]


# Questions


@pytest.mark.parametrize("opens", ["f9", "f4"])
def test_what_is_no_answer_puts_a_question_away_and_is_typed(opens: str) -> None:
    model = table("barons", ["", "random"])
    asked = press(model, opens)[0]
    assert "y or Enter: yes" in text(asked)
    for other in (press(asked, *"a1")[0], after(asked, Pasted("a1"))[0]):
        assert "y or Enter: yes" not in text(other) and other.line.text == "a1"
        entries = press(other, "enter")[0].table.match.entries
        assert [str(entry.move) for entry in entries[:1]] == ["a1"], "nobody has resigned"
    assert press(asked, "f1")[0].overlay == press(model, "f1")[0].overlay


# Files


def test_another_game_forgets_the_file_of_the_one_before(tmp_path: Path) -> None:
    """Else a save that offers that file would write over the game in it, unasked."""
    name = str(tmp_path / "game.txt")
    model = begun(begin_model(match_of("barons", 2, 99), ["", "random"]))
    kept = after(pasted(model, f"save {name}")[0], keep(Keep(name, model.table.match, Players())))[0]
    assert kept.file == name
    again = pasted(kept, "rematch")[0]
    record = Model(record_of(model.table.match, ("Ann", "Ben"), "whole"), file=name, replay=Replay(2))
    copy = press(record, "enter", "y")[0]
    for another in (again, copy):
        assert not another.table.match.over and another.file == ""
        [asked] = pasted(another, f"save {name}")[1]
        with pytest.raises(RulesError, match=r"already: save! .* writes over it"):
            keep(asked)
        assert pasted(another, f"save! {name}")[1][0].over
    assert keep(pasted(kept, f"save {tmp_path}/./game.txt")[1][0]).path == name


def test_a_game_that_is_looked_at_is_not_saved_over_its_file() -> None:
    """It may be a signed log, of which a record has nothing; and its name may be that of another file here."""
    looked = replay_of(FilmedMatch(match_of("barons", 2, 3)))
    assert press(looked, "f7")[0].line.text.startswith("save barons-")
    [asked] = pasted(looked, "save game.log")[1]
    assert isinstance(asked, Keep) and not any(asked.own)


# The reason of a hint, from the bot's answer to the sentence and the marked squares, in every face


ROW = ("a2", "b2", "c2", "d2")


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        (ProvedResult(1), "it wins"),
        (ProvedResult(1, -1, 1), "it wins at once, and all others lose"),
        (ProvedResult(1, 0, 7), "it wins within 7 moves, those of both counted, and no other does more than tie"),
        (ProvedResult(1, 1, 7), "it wins within 7 moves, those of both counted"),
        (ProvedResult(0), "it ties at best play"),
        (ProvedResult(0, -1), "it ties at best play, and all others lose"),
        (ProvedResult(0, 0), "it ties at best play"),
        (ProvedResult(-1, -1), "all moves lose against best play"),
        (HalfTurnAnswer(1), "whoever turns each move of the other by 180 degrees from now on wins"),
        (HalfTurnAnswer(0), "whoever turns each move of the other by 180 degrees from now on never loses"),
        (HalfTurnAnswer(-1), ""),
        (OnlyReply("d4"), "after that all replies but d4 lose"),
        (Worth(180, "point", 0, "c3", ROW), "row 2 promises you 1.8 points more than after c3"),
        (Worth(-180, "dollar", 1, "c3", ("a1", "b1")), "a1 to b1 promise Ben 1.8 dollars less than after c3"),
        (Worth(100, "square", 1, "c3"), "Ben has 1 square more than after c3"),
        (Worth(-200, "point", 0, "c3"), "you have 2 points less than after c3"),
        (Worth(60, "point", 7, "c3"), "player 8 has 0.6 points more than after c3"),
    ],
)
def test_sentences(reason: Reason, told: str) -> None:
    assert reason_text(reason, ["you", "Ben"]) == told
    told = f": {told}" if told else ""
    assert by_name(HintGiven("3", "e4", reason), Seats.of(["you", "Ben"])) == f"Level 3 would play e4{told}."
    assert by_name(HintGiven("3", "e4"), Seats.of(["you", "Ben"])) == "Level 3 would play e4."


def test_places() -> None:
    assert place_text(("a1", "a2", "a3", "a4")) == ("column a", True)
    assert place_text(("a1", "a2", "a3")) == ("a1 to a3", False)
    assert place_text(("a1", "a2", "b1", "b2")) == ("a1 to b2", False)
    assert place_text(("c10",)) == ("c10", True)


def hinted(*squares: str) -> Model:
    """The screen of a person who is given a hint, and a reason that names these squares."""
    model = press(begun(table_model(GameSetup.of(match_of("barons", 2, 0), ["", "random"]))), "f2")[0]
    return after(model, Hinted(model.ticket, HintGiven("3", "c3", Worth(150, "point", 0, "a1", squares))))[0]


def test_the_squares_of_a_reason_are_marked_while_it_is_shown() -> None:
    lines = draw(hinted(*ROW)).lines
    assert any("row 2 promises you 1.5 points more than after a1." in line for line in lines)
    assert sum(line.count("*") for line in lines) == len(ROW)
    assert "*" in next(line for line in lines if line.lstrip().startswith("2 "))
    for unmarked in (press(hinted(*ROW), "x")[0], hinted("z99", "no square")):
        assert not any("*" in line for line in draw(unmarked).lines)


# The dialog for a new table: another bot in each seat, and clocks at one's own table too


def press_in(dialog: NewTable, *keys: str) -> NewTable:
    for key in keys:
        dialog, _ = dialog.updated(Key(key))
    return dialog


def labels(dialog: NewTable) -> list[str]:
    return [row.label for row in rows_of(dialog)]


def at(dialog: NewTable, label: str) -> NewTable:
    """The dialog with the cursor on that line."""
    return press_in(dialog, "home", *["down"] * labels(dialog).index(label))


def test_a_clock_at_ones_own_table_and_the_next_letter_takes_the_place_of_what_was_refused() -> None:
    dialog = at(NewTable("maze", local=True), "Clock")
    assert request(dialog).clock is None
    for way in (("right",), "3m+2s"):
        assert request(press_in(dialog, *way)).clock == TimeControl(180_000, 2000)
    with pytest.raises(RulesError, match='"soon" is not a time'):
        request(press_in(dialog, *"soon"))
    dialog = press_in(dialog, *"soon", "enter")
    assert "not a time" in dialog.notice
    assert request(press_in(dialog, *"3m+2s")).clock == TimeControl(180_000, 2000)
    mended = press_in(dialog, "backspace", "backspace", "backspace", "backspace", "3", "m")
    assert request(mended).clock == TimeControl(180_000, 0)


def test_bots_and_clock_stay_when_another_game_is_chosen() -> None:
    dialog = press_in(at(press_in(at(NewTable("barons", local=True), "2nd bot"), "g"), "Clock"), "right")
    assert request(press_in(at(dialog, "Game"), "right", "left")) == request(dialog)


def test_dollar_draw_begins_with_a_grid_that_is_not_decided() -> None:
    dialog = NewTable("dollar-draw", local=True)
    assert dict(request(dialog).options) == {} and "can win by answering" not in "\n".join(dialog.drawn().lines)
    assert dict(request(press_in(at(dialog, "Preset"), "i")).options) == {"width": 10, "height": 10}
    assert game("dollar-draw").Options().width % 2 == game("dollar-draw").Options().height % 2 == 1


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize("local", [True, False])
def test_each_line_is_explained_in_whole_sentences(key: str, local: bool) -> None:
    dialog = NewTable(key, local=local, rows=24, columns=80)
    for number, row in enumerate(rows_of(dialog)):
        assert row.explanation[0].isupper() and row.explanation.endswith(".")
        lines = replace(dialog, at=number).drawn().lines
        beside = " ".join(line[45:].strip() for line in lines[4:20])
        assert row.explanation in beside and "…" not in beside
        assert game(key).lesson.goal in lines[2]


def test_options_and_terms_stand_below_the_basics() -> None:
    dialog = NewTable("barons", local=False)
    order = [labels(dialog).index(label) for label in ("Game", "Clock", "Width", "Row bonus", "Watchers", "Grace")]
    assert order == sorted(order) and "Grace" not in labels(replace(dialog, local=True))
    found = request(press_in(at(dialog, "Row bonus"), "7"))
    assert isinstance(found, Host) and dict(found.terms.options)["row_bonus"] == 7


def test_people_at_one_keyboard_have_names_in_the_form_too() -> None:
    assert "Names" not in labels(NewTable("maze", local=True))
    dialog = at(press_in(at(NewTable("barons", local=True), "Bots"), "1"), "Names")
    assert request(dialog).names == ()
    dialog = press_in(dialog, *"Ann Lee, Ben")
    assert request(dialog).names == ("Ann Lee", "Ben", "", "")
    dialog = press_in(dialog, *", a name quite long")
    assert any("quite long_]" in line for line in dialog.drawn().lines)
    with pytest.raises(RulesError, match="there are 4 names, and 3 of the players are people"):
        request(press_in(dialog, *",x"))
    assert "Names" not in labels(NewTable("maze", local=False))
    made = request(press_in(at(press_in(at(NewTable("maze", local=True), "Bots"), "0"), "Names"), *"Ann,Ben"))
    model = table_model(GameSetup.of(Match(game("maze"), dict(made.options), 2), made.bots, made.clock, made.names))
    assert [chair.name for chair in model.table.chairs] == ["Ann", "Ben"]


def test_seats_for_guests_are_kept_at_a_table_on_the_network() -> None:
    wanted = request(NewTable("barons", local=False, values={"seats": "3", "guests": "2", "ask": "yes"}))
    assert isinstance(wanted, Host) and (wanted.guests, wanted.asks_guests) == (2, True)
    usual = request(NewTable("barons", local=False))
    assert isinstance(usual, Host) and (usual.guests, usual.asks_guests) == (0, False)
    with pytest.raises(BadSeats, match="there is room for 2 at this table, and not for 3 guests"):
        request(NewTable("barons", local=False, values={"seats": "3", "bots": "1", "guests": "3"}))
    assert "Guests" not in labels(NewTable("barons", local=True))
