"""The screen tells what happened: what moves did that counts, whose they were, and what placed the seats at the end."""

from dataclasses import replace

import pytest

from quadrille.client.screen.draw.canvas import wrapped
from quadrille.client.screen.draw.cards import WINNER
from quadrille.client.screen.stage import begin_model
from quadrille.client.screen.table.draft import draft
from quadrille.client.screen.table.draw import current_draft, draw
from quadrille.client.screen.table.messages import message
from quadrille.client.screen.table.model import Model
from quadrille.client.screen.table.terminal import Look
from quadrille.client.settings import Settings
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.screen.keyboard import begun, press
from tests.client.screen.positions import match_of


def table(match: Match, mine: int, *, plain: bool = False, columns: int = 80) -> Model:
    """A screen for one person; bots have the other seats."""
    bots = ["" if seat == mine else "random" for seat in range(match.state.seats)]
    return replace(begun(begin_model(match, bots, Settings())), look=Look(plain=plain), notice="", columns=columns)


def played(key: str, moves: str, options: dict[str, object], seats: int = 2) -> Match:
    match = Match(game(key), options, seats, deal=Deal("s"))
    for move in moves.split():
        match.play(move)
    return match


def shown(model: Model) -> str:
    return " ".join(" ".join(draw(model).lines).split())


BARONS = {"width": 3, "height": 3}


def test_what_moves_counted_is_told_since_the_last_one_of_this_person() -> None:
    match = played("barons", "a1 a2 b1 b2", BARONS)
    assert "You score 2 for 1 connection. Ben scores 2 for 1 connection. Type a move" in shown(table(match, 0))
    match.play("c1")
    told = shown(table(match, 1))
    assert "You score 2 for 1 connection. Ada scores 2 for 1 connection. Ada scores 40" in told


def test_the_list_of_moves_tells_what_counted() -> None:
    match = played("barons", "a1 a2 b1 b2 c1 c3", {})
    wide, narrow = shown(table(match, 0, columns=120)), shown(replace(table(match, 0, columns=66), rows=17))
    assert "A b1; scores 2 for 1 connection" in wide, "where there is room it is told of every move"
    assert "A b1; scores" not in narrow and "A c1; scores 2" in narrow


def test_the_squares_of_all_moves_since_mine_are_marked() -> None:
    match = played("barons", "a1 b2 c3 a3", BARONS, seats=4)
    lines = "\n".join(draw(table(match, 0, plain=True)).lines)
    assert all(f"({seat})" in lines or f"<{seat}>" in lines for seat in "BCD"), lines
    assert "(A)" not in lines and "<A>" not in lines


def test_the_end_tells_why_it_stopped_who_won_and_by_how_much() -> None:
    match = match_of("dollar-draw", 2, 999, {"width": 5, "height": 5})
    assert "You win by 7 to 6 claimed squares. The game is over: Ben has no legal move. F6 rematch" in shown(
        table(match, 0)
    )
    assert "Ada wins by 7 to 6 claimed squares. The game is over: you have no legal move. F6 rematch" in shown(
        table(match, 1)
    )


def test_what_is_level_is_told_where_the_last_move_decides() -> None:
    """It was `Ben wins by the last legal move. The game is over: Bar has no legal move.`"""
    match = played("dollar-draw", "a2 b1 b2 a1", {"width": 2, "height": 2})
    assert match.over is not None
    told = shown(table(match, 0))
    assert (
        "Captured dollars 0:0, claimed squares 1:1: Ben wins by the last legal move. The game is over: you have" in told
    )


def test_the_reason_of_the_end_has_the_names_of_the_table() -> None:
    match = match_of("dotter", 2, 999, {"laps": 1, "lap_points": 61})
    assert match.over is not None and "layer " in match.over.reason
    assert "layer 1 has" not in shown(table(match, 0)) and "layer 2 has" not in shown(table(match, 0))


@pytest.mark.parametrize(
    ("key", "options"), [("barons", {"width": 5, "height": 5}), ("dotter", {"laps": 1, "lap_points": 61})]
)
def test_every_seat_has_its_place_and_the_winner_a_style_of_its_own(key: str, options: dict[str, object]) -> None:
    match = match_of(key, 4, 999, options)
    assert match.over is not None
    picture = draw(table(match, 0, columns=120))
    rows = [[text for style, text in row if WINNER in style.split()] for row in picture.rows]
    won = [text for row in rows[1:] for text in row if text.strip()]
    first = [seat for seat, place in enumerate(match.over.places) if place == 1]
    assert len(won) == len(first)
    for seat, place in enumerate(match.over.places):
        assert any(f"{place}. {'ABCD'[seat]} " in line for line in picture.lines)


def test_who_comes_later_is_told_the_place() -> None:
    match = match_of("barons", 4, 999, {"width": 5, "height": 5})
    assert match.over is not None
    last = max(range(4), key=lambda seat: match.over.places[seat])  # type: ignore[union-attr]
    assert "; you come 3rd." in shown(table(match, last))


def test_a_player_who_is_not_there_is_named_by_number() -> None:
    """`score p7 1a 1b 1c`, not yet entered, ended the program, since no seat has that name."""
    match = played("dotter", "draw draw", {})
    for line in ("score p7 1a 1b 1c", "score p12 1a 1b 1c", "peek p7 1a 1b"):
        told = shown(press(table(match, 0), *line)[0])
        assert f"There is no player {line.split()[1][1:]}: the players here are p1 to p2" in told
    assert draft(match.state, "peek p1 1a 4b").says.startswith("there is no card 4b of player 1, who has row 1")


def test_who_left_is_told_at_the_end_by_name() -> None:
    """It was `Ann has resigned. Bob wins. The game is over: everybody else has left.` on Ann's own screen."""
    match = played("barons", "a1 b2", BARONS)
    match.leave(0)
    assert "Ben wins. You have resigned. F6 rematch" in shown(table(match, 0))
    assert "You win. Ada has resigned. F6 rematch" in shown(table(match, 1))


def test_a_draw_is_told_once() -> None:
    match = played("barons", "a1 b2", BARONS)
    match.agree()
    assert "You and Ben share the first place. A draw was agreed. F6" in shown(table(match, 0))
    told = replace(table(match, 0), notice="Ben agrees to a draw.")
    assert "Ben agrees to a draw. You and Ben share the first place. F6" in shown(told)


def test_a_tip_is_whole_and_the_invitation_gives_way() -> None:
    match = Match(game("barons"), dict(game("barons").lesson.options), game("barons").usual_seats, deal=Deal("s"))
    for move in ("a1", "a2", "b1", "b2"):
        match.play(move)
    found = replace(begun(begin_model(match, ["", "1"], Settings())), notice="")
    for columns in range(60, 140, 10):
        for rows in (1, 2):
            told, _ = message(replace(found, columns=columns), current_draft(found), rows)
            assert any(tip in told for tip in game("barons").lesson.tips)
            assert "Type a move" not in told or len(wrapped(told, columns - 2)) <= rows
    ended = played("barons", "a1 b2", BARONS)
    ended.leave(1)
    told = [message(table(ended, 0, columns=columns), current_draft(table(ended, 0)), 1)[0] for columns in (59, 120)]
    assert told == ["You win. Ben has resigned.", "You win. Ben has resigned. F6 rematch, F5 replay, F7 save."]


def test_a_preview_tells_what_is_gained() -> None:
    """`drawn 1 → 2, left 7 → 6` was told of every move of Maze."""
    there = press(table(played("maze", "a3-b3", {"size": 3}), 1), *"b3-b2")[0]
    assert "b3-b2 is legal. Enter plays it." in shown(there)
