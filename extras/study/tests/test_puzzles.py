"""`quadrille puzzle`: days in a row, the course of a puzzle, results in the home, and the command in lines."""

import functools
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from extras.study.tests.test_lessons import told
from quadrille.client.table.wishes import PlayMove, TextWish, Verb
from quadrille.extras.study import puzzles
from quadrille.extras.study.kept import puzzle_home
from quadrille.extras.study.kept.puzzle_home import FILE, note, read_results
from quadrille.extras.study.lessons.lesson import LessonPhase, NextPosition, Note, ShowLine, Worked
from quadrille.extras.study.lessons.puzzle import (
    TOLD,
    PuzzleLesson,
    PuzzleResult,
    PuzzleResults,
    in_a_row,
    left_moves,
    solved_days,
)
from quadrille.extras.study.puzzles import Puzzle
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import Lock
from tests.client.conftest import Run

DAMAGED = "results.json.damaged"

#: A list of one line: each day has the same puzzle, of Maze.
LINE = (Path(__file__).parent / "golden/puzzle.jsonl").read_text("utf-8")
FIRST = date(2026, 1, 1)
TODAY = date(2026, 5, 18)
SOLUTION, WRONG, ANSWER = "e6-f6", "e3-f3", "f3-f4"
MAZE = (TODAY, "maze")
SOLVED = PuzzleResult(1, 0, solved=True, in_time=True)


@functools.cache
def of_maze() -> Puzzle:
    return puzzles.of_line(LINE)[1]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home on a day whose puzzle is the one that these tests know."""
    folder = tmp_path / "home"
    monkeypatch.setenv("QUADRILLE_HOME", str(folder))
    monkeypatch.setattr(puzzle_home, "local_day", lambda: TODAY)
    monkeypatch.setattr(puzzles, "FIRST", FIRST)
    monkeypatch.setattr(puzzles, "lines", lambda: (LINE,))
    (folder / "puzzles").mkdir(parents=True)
    return folder


def lesson(results: PuzzleResults | None = None, today: date = TODAY) -> PuzzleLesson:
    return PuzzleLesson.of(of_maze(), TODAY, today, results or {})


def solved(*days: date) -> dict[tuple[date, str], PuzzleResult]:
    return {(day, "maze"): SOLVED for day in days}


def days_back(*numbers: int) -> list[date]:
    return [TODAY - timedelta(number) for number in numbers]


# Days in a row


@pytest.mark.parametrize(
    ("back", "row"),
    [((), 0), ((0,), 1), ((2,), 0), ((0, 1, 2), 3), (tuple(range(1, 20)), 19), ((0, 2, 3), 1), ((0, 1, -1), 2)],
)
def test_days_in_a_row(back: tuple[int, ...], row: int) -> None:
    """Today is not over yet, so that it ends no row; a day to come was set by a wrong clock."""
    assert in_a_row(days_back(*back), TODAY) == row


def test_a_day_counts_once_and_only_if_it_was_solved_in_time() -> None:
    yesterday, before = days_back(1, 2)
    results = {
        MAZE: SOLVED,
        (TODAY, "barons"): PuzzleResult(4, 1, solved=True, in_time=True),
        (yesterday, "maze"): PuzzleResult(1, 0, solved=True),
        (before, "maze"): PuzzleResult(3, 2),
    }
    assert solved_days(results) == {TODAY}


def test_a_result_stays_once_it_is_solved() -> None:
    wrong, hint = PuzzleResult(1), PuzzleResult(hint=1)
    assert PuzzleResult().plus(SOLVED) == SOLVED == SOLVED.plus(wrong) == SOLVED.plus(SOLVED) == SOLVED.plus(hint)
    later = PuzzleResult().plus(wrong).plus(hint).plus(hint).plus(PuzzleResult(1, solved=True))
    assert later == PuzzleResult(2, 1, solved=True, in_time=False)
    assert PuzzleResult().plus(PuzzleResult(hint=2)).plus(hint).hint == 2


# The course of a puzzle


def test_a_move_that_ends_the_game_is_refuted_without_an_answer() -> None:
    """No such puzzle is known; the one of Maze is told that all its answers are missing."""
    state = replace(lesson(), puzzle=replace(of_maze(), refuted=dict.fromkeys(of_maze().refuted, "")))
    state, said, _ = told(state, PlayMove(WRONG))
    assert said == f"No: {WRONG} ends the game, and loses it."
    assert state.shown.length == of_maze().match.length + 1


def test_a_line_that_comes_too_late_changes_nothing() -> None:
    state, _, _ = told(lesson(), PlayMove(WRONG))
    state, (work,), *_ = state.granted(ShowLine())
    assert state.phase == LessonPhase.JUDGING
    assert state.granted(Worked(work.ticket + 1, ("a3-b3",))).lesson is state
    assert lesson().granted(Worked(0, ())).told == ()


def test_the_whole_line_of_a_right_or_wrong_move_is_shown_if_asked() -> None:
    mover, wrong = of_maze().state.board.turn, told(lesson(), PlayMove(WRONG))[0]
    assert wrong.phase == LessonPhase.REFUTED and wrong.shown.length == of_maze().match.length + 2
    for state, winner in ((told(lesson(), PlayMove(SOLUTION))[0], mover), (wrong, 1 - mover)):
        after, said, _ = told(state, ShowLine())
        assert said.startswith("The line: ") and after.phase == state.phase
        assert after.shown.over and after.shown.state.board.payoff(winner) > 0


def test_a_hint_leaves_a_few_moves() -> None:
    assert len(left_moves(["a", "b", "c"], "b", TODAY)) == 2 and "b" in left_moves(["a", "b", "c"], "b", TODAY)
    found = [left_moves(list("abcd"), "b", TODAY + timedelta(number)) for number in range(40)]
    assert {len(one) for one in found} == {3} and {"".join(one) for one in found} == {"abc", "abd", "bcd"}


# Sentences


def test_the_word_to_share_tells_no_move() -> None:
    state, _, _ = told(lesson(solved(*days_back(1, 2, 3, 4))), PlayMove(SOLUTION))
    assert state.result == "Quadrille puzzle 2026-05-18 Maze: first try, 5 in a row"
    alone, _, _ = told(lesson(), PlayMove(WRONG), NextPosition(), TextWish(Verb.HINT, ""), PlayMove(SOLUTION))
    assert alone.result == "Quadrille puzzle 2026-05-18 Maze: second try with a hint"
    for text in (state.result, alone.result):
        assert not any(move in text for move in (SOLUTION, *of_maze().refuted))
    assert lesson().result == told(lesson(), PlayMove(WRONG))[0].result == ""


def test_results_in_words() -> None:
    assert str(PuzzleResult(10, 0, solved=True)) == "tenth try"
    assert str(PuzzleResult(11, 1, solved=True)) == "11 tries with a hint"
    assert str(PuzzleResult(1, TOLD, solved=True)) == "first try, after the move was told"
    assert lesson(solved(TODAY)).question.endswith("You have solved it before: first try.")


# Results in the home


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    assert read_results(tmp_path) == read_results(tmp_path / "none") == ({}, "")
    results = {
        **solved(*days_back(0, 1)), (TODAY, "barons"): PuzzleResult(3, 1),
        (date(2026, 1, 1), "maze"): PuzzleResult(2, 2, solved=True),
    }  # fmt: skip
    puzzle_home.write_results(tmp_path, results)
    assert read_results(tmp_path)[0] == results


def test_two_programs_at_once_lose_no_move(tmp_path: Path) -> None:
    kept = Note(MAZE, PuzzleResult(1))

    def many(number: int) -> None:
        for _ in range(10):
            note(tmp_path, kept)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(many, range(4)))
    assert read_results(tmp_path)[0] == {(TODAY, "maze"): PuzzleResult(40)}


def test_a_lock_that_is_never_released_is_told(tmp_path: Path) -> None:
    waits: list[float] = []
    with Lock(tmp_path, puzzle_home.LOCK), pytest.raises(LocalError, match="another program writes"):
        note(tmp_path, Note(MAZE, PuzzleResult(hint=1)), waits.append)
    assert sum(waits) == pytest.approx(5.0)
    note(tmp_path, Note(MAZE, PuzzleResult(hint=1)))
    assert read_results(tmp_path)[0]


KILLED = """
import os, signal, sys
from datetime import date
from pathlib import Path
from quadrille.extras.study.kept.puzzle_home import note
from quadrille.extras.study.lessons.lesson import Note
from quadrille.extras.study.lessons.puzzle import PuzzleResult
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
note(Path(sys.argv[1]), Note((date(2026, 5, 18), "maze"), PuzzleResult(1, 0, True, True)))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="nothing kills like this there")
def test_a_kill_between_answer_and_write_loses_nothing_before(tmp_path: Path) -> None:
    note(tmp_path, Note(MAZE, PuzzleResult(1)))
    ended = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert read_results(tmp_path) == ({MAZE: PuzzleResult(1)}, "")
    note(tmp_path, Note(MAZE, SOLVED))
    assert read_results(tmp_path)[0] == {(TODAY, "maze"): PuzzleResult(2, 0, solved=True, in_time=True)}


# The command, in lines


def test_a_row_goes_on_from_day_to_day(run: Run, home: Path) -> None:
    puzzle_home.write_results(home / "puzzles", solved(*days_back(1, 2, 3, 4)))
    ran = run("puzzle maze", SOLUTION)
    assert ran.out.endswith("\nQuadrille puzzle 2026-05-18 Maze: first try, 5 in a row\n")
    assert "First try. Solved 5 days in a row." in ran.out
    again = run("puzzle maze", WRONG, SOLUTION)
    assert "You have solved it before: first try." in again.out and "You had solved it before: first try." in again.out
    assert read_results(home / "puzzles")[0] == solved(*days_back(0, 1, 2, 3, 4))


def test_a_puzzle_of_another_day(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_home, "local_day", lambda: TODAY + timedelta(1))
    ran = run("puzzle maze --date 2026-05-18", SOLUTION)
    assert "First try. Puzzles of other days do not count for days in a row." in ran.out
    assert ran.out.endswith("\nQuadrille puzzle 2026-05-18 Maze: first try\n")
    assert not solved_days(read_results(home / "puzzles")[0])
    monkeypatch.setattr(puzzle_home, "local_day", lambda: date(1970, 1, 1))
    assert "of 2026-01-01, and 1970-01-01 is before it: set the clock of this machine" in run("puzzle maze").err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--date 2026-05-19", "the puzzle of 2026-05-19 is for that day, and today is 2026-05-18: leave --date out"),
        ("--date 9999-12-31", "is for that day"),
        ("--date 2025-12-31", "of 2026-01-01, and 2025-12-31 is before it: name a day from then on"),
        ("--date 0001-01-01", "is before it"),
        *(
            (f"--date {text}", f'"{text}" is no date: write one such as 2026-05-18')
            for text in ("2026-02-30", "2026-13-01", "today", "18.05.2026", "2026-05", "1", "-", "２０２６-05-18")
        ),
        ("dotter", "Dotter has no puzzles, because cards are hidden there: name one of maze"),
        ("chess", "chess"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(run: Run, home: Path, words: str, why: str) -> None:
    ran = run(f"puzzle {words}")
    assert ran.code == 2 and not ran.out and ran.err.startswith("quadrille: ") and why in ran.err


def test_damaged_results_are_told_before_the_puzzle(run: Run, home: Path) -> None:
    (home / "puzzles" / FILE).write_text("{")
    ran = run("puzzle maze", WRONG, "quit")
    assert "results.json is damaged: it is results.json.damaged now, and the days in a row begin again" in ran.err
    assert "Quadrille puzzle" not in ran.out and (home / "puzzles" / DAMAGED).read_text() == "{"
    assert run("puzzle maze", SOLUTION).out.endswith("Maze: second try\n"), "a wrong try was kept"


def test_a_result_that_can_not_be_kept_is_told_and_the_puzzle_goes_on(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(name: str, *_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", name)

    monkeypatch.setattr("quadrille.extras.study.kept.files.write_text", full)
    ran = run("puzzle maze", WRONG, SOLUTION)
    assert ran.code == 0 and ran.out.endswith("Maze: second try\n")
    assert "Your results can't be kept: " in ran.err and "No space left on device" in ran.err


def test_a_home_that_is_a_file_stops_no_puzzle(run: Run, tmp_path: Path, home: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = run(f"puzzle maze --home {tmp_path / 'file'}", SOLUTION)
    assert ran.out.endswith("Maze: first try\n")
    assert "Your results can't be kept: " in ran.err and "a file stands where a folder is needed" in ran.err
