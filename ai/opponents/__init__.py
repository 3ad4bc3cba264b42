"""The built-in bots, at five levels.

    from quadrille.ai.opponents import opponent

    player = opponent("mcts:3")
    move = player.choose(view, clock, rng)

They are bots like any other (ai/bot.py): they get only their own seat's view. The search is in
quadrille.rules.search; the effort of each level, and the checks of the clock, are here.
"""

from quadrille.ai.opponents.names import opponent

__all__ = ["opponent"]
