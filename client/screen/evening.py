"""A whole evening on the screen: the lobby, and what is in front of it. `update_evening` and `draw_evening` are pure.

In front is the dialog for a new table, a waiting room, a table, the front of a plugged command, or nothing; a page of
text may cover all of it. Each is updated and drawn by itself. This module leads from one to the next, and passes the
network's events to the table in front.
"""

from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeGuard

from quadrille.client.lobby_rows import Brought, FrontOpened, Noted, PluggedFront
from quadrille.client.reports import is_move
from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.lobby.draw import draw_lobby
from quadrille.client.screen.lobby.model import Errand, GamesShown, LeftGames, LobbyScreen, PageLine
from quadrille.client.screen.lobby.new_table import NewTable
from quadrille.client.screen.lobby.update import TITLE, LobbyEffect, update_lobby
from quadrille.client.screen.lobby.waiting_room import WaitingRoomScreen
from quadrille.client.screen.network.entrance import draw_entrance, turned_entrance
from quadrille.client.screen.network.news import News, Order, Rename, Room, StationLeft
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Changed, Closed, Effect, Event, Model, ShownTable, SitDown, tidy
from quadrille.client.screen.table.page import Page, draw_page, is_at_end, turned
from quadrille.client.screen.table.shown import table_model
from quadrille.client.screen.table.terminal import Line, PickList, answered, refused
from quadrille.client.screen.table.update import update
from quadrille.client.table.notices import EveningTold
from quadrille.client.table.wishes import BareWish, PlayMove
from quadrille.client.words.commands import COMMANDS
from quadrille.value import value

Front: TypeAlias = NewTable | WaitingRoomScreen | Model | PluggedFront | None


@value
class Evening:
    """`kept` is a move to be made as soon as an absent peer is back. `behind` is the evening at a network table, while
    a copy of its game is played in front. `scan` is the number of the code on the page about guests, while it is open.
    """

    lobby: LobbyScreen
    front: Front = None
    page: Page | None = None
    kept: str = ""
    leaving: bool = False
    typed: tuple[terminal.Key | terminal.Pasted, ...] = ()
    bot: str = "3"
    behind: "Evening | None" = None
    scan: int | None = None

    @property
    def table(self) -> str:
        """The number of the network table in front; "" where there is none."""
        match self.front:
            case WaitingRoomScreen(room):
                return room.id
            case Model(table):
                return table.id
        return ""

    @property
    def look(self) -> terminal.Look:
        """The look and the sounds of what is in front."""
        return self.lobby.look if self.front is None else self.front.look

    @property
    def rows(self) -> int:
        """The height of the window."""
        return self.lobby.rows

    @property
    def columns(self) -> int:
        """The width of the window."""
        return self.lobby.columns


EveningEvent: TypeAlias = (
    Event | News | StationLeft | Model | SitDown | PageLine | PickList | GamesShown | LeftGames | Noted
    | FrontOpened | Brought | EveningTold
)  # fmt: skip
EveningEffect: TypeAlias = Effect | LobbyEffect | Order
Effects: TypeAlias = tuple[EveningEffect, ...]
Updated: TypeAlias = tuple[Evening, Effects]

CHAT: Final = "All that was said"
HAPPENED: Final = "All that happened"
POINTS: Final = "The evening so far"
DOCTOR: Final = "What may keep programs from meeting"
#: The scroll position of a page whose last line is seen, also while lines are added.
_AT_END: Final = 10**6
#: Letters of a message after which a new one takes its place, where two fit on the smallest screen.
_LONG: Final = 160


def update_evening(evening: Evening, event: EveningEvent) -> Updated:
    evening, asked = _updated(evening, event)
    done: list[EveningEffect] = []
    for effect in asked:
        match effect:
            case Page():
                evening = replace(evening, page=effect)
            case NewTable():
                evening = replace(evening, front=_fitted(effect, evening))
            case Errand("doctor"):
                evening = replace(evening, page=Page(DOCTOR, ("This takes a few seconds.", ""), _AT_END))
                done.append(effect)
            case BareWish.SHOW_ENTRANCE if evening.lobby.around.entrance is not None:
                evening = replace(evening, scan=0)
            case _ if isinstance(effect, Order) and not isinstance(effect, Rename) and evening.lobby.around.shut:
                reason = f"That needs a network, and there is none here: {evening.lobby.around.shut}"
                evening = replace(evening, lobby=refused(evening.lobby, reason))
            case _:
                done.append(effect)
    if evening.lobby.look != evening.look:  # the lobby takes over the look of what is in front
        evening = replace(evening, lobby=replace(evening.lobby, look=evening.look))
    while evening.typed and not evening.leaving:
        key, *rest = evening.typed
        evening, effects = update_evening(replace(evening, typed=()), key)
        evening, done = replace(evening, typed=(*evening.typed, *rest)), [*done, *effects]
    return evening, tuple(done)


def _updated(evening: Evening, event: EveningEvent) -> Updated:
    match event:
        case terminal.Resized(rows, columns):
            evening = replace(evening, lobby=replace(evening.lobby, rows=rows, columns=columns))
            return replace(evening, front=_fitted(evening.front, evening)), ()
        case News():
            return _heard(evening, event)
        case StationLeft(code):
            return evening, (terminal.Quit(code),)
        case Model():
            return _at_local_table(evening, event)
        case SitDown(own):
            return _at_local_table(evening, table_model(own))
        case Noted() | FrontOpened() | Brought():
            return _about_plugged(evening, event)
        case EveningTold(lines):
            return replace(evening, page=Page(POINTS, lines)), ()
        case PageLine(title, line):
            page = evening.page
            if page is not None and page.title == title:
                evening = replace(evening, page=replace(page, lines=(*page.lines, line)))
            return evening, ()
        case terminal.Begun() | GamesShown() | LeftGames():
            return _in_lobby(evening, event)
        case PickList():
            return _in_lobby(evening, event) if evening.front is None else (evening, ())
        case terminal.Tick(now) if evening.front is not None:
            evening = replace(evening, lobby=replace(evening.lobby, now=now))
    return _in_turn(evening, event)


def _in_turn(evening: Evening, event: Event) -> Updated:
    """Pass an event to what lies on top."""
    if evening.page is not None and isinstance(event, terminal.Key | terminal.Wheel):
        return replace(evening, page=turned(evening.page, event, evening.rows, evening.columns)), ()
    if evening.lobby.around.entrance and evening.scan is not None and isinstance(event, terminal.Key | terminal.Wheel):
        return replace(evening, scan=turned_entrance(evening.scan, event)), ()
    match evening.front:
        case Model() as model:
            return _at_table(evening, model, event)
        case None:
            return _in_lobby(evening, event)
        case front:
            return _at_front(evening, front, event)


def _in_lobby(evening: Evening, event: Event | PickList | GamesShown | LeftGames) -> Updated:
    lobby, effects = update_lobby(evening.lobby, event)
    return replace(evening, lobby=lobby), effects


def _sitting(front: Front) -> tuple[str, ...]:
    """Return the holders of a table's seats by name, free seats among them."""
    match front:
        case WaitingRoomScreen() as waiting:
            return tuple(who.name for who in waiting.room.chairs) + ("( free )",) * waiting.free
        case Model() as model:
            return tuple(f"{chair.name}, {chair.kind}" if chair.kind else chair.name for chair in model.table.chairs)
    return ()


def _fitted(front: Any, evening: Evening) -> Any:
    """Resize a front, or none, to the window of the evening."""
    if is_plugged(front):
        return front.fitted(evening.look, evening.rows, evening.columns)
    return front and replace(front, look=evening.look, rows=evening.rows, columns=evening.columns)


def _back(evening: Evening) -> Updated:
    """Go back to the lobby; or from a copy to its table."""
    if (behind := evening.behind) is None:
        after = replace(evening, front=None, kept="", leaving=False)
        return after, (Closed(), terminal.Wake(0), terminal.Entitle(TITLE))
    title = behind.front.title if isinstance(behind.front, Model) else TITLE
    after = replace(behind, lobby=evening.lobby, front=_fitted(behind.front, evening))
    return after, (Closed(), terminal.Wake(0), terminal.Entitle(title))


# Fronts of plugged commands


def is_plugged(front: object) -> TypeGuard[PluggedFront]:
    """Tell a plugged front from those of this house."""
    return front is not None and not isinstance(front, NewTable | WaitingRoomScreen | Model)


def _about_plugged(evening: Evening, event: Noted | FrontOpened | Brought) -> Updated:
    """Show a front unless the person has left the lobby meanwhile; pass its events on only while it is shown."""
    front = evening.front
    match event:
        case Brought(brought):
            return _at_front(evening, front, brought) if is_plugged(front) else (evening, ())
        case FrontOpened(opened) if front is None and evening.page is None:
            first, effects = _fitted(opened, evening).updated(terminal.Begun())
            return replace(evening, lobby=replace(evening.lobby, notice="", alarm=False), front=first), effects
        case FrontOpened(_, text) | Noted(text):
            return replace(evening, lobby=replace(evening.lobby, notice=text, alarm=False)), ()


def _at_front(evening: Evening, front: NewTable | WaitingRoomScreen | PluggedFront, event: Any) -> Updated:
    """Update a front; when it is left, show the result of a plugged one in the lobby."""
    after, effects = front.updated(event)
    evening = replace(evening, front=after)
    if not any(isinstance(effect, terminal.Quit) for effect in effects):
        return evening, effects
    if is_plugged(after):
        evening = replace(evening, lobby=replace(evening.lobby, notice=after.result, alarm=False))
    evening, more = _back(evening)
    return evening, (*more, *(effect for effect in effects if not isinstance(effect, terminal.Quit)))


# Tables


def _begun(model: Model, evening: Evening) -> Model:
    """Put a table before the person."""
    begun: Model = _fitted(replace(model, now=evening.lobby.now, bot=evening.bot), evening)
    return begun


def _at_local_table(evening: Evening, first: Model) -> Updated:
    """Show a game at this keyboard or a record, in the place of one that is there."""
    model, effects = update(_begun(first, evening), terminal.Begun())
    behind = evening if evening.table else None
    return replace(evening, front=model, page=None, behind=behind), (Closed(), *effects)


def _at_table(evening: Evening, model: Model, event: Event) -> Updated:
    """Update the table in front; turn its wishes into orders if it is on the network."""
    if evening.leaving and isinstance(event, terminal.Pasted | terminal.Key) and event != terminal.LEAVES:
        return replace(evening, typed=(*evening.typed, event)), ()
    if evening.table and isinstance(event, terminal.Key):
        if event.name == "c-t" and model.overlay is None:
            return _talks(evening, model), ()
        if (kept := _keeps(evening, model, event)) is not None:
            return kept, ()
    after, effects = update(model, event)
    evening = replace(evening, front=after)
    if not evening.table:
        if not any(isinstance(effect, terminal.Quit) for effect in effects):
            return evening, effects
        lobby = answered(evening.lobby, after.line.answer)  # the rest of a "yes" comes there
        return _back(replace(evening, lobby=lobby))
    done: list[EveningEffect] = []
    for effect in effects:
        match effect:
            case terminal.Quit() if not evening.leaving:
                evening = replace(evening, leaving=True)
                done.append(BareWish.LEAVE)
            case BareWish.CHAT:
                evening = _chat(evening, after)
            case SitDown(copy):
                evening, begun = _at_local_table(evening, table_model(copy))
                done += begun
            case _:
                done.append(effect)
    return evening, tuple(done)


def _keeps(evening: Evening, model: Model, event: terminal.Key) -> Evening | None:
    """Keep a move that is typed while a peer is absent, or drop it at Esc; return None for any other key."""
    if not (evening.kept or model.table.waits) or model.overlay is not None or model.replay is not None:
        return None
    table, text = model.table, tidy(model.line.text)
    if event.name == "escape" and evening.kept and not text:
        return replace(evening, kept="", front=replace(model, notice=f"{evening.kept} is not kept any more."))
    waits = table.waits and not (table.is_mine or table.match.over or table.viewer is None)
    if event.name == "enter" and text and waits and is_move(table.match, text):
        sentence = f"{text} is kept, and made when it is your turn. Esc drops it."
        return replace(evening, kept=text, front=replace(model, line=Line(), notice=sentence, alarm=False))
    return None


def _talks(evening: Evening, model: Model) -> Evening:
    """Begin a chat line to all; if the key is pressed again, show all lines."""
    if model.line.text and not model.line.selected:
        return _chat(evening, model)
    line = Line.of(f"{COMMANDS['say'].word} ")
    return replace(evening, front=replace(model, line=line, focus="line", notice="", alarm=False))


def _chat(evening: Evening, model: Model) -> Evening:
    """Show all chat lines, scrolled to the end; after them all events."""
    lines = model.table.chat or ("Nobody has said anything yet. Ctrl-T begins a line to all at the table.",)
    happened = Page(HAPPENED, model.table.told or ("Nothing has happened yet beside moves.",), _AT_END)
    before = evening.page
    at_end = before is None or before.title != CHAT or is_at_end(before, evening.rows, evening.columns)
    top = _AT_END if at_end or before is None else before.top
    return replace(evening, page=Page(CHAT, lines, top, other=happened))


# Events of the network


def _heard(evening: Evening, news: News) -> Updated:
    """Note where the person is now, and show what was reported."""
    tables = evening.lobby.around.tables
    lobby = replace(evening.lobby, around=news.around)
    if evening.lobby.around.searching and not news.around.searching:
        lobby = replace(lobby, notice="", alarm=False)  # reported while a table was searched
    if news.around.tables not in ((), tables) and lobby.chosen not in lobby.entries:
        lobby = replace(lobby, chosen="")
    evening = replace(evening, lobby=lobby)
    if isinstance(evening.front, NewTable) and not evening.front.local:
        evening = replace(evening, front=evening.front.with_guests(news.around.guests))
    if evening.behind is not None:
        return _heard_behind(evening, evening.behind, news)
    plays_here = isinstance(evening.front, Model) and not evening.table
    said = (*news.said, *(() if plays_here else news.remarks))
    before = lobby.notice if len(lobby.notice) < _LONG else ""
    if plays_here and news.remarks:  # read once that game is left
        lobby = replace(lobby, notice="  ".join(filter(None, (before, *news.remarks))), alarm=False)
        evening = replace(evening, lobby=lobby)
    elif said and news.around.searching and not plays_here:
        said = (before, *said)  # what was found while it was looked for, one by one
    told = terminal.Told("  ".join(filter(None, said)), alarm=news.refused)
    effects: Effects = ()
    # a sought table takes the place of a game at this keyboard, whose bots must not go on over it
    if evening.table if news.front is None else plays_here:
        evening, effects = _back(evening)
    match news.front:
        case Room() as room:
            evening, more = _gathered(evening, room, told)
        case ShownTable() as table:
            evening, more = _seated(evening, table, told)
        case None:
            more = (terminal.Wake(0),) if evening.front is None and news.around.tables != tables else ()
            evening = _in_turn(evening, told)[0] if told.text else evening
    return evening, (*effects, *more)


def _heard_behind(evening: Evening, behind: Evening, news: News) -> Updated:
    """Update the table behind a copy; the copy shows a notice only when it is time to go back."""
    after, effects = _heard(behind, news)
    evening = replace(evening, behind=after)
    was, now = (one.front.table if isinstance(one.front, Model) else None for one in (behind, after))
    if was is not None and was.waits and now is not None and not now.waits:
        sentence = "All are back at your table: quit leads there."
    elif now is not None and now.is_mine and not (was is not None and was.is_mine):
        sentence = "It is your turn at your table: quit leads there."
    else:
        return evening, effects if now is not None else ()  # what closes the table behind must not close the copy's
    return _in_turn(evening, terminal.Told(sentence))[0], (*effects, terminal.Ring())


def _gathered(evening: Evening, room: Room, news: terminal.Told) -> Updated:
    before = evening.front
    if not isinstance(before, WaitingRoomScreen) or before.room.id != room.id:
        before = _fitted(WaitingRoomScreen(replace(room, chairs=())), evening)
    after, effects = replace(before, entrance=evening.lobby.around.entrance).updated(room)
    if news.text and news.text not in room.said:  # only refusals: everything else is shown in the room
        after = replace(after, notice=news.text, alarm=news.alarm)
    return replace(evening, front=after, leaving=False), effects


def _seated(evening: Evening, shown: ShownTable, news: terminal.Told) -> Updated:
    """Show the table as it is now, and make a kept move as soon as possible."""
    before = evening.front if isinstance(evening.front, Model) and evening.table == shown.id else None
    table, title = shown, ""
    if evening.kept:
        table = replace(table, banner=f"Kept: {evening.kept}. {table.banner}".strip())
    if before is None:
        file = f"{table.match.game.key}-{shown.id[:8]}.txt"
        typed = evening.front.line if isinstance(evening.front, WaitingRoomScreen) else Line()
        before = _begun(Model(replace(table, mine=(), votes=False), file=file, line=typed), evening)
        evening = replace(evening, kept="", page=None, scan=None)
        title = before.title
    after, effects = update(before, Changed(table, news.text, alarm=news.alarm))
    effects = (terminal.Entitle(title), *effects) if title else effects
    leaving = evening.leaving and evening.table == shown.id
    evening = replace(evening, front=after, leaving=leaving)
    if evening.page is not None and evening.page.title == CHAT:
        evening = _chat(evening, after)
    if not (evening.kept and table.is_mine):
        return evening, effects
    line = after.line if after.line.text else Line.of(evening.kept).entered  # it stays where the table refuses it
    return replace(evening, kept="", front=replace(after, line=line)), (*effects, PlayMove(evening.kept))


def draw_evening(evening: Evening) -> Picture:
    if evening.page is not None:
        return draw_page(evening.page, evening.look, evening.rows, evening.columns)
    if (entrance := evening.lobby.around.entrance) is not None and evening.scan is not None:
        size = (evening.rows, evening.columns)
        return draw_entrance(entrance, evening.scan, _sitting(evening.front), evening.look, size)
    match evening.front:
        case Model() as model:
            return draw(model)
        case None:
            return draw_lobby(evening.lobby)
        case front:
            drawn: Picture = front.drawn()
            return drawn
