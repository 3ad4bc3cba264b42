"""The puzzles of an evening: looked for in a thread, one at a time, and noted in the home."""

import time
from collections.abc import Callable
from math import inf
from threading import Event, Thread
from typing import Any, Final

from quadrille.client.screen.evening_events import Posed, Seeking
from quadrille.client.screen.stage import sentence
from quadrille.client.screen.table import terminal
from quadrille.net.core.errors import NetError
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game

#: Seconds between two sentences about the progress.
_PACE: Final = 0.3


class PuzzleSearch:
    """Finds today's puzzles for a screen; `tell` passes an event to it, from any thread."""

    def __init__(self, at_home: str | None, tell: Callable[[object], None]) -> None:
        self._home = at_home
        self._tell = tell
        self._over = Event()
        self._thread: Thread | None = None
        self._there: Any = None

    def close(self) -> None:
        """End the search at its next game: the person leaves."""
        self._over.set()

    def find(self, key: str) -> None:
        """Begin to look for the puzzle of that game, or of the game whose day it is (""), unless one is looked for."""
        if self._thread is None or not self._thread.is_alive():
            # nobody waits for it at the end: a game takes seconds in plain Python
            self._thread = Thread(target=self._run, args=(key,), daemon=True)
            self._thread.start()

    def _run(self, key: str) -> None:
        try:
            self._find(key)
        except (OSError, RulesError, NetError) as error:
            self._tell(terminal.Told(f"No puzzle: {sentence(error)}", alarm=True))

    def _find(self, key: str) -> None:
        # imported here: the first picture needs no puzzle
        from quadrille.client.kept.puzzle_home import PuzzleHome, game_of, local_day, puzzle_day, puzzle_game
        from quadrille.client.words.puzzles import PUZZLES, looking_text

        today = puzzle_day("", local_day())
        played = puzzle_game(game(key)) if key else game_of(today)
        self._there, told = PuzzleHome(self._home), -inf
        for found in self._there.lessons(played, today, today):
            if self._over.is_set():
                return
            if not isinstance(found, int):
                self._tell(Posed(found, PUZZLES, f"{remark}." if (remark := self._there.remark) else ""))
            elif time.monotonic() - told > _PACE:
                told = time.monotonic()
                self._tell(Seeking(looking_text(played.title, today.isoformat(), found)))

    def noted(self, kept: Any) -> None:
        """Write down a move or a hint."""
        from quadrille.client.words.puzzles import not_kept_text

        self._there.noted(kept)
        if self._there.trouble:
            self._tell(terminal.Told(not_kept_text(self._there.trouble), alarm=True))
