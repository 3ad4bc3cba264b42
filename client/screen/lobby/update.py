"""The effect of every key, click and line in the lobby: `update_lobby(lobby, event) -> (lobby, effects)`, pure.

A key, a list and a click each become a line that could be typed; `_obey` carries out lines, and a RulesError refuses
one.
"""

from dataclasses import replace
from typing import Any, Final, TypeAlias

from quadrille.client.bots.names import bot_names
from quadrille.client.lobby_rows import lobby_rows
from quadrille.client.network.options import is_address
from quadrille.client.screen.lobby.gallery import first_game
from quadrille.client.screen.lobby.model import Errand, GamesShown, LeftGames, LobbyScreen, NewGame
from quadrille.client.screen.lobby.new_table import NewTable
from quadrille.client.screen.network import news
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.model import Effect, Event
from quadrille.client.screen.table.page import Page, keys_page, rules_page
from quadrille.client.screen.table.terminal import Line, PickList
from quadrille.client.screen.table.update import looked
from quadrille.client.table.wishes import BareWish, JoinTable, Return, TextWish, Verb
from quadrille.client.table_setup import seated
from quadrille.client.words.commands import Place, by_key, network_wish, offered
from quadrille.client.words.rules import seats_text
from quadrille.net.trust.names import plain_name
from quadrille.plugs import whole_names
from quadrille.rules.core import Game
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game, games

LobbyEffect: TypeAlias = NewGame | Errand | NewTable | Page | news.Order
Effects: TypeAlias = tuple[Effect | LobbyEffect, ...]
Updated: TypeAlias = tuple[LobbyScreen, Effects]

TITLE: Final = "Quadrille"
_SECOND: Final = 1000
_MINUTE: Final = 60_000
_OTHER_KEYS: Final = (
    ("up, down", "move through tables, games and actions"),
    ("Enter", "do what is chosen; after typing: do what is typed"),
    ("1 to 99, Enter", "the table of that number in the list"),
    ("letters, digits", "type a word, a name or an address at the prompt"),
    ("mouse", "click to choose, click again to do it"),
    ("Del", "forget the unfinished game that is chosen"),
    ("Tab", "complete what is typed"),
    ("Esc", "clear the line, close what is open, stop looking for a table"),
)


def update_lobby(lobby: LobbyScreen, event: Event | PickList | GamesShown | LeftGames) -> Updated:
    match event:
        case terminal.Key() | terminal.Wheel() | terminal.Click() if lobby.pick is not None:
            return _picked(lobby, lobby.pick, event)
        case terminal.Key(name):
            return _key(lobby, name)
        case terminal.Click(_, row):
            lobby = replace(lobby, notice="", alarm=False)
            return _choose(lobby) if row == lobby.at else (replace(lobby, chosen=row), ())
        case terminal.Wheel(up):
            return _moved(lobby, "up" if up else "down"), ()
        case terminal.Begun():
            return lobby, (terminal.Wake(0), terminal.Entitle(TITLE))
        case terminal.Tick(now):
            after = replace(lobby, now=now, opened=lobby.opened or now)
            return after, (terminal.Wake(_SECOND if after.is_fresh else _MINUTE),)
        case GamesShown(cards):
            return replace(lobby, cards=cards), ()
        case LeftGames(rows):
            return replace(lobby, left=rows), ()
        case PickList():
            return replace(lobby, pick=event), ()
    return terminal.heard(lobby, event), ()


# Keys


def _key(lobby: LobbyScreen, key: str) -> Updated:
    lobby, ends = terminal.after_answer(replace(lobby, notice="", alarm=False), key)
    if ends:
        return lobby, ()
    if command := by_key(Place.LOBBY).get(key):
        return _obey(lobby, command.word, "")
    match key:
        case "up" | "down" | "pageup" | "pagedown":
            return _moved(lobby, key), ()
        case "enter":
            return _submit(lobby) if lobby.line.text.strip() else _choose(lobby)
        case "delete" if not lobby.line.text:
            return _obey(lobby, "forget", "")
        case "escape" if lobby.around.searching and not lobby.line.text:
            return lobby, (BareWish.LEAVE,)
    playing = [name for row in lobby.around.tables if row.state == "playing" for name in row.names]
    names = {"open": [row.host for row in lobby.around.tables if row.state == "open"], "playing": playing}
    return terminal.at_prompt(lobby, key, Place.LOBBY, names=names) or lobby, ()


def _moved(lobby: LobbyScreen, key: str) -> LobbyScreen:
    entries = lobby.entries
    return replace(lobby, chosen=entries[terminal.stepped(entries.index(lobby.at), key, len(entries)) or 0])


def _picked(lobby: LobbyScreen, pick: PickList, event: terminal.Pointing) -> Updated:
    """Take an event of the open list: carry out a chosen line, or put it at the prompt."""
    closed = replace(lobby, pick=None)
    match event:
        case terminal.Key(name) if event != terminal.LEAVES and (command := by_key(Place.LOBBY).get(name)):
            return _obey(closed, command.word, "")
    line = terminal.picked(pick, event)
    if not isinstance(line, str):
        return replace(lobby, pick=line), ()
    if line.endswith(" ") or not line:
        return replace(closed, line=Line.of(line)), ()
    word, _, rest = line.partition(" ")
    after, effects = _obey(closed, word, rest)
    if pick.stays:
        at = [line for _, line in pick.rows].index(line)
        after = replace(after, pick=replace(_settings(after), at=at))
    return after, effects


# Choices and typed lines


def _choose(lobby: LobbyScreen) -> Updated:
    """Enter on the row under the cursor: a table, a first game, or a command."""
    kind, _, what = lobby.at.partition(" ")
    if kind == "do":
        return _obey(lobby, what, "")
    if kind == "game":
        return lobby, (first_game(game(what)),)
    return _go_to(lobby, next(row for row in lobby.tables if row.id == what))


def _go_to(lobby: LobbyScreen, row: news.TableRow) -> Updated:
    match row.state:
        case "mine" | "kept":
            return lobby, (Return(row.id),)
        case "left":
            return lobby, (Errand("resume", row.id),)
        case "open" | "agreeing":
            return lobby, (JoinTable(row.id),)
        case "playing" if row.may_watch:
            return lobby, (JoinTable(row.id, watches=True),)
        case "playing":
            return terminal.refused(lobby, "only those whom its players invite may look on at that table"), ()
    return terminal.refused(lobby, f"that table can't be played here: {row.terms}"), ()


def _submit(lobby: LobbyScreen) -> Updated:
    """Carry out the typed line: a number of the list, a word, an address, somebody's name."""
    lobby, text, command, rest = terminal.read_line(lobby, Place.LOBBY)
    if text.isascii() and text.isdigit() and len(text) < 4:
        try:
            row = _numbered(lobby, text)
        except RulesError as error:
            return terminal.refused(lobby, error), ()
        return _go_to(replace(lobby, chosen=f"table {row.id}"), row)
    if command is not None:
        return _obey(lobby, command.word, rest)
    at_play = {name.casefold() for row in lobby.tables if row.state == "playing" for name in row.names}
    if is_address(text) or text.casefold() in at_play.union(row.host.casefold() for row in lobby.tables):
        return lobby, (JoinTable(text),)
    if len(keys := _fitting(text)) == 1:
        return terminal.refused(lobby, f"did you mean play {keys[0]}, or host {keys[0]}?"), ()
    return terminal.not_known(lobby, text, Place.LOBBY, "F1 lists what you can type."), ()


def _numbered(lobby: LobbyScreen, text: str) -> news.TableRow:
    """Return the table of a number in the list."""
    if not (text.isascii() and text.isdigit() and 0 < int(text[:4]) <= len(lobby.tables)):
        raise RulesError(f"there is no table {text} in the list")
    return lobby.tables[int(text[:4]) - 1]


def _obey(lobby: LobbyScreen, word: str, rest: str) -> Updated:
    """Carry out a command of the lobby, or refuse it."""
    try:
        if word in ("play", "host") and "--" in rest:
            raise RulesError(f"the next screen asks for options: write {word} {rest.partition('--')[0]}".rstrip())
        return _done(lobby, word, rest)
    except RulesError as error:
        return terminal.refused(lobby, error), ()


def _done(lobby: LobbyScreen, word: str, rest: str) -> Updated:
    match word:
        case "join" | "watch" | "name" if not rest:
            return replace(lobby, line=Line.of(f"{word} ")), ()
        case "play":
            return lobby, (_local_table(rest or lobby.game),)
        case "host":
            return lobby, (NewTable(_game(rest or lobby.game).key, local=False, here=lobby.around.guests),)
        case "evening":
            return lobby, (TextWish(Verb.EVENING, rest) if rest else BareWish.SHOW_ENTRANCE,)
        case "join" | "watch":
            return lobby, (JoinTable(rest, watches=word == "watch"),)
        case "block":
            return lobby, (network_wish(Place.LOBBY, word, rest),)
        case "replay" | "doctor":
            return lobby, (Errand(word, rest),)
        case "rules":
            return _rules(lobby, rest or lobby.game)
        case "forget":
            return _forget(lobby, rest)
        case "settings":
            return replace(lobby, pick=_settings(lobby)), ()
        case "name":
            name = plain_name(rest)
            sentence = f"You go by the name of {name}."
            return replace(lobby, name=name, notice=sentence, alarm=False), (news.Rename(name),)
        case "theme" | "ascii" | "bell" | "title":
            return looked(lobby, TITLE, word, rest)
        case "help":
            rows = [*_OTHER_KEYS, *(command.row for command in offered(Place.LOBBY))]
            return lobby, (keys_page("Quadrille: the lobby", ("# Keys and words of this screen", rows)),)
        case _ if row := lobby_rows().get(word):
            return lobby, (Errand(word, _game(rest).key if rest and row.values == "game" else rest),)
    return lobby, (terminal.Quit(),)


def _forget(lobby: LobbyScreen, what: str) -> Updated:
    """Forget the unfinished game of that whole number; ask about one by its place in the list, or about the chosen."""
    if what in [row.id for row in lobby.unfinished]:
        return lobby, (Errand("forget", what),)
    chosen = next((table for table in lobby.tables if f"table {table.id}" == lobby.at), None)
    row = _numbered(lobby, what) if what else chosen
    if row is None or row.state not in ("kept", "left"):
        raise RulesError("only an unfinished game can be forgotten: choose one in that list, or write forget NUMBER")
    does = "Delete it for good" if row.state == "left" else "Give it up: the others may decide about your seat"
    return replace(
        lobby, pick=PickList(f"{row.game} with {row.host}", ((does, f"forget {row.id}"), ("Keep it", "")))
    ), ()


def _rules(lobby: LobbyScreen, name: str) -> Updated:
    """Show the rules of the named game; without a name, let the person choose one."""
    if name:
        return lobby, (rules_page(_game(name)),)
    rows = tuple((f"{game.title:16} {seats_text(game.seats)} seats", f"rules {game.key}") for game in games())
    return replace(lobby, pick=PickList("Rules of which game?", rows)), ()


def _local_table(text: str) -> NewGame | NewTable:
    """Make a local table: at once if a game and bots are named, else by the dialog."""
    name, _, named = " ".join(whole_names(text.split(" "))).partition(" ")
    chosen = _game(name)
    if not named:
        return NewTable(chosen.key, local=True)
    bots = bot_names(named)
    seats = len(bots) + 1 if len(bots) > 1 else chosen.usual_seats
    chosen.check_seats(seats)
    return NewGame(chosen.key, (), seated(bots, seats))


def _game(name: str) -> Game[Any, Any]:
    """Find a game by the start of its name; without a name, take the first one."""
    keys = _fitting(name)
    return game(keys[0] if len(keys) == 1 else name) if name else games()[0]


def _fitting(name: str) -> list[str]:
    """Return the game of that name, or else those whose names begin so."""
    wanted = name.lower().replace(" ", "-")
    keys = [played.key for played in games() if played.key.startswith(wanted)]
    return [wanted] if wanted in keys else keys


def _settings(lobby: LobbyScreen) -> PickList:
    look = lobby.look
    rows = (
        (f"name    {lobby.name}", "name "),
        (f"theme   {look.theme}", "theme"),
        (f"signs   {'plain letters' if look.plain else 'drawn lines'}", "ascii"),
        (f"bell    {'rings when it is your turn' if look.bell else 'off'}", "bell"),
        (f"title   {'tells whose turn it is' if look.title else 'off'}", "title"),
    )
    return PickList("Settings", rows, stays=True)
