"""A model's seat in a tournament: the tournament starts a bot, which passes its table's lines to this server.

`pass_on` is that bot, a program without a thought, whose box shows the server's outlet. `TournamentSeat` answers the
lines (docs/protocols/bots.md); the table itself says whether a move is legal, so a slip costs nothing but time.
"""

import asyncio
import json
import os
import socket
import sys
import threading
from collections import deque
from contextlib import suppress
from typing import Any, Final

from quadrille.rules.errors import RulesError

_PIECE: Final = 1 << 16
#: What a model reads of the end of a game.
_RESULT: Final = "places", "figures", "reason"


class EnteredGame:
    """A game of the tournament, by the lines of its bot."""

    def __init__(self, start: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        self._start = {name: start[name] for name in ("game", "options", "names")} | {"seat": start["seat"] + 1}
        self._writer = writer
        #: Those who asked the table, in the order in which it answers.
        self._asked: deque[asyncio.Future[dict[str, Any]]] = deque()
        self._news: list[dict[str, Any]] = [*start["news"]]
        self.turn: dict[str, Any] | None = None
        self.over: dict[str, Any] | None = None

    def hear(self, message: dict[str, Any]) -> None:
        self._news += message.get("news", ())
        match message["do"]:
            case "turn":
                self.turn = {name: message[name] for name in ("turn", "text", "view", "clock")}
            case "answer" if self._asked:
                self._answer(message)
            case "over":
                self.over = {name: message[name] for name in _RESULT}
                self.end()

    def end(self) -> None:
        """End the turn: the table answers nobody any more."""
        self.turn = None
        while self._asked:
            self._answer({})

    def _answer(self, message: dict[str, Any]) -> None:
        if not (asked := self._asked.popleft()).done():
            asked.set_result(message)

    def told(self) -> dict[str, Any]:
        """Return the game as the model reads it, with the news since the model last read it."""
        report, turn = self._start | {"news": self._news}, self.turn
        self._news = []
        if turn is not None:
            report |= {"your_turn": True, "position": turn["text"], "view": turn["view"], "clock": turn["clock"]}
        return report if self.over is None else report | {"over": self.over}

    async def move(self, text: str) -> None:
        """Make a move, if the table calls it legal."""
        turn, asked = self.turn, asyncio.get_running_loop().create_future()
        self._asked.append(asked)
        say(self._writer, {"ask": "legal", "move": text})
        answer = await asked
        if turn is None or self.turn is not turn:
            raise RulesError("the turn has ended meanwhile")
        if not answer.get("legal"):
            raise RulesError(str(answer.get("why")))
        self.turn = None
        say(self._writer, {"turn": turn["turn"], "move": text})


class TournamentSeat:
    """The games of a tournament in which the model sits, by number: those whose bots are here, or whose end is new."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._games: dict[int, EnteredGame] = {}
        self._begun = 0
        self._came = asyncio.Event()

    async def play(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the lines of one bot, which plays one game after another."""
        game: EnteredGame | None = None
        try:
            while line := await reader.readline():
                message: dict[str, Any] = json.loads(line)
                match message:
                    case {"do": "hello"}:
                        say(writer, {"hello": self._name, "protocol": 1})
                    case {"do": "offer", "number": number}:
                        say(writer, {"offer": number, "agree": False})
                    case {"do": "start"}:
                        self._begun += 1
                        game = self._games[self._begun] = EnteredGame(message, writer)
                        say(writer, {"ready": True})
                    case _ if game is not None:
                        game.hear(message)
                        self._came.set()
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            print(f"a bot of the tournament: {type(error).__name__}: {error}", file=sys.stderr)
        finally:
            if game is not None and game.over is None:
                self._games = {number: entered for number, entered in self._games.items() if entered is not game}
                game.end()

    async def turn(self, seconds: float) -> dict[str, Any]:
        """Wait for a turn of the model or the end of a game, and tell it; the oldest first."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not any(game.turn or game.over for game in self._games.values()):
                    self._came.clear()
                    await self._came.wait()
        report: dict[str, Any] = {"table": None, "your_turn": False, "over": None, "news": []}
        for number, game in self._games.items():
            if game.over or game.turn:
                report |= {"table": number} | game.told()
                break
        if report["over"]:
            del self._games[report["table"]]
        return report

    async def move(self, table: int, text: str) -> None:
        game = self._games.get(table)
        if game is None or game.turn is None:
            raise RulesError("it is not your turn at that table")
        await game.move(text)


def say(writer: asyncio.StreamWriter, what: dict[str, Any]) -> None:
    writer.write(json.dumps(what).encode() + b"\n")


def pass_on(path: str) -> int:
    """Pass lines between a table and the server at an outlet, until either ends."""
    with socket.socket(socket.AF_UNIX) as line:
        if line.connect_ex(path):
            print(f"no model plays there: start quadrille mcp --tournament {path}", file=sys.stderr)
            return 1

        def there() -> None:
            while piece := os.read(0, _PIECE):
                line.sendall(piece)
            line.shutdown(socket.SHUT_WR)

        threading.Thread(target=there, daemon=True).start()
        while piece := line.recv(_PIECE):
            os.write(1, piece)
    return 0
