"""The parts that screens have in common: first line, signs of seats, message and prompt, keys, a list."""

from collections.abc import Iterable, Sequence
from typing import Final

from quadrille.client.screen.draw.canvas import Canvas, box, clipped, columns, text_lines, wrapped

LEAST_ROWS: Final = 16
LEAST_COLUMNS: Final = 60
#: Maximum rows of a message.
_MOST_TOLD: Final = 4
#: The style of the names of the seats that have won.
WINNER: Final = "win"


def is_too_small(canvas: Canvas) -> bool:
    """Return whether the window is too small for a screen. Then the canvas says what is needed."""
    if canvas.height >= LEAST_ROWS and canvas.width >= LEAST_COLUMNS:
        return False
    say_size(canvas, "Quadrille", LEAST_ROWS, LEAST_COLUMNS)
    return True


def say_size(canvas: Canvas, title: str, rows: int, wide: int, also: str = "") -> None:
    """Say which size is needed; nothing else would be readable."""
    canvas.hides = True
    text = (
        f"{title} needs a window of {wide} x {rows} characters here. This one has {canvas.width} x {canvas.height}:"
        f" make it larger, or use a smaller font.{also} Ctrl-Q leaves."
    )
    text_lines(canvas, 0, 0, canvas.width, wrapped(text, max(1, canvas.width - 1), canvas.height))


def draw_bar(canvas: Canvas, left: str, right: str, *, strong: bool, style: str = "turn") -> int:
    """Draw the first line; return the column where its right end begins, in the style if it is strong."""
    start = canvas.width - columns(right) - 2
    canvas.put(0, 0, " " * canvas.width, "bar")
    canvas.put(0, 1, clipped(left, start - 2), "bar title")
    canvas.put(0, start, f" {right} ", style if strong else "bar title")
    return start


def draw_place(canvas: Canvas, row: int, column: int, place: int, *, to_move: bool) -> None:
    """Draw the sign before a seat: its place once the game is over, before that whether it is to move."""
    canvas.put(row, column, f"{place}." if place else "▸" if to_move else " ", "picked")


def beside(kind: str) -> tuple[str, str, str]:
    """Return the text after a bot's name, the longest first: `, level 2 of Ann`, `, level 2` and nothing."""
    return (f", {kind}", f", {kind.partition(' of ')[0]}", "") if kind else ("", "", "")


def draw_prompt(
    canvas: Canvas, row: int, sign: str, text: str, at: int, end: int, *, selected: bool = False
) -> tuple[int, int]:
    """Draw as much of the typed line as has room before the column `end`; return the place of the caret."""
    room, left = end - len(sign) - 2, 1 + len(sign)
    start = max(0, columns(text[:at]) - room + 1)
    canvas.put(row, 1, sign, "strong")
    canvas.put(row, left, text[start:], "chosen" if selected else "strong", most=room)
    return row, min(end - 1, left + columns(text[start:at]))


def draw_foot(
    canvas: Canvas,
    told: str,
    text: str,
    at: int,
    keys: Iterable[tuple[str, str, str]],
    *,
    alarm: bool,
    selected: bool = False,
) -> tuple[int, int]:
    """Draw the message, the prompt and the keys in their `foot_rows`; return the place of the caret."""
    lines, prompt = wrapped(told, canvas.width - 2, _MOST_TOLD), canvas.height - 2
    text_lines(canvas, prompt - len(lines), 1, canvas.width, lines, "alarm" if alarm else "")
    draw_key_line(canvas, keys)
    return draw_prompt(canvas, prompt, "> ", text, at, canvas.width, selected=selected)


def foot_rows(canvas: Canvas, told: str) -> int:
    """Return the rows of a foot with this message."""
    return 2 + max(1, len(wrapped(told, canvas.width - 2, _MOST_TOLD)))


def draw_key_line(canvas: Canvas, keys: Iterable[tuple[str, str, str]], spare: Sequence[str] = ()) -> None:
    """Draw the clickable keys at the very bottom: the key, its name, and its action.

    If there is not enough room, the `spare` keys are left out, one after another.
    """
    shown = list(keys)
    for left_out in spare:
        if sum(len(name) + len(word) + 2 for _, name, word in shown) < canvas.width:
            break
        shown = [one for one in shown if one[0] != left_out]
    row, column = canvas.height - 1, 1
    for key, name, word in shown:
        if column + len(name) + len(word) + 1 >= canvas.width:
            break
        canvas.spot("key", key, row, column, len(name) + 1 + len(word))
        column = canvas.put(row, column, name, "key")
        column = canvas.put(row, column + 1, word, "faint") + 1


def window(at: int, count: int, room: int) -> range:
    """Return the places of a list that have room, with the one under the cursor in the middle as far as possible."""
    first = max(0, min(at - room // 2, count - room))
    return range(first, min(count, first + room))


def draw_cursor(canvas: Canvas, row: int, column: int, width: int, name: str, *, chosen: bool) -> None:
    """Make a written row of a list one that can be clicked, and mark the chosen one."""
    if chosen:
        canvas.put(row, column, "▸")
        canvas.shade(row, column, width, "chosen")
    canvas.spot("row", name, row, column - 1, width + 1)


def draw_list(canvas: Canvas, title: str, rows: Sequence[str], at: int, width: int) -> None:
    """Draw a list in the middle with the row `at` chosen; each row is a "choice" by its number."""
    width, high = min(canvas.width, width), min(len(rows) + 2, canvas.height - 2)
    top, left = (canvas.height - 1 - high) // 2, (canvas.width - width) // 2
    box(canvas, top, left, width, high, "", title)
    for row, number in enumerate(window(at, len(rows), high - 2), top + 1):
        text = clipped(f"{'▸' if number == at else ' '} {rows[number]}", width - 2)
        canvas.put(row, left + 1, text.ljust(width - 2), "chosen" if number == at else "")
        canvas.spot("choice", f"{number}", row, left + 1, width - 2)
