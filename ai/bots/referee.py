"""The organiser's referee: a program that sees the whole game and may end it with the places that it decides.

It speaks lines as bots do, and its part is small: anything else is a `RefereeFault`, for which no bot is to blame.
See local.py for how often it is asked. Specification: docs/protocols/tournaments.md, "Ends of games".
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from quadrille.ai.bot import PROTOCOL
from quadrille.ai.bots.lines.answers import Greeting, answer, greeting, places, quoted_line
from quadrille.ai.bots.lines.asking import position_data
from quadrille.ai.bots.lines.news import Teller
from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.talk import GRACE
from quadrille.ai.data import Data, over_data, rules_raised
from quadrille.ai.faults import BotFault
from quadrille.ai.json_lines import encode
from quadrille.rules.core import RULES_VERSION
from quadrille.rules.match import Match

#: Timeout of each answer, in seconds.
PATIENCE: Final = 10.0
LONGEST_WHY: Final = 200


class RefereeFault(Exception):
    """A fault of a referee: a sentence about it that begins with a verb."""


@contextmanager
def _blamed() -> Iterator[None]:
    """Turn a program's fault into the referee's."""
    try:
        yield
    except BotFault as fault:
        raise RefereeFault(fault.why) from None


@dataclass(frozen=True, slots=True)
class Ruling:
    """The game is over, with these places."""

    places: tuple[int, ...]
    why: str


class Referee:
    """A referee's program, over any number of games one after another."""

    def __init__(self, command: Sequence[str], folder: str, *, patience: float = PATIENCE) -> None:
        """Starts it in that folder."""
        with _blamed():
            self._program = Program(command, cwd=folder)
        #: Timeout of each answer, in seconds.
        self.patience = patience
        self._greeting: Greeting | None = None
        self._teller: Teller | None = None
        self._judged = 0
        self._say({"do": "hello", "protocol": PROTOCOL, "rules": RULES_VERSION})

    @property
    def ended(self) -> bool:
        """Whether it is known to have ended."""
        return self._program.ended

    def greet(self) -> Greeting:
        """Wait until it has greeted."""
        if self._greeting is None:
            with _blamed():
                self._greeting = greeting(self._hear("say who it is"))
        return self._greeting

    def start(self, match: Match, *, table: str = "", names: Sequence[str] = ()) -> None:
        """Begin a game, and wait until it is ready."""
        self.greet()
        self._teller = Teller(match, None)
        self._judged = 0
        self._say(
            {
                "do": "start",
                "table": table,
                "game": match.game.key,
                "options": match.state.options.plain(),
                "seats": match.state.seats,
                "seat": None,
                "names": list(names),
                "news": self._teller.news(match, match.state),
                **rules_raised(match.game),
            }
        )
        said = self._hear("say that it is ready for a game")
        if said.get("ready") is not True:
            raise RefereeFault(f"wrote {_quoted(said)}, and was asked to get ready")

    def judge(self, match: Match) -> Ruling | None:
        """Ask whether it ends the game now."""
        assert self._greeting is not None and self._teller is not None
        self._judged += 1
        told: Data = {"do": "judge", "judge": self._judged, "news": self._teller.news(match, match.state)}
        self._say(told | position_data(match.state, self._greeting.omit))
        said = self._hear("judge a game")
        if said.get("judge") != self._judged or isinstance(said["judge"], bool):
            raise RefereeFault(f"wrote {_quoted(said)}, and was asked for judge {self._judged}")
        return self._ruling(said, match)

    def over(self, match: Match) -> None:
        """The game is over; another may start."""
        assert self._teller is not None and match.over is not None
        self._say({"do": "over", **over_data(match.over), "news": self._teller.news(match, match.state)})

    def close(self) -> None:
        """Tell it to quit, and kill it if it does not."""
        with suppress(RefereeFault):
            self._say({"do": "quit"})
        self._program.close(GRACE)

    def _ruling(self, said: Mapping[str, Any], match: Match) -> Ruling | None:
        """The ruling of an answer: places that the rules allow, with a reason, or None."""
        board = match.state.board
        with _blamed():
            row = places(said, board.seats)
        if row is None:
            return None
        for seat, place in enumerate(row):
            if board.left[seat] and place != board.place(seat):
                raise RefereeFault(
                    f"gave player {seat + 1}, who has left, place {place}: by the rules that is {board.place(seat)}"
                )
        why = said.get("why")
        if not isinstance(why, str) or not why.strip() or len(why) > LONGEST_WHY or not why.isprintable():
            raise RefereeFault(f'ended a game without a reason: "why" takes a line of at most {LONGEST_WHY} characters')
        return Ruling(row, why)

    def _say(self, told: Data) -> None:
        with _blamed():
            self._program.send(encode(told))

    def _hear(self, what: str) -> dict[str, Any]:
        """Its answer to `what`, within the timeout."""
        end = time.monotonic() + self.patience
        line = None
        with _blamed():
            while line is None:
                if (left := end - time.monotonic()) <= 0:
                    raise RefereeFault(f"did not {what} within {self.patience:g} seconds")
                line = self._program.line(left)
            return answer(line)


def _quoted(said: Mapping[str, Any]) -> str:
    return quoted_line(encode(said).rstrip())
