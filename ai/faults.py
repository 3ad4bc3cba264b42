"""Faults of bots, by kind. Specification: docs/protocols/bots.md, "Faults"."""

from typing import Final

#: The kinds of faults, which are also ways to leave a game (rules/match.py, `WAYS_OUT`).
KINDS: Final = ("crash", "time", "stall", "illegal", "protocol", "forfeit")
#: Those of a bot that did not answer.
LATE: Final = ("time", "stall")


class BotFault(Exception):
    """A bot lost its seat. `why` is a sentence about it that begins with a verb: "moved ..., which is not legal".

    `by_signal`: a signal from an unknown sender ended or stopped its program. `starved`: whether that was the system,
    for lack of memory of the machine; None if that is unknown.
    """

    def __init__(self, kind: str, reason: str, *, by_signal: bool = False, starved: bool | None = None) -> None:
        assert kind in KINDS
        super().__init__(reason)
        self.kind = kind
        self.why = reason
        self.by_signal = by_signal
        self.starved = starved


class GameFault(BotFault):
    """The rules of somebody's game failed, as `told` says; the program is not to blame."""

    def __init__(self, sentence: str) -> None:
        super().__init__("crash", f"can't go on: {sentence}")
        self.told = sentence


class NotIsolated(BotFault):
    """A required box for a program is impossible on this machine. The program is not to blame."""

    def __init__(self, reason: str) -> None:
        super().__init__("crash", f"can't be isolated, which is required: {reason}")
