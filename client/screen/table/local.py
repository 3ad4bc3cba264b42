"""A local table on the screen: the effect of a granted wish on the line, the cursor and the message. Pure.

See client/table/course.py for the effect on the table itself.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from quadrille.client.bots.levels import level_text
from quadrille.client.bots.names import called, kind_of
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.line_keys import Line, refused
from quadrille.client.screen.table.model import Effects, Model, Question, Replay, ShownChair, ShownHint, ShownTable
from quadrille.client.table import notices, wishes
from quadrille.client.table.course import Outcome
from quadrille.client.table.course import grant as granted
from quadrille.client.table.effects import Quit, Settled
from quadrille.client.table.local import Cover, LocalTable
from quadrille.client.table.notices import About, Fact, Notice, Seats
from quadrille.client.table.sight import face, seen
from quadrille.client.words.signs import cards_seen
from quadrille.client.words.table import by_name, seat_names
from quadrille.rules.core import Viewer
from quadrille.rules.core.thoughts import Thoughts, Worth
from quadrille.rules.drawing.plain_text import letter
from quadrille.rules.match import Left, Match

#: Wishes that bring other people or another game to the table, and wishes that leave an earlier message.
_ANEW: Final = wishes.Rematch | wishes.Against | wishes.StandIn | wishes.Loaded
_SILENT: Final = wishes.TimeIs | wishes.Heard | wishes.Answered | wishes.Begin | wishes.StayAfterAll


def table_model(own: LocalTable) -> Model:
    """Show a local table for the first time, and have it saved as it goes on."""
    notice = ""
    if own.is_untouched and not (notice := level_text(own.bots, own.match.state)):
        advice = own.match.game.advice(own.match.state.options, own.match.state.seats)
        notice = f"Note: {advice[0]}." if advice else ""
    own = replace(own, keeps=True)
    return at_own(Model(shown(own), notice=notice), own)


def shown(own: LocalTable) -> ShownTable:
    """Return a local table in the form of the screen."""
    names = seat_names(own)
    chairs = tuple(ShownChair(name, bot, kind_of(bot)) for name, bot in zip(names, own.bots, strict=True))
    banner = by_name(own.trouble, Seats.of(names)) if own.trouble else ""
    return ShownTable(
        own.match, chairs, own.people, own.viewer, clocks=own.clocks, banner=banner, paused=own.paused,
        thoughts=own.told_thoughts,
    )  # fmt: skip


def record_of(
    match: Match,
    names: Sequence[str],
    viewer: Viewer,
    thoughts: Thoughts = Thoughts(),  # noqa: B008 - never changed
) -> ShownTable:
    """Show a past game to that viewer; `names` may be unknown."""
    chairs = tuple(ShownChair(names[seat] if names else f"player {seat + 1}") for seat in range(match.state.seats))
    return ShownTable(match, chairs, (), viewer, thoughts=thoughts)


def at_own(model: Model, own: LocalTable) -> Model:
    """Put that table on the screen."""
    overlay = own.cover or (None if isinstance(model.overlay, Cover) else model.overlay)
    return replace(model, own=own, table=shown(own), ticket=own.ticket, file=own.file, overlay=overlay)


def grant(model: Model, wish: wishes.Wish) -> tuple[Model, Effects]:
    """Grant a wish at the local table here; a refusal is shown."""
    own = model.own
    if own is None:
        return _without_table(model, wish)
    outcome = granted(own, wish)
    after, said = outcome.table, outcome.said
    effects: Effects = outcome.effects
    if after is own and not (effects or said):
        return model, ()
    if isinstance(said[-1] if said else None, notices.Refused):
        return _told(at_own(model, after), said[-1]), ()
    made = _shown_after(model, wish, outcome)
    if not isinstance(wish, _ANEW) and any(notice is Fact.AWAITED for notice in said):
        effects = (*effects, terminal.Ring())
    if after.ticket != own.ticket or isinstance(wish, wishes.Begin):
        effects = (*effects, terminal.Entitle(made.title))
    return made, effects


def _shown_after(model: Model, wish: wishes.Wish, outcome: Outcome) -> Model:
    """Set the line, the cursor and the message after a wish."""
    before, after, said = model.own, outcome.table, outcome.said
    assert before is not None
    if isinstance(wish, _ANEW):
        model = replace(model, line=Line(), cursor="", picked="", overlay=None, replay=None)
    elif after.match is not before.match:
        model = replace(model, picked="", replay=None, line=Line() if before.awaits_person else model.line)
    shown_now = at_own(model, after)
    for notice in said:
        match notice:
            case notices.HintGiven() | notices.HintMissed():
                return _told(shown_now, notice)
            case Fact.WOULD_BE_LOST:
                return replace(shown_now, overlay=Question(_said(notice, after), "quit!"), notice="")
    if not said and isinstance(wish, _SILENT):
        return shown_now
    held = isinstance(wish, wishes.Moved) and model.alarm and not before.keeps  # that the game isn't kept
    texts = [model.notice] if held or isinstance(wish, wishes.Begin) else []
    texts += [_said(notice, after) for notice in said]
    alarm = held or any(isinstance(one, About) and one.fact is Fact.NOT_KEPT for one in said)
    return replace(shown_now, notice=" ".join(filter(None, texts)), alarm=alarm and not after.match.over)


def _said(notice: Notice, own: LocalTable) -> str:
    """Return the sentence above the prompt; after a person's move, the cards that came with it."""
    seats = Seats.of(seat_names(own))
    match notice:
        case notices.BotStopped() | notices.BotSlow():
            return ""  # shown until something is done
        case notices.SeatsTaken(others):
            return f"{by_name(notice, seats)} {level_text(others, own.match.state)}".strip()
        case notices.MoveMade(seat, forced=False, number=number):
            drawn, public = (seen(own.match, number, who) for who in (seat, None))
            seen_now = drawn and not own.bots[seat]
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
    """Grant a wish at a record or a network table: only hints, and files, which may become a table."""
    match wish:
        case wishes.Hinted(ticket, move, reason) if ticket == model.ticket:
            return _told(model, notices.HintGiven(model.bot, move, reason)), ()
        case wishes.Faulted(ticket, why, _, bot) if ticket == model.ticket:
            return _told(model, notices.HintMissed(why, bot)), ()
        case wishes.Kept(name, path):
            return replace(_told(model, notices.GameKept(path)), file=name), ()
        case wishes.Loaded():
            match = model.table.match
            people = LocalTable.of(match, [""] * match.state.seats)
            return grant(at_own(model, replace(people, ticket=model.ticket, keeps=True)), wish)
    return model, ()


def played_on(model: Model, at: int) -> tuple[Model, Effects]:
    """Play on from an earlier position. A record's game goes on as a copy against the bot for hints."""
    if model.own is not None:
        return grant(model, wishes.PlayOn(at))
    match = model.table.match.before(at)
    turn = replace(model.table, match=match).turn or 0
    bots = ["" if seat == turn else model.bot for seat in range(match.state.seats)]
    others = f"{called(model.bot)} has the other {'seats' if bots[2:] else 'seat'}"
    notice = f"You are {letter(turn)}, {others}. against BOT, or against people, changes that."
    own = replace(LocalTable.of(match, bots), ticket=model.ticket + 1, keeps=True)
    fresh = replace(model, line=Line(), cursor="", picked="", overlay=None, replay=None, notice=notice, alarm=False)
    after, effects = grant(at_own(fresh, own), wishes.Begin())
    return after, (Settled(match), *effects)


def looking_back(model: Model) -> Model:
    """Start a replay at the last position."""
    return replace(model, replay=Replay(len(model.table.match.entries)), notice="", cursor="", picked="")


def looked_back(model: Model) -> tuple[Model, Effects]:
    """End a replay: return to the table, or leave a record, which has none."""
    return (model, (Quit(),)) if model.table.is_record else (replace(model, replay=None, notice=""), ())
