"""The sight of a seat, painted on a row of a buffer: plane by plane, or packed.

A board tells its numbers once (`Board.paint`), and only this module knows where they go. The places of a packed row are
those of extras/lab/engine/layout.py.
"""

from typing import Final, final

from quadrille.extras.lab.engine.layout import NOWHERE, NUMBER, PACKED, RowLayout, lanes
from quadrille.rules.arrays import ONES, filled
from quadrille.rules.ints import i64, vec

#: The bits of a packed byte in use: the highest one of a word is its sign.
USED: Final = 127
#: In a word for each number, the first number that would be negative there: beyond all.
HALF: Final = 0x4000000000000000


@final
class Sight:
    """A row of a buffer, which begins at the word `first` of `words`, and has `size` numbers.

    `units` are 1 for each number of a word, in the order of memory; `keeps` are all bits of a word but those of one,
    and `before` those of all numbers before one.
    """

    __slots__ = (
        "before", "cells", "first", "half", "keeps", "kinds", "low", "lower", "packed", "places", "runs", "shift",
        "size", "stride", "top", "units", "weights", "words",
    )  # fmt: skip

    words: vec[i64]
    first: i64

    def __init__(self, layout: RowLayout, width: i64, *, big: bool = False) -> None:
        """Lay out a row; `width` is that of a number in bits."""
        units = lanes(width, big=big)
        per_word: i64 = len(units)
        self.words = filled(0, 0)
        self.first = 0
        self.kinds = layout.kinds
        self.cells = layout.cells
        self.packed = layout.stride == PACKED
        self.stride = layout.stride
        self.places = layout.places
        self.weights = layout.weights
        self.size = layout.size
        self.runs = layout.runs
        self.units = units
        self.low = per_word - 1
        self.shift = 3 if per_word == 8 else 2 if per_word == 4 else 0
        self.top = 0 if big else per_word - 1
        self.half = HALF if per_word == 1 else (1 << width) // 2
        self.keeps = filled(per_word, units[self.top] - 1)
        self.lower = 0
        for lane in range(per_word):
            if lane != self.top:
                self.keeps[lane] = -1 - units[lane] * (2 * self.half - 1)
                self.lower += units[lane]
        self.before = filled(per_word + 1, 0)
        for lane in range(per_word):
            self.before[lane + 1] = self.before[lane] | ~self.keeps[lane]

    def signed(self, number: i64) -> i64:
        """Return a number as the highest one of a word, which has the word's sign."""
        return number - 2 * self.half if number >= self.half else number

    def clear(self) -> None:
        """Write zeros on all planes of BITs and NUMBERs."""
        runs = self.runs
        for i in range(0, len(runs), 2):
            self.run(runs[i], runs[i + 1], 0)

    def put(self, plane: i64, cell: i64, number: i64) -> None:
        """Write to a square, still 0, on a plane of BITs or NUMBERs."""
        place = self.places[plane] + cell
        lane = place & self.low
        number *= self.weights[plane]
        if number >= self.half and lane == self.top:
            number = self.signed(number)
        self.words[self.first + (place >> self.shift)] |= number * self.units[lane]

    def put_row(self, plane: i64, cell: i64, count: i64, number: i64) -> None:
        """Write as `put`, for squares one after the other."""
        place = self.places[plane] + cell
        number *= self.weights[plane]
        words = self.words
        first = self.first
        units = self.units
        for at in range(place, place + count):
            lane = at & self.low
            words[first + (at >> self.shift)] |= (self.signed(number) if lane == self.top else number) * units[lane]

    def change(self, plane: i64, cell: i64, number: i64) -> None:
        """Write another number to a square on a plane of NUMBERs."""
        self.set(self.places[plane] + cell, number)

    def wipe(self, plane: i64, end: i64) -> None:
        """Write zeros on these planes. Those of BITs are wiped together."""
        length = self.cells if self.packed else self.stride
        while plane < end:
            place = self.places[plane]
            self.run(place, place + length, 0)
            plane += 1

    def fill(self, plane: i64, number: i64) -> None:
        """Write to all squares of any other plane."""
        place = self.places[plane]
        if self.packed:
            if place != NOWHERE:
                self.set(place, number)
        elif not self.is_at(place, number):
            self.run(place, place + self.stride, number)

    def lay(self, seen: vec[i64]) -> None:
        """Write all planes, one after the other in `seen`, after `clear`."""
        cells = self.cells
        kinds = self.kinds
        place: i64 = 0
        for plane in range(len(kinds)):
            if kinds[plane] > NUMBER:
                self.fill(plane, seen[place])
                place += cells
                continue
            for cell in range(cells):
                if seen[place]:
                    self.put(plane, cell, seen[place])
                place += 1

    # Numbers by their places in the row

    def is_at(self, place: i64, number: i64) -> bool:
        """Return True if this number is there."""
        lane = place & self.low
        if lane == self.top:
            number = self.signed(number)
        return self.words[self.first + (place >> self.shift)] & ~self.keeps[lane] == number * self.units[lane]

    def set(self, place: i64, number: i64) -> None:
        """Write a number in place of another."""
        lane = place & self.low
        if lane == self.top:
            number = self.signed(number)
        word = self.first + (place >> self.shift)
        self.words[word] = self.words[word] & self.keeps[lane] | number * self.units[lane]

    def run(self, place: i64, end: i64, number: i64) -> None:
        """Write the same number to all places from one to before the end, a word at a time."""
        words = self.words
        before = self.before
        low = self.low
        if low == 0:
            for at in range(self.first + place, self.first + end):
                words[at] = number
            return
        whole = number * self.lower + self.signed(number) * self.units[self.top]
        word = self.first + (place >> self.shift)
        while place < end:
            lane = place & low
            stop = min(low + 1, lane + end - place)
            if stop - lane > low:
                words[word] = whole
            else:
                mask = before[stop] & ~before[lane]
                words[word] = words[word] & ~mask | whole & mask
            place += stop - lane
            word += 1

    # Packed rows of one byte a square, eight in a word, in which bit k is plane k

    def set_bits(self, cell: i64, bits: i64) -> None:
        """Set the byte of a square."""
        word = self.first + (cell >> 3)
        unit = self.units[cell & 7]
        self.words[word] = (self.words[word] & ~(USED * unit)) | bits * unit

    def add_bits(self, cell: i64, bits: i64) -> None:
        """Set these bits of a square."""
        self.words[self.first + (cell >> 3)] |= bits * self.units[cell & 7]

    def take_bits(self, cell: i64, bits: i64) -> None:
        """Clear these bits of a square."""
        self.words[self.first + (cell >> 3)] &= ~(bits * self.units[cell & 7])

    def pass_on(self, seats: i64, cell: i64) -> None:
        """Give the last mover a square, and pass the sight on to the next seat, which looks at the squares of each seat
        and at those of nobody.

        So each seat is one nearer, and the last mover is the furthest.
        """
        words = self.words
        nobody: i64 = ONES
        nobody <<= seats
        others = (nobody >> 1) - ONES
        for word in range(self.first, self.first + ((self.cells + 7) >> 3)):
            held = words[word]
            words[word] = (held >> 1 & others) | (held & ONES) << (seats - 1) | (held & nobody)
        self.set_bits(cell, 1 << (seats - 1))
