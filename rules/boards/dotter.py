"""The board of Dotter: rows of cards face down, the seats' looks, pegs; draws, looks and scores.

The rules are in rules/pages/dotter.md, what three cards are worth in rules/boards/_dotter/hands.py, the numbers of
moves in rules/boards/_dotter/moves.py.

A card is its position in the round's pile (0 is the top), so row k of the round is the positions 3k to 3k+2. A face
is its number in the pile's list, UNKNOWN to those who have not seen it: the board of a view has fewer faces, and
nothing else is different. While cards are being looked at or turned up, `turn` is CHANCE, and `doing` is the move. A
move is then the face of the card that `owed` names (UNKNOWN from those who may not see it).

**A game ends.** A draw takes three cards from a pile of at most 54, a score takes three drawn ones off the table: at
most 18 of each in a round. A peek shows its player a card that this player has not seen in the round: at most 54 for
each player. So with six players a round has at most 18 + 18 + 6 * 54 = 360 moves. It can't stand still before its end
either: a draw is legal while the pile holds three. After that, each player's cards face down are a multiple of three
(they come and go by threes), so a score is legal until none are left; then the round is over. There are at most
`max_rounds` rounds, 1000 by the options' range, whoever leaves.
"""

from typing import Any, Final, Self

from quadrille.rules.arrays import array, filled
from quadrille.rules.board import CHANCE, OVER, PART, UNKNOWN, Board
from quadrille.rules.boards._dotter import hands
from quadrille.rules.boards._dotter.counting import KINDS, UNSEEN, CardCount, outlook
from quadrille.rules.boards._dotter.moves import (
    DRAW,
    PEEK_STEPS,
    PLAYERS,
    PUBLIC,
    ROWS,
    SCORE_STEPS,
    SCORES,
    SLOTS,
    TO_DRAW,
    TO_PEEK,
    TO_SCORE,
    cards_of,
    guess_of,
    peek_code,
    player_of,
    score_code,
    score_of,
    slot_of,
)
from quadrille.rules.dice import Dice
from quadrille.rules.ints import i64, mypyc_attr, vec
from quadrille.rules.native.fields import fields_of, made
from quadrille.rules.observations.layout import BIT, FIGURE, NUMBER, STILL
from quadrille.rules.observations.sight import Sight
from quadrille.rules.patterns.keys import mixed, mixed_all

#: To be shifted right for a bit of any number: C takes the 1 of `1 << n` for a number of 32 bits, and so does the
#: compiler.
TOP: Final = 0x4000000000000000
#: Maximum cards of one player that are evaluated together, those seen by the mover first; and maximum unseen ones.
CARDS: Final = 9
BLANKS: Final = 3
#: Maximum scores of one player's cards that are promising.
SCORES_KEPT: Final = 3
#: At sight, a random move is made once in this many turns.
WHIM: Final = 10
#: At sight, a player who counts cards does so when at most this many are left in the round.
COUNTED: Final = 9


def pairs(count: i64) -> i64:
    """Number of pairs out of `count`."""
    return count * (count - 1) // 2


def triples(count: i64) -> i64:
    """Number of triples out of `count`."""
    return count * (count - 1) * (count - 2) // 6


def laid_again(kind: Any, fields: dict[str, Any]) -> Any:
    """The table of a pickle."""
    table = made(kind, fields)
    table.worth = hands.points()
    return table


@mypyc_attr(allow_interpreted_subclasses=True)
class DotterBoard(Board):
    """A table that moves are made on.

    `mover` is the seat whose turn it is. Of the round: `dealt` positions have been drawn, `discarded` of them scored;
    `faces` and `seen` are by position; `rows[ROWS * s + r]` is the first position of seat s's row r, `drawn[s]` its
    number of rows. `hole`, `laps` and `best` are by seat; a peg waits when its hole is the last. `slots` and `fresh`
    are the result of `look_over`, `trail` and `past` the undo data. `counts`: whether players count cards (`sharpen`).
    """

    __slots__ = (
        "best", "counts", "dealt", "discarded", "doing", "drawn", "faces", "fresh", "guesses", "hole", "lap_points",
        "laps", "laps_wanted", "max_rounds", "mover", "past", "ranks", "round", "rows", "seen", "slots", "trail",
        "worth",
    )  # fmt: skip

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
        assert isinstance(other, DotterBoard)
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

    def unseen(self) -> i64:
        """The faces that the board's owner has not seen in this round, as bits."""
        bits: i64 = (TOP >> (62 - len(self.faces))) - 1
        for face in self.faces:
            if face != UNKNOWN:
                bits &= ~(TOP >> (62 - face))
        return bits

    def kind(self, position: i64) -> i64:
        """The rank of a card, if it is turned up or the mover has looked at it and this board knows it; else UNSEEN."""
        face = self.faces[position]
        mask = self.seen[position]
        if face == UNKNOWN or (mask != PUBLIC and mask >> self.mover & 1 == 0):
            return UNSEEN
        return self.ranks[face]

    # Legal moves: listed, counted, and found by number without a list, because there can be more than 100,000

    def legal(self) -> i64:
        """List all moves, in canonical order; at CHANCE the faces that the owed card may have."""
        if self.ended:
            return 0
        if self.turn == CHANCE:
            return self.list_faces()
        total = self.count()
        if total > len(self.moves):
            self.moves = filled(2 * total, 0)
        count: i64 = 0
        if self.serves():
            self.moves[0] = DRAW
            count = 1
        for player in range(self.seats):
            count = self.list_peeks(player, count)
        for player in range(self.seats):
            count = self.list_scores(player, count)
        return count

    def list_faces(self) -> i64:
        """The face itself if it is known, else every face that has not been seen elsewhere in this round."""
        moves = self.moves
        face = self.faces[self.owed()]
        if face != UNKNOWN:
            moves[0] = face
            return 1
        bits = self.unseen()
        count: i64 = 0
        face = 0
        while bits:
            if bits & 1:
                moves[count] = face
                count += 1
            bits >>= 1
            face += 1
        return count

    def list_peeks(self, player: i64, count: i64) -> i64:
        """ "looks at two face-down cards of one player"; "at least one … must be a card … not seen" """
        moves = self.moves
        slots = self.slots
        fresh = self.fresh
        down = self.look_over(player)
        for one in range(down):
            for two in range(one + 1, down):
                if fresh[one] or fresh[two]:
                    moves[count] = peek_code(player, slots[one], slots[two])
                    count += 1
        return count

    def list_scores(self, player: i64, count: i64) -> i64:
        """ "three face-down cards of one player", with every guess and without."""
        moves = self.moves
        slots = self.slots
        down = self.look_over(player)
        for one in range(down):
            for two in range(one + 1, down):
                for three in range(two + 1, down):
                    code = score_code(player, slots[one], slots[two], slots[three], 0)
                    for guess in range(self.guesses):
                        moves[count] = code + guess
                        count += 1
        return count

    def count(self) -> i64:
        """Number of moves that `legal` would list for a seat's turn. Writes to no array."""
        total: i64 = 1 if self.serves() else 0
        seen = self.seen
        rows = self.rows
        mover = self.mover
        for player in range(self.seats):
            down: i64 = 0
            known: i64 = 0
            first = ROWS * player
            for place in range(first, first + self.drawn[player]):
                at = rows[place]
                for card in range(at, at + 3):
                    mask = seen[card]
                    if mask != PUBLIC:
                        down += 1
                        known += mask >> mover & 1
            if down:
                total += pairs(down) - pairs(known) + triples(down) * self.guesses
        return total

    def nth(self, number: i64) -> i64:
        """The move of that number (from 0) in the list for a seat's turn, without listing the others."""
        if self.serves():
            if number == 0:
                return DRAW
            number -= 1
        for player in range(self.seats):
            down = self.look_over(player)
            count = pairs(down) - pairs(down - self.new_ones(down))
            if number < count:
                return self.nth_peek(player, down, number)
            number -= count
        for player in range(self.seats):
            down = self.look_over(player)
            count = triples(down) * self.guesses
            if number < count:
                return self.nth_score(player, down, number)
            number -= count
        raise IndexError("there are not that many moves")

    def nth_peek(self, player: i64, down: i64, number: i64) -> i64:
        """The peek of that number among those at this player's cards, after `look_over`."""
        slots = self.slots
        fresh = self.fresh
        later = self.new_ones(down)
        for one in range(down):
            # a card seen already goes with the later ones that are new, a new one with all that are later
            later -= fresh[one]
            partners = down - one - 1 if fresh[one] else later
            if number < partners:
                for two in range(one + 1, down):
                    if fresh[one] or fresh[two]:
                        if number == 0:
                            return peek_code(player, slots[one], slots[two])
                        number -= 1
            number -= partners
        raise IndexError("there are not that many peeks")

    def nth_score(self, player: i64, down: i64, number: i64) -> i64:
        """The score of that number among those of this player's cards, after `look_over`."""
        slots = self.slots
        guess = number % self.guesses
        number //= self.guesses
        one: i64 = 0
        later = down - 1
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
        fresh = False
        for card in range(cards_of(code)):
            slot = slot_of(code, card)
            if slot >= 3 * self.drawn[player]:
                return False
            mask = self.seen[self.position(player, slot)]
            if mask == PUBLIC:
                return False
            if mask >> self.mover & 1 == 0:
                fresh = True
        return fresh if code < SCORES else guess_of(code) < self.guesses

    # Effects of moves

    def apply(self, move: i64) -> None:
        """Draw a row; or begin to look at cards or turn them up; or see the one that is owed."""
        self.save()
        self.make(move)

    def make(self, move: i64) -> None:
        """As `apply`, without undo."""
        self.plies += 1
        if self.turn == CHANCE:
            self.see(move)
        elif move == DRAW:
            self.draw()
        else:
            self.doing = move
            self.turn = CHANCE

    def draw(self) -> None:
        """ "the top three cards of the deck go face down, unseen, in a new row in front of the player" """
        mover = self.mover
        drawn = self.drawn
        self.rows[ROWS * mover + drawn[mover]] = self.dealt
        drawn[mover] += 1
        self.dealt += 3
        self.pass_turn()

    def pass_turn(self) -> None:
        """ "Turns go round." """
        self.mover = self.next_seat(self.mover)
        self.turn = self.mover

    def see(self, face: i64) -> None:
        """The owed card is looked at or turned up; after the last one the move is done."""
        position = self.owed()
        if face != UNKNOWN:
            self.faces[position] = face
        if self.doing >= SCORES:
            self.seen[position] = PUBLIC
        else:
            self.seen[position] |= 1 << self.mover
        if self.owed() == UNKNOWN:
            if self.doing >= SCORES:
                self.score()
            else:
                self.doing = DRAW
                self.pass_turn()

    def score(self) -> None:
        """The three cards are up: peg them, discard them; then the game or the round may be over."""
        points = self.points()
        self.doing = DRAW
        self.turn = self.mover
        self.discarded += 3
        if points > self.best[self.mover]:
            self.best[self.mover] = points
        self.free_pegs()
        if self.peg(points):
            self.ended = True
        elif self.serves() or self.dealt > self.discarded:
            self.pass_turn()
        else:
            # "A round ends when the deck cannot serve a draw and no face-down cards are left."
            self.end_round()

    def points(self) -> i64:
        """The points of the turned-up cards for the mover."""
        faces = self.faces
        ranks = self.ranks
        one = ranks[faces[self.asked_at(0)]]
        two = ranks[faces[self.asked_at(1)]]
        three = ranks[faces[self.asked_at(2)]]
        ranked = hands.place(guess_of(self.doing), one, two, three)
        points = self.worth[ranked]
        # "Points from another player's cards are halved, rounded down." "Halving … comes last."
        return points if player_of(self.doing) == self.mover else points // 2

    def free_pegs(self) -> None:
        """A waiting peg is free when "another player has scored … whatever it was worth": "0 of the next lap"."""
        hole = self.hole
        for seat in range(self.seats):
            if seat != self.mover and hole[seat] == self.lap_points:
                hole[seat] = 0

    def peg(self, points: i64) -> bool:
        """Move the mover's peg; whether that wins the game."""
        mover = self.mover
        if self.hole[mover] == self.lap_points:
            return False  # "points its owner scores are lost"
        hole = self.hole
        hole[mover] += points
        if hole[mover] < self.lap_points:
            return False
        # "A score that reaches or passes it puts the peg on 121, what is over is lost, and one lap is complete."
        hole[mover] = self.lap_points
        laps = self.laps
        laps[mover] += 1
        # "Who completes the last lap wanted wins at once"; a seat that left while the cards were turned up wins nothing
        return laps[mover] == self.laps_wanted and not self.left[mover]

    # How a round ends, and the game

    def end_round(self) -> None:
        """ "after `max_rounds` rounds the game ends"; else pegs are compared and the next round begins."""
        if self.round + 1 == self.max_rounds:
            self.ended = True
            return
        self.compare_pegs()
        self.new_round(self.round + 1)

    def compare_pegs(self) -> None:
        """ "the players whose peg is furthest along the track keep their points, all others start … from 0" """
        furthest: i64 = 0
        for seat in range(self.seats):
            if not self.left[seat]:
                along = self.along(seat)
                if along > furthest:
                    furthest = along
        hole = self.hole
        for seat in range(self.seats):
            # "waiting ends": a peg on the last hole is on 0, the furthest or not. Seats that are out stay as they are.
            if not self.left[seat] and (self.along(seat) < furthest or hole[seat] == self.lap_points):
                hole[seat] = 0

    def along(self, seat: i64) -> i64:
        """ "the peg's place (a peg on the last hole counts as 0 of the next lap)" """
        hole = self.hole[seat]
        return 0 if hole == self.lap_points else hole

    def after_leaving(self, seat: i64) -> None:
        """The turn passes on; but cards that are being looked at or turned up still are, and then it passes on."""
        if self.mover == seat and self.turn != CHANCE and not self.ended:
            self.pass_turn()

    def compare(self, one: i64, other: i64) -> i64:
        """ "Laps completed, then the peg's place." """
        if self.laps[one] != self.laps[other]:
            return self.laps[one] - self.laps[other]
        return self.along(one) - self.along(other)

    # Steps of a turn: the action, the player, the slots, the guess (docs/protocols/search.md, "Steps")

    def next_steps(self, made: vec[i64], first: i64, count: i64) -> i64:
        """The steps that can follow, ascending; 0 after a whole turn."""
        moves = self.moves
        if count == 0:
            return self.first_steps()
        kind = made[first]
        if kind == TO_DRAW:
            return 0
        if count == 1:
            return self.players(kind)
        slots = count - 2
        if slots < (2 if kind == TO_PEEK else 3):
            return self.next_slots(made, first, count)
        if kind == TO_PEEK or slots > 3:
            return 0
        for guess in range(self.guesses):
            moves[guess] = PLAYERS + self.seats + SLOTS + guess
        return self.guesses

    def first_steps(self) -> i64:
        """To draw while the pile serves; to peek or to score where a player has the cards for it."""
        peeks = self.players(TO_PEEK) > 0
        scores = self.players(TO_SCORE) > 0
        moves = self.moves
        count: i64 = 0
        if self.serves():
            moves[0] = TO_DRAW
            count = 1
        if peeks:
            moves[count] = TO_PEEK
            count += 1
        if scores:
            moves[count] = TO_SCORE
            count += 1
        return count

    def players(self, kind: i64) -> i64:
        """The players with enough cards: for a peek two, one of them new to the mover, for a score three."""
        count: i64 = 0
        for player in range(self.seats):
            down = self.look_over(player)
            if down > 2 if kind == TO_SCORE else (down > 1 and self.new_ones(down) > 0):
                self.moves[count] = PLAYERS + player
                count += 1
        return count

    def next_slots(self, made: vec[i64], first: i64, count: i64) -> i64:
        """The slots after the last one, if enough are left after each of them."""
        below = PLAYERS + self.seats
        kind = made[first]
        wanted = (2 if kind == TO_PEEK else 3) - (count - 2)
        down = self.look_over(made[first + 1] - PLAYERS)
        slots = self.slots
        fresh = self.fresh
        last: i64 = made[first + count - 1] - below if count > 2 else -1
        last_fresh: i64 = 0
        later: i64 = 0
        for place in range(down):
            if slots[place] == last:
                last_fresh = fresh[place]
            if slots[place] > last:
                later += fresh[place]
        found: i64 = 0
        for place in range(down):
            slot = slots[place]
            if slot <= last or down - place < wanted:
                continue
            # a peek shows the mover something new: its first card is new or has a new one after it
            if kind == TO_SCORE or last_fresh or fresh[place] or (wanted == 2 and later > 0):
                self.moves[found] = below + slot
                found += 1
            later -= fresh[place]
        return found

    def move_of(self, made: vec[i64], first: i64, count: i64) -> i64:
        """The board's number of a whole turn."""
        kind = made[first]
        if kind == TO_DRAW:
            return DRAW
        if count < (PEEK_STEPS if kind == TO_PEEK else SCORE_STEPS):
            return UNKNOWN
        player = made[first + 1] - PLAYERS
        below = PLAYERS + self.seats
        one = made[first + 2] - below
        two = made[first + 3] - below
        if kind == TO_PEEK:
            return peek_code(player, one, two)
        return score_code(player, one, two, made[first + 4] - below, made[first + 5] - below - SLOTS)

    # For search and playouts

    def random_move(self, dice: Dice) -> i64:
        """A move by its number; at CHANCE a face that the owed card can have."""
        if self.ended:
            return OVER
        if self.turn != CHANCE:
            return self.nth(dice.below(self.count()))
        face = self.faces[self.owed()]
        if face != UNKNOWN:
            return face
        bits = self.unseen()
        number: i64 = 0
        rest = bits
        while rest:
            rest &= rest - 1
            number += 1
        for _ in range(dice.below(number)):
            bits &= bits - 1
        while bits & 1 == 0:
            bits >>= 1
            face += 1
        return face + 1

    def playout(self, dice: Dice) -> None:
        """Random moves to the end of the game, never to be taken back."""
        move = self.random_move(dice)
        while move >= 0:
            self.make(move)
            move = self.random_move(dice)

    def candidates(self, dice: Dice, most: i64) -> i64:
        """The draw, and moves spread evenly over the list: one from each of `most` parts of it."""
        if self.ended or self.turn == CHANCE:
            return self.legal()
        total = self.count()
        if total <= most:
            return self.legal()
        if most > len(self.moves):
            self.moves = filled(most, 0)
        self.moves[0] = self.nth(0)
        for i in range(1, most):
            first = i * total // most
            beyond = (i + 1) * total // most
            self.moves[i] = self.nth(first + dice.below(beyond - first))
        return most

    def estimate(self, seat: i64) -> i64:
        """A lap ahead is as good as won; between two rounds pegs have been compared already."""
        total: i64 = 0
        own = self.laps[seat] * self.lap_points + self.along(seat)
        for other in range(self.seats):
            if other != seat:
                lead = PART * (own - self.laps[other] * self.lap_points - self.along(other)) // self.lap_points
                total += PART if lead > PART else -PART if lead < -PART else lead
        return total

    def hides(self, seat: i64) -> bool:
        """ "looks at two … cards": the player alone does."""
        return self.doing < SCORES and self.mover != seat

    def guess(self, dice: Dice) -> None:
        """Give every card of the pile a face: those that are unknown lie in any order, all equally likely."""
        faces = self.faces
        rest = filled(len(faces), 0)
        count: i64 = 0
        bits = self.unseen()
        face: i64 = 0
        while bits:
            if bits & 1:
                rest[count] = face
                count += 1
            bits >>= 1
            face += 1
        for position in range(len(faces)):
            if faces[position] == UNKNOWN:
                chosen = dice.below(count)
                count -= 1
                faces[position] = rest[chosen]
                rest[chosen] = rest[count]

    # Heuristics of a player, who knows what the mover has looked at and no more

    def sharpen(self) -> bool:
        """Players count cards, and name the guess that most points can be expected of."""
        self.counts = True
        return True

    def promising(self, dice: Dice, most: i64) -> i64:
        """A dozen of a turn's thousands of moves: the draw, a peek at each player's cards, their best scores."""
        if self.ended or self.turn == CHANCE:
            return self.legal()
        moves = self.moves
        kept = filled(2 * SCORES_KEPT, 0)
        unseen = self.unseen_cards() if self.counts else None
        count: i64 = 0
        if self.serves():
            moves[0] = DRAW
            count = 1
        for player in range(self.seats):
            peek = self.peek_at(player, dice)
            if peek >= 0:
                moves[count] = peek
                count += 1
            found = self.best_scores(player, kept)
            for i in range(found):
                score = kept[2 * i + 1]
                moves[count] = score if unseen is None else self.with_best_guess(score, unseen)
                count += 1
        return count

    def at_sight(self, dice: Dice) -> i64:
        """By the cards that the mover has looked at: score any player's cards, or else take new ones; at CHANCE a face.

        Otherwise the next player scores those cards, so it seldom pays to look at them first.
        """
        if self.ended or self.turn == CHANCE:
            return self.random_move(dice)
        mover = self.mover
        kept = filled(2 * SCORES_KEPT, 0)
        best: i64 = UNKNOWN
        value: i64 = -1
        for player in range(self.seats):
            if self.best_scores(player, kept) and kept[0] > value:
                value = kept[0]
                best = kept[1]
        waits = self.hole[mover] == self.lap_points
        if best >= 0 and self.counts and len(self.ranks) - self.discarded <= COUNTED:
            best = self.with_best_guess(best, self.unseen_cards())
        if best >= 0 and not waits and dice.below(WHIM):
            return best
        peek = self.peek_at(mover, dice)
        if peek >= 0 and (dice.below(2) or not self.serves()):
            return peek
        return DRAW if self.serves() else best

    def play_on(self, dice: Dice) -> None:
        """To the end of the round, each move as its player would make it at sight."""
        number = self.round
        while not self.ended and self.round == number:
            self.make(self.at_sight(dice))

    def best_scores(self, player: i64, kept: vec[i64]) -> i64:
        """Write the best scores of a player's cards to `kept`, value and move in turn, the best first; return their
        number.
        """
        slots = filled(CARDS, 0)
        kinds = filled(CARDS, 0)
        count = self.survey(player, slots, kinds)
        known = outlook(self.guesses)
        found: i64 = 0
        for one in range(count):
            for two in range(one + 1, count):
                for three in range(two + 1, count):
                    code = known[(kinds[one] * KINDS + kinds[two]) * KINDS + kinds[three]]
                    if found == SCORES_KEPT and code <= kept[2 * found - 2]:
                        continue
                    if found < SCORES_KEPT:
                        found += 1
                    place = found - 1
                    while place and kept[2 * place - 2] < code:
                        kept[2 * place] = kept[2 * place - 2]
                        kept[2 * place + 1] = kept[2 * place - 1]
                        place -= 1
                    kept[2 * place] = code
                    kept[2 * place + 1] = score_of(player, slots[one], slots[two], slots[three], code % hands.GUESSES)
        if player != self.mover:
            for i in range(found):
                kept[2 * i] //= 2
        return found

    def survey(self, player: i64, slots: vec[i64], kinds: vec[i64]) -> i64:
        """Write the slots and kinds of a player's cards face down, those seen by the mover first; return how many."""
        down = self.look_over(player)
        count: i64 = 0
        for i in range(down):
            if self.fresh[i] == 0 and count < CARDS - BLANKS:
                slots[count] = self.slots[i]
                kinds[count] = self.kind(self.position(player, self.slots[i]))
                count += 1
        blanks: i64 = 0
        for i in range(down):
            if self.fresh[i] and blanks < BLANKS:
                slots[count] = self.slots[i]
                kinds[count] = UNSEEN
                count += 1
                blanks += 1
        return count

    def peek_at(self, player: i64, dice: Dice) -> i64:
        """A peek at two cards of a player that the mover has not seen, or at the last one; UNKNOWN if there is none."""
        down = self.look_over(player)
        fresh = self.new_ones(down)
        if fresh == 0:
            return UNKNOWN
        slots = self.slots
        chosen = dice.below(fresh)
        one: i64 = -1
        two: i64 = -1
        # two consecutive fresh ones, from a random place on
        for i in range(2 * down):
            at = i if i < down else i - down
            if self.fresh[at]:
                if chosen > 0:
                    chosen -= 1
                elif one < 0:
                    one = at
                elif at != one:
                    two = at
                    break
        if two < 0:
            two = one + 1 if one + 1 < down else one - 1
        return peek_code(player, slots[min(one, two)], slots[max(one, two)])

    def unseen_cards(self) -> CardCount:
        """The cards that the mover has not seen, counted."""
        known = filled(len(self.faces), UNSEEN)
        for position in range(len(known)):
            known[position] = self.kind(position)
        return CardCount(self.ranks, known, self.guesses)

    def with_best_guess(self, code: i64, unseen: CardCount) -> i64:
        """The same score with the guess that most points can be expected of; the first of equals."""
        player = player_of(code)
        one = self.position(player, slot_of(code, 0))
        two = self.position(player, slot_of(code, 1))
        three = self.position(player, slot_of(code, 2))
        return code - guess_of(code) + unseen.best_guess(one, two, three)

    # Observations

    def largest(self) -> i64:
        """A peg's hole, a round, a lap, or a card's row or rank."""
        return max(max(self.lap_points, self.max_rounds), max(self.laps_wanted, ROWS))

    def shape(self) -> vec[i64]:
        """Five planes, and six a seat, of one row: the cards from the top of the pile."""
        return array((5 + 6 * self.seats, len(self.faces), 1))

    def packing(self) -> vec[i64]:
        """A card has a rank, a row of each seat, and bits; all else is said once."""
        seats = self.seats
        kinds = [NUMBER, BIT, BIT, FIGURE, FIGURE] + [NUMBER] * seats + [BIT] * seats
        return array(kinds + [FIGURE] * (2 * seats) + [STILL] * (2 * seats))

    def observe(self, seat: i64) -> vec[i64]:
        """0 ranks seen, 1 more than each (a joker is 1), 0 unknown; 1 turned up; 2 drawn; 3 the number of the round;
        4 the number of the seat; then a plane a seat each: its cards, as the number of their row, from 1 on; cards face
        down that it has seen; holes; laps; to move; left, 1 as the first.
        """
        return self.observed(seat)

    def paint(self, sight: Sight, seat: i64) -> None:
        """As `observe` says."""
        seats = self.seats
        sight.put_row(2, 0, self.dealt, 1)
        for card in range(len(self.faces)):
            mask = self.seen[card]
            if mask:
                self.paint_seen(sight, seat, card, mask)
        sight.fill(3, self.round)
        sight.fill(4, seat)
        for whose in range(seats):
            other = (seat + whose) % seats
            for row in range(self.drawn[other]):
                sight.put_row(5 + whose, self.rows[ROWS * other + row], 3, row + 1)
            sight.fill(5 + 2 * seats + whose, self.hole[other])
            sight.fill(5 + 3 * seats + whose, self.laps[other])
            sight.fill(5 + 4 * seats + whose, 1 if self.mover == other else 0)
            sight.fill(5 + 5 * seats + whose, self.left[other])

    def paint_seen(self, sight: Sight, seat: i64, card: i64, mask: i64) -> None:
        """Of a card that somebody has seen: its rank, and the seats that know it face down.

        The viewer sees turned-up cards and those it has looked at, whatever else this board knows.
        """
        face = self.faces[card]
        if face != UNKNOWN and (mask == PUBLIC or mask >> seat & 1):
            sight.put(0, card, self.ranks[face] + 1)
        if mask == PUBLIC:
            sight.put(1, card, 1)
            return
        for whose in range(self.seats):
            if mask >> ((seat + whose) % self.seats) & 1:
                sight.put(5 + self.seats + whose, card, 1)
