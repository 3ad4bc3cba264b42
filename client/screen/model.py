"""What the table screen knows, what can happen to it, and what it can ask for. Values only, nothing is decided here.

`update(model, event) -> (model, effects)` (update.py) and `draw(model) -> Picture` (draw.py) are pure; an effect is
asked for by `update` and done by whoever runs the screen (app.py, stage.py). What a person wishes at a table is a
`Wish`: a local table grants it at once (local.py); on the network it is an effect, which is answered by `Changed`.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from quadrille.client.clocks import Clocks
from quadrille.rules.core import WHOLE, State, ToMove, Viewer
from quadrille.rules.match import Entry, Match

ROWS: Final = 24
COLUMNS: Final = 80


@dataclass(frozen=True, slots=True)
class Chair:
    """Who has a seat: the name that is shown, and the bot that plays there ("" for a person)."""

    name: str
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """What is at the table. The match is taken as a value: whoever changes it changes a copy.

    `mine` are the seats whose moves are made at this keyboard, `viewer` through whose eyes it is shown. `clocks` has
    what each seat has left in milliseconds at `read_at` (of the same clock as `Tick`); a local table runs its `timer`
    itself. `banner` tells of somebody who is gone, or of a bot that does not move. Nothing moves
    while it is `paused`; while it `rests` no clock runs until the next move. `view` is the position as the viewer
    knows it, where the match alone does not tell (a hand on the network).
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
class Cover:
    """Hidden hands are covered: `seat` is to take the keyboard. Before that, `since` still looks at its own."""

    seat: int
    since: int | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """Looking back: the position after `at` entries; `runs` while it goes on by itself."""

    at: int
    runs: bool = False


Overlay: TypeAlias = Page | Menu | Question | Cover | None


@dataclass(frozen=True, slots=True)
class Model:
    """The whole screen.

    `ticket` changes with every position, so that late answers are known by their number. `focus` is where Enter works:
    on the board when a cursor key or the mouse came last, on the line when something was typed. `picked` is the place
    that was picked last, `cursor` the one under the cursor. `offered` are the bots that have not answered yet to the
    offer of a draw. `kept` is what of the game is in a file, `file` its name; `bot` who is asked for hints.
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
    thinking: bool = False
    hinting: bool = False
    offered: tuple[int, ...] = ()
    now: int = 0
    file: str = ""
    kept: tuple[Entry, ...] = ()
    bot: str = "2"
    picked: str = ""


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
class Moved:
    """A bot has chosen its move in the position of that ticket."""

    ticket: int
    move: str


@dataclass(frozen=True, slots=True)
class Hinted:
    """A bot has been asked for a hint, and would play this."""

    ticket: int
    move: str


@dataclass(frozen=True, slots=True)
class Faulted:
    """A bot could not do what it was asked for; `late`: its time was up."""

    ticket: int
    why: str
    late: bool = False


@dataclass(frozen=True, slots=True)
class Slow:
    """A bot has been asked for a move, and has not answered for so many seconds."""

    ticket: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Answered:
    """A bot has answered to the offer of a draw."""

    ticket: int
    seat: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class Told:
    """Something to say in the line above the prompt."""

    text: str
    alarm: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """The game was written to a file."""

    name: str
    path: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Loaded:
    """Another game has been read."""

    name: str
    match: Match


@dataclass(frozen=True, slots=True)
class Changed:
    """A table that is not of this program alone has changed; this is how it is now."""

    table: Table
    notice: str = ""


Event: TypeAlias = (
    Key | Pasted | Click | Wheel | Resized | Begun | Tick | Moved | Hinted | Faulted | Slow | Answered | Told | Kept
    | Loaded | Changed
)  # fmt: skip


# What can be wished at a table


@dataclass(frozen=True, slots=True)
class Play:
    """A move, as text."""

    text: str


@dataclass(frozen=True, slots=True)
class Takeback:
    """So many own moves back."""

    moves: int = 1


@dataclass(frozen=True, slots=True)
class Propose:
    """ "draw", "pause", or what else a table on the network knows."""

    what: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Resign:
    """Out of the game."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Once more, everybody one seat further."""


@dataclass(frozen=True, slots=True)
class Say:
    """A line to all at the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Against:
    """Bots take the seats of the others: one all of them, or several one each; people do, if there is none."""

    bots: tuple[str, ...]


Wish: TypeAlias = Play | Takeback | Propose | Resign | Rematch | Say | Against


# What the screen can ask for


@dataclass(frozen=True, slots=True)
class Think:
    """A bot's move: answered by `Moved` or `Faulted`, and by `Slow` before it where no clock runs (`timer`)."""

    ticket: int
    seat: int
    bot: str
    match: Match
    timer: Clocks | None = None


@dataclass(frozen=True, slots=True)
class Advise:
    """A hint from a bot for the seat to move: answered by `Hinted` or `Faulted`."""

    ticket: int
    seat: int
    bot: str
    match: Match


@dataclass(frozen=True, slots=True)
class Offer:
    """A draw is offered to a bot: answered by `Answered`."""

    ticket: int
    seat: int
    by: int
    match: Match


@dataclass(frozen=True, slots=True)
class Settled:
    """The game is over, or another begins: bots may be told."""

    match: Match


@dataclass(frozen=True, slots=True)
class Closed:
    """The table is left: its bots may go."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Write the game to a file: answered by `Kept` or `Told`."""

    name: str
    match: Match
    over: bool = False


@dataclass(frozen=True, slots=True)
class Load:
    """Read a game from a file: answered by `Loaded` or `Told`."""

    name: str


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
class Wake:
    """A `Tick` in so many milliseconds."""

    after: int


@dataclass(frozen=True, slots=True)
class Suspend:
    """Into the background, as Ctrl-Z does."""


@dataclass(frozen=True, slots=True)
class Redraw:
    """Everything again, whatever the terminal shows."""


@dataclass(frozen=True, slots=True)
class Quit:
    """The end."""

    code: int = 0


Effect: TypeAlias = (
    Wish | Think | Advise | Offer | Settled | Closed | Keep | Load | Copy | Remember | Ring | Entitle | Wake | Suspend
    | Redraw | Quit
)  # fmt: skip
Effects: TypeAlias = tuple[Effect, ...]


def shown_match(model: Model) -> Match:
    """The match as it is on the screen: as it stands, or as it stood."""
    match = model.table.match
    return match.before(model.replay.at) if model.replay else match


def shown_state(model: Model) -> State[Any, Any]:
    """The position on the screen, as the one who looks may know it."""
    if model.replay is None and model.table.view is not None:
        return model.table.view
    match, viewer = shown_match(model), model.table.viewer
    return match.state if match.viewer != WHOLE or viewer == WHOLE else match.state.view(viewer)
