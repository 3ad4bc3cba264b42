"""Rows of observations: numbers are where they belong in memory, whatever the order of bytes."""

import re
from typing import Any

import numpy
import pytest

from quadrille.extras.lab.engine.layout import BIT, FIGURE, NUMBER, STILL, RowLayout
from quadrille.extras.lab.engine.sight import Sight
from quadrille.extras.lab.observations import observer_of
from quadrille.rules.arrays import array
from quadrille.rules.dice import Dice
from quadrille.rules.native.buffers import words
from quadrille.rules.registry import games
from tests.documents import chapter, table
from tests.test_architecture import ROOT, python_files, text

#: Planes of all kinds, ten of them of bits: two numbers of each square.
KINDS = [NUMBER, *[BIT] * 6, FIGURE, *[BIT] * 4, STILL, FIGURE, NUMBER]


def painted(width: int, *, big: bool) -> tuple[Sight, Any]:
    """Return a sight in the second of three rows, and the numbers of a buffer's rows in that order of bytes."""
    sight = Sight(RowLayout(array(KINDS), 13), width, big=big)
    row = sight.size * width // 64
    sight.words = words(3 * row)
    sight.first = row
    kind = numpy.dtype(f"{'>' if big else '<'}{'u' if width == 8 else 'i'}{width // 8}")

    def numbers(buffer: Any, rows: int) -> Any:
        memory = numpy.array(list(buffer), "i8").astype(">i8" if big else "<i8")
        return memory.view(kind).reshape(rows, -1)

    return sight, numbers


@pytest.mark.parametrize("big", [False, True], ids=["little", "big"])
@pytest.mark.parametrize("width", [8, 16])
def test_rows_and_their_planes_are_as_the_chapter_says(width: int, big: bool) -> None:
    """Bits by sevens, then planes of numbers, then figures; what is still is left out. Planes have it all."""
    sight, numbers = painted(width, big=big)
    assert sight.size == 4 * 16 + 8
    most, dice = (255 if width == 8 else 32767), Dice(width)
    for _ in range(20):
        seen = [[dice.below(2 if kind == BIT else most + 1) for _ in range(13)] for kind in KINDS]
        seen = [row[:1] * 13 if kind > NUMBER else row for kind, row in zip(KINDS, seen, strict=True)]
        laid = [number for row in seen for number in row]
        sight.clear()
        sight.lay(array(laid))
        bits = [row for kind, row in zip(KINDS, seen, strict=True) if kind == BIT]
        first = [sum(bits[k][cell] << k for k in range(7)) for cell in range(13)]
        then = [sum(bits[7 + k][cell] << k for k in range(3)) for cell in range(13)]
        rows, pad = numbers(sight.words, 3), [0] * 3
        figures = [seen[7][0], seen[13][0], *[0] * 6]
        assert rows[1].tolist() == [*first, *pad, *then, *pad, *seen[0], *pad, *seen[14], *pad, *figures]
        assert not rows[0].any() and not rows[2].any()
        view = words(len(KINDS) * 16 * width // 64)
        sight.spread(view, 0, whole=True)
        assert numbers(view, len(KINDS))[:, :13].tolist() == seen
    assert list(sight.numbers()) == laid


def counted(cell: str, seats: int) -> int:
    """Return the number of planes that a cell of the chapter's table names."""
    found = 0
    for part in filter(None, cell.split("; ")):
        if numbers := re.fullmatch(r"(\d+)(?: to (\d+))?", part):
            found += int(numbers[2] or numbers[1]) - int(numbers[1]) + 1
        else:
            found += seats if part.startswith("S:") else 4 * seats if part.startswith("4 a seat:") else 1
    return found


@pytest.mark.parametrize("there", games(), ids=lambda there: there.key)
def test_the_kinds_of_planes_are_those_in_the_chapter(there: Any) -> None:
    rows = {row[0]: row[1:] for row in table(chapter("batch"), "game | bits")}
    for seats in there.seats:
        packing = list(observer_of(there.start({}, seats)).packing())
        told = [counted(cell, seats) for cell in rows[there.title]]
        assert [packing.count(kind) for kind in (BIT, NUMBER, FIGURE)] == told
        for kind, cell in zip((BIT, NUMBER, FIGURE), rows[there.title], strict=True):
            for first, last in re.findall(r"(?<![^ ])(\d+)(?: to (\d+))?(?=;|$)", cell):
                assert set(packing[int(first) : int(last or first) + 1]) == {kind}
        assert RowLayout(array(packing), 9).is_byte == (
            there.key in ("dollar-draw", "maze") or (there.key, seats < 7) == ("barons", True)
        )


def test_only_a_batch_pays_for_painted_rows() -> None:
    """No search paints: it applies and takes back moves, and an observer is asked where an evaluator wants to see."""
    files = [path for path in python_files("rules", "extras/lab") if "tests" not in path.relative_to(ROOT).parts]
    painters = {path for path in files if re.search(r"\.(re)?paint\(", text(path))}
    assert painters == {
        *(ROOT / f"extras/lab/engine/{name}.py" for name in ("observer", "rows")),
        *(ROOT / f"extras/lab/{name}.py" for name in ("batch/__init__", "boards/barons")),
    }
