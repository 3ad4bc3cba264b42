"""The themes: three with colours and one without, all from the 256-colour table.

A style is a word ("legal", "seat-a") that drawings use; a theme gives it ink and paper. Colour alone has no meaning:
letters, signs and shapes carry it, and bold, underlined and reversed text in `mono`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_LEVELS: Final = (0, 95, 135, 175, 215, 255)


def colour(number: int) -> str:
    """Return a colour of the 256-colour table (16 to 255), which prompt-toolkit maps back to the same number."""
    if number >= 232:
        grey = 8 + 10 * (number - 232)
        return f"#{grey:02x}{grey:02x}{grey:02x}"
    red, green, blue = (_LEVELS[(number - 16) // part % 6] for part in (36, 6, 1))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _theme(
    paper: int, ink: int, faint: int, seats: tuple[int, ...], inks: Mapping[str, int], bar: int
) -> dict[str, str]:
    """Make a theme from its colours; `inks` are the colours of single styles."""
    styles = {f"seat-{'abcdefgh'[at]}": f"{colour(number)} bold" for at, number in enumerate(seats)}
    styles |= {word: colour(number) for word, number in inks.items()}
    styles |= {
        "screen": f"bg:{colour(paper)} {colour(ink)}",
        "line": colour(faint),
        "faint": colour(faint),
        "bar": f"bg:{colour(bar)} {colour(ink)}",
        "key": "bold",
        "title": "bold",
        "strong": "bold",
        "fresh": "bold underline",
        "cursor": "reverse bold",
        "preview": f"{colour(inks['legal'])} italic",
        "picked": f"{colour(inks['legal'])} bold",
        "turn": f"bg:{colour(inks['legal'])} {colour(paper)} bold",
        "alarm": f"{colour(inks['wrong'])} bold",
        "chosen": "reverse",
    }
    return styles


_MONO: Final = {
    **{f"seat-{letter}": "bold" for letter in "abcdefgh"},
    "bar": "reverse", "key": "bold", "title": "bold", "strong": "bold", "fresh": "bold underline",
    "cursor": "reverse bold", "preview": "underline", "picked": "bold", "turn": "reverse bold", "alarm": "bold",
    "chosen": "reverse", "legal": "bold",
}  # fmt: skip

_NIGHT_SEATS: Final = (75, 215, 114, 212, 227, 147, 209, 123)
_PAPER_SEATS: Final = (25, 130, 22, 90, 94, 19, 124, 23)

THEMES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "night": _theme(
            234, 252, 246, _NIGHT_SEATS,
            {"legal": 114, "wrong": 210, "coin-p": 173, "coin-n": 252, "coin-d": 117, "coin-q": 227, "dollar": 227,
             "cross": 210, "card": 231, "red": 210, "back": 67}, 238,
        ),
        "paper": _theme(
            230, 235, 241, _PAPER_SEATS,
            {"legal": 28, "wrong": 124, "coin-p": 130, "coin-n": 238, "coin-d": 25, "coin-q": 94, "dollar": 94,
             "cross": 124, "card": 16, "red": 124, "back": 67}, 187,
        ),
        "contrast": _theme(
            16, 231, 250, (51, 214, 46, 219, 226, 159, 208, 195),
            {"legal": 46, "wrong": 203, "coin-p": 214, "coin-n": 231, "coin-d": 51, "coin-q": 226, "dollar": 226,
             "cross": 203, "card": 231, "red": 203, "back": 250}, 18,
        ),
        "mono": _MONO,
    }
)  # fmt: skip


def seat_style(seat: int | None) -> str:
    """Return the style of a seat's things."""
    return f"seat-{'abcdefgh'[seat % 8]}" if seat is not None else ""
