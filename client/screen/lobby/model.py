"""The lobby as values. See update.py for their changes and draw.py for their drawing.

Everything in the lobby is done by a line that could be typed: keys, lists and clicks only write it.
"""

from dataclasses import field
from typing import TYPE_CHECKING, Final

from quadrille.client.screen.network.news import Around, TableRow
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.terminal import Line, PickList
from quadrille.client.words.commands import Command, Place, offered
from quadrille.rules.registry import keys
from quadrille.value import value

if TYPE_CHECKING:
    from quadrille.net.entries.terms import TimeControl
    from quadrille.rules.scene import Scene

#: Milliseconds without anybody found before the lobby mentions it.
PATIENCE: Final = 5000
_MINUTE: Final = 60_000

#: The order of tables, by their states. Unfinished games stand behind all others, unless somebody of theirs is here.
_ORDER: Final = {"open": 0, "mine": 1, "kept": 1, "agreeing": 2, "playing": 3, "unplayable": 4}
#: The states of tables where this person has a seat.
OWN: Final = "mine", "kept", "left"
#: Rows besides tables, games and actions: the bar, three titles and the foot.
_BESIDE_LISTS: Final = 7
#: The fewest rows of tables, or of advice, beside which the games are shown.
LEAST_TABLES: Final = 3
#: Rows of the lines about guests.
_ENTRANCE: Final = 3


@value
class GameCard:
    """A game in the lobby: its aim in a line, how many play it for how long, and a position of it."""

    key: str
    title: str
    goal: str = ""
    about: str = ""
    scene: "Scene | None" = None


@value
class GamesShown:
    """The cards of all games are made."""

    cards: tuple[GameCard, ...]


@value
class LobbyScreen:
    """The lobby. `chosen` is the row under the cursor: "table", "game" or "do" and its name; `opened` is its start
    time; `left` are unfinished games. The cards of games have only their titles until `GamesShown` completes them.
    """

    look: terminal.Look = field(default_factory=terminal.Look)
    rows: int = terminal.ROWS
    columns: int = terminal.COLUMNS
    name: str = ""
    around: Around = field(default_factory=Around)
    left: tuple[TableRow, ...] = ()
    cards: tuple[GameCard, ...] = field(
        default_factory=lambda: tuple(GameCard(key, key.replace("-", " ").title()) for key in keys())
    )
    line: Line = field(default_factory=Line)
    lines: tuple[str, ...] = ()
    recalled: int = 0
    chosen: str = ""
    pick: PickList | None = None
    notice: str = ""
    alarm: bool = False
    opened: int = 0
    now: int = 0

    @property
    def tables(self) -> tuple[TableRow, ...]:
        """All listed tables, in the order of their numbers."""
        return (*self.met, *self.unfinished)

    @property
    def met(self) -> tuple[TableRow, ...]:
        """The tables where somebody is: free seats first, then where this person plays, then those of others."""
        return tuple(sorted(self._listed(met=True), key=lambda row: _ORDER[row.state]))

    @property
    def unfinished(self) -> tuple[TableRow, ...]:
        """The games of this person that wait for nobody who is here."""
        return tuple(self._listed(met=False))

    def _listed(self, *, met: bool) -> list[TableRow]:
        """Return the tables where somebody is, or the others."""
        ids, people = {row.id for row in self.around.tables}, {who.key for who in self.around.people}
        rows = [*self.around.tables, *(row for row in self.left if row.id not in ids)]
        return [row for row in rows if met == (row.state not in OWN or not people.isdisjoint(row.keys))]

    @property
    def entries(self) -> tuple[str, ...]:
        """The rows that the cursor visits, from the top."""
        met, unfinished = ([f"table {row.id}" for row in rows] for rows in (self.met, self.unfinished))
        cards = [f"game {card.key}" for card in self.cards] if self.shows_games else []
        return (*met, *cards, *unfinished, *([] if self.is_small else [f"do {action.word}" for action in actions()]))

    @property
    def _beside_actions(self) -> int:
        return (
            _BESIDE_LISTS + len(self.cards) + _ENTRANCE * (self.around.entrance is not None) + 2 * bool(self.unfinished)
        )

    @property
    def is_small(self) -> bool:
        """Return whether actions and people have no list, but a row or two of text, so that the games fit."""
        return self.rows < self._beside_actions + len(actions()) + max(LEAST_TABLES, len(self.met))

    @property
    def shows_games(self) -> bool:
        """Return whether the games have a list; where there is no table either, else nothing could be chosen."""
        return not (self.is_small and self.tables) or self.rows >= self._beside_actions + LEAST_TABLES

    @property
    def game(self) -> str:
        """The key of the game under the cursor; "" elsewhere."""
        kind, _, key = self.at.partition(" ")
        return key if kind == "game" else ""

    @property
    def at(self) -> str:
        """The row under the cursor: the first one if the chosen one is gone."""
        return self.chosen if self.chosen in self.entries else self.entries[0]

    @property
    def is_fresh(self) -> bool:
        """Return whether the content changes from second to second."""
        changing = any(self.now - row.since < _MINUTE for row in self.around.tables)
        return changing or self.now - self.opened <= PATIENCE

    @property
    def is_lonely(self) -> bool:
        """Return whether nobody has been found for a while."""
        nobody = not self.around.people and not self.tables
        return nobody and bool(self.opened) and self.now - self.opened > PATIENCE


def actions() -> tuple[Command, ...]:
    """Return the commands in the list at the left."""
    return tuple(command for command in offered(Place.LOBBY) if command.key and command.word not in ("help", "quit"))


# Requests of the lobby besides orders for the network


@value
class NewGame:
    """A local table: a game, its options, the bot of each seat ("" for a person), its clock, and the names that
    people gave themselves. `SitDown` answers it.
    """

    game: str
    options: tuple[tuple[str, object], ...]
    bots: tuple[str, ...]
    clock: "TimeControl | None" = None
    names: tuple[str, ...] = ()


@value
class LeftGames:
    """The unfinished games of this person."""

    rows: tuple[TableRow, ...]


@value
class Errand:
    """A command that the shell carries out, with the text after its word.

    A list of games answers `replay`, a table answers it for a file, and one `PageLine` after another answers `doctor`.
    An unfinished game has a number: `SitDown` answers `resume`, and `LeftGames` answers `forget`. Plugged commands have
    answers of their own (client/lobby_rows.py). Any errand may be refused.
    """

    word: str
    rest: str = ""


@value
class PageLine:
    """One more line for the open page with that title."""

    title: str
    line: str
