"""The README is short, says what is so, and shows what moves. tests/guides runs its commands and its Python."""

import re
import struct
from pathlib import Path

import pytest

from quadrille.rules.registry import games
from tests.guides.typed import blocks

FOLDER = Path(__file__).parent.parent
FILE = FOLDER / "README.md"
TEXT = FILE.read_text("utf-8")
#: A picture has to come quickly, also by a telephone.
MOST_BYTES = 300_000


def test_it_is_read_in_a_minute() -> None:
    assert len(TEXT.splitlines()) < 100


def test_its_first_block_plays_and_its_second_tests() -> None:
    """.ci/run types these two, in this order."""
    first, second, *_ = (block.text for block in blocks(FILE) if (block.language, block.word) == ("sh", ""))
    assert "pip install . " in first and first.rstrip().endswith("&& quadrille")
    assert "pip install -e '.[test]'" in second and second.rstrip().endswith("pytest")


def test_what_its_python_prints(capsys: pytest.CaptureFixture[str]) -> None:
    [code] = [block.text for block in blocks(FILE) if block.language == "python"]
    exec(code, {})
    assert re.fullmatch(r"\((\d, ){2}\d\) \((\d+, ){2}\d+\)\n", capsys.readouterr().out)


def test_every_game_and_its_seats() -> None:
    for played in games():
        seats = f"{played.seats[0]}-{played.seats[-1]}" if len(played.seats) > 1 else str(played.seats[0])
        assert f"| {played.title} | {seats} |" in TEXT


def test_its_pictures_are_there_and_move() -> None:
    pictures = dict(re.findall(r'<img alt="([^"]+)" src="([^"]+)"', TEXT))
    assert sorted(pictures.values()) == ["docs/phone.png", "docs/screen.svg"]
    assert all(alt and (FOLDER / name).stat().st_size <= MOST_BYTES for alt, name in pictures.items())
    screen = (FOLDER / "docs/screen.svg").read_text("utf-8")
    assert screen.startswith("<svg ") and screen.count("@keyframes") > 10 and "<script" not in screen
    phone = (FOLDER / "docs/phone.png").read_bytes()
    at = phone.index(b"acTL")
    assert struct.unpack_from(">I", phone, at + 4)[0] > 10 and phone.count(b"fcTL") > 10
