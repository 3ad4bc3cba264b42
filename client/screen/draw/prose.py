"""Layout of text for a window: nothing is cut off, and lines that fit stay as they are.

Prose is the form of rules pages (each page.md, a little Markdown). Its paragraphs, items and tables are filled again,
its marks become styles, and indented blocks (a picture, perhaps with text beside it) are kept. Any other text is laid
out line by line, and its marks stay characters, because a peer may have written it. Pure; page.py draws it.

A diagram gets the colours that the boards have. It is read as text: a row has its number first, the last line has the
letters of the columns, and between squares stand links.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Final, TypeAlias

from quadrille.client.screen.draw.canvas import Piece, Row, columns, seat_style, width
from quadrille.client.screen.draw.sheet import pieces
from quadrille.rules.core import Game
from quadrille.rules.match import Deal, Match
from quadrille.rules.scene import letter
from quadrille.rules.squares import LETTERS

_TOKEN: Final = re.compile(r"-{2,}|[^\s-]+")
_CARD: Final = re.compile(r"\[ ?[\w?]+\]")
_SEATS: Final = 8
#: Signs other than those of players: a crossing, a token on a square, an empty square.
_COMMON: Final = {"X": "cross", "*": "picked", "$": "dollar", ".": "faint"}


def signs_of(played: Game[Any, Any]) -> tuple[tuple[str, str], ...]:
    """Return the signs in diagrams of a game with their styles: those of its first position, and letters of players."""
    styles = {letter(seat): seat_style(seat) for seat in range(_SEATS)} | _COMMON
    sheet = Match(played, deal=Deal("rules")).state.scene().sheet
    for cell in sheet.cells if sheet else ():
        labelled = tuple(mark for mark in cell.marks if mark.label)
        styles |= dict(zip((mark.label for mark in labelled), (style for style, _ in pieces(labelled, 1)), strict=True))
    return tuple(styles.items())


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
    return _row(line, [(card.start(), card.end(), "card") for card in _CARD.finditer(line)])


def _styled(line: str, signs: Mapping[str, str], above: Mapping[int, str]) -> tuple[Row, dict[int, str]]:
    """Style a line; links in it take the styles `above`, by column. Also return those for the next line."""
    tokens = [(token.start(), token[0]) for token in _TOKEN.finditer(line)]
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
    parts, at = list[Piece](), 0
    for start, end, style in spans:
        if start > at:
            parts.append(("", line[at:start]))
        if end > start:
            parts.append((style, line[start:end]))
        at = end
    return (*parts, ("", line[at:])) if at < len(line) or not parts else tuple(parts)


#: A word in pieces, because a mark may end before the comma.
_Word: TypeAlias = list[Piece]

_MARK: Final = re.compile(r"\*\*(.+?)\*\*|`(.+?)`|\*(\S.*?)\*")
#: A name before two blanks or more, which label the text after them.
_NAMED: Final = re.compile(r" *\S+(?: \S+)* {2,}(?=\S)")
#: A line of a picture, which has no words, and the minimum columns for text beside a picture.
_PICTURE: Final = re.compile(r"(?!.*[a-z]{3})")
_BESIDE: Final = 16
_GUTTER: Final = 3
_CELL_END: Final = re.compile(r"(?<!\\)\|")


@lru_cache(maxsize=8)
def laid_out(
    lines: tuple[str, ...], room: int, *, prose: bool, signs: tuple[tuple[str, str], ...] = ()
) -> tuple[Row, ...]:
    """Lay lines out in `room` columns. Diagrams of prose have the styles of their `signs`."""
    if not prose:
        return tuple(row for line in lines for row in _hung(line, room))
    return tuple(row for block in _blocks(lines) for row in _block(block, room, dict(signs)))


def _blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield blocks: a heading, an item, the rows of a table, an indented block, a paragraph, a blank line."""
    block: list[str] = []
    for line in lines:
        if block and not _goes_on(_kind(block[0]), line):
            yield block
            block = []
        block.append(line)
    yield block


def _kind(line: str) -> str:
    return "-" if line.startswith("- ") else line[:1] if line[:1] in ("#", "|", " ", "") else "text"


def _goes_on(kind: str, line: str) -> bool:
    return kind not in ("", "#") and _kind(line) == (" " if kind == "-" else kind)


def _block(lines: list[str], room: int, signs: Mapping[str, str]) -> Iterator[Row]:
    text = " ".join(line.strip() for line in lines)
    match _kind(lines[0]):
        case "#":
            yield from _filled([[("title", word)] for word in text.lstrip("#").split()], room)
        case "-":
            yield from _beside(["- "], _filled(_words(text[2:]), room - 2), 2)
        case "|":
            yield from _table(lines, room)
        case " ":
            yield from _set_in(lines, room, signs)
        case _:
            yield from _filled(_words(text), room) or [()]


def _words(text: str) -> list[_Word]:
    """Return the words of a text with marks."""
    words: list[_Word] = [[]]
    at = 0
    for mark in (*_MARK.finditer(text), None):
        end, after = mark.span() if mark else (len(text), 0)
        marked = next(filter(None, mark.groups())) if mark else ""
        for style, part in (("", text[at:end]), ("strong", marked)):
            for number, piece in enumerate(part.split(" ")):
                if number:
                    words.append([])
                if piece:
                    words[-1].append((style, piece))
        at = after
    return [word for word in words if word]


def _plain_words(text: str) -> list[_Word]:
    return [[("", word)] for word in text.split()]


def _filled(words: Iterable[_Word], room: int) -> list[Row]:
    """Fill lines with words; break a word that is wider than a line."""
    rows: list[_Word] = []
    used = 0
    for word in words:
        for part in _parts(word, room):
            wide = width(part)
            if rows and used + 1 + wide <= room:
                rows[-1] += [("", " "), *part]
                used += 1 + wide
            else:
                rows.append(list(part))
                used = wide
    return [tuple(row) for row in rows]


def _parts(word: _Word, room: int) -> list[_Word]:
    if width(word) <= room:
        return [word]
    parts: list[_Word] = [[]]
    for style, text in word:
        for sign in text:
            if parts[-1] and width(parts[-1]) + columns(sign) > room:
                parts.append([])
            parts[-1].append((style, sign))
    return parts


def _beside(left: Sequence[str | Row], right: Sequence[Row], at: int) -> Iterator[Row]:
    """Yield two columns side by side, the second one from `at` on."""
    for text, row in zip_longest(left, right, fillvalue=None):
        first: Row = (("", text),) if isinstance(text, str) else text or ()
        gap = " " * (at - width(first)) if row else ""
        yield (*first, *((("", gap),) if gap else ()), *(row or ()))


def _hung(line: str, room: int) -> Iterator[Row]:
    """Yield a line that fits unchanged; else break it, and indent the rest to the text after its name or margin."""
    if columns(line) <= room:
        yield (("", line),)
        return
    named = _NAMED.match(line)
    left = named.group() if named and columns(named.group()) <= room // 2 else ""
    left = left or line[: len(line) - len(line.lstrip())][: room // 2]
    at = columns(left)
    yield from _beside([left], _filled(_plain_words(line[len(left) :]), room - at), at)


# Indented blocks


def _set_in(lines: Sequence[str], room: int, signs: Mapping[str, str]) -> Iterator[Row]:
    """Keep an indented block, moved left if need be; else fill the text beside a picture again, or break row by row."""
    indent = min(len(line) - len(line.lstrip()) for line in lines)
    bare = [line[indent:] for line in lines]
    widest, at = max(map(columns, bare)), _gutter(bare)
    left: Sequence[str | Row] = [line[:at].rstrip() for line in bare]
    if signs and at:
        left = coloured([line[:at].rstrip() for line in bare], signs)
    if widest <= room:
        margin = " " * min(indent, room - widest)
        right: list[Row] = [(("", line[at:]),) if at else cards(line) if signs else (("", line),) for line in bare]
        yield from ((("", margin), *row) for row in _beside(left if at else [], right, at))
    elif 0 < at <= room - _BESIDE:
        paragraphs = _paragraphs([line[at:].strip() for line in bare])
        yield from _beside(left, [row for text in paragraphs for row in _filled(_plain_words(text), room - at)], at)
    else:
        yield from (row for line in _rows(bare) for row in _hung(" " * min(indent, 2) + line, room))


def _gutter(lines: Sequence[str]) -> int:
    """Return the column where the text beside a picture begins; 0 if there is no such text."""
    for at in range(max(map(len, lines)) - 1, _GUTTER, -1):
        if all(not line[at - _GUTTER : at].strip() for line in lines) and any(
            line[at : at + 1].strip() for line in lines
        ):
            return at if all(_PICTURE.match(line[:at]) for line in lines) else 0
    return 0


def _paragraphs(lines: Sequence[str]) -> list[str]:
    """Join lines that were filled by hand. A line ends a paragraph if the next word would have fitted into it."""
    widest, paragraphs, open_ = max(map(len, lines)), list[str](), False
    for line, after in zip_longest(lines, lines[1:], fillvalue=""):
        if line:
            paragraphs += [line] if not open_ else [f"{paragraphs.pop()} {line}"]
        open_ = bool(line and after) and len(line) + 1 + len(after.split()[0]) > widest
    return paragraphs


def _rows(lines: Sequence[str]) -> list[str]:
    """Join rows of a list that were broken by hand: a continuation stands exactly below the text."""
    rows: list[str] = []
    at = 0
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if rows and indent == at > 0 and "  " not in line.strip():
            rows[-1] += f" {line.strip()}"
        else:
            named = _NAMED.match(line)
            at = named.end() if named else 0
            rows.append(line)
    return rows


# Tables


def _table(lines: Sequence[str], room: int) -> Iterator[Row]:
    """Lay out a table with columns as narrow as possible; the widest ones give way if room is short."""
    rows = [
        [_words(cell.strip().replace("\\|", "|")) for cell in _CELL_END.split(line.strip().strip("|"))]
        for line in lines
        if not set(line) <= set("|-: ")
    ]
    most = max(map(len, rows))
    rows = [[*cells, *[[]] * (most - len(cells))] for cells in rows]
    widths = [max(width(_joined(cell)) for cell in column) for column in zip(*rows, strict=True)]
    while sum(widths) + 2 * (len(widths) - 1) > room and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    for number, cells in enumerate(rows):
        filled = [_filled(cell, wide) for cell, wide in zip(cells, widths, strict=True)]
        for parts in zip_longest(*filled, fillvalue=()):
            yield _line(parts, widths, "title" if not number else "")


def _joined(words: Iterable[_Word]) -> list[Piece]:
    return [piece for number, word in enumerate(words) for piece in ([("", " ")] if number else []) + word]


def _line(parts: Sequence[Row], widths: Sequence[int], style: str) -> Row:
    pieces: list[Piece] = []
    at = 0
    for part, wide in zip(parts, widths, strict=True):
        if part:
            pieces += [("", " " * (at - width(pieces))), *((style or own, text) for own, text in part)]
        at += wide + 2
    return tuple(pieces)
