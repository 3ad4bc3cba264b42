"""Why a bot would make a move: one value, for the person who asked for a hint (docs/protocols/bots.md, "Reasons").

rules/search/reasons.py and packages (rules/search/views.py) find reasons, an answer to a turn carries one as JSON, and
client/words/reasons.py makes the sentence. Nothing here is part of a position or a record.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

#: Maximum squares of a window, turns until a game is won, hundredths of a unit, and characters of a text.
MOST_SQUARES: Final = 100
MOST_TURNS: Final = 1000
MOST_WORTH: Final = 1_000_000_000
LONGEST_TEXT: Final = 40
RESULTS: Final = (-1, 0, 1)
#: The field of an answer.
REASON: Final = "reason"


@dataclass(frozen=True, slots=True)
class ProvedResult:
    """The result of the move at best play: 1 is won, 0 tied, -1 lost. `others` is the best result of all other moves.

    `turns`: the game is won after at most so many turns of all seats, with this move. None: not known.
    """

    result: int
    others: int | None = None
    turns: int | None = None

    def data(self) -> dict[str, Any]:
        """The form in an answer."""
        known = {"others": self.others, "turns": self.turns}
        return {"proved": self.result, **{name: value for name, value in known.items() if value is not None}}


@dataclass(frozen=True, slots=True)
class HalfTurnAnswer:
    """The move turns the opponent's last one by 180 degrees; such answers lead to this result at least."""

    result: int

    def data(self) -> dict[str, Any]:
        """The form in an answer."""
        return {"half_turn": self.result}


@dataclass(frozen=True, slots=True)
class OnlyReply:
    """After the move the opponent surely loses by every reply but this one. Nothing is proved of this one."""

    reply: str

    def data(self) -> dict[str, Any]:
        """The form in an answer."""
        return {"only": self.reply}


@dataclass(frozen=True, slots=True)
class Worth:
    """The largest part of the difference between the move and another one, `than`, by an additive evaluation.

    It is the change of what `seat` can expect, in hundredths of a `unit` of the game: by what these squares show, or
    by what the seat has earned if there are none.
    """

    hundredths: int
    unit: str
    seat: int
    than: str
    squares: tuple[str, ...] = ()

    def data(self) -> dict[str, Any]:
        """The form in an answer."""
        told = {"worth": self.hundredths, "unit": self.unit, "seat": self.seat, "than": self.than}
        return told | ({"squares": list(self.squares)} if self.squares else {})


Reason: TypeAlias = ProvedResult | HalfTurnAnswer | OnlyReply | Worth


def read_reason(said: object, seats: int) -> Reason | None:
    """The reason in an answer, at a table of so many seats; None if there is none that can be used."""
    if not isinstance(said, Mapping):
        return None
    match dict(said):
        case {"proved": result}:
            others, turns = said.get("others"), said.get("turns")
            is_read = _is_result(result) and (others is None or _is_result(others))
            is_read = is_read and (turns is None or _is_whole(turns, 1, MOST_TURNS))
            return ProvedResult(result, others, turns) if is_read else None
        case {"half_turn": result}:
            return HalfTurnAnswer(result) if _is_result(result) else None
        case {"only": reply}:
            return OnlyReply(reply) if _is_text(reply) else None
        case {"worth": hundredths, "unit": unit, "seat": seat, "than": than}:
            squares = said.get("squares", [])
            is_read = _is_whole(hundredths, -MOST_WORTH, MOST_WORTH) and _is_whole(seat, 0, seats - 1)
            is_read = is_read and _is_text(unit) and _is_text(than)
            is_read = is_read and isinstance(squares, list) and len(squares) <= MOST_SQUARES
            if is_read and all(map(_is_text, squares)):
                return Worth(hundredths, unit, seat, than, tuple(squares))
    return None


def _is_result(value: object) -> bool:
    return type(value) is int and value in RESULTS  # true is not a number


def _is_whole(value: object, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_TEXT and value.isprintable()
