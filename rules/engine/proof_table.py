"""The table of a proof: what is known of positions, and what files and other processes take over.

The table has buckets of two places, 16 bytes each: one keeps the position that took most work, the other the latest.
Near the ends of games, where most positions are and each is little work, a small table stays in the cache of a core.
A position counts as known by its key of 62 bits. A search of N positions meets the key of another one in a table of T
places with a chance of N * T / 2**62: 1 in 400 for 10**8 positions and places. A certificate is checked without keys.
"""

from typing import Final

from quadrille.rules.arrays import filled
from quadrille.rules.board import BEYOND, Board
from quadrille.rules.ints import ZERO, i64, vec

#: Words of a bucket: two places of a key and what is known.
BUCKET: Final = 4
#: Bits of what is known: the move, the least and the greatest outcome, and the work, up to the most that these bits
#: hold. An outcome is kept without the settled part, as a number from 0 up; 0 is not known to be more, FIELD less.
MOVE_MASK: Final = 0xFFFF
LOW_SHIFT: Final = 16
HIGH_SHIFT: Final = 26
FIELD: Final = 1023
NONE: Final = 512
WORK_SHIFT: Final = 36
MOST_WORK: Final = (1 << 26) - 1
#: Number of turns with an average of the work in them.
PLIES: Final = 1024
#: Buckets of the table near the ends of games, 1 MiB, which stays in the cache of a core.
NEAR: Final = 1 << 15
#: The average work in a turn of the game: bits of its fraction, and the binary logarithm of the number of results in
#: it. Then the most that one result counts, so that none decides alone; the least average far from the end, a
#: guess. Compiled, a proof of Dollar Draw 6 x 5 takes 1.5 s, and 1.9 s with 0; one of Maze 8 takes 4 s either way.
LABOUR_SHIFT: Final = 10
LABOUR_BITS: Final = 10
MOST_LABOUR: Final = 256
FAR: Final = 48 << 10


class ProofTable:
    """The bounds and best moves found so far for positions of one game.

    `recall` looks one of them up, and writes the fields `key`, `settled`, `is_near`, `first`, `least` and `greatest`.
    """

    __slots__ = (
        "buckets", "far", "first", "greatest", "is_near", "key", "labour", "least", "near", "near_buckets", "settled",
        "table",
    )  # fmt: skip

    def __init__(self, buckets: i64) -> None:
        """Make an empty table; a bucket takes 32 bytes."""
        self.buckets = buckets
        self.table = filled(BUCKET * buckets, 0)
        # a table that fits into the cache itself needs no smaller one
        self.far: i64 = FAR if buckets >= 4 * NEAR else 0
        self.near_buckets: i64 = NEAR if self.far else 1
        self.near = filled(BUCKET * self.near_buckets, 0)
        self.labour = filled(PLIES, FAR)
        self.key: i64 = 0
        self.settled: i64 = 0
        self.is_near = False
        self.first: i64 = -1
        self.least: i64 = -BEYOND
        self.greatest: i64 = BEYOND

    def recall(self, board: Board, high: i64) -> None:
        """Look up what is known of the position on a board: by the table, or else by a theorem.

        The greatest outcome is not asked for if the least one is `high` already.
        """
        key = board.matters()
        of_two = board.seats == 2
        settled: i64 = board.settled(board.turn) if of_two else ZERO
        # counted from the start of the game, not from where the search stands: else its next position finds nothing
        is_near = board.plies < PLIES and self.labour[board.plies] < self.far
        table = self.table
        buckets = self.buckets
        if is_near:
            table = self.near
            buckets = self.near_buckets
        place = BUCKET * ((key & 0xFFFFFFFF) * buckets >> 32)
        if table[place] != key:
            place += 2
        first: i64 = -1
        least: i64 = -BEYOND
        greatest: i64 = BEYOND
        if table[place] == key:
            known = table[place + 1]
            first = known & MOVE_MASK
            least = least_of(known) + settled
            greatest = greatest_of(known) + settled
        elif of_two:
            least = board.secured(board.turn)
            if least < high:
                greatest = -board.secured(1 - board.turn)
        self.key = key
        self.settled = settled
        self.is_near = is_near
        self.first = first
        self.least = least
        self.greatest = greatest

    def keep(self, key: i64, move: i64, least: i64, greatest: i64, work: i64, plies: i64, *, is_near: bool) -> None:
        """Keep what was found of a position after that many turns, and the work that it took, in positions."""
        if plies < PLIES:
            self.labour[plies] += (min(work, MOST_LABOUR) << LABOUR_SHIFT) - self.labour[plies] >> LABOUR_BITS
        if is_near:
            self.store_near(key, move, least, greatest, work)
        else:
            self.store(key, move, least, greatest, work)

    def store(self, key: i64, move: i64, least: i64, greatest: i64, work: i64) -> None:
        """Keep what is known in the place of the same key, or of less work, or in the second one."""
        table = self.table
        place = BUCKET * ((key & 0xFFFFFFFF) * self.buckets >> 32)
        if table[place] != key and table[place] and table[place + 1] >> WORK_SHIFT > work:
            place += 2
        self.write(table, place, key, move, least, greatest, work)

    def store_near(self, key: i64, move: i64, least: i64, greatest: i64, work: i64) -> None:
        """Keep what is known near an end in the first place, and the latest result before it in the second one."""
        near = self.near
        place = BUCKET * ((key & 0xFFFFFFFF) * self.near_buckets >> 32)
        if near[place] != key:
            near[place + 2] = 0
            near[place + 3] = near[place + 1]
            near[place + 2] = near[place]
        self.write(near, place, key, move, least, greatest, work)

    def write(self, table: vec[i64], place: i64, key: i64, move: i64, least: i64, greatest: i64, work: i64) -> None:
        # no key stands beside what is known of another one, even if Ctrl-C comes in between
        table[place] = 0
        bounds = least_field(least) << LOW_SHIFT | greatest_field(greatest) << HIGH_SHIFT
        table[place + 1] = move & MOVE_MASK | bounds | min(work, MOST_WORK) << WORK_SHIFT
        table[place] = key

    # Results, for a file and for another process

    def expensive(self, work: i64, most: i64) -> vec[i64]:
        """Return the entries that took at least that many positions: pairs of a key and what is known.

        If there are more than `most`, only those that took twice as many, or four times, …
        """
        count = self.count(work)
        while count > most:
            work *= 2
            count = self.count(work)
        table = self.table
        entries = filled(2 * count, 0)
        count = 0
        for place in range(0, BUCKET * self.buckets, 2):
            if table[place] and table[place + 1] >> WORK_SHIFT >= work:
                entries[count] = table[place]
                entries[count + 1] = table[place + 1]
                count += 2
        return entries

    def count(self, work: i64) -> i64:
        """Return the number of entries that took at least that many positions."""
        table = self.table
        count: i64 = 0
        for place in range(0, BUCKET * self.buckets, 2):
            if table[place] and table[place + 1] >> WORK_SHIFT >= work:
                count += 1
        return count

    def take_over(self, entries: vec[i64]) -> None:
        """Put entries of another search for the same seat on the same terms into the table, beside what is known."""
        table = self.table
        for i in range(0, len(entries) - 1, 2):
            key = entries[i]
            known = entries[i + 1]
            least = least_of(known)
            greatest = greatest_of(known)
            place = BUCKET * ((key & 0xFFFFFFFF) * self.buckets >> 32)
            if table[place] != key:
                place += 2
            if table[place] == key:
                least = max(least, least_of(table[place + 1]))
                greatest = min(greatest, greatest_of(table[place + 1]))
            self.store(key, known & MOVE_MASK, least, greatest, known >> WORK_SHIFT)


def least_of(known: i64) -> i64:
    """Return the least outcome by an entry, without the settled part."""
    field = known >> LOW_SHIFT & FIELD
    return field - NONE if field else -BEYOND


def greatest_of(known: i64) -> i64:
    """Return the greatest outcome by an entry, without the settled part."""
    field = known >> HIGH_SHIFT & FIELD
    return field - NONE if field < FIELD else i64(BEYOND)


def least_field(least: i64) -> i64:
    """Return the number in an entry for a least outcome: no more than it."""
    return min(max(least + NONE, 0), FIELD)


def greatest_field(greatest: i64) -> i64:
    """Return the number in an entry for a greatest outcome: no less than it."""
    return min(max(greatest + NONE, 0), FIELD)
