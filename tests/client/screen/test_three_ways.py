"""Everything can be done in three ways, by the cursor keys, the mouse and words, with the same outcome."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from quadrille.client.screen.table.draw import current_draft, draw
from quadrille.client.screen.table.messages import menu_rows
from quadrille.client.screen.table.model import Effect, Model
from quadrille.client.screen.table.terminal import Entitle
from quadrille.client.words.commands import COMMANDS, Place, offered
from quadrille.rules.games._template import GAME as CHOMP
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import keys
from tests.client.screen import keyboard
from tests.client.screen.keyboard import begun, click, match_of, model_of, pasted, press, reached, typed

WORDS = [command.word for command in offered(Place.OWN) if command.help]
#: A move as it is written, and the places and choices that are picked for it, one after another.
MOVES: dict[str, tuple[str, int, int, str, dict[str, object], str, list[str]]] = {
    "barons": ("barons", 4, 9, "s", {}, "e5", ["e5"]),
    "dollar-draw": ("dollar-draw", 2, 60, "j", {"width": 10, "height": 10}, "j3", ["j3"]),
    "maze-forced": ("maze", 2, 5, "s", {}, "f6-f5", ["f5"]),
    "maze-free": ("maze", 2, 0, "s", {"size": 3}, "a3-b3", ["b3"]),
    "coin-path": ("coin-isolation", 2, 17, "e", {}, "f7-f6-f5", ["f7", "f6", "f5"]),
    "coin-side": ("coin-isolation", 2, 0, "e", {}, "side north", ["side north"]),
    "coin-clause": ("coin-isolation", 2, 7, "g", {"take": "semi-greedy"}, "b4 take 2", ["b4", "b4 take 2"]),
    "dotter-draw": ("dotter", 2, 0, "a", {}, "draw", ["draw"]),
    "dotter-peek": ("dotter", 2, 19, "a", {"looks": 0}, "peek p1 4a 4c", ["p1 4c", "p1 4a"]),
    "dotter-score": (
        "dotter", 2, 19, "a", {"looks": 0}, "score p2 2a 2b 2c double",
        ["p2 2b", "p2 2a", "p2 2c", "score p2 2a 2b 2c double"],
    ),
}  # fmt: skip


def by_words(model: Model, text: str, _: list[str]) -> Model:
    return typed(model, text)[0]


def by_arrows(model: Model, _: str, places: list[str]) -> Model:
    """Enter on each place; once more on the last one."""
    for place in places:
        model, _effects = press(keyboard.moved_to(model, place), "enter")
    return press(model, "enter")[0]


def by_mouse(model: Model, _: str, places: list[str]) -> Model:
    for place in [*places, places[-1]]:
        model, _effects = click(model, place)
    return model


@pytest.mark.parametrize("moves", [0, 7, 19])
@pytest.mark.parametrize("key", keys())
def test_the_cursor_begins_where_something_can_be_picked(key: str, moves: int) -> None:
    model = begun(model_of(match_of(key, 2, moves)))
    found = current_draft(model)
    if model.table.match.over:
        return
    for arrow in ("down", "up", "left", "right"):
        cursor = press(model, arrow)[0].cursor
        assert cursor in found.nexts or cursor in [line for _, line in found.choices], (cursor, found)


def test_the_cursor_begins_beside_the_last_move() -> None:
    model = begun(model_of(match_of("barons", 2, 0, {"width": 7, "height": 7}), people=True))
    for move in ("a1", "g7"):
        model = typed(model, move)[0]
    assert press(model, "down")[0].cursor in ("f7", "g6")


def test_the_cursor_is_gone_after_the_end() -> None:
    model = press(begun(model_of(match_of("barons", 2, 4), people=True)), "down")[0]
    assert model.cursor
    over = press(model, "f4", "y")[0]
    assert over.cursor == "" and press(over, "down", "left")[0].cursor == ""
    assert press(over, "enter")[0].line.text == ""
    undone = press(over, "f3")[0]
    assert press(undone, "down")[0].cursor


#: Ways to these by the arrows are long, and "coin-path" and "dotter-peek" have some of the same kind.
FAR = ("coin-clause", "dotter-score")


@pytest.mark.parametrize(
    ("name", "way"),
    [
        pytest.param(name, way, marks=pytest.mark.slow if way is by_arrows and name in FAR else ())
        for name in MOVES
        for way in (by_words, by_arrows, by_mouse)
    ],
)
def test_a_move(name: str, way: Callable[[Model, str, list[str]], Model]) -> None:
    key, seats, moves, seed, options, text, places = MOVES[name]
    match = match_of(key, seats, moves, options, seed)
    before = begun(model_of(match))
    made = way(before, text, places).table.match.entries
    assert str(getattr(made[len(match.entries)], "move", "")) == text


@pytest.mark.parametrize("way", [by_words, by_arrows, by_mouse])
def test_a_game_that_no_drawing_knows(
    way: Callable[[Model, str, list[str]], Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("entries.terms", "game_log.log"):
        monkeypatch.setattr(f"quadrille.net.{place}.game", lambda key: CHOMP)
    model = begun(model_of(Match(CHOMP, deal=Deal("s")), people=True))
    assert way(model, "c2", ["c2"]).table.match.ply == 1


# Actions


def outcome(before: Model, after: Model, effects: list[Effect]) -> tuple[object, ...]:
    shown = [effect for effect in effects if not isinstance(effect, Entitle)]
    kinds = [type(effect).__name__ for effect in shown]
    table = after.table
    line = after.line.text if after.line.text not in {f"{word} " for word in WORDS} else "a word"
    return (
        len(table.match.entries) - len(before.table.match.entries), type(after.overlay).__name__, after.look,
        after.replay, table.paused, kinds, line, after.alarm,
    )  # fmt: skip


def played() -> Model:
    """A game in which all actions make sense."""
    return replace(begun(keyboard.begin_model(match_of("barons", 3, 6), ["", "", "random"])), notice="")


def by_word(model: Model, word: str) -> tuple[Model, list[Effect]]:
    return pasted(model, word)


def by_menu_keys(model: Model, word: str) -> tuple[Model, list[Effect]]:
    at = [command.word for _, command in menu_rows(model)].index(word)
    return press(model, "f10", *["down"] * at, "enter")


def by_menu_mouse(model: Model, word: str) -> tuple[Model, list[Effect]]:
    opened = press(model, "f10")[0]
    at = [command.word for _, command in menu_rows(model)].index(word)
    return click(opened, f"{at}", does="choice")


_TAKES_A_WORD = {"against", "load", "say", "stand-in", "theme"}


@pytest.mark.parametrize("word", [word for word in WORDS if word not in _TAKES_A_WORD])
def test_an_action(word: str) -> None:
    model = played()
    first = outcome(model, *by_word(model, word))
    for way in (by_menu_keys, by_menu_mouse):
        assert outcome(model, *way(model, word)) == first, way.__name__
    if key := COMMANDS[word].key:
        assert outcome(model, *press(model, key)) == first


@pytest.mark.parametrize("word", sorted(_TAKES_A_WORD))
def test_an_action_that_takes_a_word_is_put_at_the_prompt(word: str) -> None:
    for way in (by_menu_keys, by_menu_mouse):
        assert way(played(), word)[0].line.text == f"{word} "


@pytest.mark.slow
def test_every_place_can_be_reached_by_arrows() -> None:
    for key, seats, moves in (("barons", 6, 9), ("dotter", 3, 20), ("maze", 2, 3)):
        model = begun(model_of(match_of(key, seats, moves, seed="b")))
        assert set(reached(model)) == {spot.name for spot in draw(model).spots if spot.does in ("pick", "word")}


@pytest.mark.parametrize(("key", "size"), [("barons", {}), ("dollar-draw", {"width": 10, "height": 10}), ("maze", {})])
def test_no_row_of_the_board_is_deaf_to_the_mouse(key: str, size: dict[str, object]) -> None:
    picture = draw(begun(model_of(match_of(key, 2, 0, size), people=True)))
    squares = [spot for spot in picture.spots if spot.does == "pick"]
    rows = range(min(spot.row for spot in squares), max(spot.row for spot in squares))
    column = squares[0].column + squares[0].width // 2
    assert not [row for row in rows if getattr(picture.at(row, column), "does", "") != "pick"]
