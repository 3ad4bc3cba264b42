"""The lobby as values. See update.py for what happens to them and draw.py for their looks.

Everything in the lobby is done by a line that could be typed: keys, lists and clicks only write it.
"""

from dataclasses import field
from typing import Final

from quadrille.client.screen.network.news import Around, TableRow
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.line_keys import Line
from quadrille.client.value import value
from quadrille.client.words.commands import Place, offered
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.registry import keys
from quadrille.rules.scene import Scene

#: Time without anybody found before the lobby says something about it, in milliseconds.
PATIENCE: Final = 5000
_MINUTE: Final = 60_000

#: Least rows of a window that shows the games, and rows beside the tables there: bar, actions, games, foot, a blank.
_GAMES_FROM: Final = 20
_BESIDE_TABLES: Final = 20

#: The commands in the list of things to do.
LISTED: Final = tuple(one for one in offered(Place.LOBBY) if one.key and one.word not in ("help", "quit"))


@value
class PickList:
    """A list to choose from: what each row says, and the line that it stands for. `stays` after a choice."""

    title: str
    rows: tuple[tuple[str, str], ...]
    at: int = 0
    stays: bool = False


@value
class GameCard:
    """A game as the lobby presents it: its aim in a line, and a position of it."""

    key: str
    title: str
    goal: str = ""
    scene: Scene | None = None


@value
class GamesShown:
    """The cards of all games are made."""

    cards: tuple[GameCard, ...]


@value
class LobbyScreen:
    """The lobby. `chosen` is the row under the cursor: "table", "game" or "do" and its name; `opened` is when it was
    opened; `question` is one that others put to this person; `left` are local games that go on. The cards of games
    have their titles alone until `GamesShown` brings the others.
    """

    look: terminal.Look = field(default_factory=terminal.Look)
    rows: int = terminal.ROWS
    columns: int = terminal.COLUMNS
    name: str = ""
    around: Around = field(default_factory=Around)
    left: tuple[TableRow, ...] = ()
    cards: tuple[GameCard, ...] = field(default_factory=lambda: tuple(map(_title_card, keys())))
    line: Line = field(default_factory=Line)
    lines: tuple[str, ...] = ()
    recalled: int = 0
    chosen: str = ""
    pick: PickList | None = None
    notice: str = ""
    alarm: bool = False
    searching: bool = False
    question: str = ""
    shut: str = ""
    opened: int = 0
    now: int = 0

    @property
    def tables(self) -> tuple[TableRow, ...]:
        """All that are listed: those where this person plays, local games that go on, those of others."""
        mine = sum(row.state == "mine" for row in self.around.tables)
        return (*self.around.tables[:mine], *self.left, *self.around.tables[mine:])

    @property
    def entries(self) -> tuple[str, ...]:
        """What the cursor goes over, from the top."""
        tables = [f"table {row.id}" for row in self.tables]
        cards = [f"game {card.key}" for card in self.cards if self.shows_games]
        return (*tables, *cards, *(f"do {action.word}" for action in LISTED))

    @property
    def shows_games(self) -> bool:
        """Whether the games have room beside the tables."""
        return self.rows >= max(_GAMES_FROM, _BESIDE_TABLES + len(self.tables))

    @property
    def game(self) -> str:
        """The key of the game under the cursor; "" elsewhere."""
        kind, _, key = self.at.partition(" ")
        return key if kind == "game" else ""

    @property
    def at(self) -> str:
        """The row under the cursor: the first one if the one that was chosen is gone."""
        return self.chosen if self.chosen in self.entries else self.entries[0]

    @property
    def is_fresh(self) -> bool:
        """Whether what is shown changes from second to second."""
        changing = any(self.now - row.since < _MINUTE for row in self.around.tables)
        return changing or self.now - self.opened <= PATIENCE

    @property
    def is_lonely(self) -> bool:
        """Whether nobody has been found in all that time."""
        nobody = not self.around.people and not self.tables
        return nobody and bool(self.opened) and self.now - self.opened > PATIENCE


def _title_card(key: str) -> GameCard:
    return GameCard(key, key.replace("-", " ").title())


# What the lobby asks for, beside orders for the network


@value
class NewGame:
    """A local table: a game, its options, the bot of each seat ("" for a person), its clock, and the names that people
    gave themselves. `Dealt` answers it.
    """

    game: str
    options: tuple[tuple[str, object], ...]
    bots: tuple[str, ...]
    clock: TimeControl | None = None
    names: tuple[str, ...] = ()


@value
class GoOn:
    """The local game of that number goes on. `Continued` answers it, or the reason why not."""

    number: str


@value
class LeftGames:
    """The local games that can go on."""

    rows: tuple[TableRow, ...]


@value
class Browse:
    """A look for records in the folder of games. `Browsed` answers it."""


@value
class Browsed:
    """The records that were found, the newest first.

    `about` has the words of games, by the file of a record or the number of a table: who played, and the result.
    """

    files: tuple[str, ...]
    about: tuple[tuple[str, str], ...] = ()


@value
class Peruse:
    """A look into a record by its file. `Shown` answers it, or the reason why not."""

    file: str


@value
class Examine:
    """A run of `quadrille doctor`. One `PageLine` after another answers it."""
