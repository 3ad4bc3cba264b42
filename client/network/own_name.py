"""The name that this person has on the network. A module of its own: the lobby shows the name before any network."""

import getpass

from quadrille.client.settings import read_settings
from quadrille.net.core.errors import LocalError
from quadrille.net.trust.names import LONGEST_NAME, plain_name
from quadrille.rules.squares import quoted


def own_name(name: str | None) -> str:
    """Return the given name, or that of the person's settings, or the login name."""
    if name is None:
        if kept := read_settings()[0].name:
            return plain_name(kept)
        try:
            return plain_name(getpass.getuser())
        except (OSError, KeyError, ImportError):
            return plain_name("")
    if plain_name(name) != name:
        raise LocalError(
            f"{quoted(name)} is no name: use 1 to {LONGEST_NAME} letters with single spaces, each word in one alphabet"
        )
    return name
