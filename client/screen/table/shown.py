"""Tables as a screen shows them, and what it says of a wish there: a seat's, wherever it plays; a game before its table
is made; a past game. Pure; client/table/table_seat.py has the effect on the table itself.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from quadrille.client.bots.levels import level_text
from quadrille.client.bots.names import called, kind_of
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.model import (
    Changed,
    Effects,
    Model,
    Own,
    Replay,
    ShownChair,
    ShownTable,
    SitDown,
)
from quadrille.client.screen.table.terminal import Line
from quadrille.client.table import notices, wishes
from quadrille.client.table.game_setup import GameSetup, viewer_of
from quadrille.client.table.notices import About, Fact, Notice, ProposalTold, Seats
from quadrille.client.words.sentences import names_on_screen
from quadrille.client.words.table import by_name, lines_of
from quadrille.client.words.thoughts import opening_text
from quadrille.net.core.machine import now as clock
from quadrille.net.core.spans import clock_text
from quadrille.rules.core import Viewer
from quadrille.rules.core.thoughts import Thoughts, Worth
from quadrille.rules.match import Match
from quadrille.rules.scene import letter

if TYPE_CHECKING:
    from quadrille.client.picture.film import FilmedMatch
    from quadrille.client.table.table_seat import TableSeat


def seated(
    stage: "TableSeat", chat: tuple[str, ...] = (), told: tuple[str, ...] = (), *, here: int = 0,
    serves_guests: bool = False,
) -> ShownTable:  # fmt: skip
    """Show a table as its seat, or a watcher, may know it."""
    table, own = stage.table, stage.is_own
    standing, seats, lost, matters = table.log.now, stage.seats, stage.lost, stage.concern()
    names = names_on_screen(seats, stage.reader)
    bots = stage.bots if own else ["" if chair.is_person else seats.names[n] for n, chair in enumerate(standing.chairs)]
    clocks = stage.clocks
    if clocks is not None and not own:
        clocks = replace(clocks, since=clocks.since + clock.apart)
    return ShownTable(
        standing.match,
        tuple(
            ShownChair(name + (" (away)" if seat in lost else ""), bot, kind)
            for seat, (name, kind, bot) in enumerate(zip(names, seats.kinds, bots, strict=True))
        ),
        stage.people if own else stage.mine,
        stage.viewer,
        local=own,
        is_secret=stage.is_secret,
        link="local" if own else _link(stage, lost, here=here),
        clocks=clocks,
        paused=stage.paused,
        rests=standing.paused,
        chat=chat,
        told=told,
        no_hint=stage.no_hint,
        takebacks=own or standing.terms.takebacks,
        banner=by_name(matters, seats, stage.reader) if matters is not None else "",
        asks=stage.stand_in != ""
        or isinstance(matters, ProposalTold)
        or (isinstance(matters, About) and matters.fact is Fact.WANTS_REMATCH),
        view=stage.view if standing.match.game.hidden and not own else None,
        awaits=standing.turn if standing.due is not None else None,
        thoughts=stage.thoughts,
        cover=stage.cover,
        keeps=stage.keeps or not own,
        would_be_lost=stage.would_be_lost,
        serves_guests=serves_guests,
        id="" if own else table.log.table.hex(),
        votes=stage.votes,
        waits=bool(lost or stage.context.cut_off()),
        speaker=stage.speaker if len(stage.people) > 1 else None,
    )


def _link(stage: "TableSeat", lost: list[int], *, here: int) -> str:
    """Describe the connection, for the first line; if one seat is gone, by the time until the table may decide."""
    if stage.context.cut_off():
        return "NO NETWORK"
    if len(lost) == 1:
        return f"1 away {clock_text(stage.missing((*lost,)).left + 999)}"
    return f"{len(lost)} away" if lost else f"LAN {here + 1}"


def set_up(setup: GameSetup) -> ShownTable:
    """Show a game before its table is made."""
    own = setup.people[0] if len(setup.people) == 1 else None
    names = names_on_screen(Seats.of(setup.names), own)
    chairs = (ShownChair(name, bot, kind_of(bot)) for name, bot in zip(names, setup.bots, strict=True))
    viewer = viewer_of(setup.match, setup.people, setup.facing)
    return ShownTable(setup.match, tuple(chairs), setup.people, viewer, clocks=setup.clocks)


def record_of(
    match: Match,
    names: Sequence[str],
    viewer: Viewer,
    thoughts: Thoughts = Thoughts(),  # noqa: B008 - never changed
) -> ShownTable:
    """Show a past game to that viewer; `names` may be unknown."""
    known = names_on_screen(Seats.of(names or ("",) * match.state.seats))
    return ShownTable(match, tuple(map(ShownChair, known)), (), viewer, thoughts=thoughts)


# Wishes at such tables, and the answers to them


def table_model(setup: GameSetup) -> Model:
    """Show a game that is set up at this keyboard, before its table is made."""
    notice = ""
    if setup.is_untouched and not (notice := level_text(setup.bots, setup.match.state)):
        advice = setup.match.game.advice(setup.match.state.options, setup.match.state.seats)
        notice = f"Note: {advice[0]}." if advice else ""
    return Model(set_up(setup), notice=notice, own=setup, file=setup.file)


def replay_of(filmed: "FilmedMatch") -> Model:
    """Show a recorded game from its start, to step through and to play on from."""
    table = record_of(filmed.match, filmed.safe_names, filmed.viewer, filmed.thoughts)
    notice = opening_text(filmed.opening) if filmed.opening else ""
    return Model(table, replay=Replay(0), notice=notice)


def changed(seat: "TableSeat", wish: wishes.Wish | None = None) -> Changed:
    """Show a table that this program holds alone, after a wish or by itself, and say what came of it."""
    table, notices_said = seated(seat), seat.drain()
    refused = any(isinstance(notice, notices.Refused) for notice in notices_said)
    sentences = [line for notice in notices_said for line in lines_of(seat, notice, wish)]
    if isinstance(wish, wishes.Against) and not refused:
        sentences.append(level_text(wish.bots, table.match.state))
    alarm = refused or any(isinstance(notice, About) and notice.fact is Fact.NOT_KEPT for notice in notices_said)
    return Changed(table, " ".join(filter(None, sentences)), alarm, seat.setup.file, seat.context.now())


def answered(model: Model, notice: Notice) -> Model:
    """Show the result of a wish for a hint or a file; put a hint at an empty prompt."""
    sentence = by_name(notice, Seats.of(chair.name for chair in model.table.chairs))
    match notice:
        case notices.HintGiven(_, move, reason):
            squares = reason.squares if isinstance(reason, Worth) else ()
            after = replace(model, notice=sentence, alarm=False, hint=(sentence, squares))
            if model.line.text:
                return after
            line = replace(Line.of(move), selected=True)  # Enter is for the line now, and a letter begins another
            return replace(after, line=line, picked="", focus="line")
    return replace(model, notice=sentence, alarm=isinstance(notice, About))


def heard(model: Model, answer: wishes.Answer) -> tuple[Model, Effects]:
    """Take a hint; or the answer about a file, whose game may take the place of a record."""
    match answer:
        case wishes.Hinted(ticket, notice):
            return (answered(model, notice) if ticket == model.ticket else model), ()
        case _ if model.own is not None:
            return model, (Own(answer),)
        case wishes.Kept(name, path):
            return replace(answered(model, notices.GameKept(path)), file=name), ()
        case wishes.Loaded(name, match, players):
            sentence = by_name(About(Fact.GAME_LOADED, text=name), Seats.of(()))
            return _sits_down(model, replace(GameSetup.loaded(match, players), file=name), sentence)
    return model, ()


def _sits_down(model: Model, setup: GameSetup, notice: str) -> tuple[Model, Effects]:
    """Put a game that is set up here in the place of a record."""
    fresh = replace(
        model, table=set_up(setup), own=setup, ticket=model.ticket + 1, line=Line(), cursor="", picked="", overlay=None,
        replay=None, notice=notice, alarm=False, file=setup.file,
    )  # fmt: skip
    return fresh, (SitDown(setup),)


def played_on(model: Model, at: int) -> tuple[Model, Effects]:
    """Play on from an earlier position of a game that is not this keyboard's, in a copy against the bot for hints."""
    match, viewer = model.table.match.before(at), model.table.viewer
    own = (match.turn if model.table.local else viewer if isinstance(viewer, int) else 0) or 0
    bots = ["" if seat == own else model.bot for seat in range(match.state.seats)]
    if not model.table.local:
        return replace(model, replay=None, notice=""), (SitDown(GameSetup.of(match, bots)),)
    others = f"{called(model.bot)} has the other {'seats' if bots[2:] else 'seat'}"
    notice = f"You are {letter(own)}, {others}. against BOT, or against people, changes that."
    return _sits_down(model, GameSetup.of(match, bots), notice)


def looking_back(model: Model) -> Model:
    """Start a replay at the last position."""
    return replace(model, replay=Replay(len(model.table.match.entries)), notice="", cursor="", picked="")


def looked_back(model: Model) -> tuple[Model, Effects]:
    """End a replay: return to the table, or leave a record, which has none."""
    return (model, (terminal.Quit(),)) if model.table.is_record else (replace(model, replay=None, notice=""), ())
