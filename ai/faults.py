"""What a bot can do wrong, by kind. Specification: protocols.md, "Bots"."""

from typing import Final

#: The kinds of faults, which are ways out of a game as well (rules/match.py, `WAYS_OUT`).
KINDS: Final = ("crash", "time", "stall", "illegal", "protocol")


class BotFault(Exception):
    """A bot lost its seat. `why` is a sentence about it that begins with a verb: "moved ..., which is not legal".

    `by_signal`: a signal that nobody here sent ended or stopped its program. Nobody can know its sender.
    """

    def __init__(self, kind: str, why: str, *, by_signal: bool = False) -> None:
        assert kind in KINDS
        super().__init__(why)
        self.kind = kind
        self.why = why
        self.by_signal = by_signal


class NotIsolated(BotFault):
    """A program can't be put into a box here, and one is required. The program can't help it."""

    def __init__(self, why: str) -> None:
        super().__init__("crash", f"can't be isolated, which is required: {why}")
