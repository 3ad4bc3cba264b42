"""What a bot can do wrong, by kind. Specification: protocols.md, "Bots"."""

from typing import Final

#: The kinds of faults, which are ways out of a game as well (rules/match.py, `WAYS_OUT`).
KINDS: Final = ("crash", "time", "stall", "illegal", "protocol")


class BotFault(Exception):
    """A bot lost its seat. `why` is a sentence about it that begins with a verb: "moved ..., which is not legal"."""

    def __init__(self, kind: str, why: str) -> None:
        assert kind in KINDS
        super().__init__(why)
        self.kind = kind
        self.why = why
