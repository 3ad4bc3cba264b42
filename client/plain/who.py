"""The people, programs and tables on the network, and the known peers, as text or data; and changes to known ones."""

import argparse
import json
from collections.abc import Sequence
from typing import Any

from quadrille.client.claimed_names import shown_name
from quadrille.client.kept.games import left_games, mention
from quadrille.client.network.options import network_options
from quadrille.client.network.station import Ending, own_station
from quadrille.client.settings import own_name
from quadrille.client.table.network.table_search import unplayable_tables
from quadrille.client.words.absent_peers import expected, missing
from quadrille.client.words.table import unplayable_lines
from quadrille.client.words.terms import DIGITS, terms_text
from quadrille.net.entries.terms import LOOKOUT
from quadrille.net.entries.wire import Offer
from quadrille.net.program.station import now
from quadrille.net.program.stored_tables import tables_at
from quadrille.net.seating.lobby import Lobby
from quadrille.net.seating.offers import host_name, offers
from quadrille.net.trust import known
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.known import Known
from quadrille.net.trust.names import LONGEST_NAME, plain_name
from quadrille.rules.drawing.plain_text import aligned
from quadrille.rules.errors import RulesError


def who(settings: argparse.Namespace) -> int:
    if settings.rename or settings.block is not None or settings.unblock is not None:
        return _change(settings)
    with tables_at(settings.home) as own:
        key, met = own.identity.key, known.peers(own.store)
    if settings.known:
        rows = [peer_met.plain() for peer_met in met]
        print(json.dumps(rows, indent=2) if settings.json else _peer_lines(rows) or "You know nobody yet.")
        return 0
    name = f"{own_name(settings.name)[: LONGEST_NAME - 10]} (looking)"
    mine = own_station(network_options(settings), kind=LOOKOUT, bot=LOOKOUT, name=name)
    with Ending(mine.node.wake_up) as ending, mine:
        end = now() + settings.time
        while now() < end and ending.code is None:
            mine.turn(end - now())
        lobby, incompatible = mine.lobby, mine.incompatible()
        absent = missing(mine) or [text for text in (expected(mine),) if text and not lobby.peers]
    by_key = {peer_met.key: peer_met for peer_met in met}
    peers = sorted(lobby.peers.values(), key=lambda peer: (peer.name.casefold(), peer.key))
    rows = [
        _row(peer.name, peer.key, by_key.get(peer.key), kind=peer.kind, tables=len(peer.tables), you=peer.key == key)
        for peer in peers
    ]
    rows += [_row(peer_met.name, peer_met.key, speaks=peer_met.speaks) for peer_met in incompatible]
    if settings.json:
        tables = [table_data(lobby, offer) for offer in offers(lobby)]
        print(json.dumps({"peers": rows, "tables": tables}, indent=2))
    else:
        print("\n".join(_lines(lobby, rows, absent)))
        if text := mention(len(left_games(settings.home))):
            print(text)
    return ending.code or 0


def _lines(lobby: Lobby, rows: Sequence[dict[str, Any]], absent: list[str]) -> list[str]:
    """Return the peers, the tables, and why others are absent, each with what one can do."""
    nobody = absent or ["Nobody else is here. quadrille doctor finds out what may be in the way."]
    lines = [_peer_lines(rows)] if rows else [*nobody]
    if tables := [_table_row(lobby, offer) for offer in offers(lobby)]:
        lines += ["", *(line.rstrip() for line in aligned(tables, 5))]
        lines.append(
            "\nquadrille join TABLE sits down at an open one, and quadrille watch TABLE looks on at one at play."
        )
    else:
        lines.append("There is no table. quadrille host GAME opens one.")
    lines += unplayable_lines(unplayable_tables(lobby))
    return lines + (absent if rows else [])


def _table_row(lobby: Lobby, offer: Offer) -> tuple[str, ...]:
    return (
        offer.table.hex()[:DIGITS],
        shown_name(host_name(lobby, offer), offer.host),
        f"{len(offer.chairs)}/{offer.terms.seats}",
        offer.state,
        terms_text(offer.terms),
    )


def _change(settings: argparse.Namespace) -> int:
    with tables_at(settings.home) as tables:
        store = tables.store
        if settings.rename:
            text, nickname = settings.rename
            changed = known.rename(store, known.find(store, text).key, nickname)
            print(f"you call {changed} so now" if changed.nickname else f"{changed} goes by its own name again")
            return 0
        blocked = settings.block is not None
        peer = known.find(store, settings.block if blocked else settings.unblock)
        if peer.blocked == blocked:
            raise RulesError(f"{peer} is {'blocked already' if blocked else 'not blocked'}")
        changed = known.block(store, peer.key, blocked=blocked)
        print(
            f"{changed} is {'blocked' if blocked else 'not blocked any more'}; a running program sees it when they meet"
        )
    return 0


def _row(name: str, key: bytes | None, met: Known | None = None, **more: object) -> dict[str, Any]:
    return {
        "name": name,
        "nickname": met.nickname if met else None,
        "kind": "",
        "fingerprint": fingerprint(key) if key else "",
        "key": key.hex() if key else "",
        "tables": 0,
        "blocked": met is not None and met.blocked,
        "you": False,
    } | more


def _peer_lines(rows: Sequence[dict[str, Any]]) -> str:
    table = []
    for row in rows:
        remarks = [f"known as {plain_name(row['name'])}"] if row["nickname"] else []
        remarks += ["you"] if row.get("you") else []
        remarks += ["blocked"] if row["blocked"] else []
        remarks += [f"speaks protocol {row['speaks']}"] if "speaks" in row else []
        remarks += [f"tables: {row['tables']}"] if row.get("tables") else []
        table.append(
            (row["nickname"] or plain_name(row["name"]), row["fingerprint"], row.get("kind", ""), ", ".join(remarks))
        )
    return "\n".join(line.rstrip() for line in aligned(table, 4))


def table_data(lobby: Lobby, offer: Offer) -> dict[str, Any]:
    terms = offer.terms
    return {
        "table": offer.table.hex(),
        "game": terms.game,
        "options": dict(terms.options),
        "host": {"name": host_name(lobby, offer), "key": offer.host.hex()},
        "seats": terms.seats,
        "chairs": [{"name": chair.name, "kind": chair.kind, "key": chair.key.hex()} for chair in offer.chairs],
        "state": offer.state,
        "clock": [terms.clock.initial, terms.clock.increment] if terms.clock else None,
        "watchers": terms.watchers,
        "takebacks": terms.takebacks,
        "lot": terms.lot,
        "grace": terms.grace,
    }
