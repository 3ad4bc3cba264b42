"""Tables of a report as HTML. The text of a cell is escaped, unless it is marked as `Html`."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final, Self

from quadrille.client.foreign import shown
from quadrille.client.value import value


class Html(str):
    """HTML that this program has made."""

    __slots__ = ()

    @classmethod
    def joined(cls, parts: Iterable["Html"], between: str = " ") -> Self:
        return cls(between.join(parts))


@value
class Shaded:
    """A cell whose colour shows a share from 0 to 1."""

    share: float
    text: str


#: Maximum columns that fit a phone.
BROAD: Final = 2
Row = Sequence[str | Shaded]


def safe(text: str) -> Html:
    """Escape foreign text for a page."""
    return text if isinstance(text, Html) else Html(escape(shown(str(text))))


def table(head: Row, rows: Iterable[Row], *, left: Sequence[int] = (), fits: bool = False) -> Html:
    """Return a table; the columns of `left` hold words and are aligned left. It `fits` a phone however many it has."""

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
    kinds = "scroll broad" if len(head) > BROAD and not fits else "scroll"
    return Html(
        f'<div class="{kinds}" tabindex="0"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def tall(made: Html) -> Html:
    return Html(f'<div class="tall" tabindex="0">{made}</div>')
