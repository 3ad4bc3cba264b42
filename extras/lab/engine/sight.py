"""The sight of a seat, painted on a row of a buffer, in which several numbers share a word.

A board tells its numbers once (`Observer.paint`), and only this module knows where they go, and how planes are made of
them. The places of a row are those of extras/lab/engine/layout.py.
"""

from typing import final

from quadrille.extras.lab.engine.layout import BIT, FIGURE, NOWHERE, NUMBER, STILL, RowLayout, lanes, rounded
from quadrille.rules.arrays import ONES, filled
from quadrille.rules.ints import i64, vec


@final
class Sight:
    """A row of a buffer, which begins at the word `first` of `words`, and has `size` numbers.

    `units` are 1 for each number of a word, in the order of memory, and `all_units` their sum; `shifts` are their
    places in bits, and `keeps` all bits of a word but those of one. `stills` has the number of each STILL plane; from
    `still_from` on there are no others, and none but BITs of one byte before it if they `are_bits`.
    """

    __slots__ = (
        "all_units", "are_bits", "cells", "first", "half", "keeps", "kinds", "low", "places", "plane_bits", "shift",
        "shifts", "size", "still_from", "stills", "top", "units", "words",
    )  # fmt: skip

    words: vec[i64]
    first: i64

    def __init__(self, layout: RowLayout, width: i64, *, big: bool = False) -> None:
        """Lay out a row; `width` is that of a number in bits, 8 or 16."""
        units = lanes(width, big=big)
        per_word: i64 = len(units)
        self.words = filled(0, 0)
        self.first = 0
        self.kinds = layout.kinds
        self.cells = layout.cells
        self.places = layout.places
        self.plane_bits = layout.shifts
        self.size = layout.size
        self.stills = filled(len(layout.kinds), 0)
        self.still_from: i64 = len(layout.kinds)
        while self.still_from > 0 and layout.kinds[self.still_from - 1] == STILL:
            self.still_from -= 1
        self.are_bits = layout.is_byte and width == 8 and layout.shifts[self.still_from - 1] == self.still_from - 1
        self.units = units
        self.low = per_word - 1
        self.shift = 3 if per_word == 8 else 2
        self.top = 0 if big else per_word - 1
        self.half = (1 << width) // 2
        self.shifts = filled(per_word, 0)
        self.keeps = filled(per_word, units[self.top] - 1)
        self.all_units = 0
        for lane in range(per_word):
            self.shifts[lane] = width * (per_word - 1 - lane if big else lane)
            self.all_units += units[lane]
            if lane != self.top:
                self.keeps[lane] = -1 - units[lane] * (2 * self.half - 1)

    def signed(self, number: i64) -> i64:
        """Return a number as the highest one of a word, which has the word's sign."""
        return number - 2 * self.half if number >= self.half else number

    def clear(self) -> None:
        """Write zeros."""
        for word in range(self.first, self.first + (self.size >> self.shift)):
            self.words[word] = 0

    def put(self, plane: i64, cell: i64, number: i64) -> None:
        """Write to a square, still 0, on a plane of BITs or NUMBERs."""
        place = self.places[plane] + cell
        lane = place & self.low
        number <<= self.plane_bits[plane]
        self.words[self.first + (place >> self.shift)] |= (
            self.signed(number) if lane == self.top else number
        ) * self.units[lane]

    def wipe(self, first: i64, last: i64) -> None:
        """Write zeros on all planes of BITs, or on some of NUMBERs."""
        end = (self.places[last] + rounded(self.cells)) >> self.shift
        for word in range(self.first + (self.places[first] >> self.shift), self.first + end):
            self.words[word] = 0

    def fill(self, plane: i64, number: i64) -> None:
        """Write to all squares of any other plane."""
        if self.places[plane] == NOWHERE:
            self.stills[plane] = number
        else:
            self.set(self.places[plane], number)

    def lay(self, seen: vec[i64]) -> None:
        """Write all planes, one after the other in `seen`, after `clear`."""
        cells = self.cells
        place: i64 = 0
        for plane in range(len(self.kinds)):
            if self.kinds[plane] > NUMBER:
                self.fill(plane, seen[place])
                place += cells
                continue
            for cell in range(cells):
                if seen[place]:
                    self.put(plane, cell, seen[place])
                place += 1

    def set(self, place: i64, number: i64) -> None:
        """Write a number in place of another."""
        lane = place & self.low
        if lane == self.top:
            number = self.signed(number)
        word = self.first + (place >> self.shift)
        self.words[word] = self.words[word] & self.keeps[lane] | number * self.units[lane]

    def get(self, place: i64) -> i64:
        """Return a number."""
        return self.words[self.first + (place >> self.shift)] >> self.shifts[place & self.low] & (2 * self.half - 1)

    # Planes

    def numbers(self) -> vec[i64]:
        """Return all planes, one after the other, a number for each square; they take the place of the row."""
        cells = self.cells
        room = rounded(cells)
        view = filled(len(self.kinds) * room >> self.shift, 0)
        self.spread(view, 0, whole=True)
        self.words = view
        self.first = 0
        seen = filled(len(self.kinds) * cells, 0)
        for place in range(len(seen)):
            seen[place] = self.get(place // cells * room + place % cells)
        return seen

    def spread(self, view: vec[i64], at: i64, *, whole: bool) -> None:
        """Write the planes to `view` from the word `at` on, each from a word of its own; STILL ones if `whole`.

        All squares are written: to leave out words that had not changed took 1.5 to 1.9 times as long.
        """
        words = self.words
        if self.are_bits and not whole:
            # the most common rows by a loop of their own: a step with eight planes took 1.2 times as long without it
            last = self.first + (self.size >> self.shift)
            for plane in range(self.still_from):
                for word in range(self.first, last):
                    view[at] = words[word] >> plane & ONES
                    at += 1
            return
        kinds = self.kinds
        places = self.places
        plane_bits = self.plane_bits
        ones = self.all_units
        top = self.units[self.top]
        length = rounded(self.cells) >> self.shift
        for plane in range(len(kinds) if whole else self.still_from):
            kind = kinds[plane]
            source = self.first + (places[plane] >> self.shift)
            if kind == BIT:
                bit = plane_bits[plane]
                for word in range(length):
                    view[at + word] = words[source + word] >> bit & ones
            elif kind == NUMBER:
                for word in range(length):
                    view[at + word] = words[source + word]
            else:
                number = self.get(places[plane]) if kind == FIGURE else self.stills[plane]
                number = number * (ones - top) + self.signed(number) * top
                if view[at] != number and (kind == FIGURE or whole):
                    for word in range(at, at + length):
                        view[word] = number
            at += length

    # Rows of one byte a square, eight in a word, in which bit k is plane k

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
        self.set(cell, 1 << (seats - 1))
