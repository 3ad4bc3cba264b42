"""Everything that can be done at a table beside a move: its word at the prompt, its key, and one line about it.

Menu, keys, completion and help are all made from this list.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from quadrille.client.screen.table.model import Table
from quadrille.client.words.typed import SAME_WORDS


@dataclass(frozen=True, slots=True)
class Action:
    """A word at the prompt; `key` does the same, `takes` is what stands behind the word; `local`: not on a network."""

    word: str
    key: str
    help: str
    takes: str = ""
    local: bool = False


ACTIONS: Final = (
    Action("help", "f1", "the rules of this game, and the keys of this screen"),
    Action("hint", "f2", "what a bot would play here"),
    Action("takeback", "f3", "take your last move back", "[N]"),
    Action("draw", "f4", "offer a draw"),
    Action("replay", "f5", "look back, move by move"),
    Action("rematch", "f6", "once more, everybody one seat further"),
    Action("save", "f7", "keep the game in a file", "FILE"),
    Action("pause", "f8", "stop here for a while; once more goes on", local=True),
    Action("resign", "f9", "go out of the game"),
    Action("menu", "f10", "all that can be done"),
    Action("against", "", "let bots take the other seats, or people", "BOT,BOT|people", local=True),
    Action("wait", "", "go on waiting for a bot; one that has ended is started again", local=True),
    Action("stand-in", "", "let another bot play on for the one that does not move", "BOT", local=True),
    Action("load", "", "go on with a game that was kept", "FILE", local=True),
    Action("say", "", "say something to all at the table", "TEXT"),
    Action("theme", "", "night, paper, contrast or mono", "NAME"),
    Action("ascii", "", "plain letters instead of drawn lines, or back"),
    Action("bell", "", "the bell when it is your turn, or not"),
    Action("title", "", "the title of the window when it is your turn, or not"),
    Action("quit", "c-q", "leave the table"),
)
#: What there is only at a table on the network; what one of them asks for is proposed to the table.
NETWORK: Final = (
    Action("pause", "f8", "propose a pause: no clock runs until the next move"),
    Action("chat", "c-t", "all that was said at this table"),
    Action("yes", "", "agree to what is proposed"),
    Action("no", "", "do not agree; or take your proposal back"),
    Action("wait", "", "go on waiting for a seat that is gone"),
    Action("stand-in", "", "let another play on for a seat that is gone", "BOT|NAME"),
    Action("drop", "", "a seat that is gone is out of the game"),
    Action("flag", "", "a seat whose time is up by all clocks is out of the game"),
    Action("back", "", "play again where another plays on for you"),
    Action("play-on", "", "play on for a seat that is gone, as somebody asks you to", "TABLE"),
    Action("adjourn", "", "propose to go on another time"),
    Action("abort", "", "propose that nobody wins or loses"),
    Action("invite", "", "let somebody look on", "NAME"),
    Action("block", "", "hear nothing more of somebody", "NAME"),
    Action("book", "", "at the end: show all which card lay where"),
)
#: What some people type, in games where the word is a move, too.
OTHER_WORDS: Final = {**SAME_WORDS, "rules": "help"}
WORDS: Final = {action.word: action for action in ACTIONS}
KEYS: Final = {action.key: action for action in ACTIONS if action.key}
_THERE: Final = (*NETWORK, *(action for action in ACTIONS if not action.local))
_FOR_SEATS: Final = (
    "hint", "takeback", "draw", "rematch", "pause", "resign", "yes", "no", "wait", "stand-in", "drop", "flag",
    "adjourn", "abort", "invite", "book",
)  # fmt: skip
_WATCHING: Final = tuple(action for action in _THERE if action.word not in _FOR_SEATS)
#: What can be done with a record, beside stepping through it.
_LOOKING_BACK: Final = tuple(
    WORDS[word] for word in ("help", "replay", "save", "menu", "load", "theme", "ascii", "bell", "title", "quit")
)
#: What one who looks on is told.
LOOKS_ON: Final = "You look on here: moves and the like are for those who play"
#: And one who looks at a record.
NO_TABLE: Final = "This is a record: Enter plays on from here, and only then there is a table"


def actions_at(table: Table) -> tuple[Action, ...]:
    """What can be done at a table: at one's own, at one on the network, by one who only looks on there or back."""
    if table.is_record:
        return _LOOKING_BACK
    return ACTIONS if table.local else _WATCHING if table.is_watched else _THERE


def words_at(table: Table) -> Mapping[str, Action]:
    """The same by their words."""
    return {action.word: action for action in actions_at(table)}


#: What else a key does: for the help.
OTHER_KEYS: Final = (
    ("letters, digits", "type a move or a word at the prompt, wherever you are"),
    ("arrows", "move the cursor on the board"),
    ("Enter", "on the board: pick; once more: play. After typing: do what is typed"),
    ("Space", "on the board: pick, or put back"),
    ("Backspace", "on the board: drop what was picked last"),
    ("mouse", "click to pick, click again to play; everything at the edges too"),
    ("Tab", "complete what is typed"),
    ("Ctrl-P, Ctrl-N", "lines that were typed before"),
    ("Esc", "clear the line, close what is open"),
    ("Ctrl-L", "draw the screen again"),
    ("Ctrl-Z", "go to the background; fg comes back"),
)
REPLAY_KEYS: Final = (
    ("left, right", "one move back or on"),
    ("PgUp, PgDn", "ten moves back or on"),
    ("Home, End", "the start, the last position"),
    ("Space", "go on by itself, or stop"),
    ("Enter", "play on from here"),
    ("Esc", "back to the table"),
)


def key_name(key: str) -> str:
    """A key as people call it."""
    return f"Ctrl-{key[2:].upper()}" if key.startswith("c-") else key.upper()
