"""How a table is drawn: its board, the column beside it, what is told, its foot, in windows of every size."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quadrille.client.screen.draw.canvas import WINNER, Canvas
from quadrille.client.screen.draw.cards import face
from quadrille.client.screen.draw.sheet import Marked, SheetView, pitch_for, pitches
from quadrille.client.screen.draw.theme import ALL_COLOURS, FEW_COLOURS, NO_COLOURS, TABLE_OF_COLOURS, THEMES, styles
from quadrille.client.screen.table.draw import draw, needs, plan, scene_of
from quadrille.client.screen.table.model import Model, Replay, ShownChair, draft, preview
from quadrille.client.screen.table.terminal import Look
from quadrille.net.trust.names import LONGEST_NAME
from quadrille.rules.match import Match
from quadrille.rules.record import read
from quadrille.rules.registry import game, keys
from quadrille.rules.scene import Sheet, cell, mark
from tests.client.screen.keyboard import begin_model, begun, match_of, model_of, played, press, prose, sized, text
from tests.client.screen.test_any_keys import is_whole

# Boards: large where there is room, compact where not; badges and coins by value, and what signs mean


DEPTHS = (NO_COLOURS, FEW_COLOURS, TABLE_OF_COLOURS, ALL_COLOURS)


def screen(match: Match, rows: int = 24, columns: int = 80) -> Model:
    return sized(begun(model_of(match)), rows, columns)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("colours", DEPTHS)
def test_badges_and_the_cursor_are_seen_in_every_theme(theme: str, colours: int) -> None:
    found = styles(theme, colours)
    for name in ("badge-a", "badge-h", "cursor", "held", "chosen", "turn", "win"):
        assert "bg:" in found[name] or "reverse" in found[name], name
    assert ("tint-a" in found) == (THEMES[theme] is not None and colours > FEW_COLOURS)


def test_in_a_small_window_a_coin_is_told_by_its_letter_and_a_legend_takes_the_place_of_no_moves() -> None:
    model = screen(match_of("coin-isolation", 4, 18, seed="b"), 20, 60)
    assert min(pitch.columns for pitch in pitches(scene_of(model.table.match.state).sheet)) == 3
    assert "needs a window" not in text(model)
    assert "new since" not in text(screen(match_of("barons", 8, 40), 20, 60))


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize(("rows", "columns"), [(20, 60), (24, 80), (40, 120)])
@pytest.mark.parametrize("kind", ["level 2", "level 2 of Ann"])
def test_the_level_of_each_bot_is_seen_beside_all_figures(key: str, rows: int, columns: int, kind: str) -> None:
    seats = game(key).usual_seats
    model = screen(match_of(key, seats, 7), rows, columns)
    names = ("you", "Ben", "Cleo", "Dan")[:seats]
    chairs = tuple(ShownChair(name, "2" if at else "", kind if at else "") for at, name in enumerate(names))
    lines = draw(replace(model, table=replace(model.table, chairs=chairs))).lines
    there = [" ".join(line.split()) for line in lines]
    beside = [any(f" {name}, level 2" in line for line in there) for name in names[1:]]
    assert all(beside) or any(f"{name}: level 2" in line for name in (*names, "Bots") for line in there)
    assert all(beside) or not any(beside)


# The maze at its end: walls between the squares, and dots along the way through


GOLDEN = Path(__file__).parents[2] / "golden"
#: From one line more on, 6 x 6 squares have room for walls between them.
_LINES_OF_WALLS = 17
#: All but the last move, and that one.
MOVES = ("a3-b3, b3-b2, b2-b1, b1-a1, a1-a2, b1-c1, c1-c2", ", c2-c3")


def maze_table(moves: str = "".join(MOVES)) -> Model:
    return sized(begin_model(played("maze", moves, {"size": 3}), ("", "")), 18, 60)


def board(model: Model) -> list[str]:
    """The part of the screen that has the sheet, without the numbers of rows."""
    return [line[4:29].rstrip() for line in draw(model).lines[1:14]]


def test_the_walls_stand_at_the_end_with_the_way_through() -> None:
    assert board(maze_table()) == [
        "╶───────────────┬───────┐",
        "                │       │",
        "•   ◉───•───┐   │  ‹X›  │",
        "            ┃   │   ┃   │",
        "┌───────┐   •   │   ┃   │",
        "│       │   ┃   │   ┃   │",
        "│   X   │   │   │   │   │",
        "│   │   │   │   │   │   │",
        "│   │   ╵   •   ╵   │   ╵",
        "│   │       │       │",
        "│   └━━━━━━━┴━━━•━━━┘   •",
        "│",
        "└───────────────────────╴",
    ]


@pytest.mark.parametrize("name", ["maze-usual", "maze-resigned"])
def test_the_lines_below_the_board_stay_in_any_window(name: str) -> None:
    """A game that was given up before a way led through shows no walls."""
    match = read((GOLDEN / f"{name}.txt").read_bytes())
    model = begin_model(match, ("", ""))
    rows, columns = needs(scene_of(match.state))
    for high in (*range(rows, rows + 5), rows + 12, rows + 29):
        for wide in (columns, columns + 70):
            lines = draw(sized(model, high, wide)).lines
            text = "\n".join(lines)
            assert len(lines) == high and "wins" in text
            has_walls = name == "maze-usual" and high > _LINES_OF_WALLS
            assert ("•" in text) == has_walls
            lower = [line for line in lines if line.startswith("    └──") and "┴" in line and "╴" in line]
            assert len(lower) == has_walls


def test_the_way_is_in_the_legend() -> None:
    model = sized(maze_table(), 24, 80)
    for plain, sign in ((False, "•"), (True, "*")):
        lines = draw(replace(model, look=replace(model.look, plain=plain))).lines
        assert any(f"{sign} the way through" in line for line in lines)
    assert not any("the way through" in line for line in draw(sized(maze_table(MOVES[0]), 24, 80)).lines)


# Windows: 80 x 24 is enough for every game, larger ones are used, too small ones say what is needed


@pytest.mark.parametrize("key", keys())
def test_80_by_24_is_enough_at_default_size_with_any_number_of_seats(key: str) -> None:
    for seats in game(key).seats:
        for moves in (0, 7, 60):
            scene = match_of(key, seats, moves).state.scene()
            assert needs(scene) <= (24, 80) and plan(scene, 24, 80) is not None


def test_what_is_too_small_says_what_is_needed_and_that_is_enough() -> None:
    model = begun(model_of(match_of("barons", 6, 20, {"width": 26, "height": 26})))
    rows, wide = needs(scene_of(model.table.match.state))
    needed = f"Barons needs a window of {wide} x {rows} characters here. This one has 80 x 24"
    assert needed in prose(sized(model, 24, 80))
    assert "needs a window" not in text(sized(model, rows, wide))
    assert "needs a window" in text(sized(model, rows - 1, wide))


@pytest.mark.parametrize("key", keys())
def test_no_more_is_said_to_be_needed_than_the_window_has_where_that_is_enough(key: str) -> None:
    scene = match_of(key, 2, 7).state.scene()
    for columns in (1, 40, 60, 79, 80, 200):
        rows, wide = needs(scene, columns)
        assert plan(scene, rows, wide) and not plan(scene, rows - 1, wide)
        assert wide <= columns or not plan(scene, 150, wide - 1)


@settings(deadline=None)
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
        assert "\x1b" not in text(odd) and "\u202e" not in text(odd)


def test_the_longest_name_beside_a_track_is_whole_where_there_is_room() -> None:
    longest = "N" * LONGEST_NAME
    model = sized(seated(match_of("dotter", 2, 7), "you", longest), 40, 120)
    assert f"{longest} ●" in text(model)
    narrow = text(sized(model, 24, 80))
    assert "N… ●" in narrow and narrow.count("  0/121  lap 1/2  ") == 2, "the laps are not written over"


# Beside the board: notes are whole, and by the names of those who sit there


def beside(match: Match, *names: str, start: int = 54) -> str:
    return " ".join(" ".join(line[start:] for line in draw(seated(match, *names)).lines).split())


def seated(match: Match, *names: str) -> Model:
    model: Model = begin_model(match, [""] * match.state.seats)
    chairs = tuple(map(ShownChair, names))
    return begun(replace(model, table=replace(model.table, chairs=chairs, local=False, viewer=0), own=None, notice=""))


def test_a_look_is_to_be_remembered_where_memory_is_not_open() -> None:
    """On the board, in the list of moves, in the preview of a score and in the replay; after the game all is shown."""
    for open_memory in (True, False):
        match = played("dotter", "draw, draw, peek p1 1a 1b", {"open_memory": open_memory, "laps": 1})
        saw = " ".join(face(str(card)) for card in match.seen(2, 0))
        assert saw in beside(match, "you", "Ben")
        for move in ("draw", "peek p1 1b 1c", "draw"):
            match.play(move)
        model = begin_model(match, ["", "random"])
        assert isinstance(model.shown_state.viewer, int)
        told = text(begun(model))
        foreseen = preview(model.shown_state, draft(model.shown_state, "score p1 1a 1b 1c"))
        again = text(begun(replace(model, replay=Replay(3))))
        assert [saw in told, foreseen is not None, saw in again] == [open_memory] * 3
        match.leave(1)
        ended = begin_model(match, ["", "random"])
        assert saw in text(begun(replace(ended, notice="")))


# What moves did that counts, whose they were, and what placed the seats at the end


def table(match: Match, mine: int, *, plain: bool = False, columns: int = 80) -> Model:
    """A screen for one person; bots have the other seats."""
    bots = ["" if seat == mine else "random" for seat in range(match.state.seats)]
    return replace(begun(begin_model(match, bots)), look=Look(plain=plain), notice="", columns=columns)


BARONS = {"width": 3, "height": 3}


def ended(end: Callable[[Match], object]) -> Match:
    match = played("barons", "a1, b2", BARONS, 2)
    end(match)
    return match


#: A game, the seat before the screen, and what is told there.
TOLD: dict[str, tuple[Callable[[], Match], int, str]] = {
    "what both moves counted": (
        lambda: played("barons", "a1, a2, b1, b2", BARONS, 2), 0,
        "You score 2 for 1 connection. Ben scores 2 for 1 connection. Type a move",
    ),
    "all since the own move": (
        lambda: played("barons", "a1, a2, b1, b2, c1", BARONS, 2), 1,
        "You score 2 for 1 connection. Ada scores 2 for 1 connection. Ada scores 40",
    ),
    "by how much one won": (
        lambda: match_of("dollar-draw", 2, 999, {"width": 5, "height": 5}), 0,
        "You win by 7 to 6 claimed squares. The game is over: Ben has no legal move. F6 rematch",
    ),
    "by how much the other won": (
        lambda: match_of("dollar-draw", 2, 999, {"width": 5, "height": 5}), 1,
        "Ada wins by 7 to 6 claimed squares. The game is over: you have no legal move. F6 rematch",
    ),
    "what is level where the last move decides": (
        lambda: played("dollar-draw", "a2, b1, b2, a1", {"width": 2, "height": 2}), 0,
        "Captured dollars 0:0, claimed squares 1:1: Ben wins by the last legal move. The game is over: you have",
    ),
    "the place": (lambda: match_of("barons", 4, 999, {"width": 5, "height": 5}), 1, "; you come 3rd."),
    "who has resigned, to that one": (
        lambda: ended(lambda match: match.leave(0)), 0, "Ben wins. You have resigned. F6 rematch",
    ),
    "who has resigned, to the other": (
        lambda: ended(lambda match: match.leave(0)), 1, "You win. Ada has resigned. F6 rematch",
    ),
    "a draw, once": (
        lambda: ended(Match.agree), 0, "You and Ben share the first place. A draw was agreed. F6",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", TOLD)
def test_what_is_told_beside_the_prompt(what: str) -> None:
    match, seat, said = TOLD[what]
    assert said in prose(table(match(), seat))


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


def test_the_reason_of_the_end_has_the_names_of_the_table() -> None:
    match = match_of("dotter", 2, 999, {"laps": 1, "lap_points": 61})
    assert match.over is not None and "layer " in match.over.reason
    assert "layer 1 has" not in prose(table(match, 0)) and "layer 2 has" not in prose(table(match, 0))


def test_a_player_who_is_not_there_is_named_by_number() -> None:
    match = played("dotter", "draw, draw")
    for line in ("score p7 1a 1b 1c", "score p12 1a 1b 1c", "peek p7 1a 1b"):
        told = prose(press(table(match, 0), *line)[0])
        assert f"There is no player {line.split()[1][1:]}: the players here are p1 to p2" in told
    assert draft(match.state, "peek p1 1a 4b").says.startswith("there is no card 4b of player 1, who has row 1")


def test_a_notice_of_a_draw_comes_before_the_result() -> None:
    told = replace(table(ended(Match.agree), 0), notice="Ben agrees to a draw.")
    assert "Ben agrees to a draw. You and Ben share the first place. F6" in prose(told)


# The last lines: what is told never hides the keys, which are the mouse's, too


LONG = " ".join(f"word{number}" for number in range(40))


def told(key: str, text: str, rows: int = 24, columns: int = 80, *, people: bool = False) -> Model:
    model = begun(model_of(match_of(key, game(key).usual_seats, 7), people=people))
    return replace(sized(model, rows, columns), notice=text)


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize("text", ["", LONG[:110], LONG])
@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (40, 120)])
def test_keys_and_prompt_keep_their_places(key: str, text: str, rows: int, columns: int) -> None:
    model = told(key, text, rows, columns)
    lines = draw(model).lines
    assert lines[-1].startswith(" F1 Help") and ">" in lines[-2][:6]
    assert [spot.row for spot in draw(model).spots if (spot.does, spot.name) == ("key", "f1")] == [rows - 1]
    assert " ".join(text.split()) in " ".join(
        " ".join(lines[-8:-2]).split()
    )  # however long: over the board, if need be


def test_a_long_message_hides_the_last_rows_of_the_board_and_their_click_targets() -> None:
    model = told("barons", LONG)
    model = sized(model, *needs(scene_of(model.table.match.state)))
    before, after = draw(replace(model, notice="")), draw(model)
    hidden = {spot.row for spot in before.spots if spot.does == "pick"} - {
        spot.row for spot in after.spots if spot.does == "pick"
    }
    assert hidden and min(hidden) > 2 and "word0 " in after.lines[min(hidden)]


def test_a_line_of_wide_letters_is_seen_up_to_the_caret() -> None:
    for sign, wide in (("a", 1), ("\u6f22", 2)):
        canvas = Canvas(60, 20, plain=False)
        _, caret = canvas.draw_foot("", sign * 100, 100, (), alarm=False)
        assert canvas.picture().lines[-2].count(sign) == (caret - 3) // wide > 50 // wide


def test_marks_are_drawn_on_their_letters_so_that_names_of_many_scripts_differ() -> None:
    """Vowels and tones are marks. A terminal joins them with the letter before, and a wide letter has two cells."""
    canvas = Canvas(24, 2, plain=False)
    canvas.put(0, 0, "x")
    after = canvas.put(0, 1, "\u0301\u0e01\u0e38 \u0e01\u0e39 \u0928\u0940|\u30bf\u3099|a" + "\u0335" * 9)
    row = canvas.picture().lines[0]
    assert row == "x\u0e01\u0e38 \u0e01\u0e39 \u0928\u0940|\u30bf\u3099|a\u0335\u0335\u0335" and after == 11


def test_a_preview_tells_what_is_gained() -> None:
    there = press(table(played("maze", "a3-b3", {"size": 3}), 1), *"b3-b2")[0]
    assert "b3-b2 is legal. Enter plays it." in prose(there)


def test_rows_without_room_between_them_are_joined_by_brackets() -> None:
    model = screen(played("barons", "a1, c1, b1, c2, b2, e5", {"width": 10, "height": 10}, 2), 20, 60)
    lines = [line[:14].rstrip() for line in draw(model).lines]
    assert lines[lines.index("  2  ·  A┐ B┓") + 1] == "  1  A──A┘ B┛"
    plain = draw(replace(model, look=replace(model.look, plain=True))).lines
    assert any(line.startswith("  1  A--A+ B+") for line in plain)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_sign_of_a_square_to_pick_stands_apart_from_an_unknown_mark(columns: int) -> None:
    sheet = Sheet(3, 1, tuple(cell(name, (mark("stick", "o"),)) for name in ("a1", "b1", "c1")))
    canvas = Canvas(columns, 12, plain=False)
    pitch = pitch_for(sheet, 8, columns // 3)
    assert pitch is not None
    SheetView(canvas, 0, 0, sheet, pitch, Marked(nexts=frozenset({"b1"}))).draw()
    text = "\n".join(canvas.picture().lines)
    assert "○ o" in text and "○o" not in text
