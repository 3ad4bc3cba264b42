"""Tables as a screen shows them: a seat's, wherever it plays; a game before its table is made; a past game."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from quadrille.client.bots.names import kind_of
from quadrille.client.screen.table.model import ShownChair, ShownTable
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.notices import About, Fact, ProposalTold, Seats
from quadrille.client.words.sentences import names_on_screen
from quadrille.client.words.table import by_name
from quadrille.net.core.machine import now as clock
from quadrille.net.core.spans import clock_text
from quadrille.rules.core import Viewer
from quadrille.rules.core.thoughts import Thoughts
from quadrille.rules.match import Match

if TYPE_CHECKING:
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
        link="local" if own else _link(stage, lost, here=here),
        clocks=clocks,
        paused=stage.paused,
        rests=standing.paused,
        chat=chat,
        told=told,
        hints=own or stage.allows_hints,
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
    )


def _link(stage: "TableSeat", lost: list[int], *, here: int) -> str:
    """Describe the connection, for the first line; if one seat is gone, by the time until the table may decide."""
    if stage.context.cut_off():
        return "NO NETWORK"
    if len(lost) == 1:
        table = stage.table
        left = table.log.now.terms.grace - (stage.context.now() - table.gone[lost[0]])
        return f"1 away {clock_text(left + 999)}"
    return f"{len(lost)} away" if lost else f"LAN {here + 1}"


def set_up(setup: GameSetup) -> ShownTable:
    """Show a game before its table is made."""
    own = setup.people[0] if len(setup.people) == 1 else None
    names = names_on_screen(Seats.of(setup.names), own)
    chairs = (ShownChair(name, bot, kind_of(bot)) for name, bot in zip(names, setup.bots, strict=True))
    return ShownTable(setup.match, tuple(chairs), setup.people, setup.viewer, clocks=setup.clocks)


def record_of(
    match: Match,
    names: Sequence[str],
    viewer: Viewer,
    thoughts: Thoughts = Thoughts(),  # noqa: B008 - never changed
) -> ShownTable:
    """Show a past game to that viewer; `names` may be unknown."""
    known = names_on_screen(Seats.of(names or ("",) * match.state.seats))
    return ShownTable(match, tuple(map(ShownChair, known)), (), viewer, thoughts=thoughts)
