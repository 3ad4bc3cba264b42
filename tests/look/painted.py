"""A picture of the client in a theme's colours, as a terminal of so many colours shows it."""

from functools import lru_cache

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import _16_fg_colors, _256_colors
from prompt_toolkit.styles import Attrs, Style

from quadrille.client.screen.draw.canvas import Picture, columns
from quadrille.client.screen.draw.theme import styles
from tests.look.svg import Cell

#: What a terminal shows where a theme names no colour: dark on light paper, light on dark.
USUAL = ("#d0d0d0", "#1c1c1c")
SIXTEEN = {
    "ansiblack": "#000000", "ansired": "#aa0000", "ansigreen": "#00aa00", "ansiyellow": "#aa5500",
    "ansiblue": "#0000aa", "ansimagenta": "#aa00aa", "ansicyan": "#00aaaa", "ansigray": "#aaaaaa",
    "ansibrightblack": "#555555", "ansibrightred": "#ff5555", "ansibrightgreen": "#55ff55",
    "ansibrightyellow": "#ffff55", "ansibrightblue": "#5555ff", "ansibrightmagenta": "#ff55ff",
    "ansibrightcyan": "#55ffff", "ansiwhite": "#ffffff",
}  # fmt: skip


@lru_cache(maxsize=64)
def style(theme: str, depth: ColorDepth) -> Style:
    """What the screen takes for that many colours."""
    return Style(list(styles(theme, 1 << int(depth.value.split("_")[1])).items()))


def painted(picture: Picture, theme: str, depth: ColorDepth) -> list[list[Cell]]:
    """Its cells; the second half of a wide sign is one without a sign."""
    rows = []
    for row in picture.rows:
        cells: list[Cell] = []
        for words, text in row:
            attrs = _attrs(words, theme, depth)
            for sign in text:
                cells += [_cell(sign, attrs, depth), *[_cell("", attrs, depth)] * (columns(sign) - 1)]
        rows.append(cells)
    return rows


@lru_cache(maxsize=4096)
def _attrs(words: str, theme: str, depth: ColorDepth) -> Attrs:
    named = " ".join(f"class:{word}" for word in ("screen", *words.split()))
    return style(theme, depth).get_attrs_for_style_str(named)


@lru_cache(maxsize=4096)
def _cell(sign: str, attrs: Attrs, depth: ColorDepth) -> Cell:
    ink, paper = _shown(attrs.color or "", depth) or USUAL[0], _shown(attrs.bgcolor or "", depth) or USUAL[1]
    if attrs.reverse:
        ink, paper = paper, ink
    return Cell(sign, ink, paper, bool(attrs.bold), bool(attrs.underline), bool(attrs.italic))


def _shown(colour: str, depth: ColorDepth) -> str:
    """A colour as there is one in the terminal, by prompt-toolkit's own tables; "" for the terminal's own."""
    if depth == ColorDepth.DEPTH_1_BIT or not colour or colour == "default":
        return ""
    if colour.startswith("ansi"):
        return SIXTEEN[colour]
    number = int(colour, 16)
    rgb = number >> 16, number >> 8 & 255, number & 255
    if depth == ColorDepth.DEPTH_4_BIT:
        return SIXTEEN[_16_fg_colors.get_code(rgb)[1]]
    if depth == ColorDepth.DEPTH_8_BIT:
        rgb = _256_colors.colors[_256_colors[rgb]]
    return "#{:02x}{:02x}{:02x}".format(*rgb)
