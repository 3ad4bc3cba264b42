"""The Wi-Fi that a host's guests join: its name, and its key for a QR code. The key is shown and kept nowhere else.

It comes as a room's passphrase does (passphrase.py): from the person, or from the environment; client/cli.py removes
it there before any program starts. It is on no command line, because other programs can read those.
"""

import argparse
import getpass
from typing import Final

from quadrille.client.cli import WIFI_VARIABLE
from quadrille.client.network.passphrase import person_types
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted
from quadrille.value import value

#: Maximum bytes of a Wi-Fi's name, and how long a key may be, in characters (IEEE 802.11i; 64 are hexadecimal).
_LONGEST_NAME: Final = 32
_KEY_LENGTHS: Final = range(8, 65)


@value
class Wifi:
    """A Wi-Fi; the key of an open one is ""."""

    name: str
    key: str

    def __repr__(self) -> str:
        return f"Wifi(name={quoted(self.name)})"


def wifi_of(settings: argparse.Namespace) -> Wifi | None:
    """Return the Wi-Fi of a command line; it may ask the person for the key."""
    name = getattr(settings, "wifi", None)
    if name is None:
        return None
    if not name or len(name.encode()) > _LONGEST_NAME or not name.isprintable():
        raise RulesError(f"{quoted(name)} is no name of a Wi-Fi: it has 1 to {_LONGEST_NAME} bytes")
    key = getattr(settings, "environment_key", None)
    if key is None:
        if not person_types():
            raise RulesError(f"Wi-Fi {quoted(name)} needs its key in {WIFI_VARIABLE}; an open one has an empty key")
        key = getpass.getpass(f"key of the Wi-Fi {name} (Enter alone for an open one): ")
    if key and (len(key) not in _KEY_LENGTHS or not key.isprintable()):
        raise RulesError(f"the key of a Wi-Fi has 8 to 64 printable characters; this one has {len(key)}")
    return Wifi(name, key)
