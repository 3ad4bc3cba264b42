"""A built-in bot that a thread of this process plays, in place of a program: it is our own code and needs no box.

So a bot at a table of the network costs no process beside its peer's. It answers the same lines as its program
(ai/kit.py) and learns no more, but is no part of tournaments, which measure and box every bot.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue

from quadrille.ai.bots.process.program import kit_command
from quadrille.ai.faults import BotFault, GameFault
from quadrille.ai.kit import Part
from quadrille.ai.opponents import opponent
from quadrille.plugs import game_fault


class HouseThread:
    """The part of a program that a `Talk` uses."""

    errors = ""

    def __init__(self, bot: str, wake: Callable[[], None]) -> None:
        """`wake` is called in the bot's thread when it has answered."""
        self.command = kit_command(bot)
        self.ended = False
        self._wake = wake
        self._told: SimpleQueue[bytes] = SimpleQueue()
        self._said: SimpleQueue[bytes | BotFault] = SimpleQueue()
        threading.Thread(target=self._play, args=(Part(opponent(bot)),), daemon=True).start()

    def _play(self, part: Part) -> None:
        fault = BotFault("crash", "ended with exit code 0")
        try:
            while not part.done:
                if (reply := part.answer(self._told.get())) is not None:
                    self._said.put(reply.removesuffix(b"\n"))
                    self._wake()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - it costs the bot its game, and not the peer
            sentence = game_fault(error)
            fault = GameFault(sentence) if sentence else BotFault("crash", f"ended by {type(error).__name__}: {error}")
        self._said.put(fault)
        self._wake()

    def send(self, line: bytes) -> None:
        self._told.put(line)

    def line(self, timeout: float | None = 0) -> bytes | None:
        """Return the next line; None after `timeout` seconds (None: wait for ever)."""
        with suppress(Empty):
            reply = self._said.get(timeout != 0, timeout)
            if not isinstance(reply, BotFault):
                return reply
            self._said.put(reply)  # for the next call
            self.ended = True
            raise reply
        return None

    def hurry(self) -> None:
        """Wake the reader again, because there is more than it read at once."""
        self._wake()

    def close(self, grace: float = 0) -> None:
        """End the bot after the move that it works on."""
        self._wake = lambda: None
        self._told.put(b'{"do": "quit"}\n')
