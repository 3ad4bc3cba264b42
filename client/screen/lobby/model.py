"""What the lobby knows and can do. Values only: lobby_update.py says what happens to them, lobby_draw.py how it looks.

Whatever can be done there is a line that could be typed: keys, lists and clicks only write it.
"""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from quadrille.client.screen.network.news import Around
from quadrille.client.screen.table.model import COLUMNS, ROWS, Line, Look, Page
from quadrille.client.words.commands import Place, offered
from quadrille.net.terms import TimeControl

#: So long nobody may be found until something is said about it, in milliseconds.
PATIENCE: Final = 5000

#: What stands in the list of things to do.
LISTED: Final = tuple(one for one in offered(Place.LOBBY) if one.key and one.word not in ("help", "quit"))


@dataclass(frozen=True, slots=True)
class PickList:
    """A list to choose from: what each row says, and the line that it stands for. `stays` after a choice."""

    title: str
    rows: tuple[tuple[str, str], ...]
    at: int = 0
    stays: bool = False


@dataclass(frozen=True, slots=True)
class LobbyScreen:
    """The lobby. `chosen` is the row under the cursor: "table" or "do" and its name; `opened` is when it was opened;
    `files` are records that were found in the folder of games.
    """

    look: Look = field(default_factory=Look)
    rows: int = ROWS
    columns: int = COLUMNS
    name: str = ""
    around: Around = field(default_factory=Around)
    line: Line = field(default_factory=Line)
    lines: tuple[str, ...] = ()
    recalled: int = 0
    chosen: str = ""
    pick: PickList | None = None
    notice: str = ""
    alarm: bool = False
    searching: bool = False
    shut: str = ""
    opened: int = 0
    now: int = 0
    files: tuple[str, ...] = ()

    @property
    def entries(self) -> tuple[str, ...]:
        """What the cursor goes over, from the top."""
        tables = [f"table {row.id}" for row in self.around.tables]
        return (*tables, *(f"do {action.word}" for action in LISTED))

    @property
    def at(self) -> str:
        """The row under the cursor: the first one if the one that was chosen is gone."""
        return self.chosen if self.chosen in self.entries else self.entries[0]

    @property
    def is_lonely(self) -> bool:
        """Whether nobody has been found in all that time."""
        nobody = not self.around.people and not self.around.tables
        return nobody and bool(self.opened) and self.now - self.opened > PATIENCE


# What the lobby can ask for, beside orders for the network


@dataclass(frozen=True, slots=True)
class NewGame:
    """A table of one's own: a game, its options, its seats and who plays there ("" for a person), its clock."""

    game: str
    options: tuple[tuple[str, object], ...]
    bots: tuple[str, ...]
    clock: TimeControl | None = None


@dataclass(frozen=True, slots=True)
class Browse:
    """Which records there are: answered by `Browsed`."""


@dataclass(frozen=True, slots=True)
class Browsed:
    """The records that were found, the newest first."""

    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Peruse:
    """A record by its file: answered by `Shown`, or told why not."""

    file: str


@dataclass(frozen=True, slots=True)
class Examine:
    """What `quadrille doctor` does: answered by `Found` upon `Found`."""


@dataclass(frozen=True, slots=True)
class Prepare:
    """A dialog for a new table, of one's own or for others."""

    game: str
    local: bool


LobbyEffect: TypeAlias = NewGame | Browse | Peruse | Examine | Prepare | Page
