"""The reason of a built-in bot for its move, for hints (docs/protocols/bots.md, "Reasons").

A proof comes first. Else the move is compared with the one that the bot's own search liked next. The counting of
positions is in quadrille.rules.search.reasons; a package may bring the worth of moves (rules/search/views.py).
"""

from typing import Any

from quadrille.ai.opponents.kinds import Opponent
from quadrille.rules.core import Move, State
from quadrille.rules.core.thoughts import HalfTurnAnswer, ProvedResult, Reason
from quadrille.rules.native.compiled import engine
from quadrille.rules.search import Position
from quadrille.rules.search.reasons import only_reply, proved_result
from quadrille.rules.search.results import Found
from quadrille.rules.search.views import view as view_of


def reason_of(bot: Opponent, view: State[Any, Any], move: Move) -> Reason | None:
    """Return the reason of a bot's last move: what it proved, or the window that makes it better than the next."""
    if bot.half_turned is not None:
        return HalfTurnAnswer(bot.half_turned)
    position = Position(view)
    number, *more = position.steps(move)
    result = bot.searched.found if bot.searched is not None and not more else None
    if bot.proved is not None and more:
        return ProvedResult(bot.proved)
    if bot.proved is not None:
        return proved_result(position, number, bot.proved, _known(result), bot.proof)
    if bot.searched is None or result is None:
        return None
    if not view.game.hidden and (reply := only_reply(bot.searched, position, number)) is not None:
        return reply
    other = _next_best(result, number)
    if other is None or not (bot.weighs or engine() == "compiled"):
        return None
    worth = view_of("worth", view.game.key)
    return worth(view, move, position.move([other])) if worth is not None else None


def _known(found: Found | None) -> dict[int, int]:
    """Return the moves whose results the tree knows."""
    pairs = zip(found.moves, found.proved, strict=True) if found is not None else ()
    return {move: result for move, result in pairs if result is not None}


def _next_best(result: Found, number: int) -> int | None:
    """Return the most tried of the other moves; None if there is none."""
    tried = zip(result.visits, result.values, result.moves, strict=True)
    others = [row for row in tried if row[2] != number and row[0]]
    return max(others)[2] if others else None
