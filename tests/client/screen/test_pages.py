"""The rules on the screen, over a table and in the lobby: nothing is lost at any width, what fits is not broken."""

import re
from collections import Counter
from itertools import pairwise

import pytest

from quadrille.client.screen.draw.canvas import ClickTarget, Picture, columns
from quadrille.client.screen.draw.prose import laid_out
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Model
from quadrille.client.screen.table.page import Page, draw_page, rules_page, turned
from quadrille.client.screen.table.terminal import Key, Look, Wheel, clicked
from quadrille.client.words.rules import page as page_of
from quadrille.client.words.rules import rules_text
from quadrille.rules.match import Match
from quadrille.rules.registry import game, keys
from tests.client.screen.keyboard import begin_model, begun, click, press, sized, text

WIDTHS = (*range(60, 121, 10), 61, 79, 119)


def texts(page: Page, room: int) -> list[str]:
    return ["".join(text for _, text in row) for row in laid_out(page.lines, room, prose=page.prose)]


def words(text: str) -> Counter[str]:
    """Its words, without signs of any kind."""
    return Counter(re.findall(r"[^\W_]+", text))


def table(key: str) -> Model:
    match = Match(game(key))
    return begun(begin_model(match, ["", *["random"] * (match.state.seats - 1)]))


@pytest.mark.parametrize("key", keys())
def test_no_word_is_lost_and_no_line_too_wide_at_any_width(key: str) -> None:
    page, below_heading = rules_page(game(key)), rules_text(game(key)).partition("\n\n")[2]  # which the frame has
    for width in WIDTHS:
        lines = texts(page, width - 4)
        assert max(map(columns, lines)) <= width - 4
        assert words("\n".join(lines)) == words(below_heading)


@pytest.mark.parametrize("key", keys())
def test_pictures_and_lists_that_are_set_in_stay_as_they_are_at_80_columns(key: str) -> None:
    shown = [line.strip() for line in texts(rules_page(game(key)), 76)]
    for line in page_of(game(key)).splitlines():
        if line.startswith("    ") and len(line) < 78:
            assert line.strip() in shown


def test_the_rules_come_first_and_tab_leads_to_the_keys() -> None:
    model = press(table("maze"), "f1", "down", "down")[0]
    top = draw(press(model, "home")[0]).lines
    assert "Maze: rules" in top[0] and "Two players draw one maze" in "".join(top[1:4])
    assert "Tab keys" in top[-1]
    there = press(model, "tab")[0]
    assert "Maze: keys" in draw(there).lines[0] and "F1, help" in text(there)
    assert "Tab rules" in draw(there).lines[-1]
    assert draw(press(there, "tab")[0]) == draw(model)
    assert draw(click(model, "tab", does="key")[0]) == draw(there)
    for key in ("escape", "f1", "q"):
        assert press(there, key)[0].overlay is None


def test_a_paragraph_fills_its_lines() -> None:
    text = ("One two three four five six seven eight nine ten eleven twelve, and thirteen", "fourteen fifteen.")
    for room in range(20, 80):
        lines = texts(Page("", text, prose=True), room)
        for line, after in pairwise(lines):
            assert len(line) + 1 + len(after.split()[0]) > room


@pytest.mark.parametrize(
    ("lines", "room", "prose", "shown"),
    [
        pytest.param(
            ("    2  A---B    Three players have had four turns", "       |   |    each.", "    1  C   .    A: 46."),
            36, True,
            ["2  A---B    Three players have had", "   |   |    four turns each.", "1  C   .    A: 46."],
            id="a text beside a picture flows where it has no room",
        ),
        pytest.param(
            ("ok       This machine can compute with hidden cards.",), 40, False,
            ["ok       This machine can compute with", "         hidden cards."],
            id="a row hangs under its own text",
        ),
        pytest.param(
            ("# no heading **here**", "x" * 50), 40, False, ["# no heading **here**", "x" * 40, "x" * 10],
            id="what is no prose has no marks",
        ),
        pytest.param(
            ("| cards | what they are |", "| --- | --- |", "| double | exactly two of a rank |"), 24, True,
            ["cards   what they are", "double  exactly two of a", "        rank"],
            id="a table has columns",
        ),
    ],
)  # fmt: skip
def test_lines_are_laid_out(lines: tuple[str, ...], room: int, prose: bool, shown: list[str]) -> None:
    assert texts(Page("", lines, prose=prose), room) == shown


def test_a_list_hangs_and_marks_are_styles() -> None:
    [first, second] = laid_out(("- **Mixed change**: piles may mix `types` on", "  one path."), 40, prose=True)
    assert first[:4] == (("", "- "), ("strong", "Mixed"), ("", " "), ("strong", "change"))
    assert ("strong", "types") in first and "".join(text for _, text in second) == "  one path."


def test_a_page_closes_and_turns_by_key_wheel_and_click() -> None:
    page = Page("Much", tuple(f"line {number}" for number in range(100)), other=Page("more", ("a line",)))

    def drawn(page: Page | None) -> Picture:
        assert page is not None
        return draw_page(page, Look(), 24, 80)

    assert "line 22" in "\n".join(drawn(turned(page, Key("pagedown"), 24, 80)).lines)
    assert "line 3" in drawn(turned(page, Wheel(up=False), 24, 80)).lines[1]
    assert drawn(page).at(23, 2) == ClickTarget("key", "escape", 23, 0, 80)
    assert "Tab more" in drawn(page).lines[-1] and Key("tab") in map(clicked, drawn(page).spots)
    assert turned(page, Key("escape"), 24, 80) is None
    assert "a line" in "\n".join(drawn(turned(page, Key("tab"), 24, 80)).lines)


@pytest.mark.parametrize("key", keys())
def test_the_first_screen_of_the_rules_is_enough_to_play(key: str) -> None:
    """All before the details is to be seen at once at 80 x 24 (the last line of Dotter's was cut in two)."""
    first = page_of(game(key)).partition("\n\n")[2].partition("\n## ")[0]
    shown = draw(press(sized(table(key), 24, 80), "f1")[0]).lines[1:-2]
    assert not words(first) - words("\n".join(shown))
