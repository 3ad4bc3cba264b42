"""The table of Dotter: rows of cards face down, the seats' looks, pegs.

A card is its position in the round's pile (0 is the top), so row k of the round is the positions 3k to 3k+2. A face
is its number in the pile's list, UNKNOWN to those who have not seen it: the board of a view has fewer faces, and
nothing else is different. A slot is 3 times the row's number before its player, plus the card's place in the row.

A move is DRAW, or a number made of a player, two or three ascending slots and a guess: their order is the canonical
order of moves. While cards are being looked at or turned up, `turn` is CHANCE, and `doing` is the move. A move is
then the face of the card that `owed` names (UNKNOWN from those who may not see it). See rules/boards/dotter.py for
the effect of a move.
"""

from typing import Any, Final, Self

from quadrille.rules.arrays import array, filled
from quadrille.rules.board import UNKNOWN, Board
from quadrille.rules.boards._dotter import hands
from quadrille.rules.ints import i64, mypyc_attr, vec
from quadrille.rules.native.fields import fields_of, made
from quadrille.rules.patterns.keys import mixed, mixed_all

#: In `seen`, in place of a bit for each seat that has looked: turned up for all, and out of its slot.
PUBLIC: Final = -1
#: Maximum seats, rows in a round, and slots before a player.
SEATS: Final = 6
ROWS: Final = 18
SLOTS: Final = 3 * ROWS

#: To be shifted right for a bit of any number: C takes the 1 of `1 << n` for a number of 32 bits, and so does the
#: compiler.
TOP: Final = 0x4000000000000000

DRAW: Final = 0
PEEKS: Final = 1
SCORES: Final = PEEKS + SEATS * SLOTS * SLOTS


def peek_code(player: i64, one: i64, two: i64) -> i64:
    """The number of the peek at two ascending slots of a player."""
    return PEEKS + (player * SLOTS + one) * SLOTS + two


def score_code(player: i64, one: i64, two: i64, three: i64, guess: i64) -> i64:
    """The number of the score of three ascending slots of a player."""
    return SCORES + (((player * SLOTS + one) * SLOTS + two) * SLOTS + three) * hands.GUESSES + guess


def player_of(code: i64) -> i64:
    """The owner of the cards of a peek or a score."""
    if code < SCORES:
        return (code - PEEKS) // (SLOTS * SLOTS)
    return (code - SCORES) // (SLOTS * SLOTS * SLOTS * hands.GUESSES)


def slot_of(code: i64, card: i64) -> i64:
    """The slot of a peek's or a score's card, counted from 0, ascending."""
    if code < SCORES:
        code -= PEEKS
        return code // SLOTS % SLOTS if card == 0 else code % SLOTS
    code = (code - SCORES) // hands.GUESSES
    if card == 0:
        return code // (SLOTS * SLOTS) % SLOTS
    return code // SLOTS % SLOTS if card == 1 else code % SLOTS


def cards_of(code: i64) -> i64:
    """Number of slots in a move."""
    return 0 if code == DRAW else 2 if code < SCORES else 3


def slots_of(code: i64) -> vec[i64]:
    """The two slots of a peek or the three of a score, ascending."""
    return array([slot_of(code, card) for card in range(cards_of(code))])


def guess_of(code: i64) -> i64:
    """The guess of a score."""
    return (code - SCORES) % hands.GUESSES


def laid_again(kind: Any, fields: dict[str, Any]) -> Any:
    """The table of a pickle."""
    table = made(kind, fields)
    table.worth = hands.points()
    return table


@mypyc_attr(allow_interpreted_subclasses=True)
class DotterTable(Board):
    """The table.

    `mover` is the seat whose turn it is. Of the round: `dealt` positions have been drawn, `discarded` of them scored;
    `faces` and `seen` are by position; `rows[ROWS * s + r]` is the first position of seat s's row r, `drawn[s]` its
    number of rows. `hole`, `laps` and `best` are by seat; a peg waits when its hole is the last. `slots` and `fresh`
    are the result of `look_over`, `trail` and `past` the undo data. `counts`: whether players count cards (`sharpen`).
    """

    __slots__ = (
        "best",
        "counts",
        "dealt",
        "discarded",
        "doing",
        "drawn",
        "faces",
        "fresh",
        "guesses",
        "hole",
        "lap_points",
        "laps",
        "laps_wanted",
        "max_rounds",
        "mover",
        "past",
        "ranks",
        "round",
        "rows",
        "seen",
        "slots",
        "trail",
        "worth",
    )

    mover: i64
    doing: i64
    round: i64
    dealt: i64
    discarded: i64
    faces: vec[i64]
    seen: vec[i64]
    rows: vec[i64]
    drawn: vec[i64]
    hole: vec[i64]
    laps: vec[i64]
    best: vec[i64]
    slots: vec[i64]
    fresh: vec[i64]
    trail: list[i64]
    past: list[vec[i64]]
    counts: bool

    def __init__(
        self, seats: i64, ranks: vec[i64], laps_wanted: i64, lap_points: i64, max_rounds: i64, guesses: i64
    ) -> None:
        """`ranks` of the pile's faces, JOKER for a joker; `guesses` that there are, no guess among them."""
        super().__init__(seats, len(ranks))
        self.ranks = ranks
        self.laps_wanted = laps_wanted
        self.lap_points = lap_points
        self.max_rounds = max_rounds
        self.guesses = guesses
        self.counts = False
        self.worth = hands.points()
        self.slots = filled(SLOTS, 0)
        self.fresh = filled(SLOTS, 0)
        self.reset()

    def reset(self) -> None:
        """The first round, all pegs at 0."""
        self.start_over()
        self.trail = []
        self.past = []
        self.hole = filled(self.seats, 0)
        self.laps = filled(self.seats, 0)
        self.best = filled(self.seats, 0)
        self.new_round(0)

    def new_round(self, number: i64) -> None:
        """ "A round starts with a full shuffled deck, face down, and nobody has cards." """
        self.round = number
        self.doing = DRAW
        self.dealt = 0
        self.discarded = 0
        self.faces = filled(len(self.ranks), UNKNOWN)
        self.seen = filled(len(self.ranks), 0)
        self.rows = filled(ROWS * self.seats, 0)
        self.drawn = filled(self.seats, 0)
        # "seat 0 starts the first round, the next seat each later one"; the turns of a seat that is out are skipped
        starter = number % self.seats
        self.mover = self.next_seat(starter) if self.left[starter] else starter
        self.turn = self.mover

    def copy(self) -> Self:
        """The same position, nothing to take back."""
        twin = self.twin()
        twin.moves = filled(len(self.ranks), 0)  # a long list is not copied
        twin.ranks = self.ranks
        twin.laps_wanted = self.laps_wanted
        twin.lap_points = self.lap_points
        twin.max_rounds = self.max_rounds
        twin.guesses = self.guesses
        twin.counts = self.counts
        twin.worth = self.worth
        twin.slots = self.slots[:]
        twin.fresh = self.fresh[:]
        twin.become(self)
        return twin

    def become(self, other: Board) -> None:
        """Take the position of another table of the same terms."""
        assert isinstance(other, DotterTable)
        self.stand_as(other)
        self.trail = []
        self.past = []
        self.mover = other.mover
        self.doing = other.doing
        self.round = other.round
        self.dealt = other.dealt
        self.discarded = other.discarded
        self.faces = other.faces[:]
        self.seen = other.seen[:]
        self.rows = other.rows[:]
        self.drawn = other.drawn[:]
        self.hole = other.hole[:]
        self.laps = other.laps[:]
        self.best = other.best[:]

    def __reduce__(self) -> tuple[object, ...]:
        """As for any board, without the table of points that all boards share."""
        return laid_again, (self.__class__, fields_of(self, ("worth",)))

    def save(self) -> None:
        """Remember everything that a move may change."""
        trail = self.trail
        trail.append(self.turn)
        trail.append(self.mover)
        trail.append(self.doing)
        trail.append(self.round)
        trail.append(self.dealt)
        trail.append(self.discarded)
        past = self.past
        past.append(self.faces[:])
        past.append(self.seen[:])
        past.append(self.rows[:])
        past.append(self.drawn[:])
        past.append(self.hole[:])
        past.append(self.laps[:])
        past.append(self.best[:])

    def undo(self) -> None:
        """Take back the last `apply`."""
        trail = self.trail
        self.discarded = trail.pop()
        self.dealt = trail.pop()
        self.round = trail.pop()
        self.doing = trail.pop()
        self.mover = trail.pop()
        self.turn = trail.pop()
        past = self.past
        self.best = past.pop()
        self.laps = past.pop()
        self.hole = past.pop()
        self.drawn = past.pop()
        self.rows = past.pop()
        self.seen = past.pop()
        self.faces = past.pop()
        self.plies -= 1
        self.ended = False

    def key(self) -> i64:
        """All of it, to the pegs."""
        key = mixed(mixed(mixed(0, self.turn), self.mover), self.doing)
        key = mixed(mixed(mixed(key, self.round), self.dealt), self.discarded)
        key = mixed_all(mixed_all(mixed_all(key, self.left), self.faces), self.seen)
        key = mixed_all(mixed_all(key, self.rows), self.drawn)
        return mixed_all(mixed_all(mixed_all(key, self.hole), self.laps), self.best)

    # Queries

    def serves(self) -> bool:
        """ "Legal while the deck holds at least three." """
        return len(self.ranks) - self.dealt >= 3

    def position(self, player: i64, slot: i64) -> i64:
        """The position in the pile of the card in a slot, or formerly there."""
        return self.rows[ROWS * player + slot // 3] + slot % 3

    def look_over(self, player: i64) -> i64:
        """Write the player's slots with a card face down to `slots`, ascending; return their number.

        `fresh` has 1 beside those whose card the mover has not seen.
        """
        seen = self.seen
        rows = self.rows
        slots = self.slots
        fresh = self.fresh
        mover = self.mover
        first = ROWS * player
        count: i64 = 0
        for row in range(self.drawn[player]):
            at = rows[first + row]
            for card in range(3):
                mask = seen[at + card]
                if mask != PUBLIC:
                    slots[count] = 3 * row + card
                    fresh[count] = 1 - (mask >> mover & 1)
                    count += 1
        return count

    def new_ones(self, count: i64) -> i64:
        """Number of fresh slots after `look_over`."""
        found: i64 = 0
        for i in range(count):
            found += self.fresh[i]
        return found

    def down(self, player: i64) -> vec[i64]:
        """The player's slots that hold a card face down, ascending. Writes to no array of the board."""
        slots = range(3 * self.drawn[player])
        return array([slot for slot in slots if self.seen[self.position(player, slot)] != PUBLIC])

    def asked(self) -> vec[i64]:
        """The positions of the cards that `doing` names."""
        return array([self.asked_at(card) for card in range(cards_of(self.doing))])

    def asked_at(self, card: i64) -> i64:
        """The position of a card that `doing` names."""
        return self.position(player_of(self.doing), slot_of(self.doing, card))

    def owed(self) -> i64:
        """The position of the card to be looked at or turned up next, UNKNOWN when all are."""
        doing = self.doing
        scores = doing >= SCORES
        bit = 1 << self.mover
        player = player_of(doing)
        for card in range(cards_of(doing)):
            position = self.position(player, slot_of(doing, card))
            seen = self.seen[position]
            # "score: three face-down cards of one player are turned up for all"; a peek asks only for what is new
            if (seen != PUBLIC) if scores else (seen & bit == 0):
                return position
        return UNKNOWN
