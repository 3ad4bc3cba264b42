"""Opponents of the house: bots that are always there, at five levels.

    from quadrille.ai.opponents import opponent

    player = opponent("mcts:3")
    move = player.choose(view, clock, rng)

They are bots like any other (ai/bot.py): they are shown their own seat's view and nothing else. How they search is in
quadrille.rules.search; how much of it a level is, and when it looks at the clock, is here.
"""

from quadrille.ai.opponents.names import OPPONENTS, opponent

__all__ = ["OPPONENTS", "opponent"]
