"""Many games of one kind stepped together: their legal actions, figures and observations, kept up in shared buffers.

extras/lab/batch sets the buffers, which NumPy views too, and is the interface for people: no argument is checked here
except actions. Specification: extras/lab/docs/batch.md. An observation is a buffer of 64-bit words. An observer paints
it (extras/lab/engine/observer.py), and after a step only what it changed where it knows that.
"""

from typing import Final

from quadrille.extras.lab.engine.layout import BITS, RowLayout, lanes, rounded
from quadrille.extras.lab.engine.observer import Observer
from quadrille.extras.lab.engine.sight import Sight
from quadrille.rules.arrays import filled
from quadrille.rules.board import CHANCE, UNKNOWN, Board
from quadrille.rules.dice import MASK, Dice
from quadrille.rules.ints import i64, mypyc_attr, vec
from quadrille.rules.patterns.keys import mixed

#: The answer of `refused` when every action is legal.
FINE: Final = -1
#: Bytes in a word.
WORD: Final = 8
#: Maximum steps of an unfinished turn that its board does not show.
MADE: Final = 64


@mypyc_attr(allow_interpreted_subclasses=True)
class Rows:
    """Games of one kind, a row of each buffer for each.

    A game's dice answer its chance and nothing else: their seed is mixed from the batch's seed, the game's index and
    the number of games before it in that row.

    `numbers` are the step numbers of the actions, `action_of` is its inverse. `made` has the steps of each game's
    unfinished turn where the board does not show it (`apart`).

    The observer paints on `sight`; `opening` has the row of the first position, if no chance comes before it. With
    `spreads` planes are spread from it to `view`.
    """

    __slots__ = (
        "action_of", "actions", "apart", "boards", "counts", "dice", "done", "first", "games", "made", "made_counts",
        "marks", "mask", "mask_words", "numbers", "observer", "opening", "paints", "plies", "rewards", "rounds", "seat",
        "seats", "seed", "shrinks", "sight", "sight_words", "spreads", "states", "view", "view_words",
    )  # fmt: skip

    boards: list[Board]
    first: Board
    observer: Observer
    dice: Dice
    made: vec[i64]
    made_counts: vec[i64]
    mask: vec[i64]
    seat: vec[i64]
    rewards: vec[i64]
    done: vec[i64]
    plies: vec[i64]
    opening: vec[i64]
    sight: Sight
    view: vec[i64]

    def __init__(
        self,
        boards: list[Board],
        first: Board,
        observer: Observer,
        numbers: vec[i64],
        seed: i64,
        *,
        apart: bool,
        big: bool,
        paints: bool,
        packed: bool,
    ) -> None:
        """Make rows from a `first` position; without `paints` nothing is observed; `packed` is the layout; `big` is the
        byte order of the machine.
        """
        games: i64 = len(boards)
        self.boards = boards
        self.first = first
        self.observer = observer
        self.games = games
        self.seats = first.seats
        self.seed = seed
        self.shrinks = observer.shrinks()
        self.numbers = numbers
        self.actions = len(numbers)
        most: i64 = 0
        for number in numbers:
            most = max(most, number)
        self.action_of = filled(most + 1, UNKNOWN)
        for action in range(self.actions):
            self.action_of[numbers[action]] = action
        self.apart = apart
        self.marks = lanes(WORD, big=big)
        self.mask_words = (self.actions + WORD - 1) // WORD
        self.dice = Dice(0)
        self.states = filled(games, 0)
        self.rounds = filled(games, 0)
        self.counts = filled(games, 0)
        self.paints = paints
        self.opening = filled(0, 0)
        shape = observer.shape()
        per_word = BITS // observer.bits()
        self.sight = Sight(RowLayout(observer.packing(), shape[1] * shape[2]), observer.bits(), big=big)
        self.sight_words = self.sight.size // per_word
        self.view_words = shape[0] * (rounded(shape[1] * shape[2]) // per_word)
        self.spreads = paints and not packed and not apart

    def begin(self) -> None:
        """Start the first game of every row."""
        for game in range(self.games):
            self.start(game)
            if self.spreads:
                self.spread(game, whole=True)
            if game == 0 and self.paints and self.first.turn != CHANCE:
                self.opening = self.sight.words[: self.sight_words]

    def resume(self, game: i64, round: i64, actions: vec[i64]) -> bool:
        """Play a game again as far as these actions lead. Return False if one is illegal, or the game is over before
        it.
        """
        self.unlist(game, self.boards[game])  # of the row's first game, which can begin with other actions
        self.rounds[game] = round
        self.start(game)
        for action in actions:
            if action < 0 or action >= self.actions or not self.allows(game, action):
                return False
            self.advance(game, action)
            if self.done[game]:
                return False
        if self.spreads:
            self.spread(game, whole=False)
        return True

    def ended(self, game: i64, rewards: vec[i64]) -> None:
        """Note that the last step ended a game of that row, with these payoffs."""
        self.done[game] = 1
        for seat in range(self.seats):
            self.rewards[game * self.seats + seat] = rewards[seat]

    # Actions

    def allows(self, game: i64, action: i64) -> bool:
        """Return True if an action is legal."""
        return self.mask[game * self.mask_words + (action >> 3)] & self.marks[action & 7] != 0

    def refused(self, actions: vec[i64]) -> i64:
        """Return the index of the first game whose action is none or illegal; FINE if there is no such game."""
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
            if self.spreads:
                self.spread(game, whole=False)

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
        if board.turn == CHANCE:
            self.deal(game, board)
        if not self.list_actions(game, board):
            self.finish(game, board)
        elif self.paints:
            self.repaint(game, board, move)

    def turn(self, game: i64) -> vec[i64]:
        """Return the steps of a game's unfinished turn, if the board does not show it."""
        return self.made[game * MADE : game * MADE + self.made_counts[game]]

    def finish(self, game: i64, board: Board) -> None:
        """Note the payoffs of a game that is over, and start the next one."""
        for seat in range(self.seats):
            self.rewards[game * self.seats + seat] = board.payoff(seat)
        self.done[game] = 1
        self.rounds[game] += 1
        self.start(game)

    def start(self, game: i64) -> None:
        """Go to the first position of a game, dealt as far as its first action."""
        board = self.boards[game]
        board.become(self.first)
        self.plies[game] = 0
        seed = self.seed
        mix = mixed(mixed(mixed(mixed(0, seed & MASK), seed >> 32), game), self.rounds[game])
        self.states[game] = Dice(mix).state
        if board.turn == CHANCE:
            self.deal(game, board)
        self.list_actions(game, board)
        if self.shrinks:
            self.mark_all(game, board)
        if len(self.opening):
            self.paint_opening(game)
        elif self.paints:
            self.paint(game)

    def deal(self, game: i64, board: Board) -> None:
        """Answer every owed face by the game's dice."""
        dice = self.dice
        dice.state = self.states[game]
        while board.turn == CHANCE and not board.ended:
            board.make(board.face(dice))
        self.states[game] = dice.state

    # Legal actions

    def list_actions(self, game: i64, board: Board) -> bool:
        """List the actions of the seat to move and set them in the mask. Return False when the game is over."""
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
            return board.next_steps(self.made, game * MADE, self.made_counts[game], board.moves)
        return board.legal()

    def whole(self, game: i64, board: Board) -> i64:
        """Return the board's number of the turn in the making; UNKNOWN before its last step."""
        return board.move_of(self.made, game * MADE, self.made_counts[game])

    # Observations

    def paint(self, game: i64) -> None:
        """Paint the whole sight of a game for the seat to move."""
        self.sight.first = game * self.sight_words
        self.sight.clear()
        self.paint_all(game)

    def paint_opening(self, game: i64) -> None:
        """Paint a game whose first position is always the same."""
        words = self.sight.words
        place = game * self.sight_words
        for word in self.opening:
            words[place] = word
            place += 1

    def paint_all(self, game: i64) -> None:
        """Paint what the seat to move sees on the sight, which is clear."""
        board = self.boards[game]
        self.observer.paint(board, self.sight, board.turn)

    def repaint(self, game: i64, board: Board, move: i64) -> None:
        """Bring the sight of a game up to date after a move."""
        self.sight.first = game * self.sight_words
        self.observer.repaint(board, move, self.sight)

    def spread(self, game: i64, *, whole: bool) -> None:
        """Write the planes of a row, with `whole` even those that never change."""
        self.sight.first = game * self.sight_words
        self.sight.spread(self.view, game * self.view_words, whole=whole)
