"""Many games of one kind stepped together, with their observations and legal actions kept up in shared buffers.

Buffers are arrays of 64-bit words, because a word holds eight bytes of an observation or of a mask and is written at
once. rules/batch.py lends them to NumPy and is the interface for people; no argument is checked here except actions.
Specification: docs/protocols/batch.md.
"""

from typing import Final

from quadrille.rules.arrays import filled, grown
from quadrille.rules.board import CHANCE, UNKNOWN, Board, mixed
from quadrille.rules.dice import MASK, Dice
from quadrille.rules.ints import i64, mypyc_attr, vec

#: Bytes in a word.
WORD: Final = 8
#: Bits in a word.
BITS: Final = 64
#: The first bit of every byte of a word.
ONES: Final = 0x0101010101010101
#: Maximum steps of an unfinished turn that its board does not show.
MADE: Final = 8
#: The answer of `refused` when every action is legal.
FINE: Final = -1


def lanes(width: i64, *, big: bool) -> vec[i64]:
    """The unit of each number of `width` bits in a word, in the order of the machine's memory."""
    count = BITS // width
    found = filled(count, 0)
    unit: i64 = 1
    for lane in range(count):
        found[count - 1 - lane if big else lane] = unit
        if lane + 1 < count:
            for _ in range(width):
                unit *= 2
    return found


@mypyc_attr(allow_interpreted_subclasses=True)
class Rows:
    """Games of one kind, a row of each buffer for each.

    `numbers` are the step numbers of the actions, `action_of` is its inverse. `made` has the steps of each game's
    unfinished turn where the board does not show it (`apart`). A game's dice answer its chance and nothing else:
    their seed is mixed from the batch's seed, the game's index and the number of games before it in that row.
    """

    __slots__ = (
        "action_of",
        "actions",
        "apart",
        "bits",
        "boards",
        "cells",
        "counts",
        "dice",
        "done",
        "first",
        "games",
        "half",
        "history",
        "lanes",
        "lengths",
        "made",
        "made_counts",
        "mask",
        "mask_words",
        "marks",
        "numbers",
        "opening",
        "paints",
        "per_word",
        "picture",
        "picture_words",
        "plane_words",
        "planes",
        "plies",
        "rewards",
        "rounds",
        "row_words",
        "seat",
        "seats",
        "seed",
        "shows",
        "shrinks",
        "states",
        "top",
        "view",
    )

    boards: list[Board]
    first: Board
    dice: Dice
    history: list[vec[i64]]
    view: vec[i64]
    picture: vec[i64]
    opening: vec[i64]
    mask: vec[i64]
    seat: vec[i64]
    rewards: vec[i64]
    done: vec[i64]
    plies: vec[i64]

    def __init__(
        self,
        boards: list[Board],
        first: Board,
        numbers: vec[i64],
        seed: i64,
        width: i64,
        *,
        apart: bool,
        big: bool,
        paints: bool,
    ) -> None:
        """`first` is the first position; `width` is that of an observation's numbers in bits, 0 for no planes.

        `paints` keeps pictures up, as the board can.
        """
        games: i64 = len(boards)
        self.boards = boards
        self.first = first
        self.games = games
        self.seats = first.seats
        self.numbers = numbers
        self.actions = len(numbers)
        self.seed = seed
        self.apart = apart
        self.shrinks = first.shrinks()
        self.paints = paints
        self.bits = first.bits()
        self.lanes = lanes(width if width else WORD, big=big)
        self.marks = lanes(WORD, big=big)
        self.per_word = len(self.lanes)
        self.shows = width > 0
        self.half = (1 << width) // 2
        self.top = 0 if big else self.per_word - 1
        most: i64 = 0
        for number in numbers:
            most = max(most, number)
        self.action_of = filled(most + 1, UNKNOWN)
        for action in range(self.actions):
            self.action_of[numbers[action]] = action
        shape = first.shape()
        self.planes = shape[0]
        self.cells = shape[1] * shape[2]
        if apart:
            # one row of numbers: the planes, then how often each action was made in the turn, then 1 for the last one
            self.cells = self.planes * self.cells + 2 * self.actions
            self.planes = 1
        self.plane_words = (self.cells + self.per_word - 1) // self.per_word
        self.picture_words = self.plane_words if paints else 0
        self.row_words = self.planes * self.plane_words
        self.mask_words = (self.actions + WORD - 1) // WORD
        self.dice = Dice(0)
        self.states = filled(games, 0)
        self.rounds = filled(games, 0)
        self.counts = filled(games, 0)
        self.lengths = filled(games, 0)
        self.made = filled(games * MADE if apart else 0, 0)
        self.made_counts = filled(games, 0)
        self.history = [filled(BITS, 0) for _ in range(games)]

    def lend_sights(self, view: vec[i64], picture: vec[i64], mask: vec[i64]) -> None:
        """The buffers to write planes, pictures and legal actions to."""
        self.view = view
        self.picture = picture
        self.mask = mask

    def lend_figures(self, seat: vec[i64], rewards: vec[i64], done: vec[i64], plies: vec[i64]) -> None:
        """The buffers to write the figures of each game to."""
        self.seat = seat
        self.rewards = rewards
        self.done = done
        self.plies = plies

    def begin(self) -> None:
        """Start the first game of every row."""
        if self.paints:
            self.paint_opening()
        for game in range(self.games):
            self.start(game)
            self.show_all(game)

    # Actions

    def refused(self, actions: vec[i64]) -> i64:
        """The index of the first game whose action is none or illegal; FINE if there is no such game."""
        mask = self.mask
        marks = self.marks
        words = self.mask_words
        last = self.actions
        first: i64 = 0
        for game in range(self.games):
            action = actions[game]
            if action < 0 or action >= last or mask[first + (action >> 3)] & marks[action & 7] == 0:
                return game
            first += words
        return FINE

    def step(self, actions: vec[i64]) -> None:
        """Make a legal action in every game; start the next game where one ends."""
        for game in range(self.games):
            self.advance(game, actions[game])
            self.show(game)

    def sample(self, dice: Dice, actions: vec[i64]) -> None:
        """Write a random legal action of each game, all equally likely."""
        for game in range(self.games):
            actions[game] = self.action_of[self.boards[game].moves[dice.below(self.counts[game])]]

    def advance(self, game: i64, action: i64) -> None:
        """Make an action, answer chance, list the next actions; at the end of the game start another."""
        board = self.boards[game]
        if self.done[game]:
            self.done[game] = 0
            for seat in range(self.seats):
                self.rewards[game * self.seats + seat] = 0
        if self.shrinks:
            self.mask[game * self.mask_words + (action >> 3)] -= self.marks[action & 7]
        else:
            self.unlist(game, board)
        self.remember(game, action)
        move = self.numbers[action]
        if self.apart:
            place = game * MADE
            count = self.made_counts[game]
            self.made[place + count] = move
            self.made_counts[game] = count + 1
            move = self.whole(game, board)
            if move == UNKNOWN:
                self.list_actions(game, board)
                return
            self.made_counts[game] = 0
        before = board.plies
        board.make(move)
        if board.plies != before:
            self.plies[game] += 1
        if self.paints:
            board.repaint(move, self.picture, game * self.picture_words, self.marks)
        if board.turn == CHANCE:
            self.deal(game, board)
        if not self.list_actions(game, board):
            self.finish(game, board)

    def finish(self, game: i64, board: Board) -> None:
        """The game is over: note the payoffs, start the next one."""
        for seat in range(self.seats):
            self.rewards[game * self.seats + seat] = board.payoff(seat)
        self.done[game] = 1
        self.rounds[game] += 1
        self.start(game)

    def start(self, game: i64) -> None:
        """The first position of a game, dealt as far as its first action."""
        board = self.boards[game]
        board.become(self.first)
        self.plies[game] = 0
        self.lengths[game] = 0
        self.made_counts[game] = 0
        seed = self.seed
        mix = mixed(mixed(mixed(mixed(0, seed & MASK), seed >> 32), game), self.rounds[game])
        self.states[game] = Dice(mix).state
        if board.turn == CHANCE:
            self.deal(game, board)
        self.list_actions(game, board)
        if self.shrinks:
            self.mark_all(game, board)
        if self.paints:
            place = game * self.picture_words
            for word in self.opening:
                self.picture[place] = word
                place += 1

    def deal(self, game: i64, board: Board) -> None:
        """Answer every owed face by the game's dice."""
        dice = self.dice
        dice.state = self.states[game]
        while board.turn == CHANCE and not board.ended:
            board.make(board.face(dice))
        self.states[game] = dice.state

    def remember(self, game: i64, action: i64) -> None:
        """Add an action to the history of the present game, from which a saved batch is made again."""
        past = self.history[game]
        length = self.lengths[game]
        if length == len(past):
            past = grown(past, 2 * length)
            self.history[game] = past
        past[length] = action
        self.lengths[game] = length + 1

    # Legal actions

    def list_actions(self, game: i64, board: Board) -> bool:
        """List the actions of the seat to move and set them in the mask; False when the game is over."""
        count = self.following(game, board)
        self.counts[game] = count
        self.seat[game] = board.turn
        if not self.shrinks:
            self.mark_all(game, board)
        return count > 0

    def mark_all(self, game: i64, board: Board) -> None:
        """Set the listed actions in the mask."""
        mask = self.mask
        marks = self.marks
        moves = board.moves
        action_of = self.action_of
        first = game * self.mask_words
        for place in range(self.counts[game]):
            action = action_of[moves[place]]
            mask[first + (action >> 3)] |= marks[action & 7]

    def unlist(self, game: i64, board: Board) -> None:
        """Take the listed actions off the mask."""
        mask = self.mask
        first = game * self.mask_words
        if self.counts[game] > self.mask_words:
            for word in range(first, first + self.mask_words):
                mask[word] = 0
            return
        moves = board.moves
        action_of = self.action_of
        for place in range(self.counts[game]):
            mask[first + (action_of[moves[place]] >> 3)] = 0

    def following(self, game: i64, board: Board) -> i64:
        """Write the step numbers that can follow to the board's `moves`; return how many there are."""
        if self.apart and not board.ended:
            return board.next_steps(self.made, game * MADE, self.made_counts[game])
        return board.legal()

    def turn(self, game: i64) -> vec[i64]:
        """The steps of a game's unfinished turn, if the board does not show it."""
        return self.made[game * MADE : game * MADE + self.made_counts[game]]

    def whole(self, game: i64, board: Board) -> i64:
        """The board's number of the turn in the making; UNKNOWN before its last step."""
        return board.move_of(self.made, game * MADE, self.made_counts[game])

    # Observations

    def paint_opening(self) -> None:
        """The picture of the first position."""
        seen = self.first.observe(self.first.turn)
        self.opening = filled(self.picture_words, 0)
        weight: i64 = 1
        for plane in range(self.bits):
            for cell in range(self.cells):
                self.opening[cell >> 3] += weight * seen[plane * self.cells + cell] * self.marks[cell & 7]
            weight *= 2

    def show(self, game: i64) -> None:
        """Write the observation of the seat to move: what can have changed of it."""
        if not self.shows:
            return
        if not self.paints:
            self.show_all(game)
            return
        picture = self.picture
        view = self.view
        words = self.picture_words
        first = game * words
        place = game * self.row_words
        for plane in range(self.bits):
            for word in range(first, first + words):
                view[place] = picture[word] >> plane & ONES
                place += 1

    def show_all(self, game: i64) -> None:
        """Write the observation of the seat to move."""
        if not self.shows:
            return
        seen = self.observed(game)
        place = game * self.row_words
        cell: i64 = 0
        for _ in range(self.planes):
            self.lay(seen, cell, cell + self.cells, place)
            cell += self.cells
            place += self.plane_words

    def observed(self, game: i64) -> vec[i64]:
        """The observation of the seat to move; a turn that the board does not show comes after the board's numbers."""
        board = self.boards[game]
        seen = board.observe(board.turn)
        return self.with_turn(game, seen) if self.apart else seen

    def with_turn(self, game: i64, seen: vec[i64]) -> vec[i64]:
        """Two numbers for each action: how often it was made in this turn, then 1 for the last one made."""
        length: i64 = len(seen)
        whole = grown(seen, length + 2 * self.actions)
        count = self.made_counts[game]
        for place in range(game * MADE, game * MADE + count):
            action = self.action_of[self.made[place]]
            whole[length + action] += 1
            if place + 1 == game * MADE + count:
                whole[length + self.actions + action] = 1
        return whole

    def lay(self, seen: vec[i64], cell: i64, end: i64, place: i64) -> None:
        """Write numbers to a row of words from `place` on."""
        units = self.lanes
        view = self.view
        per_word = self.per_word
        half = self.half
        top = self.top
        while cell < end:
            word: i64 = 0
            for lane in range(min(per_word, end - cell)):
                number = seen[cell]
                if lane == top and number >= half:
                    number -= 2 * half  # the highest lane has the word's sign
                word += number * units[lane]
                cell += 1
            view[place] = word
            place += 1
