"""Many games stepped at once, for programs that learn: arrays over the compiled engine's own buffers.

    from quadrille.extras.lab.batch import Batch

    batch = Batch("barons", {"width": 10, "height": 10}, seats=2, games=1024, seed=7)
    for _ in range(1000):
        batch.step(batch.sample())

Actions are those of extras/lab/actions.py, so those of all adapters. Specification: extras/lab/docs/batch.md. The games
are stepped by extras/lab/engine/rows.py, and stored as extras/lab/batch/files.py says.
"""

import sys
from collections import deque
from collections.abc import Iterable
from functools import cached_property
from operator import index
from pathlib import Path
from typing import Any, Final, Self

import numpy

from quadrille.extras.lab.actions import Steps, steps_of
from quadrille.extras.lab.batch.files import KIND, StoredBatch
from quadrille.extras.lab.batch.packing import Packing
from quadrille.extras.lab.engine.rows import FINE, MADE, Rows
from quadrille.rules.arrays import array
from quadrille.rules.board import UNKNOWN, Board
from quadrille.rules.core import Given, State
from quadrille.rules.core.sealed import unusable
from quadrille.rules.dice import Dice
from quadrille.rules.errors import IllegalMove, RulesError
from quadrille.rules.ints import i64
from quadrille.rules.native.buffers import WORD, words
from quadrille.rules.options import shown
from quadrille.rules.registry import game as game_of

#: How observations are laid out: a plane after the other, a byte a square whose bits are planes, or none at all.
PLANES: Final = "planes"
PACKED: Final = "packed"
NONE: Final = "none"
LAYOUTS: Final = (PLANES, PACKED, NONE)
#: Maximum games of a batch, and the first number that is no seed.
MOST_GAMES: Final = 1 << 20
SEEDS: Final = 1 << 62


class StateRows(Rows):
    """Games whose turns, or whose secrets, only their States know: slow, and for any game."""

    __slots__ = ("start_state",)

    start_state: State[Any, Any]

    def state(self, game: int) -> State[Any, Any]:
        """Return the position of a game before its unfinished turn."""
        state: State[Any, Any] = self.start_state.on(self.boards[game])
        return state

    def following(self, game: i64, board: Board) -> i64:
        """List the steps as the State does."""
        if not self.apart or board.ended:
            return board.legal()
        steps = self.state(game).next_steps(list(self.turn(game)))
        if len(steps) > len(board.moves):
            board.moves = array(steps)
        for place, step in enumerate(steps):
            board.moves[place] = step
        return len(steps)

    def whole(self, game: i64, board: Board) -> i64:
        """Return the code of a whole turn, after which nothing can follow; UNKNOWN before its last step."""
        state, steps = self.state(game), list(self.turn(game))
        if state.next_steps(steps):
            return UNKNOWN
        code = state.code(state.move_of(steps))
        assert code is not None
        return code

    def paint_all(self, game: i64) -> None:
        """Paint the position as the mover knows it."""
        seat = self.boards[game].turn
        self.observer.paint(self.state(game).view(seat).board, self.sight, seat)

    def repaint(self, game: i64, board: Board, move: i64) -> None:
        """Paint anew, because the board knows more than the mover."""
        self.paint(game)


class Batch:
    """Games of one kind, each with a row in every array. Arrays are views: the next `step` changes them.

    `observations` are from the point of view of the seat to move; `mask` has 1 for each of its legal actions; `seat`
    is its number. Of the games that the last step ended `done` is 1 and `rewards` has the payoffs: such a game is
    followed at once by the next one, to which all else belongs. `plies` are the turns of the present game.
    """

    def __init__(
        self,
        game: str,
        options: Given = None,
        seats: int | None = None,
        games: int = 1024,
        seed: int = 0,
        layout: str = PLANES,
    ) -> None:
        count = whole(games)
        if count is None or not 1 <= count <= MOST_GAMES:
            raise RulesError(f"a batch has 1 to {MOST_GAMES:,} games, not {shown(games)}")
        if layout not in LAYOUTS:
            raise RulesError(f"the layout of observations is {', '.join(LAYOUTS[:-1])} or {NONE}, not {shown(layout)}")
        self.steps: Steps = steps_of(game_of(game), options, seats)
        self.games = count
        self.actions, self.seats = self.steps.count, self.steps.start.seats
        #: Planes, columns and rows in which each action has a place of its own.
        self.policy_shape: tuple[int, ...] = tuple(self.steps.observer.policy_shape(self.actions))
        self.seed = seed_of(seed)
        self.layout = layout
        self.packing = Packing(self.steps)
        self._dice = Dice(self.seed)
        self._rows = self._made_rows()
        #: The actions of all games, step by step, from the first step of a game in play on; where each of these began.
        self._past: deque[Any] = deque()
        self._steps = 0
        self._began = numpy.zeros(count, int)
        self._lend()
        self._rows.begin()
        self._show()

    def _made_rows(self) -> Rows:
        """Make the games, before their first one begins."""
        start = self.steps.start
        first = start.board
        apart = not self.steps.in_planes
        slow = (apart or start.game.hidden) and type(first).next_steps is Board.next_steps
        observer = self.steps.observer
        boards = [first.copy() for _ in range(self.games)]
        numbers = array(self.steps.numbers)
        kind = StateRows if slow else Rows
        big = sys.byteorder == "big"
        paints, packed = self.layout != NONE, self.layout == PACKED
        rows = kind(boards, first, observer, numbers, self.seed, apart=apart, big=big, paints=paints, packed=packed)
        if isinstance(rows, StateRows):
            rows.start_state = start
        return rows

    def _lend(self) -> None:
        """Make the buffers and the arrays over them."""
        rows, games, seats = self._rows, self.games, self.seats
        view = words(games * rows.view_words if rows.spreads else 0)
        sight, mask = words(games * rows.sight_words if rows.paints else 0), words(games * rows.mask_words)
        rows.view, rows.sight.words, rows.mask = view, sight, mask
        seat, rewards, done, plies, self._drawn = (words(games * wide) for wide in (1, seats, 1, 1, 1))
        rows.seat, rows.rewards, rows.done, rows.plies = seat, rewards, done, plies
        self._turns = rows.made, rows.made_counts = words(games * MADE if rows.apart else 0), words(games)
        figures = (seat, done, plies, self._drawn)
        self.seat, self.done, self.plies, self._sampled = (numpy.frombuffer(each, numpy.int64) for each in figures)
        self.rewards = numpy.frombuffer(rewards, numpy.int64).reshape(games, seats)
        row = numpy.frombuffer(mask, numpy.uint8).reshape(games, WORD * rows.mask_words)
        self.mask = row[:, : self.actions]
        if rows.paints:
            self._seen = numpy.frombuffer(sight, self.packing.kind).reshape(games, -1)
            self._packed = numpy.zeros((games, *self.packing.shape), self.packing.kind)
            if not rows.apart:
                self._packed = self._seen[:, : self.packing.size].reshape(self._packed.shape)
        self.observations: Any = self._packed.view() if self.layout == PACKED else None
        if rows.spreads:
            laid = numpy.frombuffer(view, self.packing.kind).reshape(games, self.steps.shape[0], -1)
            self.observations = laid[:, :, : self.packing.cells].reshape(games, *self.steps.shape)
        elif self.layout == PLANES:
            self._planes = numpy.zeros((games, *self.steps.sight), self.packing.kind)
            self.observations = self._planes.view()
        for array_ in (self.seat, self.rewards, self.done, self.plies, self._sampled, self.mask, self.observations):
            if array_ is not None:
                array_.flags.writeable = False

    def _show(self) -> None:
        """Write the observations of games whose board does not show the unfinished turn."""
        rows = self._rows
        if not rows.apart or not rows.paints:
            return
        self._packed[:, : self._seen.shape[1]] = self._seen
        made, counts = (numpy.frombuffer(each, numpy.int64) for each in self._turns)
        self.packing.show_turns(self._packed, self._action_of[made.reshape(-1, MADE)[:, : counts.max()]], counts)
        if self.layout == PLANES:
            self.packing.unpacked(self._packed, self._still, self._planes)

    @cached_property
    def _action_of(self) -> Any:
        return numpy.array(list(self._rows.action_of))

    def unpacked(self, rows: Any = None) -> Any:
        """Return the planes of these packed rows, of any number of games, or of all games here.

        They are as the layout `planes` has them, in an array of their own.
        """
        if rows is None and self.layout != PACKED:
            raise RulesError(f"the observations of this batch are not packed: their layout is {self.layout}")
        return self.packing.unpacked(self.observations if rows is None else rows, self._still)

    @cached_property
    def _still(self) -> Any:
        """The numbers of planes that never change, among those of any position."""
        board = self._rows.boards[0]
        return self.steps.observer.observe(board, board.turn)[:: self.packing.cells]

    def __repr__(self) -> str:
        start = self.steps.start
        return f"<Batch of {self.games} games of {start.game.title}, {start.seats} seats, layout {self.layout}>"

    # Actions

    @property
    def policy_places(self) -> Any:
        """Each action's place in `policy_shape`: plane by plane, column by column, from the lowest row up."""
        place = self.steps.observer.policy_place
        return numpy.array([place(step, action) for action, step in enumerate(self.steps.numbers)], numpy.int64)

    @property
    def symmetries(self) -> Any:
        """For each symmetry of the game, the image of each action; the first changes nothing."""
        actions, images = self.steps.actions, self.steps.start.symmetries
        return numpy.array([[actions[image[step]] for step in self.steps.numbers] for image in images], numpy.int64)

    @property
    def square_symmetries(self) -> Any:
        """For the same symmetries, the image of each cell of a plane: squares go where the actions in them go."""
        places, images = self.policy_places % self.packing.cells, self.symmetries
        cells = numpy.tile(numpy.arange(self.packing.cells), (len(images), 1))
        cells[:, places] = places[images]
        return cells

    def sample(self, dice: int | Dice | None = None) -> Any:
        """Draw a legal action of each game, all equally likely: by the batch's own dice, or by these or this seed.

        The array is a view too: the next `sample` changes it.
        """
        chosen = self._dice if dice is None else dice if isinstance(dice, Dice) else Dice(seed_of(dice))
        self._rows.sample(chosen, self._drawn)
        return self._sampled

    def step(self, actions: Any) -> None:
        """Make an action in every game, and start the next game where one ends.

        If an action is illegal, the error names its game, and nothing has changed.
        """
        taken = self._sampled if actions is self._sampled else self._read(actions)
        row = self._drawn if actions is self._sampled else array(taken.tolist())
        game = self._rows.refused(row)
        if game != FINE:
            raise IllegalMove(self._objection(game, row[game]))
        self._rows.step(row)
        self._steps += 1
        self._past.append(taken.astype(numpy.int32))
        numpy.putmask(self._began, self.done > 0, self._steps)
        while not self._steps % 64 and len(self._past) > self._steps - self._began.min():  # seldom: this costs time
            self._past.popleft()
        self._show()

    def _read(self, actions: Any) -> Any:
        """Read actions of any form as an array."""
        if isinstance(actions, str | bytes) or not isinstance(actions, Iterable):
            raise RulesError(f"actions are an array or a list of {self.games} whole numbers, not {shown(actions)}")
        try:
            row = numpy.asarray(actions)
        except (ValueError, OverflowError) as error:
            raise RulesError(f"actions are a row of {self.games} whole numbers, one for each game") from error
        if row.dtype.kind not in "iu":
            raise RulesError(f"actions are whole numbers, such as int64, not {row.dtype}")
        if row.shape != (self.games,):
            shape = " x ".join(map(str, row.shape)) or "a single number"
            raise RulesError(f"a step takes {self.games} actions, one for each game, not {shape}")
        if row.dtype == numpy.uint64:
            row = numpy.minimum(row, self.actions)
        return row

    def _objection(self, game: int, action: int) -> str:
        """Say why an action is illegal, with its game."""
        if not 0 <= action < self.actions:
            return f"game {game}: an action here is a whole number from 0 to {self.actions - 1}, not {action}"
        objection = self.steps.objection(self.state(game), action)
        return f"game {game}, action {action}: {objection}"

    # Positions

    def state(self, game: int) -> State[Any, Any]:
        """Return the position of a game for people, with texts, reasons and pictures; the whole one, with secrets."""
        state: State[Any, Any] = self.steps.start.on(self._rows.boards[self._index(game)].copy())
        return state

    # Copies and files

    def stored(self) -> StoredBatch:
        """Return all that this batch follows from."""
        start, past = self.steps.start, numpy.array(self._past).reshape(-1, self.games)
        made = start.game.key, start.game.rules, start.options.plain(), self.seats, self.layout, self.seed
        rewards = [row if done else None for row, done in zip(self.rewards.tolist(), self.done, strict=True)]
        history = [past[at:, game].tolist() for game, at in enumerate(self._began - self._steps + len(past))]
        return StoredBatch(*made, self._dice.state, list(self._rows.rounds), rewards, history)

    @classmethod
    def of(cls, stored: StoredBatch) -> Self:
        """Make the batch that was stored: it goes on as the other would have."""
        game_there = game_of(stored.game)
        if stored.rules != game_there.rules:
            had = f"version {stored.rules} of the rules of {game_there.title}"
            raise RulesError(f"this batch was played by {had}, and this program has version {game_there.rules}")
        batch = cls(stored.game, stored.options, stored.seats, len(stored.history), stored.seed, stored.layout)
        batch._dice.state = stored.dice
        rows = batch._rows
        for game, past in enumerate(stored.history):
            if not rows.resume(game, stored.rounds[game], array(past)):
                raise RulesError(f"this stored batch breaks the rules: an action of its game {game} is illegal")
            rewards = stored.rewards[game]
            if rewards is not None:
                rows.ended(game, array(rewards))
        batch._steps = max(map(len, stored.history))
        table = numpy.zeros((batch._steps, batch.games), numpy.int32)
        for game, past in enumerate(stored.history):
            batch._began[game] = batch._steps - len(past)
            table[batch._began[game] :, game] = past
        batch._past.extend(table)
        batch._show()
        return batch

    def save(self, path: str | Path) -> None:
        """Store the batch in a file, whole or not at all."""
        from quadrille.client.files import write_file  # imported here: few batches are stored

        write_file(str(path), self.stored().to_bytes(), over=True)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read the batch of a file, which goes on as the other would have."""
        stored = StoredBatch.from_bytes(Path(path).read_bytes(), str(path))
        try:
            return cls.of(stored)
        except RulesError as error:
            raise unusable(KIND, str(path), str(error)) from error

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle or copy the batch; the copy shares nothing that changes."""
        return type(self).of, (self.stored(),)

    def _index(self, game: object) -> int:
        number = whole(game)
        if number is None or not 0 <= number < self.games:
            raise RulesError(f"there is no game {shown(game)}: the games here are 0 to {self.games - 1}")
        return number


def whole(value: Any) -> int | None:
    """Read a whole number, NumPy's too; None for anything else."""
    try:
        return None if isinstance(value, bool) else index(value)
    except TypeError:
        return None


def seed_of(value: Any) -> int:
    """Read a seed, or refuse it."""
    seed = whole(value)
    if seed is None or not 0 <= seed < SEEDS:
        raise RulesError(f"a seed is a whole number from 0 to 2**62 - 1, not {shown(value)}")
    return seed
