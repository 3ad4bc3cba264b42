"""Scenes as plain text, beside pictures drawn by hand."""

import pytest

from quadrille.rules.chance import Stream
from quadrille.rules.drawing.plain_text import drawing, label, row_lines, sheet_lines, track_line
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys
from quadrille.rules.scene import Cell, Link, Mark, Panel, Row, Scene, Sheet, Track

DECK = tuple(rank + suit for suit in "SHDC" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K"))


def by_hand(picture: str) -> str:
    """A picture as it stands in a test, behind bars."""
    return "\n".join(line.partition("|")[2] for line in picture.splitlines()[1:-1])


def played(key: str, options: dict[str, object], *moves: str, view: int | None = None) -> str:
    match = Match(game(key), options, 2, deal=Deal("s", {"round 1": DECK}))
    for move in moves:
        match.play(move)
    return drawing(match.state.view(view).scene())


def test_barons() -> None:
    """Player 1 has a1, a2, b2, b3, player 2 the others but c3: nobody is to move any more."""
    moves = ("a1", "b1", "a2", "c1", "b2", "c2", "b3", "a3")
    assert played("barons", {"width": 3, "height": 3}, *moves) == by_hand("""
        |    a   b   c
        | 3 >B   A   .
        |        |
        | 2  A---A   B
        |    |       |
        | 1  A   B---B
        |
        |               points  connections  rows  columns
        |  A  player 1       6            3     0        0
        |  B  player 2       4            2     0        0
        """)


def test_dollar_draw() -> None:
    """Bar walks up from a1, S comes from c3 by c2 to b2."""
    assert played("dollar-draw", {"width": 3, "height": 3}, "a2", "c2", "a3", "b2").startswith(
        by_hand("""
        |    a     b     c
        | 3  A:||  .     S
        | 2  ||   >B:S   S
        | 1  ||    .     .
        |
        |               captured  claimed
        |> A  player 1         0        3
        |  B  player 2         0        3
        """)
    )


def test_maze() -> None:
    moves = ("a3-a2", "a2-a1", "a1-b1", "b1-c1", "c1-c2", "c2-b2", "b2-b3")
    assert played("maze", {"size": 3}, *moves).startswith(
        by_hand("""
        |    a   b   c
        | 3  o  >o   .
        |    |   |
        | 2  o   o---o
        |    |       |
        | 1  o---o---o
        |
        """)
    )


def test_coin_isolation() -> None:
    """Player 1 keeps one of four pennies and stands on the other three."""
    layout: dict[str, object] = {"layout": "pppp/pppp/nnpp/pppd"}
    picture = by_hand("""
        |    a     b     c     d
        | 4  B     p     p     p
        | 3  p     p     p     A:3p
        | 2  n     n     .     .
        | 1  p     p     .     d
        """)
    assert played("coin-isolation", layout, "side north", "c1-c2-d2-d3", "a4").replace(">", " ").startswith(picture)


def test_dotter() -> None:
    """Player 1 scores 4, 5, 6 of player 2 (11, halved), whose row is gone then, and looks at two cards."""
    moves = ("draw", "draw", "score p2 1a 1b 1c", "draw", "peek p1 1a 1c")
    picture = by_hand("""
        |p1 1: a AS   b ?    c 3S
        |p2 2: a ?    b ?    c ?
        |discards: 4S   5S   6S
        |
        |player 1 [*-------------------------------]   5 of 100, lap 1 of 2
        |player 2 [--------------------------------]   0 of 100, lap 1 of 2
        |
        |            laps  points  best
        |  player 1     0       5     5
        |> player 2     0       0     0
        |
        """)
    options: dict[str, object] = {"jokers": 0, "lap_points": 100, "looks": 0}
    assert played("dotter", options, *moves, view=0).startswith(picture)
    for view in (1, None):
        hidden = picture.replace("AS  ", "?   ").replace("c 3S", "c ?")
        assert played("dotter", options, *moves, view=view).startswith(hidden)


@pytest.mark.parametrize(
    ("marks", "text"),
    [
        ([], "."),
        ([None], "."),
        ([Mark("claim", "", 2)], "C"),
        ([Mark("cross", "X")], "X"),
        ([Mark("mark", "S", 1)], "S"),
        ([Mark("coin", "3p"), Mark("pawn", "", 0)], "A:3p"),
        ([Mark("coin", "2p"), Mark("coin", "n"), Mark("pawn", "", 3)], "D:2pn"),
    ],
)
def test_labels(marks: list[Mark | None], text: str) -> None:
    assert label(marks) == text


def test_lines_between_squares_are_drawn_from_either_end() -> None:
    names = ("a1", "a2", "b1", "b2")
    cells = tuple(Cell(name, (Mark("taken", "o"),)) for name in names)
    links = (Link("a2", "a1"), Link("b2", "a2"))
    assert sheet_lines(Sheet(2, 2, cells, links)) == ["    a   b", " 2  o---o", "    |", " 1  o   o"]
    assert sheet_lines(Sheet(2, 2, cells, ())) == ["    a   b", " 2  o   o", "", " 1  o   o"]
    assert sheet_lines(Sheet(2, 2, cells)) == ["    a    b", " 2  o    o", " 1  o    o"]


@pytest.mark.parametrize(("place", "bar"), [(0, 0), (1, 0), (60, 15), (120, 31), (121, 32)])
def test_pegs(place: int, bar: int) -> None:
    drawn = "=" * (bar - 1) + "*" * (bar > 0) + "-" * (32 - bar)
    assert track_line(Track(1, place, 121, 2, 6)) == f"player 2 [{drawn}] {place:3} of 121, lap 3 of 6"


def test_a_peg_that_has_won() -> None:
    assert track_line(Track(0, 121, 121, 6, 6)).endswith("121 of 121, all 6 laps")
    assert track_line(Track(0, 61, 61, 1, 1)).endswith("61 of 61, the lap is done")


def test_rows_are_wrapped_and_those_of_a_seat_kept_together() -> None:
    cards = tuple(Mark("card", "?") for _ in range(3))
    rows = [Row(f"p1 {number}", cards, 0) for number in range(1, 6)] + [Row("p2 1", cards, 1)]
    lines = row_lines(rows, 60)
    assert [line.split(":")[0] for line in lines] == ["p1 1", "p1 3", "p1 5", "p2 1"]
    assert max(map(len, row_lines([Row("discards", cards * 20)], 60))) <= 60


def test_who_has_left_and_long_notes() -> None:
    panels = (Panel(0, "Bar", (("last_coin", 7),), False, True), Panel(1, "", (("last_coin", 12),), True, False))
    text = drawing(Scene("none", panels, notes=("word " * 30,)))
    assert text.splitlines()[:3] == [
        "                            last coin",
        "  player 1, Bar (has left)          7",
        "> player 2                         12",
    ]
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("key", keys())
def test_every_game_fits_80_columns_at_its_usual_size(key: str) -> None:
    match = Match(game(key), deal=Deal("s"))
    stream = Stream("moves")
    while not match.over and match.ply < 400:
        text = drawing(match.state.view(0).scene())
        assert text.isascii() and max(map(len, text.splitlines())) <= 80
        assert not any(line != line.rstrip() for line in text.splitlines())
        match.play(match.state.moves.sample(stream))


@pytest.mark.parametrize(("key", "size"), [("barons", {"width": 26}), ("maze", {"size": 26})])
def test_lines_are_drawn_closer_on_a_wide_sheet(key: str, size: dict[str, object]) -> None:
    lines = drawing(Match(game(key), size).state.scene()).splitlines()
    assert lines[0].split() == list("abcdefghijklmnopqrstuvwxyz")
    assert max(map(len, lines)) <= 80
