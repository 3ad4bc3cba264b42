"""Many games of one kind stepped together, with their legal actions and figures kept up in shared buffers.

extras/lab/batch lends the buffers to NumPy and is the interface for people: no argument is checked here except actions.
Specification: extras/lab/docs/batch.md. Observations are those of extras/lab/engine/sights.py.
"""

from typing import Final

from quadrille.extras.lab.engine.observer import Observer
from quadrille.extras.lab.engine.sights import MADE, WORD, Sights
from quadrille.rules.arrays import filled, grown
from quadrille.rules.board import CHANCE, UNKNOWN, Board
from quadrille.rules.dice import MASK, Dice
from quadrille.rules.ints import i64, mypyc_attr, vec
from quadrille.rules.patterns.keys import mixed

#: The answer of `refused` when every action is legal.
FINE: Final = -1
#: Actions of a game between two additions to its history, a power of 2.
BLOCK: Final = 64


@mypyc_attr(allow_interpreted_subclasses=True)
class Rows(Sights):
    """Games that are stepped.

    A game's dice answer its chance and nothing else: their seed is mixed from the batch's seed, the game's index and
    the number of games before it in that row.
    """

    __slots__ = (
        "counts",
        "dice",
        "done",
        "history",
        "lengths",
        "mask",
        "mask_words",
        "plies",
        "rewards",
        "recent",
        "rounds",
        "seat",
        "seed",
        "shrinks",
        "states",
    )

    dice: Dice
    history: list[vec[i64]]
    mask: vec[i64]
    seat: vec[i64]
    rewards: vec[i64]
    done: vec[i64]
    plies: vec[i64]

    def __init__(
        self,
        boards: list[Board],
        first: Board,
        observer: Observer,
        numbers: vec[i64],
        width: i64,
        seed: i64,
        *,
        apart: bool,
        big: bool,
        packed: bool,
    ) -> None:
        super().__init__(boards, first, observer, numbers, width, apart=apart, big=big, packed=packed)
        self.seed = seed
        self.shrinks = observer.shrinks()
        self.mask_words = (self.actions + WORD - 1) // WORD
        self.dice = Dice(0)
        self.states = filled(self.games, 0)
        self.rounds = filled(self.games, 0)
        self.counts = filled(self.games, 0)
        self.lengths = filled(self.games, 0)
        self.history = [filled(0, 0) for _ in range(self.games)]
        self.recent = filled(self.games * BLOCK, 0)

    def lend_figures(self, mask: vec[i64], seat: vec[i64], rewards: vec[i64], done: vec[i64], plies: vec[i64]) -> None:
        """The buffers to write legal actions to, and the figures of each game."""
        self.mask = mask
        self.seat = seat
        self.rewards = rewards
        self.done = done
        self.plies = plies

    def begin(self) -> None:
        """Start the first game of every row."""
        for game in range(self.games):
            self.start(game)
            if self.spreads:
                self.spread_all(game)
            if game == 0 and self.paints and self.first.turn != CHANCE:
                self.opening = self.sight.words[: self.sight_words]

    def resume(self, game: i64, round: i64, actions: vec[i64]) -> bool:
        """Play a game again as far as these actions lead; False if one is illegal, or the game is over before it."""
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
            self.spread(game)
        return True

    def ended(self, game: i64, rewards: vec[i64]) -> None:
        """The last step ended a game of that row, with these payoffs."""
        self.done[game] = 1
        for seat in range(self.seats):
            self.rewards[game * self.seats + seat] = rewards[seat]

    # Actions

    def allows(self, game: i64, action: i64) -> bool:
        """Whether an action is legal."""
        return self.mask[game * self.mask_words + (action >> 3)] & self.marks[action & 7] != 0

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
            if self.spreads:
                self.spread(game)

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
                if self.paints:
                    self.mark_turn(game, action)
                self.list_actions(game, board)
                return
            self.forget_turn(game)
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

    def forget_turn(self, game: i64) -> None:
        """The unfinished turn is complete, or not played."""
        if self.paints:
            self.made_counts[game] -= 1  # the last action was never shown
            self.unmark_turn(game)
        self.made_counts[game] = 0

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

    def remember(self, game: i64, action: i64) -> None:
        """Add an action to the history of the present game, from which a saved batch is made again."""
        length = self.lengths[game]
        self.recent[game * BLOCK + (length & BLOCK - 1)] = action
        length += 1
        self.lengths[game] = length
        if length & BLOCK - 1 == 0:
            self.file_recent(game, length)

    def file_recent(self, game: i64, length: i64) -> None:
        """Add a full block of actions to those that are looked up only here: a list of arrays is slow to read."""
        past = self.history[game]
        if length > len(past):
            past = grown(past, 2 * length)
            self.history[game] = past
        for place in range(BLOCK):
            past[length - BLOCK + place] = self.recent[game * BLOCK + place]

    def past(self, game: i64) -> vec[i64]:
        """The actions of the present game."""
        length = self.lengths[game]
        filed = length - (length & BLOCK - 1)
        found = grown(self.history[game][:filed], length)
        for place in range(filed, length):
            found[place] = self.recent[game * BLOCK + place - filed]
        return found

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

    def whole(self, game: i64, board: Board) -> i64:
        """The board's number of the turn in the making; UNKNOWN before its last step."""
        return board.move_of(self.made, game * MADE, self.made_counts[game])
