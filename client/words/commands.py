"""Commands: every word that a person can type besides a move, for all faces and tables, in one table.

A row has a word, its key, the argument that it takes, and its help at each place that offers it. `takes` also says how
the argument is read. Menus, keys, key lines, completion, helps and refusals are made from the rows. A command without a
wish is an action of the face. A package brings rows of its own: for the lobby, or with a place (`GivenPlace`).
"""

import difflib
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import Flag, auto
from functools import cache, lru_cache, partial
from typing import Any, Final, TypeAlias

from quadrille.client.bots.names import bot_names
from quadrille.client.lobby_rows import CommandRow, lobby_rows
from quadrille.client.table import wishes
from quadrille.client.table.wishes import Against, BareWish, PluggedWish, Wish
from quadrille.client.words.answers import NO, YES
from quadrille.client.words.story import sentence
from quadrille.rules.errors import BadNotation, RulesError
from quadrille.rules.squares import quoted
from quadrille.value import value


class Place(Flag):
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


LINES, BOT_STUCK, OWN, SEAT, WATCHED, RECORD, LOBBY, ROOM, TALK, GONE, HOSTING, ASKING, CHOOSING = Place
_TABLES: Final = OWN | SEAT | WATCHED | RECORD
_ONLINE: Final = SEAT | WATCHED
_PLAYED: Final = LINES | OWN | SEAT | TALK
_WAITING: Final = ROOM | HOSTING
_BEFORE: Final = HOSTING | ASKING


class Command(CommandRow):
    """A row as faces use it."""

    __slots__ = ()

    @property
    def typed(self) -> str:
        return f"{self.word} {self.takes}".strip()

    @property
    def row(self) -> tuple[str, str]:
        """Its row of a help."""
        return f"{key_name(self.key)}, {self.typed}" if self.key else self.typed, self.help

    def wished(self, rest: str, hints: str = "") -> "Wish | None":
        """Make the wish with `rest` after the word; None for a face's own action. A RulesError refuses what means
        nothing.
        """
        make: Any = self.wish
        if make is wishes.Verb.HINT:
            rest = hints
        if isinstance(make, wishes.Verb):
            make = partial(wishes.TextWish, make)
        read = _READERS.get(self.takes)
        made: Wish | None = make(*(read(rest) if read else (rest,))) if callable(make) else make
        return made


@value
class GivenPlace:
    """A place that a package brings: the position on its board is nobody's table.

    `name` is the command that leads there. `foot` has the words of the key line, `intro` begins the help
    in lines. `only` says what can be done there, and `on` is the wish of any line while no move is asked for.
    """

    name: str
    commands: tuple[Command, ...]
    foot: tuple[str, ...] = ()
    intro: str = ""
    only: str = ""
    on: PluggedWish = PluggedWish()


AnyPlace: TypeAlias = Place | GivenPlace


def _number(rest: str) -> tuple[int]:
    if rest and not (rest.isascii() and rest.isdigit() and int(rest[:9]) > 0 and len(rest) < 10):
        raise RulesError(f"takeback takes the number of moves to take back, not {quoted(rest)}")
    return (int(rest or 0),)


def _one_bot(rest: str) -> tuple[str, ...]:
    names = tuple(bot_names(rest))
    if len(names) != 1:
        raise RulesError("write stand-in and a bot, such as stand-in 2")
    return names


def _bots_or_people(rest: str) -> tuple[tuple[str, ...]]:
    if not rest:
        raise RulesError("who? Write against and a bot, such as against 2 or against mcts:3, or against people")
    return (() if rest == "people" else tuple(bot_names(rest)),)


#: How an argument is read, by what a command takes; any other is a text as it is.
_READERS: Final[Mapping[str, Callable[[str], tuple[Any, ...]]]] = {
    "[N]": _number,
    "BOT": _one_bot,
    "BOT,BOT": lambda rest: (tuple(bot_names(rest)),),
    "BOT,BOT|people": _bots_or_people,
}

_ROWS: Final = (
    Command("help", "f1", where={
        _TABLES: "the rules of this game, and the keys of this screen", LOBBY: "the keys of this screen",
        LINES | ROOM | TALK | HOSTING | ASKING | CHOOSING: "",
    }, same=("rules", "?")),
    # Before a game
    Command("play", "f2", "[GAME [BOT,BOT]]", {LOBBY: "against bots; needs no network"}, values="game"),
    Command("host", "f3", "[GAME]", {LOBBY: "open a table for others"}, same=("new",), values="game"),
    Command("join", "f4", "NAME|NUMBER|HOST:PORT", {LOBBY: "by name, number or address"}, values="open"),
    Command("replay", "f5", "[FILE]", {LOBBY: "look back at finished games"}, same=("replays",)),
    Command("rules", "f6", "[GAME]", {LOBBY: "read how a game is played"}, values="game"),
    Command("settings", "f8", where={LOBBY: "your name, looks and sounds"}),
    Command("doctor", "f9", where={LOBBY: "why you can't see each other"}),
    Command("evening", "f10", "[FILE]", {LOBBY: "guests by phone, for all games"}, same=("phones",)),
    Command("watch", takes="NAME|NUMBER", where={LOBBY: "watch a game"}, values="playing"),
    Command("forget", takes="[NUMBER]", where={LOBBY: "forget an unfinished game, that of a number in the list"}),
    Command("who", where={ROOM: "", _BEFORE: "list who is on the network, and who sits here"}, wish=BareWish.ASK_WHO,
            guest=True),
    Command("tables", where={CHOOSING: "list the tables again"}, wish=BareWish.LIST_TABLES),
    # At tables
    Command("moves", takes="[START]", where={LINES | TALK: "list the legal moves, or those that begin so"}),
    Command("board", where={LINES | TALK: "draw the board again"}),
    Command("seats", where={TALK: "show who plays, who is here, and the clocks"}),
    Command("hint", "f2", where={LINES | OWN | SEAT: "what a bot would play here"}, wish=wishes.Verb.HINT, guest=True),
    Command("takeback", "f3", "[N]", {_PLAYED: "take your last move back, or the last N"}, wishes.Takeback, ("undo",),
            guest=True),
    Command("draw", "f4", where={_PLAYED: "offer a draw, or accept one"}, wish=BareWish.DRAW,
            same=("offer", "agree"), guest=True),
    Command("replay", "f5", where={_TABLES: "look back over the game, move by move"}),
    Command("join", where={_ONLINE | TALK: "as a watcher, wait for a seat here or in the rematch"},
            wish=BareWish.ASK_FOR_SEAT),
    Command("rematch", "f6", where={_PLAYED: "play again; everybody moves up one seat"}, wish=wishes.BareWish.REMATCH,
            guest=True),
    Command("save", "f7", "FILE", {_TABLES | LINES | TALK: "save the game; FILE.html is a page to share"}, wishes.Save),
    Command("save!", takes="FILE", where={_TABLES: "", LINES | TALK: "save it in the place of another file"},
            wish=partial(wishes.Save, over=True)),
    Command("pause", "f8", where={
        LINES | OWN: "pause the game, or go on", SEAT | TALK: "propose a pause: no clock runs until the next move",
    }, wish=BareWish.PAUSE, guest=True),
    Command("resign", "f9", where={_PLAYED: "give up the game"}, wish=wishes.BareWish.RESIGN, guest=True),
    Command("menu", "f10", where={_TABLES: "list every command"}),
    Command("against", takes="BOT,BOT|people", where={LINES | OWN: "give the other seats to bots, or to people"},
            wish=Against),
    Command("load", takes="FILE", where={LINES | OWN | RECORD: "continue a saved game"}, wish=wishes.Load),
    Command("yes", where={_ONLINE | TALK | HOSTING: "agree to what is asked or proposed", ROOM: ""},
            wish=BareWish.AGREE, same=YES[:-1], guest=True),
    Command("no", where={_ONLINE | TALK | HOSTING: "decline it, or withdraw your own proposal", ROOM: ""},
            wish=BareWish.DECLINE, same=NO[:-1], guest=True),
    Command("wait", where={
        LINES: "", BOT_STUCK | OWN: "keep waiting; a bot that has ended starts again",
        SEAT | TALK | GONE: "keep waiting for a player who is away",
    }, wish=BareWish.WAIT, guest=True),
    Command("stand-in", takes="BOT", where={
        LINES: "", BOT_STUCK | OWN: "put another bot, such as 2, in the seat of a stuck one",
        _ONLINE | TALK | GONE: "let a bot of yours, such as 3, play for a player who is away",
    }, wish=wishes.Verb.STAND_IN),
    Command("drop", where={SEAT | TALK | GONE: "drop a player who is away"}, wish=BareWish.DROP, guest=True),
    Command("flag", where={SEAT | TALK: "put a player out whose time is up by everybody's clock"}, wish=BareWish.FLAG,
            guest=True),
    Command("back", where={_ONLINE | TALK: "take your seat back from whoever plays for you"},
            wish=BareWish.TAKE_SEAT_BACK, guest=True),
    Command("hand", takes="NAME", where={SEAT | TALK: "propose that somebody plays your seat from now on"},
            wish=wishes.Verb.HAND),
    Command("say", takes="TEXT", where={_TABLES ^ RECORD | TALK | ROOM | _BEFORE: "say something to all at the table"},
            wish=wishes.Verb.SAY, guest=True),
    Command("chat", "c-t", where={_ONLINE: "say something to all; once more: read all that was said", ROOM: ""},
            wish=BareWish.CHAT),
    Command("invite", takes="NAME", where={SEAT | TALK: "let somebody watch", _WAITING: "ask somebody to sit down"},
            wish=wishes.Verb.INVITE, guest=True),
    Command("kick", takes="NAME", where={
        _WAITING: "take somebody's seat away", _ONLINE | TALK: "have a bot play for a guest, who may come back",
    }, wish=wishes.Verb.KICK),
    Command("next", takes="GAME", where={
        _ONLINE | TALK: "put this game away, and play another with your guests", _WAITING: "open another game instead",
    }, wish=wishes.Verb.NEXT, values="game"),
    Command("bot", takes="BOT,BOT", where={_WAITING: "put bots on free seats, such as bot 2"}, wish=wishes.SeatBots),
    Command("start", where={_WAITING: "begin with those who are here"}, wish=BareWish.START, guest=True),
    Command("block", takes="NAME", where={
        _ONLINE | LOBBY | ROOM | TALK | _BEFORE | CHOOSING: "hear no more from somebody",
    }, wish=wishes.Verb.BLOCK, guest=True),
    Command("phones", where={_ONLINE | _WAITING | TALK: "show how guests come to your table, by phone"},
            wish=BareWish.SHOW_ENTRANCE),
    Command("evening", takes="[FILE]", where={
        _ONLINE | TALK: "the points of the evening; FILE.html is a page to take home",
    }, wish=wishes.Verb.EVENING),
    Command("book", where={SEAT | TALK: "after the end, show everybody which card lay where"}, wish=BareWish.OPEN_BOOK,
            guest=True),
    Command("rules", "f6", where={LINES | TALK | ROOM | _BEFORE: "read the rules of the game"}),
    Command("name", takes="NAME", where={LOBBY: "change the name that others see"}),
    # Looks and sounds, and the end
    Command("theme", takes="NAME", where={_TABLES | LOBBY: "night, paper, contrast or mono"}, values="theme"),
    Command("ascii", where={_TABLES | LOBBY: "plain letters instead of drawn lines, or back again"}),
    Command("bell", where={_TABLES | LOBBY: "ring on your turn, or stay silent"}),
    Command("title", where={_TABLES | LOBBY: "show your turn in the window title, or not"}),
    Command("quit", "c-q", where={
        LINES | BOT_STUCK: "stop playing; so does the end of input", OWN | WATCHED | RECORD: "leave the table",
        SEAT | TALK | GONE: "leave; quadrille resume comes back to this table", LOBBY | CHOOSING: "leave",
        ROOM | HOSTING: "leave; a table of yours is closed", ASKING: "give your seat back and leave",
    }, wish=wishes.BareWish.LEAVE, guest=True),
)  # fmt: skip
#: The first row of each word.
COMMANDS: Final[Mapping[str, Command]] = {row.word: row for row in reversed(_ROWS)}
#: Commands that a guest may use at the host's machine.
GUESTS: Final = frozenset(row.word for row in _ROWS if row.guest)
#: Commands with the name of a bot, whose reading looks at files.
BOTS: Final = frozenset(row.word for row in _ROWS if row.takes.startswith("BOT"))
#: The words of wishes that do not contain them, by the kind of the wish.
_WORDS: Final = {
    one.wish if isinstance(one.wish, type) else type(one.wish): word for word, one in COMMANDS.items() if one.wish
}
#: The commands in the key line at the foot of a screen; at tables those that make sense there. A draw goes by its other
#: word, because "draw" is a move of some games.
_FEET: Final = {Place.LOBBY: ("help", "quit"), Place.ROOM: ("help", "rules", "chat", "quit")}
_TABLE_FOOT: Final = ("help", "hint", "takeback", "offer", "replay", "save", "chat", "resign", "menu", "quit")
_OVER_FOOT: Final = ("help", "replay", "rematch", "save", "menu", "quit")
_INTROS: Final = {
    **dict.fromkeys((Place.LINES, Place.TALK), "Type a move{example}, or one of these:"),
    **dict.fromkeys((Place.HOSTING, Place.ASKING), "The game begins by itself when all seats are taken. Until then:"),
    Place.CHOOSING: "  NUMBER, NAME    take the table of that number in the list, or of that host",
}
#: Why those who look on make no moves.
ONLY_WATCHING: Final = "you are only watching: moves are for the players"
_NO_SEAT: Final = {
    Place.WATCHED: ONLY_WATCHING,
    Place.RECORD: "You are viewing a saved game. Press Enter to play on from this move",
}


@cache
def offered(place: AnyPlace) -> tuple[Command, ...]:
    """Return the commands of a place, with their helps there."""
    if isinstance(place, GivenPlace):
        return place.commands
    helps = [(row, text) for row in _ROWS for places, text in (row.where or {}).items() if place in places]
    commands = tuple(row._replace(where=None, help=text) for row, text in helps)
    if place != Place.LOBBY:
        return commands
    there = {command.word: command for command in commands}
    for word, row in lobby_rows().items():
        key = "" if row.key in {command.key for command in there.values()} else row.key
        there.setdefault(word, Command(*row._replace(key=key)))
    plugged = tuple(command for word, command in there.items() if command not in commands)
    at = commands.index(there["settings"])
    return (*commands[:at], *plugged, *commands[at:])


@cache
def by_word(place: AnyPlace) -> Mapping[str, Command]:
    return {command.word: command for command in offered(place)}


@cache
def by_key(place: AnyPlace) -> Mapping[str, Command]:
    return {command.key: command for command in offered(place) if command.key}


@cache
def by_any_word(place: AnyPlace) -> Mapping[str, Command]:
    """Return the commands of a place by all words that people type for them."""
    there = by_word(place)
    return {other: command for command in there.values() for other in command.same} | dict(there)


def words_at(place: AnyPlace) -> Mapping[str, Command]:
    """Return the commands of a place in lines by all words; in the lobby those that are not the screen's own."""
    return {"block": COMMANDS["block"]} if place is Place.LOBBY else by_any_word(place)


@lru_cache(maxsize=64)
def key_line(place: AnyPlace, *, over: bool = False, without: Collection[str] = ()) -> tuple[tuple[str, str, str], ...]:
    """Return the foot of a screen: keys, their names and their actions. A table has another one when it is `over`."""
    foot, there = _OVER_FOOT if over else _TABLE_FOOT, by_any_word(place)
    words = place.foot if isinstance(place, GivenPlace) else _FEET.get(place, foot)
    keys = ((there[word].key, word.capitalize()) for word in words if word in there and there[word].word not in without)
    return tuple((key, key_name(key).replace("Ctrl-", "^"), label) for key, label in keys)


def help_text(place: AnyPlace) -> str:
    """Return the help of a place in lines; commands with one help share a row."""
    intro = place.intro if isinstance(place, GivenPlace) else _INTROS.get(place)
    lines = [intro] if intro else []
    rows: dict[str, list[str]] = {}
    for command in offered(place):
        rows.setdefault(command.help, []).append(command.typed)
    for text, typed in rows.items():
        if text:
            head = ", ".join(typed)
            lines.append(f"  {head:16}{text}" if len(head) < 16 else f"  {head}\n{'':18}{text}")
    return "\n".join(lines)


def no_seat(place: AnyPlace) -> str:
    """Say why a person without a seat can do nothing else; "" at a table of their own."""
    return place.only if isinstance(place, GivenPlace) else _NO_SEAT.get(place, "")


def key_name(key: str) -> str:
    return f"Ctrl-{key[2:].upper()}" if key.startswith("c-") else key.upper()


def slip(word: str, words: Iterable[str]) -> str:
    """Return the word that a person may have meant; "" for none."""
    longer = (known_word for known_word in words if len(known_word) > 1)
    return next(iter(difflib.get_close_matches(word.lower(), longer, 1)), "")


def unknown(word: str, words: Iterable[str], advice: str = "", what: str = "no word") -> str:
    """Answer a typo, alike on every screen: the word is none here, and another one may have been meant."""
    near = slip(word, words)
    return " ".join(filter(None, (f"{quoted(word)} is {what} here.", f"Did you mean {near}?" if near else "", advice)))


def misread(error: BadNotation | str, line: str, words: Iterable[str]) -> str:
    """Say what was wrong with a line that is neither a move nor a command, and what may have been meant."""
    word = line.split()[0].lower()
    near = slip(word, words)
    advice = f"Did you mean {near}?" if near not in ("", word) else "Type help for a list of commands."
    return f"{sentence(str(error))} {advice}"


def network_wish(place: Place, word: str, rest: str) -> "Wish":
    """Return the wish of a word at a place of the network, with `rest` after it; a RulesError refuses it."""
    command = by_any_word(place).get(word)
    return (command and command.wished(rest)) or wishes.OtherLine(word)


def word_of(wish: object) -> str:
    """Return the typed word for a wish; "" for what nobody types."""
    match wish:
        case wishes.PlayMove(text) | wishes.OtherLine(text):
            return text
        case BareWish(value=word) | wishes.TextWish(wishes.Verb(value=word)):
            return str(word)
    return _WORDS.get(type(wish), "")
