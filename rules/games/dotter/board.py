"""The board of Dotter: rows of cards face down, the seats' looks, pegs; draws, looks and scores.

The rules are in page.md, what three cards are worth in hands.py, how a player chooses in search.py.

A card is its position in the round's pile (0 is the top), so row k of the round is the positions 3k to 3k+2. A face
is its number in the pile's list, UNKNOWN to those who have not seen it: the board of a view has fewer faces, and
nothing else is different. While cards are being looked at or turned up, `turn` is CHANCE, and `doing` is the move. A
move is then the face of the card at `owed` (UNKNOWN from those who may not see it).

Any other move is DRAW, or a number made of a player, two or three ascending slots and a guess: their order is the
canonical order of moves. A slot is 3 times the row's number before its player, plus the card's place in the row.

**A game ends.** A draw takes three cards from a pile of at most 54, a score takes three drawn ones off the table: at
most 18 of each in a round. A peek shows its player a card that this player has not seen in the round: at most 54 for
each player. So with six players a round has at most 18 + 18 + 6 * 54 = 360 moves. It can't stand still before its end
either: a draw is legal while the pile holds three. After that, each player's cards face down are a multiple of three,
because they come and go by threes. A seat that has new ones to look at can peek, and one that has looked at all can
score, until none are left; then the round is over. There are at most `max_rounds` rounds, 1000 by the options' range.
"""

from typing import Any, Final, Self

from quadrille.rules.arrays import ONES, array, filled
from quadrille.rules.board import CHANCE, OVER, UNKNOWN, Board
from quadrille.rules.dice import Dice
from quadrille.rules.games.dotter import hands
from quadrille.rules.ints import ONE, ZERO, i64, mypyc_attr, vec
from quadrille.rules.native.fields import fields_of, made
from quadrille.rules.patterns.keys import mixed, mixed_all

#: In `DotterBoard.seen`, in place of a bit for each seat that has looked: turned up for all, and out of its slot.
PUBLIC: Final = -1
#: Maximum seats, rows in a round, and slots before a player.
SEATS: Final = 6
ROWS: Final = 18
SLOTS: Final = 3 * ROWS
#: A card face down is its slot, and in the lowest bits its position in the pile.
PLACE_BITS: Final = 6
PLACE: Final = (1 << PLACE_BITS) - 1

#: All bits of a product but the sign, which plain Python's would go beyond.
SUMMED: Final = (1 << 63) - 1
TOP_BIT: Final = 1 << 62

DRAW: Final = 0
PEEKS: Final = 1
SCORES: Final = PEEKS + SEATS * SLOTS * SLOTS
MOVES: Final = SCORES + SEATS * SLOTS * SLOTS * SLOTS * hands.GUESSES

#: The first steps of a turn; from PLAYERS on come the players, then the slots, then the guesses.
TO_DRAW: Final = 0
TO_PEEK: Final = 1
TO_SCORE: Final = 2
PLAYERS: Final = 3


def turn_code(code: i64, slots: i64, guess: i64) -> i64:
    """Return the peek or score of a player and two or three ascending slots, which are the digits of `code`."""
    return PEEKS + code if slots == 2 else SCORES + code * hands.GUESSES + guess


def player_of(code: i64) -> i64:
    """Return the owner of the cards of a peek or a score."""
    if code < SCORES:
        return (code - PEEKS) // (SLOTS * SLOTS)
    return (code - SCORES) // (SLOTS * SLOTS * SLOTS * hands.GUESSES)


def slot_of(code: i64, card: i64) -> i64:
    """Return the slot of a peek's or a score's card, counted from 0, ascending."""
    slots = cards_of(code)
    code = code - PEEKS if code < SCORES else (code - SCORES) // hands.GUESSES
    for _later in range(card + 1, slots):
        code //= SLOTS
    return code % SLOTS


def cards_of(code: i64) -> i64:
    """Return the number of slots in a move."""
    return 0 if code == DRAW else 2 if code < SCORES else 3


def guess_of(code: i64) -> i64:
    return (code - SCORES) % hands.GUESSES


def ways(marked: i64, plain: i64, cards: i64, least: i64) -> i64:
    """Count the ways to take `cards` out of marked and plain ones, at least `least` of them marked."""
    found = combinations(marked + plain, cards)
    for taken in range(min(least, cards + 1)):
        found -= combinations(marked, taken) * combinations(plain, cards - taken)
    return found


def combinations(count: i64, cards: i64) -> i64:
    """Return the number of ways to take up to three cards out of `count`."""
    if cards < 2:
        return count if cards else ONE
    pairs = count * (count - 1) >> 1
    return pairs if cards == 2 else pairs * (count - 2) // 3


def bit(place: i64) -> i64:
    """Return 1 << place, which C would take for 32 bits."""
    return TOP_BIT >> 62 - place


def place_of_bit(mask: i64, number: i64) -> i64:
    """Return the place of the set bit of that number, counted from 0, in at most 63 bits: by the sums of bytes."""
    sums = bytes_counted(mask) * ONES & SUMMED
    place: i64 = 0
    while sums >> place & 0xFF <= number:
        place += 8
    if place:
        number -= sums >> (place - 8) & 0xFF
    while number or not mask >> place & 1:
        number -= mask >> place & 1
        place += 1
    return place


def bytes_counted(mask: i64) -> i64:
    """Count in each byte the bits that are set."""
    mask -= mask >> 1 & 0x5555555555555555
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333)
    return mask + (mask >> 4) & 0x0F0F0F0F0F0F0F0F


def laid_again(kind: Any, fields: dict[str, Any]) -> Any:
    """Make the table of a pickle."""
    table = made(kind, fields)
    table.clear_scratch()
    return table


@mypyc_attr(allow_interpreted_subclasses=True)
class DotterBoard(Board):
    """A table that moves are made on.

    `mover` is the seat whose turn it is. Of the round: `dealt` positions have been drawn, `discarded` of them scored;
    `faces` and `seen` are by position, and `unseen` has a bit for each face that is not among `faces`;
    `rows[ROWS * s + r]` is the first position of seat s's row r, `drawn[s]` its number of rows. `down[s]` counts the
    cards of seat s that are face down, which are `cards[SLOTS * s]` and so on, ascending: the slot << PLACE_BITS | the
    position; `known[seats * l + s]` counts those of them which seat l has looked at. `asked` are the positions of
    the cards that `doing` names, `owed` is the next of them to be looked at or turned up. `hole`, `laps` and `best` are
    by seat; a peg waits when its hole is the last. `past` has, for each move that can be taken back, the table before
    it. `counts`: whether players count cards (search.py).
    """

    __slots__ = (
        "asked", "best", "cards", "counts", "dealt", "discarded", "doing", "down", "drawn", "faces", "guesses",
        "hand", "hole", "kept", "kinds", "known", "lap_points", "laps", "laps_wanted", "looks", "max_rounds", "mover",
        "outlook", "owed", "past", "ranks", "round", "rows", "seen", "unseen", "worth",
    )  # fmt: skip

    looks: i64
    mover: i64
    doing: i64
    owed: i64
    round: i64
    dealt: i64
    discarded: i64
    asked: vec[i64]
    faces: vec[i64]
    seen: vec[i64]
    unseen: i64
    rows: vec[i64]
    drawn: vec[i64]
    cards: vec[i64]
    down: vec[i64]
    known: vec[i64]
    hole: vec[i64]
    laps: vec[i64]
    best: vec[i64]
    past: "list[DotterBoard]"
    counts: bool
    worth: vec[i64]
    # Of a search (search.py): its table of expected points, and arrays that it writes to within one call.
    outlook: vec[i64]
    hand: vec[i64]
    kinds: vec[i64]
    kept: vec[i64]

    def __init__(
        self, seats: i64, ranks: vec[i64], laps_wanted: i64, lap_points: i64, max_rounds: i64, guesses: i64, looks: i64
    ) -> None:
        """`ranks` of the pile's faces, JOKER for a joker; `guesses` that there are, no guess among them; `looks` that
        another's three cards take.
        """
        super().__init__(seats, len(ranks))
        self.ranks = ranks
        self.laps_wanted = laps_wanted
        self.lap_points = lap_points
        self.max_rounds = max_rounds
        self.guesses = guesses
        self.looks = looks
        self.counts = False
        self.clear_scratch()
        self.reset()

    def clear_scratch(self) -> None:
        """Take the table of points that all boards share; what a search needs is made by the first one."""
        self.worth = hands.points()
        self.kept = filled(0, 0)

    def reset(self) -> None:
        """Go back to the first round, with all pegs at 0."""
        self.start_over()
        self.past = []
        self.hole = filled(self.seats, 0)
        self.laps = filled(self.seats, 0)
        self.best = filled(self.seats, 0)
        self.new_round(0)

    def new_round(self, number: i64) -> None:
        """Begin a round: "players begin with no cards in hand"; "a round starts with a full shuffled deck, face
        down".
        """
        self.round = number
        self.doing = DRAW
        self.owed = UNKNOWN
        self.dealt = 0
        self.discarded = 0
        self.asked = filled(0, 0)
        self.know(filled(len(self.ranks), UNKNOWN))
        self.seen = filled(len(self.ranks), 0)
        self.rows = filled(ROWS * self.seats, 0)
        self.drawn = filled(self.seats, 0)
        self.cards = filled(SLOTS * self.seats, 0)
        self.down = filled(self.seats, 0)
        self.known = filled(self.seats * self.seats, 0)
        # "seat 0 starts the first round, the next seat each later one"; the turns of a seat that is out are skipped
        starter = number % self.seats
        self.mover = self.next_seat(starter) if self.left[starter] else starter
        self.turn = self.mover

    def know(self, faces: vec[i64]) -> None:
        """Take these as the faces of the pile that the board's owner knows."""
        self.faces = faces
        unseen = bit(len(faces)) - 1
        for face in faces:
            if face != UNKNOWN:
                unseen ^= bit(face)
        self.unseen = unseen

    def copy(self) -> Self:
        twin = self.twin()
        twin.ranks = self.ranks
        twin.laps_wanted = self.laps_wanted
        twin.lap_points = self.lap_points
        twin.max_rounds = self.max_rounds
        twin.guesses = self.guesses
        twin.looks = self.looks
        twin.counts = self.counts
        twin.moves = filled(len(self.ranks), 0)  # a long list is not copied
        twin.worth = self.worth
        twin.kept = filled(0, 0)
        twin.past = []
        twin.lie_as(self)
        return twin

    def become(self, other: Board) -> None:
        """Take the position of another table of the same terms."""
        assert isinstance(other, DotterBoard)
        self.stand_as(other)
        self.past = []
        self.lie_as(other)

    def lie_as(self, other: "DotterBoard") -> None:
        """Do the part of `become` that is Dotter's."""
        self.mover = other.mover
        self.doing = other.doing
        self.owed = other.owed
        self.round = other.round
        self.dealt = other.dealt
        self.discarded = other.discarded
        self.asked = other.asked  # replaced, never changed
        self.faces = other.faces[:]
        self.unseen = other.unseen
        self.seen = other.seen[:]
        self.rows = other.rows[:]
        self.drawn = other.drawn[:]
        self.cards = other.cards[:]
        self.down = other.down[:]
        self.known = other.known[:]
        self.hole = other.hole[:]
        self.laps = other.laps[:]
        self.best = other.best[:]

    def __reduce__(self) -> tuple[object, ...]:
        """Return the fields, without those of `clear_scratch` and of a search."""
        return laid_again, (self.__class__, fields_of(self, ("worth", "outlook", "hand", "kinds", "kept")))

    def apply(self, move: i64) -> None:
        """Draw a row; or begin to look at cards or turn them up; or see the one that is owed."""
        before = self.__class__.__new__(self.__class__)
        before.turn = self.turn
        before.lie_as(self)
        self.past.append(before)
        self.make(move)

    def undo(self) -> None:
        before = self.past.pop()
        self.lie_as(before)
        self.turn = before.turn
        self.plies -= 1
        self.ended = False

    def key(self) -> i64:
        """Mix all of it, down to the pegs."""
        key = mixed(mixed(mixed(0, self.turn), self.mover), self.doing)
        key = mixed(mixed(mixed(key, self.round), self.dealt), self.discarded)
        key = mixed_all(mixed_all(mixed_all(key, self.left), self.faces), self.seen)
        key = mixed_all(mixed_all(key, self.rows), self.drawn)
        return mixed_all(mixed_all(mixed_all(key, self.hole), self.laps), self.best)

    # The cards on the table

    def serves(self) -> bool:
        """Return whether a draw is "legal while the deck holds at least three." """
        return len(self.ranks) - self.dealt >= 3

    def position(self, player: i64, slot: i64) -> i64:
        """Return the position in the pile of the card in a slot, or formerly there."""
        return self.rows[ROWS * player + slot // 3] + slot % 3

    def hand_of(self, player: i64, slots: i64) -> vec[i64]:
        """Return the player's cards face down, ascending: twice the slot, plus 1 for a marked card.

        For a peek at two slots the cards are marked that the mover has not seen, for a score of three those that the
        mover has looked at.
        """
        found = filled(self.down[player], 0)
        unmarked: i64 = 1 if slots == 2 else 0
        for i in range(len(found)):
            card = self.cards[SLOTS * player + i]
            found[i] = 2 * (card >> PLACE_BITS) + (self.seen[card & PLACE] >> self.mover & 1 ^ unmarked)
        return found

    def slots(self, player: i64) -> list[i64]:
        """Return the player's slots that hold a card face down, ascending."""
        return [card >> 1 for card in self.hand_of(player, 2)]

    def marked(self, player: i64, slots: i64) -> i64:
        """Count the marked cards of `hand_of`."""
        known = self.known[self.seats * self.mover + player]
        return self.down[player] - known if slots == 2 else known

    def least(self, player: i64, slots: i64) -> i64:
        """Return the number of marked cards that a peek or a score must have.

        Rulings: of a peek "at least one of the two must be a card that this player has not seen"; "another player's
        cards can be scored by who has looked at two of the three", or at as many as the option says.
        """
        return ONE if slots == 2 else ZERO if player == self.mover else self.looks

    def turns(self, player: i64, slots: i64) -> i64:
        """Count the peeks at a player's cards, or the ways to score them without a guess. A player "looks at two drawn
        cards. These may be his or another player's, but both must belong to the same player."
        """
        marked = self.marked(player, slots)
        return ways(marked, self.down[player] - marked, slots, self.least(player, slots))

    def faces_left(self, found: vec[i64]) -> i64:
        """Write the faces that the board's owner has not seen in this round, ascending; return their number."""
        count: i64 = 0
        for face in range(len(self.faces)):
            if self.unseen >> face & 1:
                found[count] = face
                count += 1
        return count

    # Legal moves: listed, counted, and found by number without a list, because there can be more than 100,000

    def legal(self) -> i64:
        """List all moves, in canonical order; at CHANCE the faces that the owed card may have."""
        if self.ended:
            return 0
        if self.turn == CHANCE:
            self.moves[0] = self.faces[self.owed]
            return self.faces_left(self.moves) if self.moves[0] == UNKNOWN else 1
        total = self.count()
        if total > len(self.moves):
            self.moves = filled(2 * total, 0)
        self.moves[0] = DRAW
        count: i64 = 1 if self.serves() else 0
        for slots in range(2, 4):
            for player in range(self.seats):
                cards = self.hand_of(player, slots)
                count = self.list_turns(cards, slots, 0, slots, self.least(player, slots), player, count)
        return count

    def list_turns(self, cards: vec[i64], slots: i64, place: i64, left: i64, least: i64, code: i64, count: i64) -> i64:
        """Write the turns that take `left` more of the cards from `place` on; return the number of all moves."""
        for at in range(place, len(cards) - left + 1):
            card = cards[at]
            longer = code * SLOTS + (card >> 1)
            wanted = least - (card & 1)
            if left > 1:
                count = self.list_turns(cards, slots, at + 1, left - 1, wanted, longer, count)
            elif wanted <= 0:
                for guess in range(ONE if slots == 2 else self.guesses):
                    self.moves[count] = turn_code(longer, slots, guess)
                    count += 1
        return count

    def count(self) -> i64:
        """Return the number of moves that `legal` would list for a seat's turn."""
        total: i64 = 1 if self.serves() else 0
        for player in range(self.seats):
            total += self.turns(player, 2) + self.turns(player, 3) * self.guesses
        return total

    def nth(self, number: i64) -> i64:
        """Return the move of that number (from 0) in the list for a seat's turn, without listing the others."""
        if self.serves():
            if number == 0:
                return DRAW
            number -= 1
        for slots in range(2, 4):
            guesses: i64 = ONE if slots == 2 else self.guesses
            for player in range(self.seats):
                count = self.turns(player, slots) * guesses
                if number < count:
                    return turn_code(self.nth_turn(player, slots, number // guesses), slots, number % guesses)
                number -= count
        raise IndexError("there are not that many moves")

    def nth_turn(self, player: i64, slots: i64, number: i64) -> i64:
        """Return the player and the slots of the peek, or score, of that number: each card is taken or passed over."""
        marked = self.marked(player, slots)
        plain = self.down[player] - marked
        least = self.least(player, slots)
        code = player
        left = slots
        seen = self.seen
        cards = self.cards
        unmarked: i64 = 1 if slots == 2 else 0
        first = SLOTS * player
        for at in range(first, first + self.down[player]):
            card = cards[at]
            mark = seen[card & PLACE] >> self.mover & 1 ^ unmarked  # as `hand_of`, without an array
            marked -= mark
            plain -= 1 - mark
            taking = ways(marked, plain, left - 1, least - mark)
            if number >= taking:
                number -= taking
                continue
            code = code * SLOTS + (card >> PLACE_BITS)
            least -= mark
            left -= 1
            if left == 0:
                break
        return code

    def has(self, code: i64) -> bool:
        """Return whether `legal` would list this move."""
        if self.ended:
            return False
        if self.turn == CHANCE:
            face = self.faces[self.owed]
            return code == face if face != UNKNOWN else 0 <= code < len(self.faces) and self.unseen >> code & 1 == 1
        if code == DRAW:
            return self.serves()
        if not DRAW < code < MOVES:
            return False
        player = player_of(code)
        if player >= self.seats:
            return False
        before: i64 = -1
        slots = cards_of(code)
        least = self.least(player, slots)
        for card in range(slots):
            slot = slot_of(code, card)
            if slot <= before or slot >= 3 * self.drawn[player]:
                return False
            before = slot
            mask = self.seen[self.position(player, slot)]
            if mask == PUBLIC:
                return False
            if mask >> self.mover & 1 == slots - 2:
                least -= 1
        return least <= 0 and (code < SCORES or guess_of(code) < self.guesses)

    # Effects of moves

    def make(self, move: i64) -> None:
        """Make a move without undo."""
        self.plies += 1
        if self.turn == CHANCE:
            self.see(move)
        elif move == DRAW:
            self.draw()
        else:
            self.name_cards(move)

    def draw(self) -> None:
        """Draw a row: a player "draws three cards from the deck and places them face down in a row …. The cards are not
        looked at."
        """
        mover = self.mover
        drawn = self.drawn
        self.rows[ROWS * mover + drawn[mover]] = self.dealt
        first = SLOTS * mover + self.down[mover]
        for card in range(3):
            self.cards[first + card] = (3 * drawn[mover] + card) << PLACE_BITS | self.dealt + card
        drawn[mover] += 1
        self.down[mover] += 3
        self.dealt += 3
        self.pass_turn()

    def pass_turn(self) -> None:
        """Pass the turn on: "plays are taken in turns." """
        self.mover = self.next_seat(self.mover)
        self.turn = self.mover

    def name_cards(self, move: i64) -> None:
        """Ask for the cards of a move. "Which slots were looked at is public, what they are is not." """
        player = player_of(move)
        self.asked = filled(cards_of(move), 0)
        for card in range(len(self.asked)):
            self.asked[card] = self.position(player, slot_of(move, card))
        self.doing = move
        self.turn = CHANCE
        self.owed = self.next_owed()

    def next_owed(self) -> i64:
        """Return the position of the card to be looked at or turned up next, UNKNOWN when all are."""
        for position in self.asked:
            if self.owes(position):
                return position
        return UNKNOWN

    def owes(self, position: i64) -> bool:
        """Return whether a card is owed: "three face-down cards of one player are turned up for all"; of a peek, only a
        new one.
        """
        mask = self.seen[position]
        return mask != PUBLIC if self.doing >= SCORES else mask >> self.mover & 1 == 0

    def see(self, face: i64) -> None:
        """Look at the owed card, or turn it up; after the last one the move is done."""
        if face != UNKNOWN and self.faces[self.owed] == UNKNOWN:
            self.faces[self.owed] = face
            self.unseen ^= bit(face)
        if self.doing >= SCORES:
            self.turn_up(self.owed)
        else:
            self.seen[self.owed] |= 1 << self.mover
            self.known[self.seats * self.mover + player_of(self.doing)] += 1
        self.owed = self.next_owed()
        if self.owed == UNKNOWN:
            points = self.points() if self.doing >= SCORES else i64(UNKNOWN)
            self.doing = DRAW
            if points == UNKNOWN:
                self.pass_turn()
            else:
                self.score(points)

    def turn_up(self, position: i64) -> None:
        """Turn a card "face up": it is no longer down, nor known to those alone who looked at it."""
        player = player_of(self.doing)
        cards = self.cards
        last = SLOTS * player + self.down[player] - 1
        card = cards[last]
        cards[last] = 0
        while card & PLACE != position:
            last -= 1
            after = cards[last]
            cards[last] = card
            card = after
        self.down[player] -= 1
        for seat in range(self.seats):
            self.known[self.seats * seat + player] -= self.seen[position] >> seat & 1
        self.seen[position] = PUBLIC

    def points(self) -> i64:
        """Return the points of the turned-up cards for the mover."""
        one = self.ranks[self.faces[self.asked[0]]]
        two = self.ranks[self.faces[self.asked[1]]]
        three = self.ranks[self.faces[self.asked[2]]]
        points = self.worth[hands.place(guess_of(self.doing), one, two, three)]
        # "Points from another player's cards are halved, rounded down." "Halving … comes last."
        return points if player_of(self.doing) == self.mover else points // 2

    def score(self, points: i64) -> None:
        """Peg the cards that are up; "The scored cards are then placed in the discard pile." The round may be over."""
        mover = self.mover
        self.turn = mover
        self.discarded += 3
        if points > self.best[mover]:
            self.best[mover] = points
        # "must wait … until player 1 scores again", "whatever it was worth": then the peg is on "0 of the next lap"
        hole = self.hole
        for seat in range(self.seats):
            if seat != mover and hole[seat] == self.lap_points:
                hole[seat] = 0
        if self.peg(points):
            self.ended = True
        elif self.serves() or self.dealt > self.discarded:
            self.pass_turn()
        else:
            # "A round ends when the deck cannot serve a draw and no face-down cards are left."
            self.end_round()

    def peg(self, points: i64) -> bool:
        """Move the mover's peg; return whether that wins the game: "Get to 121 points 6 times first." """
        mover = self.mover
        hole = self.hole
        if hole[mover] == self.lap_points:
            return False  # "points its owner scores are lost"
        hole[mover] += points
        if hole[mover] < self.lap_points:
            return False
        # "A score that reaches or passes it puts the peg on 121, what is over is lost, and one lap is complete."
        hole[mover] = self.lap_points
        self.laps[mover] += 1
        # "Who completes the last lap wanted wins at once"; a seat that left while the cards were turned up wins nothing
        return self.laps[mover] == self.laps_wanted and not self.left[mover]

    def end_round(self) -> None:
        """End a round: "after `max_rounds` rounds the game ends"; else pegs are compared and the next round begins."""
        if self.round + 1 == self.max_rounds:
            self.ended = True
            return
        # "leading, retains his points into the next round while player 1 starts from zero"
        furthest: i64 = 0
        for seat in range(self.seats):
            if not self.left[seat]:
                furthest = max(furthest, self.along(seat))
        for seat in range(self.seats):
            # "waiting ends": a peg on the last hole is on 0, the furthest or not. Seats that are out stay as they are.
            if not self.left[seat] and (self.along(seat) < furthest or self.hole[seat] == self.lap_points):
                self.hole[seat] = 0
        self.new_round(self.round + 1)

    def along(self, seat: i64) -> i64:
        """Return a peg's place in its lap: "the 121 peg counts as part of the next lap", as 0."""
        hole = self.hole[seat]
        return ZERO if hole == self.lap_points else hole

    def after_leaving(self, seat: i64) -> None:
        """Pass the turn on; but cards that are being looked at or turned up still are, and then it passes on."""
        if self.mover == seat and self.turn != CHANCE and not self.ended:
            self.pass_turn()

    def compare(self, one: i64, other: i64) -> i64:
        """Compare by "laps completed, then the peg's place." """
        if self.laps[one] != self.laps[other]:
            return self.laps[one] - self.laps[other]
        return self.along(one) - self.along(other)

    # Steps of a turn: the action, the player, the slots, the guess (docs/protocols/search.md, "Steps")

    def next_steps(self, made: vec[i64], first: i64, count: i64, moves: vec[i64]) -> i64:
        """Write the steps that can follow to `moves`, ascending; return their number, 0 after a whole turn."""
        found: i64 = 0
        kind = made[first] if count else UNKNOWN
        slots: i64 = 2 if kind == TO_PEEK else 3
        if count == 0:
            for step in range(PLAYERS):
                ways_on: i64 = 1 if step == TO_DRAW and self.serves() else 0
                for player in range(ZERO if step == TO_DRAW else self.seats):
                    ways_on += self.turns(player, step + 1)
                if ways_on:
                    moves[found] = step
                    found += 1
        elif kind == TO_DRAW:
            return 0
        elif count == 1:
            for player in range(self.seats):
                if self.turns(player, slots) > 0:
                    moves[found] = PLAYERS + player
                    found += 1
        elif count < 2 + slots:
            return self.next_slots(made, first, count, moves)
        elif kind == TO_SCORE and count == 2 + slots:
            for guess in range(self.guesses):
                moves[guess] = PLAYERS + self.seats + SLOTS + guess
            return self.guesses
        return found

    def next_slots(self, made: vec[i64], first: i64, count: i64, moves: vec[i64]) -> i64:
        """Write the slots after the last one with which, and with later ones, a turn can be made."""
        below = PLAYERS + self.seats
        slots: i64 = 2 if made[first] == TO_PEEK else 3
        player = made[first + 1] - PLAYERS
        marked = self.marked(player, slots)
        plain = self.down[player] - marked
        least = self.least(player, slots)
        taken: i64 = 2
        found: i64 = 0
        for card in self.hand_of(player, slots):
            mark = card & 1
            marked -= mark
            plain -= 1 - mark
            if taken < count:
                if made[first + taken] == below + (card >> 1):
                    taken += 1
                    least -= mark
            elif ways(marked, plain, slots + 1 - count, least - mark) > 0:
                moves[found] = below + (card >> 1)
                found += 1
        return found

    def move_of(self, made: vec[i64], first: i64, count: i64) -> i64:
        """Return the board's number of a whole turn."""
        kind = made[first]
        if kind == TO_DRAW:
            return DRAW
        if count < (4 if kind == TO_PEEK else 6):
            return UNKNOWN
        below = PLAYERS + self.seats
        slots: i64 = 2 if kind == TO_PEEK else 3
        code = made[first + 1] - PLAYERS
        for card in range(slots):
            code = code * SLOTS + made[first + 2 + card] - below
        return turn_code(code, slots, 0 if kind == TO_PEEK else made[first + 5] - below - SLOTS)

    # Chance, and cards that a seat has not seen

    def random_move(self, dice: Dice) -> i64:
        """Draw a move by its number; at CHANCE a face that the owed card can have."""
        if self.ended:
            return OVER
        if self.turn != CHANCE:
            return self.nth(dice.below(self.count()))
        face = self.faces[self.owed]
        if face != UNKNOWN:
            return face
        left = bytes_counted(self.unseen) * ONES >> 56 & 0xFF
        return place_of_bit(self.unseen, dice.below(left))

    def playout(self, dice: Dice) -> None:
        """Make random moves to the end of the game, never to be taken back."""
        move = self.random_move(dice)
        while move >= 0:
            self.make(move)
            move = self.random_move(dice)

    def hides(self, seat: i64) -> bool:
        """Return whether a look is hidden from a seat: the player who "looks at two … cards" alone sees them."""
        return self.doing < SCORES and self.mover != seat

    def guess(self, dice: Dice) -> None:
        """Give every card of the pile a face: those that are unknown lie in any order, all equally likely."""
        faces = self.faces
        rest = filled(len(faces), 0)  # `moves` may be listed already
        count = self.faces_left(rest)
        self.unseen = 0
        for position in range(len(faces)):
            if faces[position] == UNKNOWN:
                chosen = dice.below(count)
                count -= 1
                faces[position] = rest[chosen]
                rest[chosen] = rest[count]

    def shape(self) -> vec[i64]:
        """Return five planes, and six a seat, of one row: the cards from the top of the pile."""
        return array((5 + 6 * self.seats, len(self.faces), 1))
