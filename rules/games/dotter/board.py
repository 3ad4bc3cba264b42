"""The board of Dotter: rows of cards face down, the seats' looks, pegs; draws, looks and scores.

The rules are in page.md, what three cards are worth in hands.py, how a player chooses in search.py.

A card is its position in the round's pile (0 is the top), so row k of the round is the positions 3k to 3k+2. A face
is its number in the pile's list, UNKNOWN to those who have not seen it: the board of a view has fewer faces, and
nothing else is different. While cards are being looked at or turned up, `turn` is CHANCE. A move is then the face of
the card that is `owed` (UNKNOWN from those who may not see it).

Any other move is DRAW, or a number made of a player, two or three ascending slots and a guess: their order is the
canonical order of moves. A slot is 3 times the row's number before its player, plus the card's place in the row.

**A game ends.** A draw takes three cards from a pile of at most 54, a score takes three drawn ones off the table: at
most 18 of each in a round. A peek shows its player a card that this player has not seen in the round: at most 54 for
each player. So with six players a round has at most 18 + 18 + 6 * 54 = 360 moves. It can't stand still before its end
either: a draw is legal while the pile holds three. After that, each player's cards face down are a multiple of three,
because they come and go by threes. A seat that has new ones to look at can peek, and one that has looked at all can
score, until none are left; then the round is over. There are at most `max_rounds` rounds, 1000 by the options' range.
"""

from typing import Final, Self

from quadrille.rules.arrays import ONES, array, fill, filled
from quadrille.rules.board import CHANCE, OVER, UNKNOWN, FlatBoard
from quadrille.rules.dice import Dice
from quadrille.rules.games.dotter import hands
from quadrille.rules.ints import ONE, ZERO, i64, mypyc_attr, vec
from quadrille.rules.patterns.keys import mixed, mixed_all

#: In `DotterBoard.seen`, in place of a bit for each seat that has looked: turned up for all, and out of its slot.
PUBLIC: Final = -1
#: Maximum seats, rows in a round, and slots before a player.
SEATS: Final = 6
ROWS: Final = 18
SLOTS: Final = 3 * ROWS

#: The bytes of a mask: larger constants would be objects to the compiler.
BYTES: Final = (1 << 56) - 1
TOP_BIT: Final = 1 << 60

DRAW: Final = 0
PEEKS: Final = 1
SCORES: Final = PEEKS + SEATS * SLOTS * SLOTS
MOVES: Final = SCORES + SEATS * SLOTS * SLOTS * SLOTS * hands.GUESSES

#: The first steps of a turn; from PLAYERS on come the players, then the slots, then the guesses.
TO_DRAW: Final = 0
TO_PEEK: Final = 1
TO_SCORE: Final = 2
PLAYERS: Final = 3

#: Indices in `DotterBoard.at`: by seat, of the round, by seat again, and by position.
HOLE: Final = 0
LAPS: Final = HOLE + SEATS
BEST: Final = LAPS + SEATS
ROUND: Final = BEST + SEATS
MOVER: Final = ROUND + 1
DOING: Final = ROUND + 2
NAMED: Final = ROUND + 3
ASKED: Final = ROUND + 4
DEALT: Final = ROUND + 5
UNSEEN: Final = ROUND + 6
OWN: Final = ROUND + 7
DOWN: Final = OWN + SEATS
LOOKED: Final = DOWN + SEATS
FACES: Final = LOOKED + SEATS


def turn_code(code: i64, slots: i64, guess: i64) -> i64:
    """Return the peek or score of a player and two or three ascending slots, which are the digits of `code`."""
    return PEEKS + code if slots == 2 else SCORES + code * hands.GUESSES + guess


def digits_of(code: i64) -> i64:
    """Return the player and the slots of a peek or a score, as `turn_code` takes them."""
    return code - PEEKS if code < SCORES else (code - SCORES) // hands.GUESSES


def player_of(code: i64) -> i64:
    """Return the owner of the cards of a peek or a score."""
    digits = digits_of(code)
    return digits // (SLOTS * SLOTS) if code < SCORES else digits // (SLOTS * SLOTS * SLOTS)


def cards_of(code: i64) -> i64:
    """Return the number of slots in a move."""
    return 0 if code == DRAW else 2 if code < SCORES else 3


def guess_of(code: i64) -> i64:
    return (code - SCORES) % hands.GUESSES


def ways(marked: i64, plain: i64, cards: i64, least: i64) -> i64:
    """Count the ways to take `cards` out of marked and plain ones, at least `least` of them marked."""
    hands = combinations(marked + plain, cards)
    for taken in range(min(least, cards + 1)):
        hands -= combinations(marked, taken) * combinations(plain, cards - taken)
    return hands


def combinations(count: i64, cards: i64) -> i64:
    """Return the number of ways to take up to three cards out of `count`."""
    if cards < 2:
        return count if cards else ONE
    pairs = count * (count - 1) >> 1
    return pairs if cards == 2 else pairs * (count - 2) // 3


# Masks: a bit for each position of the pile, or for each face, in seven bytes


def bit(place: i64) -> i64:
    """Return 1 << place, which C would take for 32 bits."""
    return TOP_BIT >> 60 - place


def bytes_counted(mask: i64) -> i64:
    """Count in each byte the bits that are set."""
    mask -= mask >> 1 & 0x55555555555555
    mask = (mask & 0x33333333333333) + (mask >> 2 & 0x33333333333333)
    return mask + (mask >> 4) & 0x0F0F0F0F0F0F0F


def counted(mask: i64) -> i64:
    """Return the number of bits that are set."""
    return bytes_counted(mask) * ONES >> 48 & 0xFF


def lowest(mask: i64) -> i64:
    """Return the place of the first bit that is set."""
    return counted((mask & -mask) - 1)


def place_of_bit(mask: i64, number: i64) -> i64:
    """Return the place of the set bit of that number, counted from 0: by the sums of bytes."""
    sums = bytes_counted(mask) * ONES & BYTES
    place: i64 = 0
    while sums >> place & 0xFF <= number:
        place += 8
    if place:
        number -= sums >> (place - 8) & 0xFF
    while number or not mask >> place & 1:
        number -= mask >> place & 1
        place += 1
    return place


@mypyc_attr(allow_interpreted_subclasses=True)
class DotterTerms:
    """The agreement before the game, shared by boards and never changed.

    `ranks` of the pile's faces, JOKER for a joker; `guesses` that there are, no guess among them; `looks` that
    another's three cards take; `worth` is the table of points.
    """

    __slots__ = ("guesses", "lap_points", "laps_wanted", "looks", "max_rounds", "ranks", "worth")

    def __init__(
        self, ranks: vec[i64], laps_wanted: i64, lap_points: i64, max_rounds: i64, guesses: i64, looks: i64
    ) -> None:
        self.ranks = ranks
        self.laps_wanted = laps_wanted
        self.lap_points = lap_points
        self.max_rounds = max_rounds
        self.guesses = guesses
        self.looks = looks
        self.worth = hands.points()

    def __reduce__(self) -> tuple[object, ...]:
        terms = (self.ranks, self.laps_wanted, self.lap_points, self.max_rounds, self.guesses, self.looks)
        return DotterTerms, terms


@mypyc_attr(allow_interpreted_subclasses=True)
class DotterBoard(FlatBoard):
    """A table that moves are made on.

    At HOLE, LAPS and BEST `at` has the pegs by seat; a peg waits when its hole is the last. MOVER is the seat whose
    turn it is. While cards are looked at or turned up, DOING is its move, NAMED has the cards of that move, and
    ASKED those of them still to be seen. DEALT positions have been drawn in the round. Sets of cards are masks of
    positions: OWN, by seat, those drawn by it, so that its card of slot n is the n-th of them; DOWN, those of them
    that are face down; LOOKED, those face down that it has looked at. FACES are by position, and UNSEEN has a bit
    for each face that is not among them. `counts`: whether players count cards (search.py).
    """

    __slots__ = ("counts", "terms")

    counts: bool
    terms: DotterTerms

    def __init__(self, seats: i64, terms: DotterTerms) -> None:
        super().__init__(seats, len(terms.ranks))
        self.terms = terms
        self.counts = False
        self.reset()

    def reset(self) -> None:
        """Go back to the first round, with all pegs at 0."""
        self.start_over()
        self.clear(FACES + len(self.terms.ranks))
        self.new_round(0)

    def new_round(self, number: i64) -> None:
        """Begin a round: "players begin with no cards in hand"; "a round starts with a full shuffled deck, face
        down".
        """
        fill(self.at, ROUND, FACES - ROUND, 0)
        self.at[ROUND] = number
        self.know(filled(len(self.terms.ranks), UNKNOWN))
        # "seat 0 starts the first round, the next seat each later one"; the turns of a seat that is out are skipped
        starter = number % self.seats
        self.begin_turn(self.next_seat(starter) if self.left[starter] else starter)

    def know(self, faces: vec[i64]) -> None:
        """Take these as the faces of the pile that the board's owner knows."""
        at = self.at
        at[UNSEEN] = bit(len(faces)) - 1
        for position in range(len(faces)):
            at[FACES + position] = faces[position]
            if faces[position] != UNKNOWN:
                at[UNSEEN] ^= bit(faces[position])

    def copy(self) -> Self:
        twin = self.twin()
        twin.terms = self.terms
        twin.counts = self.counts
        twin.moves = filled(len(self.terms.ranks), 0)  # a long list is not copied
        return twin

    def key(self) -> i64:
        """Mix all of it, down to the pegs."""
        return mixed_all(mixed_all(mixed(0, self.turn), self.left), self.at)

    # The cards on the table

    def by_seat(self, first: i64) -> vec[i64]:
        """Return the numbers of all seats at a place of `at`."""
        return self.at[first : first + self.seats]

    @property
    def faces(self) -> vec[i64]:
        """The faces by position, UNKNOWN to those who have not seen them."""
        return self.at[FACES : FACES + len(self.terms.ranks)]

    @property
    def seen(self) -> vec[i64]:
        """By position PUBLIC, or a bit for each seat that has looked at the card, which is face down."""
        lookers = filled(len(self.terms.ranks), 0)
        up = self.up()
        for position in range(len(lookers)):
            lookers[position] = i64(PUBLIC) if up >> position & 1 else self.lookers(position)
        return lookers

    def lookers(self, position: i64) -> i64:
        """Return a bit for each seat that has looked at a card face down."""
        mask: i64 = 0
        for seat in range(self.seats):
            mask |= (self.at[LOOKED + seat] >> position & 1) << seat
        return mask

    def serves(self) -> bool:
        """Return whether a draw is "legal while the deck holds at least three." """
        return len(self.terms.ranks) - self.at[DEALT] >= 3

    def rows(self, player: i64) -> list[i64]:
        """Return the first positions of a player's rows in this round."""
        return [position for position in range(0, self.at[DEALT], 3) if self.at[OWN + player] >> position & 1]

    def position(self, player: i64, slot: i64) -> i64:
        """Return the position in the pile of the card in a slot, or formerly there."""
        return place_of_bit(self.at[OWN + player], slot)

    def up(self) -> i64:
        """Return the cards that were turned up in this round."""
        up: i64 = 0
        for seat in range(self.seats):
            up |= self.at[OWN + seat] ^ self.at[DOWN + seat]
        return up

    def marked(self, player: i64, slots: i64) -> i64:
        """Return those of a player's cards face down that matter for a move.

        For a peek at two slots these are the cards that the mover has not seen, for a score of three those that the
        mover has looked at.
        """
        at = self.at
        looked = at[LOOKED + at[MOVER]]
        return at[DOWN + player] & (~looked if slots == 2 else looked)

    def hand_of(self, player: i64, slots: i64) -> vec[i64]:
        """Return the player's cards face down, ascending: twice the slot, plus 1 for a marked card."""
        marked = self.marked(player, slots)
        down = self.at[DOWN + player]
        hand = filled(counted(down), 0)
        for i in range(len(hand)):
            card = down & -down
            hand[i] = 2 * counted(self.at[OWN + player] & (card - 1)) + (1 if marked & card else 0)
            down ^= card
        return hand

    def slots(self, player: i64) -> list[i64]:
        """Return the player's slots that hold a card face down, ascending."""
        return [card >> 1 for card in self.hand_of(player, 2)]

    def least(self, player: i64, slots: i64) -> i64:
        """Return the number of marked cards that a peek or a score must have.

        Rulings: of a peek "at least one of the two must be a card that this player has not seen"; "another player's
        cards can be scored by who has looked at two of the three", or at as many as the option says.
        """
        return ONE if slots == 2 else ZERO if player == self.at[MOVER] else self.terms.looks

    def turns(self, player: i64, slots: i64, taken: i64, rest: i64) -> i64:
        """Count the peeks at a player's cards, or the ways to score them without a guess, with all of the `taken` ones
        and others of the `rest`. A player "looks at two drawn cards. These may be his or another player's, but both
        must belong to the same player."
        """
        at = self.at
        looked = at[LOOKED + at[MOVER]]
        marked = ~looked if slots == 2 else looked  # as in `marked`, which is asked too often here
        least = self.least(player, slots)
        if taken:
            slots -= counted(taken)
            least -= counted(taken & marked)
        return ways(counted(rest & marked), counted(rest & ~marked), slots, least)

    def named(self, code: i64) -> i64:
        """Return the cards face down that a peek or a score names; none unless all are there, in ascending slots."""
        player = player_of(code)
        own = self.at[OWN + player]
        after = counted(own)
        named: i64 = 0
        digits = digits_of(code)
        for _card in range(cards_of(code)):
            slot = digits % SLOTS
            digits //= SLOTS
            if slot >= after:
                return 0
            after = slot
            named |= bit(place_of_bit(own, slot))
        return ZERO if named & ~self.at[DOWN + player] else named

    def turn_of(self, player: i64, cards: i64, guess: i64) -> i64:
        """Return the peek at two of a player's cards, or the score of three."""
        own = self.at[OWN + player]
        slots = counted(cards)
        code = player
        while cards:
            code = code * SLOTS + counted(own & ((cards & -cards) - 1))
            cards &= cards - 1
        return turn_code(code, slots, guess)

    # Legal moves: listed, counted, and found by number without a list, because there can be more than 100,000

    def legal(self) -> i64:
        """List all moves; at CHANCE the faces that the owed card may have."""
        if self.ended:
            return 0
        if self.turn == CHANCE:
            self.moves[0] = self.at[FACES + self.owed()]
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

    def faces_left(self, faces: vec[i64]) -> i64:
        """Write the faces that the board's owner has not seen in this round, ascending; return their number."""
        count: i64 = 0
        for face in range(len(self.terms.ranks)):
            if self.at[UNSEEN] >> face & 1:
                faces[count] = face
                count += 1
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
                for guess in range(ONE if slots == 2 else self.terms.guesses):
                    self.moves[count] = turn_code(longer, slots, guess)
                    count += 1
        return count

    def count(self) -> i64:
        """Return the number of moves that `legal` would list for a seat's turn."""
        total: i64 = 1 if self.serves() else 0
        for player in range(self.seats):
            down = self.at[DOWN + player]
            total += self.turns(player, 2, 0, down) + self.turns(player, 3, 0, down) * self.terms.guesses
        return total

    def nth(self, number: i64) -> i64:
        """Return the move of that number (from 0) in the list for a seat's turn, without listing the others."""
        if self.serves():
            if number == 0:
                return DRAW
            number -= 1
        for slots in range(2, 4):
            guesses: i64 = ONE if slots == 2 else self.terms.guesses
            for player in range(self.seats):
                rest = self.at[DOWN + player]
                count = self.turns(player, slots, 0, rest) * guesses
                if number < count:
                    return self.turn_of(player, self.nth_cards(player, slots, number // guesses), number % guesses)
                number -= count
        raise IndexError("there are not that many moves")

    def nth_cards(self, player: i64, slots: i64, number: i64) -> i64:
        """Return the cards of the peek, or score, of that number: each card is taken or passed over."""
        rest = self.at[DOWN + player]
        marked = self.marked(player, slots)
        least = self.least(player, slots)
        taken: i64 = 0
        while slots:
            card = rest & -rest
            rest ^= card
            lacks = least - 1 if marked & card else least
            taking = ways(counted(rest & marked), counted(rest & ~marked), slots - 1, lacks)
            if number < taking:
                taken |= card
                slots -= 1
                least = lacks
            else:
                number -= taking
        return taken

    def has(self, code: i64) -> bool:
        """Return whether `legal` would list this move."""
        if self.ended:
            return False
        at = self.at
        if self.turn == CHANCE:
            face = at[FACES + self.owed()]
            if face != UNKNOWN:
                return code == face
            return 0 <= code < len(self.terms.ranks) and at[UNSEEN] >> code & 1 == 1
        if code == DRAW:
            return self.serves()
        if not DRAW < code < MOVES or player_of(code) >= self.seats:
            return False
        player = player_of(code)
        slots = cards_of(code)
        named = self.named(code)
        if named == 0 or counted(named & self.marked(player, slots)) < self.least(player, slots):
            return False
        return code < SCORES or guess_of(code) < self.terms.guesses

    # Effects of moves

    def make(self, move: i64) -> None:
        """Make a move without undo."""
        at = self.at
        self.plies += 1
        if self.turn == CHANCE:
            self.see(move)
        elif move == DRAW:
            self.draw()
        else:
            # "Which slots were looked at is public, what they are is not."
            at[DOING] = move
            at[NAMED] = self.named(move)
            # "three face-down cards of one player are turned up for all"; of a peek, only new ones are seen
            at[ASKED] = at[NAMED] if move >= SCORES else at[NAMED] & ~at[LOOKED + at[MOVER]]
            self.turn = CHANCE

    def draw(self) -> None:
        """Draw a row: a player "draws three cards from the deck and places them face down in a row …. The cards are not
        looked at."
        """
        at = self.at
        row = 7 * bit(at[DEALT])
        at[OWN + at[MOVER]] |= row
        at[DOWN + at[MOVER]] |= row
        at[DEALT] += 3
        self.begin_turn(self.next_seat(at[MOVER]))

    def begin_turn(self, seat: i64) -> None:
        """Pass the turn on: "plays are taken in turns." """
        self.at[DOING] = DRAW
        self.at[NAMED] = 0
        self.at[MOVER] = seat
        self.turn = seat

    def owed(self) -> i64:
        """Return the position of the card to be looked at or turned up next."""
        return lowest(self.at[ASKED])

    def see(self, face: i64) -> None:
        """Look at the owed card, or turn it up; after the last one the move is done."""
        at = self.at
        position = self.owed()
        card = bit(position)
        if face != UNKNOWN and at[FACES + position] == UNKNOWN:
            at[FACES + position] = face
            at[UNSEEN] ^= bit(face)
        at[ASKED] ^= card
        if at[DOING] >= SCORES:
            at[DOWN + player_of(at[DOING])] ^= card
            for seat in range(self.seats):
                at[LOOKED + seat] &= ~card
        else:
            at[LOOKED + at[MOVER]] |= card
        if at[ASKED]:
            return
        if at[DOING] < SCORES:
            self.begin_turn(self.next_seat(at[MOVER]))
        else:
            self.score(self.points())

    def points(self) -> i64:
        """Return the points of the turned-up cards for the mover."""
        at = self.at
        place = guess_of(at[DOING])
        cards = at[NAMED]
        while cards:
            place = place * hands.RANKS + self.terms.ranks[at[FACES + lowest(cards)]]
            cards &= cards - 1
        points = self.terms.worth[place]
        # "Points from another player's cards are halved, rounded down." "Halving … comes last."
        return points if player_of(at[DOING]) == at[MOVER] else points // 2

    def score(self, points: i64) -> None:
        """Peg the cards that are up; "The scored cards are then placed in the discard pile." The round may be over."""
        at = self.at
        mover = at[MOVER]
        last = self.terms.lap_points
        self.begin_turn(mover)
        at[BEST + mover] = max(at[BEST + mover], points)
        # "must wait … until player 1 scores again", "whatever it was worth": then the peg is on "0 of the next lap"
        for seat in range(self.seats):
            if seat != mover and at[HOLE + seat] == last:
                at[HOLE + seat] = 0
        if self.peg(points):
            self.ended = True
        elif self.serves() or self.up() != bit(at[DEALT]) - 1:
            self.begin_turn(self.next_seat(mover))
        else:
            # "A round ends when the deck cannot serve a draw and no face-down cards are left."
            self.end_round()

    def peg(self, points: i64) -> bool:
        """Move the mover's peg; return whether that wins the game: "Get to 121 points 6 times first." """
        at = self.at
        mover = at[MOVER]
        last = self.terms.lap_points
        if at[HOLE + mover] == last:
            return False  # "points its owner scores are lost"
        # "A score that reaches or passes it puts the peg on 121, what is over is lost, and one lap is complete."
        at[HOLE + mover] = min(at[HOLE + mover] + points, last)
        if at[HOLE + mover] < last:
            return False
        at[LAPS + mover] += 1
        # "Who completes the last lap wanted wins at once"; a seat that left while the cards were turned up wins nothing
        return at[LAPS + mover] == self.terms.laps_wanted and not self.left[mover]

    def end_round(self) -> None:
        """End a round: "after `max_rounds` rounds the game ends"; else pegs are compared and the next round begins."""
        at = self.at
        if at[ROUND] + 1 == self.terms.max_rounds:
            self.ended = True
            return
        # "leading, retains his points into the next round while player 1 starts from zero"
        furthest: i64 = 0
        for seat in range(self.seats):
            if not self.left[seat]:
                furthest = max(furthest, self.along(seat))
        for seat in range(self.seats):
            # "waiting ends": a peg on the last hole is on 0, the furthest or not. Seats that are out stay as they are.
            if not self.left[seat]:
                at[HOLE + seat] = furthest if self.along(seat) == furthest else ZERO
        self.new_round(at[ROUND] + 1)

    def along(self, seat: i64) -> i64:
        """Return a peg's place in its lap: "the 121 peg counts as part of the next lap", as 0."""
        hole = self.at[HOLE + seat]
        return ZERO if hole == self.terms.lap_points else hole

    def after_leaving(self, seat: i64) -> None:
        """Pass the turn on; but cards that are being looked at or turned up still are, and then it passes on."""
        if self.turn == seat and not self.ended:
            self.begin_turn(self.next_seat(seat))

    def compare(self, seat: i64, other: i64) -> i64:
        """Compare by "laps completed, then the peg's place." """
        at = self.at
        lead = at[LAPS + seat] - at[LAPS + other]
        return lead if lead else self.along(seat) - self.along(other)

    # Steps of a turn: the action, the player, the slots, the guess (docs/protocols/search.md, "Steps")

    def next_steps(self, made: vec[i64], first: i64, count: i64, moves: vec[i64]) -> i64:
        """Write the steps that can follow to `moves`, ascending; return their number, 0 after a whole turn."""
        found: i64 = 0
        kind = made[first] if count else i64(UNKNOWN)
        slots: i64 = 2 if kind == TO_PEEK else 3
        if count == 0:
            for step in range(PLAYERS):
                ways_on: i64 = 1 if step == TO_DRAW and self.serves() else 0
                for player in range(ZERO if step == TO_DRAW else self.seats):
                    ways_on += self.turns(player, step + 1, 0, self.at[DOWN + player])
                if ways_on:
                    moves[found] = step
                    found += 1
        elif kind == TO_DRAW:
            return 0
        elif count == 1:
            for player in range(self.seats):
                if self.turns(player, slots, 0, self.at[DOWN + player]) > 0:
                    moves[found] = PLAYERS + player
                    found += 1
        elif count < 2 + slots:
            return self.next_slots(made, first, count, moves)
        elif kind == TO_SCORE and count == 2 + slots:
            for guess in range(self.terms.guesses):
                moves[guess] = PLAYERS + self.seats + SLOTS + guess
            return self.terms.guesses
        return found

    def next_slots(self, made: vec[i64], first: i64, count: i64, moves: vec[i64]) -> i64:
        """Write the slots after the last one with which, and with later ones, a turn can be made."""
        below = PLAYERS + self.seats
        slots: i64 = 2 if made[first] == TO_PEEK else 3
        player = made[first + 1] - PLAYERS
        own = self.at[OWN + player]
        taken: i64 = 0
        for step in range(first + 2, first + count):
            taken |= bit(place_of_bit(own, made[step] - below))
        rest = self.at[DOWN + player]
        found: i64 = 0
        while rest:
            card = rest & -rest
            rest ^= card
            if card > taken and self.turns(player, slots, taken | card, rest) > 0:
                moves[found] = below + counted(own & (card - 1))
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
        face = self.at[FACES + self.owed()]
        if face != UNKNOWN:
            return face
        unseen = self.at[UNSEEN]
        return place_of_bit(unseen, dice.below(counted(unseen)))

    def playout(self, dice: Dice) -> None:
        """Make random moves to the end of the game, never to be taken back."""
        move = self.random_move(dice)
        while move >= 0:
            self.make(move)
            move = self.random_move(dice)

    def hides(self, seat: i64) -> bool:
        """Return whether a look is hidden from a seat: the player who "looks at two … cards" alone sees them."""
        return self.at[DOING] < SCORES and self.at[MOVER] != seat

    def guess(self, dice: Dice) -> None:
        """Give every card of the pile a face: those that are unknown lie in any order, all equally likely."""
        at = self.at
        rest = filled(len(self.terms.ranks), 0)  # `moves` may be listed already
        count = self.faces_left(rest)
        at[UNSEEN] = 0
        for place in range(FACES, FACES + len(rest)):
            if at[place] == UNKNOWN:
                chosen = dice.below(count)
                count -= 1
                at[place] = rest[chosen]
                rest[chosen] = rest[count]

    def shape(self) -> vec[i64]:
        """Return five planes, and six a seat, of one row: the cards from the top of the pile."""
        return array((5 + 6 * self.seats, len(self.terms.ranks), 1))
