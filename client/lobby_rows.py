"""Rows of commands. A package brings one for the lobby as `Subcommand.lobby`; its `opener` is a shell for a front.

A front is a pure model like those of this house, and its shell does the slow work in threads of its own.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

from quadrille.plugs import loaded, plugs

if TYPE_CHECKING:
    from quadrille.client.table.wishes import Verb, Wish
    from quadrille.client.words.commands import Place


class CommandRow(NamedTuple):
    """A row of the table of commands (words/commands.py): a word, and its help at each place that offers it, "" for a
    place that does not list it. The word of a plugged row is the name of its command; its key is only its own where no
    other word of the lobby has it.

    A `wish` that is a class or a verb gets what `takes` reads. `values` names what completes the argument: the shell of
    a plugged row gets the key of a "game". `same` are other words for the command, where a place offers no command of
    that name. A `guest` may use it at the host's machine: the others start programs of the host or write its files.
    """

    word: str = ""
    key: str = ""
    takes: str = ""
    where: "Mapping[Place, str] | None" = None
    wish: "Callable[..., Wish] | Wish | Verb | None" = None
    same: tuple[str, ...] = ()
    values: str = ""
    guest: bool = False
    #: The help at the place that offers this row.
    help: str = ""
    #: The `module:class` of the `PluggedShell` of a plugged row.
    opener: str = ""


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
    """Opens fronts: from any thread it tells the screen `Noted`, `FrontOpened` and `Brought`."""

    def __init__(self, at_home: str | None, tell: Callable[[object], None]) -> None: ...

    def open(self, rest: str) -> None:
        """Begin to open a front, with what was typed after the word."""

    def perform(self, effect: Any) -> bool:
        """Carry out an effect of a front of its own; return False for any other."""

    def close(self) -> None:
        """End all work: the person leaves."""


class Noted(NamedTuple):
    """How far the shell of a plugged command is."""

    text: str


class FrontOpened(NamedTuple):
    """The front of a plugged command; `ready` says so to a person who is busy with something else."""

    front: PluggedFront
    ready: str


class Brought(NamedTuple):
    """An event for the plugged front from its shell; of no use once the front is left."""

    event: Any


@cache
def lobby_rows() -> Mapping[str, CommandRow]:
    """Return the rows of all plugged commands, by their words."""
    rows = {name: getattr(module, "lobby", None) for name, module in loaded("quadrille.commands").items()}
    return {name: row._replace(word=name) for name, row in rows.items() if isinstance(row, CommandRow)}


def shell_of(word: str) -> type[PluggedShell]:
    """Import the shell of a row; a `BrokenPlug` says why that fails."""
    shell: type[PluggedShell] = plugs("quadrille.commands")[word]._replace(where=lobby_rows()[word].opener).load()
    return shell
