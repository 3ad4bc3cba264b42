"""What the tests of the store share."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from quadrille.net.trust.store import Store

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals, users and modes")
OWNER = bytes([7]) * 32
TABLE = b"t" * 16
_PRELUDE = """
import os, signal, sys
from pathlib import Path
from tempfile import TemporaryDirectory
from quadrille.net.core.errors import LocalError
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store
FOLDER, OWNER, TABLE = Path(sys.argv[1]), bytes([7]) * 32, b"t" * 16
"""


def program(script: str, *arguments: object) -> "subprocess.Popen[str]":
    """Begin a real process with a folder and a store at hand."""
    words = [sys.executable, "-c", _PRELUDE + script, *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def lines(script: str, *arguments: object) -> list[str]:
    """All that such a process prints."""
    with program(script, *arguments) as ran:
        out, err = ran.communicate()
    assert ran.returncode == 0, err
    return out.splitlines()


def opened(folder: Path, **how: Any) -> Store:
    """A store with a table in it."""
    store = Store(folder, OWNER, **how)
    if store.table(TABLE) is None:
        store.keep_table(TABLE, "barons", "seat", 1000)
    return store
