"""The dialog for a new table: another bot in each seat, and clocks at one's own table too."""

import pytest

from quadrille.client.screen.lobby.dialog import draw_new, update_new
from quadrille.client.screen.lobby.model import NewGame
from quadrille.client.screen.lobby.new_table import NewTable, request, rows_of
from quadrille.client.screen.network.news import Host
from quadrille.client.screen.table.terminal import Key
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.errors import RulesError


def press(dialog: NewTable, *keys: str) -> NewTable:
    for key in keys:
        after, _ = update_new(dialog, Key(key))
        assert after is not None
        dialog = after
    return dialog


def at(dialog: NewTable, label: str) -> NewTable:
    """The dialog with the cursor on that line."""
    labels = [row.label for row in rows_of(dialog)]
    return press(dialog, "home", *["down"] * labels.index(label))


def table(dialog: NewTable) -> NewGame:
    found = request(dialog)
    assert isinstance(found, NewGame)
    return found


def test_each_bot_has_a_line_and_is_as_the_first_until_it_is_another() -> None:
    dialog = NewTable("barons", local=True)
    assert [row.label for row in rows_of(dialog)][:7] == ["Game", "Seats", "Bots", "Bot 1", "Bot 2", "Bot 3", "Clock"]
    dialog = press(at(dialog, "Bot 1"), "right")
    assert table(dialog).bots == ("", "3", "3", "3")
    dialog = press(at(dialog, "Bot 3"), "m")
    assert table(dialog).bots == ("", "3", "3", "mcts")
    dialog = press(at(dialog, "Bots"), "left")
    assert table(dialog).bots == ("", "", "3", "3")
    assert "Bot 3" not in "\n".join(draw_new(dialog).lines)


def test_one_bot_has_no_number() -> None:
    assert [row.label for row in rows_of(NewTable("maze", local=True))][2:4] == ["Bots", "Their level"]


def test_on_the_network_too() -> None:
    dialog = press(at(press(at(NewTable("barons", local=False), "Bots"), "2"), "Bot 2"), "g")
    found = request(dialog)
    assert isinstance(found, Host) and found.bots == ("2", "greedy")


def test_a_clock_at_ones_own_table() -> None:
    dialog = at(NewTable("maze", local=True), "Clock")
    assert table(dialog).clock is None
    assert table(press(dialog, *"3m+2s")).clock == TimeControl(180_000, 2000)
    assert table(press(dialog, "right")).clock == TimeControl(180_000, 2000)
    with pytest.raises(RulesError, match="'soon' is no time"):
        request(press(dialog, *"soon"))


def test_bots_and_clock_stay_when_another_game_is_chosen() -> None:
    dialog = press(at(press(at(NewTable("barons", local=True), "Bot 2"), "g"), "Clock"), "right")
    assert table(press(at(dialog, "Game"), "right", "left")) == table(dialog)
