"""Tables of a report as HTML. A cell is text, and is escaped; only what is marked as `Html` stands there as it is."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Self

from quadrille.client.foreign import shown


class Html(str):
    """Text that is HTML already, and made by this program."""

    __slots__ = ()

    @classmethod
    def joined(cls, parts: Iterable["Html"], between: str = " ") -> Self:
        """Several of them, one after another."""
        return cls(between.join(parts))


@dataclass(frozen=True, slots=True)
class Shaded:
    """A cell with a colour for a share from 0 to 1."""

    share: float
    text: str


Row = Sequence[str | Shaded]


def safe(text: str) -> Html:
    """Foreign words, fit to stand in a page."""
    return text if isinstance(text, Html) else Html(escape(shown(str(text))))


def table(head: Row, rows: Iterable[Row], *, left: Sequence[int] = ()) -> Html:
    """A table; the columns of `left` hold words."""

    def kind(column: int) -> str:
        return ' class="name"' if column in left else ""

    def cells(row: Row) -> Iterator[str]:
        for column, cell in enumerate(row):
            if isinstance(cell, Shaded):
                yield f'<td class="s{min(8, int(9 * cell.share))}">{safe(cell.text)}</td>'
            else:
                yield f"<td{kind(column)}>{safe(cell)}</td>"

    top = "".join(
        f"<th{kind(column)}>{safe(name if isinstance(name, str) else name.text)}</th>"
        for column, name in enumerate(head)
    )
    body = "".join(f"<tr>{''.join(cells(row))}</tr>" for row in rows)
    return Html(f'<div class="scroll"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>')


def tall(made: Html) -> Html:
    """A table that scrolls by itself."""
    return Html(f'<div class="tall">{made}</div>')
