"""What the tests of the store share."""

import sys
from pathlib import Path
from typing import Any

import pytest

from quadrille.net.trust.store import Store

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals, users and modes")
OWNER = bytes([7]) * 32
TABLE = b"t" * 16


def opened(folder: Path, **how: Any) -> Store:
    """A store with a table in it."""
    store = Store(folder, OWNER, **how)
    if store.table(TABLE) is None:
        store.keep_table(TABLE, "barons", b"terms", "seat", "playing", 1000)
    return store
