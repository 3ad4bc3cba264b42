"""Errors of input to the rules, by cause.

Every error is a sentence for a person: what was wrong, what was expected, what to do. `code` is the short name for
programs (docs/protocols/engine.md). Nothing here knows the sender; `net` assigns blame.
"""


class RulesError(ValueError):
    """The rules refused some input; nothing has changed."""

    code = "bad-request"


class UnknownGame(RulesError):
    """There is no game of that name."""

    code = "unknown-game"


class BadOptions(RulesError):
    """An option is unknown, of the wrong type, out of range, or at odds with another."""

    code = "bad-options"


class BadSeats(RulesError):
    """The game is not played by that many, or there is no such seat."""

    code = "bad-seats"


class BadNotation(RulesError):
    """The text is not a move of this game."""

    code = "bad-notation"


class Ambiguous(RulesError):
    """The text could mean more than one move."""

    code = "ambiguous"


class IllegalMove(RulesError):
    """The move belongs to this game, but is not legal now."""

    code = "illegal"


class GameOver(RulesError):
    """The game has ended: nobody can move, leave or agree on anything."""

    code = "over"


class BadRecord(RulesError):
    """A text is not a record, is damaged, or does not follow the rules; `line` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
