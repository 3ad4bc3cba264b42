"""A puzzle on the screen: alone and from the lobby, by keys, by mouse and by words."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from extras.study.tests import test_puzzles
from extras.study.tests.test_puzzles import ANSWER, MAZE, SOLUTION, SOLVED, TODAY, WRONG, lesson, of_maze
from quadrille.client.lobby_rows import Brought, FrontOpened, Noted
from quadrille.client.screen.lobby.model import Errand
from quadrille.client.screen.lobby.new_table import NewTable
from quadrille.client.screen.network.news import Around
from quadrille.client.screen.table.terminal import Key, Look, Pasted, Quit, Resized, Told
from quadrille.client.settings import Settings
from quadrille.extras.study.kept import puzzle_home
from quadrille.extras.study.kept.puzzle_home import PuzzleHome, read_results
from quadrille.extras.study.lessons.lesson import LessonWork, Note
from quadrille.extras.study.lessons.puzzle import PuzzleResult
from quadrille.extras.study.screen.lesson import LessonModel, LessonScreen
from quadrille.extras.study.screen.puzzle import LobbyPuzzle
from tests.client.screen.keyboard import after as evening_after
from tests.client.screen.keyboard import click, pasted, press, text
from tests.client.screen.network.scenes import evening
from tests.client.screen.terminal import at_stage

home = test_puzzles.home
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
