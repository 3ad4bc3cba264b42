"""Diagrams of rules pages: their signs in the colours that the boards have. Pure; prose.py keeps their lines.

A diagram is read as text: a row has its number first, the last line has the letters of the columns, and between squares
stand links.
"""

import re
from collections.abc import Mapping, Sequence, Set
from typing import Any, Final

from quadrille.client.screen.draw.canvas import Row, seat_style
from quadrille.client.screen.draw.sheet import pieces
from quadrille.rules.core import Game
from quadrille.rules.drawing.plain_text import letter
from quadrille.rules.match import Deal, Match
from quadrille.rules.squares import LETTERS

_TOKEN: Final = re.compile(r"-{2,}|[^\s-]+")
_CARD: Final = re.compile(r"\[ ?[\w?]+\]")
_SEATS: Final = 8
#: Signs other than those of players: a crossing, a token on a square, an empty square.
_COMMON: Final = {"X": "cross", "*": "picked", "$": "dollar", ".": "faint"}


def signs_of(played: Game[Any, Any]) -> tuple[tuple[str, str], ...]:
    """Return the signs in diagrams of a game with their styles: those of its first position, and letters of players."""
    found = {letter(seat): seat_style(seat) for seat in range(_SEATS)} | _COMMON
    sheet = Match(played, deal=Deal("rules")).state.scene().sheet
    for cell in sheet.cells if sheet else ():
        labelled = tuple(mark for mark in cell.marks if mark.label)
        found |= dict(zip((mark.label for mark in labelled), (style for _, style in pieces(labelled, 1)), strict=True))
    return tuple(found.items())


def coloured(lines: Sequence[str], signs: Mapping[str, str]) -> list[Row]:
    """Style the lines of a diagram; a link has the style of the player whose signs it joins."""
    rows: list[Row] = []
    above: dict[int, str] = {}
    for line in lines:
        row, above = _styled(line, signs, above)
        rows.append(row)
    return rows


def cards(line: str) -> Row:
    """Style a line with cards in brackets."""
    return _row(line, [(found.start(), found.end(), "card") for found in _CARD.finditer(line)])


def _styled(line: str, signs: Mapping[str, str], above: Mapping[int, str]) -> tuple[Row, dict[int, str]]:
    """Style a line; links in it take the styles `above`, by column. Also return those for the next line."""
    tokens = [(found.start(), found[0]) for found in _TOKEN.finditer(line)]
    texts = [text for _, text in tokens]
    if texts == list(LETTERS[: len(texts)]):
        return _row(line, [(0, len(line), "faint")]), {}
    numbered = bool(texts) and texts[0].isdigit()
    spans: list[tuple[int, int, str]] = []
    for number, (at, text) in enumerate(tokens):
        sign = next((text[:end] for end in range(len(text), 0, -1) if text[:end] in signs), "")
        style = signs.get(sign, "")
        if text == "|" and not numbered:
            sign, style = text, _of_link({above.get(at, "")})
        elif (text == "|" or text.isdigit()) and numbered:
            sign, style = text, "faint"
        elif text.startswith("--"):
            ends = {signs.get(near, "") for near in (*texts[number - 1 : number], *texts[number + 1 : number + 2])}
            sign, style = text, _of_link(ends)
        spans.append((at, at + len(sign), style))
        if rest := text[len(sign) :]:
            spans.append((at + len(sign), at + len(text), signs.get(rest, "")))
    return _row(line, spans), {at: style for at, _, style in spans}


def _of_link(ends: Set[str]) -> str:
    """Return a player's style if that player has both ends of a link."""
    return next((style for style in ends if len(ends) == 1 and style.startswith("seat")), "")


def _row(line: str, spans: Sequence[tuple[int, int, str]]) -> Row:
    found, at = list[tuple[str, str]](), 0
    for start, end, style in spans:
        if start > at:
            found.append(("", line[at:start]))
        if end > start:
            found.append((style, line[start:end]))
        at = end
    return (*found, ("", line[at:])) if at < len(line) or not found else tuple(found)
