"""What can be wrong with what the rules were told, by cause.

Every error here is a sentence for a person: what was wrong, what was expected, what to do. `code` is the
short name that programs see (protocols.md, "The engine"). Nothing here knows who sent what: blame is `net`'s.
"""


class RulesError(ValueError):
    """Something given to the rules was refused; nothing has changed."""

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
    """The text is no move of this game."""

    code = "bad-notation"


class Ambiguous(RulesError):
    """The text could mean more than one move."""

    code = "ambiguous"


class IllegalMove(RulesError):
    """The move is one of this game, but not now."""

    code = "illegal"


class GameOver(RulesError):
    """The game has ended: nobody can move, leave or agree on anything."""

    code = "over"


class BadRecord(RulesError):
    """A record is not one, is damaged, or does not follow the rules; `line` counts from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
