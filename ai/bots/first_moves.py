"""A bot's first moves, before anything counts: it greets, knows the game, takes its values and moves.
A tournament asks for them before its first game (ai/tournament/play/entrant_trial.py), and `bot check` first of all
(ai/checks/check.py).
"""

from typing import Final

from quadrille.ai.bots.lines.dialogue import Seating
from quadrille.ai.bots.lines.time_terms import TimeTerms
from quadrille.ai.bots.player import BotPlayer
from quadrille.ai.bots.process.last_words import LONGEST_REASON
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault
from quadrille.rules.chance import Stream
from quadrille.rules.core import ToMove
from quadrille.rules.match import Match

#: Number of first moves, and the maximum milliseconds of each.
TRIED_MOVES: Final = 2
_TRIED: Final = 20_000


def make_first_moves(talk: Talk, match: Match, *, counts_work: bool = False, patience: int = _TRIED) -> None:
    """Let a bot begin a game in the first seat, where the others play by dice. A `BotFault` or `BadValues` says why it
    can't play the game. With `counts_work` the bot must obey the table's amount of work, here the least one.
    """
    greeting, key = talk.greet(), match.game.key
    if not greeting.plays(key):
        raise BotFault("protocol", f"does not play {key}, only {', '.join(greeting.games)[:LONGEST_REASON]}")
    if counts_work and not greeting.work:
        raise BotFault("protocol", "does not count its work, as a tournament with `work` requires")
    talk.settled()
    dice, moves = Stream("trial", "moves"), 0
    terms = TimeTerms(patience=patience, budget=100, work=1 if counts_work else None)
    player = BotPlayer(talk, Seating(table="trial"), terms)
    while isinstance(turn := match.pending, ToMove) and moves < TRIED_MOVES:
        if turn.seat == player.seating.seat:
            match.play(player.move(match).move)
            moves += 1
        else:
            match.play(match.state.moves.sample(dice))
    if match.over is None:
        match.adjudicate([1] * match.state.seats, "this was a trial")
    player.over(match.over, match)
    player.hear()
