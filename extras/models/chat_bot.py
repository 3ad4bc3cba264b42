"""A bot that asks a chat service for its moves, and is strict: what the service gets wrong, the bot gets wrong.

It tells the rules, the moves so far and the position, and no legal moves, unless that is asked for. A refused move is
asked for again, with the reason; after the last try it is played, so that the table forfeits the seat as any other.
A service that gives no answer ends the program. Specification: extras/models/docs/chat.md.
"""

import random
import re
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from quadrille.ai.bot import Bot, Clock
from quadrille.ai.bots.lines.asking import Turn
from quadrille.client.words.rules import options_text, rules_text
from quadrille.extras.models.chat_service import ChatAnswer, ChatService, ServiceError
from quadrille.extras.models.skin import Skin
from quadrille.rules.core import State
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Entry, Played

#: Maximum moves that are listed where they are asked for, characters of a move or a thought, and of the bot's name.
_MOST_MOVES: Final = 200
_LONGEST: Final = 200
_LONGEST_NAME: Final = 60
#: Half the seconds before a failed request is repeated; then twice as many each time.
_PAUSE: Final = 0.25
_MOVE: Final = re.compile(r"[\W_]*move\W*?:\s*(.+)", re.IGNORECASE)
_TASK: Final = (
    "You play one seat of this game, to win. Think as you like, and end your answer with a line of its own that has "
    "your move, written as the rules say:\nMOVE: your move"
)


@dataclass(frozen=True, slots=True)
class Manner:
    """What the bot tells and allows: tries after the first one, characters of history, seconds for an answer, whether
    legal moves are listed, the seed of a skin ("": none), and whether the prompt has the theory of the game.
    """

    retries: int
    history: int
    seconds: int
    moves: bool
    skin: str
    theory: bool = False


class ChatBot(Bot):
    """The bot of a service."""

    def __init__(self, service: ChatService, manner: Manner) -> None:
        self._service = service
        self._manner = manner
        self._told: list[str] = []
        self._note = ""
        self._skin: Skin | None = None
        self.name = "".join(filter(str.isprintable, service.model)).strip()[:_LONGEST_NAME] or "chat"  # type: ignore[misc]

    def starts(self, view: State[Any, Any], seat: int) -> None:
        self._told = []
        self._skin = Skin(view.game, self._manner.skin) if self._manner.skin else None

    def moved(self, entry: Entry, view: State[Any, Any]) -> None:
        seat = getattr(entry, "seat", None)
        who = "all" if seat is None else f"player {seat + 1}"
        faces = " ".join(map(str, getattr(entry, "faces", ())))
        what = f"{entry.move}" if isinstance(entry, Played) else "left the game"
        self._told.append(f"{who}: {what}" + (f" = {faces}" if faces else ""))

    def undone(self, count: int, view: State[Any, Any]) -> None:
        del self._told[-count:]

    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> str:
        """Ask the service for a legal move. Return the last of its illegal ones if it gives no other."""
        began, end = time.monotonic(), self._end(clock)
        messages = self._prompt(view, clock.seat)
        tokens, failure, answer = (0, 0), "", None
        for tried in range(1, self._manner.retries + 2):
            try:
                reply = self._service.ask(messages, max(0.1, min(self._manner.seconds, end - time.monotonic())))
            except ServiceError as error:
                failure = str(error)
                print(f"try {tried}: the service failed: {failure}", file=sys.stderr)
                pause = _PAUSE * 2 ** min(tried, 9) if tried <= self._manner.retries else 0
                time.sleep(max(0.0, min(pause, end - time.monotonic())))
                continue
            failure = ""
            tokens = tokens[0] + reply.tokens[0], tokens[1] + reply.tokens[1]
            move_said = move_in(reply.text)
            answer = self._skin.read(move_said) if self._skin else move_said
            objection = self._under_skin(refusal(view, answer)).replace(self._under_skin(answer), move_said)
            print(f"try {tried}: {reply.text.strip()[-_LONGEST:]}", file=sys.stderr)
            self._note = note(reply, tokens, time.monotonic() - began, tried)
            if not objection:
                return answer
            again = f"That is no legal move: {objection}. Answer again, with a line MOVE: and another move."
            messages += _messages(assistant=reply.text, user=again)
        if failure or answer is None:
            sys.exit(f"the chat service gave no answer: {failure}")
        return answer

    def thought(self, view: State[Any, Any]) -> Mapping[str, Any]:
        return {"note": self._note}

    def _end(self, clock: Clock) -> float:
        """Return the time at which the bot's own time is up; without a clock, that of all tries."""
        left = (clock.left or ())[clock.seat : clock.seat + 1]
        return time.monotonic() + (left[0] / 1000 if left else self._manner.seconds * (self._manner.retries + 1))

    def _prompt(self, view: State[Any, Any], seat: int) -> list[dict[str, str]]:
        game = view.game
        rules, options = rules_text(game, theory=self._manner.theory), options_text(game, view.options)
        parts = [f"You are player {seat + 1} of {view.seats}" + (f", {game.roles[seat]}" if game.roles else "") + "."]
        if options:
            parts.append(f"Options of this game: {options}.")
        if history := self._history():
            parts.append(f"The moves so far:\n{history}")
        parts.append(f"The position, and it is your turn:\n\n{drawing(view.scene())}")
        if self._manner.moves:
            listed = "\n".join(map(str, islice(view.moves, _MOST_MOVES)))
            parts.append(f"Legal moves, {_MOST_MOVES} at most:\n{listed}")
        system, user = map(self._under_skin, (f"{rules}\n\n{_TASK}", "\n\n".join(parts)))
        return _messages(system=system, user=user)

    def _under_skin(self, text: str) -> str:
        return self._skin.told(text) if self._skin else text

    def _history(self) -> str:
        room, lines = self._manner.history, list[str]()
        for line in reversed(self._told):
            room -= len(line) + 1
            if room < 0:
                break
            lines.append(line)
        return "\n".join(reversed(lines))


def _messages(**texts: str) -> list[dict[str, str]]:
    return [{"role": role, "content": text} for role, text in texts.items()]


def move_in(text: str) -> str:
    """Find the move in an answer: in the last line that says MOVE:, else in the last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    words = next((move[1] for line in reversed(lines) if (move := _MOVE.fullmatch(line))), lines[-1] if lines else "")
    return words.strip(" `*_.\"'").lower()[:_LONGEST]


def refusal(view: State[Any, Any], text: str) -> str:
    """Say why the text is no legal move, in the words of the tables; "" for a legal one."""
    try:
        Turn(0, view).read(text)
    except RulesError as error:
        return str(error)
    return ""


def note(reply: ChatAnswer, tokens: tuple[int, int], seconds: float, tries: int) -> str:
    """Write for the journal what a move cost: tokens, seconds, tries; and the beginning of the reasoning."""
    thinking = reply.reasoning or reply.text
    text = f"{tokens[0]}+{tokens[1]} tokens, {seconds:.1f} s, try {tries}: {' '.join(thinking.split())}"
    return "".join(filter(str.isprintable, text))[:_LONGEST]
