"""A first bot: of some moves it takes the one after which it would stand best. quadrille bot check first_bot.py"""

from quadrille.ai import Bot
from quadrille.rules.search import Position


class First(Bot):
    """Looks one move ahead."""

    def choose(self, view, clock, rng):
        """One of the moves that are legal in what my seat sees."""

        def standing(move):
            after = Position(view.play(move))
            return after.payoffs()[clock.seat]

        some = [view.moves.sample(rng) for _ in range(20)]
        return max(some, key=standing)
