"""What the table and the report say of ratings: where there is no interval, where places differ, where seats decide."""

import csv
import io
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest

from quadrille.ai.tournament.counting import Count, CountedResults
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan import Entrant, Plan, Stop
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play.paces import MoveTimes
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.ai.tournament.play.processes import Processes
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.run import Run
from quadrille.ai.tournament.run_events import Ended, Event, Given, Passing, RunBegun, Void
from quadrille.ai.tournament.schedules.meetings import RoundRobin
from quadrille.ai.tournament.schedules.schedule import Contest, Format
from quadrille.ai.tournament.schedules.swiss import Swiss
from quadrille.ai.tournament.statistics.stopping import Sprt
from quadrille.ai.tournament.statistics.tables import Tally, duplicates
from quadrille.client import progress_line
from quadrille.client.progress_line import MARGIN
from quadrille.client.tournament.notes import verdict
from quadrille.client.tournament.progress import DroppedThoughts, RunProgress, give_or_take, line
from quadrille.client.tournament.report import _likely, _rows, _worth
from quadrille.client.tournament.tables import TournamentStanding, csv_text, notes, pair_rows, standing_rows, text
from quadrille.client.words.thoughts import dropped_text
from quadrille.rules.core.thoughts import DroppedField, Thoughts
from tests import documents
from tests.ai.tournament.simulated import elo_of

WIN, LEVEL, LOSS = (1, 2), (1, 1), (2, 1)


def pair(block: int, one: int, other: int, *places: tuple[int, int]) -> list[Result]:
    """A block of two games, given as the places of the one and the other."""
    there, back = places
    return [
        Result(f"{block} a", block, (one, other), there, times=(1.0, 1.0)),
        Result(f"{block} b", block, (other, one), back[::-1], times=(1.0, 1.0)),
    ]


def stands(blocks: list[list[Result]], entrants: int, format: Format | None = None) -> TournamentStanding:
    names = tuple(Entrant("abcdefgh"[number], bot="random") for number in range(entrants))
    plan = Plan(names, (Contest("maze"),), format or RoundRobin(1), "rated")
    results = tuple(result for block in blocks for result in block)
    count = Count(plan)
    for block in blocks:
        count.expect(tuple(result.game for result in block))
        for result in block:
            count.take(result)
    return TournamentStanding(
        plan,
        CountedResults(count, plan.schedule(), results, 0),
        duplicates(results),
        {},
        moves=tuple(MoveTimes() for _ in names),
        boxes=tuple(Counter() for _ in names),
    )


def cells(rows: Iterable[Sequence[object]]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_text(rows), newline=""), strict=True))


def said(one: TournamentStanding) -> str:
    return " ".join(notes(one))


def test_a_match_that_seats_decide_is_said_to_be_one() -> None:
    one = stands([pair(block, 0, 1, LOSS, WIN) for block in range(49)] + [pair(49, 0, 1, WIN, WIN)], 2)
    assert "over 99.9" not in text(one)
    assert "the likelihood that it is stronger than b is 76.5 %" in said(one)
    assert "Seats count for much here: seat 1 of maze scores 0.010" in said(one)
    assert float(cells(standing_rows(one))[0]["elo"]) == pytest.approx(elo_of(0.51) / 2, abs=0.01)


def test_where_there_is_no_interval_none_is_shown() -> None:
    one = stands([pair(0, 0, 1, WIN, LOSS), pair(1, 0, 1, WIN, WIN)], 2)
    assert text(one).splitlines()[3].split() == ["1.", "a", "0.750", "4", "3-1", "0", "1000.0"], "and no Elo either"
    assert "Too few blocks" not in said(one), "the verdict says so"
    assert verdict(one) == "a leads by points a game; blocks are too few for Elo."
    level = verdict(stands([pair(0, 0, 1, WIN, LOSS)], 2))
    assert level == "a and b are level at the top by points a game; blocks are too few for Elo."
    alike = replace(one, duplicates=replace(one.duplicates, groups=(("0 a", "1 a"),)))
    assert "1 game went as another did, move by move, and told nothing new." in said(alike)
    assert [row["error"] for row in cells(standing_rows(one))] == ["", ""]
    assert [row["stronger"] for row in cells(pair_rows(one))] == ["", ""]
    assert [row["error"] for _, row, _ in _rows(one)] == ["", ""] and "± ?" in _worth(one)[0, 0]
    assert _likely(one, 0, 1) == "?"


def test_the_tables_of_the_document_are_the_tables_as_csv() -> None:
    one = stands([pair(block, 0, 1, WIN, (LOSS, LEVEL)[block % 2]) for block in range(6)], 3)
    first = replace(one.plan.entrants[0], parameters=(("depth", 6),))
    one = replace(one, plan=replace(one.plan, entrants=(first, *one.plan.entrants[1:])))
    written = csv_text(standing_rows(one))
    assert written.count("\r\n") == written.count("\n") == 4
    standing, pairs = cells(standing_rows(one)), cells(pair_rows(one))
    told = documents.table(documents.section("Tables", "journal"), "file")
    for file, table in (("standing.csv", standing), ("pairs.csv", pairs)):
        assert list(table[0]) == re.findall(r"`(\w+)`", " ".join(names for name, names, _ in told if name == file))
    best, other, last = standing
    assert (best["rank"], best["name"], json.loads(best["parameters"]), best["games"]) == ("1", "a", {"depth": 6}, "12")
    assert (best["place_1"], best["place_2"], best["fault_time"], best["judged"]) == ("9", "3", "0", "yes")
    assert float(best["score"]) == 1 - float(other["score"]) == 0.625
    assert [last[name] for name in ("name", "rank", "elo", "error", "score", "games")] == ["c", "3", "", "", "", "0"]
    assert [[row[name] for name in ("name", "other", "ahead", "level", "behind", "score")] for row in pairs] == [
        ["a", "b", "6", "3", "3", "0.625"],
        ["b", "a", "3", "3", "6", "0.375"],
    ]
    assert sum(float(row["stronger"]) for row in pairs) == pytest.approx(1)


#: Names that a table or a spreadsheet could take for more than a text, and what stands in the cell.
HOSTILE: Final = {
    "=cmd()": "'=cmd()",
    '@SUM(A1), "quoted"': '\'@SUM(A1), "quoted"',
    "-1": "'-1",
    " +1": "' +1",
    "a;=cmd()": "a;'=cmd()",
    "'=1": "''=1",
    "\t=1\r\n=2": "\\t=1\\r\\n=2",
    "node bot.js -x": "node bot.js -x",
}


def test_no_name_is_more_than_the_text_of_a_cell() -> None:
    one = stands([pair(0, 0, 1, WIN, LOSS)], len(HOSTILE))
    one = replace(one, plan=replace(one.plan, entrants=tuple(Entrant(name, bot="random") for name in HOSTILE)))
    assert sorted(row["name"] for row in cells(standing_rows(one))) == sorted(HOSTILE.values())
    assert [row["other"] for row in cells(pair_rows(one))] == [[*HOSTILE.values()][one] for one in (1, 0)]


def test_who_lost_everything_is_said_to_be_without_a_bound() -> None:
    blocks = [pair(block, 0, 1, *[(WIN, LOSS), (WIN, WIN), (LOSS, LOSS)][block % 3]) for block in range(12)]
    blocks += [pair(block, block % 2, 2, WIN, WIN) for block in range(12, 24)]
    one = stands(blocks, 3)
    assert "each of these groups, the strongest first: a and b; c. Nobody took anything from a group above." in said(
        one
    )
    assert "groups" not in said(stands(blocks[:12], 2))


@pytest.mark.parametrize(
    ("format", "rule"),
    [
        (Swiss(2), "places go by the points of all rounds, and an entrant that sits out gets all points of its round"),
        (RoundRobin(), "places go by points a game"),
    ],
)
def test_places_and_elo_that_differ_are_explained(format: Format, rule: str) -> None:
    """Entrant a beats the weak d half of the time more than b does the strong c: the place is a's, and the Elo b's."""
    weak = [pair(block, 0, 3, *((WIN, WIN) if block % 3 else (WIN, LOSS))) for block in range(12)]
    strong = [pair(block, 1, 2, *((WIN, WIN) if block % 2 else (WIN, LOSS))) for block in range(12, 24)]
    links = [pair(block, 2, 3, *((WIN, WIN) if block % 6 else (WIN, LOSS))) for block in range(24, 36)]
    one = stands([*weak, *strong, *links], 4, format)
    assert one.order[:2] == [0, 1]
    assert one.ratings.elo[1] > one.ratings.elo[0]
    explained = [note for note in notes(one) if note.startswith("Places and Elo differ")]
    assert len(explained) == 1 and explained[0].count(". ") == 0
    assert f"as for a and b: {rule}, and Elo also by the strength of the opponents" in explained[0]
    assert not [note for note in notes(stands(weak, 4, format)) if note.startswith("Places")]


def test_what_is_not_decided_says_how_far_it_is() -> None:
    one = stands([pair(0, 0, 1, WIN, LOSS)], 2)
    rule = Sprt(0, 200)
    for _ in range(5):
        rule.take(0.5)
    one.counted.count.rule = rule
    found = verdict(replace(one, plan=replace(one.plan, stop=Stop("sprt", 0, 1, 0, 200))))
    assert re.search(r"winnings are -?\d\.\d\d of 3\.00 for stronger, 2\.\d\d of 3\.00 for not stronger\.$", found)


def test_the_table_in_the_document_is_one() -> None:
    """In Maze nobody shares a place, so the score follows from the places; Elo is counted from the mean."""
    rows = re.findall(
        r"^\d\. +(\S+) +(-?\d+) +(\d+) +(0\.\d{3}) +(\d+) +(\d+)-(\d+) ", documents.block("standing"), re.MULTILINE
    )
    assert [name for name, *_ in rows] == ["beginner", "greedy", "random"]
    for _, _, _, score, games, first, second in rows:
        assert int(first) + int(second) == int(games)
        assert f"{int(first) / int(games):.3f}" == score
    assert sum(int(elo) for _, elo, *_ in rows) == 0


# A tournament while it runs, as a newcomer saw it: on a terminal and in a pipe


MANY = 20
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
    halves = round(4 * blocks * score)
    return Tally(2 * blocks, halves, 4 * blocks, seconds=7.25, blocks=blocks, scored=blocks * score, squares=squares)


class Reader:
    """Reads lines while a clock of its own goes."""

    def __init__(
        self, run: Run, monkeypatch: pytest.MonkeyPatch, *, terminal: bool = False, quiet: bool = False
    ) -> None:
        self.run = run
        self.clock = 1000.0
        self.out = io.StringIO()
        monkeypatch.setattr(progress_line, "time", SimpleNamespace(monotonic=lambda: self.clock))
        monkeypatch.setattr(progress_line, "has_screen", lambda: terminal)
        monkeypatch.setattr(self.out, "isatty", lambda: terminal)
        monkeypatch.setattr(sys, "stderr", self.out)
        self.lines = RunProgress(run, quiet=quiet)

    def wait(self, seconds: float, played: int = 0) -> list[str]:
        before, began, there = len(self.said), self.clock, self.run.played
        while self.clock < began + seconds:
            self.clock += 0.25
            self.run.played = there + int(played * (self.clock - began) / seconds)
            self.lines.take(Passing())
        return self.said[before:]

    def take(self, *events: Event) -> list[str]:
        before = len(self.said)
        for event in events:
            self.lines.take(event)
        return self.said[before:]

    @property
    def said(self) -> list[str]:
        return [line.removeprefix("quadrille: ") for line in self.out.getvalue().splitlines()]


GIVEN = Given(None)  # which game it is makes no difference here


def test_ctrl_c_is_answered_at_once_and_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(run, monkeypatch)
    reader.take(RunBegun(0), GIVEN)
    run.stopping = 1
    assert reader.take(Passing(), Passing()) == [STOP]
    assert reader.take(Void(3, "it was\x1b lost")) == ["Game 3 is played again: it was\\x1b lost."]


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (118, ["118 games have been played before: going on."]),
        (1, ["1 game has been played before: going on."]),
        (0, []),
    ],
)
def test_what_was_played_before_is_said_before_all_else(
    run: Run, there: int, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run.there = there
    reader = Reader(run, monkeypatch)
    assert reader.wait(10) == ["trying the bots"]
    assert reader.take(RunBegun(there), GIVEN) == said
    assert reader.wait(10) == []
    assert reader.wait(20, 2)[-1].startswith(f"{there + 2} of 3800 games, 12.3 a second, ")


def test_a_terminal_has_one_line_in_its_place(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves room for the echo of Ctrl-C, and is wiped before a sentence and at the end."""
    run.played, run.count.games = 1234, 1200
    run.count.tallies = [tally(0.9 - place / 40, 60) for place in range(MANY)]
    reader = Reader(run, monkeypatch, terminal=True)
    reader.take(RunBegun(0), Passing())
    reader.clock += 1
    reader.take(Passing())
    told = reader.out.getvalue().removesuffix("\x1b[K").removeprefix("\r")
    assert told.startswith("1234 of 3800 games, 12.3 a second, 3:29 left; bot number 0 0.900 ± 0.026")
    assert len(told) == 80 - MARGIN and "\n" not in told
    reader.take(Void(3, "lost"))
    reader.lines.end()
    assert reader.out.getvalue().endswith("\r\x1b[Kquadrille: Game 3 is played again: lost.\n\r\x1b[K")


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


def test_a_name_from_the_right_stays_in_its_place_wherever_a_tournament_tells_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the progress line, in what was dropped, in lists of those who have no part, and in notes."""
    hebrew, told = "\u05d1\u05d5\u05d8 \u202e2", "\u2068\u05d1\u05d5\u05d8 \\u202e2\u2069"
    one = stands([pair(block, 0, 1, WIN, LOSS) for block in range(2)], 2)
    first = Entrant(hebrew, bot="random", parameters=(("depth", 6),))
    run.plan = replace(run.plan, entrants=(first, *run.plan.entrants[1:]))
    run.count.tallies = [tally(0.9, 60), *run.count.tallies[1:]]
    assert f"{told} 0.900" in line(run)
    assert told in dropped_text(hebrew, 7, [DroppedField(0, "value", 3, "no", 4)])
    one.counted.count.tallies[0].faults.update(forfeit=["1"], crash=["2"])
    one = replace(one, plan=replace(one.plan, entrants=(first, one.plan.entrants[1])), absent=((hebrew, "no"),))
    found = " ".join(text(one).split())
    assert found.count(told) == found.count(told[1:4]) == 6


def test_few_blocks_and_blocks_alike_have_no_error() -> None:
    assert give_or_take(tally(0.5, 2)) == give_or_take(tally(0.5, 4)) == give_or_take(Tally()) == ""
    assert give_or_take(tally(1.0, 9, 0)) == ""
    assert give_or_take(tally(0.5, 25)) == "± 0.042"  # not 0.039: the mean was taken from these very blocks
