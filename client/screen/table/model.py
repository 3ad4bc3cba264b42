"""The table screen as values: its model, its events besides those of the terminal, and its effects.

`update(model, event) -> (model, effects)` (update.py) and `draw(model) -> Picture` (draw.py) are pure; app.py and
stage.py carry out the effects. A person's input becomes a `Wish` (client/table/wishes.py), which is an effect: any
table answers it by `Changed`. The line at the prompt is the half-made move, of any game (`draft`): a cursor key and the
mouse write notation into it, so marks, preview and reasons are the same for all three ways to make a move.
"""

from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.page import Page
from quadrille.client.screen.table.terminal import Line, PickList
from quadrille.client.table.game_setup import Cover, GameSetup
from quadrille.client.table.notices import Why
from quadrille.client.table.wishes import Answer, TableEffect, Wish
from quadrille.client.words.commands import AnyPlace, GivenPlace, Place
from quadrille.net.entries.clocks import Clocks
from quadrille.rules.core import HIDDEN, WHOLE, Move, State, ToDraw, ToMove, Viewer
from quadrille.rules.core.talk import Half, half_made
from quadrille.rules.core.thoughts import Thought, Thoughts
from quadrille.rules.match import Left, Match, Played
from quadrille.value import value

#: Commands of a network table that need a game in progress.
_TO_PLAY: Final = ("hint", "takeback", "draw", "pause", "resign", "wait", "stand-in", "drop", "flag", "back")


@value
class ShownChair:
    """The holder of a seat: the shown name, the bot that plays there ("" for a person), and its kind beside the name
    (`level 2`).
    """

    name: str
    bot: str = ""
    kind: str = ""


@value
class ShownTable:
    """A shown table, local or on the network. The match is a value: a change of it changes a copy.

    `mine` are the seats that move at this keyboard, `viewer` is the seat that looks. The `clocks` are by the time of
    `Tick`. `banner` reports somebody who is gone, or a bot that does not move; if it `asks`, it is a question of
    others to this person. `chat` has the chat lines, `told` all events besides moves. Nothing moves while it is
    `paused`; while it `rests` no clock runs until the next move. `view` is the position as the viewer knows it, if
    the match alone does not tell (a hand on the network). `awaits` is the seat whose program has a duty to the deck.
    `thoughts` are those of bots, after the game.
    `serves_guests`: guests can come by this program. `lesson` is the state of a position that is nobody's table, such
    as that of a lesson, and `given` the place whose commands make sense there. A `cover` hides the hand of somebody who
    takes the keyboard. The game is stored as it goes on, if the table `keeps` it; else it may be one that
    `would_be_lost` by leaving. On the network a table has an `id`; it `waits` while somebody is gone, or our own
    network, and the others have to decide about a seat when it `votes`. It `is_secret` if several people here have
    hands of their own, so that nobody's view is shown while others move. Of several people here, the `speaker` resigns.
    """

    match: Match
    chairs: tuple[ShownChair, ...]
    mine: tuple[int, ...]
    viewer: Viewer
    local: bool = True
    link: str = "local"
    clocks: Clocks | None = None
    chat: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    no_hint: Why | None = None
    takebacks: bool = True
    banner: str = ""
    asks: bool = False
    paused: bool = False
    rests: bool = False
    view: State[Any, Any] | None = None
    awaits: int | None = None
    serves_guests: bool = False
    thoughts: Thoughts = Thoughts()
    lesson: str = ""
    given: GivenPlace | None = None
    cover: Cover | None = None
    keeps: bool = True
    would_be_lost: bool = False
    id: str = ""
    votes: bool = False
    waits: bool = False
    is_secret: bool = False
    speaker: int | None = None

    @property
    def turn(self) -> int | None:
        """The seat that owes a move."""
        return self.match.turn

    @property
    def position(self) -> tuple[Any, ...]:
        """The game, its moves, and the bots: a hint for it means nothing in another."""
        match, bots = self.match, [chair.bot for chair in self.chairs]
        return match.game, match.deal, match.opening, match.entries, bots

    @property
    def is_mine(self) -> bool:
        """Return whether a move is to be made at this keyboard."""
        return self.turn in self.mine and not self.paused

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, chair in enumerate(self.chairs) if not chair.bot)

    @property
    def is_watched(self) -> bool:
        """Return whether the person at this keyboard only watches a table of others."""
        return not (self.local or self.is_secret or isinstance(self.viewer, int))

    @property
    def is_record(self) -> bool:
        """Return whether this is a past game: nobody at this keyboard has a seat in it."""
        return self.local and not self.mine

    @property
    def own_exit(self) -> Left | None:
        """How the last person here left a game in which only others play on."""
        seats = self.mine if self.local else (self.viewer,) if isinstance(self.viewer, int) else ()
        left = [entry for entry in self.match.entries if isinstance(entry, Left) and entry.seat in seats]
        return left[-1] if left and self.match.is_left_by(seats) else None

    @property
    def place(self) -> AnyPlace:
        """The place whose commands make sense here."""
        if self.given is not None:
            return self.given
        if self.local:
            return Place.OWN if self.mine else Place.RECORD
        return Place.WATCHED if self.is_watched else Place.SEAT

    @property
    def useless(self) -> frozenset[str]:
        """The commands that are not granted now, as far as a table of several peers tells, or that no bot accepts."""
        game, over = self.match.game, self.match.over is not None
        can = [("hint", self.no_hint in (None, Why.NO_HINT_NOW)), ("takeback", self.takebacks)]
        can += [("draw", game.ties and len(self.people) > 1)]
        if not self.local and not self.lesson:
            can += [("rematch", over), ("book", over and game.hidden), *((word, not over) for word in _TO_PLAY)]
            can += [(word, self.votes) for word in ("drop", "flag", "wait")]
            can += [(word, self.serves_guests) for word in ("phones", "kick", "next")]
        return frozenset(word for word, is_granted in can if not is_granted)

    @property
    def runs(self) -> bool:
        """Return whether a clock runs, if there is any."""
        return self.turn is not None and not (self.paused or self.rests)

    def called(self, seat: int) -> str:
        return self.chairs[seat].name

    def time_left(self, seat: int, now: int) -> int | None:
        """Return a seat's time left in milliseconds; None without a clock."""
        return None if self.clocks is None else self.clocks.at(seat, now)


@value
class Question:
    """A question before a wish."""

    text: str
    wish: Wish


@value
class Replay:
    """A replay: the position after `at` entries; `runs` while it goes on by itself."""

    at: int
    runs: bool = False


Overlay: TypeAlias = Page | PickList | Question | Cover | None


@value
class Model:
    """The whole screen.

    `table` is shown; `own` is the game that was set up at this keyboard, None for a record and a network table.
    `ticket` changes with every position, so that late answers are recognised. `focus` is where Enter works: on the
    board after a cursor key or the mouse, on the line after typing. `picked` is the last picked place, `cursor` the one
    under the cursor. `file` is the game's file name, `bot` the one that gives hints. `hint` is the last one with the
    squares that it names, which are marked as long as it is the notice.
    """

    table: ShownTable
    look: terminal.Look = terminal.Look()
    rows: int = terminal.ROWS
    columns: int = terminal.COLUMNS
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
    own: GameSetup | None = None
    hint: tuple[str, tuple[str, ...]] = ("", ())

    @property
    def title(self) -> str:
        """The title of the window."""
        name = self.table.match.game.title
        if self.table.match.over:
            return f"{name}: over"
        return f"* your turn: {name}" if self.table.is_mine else name

    @property
    def shown_match(self) -> Match:
        """Return the match on the screen: the present one, or that of the replay."""
        match = self.table.match
        return match.before(self.replay.at) if self.replay else match

    @property
    def shown_state(self) -> State[Any, Any]:
        """Return the position on the screen, as its viewer sees it."""
        if self.replay is None and self.table.view is not None:
            return self.table.view
        match, viewer = self.shown_match, self.table.viewer
        view = match.state if match.viewer != WHOLE or viewer == WHOLE else match.state.view(viewer)
        if self.table.lesson:  # nobody remembers what they looked at days ago
            return view
        return match.shown(view) if self.replay is None or self.table.match.over else view.recalled()

    @property
    def shown_thought(self) -> tuple[int, Thought] | None:
        """Return the seat and the thought behind the last move on the screen; None if there is none."""
        match = self.shown_match
        thought = self.table.thoughts.by_entry.get(match.length - 1)
        last = match.entries[-1] if match.length else None
        return (last.seat, thought) if thought is not None and isinstance(last, Played) else None

    @property
    def first_news(self) -> int:
        """Return the first entry on the screen after the last move of a person here.

        That is the last entry for a watcher, in a replay, and for a person whose seats have left the game.
        """
        match = self.shown_match
        mine = [seat for seat in self.table.mine if not match.state.board.left[seat]]
        if not mine or self.replay:
            return max(0, match.length - 1)
        played = reversed(list(enumerate(match.entries, 1)))
        return next((number for number, notice in played if isinstance(notice, Played) and notice.seat in mine), 0)


# Events


@value
class Changed:
    """A table has changed, or has refused a wish: how it is shown `now`, and what is said about that. `alarm`: the
    notice says why a wish was not granted, or that the game is not kept.
    """

    table: ShownTable
    notice: str = ""
    alarm: bool = False
    file: str = ""
    now: int | None = None


# Events of screens without keys (client/phones)


@value
class Picked:
    """A place of the board was touched: it is picked, and nothing is ever played by that."""

    place: str


@value
class Written:
    """The line was replaced."""

    line: str


@value
class Entered:
    """A whole line was entered."""

    line: str


@value
class LookedBack:
    """The position after that many entries is to be seen; None for the present one."""

    at: int | None


Touch: TypeAlias = Picked | Written | Entered | LookedBack
Event: TypeAlias = terminal.Event | Changed | Touch | Answer


# Effects


@value
class SitDown:
    """Make the table of a game that is set up at this keyboard, which may be a copy of one on the network; as an event,
    show it first.
    """

    setup: GameSetup


@value
class Own:
    """A wish at the table at this keyboard."""

    wish: Wish


@value
class Closed:
    """The table is left: its bots may go."""


@value
class Remember:
    """Save the look and the sound."""

    look: terminal.Look


Effect: TypeAlias = Wish | TableEffect | SitDown | Own | Closed | Remember | terminal.Effect
Effects: TypeAlias = tuple[Effect, ...]


def tidy(text: str) -> str:
    """Spell a line as moves are spelled."""
    return " ".join(text.lower().split())


@lru_cache(maxsize=16)
def draft(state: State[Any, Any], text: str) -> Half:
    """Read a line in a position; it means nothing unless a seat owes a move."""
    return half_made(state, tidy(text)) if isinstance(state.pending, ToMove) else Half(line=text.strip())


def pick(state: State[Any, Any], text: str, place: str) -> str:
    """Return the line after a place of the board was picked."""
    return draft(state, text).picks.get(place, place) if isinstance(state.pending, ToMove) else text


def drop(state: State[Any, Any], text: str) -> str:
    """Return the line without the last picked place."""
    return draft(state, text).shorter


def preview(state: State[Any, Any], half: Half) -> State[Any, Any] | None:
    """Return the position after a half-made move that is whole and legal; None where chance decides."""
    return foreseen(state, half.move) if half.stage == "legal" else None


@lru_cache(maxsize=16)
def foreseen(state: State[Any, Any], move: Move) -> State[Any, Any] | None:
    """Play a legal move with the draws that this viewer can answer itself; return None if chance decides."""
    after = state.play(move)
    while isinstance(after.pending, ToDraw):
        codes = after.codes
        if len(codes) != 1 or after.move(codes[0]) == HIDDEN:
            return None
        after = after.play(after.move(codes[0]))
    return after
