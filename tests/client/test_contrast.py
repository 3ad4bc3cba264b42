"""Texts on boards and on a phone's page stand out from their ground, light and dark: at least 4.5 to 1."""

import re
from collections.abc import Iterator
from importlib.resources import files

import pytest

from quadrille.client.picture.palette import DARK, LIGHT, Palette
from quadrille.client.screen.draw.theme import ALL_COLOURS, TABLE_OF_COLOURS, styles

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


def texts(palette: Palette) -> Iterator[tuple[str, str, str]]:
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
    found = {name: round(ratio(text, ground), 2) for name, text, ground in texts(palette)}
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
