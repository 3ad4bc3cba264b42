"""The progress of a placement: one line, in its place on a terminal, with the time that is left."""

import sys
import time
from collections.abc import Sequence
from math import isfinite
from typing import Final

from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.run import Run
from quadrille.ai.tournament.run_events import Ended, Event, Finished, Passing, RunBegun, Unplayed, Void, Warned
from quadrille.client.foreign import shown
from quadrille.client.tournament.progress import STOPPING
from quadrille.extras.league.ladder.ladders import RatedLadder
from quadrille.extras.league.ladder.place import Placing, placed

#: Seconds between two pictures of the line, and between two lines where it can't be overwritten.
PICTURE: Final = 2.0
GAP: Final = 10.0
#: Maximum error with which an estimate is shown.
TOLD: Final = 400
_WIPE: Final = "\r\x1b[K"


def bound(own: Placing) -> str:
    """Say what is known of a bot beyond all samples: the end of its interval that is nearer to them."""
    if not isfinite(own.error):
        return "?"
    return f"at least {own.low:.0f}" if own.beyond > 0 else f"at most {own.high:.0f}"


class PlacementProgress:
    """Shows how far a placement is, and ends it when its time is over."""

    def __init__(
        self, run: Run, ladder: RatedLadder, names: Sequence[str], until: float, *, quiet: bool = False
    ) -> None:
        self._run = run
        self._ladder = ladder
        self._names = names
        self._until = until
        self._quiet = quiet
        self._here = sys.stderr.isatty()
        self._last = 0.0
        self._told_stopping = False
        self._results: list[Result] = list(run.journal.results()) if run.there else []
        self._estimate = ""
        #: Whether time was over before all games were played.
        self.late = False

    def take(self, event: Event) -> None:
        now = time.monotonic()
        if now >= self._until and not self._run.stopping:
            self._run.stopping, self.late = 1, True
        match event:
            case RunBegun(there):
                if there:
                    self._say(f"{there} games have been played before: going on.")
            case Ended(outcome):
                self._results.append(outcome.result)
            case Void() | Unplayed() | Warned():
                self._say(f"{shown(event.why)}.")
            case Finished():
                return
            case _:
                pass
        if self._run.stopping and not self.late and not self._told_stopping:
            self._told_stopping = True
            self._say(STOPPING)
        if isinstance(event, Passing) and now - self._last >= (PICTURE if self._here else GAP):
            self._last = now
            self._draw(now)

    def _draw(self, now: float) -> None:
        if not self._quiet:
            line = self._line(now)
            print(f"{_WIPE}{line}" if self._here else line, end="" if self._here else "\n", file=sys.stderr, flush=True)

    def _line(self, now: float) -> str:
        run, done = self._run, self._run.there + self._run.played
        found = placed(self._ladder, self._results, self._names) if self._results else None
        about = ""
        if found is not None and found.error < TOLD:
            about = f", {bound(found) if found.beyond else f'about {found.elo:.0f} ± {found.error:.0f}'} Elo"
        left = self._until - now
        if run.played and run.total is not None:
            left = min(left, (run.total - done) / run.rate())
        minutes, seconds = divmod(max(0, round(left)), 60)
        return f"{self._ladder.game}: {done} of {run.total} games{about}, {minutes}:{seconds:02} left"

    def _say(self, text: str) -> None:
        if not self._quiet:
            print(f"{_WIPE if self._here else ''}{text}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Wipe the line away."""
        if self._here and not self._quiet:
            print(_WIPE, end="", file=sys.stderr, flush=True)
