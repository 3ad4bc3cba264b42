"""What the live page reads in its folder: each worker's game as one who looks on knows it, and how far the run is.

A thread of the worker writes it, and only while a mark beside it says that somebody looks. The game does nothing for
it, and no hidden card gets into the file.
"""

import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from quadrille.ai.tournament.play.playing import Job
from quadrille.ai.tournament.play.worker_bench import Bench, bench
from quadrille.rules.match import Match, Onlooker
from quadrille.rules.record import write

#: Seconds between two looks of a worker at its game.
EVERY: Final = 0.25
#: Seconds after which a mark or a record is old: nobody looks, or its worker is gone.
OLD: Final = 5.0
SUFFIX: Final = ".record"
_MARK: Final = "looked"
_RUN: Final = "run"
_OVER: Final = "over "


def mark(folder: Path) -> None:
    """Note that a viewer looks."""
    (folder / _MARK).touch()


def is_watched(folder: Path) -> bool:
    """Return whether a viewer has looked lately."""
    return is_fresh(folder / _MARK)


def tell_run(folder: Path, text: str, *, is_over: bool = False) -> None:
    """Tell in a sentence how far the run is, or how it ended."""
    with suppress(OSError):  # a full disk ends no tournament
        (folder / f"{_RUN}.fresh").write_text(_OVER * is_over + text, "utf-8")
        (folder / f"{_RUN}.fresh").replace(folder / _RUN)


def told_run(folder: Path) -> tuple[str, bool]:
    """Return the sentence of `tell_run`, "" before the first, and whether the run is over."""
    try:
        text = (folder / _RUN).read_text("utf-8")
    except (OSError, ValueError):
        return "", False
    return text.removeprefix(_OVER), text.startswith(_OVER)


def is_fresh(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime < OLD
    except OSError:
        return False


class WorkersGame:
    """Keeps the file of a worker."""

    def __init__(self, here: Bench, folder: Path) -> None:
        self._here = here
        self._folder = folder
        self._file = folder / f"{os.getpid()}{SUFFIX}"
        self._playing: tuple[Job, Match] | None = None
        self._shows: Onlooker | None = None

    def look(self) -> None:
        """Write the game as it is now; without a game, or if nobody looks, remove the file."""
        playing = self._here.playing
        if playing is None or not is_watched(self._folder):
            self._playing = self._shows = None
            self._file.unlink(missing_ok=True)
            return
        job, match = playing
        if self._shows is None or self._playing is not playing:
            self._playing, self._shows = playing, Onlooker(match)
        table = {"number": job.fixture.number, "names": [entrant.name for entrant in job.entrants]}
        fresh = self._file.with_suffix(".fresh")
        fresh.write_text(write(self._shows.catch_up(drawn=True), table), "ascii")
        fresh.replace(self._file)


def show(folder: str) -> None:
    """Begin to show a worker's games in a folder; called before its first game."""
    threading.Thread(target=_show, args=(WorkersGame(bench(), Path(folder)),), daemon=True).start()


def _show(shown: WorkersGame) -> None:
    while True:
        time.sleep(EVERY)
        with suppress(OSError):  # its reader has the file open, or the run has ended and taken the folder away
            shown.look()
