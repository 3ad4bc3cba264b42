"""The puzzles of an evening: looked for in a thread, one at a time, and noted in the home."""

import time
from collections.abc import Callable
from math import inf
from threading import Event, Thread
from typing import Any, Final

from quadrille.client.lobby_rows import Brought, FrontOpened, Noted
from quadrille.client.screen.stage import sentence
from quadrille.client.screen.table import terminal
from quadrille.extras.study.kept import puzzle_home
from quadrille.extras.study.lessons.lesson import LessonWork, Note
from quadrille.extras.study.screen.lesson import LessonModel
from quadrille.net.core.errors import NetError
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game

#: Seconds between two sentences about the progress.
_PACE: Final = 0.3


class PuzzleSearch:
    """Finds today's puzzles for a screen; `tell` passes an event to it, from any thread (client/lobby_rows.py)."""

    def __init__(self, at_home: str | None, tell: Callable[[object], None]) -> None:
        self._home = at_home
        self._tell = tell
        self._over = Event()
        self._thread: Thread | None = None
        self._there: Any = None

    def close(self) -> None:
        """End the search at its next game: the person leaves."""
        self._over.set()

    def open(self, rest: str) -> None:
        """Begin to look for the puzzle of that game, or of the game whose day it is (""), unless one is looked for."""
        if self._thread is None or not self._thread.is_alive():
            # nobody waits for it at the end: a game takes seconds in plain Python
            self._thread = Thread(target=self._run, args=(rest,), daemon=True)
            self._thread.start()

    def _run(self, key: str) -> None:
        try:
            self._find(key)
        except (OSError, RulesError, NetError) as error:
            self._tell(terminal.Told(f"No puzzle: {sentence(error)}", alarm=True))

    def _find(self, key: str) -> None:
        today = puzzle_home.puzzle_day("", puzzle_home.local_day())
        played = puzzle_home.puzzle_game(game(key)) if key else puzzle_home.game_of(today)
        self._there, told = puzzle_home.PuzzleHome(self._home), -inf
        for found in self._there.lessons(played, today, today):
            if self._over.is_set():
                return
            if not isinstance(found, int):
                remark = f"{self._there.remark}." if self._there.remark else ""
                model = LessonModel.of(found, terminal.Look(), remark)
                self._tell(FrontOpened(model, "The puzzle is found: F7 shows it."))
            elif time.monotonic() - told > _PACE:
                told = time.monotonic()
                self._tell(Noted(puzzle_home.looking_text(played.title, today, found)))

    def perform(self, effect: Any) -> bool:
        """Do work in a thread, or write down a move or a hint."""
        match effect:
            case LessonWork():
                Thread(target=lambda: self._tell(Brought(effect.done())), daemon=True).start()
            case Note():
                self._there.noted(effect)
                if self._there.trouble:
                    self._tell(terminal.Told(self._there.not_kept, alarm=True))
            case _:
                return False
        return True
