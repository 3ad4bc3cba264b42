"""A game of three seats that another implementation played and wrote down: its keys, shuffles, looks and openings.

It was on two back ends, and shares no code with this project. The contexts of its proofs are said here once.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgpack

from quadrille.net.cards.group import BASE, Group, card_points, hashed_point
from quadrille.net.cards.shuffle import Card, read_cards
from quadrille.net.core.hashing import decimal, hashed

_FOLDER: Final = Path(__file__).parent / "vectors"
TOLD: Final[dict[str, Any]] = json.loads((_FOLDER / "card-vectors.json").read_text("utf-8"))
GID: Final = bytes.fromhex(TOLD["gid"])
SEEDS: Final = tuple(map(bytes.fromhex, TOLD["seeds"]))
SECRETS: Final = tuple(int.from_bytes(bytes.fromhex(x), "little") for x in TOLD["x"])
JOINT: Final = bytes.fromhex(TOLD["H"])


@dataclass(frozen=True, slots=True)
class Said:
    """One entry of the log."""

    prev: bytes
    seat: int
    kind: str
    body: dict[str, Any]

    def points(self, field: str) -> list[bytes]:
        data = self.body[field]
        return [data[at : at + 32] for at in range(0, len(data), 32)]


def _log() -> tuple[Said, ...]:
    entries = msgpack.unpackb((_FOLDER / "card-vectors.log.msgpack").read_bytes())
    return tuple(Said(core[2], core[3], core[4], core[5]) for core, _ in entries)


LOG: Final = _log()
KEYS: Final = tuple(said for said in LOG if said.kind == "key")
SHUFFLES: Final = tuple(said for said in LOG if said.kind == "shuf")
PEEKS: Final = tuple(said for said in LOG if said.kind == "peek")
OPENS: Final = tuple(said for said in LOG if said.kind == "open")
SHARES: Final = tuple(said for said in LOG if said.kind == "share")
#: What was asked for by each hash of an entry: its answers name it.
ASKED: Final = {LOG[place + 1].prev: said for place, said in enumerate(LOG[:-1])}


def deck_before(group: Group, step: int) -> list[Card]:
    """What the shuffle of this step was given."""
    if step:
        return read_cards(SHUFFLES[step - 1].body["o"])
    return [(BASE, group.plus(point, JOINT)) for point in card_points(group)]


DECK: Final = read_cards(SHUFFLES[-1].body["o"])


def points_asked(group: Group, rid: bytes) -> list[bytes]:
    """The points that a request is about."""
    asked = ASKED[rid]
    match asked.kind:
        case "peek":
            return asked.points("U")
        case "open":
            return [DECK[slot][0] for slot in asked.body["c"]]
        case _:
            return [hashed_point(group, "rnd/base", GID, rid)]


def key_context(seat: int) -> bytes:
    return hashed("ctx/key", GID, decimal(0), decimal(seat))


def shuffle_context(seat: int, before: list[Card]) -> bytes:
    points = (point for card in before for point in card)
    return hashed("ctx/shuf", GID, decimal(0), decimal(seat), decimal(seat), JOINT, *points)


def peek_context(said: Said, slot: int, blinded: bytes) -> bytes:
    return hashed("ctx/peek", GID, said.prev, decimal(said.seat), decimal(slot), blinded)


def share_context(said: Said) -> bytes:
    return hashed("ctx/share", GID, said.body["r"], decimal(said.seat))
