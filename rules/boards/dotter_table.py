"""The table of Dotter: rows of cards face down, who has looked at which, pegs; and which moves it has.

A card is its position in the round's pile (0 is the top), so row k of the round is the positions 3k to 3k+2. A face is
its number in the pile's list, UNKNOWN to those who have not seen it: the board of a view has fewer faces, and nothing
else is different. A slot is 3 times the row's number before its player, plus the card's place in the row.

A move is DRAW, or a number made of a player, two or three ascending slots and a guess: by these, moves are in canonical
order. While cards are being looked at or turned up, `turn` is CHANCE, `doing` is the move, and a move is the face of
the card that `owed` names (UNKNOWN from those who may not see it). What a move does: rules/boards/dotter.py.
"""

from typing import Final, Self

from quadrille.rules.board import CHANCE, Board
from quadrille.rules.boards import hands
from quadrille.rules.arrays import filled
from quadrille.rules.ints import i64, vec

UNKNOWN: Final = -1
#: In `seen`, where other numbers have a bit for each seat that has looked: turned up for all, and out of its slot.
PUBLIC: Final = -1
#: The most seats, rows in a round, and slots before a player.
SEATS: Final = 6
ROWS: Final = 18
SLOTS: Final = 3 * ROWS

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
    """Whose cards a peek or a score is about."""
    if code < SCORES:
        return (code - PEEKS) // (SLOTS * SLOTS)
    return (code - SCORES) // (SLOTS * SLOTS * SLOTS * hands.GUESSES)


def slots_of(code: i64) -> vec[i64]:
    """The two slots of a peek or the three of a score, ascending."""
    if code < SCORES:
        code -= PEEKS
        return [code // SLOTS % SLOTS, code % SLOTS]
    code = (code - SCORES) // hands.GUESSES
    return [code // (SLOTS * SLOTS) % SLOTS, code // SLOTS % SLOTS, code % SLOTS]


def guess_of(code: i64) -> i64:
    """The guess of a score."""
    return (code - SCORES) % hands.GUESSES


def pairs(count: i64) -> i64:
    """How many twos there are of so many."""
    return count * (count - 1) // 2


def triples(count: i64) -> i64:
    """How many threes there are of so many."""
    return count * (count - 1) * (count - 2) // 6


class DotterTable(Board):
    """Arrays are replaced, never changed: copies share them, and `undo` puts the old ones back.

    `mover` is the seat whose turn it is. Of the round: `dealt` positions have been drawn, `discarded` of them scored;
    `faces` and `seen` are by position; `rows[ROWS * s + r]` is the first position of seat s's row r, `drawn[s]` how
    many rows it has. `hole`, `laps` and `best` are by seat; a peg waits when its hole is the last.
    """

    __slots__ = (
        "best",
        "dealt",
        "discarded",
        "doing",
        "drawn",
        "faces",
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
        "trail",
        "worth",
    )

    def __init__(
        self, seats: i64, ranks: vec[i64], laps_wanted: i64, lap_points: i64, max_rounds: i64, guesses: i64
    ) -> None:
        """`ranks` of the pile's faces, JOKER for a joker; `guesses` that there are, no guess among them."""
        super().__init__(seats, 0)
        self.ranks = ranks
        self.laps_wanted = laps_wanted
        self.lap_points = lap_points
        self.max_rounds = max_rounds
        self.guesses = guesses
        self.worth = hands.points()
        self.reset()

    def reset(self) -> None:
        """The first round, all pegs at 0."""
        self.start_over()
        self.trail: vec[i64] = []
        self.past: vec[vec[i64]] = []
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
        twin.moves = []
        twin.ranks = self.ranks
        twin.laps_wanted = self.laps_wanted
        twin.lap_points = self.lap_points
        twin.max_rounds = self.max_rounds
        twin.guesses = self.guesses
        twin.worth = self.worth
        twin.trail = []
        twin.past = []
        twin.mover = self.mover
        twin.doing = self.doing
        twin.round = self.round
        twin.dealt = self.dealt
        twin.discarded = self.discarded
        twin.faces = self.faces
        twin.seen = self.seen
        twin.rows = self.rows
        twin.drawn = self.drawn
        twin.hole = self.hole
        twin.laps = self.laps
        twin.best = self.best
        return twin

    def save(self) -> None:
        """Remember what `apply` may change."""
        self.trail.extend([self.turn, self.mover, self.doing, self.round, self.dealt, self.discarded])
        self.past.extend(
            [self.moves, self.faces, self.seen, self.rows, self.drawn, self.hole, self.laps, self.best],
        )

    def undo(self) -> None:
        """Take back the last `apply`."""
        trail = self.trail
        past = self.past
        self.turn, self.mover, self.doing, self.round, self.dealt, self.discarded = trail[-6:]
        self.moves, self.faces, self.seen, self.rows, self.drawn, self.hole, self.laps, self.best = past[-8:]
        del trail[-6:]
        del past[-8:]
        self.plies -= 1
        self.ended = False

    # Which moves are legal

    def serves(self) -> bool:
        """ "Legal while the deck holds at least three." """
        return len(self.ranks) - self.dealt >= 3

    def position(self, player: i64, slot: i64) -> i64:
        """The position in the pile of the card that lies, or lay, in a slot."""
        return self.rows[ROWS * player + slot // 3] + slot % 3

    def down(self, player: i64) -> vec[i64]:
        """The player's slots that hold a card face down, ascending."""
        seen = self.seen
        rows = self.rows
        first = ROWS * player
        slots = []
        slot = 0
        for row in range(first, first + self.drawn[player]):
            at = rows[row]
            if seen[at] != PUBLIC:
                slots.append(slot)
            if seen[at + 1] != PUBLIC:
                slots.append(slot + 1)
            if seen[at + 2] != PUBLIC:
                slots.append(slot + 2)
            slot += 3
        return slots

    def fresh(self, player: i64, slots: vec[i64]) -> vec[i64]:
        """Those of the slots whose card the mover has not seen."""
        seen = self.seen
        rows = self.rows
        first = ROWS * player
        bit = 1 << self.mover
        return [slot for slot in slots if not seen[rows[first + slot // 3] + slot % 3] & bit]

    def asked(self) -> vec[i64]:
        """The positions of the cards that `doing` names."""
        rows = self.rows
        first = ROWS * player_of(self.doing)
        return [rows[first + slot // 3] + slot % 3 for slot in slots_of(self.doing)]

    def owed(self) -> i64:
        """The position of the card to be looked at or turned up next, UNKNOWN when all are."""
        scores = self.doing >= SCORES
        bit = 1 << self.mover
        for position in self.asked():
            seen = self.seen[position]
            # "score: three face-down cards of one player are turned up for all"; a peek asks only for what is new
            if (seen != PUBLIC) if scores else not seen & bit:
                return position
        return UNKNOWN

    def legal(self) -> i64:
        """List all moves, in canonical order; at CHANCE the faces that the owed card may have."""
        self.moves = []
        if self.ended:
            return 0
        if self.turn == CHANCE:
            self.list_faces()
        else:
            if self.serves():
                self.moves.append(DRAW)
            for player in range(self.seats):
                self.list_peeks(player)
            for player in range(self.seats):
                self.list_scores(player)
        return len(self.moves)

    def list_faces(self) -> None:
        """The face itself when it is known, else every face that has not been seen elsewhere in this round."""
        faces = self.faces
        face = faces[self.owed()]
        if face != UNKNOWN:
            self.moves.append(face)
            return
        free = filled(len(faces), 1)
        for face in faces:
            if face != UNKNOWN:
                free[face] = 0
        for face in range(len(faces)):
            if free[face]:
                self.moves.append(face)

    def list_peeks(self, player: i64) -> None:
        """ "looks at two face-down cards of one player"; "at least one … must be a card … not seen" """
        moves = self.moves
        slots = self.down(player)
        fresh = self.fresh(player, slots)
        for one in range(len(slots)):
            known = slots[one] not in fresh
            for two in range(one + 1, len(slots)):
                if not known or slots[two] in fresh:
                    moves.append(peek_code(player, slots[one], slots[two]))

    def list_scores(self, player: i64) -> None:
        """ "three face-down cards of one player", with every guess and without."""
        moves = self.moves
        guesses = self.guesses
        slots = self.down(player)
        count = len(slots)
        for one in range(count):
            for two in range(one + 1, count):
                for three in range(two + 1, count):
                    code = score_code(player, slots[one], slots[two], slots[three], 0)
                    for guess in range(guesses):
                        moves.append(code + guess)

    def count(self) -> i64:
        """How many moves `legal` would list for a seat's turn, without listing them."""
        total = 1 if self.serves() else 0
        for player in range(self.seats):
            slots = self.down(player)
            count = len(slots)
            if count:
                known = count - len(self.fresh(player, slots))
                total += pairs(count) - pairs(known) + triples(count) * self.guesses
        return total

    def nth(self, number: i64) -> i64:
        """The move of that number (from 0) in the list for a seat's turn, without listing the others."""
        if self.serves():
            if number == 0:
                return DRAW
            number -= 1
        for player in range(self.seats):
            slots = self.down(player)
            fresh = self.fresh(player, slots)
            count = pairs(len(slots)) - pairs(len(slots) - len(fresh))
            if number < count:
                return self.nth_peek(player, slots, fresh, number)
            number -= count
        for player in range(self.seats):
            slots = self.down(player)
            count = triples(len(slots)) * self.guesses
            if number < count:
                return self.nth_score(player, slots, number)
            number -= count
        raise IndexError("there are not that many moves")

    def nth_peek(self, player: i64, slots: vec[i64], fresh: vec[i64], number: i64) -> i64:
        """The peek of that number among those at this player's cards."""
        for slot in slots:
            # a card seen already goes with the later ones that are new, a new one with all that are later
            partners = [later for later in (slots if slot in fresh else fresh) if later > slot]
            if number < len(partners):
                return peek_code(player, slot, partners[number])
            number -= len(partners)
        raise IndexError("there are not that many peeks")

    def nth_score(self, player: i64, slots: vec[i64], number: i64) -> i64:
        """The score of that number among those of this player's cards."""
        guess = number % self.guesses
        number //= self.guesses
        one = 0
        later = len(slots) - 1
        while number >= pairs(later):
            number -= pairs(later)
            one += 1
            later -= 1
        two = one + 1
        later -= 1
        while number >= later:
            number -= later
            two += 1
            later -= 1
        return score_code(player, slots[one], slots[two], slots[two + 1 + number], guess)

    def has(self, code: i64) -> bool:
        """Whether `legal` would list this move for a seat's turn."""
        if code == DRAW:
            return self.serves()
        player = player_of(code)
        slots = slots_of(code)
        down = self.down(player)
        for slot in slots:
            if slot not in down:
                return False
        if code < SCORES:
            return len(self.fresh(player, slots)) > 0
        return guess_of(code) < self.guesses
