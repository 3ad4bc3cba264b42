"""What a large screen is sent is a function of what anybody may see: no hidden card, in any game, whatever is dealt."""

import json
from typing import Any

import pytest

from quadrille.client.guests.screen import GuestScreen
from quadrille.client.phones.board import Easel
from quadrille.client.phones.view import changes, guest_parts
from quadrille.client.screen.evening import Evening
from quadrille.client.screen.lobby.model import LobbyScreen
from quadrille.client.screen.table.model import Model, ShownChair, ShownTable
from quadrille.rules.core import WHOLE, ToDraw
from quadrille.rules.match import Match
from quadrille.rules.registry import keys
from tests.laws.settings import Setting, tried, usual
from tests.laws.walks import walk


class LargeScreen:
    """A screen that is told of one position after another."""

    def __init__(self) -> None:
        self.easel, self.shown = Easel(), dict[str, Any]()

    def sent(self, match: Match) -> str:
        """What is sent for a position."""
        chairs = tuple(ShownChair(f"seat {seat}") for seat in range(match.state.seats))
        table = ShownTable(match, chairs, (), None, local=False)
        parts = guest_parts(
            GuestScreen("", "", inside=True, evening=Evening(LobbyScreen(), Model(table))), self.easel, screen=True
        )
        told, self.shown = changes(parts, self.shown, 0), parts
        told.pop("log", None)  # it tells a look as "= ?" or not at all, depending on what the match has
        return json.dumps(told)


@pytest.mark.parametrize("setting", tried(table for key in keys() for table in usual(key)), ids=str)
def test_a_screen_is_sent_no_more_than_its_view(setting: Setting) -> None:
    whole = Match(setting.game, dict(setting.options), setting.seats, viewer=WHOLE)
    spectators = Match(setting.game, dict(setting.options), setting.seats, viewer=None)
    told_of_all, told_of_view = LargeScreen(), LargeScreen()
    for step in list(walk(setting, "screens", 100))[:-1]:
        for match, move in ((whole, step.move), (spectators, step.state.mask(step.move, None))):  # type: ignore[arg-type]
            if isinstance(step.state.pending, ToDraw):
                match.answer(move)  # type: ignore[arg-type]
            else:
                match.play(move)  # type: ignore[arg-type]
        assert told_of_all.sent(whole) == told_of_view.sent(spectators)
