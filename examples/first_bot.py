"""A first bot: it takes the move that random games went best after. quadrille bot check examples/first_bot.py"""

from quadrille.ai import Bot
from quadrille.rules.search import Position


class First(Bot):
    """Tries some moves; list(view.moves) would be all of them."""

    def choose(self, view, clock, rng):
        """Choose one of the moves that are legal in what my seat sees."""
        position, seed = Position(view), rng.randrange(2**31)
        if view.game.hidden:  # a search guesses the cards that nobody has seen
            return position.text(position.search(20, seed).move)

        def worth(move):
            return sum(game[clock.seat] for game in Position(view.play(move)).playouts(8, seed).payoffs)

        return max([view.moves.sample(rng) for _ in range(12)], key=worth)
