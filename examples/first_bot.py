"""A first bot: it takes the move that random games went best after. quadrille bot check examples/first_bot.py"""

from quadrille.ai import Bot
from quadrille.rules.search import Position


class First(Bot):
    """Tries some moves; list(view.moves) would be all of them."""

    def choose(self, view, clock, rng):
        """One of the moves that are legal in what my seat sees."""

        def worth(move):
            after = Position(view.play(move))
            if view.game.hidden:  # cards that nobody has seen would have to be guessed for random games
                return after.payoffs()[clock.seat]
            return sum(game[clock.seat] for game in after.playouts(8, rng.randrange(2**31)).payoffs)

        return max([view.moves.sample(rng) for _ in range(12)], key=worth)
