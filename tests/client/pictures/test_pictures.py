"""SVG pictures: well formed, self-contained, to the byte for small positions, and true to the scene in every game.

`python -m tests.client.pictures.test_pictures` writes the golden ones anew: look at them, in light and in dark.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as Xml

import pytest

from quadrille.client.phones.board import Narrow
from quadrille.client.picture.film import FilmedMatch, patches, position
from quadrille.client.picture.labyrinth import as_svg, as_text
from quadrille.client.picture.page import drawing, picture
from quadrille.client.picture.palette import DARK, LIGHT, Palette
from quadrille.client.picture.patches import apart, track_words
from quadrille.client.screen.draw.theme import ALL_COLOURS, TABLE_OF_COLOURS, styles
from quadrille.laws.settings import GAMES
from quadrille.rules.chance import Stream
from quadrille.rules.drawing.labyrinth import Labyrinth
from quadrille.rules.games.maze.game import GAME
from quadrille.rules.match import Deal, Match
from quadrille.rules.options import Value
from quadrille.rules.record import read, write
from quadrille.rules.registry import game
from quadrille.rules.scene import Cell, Link, Mark, Panel, Row, Scene, Sheet, Track
from tests.client.conftest import Run
from tests.client.screen.keyboard import played as match_after
from tests.rules.table import played

# Positions


SVG = "{http://www.w3.org/2000/svg}"
RECORDS = sorted((Path(__file__).parents[2] / "golden").glob("*.txt"))
HOSTILE = '</title><script>alert("1")</script>&amp;\x1b[2J\u202e'
NAMED = tuple(Panel(seat, "", (("points", seat),), seat == 0, left=False) for seat in range(8))
FOLDER: Final = Path(__file__).parent
#: Options, seats and moves, and who looks (from 0), if it is not all to see.
POSITIONS: Final[dict[str, tuple[dict[str, Value], int, str, int | None]]] = {
    "barons": ({"width": 4, "height": 3}, 3, "a1 b2 c1 a2 b3 d1 a3 c2 c3", None),
    "chomp": ({"width": 3, "height": 2}, 2, "b2", None),
    "coin-isolation": ({"layout": "ppn/npp/pdp"}, 2, "side east|a3-b3-b2", None),
    "dollar-draw": ({"width": 4, "height": 4}, 2, "b1 d3 b2 d2 b3 c2 c3 b2 c2 b1 b2 c1 a2 c2", None),
    "dotter": ({}, 2, "draw|draw|peek p2 1a 1b|peek p1 1b 1c|draw|peek p2 1b 1c|score p2 1a 1b 1c", 0),
    "maze": ({"size": 3}, 2, "a3-b3 b3-b2 b2-b1 b1-a1 a1-a2 b3-c3", None),
}


def shown(key: str) -> FilmedMatch:
    options, seats, moves, viewer = POSITIONS[key]
    match = Match(GAMES[key], options, seats, deal=Deal("golden"))
    for move in moves.split("|" if "|" in moves else " "):
        match.play(move)
    return FilmedMatch(match) if viewer is None else FilmedMatch(match, viewer)


def drawn(key: str) -> str:
    one = shown(key)
    return picture(one, len(one.match.entries))


def scene(*cells: Cell, links: tuple[Link, ...] | None = None, panels: tuple[Panel, ...] = NAMED[:2]) -> Scene:
    return Scene("new game", panels, Sheet(len(cells), 1, cells, links))


def parsed(text: str) -> Xml.Element:
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
    assert drawn(key) == (FOLDER / f"{key}.svg").read_text("utf-8"), (
        "wanted? python -m tests.client.pictures.test_pictures"
    )


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


def test_every_game_has_a_golden_picture() -> None:
    assert set(POSITIONS) == set(GAMES)


@pytest.mark.first(6)
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_position_is_well_formed_needs_nothing_beside_it_and_is_not_cut_off(path: Path) -> None:
    """Also where no card lies on the table, between two rounds of Dotter and at its end."""
    match = read(path.read_bytes())
    one, last = FilmedMatch(match, match.viewer), match.length
    bare = [
        number
        for number in range(last + 1)
        if not any(spot.part == "place" for spot in patches(one, number, position(one, number), {}))
    ]
    for number in {0, last // 3, last * 2 // 3, last, *bare[:1], *bare[-1:]}:
        text = picture(one, number)
        root = parsed(text)
        assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
        assert not re.search(r"https?:|//|url\(|@import|<script|<image|\bon\w+=", text.replace(SVG[1:-1], ""))
        assert len(text) < 40_000
        assert rightmost(root) <= float(root.attrib["viewBox"].split()[2]), number


def test_a_game_that_nobody_has_heard_of_shows_its_labels() -> None:
    """Kinds without a look of their own show what they are called; lines and rows too."""
    cells = (Cell("a1", (Mark("wizard", "W7", 1), Mark("hat", "H"))), Cell("b1", (Mark("fog", ""),), fresh=True))
    one = replace(
        scene(*cells, links=(Link("a1", "b1"), Link("b1", "a1", 0))),
        rows=(Row("p1 1", (Mark("gem", "Zz"), None), 0), Row("bag", (Mark("gem", "Qq"), Mark("gem", "Qq")))),
    )
    shown_texts = texts(parsed(drawing(one, "", apart(one, {}))))
    assert {"W7", "H", "Zz"} <= set(shown_texts) and shown_texts.count("Qq") == 2


def test_no_card_that_lies_apart_covers_the_one_beside_it_on_a_phone() -> None:
    """The plate of the jack lay over the 0 of the ten."""
    cards = Row("discards", (Mark("card", "10S"), Mark("card", "JS")))
    drawn = "".join(patch.drawn for patch in apart(replace(scene(), rows=(cards,)), {}).values() if patch)
    ten, jack = map(float, re.findall('width="([^"]+)" height="20" class="paper"', drawn))
    assert (ten + jack) / 2 <= Narrow.apart_step


def test_a_page_says_that_the_only_lap_is_done() -> None:
    assert track_words(Track(0, 61, 61, 1, 1)) == "61 of 61, the lap is done"


def test_names_are_shown_harmless_and_cut() -> None:
    match = Match(game("barons"), {"width": 3, "height": 3}, 2)
    text = picture(FilmedMatch(match, names=[HOSTILE, "b" * 200]), 0)
    root = parsed(text)
    assert "<script" not in text and "\x1b" not in text and "\u202e" not in text
    assert f"player 2 ({'b' * 23}…)" in texts(root)
    assert r"\x1b[2J\u202e" in (root.findtext(f"{SVG}desc") or "")


# Labyrinths: small ones by hand, and over random games what is drawn is what stands


Spot = tuple[int, int]


def two_by_two() -> Labyrinth:
    """From a2 to b2, down to b1, to a1."""
    state = played(GAME, {"size": 2}, "a2-b2 b2-b1 b1-a1")
    return state.labyrinth()


def random_mazes() -> Iterator[Labyrinth]:
    for size in (2, 3, 6, 11, 26):
        rng, state = Stream(str(size), "pictures"), GAME.start({"size": size})
        yield state.labyrinth()
        for ply in range(size * size - 1):
            if ply == size * size // 2:
                yield state.labyrinth()
            state = state.play(state.moves.sample(rng))
        yield state.labyrinth()


MAZES = tuple(random_mazes())


class TestText:
    def test_in_box_characters(self) -> None:
        assert as_text(two_by_two()).splitlines() == [
            "╶───────┐",
            "        │",
            "┌───╴   ╵",
            "│",
            "└───────╴",
        ]

    @pytest.mark.parametrize("maze", MAZES, ids=lambda maze: f"{maze.size}-{maze.finished}")
    def test_the_dots_lead_along_the_way(self, maze: Labyrinth) -> None:
        """They stand where blanks were, and each is two places from the one before: no wall is between."""
        plain, solved = (as_text(maze, solution=solution, ascii=True).splitlines() for solution in (False, True))
        assert [line.replace("*", " ").rstrip() for line in solved] == plain
        dots = [(line, at) for line, text in enumerate(solved) for at, sign in enumerate(text) if sign == "*"]
        assert len(dots) == 2 * len(maze.way) + maze.finished
        for dot in dots:
            neighbours = sum((dot[0] + down, dot[1] + across) in dots for down, across in STEPS)
            assert neighbours == (1 if dot in (dots[0], end(maze)) else 2)


#: From dot to dot: a square is two lines high with its wall, and four characters wide.
STEPS = ((0, -2), (0, 2), (-1, 0), (1, 0))


def end(maze: Labyrinth) -> Spot:
    """Where the dots end: in the last square of the way, or in the opening behind it."""
    column, row = maze.way[-1]
    return 2 * (maze.size - row) - 1, 4 * column + (4 if maze.finished else 2)


class TestSvg:
    def test_two_by_two(self) -> None:
        """A square is 20 wide, and the paper goes 20 further on each side."""
        root = Xml.fromstring(as_svg(two_by_two(), solution=True))
        assert root.attrib == {"viewBox": "0 0 80 80", "role": "img"}
        assert root.findtext(f"{SVG}title") == "A maze of 2 x 2 squares, with the way through"
        path, line = root.find(f"{SVG}path"), root.find(f"{SVG}polyline")
        assert path is not None
        assert line is not None
        knot = Xml.fromstring(as_svg(GAME.start({"size": 3}).labyrinth(), solution=True)).find(f"{SVG}circle")
        assert knot is not None and (knot.attrib["cx"], knot.attrib["cy"], knot.attrib["class"]) == ("30", "30", "knot")
        assert path.attrib["d"] == "M20 60V40 M60 40V20 M20 60H60 M20 40H40 M20 20H60"
        assert line.attrib["points"] == "10,30 30,30 50,30 50,50 70,50"

    def test_it_has_the_light_and_the_dark_of_all_pictures(self) -> None:
        root = Xml.fromstring(as_svg(two_by_two(), solution=True))
        style = root.findtext(f"{SVG}style") or ""
        light, dark = style.split("@media (prefers-color-scheme:dark)")
        for kind in ("paper", "wall", "way"):
            shades = [re.search(rf"\.{kind}{{[^}}]*?(?:fill|stroke):(#\w+)", part) for part in (light, dark)]
            assert None not in shades and len({shade[1] for shade in shades if shade}) == 2, kind
        drawn = [node for node in root if node.tag in {SVG + name for name in ("rect", "path", "polyline")}]
        assert [node.get("class") for node in drawn] == ["paper", "way", "wall"]
        assert not [node for node in drawn if {"fill", "stroke", "style"} & set(node.attrib)]


# `quadrille picture` and `quadrille replay --html`: what they write, through whose eyes


def test_a_new_game_after_some_moves(run: Run) -> None:
    ran = run("picture barons --seats 3 --set width=4 --set height=3 --moves a1,b2,c1,a2,b3,d1,a3,c2,c3 -o f.svg")
    assert ran == (0, "", "")
    assert Path("f.svg").read_text("utf-8") == (FOLDER / "barons.svg").read_text("utf-8")
    assert run("picture barons --set width=4 --set height=3 --seats 3").out.startswith("<svg ")
    words = ["picture", "coin-isolation", "--seats", "2", "--set", "layout=ppn/npp/pdp", "--set", "collect=transplant"]
    assert "after 2 moves" in run([*words, "--moves", "side east; a3-b3-b2 to a3,b3"]).out


def test_through_the_eyes_of_a_seat(run: Run) -> None:
    Path("f").write_text(write(shown("dotter").match))
    assert run("picture f --seat 1").out == (FOLDER / "dotter.svg").read_text("utf-8")
    seen = {who: run(f"replay f --ply 3{who}").out for who in ("", " --seat 1", " --seat 2")}
    assert "player 1: peek p2 1a 1b = " in seen[""]
    assert "player 1: peek p2 1a 1b = " in seen[" --seat 1"]
    assert "player 1: peek p2 1a 1b\n" in seen[" --seat 2"]


def test_a_page(run: Run) -> None:
    Path("f").write_text(write(shown("dotter").match))
    assert run("replay --html f -o f.html --seat 2") == (0, "", "")
    assert Path("f.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert run("replay f --html --seat 2").out == Path("f.html").read_text("utf-8")


# Texts on boards and on a phone's page stand out from their ground, light and dark: at least 4.5 to 1


LEAST = 4.5
#: What a half-made move would change is shown pale, and told in words beside the button: as much as large letters need.
LEAST_PALE = 3
SEATS = range(8)
PAGE_SHEET = files("quadrille.client.phones").joinpath("page", "phone.css").read_text("utf-8")
PICTURE_SHEET = files("quadrille.client.picture").joinpath("picture.css").read_text("utf-8")

#: Colours of the page's texts, and the grounds on which they stand.
ON_PAGE = {
    "ink": ("page", "sheet", "bar", "chosen", "paper"),
    "faint": ("page", "sheet", "bar"),
    "wrong": ("page", "sheet", "bar"),
    "onaccent": ("accent",),
    "ongold": ("gold",),
}
#: Colours of the board's texts, and what they are written on.
ON_BOARD = {
    "ink": ("paper", "sheet", "card"),
    "faint": ("paper",),
    "red": ("card", "sheet"),
    "coined": ("p", "n", "d", "q"),
    **{f"on{seat}": (f"fill{seat}",) for seat in SEATS},
}


def light(colour: str) -> float:
    """The relative luminance of a colour (WCAG 2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(one: str, other: str) -> float:
    lighter, darker = max(light(one), light(other)), min(light(one), light(other))
    return (lighter + 0.05) / (darker + 0.05)


def over(ground: str, colour: str, opacity: float) -> str:
    pairs = [(int(ground[at : at + 2], 16), int(colour[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(below + (above - below) * opacity):02x}" for below, above in pairs)


def of(sheet: str, rule: str) -> float:
    found = re.findall(rf"(?m)^{re.escape(rule)}\{{[^}}]*opacity:(\.\d+)", sheet)
    assert len(found) == 1, rule
    return float(found[0])


def coloured_texts(palette: Palette) -> Iterator[tuple[str, str, str]]:
    for colour, grounds in (*ON_PAGE.items(), *ON_BOARD.items()):
        for ground in grounds:
            yield f"{colour} on {ground}", palette[colour], palette[ground]
    wash, soft = of(PICTURE_SHEET, ".wash"), of(PAGE_SHEET, ".soft")
    glow, touched = of(PICTURE_SHEET, ".glow"), of(PAGE_SHEET, ".picked .ring,.begun .picked .ring")
    for seat in SEATS:
        ground = over(palette["paper"], palette[f"fill{seat}"], wash)
        yield f"ink on the ground of seat {seat}", palette["ink"], ground
        yield f"ink on the new ground of seat {seat}", palette["ink"], over(ground, palette["hilite"], glow)
    # What would be is let through by the paper; a mark lies above what was touched.
    for colour, grounds in ON_BOARD.items():
        for ground in grounds:
            text, below = (over(palette["paper"], palette[name], soft) for name in (colour, ground))
            yield f"{colour} on {ground}, of what would be", text, below
            text, below = (over(palette[name], palette["hilite"], touched) for name in (colour, ground))
            yield f"{colour} on {ground}, touched", text, below


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_stands_out_from_its_ground(palette: Palette) -> None:
    found = {name: round(ratio(text, ground), 2) for name, text, ground in coloured_texts(palette)}
    bounds = {name: LEAST_PALE if "would be" in name else LEAST for name in found}
    assert not {name: number for name, number in found.items() if number < bounds[name]}


@pytest.mark.parametrize("colours", [TABLE_OF_COLOURS, ALL_COLOURS])
@pytest.mark.parametrize(("theme", "least"), [("night", 4.5), ("paper", 4.5), ("contrast", 7)])
def test_letters_stand_out_from_their_squares_in_every_theme_the_newest_square_too(
    theme: str, least: float, colours: int
) -> None:
    look = {name: re.findall(r"(?:bg:)?(#\w{6})", style) for name, style in styles(theme, colours).items()}
    for seat in "abcdefgh":
        [ink], [tint], [glow] = (look[f"{kind}-{seat}"] for kind in ("seat", "tint", "glow"))
        assert min(ratio(ink, ground) for ground in (tint, glow, *look["sheet"])) >= least, seat
        assert len({tint, glow, *look["sheet"]}) == 3


def test_no_colour_of_a_text_is_forgotten() -> None:
    assert set(re.findall(r"[{;]color:var\(--(\w+)\)", PAGE_SHEET)) == set(ON_PAGE)
    filled = re.findall(r"([^{}]*)\{[^}]*fill:\$(\w+)", PICTURE_SHEET)
    written = {colour for rule, colour in filled if "text" in rule or rule.strip() in (".heading", ".faint")}
    assert written == set(ON_BOARD)


if __name__ == "__main__":
    for key in POSITIONS:
        (FOLDER / f"{key}.svg").write_text(drawn(key), "utf-8")


def test_a_line_tells_whose_it_is_where_the_squares_do_not() -> None:
    bare = scene(Cell("a1"), Cell("b1"), links=(Link("a1", "b1", 1),))
    assert 'class="core"' in drawing(bare, "", apart(bare, {}))
    marks = (Mark("claim", "", 1),)
    marked = scene(Cell("a1", marks), Cell("b1", marks), links=(Link("a1", "b1", 1),))
    assert 'class="core"' not in drawing(marked, "", apart(marked, {}))


def test_a_position_of_a_record(run: Run) -> None:
    Path("f").write_text(write(shown("maze").match))
    assert run("picture f").out == (FOLDER / "maze.svg").read_text("utf-8")
    title = Xml.fromstring(run("picture f --at 1").out).findtext(f"{SVG}title")
    assert title == "Maze, 2 players, size 3, after 1 move"
    start = Xml.fromstring(run("picture f --at 0").out)
    assert start.findtext(f"{SVG}title") == "Maze, 2 players, size 3, at the start"


def test_squares_have_the_colour_of_their_owners_where_no_line_leads_over_them() -> None:
    mine, token = Mark("claim", "S", 1), Mark("token", "", 0)
    owned = scene(Cell("a1", (mine, token)), Cell("b1", (token,)))
    drawn = drawing(owned, "", apart(owned, {}))
    assert drawn.count('href="#ground1"') == 1 and 'href="#ground0"' not in drawn
    lined = scene(Cell("a1", (mine,)), Cell("b1"), links=())
    assert "#ground" not in drawing(lined, "", apart(lined, {}))


def test_the_walls_stand_between_the_squares_that_no_segment_joins() -> None:
    """Two squares by two, each 44 wide: from a2 to b2, down to b1, to a1."""
    match = match_after("maze", "a2-b2, b2-b1, b1-a1", {"size": 2})
    root = parsed(picture(FilmedMatch(match), 3))
    sheet = next(node for node in root.iter(f"{SVG}rect") if node.get("class") == "sheet")
    group = next(node for node in root if node.find(f"{SVG}polyline") is not None)
    assert group.get("transform") == f"translate({sheet.attrib['x']} {sheet.attrib['y']})"
    path, line = group.find(f"{SVG}path"), group.find(f"{SVG}polyline")
    assert path is not None and line is not None
    assert path.attrib["d"] == "M0 88V44 M88 44V0 M0 88H88 M0 44H44 M0 0H88"
    assert line.attrib["points"] == "-2,22 22,22 66,22 66,66 90,66"
    said = root.findtext(f"{SVG}desc") or ""
    assert "labyrinth: walls where no line leads; the way through is a2 b2 b1" in said
