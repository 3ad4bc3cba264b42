"""A whole evening on the screen: the lobby, and what is in front of it. `update_evening` and `draw_evening` are pure.

In front is the dialog for a new table, a table before its first move, a table, or nothing; a page of text may lie over
all of it. Each is updated and drawn by itself; here is only what leads from one to the next, and what the network
tells and is told.
"""

import re
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from quadrille.client.reports import is_move
from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.lobby.draw import draw_lobby
from quadrille.client.screen.lobby.model import Browse, Browsed, Examine, LobbyScreen, NewGame, Peruse, Prepare
from quadrille.client.screen.lobby.new_table import NewTable
from quadrille.client.screen.lobby.new_table_draw import draw_new
from quadrille.client.screen.lobby.new_table_update import update_new
from quadrille.client.screen.lobby.update import TITLE, update_lobby
from quadrille.client.screen.lobby.waiting_room import WaitingRoomScreen, draw_waiting, update_waiting
from quadrille.client.screen.network.news import Around, News, Room, Seated, Sent, Shown, Shut, StationLeft
from quadrille.client.screen.table import local
from quadrille.client.screen.table.draft import tidy
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import (
    Begun,
    Changed,
    Click,
    Closed,
    Effect,
    Entitle,
    Event,
    Key,
    Line,
    Look,
    Model,
    Page,
    PlayMove,
    ProposeMotion,
    Quit,
    Redraw,
    Replay,
    Resized,
    Ring,
    ShownTable,
    Suspend,
    Tick,
    Told,
    Wake,
    Wheel,
    shown_state,
)
from quadrille.client.screen.table.page import draw_page, is_at_end, turned
from quadrille.client.screen.table.update import update
from quadrille.client.table.local import LocalTable
from quadrille.client.table.network.wishes import LeaveTable, NetworkWish
from quadrille.net.terms import TimeControl
from quadrille.rules.half import verdict
from quadrille.rules.match import Match, Played

Front: TypeAlias = NewTable | WaitingRoomScreen | Model | None


@dataclass(frozen=True, slots=True)
class Evening:
    """`table` is the number of the table in front, "" for one of one's own; `kept` a move that is made as soon as
    somebody who is gone is back (`waits`). `straight`: the person came for that table alone, and leaves with it.
    `behind` is the evening as it is at a table on the network of which a copy is played in front.
    """

    lobby: LobbyScreen
    front: Front = None
    page: Page | None = None
    table: str = ""
    kept: str = ""
    waits: bool = False
    votes: bool = False
    straight: bool = False
    leaving: bool = False
    bot: str = "3"
    behind: "Evening | None" = None

    @property
    def look(self) -> Look:
        """How it is to look and sound."""
        return self.lobby.look if self.front is None else self.front.look

    @property
    def rows(self) -> int:
        """The height of the window."""
        return self.lobby.rows

    @property
    def columns(self) -> int:
        """The width of the window."""
        return self.lobby.columns


@dataclass(frozen=True, slots=True)
class Dealt:
    """A table of one's own, ready: who plays there ("" for a person), and its clock."""

    match: Match
    bots: tuple[str, ...]
    clock: TimeControl | None = None


@dataclass(frozen=True, slots=True)
class PageLine:
    """One more line for the page that is open under that title."""

    title: str
    line: str


EveningEvent: TypeAlias = Event | News | Shut | StationLeft | Shown | Dealt | PageLine | Browsed
EveningEffect: TypeAlias = Effect | Sent | NewGame | Browse | Peruse | Examine | Prepare | Page
Effects: TypeAlias = tuple[EveningEffect, ...]

#: A banner that only counts down is none that is new.
_DIGITS: Final = re.compile("[0-9]+")
CHAT: Final = "All that was said"


def update_evening(evening: Evening, event: EveningEvent) -> tuple[Evening, Effects]:
    """The evening after an event, and what is to be done."""
    match event:
        case Resized():
            return _resized(evening, event), ()
        case News():
            after, effects = _heard(evening, event)
        case Shut(why):
            after, effects = _shut(evening, why)
        case StationLeft(code):
            return evening, (Quit(code),)
        case Shown():
            after, effects = _shown(evening, event)
        case Dealt(match, bots, clock):
            behind = evening if evening.table else None
            shown_first = _model(evening, local.table_of(match, bots, clock))
            after, effects = _in_front(evening, local.at_own(shown_first, LocalTable.of(match, bots, clock)))
            after = replace(after, behind=behind)
        case PageLine(title, line):
            after, effects = _found(evening, title, line), ()
        case Begun():
            after, effects = _lobby(evening, event)
        case Tick(now) if evening.front is not None:
            behind = replace(evening, lobby=replace(evening.lobby, now=now))
            after, effects = _in_turn(behind, event)
        case _:
            after, effects = _in_turn(evening, event)
    return _alike(after), effects


def _in_turn(evening: Evening, event: Event | Browsed) -> tuple[Evening, Effects]:
    """What lies on top hears of it first."""
    if evening.page is not None and isinstance(event, Key | Click | Wheel):
        return _turned(evening, evening.page, event)
    match evening.front:
        case NewTable() as dialog:
            return _dialog(evening, dialog, event)
        case WaitingRoomScreen() as waiting:
            after, effects = update_waiting(waiting, event)
            return _opened(replace(evening, front=after), effects)
        case Model() as model:
            return _table(evening, model, event)
    return _lobby(evening, event)


def _lobby(evening: Evening, event: Event | Browsed) -> tuple[Evening, Effects]:
    lobby, effects = update_lobby(evening.lobby, event)
    return _opened(replace(evening, lobby=lobby), effects)


def _opened(evening: Evening, effects: Effects) -> tuple[Evening, Effects]:
    """A page and a dialog are shown at once; all else is for others."""
    rest: list[EveningEffect] = []
    for effect in effects:
        match effect:
            case Page():
                evening = replace(evening, page=effect)
            case Prepare(key, own):
                lobby = evening.lobby
                dialog = NewTable(key, own, look=lobby.look, rows=lobby.rows, columns=lobby.columns)
                evening = replace(evening, front=dialog)
            case Examine():
                evening = replace(evening, page=Page(DOCTOR, ("This takes a few seconds.", "")))
                rest.append(effect)
            case _:
                rest.append(effect)
    return evening, tuple(rest)


def _alike(evening: Evening) -> Evening:
    """What is behind looks as what is in front."""
    if evening.front is not None and evening.lobby.look != evening.front.look:
        return replace(evening, lobby=replace(evening.lobby, look=evening.front.look))
    return evening


def _resized(evening: Evening, event: Resized) -> Evening:
    lobby = replace(evening.lobby, rows=event.rows, columns=event.columns)
    front = evening.front
    if front is not None:
        front = replace(front, rows=event.rows, columns=event.columns)
    return replace(evening, lobby=lobby, front=front)


def _back(evening: Evening) -> tuple[Evening, Effects]:
    """To the lobby; or from a copy to its table."""
    if evening.behind is not None:
        size = Resized(evening.rows, evening.columns)
        there = _resized(replace(evening.behind, lobby=evening.lobby), size)
        title = local.title(there.front) if isinstance(there.front, Model) else TITLE
        if there.front is not None:
            there = replace(there, front=replace(there.front, look=evening.look))
        return there, (Closed(), Wake(0), Entitle(title))
    after = replace(evening, front=None, table="", kept="", waits=False, votes=False, leaving=False)
    return after, (Closed(), Wake(0), Entitle(TITLE))


# Tables


def _model(evening: Evening, table: ShownTable, *, file: str = "", replay: Replay | None = None) -> Model:
    lobby = evening.lobby
    return Model(
        table, lobby.look, lobby.rows, lobby.columns, file=file, replay=replay, now=lobby.now, bot=evening.bot
    )  # fmt: skip


def _in_front(evening: Evening, model: Model) -> tuple[Evening, Effects]:
    """A table of one's own comes to the front."""
    advice = model.table.match.game.advice(model.table.match.state.options, model.table.match.state.seats)
    model, effects = update(replace(model, notice=f"Note: {advice[0]}." if advice else ""), Begun())
    return replace(evening, front=model, table="", page=None), effects


def _shown(evening: Evening, event: Shown) -> tuple[Evening, Effects]:
    """A game to look at, from its start."""
    match = event.match
    table = local.record_of(match, event.names, match.viewer)
    model = _model(evening, table, file=event.name, replay=Replay(0))
    return replace(evening, front=model, table="", page=None), (Entitle(match.game.title),)


def _dialog(evening: Evening, dialog: NewTable, event: Event | Browsed) -> tuple[Evening, Effects]:
    if isinstance(event, Browsed):
        return evening, ()
    after, effects = update_new(dialog, event)
    if after is None:
        back, more = _back(evening)
        opened, rest = _opened(back, effects)
        return opened, (*more, *rest)
    return _opened(replace(evening, front=after), effects)


def _table(evening: Evening, model: Model, event: Event | Browsed) -> tuple[Evening, Effects]:
    """A table in front; on the network its wishes are orders."""
    if isinstance(event, Browsed):
        return evening, ()
    if evening.table and isinstance(event, Key):
        if event.name == "c-t" and model.overlay is None:
            return _chat(evening, model), ()
        if (kept := _keeps(evening, model, event)) is not None:
            return kept, ()
    after, effects = update(model, event)
    evening = replace(evening, front=after)
    if not evening.table:
        if any(isinstance(effect, Quit) for effect in effects):
            return _back(evening)
        return evening, effects
    done: list[EveningEffect] = []
    for effect in effects:
        match effect:
            case Quit(code) if evening.leaving:
                done.append(Quit(code))
            case Quit():
                evening = replace(evening, leaving=True)
                done.append(Sent(LeaveTable()))
            case ProposeMotion("chat"):
                evening = _chat(evening, after)
            case _ if isinstance(effect, NetworkWish):
                done.append(Sent(effect))
            case _:
                done.append(effect)
    return evening, tuple(done)


def _keeps(evening: Evening, model: Model, event: Key) -> Evening | None:
    """A move that is typed while somebody is gone is kept; Esc drops it again. None for any other key."""
    if model.overlay is not None or model.replay is not None:
        return None
    table, text = model.table, tidy(model.line.text)
    if event.name == "escape" and evening.kept and not text:
        return replace(evening, kept="", front=replace(model, notice=f"{evening.kept} is not kept any more."))
    waits = evening.waits and not table.is_mine and table.turn is not None and table.viewer is not None
    if event.name == "enter" and text and waits and is_move(table.match, text):
        told = f"{text} is kept, and made when it is your turn. Esc drops it."
        return replace(evening, kept=text, front=replace(model, line=Line(), notice=told, alarm=False))
    return None


def _chat(evening: Evening, model: Model) -> Evening:
    """All that was said, from the end."""
    said = model.table.chat or ("Nothing has been said yet: say and a text does.",)
    before = evening.page
    at_end = before is None or before.title != CHAT or is_at_end(before, evening.rows, evening.columns)
    return replace(evening, page=Page(CHAT, said, 10**6 if at_end or before is None else before.top))


# What the network tells


def _heard(evening: Evening, news: News) -> tuple[Evening, Effects]:
    """Where the person is now, and what was said."""
    tables = evening.lobby.around.tables
    lobby = replace(evening.lobby, around=news.around, searching=news.searching, shut="")
    if evening.lobby.searching and not news.searching:
        lobby = replace(lobby, notice="", alarm=False)  # what was said while a table was looked for
    if news.around.tables and lobby.chosen not in lobby.entries:
        lobby = replace(lobby, chosen="")
    evening = replace(evening, lobby=lobby)
    if evening.behind is not None:
        return _heard_behind(evening, evening.behind, news)
    said = "  ".join(news.said)
    match news.front:
        case Room() as room:
            return _gathered(evening, room, said)
        case Seated() as seated:
            return _seated(evening, seated, said)
    effects: Effects = (Wake(0),) if evening.front is None and news.around.tables != tables else ()
    if evening.table:
        evening, effects = _back(evening)
    if said:
        evening, _ = _in_turn(evening, Told(said))
    return evening, effects


def _heard_behind(evening: Evening, behind: Evening, news: News) -> tuple[Evening, Effects]:
    """The table behind a copy hears of it; over the copy it is only said when it is time to go there."""
    after, effects = _heard(behind, news)
    evening = replace(evening, behind=after)
    told = ""
    if behind.waits and not after.waits and after.table:
        told = "All are back at your table: quit leads there."
    elif _is_on(after) and not _is_on(behind):
        told = "It is your turn at your table: quit leads there."
    if not told:
        return evening, effects
    evening, _ = _in_turn(evening, Told(told))
    return evening, (*effects, Ring())


def _is_on(evening: Evening) -> bool:
    return isinstance(evening.front, Model) and evening.front.table.is_mine


def _gathered(evening: Evening, room: Room, said: str) -> tuple[Evening, Effects]:
    before = evening.front
    if not isinstance(before, WaitingRoomScreen) or evening.table != room.id:
        lobby = evening.lobby
        before = WaitingRoomScreen(replace(room, chairs=()), lobby.look, lobby.rows, lobby.columns)
    after, effects = update_waiting(before, room)
    if said and said not in room.said:  # refusals: all else stands in the room
        after = replace(after, notice=said, alarm=False)
    return replace(evening, front=after, table=room.id, leaving=False), effects


def _seated(evening: Evening, seated: Seated, said: str) -> tuple[Evening, Effects]:
    """The table as it is now; a move that was kept is made as soon as it can be."""
    before = evening.front if isinstance(evening.front, Model) and evening.table == seated.id else None
    table = seated.table
    if evening.kept:
        table = replace(table, banner=f"Kept: {evening.kept}. {table.banner}".strip())
    if before is None:
        file = f"{table.match.game.key}-{seated.id[:8]}.txt"
        before = _model(evening, replace(table, mine=()), file=file)
        evening = replace(evening, kept="", page=None)
    is_new_banner = bool(table.banner) and _DIGITS.sub("", table.banner) != _DIGITS.sub("", before.table.banner)
    cleared = replace(before, notice="") if is_new_banner else before
    made = _made(cleared, table)
    after, effects = update(made, Changed(table, "" if is_new_banner else said))
    if table.turn != before.table.turn or table.mine != before.table.mine:
        effects = (*effects, Entitle(local.title(after)))
    if seated.votes and not evening.votes:
        effects = (*effects, Ring())
    evening = replace(
        evening, front=after, table=seated.id, waits=seated.waits, votes=seated.votes,
        leaving=evening.leaving and evening.table == seated.id,
    )  # fmt: skip
    if evening.page is not None and evening.page.title == CHAT:
        evening = _chat(evening, after)
    more: Effects = ()
    if evening.kept and table.is_mine:
        evening, more = _make_kept(evening, after)
    return evening, (*effects, *more)


def _made(model: Model, table: ShownTable) -> Model:
    """Without the line that has just been made as a move."""
    entries, before = table.match.entries, model.table.match.entries
    if len(entries) > len(before):
        fresh = entries[len(before) :]
        own = [entry for entry in fresh if isinstance(entry, Played) and entry.seat == table.viewer]
        if own and not _is_new(model, str(own[-1].move)):
            return replace(model, line=Line(), picked="")
    return model


def _is_new(model: Model, move: str) -> bool:
    """Whether the line says something else than the move that was made."""
    text = tidy(model.line.text)
    if not text or text == move:
        return False
    found, _ = verdict(shown_state(model), text)
    return found is None or str(found) != move


def _make_kept(evening: Evening, model: Model) -> tuple[Evening, Effects]:
    text = evening.kept
    _, why = verdict(shown_state(model), text)
    evening = replace(evening, kept="")
    if why:
        told = f"{text}, which was kept, can't be made now: {why}."
        line = Line.of(text) if not model.line.text else model.line
        return replace(evening, front=replace(model, line=line, notice=told, alarm=True)), ()
    return evening, (Sent(PlayMove(text)),)


def _shut(evening: Evening, why: str) -> tuple[Evening, Effects]:
    """There is no network: whatever was there is not."""
    lobby = replace(evening.lobby, shut=why, around=Around(link="NO NETWORK"), searching=False)
    evening = replace(evening, lobby=lobby, behind=None)
    if evening.straight:
        return evening, (Quit(1),)
    return _back(evening) if evening.table else (evening, ())


# Pages


DOCTOR: Final = "What may keep programs from meeting"


def _found(evening: Evening, title: str, line: str) -> Evening:
    if evening.page is None or evening.page.title != title:
        return evening
    return replace(evening, page=replace(evening.page, lines=(*evening.page.lines, line)))


def _turned(evening: Evening, page: Page, event: Key | Click | Wheel) -> tuple[Evening, Effects]:
    """The keys of a page."""
    match event:
        case Key("c-z"):
            return evening, (Suspend(),)
        case Key("c-l"):
            return evening, (Redraw(),)
    return replace(evening, page=turned(page, event, evening.rows, evening.columns)), ()


def draw_evening(evening: Evening) -> Picture:
    """The screen."""
    if evening.page is not None:
        return draw_page(evening.page, evening.look, evening.rows, evening.columns)
    match evening.front:
        case NewTable() as dialog:
            return draw_new(dialog)
        case WaitingRoomScreen() as waiting:
            return draw_waiting(waiting)
        case Model() as model:
            return draw(model)
    return draw_lobby(evening.lobby)
