"""The display of names that peers claim. See foreign.py for all other foreign text."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache, reduce
from typing import Final

from quadrille.ai.house import KINDS
from quadrille.client.foreign import shown
from quadrille.client.words.story import YOU
from quadrille.net.entries.terms import Chair
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.names import GUEST, NAMELESS, are_alike, plain_name

#: A bot's name on the network: its own name, its kind, and its owner.
_OWNED: Final = re.compile(rf"(.+) \(((?:level [1-9]|(?:{'|'.join(KINDS)})(?: [1-5])?|[a-z0-9_-]+@[a-z0-9-]+) of .+)\)")


@lru_cache(maxsize=1024)
def shown_name(name: str, key: bytes) -> str:
    """Return a claimed name (net/trust/names.py), with the key's fingerprint if it is invisible or looks like `you`.
    Only files can contain unprintable characters (net/entries/wire.py), which are spelled out.
    """
    if not name.isprintable():
        return shown(name)
    plain = plain_name(name)
    return f"{plain} ({fingerprint(key)})" if plain == NAMELESS or are_alike(plain, YOU) else plain


@lru_cache(maxsize=256)
def short_names(names: tuple[str, ...], keys: tuple[bytes, ...] = ()) -> tuple[str, ...]:
    """Return the names of all at a table for sentences: a bot without its level and owner (`Ada`), and a guest without
    saying so, unless another there has that name too. Whole names that look alike get fingerprints of known `keys`.
    """
    short, found = [parts(name)[0] for name in names], list(names)
    for seat, (name, brief) in enumerate(zip(names, short, strict=True)):
        if sum(are_alike(brief, other) for other in (*short, YOU)) == 1:
            found[seat] = brief
        elif keys and keys[seat] and sum(are_alike(name, other) for other in names) > 1:
            found[seat] = f"{name} ({fingerprint(keys[seat])})"
    return tuple(found)


def chair_names(chairs: Iterable[Chair]) -> tuple[str, ...]:
    """Return distinct names of those who sat down."""
    seated = tuple(chairs)
    return short_names(tuple(shown_name(one.name, one.key) for one in seated), tuple(one.key for one in seated))


@lru_cache(maxsize=1024)
def parts(name: str) -> tuple[str, str]:
    """Split a name on the network into the own name and the kind: `Ada` and `level 2 of Ann`, `Ben` and `guest`."""
    found = _OWNED.fullmatch(name)
    own = name.removesuffix(GUEST)
    return (found[1], found[2]) if found else (own, "guest" if own != name else "")


def without_guest(names: Iterable[str]) -> Callable[[str], str]:
    """Return what names the guests of a table briefly in a text, unless others there have such a name."""
    full = [name.removesuffix(" (away)") for name in names]
    clear = [(name, own) for name, own in zip(full, short_names(tuple(full)), strict=True) if name.endswith(GUEST)]
    return lambda text: reduce(lambda told, pair: told.replace(*pair), clear, text)
