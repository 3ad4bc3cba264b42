"""The texts that people read about the commands of lessons and puzzles stay as they are, byte for byte.

Write the golden page anew: python -m extras.study.tests.test_command_texts.
"""

from dataclasses import replace
from pathlib import Path
from typing import Final

from quadrille.client.words.commands import help_text
from quadrille.extras.study.lessons.mistakes import MistakeLesson
from quadrille.extras.study.lessons.puzzle import PuzzleLesson
from tests.client.test_command_texts import of_tables, tables

GOLDEN: Final = Path(__file__).parent / "golden/commands.txt"


def page() -> str:
    seat = tables()["seat"]
    models = {
        lesson.screen.name: replace(seat, table=replace(seat.table, lesson="YOUR MOVE", given=lesson.screen))
        for lesson in (MistakeLesson, PuzzleLesson)
    }
    found = [*of_tables(models)]
    for lesson in (MistakeLesson, PuzzleLesson):
        found += ["==", help_text(lesson.lines)]
    return "\n".join(found) + "\n"


def test_every_help_key_line_completion_and_refusal_is_the_golden_one() -> None:
    assert page() == GOLDEN.read_text("utf-8"), "wanted? python -m extras.study.tests.test_command_texts writes it anew"


if __name__ == "__main__":
    GOLDEN.write_text(page(), "utf-8")
