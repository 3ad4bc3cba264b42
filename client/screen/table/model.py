"""What the table screen knows, what can happen to it, and what it can ask for. Values only, nothing is decided here.

`update(model, event) -> (model, effects)` (update.py) and `draw(model) -> Picture` (draw.py) are pure; an effect is
asked for by `update` and done by whoever runs the screen (app.py, stage.py). What a person wishes at a table is a
`Wish` (client/table/wishes.py): a local table grants it at once (client/table/course.py); on the network it is an
effect, which is answered by `Changed`.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from quadrille.client.clocks import Clocks
from quadrille.client.table.effects import Advise, Keep, Offer, Quit, Settled, TableEffect, Think, Wake
from quadrille.client.table.local import Cover, LocalTable
from quadrille.client.table.network.wishes import NetworkWish
from quadrille.client.table.wishes import (
    Against,
    Answer,
    Answered,
    Faulted,
    Hinted,
    Kept,
    Load,
    Loaded,
    Moved,
    Play,
    Propose,
    Rematch,
    Resign,
    Say,
    Slow,
    Takeback,
    Wish,
)
from quadrille.client.words.commands import Place
from quadrille.rules.core import WHOLE, State, ToMove, Viewer
from quadrille.rules.match import Match

#: The vocabulary of the screen, that of tables among it.
__all__ = [
    "COLUMNS", "ROWS", "Advise", "Against", "Answered", "Begun", "Chair", "Changed", "Click", "Closed", "Copy",
    "Cover", "Effect", "Effects", "Entitle", "Event", "Faulted", "Hinted", "Keep", "Kept", "Key", "Line", "Load",
    "Loaded", "LocalTable", "Look", "Menu", "Model", "Moved", "Offer", "Overlay", "Page", "Pasted", "Play", "Propose",
    "Question", "Quit", "Redraw", "Rematch", "Remember", "Replay", "Resign", "Resized", "Ring", "Say", "Settled",
    "Slow", "Suspend", "Table", "Takeback", "Think", "Tick", "Told", "Wake", "Wheel", "Wish", "shown_match",
    "shown_state",
]  # fmt: skip

ROWS: Final = 24
COLUMNS: Final = 80


@dataclass(frozen=True, slots=True)
class Chair:
    """Who has a seat: the name that is shown, and the bot that plays there ("" for a person)."""

    name: str
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is shown, a local one or one on the network. The match is a value: a change of it changes a copy.

    `mine` are the seats whose moves are made at this keyboard, `viewer` through whose eyes it is shown. `clocks` has
    what each seat has left in milliseconds at `read_at` (of the same clock as `Tick`); a local table has a `timer`.
    `banner` tells of somebody who is gone, or of a bot that does not move. Nothing moves while it is `paused`; while it
    `rests` no clock runs until the next move. `view` is the position as the viewer knows it, where the match alone does
    not tell (a hand on the network).
    """

    match: Match
    chairs: tuple[Chair, ...]
    mine: tuple[int, ...]
    viewer: Viewer
    local: bool = True
    link: str = "local"
    clocks: tuple[int, ...] | None = None
    read_at: int = 0
    timer: Clocks | None = None
    chat: tuple[str, ...] = ()
    banner: str = ""
    paused: bool = False
    rests: bool = False
    view: State[Any, Any] | None = None

    @property
    def turn(self) -> int | None:
        """The seat that owes a move."""
        pending = self.match.pending
        return pending.seat if isinstance(pending, ToMove) else None

    @property
    def is_mine(self) -> bool:
        """Whether a move is to be made at this keyboard."""
        return self.turn in self.mine and not self.paused

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, chair in enumerate(self.chairs) if not chair.bot)

    @property
    def is_watched(self) -> bool:
        """Whether the one at this keyboard only looks on, at a table of others."""
        return not self.local and not isinstance(self.viewer, int)

    @property
    def is_record(self) -> bool:
        """Whether this is a game of before, looked at: nobody at this keyboard has a seat in it."""
        return self.local and not self.mine

    @property
    def place(self) -> Place:
        """Which commands make sense here."""
        if self.local:
            return Place.OWN if self.mine else Place.RECORD
        return Place.WATCHED if self.is_watched else Place.SEAT

    @property
    def runs(self) -> bool:
        """Whether a clock runs, if there is any."""
        return self.turn is not None and not (self.paused or self.rests)

    def called(self, seat: int) -> str:
        """What the holder of a seat is called."""
        return self.chairs[seat].name

    def time_left(self, seat: int, now: int) -> int | None:
        """What a seat has left, in milliseconds; None where no clock is."""
        if self.timer is not None:
            return self.timer.at(seat, now)
        if self.clocks is None:
            return None
        return self.clocks[seat] - (max(0, now - self.read_at) if seat == self.turn and self.runs else 0)


@dataclass(frozen=True, slots=True)
class Line:
    """What is being typed, and where the caret is in it."""

    text: str = ""
    at: int = 0

    @classmethod
    def of(cls, text: str) -> "Line":
        """A text with the caret behind it."""
        return cls(text, len(text))


@dataclass(frozen=True, slots=True)
class Look:
    """How it is to look and sound."""

    theme: str = "night"
    plain: bool = False
    bell: bool = True
    title: bool = True


@dataclass(frozen=True, slots=True)
class Page:
    """A page of text over everything, from a line on; `prose` is written as the rules are. Tab turns to the `other`."""

    title: str
    lines: tuple[str, ...]
    top: int = 0
    prose: bool = False
    other: "Page | None" = None


@dataclass(frozen=True, slots=True)
class Menu:
    """The list of what can be done."""

    at: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """Something that is done only after a yes: a line as it would be typed."""

    text: str
    line: str


@dataclass(frozen=True, slots=True)
class Replay:
    """Looking back: the position after `at` entries; `runs` while it goes on by itself."""

    at: int
    runs: bool = False


Overlay: TypeAlias = Page | Menu | Question | Cover | None


@dataclass(frozen=True, slots=True)
class Model:
    """The whole screen.

    `table` is what is shown, `own` the local table behind it, which a record and a table on the network have not.
    `ticket` changes with every position, so that late answers are known by it. `focus` is where Enter works: on the
    board when a cursor key or the mouse came last, on the line when something was typed. `picked` is the place that was
    picked last, `cursor` the one under the cursor. `file` is what the game is called in a file, `bot` the one that is
    asked for hints.
    """

    table: Table
    look: Look = Look()
    rows: int = ROWS
    columns: int = COLUMNS
    line: Line = Line()
    lines: tuple[str, ...] = ()
    recalled: int = 0
    cursor: str = ""
    focus: Literal["board", "line"] = "line"
    notice: str = ""
    alarm: bool = False
    overlay: Overlay = None
    replay: Replay | None = None
    ticket: int = 0
    now: int = 0
    file: str = ""
    bot: str = "2"
    picked: str = ""
    own: LocalTable | None = None

    @property
    def thinking(self) -> bool:
        """Whether a bot was asked for its move."""
        return self.own is not None and self.own.thinks


# What can happen


@dataclass(frozen=True, slots=True)
class Key:
    """A key by its name in prompt-toolkit ("up", "f1", "c-q"), or the letter itself."""

    name: str


@dataclass(frozen=True, slots=True)
class Pasted:
    """Text from somewhere else."""

    text: str


@dataclass(frozen=True, slots=True)
class Click:
    """The left button went down."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Wheel:
    """The wheel was turned."""

    up: bool


@dataclass(frozen=True, slots=True)
class Resized:
    """The window has another size."""

    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class Begun:
    """The screen is there; what the first position asks for can be asked."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: the time in milliseconds."""

    now: int


@dataclass(frozen=True, slots=True)
class Told:
    """Something to say in the line above the prompt."""

    text: str
    alarm: bool = False


@dataclass(frozen=True, slots=True)
class Changed:
    """A table that is not of this program alone has changed; this is how it is now."""

    table: Table
    notice: str = ""


Event: TypeAlias = (
    Key | Pasted | Click | Wheel | Resized | Begun | Tick | Told | Changed | Answer
)  # fmt: skip


# What the screen can ask for


@dataclass(frozen=True, slots=True)
class Closed:
    """The table is left: its bots may go."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of a game on the network goes on at a table of one's own: who plays there ("" for a person)."""

    match: Match
    bots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Remember:
    """Keep how it is to look and sound."""

    look: Look


@dataclass(frozen=True, slots=True)
class Ring:
    """The bell."""


@dataclass(frozen=True, slots=True)
class Entitle:
    """The title of the window; "" for none."""

    text: str


@dataclass(frozen=True, slots=True)
class Suspend:
    """Into the background, as Ctrl-Z does."""


@dataclass(frozen=True, slots=True)
class Redraw:
    """Everything again, whatever the terminal shows."""


Effect: TypeAlias = Wish | NetworkWish | TableEffect | Closed | Copy | Remember | Ring | Entitle | Suspend | Redraw
Effects: TypeAlias = tuple[Effect, ...]


def shown_match(model: Model) -> Match:
    """The match as it is on the screen: as it stands, or as it stood."""
    match = model.table.match
    return match.before(model.replay.at) if model.replay else match


def shown_state(model: Model) -> State[Any, Any]:
    """The position on the screen, as the one who looks is shown it."""
    if model.replay is None and model.table.view is not None:
        return model.table.match.shown(model.table.view)
    match, viewer = shown_match(model), model.table.viewer
    view = match.state if match.viewer != WHOLE or viewer == WHOLE else match.state.view(viewer)
    return match.shown(view) if model.replay is None or model.table.match.over else view.recalled()
