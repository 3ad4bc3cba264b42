"""The display of names that peers claim. See foreign.py for all other foreign text."""

from collections.abc import Iterable, Sequence

from quadrille.client.bots.names import parts
from quadrille.client.foreign import shown
from quadrille.client.words.story import YOU
from quadrille.net.entries.terms import Chair
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.names import NAMELESS, are_alike, plain_name


def shown_name(name: str, key: bytes) -> str:
    """Return a claimed name (net/trust/names.py), with the key's fingerprint if it is invisible or looks like `you`.
    Only files can contain unprintable characters (net/entries/wire.py), which are spelled out.
    """
    if not name.isprintable():
        return shown(name)
    plain = plain_name(name)
    return f"{plain} ({fingerprint(key)})" if plain == NAMELESS or are_alike(plain, YOU) else plain


def short_names(names: Sequence[str], keys: Sequence[bytes] = ()) -> tuple[str, ...]:
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
    keys, names = zip(*((chair.key, shown_name(chair.name, chair.key)) for chair in chairs), strict=True)
    return short_names(names, keys)
