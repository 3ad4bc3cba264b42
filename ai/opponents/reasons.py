"""The reason of a built-in bot for its move, for hints (docs/protocols/bots.md, "Reasons").

A proof comes first. Else the move is compared with the one that the bot's own search liked next. The counting of
positions is in quadrille.rules.search.reasons, and the adding of weights in quadrille.rules.learned.reasons.
"""

from typing import Any

from quadrille.ai.opponents.kinds import Opponent
from quadrille.ai.opponents.learned import Learned, evaluation_for
from quadrille.rules.core import Move, State
from quadrille.rules.core.reasons import HalfTurnAnswer, ProvedResult, Reason
from quadrille.rules.learned.reasons import worth
from quadrille.rules.native.compiled import engine
from quadrille.rules.search import Position
from quadrille.rules.search.reasons import only_reply, proved_result
from quadrille.rules.search.results import Found


def reason_of(bot: Opponent, view: State[Any, Any], move: Move) -> Reason | None:
    """The reason of a bot's last move: what it proved, or the window that tells the move from the next best one."""
    if bot.half_turned is not None:
        return HalfTurnAnswer(bot.half_turned)
    position = Position(view)
    number, *more = position.steps(move)
    found = bot.searched.found if bot.searched is not None and not more else None
    if bot.proved is not None and more:
        return ProvedResult(bot.proved)
    if bot.proved is not None:
        return proved_result(position, number, bot.proved, _known(found), bot.proof)
    if bot.searched is None or found is None:
        return None
    if not view.game.hidden and (reply := only_reply(bot.searched, position, number)) is not None:
        return reply
    other = _next_best(found, number)
    evaluation = evaluation_for(view) if _has_weights(bot) else None
    if evaluation is None or other is None:
        return None
    return worth(evaluation, view, move, position.move([other]))


def _has_weights(bot: Opponent) -> bool:
    """Whether weights are soon at hand. Level 6 has read them; without a compiler that takes half a second."""
    return isinstance(bot, Learned) or engine() == "compiled"


def _known(found: Found | None) -> dict[int, int]:
    """The moves whose results the tree knows."""
    rows = zip(found.moves, found.proved, strict=True) if found is not None else ()
    return {move: result for move, result in rows if result is not None}


def _next_best(found: Found, number: int) -> int | None:
    """The most tried of the other moves; None if there is none."""
    rows = zip(found.visits, found.values, found.moves, strict=True)
    others = [row for row in rows if row[2] != number and row[0]]
    return max(others)[2] if others else None
