"""The progress of a running tournament in one line (client/progress_line.py). See tables.py for the final tables."""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from typing import Final

from quadrille.ai.tournament.results import BEGINNINGS
from quadrille.ai.tournament.run import Run
from quadrille.ai.tournament.run_events import Ended, Event, Finished, Given, Linked, RunBegun, Unplayed, Void, Warned
from quadrille.ai.tournament.statistics import FEW_BLOCKS, LEVEL
from quadrille.ai.tournament.statistics.tables import Tally
from quadrille.client.foreign import isolated, shown
from quadrille.client.progress_line import ProgressLine, duration
from quadrille.client.reports import many
from quadrille.client.words.thoughts import dropped_text
from quadrille.rules.core.thoughts import DroppedField

#: Maximum entrants on a line.
BEST: Final = 4
TRYING: Final = "trying the bots"
STOPPING: Final = "Finishing what has begun; Ctrl-C again stops at once."


def before(run: Run) -> str:
    """Say what the run does before the first game."""
    return f"making openings, {run.making}" if run.making else f"{TRYING}{run.tried and f', {run.tried}'}"


def remaining(run: Run) -> str:
    if run.total is None or not run.played or run.stopping or run.count.verdict:
        return ""
    most = " at most" if run.plan.stop else ""
    return f"{duration((run.total - run.there - run.played) / run.rate())} left{most}"


def line(run: Run) -> str:
    """Return the progress and the leaders in words."""
    done = run.there + run.played
    games = many(done, "game") if run.total is None else f"{done} of {run.total} games"
    rounds = getattr(run.plan.format, "rounds", 0)
    nth = f"round {run.round} of {rounds}" if rounds else ""
    rate = f"{run.rate():.1f} a second" if run.played else ""
    about = run.plan.stop.entrant if run.plan.stop else run.plan.format.about
    rows = enumerate(zip(run.plan.entrants, run.count.tallies, strict=True))
    ranked = [row for _, row in sorted(rows, key=lambda row: (row[0] != about, -(row[1][1].score or 0)))]
    best = [
        f"{isolated(entrant.name)} {tally.score:.3f} {give_or_take(tally)}".rstrip()
        for entrant, tally in ranked[:BEST]
        if tally.score is not None
    ]
    far = ", ".join(filter(None, (nth, games, rate, remaining(run))))
    return "; ".join(filter(None, (far, "  ".join(best))))


def give_or_take(tally: Tally) -> str:
    """Return half of a score's 95 % interval, which holds for one look; "" for few blocks, or for equal ones."""
    if not tally.error or tally.blocks < FEW_BLOCKS:
        return ""
    from quadrille.ai.tournament.statistics.arrays import np  # imported here: it takes long, and the first game waits
    from quadrille.ai.tournament.statistics.quantiles import student_quantile

    degrees = tally.blocks - 1  # the mean comes from the same blocks
    half = float(student_quantile((1 + LEVEL) / 2, np.array(degrees))) * tally.error
    return f"± {half * sqrt(tally.blocks / degrees):.3f}"


def sentence(event: Void | Unplayed | Warned | Linked) -> str:
    """Return the sentence for an event that a person should read at once."""
    if isinstance(event, Linked):
        return shown(event.text)
    reason = shown(event.why)
    match event:
        case Void(number):
            return f"Game {number} is played again: {reason}."
        case Unplayed(number):
            return f"Game {number} has no result for anybody: it was begun {BEGINNINGS} times, and at last {reason}."
    return f"{reason}."


class RunProgress:
    """Tells how far a run is, in one line, and at once what a person should read."""

    def __init__(self, run: Run, *, quiet: bool) -> None:
        self._run = run
        self._line = ProgressLine(quiet=quiet)
        self._trying = True
        #: The last line, and its number of games.
        self._text = ""
        self._played = 0
        #: Whether the sentence about a resumed run is still due.
        self._resumed = run.there > 0
        self._stopping = False

    def take(self, event: Event) -> None:
        match event:
            case RunBegun():
                self._trying, self._text = False, ""
            case Given() if self._resumed:
                self._resumed = False
                have = "has" if self._run.there == 1 else "have"
                self._line.say(f"{many(self._run.there, 'game')} {have} been played before: going on.")
            case Void() | Unplayed() | Warned():
                self._line.say(sentence(event))
            case Linked():
                self._line.say(sentence(event), always=True)  # without its address nobody finds a page
        if self._run.stopping == 1 and not self._stopping:
            self._stopping = True
            self._line.say(STOPPING)
        if self._trying:
            self._line.tell(lambda: before(self._run))
        elif self._text or self._run.played:
            self._line.tell(self._far, at_once=isinstance(event, Finished))

    def _far(self) -> str:
        """Return the progress; the same as before if no game has ended since."""
        if self._run.played != self._played or not self._text:
            self._played, self._text = self._run.played, line(self._run)
        return self._text

    def end(self) -> None:
        """Wipe the line; sentences stay."""
        self._line.end()


class DroppedThoughts:
    """Collects what a run dropped of its bots' thoughts: a mistake of their authors that costs no game."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._games: dict[int, int] = {}
        self._found: dict[int, dict[str, DroppedField]] = {}

    def take(self, event: Event) -> None:
        if not isinstance(event, Ended):
            return
        for remark in event.outcome.thoughts.remarks.values():
            entrant = event.outcome.result.seats[remark.seat]
            self._games.setdefault(entrant, event.outcome.number)
            rows = self._found.setdefault(entrant, {})
            first = rows.get(remark.field)
            rows[remark.field] = replace(first, times=first.times + remark.times) if first else remark

    def lines(self) -> list[str]:
        """Return a line for each of those bots."""
        return [
            dropped_text(self._names[entrant], self._games[entrant], list(rows.values()))
            for entrant, rows in sorted(self._found.items())
        ]
