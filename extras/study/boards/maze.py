"""Maze as a prover sees it: a board that knows itself and its image in the diagonal again."""

from quadrille.rules.arrays import array
from quadrille.rules.games.maze.search import SearchedMaze
from quadrille.rules.ints import i64, mypyc_attr
from quadrille.rules.patterns.image_keys import ImageKeys, image_keys


@mypyc_attr(allow_interpreted_subclasses=True)
class ProvenMaze(SearchedMaze):
    """A board that keeps up the keys of its images."""

    __slots__ = ()

    def apply(self, move: i64) -> None:
        """Draw a segment, and tell the images."""
        images = self.images
        if images is None:
            super().apply(move)
            return
        images.toggle(self.squares + self.forced(), 0)
        super().apply(move)
        self.show(images)

    def undo(self) -> None:
        """Take back the last segment, and tell the images."""
        images = self.images
        if images is None:
            super().undo()
            return
        self.show(images)
        super().undo()
        images.toggle(self.squares + self.forced(), 0)

    def show(self, images: ImageKeys) -> None:
        """Tell the images of the square that was taken last, or of its undoing."""
        square = self.last
        images.toggle(square, 0)
        images.toggle(self.squares + self.forced(), 0)
        if self.room[square] == 0:
            images.toggle(2 * self.squares + 1, 0)

    def new_images(self) -> ImageKeys:
        """Make the keys of an empty board and its image in the diagonal: taken squares, the start, an odd number."""
        size = self.size
        squares = self.squares
        same = list(range(2 * squares + 2))
        mirrored = same[:]
        for square in range(squares):
            image = size * (size - 1 - square % size) + size - 1 - square // size
            mirrored[square] = image
            mirrored[squares + square] = squares + image
        return image_keys(1, [array(same), array(mirrored)], [array((0,)), array((0,))])

    def keep_images(self) -> None:
        """Keep the images as `alike` sees them."""
        squares = self.squares
        images = self.images
        if images is None:
            images = self.new_images()
        images.clear()
        for square in range(squares):
            if self.room[square] >= 0:
                images.toggle(square, 0)
        images.toggle(squares + self.forced(), 0)
        if self.crosses % 2:
            images.toggle(2 * squares + 1, 0)
        self.images = images

    def haste(self, move: i64) -> i64:
        """Go first to the squares that leave the other seat the fewest ways on."""
        return -self.room[self.goal[move]]

    def alike(self) -> i64:
        """Answer as the board does, from the keys that are kept up."""
        return super().alike() if self.images is None else self.images.least(0, 2)
