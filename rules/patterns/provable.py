"""The part of a board that a prover asks: keys, moves that are enough, and what is known of the result before the end.

Boards are in rules/board.py, the prover is rules/engine/prover.py. A board whose game has no theorem overrides nothing
but the keys.
"""

from typing import Final

from quadrille.rules.ints import i64, mypyc_attr

#: In place of a move when the game is over.
OVER: Final = -1
#: More than any `outcome`.
BEYOND: Final = 1 << 30


@mypyc_attr(allow_interpreted_subclasses=True)
class Provable:
    """A position without its rules."""

    __slots__ = ()

    def legal(self) -> i64:
        """Write the legal moves to the front of `moves`; return their number, 0 when the game is over."""
        raise AssertionError("a board says which moves are legal")

    def payoff(self, seat: i64) -> i64:
        """The payoff of a seat at the end of the game."""
        raise AssertionError("a board says what a seat gets")

    def key(self) -> i64:
        """A number of 62 bits for everything that the rest of the game depends on: different positions have different
        keys.

        This is all but certain; a search may rely on it, a record may not.
        """
        raise AssertionError("a board says what its position depends on")

    def alike(self) -> i64:
        """As `key`, but positions with the same value to their movers may share it: turned, mirrored, …"""
        return self.key()

    def keep_images(self) -> None:
        """Keep up `images` from now on, if the board can: then `alike` is quick."""

    def matters(self) -> i64:
        """As `alike`, but of all that can still change the result: positions that share it differ by `settled` alone.

        It may rely on what `keep_images` has begun, and so may the methods that follow.
        """
        return self.alike()

    def settled(self, seat: i64) -> i64:
        """The part of the `outcome` for a seat of two that nothing changes any more."""
        return 0

    def outcome(self, seat: i64) -> i64:
        """The result of an ended game for a seat: its payoff, or with two seats a number with the same sign."""
        return self.payoff(seat)

    def secured(self, seat: i64) -> i64:
        """An `outcome` that a seat of two can make sure of: the least one if nothing is known."""
        return -BEYOND

    def sifted(self) -> i64:
        """As `legal`, but of moves that lead to equal results one is enough."""
        return self.legal()

    def haste(self, move: i64) -> i64:
        """How early a prover should try a move: moves after which little can be done come first."""
        return 0

    def foresees(self) -> bool:
        """Whether a prover should ask what is known after each move before it searches one.

        No move ends the game then, and the other seat of two is the next to move.
        """
        return False

    def half_turn(self) -> i64:
        """The opponent's last move turned by 180 degrees, if `half_turn_worth` is proven for it; else OVER.

        The board is then its own image under that turn with the two seats exchanged. Every later move of the opponent
        has such an answer to the end of the game.
        """
        return OVER

    def half_turn_worth(self) -> i64:
        """The minimum payoff of a mover that answers each move by `half_turn` from now on."""
        return 0
