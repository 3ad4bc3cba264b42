"""The drawings of seats, marks, coins and cards, as pieces of SVG around the point (0, 0).

Colour alone has no meaning: every seat has a letter and a shape, every coin its value, every suit its sign. Colours
are classes of picture.css. A frequent drawing is a symbol, defined once in a document and used by its name. See
layout.py for positions.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

from quadrille.client.picture.palette import style_sheet
from quadrille.client.words.signs import COIN_VALUES
from quadrille.rules.scene import Mark, letter

#: The shape of each seat, and the distance of its letter below the centre. With more seats only the letters go on.
SHAPES: Final = (
    ('<circle r="15.5" class="{}"/>', 0),
    ('<rect x="-14" y="-14" width="28" height="28" rx="3" class="{}"/>', 0),
    ('<path d="M0-19 19 0 0 19-19 0Z" class="{}"/>', 0),
    ('<path d="M-9-15.5H9L18 0 9 15.5H-9L-18 0Z" class="{}"/>', 0),
    ('<path d="M0-19 19 14H-19Z" class="{}"/>', 4),
    ('<path d="M-15-15H15V2Q14 12 0 18Q-14 12-15 2Z" class="{}"/>', -1),
    ('<path d="M-9-14H9L18 14H-18Z" class="{}"/>', 1),
    ('<path d="M-8-17H8V-8H17V8H8V17H-8V8H-17V-8H-8Z" class="{}"/>', 0),
)
SUITS: Final = "SHDC"
RED: Final = "HD"
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
CARD: Final = re.compile(f"({'|'.join(RANKS)})([{SUITS}])")
_COIN: Final = re.compile("([0-9]*)([pndq])")
_USED: Final = re.compile('<use href="#([a-zA-Z0-9]+)"')
_ESS: Final = '<path d="M9-8C6-14-9-14-9-6.5C-9 1 9-1 9 6.5C9 14-6 14-9 8" class="{}"/>'
_STROKES: Final = '<path d="M-3-16V16M3-16V16" class="thin {}"/>'
_DOLLAR: Final = _ESS.format("pen ink") + _STROKES.format("ink")
_CAPTURED: Final = f'<g transform="scale(.86)">{_ESS.format("pen ongold")}{_STROKES.format("ongold")}</g>'

#: The drawings of marks that don't show their label, by kind and label.
SYMBOLS: Final = {
    "bars": '<path d="M-5-13V13M5-13V13" class="pen k0"/>',
    "ess": _ESS.format("pen k1"),
    "dollar": _DOLLAR,
    "dollarbar": '<rect x="-17.5" y="-17.5" width="35" height="35" rx="2" class="frame gold k0"/>' + _CAPTURED,
    "dollaress": '<circle r="18" class="frame gold k1"/>' + _CAPTURED,
    "cross": '<path d="M-9-9 9 9M9-9-9 9" class="pen ink"/>',
    "start": '<circle r="9" class="frame ink"/><circle r="3.5" class="blot"/>',
    "taken": '<circle r="4.5" class="blot"/>',
    "fresh": '<path d="M-20-11V-20H-11M11-20H20V-11M20 11V20H11M-11 20H-20V11" class="corners"/>'
    '<rect x="-20" y="-20" width="40" height="40" class="glow"/>',
    "turn": '<path d="M-6-8 8 0-6 8Z" class="blot"/>',
    "cardback": '<rect x="-17" y="-23" width="34" height="46" rx="4" class="back"/>'
    '<path d="M-12-18H12V18H-12ZM-12-6 0-18M-12 6 12-18M-12 18 12-6M0 18 12 6" class="weave"/>',
    "front": '<rect x="-17" y="-23" width="34" height="46" rx="4" class="card"/>',
    "gap": '<rect x="-16" y="-22" width="32" height="44" rx="4" class="gap"/>',
    "suitS": '<path d="M0-8C2-4 8-1 8 3.5C8 8 3 8 1 5L3 9H-3L-1 5C-3 8-8 8-8 3.5C-8-1-2-4 0-8Z" class="suit"/>',
    "suitH": '<path d="M0 8C-2 4-8 1-8-3.5C-8-8-2-8 0-4C2-8 8-8 8-3.5C8 1 2 4 0 8Z" class="suit red"/>',
    "suitD": '<path d="M0-9 7 0 0 9-7 0Z" class="suit red"/>',
    "suitC": '<path d="M1 4 3 9H-3L-1 4A4 4 0 1 1-4-2A4 4 0 1 1 4-2A4 4 0 1 1 1 4Z" class="suit"/>',
    "joker": '<path d="M0-9 2-3 9-3 3 1 6 8 0 4-6 8-3 1-9-3-2-3Z" class="suit"/>',
}
_LOOKS: Final = {
    ("claim", "||"): "bars",
    ("claim", "S"): "ess",
    ("dollar", "$"): "dollar",
    ("dollar", "[$]"): "dollarbar",
    ("dollar", "($)"): "dollaress",
    ("cross", "X"): "cross",
    ("start", "o"): "start",
    ("taken", "o"): "taken",
}
_COINS: Final = {"p": 13, "n": 14.5, "d": 12, "q": 16.5}
_QUARTERS: Final = ((-9, -9), (9, 9), (9, -9), (-9, 9))
_CORNERS: Final = ((11, -11), (-11, -11), (11, 11), (-11, 11))


def text(words: str, y: float = 0, size: int = 15, kind: str = "ink") -> str:
    """Return centred words, escaped for a document."""
    place = f' y="{y:g}"' if y else ""
    return f'<text class="mid s{size} {kind}"{place} dy=".35em">{escape(words)}</text>'


def use(name: str) -> str:
    """Return a reference to a symbol."""
    return f'<use href="#{name}"/>'


def at(x: float, y: float, drawn: str, scale: float = 1) -> str:
    """Move and scale a drawing."""
    sized = f" scale({scale:g})" if scale != 1 else ""
    return f'<g transform="translate({x:g} {y:g}){sized}">{drawn}</g>'


def badge(seat: int) -> str:
    """Return a seat's shape with its letter."""
    return use(f"seat{seat}")


def definitions(parts: Iterable[str]) -> str:
    """Return the definitions of the symbols that these pieces use."""
    wanted = {name for part in parts for name in _USED.findall(part)}
    drawings: dict[str, str] = {}
    while wanted:
        drawings |= {name: _symbol(name) for name in wanted}
        wanted = {name for drawn in drawings.values() for name in _USED.findall(drawn)} - set(drawings)
    return "<defs>" + "".join(f'<g id="{name}">{drawings[name]}</g>' for name in sorted(drawings)) + "</defs>"


def _symbol(name: str) -> str:
    if name in SYMBOLS:
        return SYMBOLS[name]
    if name.startswith("ground"):
        return f'<rect x="-21" y="-21" width="42" height="42" class="wash f{name.removeprefix("ground")}"/>'
    if name.startswith("coin"):
        return _coin(name.removeprefix("coin"))
    seat = int(name.removeprefix("seat"))
    shape, low = SHAPES[seat % len(SHAPES)]
    colour = seat % len(SHAPES)
    return shape.format(f"seat f{colour}") + text(letter(seat), low, 17, f"t{colour}")


def _coin(kind: str) -> str:
    edge = f'<circle r="{_COINS[kind] - 3:g}" class="rim"/>' if kind in "dq" else ""
    return f'<circle r="{_COINS[kind]:g}" class="coin {kind}"/>{edge}' + text(
        COIN_VALUES[kind], -0.5, 11 if kind == "d" else 13, "dark"
    )  # a dime is small


@cache
def washed(marks: tuple[Mark, ...]) -> str:
    """Colour the ground of a square in the colour of the seat whose it is."""
    seat = next((mark.seat for mark in marks if mark.seat is not None and mark.label), None)
    return "" if seat is None else use(f"ground{seat % len(SHAPES)}")


@cache
def lying(marks: tuple[Mark, ...]) -> str:
    """Draw the marks of a square: things in the middle, and pieces on top of them in the corners."""
    pieces = [mark for mark in marks if not mark.label and mark.seat is not None]
    things = [_thing(mark) for mark in marks if mark not in pieces]
    if len(things) > 1:
        drawn = "".join(at(x, y, thing, 0.56) for (x, y), thing in zip(_QUARTERS, things, strict=False))
    else:
        drawn = "".join(things)
    badges = [badge(mark.seat) for mark in pieces if mark.seat is not None]
    if len(badges) == 1 and not things:
        return badges[0]
    if drawn and badges and len(things) == 1:
        drawn = at(-5, 6, drawn, 0.74)
    return drawn + "".join(at(x, y, piece, 0.66) for (x, y), piece in zip(_CORNERS, badges, strict=False))


def _thing(mark: Mark) -> str:
    """Draw a mark that is no seat's piece."""
    if (mark.kind, mark.label) in _LOOKS:
        return use(_LOOKS[mark.kind, mark.label])
    if mark.kind == "coin" and (coin := _COIN.fullmatch(mark.label)):
        return _coins(int(coin[1] or 1), coin[2])
    whose = f" k{mark.seat % len(SHAPES)}" if mark.seat is not None else ""
    size = {1: 17, 2: 15}.get(len(mark.label), 11)
    piece = at(11, -11, badge(mark.seat), 0.5) if mark.seat is not None else ""
    return (
        f'<rect x="-18" y="-18" width="36" height="36" rx="4" class="tile{whose}"/>{text(mark.label, 0, size)}{piece}'
    )


def _coins(count: int, kind: str) -> str:
    """Draw a coin, or a pile of coins with their number."""
    if count == 1:
        return use(f"coin{kind}")
    under = "".join(
        f'<circle cy="{y}" r="{_COINS[kind]:g}" class="coin {kind}"/>' for y in range(2 + 2 * min(count - 2, 2), 0, -2)
    )
    plate = '<rect x="-8" y="-7.5" width="16" height="15" rx="7" class="plate"/>' + text(str(count), 0, 11)
    return at(0, -2, under + use(f"coin{kind}")) + at(-12, 13, plate)


def card(label: str, lookers: Sequence[int]) -> str:
    """Draw a card, face up or down, with small signs of the seats that have looked at it on its lower half."""
    small = "".join(at(11 * (n % 3) - 11, 16 - 13 * (n // 3), badge(seat), 0.4) for n, seat in enumerate(lookers))
    if label == "?":
        return use("cardback") + small
    if parts := CARD.fullmatch(label):
        rank, suit = parts.groups()
        face, sign = text(rank, 0, 17, "red" if suit in RED else "ink"), use(f"suit{suit}")
    else:
        face, sign = text(label, 0, 11), use("joker") if label.startswith("JK") else ""
    face = at(-5, -12, face, 0.9) + at(11, -12, sign, 0.5) if lookers else at(0, -10, face) + at(0, 8, sign, 0.85)
    return use("front") + face + small


@cache
def sheet(name: str, package: str = "quadrille.client.picture") -> str:
    """Read a file of a package; a style sheet gets its colours."""
    text = files(package).joinpath(name).read_text("utf-8")
    return style_sheet(text) if name.endswith(".css") else text
