"""How a player of Dotter chooses without thinking ahead, for search: promising moves, moves at sight, counted cards.

No rule is here. A player knows what the mover has looked at and no more. Expected points come from a table that fits
any game, or, once the board is sharpened, from the cards that are left.
"""

from functools import cache
from typing import Final, Self

from quadrille.rules.arrays import filled
from quadrille.rules.board import CHANCE, PART, UNKNOWN
from quadrille.rules.dice import Dice
from quadrille.rules.games.dotter import board as rules
from quadrille.rules.games.dotter import hands
from quadrille.rules.games.dotter.board import (
    DotterBoard,
    DotterTerms,
    bit,
    counted,
    guess_of,
    lowest,
    place_of_bit,
    player_of,
)
from quadrille.rules.ints import ONE, ZERO, i64, mypyc_attr, vec
from quadrille.rules.native.fields import fields_of, made

#: Maximum cards of one player that are evaluated together, those seen by the mover first; and maximum unseen ones.
CARDS: Final = 9
BLANKS: Final = 3
#: Maximum scores of one player's cards that are promising.
SCORES_KEPT: Final = 3
#: At sight, points for which a score is made that could also wait: of 0 to 32, this won most against players who score
#: blindly (76 % of 100 games).
ENOUGH: Final = 20
#: At sight, a random move is made once in this many turns.
WHIM: Final = 10
#: At sight, a player who counts cards does so when at most this many are left in the round.
COUNTED: Final = 9
#: In a search, the value of the move that is wanted at sight, and the number of simulations that it is worth. With 4 to
#: 16 of them and a value of 128 to 512, these let levels 2 to 4 win most against players who score blindly.
PRIOR: Final = 256
TRUST: Final = 16
#: In place of a rank: a card that the mover has not seen. Then the number of kinds of card, with that one.
UNSEEN: Final = hands.RANKS
KINDS: Final = hands.RANKS + 1
#: Expected points are counted in parts of 16, times the number of guesses, plus the guess.
PARTS: Final = 16


@cache
def outlook(guesses: i64) -> vec[i64]:
    """Return for three kinds of card the points of the best guess: PARTS x points x GUESSES + guess."""
    worth = hands.points()
    best = filled(KINDS * KINDS * KINDS, 0)
    sums = filled(KINDS * KINDS * KINDS, 0)
    for guess in range(guesses):
        # an unseen card counts the average of its ranks, so seen cards come first
        for unseen in range(4):
            for place in range(KINDS * KINDS * KINDS):
                one = place // (KINDS * KINDS)
                two = place // KINDS % KINDS
                three = place % KINDS
                if (one == UNSEEN) + (two == UNSEEN) + (three == UNSEEN) != unseen:
                    continue
                if unseen == 0:
                    sums[place] = PARTS * worth[hands.place(guess, one, two, three)]
                else:
                    step: i64 = KINDS * KINDS if one == UNSEEN else KINDS if two == UNSEEN else 1
                    total: i64 = 0
                    for rank in range(hands.RANKS):
                        # two jokers to four of each rank
                        total += (2 if rank == hands.JOKER else 4) * sums[place - step * (UNSEEN - rank)]
                    sums[place] = total // 54
                best[place] = max(best[place], sums[place] * hands.GUESSES + guess)
    return best


class CardCount:
    """The cards that the mover has not seen, counted: `left` of each rank.

    `kinds` are the cards of the score in question, unseen ones last; `sums` has for each guess the points added up over
    all ways in which these can fall.
    """

    __slots__ = ("board", "kinds", "left", "sums")

    left: vec[i64]
    kinds: vec[i64]
    sums: vec[i64]

    def __init__(self, board: "SearchedDotter") -> None:
        self.board = board
        self.left = filled(KINDS, 0)
        self.kinds = filled(3, 0)
        self.sums = filled(hands.GUESSES, 0)
        for rank in board.terms.ranks:
            self.left[rank] += 1
        for position in range(len(board.terms.ranks)):
            self.left[board.kind(position)] -= 1

    def with_best_guess(self, code: i64) -> i64:
        """Return the same score with the guess that most points can be expected of; the first of equals."""
        board = self.board
        kinds = self.kinds
        cards = board.named(code)
        seen: i64 = 0
        while cards:
            kind = board.kind(lowest(cards))
            cards &= cards - 1
            if kind != UNSEEN:
                kinds[seen] = kind
                seen += 1
        for card in range(seen, 3):
            kinds[card] = UNSEEN
        sums = self.sums
        for guess in range(board.terms.guesses):
            sums[guess] = 0
        self.fall(0, 0, 1, 0, 0)
        best: i64 = 0
        for guess in range(1, board.terms.guesses):
            if sums[guess] > sums[best]:
                best = guess
        return code - guess_of(code) + best

    def fall(self, card: i64, place: i64, ways: i64, rank: i64, run: i64) -> None:
        """Add up the points of all ways in which the cards from `card` on can fall, unseen ones by ascending ranks.

        The cards before it make that `place` in that many `ways`; the last `run` of them were unseen ones of `rank`.
        """
        if card == 3:
            for guess in range(self.board.terms.guesses):
                self.sums[guess] += ways * self.board.terms.worth[guess * hands.HANDS + place]
            return
        kind = self.kinds[card]
        place *= hands.RANKS
        if kind != UNSEEN:
            self.fall(card + 1, place + kind, ways, rank, run)
            return
        for drawn in range(rank, hands.RANKS):
            left = self.left[drawn]
            if left:
                again = run + 1 if drawn == rank else ONE
                self.left[drawn] = left - 1
                # k of n equal cards: n * (n - 1) * … / (1 * 2 * …)
                self.fall(card + 1, place + drawn, ways * left // again, drawn, again)
                self.left[drawn] = left


@mypyc_attr(allow_interpreted_subclasses=True)
class SearchedDotter(DotterBoard):
    """The board as searches use it: `outlook` is its table of expected points; the other arrays are of one call."""

    __slots__ = ("hand", "kept", "kinds", "outlook")

    outlook: vec[i64]
    hand: vec[i64]
    kinds: vec[i64]
    kept: vec[i64]

    def __init__(self, seats: i64, terms: DotterTerms) -> None:
        super().__init__(seats, terms)
        self.kept = filled(0, 0)

    def copy(self) -> Self:
        twin = super().copy()
        twin.kept = filled(0, 0)
        return twin

    def __reduce__(self) -> tuple[object, ...]:
        """Return the fields without those of a search."""
        return made, (self.__class__, fields_of(self, ("outlook", "hand", "kinds")) | {"kept": filled(0, 0)})

    def sharpen(self) -> bool:
        """Let players count cards, and name the guess that most points can be expected of."""
        self.counts = True
        return True

    def scratch(self) -> vec[i64]:
        """Return the array of scores that are kept, after all that a search needs is there."""
        if len(self.kept) == 0:
            self.outlook = outlook(self.terms.guesses)
            self.hand = filled(CARDS, 0)
            self.kinds = filled(CARDS, 0)
            self.kept = filled(2 * SCORES_KEPT, 0)
        return self.kept

    def estimate(self, seat: i64) -> i64:
        """Value a lap ahead as a win; between two rounds pegs have been compared already."""
        total: i64 = 0
        lap = self.terms.lap_points
        own = self.at[rules.LAPS + seat] * lap + self.along(seat)
        for other in range(self.seats):
            if other != seat:
                lead = PART * (own - self.at[rules.LAPS + other] * lap - self.along(other)) // lap
                total += i64(PART) if lead > PART else i64(-PART) if lead < -PART else lead
        return total

    def promising(self, dice: Dice, most: i64) -> i64:
        """Write a dozen of a turn's thousands of moves: the draw, a peek at each player's cards, their best scores."""
        if self.ended or self.turn == CHANCE:
            return self.legal()
        moves = self.moves
        kept = self.scratch()
        unseen = CardCount(self) if self.counts else None
        moves[0] = rules.DRAW
        count: i64 = 1 if self.serves() else 0
        for player in range(self.seats):
            peek = self.peek_at(player, dice)
            if peek >= 0:
                moves[count] = peek
                count += 1
            for i in range(self.best_scores(player, kept, SCORES_KEPT)):
                score = kept[2 * i + 1]
                moves[count] = score if unseen is None else unseen.with_best_guess(score)
                count += 1
        return count

    def at_sight(self, dice: Dice) -> i64:
        """Make the move that is wanted, with a guess for the cards that are left if so few are; at CHANCE a face."""
        if self.ended or self.turn == CHANCE:
            return self.random_move(dice)
        best = self.wanted()
        if best >= rules.SCORES and self.counts and len(self.terms.ranks) - counted(self.up()) <= COUNTED:
            best = CardCount(self).with_best_guess(best)
        if best >= rules.SCORES and dice.below(WHIM):
            return best
        peek = self.peek_at(self.at[rules.MOVER], dice)
        if peek >= 0 and (dice.below(2) or not self.serves()):
            return peek
        if self.serves():
            return rules.DRAW
        for player in range(self.seats):
            peek = self.peek_at(player, dice)
            if peek >= 0:
                return peek
        return best

    def wanted(self) -> i64:
        """Choose by the cards that the mover has seen: their best score, or new cards first, PEEKS or DRAW.

        A score is made at once if it is worth it, or if another player could make it before the mover's next turn.
        """
        kept = self.scratch()
        best: i64 = UNKNOWN
        value: i64 = -1
        enough: i64 = PARTS * hands.GUESSES * ENOUGH
        at = self.at
        mover = at[rules.MOVER]
        cards = at[rules.DOWN + mover]
        for player in range(self.seats):
            if self.best_scores(player, kept, 1) and kept[0] > value:
                value = kept[0]
                best = kept[1]
            if player != mover and counted(cards & at[rules.LOOKED + player]) >= self.terms.looks:
                enough = 0
        fresh = self.marked(mover, 2)
        idle = fresh == 0 and not self.serves()
        if best >= 0 and (idle or (value >= enough and at[rules.HOLE + mover] != self.terms.lap_points)):
            return best
        return rules.PEEKS if fresh else rules.DRAW

    def weigh(self, count: i64, priors: vec[i64]) -> i64:
        """Value the wanted move: a few simulations alone tell it from a dozen others too seldom."""
        wanted = self.wanted()
        for i in range(count):
            move = self.moves[i]
            good = move == wanted
            if wanted >= rules.SCORES:
                good = (move - rules.SCORES) // hands.GUESSES == (wanted - rules.SCORES) // hands.GUESSES
            elif wanted == rules.PEEKS:
                good = rules.DRAW < move < rules.SCORES and player_of(move) == self.at[rules.MOVER]
            priors[i] = PRIOR if good else 0
        return TRUST

    def play_on(self, dice: Dice) -> None:
        """Play to the end of the round, each move as its player would make it at sight."""
        number = self.at[rules.ROUND]
        while not self.ended and self.at[rules.ROUND] == number:
            self.make(self.at_sight(dice))

    def kind(self, position: i64) -> i64:
        """Return the rank of a card that is turned up or that the mover and this board know; else UNSEEN."""
        face = self.at[rules.FACES + position]
        if face == UNKNOWN or (self.up() | self.at[rules.LOOKED + self.at[rules.MOVER]]) >> position & 1 == 0:
            return UNSEEN
        return self.terms.ranks[face]

    def best_scores(self, player: i64, kept: vec[i64], most: i64) -> i64:
        """Write the best scores of a player's cards to `kept`, value and move in turn, the best first; return their
        number, at most `most`.
        """
        seen = min(counted(self.marked(player, 3)), CARDS - BLANKS)
        least = self.least(player, 3)
        if seen < least:
            return 0
        cards = self.hand
        kinds = self.kinds
        count = self.survey(player)
        known = self.outlook
        # cards that were not seen are alike: of them the first one is enough where one score is
        alike = seen if most == 1 else i64(CARDS)
        found: i64 = 0
        worst: i64 = -1
        most_kinds = min(count, alike + 1)
        for one in range(min(count - 2, alike + 1)):
            for two in range(one + 1, most_kinds if one < alike else min(count, one + 2)):
                pair = (kinds[one] * KINDS + kinds[two]) * KINDS
                end = most_kinds if two < alike else min(count, two + 2)
                if least:
                    lacks = least - (one < seen) - (two < seen)
                    end = end if lacks <= 0 else seen if lacks == 1 else ZERO
                for three in range(two + 1, end):
                    code = known[pair + kinds[three]]
                    if code <= worst:
                        continue
                    if found < most:
                        found += 1
                    place = found - 1
                    while place and kept[2 * place - 2] < code:
                        kept[2 * place] = kept[2 * place - 2]
                        kept[2 * place + 1] = kept[2 * place - 1]
                        place -= 1
                    kept[2 * place] = code
                    kept[2 * place + 1] = cards[one] | cards[two] | cards[three]
                    if found == most:
                        worst = kept[2 * most - 2]
        for i in range(found):
            code = kept[2 * i]
            kept[2 * i + 1] = self.turn_of(player, kept[2 * i + 1], code % hands.GUESSES)
            kept[2 * i] = code if player == self.at[rules.MOVER] else code // 2
        return found

    def survey(self, player: i64) -> i64:
        """Write to `hand` and `kinds` a player's cards face down, those seen by the mover first; return how many."""
        hand = self.hand
        kinds = self.kinds
        ranks = self.terms.ranks
        count: i64 = 0
        seen = self.marked(player, 3)
        while seen and count < CARDS - BLANKS:
            card = seen & -seen
            face = self.at[rules.FACES + lowest(card)]
            hand[count] = card
            kinds[count] = i64(UNSEEN) if face == UNKNOWN else ranks[face]
            count += 1
            seen ^= card
        blanks = self.marked(player, 2)
        most = count + BLANKS
        while blanks and count < most:
            card = blanks & -blanks
            hand[count] = card
            kinds[count] = UNSEEN
            count += 1
            blanks ^= card
        return count

    def peek_at(self, player: i64, dice: Dice) -> i64:
        """Return a peek at two cards of a player that are new to the mover, or at the last one; else UNKNOWN."""
        fresh = self.marked(player, 2)
        count = counted(fresh)
        if count == 0:
            return UNKNOWN
        chosen = dice.below(count)
        cards = bit(place_of_bit(fresh, chosen))
        if count > 1:  # two consecutive fresh ones, from a random place on
            cards |= bit(place_of_bit(fresh, chosen + 1 if chosen + 1 < count else ZERO))
        else:
            down = self.at[rules.DOWN + player]
            above = down & -cards ^ cards
            cards |= above & -above if above else bit(place_of_bit(down, counted(down) - 2))
        return self.turn_of(player, cards, 0)
