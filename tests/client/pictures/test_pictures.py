"""SVG pictures: well formed, self-contained, to the byte for small positions, and true to the scene in every game."""

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from quadrille.client.picture.film import FilmedMatch, patches
from quadrille.client.picture.glyphs import SHAPES, sheet
from quadrille.client.picture.patches import Slots, apart, settle
from quadrille.client.picture.svg import drawing, picture
from quadrille.laws.settings import GAMES
from quadrille.rules.drawing.plain_text import letter
from quadrille.rules.match import Match
from quadrille.rules.record import read
from quadrille.rules.registry import game
from quadrille.rules.scene import Cell, Link, Mark, Panel, Row, Scene, Sheet
from tests.client.pictures.make import FOLDER, POSITIONS, drawn

SVG = "{http://www.w3.org/2000/svg}"
RECORDS = sorted((Path(__file__).parents[2] / "golden").glob("*.txt"))
HOSTILE = '</title><script>alert("1")</script>&amp;\x1b[2J\u202e'
NAMED = tuple(Panel(seat, "", (("points", seat),), seat == 0, left=False) for seat in range(8))


def scene(*cells: Cell, links: tuple[Link, ...] | None = None, panels: tuple[Panel, ...] = NAMED[:2]) -> Scene:
    """A row of squares."""
    return Scene("new game", panels, Sheet(len(cells), 1, cells, links))


def parsed(text: str) -> Xml.Element:
    """The document, after a look at whether it is all there."""
    root = Xml.fromstring(text)
    ids = [node.attrib["id"] for node in root.iter() if "id" in node.attrib]
    used = {node.attrib["href"] for node in root.iter(f"{SVG}use")}
    assert len(ids) == len(set(ids))
    assert used <= {f"#{name}" for name in ids}
    return root


def texts(root: Xml.Element) -> list[str]:
    return [node.text or "" for node in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("key", POSITIONS)
def test_golden_picture(key: str) -> None:
    assert drawn(key) == (FOLDER / f"{key}.svg").read_text("utf-8")


def rightmost(node: Xml.Element, left: float = 0, scale: float = 1) -> float:
    """The right end of the words in a drawing. A letter is at least half as wide as it is high."""
    moved = re.search(r"translate\(([\d.-]+)", node.get("transform", ""))
    left += scale * float(moved[1]) if moved else 0
    scale *= float((re.search(r"scale\(([\d.]+)", node.get("transform", "")) or ("", "1"))[1])
    ends = [rightmost(child, left, scale) for child in node if child.tag != f"{SVG}defs"]
    if node.tag == f"{SVG}text":
        kinds = (node.get("class") or "").split()
        wide = 6.5 * len(node.text or "") * {"mid": 0.5, "figure": 0, "heading": 0}.get(kinds[0], 1)
        ends.append(left + scale * (float(node.get("x", "0")) + wide))
    return max(ends, default=0)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_nothing_is_cut_off_at_the_right(path: Path) -> None:
    """Also where no card lies on the table, between two rounds of Dotter and at its end."""
    match = read(path.read_bytes())
    one = FilmedMatch(match, match.viewer)
    bare = [
        number
        for number in range(match.length + 1)
        if not any(spot.part == "place" for spot in patches(one, number).patches)
    ]
    for number in {bare[0], bare[-1], match.length} if bare else {match.length}:
        root = parsed(picture(one, number))
        assert rightmost(root) <= float(root.attrib["viewBox"].split()[2]), number


def test_every_game_has_a_golden_picture() -> None:
    assert set(POSITIONS) == set(GAMES)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_position_is_well_formed_and_needs_nothing_beside_it(path: Path) -> None:
    match = read(path.read_bytes())
    for number in {0, len(match.entries) // 3, len(match.entries) * 2 // 3, len(match.entries)}:
        text = picture(FilmedMatch(match, match.viewer), number)
        root = parsed(text)
        assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
        assert not re.search(r"https?:|//|url\(|@import|<script|<image|\bon\w+=", text.replace(SVG[1:-1], ""))
        assert len(text) < 40_000


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_what_is_on_a_square_is_said_in_words(path: Path) -> None:
    match = read(path.read_bytes())
    state = match.state
    said = parsed(picture(FilmedMatch(match, match.viewer), len(match.entries))).findtext(f"{SVG}desc") or ""
    for cell in state.scene().sheet.cells if state.scene().sheet else ():
        for mark in cell.marks:
            assert re.search(rf"\b{cell.name}: [^;]*\b{mark.kind}\b", said)
    for panel in state.scene().panels:
        assert f"{letter(panel.seat)}, player {panel.seat + 1}" in said
        for name, figure in panel.figures:
            assert f"{letter(panel.seat)}, {name.replace('_', ' ')}: {figure}" in said


def test_every_seat_has_its_letter_and_its_shape() -> None:
    marks = [Cell(f"{name}1", (Mark("claim", "", seat),)) for seat, name in enumerate("abcdefgh")]
    one = scene(*marks, panels=NAMED)
    root = parsed(drawing(one, "", apart(one).patches))
    shapes = set()
    for seat in range(8):
        symbol = next(node for node in root.iter(f"{SVG}g") if node.get("id") == f"seat{seat}")
        assert texts(symbol) == [letter(seat)]
        shape = symbol[0]
        shapes.add((shape.tag, *sorted((name, value) for name, value in shape.attrib.items() if name != "class")))
        assert len([use for use in root.iter(f"{SVG}use") if use.get("href") == f"#seat{seat}"]) == 2
    assert len(shapes) == len(SHAPES) == 8


@pytest.mark.parametrize("dark", [False, True])
def test_letters_stand_out_from_their_shapes(*, dark: bool) -> None:
    """WCAG AA for text: 4.5 to 1."""
    light, night = sheet("picture.css").split("@media")
    rules = dict(re.findall(r"(\.f\d)\{fill:(#\w+)\}", light)), {}
    for names, ink in re.findall(r"(text\.t[^{]*)\{fill:(#\w+)\}", light + (night if dark else "")):
        rules[1].update(dict.fromkeys(re.findall(r"t(\d)", names), ink))
    if dark:
        rules[0].update(re.findall(r"(\.f\d)\{fill:(#\w+)\}", night))
    for seat in range(8):
        shades = sorted(map(luminance, (rules[0][f".f{seat}"], rules[1][str(seat)])))
        assert (shades[1] + 0.05) / (shades[0] + 0.05) >= 4.5, seat


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_game_that_nobody_has_heard_of_shows_its_labels() -> None:
    """Kinds without a look of their own show what they are called; lines and rows too."""
    cells = (Cell("a1", (Mark("wizard", "W7", 1), Mark("hat", "H"))), Cell("b1", (Mark("fog", ""),), fresh=True))
    one = replace(
        scene(*cells, links=(Link("a1", "b1"), Link("b1", "a1", 0))),
        rows=(Row("p1 1", (Mark("gem", "Zz"), None), 0), Row("bag", (Mark("gem", "Qq"), Mark("gem", "Qq")))),
    )
    shown_texts = texts(parsed(drawing(one, "", apart(one).patches)))
    assert {"W7", "H", "Zz"} <= set(shown_texts) and shown_texts.count("Qq") == 2


def test_a_line_tells_whose_it_is_where_the_squares_do_not() -> None:
    bare = scene(Cell("a1"), Cell("b1"), links=(Link("a1", "b1", 1),))
    assert 'class="core"' in drawing(bare, "", apart(bare).patches)
    marks = (Mark("claim", "", 1),)
    marked = scene(Cell("a1", marks), Cell("b1", marks), links=(Link("a1", "b1", 1),))
    assert 'class="core"' not in drawing(marked, "", apart(marked).patches)


def test_names_are_shown_harmless_and_cut() -> None:
    match = Match(game("barons"), {"width": 3, "height": 3}, 2)
    text = picture(FilmedMatch(match, names=[HOSTILE, "b" * 200]), 0)
    root = parsed(text)
    assert "<script" not in text and "\x1b" not in text and "\u202e" not in text
    assert f"player 2 ({'b' * 23}…)" in texts(root)
    assert r"\x1b[2J\u202e" in (root.findtext(f"{SVG}desc") or "")


def test_a_row_of_cards_stays_where_it_is_while_others_come_and_go() -> None:
    def rows(*numbers: int) -> list[Row]:
        return [Row(f"p1 {number}", (Mark("card", "?"),), 0) for number in numbers]

    slots: Slots = {}
    settle(rows(1, 2, 3), slots)
    settle([*rows(3), Row("p1 1", (None,), 0)], slots)
    assert slots == {"p1 3": 2}
    settle(rows(3, 4), slots)
    assert slots == {"p1 3": 2, "p1 4": 0}


def test_the_end_of_a_game_shows_places_and_the_result() -> None:
    match = Match(game("barons"), {"width": 3, "height": 3}, 3)
    match.play("a1")
    match.adjudicate((1, 3, 2), "the lamp went out")
    shown_texts = texts(parsed(picture(FilmedMatch(match), 2)))
    assert {"1.", "2.", "3.", "The game is over: the lamp went out.", "Player 1 wins."} <= set(shown_texts)
    assert "1." not in texts(parsed(picture(FilmedMatch(match), 1)))


@pytest.mark.parametrize("name", ["maze-usual", "maze-resigned"])
def test_the_end_of_a_game_of_maze_shows_the_walls_and_the_way_through(name: str) -> None:
    """Not before the end, and not where a player resigned before a way led through."""
    match = read(next(path for path in RECORDS if path.stem == name).read_bytes())
    one = FilmedMatch(match)
    drawn_mazes = [maze_of(one, number) for number in range(match.length + 1)]
    assert not any(drawn_mazes[:-1])
    assert (drawn_mazes[-1] is not None) == (name == "maze-usual")


def test_the_walls_stand_between_the_squares_that_no_segment_joins() -> None:
    """Two squares by two, each 44 wide: from a2 to b2, down to b1, to a1."""
    match = Match(game("maze"), {"size": 2}, 2)
    for move in ("a2-b2", "b2-b1", "b1-a1"):
        match.play(move)
    group = maze_of(FilmedMatch(match), 3)
    assert group is not None
    path, line = group.find(f"{SVG}path"), group.find(f"{SVG}polyline")
    assert path is not None and line is not None
    assert path.attrib["d"] == "M0 88V44 M88 44V0 M0 88H88 M0 44H44 M0 0H88"
    assert line.attrib["points"] == "-2,22 22,22 66,22 66,66 90,66"
    said = parsed(picture(FilmedMatch(match), 3)).findtext(f"{SVG}desc") or ""
    assert "labyrinth: walls where no line leads; the way through is a2 b2 b1" in said


def maze_of(one: FilmedMatch, number: int) -> Xml.Element | None:
    """The group that holds the walls, where the sheet begins."""
    root = parsed(picture(one, number))
    sheet_at = next(node for node in root.iter(f"{SVG}rect") if node.get("class") == "sheet")
    at = f"translate({sheet_at.attrib['x']} {sheet_at.attrib['y']})"
    return next(
        (node for node in root if node.get("transform") == at and node.find(f"{SVG}polyline") is not None), None
    )


def test_squares_have_the_colour_of_their_owners_where_no_line_leads_over_them() -> None:
    mine, token = Mark("claim", "S", 1), Mark("token", "", 0)
    owned = scene(Cell("a1", (mine, token)), Cell("b1", (token,)))
    drawn = drawing(owned, "", apart(owned).patches)
    assert drawn.count('href="#ground1"') == 1 and 'href="#ground0"' not in drawn
    lined = scene(Cell("a1", (mine,)), Cell("b1"), links=())
    assert "#ground" not in drawing(lined, "", apart(lined).patches)
