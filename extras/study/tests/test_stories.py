"""A lesson and a puzzle from beginning to end, as a person sees them: on the screen after each event, and in lines.

All of it is golden. Write it anew: python -m extras.study.tests.test_stories.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from extras.study.tests import test_lessons, test_puzzles
from extras.study.tests.test_puzzles import after
from quadrille.client.plain.console import Console
from quadrille.client.screen.table.terminal import Key, Look
from quadrille.extras.study.lessons.lesson import AnyLesson
from quadrille.extras.study.plain_lesson import PlainLesson
from quadrille.extras.study.screen.lesson import LessonModel

GOLDEN: Final = Path(__file__).parent / "golden"
ENTER, ESCAPE, RIGHT = Key("enter"), Key("escape"), Key("right")
#: Events of each lesson on the screen: keys, and words that are pasted and entered.
SHOWN: Final[dict[str, tuple[object, ...]]] = {
    "learn": (
        "c1-c2", "b2-b1", ENTER, "b2-a2", ENTER, "hint", ENTER, "next", Key("f3"), Key("f5"), Key("left"), ENTER,
        ESCAPE, Key("x"), ESCAPE, "resign", Key("f2"), ENTER, ENTER, Key("f2"), ENTER,
    ),
    "puzzle": (
        "a1-a2", "line", test_puzzles.WRONG, Key("f3"), RIGHT, RIGHT, ESCAPE, ENTER, "line", ESCAPE, ENTER, Key("f2"),
        "hint", ENTER, "line", ESCAPE, "skip", ESCAPE, "next",
    ),
}  # fmt: skip
#: What is typed in lines.
TYPED: Final = {
    "learn": ("help", "moves", "c1-c2", "zzz", "b2-b1", "b2-a2", "hint", "b2-b3", "skip", "skip"),
    "puzzle": ("help", "line", "zzz", test_puzzles.WRONG, "line", "hint", "hint", test_puzzles.SOLUTION, "line", ""),
}


def lesson(name: str) -> AnyLesson:
    return test_puzzles.lesson() if name == "puzzle" else test_lessons.lesson(0, 1)


def screens(name: str) -> Iterator[str]:
    """Yield the first screen, then after each event the rows that are others, and the effects."""
    model = LessonModel.of(lesson(name), Look())
    rows = [row.rstrip() for row in model.drawn().lines]
    yield from rows
    for event in SHOWN[name]:
        before, (model, effects) = rows, after(model, event)
        rows = [row.rstrip() for row in model.drawn().lines]
        yield f"== {event.name if isinstance(event, Key) else event}"
        yield from (f"{number:2}|{row}" for number, row in enumerate(rows) if row != before[number])
        yield from (f"-- {effect}" for effect in effects)


def lines(name: str) -> Iterator[str]:
    told, noted = io.StringIO(), list[object]()
    console = Console(io.StringIO("".join(f"{line}\n" for line in TYPED[name])), told)
    PlainLesson(lesson(name), console, noted.append).run()
    yield from (*map(str.rstrip, told.getvalue().splitlines()), *(f"-- {note}" for note in noted))


#: The golden pages by their names.
PAGES: Final = {f"{name}-{face.__name__}.txt": (face, name) for name in SHOWN for face in (screens, lines)}


def page(name: str) -> str:
    face, lesson = PAGES[name]
    return "\n".join(face(lesson)) + "\n"


@pytest.mark.parametrize("name", PAGES)
def test_a_whole_story_is_the_golden_one(name: str) -> None:
    assert page(name) == (GOLDEN / name).read_text("utf-8"), "wanted? python -m extras.study.tests.test_stories"


if __name__ == "__main__":
    for name in PAGES:
        (GOLDEN / name).write_text(page(name), "utf-8")
