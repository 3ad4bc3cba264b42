"""The evening that goes on, in the host's store: its games that ended, and its bets."""

import json
import time
from collections.abc import Callable
from typing import Any, Final

from quadrille.client.evening.scores import Bet, EndedGame, Scoreboard
from quadrille.net.core.errors import LocalError
from quadrille.net.trust.store import Store

#: Seconds without a game or a bet after which the next one begins another evening.
LULL: Final = 8 * 3600


class KeptEvening:
    """The evening that goes on, or one that begins with its first game or bet. `said` is for a person, once."""

    def __init__(self, store: Store, now: Callable[[], float] = time.time) -> None:
        self.board, self.said = Scoreboard(), list[str]()
        self._store, self._now, self._last = store, now, 0.0
        for (kept,) in store.rows("SELECT value FROM facts WHERE name = 'evening'"):
            data = json.loads(kept)
            self._last = data["last"]
            if self._goes_on():
                games: Any = ([tuple(part) if type(part) is list else part for part in row] for row in data["games"])
                bets = tuple(Bet(*row) for row in data["bets"])
                self.board = Scoreboard(tuple(EndedGame(*row) for row in games), bets)

    def _goes_on(self) -> bool:
        return self._now() - self._last < LULL

    def add(self, line: EndedGame | Bet) -> None:
        """Count a game or a bet, and store it. It counts also if it can't be stored, which is said."""
        before = self.board if self._goes_on() else Scoreboard()
        self.board, self._last = before.after(line), self._now()
        if self.board is not before:
            data = {"last": self._last, "games": self.board.games, "bets": self.board.bets}
            written = json.dumps(
                data, default=lambda part: [getattr(part, name) for name in part.__match_args__]
            ).encode()
            try:
                self._store.change("INSERT OR REPLACE INTO facts VALUES ('evening', ?)", written)
            except LocalError as error:
                self.said.append(f"The table of the evening can't be kept: {error}.")
