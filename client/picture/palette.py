"""The colours of terminal themes, pictures and pages.

Colour alone has no meaning: letters, signs and shapes carry it. Seats have an `ink` for letters and thin lines, and a
`pen` for broad ones. A badge has a `fill` and the ink `on` it; a square has a quiet `tint`, and a `glow` for new
things.
"""

import re
from collections.abc import Mapping
from typing import Final

from quadrille.value import value

_RULE: Final = re.compile(r"([^{}@\n][^{}@]*)\{([^{}]*\$[^{}]*)\}")
_NAME: Final = re.compile(r"\$([a-z]+\d?)")
_DARK: Final = "@media (prefers-color-scheme:dark){"


@value
class Palette:
    """Colours as #rrggbb. `near` maps colours without a good neighbour in the 256-colour table to their numbers in
    it, and `named` gives the names for terminals with 16 colours.
    """

    colours: Mapping[str, str]
    near: Mapping[str, int]
    named: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return self.colours[name]


def _mixed(colour: str, other: str, part: float) -> str:
    """Mix two colours; `part` is the share of the second."""
    pairs = [(int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(first + (second - first) * part):02x}" for first, second in pairs)


#: Seats: blue, orange, green, pink, yellow, violet, red, turquoise.
_FILLS: Final = ("#0072b2", "#e69f00", "#1fae80", "#dd93bc", "#f0e442", "#6f5bd0", "#e2711d", "#3fb8c4")
_ON: Final = ("#ffffff", "#111111", "#111111", "#111111", "#111111", "#ffffff", "#111111", "#111111")
_COINS: Final = {"p": "#d69a6c", "n": "#b9c0ca", "d": "#e9edf2", "q": "#e6cf7a", "coined": "#1a1a1a"}


def _palette(
    inks: tuple[str, ...], shares: tuple[float, ...], tints: tuple[int, ...], glows: tuple[int, ...],
    near: Mapping[str, int], named: Mapping[str, str], shades: str = "", **colours: str,
) -> Palette:  # fmt: skip
    """Make a palette; `shares` are those of a seat's colour in its new squares, as far as its ink stands out there.
    Its other squares have half of that. `shades` go from light to dark.
    """
    sheet = colours["sheet"]
    colours |= {f"shade{number}": shade for number, shade in enumerate(shades.split())}
    for seat, fill in enumerate(_FILLS):
        colours |= {
            f"ink{seat}": inks[seat],
            f"fill{seat}": fill,
            f"pen{seat}": _mixed(inks[seat], fill, 0.5),
            f"on{seat}": _ON[seat],
            f"tint{seat}": _mixed(sheet, fill, shares[seat] / 2),
            f"glow{seat}": _mixed(sheet, fill, shares[seat]),
        }
    numbers = {f"tint{seat}": number for seat, number in enumerate(tints)}
    numbers |= {f"glow{seat}": number for seat, number in enumerate(glows)}
    return Palette({**_COINS, **colours}, {**numbers, **near}, named)


def _named(seats: str, **names: str) -> dict[str, str]:
    """Name the 16 terminal colours: those of the seats in their order; coins are the same everywhere."""
    seat_names = {f"{kind}{seat}": name for seat, name in enumerate(seats.split()) for kind in ("ink", "fill")}
    coins = {"p": "yellow", "n": "gray", "d": "white", "q": "brightyellow", "coined": "black", "gold": "brightyellow"}
    cards = {"card": "white", "rank": "black", "red": "red", "back": "blue", "weave": "gray", "ongold": "black"}
    return {name: f"ansi{colour}" for name, colour in {**coins, **cards, **seat_names, **names}.items()}


_ON_DARK: Final = _named(
    "brightblue yellow brightgreen brightmagenta brightyellow magenta brightred brightcyan",
    paper="black", sheet="black", wall="white", ink="white", faint="gray", rule="gray", bar="blue",
    accent="brightgreen", onaccent="black", wrong="brightred", chosen="blue", cursor="cyan", hilite="brightyellow",
    **{f"on{seat}": "black" for seat in range(8)},
)  # fmt: skip
_ON_LIGHT: Final = _named(
    "blue red green magenta yellow brightblue brightred cyan",
    paper="white", sheet="white", wall="black", ink="black", faint="brightblack", rule="gray", bar="gray",
    accent="green", onaccent="white", wrong="red", chosen="gray", cursor="gray", hilite="brightyellow",
    **{f"on{seat}": "white" for seat in range(8)},
)  # fmt: skip

LIGHT: Final = _palette(
    ("#005f9e", "#9a5400", "#006b4c", "#a03474", "#6b6000", "#5a45b8", "#b23a0c", "#006a75"),
    (0.26, 0.29, 0.36, 0.44, 0.6, 0.31, 0.25, 0.39),
    (255, 230, 194, 255, 229, 255, 255, 195), (189, 229, 157, 225, 227, 189, 224, 159),
    {"paper": 230, "sheet": 231, "bar": 187, "chosen": 222, "cursor": 222}, _ON_LIGHT,
    "#f4c7a1 #f7d6ba #fae5d3 #fdf3ea #ffffff #eef5fb #d9eaf6 #c1ddf1 #a6ceea",
    paper="#f6f2e7", sheet="#fffdf8", ink="#1f2733", faint="#59616d", edge="#8b93a1", rule="#b4b0a3", grid="#d0d3d9",
    dots="#b3b8c2", bar="#e4dfcf", accent="#00704f", onaccent="#ffffff", wrong="#b3261e", chosen="#f7dda0",
    cursor="#fbd98c", gold="#f2c230", ongold="#3b2a00", mark="#a86400", hilite="#ffd95a", card="#ffffff",
    rank="#1f2733", red="#b3261e", cardedge="#59616d", back="#4b6a94", backedge="#26364d", weave="#dfe7f2",
    rail="#e7e9ee", core="#ffffff", outline="#1f2733", page="#e9e5d8", wall="#22304a", way="#d1495b",
    share="#0072b2", link="#0b5c94",
)  # fmt: skip

DARK: Final = _palette(
    ("#62b5f2", "#f5b544", "#4fd39d", "#f09ac8", "#f2e66a", "#b5a8ff", "#ff9a6b", "#74dde6"),
    (0.39, 0.3, 0.33, 0.24, 0.33, 0.43, 0.31, 0.37),
    (17, 236, 236, 53, 237, 54, 52, 236), (19, 238, 238, 89, 58, 55, 88, 23),
    {"paper": 234, "sheet": 235, "bar": 238, "chosen": 24, "cursor": 240}, _ON_DARK,
    "#74401b #5d371d #462d1e #2f2521 #20262f #1c2f40 #1b3a52 #194564 #175077",
    paper="#181c23", sheet="#222934", ink="#e8eaee", faint="#a6adba", edge="#6b7483", rule="#4b5666", grid="#3d4653",
    dots="#596273", bar="#323b48", accent="#5ad2a0", onaccent="#10151c", wrong="#ff8a80", chosen="#2c4a66",
    cursor="#52627a", gold="#ffd24a", ongold="#2e2100", mark="#ffc44d", hilite="#ffd95a", card="#2a313c",
    rank="#e8eaee", red="#ff8a80", cardedge="#a6adba", back="#34507a", backedge="#a9bddb", weave="#dfe7f2",
    rail="#2a313c", core="#222934", outline="#f2f2f2", page="#0f1217", wall="#c9d3e6", way="#ff7a8a",
    share="#4aa8e0", link="#7cc0ee",
)  # fmt: skip

#: For terminals only.
CONTRAST: Final = _palette(
    ("#5fd7ff", "#ffaf00", "#5fff5f", "#ff9fe5", "#ffff5f", "#c3b5ff", "#ff9a6b", "#afffff"),
    (0.52, 0.28, 0.46, 0.29, 0.37, 0.45, 0.28, 0.48),
    (17, 233, 234, 233, 236, 17, 233, 235), (19, 52, 237, 235, 239, 18, 235, 238),
    {"cursor": 240, "chosen": 18}, _ON_DARK,
    paper="#000000", sheet="#000000", ink="#ffffff", faint="#c8c8c8", edge="#bcbcbc", rule="#bcbcbc", grid="#8a8a8a",
    bar="#00005f", accent="#5fff5f", onaccent="#000000", wrong="#ff8787", chosen="#000087", cursor="#585858",
    gold="#ffff00", ongold="#000000", wall="#ffffff",
)  # fmt: skip


def style_sheet(text: str) -> str:
    """Replace the $names of a style sheet for a light background, and append the differences for a dark one."""
    dark = []
    for selector, body in _RULE.findall(text):
        changed = [
            part
            for part in body.split(";")
            if any(LIGHT[name] != DARK[name] for name in _NAME.findall(part))
        ]  # fmt: skip
        if changed:
            dark.append(f"{selector}{{{_filled(';'.join(changed), DARK)}}}")
    return _filled(text, LIGHT) + "\n".join([_DARK, *dark, "}"]) + "\n"


def _filled(text: str, palette: Palette) -> str:
    return _NAME.sub(lambda name: palette[name[1]], text)
