"""Known peers: names pinned to keys on first use, nicknames, and blocked keys.

A name is what somebody claims; a nickname is this person's name for a key. `meet` says when a known key goes by
another name, and when another key goes by a known name. The rest is what `quadrille who --known` does. Other
programs of the same person may change the store at any time, so nothing is cached here.
"""

import difflib
import json
import re
from dataclasses import asdict, dataclass
from typing import Any, Final

from quadrille.net.core.errors import LocalError
from quadrille.net.trust.identity import fingerprint, peer_of
from quadrille.net.trust.names import LONGEST_NAME, NAMELESS, SCREEN, are_alike, looks, plain_name, tidy
from quadrille.net.trust.store import Store
from quadrille.rules.squares import quoted

#: Maximum remembered strangers. Above it, those known for the shortest time are forgotten; keys with a nickname or a
#: block stay.
MOST_STRANGERS: Final = 4096
#: Milliseconds between two updates of when a peer was last seen.
SEEN_STEP: Final = 60_000
#: Minimum digits of a key to look somebody up, and to trust it with something. Somebody could make a key with fewer
#: than 64 equal bits on purpose.
FEWEST_SHOWN: Final = 8
FEWEST_TRUSTED: Final = 16
_WHOLE_KEY: Final = re.compile(r"[0-9a-f]{64}")
_PEERS: Final = "SELECT key, name, first_name, nickname, since, seen, blocked FROM peers "


@dataclass(frozen=True, slots=True)
class Known:
    """A peer's key, its name now, its first name, and our nickname for it."""

    key: bytes
    name: str
    first_name: str
    nickname: str | None
    since: int
    seen: int
    blocked: bool

    def __str__(self) -> str:
        return f"{self.nickname or self.name} ({fingerprint(self.key)})"

    def plain(self) -> dict[str, Any]:
        """Return the data for `--json`."""
        ids = {"key": self.key.hex(), "peer": peer_of(self.key).hex(), "fingerprint": fingerprint(self.key)}
        return ids | {name: value for name, value in asdict(self).items() if name != "key"}


def meet(store: Store, key: bytes, name: str, now: int) -> tuple[str, ...]:
    """Record that the proven holder of this key uses this name. Return warnings for the person; usually none."""
    claimed, name = name, plain_name(name)
    with store.together(own=False):
        old = peer(store, key)
        if old is None:
            _forget_strangers(store)
            store.change("INSERT INTO peers VALUES (?, ?, ?, NULL, FALSE, ?, ?)", key, name, name, now, now)
        elif old.name != name or not 0 <= now - old.seen < SEEN_STEP:
            store.change("UPDATE peers SET name = ?, seen = ? WHERE key = ?", name, now, key)
        known = _there(store, key)
        if old is None or old.name != name:
            _index(store, known)
        namesakes = _namesakes(store, key, name, claimed)
    remarks = []
    if old is not None and old.name != name:
        remarks.append(f"{known.nickname or old.name} ({fingerprint(key)}) now goes by {quoted(name)}")
    if namesakes:
        others = " and ".join(map(str, namesakes[:3]))
        remarks.append(f"this {quoted(name)} ({fingerprint(key)}) is not {others}, whom you know")
    return tuple(remarks)


def peer(store: Store, key: bytes) -> Known | None:
    peers = _read(store, "WHERE key = ?", key)
    return peers[0] if peers else None


def is_blocked(store: Store, key: bytes) -> bool:
    return bool(store.rows("SELECT 1 FROM peers WHERE key = ? AND blocked", key))


def named(store: Store) -> set[bytes]:
    return {key for (key,) in store.rows("SELECT key FROM peers WHERE nickname IS NOT NULL AND NOT blocked")}


def peers(store: Store) -> list[Known]:
    """Return all known peers: those with a nickname first, then the last seen."""
    return _read(store, "ORDER BY nickname IS NULL, nickname, seen DESC, key")


def find(store: Store, text: str) -> Known:
    """Find the peer that a text means: by nickname, by digits of a fingerprint or key, by name, in this order."""
    if meant := _meant(store, text, FEWEST_SHOWN) or _alike(store, looks(text)):
        return _only_one(meant, text)
    names = [name for known in peers(store) for name in (known.nickname, known.name) if name]
    near = difflib.get_close_matches(text, names, 1)
    hint = f"did you mean {quoted(near[0])}?" if near else "quadrille who --known lists everybody"
    raise LocalError(f"you know nobody by {quoted(text)}: {hint}")


def called(store: Store, text: str) -> bytes:
    """Return the key of a nickname or of some digits of the key. A claimed name stands for nobody."""
    if _WHOLE_KEY.fullmatch(word := text.strip().lower()):
        return bytes.fromhex(word)
    if meant := _meant(store, text, FEWEST_TRUSTED):
        return _only_one(meant, text).key
    raise LocalError(
        f"{quoted(text)} is no key and no nickname that you have given, and anybody can claim a name: "
        f"write {FEWEST_TRUSTED} digits of the key or more (quadrille who --known --json has them all), "
        "or give a nickname first (quadrille who --rename KEY NAME)"
    )


def _meant(store: Store, text: str, fewest: int) -> list[Known]:
    """Find peers with that nickname; otherwise those whose key or id begins with these digits, `fewest` at least."""
    met, digits = peers(store), text.strip().lower().replace(" ", "")
    known_peers = [known for known in met if known.nickname and are_alike(known.nickname, text)]
    if known_peers or len(digits) < fewest or not set(digits) <= set("0123456789abcdef"):
        return known_peers
    return [known for known in met if any(id.hex().startswith(digits) for id in (known.key, peer_of(known.key)))]


def _only_one(meant: list[Known], text: str) -> Known:
    if len(meant) == 1:
        return meant[0]
    several = ", ".join(map(str, meant[:5]))
    raise LocalError(f"{quoted(text)} could be any of {several}: give the digits in brackets, or more of the key's")


def rename(store: Store, key: bytes, nickname: str) -> Known:
    """Give a key a nickname; an empty one removes it."""
    nickname = tidy(nickname)
    if nickname and plain_name(nickname) != nickname:
        raise LocalError(
            f"{quoted(nickname)} can't be a nickname: use at most {LONGEST_NAME} visible characters, "
            "each word in one alphabet"
        )
    with store.together():
        for other in _namesakes(store, key, nickname):
            if other.nickname and are_alike(other.nickname, nickname):
                raise LocalError(f"you call {other} so already: take another nickname, or rename that one first")
        store.change("UPDATE peers SET nickname = ? WHERE key = ?", nickname or None, key)
        known = _there(store, key)
        _index(store, known)
        return known


def block(store: Store, key: bytes, *, blocked: bool = True) -> Known:
    """Block the holder of a key, or lift the block."""
    with store.together():
        store.change("UPDATE peers SET blocked = ? WHERE key = ?", blocked, key)
        return _there(store, key)


def _read(store: Store, which: str, *values: object) -> list[Known]:
    return [
        Known(key, name, first, nickname, since, seen, bool(blocked))
        for key, name, first, nickname, since, seen, blocked in store.rows(_PEERS + which, *values)
    ]


def _there(store: Store, key: bytes) -> Known:
    if (known := peer(store, key)) is None:
        raise LocalError(f"you never met the holder of the key {fingerprint(key)}: quadrille who --known lists all")
    return known


def _namesakes(store: Store, key: bytes, *names: str) -> tuple[Known, ...]:
    """Find other peers who use one of these names, used it when we first met them, or have it as nickname."""
    asked = frozenset[str]().union(*(looks(name) for name in names if name not in (NAMELESS, SCREEN)))
    namesakes = [known for known in _alike(store, asked) if known.key != key]
    return tuple(sorted(namesakes, key=lambda known: (known.nickname is None, known.since, known.key)))


def _alike(store: Store, asked: frozenset[str]) -> list[Known]:
    """Find peers with a name that looks like one of these (names.py), the last seen first."""
    which = "WHERE key IN (SELECT key FROM names WHERE folded IN (SELECT value FROM json_each(?))) ORDER BY seen DESC"
    return _read(store, which, json.dumps(sorted(asked)))


def _index(store: Store, known: Known) -> None:
    store.change("DELETE FROM names WHERE key = ?", known.key)
    names = [name for name in (known.name, known.first_name, known.nickname) if name]
    for folded in sorted(frozenset[str]().union(*map(looks, names))):
        store.change("INSERT INTO names VALUES (?, ?)", folded, known.key)


def _forget_strangers(store: Store) -> None:
    """Make room for many at once, because it is slow.

    Anybody can show up with a million keys, but not with a million keys that we have known for long.
    """
    strangers = store.rows("SELECT count(*) FROM peers WHERE nickname IS NULL AND NOT blocked")[0][0]
    if strangers >= MOST_STRANGERS:
        store.change(
            "DELETE FROM peers WHERE key IN (SELECT key FROM peers WHERE nickname IS NULL AND NOT blocked "
            "ORDER BY seen - since DESC, seen DESC, key LIMIT -1 OFFSET ?)",
            MOST_STRANGERS * 7 // 8,
        )
