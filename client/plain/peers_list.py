"""The list of peers on the network and of known peers, as text or data; and changes to the known ones."""

import argparse
import json
from typing import Any

from quadrille.client.network.options import network_options
from quadrille.client.network.surroundings import look_around, own, own_store
from quadrille.client.network.unfinished_games import count, mention
from quadrille.net.seating.lobby import AdvertisedPeer
from quadrille.net.trust import known
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.known import Known
from quadrille.net.trust.names import plain_name
from quadrille.rules.drawing.plain_text import aligned
from quadrille.rules.errors import RulesError


def peers(settings: argparse.Namespace) -> int:
    if settings.rename or settings.block is not None or settings.unblock is not None:
        return _change(settings)
    key, met = own(settings.home)
    if settings.known:
        _print([one.plain() for one in met], settings, "You know nobody yet.")
        return 0
    seen = look_around(network_options(settings), settings.time)
    by_key = {one.key: one for one in met}
    found = sorted(seen.lobby.peers.values(), key=lambda peer: (peer.name.casefold(), peer.key))
    rows = [_data(peer, by_key.get(peer.key), mine=peer.key == key) for peer in found]
    rows += [_row(one.name, one.key) | {"speaks": one.speaks} for one in seen.unlike]
    nobody = "Nobody else is here. quadrille doctor finds out what may be in the way."
    _print(rows, settings, seen.nobody(nobody))
    if rows and not settings.json and seen.missing:
        print("\n".join(seen.missing))
    if not settings.json and (text := mention(count(settings.home))):
        print(text)
    return seen.code or 0


def _change(settings: argparse.Namespace) -> int:
    with own_store(settings.home) as store:
        if settings.rename:
            text, nickname = settings.rename
            changed = known.rename(store, known.find(store, text).key, nickname)
            print(f"you call {changed} so now" if changed.nickname else f"{changed} goes by its own name again")
            return 0
        blocked = settings.block is not None
        found = known.find(store, settings.block if blocked else settings.unblock)
        if found.blocked == blocked:
            raise RulesError(f"{found} is {'blocked already' if blocked else 'not blocked'}")
        changed = known.block(store, found.key, blocked=blocked)
        print(
            f"{changed} is {'blocked' if blocked else 'not blocked any more'}; a running program sees it when they meet"
        )
    return 0


def _data(peer: AdvertisedPeer, met: Known | None, *, mine: bool) -> dict[str, Any]:
    return _row(peer.name, peer.key) | {
        "nickname": met.nickname if met else None,
        "kind": peer.kind,
        "tables": len(peer.tables),
        "blocked": met is not None and met.blocked,
        "you": mine,
    }


def _row(name: str, key: bytes | None) -> dict[str, Any]:
    return {
        "name": name,
        "nickname": None,
        "kind": "",
        "fingerprint": fingerprint(key) if key else "",
        "key": key.hex() if key else "",
        "tables": 0,
        "blocked": False,
        "you": False,
    }


def _print(rows: list[dict[str, Any]], settings: argparse.Namespace, nobody: str) -> None:
    if settings.json:
        print(json.dumps(rows, indent=2))
        return
    if not rows:
        print(nobody)
        return
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
    print("\n".join(line.rstrip() for line in aligned(table, 4)))
