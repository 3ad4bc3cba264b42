"""How a name that somebody claims is shown: the one place for names, as foreign.py is for all other foreign words."""

from quadrille.client.foreign import shown
from quadrille.net.identity import fingerprint
from quadrille.net.names import NAMELESS, plain_name


def shown_name(name: str, key: bytes) -> str:
    """A claimed name (net/names.py); a peer whose name shows nothing is told by the fingerprint of its key.

    No message has letters that are not printable (net/wire.py); a file may, and there they are spelled out.
    """
    if not name.isprintable():
        return shown(name)
    plain = plain_name(name)
    return f"{plain} ({fingerprint(key)})" if plain == NAMELESS else plain
