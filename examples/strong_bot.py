"""A strong bot: UCT for as long as the clock allows, and a proof where the end is near.

quadrille bot check examples/strong_bot.py
"""

from time import monotonic

from quadrille.ai import Bot
from quadrille.rules.search import Position, Proof, TreeSearch


def slices(until):
    """Yield how much to search next, until time is up.

    A position costs 0.001 ms in one game with a compiled engine, and 0.5 ms in another without. So slices begin small,
    and only quick ones grow: one takes about a fifth of the time that is left, and the last is late by little.
    """
    size, begin = 1, monotonic()
    while True:
        yield size
        now = monotonic()
        if now >= until:
            return
        size = size * 2 if now - begin < (until - now) / 10 else max(1, size // 2)
        begin = now


class Strong(Bot):
    """Looks at the clock between slices, because no search of the rules does."""

    def starts(self, view, seat):
        """Forget the tree of the game before."""
        self.tree = None

    def choose(self, view, clock, rng):
        """Return the proved move, or the one that was tried most."""
        position, now = Position(view), monotonic()
        seconds = self.seconds(clock)
        if view.seats == 2 and not view.game.hidden:
            proof = Proof(position, 1 << 16)
            for size in slices(now + seconds / 4):
                if not proof.go_on(size):
                    break
            if proof.found.certain and proof.found.value >= 0:
                return position.move(proof.turn())
        if self.tree is None or not self.tree.follow(position):  # with hidden cards it begins anew, and guesses them
            self.tree = TreeSearch(position, rng.randrange(2**31))
        for size in slices(now + seconds):
            if not self.tree.go_on(size) or self.is_decided(now + seconds - monotonic(), monotonic() - now):
                break
        return position.move(self.tree.turn())

    def seconds(self, clock):
        """Return the advised time, half a second without a clock, and never more than a tenth of what is left."""
        if clock.left is None:
            return min(clock.budget / 1000, 0.5) * 0.9
        return min(clock.budget * 0.9, clock.left[clock.seat] / 10) / 1000

    def is_decided(self, left, spent):
        """Return whether the second best move can't catch up with the best any more in the time that is left."""
        best, second = sorted([0, *self.tree.found.visits])[:-3:-1]
        return (best - second) * spent > (best + second) * left
