"""What the thread on the network tells the screen: its lobby, gatherings and tables, made into values.

Everything is read here and nothing changed. The screen's thread gets the table's own match: both threads read it, and
whichever plays on does so on a copy.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from quadrille.client.claimed_names import shown_name
from quadrille.client.clocks import clock_text
from quadrille.client.conversation import Parlour
from quadrille.client.foreign import shown
from quadrille.client.network_table import NetworkTable
from quadrille.client.pages import set_text
from quadrille.client.reports import player
from quadrille.client.screen.network.news import (
    AGREEING,
    KEPT,
    MINE,
    OPEN,
    PLAYING,
    PersonRow,
    PlayedRow,
    Room,
    Seated,
    TableRow,
)
from quadrille.client.screen.table.model import Chair as ScreenChair
from quadrille.client.screen.table.model import Table as ScreenTable
from quadrille.client.table_words import few, motion_text, terms_text
from quadrille.client.waiting import Waiting
from quadrille.net import gathering as phases
from quadrille.net.lobby import Lobby, Peer
from quadrille.net.log import Log
from quadrille.net.offers import offers, unplayable
from quadrille.net.store import KeptTable
from quadrille.net.table import Table
from quadrille.net.terms import Chair, Terms
from quadrille.net.wire import Offer
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match
from quadrille.rules.registry import game

ABORTED: Final = "the game was aborted"


def game_words(terms: Terms) -> tuple[str, str]:
    """The title of a game, and the options that are not as usual."""
    try:
        played = game(terms.game)
        return played.title, set_text(played.read_options(dict(terms.options)).changed())
    except RulesError:
        return shown(terms.game), "not known here"


# The lobby


def open_row(parlour: Parlour, offer: Offer, since: int) -> TableRow:
    """A table that somebody else offers."""
    title, options = game_words(offer.terms)
    host = parlour.lobby.peers.get(offer.host)
    return TableRow(
        offer.table.hex(),
        title,
        options,
        parlour.name(host) if host else "?",
        len(offer.chairs),
        offer.terms.seats,
        {"open": OPEN, "agreeing": AGREEING}.get(offer.state, PLAYING),  # type: ignore[arg-type]
        since,
        may_watch=offer.terms.watchers == "anyone",
        terms=terms_text(offer.terms),
        names=tuple(parlour.called(chair.key, chair.name) for chair in offer.chairs),
    )


def own_row(parlour: Parlour, log: Log, since: int, *, kept: bool, my_turn: bool = False) -> TableRow:
    """A table where this person has a seat: at play here, or left in the middle."""
    standing = log.now
    title, options = game_words(standing.terms)
    own = parlour.lobby.identity.key
    others = [parlour.called(chair.key, chair.name) for chair in standing.chairs if chair.key != own]
    state = KEPT if kept else MINE
    names = tuple(others)
    return TableRow(
        log.table.hex(), title, options, few(others), standing.terms.seats, standing.terms.seats, state,  # type: ignore[arg-type]
        since, my_turn, terms=terms_text(standing.terms), names=names,
    )  # fmt: skip


def listed(parlour: Parlour, kept: Iterable[Log], since: Callable[[str, str], int]) -> tuple[TableRow, ...]:
    """All tables, one's own first; `since` remembers when a table was first seen in a state."""
    lobby = parlour.lobby
    rows = [
        own_row(parlour, table.log, since(name.hex(), MINE), kept=False, my_turn=table.is_my_turn)
        for name, table in lobby.tables.items()
        if not table.over and table.hand.seat is not None
    ]
    there = {row.id for row in rows}
    rows += [
        own_row(parlour, log, since(log.table.hex(), KEPT), kept=True)
        for log in kept
        if log.table not in lobby.tables and log.table.hex() not in there
    ]
    there |= {row.id for row in rows}
    order = {"open": 0, "agreeing": 1, "playing": 2}
    found = [offer for offer in offers(lobby, *order) if offer.table.hex() not in there]
    found.sort(key=lambda offer: order[offer.state])
    rows += [open_row(parlour, offer, since(offer.table.hex(), offer.state)) for offer in found]
    rows += [
        replace(open_row(parlour, offer, 0), state="unplayable", terms=shown(why)) for offer, why in unplayable(lobby)
    ]
    return tuple(rows)


def people(parlour: Parlour, without: Iterable[bytes] = ()) -> tuple[PersonRow, ...]:
    """Everybody who is here, people first, with what they do."""
    lobby, gone = parlour.lobby, set(without)
    found = [peer for key, peer in lobby.peers.items() if key not in gone]
    found.sort(key=lambda peer: (peer.kind != "person", parlour.name(peer).casefold(), peer.key))
    return tuple(PersonRow(peer.key.hex(), parlour.name(peer), peer.kind, _doing(lobby, peer)) for peer in found)


def _doing(lobby: Lobby, peer: Peer) -> str:
    """What somebody is about, by what is offered."""
    for offer in offers(lobby):
        title = game_words(offer.terms)[0]
        if peer.key in [chair.key for chair in offer.chairs]:
            return f"plays {title}" if offer.state == "playing" else f"waits at {title}"
        if offer.host == peer.key:
            return f"hosts {title}"
    return ""


def played_row(kept: KeptTable) -> PlayedRow | None:
    """A game that is over and kept; None for one that is not known here."""
    try:
        title = game(kept.game).title
    except RulesError:
        return None
    return PlayedRow(kept.id.hex(), title, time.strftime("%Y-%m-%d %H:%M", time.localtime(kept.changed / 1000)))


# A table before its first move


def room(talk: Waiting, said: tuple[str, ...]) -> Room:
    """Who sits there, and who could."""
    gathering, parlour = talk.gathering, talk.parlour
    own = parlour.lobby.identity.key
    sitting = talk.chairs
    chairs = tuple(
        PersonRow(chair.key.hex(), "you" if chair.key == own else parlour.called(chair.key, chair.name), chair.kind)
        for chair in sitting
    )
    title, options = game_words(gathering.terms)
    return Room(
        gathering.table.hex(),
        gathering.terms.game,
        f"{title} {options}".strip(),
        terms_text(gathering.terms),
        gathering.hosts,
        gathering.terms.seats,
        chairs,
        tuple(shown_name(chair.name, chair.key) for chair in gathering.chairs if chair.key in gathering.coming),
        people(parlour, [chair.key for chair in sitting]),
        " ".join(talk.way.split()),
        gathering.phase != phases.OPEN,
        said,
    )


# A table at play


def seated(talk: NetworkTable, said: tuple[str, ...], *, cut_off: bool, here: int) -> Seated:
    """The table as its seat, or one who looks on, may know it. `cut_off`: this machine has no network any more."""
    table, parlour = talk.table, talk.parlour
    standing, now = table.log.now, parlour.now()
    match = aborted(standing.match) if standing.aborted else standing.match
    # between two moves the programs may owe the cards something: nobody is to move then
    mine = (table.seat,) if table.seat is not None and (table.over or standing.owed == "move") else ()
    votes = _may_vote(table, now) or talk.petition.may_flag
    found = ScreenTable(
        match,
        tuple(
            ScreenChair(name + _remark(table, seat), name if chair.kind != "person" else "")
            for seat, (name, chair) in enumerate(zip(talk.names, standing.chairs, strict=True))
        ),
        mine,
        table.seat,
        local=False,
        link=_link(table, now, cut_off=cut_off, here=here),
        clocks=standing.remaining if standing.terms.clock else None,
        read_at=table.began,
        rests=bool(standing.rest),
        chat=said,
        banner=_banner(talk, now, cut_off=cut_off, votes=votes),
        view=table.view if match.game.hidden else None,
    )
    return Seated(table.log.table.hex(), found, votes, bool(_lost(table)) or cut_off)


@lru_cache(maxsize=16)
def aborted(match: Match) -> Match:
    """A match that the table aborted, with that as its ending; the same object each time, since nothing has changed."""
    if match.over:
        return match
    ended = match.copy()
    ended.adjudicate((1,) * match.state.seats, ABORTED)
    return ended


def _remark(table: Table, seat: int) -> str:
    return " (gone)" if seat in _lost(table) else ""


def _lost(table: Table) -> list[int]:
    """The seats in the game whose peers are not here."""
    if table.over:
        return []
    inside = table.log.now.seats_in()
    return [seat for seat in sorted(table.gone) if seat in inside and seat != table.seat]


def _may_vote(table: Table, now: int) -> bool:
    """Whether the others may decide now about the seat whose turn it is."""
    standing = table.log.now
    turn, inside = standing.turn, standing.seats_in()
    return turn is not None and table.seat in inside and len(inside) > 2 and turn in table.overdue(now)


def _link(table: Table, now: int, *, cut_off: bool, here: int) -> str:
    """The connection, in the first line."""
    lost = _lost(table)
    if cut_off:
        return "NO NETWORK"
    if len(lost) == 1:
        return f"1 gone {_left(table, lost[0], now)}"
    return f"{len(lost)} gone" if lost else f"LAN {here + 1}"


def _left(table: Table, seat: int, now: int) -> str:
    """How long a seat may still be gone before the table may decide."""
    return clock_text(table.log.now.terms.grace - (now - table.gone[seat]) + 999)


def by_name(talk: NetworkTable, text: str) -> str:
    """A sentence about seats, with the names alone: `player 1 (Ann)` is Ann where letters and names stand beside."""
    for names in (talk.names, talk.owners):
        for seat, name in enumerate(names):
            text = text.replace(player(seat, names), name)
    return text


def _banner(talk: NetworkTable, now: int, *, cut_off: bool, votes: bool) -> str:
    """What stands above the prompt as long as it is so."""
    table, petition = talk.table, talk.petition
    if table.stopped:
        return f"The table has stopped: {shown(table.stopped.why)}. save FILE keeps the log up to there."
    if table.over:
        return ""
    if cut_off:
        return "Your own network is gone. What you type is kept until it is back."
    if petition.open and petition.waits:
        signed = few([talk.names[seat] for seat in petition.open.signed])
        verb = "proposes" if len(petition.open.signed) == 1 else "propose"
        return f"{signed} {verb} {_motion(talk, petition.open.motion)}. Type yes or no."
    if petition.open and table.seat in petition.open.signed:
        missing = [seat for seat in table.log.now.needed(petition.open.motion) if seat not in petition.open.signed]
        whom = few([talk.names[seat] for seat in missing])
        return f"You propose {_motion(talk, petition.open.motion)}. It needs {whom}."
    if (lost := _lost(table)) or votes:
        return _about_lost(talk, lost, now, votes=votes)
    if talk.lost_seat is not None:
        return f"{talk.names[talk.lost_seat]}: type back to take your seat again."
    if table.log.now.rest:
        return "Paused: no clock runs; the next move goes on."
    return ""


def _motion(talk: NetworkTable, motion: tuple[Any, ...]) -> str:
    return by_name(talk, motion_text(motion, talk.owners, talk.table.gone))


def _about_lost(talk: NetworkTable, lost: list[int], now: int, *, votes: bool) -> str:
    """Who is gone, for how long that may be, and what the table can decide then."""
    table = talk.table
    turn = table.log.now.turn
    if votes and turn is not None:
        who = talk.names[turn]
        if talk.petition.may_flag and turn not in table.overdue(now):
            return f"The time of {who} is up by your clock. The table decides: wait, flag (out), quit."
        what = "stays away" if turn in table.gone else "is here, and keeps the table waiting"
        return f"{who} {what}. The table decides: wait, stand-in 3 (a bot), drop (out), quit."
    who = few([talk.names[seat] for seat in lost])
    verb = "is" if len(lost) == 1 else "are"
    short = min(table.log.now.terms.grace - (now - table.gone[seat]) for seat in lost)
    if len(table.log.now.seats_in()) < 3:
        copy = "" if table.log.now.match.game.hidden else "F5, Enter plays on a copy; "
        after = f"The table waits; {copy}quit keeps it."
    elif short > 0:
        after = f"In {clock_text(short + 999)} the table may decide about it."
    else:
        after = "The table may decide about it on that seat's turn."
    return f"{who} {verb} gone. {after}"


def chair_names(chairs: Iterable[Chair]) -> tuple[str, ...]:
    """The names of those who sat down, to be shown."""
    return tuple(shown_name(chair.name, chair.key) for chair in chairs)
