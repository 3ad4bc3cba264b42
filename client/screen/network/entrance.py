"""The way for guests on the host's screen: QR codes for phones, and addresses for people who can't scan. Pure."""

from typing import Final

from quadrille.client.screen.draw.canvas import Canvas, Picture, clipped, wrapped
from quadrille.client.screen.table import terminal
from quadrille.client.words.phones import GUESTS_RISK, seat_codes
from quadrille.value import value

#: Columns for text beside a code, and rows above and below it, in a room and on a page.
_BESIDE: Final = 40
_ABOVE_AND_BELOW: Final = 4
BESIDE_ON_PAGE: Final = 22
ON_PAGE: Final = 2


@value
class ScanCode:
    """A QR code as lines of half blocks: what it is for, in a word or two and in a sentence that ends with "scan". It
    leads to a `page`, or elsewhere.
    """

    title: str
    sentence: str
    lines: tuple[str, ...]
    page: str = ""

    @property
    def width(self) -> int:
        return len(self.lines[0])


@value
class ShownEntrance:
    """How guests come: the `page` and its `code` for a browser. `codes` is empty if no phone reaches this machine, and
    `trouble` says so. `seats` are the guests who sit, with the codes of their seats.
    """

    page: str
    code: str
    codes: tuple[ScanCode, ...] = ()
    trouble: str = ""
    seats: tuple[tuple[str, str], ...] = ()

    def at(self, number: int) -> ScanCode | None:
        """Return the code that is shown after that many turns."""
        return self.codes[number % len(self.codes)] if self.codes else None


def fitting(
    canvas: Canvas, code: ScanCode | None, beside: int = _BESIDE, rows: int = _ABOVE_AND_BELOW
) -> ScanCode | None:
    """Return a code if it fits at the right of a screen, with so much text beside it, and `rows` above and below it;
    None in plain text.
    """
    fits = code is not None and code.width + beside <= canvas.width and len(code.lines) + rows <= canvas.height
    return code if fits and not canvas.plain else None


def entrance_lines(entrance: ShownEntrance, number: int, code: ScanCode | None, width: int) -> list[str]:
    """Return the text beside a code, or in place of one that does not fit."""
    wanted = entrance.at(number)
    if code is None and wanted is not None and not wanted.page:
        size = f"{wanted.width + BESIDE_ON_PAGE} x {len(wanted.lines) + ON_PAGE}"
        return wrapped(f"{wanted.sentence}. The word phones shows the code in a window of {size} characters.", width)
    if code is not None and not code.page:
        return wrapped(code.sentence, width)
    ways = [entrance.trouble, f"On a phone: open {entrance.page}"]
    if code is not None:
        ways = [entrance.trouble, code.sentence, f"or open {code.page}"]
    return [part for line in (*ways, f"and type the code {entrance.code}") for part in wrapped(line, width)]


def draw_entrance(
    entrance: ShownEntrance, number: int, seats: tuple[str, ...], look: terminal.Look, size: tuple[int, int]
) -> Picture:
    """Draw a page of it, with the state of the seats; `size` is rows and columns."""
    rows, width = size
    canvas = Canvas(width, rows, plain=look.plain)
    code = fitting(canvas, entrance.at(number), BESIDE_ON_PAGE, ON_PAGE)
    canvas.draw_bar("Guests", "", strong=False)
    if code is not None:
        canvas.text_lines(1, width - code.width, code.width, code.lines, "qr")
    room = width - 2 - (code.width if code is not None else 0)
    row = canvas.text_lines(2, 1, room, entrance_lines(entrance, number, code, room)) + 1
    codes = [part for line in seat_codes(entrance.seats) for part in wrapped(line, room)]
    canvas.put(row, 1, "Seats", "title")
    row = canvas.text_lines(row + 1, 1, room, [f"  {clipped(seat, room - 2)}" for seat in seats]) + 1
    row = canvas.text_lines(row, 1, room, codes) + bool(codes)
    risk = wrapped(GUESTS_RISK, room if code is not None and row < len(code.lines) + 1 else width - 2)
    canvas.text_lines(row, 1, width - 2, risk[: max(0, rows - row - 1)], "faint")
    after = next_code(entrance, number)
    canvas.draw_page_keys(1, (("tab", "Tab", after),) if after else ())
    return canvas.picture()


def next_code(entrance: ShownEntrance | None, number: int) -> str:
    """Return the purpose of the next code; "" if there is no other."""
    after = entrance.at(number + 1) if entrance is not None and entrance.codes[1:] else None
    return after.title if after is not None else ""


def turned_entrance(number: int, event: terminal.Key | terminal.Wheel) -> int | None:
    """Return the number of the code that is shown after a key; None when the page is closed."""
    closes = isinstance(event, terminal.Key) and event.name in ("enter", *terminal.CLOSES)
    return None if closes else number + (event == terminal.Key("tab"))
