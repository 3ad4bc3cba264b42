"""What every key, click and line does in the lobby: `update_lobby(lobby, event) -> (lobby, effects)`, pure.

A key, a list and a click come down to a line that could be typed; `_obey` is where lines are done.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from quadrille.client.network.options import is_address
from quadrille.client.pages import seats_text
from quadrille.client.screen.draw.theme import THEMES
from quadrille.client.screen.lobby.draw import draw_lobby
from quadrille.client.screen.lobby.model import (
    PATIENCE,
    Browse,
    Browsed,
    Deal,
    Examine,
    Lobby,
    LobbyEffect,
    Peruse,
    Pick,
    Prepare,
)
from quadrille.client.screen.network.news import (
    Join,
    Rename,
    Return,
    Sent,
    Show,
    TableRow,
    Watch,
)
from quadrille.client.screen.table.commands import look_after
from quadrille.client.screen.table.line_keys import edited, inserted
from quadrille.client.screen.table.model import (
    Begun,
    Click,
    Effect,
    Entitle,
    Event,
    Key,
    Line,
    Page,
    Pasted,
    Quit,
    Redraw,
    Remember,
    Resized,
    Suspend,
    Tick,
    Told,
    Wake,
    Wheel,
)
from quadrille.client.screen.table.page import rules_page
from quadrille.client.seating import named_bots, seated
from quadrille.client.table.network.wishes import Leave
from quadrille.client.words.commands import Command, Place, by_key, by_word, network_wish, offered, slip
from quadrille.net.names import plain_name
from quadrille.rules.core import Game
from quadrille.rules.errors import RulesError
from quadrille.rules.half import common_start
from quadrille.rules.registry import game, games
from quadrille.rules.squares import quoted

LobbyEvent: TypeAlias = Event | Browsed
Effects: TypeAlias = tuple[Effect | LobbyEffect | Sent, ...]

_KEYS: Final = by_key(Place.LOBBY)
TITLE: Final = "Quadrille"
_SECOND: Final = 1000
_MINUTE: Final = 60_000
_MOST_KEPT: Final = 100
_OTHER_KEYS: Final = (
    ("up, down", "go over the tables and what can be done"),
    ("Enter", "do what is chosen; after typing: do what is typed"),
    ("1 to 99, Enter", "the table of that number in the list"),
    ("letters, digits", "type a word, a name or an address at the prompt"),
    ("mouse", "click to choose, click again to do it"),
    ("Tab", "complete what is typed"),
    ("Ctrl-P, Ctrl-N", "lines that were typed before"),
    ("Esc", "clear the line, close what is open, stop looking for a table"),
    ("Ctrl-L, Ctrl-Z", "draw the screen again; go to the background, fg comes back"),
)


def update_lobby(lobby: Lobby, event: LobbyEvent) -> tuple[Lobby, Effects]:
    """The lobby after an event, and what is to be done."""
    match event:
        case Key(name):
            return _key(lobby, name)
        case Pasted(text):
            return replace(lobby, line=inserted(lobby.line, text.split("\n")[0]), notice=""), ()
        case Click(row, column):
            return _click(lobby, row, column)
        case Wheel(up):
            return _moved(lobby, -1 if up else 1), ()
        case Resized(rows, columns):
            return replace(lobby, rows=rows, columns=columns), ()
        case Begun():
            return lobby, (Wake(0), Entitle(TITLE))
        case Tick(now):
            after = replace(lobby, now=now, opened=lobby.opened or now)
            return after, (Wake(_SECOND if _is_fresh(after) else _MINUTE),)
        case Told(text, alarm):
            return replace(lobby, notice=text, alarm=alarm), ()
        case Browsed(files):
            return _browsed(replace(lobby, files=files))
    return lobby, ()


def _is_fresh(lobby: Lobby) -> bool:
    """Whether what is shown changes from second to second."""
    opening = lobby.now - lobby.opened <= PATIENCE
    return opening or any(lobby.now - row.since < _MINUTE for row in lobby.around.tables)


def refused(lobby: Lobby, text: str) -> tuple[Lobby, Effects]:
    """The lobby with a refusal."""
    return replace(lobby, notice=text + ("" if text.endswith("?") else "."), alarm=True), ()


# Keys


def _key(lobby: Lobby, key: str) -> tuple[Lobby, Effects]:
    match key:
        case "c-z":
            return lobby, (Suspend(),)
        case "c-l":
            return lobby, (Redraw(),)
        case "c-c" | "<sigint>":
            return lobby, (Quit(),)
    if lobby.pick is not None:
        return _pick_key(lobby, lobby.pick, key)
    if key in _KEYS:
        return _obey(replace(lobby, notice="", alarm=False), _KEYS[key].word, "")
    lobby = replace(lobby, notice="", alarm=False)
    match key:
        case "up" | "down":
            return _moved(lobby, -1 if key == "up" else 1), ()
        case "pageup" | "pagedown":
            return _moved(lobby, -10 if key == "pageup" else 10), ()
        case "enter":
            return _submit(lobby) if lobby.line.text.strip() else _choose(lobby, lobby.at)
        case "escape" if lobby.searching and not lobby.line.text:
            return lobby, (Sent(Leave()),)
        case "escape":
            return replace(lobby, line=Line()), ()
        case "tab":
            return _completed(lobby), ()
        case "c-p" | "c-n":
            return _recalled(lobby, -1 if key == "c-p" else 1), ()
    line = edited(lobby.line, key)
    return (lobby if line is None else replace(lobby, line=line)), ()


def _moved(lobby: Lobby, step: int) -> Lobby:
    """The next row, or that many rows further."""
    if lobby.pick is not None:
        at = max(0, min(len(lobby.pick.rows) - 1, lobby.pick.at + step))
        return replace(lobby, pick=replace(lobby.pick, at=at))
    entries = lobby.entries
    at = entries.index(lobby.at) + step
    at = at % len(entries) if abs(step) == 1 else max(0, min(len(entries) - 1, at))
    return replace(lobby, chosen=entries[at])


def _pick_key(lobby: Lobby, pick: Pick, key: str) -> tuple[Lobby, Effects]:
    match key:
        case "up" | "down":
            return replace(lobby, pick=replace(pick, at=(pick.at + (1 if key == "down" else -1)) % len(pick.rows))), ()
        case "pageup" | "pagedown":
            return _moved(lobby, -10 if key == "pageup" else 10), ()
        case "home" | "end":
            return replace(lobby, pick=replace(pick, at=0 if key == "home" else len(pick.rows) - 1)), ()
        case "enter" | " ":
            return _picked(lobby, pick)
        case "escape" | "q":
            return replace(lobby, pick=None), ()
        case "c-q":
            return lobby, (Quit(),)
    if key in _KEYS:
        return _obey(replace(lobby, pick=None), _KEYS[key].word, "")
    return lobby, ()


def _picked(lobby: Lobby, pick: Pick) -> tuple[Lobby, Effects]:
    """Do the line of a row; one that is not whole yet is put at the prompt."""
    line = pick.rows[pick.at][1]
    if line.endswith(" "):
        return replace(lobby, pick=None, line=Line.of(line)), ()
    word, _, rest = line.partition(" ")
    if not pick.stays:
        return _obey(replace(lobby, pick=None), word, rest)
    after, effects = _obey(lobby, word, rest)
    return replace(after, pick=replace(_settings(after), at=pick.at)), effects


def _completed(lobby: Lobby) -> Lobby:
    """The line as far as it can only go on in one way."""
    text = lobby.line.text
    word, blank, rest = text.partition(" ")
    there = by_word(Place.LOBBY)
    if not blank:
        found = [one for one in there if word and one.startswith(word)]
    else:
        found = [f"{word} {name}" for name in _values(lobby, there.get(word)) if name.startswith(rest)]
    if not found:
        return lobby
    common = common_start(found)
    return replace(lobby, line=Line.of(common if len(common) > len(text) else found[0]))


def _values(lobby: Lobby, command: Command | None) -> list[str]:
    """What completes the argument of a command."""
    match command.values if command else "":
        case "game":
            return [one.key for one in games()]
        case "theme":
            return list(THEMES)
        case "open" | "playing" as state:
            return [row.host for row in lobby.around.tables if row.state == state]
    return []


def _recalled(lobby: Lobby, step: int) -> Lobby:
    at = max(0, min(len(lobby.lines), lobby.recalled + step))
    return replace(lobby, recalled=at, line=Line.of(lobby.lines[at] if at < len(lobby.lines) else ""))


def _click(lobby: Lobby, row: int, column: int) -> tuple[Lobby, Effects]:
    spot = draw_lobby(lobby).at(row, column)
    if spot is None:
        return lobby, ()
    lobby = replace(lobby, notice="", alarm=False)
    if spot.does == "key":
        return _key(lobby, spot.name)
    if lobby.pick is not None and not spot.name.startswith("pick "):
        return replace(lobby, pick=None), ()
    if lobby.pick is not None:
        at = int(spot.name.removeprefix("pick "))
        chosen = replace(lobby.pick, at=at)
        return _picked(lobby, chosen) if at == lobby.pick.at else (replace(lobby, pick=chosen), ())
    if spot.name == lobby.at:
        return _choose(lobby, spot.name)
    return replace(lobby, chosen=spot.name), ()


# What is chosen or typed


def _choose(lobby: Lobby, name: str) -> tuple[Lobby, Effects]:
    """Enter on a row: a table, or something to do."""
    kind, _, what = name.partition(" ")
    if kind == "do":
        return _obey(lobby, what, "")
    row = next(row for row in lobby.around.tables if row.id == what)
    return _go_to(lobby, row)


def _go_to(lobby: Lobby, row: TableRow) -> tuple[Lobby, Effects]:
    match row.state:
        case "mine" | "kept":
            return lobby, (Sent(Return(row.id)),)
        case "open":
            return lobby, (Sent(Join(row.id)),)
        case "playing" if row.may_watch:
            return lobby, (Sent(Watch(row.id)),)
        case "playing":
            return refused(lobby, "only those whom its players invite may look on at that table")
        case "unplayable":
            return refused(lobby, f"that table can't be played here: {row.terms}")
    return refused(lobby, "all seats are taken there, and the game is about to begin")


def _submit(lobby: Lobby) -> tuple[Lobby, Effects]:
    """Do what is typed: a number of the list, a word, an address, somebody's name."""
    text = " ".join(lobby.line.text.split())
    lines = (*lobby.lines, text)[-_MOST_KEPT:]
    lobby = replace(lobby, line=Line(), lines=lines, recalled=len(lines))
    tables = lobby.around.tables
    if text.isascii() and text.isdigit() and len(text) < 4:
        number = int(text)
        if 0 < number <= len(tables):
            return _go_to(replace(lobby, chosen=f"table {tables[number - 1].id}"), tables[number - 1])
        return refused(lobby, f"there is no table {number} in the list")
    word, _, rest = text.partition(" ")
    if word.lower() in by_word(Place.LOBBY):
        return _obey(lobby, word.lower(), rest)
    if is_address(text):
        return lobby, (Sent(Join(text)),)
    if any(text.casefold() == row.host.casefold() for row in tables):
        return _join(lobby, text)
    near = slip(word, by_word(Place.LOBBY))
    hint = f": did you mean {near}?" if near else ": F1 tells what can be typed"
    return refused(replace(lobby, line=Line.of(text)), f"{quoted(word)} is no word here{hint}")


def _obey(lobby: Lobby, word: str, rest: str) -> tuple[Lobby, Effects]:
    """A word of the lobby."""
    match word:
        case "play":
            return _play(lobby, rest)
        case "new":
            found = _game(rest) if rest else games()[0]
            return (lobby, (Prepare(found.key, local=False),)) if found else _no_game(lobby, rest)
        case "join" | "watch":
            return _join(lobby, rest) if word == "join" else _watch(lobby, rest)
        case "yes" | "no" | "block" | "play-on":
            return lobby, (Sent(network_wish(Place.LOBBY, word, rest)),)
        case "replays":
            return (lobby, (Peruse(rest),)) if rest else (lobby, (Browse(),))
        case "show":
            return lobby, (Sent(Show(rest)),)
        case "rules":
            return _rules(lobby, rest)
        case "settings":
            return replace(lobby, pick=_settings(lobby)), ()
        case "doctor":
            return lobby, (Examine(),)
        case "name":
            return _name(lobby, rest)
        case "theme" | "ascii" | "bell" | "title":
            return _look(lobby, word, rest)
        case "help":
            return lobby, (Page("Quadrille: the lobby", _help_lines(), prose=True),)
    return lobby, (Quit(),)


def _play(lobby: Lobby, rest: str) -> tuple[Lobby, Effects]:
    """A game of one's own: with a game and bots at once, else by the dialog."""
    name, _, text = rest.partition(" ")
    found = _game(name) if name else games()[0]
    if found is None:
        return _no_game(lobby, name)
    if not text:
        return lobby, (Prepare(found.key, local=True),)
    try:
        bots = named_bots(text)
        seats = len(bots) + 1 if len(bots) > 1 else found.usual_seats
        found.check_seats(seats)
        return lobby, (Deal(found.key, (), seated(bots, seats)),)
    except RulesError as error:
        return refused(lobby, str(error))


def _join(lobby: Lobby, rest: str) -> tuple[Lobby, Effects]:
    if not rest:
        return replace(lobby, line=Line.of("join ")), ()
    return lobby, (Sent(Join(rest)),)


def _watch(lobby: Lobby, rest: str) -> tuple[Lobby, Effects]:
    if not rest:
        return replace(lobby, line=Line.of("watch ")), ()
    return lobby, (Sent(Watch(rest)),)


def _rules(lobby: Lobby, rest: str) -> tuple[Lobby, Effects]:
    if not rest:
        rows = tuple((f"{one.title:16} {seats_text(one.seats)} seats", f"rules {one.key}") for one in games())
        return replace(lobby, pick=Pick("Rules of which game?", rows)), ()
    found = _game(rest)
    if found is None:
        return _no_game(lobby, rest)
    return lobby, (rules_page(found),)


def _browsed(lobby: Lobby) -> tuple[Lobby, Effects]:
    """Which games there are to look at: those of tables, and records in the folder."""
    rows = [(f"{row.when}  {row.game}  table {row.id[:8]}", f"show {row.id}") for row in lobby.around.played]
    rows += [(file, f"replays {file}") for file in lobby.files]
    if not rows:
        return refused(lobby, "no game has been kept yet: those of tables on the network are, and F7 at a table saves")
    return replace(lobby, pick=Pick("Which game?", tuple(rows))), ()


def _settings(lobby: Lobby) -> Pick:
    look = lobby.look
    rows = (
        (f"name    {lobby.name}", "name "),
        (f"theme   {look.theme}", "theme"),
        (f"signs   {'plain letters' if look.plain else 'drawn lines'}", "ascii"),
        (f"bell    {'rings when it is your turn' if look.bell else 'off'}", "bell"),
        (f"title   {'tells whose turn it is' if look.title else 'off'}", "title"),
    )
    return Pick("Settings", rows, stays=True)


def _name(lobby: Lobby, rest: str) -> tuple[Lobby, Effects]:
    if not rest:
        return replace(lobby, line=Line.of("name ")), ()
    name = plain_name(rest)
    return replace(lobby, name=name, notice=f"You go by the name of {name}.", alarm=False), (Sent(Rename(name)),)


def _look(lobby: Lobby, word: str, rest: str) -> tuple[Lobby, Effects]:
    try:
        look, told = look_after(lobby.look, word, rest)
    except RulesError as error:
        return refused(lobby, str(error))
    title = (Entitle(TITLE if look.title else ""),) if word == "title" else ()
    return replace(lobby, look=look, notice=told, alarm=False), (Remember(look), *title)


def _game(name: str) -> Game[Any, Any] | None:
    wanted = name.lower().replace(" ", "-")
    found: Sequence[str] = [one.key for one in games() if wanted and one.key.startswith(wanted)]
    return game(found[0]) if len(found) == 1 or wanted in found else None


def _no_game(lobby: Lobby, name: str) -> tuple[Lobby, Effects]:
    return refused(lobby, f"there is no game {quoted(name)}: there are {', '.join(one.key for one in games())}")


def _help_lines() -> tuple[str, ...]:
    rows = (*_OTHER_KEYS, *(command.row for command in offered(Place.LOBBY)))
    lines = ["# Keys and words of this screen", ""]
    lines += [f"  {name:29} {text}" for name, text in rows]
    return tuple(lines)
