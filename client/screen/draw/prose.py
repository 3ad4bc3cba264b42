"""Layout of text for a window: nothing is cut off, and lines that fit stay as they are.

Prose is the form of rules pages (each page.md, a little Markdown). Its paragraphs, items and tables are filled again,
its marks become styles, and indented blocks (a picture, perhaps with text beside it) are kept. Any other text is laid
out line by line, and its marks stay characters, because a peer may have written it. Pure; page.py draws it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Final, TypeAlias

from quadrille.client.screen.draw.canvas import Piece, Row, columns, width

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
def laid_out(lines: tuple[str, ...], room: int, *, prose: bool) -> tuple[Row, ...]:
    """Lay lines out in `room` columns."""
    if not prose:
        return tuple(row for line in lines for row in _hung(line, room))
    return tuple(row for block in _blocks(lines) for row in _block(block, room))


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


def _block(lines: list[str], room: int) -> Iterator[Row]:
    text = " ".join(line.strip() for line in lines)
    match _kind(lines[0]):
        case "#":
            yield from _filled([[("title", word)] for word in text.lstrip("#").split()], room)
        case "-":
            yield from _beside(["- "], _filled(_words(text[2:]), room - 2), 2)
        case "|":
            yield from _table(lines, room)
        case " ":
            yield from _set_in(lines, room)
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


def _beside(left: Sequence[str], right: Sequence[Row], at: int) -> Iterator[Row]:
    """Yield two columns side by side, the second one from `at` on."""
    for text, row in zip_longest(left, right):
        first = text or ""
        yield ("", first + " " * (at - columns(first)) * bool(row)), *(row or ())


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


def _set_in(lines: Sequence[str], room: int) -> Iterator[Row]:
    """Keep an indented block, moved left if need be; else fill the text beside a picture again, or break row by row."""
    indent = min(len(line) - len(line.lstrip()) for line in lines)
    bare = [line[indent:] for line in lines]
    widest, at = max(map(columns, bare)), _gutter(bare)
    if widest <= room:
        yield from ((("", " " * min(indent, room - widest) + line),) for line in bare)
    elif 0 < at <= room - _BESIDE:
        left, paragraphs = [line[:at].rstrip() for line in bare], _paragraphs([line[at:].strip() for line in bare])
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
