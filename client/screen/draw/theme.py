"""The themes: three with colours and one without, for terminals of any number of colours.

A style is a word ("legal", "seat-a") that drawings use; a theme gives it ink and paper from the palette. Colour alone
has no meaning: letters, signs and shapes carry it, and bold, underlined and reversed text where there is no colour.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import dist
from types import MappingProxyType
from typing import Final

from quadrille.client.picture.palette import CONTRAST, DARK, LIGHT, Palette
from quadrille.client.screen.draw.canvas import SEATS

#: Colours that a terminal can have: none, those of the 16 names, of the 256-colour table, any.
NO_COLOURS: Final = 2
FEW_COLOURS: Final = 16
TABLE_OF_COLOURS: Final = 256
ALL_COLOURS: Final = 1 << 24

#: Themes by name; None is the one without colours.
THEMES: Final[Mapping[str, Palette | None]] = MappingProxyType(
    {"night": DARK, "paper": LIGHT, "contrast": CONTRAST, "mono": None}
)
_LETTERS: Final = {"bold": "1", "italic": "3", "underline": "4", "reverse": "7"}
_BRIGHT: Final = "black", "red", "green", "yellow", "blue", "magenta", "cyan"
#: The 16 colours in the order of their codes.
_NAMED: Final = (*_BRIGHT, "gray", *map("bright{}".format, _BRIGHT), "white")
_LEVELS: Final = (0, 95, 135, 175, 215, 255)
_MONO: Final = {
    **{f"seat-{letter}": "bold" for letter in SEATS},
    **{f"badge-{letter}": "reverse bold" for letter in SEATS},
    "bar": "reverse", "key": "bold", "title": "bold", "strong": "bold", "fresh": "bold underline",
    "cursor": "reverse bold", "held": "reverse bold", "preview": "underline", "picked": "bold", "turn": "reverse bold",
    "win": "reverse bold", "alarm": "bold", "chosen": "reverse", "legal": "bold", "dollar": "bold", "wall": "bold",
}  # fmt: skip
#: A QR code in terminals of few colours: black on white, in every theme, because some cameras read nothing else.
_CODES: Final = {NO_COLOURS: "reverse", FEW_COLOURS: "bg:ansiwhite ansiblack"}


@lru_cache(maxsize=16)
def styles(theme: str, colours: int) -> Mapping[str, str]:
    """Return the look of each style in a terminal with that many colours."""
    palette, code = THEMES[theme], {"qr": _CODES.get(colours, "bg:#ffffff #000000")}
    if palette is None or colours == NO_COLOURS:
        return _MONO | code

    def of(name: str) -> str:
        return palette.named[name] if colours <= FEW_COLOURS else _shade(palette, name, colours)

    def of_cards(name: str) -> str:
        return LIGHT.named[name] if colours <= FEW_COLOURS else LIGHT[name]

    ground = {"sheet": f"bg:{of('sheet')}"}
    by_name = {
        "screen": f"bg:{of('paper')} {of('ink')}",
        "line": of("rule"),
        "wall": f"{of('wall')} bold",
        "faint": of("faint"),
        "bar": f"bg:{of('bar')} {of('ink')}",
        "key": f"bg:{of('bar')} bold",
        "title": "bold",
        "strong": "bold",
        "fresh": "bold underline",
        "cursor": f"bg:{of('cursor')} bold",
        "held": f"bg:{of_cards('hilite')}",
        "legal": of("accent"),
        "preview": f"{of('accent')} italic",
        "picked": f"{of('accent')} bold",
        "turn": f"bg:{of('accent')} {of('onaccent')} bold",
        "win": f"bg:{of('gold')} {of('ongold')} bold",
        "dollar": f"bg:{of('gold')} {of('ongold')} bold",
        "wrong": of("wrong"),
        "cross": f"{of('wrong')} bold",
        "alarm": f"{of('wrong')} bold",
        "chosen": f"bg:{of('chosen')} {of('ink')}",
        # cards look like paper in every theme
        "card": f"bg:{of_cards('card')} {of_cards('rank')} bold",
        "red": f"bg:{of_cards('card')} {of_cards('red')} bold",
        "back": f"bg:{of_cards('back')} {of_cards('weave')}",
    }
    for seat, letter in enumerate(SEATS):
        by_name[f"seat-{letter}"] = f"{of(f'ink{seat}')} bold"
        by_name[f"badge-{letter}"] = f"bg:{of(f'fill{seat}')} {of(f'on{seat}')} bold"
        if colours > FEW_COLOURS:
            ground |= {f"tint-{letter}": f"bg:{of(f'tint{seat}')}", f"glow-{letter}": f"bg:{of(f'glow{seat}')}"}
    for coin in "pndq":
        by_name[f"coin-{coin}"] = f"bg:{of(coin)} {of('coined')} bold"
    return ground | by_name | code


def _shade(palette: Palette, name: str, colours: int) -> str:
    """Return the exact colour, or the chosen one of the 256-colour table, which has a near one for others."""
    number = palette.near.get(name) if colours <= TABLE_OF_COLOURS else None
    return palette[name] if number is None else "#{:02x}{:02x}{:02x}".format(*_in_table(number))


def _in_table(number: int) -> tuple[int, ...]:
    """Return the parts of a colour of the 256-colour table: of its cube, or of its greys."""
    if number >= 232:
        return (8 + 10 * (number - 232),) * 3
    return tuple(_LEVELS[(number - 16) // part % 6] for part in (36, 6, 1))


def code(word: str, colours: int) -> tuple[str, str]:
    """Return what a word of a look is about, and its code in a terminal's escape sequence."""
    if word in _LETTERS:
        return word, _LETTERS[word]
    about, name = ("ground", word[3:]) if word.startswith("bg:") else ("ink", word)
    first = 48 if about == "ground" else 38
    if name[0] != "#":
        number = _NAMED.index(name.removeprefix("ansi"))
        return about, str(first - 8 + number if number < 8 else first + 44 + number)
    wanted = tuple(int(name[at : at + 2], 16) for at in (1, 3, 5))
    if colours > TABLE_OF_COLOURS:
        return about, f"{first};2;{';'.join(map(str, wanted))}"
    red, green, blue = (min((abs(level - part), at) for at, level in enumerate(_LEVELS))[1] for part in wanted)
    near = (16 + 36 * red + 6 * green + blue, *range(232, 256))
    return about, f"{first};5;{min(near, key=lambda number: dist(wanted, _in_table(number)))}"
