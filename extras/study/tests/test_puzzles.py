"""`quadrille puzzle`: days in a row, the course of a puzzle, results in the home, and the command in lines."""

import base64
import functools
import gzip
import json
import re
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from extras.study.tests.test_lessons import told
from quadrille.client.lobby_rows import Brought, FrontOpened, Noted
from quadrille.client.phones.site import Site
from quadrille.client.screen.lobby.model import Errand
from quadrille.client.screen.lobby.new_table import NewTable
from quadrille.client.screen.network.news import Around
from quadrille.client.screen.table.terminal import Key, Look, Pasted, Quit, Resized, Told
from quadrille.client.settings import Settings
from quadrille.client.table.wishes import PlayMove, TextWish, Verb
from quadrille.extras.study import puzzles
from quadrille.extras.study.kept import puzzle_home
from quadrille.extras.study.kept.puzzle_home import FILE, PuzzleHome, note, read_results
from quadrille.extras.study.lessons.lesson import LessonPhase, LessonWork, NextPosition, Note, ShowLine, Worked
from quadrille.extras.study.lessons.puzzle import (
    TOLD,
    PuzzleLesson,
    PuzzleResult,
    PuzzleResults,
    in_a_row,
    left_moves,
    solved_days,
)
from quadrille.extras.study.puzzle_page import puzzle_page
from quadrille.extras.study.puzzles import Puzzle
from quadrille.extras.study.screen.lesson import LessonModel, LessonScreen
from quadrille.extras.study.screen.puzzle import LobbyPuzzle
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import Lock
from tests.client.conftest import Run
from tests.client.phones.browser import browser
from tests.client.phones.served import served
from tests.client.phones.test_page import judge
from tests.client.screen.keyboard import after as evening_after
from tests.client.screen.keyboard import click, pasted, press, text
from tests.client.screen.network.scenes import evening
from tests.client.screen.terminal import at_stage

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
    for result in (state.result, alone.result):
        assert not any(move in result for move in (SOLUTION, *of_maze().refuted))
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

    monkeypatch.setattr("quadrille.extras.study.kept.files.write_file", full)
    ran = run("puzzle maze", WRONG, SOLUTION)
    assert ran.code == 0 and ran.out.endswith("Maze: second try\n")
    assert "Your results can't be kept: " in ran.err and "No space left on device" in ran.err


def test_a_home_that_is_a_file_stops_no_puzzle(run: Run, tmp_path: Path, home: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = run(f"puzzle maze --home {tmp_path / 'file'}", SOLUTION)
    assert ran.out.endswith("Maze: first try\n")
    assert "Your results can't be kept: " in ran.err and "a file stands where a folder is needed" in ran.err


# A puzzle on the screen: alone and from the lobby, by keys, by mouse and by words


READY = "The puzzle is there: F7 shows it."
ASKED = "One move wins, and every other one loses. Which one is it?"


def at(remark: str = "") -> LessonModel:
    return LessonModel.of(lesson(), Look(), remark)


OPENED = FrontOpened(at(), READY)


def after(model: LessonModel, *events: object) -> tuple[LessonModel, list[Any]]:
    """The screen after these events (words are pasted and entered), with moves judged and lines proved, and its other
    effects.
    """
    found: list[Any] = []
    for event in events:
        for step in [Pasted(event), Key("enter")] if isinstance(event, str) else [event]:
            model, effects = model.updated(step)
            for effect in effects:
                if isinstance(effect, LessonWork):
                    model, more = model.updated(effect.done())
                    found += more
                else:
                    found.append(effect)
    return model, found


def shown(model: LessonModel) -> str:
    return " ".join(" ".join(model.drawn().lines).split())


# Alone


def test_a_solved_puzzle_is_left_by_every_way() -> None:
    model, _ = after(at(), SOLUTION)
    for way in (Key("enter"), Key("f4"), Key("c-q"), "quit", "next"):
        assert after(model, way)[1] == [Quit()]
    assert after(model, "line", Key("escape"), Key("enter"))[1] == [Quit()]


@pytest.mark.slow
async def test_a_puzzle_at_a_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    there = PuzzleHome(str(tmp_path))
    async with at_stage(lambda: LessonScreen(lesson(), Settings(), there.noted), 30, 100) as person:
        await person.sees(ASKED)
        person.press(WRONG, "enter")
        await person.sees("REFUTED", f"answers {ANSWER}")
        assert read_results(there.folder)[0] == {(TODAY, "maze"): PuzzleResult(1)}
        person.press("line", "enter")
        await person.sees("REPLAY 36 of")
        person.press("escape")
        await person.sees("The line:")
        person.press("enter")
        await person.sees("Try again")
        person.press(SOLUTION, "enter")
        await person.sees("SOLVED", "Second try.")
        person.press("enter")
        assert await person.end() == 0
    assert read_results(there.folder)[0] == {(TODAY, "maze"): PuzzleResult(2, 0, solved=True, in_time=True)}


# In the lobby


@pytest.mark.parametrize("ask", [lambda: press(evening(), "f7"), lambda: pasted(evening(), "puzzle")])
def test_the_lobby_offers_todays_puzzle(ask: Callable[[], Any]) -> None:
    assert "F7  puzzle   today's puzzle: one move wins" in text(evening(Around()))
    assert ask()[1] == [Errand("puzzle", "")]
    assert click(evening(Around()), "do puzzle", 2)[1] == click(evening(), "f7")[1] == [Errand("puzzle", "")]
    assert pasted(evening(), "puzzle maze")[1] == [Errand("puzzle", "maze")]
    refused, effects = pasted(evening(), "puzzle chess")
    assert not effects and "There is no game" in text(refused)


def test_the_lobby_shows_the_puzzle() -> None:
    there, _ = evening_after(evening(), Noted("Looking through games of Maze: 3"))
    assert "games of Maze: 3" in text(there)
    there, _ = evening_after(there, OPENED)
    assert isinstance(there.front, LessonModel) and ASKED in text(there)
    assert there.front.columns == there.lobby.columns and "games of Maze" not in text(there)
    there, _ = evening_after(there, Resized(40, 120))
    assert (there.front.rows, there.front.columns) == (40, 120)
    there, _ = evening_after(evening(), FrontOpened(at("results.json is damaged."), READY))
    assert "results.json is damaged." in text(there)


def test_the_result_stays_in_the_lobby() -> None:
    there, effects = pasted(evening_after(evening(), OPENED)[0], SOLUTION)
    assert Note(MAZE, SOLVED) in effects and "SOLVED" in text(there)
    there, effects = press(there, "enter")
    assert there.front is None and "Quadrille puzzle 2026-05-18 Maze: first try" in text(there)
    assert not any(isinstance(effect, Quit) for effect in effects), "the evening goes on"


def test_a_line_reaches_its_puzzle_only() -> None:
    there, _ = pasted(evening_after(evening(), OPENED)[0], WRONG)
    there, (work,) = press(there, "f3")
    answer = work.done()
    assert "REPLAY 36 of" in text(evening_after(there, Brought(answer))[0])
    left, _ = press(there, "c-q")
    assert evening_after(left, Brought(answer)) == (left, [])


def test_a_puzzle_does_not_come_over_what_was_opened_meanwhile() -> None:
    dialog, _ = press(evening(), "f2")
    assert isinstance(dialog.front, NewTable)
    there, _ = evening_after(dialog, OPENED)
    assert there.front == dialog.front
    there, _ = press(there, "escape")
    assert READY in text(there)


# The shell of the lobby


def test_the_puzzle_is_there_at_once_and_its_result_is_kept(home: Path) -> None:
    told: list[Any] = []
    shell = LobbyPuzzle(str(home), told.append)
    shell.open("maze")
    [posed] = told
    assert posed.front.lesson.puzzle.line == of_maze().line and posed.front.front.notice.startswith(ASKED)
    assert shell.perform(Note(MAZE, SOLVED)) and told == [posed]
    assert read_results(home / "puzzles")[0] == {(TODAY, "maze"): PuzzleResult(1, 0, solved=True, in_time=True)}
    (home / "puzzles" / "results.json").unlink()
    (home / "puzzles" / "results.json").mkdir()
    assert shell.perform(Note(MAZE, PuzzleResult(hint=1)))
    assert told[-1].text.startswith("Your results can't be kept: ")


def test_what_can_not_be_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    shell = LobbyPuzzle(str(home), told.append)
    shell.open("dotter")
    why = "No puzzle: Dotter has no puzzles, because cards are hidden there: name one of maze."
    assert told == [Told(why, alarm=True)]
    monkeypatch.setattr(puzzle_home, "local_day", lambda: date(1970, 1, 1))
    shell.open("maze")
    assert "the first puzzle is that of" in told[-1].text


# The puzzle of a day as a page: a file of its own, or on the site for guests while they wait


HOST = "127.0.0.1:18271"
SAID = "document.querySelector('#said').textContent"


def test_the_page_is_one_file_and_its_answers_do_not_stand_there_plainly() -> None:
    text = puzzle_page(lesson())
    assert "<title>Maze: the puzzle of 18 May 2026</title>" in text
    assert SOLUTION not in text and ANSWER not in text and WRONG not in text
    assert not re.search(r"https?:(?!//www.w3.org/2000/svg)| src=| href=\"[^#]", text) and "connect-src" not in text
    policy = re.search(r'Policy" content="([^"]*)"', text)
    assert policy and "default-src 'none'" in policy[1] and "unsafe" not in policy[1]
    data = re.search(r'id="data">([^<]*)<', text)
    assert data
    told = json.loads(zlib.decompress(base64.b64decode(data[1])))
    assert told["right"] == SOLUTION and told["moves"].keys() == {SOLUTION, *of_maze().refuted}
    path, moves, frames = told["moves"][WRONG]
    assert (path, moves[:2], len(frames)) == (["e3", "f3"], [[0, WRONG], [1, ANSWER]], len(moves))
    assert [what.split(";")[0] for _, what in told["moves"][SOLUTION][1]] == list(of_maze().line)


@pytest.mark.slow
def test_the_command_writes_the_page(run: Run, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "puzzle.html"
    ran = run(f"puzzle maze --html {path}")
    assert (ran.code, ran.out, path.read_text("utf-8")) == (0, f"{path}\n", puzzle_page(lesson()))
    assert not (home / "puzzles" / "results.json").exists(), "nobody has tried it here"


@pytest.mark.slow
def test_the_page_is_played_by_touch_without_a_server(tmp_path: Path) -> None:
    (tmp_path / "puzzle.html").write_text(puzzle_page(lesson()), "utf-8")
    with browser() as chromium:
        page = chromium.page((320, 568))
        page.open((tmp_path / "puzzle.html").as_uri())
        page.until(f"{SAID}.startsWith('Player 1 (A) is to move. One move wins')")
        judge(page, "asked")
        page.touch("[data-name=e3]")
        page.touch("[data-name=f3]")
        page.touch("#acts .main")
        page.until(f"{SAID} === 'No: {WRONG} loses (proved). The answer is B: {ANSWER}.'")
        judge(page, "refuted")
        for _ in range(2):  # the page shows the answer by itself, unless somebody is quicker
            page.touch("#acts [aria-label='One move on']")
        page.until(f"{SAID}.includes('Move ')")
        page.touch("#acts .main")
        page.touch("#acts button")
        page.until(f"{SAID}.startsWith('It is one of these: ')")
        page.touch("#list summary")
        page.touch(f"#moves button:nth-child({sorted([SOLUTION, *of_maze().refuted]).index(SOLUTION) + 1})")
        page.until(f"{SAID} === 'Right: {SOLUTION} wins, and nothing else does. 2 tries, with a hint.'")
        for _ in of_maze().line[1:]:
            page.touch("#acts [aria-label='One move on']")
        page.until("document.querySelector('#desc').textContent.includes('labyrinth: walls')")
        judge(page, "solved")
        asked = page.events("Network.requestWillBeSent", lambda given: given["request"]["url"])
        assert all(url.startswith("file:") for url in asked), asked
        assert not page.events("Log.entryAdded", lambda given: given["entry"]["text"])
        assert not page.events("Runtime.exceptionThrown", lambda given: given)


def asked(site: Site, path: str) -> Response:
    answer = site.answer(Request(path, Headers({"Host": HOST, "Accept-Encoding": "gzip"})), HOST)
    assert answer is not None
    return answer


def test_the_site_offers_the_page_to_those_who_wait_and_only_with_a_home(tmp_path: Path) -> None:
    bare, site = Site(), Site(tmp_path)
    offer = b'<iframe src="puzzle-of-the-day" title="Puzzle of the day" loading="lazy">'
    assert offer in gzip.decompress(asked(site, "/").body) and offer not in gzip.decompress(asked(bare, "/").body)
    name = "/puzzle-of-the-day"
    assert [asked(bare, path).status_code for path in (name, f"{name}.js")] == [404, 404]
    assert [asked(site, path).status_code for path in (f"{name}.css", f"{name}.js")] == [200, 200]
    assert [asked(site, path).status_code for path in (f"{name}.html", "", f"/x{name}", f"{name}/")] == [404] * 4
    assert list(tmp_path.iterdir()) == []


def test_the_site_answers_at_once_and_a_clock_that_is_behind_closes_no_door(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site(tmp_path)
    found = asked(site, "/puzzle-of-the-day")
    text = gzip.decompress(found.body).decode()
    assert "<title>Maze: the puzzle of 18 May 2026</title>" in text and 'id="data"' in text
    assert "<style" not in text and "<script>" not in text and '<script src="puzzle-of-the-day.js" defer>' in text
    assert "script-src 'self'" in found.headers["Content-Security-Policy"]
    sizes = [
        len(asked(site, path).body)
        for path in ("/puzzle-of-the-day", "/puzzle-of-the-day.css", "/puzzle-of-the-day.js")
    ]
    assert sum(sizes) <= 22 * 1024, sizes
    monkeypatch.setattr(puzzle_home, "local_day", lambda: date(1970, 1, 1))
    assert b"the puzzle of 1 January 2026" in gzip.decompress(asked(site, "/puzzle-of-the-day").body)


@pytest.mark.slow
def test_a_phone_at_the_door_opens_the_page_beside_it(tmp_path: Path) -> None:
    with served(tmp_path, "maze") as table, browser() as chromium:
        page = chromium.page()
        page.open(table.link)
        page.until('document.body.dataset.stage === "door"')
        page.touch(".beside summary")
        frame = "document.querySelector('iframe').contentDocument"
        page.until(f"/puzzle/i.test({frame}.querySelector('h1').textContent)")
        page.until(f"getComputedStyle({frame}.querySelector('main')).maxWidth === '576px'", "it has its style")
        judge(page, "beside the door")
        page.type("#name", "Ben")
        page.touch("#sitform button")
        page.until('document.body.dataset.stage === "table"')
        assert page.run("document.querySelector('iframe').offsetParent === null"), "the game has begun"
        assert not page.events("Log.entryAdded", lambda given: given["entry"]["text"])
