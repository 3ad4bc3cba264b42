"""Words that are typed at a local table, as wishes: read once, for every face. A RulesError says what was expected.

What a face asks before (a name for a file, a yes), and words about its own looks, are the face's.
"""

from typing import Final

from quadrille.client.seating import named_bots, one_bot
from quadrille.client.table.wishes import Against, Hint, Leave, Propose, Rematch, Resign, StandIn, Takeback, Wish
from quadrille.rules.errors import RulesError

#: The word for no bot at all in the other seats.
PEOPLE: Final = "people"
#: Words with the same meaning, where a game may have a move of that name.
SAME_WORDS: Final = {"undo": "takeback", "agree": "draw"}
#: All words that are wishes, in the order in which a slip of the keys is compared with them.
WORDS: Final = (
    "hint", "takeback", "undo", "resign", "draw", "agree", "rematch", "pause", "against", "wait", "stand-in", "quit",
)  # fmt: skip


def wish_of(word: str, rest: str, hints: str) -> Wish:
    """What one of `WORDS` wishes, with `rest` behind it; `hints` is the bot that gives them."""
    match SAME_WORDS.get(word, word):
        case "hint":
            return Hint(hints)
        case "takeback":
            return takeback(rest)
        case "resign":
            return Resign()
        case "rematch":
            return Rematch()
        case "against":
            return _against(rest)
        case "stand-in":
            return StandIn(one_bot(rest))
        case "quit":
            return Leave()
        case what:
            return Propose(what)


def takeback(text: str) -> Takeback:
    """So many moves back; one, if the number is left away."""
    if text and not (text.isascii() and text.isdigit() and int(text[:9]) > 0 and len(text) < 10):
        raise RulesError(f"takeback takes the number of moves to take back, not {text!r}")
    return Takeback(int(text or 1))


def _against(text: str) -> Against:
    if not text:
        raise RulesError("who? Write against and a bot, such as against 2 or against mcts:3, or against people")
    return Against(() if text == PEOPLE else named_bots(text))
