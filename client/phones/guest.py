"""A guest's evening: the usual one (screen/evening.py), cut down to one table. Pure, as all screens are.

A guest uses the host's machine, and must not reach its files, settings, programs or other tables. So only what is
listed here gets through, and of commands what client/words/commands.py allows a guest.
"""

from dataclasses import field, replace
from typing import Final

from quadrille.client.screen.evening import Evening, EveningEffect, EveningEvent, update_evening
from quadrille.client.screen.lobby.model import LobbyScreen
from quadrille.client.screen.network.news import Sent
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.model import Remember
from quadrille.client.table.effects import Advise, Quit, Wake
from quadrille.client.table.wishes import NetworkWish, PlayMove
from quadrille.client.words.commands import GUESTS, word_of
from quadrille.value import value

_NOT_HERE: Final = "That is for those who play on their own machine"


@value
class GuestScreen:
    """One guest's evening. `about` describes the table, `wanted` is how its number begins."""

    about: str
    wanted: str
    evening: Evening = field(default_factory=lambda: Evening(LobbyScreen(), straight=True))

    @property
    def is_looking(self) -> bool:
        """Tell whether the table has not been found yet."""
        return self.evening.front is None

    @property
    def may_watch(self) -> bool:
        """Tell whether the table plays without this guest, and allows watchers."""
        rows = self.evening.lobby.around.tables
        return any(row.id.startswith(self.wanted) and row.state == "playing" and row.may_watch for row in rows)


def update_guest(guest: GuestScreen, event: EveningEvent) -> tuple[GuestScreen, tuple[EveningEffect, ...]]:
    """Pass an event to the evening, and keep only the effects that a guest may have."""
    evening, asked = update_evening(guest.evening, event)
    done: list[EveningEffect] = []
    for effect in asked:
        match effect:
            case terminal.Ring() | terminal.Entitle() | Wake() | Quit() | Sent(PlayMove()) | Advise():
                done.append(effect)
            case Sent(order) if isinstance(order, NetworkWish) and word_of(order) in GUESTS:
                done.append(effect)
            case Remember():
                pass  # it is valid for this visit only
            case _:
                evening, _ = update_evening(evening, terminal.Told(f"{_NOT_HERE}.", alarm=True))
    return replace(guest, evening=evening), tuple(done)
