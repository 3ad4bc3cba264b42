"""A terminal that hands on every key by itself and shows none: then a half-typed line can be drawn again at any time.

Where that is not possible (Windows, a dumb terminal, no terminal at all) lines come as the system gives them.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from quadrille.client.line_editor import LineEditor


@contextmanager
def single_keys(reader: TextIO | None, *, wanted: bool) -> Iterator[LineEditor | None]:
    """An editor for the keys that come in meanwhile; None where they do not come one by one."""
    if not wanted or reader is None or sys.platform == "win32" or os.environ.get("TERM", "dumb") == "dumb":
        yield None
        return
    import termios

    file = reader.fileno()
    before = termios.tcgetattr(file)
    during = termios.tcgetattr(file)
    during[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)  # Ctrl-C and Ctrl-Z stay what they are
    try:
        termios.tcsetattr(file, termios.TCSADRAIN, during)
        yield LineEditor()
    finally:
        termios.tcsetattr(file, termios.TCSADRAIN, before)
