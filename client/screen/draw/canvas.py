"""The canvas of all drawings, a grid of characters with their styles and the meaning of clicks; the parts that screens
have in common.

Everything is drawn in Unicode. A plain canvas writes each sign as its ASCII twin, so that no drawing exists
twice. Nothing here knows a colour (see theme.py for styles), a game or a terminal.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, TypeAlias

from wcwidth import wcwidth

from quadrille.value import value

#: A style and a text in it; a row of them.
Piece: TypeAlias = tuple[str, str]
Row: TypeAlias = tuple[Piece, ...]

#: The ASCII twin of each sign that drawings use.
TWINS: Final = (
    dict(zip("─│┌┐└┘├┤┬┴┼╭╮╰╯", "-|+++++++++++++", strict=True))
    | dict(zip("━┃╌╎", "=!~:", strict=True))
    | dict(zip("▸◂▴▾→←↑↓↗↘↙↖", "><^v><^v/\\/\\", strict=True))
    | dict(zip("·○●◉◆‹›░█▓─…×•✓", ".+o@*<>#=%-~x**", strict=True))
    | dict(zip("♠♥♦♣★–—", "SHDCW--", strict=True))
)
#: Maximum characters in a cell: a letter with its marks, as many scripts write vowels. More would reach other rows.
_LONGEST_SIGN: Final = 4
#: Minimum rows and columns of a screen.
LEAST_ROWS: Final = 16
LEAST_COLUMNS: Final = 60
#: Minimum columns of a list in the middle.
_LEAST_LIST: Final = 44
#: Maximum rows of a message: on a small board it hides the last ones.
_MOST_TOLD: Final = 6
#: The style of the names of the seats that have won.
WINNER: Final = "win"
#: The letters of seats in styles.
SEATS: Final = "abcdefgh"


@value
class ClickTarget:
    """A rectangle that can be clicked. `does` is "pick" (a place of the board, by its name), "word" (a whole line for
    the prompt) or "key" (a key). A "row" is one of the screen, a "choice" one of a list above it, by its number.
    """

    does: str
    name: str
    row: int
    column: int
    width: int = 1
    height: int = 1

    def holds(self, row: int, column: int) -> bool:
        """Return whether a place of the screen is inside."""
        return 0 <= row - self.row < self.height and 0 <= column - self.column < self.width

    @property
    def centre(self) -> tuple[int, int]:
        """Its middle, in halves of a row and of a column."""
        return 2 * self.row + self.height - 1, 2 * self.column + self.width - 1


@value
class Picture:
    """A drawn screen: its rows, its click targets (the last one on top), and the place of the caret."""

    rows: tuple[Row, ...]
    spots: tuple[ClickTarget, ...] = ()
    caret: tuple[int, int] | None = None
    #: Whether the window is too small: keys would act on what nobody sees.
    hides: bool = False

    @property
    def lines(self) -> list[str]:
        """The text alone."""
        return ["".join(text for _, text in row).rstrip() for row in self.rows]

    def at(self, row: int, column: int) -> ClickTarget | None:
        """Return the click target at a place."""
        return next((spot for spot in reversed(self.spots) if spot.holds(row, column)), None)


class Canvas:
    """Rows of single characters, their styles, and the ground below them. Drawings beyond the edge are cut off."""

    __slots__ = ("_grounds", "_signs", "_styles", "height", "hides", "plain", "spots", "width")

    def __init__(self, width: int, height: int, *, plain: bool) -> None:
        self.width = width
        self.height = height
        self.plain = plain
        self.hides = False
        self.spots: list[ClickTarget] = []
        self._signs = [[" "] * width for _ in range(height)]
        self._styles = [[""] * width for _ in range(height)]
        self._grounds = [[""] * width for _ in range(height)]

    def put(self, row: int, column: int, text: str, style: str = "", *, twin: str = "", most: int = 0) -> int:
        """Write a text, at most `most` columns; return the column after it. `twin` replaces its usual ASCII."""
        if self.plain:
            text = twin or plain_text(text)
        end = self.width if not most else min(self.width, column + most)
        if not 0 <= row < self.height:
            return column
        signs, styles = self._signs[row], self._styles[row]
        if column >= 0 and text.isascii() and text.isprintable():
            after = max(column, min(end, column + len(text)))
            signs[column:after] = text[: after - column]
            styles[column:after] = [style] * (after - column)
            return after
        start = column
        for sign in text:
            wide = _columns(sign)
            if wide <= 0:
                if wide == 0 and max(0, start) < column:
                    letter = column - 1 - (not signs[column - 1])  # a wide one has a second, empty cell
                    signs[letter] = (signs[letter] + sign)[:_LONGEST_SIGN]
                continue
            if column + wide > end:
                break
            if column >= 0:
                signs[column] = sign
                styles[column] = style
                if wide == 2:
                    signs[column + 1], styles[column + 1] = "", style
            column += wide
        return column

    def shade(self, row: int, column: int, width: int, style: str, height: int = 1) -> None:
        """Lay a style over a rectangle."""
        for styles in self._styles[max(0, row) : row + height]:
            for at in range(max(0, column), min(self.width, column + width)):
                styles[at] = f"{styles[at]} {style}" if styles[at] else style

    def ground(self, row: int, column: int, width: int, height: int, style: str) -> None:
        """Colour the ground of a rectangle; text that is written there keeps this ground."""
        start, end = max(0, column), min(self.width, column + width)
        for grounds in self._grounds[max(0, row) : max(0, row + height)]:
            grounds[start:end] = [style] * (end - start)

    def wipe(self, row: int, column: int, width: int, height: int, style: str = "") -> None:
        """Clear a rectangle and its click targets."""
        self.ground(row, column, width, height, "")
        for at in range(row, row + height):
            self.put(at, column, " " * width, style)
        self.spots = [
            spot
            for spot in self.spots
            if not (row <= spot.row < row + height and column <= spot.column < column + width)
        ]

    def sign(self, row: int, column: int) -> str:
        """Return the character at a place; a blank beyond the edge."""
        inside = 0 <= row < self.height and 0 <= column < self.width
        return self._signs[row][column] if inside else " "

    def spot(self, does: str, name: str, row: int, column: int, width: int = 1, height: int = 1) -> None:
        """Add a click target."""
        self.spots.append(ClickTarget(does, name, row, column, width, height))

    def picture(self, caret: tuple[int, int] | None = None) -> Picture:
        """Return the drawn screen."""
        layers = zip(self._signs, self._styles, self._grounds, strict=True)
        rows = tuple(_row(signs, _on(styles, grounds)) for signs, styles, grounds in layers)
        return Picture(rows, tuple(self.spots), caret, self.hides)

    # Parts that screens have in common: first line, signs of seats, message and prompt, keys, a list

    def box(self, row: int, column: int, width: int, height: int, style: str, title: str = "") -> None:
        """Draw an empty frame."""
        self.wipe(row, column, width, height, style)
        self.put(row, column, "┌" + "─" * (width - 2) + "┐", style)
        for at in range(row + 1, row + height - 1):
            self.put(at, column, "│", style)
            self.put(at, column + width - 1, "│", style)
        self.put(row + height - 1, column, "└" + "─" * (width - 2) + "┘", style)
        if title:
            self.put(row, column + 2, f" {clipped(title, width - 6)} ", f"{style} title")

    def text_lines(self, row: int, column: int, width: int, lines: Iterable[str], style: str = "") -> int:
        """Write lines one below another; return the row after them."""
        for line in lines:
            self.put(row, column, line, style, most=width)
            row += 1
        return row

    def is_too_small(self) -> bool:
        """Return whether the window is too small for a screen. Then the canvas says what is needed."""
        if self.height >= LEAST_ROWS and self.width >= LEAST_COLUMNS:
            return False
        self.say_size("Quadrille", LEAST_ROWS, LEAST_COLUMNS)
        return True

    def say_size(self, title: str, rows: int, wide: int, also: str = "") -> None:
        """Say which size is needed; nothing else would be readable."""
        self.hides = True
        text = (
            f"{title} needs a window of {wide} x {rows} characters here. This one has {self.width} x {self.height}:"
            f" make it larger, or use a smaller font.{also} Ctrl-Q leaves."
        )
        self.text_lines(0, 0, self.width, wrapped(text, max(1, self.width - 1), self.height))

    def draw_bar(self, left: str, right: str, *, strong: bool, style: str = "turn") -> int:
        """Draw the first line; return the column where its right end begins, in the style if it is strong."""
        start = self.width - columns(right) - 2
        self.put(0, 0, " " * self.width, "bar")
        self.put(0, 1, clipped(left, start - 2), "bar title")
        self.put(0, start, f" {right} ", style if strong else "bar title")
        return start

    def draw_place(self, row: int, column: int, place: int, *, to_move: bool) -> None:
        """Draw the sign before a seat: its place once the game is over, before that whether it is to move."""
        self.put(row, column, f"{place}." if place else "▸" if to_move else " ", "picked")

    def draw_foot(
        self,
        told: str,
        text: str,
        at: int,
        keys: Iterable[tuple[str, str, str]],
        *,
        alarm: bool,
        selected: bool = False,
        sign: str = "> ",
        spare: Sequence[str] = (),
    ) -> tuple[int, int]:
        """Draw the message, the prompt and the keys, some to `spare`, in their `foot_rows`. The prompt has its sign,
        and as much of the typed line as has room. Return the place of the caret.
        """
        lines, row = wrapped(told, self.width - 2, _MOST_TOLD), self.height - 2
        self.text_lines(row - len(lines), 1, self.width, lines, "alarm" if alarm else "")
        shown = list(keys)
        for left_out in spare:  # one after another, if there is not enough room
            if sum(len(name) + len(word) + 2 for _, name, word in shown) < self.width:
                break
            shown = [key for key in shown if key[0] != left_out]
        self.draw_keys(self.height - 1, 1, shown)
        room, left = self.width - len(sign) - 2, 1 + len(sign)
        start, wide = at, 0
        while start and (wide := wide + columns(text[start - 1])) < room:
            start -= 1
        self.put(row, 1, sign, "strong")
        self.put(row, left, text[start:], "chosen" if selected else "strong", most=room)
        return row, min(self.width - 1, left + columns(text[start:at]))

    def foot_rows(self, text: str) -> int:
        """Return the rows of a foot with this message."""
        return 2 + max(1, len(wrapped(text, self.width - 2, _MOST_TOLD)))

    def draw_page_keys(self, column: int, keys: Iterable[tuple[str, str, str]]) -> None:
        """Draw the keys of a page at the very bottom, and how it closes: also by a click beside them."""
        self.spot("key", "escape", self.height - 1, 0, self.width)
        self.draw_keys(self.height - 1, column, (*keys, ("escape", "Esc", "Close")))

    def draw_keys(self, row: int, column: int, keys: Iterable[tuple[str, str, str]]) -> None:
        """Draw clickable keys side by side, as many as have room: the key, its name, and its action."""
        for key, name, word in keys:
            if column + len(name) + len(word) + 1 >= self.width:
                break
            self.spot("key", key, row, column, len(name) + 1 + len(word))
            column = self.put(row, column, name, "key")
            column = self.put(row, column + 1, word, "faint") + 1

    def draw_cursor(self, row: int, column: int, width: int, name: str, *, chosen: bool) -> None:
        """Make a written row of a list one that can be clicked, and mark the chosen one."""
        if chosen:
            self.put(row, column, "▸")
            self.shade(row, column, width, "chosen")
        self.spot("row", name, row, column - 1, width + 1)

    def draw_list(self, title: str, rows: Sequence[str], at: int) -> None:
        """Draw a list in the middle with the row `at` chosen; each row is a "choice" by its number."""
        width = min(self.width, max(_LEAST_LIST, *(columns(row) + 4 for row in rows)))
        high = min(len(rows) + 2, self.height - 2)
        top, left = (self.height - 1 - high) // 2, (self.width - width) // 2
        self.box(top, left, width, high, "", title)
        for row, number in enumerate(window(at, len(rows), high - 2), top + 1):
            text = clipped(f"{'▸' if number == at else ' '} {rows[number]}", width - 2)
            self.put(row, left + 1, text.ljust(width - 2), "chosen" if number == at else "")
            self.spot("choice", f"{number}", row, left + 1, width - 2)


def _on(styles: list[str], grounds: list[str]) -> list[str]:
    """Return the styles of a row together with its ground."""
    if not any(grounds):
        return styles
    return list(map(_both, styles, grounds))


@lru_cache(maxsize=1024)
def _both(style: str, ground: str) -> str:
    return f"{ground} {style}" if ground and style else ground or style


def _row(signs: list[str], styles: list[str]) -> Row:
    at, pieces = 0, []
    for style, group in groupby(styles):
        end = at + len(list(group))
        pieces.append((style, "".join(signs[at:end])))
        at = end
    return tuple(pieces)


@lru_cache(maxsize=4096)
def _columns(sign: str) -> int:
    """Return the width of a character; 0 for control and unassigned characters, which are not shown."""
    return wcwidth(sign) if sign.isprintable() else -1


def columns(text: str) -> int:
    """Return the width of a text in columns."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(max(0, _columns(sign)) for sign in text)


def width(pieces: Iterable[Piece]) -> int:
    """Return the width of pieces in columns."""
    return sum(columns(text) for _, text in pieces)


def clipped(text: str, width: int) -> str:
    """Cut a text to a width, with a sign that there is more."""
    if columns(text) <= width:
        return text
    kept, used = "", 0
    for sign in text:
        used += max(0, _columns(sign))
        if used > width - 1:
            break
        kept += sign
    return kept + "…" if width > 0 else ""


def plain_text(text: str) -> str:
    """Return a text in ASCII: twins for signs, and foreign letters spelled out."""
    twins = (TWINS.get(sign) or sign.encode("ascii", "backslashreplace").decode() for sign in text)
    return text if text.isascii() else "".join(twins)


def wrapped(text: str, width: int, most: int = 100, *, hangs: int = 0) -> list[str]:
    """Wrap a text to a width, in at most `most` lines; the last one is cut if need be. All but the first are set in."""
    lines: list[str] = []
    for word in text.split():
        if lines and columns(lines[-1]) + 1 + columns(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(" " * hangs * bool(lines) + word)
    if len(lines) > most:
        lines = [*lines[: most - 1], clipped(" ".join(lines[most - 1 :]), width)] if most > 0 else []
    return [clipped(line, width) for line in lines]


def newest(texts: Sequence[str], width: int, room: int, shorter: tuple[str, str] = ("", "")) -> list[str]:
    """Wrap the newest of these texts that fit into that many rows, each from its beginning on; the very newest is cut.
    `shorter` is a text, and what stands in its place where it does not fit.
    """
    rows: list[str] = []
    for text in reversed(texts):
        lines = wrapped(text, width)
        if len(rows) + len(lines) > room and text == shorter[0]:
            lines = wrapped(shorter[1], width)
        if len(rows) + len(lines) > room:
            return rows or wrapped(text, width, room)
        rows = [*lines, *rows]
    return rows


@value
class SeatLabel:
    """A seat as it is shown beside its figures. Once the game is over it has a `place`; 0 before."""

    name: str
    to_move: bool
    left: bool
    clock: str = ""
    place: int = 0
    kind: str = ""
    role: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """Its name with its role, and with as much of its kind: `, level 2 of Ann`, `, level 2` and nothing."""
        role, left = f"{self.role}: " if self.role else "", " (left)" if self.left else ""
        kinds = (f", {self.kind}", f", {self.kind.partition(' of ')[0]}", "") if self.kind else ("", "", "")
        return tuple(f"{role}{self.name}{kind}{left}" for kind in kinds)


def seat_texts(seats: Sequence[SeatLabel], room: int) -> tuple[str, ...]:
    """Return the text of each seat: the longest that all seats have room for, or the shortest."""
    forms = [*zip(*(seat.texts for seat in seats), strict=True)]
    return next((texts for texts in forms if max(map(columns, texts)) <= room), forms[-1])


def seat_style(seat: int | None, kind: str = "seat") -> str:
    """Return the style of a seat's things: their letters, or the `kind` badge, tint or glow."""
    return f"{kind}-{SEATS[seat % 8]}" if seat is not None else ""


def window(at: int, count: int, room: int) -> range:
    """Return the places of a list that have room, with the one under the cursor in the middle as far as possible."""
    first = max(0, min(at - room // 2, count - room))
    return range(first, min(count, first + room))
