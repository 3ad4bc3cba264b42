"""The dialog for a new table: another bot in each seat, and clocks at one's own table too."""

from dataclasses import replace

import pytest

from quadrille.client.screen.lobby.new_table import NewTable, request, rows_of
from quadrille.client.screen.table.local import table_model
from quadrille.client.screen.table.terminal import Key
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.wishes import Host
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.errors import BadSeats, RulesError
from quadrille.rules.match import Match
from quadrille.rules.registry import game, keys


def press(dialog: NewTable, *keys: str) -> NewTable:
    for key in keys:
        dialog, _ = dialog.updated(Key(key))
    return dialog


def labels(dialog: NewTable) -> list[str]:
    return [row.label for row in rows_of(dialog)]


def at(dialog: NewTable, label: str) -> NewTable:
    """The dialog with the cursor on that line."""
    return press(dialog, "home", *["down"] * labels(dialog).index(label))


def test_each_bot_has_a_line_and_is_as_the_first_until_it_is_another() -> None:
    dialog = NewTable("barons", local=True)
    assert labels(dialog)[:7] == ["Game", "Preset", "Seats", "Bots", "1st bot", "2nd bot", "3rd bot"]
    dialog = press(at(dialog, "1st bot"), "right")
    assert request(dialog).bots == ("", "3", "3", "3")
    dialog = press(at(dialog, "3rd bot"), "m")
    assert request(dialog).bots == ("", "3", "3", "mcts")
    dialog = press(at(dialog, "Bots"), "left")
    assert request(dialog).bots == ("", "", "3", "3")
    assert "3rd bot" not in "\n".join(dialog.drawn().lines)
    assert labels(NewTable("maze", local=True))[3:5] == ["Bots", "Bot level"]
    found = request(press(at(press(at(NewTable("barons", local=False), "Bots"), "2"), "2nd bot"), "g"))
    assert isinstance(found, Host) and found.bots == ("2", "greedy")


def test_a_clock_at_ones_own_table_and_the_next_letter_takes_the_place_of_what_was_refused() -> None:
    dialog = at(NewTable("maze", local=True), "Clock")
    assert request(dialog).clock is None
    for way in (("right",), "3m+2s"):
        assert request(press(dialog, *way)).clock == TimeControl(180_000, 2000)
    with pytest.raises(RulesError, match='"soon" is not a time'):
        request(press(dialog, *"soon"))
    dialog = press(dialog, *"soon", "enter")
    assert "not a time" in dialog.notice
    assert request(press(dialog, *"3m+2s")).clock == TimeControl(180_000, 2000)
    mended = press(dialog, "backspace", "backspace", "backspace", "backspace", "3", "m")
    assert request(mended).clock == TimeControl(180_000, 0)


def test_bots_and_guests_stop_where_the_seats_do() -> None:
    dialog = press(at(NewTable("barons", local=True), "Bots"), *["right"] * 9)
    assert request(dialog).bots == ("", "2", "2", "2")
    fewer = press(at(dialog, "Seats"), "left")
    assert "3rd bot" not in labels(fewer)
    hosted = press(at(NewTable("barons", local=False), "Bots"), *["right"] * 9)
    assert len(hosted.values["bots"]) == 1 and hosted.values["bots"] == "4"  # whoever hosts may look on
    guests = press(at(NewTable("barons", local=False), "Guests"), *["right"] * 9)
    assert guests.values["guests"] == "4"


def test_bots_and_clock_stay_when_another_game_is_chosen() -> None:
    dialog = press(at(press(at(NewTable("barons", local=True), "2nd bot"), "g"), "Clock"), "right")
    assert request(press(at(dialog, "Game"), "right", "left")) == request(dialog)


def test_dollar_draw_begins_with_a_grid_that_is_not_decided() -> None:
    dialog = NewTable("dollar-draw", local=True)
    assert dict(request(dialog).options) == {} and "can win by answering" not in "\n".join(dialog.drawn().lines)
    assert dict(request(press(at(dialog, "Preset"), "i")).options) == {"width": 10, "height": 10}
    assert game("dollar-draw").Options().width % 2 == game("dollar-draw").Options().height % 2 == 1


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize("local", [True, False])
def test_each_line_is_explained_in_whole_sentences(key: str, local: bool) -> None:
    dialog = replace(NewTable(key, local=local, rows=24, columns=80), more=True)
    for number, row in enumerate(rows_of(dialog)):
        assert row.explanation[0].isupper() and row.explanation.endswith(".")
        lines = replace(dialog, at=number).drawn().lines
        beside = " ".join(line[45:].strip() for line in lines[4:20])
        assert row.explanation in beside and "…" not in beside
        assert game(key).lesson.goal in lines[2]


def test_what_only_a_player_of_the_game_needs_is_behind_more() -> None:
    dialog = NewTable("barons", local=False)
    assert labels(dialog)[-4:] == ["Width", "Height", "Row pair", "More"] and "Grace" not in labels(dialog)
    dialog = press(at(dialog, "More"), "enter")
    assert {"Grace", "Row bonus"} <= {*labels(dialog)}
    dialog = press(at(press(at(dialog, "Row bonus"), "7"), "More"), "enter")
    assert "Grace" not in labels(dialog) and "Row bonus" in labels(dialog)
    found = request(dialog)
    assert isinstance(found, Host) and dict(found.terms.options)["row_bonus"] == 7


def test_people_at_one_keyboard_have_names_in_the_form_too() -> None:
    assert "Names" not in labels(NewTable("maze", local=True))
    dialog = at(press(at(NewTable("barons", local=True), "Bots"), "1"), "Names")
    assert request(dialog).names == ()
    dialog = press(dialog, *"Ann Lee, Ben")
    assert request(dialog).names == ("Ann Lee", "Ben", "", "")
    dialog = press(dialog, *", a name quite long")
    assert any("quite long_]" in line for line in dialog.drawn().lines)
    with pytest.raises(RulesError, match="there are 4 names, and 3 of the players are people"):
        request(press(dialog, *",x"))
    assert "Names" not in labels(NewTable("maze", local=False))
    made = request(press(at(press(at(NewTable("maze", local=True), "Bots"), "0"), "Names"), *"Ann,Ben"))
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


@pytest.mark.parametrize(
    ("name", "values", "wanted"),
    [
        ("barons", {}, (4, 3)),
        ("barons", {"bots": "1"}, (4, 2)),
        ("barons", {"seats": "3"}, (3, 2)),
        ("barons", {"seats": "3", "guests": "3"}, (3, 3)),
        ("maze", {}, (2, 1)),
        ("coin-isolation", {}, (4, 3)),
    ],
)
def test_seats_are_kept_for_all_guests_who_are_here(name: str, values: dict[str, str], wanted: tuple[int, int]) -> None:
    made = request(NewTable(name, local=False, values=values, here=3))
    assert isinstance(made, Host) and (made.terms.seats, made.guests) == wanted
