"""The rules on the screen, over a table and in the lobby: nothing is lost at any width, what fits is not broken."""

import re
from collections import Counter

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
