"""The display of names that peers claim. See foreign.py for all other foreign text."""

from quadrille.client.foreign import shown
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.names import NAMELESS, plain_name


def shown_name(name: str, key: bytes) -> str:
    """Return a claimed name (net/trust/names.py), or the key's fingerprint if nothing of the name is visible.

    Messages never contain unprintable characters (net/entries/wire.py). Files may, so they are spelled out.
    """
    if not name.isprintable():
        return shown(name)
    plain = plain_name(name)
    return f"{plain} ({fingerprint(key)})" if plain == NAMELESS else plain
