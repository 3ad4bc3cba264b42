"""A lesson on the screen: by keys, by mouse and by words; what is shown of it, and a whole one at a terminal."""

from dataclasses import replace

from extras.study.tests.test_lessons import lesson
from extras.study.tests.test_puzzles import after, shown
from quadrille.client.screen.table.page import Page
from quadrille.client.screen.table.terminal import Key, Look, Pasted, PickList, clicked
from quadrille.extras.study.lessons.lesson import LessonPhase
from quadrille.extras.study.screen.lesson import LessonModel


def at(*numbers: int, look: Look = Look()) -> LessonModel:  # noqa: B008 - a value
    return LessonModel.of(lesson(*numbers), look)


def test_another_move_may_be_typed_at_once_after_a_refutation() -> None:
    model, _ = after(at(0, 1), "b2-b1")
    typed, _ = after(model, Key("b"))
    assert typed.lesson.phase == LessonPhase.ASKED and typed.front.line.text == "b"
    pasted, _ = after(model, Pasted("b2-a2"))
    assert pasted.front.line.text == "b2-a2"
    assert after(pasted, Key("enter"))[0].lesson.phase == LessonPhase.SOLVED


def test_everything_at_the_foot_and_on_the_board_can_be_clicked() -> None:
    model = at(0)
    spots = {spot.name: spot for spot in model.drawn().spots}
    move = spots["a2"]
    picked, _ = after(model, clicked(move))
    assert picked.front.line.text == "b2-a2"
    solved, _ = after(picked, clicked(move))
    assert solved.lesson.phase == LessonPhase.SOLVED
    on = next(spot for spot in solved.drawn().spots if spot.name == "f4")
    assert after(solved, clicked(on))[0].lesson.phase == LessonPhase.OVER
    skip = spots["f3"]
    assert after(model, clicked(skip))[0].lesson.phase == LessonPhase.OVER


def test_help_menu_and_looks_are_those_of_the_table() -> None:
    assert isinstance(after(at(0), Key("f1"))[0].front.overlay, Page)
    menu, _ = after(at(0), Key("f10"))
    assert isinstance(menu.front.overlay, PickList) and "leave this position for another day" in shown(menu)
    assert after(menu, Key("down"), Key("down"), Key("enter"))[0].lesson.phase == LessonPhase.OVER
    assert after(at(0), "ascii")[0].front.look.plain


def test_plain_letters_and_small_windows() -> None:
    assert shown(at(0, look=Look(plain=True))).isascii()
    model = at(0)
    small = replace(model, front=replace(model.front, rows=6, columns=30))
    assert "quadrille learn --plain" in shown(small)
