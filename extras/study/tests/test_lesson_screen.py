"""A lesson on the screen: by keys, by mouse and by words; what is shown of it, and a whole one at a terminal."""

import asyncio
from dataclasses import replace

import pytest
from prompt_toolkit.input import PipeInput
from prompt_toolkit.output.vt100 import Vt100_Output

from extras.study.tests.test_lessons import exercise, lesson
from extras.study.tests.test_puzzle_screen import after, shown
from quadrille.client.analysis.verdicts import Verdict
from quadrille.client.screen.table.model import Menu, shown_state
from quadrille.client.screen.table.page import Page
from quadrille.client.screen.table.terminal import Click, Key, Look, Pasted
from quadrille.client.settings import Settings
from quadrille.client.table.effects import Quit
from quadrille.extras.study.lessons.exercises import Exercise, position_key
from quadrille.extras.study.lessons.lesson import KeepAnswer, LessonPhase, MistakeLesson
from quadrille.extras.study.screen.lesson import LessonModel, lesson_model
from quadrille.extras.study.screen.lesson_stage import LessonScreen
from quadrille.extras.study.words.lessons import MISTAKES
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.screen.terminal import at_stage


def at(*numbers: int, look: Look = Look()) -> LessonModel:  # noqa: B008 - a value
    return lesson_model(lesson(*numbers), MISTAKES, look)


def test_a_position_is_asked_on_the_table_itself() -> None:
    model = at(0, 1)
    there = shown(model)
    assert "YOUR MOVE 2 positions left" in there and "You played b2-b1 here, which lost what was won (proved)." in there
    assert "F2 Hint F3 Skip F4 Go on" in there and "Resign" not in there and "A odd X's: you" in there
    assert "Cleo" not in there and "player 2" in there


def test_a_wrong_move_is_refuted_and_the_position_tried_again() -> None:
    model, kept = after(at(0, 1), "b2-b1")
    assert "REFUTED" in shown(model) and "No: b2-b1 turns a win into a loss (proved). player 2 answers" in shown(
        model
    ).replace("Player", "player")
    assert model.lesson.shown is not None and model.front.table.match is model.lesson.shown
    assert kept == [KeepAnswer(exercise().key, right=False)]
    again, _ = after(model, Key("enter"))
    assert again.lesson.phase == LessonPhase.ASKED and "Try again" in shown(again)
    typed, _ = after(model, Key("b"))
    assert typed.lesson.phase == LessonPhase.ASKED and typed.front.line.text == "b", "another move may be typed at once"
    pasted, _ = after(model, Pasted("b2-a2"))
    assert pasted.front.line.text == "b2-a2"
    solved, kept = after(pasted, Key("enter"))
    assert solved.lesson.phase == LessonPhase.SOLVED and not kept
    assert "Right: b2-a2 keeps a win (proved). Enter continues." in shown(solved)


def test_the_whole_lesson_ends_with_a_key() -> None:
    model, _ = after(at(0, 1), "b2-a2", Key("enter"), "b2-b3", Key("enter"))
    assert "OVER 0 positions left" in shown(model)
    assert "The lesson is over: 2 of 2 positions were solved at the first try. Enter: leave." in shown(model)
    assert after(model, Key("enter"))[1] == [Quit()]
    assert after(model, Key("c-q"))[1] == [Quit()] == after(at(0), "quit")[1]


@pytest.mark.parametrize("event", [Key("f3"), "skip"])
def test_a_position_is_skipped(event: object) -> None:
    model, kept = after(at(0, 1), event)
    assert not kept and "1 position left" in shown(model) and "Left for another day. You played b2-c2" in shown(model)


@pytest.mark.parametrize("event", [Key("f2"), "hint"])
def test_a_hint_is_put_at_the_prompt(event: object) -> None:
    model, kept = after(at(0), event)
    assert kept == [KeepAnswer(exercise().key, right=False)]
    assert "Better is b2-a2 (proved)." in shown(model)
    assert model.front.line.text == "b2-a2" and model.front.line.selected
    assert after(model, Key("enter"))[0].lesson.phase == LessonPhase.SOLVED


def test_everything_at_the_foot_and_on_the_board_can_be_clicked() -> None:
    model = at(0)
    spots = {spot.name: spot for spot in model.drawn().spots}
    move = spots["a2"]
    picked, _ = after(model, Click(move.row, move.column))
    assert picked.front.line.text == "b2-a2"
    solved, _ = after(picked, Click(move.row, move.column))
    assert solved.lesson.phase == LessonPhase.SOLVED
    on = next(spot for spot in solved.drawn().spots if spot.name == "f4")
    assert after(solved, Click(on.row, on.column))[0].lesson.phase == LessonPhase.OVER
    skip = spots["f3"]
    assert after(model, Click(skip.row, skip.column))[0].lesson.phase == LessonPhase.OVER


@pytest.mark.parametrize("event", [Key("f4"), "next", Key("enter")])
def test_go_on_by_every_way(event: object) -> None:
    model, _ = after(at(0, 1), "b2-a2", event)
    assert "You played b2-c2 here" in shown(model)


@pytest.mark.parametrize("event", [Key("f6"), Key("f7"), Key("f8"), Key("f9"), "resign", "rematch", "save x", "draw"])
def test_what_a_lesson_has_not_is_refused(event: object) -> None:
    model, effects = after(at(0), event)
    assert not effects and model.lesson.phase == LessonPhase.ASKED and model.front.alarm


def test_an_illegal_move_stays_at_the_prompt() -> None:
    model, effects = after(at(0), "c1-c2")
    assert model.front.alarm and model.front.line.text == "c1-c2" and not effects


def test_the_question_comes_back_when_a_line_is_dropped() -> None:
    model, _ = after(at(0), Key("x"), Key("escape"))
    assert "You played b2-b1 here" in shown(model)
    moved, _ = after(at(0), Key("left"))
    assert "You played b2-b1 here" in shown(moved)


def test_the_moves_before_can_be_looked_at_and_nobody_plays_on_from_there() -> None:
    model, _ = after(at(0), Key("f5"), Key("left"))
    assert "REPLAY 1 of 2" in shown(model) and "Enter plays on" not in shown(model)
    refused, effects = after(model, Key("enter"))
    assert "This is a lesson: Esc leads back to its position." in shown(refused) and not effects
    back, _ = after(refused, Key("escape"))
    assert "You played b2-b1 here" in shown(back) and back.front.replay is None


def test_help_menu_and_looks_are_those_of_the_table() -> None:
    assert isinstance(after(at(0), Key("f1"))[0].front.overlay, Page)
    menu, _ = after(at(0), Key("f10"))
    assert isinstance(menu.front.overlay, Menu) and "leave this position for another day" in shown(menu)
    assert after(menu, Key("down"), Key("down"), Key("enter"))[0].lesson.phase == LessonPhase.OVER
    assert after(at(0), "ascii")[0].front.look.plain


def test_plain_letters_and_small_windows() -> None:
    assert shown(at(0, look=Look(plain=True))).isascii()
    model = at(0)
    small = replace(model, front=replace(model.front, rows=6, columns=30))
    assert "quadrille learn --plain" in shown(small)


def test_a_seat_sees_the_cards_that_it_knew_and_no_others() -> None:
    match = Match(game("dotter"), {"laps": 1, "open_memory": False}, 2, deal=Deal("cards"))
    for move in ("draw", "draw", "peek p2 1a 1b", "peek p1 1a 1b"):
        match.play(move)
    known = Verdict(5, 0, "draw", 0.5, 0.0, certain=False, error=0.1, tried=100, better="pass")
    model = lesson_model(MistakeLesson.of((Exercise(position_key(match, 0), match, 0, known),)), MISTAKES, Look())
    assert shown_state(model.front) == match.state.view(0)
    assert match.shown(match.state.view(0)) != match.state.view(0), "at a table people have to remember their looks"
    assert match.state.view(0) != match.state.view(1)


def test_a_lesson_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    kept: list[KeepAnswer] = []

    def made(keys: PipeInput, output: Vt100_Output) -> LessonScreen:
        return LessonScreen(lesson(0, 1), MISTAKES, Settings(), kept.append, screen_input=keys, screen_output=output)

    async def taken() -> int:
        async with at_stage(made) as person:
            await person.sees("You played b2-b1 here")
            person.press("b2-b1", "enter")
            await person.sees("REFUTED", "turns a win into a loss")
            person.press("b2-a2", "enter")
            await person.sees("SOLVED")
            person.press("enter")
            await person.sees("You played b2-c2 here")
            person.click_at("b3")
            await person.sees("b2-b3 is legal")
            person.click_at("b3")
            await person.sees("SOLVED")
            person.press("c-q")
            return await person.end()

    assert asyncio.run(taken()) == 0
    assert kept == [KeepAnswer(exercise(0).key, right=False), KeepAnswer(exercise(1).key, right=True)]
