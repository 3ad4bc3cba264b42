"""Level 6 says what it is: where it is chosen, and where a table with it begins."""

from dataclasses import replace

import pytest

from quadrille.client.bots.levels import level_text
from quadrille.client.screen.lobby.new_table import NewTable, rows_of
from quadrille.extras.lab.opponents import knowledge
from quadrille.rules.registry import game
from tests.client.conftest import Run

LEARNED = "Level 6 has learned this table from "
NOTHING_HERE = "Level 6 has learned nothing for this table: it plays as level 5."
COUNTS = "Level 6 has learned nothing for this table: it plays as level 5, but counts cards."
NOT_USED = "games against itself, but was not shown to be stronger by that: it plays as level 5."
MIRROR = "As player 2 it can turn each move of the other by 180 degrees, which is proved to win."
NEVER = "As player 2 it can turn each move of the other by 180 degrees, which is proved never to lose."
MIDDLE = "As player 1 it can turn each move of the other by 180 degrees, which is proved to win."
ENDS = "As soon as it can look to the end of the game, it plays what is proved."


def sides(width: int, height: int, **more: object) -> dict[str, object]:
    return {"width": width, "height": height} | more


@pytest.mark.parametrize(
    ("key", "options", "seats", "told"),
    [
        ("maze", {}, 2, [NOTHING_HERE, ENDS]),
        ("dotter", {}, 2, [COUNTS]),
        ("dotter", {}, 5, [COUNTS]),
        ("coin-isolation", {}, 2, [NOTHING_HERE, ENDS]),
        ("dollar-draw", sides(8, 8), 2, [NOTHING_HERE, MIRROR]),
        ("dollar-draw", sides(7, 6), 2, [NOTHING_HERE, MIRROR]),
        ("dollar-draw", sides(7, 7), 2, [NOTHING_HERE, ENDS]),
        ("dollar-draw", sides(9, 9), 2, [LEARNED, NOT_USED, ENDS]),
        ("barons", sides(9, 9), 2, [LEARNED]),
        ("barons", sides(10, 10), 2, [LEARNED, NOT_USED, NEVER]),
        ("barons", sides(10, 10), 3, [LEARNED]),
        ("barons", {}, 8, [NOTHING_HERE]),
        ("barons", sides(5, 5, end="full"), 2, [NOTHING_HERE, MIDDLE]),
        ("barons", sides(9, 9, row_bonus=39), 2, [NOTHING_HERE, ENDS]),
    ],
)
def test_the_sentence_of_a_table(key: str, options: dict[str, object], seats: int, told: list[str]) -> None:
    state = game(key).start(options, seats)
    text = level_text(["", "6"], state)
    assert all(part in text for part in told)
    assert (LEARNED in text) == (knowledge(state).games > 0)
    assert [part for part in (NOTHING_HERE, COUNTS, NOT_USED, MIRROR, NEVER, MIDDLE, ENDS) if part in text] == [
        part for part in told if part != LEARNED
    ]
    assert level_text(["", "level 6 of Ann"], state) == text


def test_other_bots_say_nothing() -> None:
    state = game("maze").start()
    for bots in ([], ["", "5"], ["mcts:6"], ["./6.py"]):
        assert level_text(bots, state) == ""
    for kinds in ([], ["", "level 5 of Ann"], ["level 60"], ["mcts 3 of level 6"]):
        assert level_text(kinds, state) == ""


def test_the_knowledge_is_that_of_the_table_at_any_position() -> None:
    state = game("dollar-draw").start({"width": 6, "height": 6})
    begins = knowledge(state)
    for move in ("b1", "e6", "c1"):
        state = state.play(state.game.parse(move, state))
        assert knowledge(state) == begins


def test_a_table_in_lines_begins_with_it(run: Run) -> None:
    out = run("play maze --set size=4 --against 6 --plain", "quit").out
    assert f"{NOTHING_HERE} {ENDS}" in " ".join(out.split())
    assert "Level 6" not in run("play maze --set size=4 --against 5 --plain", "quit").out


def test_the_form_says_it_where_the_level_is_chosen() -> None:
    form = NewTable("dollar-draw", True, {"bot": "6", "set width": "6", "set height": "6"})
    told = next(row for row in rows_of(form) if row.name == "bot").explanation
    assert MIRROR in told
    learned = replace(form, values={"bot": "6", "set width": "9", "set height": "9"})
    assert LEARNED in next(row for row in rows_of(learned) if row.name == "bot").explanation
    for values in ({"bot": "5"}, {"bot": "6", "set width": "1"}, {"bot": "6", "set width": "wide"}):
        told = next(row for row in rows_of(replace(form, values=values)) if row.name == "bot").explanation
        assert "Level 6 has" not in told
