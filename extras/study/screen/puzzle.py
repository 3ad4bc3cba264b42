"""The puzzle of the day in the lobby, and what is noted of it in the home."""

from collections.abc import Callable
from threading import Thread
from typing import Any

from quadrille.client.lobby_rows import Brought, FrontOpened
from quadrille.client.screen.stage import sentence
from quadrille.client.screen.table import terminal
from quadrille.extras.study.kept.puzzle_home import PuzzleHome
from quadrille.extras.study.lessons.lesson import LessonWork, Note
from quadrille.extras.study.screen.lesson import LessonModel
from quadrille.net.core.errors import NetError
from quadrille.rules.errors import RulesError


class LobbyPuzzle:
    """Opens puzzles for a screen; `tell` passes an event to it, from any thread (client/lobby_rows.py)."""

    def __init__(self, at_home: str | None, tell: Callable[[object], None]) -> None:
        self._home = at_home
        self._tell = tell
        self._there: Any = None

    def close(self) -> None:
        """Nothing goes on: a line is proved in less than a second."""

    def open(self, rest: str) -> None:
        """Open the puzzle of today, or the last one of that game."""
        try:
            self._there = PuzzleHome(self._home)
            lesson = self._there.lesson(rest)
        except (OSError, RulesError, NetError) as error:
            self._tell(terminal.Told(f"No puzzle: {sentence(error)}", alarm=True))
            return
        remark = f"{self._there.remark}." if self._there.remark else ""
        self._tell(FrontOpened(LessonModel.of(lesson, terminal.Look(), remark), "The puzzle is there: F7 shows it."))

    def perform(self, effect: Any) -> bool:
        """Do work in a thread, or write down a move or a hint."""
        match effect:
            case LessonWork():
                Thread(target=lambda: self._tell(Brought(effect.done())), daemon=True).start()
            case Note():
                self._there.noted(effect)
                if self._there.not_kept:
                    self._tell(terminal.Told(self._there.not_kept, alarm=True))
            case _:
                return False
        return True
