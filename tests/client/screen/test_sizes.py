"""Windows of every size: 80 x 24 is enough for every game, larger ones are used, too small ones say what is needed."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quadrille.client.screen.draw.cards import face
from quadrille.client.screen.stage import begin_model
from quadrille.client.screen.table.draw import draw, needs, plan, scene_of
from quadrille.client.screen.table.model import Model
from quadrille.client.settings import Settings
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys
from tests.client.screen.keyboard import begun, sized
from tests.client.screen.positions import match_of, model_of
from tests.client.screen.test_any_keys import is_whole


def lines(model: Model) -> list[str]:
    return draw(model).lines


@pytest.mark.parametrize("key", keys())
def test_80_by_24_is_enough_at_default_size_with_any_number_of_seats(key: str) -> None:
    for seats in game(key).seats:
        for moves in (0, 7, 60):
            scene = match_of(key, seats, moves).state.scene()
            assert needs(scene) <= (24, 80) and plan(scene, 24, 80) is not None


@pytest.mark.parametrize(("key", "seats", "options"), [
    ("barons", 4, {"width": 10, "height": 10}), ("dollar-draw", 2, {"width": 10, "height": 10}),
    ("maze", 2, {"size": 8}), ("coin-isolation", 4, {}),
])  # fmt: skip
def test_80_by_24_has_room_for_all_figures_the_whole_board_and_two_lines(
    key: str, seats: int, options: dict[str, object]
) -> None:
    model = replace(begun(model_of(match_of(key, seats, 9, options))), notice=" ".join(f"word{at}" for at in range(18)))
    picture, sheet = draw(model), scene_of(model.table.match.state).sheet
    heads = " ".join(name.replace("_", " ") for name, _ in scene_of(model.table.match.state).panels[0].figures)
    assert heads in " ".join(picture.lines[1].split()) + " ".join(picture.lines[2].split())
    assert "word17" in picture.lines[-3] and "word0" in picture.lines[-4]
    assert sheet is not None and len({spot.name for spot in picture.spots if spot.does == "pick"}) == len(sheet.cells)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_every_card_of_dotter_fits(seats: int) -> None:
    """All 18 rows lie, all before one player or before all; each card can be clicked."""
    match = Match(game("dotter"), None, seats, deal=Deal("s"))
    for _ in range(18):
        match.play("draw")
    model = sized(begun(model_of(match)), 24, 80)
    assert len({spot.name for spot in draw(model).spots if spot.does == "pick"}) == 54
    for _ in range(30):
        match.play("peek p1 1a 1b" if match.state.objection(game("dotter").parse("peek p1 1a 1b", match.state)) is None
                   else next(str(move) for move in match.state.moves))  # fmt: skip
    assert "needs a window" not in "\n".join(lines(sized(begun(model_of(match)), 24, 80)))


def test_all_rows_before_one_player_fit() -> None:
    match = Match(game("dotter"), None, 6, deal=Deal("s"))
    for _ in range(2):
        match.play("draw")
    for seat in range(2, 6):
        match.leave(seat)
    for _ in range(16):
        match.play("draw")
    model = sized(begun(begin_model(match, ["", *["random"] * 5], Settings())), 24, 80)
    assert len({spot.name for spot in draw(model).spots if spot.does == "pick"}) == 54


def test_what_is_too_small_says_what_is_needed_and_that_is_enough() -> None:
    model = begun(model_of(match_of("barons", 6, 20, {"width": 26, "height": 26})))
    rows, wide = needs(scene_of(model.table.match.state))
    text = " ".join(lines(sized(model, 24, 80)))
    assert f"Barons needs a window of {wide} x {rows} characters here. This one has 80 x 24" in text
    assert "needs a window" not in " ".join(lines(sized(model, rows, wide)))
    assert "needs a window" in " ".join(lines(sized(model, rows - 1, wide)))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(keys()), st.integers(0, 30), st.integers(1, 70), st.integers(1, 220), st.booleans())
def test_any_size(key: str, moves: int, rows: int, columns: int, plain: bool) -> None:
    model = begun(model_of(match_of(key, game(key).seats[-1], moves), plain=plain))
    model = sized(model, rows, columns)
    is_whole(model, draw(model))


@pytest.mark.parametrize("name", ["a" * 200, "漢字" * 20, "e\u0301\u202e\x1b[2J", "", "\U0001f600 smile"])
def test_any_name_and_chat_stays_in_its_place(name: str) -> None:
    model = begun(model_of(match_of("barons", 3, 20)))
    chairs = tuple(replace(chair, name=name) for chair in model.table.chairs)
    for plain in (False, True):
        table = replace(model.table, chairs=chairs, chat=(f"{name}: {name}",) * 30, banner=name, link=name[:20])
        odd = replace(model, table=table, look=replace(model.look, plain=plain))
        is_whole(odd, draw(odd))
        assert "\x1b" not in "".join(lines(odd)) and "\u202e" not in "".join(lines(odd))


def test_all_that_was_discarded_in_dotter_is_shown_while_there_is_room() -> None:
    match = Match(game("dotter"), None, 2, deal=Deal("s"))
    for turn in range(24):
        slots = " ".join(f"{turn // 4 + 1}{letter}" for letter in "abc")
        match.play("draw" if turn % 4 < 2 else f"score p{turn % 2 + 1} {slots}")
    [discarded] = [row for row in match.state.scene().rows if row.seat is None]
    model = sized(begun(model_of(match)), 24, 80)
    shown = "\n".join(line[:53] for line in lines(model))
    assert len(discarded.marks) > 30 and "…" not in shown
    for mark in discarded.marks:
        assert mark and face(mark.label) in shown
