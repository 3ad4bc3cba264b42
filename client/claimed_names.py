"""The display of names that peers claim. See foreign.py for all other foreign text."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from quadrille.ai.house import KINDS
from quadrille.client.foreign import isolated, shown
from quadrille.client.words.story import YOU
from quadrille.net.entries.terms import Chair
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.names import NAMELESS, are_alike, plain_name
from quadrille.rules.squares import is_line

#: A bot's name on the network: its own name, its kind, and its owner.
_OWNED: Final = re.compile(rf"(.+) \(((?:level [1-9]|(?:{'|'.join(KINDS)})(?: [1-5])?|[a-z0-9_-]+@[a-z0-9-]+) of .+)\)")


@lru_cache(maxsize=1024)
def shown_name(name: str, key: bytes) -> str:
    """Return a claimed name (net/trust/names.py), with the key's fingerprint if it is invisible or looks like `you`.
    Only files can contain unprintable characters (net/entries/wire.py), which are spelled out.
    """
    if not is_line(name):
        return shown(name)
    plain = plain_name(name)
    told = isolated(plain)
    return f"{told} ({fingerprint(key)})" if plain == NAMELESS or are_alike(plain, YOU) else told


@lru_cache(maxsize=256)
def short_names(names: tuple[str, ...], keys: tuple[bytes, ...] = (), beside: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the names of all at a table for sentences: a bot without its level and owner (`Ada`), and a guest without
    what stands `beside` the name (`at Ann's`), unless another there has that name too. Whole names that look alike get
    fingerprints of known `keys`.
    """
    short = [parts(name)[0] for name in names]
    found = [f"{name}, {beside[seat]}" if beside and beside[seat] else name for seat, name in enumerate(names)]
    whole = tuple(found)
    for seat, (name, brief) in enumerate(zip(whole, short, strict=True)):
        others = (*whole[:seat], *whole[seat + 1 :])
        if not any(are_alike(brief, other) for other in (*others, *short[:seat], *short[seat + 1 :], YOU)):
            found[seat] = brief
        elif keys and keys[seat] and any(are_alike(name, other) for other in others):
            found[seat] = f"{name} ({fingerprint(keys[seat])})"
    return tuple(found)


def sits_at(chair: Chair) -> str:
    """Say where somebody sits who plays at another's program; "" for everybody else."""
    return f"at {shown_name(chair.at, chair.key)}'s" if chair.at else ""


def chair_names(chairs: Iterable[Chair]) -> tuple[str, ...]:
    """Return distinct names of those who sat down."""
    seated = tuple(chairs)
    names = tuple(shown_name(one.name, one.key) for one in seated)
    return short_names(names, tuple(one.key for one in seated), tuple(map(sits_at, seated)))


@lru_cache(maxsize=1024)
def parts(name: str) -> tuple[str, str]:
    """Split the name of a bot on the network into its own name and its kind: `Ada` and `level 2 of Ann`."""
    found = _OWNED.fullmatch(name)
    return (found[1], found[2]) if found else (name, "")
