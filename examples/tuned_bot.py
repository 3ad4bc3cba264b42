"""A bot with numbers to tune, whose usual ones are poor on purpose: quadrille tune examples/tuned_bot.py barons

It plays Barons for two, and takes the square that counts most in its eyes.
"""

from quadrille.ai import Bot, Number


class Tuned(Bot):
    """Weighs what lies beside a square, and how much of its row and column could still be mine."""

    games = ("barons",)
    mine = Number(0, 20, usual=8)  # a square of mine beside it
    theirs = Number(0, 20, usual=6)  # a square of somebody else beside it
    free = Number(0, 20, usual=12)  # a free square beside it
    line = Number(0.0, 10.0, usual=2.0)  # each of my squares in a line that nobody else has a part of

    def choose(self, view, clock, rng):
        """Choose the free square of the greatest worth; by chance among equals."""
        sheet = view.scene().sheet
        owners = [cell.marks[-1].seat if cell.marks else None for cell in sheet.cells]
        worths = {}
        for square, cell in enumerate(sheet.cells):
            if owners[square] is None:
                worths[cell.name] = self.worth(owners, square, sheet.height, clock.seat) + rng.random()
        return max(worths, key=worths.get)

    def worth(self, owners, square, height, me):
        """Add up what lies beside a square and in its lines. Squares are numbered column by column."""
        column, row = square - square % height, square % height
        beside = [square + step for step in (-height, height) if 0 <= square + step < len(owners)]
        beside += [column + there for there in (row - 1, row + 1) if 0 <= there < height]
        worth = 0.0
        for owner in (owners[other] for other in beside):
            worth += self.free if owner is None else self.mine if owner == me else self.theirs
        for line in (owners[row::height], owners[column : column + height]):
            if all(owner in (None, me) for owner in line):
                worth += self.line * line.count(me)
        return worth
