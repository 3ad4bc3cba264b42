"""Tables at one keyboard and records on the screen: how they are shown, and what is said of a wish. Pure.

See client/table/table_seat.py for the effect on the table itself.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from quadrille.client.bots.levels import level_text
from quadrille.client.bots.names import called
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.model import (
    Changed,
    Effects,
    Model,
    Own,
    Replay,
    ShownHint,
    SitDown,
)
from quadrille.client.screen.table.shown import record_of, seated, set_up
from quadrille.client.screen.table.terminal import Line
from quadrille.client.table import notices, wishes
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.notices import About, Fact, Notice, Seats
from quadrille.client.words.table import by_name, lines_of
from quadrille.client.words.thoughts import opening_text
from quadrille.rules.core.thoughts import Worth
from quadrille.rules.scene import letter

if TYPE_CHECKING:
    from quadrille.client.picture.film import FilmedMatch
    from quadrille.client.table.table_seat import TableSeat


def table_model(setup: GameSetup) -> Model:
    """Show a game that is set up at this keyboard, before its table is made."""
    notice = ""
    if setup.is_untouched and not (notice := level_text(setup.bots, setup.match.state)):
        advice = setup.match.game.advice(setup.match.state.options, setup.match.state.seats)
        notice = f"Note: {advice[0]}." if advice else ""
    return Model(set_up(setup), notice=notice, own=setup, file=setup.file)


def replay_of(one: "FilmedMatch", file: str) -> Model:
    """Show a recorded game from its start, to step through and to play on from."""
    table = record_of(one.match, one.safe_names, one.viewer, one.thoughts)
    notice = opening_text(one.opening) if one.opening else ""
    return Model(table, file=file, replay=Replay(0), notice=notice)


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
            text, squares = sentence, reason.squares if isinstance(reason, Worth) else ()
            after = replace(model, notice=text, alarm=False, hint=ShownHint(text, squares))
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
            setup = GameSetup.of(match, [""] * match.state.seats).playing(match, players)
            sentence = by_name(About(Fact.GAME_LOADED, text=name), Seats.of(()))
            return _sits_down(model, replace(setup, file=name), sentence)
    return model, ()


def _sits_down(model: Model, setup: GameSetup, notice: str) -> tuple[Model, Effects]:
    """Put a game that is set up here in the place of a record."""
    fresh = replace(
        model, table=set_up(setup), own=setup, ticket=model.ticket + 1, line=Line(), cursor="", picked="", overlay=None,
        replay=None, notice=notice, alarm=False, file=setup.file or model.file,
    )  # fmt: skip
    return fresh, (SitDown(setup),)


def played_on(model: Model, at: int) -> tuple[Model, Effects]:
    """Play on from an earlier position of a game that is not this keyboard's, in a copy against the bot for hints."""
    match, viewer = model.table.match.before(at), model.table.viewer
    own = (match.turn if model.table.local else viewer if isinstance(viewer, int) else 0) or 0
    bots = ["" if seat == own else model.bot for seat in range(match.state.seats)]
    if not model.table.local:
        return replace(model, replay=None, notice=""), (SitDown(GameSetup.of(match.undealt(), bots)),)
    others = f"{called(model.bot)} has the other {'seats' if bots[2:] else 'seat'}"
    notice = f"You are {letter(own)}, {others}. against BOT, or against people, changes that."
    return _sits_down(model, GameSetup.of(match, bots), notice)


def looking_back(model: Model) -> Model:
    """Start a replay at the last position."""
    return replace(model, replay=Replay(len(model.table.match.entries)), notice="", cursor="", picked="")


def looked_back(model: Model) -> tuple[Model, Effects]:
    """End a replay: return to the table, or leave a record, which has none."""
    return (model, (terminal.Quit(),)) if model.table.is_record else (replace(model, replay=None, notice=""), ())
