"""A tournament while it runs, as a newcomer saw it: on small screens, on none, and in a pipe."""

import io
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.ai.tournament.counting import Tally
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan import Stop
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.ai.tournament.play.processes import Processes
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.run import Run
from quadrille.ai.tournament.run_events import OVER, Ended, Event, Finished, Given, Passing, RunBegun, Void
from quadrille.client.tournament.progress import (
    DroppedThoughts,
    LineProgress,
    LiveProgress,
    give_or_take,
    line,
    watcher,
)
from quadrille.rules.core.thoughts import DroppedField, Thoughts

MANY = 20
WORDS = "1234 of 3800 games (1200 count), 12.3 a second, 3:29 left"
STOP = "Finishing what has begun; Ctrl-C again stops at once."


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """A run of 3800 games between twenty, of which nothing has been played; by itself it plays nothing."""
    entrants = "".join(f'[[entrant]]\nname = "bot number {number}"\nbot = "random"\n' for number in range(MANY))
    plan = parse(f'[format]\ncycles = 10\n[[game]]\ngame = "maze"\n{entrants}', str(tmp_path))
    with Journal(tmp_path / "league.sqlite", plan=plan) as journal:
        one = Run(plan, journal, Processes(1))
        monkeypatch.setattr(one, "rate", lambda: 12.3)
        yield one


def tally(score: float, blocks: int, spread: float = 0.1) -> Tally:
    """What somebody has done in so many blocks of two games."""
    squares = blocks * (score**2 + spread**2)
    return Tally(2 * blocks, round(4 * blocks * score), 4 * blocks, 0, 7.25, blocks, blocks * score, squares)


def far_on(run: Run) -> None:
    """In the middle of it."""
    run.played, run.count.games = 1234, 1200
    run.count.tallies = [tally(0.9 - place / 40, 60) for place in range(MANY)]


def drawn(run: Run, width: int, height: int, *events: Event) -> list[str]:
    """The lines of the last picture on a screen of that size."""
    console = pytest.importorskip("rich.console").Console
    out = io.StringIO()
    screen = console(
        file=out, force_terminal=True, width=width, height=height, color_system="truecolor", no_color=False
    )
    picture = LiveProgress(run, screen)
    for event in (*events, Finished(OVER)):
        out.truncate(out.seek(0))
        picture.take(event)
    found = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r", "", out.getvalue())
    picture.close()
    return found.split("\n")


@pytest.mark.parametrize(("width", "height"), [(80, 24), (60, 15), (120, 40), (80, 12)])
def test_rate_and_time_left_are_on_every_screen(run: Run, width: int, height: int) -> None:
    far_on(run)
    lines = drawn(run, width, height, RunBegun(0))
    assert max(map(len, lines)) <= width
    words = " ".join(lines[-3:-1] if width == 60 else lines[-2:-1])
    assert WORDS in words
    assert set(lines[-1]) == {"━", "╺"} or set(lines[-1]) == {"━", "╸"}
    assert len(lines[-1]) == min(60, width - 4)


@pytest.mark.parametrize("width", [80, 60, 30])
def test_the_echo_of_ctrl_c_begins_no_line(run: Run, width: int) -> None:
    far_on(run)
    run.stopping = 1
    lines = drawn(run, width, 24, RunBegun(0))
    assert len(lines[-1]) + len("^C^C") <= width
    assert STOP in " ".join(lines)


def test_more_entrants_than_lines_leave_the_words_and_the_bar(run: Run) -> None:
    far_on(run)
    run.stopping = 1
    words = WORDS.removesuffix(", 3:29 left")  # nobody knows, once no new game is begun
    lines = drawn(run, 80, 12, RunBegun(0))
    assert lines[-3:-1] == [words, STOP]
    assert "bot number 0" in lines[1] and "bot number 5" in lines[6]
    assert lines[7] == "and 14 more"
    assert len(lines) == 11, "with all lines of the screen rich can't wipe the first one"
    assert drawn(run, 80, 4, RunBegun(0))[:2] == [words, STOP]
    assert "more" not in " ".join(drawn(run, 80, 40, RunBegun(0)))


def test_few_blocks_and_blocks_alike_have_no_error() -> None:
    assert give_or_take(tally(0.5, 2)) == give_or_take(tally(0.5, 4)) == give_or_take(Tally()) == ""
    assert give_or_take(tally(1.0, 9, 0)) == ""
    assert give_or_take(tally(0.5, 25)) == "± 0.042"  # not 0.039: the mean was taken from these very blocks


def test_time_left_is_a_bound_where_a_verdict_may_end_it(run: Run) -> None:
    run.plan = replace(run.plan, stop=Stop("sprt"))
    run.played = 1234
    assert line(run) == "1234 of 3800 games, 12.3 a second, 3:29 left at most"


# Without a screen


@pytest.mark.parametrize(
    ("term", "kind"),
    [("xterm", LiveProgress), ("dumb", LineProgress)],
)
def test_a_dumb_terminal_has_lines(run: Run, term: str, kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rich")
    if sys.platform == "win32":
        pytest.skip("no terminal is dumb there")
    monkeypatch.setenv("TERM", term)
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, Terminal())
    take, close = watcher(run, quiet=False)
    close()
    assert isinstance(take.__self__, kind)  # type: ignore[attr-defined]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Reader:
    """Reads lines while a clock of its own goes."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.clock = 1000.0
        self._out = io.StringIO()
        self.lines = LineProgress(run, self._out, lambda: self.clock)

    def wait(self, seconds: float, played: int = 0) -> list[str]:
        """What is said in that time, in which so many games end, evenly."""
        before, began, there = len(self.said), self.clock, self.run.played
        while self.clock < began + seconds:
            self.clock += 0.25
            self.run.played = there + int(played * (self.clock - began) / seconds)
            self.lines.take(Passing())
        return self.said[before:]

    def take(self, *events: Event) -> list[str]:
        """What is said of them."""
        before = len(self.said)
        for event in events:
            self.lines.take(event)
        return self.said[before:]

    @property
    def said(self) -> list[str]:
        return self._out.getvalue().splitlines()


GIVEN = Given(None)  # type: ignore[arg-type]  # which game it is makes no difference here


def test_nothing_is_said_while_nothing_happens(run: Run) -> None:
    reader = Reader(run)
    reader.take(RunBegun(0), GIVEN)
    assert reader.wait(600) == []
    run.played = 1
    assert len(reader.wait(600)) == 1


def test_lines_come_more_and_more_seldom(run: Run) -> None:
    reader = Reader(run)
    reader.take(RunBegun(0), GIVEN)
    assert len(reader.wait(9, 1000)) == 9
    assert len(reader.wait(50, 1000)) == 10
    assert len(reader.wait(360, 1000)) == 12


def test_ctrl_c_is_answered_at_once_and_once(run: Run) -> None:
    reader = Reader(run)
    reader.take(RunBegun(0), GIVEN)
    run.stopping = 1
    assert reader.take(Passing(), Passing()) == [STOP]


def test_the_last_line_is_said_once(run: Run) -> None:
    reader = Reader(run)
    reader.take(RunBegun(0), GIVEN)
    assert reader.wait(1, 4) == ["4 of 3800 games, 12.3 a second, 5:09 left"]
    assert reader.take(Finished(OVER)) == []
    run.played = 5
    assert reader.take(Finished(OVER)) == ["5 of 3800 games, 12.3 a second, 5:09 left"]


def test_the_trial_is_called_a_trial(run: Run) -> None:
    reader = Reader(run)
    assert reader.wait(10) == ["trying the bots"]
    assert reader.take(RunBegun(0), GIVEN) == []
    assert reader.wait(10) == []
    assert drawn(run, 80, 24)[-2] == "trying the bots"


@pytest.mark.parametrize(
    ("there", "said"),
    [(118, "118 games have been played before: going on."), (1, "1 game has been played before: going on.")],
)
def test_what_was_played_before_is_said_before_all_else(run: Run, there: int, said: str) -> None:
    run.there = there
    reader = Reader(run)
    assert reader.wait(10) == ["trying the bots"]
    assert reader.take(RunBegun(there), GIVEN) == [said]
    assert reader.wait(10) == []
    assert reader.wait(20, 2)[-1].startswith(f"{there + 2} of 3800 games, 12.3 a second, ")


def test_what_has_to_be_said_is_said_at_once(run: Run) -> None:
    assert Reader(run).take(Void(3, "it was\x1b lost")) == ["Game 3 is played again: it was\\x1b lost."]


def test_a_run_names_once_what_it_dropped_of_a_bots_thoughts() -> None:
    remark = DroppedField(0, "value", 3, "it takes a number from -1 to 1, not 55", 4)
    thoughts = Thoughts({}, {(0, "value"): remark, (0, "depth"): replace(remark, field="depth")})
    dropped = DroppedThoughts(["mine", "other"])
    for number, seats in ((7, (0, 1)), (8, (1, 0)), (9, (0, 1))):
        result = Result("", 0, seats, (1, 2))
        told = thoughts if seats[0] == 0 else Thoughts()
        dropped.take(Ended(GameOutcome(number, result, "", "", (), (), (), "", 0, 0, thoughts=told)))
    [line] = dropped.lines()
    assert line == (
        'The "value" of mine was dropped 8 times, first in game 7: it takes a number from -1 to 1, not 55; '
        'other fields, too: "depth".'
    )
