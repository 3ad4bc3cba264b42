"""A tournament while it runs: a table that stays in its place on a terminal, or a line now and then.

What is printed when it is over is said in tables.py; which words a script gets as JSON, in protocols.md, "Tournaments".
"""

import json
import sys
import time
from collections.abc import Callable
from math import sqrt
from statistics import NormalDist
from textwrap import wrap
from typing import Any, Final, TextIO

from quadrille.ai.tournament.arrays import np
from quadrille.ai.tournament.counting import Tally
from quadrille.ai.tournament.plan import Entrant
from quadrille.ai.tournament.quantiles import student_quantile
from quadrille.ai.tournament.results import BEGINNINGS
from quadrille.ai.tournament.run import Event, Finished, Given, Run, RunBegun, Unplayed, Void, Warned, plain
from quadrille.client.foreign import shown
from quadrille.client.settings import has_screen
from quadrille.client.tournament.tables import many

#: So many seconds between two pictures of the table.
PICTURE: Final = 0.25
#: So many seconds between two lines; each row from so many seconds on.
GAPS: Final = ((60.0, 30.0), (10.0, 5.0), (0.0, 1.0))
#: So many entrants are on a line.
BEST: Final = 4
#: From so many blocks on it means something how they scatter.
BLOCKS: Final = 5
#: What lies below the upper end of an interval that holds the truth in 95 of 100 cases, and how many standard errors
#: that is away if there are very many blocks.
LEVEL: Final = 0.975
WIDE: Final = NormalDist().inv_cdf(LEVEL)
#: How wide the bar is at most; and what is left free beside it and the words. There the terminal writes `^C`, once or
#: twice: on a full line that would begin another one, and nobody would wipe that away.
BAR: Final = 60
MARGIN: Final = 4
TRYING: Final = "trying the bots"
STOPPING: Final = "Finishing what has begun; Ctrl-C again stops at once."


def before(run: Run) -> str:
    """What is done before the first game."""
    return f"making openings, {run.making}" if run.making else TRYING


def remaining(run: Run) -> str:
    """How long it will take, if that is known."""
    if run.total is None or not run.played or run.stopping or run.count.verdict:
        return ""
    left = (run.total - run.there - run.played) / run.rate()
    minutes, seconds = divmod(round(left), 60)
    hours, minutes = divmod(minutes, 60)
    most = " at most" if run.plan.stop else ""
    return (f"{hours}:{minutes:02}:{seconds:02} left" if hours else f"{minutes}:{seconds:02} left") + most


def far(run: Run, counting: str = "") -> str:
    """How far it is."""
    done = run.there + run.played
    games = many(done, "game") if run.total is None else f"{done} of {run.total} games"
    rate = f"{run.rate():.1f} a second" if run.played else ""
    return ", ".join(filter(None, (games + counting, rate, remaining(run))))


def line(run: Run) -> str:
    """The same, and who is ahead."""
    best = [
        f"{shown(entrant.name)} {tally.score:.3f} {give_or_take(tally)}".rstrip()
        for entrant, tally in _ranked(run)[:BEST]
        if tally.score is not None
    ]
    return "; ".join(filter(None, (far(run), "  ".join(best))))


def _ranked(run: Run) -> list[tuple[Entrant, Tally]]:
    """Everybody with what counts so far, best first."""
    rows = zip(run.plan.entrants, run.count.tallies, strict=True)
    return sorted(rows, key=lambda row: -(row[1].score or 0))


def give_or_take(tally: Tally) -> str:
    """Half of the interval that holds a score in 95 of 100 cases: for one look, and not for whoever looks often.

    A few blocks, or blocks that all went alike, do not tell it.
    """
    if not tally.error or tally.blocks < BLOCKS:
        return ""
    others = tally.blocks - 1  # the mean was taken from these very blocks
    return f"± {float(student_quantile(LEVEL, np.array(others))) * tally.error * sqrt(tally.blocks / others):.3f}"


def _sentence(event: Void | Unplayed | Warned) -> str:
    """What has to be said at once."""
    why = shown(event.why)
    match event:
        case Void(number):
            return f"Game {number} is played again: {why}."
        case Unplayed(number):
            return f"Game {number} has no result for anybody: it was begun {BEGINNINGS} times, and at last {why}."
    return f"{why}."


class LineProgress:
    """A line now and then, if games have ended since the last one; and what has to be said at once."""

    def __init__(self, run: Run, out: TextIO, now: Callable[[], float] = time.monotonic) -> None:
        self._run = run
        self._out = out
        self._now = now
        self._began = self._last = now()
        self._trying = True
        #: What the last line told: so many games, or what is done before the first.
        self._told: int | str = 0
        #: What has to be said once.
        self._resumed = run.there > 0
        self._stopping = False

    def take(self, event: Event) -> None:
        """Something happened."""
        match event:
            case RunBegun():
                self._trying = False
            case Given() if self._resumed:
                self._resumed = False
                have = "has" if self._run.there == 1 else "have"
                self._say(f"{many(self._run.there, 'game')} {have} been played before: going on.")
            case Void() | Unplayed() | Warned():
                self._say(_sentence(event))
        if self._run.stopping == 1 and not self._stopping:
            self._stopping = True
            self._say(STOPPING)
        if isinstance(event, Finished) or self._now() - self._last >= self._gap():
            self._tell()

    def _gap(self) -> float:
        age = self._now() - self._began
        return next(gap for since, gap in GAPS if age >= since)

    def _tell(self) -> None:
        """How far it is, if that is news."""
        if (state := before(self._run) if self._trying else self._run.played) not in (self._told, 0):
            self._told, self._last = state, self._now()
            self._say(before(self._run) if self._trying else line(self._run))

    def _say(self, text: str) -> None:
        print(text, file=self._out, flush=True)

    def close(self) -> None:
        """Nothing is left on the screen that would have to go."""


class LiveProgress:
    """The table on a terminal, drawn by rich in its place."""

    def __init__(self, run: Run, console: Any = None) -> None:
        from rich.live import Live

        self._run = run
        self._trying = True
        self._last = 0.0
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._live.start()

    def take(self, event: Event) -> None:
        """Something happened."""
        if isinstance(event, RunBegun):
            self._trying = False
        if isinstance(event, Void | Unplayed | Warned):
            self._live.console.print(_sentence(event), markup=False)
        if isinstance(event, Finished) or time.monotonic() - self._last >= PICTURE:
            self._last = time.monotonic()
            self._live.update(self._drawn(), refresh=True)

    def _drawn(self) -> Any:
        """The table, the words and the bar. The words and the bar have to be seen: what has no room is the table's."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.text import Text

        run, (width, height) = self._run, self._live.console.size
        room = max(1, width - MARGIN)
        words = wrap(before(self._run) if self._trying else far(run, f" ({run.count.games} count)"), room)
        words += wrap(STOPPING, room) if run.stopping else []
        bar = ProgressBar(total=run.total, completed=run.there + run.played, width=min(BAR, room))
        # one line for the bar, and one that is needed to wipe all of it away
        return Group(*self._standing(height - len(words) - 2), Text("\n".join(words)), bar)

    def _standing(self, room: int) -> list[Any]:
        """The table in so many lines; nothing if there is none for anybody."""
        from rich.table import Table
        from rich.text import Text

        rows = _ranked(self._run)
        fit = len(rows) if len(rows) < room else room - 2
        if fit < 1:
            return []
        table = Table(box=None, pad_edge=False)
        table.add_column("")
        running = self._run.provisional()
        for name in ("score", "± 95 %", "games", "faults", "s", *(["provisional"] if running else [])):
            table.add_column(name, justify="right", no_wrap=True)
        for entrant, tally in rows[:fit]:
            table.add_row(
                Text(shown(entrant.name), no_wrap=True, overflow="ellipsis"),
                "" if tally.score is None else f"{tally.score:.3f}",
                give_or_take(tally),
                str(tally.games),
                str(tally.faults or ""),
                f"{tally.seconds:.1f}",
                *(["{:.1f} ± {:.1f}".format(*running[entrant.name])] if running else []),
            )
        return [table, Text(f"and {len(rows) - fit} more")] if fit < len(rows) else [table]

    def close(self) -> None:
        """The table goes; what was printed stays."""
        self._live.stop()


class JsonProgress:
    """Every event as a line of JSON (protocols.md, "Tournaments")."""

    def __init__(self, run: Run, out: TextIO) -> None:
        self._run = run
        self._out = out

    def take(self, event: Event) -> None:
        """Something happened."""
        if (row := plain(event, self._run)) is not None:
            print(json.dumps(row), file=self._out, flush=True)


def watcher(run: Run, *, quiet: bool, piped: bool = False) -> tuple[Callable[[Event], None], Callable[[], None]]:
    """Who shows a run, and what ends the showing. `piped`: standard output is for a program, which may write to the
    same terminal.
    """
    if quiet:
        return (lambda _: None), (lambda: None)
    if sys.stderr.isatty() and has_screen(plain=piped):
        try:
            picture = LiveProgress(run)
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] != "rich":
                raise
            print("With rich there is a table here: pip install 'quadrille[tournament]'", file=sys.stderr)
        else:
            return picture.take, picture.close
    lines = LineProgress(run, sys.stderr)
    return lines.take, lines.close
