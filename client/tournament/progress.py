"""The progress of a running tournament: a table in its place on a terminal, or a line at intervals.

See tables.py for the final tables.
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import sqrt
from statistics import NormalDist
from textwrap import wrap
from typing import Any, Final, TextIO

from quadrille.ai.tournament.counting import Tally
from quadrille.ai.tournament.plans.plan import Entrant
from quadrille.ai.tournament.results import BEGINNINGS
from quadrille.ai.tournament.run import Run
from quadrille.ai.tournament.run_events import Ended, Event, Finished, Given, RunBegun, Unplayed, Void, Warned
from quadrille.ai.tournament.statistics.arrays import np
from quadrille.ai.tournament.statistics.quantiles import student_quantile
from quadrille.client.durations import PICTURE, duration, gap
from quadrille.client.foreign import shown
from quadrille.client.progress_line import MARGIN
from quadrille.client.settings import has_screen
from quadrille.client.tournament.notes import many
from quadrille.client.words.thoughts import dropped_text
from quadrille.rules.core.thoughts import DroppedField

#: Maximum entrants on a line.
BEST: Final = 4
#: Minimum blocks whose scatter means something.
BLOCKS: Final = 5
#: The quantile of a 95 % interval's upper end, and its distance in standard errors for very many blocks.
LEVEL: Final = 0.975
WIDE: Final = NormalDist().inv_cdf(LEVEL)
#: Maximum columns of the bar.
BAR: Final = 60
TRYING: Final = "trying the bots"
STOPPING: Final = "Finishing what has begun; Ctrl-C again stops at once."


def before(run: Run) -> str:
    """Say what the run does before the first game."""
    return f"making openings, {run.making}" if run.making else TRYING


def remaining(run: Run) -> str:
    if run.total is None or not run.played or run.stopping or run.count.verdict:
        return ""
    most = " at most" if run.plan.stop else ""
    return f"{duration((run.total - run.there - run.played) / run.rate())} left{most}"


def far(run: Run, counting: str = "") -> str:
    done = run.there + run.played
    games = many(done, "game") if run.total is None else f"{done} of {run.total} games"
    rate = f"{run.rate():.1f} a second" if run.played else ""
    return ", ".join(filter(None, (games + counting, rate, remaining(run))))


def line(run: Run) -> str:
    """Return the progress and the leaders in words."""
    best = [
        f"{shown(entrant.name)} {tally.score:.3f} {give_or_take(tally)}".rstrip()
        for entrant, tally in _ranked(run)[:BEST]
        if tally.score is not None
    ]
    return "; ".join(filter(None, (far(run), "  ".join(best))))


def _ranked(run: Run) -> list[tuple[Entrant, Tally]]:
    rows = zip(run.plan.entrants, run.count.tallies, strict=True)
    return sorted(rows, key=lambda row: -(row[1].score or 0))


def give_or_take(tally: Tally) -> str:
    """Return half of a score's 95 % interval. It holds for one look, but not for repeated looks.

    A few blocks, or blocks with equal results, give no interval.
    """
    if not tally.error or tally.blocks < BLOCKS:
        return ""
    others = tally.blocks - 1  # the mean comes from the same blocks
    return f"± {float(student_quantile(LEVEL, np.array(others))) * tally.error * sqrt(tally.blocks / others):.3f}"


def sentence(event: Void | Unplayed | Warned) -> str:
    """Return the sentence for an event that a person should read at once."""
    why = shown(event.why)
    match event:
        case Void(number):
            return f"Game {number} is played again: {why}."
        case Unplayed(number):
            return f"Game {number} has no result for anybody: it was begun {BEGINNINGS} times, and at last {why}."
    return f"{why}."


class LineProgress:
    """Prints a line at intervals if games have ended since the last one, and warnings at once."""

    def __init__(self, run: Run, out: TextIO, now: Callable[[], float] = time.monotonic) -> None:
        self._run = run
        self._out = out
        self._now = now
        self._began = self._last = now()
        self._trying = True
        #: The last line's content: its number of games, or the step before the first game.
        self._told: int | str = 0
        #: Whether the sentence about a resumed run is still due.
        self._resumed = run.there > 0
        self._stopping = False

    def take(self, event: Event) -> None:
        match event:
            case RunBegun():
                self._trying = False
            case Given() if self._resumed:
                self._resumed = False
                have = "has" if self._run.there == 1 else "have"
                self._say(f"{many(self._run.there, 'game')} {have} been played before: going on.")
            case Void() | Unplayed() | Warned():
                self._say(sentence(event))
        if self._run.stopping == 1 and not self._stopping:
            self._stopping = True
            self._say(STOPPING)
        if isinstance(event, Finished) or self._now() - self._last >= self._gap():
            self._tell()

    def _gap(self) -> float:
        return gap(self._now() - self._began)

    def _tell(self) -> None:
        if (state := before(self._run) if self._trying else self._run.played) not in (self._told, 0):
            self._told, self._last = state, self._now()
            self._say(before(self._run) if self._trying else line(self._run))

    def _say(self, text: str) -> None:
        print(text, file=self._out, flush=True)

    def close(self) -> None:
        """Do nothing: lines stay on the screen."""


class LiveProgress:
    """Draws the table on a terminal with rich, in its place."""

    def __init__(self, run: Run, console: Any = None) -> None:
        from rich.live import Live

        self._run = run
        self._trying = True
        self._last = 0.0
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._live.start()

    def take(self, event: Event) -> None:
        if isinstance(event, RunBegun):
            self._trying = False
        if isinstance(event, Void | Unplayed | Warned):
            self._live.console.print(sentence(event), markup=False)
        if isinstance(event, Finished) or time.monotonic() - self._last >= PICTURE:
            self._last = time.monotonic()
            self._live.update(self._drawn(), refresh=True)

    def _drawn(self) -> Any:
        """Return the table, the words and the bar. Words and bar are always visible, so the table gives way."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.text import Text

        run, (width, height) = self._run, self._live.console.size
        room = max(1, width - MARGIN)
        words = wrap(before(self._run) if self._trying else far(run, f" ({run.count.games} count)"), room)
        words += wrap(STOPPING, room) if run.stopping else []
        bar = ProgressBar(total=run.total, completed=run.there + run.played, width=min(BAR, room))
        # one line for the bar, and one to wipe the picture away
        return Group(*self._standing(height - len(words) - 2), Text("\n".join(words)), bar)

    def _standing(self, room: int) -> list[Any]:
        """Return the table in at most `room` lines; empty if not even one entrant has room."""
        from rich.table import Table
        from rich.text import Text

        rows = _ranked(self._run)
        fit = len(rows) if len(rows) < room else room - 2
        if fit < 1:
            return []
        table = Table(box=None, pad_edge=False)
        table.add_column("")
        for name in ("score", "± 95 %", "games", "faults", "s"):
            table.add_column(name, justify="right", no_wrap=True)
        for entrant, tally in rows[:fit]:
            table.add_row(
                Text(shown(entrant.name), no_wrap=True, overflow="ellipsis"),
                "" if tally.score is None else f"{tally.score:.3f}",
                give_or_take(tally),
                str(tally.games),
                str(tally.faults or ""),
                f"{tally.seconds:.1f}",
            )
        return [table, Text(f"and {len(rows) - fit} more")] if fit < len(rows) else [table]

    def close(self) -> None:
        """Remove the table; printed lines stay."""
        self._live.stop()


class DroppedThoughts:
    """Collects what a run dropped of its bots' thoughts: a mistake of their authors that costs no game."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._games: dict[int, int] = {}
        self._found: dict[int, dict[str, DroppedField]] = {}

    def take(self, event: Event) -> None:
        if not isinstance(event, Ended):
            return
        for one in event.outcome.thoughts.remarks.values():
            entrant = event.outcome.result.seats[one.seat]
            self._games.setdefault(entrant, event.outcome.number)
            rows = self._found.setdefault(entrant, {})
            first = rows.get(one.field)
            rows[one.field] = replace(first, times=first.times + one.times) if first else one

    def lines(self) -> list[str]:
        """Return a line for each of those bots."""
        return [
            dropped_text(self._names[entrant], self._games[entrant], list(rows.values()))
            for entrant, rows in sorted(self._found.items())
        ]


def watcher(run: Run, *, quiet: bool) -> tuple[Callable[[Event], None], Callable[[], None]]:
    """Return the listener that shows a run, and the function that ends it."""
    if quiet:
        return (lambda _: None), (lambda: None)
    if sys.stderr.isatty() and has_screen():
        try:
            picture = LiveProgress(run)
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] != "rich":
                raise
            print("With rich there is a table here: pip install rich", file=sys.stderr)
        else:
            return picture.take, picture.close
    lines = LineProgress(run, sys.stderr)
    return lines.take, lines.close
