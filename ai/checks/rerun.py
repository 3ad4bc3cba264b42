"""Reruns a bot on a recorded game: it gets the same lines in the same order, and its answers are compared.

The game goes on as recorded, whatever the bot answers now. Its questions are answered from its view, as at the table.
Specification: docs/protocols/records.md, "Kept games and bundles".
"""

import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

from quadrille.ai.bots.lines.answers import answer, greeting
from quadrille.ai.bots.lines.asking import Turn
from quadrille.ai.bots.process.program import Program
from quadrille.ai.checks.bundle import Bundle, BundledLine, ToldGame
from quadrille.ai.faults import BotFault
from quadrille.ai.json_lines import encode
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted
from quadrille.value import value

#: The answers, by the line that they answer.
_ANSWERS: Final = {"hello": "hello", "start": "ready", "turn": "turn", "offer": "offer"}


@value
class Reply:
    """The bot's recorded answer and its present one, None for none; and the time of the present one in milliseconds."""

    to: str
    then: str | None
    now: str | None
    took: int

    @property
    def same(self) -> bool:
        return self.then == self.now


class Rerun:
    """A program, and the recorded game that it plays again."""

    def __init__(self, bundle: Bundle, program: Program, patience: int) -> None:
        """`patience` is the maximum time of any answer in milliseconds, if the recorded limit was longer."""
        self.bundle = bundle
        self.course = ToldGame()
        self.fault: BotFault | None = None
        self._program = program
        self._patience = patience
        self._told = 0.0

    def replies(self) -> Iterator[Reply]:
        """Yield the replies in order, until the game ends or the bot fails, which is its `fault` then."""
        owed: list[Mapping[str, Any]] = []
        for line in self.bundle.lines:
            if line.told is None:
                answered = _read(line)
                if owed and answered is not None and (asked := _answered(answered, owed)) is not None:
                    owed.remove(asked)
                    yield self._reply(asked, _shown(answered))
            else:
                self._tell(line.told)
                if line.told["do"] in _ANSWERS:
                    owed = [asked for asked in owed if asked["do"] != line.told["do"]] + [line.told]
                if line.told["do"] == "over":
                    owed.clear()
            if self.fault is not None:
                return
        if self.bundle.fault is not None and owed:  # the recorded program owed an answer
            yield self._reply(owed[-1], None)

    def _tell(self, message: Mapping[str, Any]) -> None:
        self.course.tell(message)
        if message["do"] == "answer":
            return
        self._told = time.monotonic()
        try:
            self._program.send(encode(message))
        except BotFault as fault:
            self.fault = fault

    def _reply(self, asked: Mapping[str, Any], then: str | None) -> Reply:
        """Wait for the bot's present answer to that line."""
        allowed = asked.get("patience")
        allowed = min(self._patience, allowed) if isinstance(allowed, int) else self._patience
        view, answered = self.course.view, None
        turn = Turn(asked["turn"], view) if asked["do"] == "turn" and view is not None else None
        try:
            answered = self._hear(asked, turn, self._told + allowed / 1000)
            _check(answered, asked, turn)
        except BotFault as fault:
            self.fault = fault
        took = round(1000 * (time.monotonic() - self._told))
        return Reply(_what(asked), then, None if answered is None else _shown(answered), took)

    def _hear(self, asked: Mapping[str, Any], turn: Turn | None, end: float) -> Mapping[str, Any]:
        while (line := self._program.line(max(0.0, end - time.monotonic()))) is not None:
            message = answer(line)
            if "ask" in message:
                self._answer(message, turn)
            elif _ANSWERS[asked["do"]] in message:
                number = message.get("turn")
                if turn is None or not isinstance(number, int) or number >= turn.number:  # else that turn is closed
                    return message
        raise BotFault("stall", f"did not answer within {round(1000 * (time.monotonic() - self._told))} ms")

    def _answer(self, asked: Mapping[str, Any], turn: Turn | None) -> None:
        kind = str(asked["ask"])[:40]
        try:
            if turn is None:
                raise RulesError("it is not your turn: there is nothing to ask")
            answer = turn.answer(asked)
        except RulesError as error:
            answer = {"why": str(error)}
        self._program.send(encode({"do": "answer", "answer": kind, **answer}))


def _check(answered: Mapping[str, Any], asked: Mapping[str, Any], turn: Turn | None) -> None:
    """Check an answer: an invalid one, or an illegal move, is a fault as at a table."""
    if asked["do"] == "hello":
        greeting(answered)
    if turn is None:
        return
    if answered["turn"] != turn.number or not isinstance(answered.get("move"), str):
        raise BotFault("protocol", f"answered turn {turn.number} with {_shown(answered)}")
    try:
        turn.read(answered["move"])
    except RulesError as error:
        raise BotFault("illegal", f"moved {quoted(answered['move'])}, which is not legal: {error}") from None


def _read(line: BundledLine) -> Mapping[str, Any] | None:
    """Read the recorded answer in a line; None if it is none."""
    try:
        message = answer(line.said.encode("utf-8", "surrogateescape"))
    except BotFault:
        return None
    return None if "ask" in message else message


def _answered(message: Mapping[str, Any], owed: list[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Find the line that was answered."""
    for asked in owed:
        number = asked.get({"turn": "turn", "offer": "number"}.get(asked["do"], ""))
        if _ANSWERS[asked["do"]] in message and number in (None, message[_ANSWERS[asked["do"]]]):
            return asked
    return None


def _what(asked: Mapping[str, Any]) -> str:
    match asked:
        case {"do": "turn", "turn": number}:
            return f"turn {number}"
        case {"do": "offer", "offer": what}:
            return f"offer of {what}"
    return str(asked["do"])


def _shown(message: Mapping[str, Any]) -> str:
    """Return the answer in short."""
    match message:
        case {"hello": name}:
            return str(name)
        case {"move": move, "turn": _}:
            return str(move)
        case {"offer": _, "agree": agree}:
            return "yes" if agree is True else "no"
        case {"ready": True}:
            return "ready"
    return str(dict(message))[:200]
