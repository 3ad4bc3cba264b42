"""Views of the network's state for the screen: lobby, waiting rooms and tables as values.

Nothing is changed here. The screen gets the table's own match, on which each thread plays on only on a copy, and times
by its own clock, which skips nothing.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from quadrille.client.claimed_names import parts, short_names, shown_name
from quadrille.client.foreign import isolated, shown
from quadrille.client.presence.qr import half_blocks, matrix
from quadrille.client.screen.network import news
from quadrille.client.screen.network.entrance import ScanCode, ShownEntrance
from quadrille.client.screen.table.model import ShownChair, ShownTable
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.notices import About, Fact, GuestEntrance, ProposalTold
from quadrille.client.table.stage import NetworkContext
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.words.phones import NO_WAY, SCAN, TICKET_SCAN, wifi_scan
from quadrille.client.words.story import YOU, few
from quadrille.client.words.table import by_name
from quadrille.client.words.terms import game_words, terms_text
from quadrille.net.core.machine import now as clock
from quadrille.net.core.spans import clock_text
from quadrille.net.entries.terms import GUEST, PEOPLE
from quadrille.net.entries.wire import Offer
from quadrille.net.seating import gathering as phases
from quadrille.net.seating.gathering import Gathering
from quadrille.net.seating.offers import offers, unplayable
from quadrille.net.tables.table import Table

if TYPE_CHECKING:
    from quadrille.client.phones.guests import EveningGuest

#: Maximum addresses of this machine with a QR code.
_MOST_CODES: Final = 3


# The lobby


def open_row(context: NetworkContext, offer: Offer, state: news.TableState, since: int) -> news.TableRow:
    """Describe a table that another peer offers."""
    title, options = game_words(offer.terms)
    host, names = context.lobby.peers.get(offer.host), tuple(map(context.name_of, offer.chairs))
    return news.TableRow(
        offer.table.hex(),
        title,
        options,
        few(short_names(names)) if state == "playing" else context.name(host) if host else "?",
        len(offer.chairs),
        offer.terms.seats,
        state,
        since,
        may_watch=offer.terms.watchers == "anyone",
        terms=terms_text(offer.terms),
        names=names,
    )


def own_row(context: NetworkContext, table: Table, since: int) -> news.TableRow:
    """Describe a table where this person has a seat."""
    log, terms = table.log, table.log.now.terms
    title, options = game_words(terms)
    chairs = tuple(chair for chair in log.now.chairs if not context.is_own(chair))
    others = tuple(map(context.name_of, chairs))
    return news.TableRow(
        log.table.hex(), title, options, few(short_names(others)), terms.seats, terms.seats, "mine", since,
        _is_my_turn(context, table), terms=terms_text(terms), names=others,
        keys=tuple("" if chair.key == context.key else chair.key.hex() for chair in chairs),
    )  # fmt: skip


def listed(context: NetworkContext, since: Callable[[str, str], int]) -> tuple[news.TableRow, ...]:
    """List the tables of this person and of others; `since` returns when a table was first seen in a state."""
    lobby = context.lobby
    rows = [
        own_row(context, table, since(name.hex(), "mine"))
        for name, table in lobby.tables.items()
        if not table.over and table.seat is not None
    ]
    there = {row.id for row in rows}
    states: tuple[news.TableState, ...] = ("open", "agreeing", "playing")
    found = [offer for offer in offers(lobby, *states) if offer.table.hex() not in there]
    rows += [
        open_row(context, offer, state, since(offer.table.hex(), state))
        for state in states
        for offer in found
        if offer.state == state
    ]
    wrong = unplayable(lobby)
    rows += [replace(open_row(context, offer, "unplayable", 0), terms=shown(why)) for offer, why in wrong]
    return tuple(rows)


def _is_my_turn(context: NetworkContext, table: Table) -> bool:
    """Tell whether this person, and not a guest, is to move."""
    standing = table.log.now
    return table.is_my_turn and standing.turn is not None and context.is_own(standing.chairs[standing.turn])


def people(context: NetworkContext, without: Iterable[bytes] = ()) -> tuple[news.PersonRow, ...]:
    """List everybody who is here, people first, with their activities; an idle bot's is its kind."""
    lobby, gone = context.lobby, set(without)
    found = [peer for key, peer in lobby.peers.items() if key not in gone]
    found.sort(key=lambda peer: (peer.kind not in PEOPLE, context.name(peer).casefold(), peer.key))
    doing, names = _doing(offers(lobby)), [context.name(peer) for peer in found]
    rows = zip(found, short_names(tuple(names)), names, strict=True)
    return tuple(
        news.PersonRow(peer.key.hex(), short, peer.kind, doing.get(peer.key) or parts(name)[1])
        for peer, short, name in rows
    )


def guests_here(guests: "Iterable[EveningGuest]") -> tuple[news.PersonRow, ...]:
    """List the guests of this person."""
    return tuple(
        news.PersonRow("", isolated(one.name), GUEST, one.plays or ("here by phone" if one.here else "asleep"))
        for one in guests
    )


def _doing(there: Iterable[Offer]) -> dict[bytes, str]:
    """Say what each peer does, by the first of the present offers that names the peer."""
    found: dict[bytes, str] = {}
    for offer in there:
        title = game_words(offer.terms)[0]
        for chair in offer.chairs:
            found.setdefault(chair.key, f"plays {title}" if offer.state == "playing" else f"waits at {title}")
        found.setdefault(offer.host, f"hosts {title}")
    return found


# A table before its first move


@lru_cache(maxsize=4)
def shown_entrance(found: GuestEntrance | None) -> ShownEntrance | None:
    """Tell how guests come, with the QR codes for it."""
    if found is None:
        return None
    codes: tuple[ScanCode, ...] = ()
    if found.outside:
        pages = list(zip(found.pages, found.links, strict=True))[:_MOST_CODES]
        codes = tuple(
            ScanCode("Another address" if place else "Sit down", SCAN, half_blocks(matrix(link)), page)
            for place, (page, link) in enumerate(pages)
        )
    if found.wifi is not None and found.outside:
        name, text = found.wifi
        codes = (*codes, ScanCode("Join the Wi-Fi", wifi_scan(name), half_blocks(matrix(text))))
    trouble = "" if found.outside else NO_WAY
    return ShownEntrance(found.pages[0], found.code, codes, trouble, found.seats)


def room(stage: WaitingRoom, said: tuple[str, ...], entrance: ShownEntrance | None = None) -> news.Room:
    """Describe the people at a table, and those who could be invited."""
    gathering, context = stage.gathering, stage.context
    sitting = stage.chairs
    chairs = tuple(
        news.PersonRow(chair.key.hex(), YOU if context.is_own(chair) else stage.called(chair), chair.kind)
        for chair in sitting
    )
    title, options = game_words(gathering.terms)
    return news.Room(
        gathering.table.hex(),
        gathering.terms.game,
        f"{title} {options}".strip(),
        terms_text(gathering.terms),
        gathering.hosts,
        gathering.terms.seats,
        chairs,
        tuple(shown_name(chair.name, chair.key) for chair in gathering.chairs if chair.key in gathering.coming),
        tuple(_invited(row, gathering.invited) for row in people(context, [chair.key for chair in sitting])),
        " ".join(stage.way.split()),
        gathering.phase != phases.OPEN,
        said,
        by_name(stage.asking[0], stage.seats) if stage.asking else "",
        entrance,
        bool(gathering.reserved),
        ScanCode("Ticket", TICKET_SCAN, half_blocks(matrix(stage.ticket))) if stage.ticket else None,
    )


def guest_room(context: NetworkContext, gathering: Gathering, name: str, said: tuple[str, ...]) -> news.Room:
    """Describe a table before its game to a guest of this program."""
    terms = gathering.terms
    key = context.key
    chairs = [one for one in gathering.chairs if one.key != key or one.name not in gathering.expected]
    rows = tuple(
        news.PersonRow("", YOU if one.key == key and one.at and one.name == name else context.name_of(one), one.kind)
        for one in chairs
        if one.key not in gathering.coming
    )
    title, options = game_words(terms)
    game_text = f"{title} {options}".strip()
    return news.Room(
        gathering.table.hex(), terms.game, game_text, terms_text(terms), False, terms.seats, rows, said=said
    )


def _invited(row: news.PersonRow, keys: Collection[bytes]) -> news.PersonRow:
    """Describe somebody who could be invited; mark them if an invitation is open."""
    return replace(row, doing=news.INVITED) if bytes.fromhex(row.key) in keys else row


# A table at play


def seated(
    stage: TableSeat, chat: tuple[str, ...], told: tuple[str, ...] = (), *, here: int,
    serves_guests: bool = False,
) -> news.Seated:  # fmt: skip
    """Describe the table as its seat, or a watcher, may know it."""
    table = stage.table
    standing, seats, lost = table.log.now, stage.seats, stage.lost
    names = list(seats.names)
    if stage.seat is not None and stage.people == (stage.own_seat,):
        names[stage.seat] = YOU
    matters = stage.concern()
    found = ShownTable(
        standing.match,
        tuple(
            ShownChair(name + (" (away)" if seat in lost else ""), "" if chair.is_person else name, kind)
            for seat, (name, kind, chair) in enumerate(zip(names, seats.kinds, standing.chairs, strict=True))
        ),
        stage.mine,
        stage.viewer,
        local=False,
        link=_link(stage, lost, here=here),
        clocks=table.clocks and replace(table.clocks, since=table.clocks.since + clock.skipped),
        rests=standing.paused,
        chat=chat,
        told=told,
        hints=stage.allows_hints,
        banner=by_name(matters, seats) if matters is not None else "",
        asks=stage.stand_in != ""
        or isinstance(matters, ProposalTold)
        or (isinstance(matters, About) and matters.fact is Fact.WANTS_REMATCH),
        view=stage.view if standing.match.game.hidden else None,
        awaits=standing.turn if standing.due is not None else None,
        cover=stage.held.cover,
        serves_guests=serves_guests,
    )
    return news.Seated(table.log.table.hex(), found, stage.votes, bool(lost or stage.context.cut_off()))


def _link(stage: TableSeat, lost: list[int], *, here: int) -> str:
    """Describe the connection, for the first line; if one seat is gone, by the time until the table may decide."""
    if stage.context.cut_off():
        return "NO NETWORK"
    if len(lost) == 1:
        table = stage.table
        left = table.log.now.terms.grace - (stage.context.now() - table.gone[lost[0]])
        return f"1 away {clock_text(left + 999)}"
    return f"{len(lost)} away" if lost else f"LAN {here + 1}"
