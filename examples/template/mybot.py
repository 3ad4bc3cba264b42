"""My bot. Change `choose`, and see whether it climbs: quadrille ladder mybot.py --game maze"""

from quadrille.ai import Bot
from quadrille.rules.search import Position, TreeSearch


class MyBot(Bot):
    """Thinks the same amount about each move, however much time there is."""

    def choose(self, view, clock, rng):
        """Return a move of view.moves, or its text."""
        position = Position(view)
        search = TreeSearch(position, rng.randrange(2**31))
        search.go_on(20 if view.game.hidden else 100)
        return position.move(search.turn())
