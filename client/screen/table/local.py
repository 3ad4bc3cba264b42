"""A table at one keyboard on the screen: the effect of a granted wish on the line, the cursor and the message. Pure.

See client/table/table_seat.py for the effect on the table itself.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from quadrille.client.bots.levels import level_text
from quadrille.client.bots.names import called, kind_of
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.line_keys import Line, refused
from quadrille.client.screen.table.model import (
    Effects,
    Granted,
    Model,
    Own,
    Question,
    Replay,
    ShownChair,
    ShownHint,
    ShownTable,
    SitDown,
)
from quadrille.client.table import notices, wishes
from quadrille.client.table.effects import Quit
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.held_seats import Cover
from quadrille.client.table.notices import About, Fact, Notice, Seats
from quadrille.client.table.sight import face, seen
from quadrille.client.words.signs import cards_seen
from quadrille.client.words.table import by_name, seat_names
from quadrille.rules.core import Viewer
from quadrille.rules.core.thoughts import Thoughts, Worth
from quadrille.rules.drawing.plain_text import letter
from quadrille.rules.match import Left, Match

if TYPE_CHECKING:
    from quadrille.client.table.table_seat import TableSeat

#: Wishes that bring other people or another game to the table, and wishes that leave an earlier message.
_ANEW: Final = wishes.Rematch | wishes.Against | wishes.StandIn | wishes.Loaded
_SILENT: Final = wishes.TimeIs | wishes.Begin | wishes.StayAfterAll


def table_model(setup: GameSetup) -> Model:
    """Show a game that is set up at this keyboard, before its table is made."""
    notice = ""
    if setup.is_untouched and not (notice := level_text(setup.bots, setup.match.state)):
        advice = setup.match.game.advice(setup.match.state.options, setup.match.state.seats)
        notice = f"Note: {advice[0]}." if advice else ""
    return Model(set_up(setup), notice=notice, own=setup, file=setup.file)


def set_up(setup: GameSetup) -> ShownTable:
    """Show a game before its table is made."""
    return ShownTable(setup.match, _chairs(setup.names, setup.bots), setup.people, setup.viewer, clocks=setup.clocks)


def shown(seat: "TableSeat") -> ShownTable:
    """Show a table that this program holds alone."""
    held, chairs = seat.held, _chairs(seat.held.names, seat.held.bots)
    banner = by_name(held.trouble, Seats.of(chair.name for chair in chairs)) if held.trouble else ""
    return ShownTable(
        seat.match, chairs, seat.people, seat.viewer, clocks=seat.clocks, banner=banner, paused=held.paused,
        thoughts=seat.thoughts, cover=held.cover, thinks=seat.thinks, keeps=held.keeps,
    )  # fmt: skip


def _chairs(names: Sequence[str], bots: Sequence[str]) -> tuple[ShownChair, ...]:
    return tuple(ShownChair(name, bot, kind_of(bot)) for name, bot in zip(seat_names(names, bots), bots, strict=True))


def record_of(
    match: Match,
    names: Sequence[str],
    viewer: Viewer,
    thoughts: Thoughts = Thoughts(),  # noqa: B008 - never changed
) -> ShownTable:
    """Show a past game to that viewer; `names` may be unknown."""
    chairs = tuple(ShownChair(names[seat] if names else f"player {seat + 1}") for seat in range(match.state.seats))
    return ShownTable(match, chairs, (), viewer, thoughts=thoughts)


def grant(model: Model, wish: wishes.Wish) -> tuple[Model, Effects]:
    """Wish something at the table at this keyboard."""
    return (model, (Own(wish),)) if model.own is not None else _without_table(model, wish)


def granted(model: Model, event: Granted) -> tuple[Model, Effects]:
    """Show what a wish has changed; a refusal is shown as one."""
    said = event.said
    if model.own is None:
        return model, ()
    if event.table == model.table and not (event.effects or said):
        return _at_own(model, event), ()
    if isinstance(said[-1] if said else None, notices.Refused):
        return _told(_at_own(model, event), said[-1]), event.effects
    made = _shown_after(model, event)
    effects: Effects = event.effects
    if not isinstance(event.wish, _ANEW) and any(notice is Fact.AWAITED for notice in said):
        effects = (*effects, terminal.Ring())
    if event.ticket != model.ticket or isinstance(event.wish, wishes.Begin):
        effects = (*effects, terminal.Entitle(made.title))
    return made, effects


def _at_own(model: Model, event: Granted) -> Model:
    overlay = event.table.cover or (None if isinstance(model.overlay, Cover) else model.overlay)
    return replace(model, table=event.table, ticket=event.ticket, file=event.file, overlay=overlay)


def _shown_after(model: Model, event: Granted) -> Model:
    """Set the line, the cursor and the message after a wish."""
    before, after, wish, said = model.table, event.table, event.wish, event.said
    if isinstance(wish, _ANEW):
        model = replace(model, line=Line(), cursor="", picked="", overlay=None, replay=None)
    elif after.match is not before.match and after.match.entries != before.match.entries:
        line = Line(answer=model.line.answer) if before.is_mine else model.line
        model = replace(model, picked="", replay=None, line=line)
    shown_now = _at_own(model, event)
    for notice in said:
        match notice:
            case notices.HintGiven() | notices.HintMissed():
                return _told(shown_now, notice)
            case Fact.WOULD_BE_LOST:
                return replace(shown_now, overlay=Question(_said(notice, after), "quit!"), notice="")
    if not said and isinstance(wish, _SILENT):
        return shown_now
    held = isinstance(wish, wishes.TimeIs) and model.alarm and not before.keeps  # that the game isn't kept
    texts = [model.notice] if held or isinstance(wish, wishes.Begin) else []
    texts += [_said(notice, after) for notice in said]
    alarm = held or any(isinstance(one, About) and one.fact is Fact.NOT_KEPT for one in said)
    return replace(shown_now, notice=" ".join(filter(None, texts)), alarm=alarm and not after.match.over)


def _said(notice: Notice, table: ShownTable) -> str:
    """Return the sentence above the prompt; after a person's move, the cards that came with it."""
    seats = Seats.of(chair.name for chair in table.chairs)
    match notice:
        case notices.BotStopped() | notices.BotSlow():
            return ""  # shown until something is done
        case notices.SeatsTaken(others):
            return f"{by_name(notice, seats)} {level_text(others, table.match.state)}".strip()
        case notices.MoveMade(seat, forced=False, number=number):
            drawn, public = (seen(table.match, number, who) for who in (seat, None))
            seen_now = drawn and seat in table.people
            return cards_seen([face(str(card)) for card in drawn], public=bool(public)) if seen_now else ""
        case Left(_, how) if how != "time":
            return ""  # shown beside the board
    return by_name(notice, seats)


def _told(model: Model, notice: Notice) -> Model:
    """Show a refusal or the result of the wish for a hint; put a hint at an empty prompt."""
    told = by_name(notice, Seats.of(chair.name for chair in model.table.chairs))
    match notice:
        case notices.Refused():
            return refused(model, told)
        case notices.HintGiven(_, move, reason):
            text, squares = told, reason.squares if isinstance(reason, Worth) else ()
            after = replace(model, notice=text, alarm=False, hint=ShownHint(text, squares))
            if model.line.text:
                return after
            line = replace(Line.of(move), selected=True)  # Enter is for the line now, and a letter begins another
            return replace(after, line=line, picked="", focus="line")
    return replace(model, notice=told, alarm=isinstance(notice, notices.HintMissed))


def _without_table(model: Model, wish: wishes.Wish) -> tuple[Model, Effects]:
    """Grant a wish at a record or a network table: a hint, or a file, whose game may take the place of a record."""
    match wish:
        case wishes.Hinted(ticket, notice) if ticket == model.ticket:
            return _told(model, notice), ()
        case wishes.Kept(name, path):
            return replace(_told(model, notices.GameKept(path)), file=name), ()
        case wishes.Loaded(name, match, players):
            setup = GameSetup.of(match, [""] * match.state.seats).playing(match, players)
            told = by_name(About(Fact.GAME_LOADED, text=name), Seats.of(()))
            return _sits_down(model, replace(setup, file=name), told)
    return model, ()


def _sits_down(model: Model, setup: GameSetup, notice: str) -> tuple[Model, Effects]:
    """Put a game that is set up here in the place of a record."""
    fresh = replace(
        model, table=set_up(setup), own=setup, ticket=model.ticket + 1, line=Line(), cursor="", picked="", overlay=None,
        replay=None, notice=notice, alarm=False, file=setup.file or model.file,
    )  # fmt: skip
    return fresh, (SitDown(setup),)


def played_on(model: Model, at: int) -> tuple[Model, Effects]:
    """Play on from an earlier position. A record's game goes on as a copy against the bot for hints."""
    if model.own is not None:
        return grant(model, wishes.PlayOn(at))
    match = model.table.match.before(at)
    turn = replace(model.table, match=match).turn or 0
    bots = ["" if seat == turn else model.bot for seat in range(match.state.seats)]
    others = f"{called(model.bot)} has the other {'seats' if bots[2:] else 'seat'}"
    notice = f"You are {letter(turn)}, {others}. against BOT, or against people, changes that."
    return _sits_down(model, GameSetup.of(match, bots), notice)


def looking_back(model: Model) -> Model:
    """Start a replay at the last position."""
    return replace(model, replay=Replay(len(model.table.match.entries)), notice="", cursor="", picked="")


def looked_back(model: Model) -> tuple[Model, Effects]:
    """End a replay: return to the table, or leave a record, which has none."""
    return (model, (Quit(),)) if model.table.is_record else (replace(model, replay=None, notice=""), ())
