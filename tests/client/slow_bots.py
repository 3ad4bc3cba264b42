"""Bots that take their time, as files of the kit: one never moves, one moves when a file beside it says so."""

from typing import Final

HANGS: Final = """
import time
from quadrille.ai import Bot

class Hangs(Bot):
    def choose(self, view, clock, rng):
        time.sleep(3600)
"""
#: When it begins to think there is a file `thinks` beside it; it moves when there is a file `go`.
WAITS: Final = """
import time
from pathlib import Path
from quadrille.ai import Bot

class Waits(Bot):
    def choose(self, view, clock, rng):
        Path(__file__).with_name("thinks").touch()
        while not Path(__file__).with_name("go").exists():
            time.sleep(0.01)
        return next(iter(view.moves))
"""
