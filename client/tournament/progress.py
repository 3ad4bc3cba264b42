"""A tournament while it runs: a table that stays in its place on a terminal, or a line now and then."""

import json
import sys
import time
from collections.abc import Callable
from typing import Any, Final, TextIO

from quadrille.ai.tournament.counting import Tally
from quadrille.ai.tournament.plan import Entrant
from quadrille.ai.tournament.run import Begun, Ended, Event, Finished, Passing, Run, Void, Warned, plain
from quadrille.client.foreign import shown

#: So long between two lines, in seconds; and between two pictures of the table.
LINE: Final = 1.0
PICTURE: Final = 0.25


def remaining(run: Run) -> str:
    """How long it will take, if that is known."""
    if run.total is None or not run.played:
        return ""
    left = (run.total - run.there - run.played) / run.rate()
    minutes, seconds = divmod(round(left), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02} left" if hours else f"{minutes}:{seconds:02} left"


def line(run: Run) -> str:
    """How far it is."""
    of = f" of {run.total}" if run.total is not None else ""
    parts = [f"{run.there + run.played}{of} games", f"{run.rate():.1f} a second", remaining(run)]
    best = [
        f"{shown(entrant.name)} {tally.score:.3f}{give_or_take(tally)}"
        for entrant, tally in _ranked(run)[:4]
        if tally.score is not None
    ]
    return ", ".join([part for part in parts if part]) + (f"; {'  '.join(best)}" if best else "")


def _ranked(run: Run) -> list[tuple[Entrant, Tally]]:
    """Everybody with what counts so far, best first."""
    rows = zip(run.plan.entrants, run.count.tallies, strict=True)
    return sorted(rows, key=lambda row: -(row[1].score or 0))


def give_or_take(tally: Tally) -> str:
    """Half of the interval that holds a score in 95 of 100 cases: for one look, and not for whoever looks often."""
    return "" if tally.error is None else f" ± {1.96 * tally.error:.3f}"


def _sentence(event: Void | Warned) -> str:
    """What has to be said at once."""
    why = shown(event.why)
    return f"Game {event.number} is played again: {why}." if isinstance(event, Void) else f"{why}."


class Lines:
    """A line a second at most, and what has to be said at once."""

    def __init__(self, run: Run, out: TextIO) -> None:
        self._run = run
        self._out = out
        self._last = time.monotonic()
        self._shown = ""

    def take(self, event: Event) -> None:
        """Something happened."""
        match event:
            case Begun(there) if there:
                self._say(f"{there} games have been played before: going on.")
            case Void() | Warned():
                self._say(_sentence(event))
            case Ended() | Passing() if time.monotonic() - self._last >= LINE:
                self._last = time.monotonic()
                if (now := line(self._run)) != self._shown:
                    self._shown = now
                    self._say(now)
            case Finished():
                self._say(line(self._run))

    def _say(self, text: str) -> None:
        print(text, file=self._out, flush=True)

    def close(self) -> None:
        """Nothing is left on the screen that would have to go."""


class Picture:
    """The table on a terminal, drawn by rich in its place."""

    def __init__(self, run: Run, console: Any = None) -> None:
        from rich.live import Live

        self._run = run
        self._last = 0.0
        self._live = Live(self._drawn(), console=console, auto_refresh=False, transient=True)
        self._live.start()

    def take(self, event: Event) -> None:
        """Something happened."""
        if isinstance(event, Void | Warned):
            self._live.console.print(_sentence(event), markup=False)
        if isinstance(event, Finished) or time.monotonic() - self._last >= PICTURE:
            self._last = time.monotonic()
            self._live.update(self._drawn(), refresh=True)

    def _drawn(self) -> Any:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        run = self._run
        table = Table(box=None, pad_edge=False)
        for name, side in (
            ("", "left"),
            ("score", "right"),
            ("", "left"),
            ("games", "right"),
            ("faults", "right"),
            ("s", "right"),
        ):
            table.add_column(name, justify=side)  # type: ignore[arg-type]
        for entrant, tally in _ranked(run):
            score = "" if tally.score is None else f"{tally.score:.3f}"
            cells = (
                score,
                give_or_take(tally).strip(),
                str(tally.games),
                str(tally.faults or ""),
                f"{tally.seconds:.1f}",
            )
            table.add_row(Text(shown(entrant.name)), *cells)
        done = run.there + run.played
        of = f" of {run.total}" if run.total is not None else ""
        words = f"{done}{of} games ({run.count.games} count), {run.rate():.1f} a second, {remaining(run)}"
        stop = ["finishing the games that have begun; Ctrl-C again stops at once"] if run.stopping else []
        return Group(
            table,
            ProgressBar(total=run.total or max(done, 1), completed=done, width=60),
            Text("\n".join([words.rstrip(", "), *stop])),
        )

    def close(self) -> None:
        """The table goes; what was printed stays."""
        self._live.stop()


class Stream:
    """Every event as a line of JSON (protocols.md, "Tournaments")."""

    def __init__(self, run: Run, out: TextIO) -> None:
        self._run = run
        self._out = out

    def take(self, event: Event) -> None:
        """Something happened."""
        if (row := plain(event, self._run)) is not None:
            print(json.dumps(row), file=self._out, flush=True)


def watcher(run: Run, *, quiet: bool) -> tuple[Callable[[Event], None], Callable[[], None]]:
    """Who shows a run, and what ends the showing."""
    if quiet:
        return (lambda _: None), (lambda: None)
    if sys.stderr.isatty() and sys.stdout.isatty():
        try:
            picture = Picture(run)
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] != "rich":
                raise
            print("With rich there is a table here: pip install 'quadrille[tournament]'", file=sys.stderr)
        else:
            return picture.take, picture.close
    lines = Lines(run, sys.stderr)
    return lines.take, lines.close
