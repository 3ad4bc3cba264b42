"""The rows of plugged commands in the lobby: `Subcommand.lobby` is a `LobbyRow`, and its `shell` opens a front.

A front is a pure model like those of this house, and its shell does the slow work in threads of its own.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, Protocol, Self

from quadrille.plugs import loaded, plugs


class LobbyRow(NamedTuple):
    """A word of the lobby, its key (none where another word has it), what it takes, and what completes that.

    `shell` is the `module:class` of its `PluggedShell`. With `values="game"` the shell gets the key of a game.
    """

    help: str
    shell: str
    key: str = ""
    takes: str = ""
    values: str = ""


class PluggedFront(Protocol):
    """A screen of a plugged command, in front of the lobby. `result` is the line that stays in the lobby after it."""

    @property
    def look(self) -> Any: ...
    @property
    def result(self) -> str: ...
    def fitted(self, look: Any, rows: int, columns: int) -> Self: ...
    def updated(self, event: Any) -> tuple[Self, tuple[Any, ...]]: ...
    def drawn(self) -> Any: ...


class PluggedShell(Protocol):
    """Opens fronts: from any thread it tells the screen `Noted`, `FrontOpened` and `Brought`
    (screen/evening_events.py).
    """

    def __init__(self, at_home: str | None, tell: Callable[[object], None]) -> None: ...

    def open(self, rest: str) -> None:
        """Begin to open a front, with what was typed after the word."""

    def perform(self, effect: Any) -> bool:
        """Carry out an effect of a front of its own; return False for any other."""

    def close(self) -> None:
        """End all work: the person leaves."""


@cache
def lobby_rows() -> Mapping[str, LobbyRow]:
    """Return the rows of all plugged commands, by their words."""
    rows = {name: getattr(one, "lobby", None) for name, one in loaded("quadrille.commands").items()}
    return {name: row for name, row in rows.items() if isinstance(row, LobbyRow)}


def shell_of(word: str) -> type[PluggedShell]:
    """Import the shell of a row; a `BrokenPlug` says why that fails."""
    found: type[PluggedShell] = plugs("quadrille.commands")[word]._replace(where=lobby_rows()[word].shell).load()
    return found
