"""Commands: every word that a person can type besides a move, for all faces and tables.

A row of `COMMANDS` defines a command: its key, its wish, the tables at which it makes sense, and whether a guest may
use it. `PAGES` lists the commands of each place, with arguments and help. Menus, keys, key lines, completion, helps
and refusals are made from both. A command without a wish is an action of the face.
"""

import difflib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from enum import Enum, auto
from functools import cache
from itertools import groupby
from typing import Final

from quadrille.client.table.network import wishes
from quadrille.client.table.network.wishes import BareWish
from quadrille.client.table.wishes import Hint, NextPosition, ShowLine, SkipPosition
from quadrille.client.table_setup import one_bot
from quadrille.client.value import value
from quadrille.client.words import command_wishes as made
from quadrille.client.words.answers import NO, YES
from quadrille.client.words.command_wishes import AnyWish, WishMaker
from quadrille.client.words.story import sentence
from quadrille.rules.errors import BadNotation


class Place(Enum):
    """A situation in which a face offers commands."""

    #: A local table in plain lines, and the choices there when a bot does not move.
    LINES = auto()
    BOT_STUCK = auto()
    #: Tables on the screen: a local one, a seat on the network, one that is only watched, a record.
    OWN = auto()
    SEAT = auto()
    WATCHED = auto()
    RECORD = auto()
    #: The screen's lobby, and its room before the first move.
    LOBBY = auto()
    ROOM = auto()
    #: A network table in plain lines, and the choices there about a seat that is gone.
    TALK = auto()
    GONE = auto()
    #: Before a network game in plain lines: the host, a guest of the host, and a person without a table.
    HOSTING = auto()
    ASKING = auto()
    CHOOSING = auto()
    #: A lesson and a puzzle, in plain lines and on the screen.
    LESSON_LINES = auto()
    PUZZLE_LINES = auto()
    LESSON = auto()
    PUZZLE = auto()


@value
class Command:
    """A command word and its properties. `takes` and `help` are those of one place; `same` are other words for it,
    where a place offers no command of that name. `values` names what completes its argument.

    A `local` command is for local tables only, one for a `seat` for people who play, one for a `record` also for a
    game that is looked at. `there` is its wish on the network, if that differs.
    """

    word: str
    key: str = ""
    wish: WishMaker | AnyWish | None = None
    same: tuple[str, ...] = ()
    values: str = ""
    local: bool = False
    seat: bool = False
    record: bool = False
    there: WishMaker | None = None
    guest: bool = False
    takes: str = ""
    help: str = ""

    @property
    def typed(self) -> str:
        return f"{self.word} {self.takes}".strip()

    @property
    def row(self) -> tuple[str, str]:
        """Its row of a help."""
        return f"{key_name(self.key)}, {self.typed}" if self.key else self.typed, self.help

    def wished(self, rest: str, hints: str = "", *, local: bool = True) -> AnyWish | None:
        """The wish with `rest` after the word; None for an action of the face. A RulesError says what was expected."""
        make = self.wish if local or self.there is None else self.there
        return make(hints, rest) if callable(make) else make


_ROWS: Final = (
    # At tables
    Command("help", "f1", same=("rules", "?"), record=True),
    Command("hint", "f2", lambda hints, _: Hint(hints), seat=True),
    Command("takeback", "f3", made.takeback, ("undo",), seat=True, guest=True, there=made.takeback_there),
    Command("draw", "f4", made.proposal("draw"), ("offer", "agree"), seat=True, guest=True),
    Command("replay", "f5", record=True),
    Command("rematch", "f6", wishes.Rematch(), seat=True, guest=True),
    Command("save", "f7", record=True, there=lambda _, rest: wishes.Save(rest)),
    Command("save!", there=lambda _, rest: wishes.Save(rest, over=True)),
    Command("pause", "f8", made.proposal("pause"), seat=True, guest=True),
    Command("resign", "f9", wishes.ResignSeat(), seat=True, guest=True),
    Command("menu", "f10", record=True),
    Command("against", wish=made.against, local=True),
    Command("wait", wish=made.proposal("wait"), seat=True, guest=True),
    Command(
        "stand-in",
        wish=lambda _, rest: wishes.StandIn(one_bot(rest)),
        seat=True,
        there=lambda _, rest: wishes.StandIn(rest),
    ),
    Command("load", local=True, record=True),
    Command("say", wish=made.say, guest=True, there=lambda _, rest: wishes.Say(rest)),
    Command("quit", "c-q", wishes.LeaveTable(), record=True, guest=True),
    *map(Command, ("moves", "board", "seats")),
    # At network tables
    Command("yes", wish=BareWish.AGREE, same=YES[:-1], seat=True, guest=True),
    Command("no", wish=BareWish.DECLINE, same=NO[:-1], seat=True, guest=True),
    Command("drop", wish=BareWish.DROP, seat=True, guest=True),
    Command("flag", wish=BareWish.FLAG, seat=True, guest=True),
    Command("book", wish=BareWish.OPEN_BOOK, seat=True, guest=True),
    Command("invite", wish=lambda _, rest: wishes.InvitePeer(rest), seat=True, guest=True),
    Command("back", wish=BareWish.TAKE_SEAT_BACK, guest=True),
    Command("block", wish=lambda _, rest: wishes.BlockPeer(rest), guest=True),
    Command("chat", "c-t", made.proposal("chat")),
    Command("play-on", wish=made.play_for),
    # In lessons
    Command("skip", "f3", SkipPosition()),
    Command("line", "f3", ShowLine()),
    Command("next", "f4", NextPosition()),
    # Before a game
    Command("who", wish=BareWish.ASK_WHO, guest=True),
    Command("phones", wish=BareWish.SHOW_ENTRANCE),
    Command("kick", wish=lambda _, rest: wishes.Kick(rest), guest=True),
    Command("start", wish=BareWish.START, guest=True),
    Command("play", "f2", values="game"),
    Command("new", "f3", values="game"),
    Command("join", "f4", values="open"),
    Command("replays", "f5"),
    Command("rules", "f6", values="game"),
    Command("puzzle", "f7", values="game"),
    Command("settings", "f8"),
    Command("doctor", "f9"),
    Command("watch", values="playing"),
    Command("name"),
    Command("tables", wish=BareWish.LIST_TABLES),
    # Looks and sounds
    Command("theme", values="theme", record=True),
    *(Command(word, record=True) for word in ("ascii", "bell", "title")),
)
COMMANDS: Final[Mapping[str, Command]] = {command.word: command for command in _ROWS}
#: Commands that a guest may use at the host's machine. The others start programs of the host or write its files.
GUESTS: Final = frozenset(word for word, command in COMMANDS.items() if command.guest)

_LOOKS: Final = {
    "theme NAME": "night, paper, contrast or mono",
    "ascii": "plain letters instead of drawn lines, or back again",
    "bell": "ring on your turn, or stay silent",
    "title": "show your turn in the window title, or not",
}
_PROPOSE: Final = "propose it; it happens once all the others agree"
_LOST: Final = "decide about a player who is away and has to move"
_ANSWER: Final = "answer a proposal"
_ARBITER: Final = "answer whether you sit down under the arbiter that was shown"
_PLAY_ON: Final = "play for a player who is away, as somebody asks you to"
_BLOCK: Final = "hear no more from somebody"
_PHONES: Final = "show how guests come to your table, by phone"
_GUEST: Final = "answer a guest who asks to sit down"
_RULES: Final = "print the rules of the game"
_BEFORE: Final = {"play-on TABLE": f"{_PLAY_ON}; you leave this table", "block NAME": _BLOCK}
_OWN: Final = {
    "help": "the rules of this game, and the keys of this screen",
    "hint": "what a bot would play here",
    "takeback [N]": "take your last move back",
    "draw": "offer a draw",
    "replay": "look back over the game, move by move",
    "rematch": "play again; everybody moves up one seat",
    "save FILE": "save the game; FILE.html is a page to share",
    "pause": "stop for a while; press it again to continue",
    "resign": "give up the game",
    "menu": "list every command",
    "against BOT,BOT|people": "give the other seats to bots, or to people",
    "wait": "keep waiting for a bot; one that has ended starts again",
    "stand-in BOT": "put another bot in the seat of one that does not move",
    "load FILE": "continue a saved game",
    "say TEXT": "say something to all at the table",
    **_LOOKS,
    "quit": "leave the table",
}
_NETWORK: Final = {
    "pause": "propose a pause: no clock runs until the next move",
    "chat": "say something to all; once more: read all that was said",
    "yes": "agree to what is proposed",
    "no": "decline it; or withdraw your own proposal",
    "wait": "keep waiting for a player who is away",
    "stand-in BOT|NAME": "let a bot or somebody here play for a player who is away",
    "drop": "drop a player who is away",
    "flag": "put a player out whose time is up by everybody's clock",
    "back": "take your seat back from whoever plays for you",
    "play-on TABLE": _PLAY_ON,
    "invite NAME": "let somebody watch",
    "block NAME": _BLOCK,
    "phones": _PHONES,
    "book": "after the end, show everybody which card lay where",
}
_LESSON: Final = {
    "hint": "the better move; the position comes again tomorrow", "skip": "leave this position for another day",
}  # fmt: skip
_PUZZLE: Final = {
    "hint": "a few moves to choose from; once more: the move", "line": "the moves from your last one to the end",
}  # fmt: skip
_LOOKED_BACK: Final = {"replay": "look back at the moves that led here", "menu": _OWN["menu"], **_LOOKS}
_AT_END: Final = "so does the end of input"
_LINES: Final = {
    "moves [START]": "list the legal moves, or those that begin so", "board": "draw the board again",
}  # fmt: skip


def _only(page: Mapping[str, str], fits: Callable[[Command], bool]) -> dict[str, str]:
    return {head: text for head, text in page.items() if fits(COMMANDS[head.partition(" ")[0]])}


_NETWORK_WORDS: Final = {head.partition(" ")[0] for head in _NETWORK}
_LAST: Final = {head.partition(" ")[0] for head in _LOOKS} | {"quit"}
_KEPT: Final = {"quit": "leave; quadrille resume comes back to this table"}
_SEAT: Final = {
    **_only(_OWN, lambda one: not one.local and one.word not in _NETWORK_WORDS | _LAST),
    **_NETWORK,
    **_only(_OWN, lambda one: one.word in _LAST),
    **_KEPT,
}
#: The commands of each place, in order: words with arguments, and help. One without help is not listed.
PAGES: Final[Mapping[Place, Mapping[str, str]]] = {
    Place.LINES: {
        **_LINES,
        "hint": "what a bot would play here",
        "takeback [N]": "take back your last move, or the last N; undo is the same",
        "resign": "give up the game",
        "draw": "offer a draw, or accept one; agree is the same",
        "rematch": "play again; everybody moves up one seat",
        "pause": "stop the clocks for a while; Enter continues",
        "against BOT": "give the other seats to bots; against people gives them back",
        "save FILE": "save the game (FILE.html: a page); save! FILE overwrites",
        "load FILE": "continue a saved game",
        "rules": _RULES,
        "quit": f"stop playing; {_AT_END}",
        "save!": "", "wait": "", "stand-in": "", "help": "",
    },
    Place.BOT_STUCK: {
        "wait": "keep waiting; a bot that has ended is started again",
        "stand-in BOT": "put another bot in its seat, such as 2 or greedy",
        "quit": "stop playing; save FILE first saves the game",
    },
    Place.OWN: _OWN,
    Place.SEAT: _SEAT,
    Place.WATCHED: {**_only(_SEAT, lambda one: not one.seat), "quit": _OWN["quit"]},
    Place.RECORD: _only(_OWN, lambda one: one.record),
    Place.LOBBY: {
        "play [GAME [BOT,BOT]]": "against bots; needs no network",
        "new [GAME]": "open a table for others",
        "join NAME|NUMBER|HOST:PORT": "by name, number or address",
        "replays [FILE]": "look back at finished games",
        "rules [GAME]": "read how a game is played",
        "puzzle [GAME]": "today's puzzle: one move wins",
        "settings": "your name, looks and sounds",
        "doctor": "why you can't see each other",
        "watch NAME|NUMBER": "watch a game",
        "yes": "sit down under the arbiter that was shown",
        "no": "do not sit down there",
        "play-on TABLE": _PLAY_ON,
        "block NAME": _BLOCK,
        "name NAME": "change the name that others see",
        **_LOOKS,
        "help": "the keys of this screen",
        "quit": "leave",
    },
    Place.ROOM: {
        "invite NAME": "ask somebody to sit down",
        "block NAME": _BLOCK,
        "kick NAME": "take somebody's seat away",
        "say TEXT": "say something to all who sit here",
        "start": "", "who": "", "help": "", "chat": "", "yes": "", "no": "",
        "phones": _PHONES,
        "rules": "the rules of the game",
        "play-on TABLE": _BEFORE["play-on TABLE"],
        "quit": "leave; a table of yours is closed",
    },
    Place.TALK: {
        **_LINES,
        "seats": "show who plays, who is here, and the clocks",
        "resign": "give up the game",
        "draw": _PROPOSE, "takeback [N]": _PROPOSE, "pause": _PROPOSE,
        "yes": _ANSWER, "no": _ANSWER,
        "drop": _LOST, "wait": _LOST, "stand-in BOT or NAME": _LOST,
        "flag": "propose to put a player out whose time is up by everybody's clock",
        "back": "take your seat back from whoever plays for you",
        "play-on TABLE": "play for a player who is away from another table, as asked",
        "say TEXT": "say something to all at the table",
        "invite NAME": "let somebody watch",
        "block NAME": _BLOCK,
        "phones": _PHONES,
        "save FILE": "save the log (FILE.html: a page); save! FILE overwrites",
        "book": "after a game with hidden cards: let everybody see which lay where",
        "rematch": "once more with the same people, when the game is over",
        "rules": _RULES,
        **_KEPT,
        "save!": "", "help": "",
    },
    Place.GONE: {
        "wait": "keep waiting",
        "stand-in BOT": "let a bot of yours play, such as 3 or mcts, until the owner is back",
        "stand-in NAME": "let somebody who is here play",
        "drop": "drop that player",
        **_KEPT,
    },
    Place.HOSTING: {
        "who": "list who is on the network, and who sits here",
        "invite NAME": "ask somebody to sit down",
        "kick NAME": "take somebody's seat away",
        "start": "begin, when all seats are taken",
        **_BEFORE,
        "phones": _PHONES,
        "yes": _GUEST, "no": _GUEST,
        "rules": _RULES,
        "say TEXT": "say something to all who sit here",
        "quit": "close the table",
        "help": "",
    },
    Place.ASKING: {
        "who": "list who is on the network, and who sits here",
        **_BEFORE,
        "rules": _RULES,
        "say TEXT": "say something to all who sit here",
        "quit": "give your seat back and leave",
        "help": "",
    },
    Place.CHOOSING: {
        "tables": "list the tables again",
        "yes": _ARBITER, "no": _ARBITER,
        "play-on TABLE": _PLAY_ON,
        "block NAME": _BLOCK,
        "quit": "leave",
        "help": "",
    },
    Place.LESSON_LINES: {**_LINES, **_LESSON, "rules": _RULES, "quit": f"end the lesson; {_AT_END}", "help": ""},
    Place.PUZZLE_LINES: {**_LINES, **_PUZZLE, "rules": _RULES, "quit": f"leave the puzzle; {_AT_END}", "help": ""},
    Place.LESSON: {
        "help": _OWN["help"],
        **_LESSON,
        "next": "go on, or try the position again; Enter does the same",
        **_LOOKED_BACK,
        "quit": "end the lesson",
    },
    Place.PUZZLE: {
        "help": _OWN["help"],
        **_PUZZLE,
        "next": "try again, or leave after the solution; Enter does the same",
        **_LOOKED_BACK,
        "quit": "leave the puzzle",
    },
}  # fmt: skip
_GO_ON: Final = {"next": "Go on", "replay": "Replay", "menu": "Menu"}
#: The commands in the key line at the foot of a screen, with their labels; at tables those that make sense there.
_FEET: Final[Mapping[Place, Mapping[str, str]]] = {
    Place.LOBBY: {"help": "Help", "quit": "Quit"},
    Place.ROOM: {"help": "Help", "rules": "Rules", "chat": "Say", "quit": "Leave"},
    Place.LESSON: {"help": "Help", "hint": "Hint", "skip": "Skip", **_GO_ON, "quit": "End"},
    Place.PUZZLE: {"help": "Help", "hint": "Hint", "line": "Line", **_GO_ON, "quit": "Leave"},
}
_TABLE_FOOT: Final = {
    "help": "Help", "hint": "Hint", "takeback": "Undo", "draw": "Offer draw", "replay": "Replay", "save": "Save",
    "chat": "Chat", "resign": "Resign", "menu": "Menu", "quit": "Quit",
}  # fmt: skip
_OVER_FOOT: Final = {word: word.title() for word in ("help", "replay", "rematch", "save", "menu")} | {"quit": "Leave"}
_MOVING: Final = (Place.LINES, Place.LESSON_LINES, Place.PUZZLE_LINES, Place.TALK)
_INTROS: Final = {
    **dict.fromkeys(_MOVING, "Type a move{example}, or one of these:"),
    **dict.fromkeys((Place.HOSTING, Place.ASKING), "The game begins by itself when all seats are taken. Until then:"),
    Place.CHOOSING: "  NUMBER, NAME    take the table of that number in the list, or of that host",
}
#: Why a person without a seat can do nothing else.
NO_SEAT: Final = {
    Place.WATCHED: "You are only watching. Moves are for the players",
    Place.RECORD: "You are viewing a saved game. Press Enter to play on from this move",
    Place.LESSON: "This is a lesson: make a move, or type hint, skip or quit",
    Place.PUZZLE: "This is a puzzle: make a move, or type hint, line or quit",
}


@cache
def offered(place: Place) -> tuple[Command, ...]:
    """The commands of a place, with their arguments and helps there."""
    heads = ((*head.partition(" ")[::2], text) for head, text in PAGES[place].items())
    return tuple(replace(COMMANDS[word], takes=takes, help=text) for word, takes, text in heads)


@cache
def by_word(place: Place) -> Mapping[str, Command]:
    return {command.word: command for command in offered(place)}


@cache
def by_key(place: Place) -> Mapping[str, Command]:
    return {command.key: command for command in offered(place) if command.key}


@cache
def by_any_word(place: Place) -> Mapping[str, Command]:
    """The commands of a place by all words that people type for them."""
    there = by_word(place)
    return {other: command for command in there.values() for other in command.same} | dict(there)


def key_line(place: Place, *, over: bool = False, without: Collection[str] = ()) -> tuple[tuple[str, str, str], ...]:
    """The foot of a screen: keys, their names and their actions; at a table also after its end, and `without` some."""
    foot = _OVER_FOOT if over else _TABLE_FOOT
    labels = _FEET.get(place) or {word: label for word, label in foot.items() if word in by_word(place)}
    keys = ((COMMANDS[word].key, label) for word, label in labels.items() if word not in without)
    return tuple((key, key_name(key).replace("Ctrl-", "^"), label) for key, label in keys)


def help_text(place: Place) -> str:
    """The help of a place in lines; consecutive commands with one help share a row."""
    lines = [_INTROS[place]] if place in _INTROS else []
    for text, commands in groupby(offered(place), lambda one: one.help):
        if text:
            head = ", ".join(one.typed for one in commands)
            lines.append(f"  {head:16}{text}" if len(head) < 16 else f"  {head}\n{'':18}{text}")
    return "\n".join(lines)


def key_name(key: str) -> str:
    return f"Ctrl-{key[2:].upper()}" if key.startswith("c-") else key.upper()


def slip(word: str, words: Iterable[str]) -> str:
    """The word that a person may have meant; "" for none."""
    return next(iter(difflib.get_close_matches(word.lower(), (one for one in words if len(one) > 1), 1)), "")


def misread(error: BadNotation | str, line: str, words: Iterable[str]) -> str:
    """A line that is neither a move nor a command: what was wrong with it, and what may have been meant."""
    word = line.split()[0].lower()
    near = slip(word, words)
    advice = f"Did you mean {near}?" if near not in ("", word) else "Type help for a list of commands."
    return f"{sentence(str(error))} {advice}"
