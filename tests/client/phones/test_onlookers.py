"""What a large screen is sent is a function of what anybody may see: no hidden card, in any game, whatever is dealt."""

import json
from typing import Any

import pytest

from quadrille.client.phones.guest import GuestScreen
from quadrille.client.phones.view import Remembered, changes, guest_parts
from quadrille.client.screen.evening import Evening
from quadrille.client.screen.lobby.model import LobbyScreen
from quadrille.client.screen.table.model import Model, ShownChair, ShownTable
from quadrille.laws.settings import Setting, setting
from quadrille.laws.walks import random_match, walk
from quadrille.rules.core import WHOLE, ToDraw
from quadrille.rules.match import Match
from quadrille.rules.registry import game, keys


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
