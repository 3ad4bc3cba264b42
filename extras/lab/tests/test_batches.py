"""A batch plays the same games as single ones, bit for bit: at every table, each seat's knowledge and no more."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy
import pytest

from quadrille.extras.lab.actions import steps_of
from quadrille.extras.lab.adapters.play import OVER, Play
from quadrille.extras.lab.batch import LAYOUTS, Batch
from quadrille.extras.lab.engine.layout import NUMBER
from quadrille.laws.settings import Setting, everywhere, tried
from quadrille.rules.board import CHANCE
from quadrille.rules.dice import Dice
from quadrille.rules.patterns.keys import mixed
from quadrille.rules.registry import keys

TABLES = [table for table in everywhere() if table.key in keys()]
#: Games of each batch, and its steps.
GAMES_HERE = 3
STEPS = 40


@dataclass
class Single:
    """One row of a batch played by States, with dice seeded as the chapter says."""

    table: Setting
    seed: int
    row: int
    games: int = -1
    rewards: tuple[int, ...] = ()

    def begin(self) -> None:
        self.games += 1
        mix = 0
        for number in (self.seed & 0xFFFFFFFF, self.seed >> 32, self.row, self.games):
            mix = mixed(mix, number)
        self.dice = Dice(mix)
        self.play = self.dealt(Play.start(steps_of(self.table.game, dict(self.table.options), self.table.seats)))

    def dealt(self, play: Play) -> Play:
        """Deal each owed face along the legal ones by its weight; a certain one takes no dice."""
        while play.seat == CHANCE:
            row = [face for face in play.legal() for _ in range(play.weight(face))]
            play = play.after(row[self.dice.below(len(row)) if len(set(row)) > 1 else 0])
        return play

    def step(self, action: int) -> bool:
        """Make an action; whether it ended the game, after which the next one begins."""
        self.play = self.dealt(self.play.after(action))
        over = self.play.seat == OVER
        if over:
            self.rewards = tuple(self.play.state.board.payoff(seat) for seat in range(self.table.seats))
            self.begin()
        return over

    @property
    def numbers(self) -> list[int]:
        """Return the mover's observation, as the adapters give it."""
        seen = self.play.observation(self.play.seat)
        return seen if self.play.steps.in_planes else [*seen, *(n for row in self.play.turn_rows() for n in row)]


def stepped(table: Setting, batch: Batch, seed: int, steps: int) -> Iterator[list[Single]]:
    """Yield a batch and its single games after each of some random steps."""
    rows = [Single(table, seed, row) for row in range(batch.games)]
    for single in rows:
        single.begin()
    yield rows
    for _ in range(steps):
        actions = batch.sample().copy()
        batch.step(actions)
        over = [single.step(int(action)) for single, action in zip(rows, actions, strict=True)]
        assert batch.done.tolist() == over
        for row, single in enumerate(rows):
            assert tuple(batch.rewards[row]) == (single.rewards if over[row] else (0,) * table.seats)
        yield rows


@pytest.mark.parametrize("table", tried(TABLES), ids=str)
def test_a_batch_plays_single_games(table: Setting) -> None:
    seed = (1 << 40) + len(str(table))
    batch = Batch(table.key, dict(table.options), table.seats, GAMES_HERE, seed)
    for rows in stepped(table, batch, seed, STEPS):
        for row, single in enumerate(rows):
            play = single.play
            assert (batch.seat[row], batch.plies[row]) == (play.seat, play.turns)
            assert numpy.flatnonzero(batch.mask[row]).tolist() == play.legal()
            assert batch.observations[row].reshape(-1).tolist() == list(single.numbers)
            assert batch.state(row) == play.state


@pytest.mark.parametrize("table", tried(TABLES), ids=str)
def test_a_packed_row_loses_nothing(table: Setting) -> None:
    """The planes can be made again from it, and it is painted anew or where it has changed, all the same."""
    batch, packed, none = (
        Batch(table.key, dict(table.options), table.seats, GAMES_HERE, 11, layout=layout) for layout in LAYOUTS
    )
    packs = set(batch.steps.observer.packing()) != {NUMBER}
    for step in range(STEPS):
        sizes = packed.observations[0].size, batch.observations[0].size
        assert sizes[0] < sizes[1] if packs else sizes[0] == sizes[1]
        assert numpy.array_equal(packed.unpacked(), batch.observations)
        assert packed.unpacked().dtype == batch.observations.dtype
        if step % 8 == 0:
            assert numpy.array_equal(Batch.of(packed.stored()).observations, packed.observations)
        assert none.observations is None and (none.mask == batch.mask).all()
        actions = batch.sample()
        for each in (packed, none, batch):
            each.step(actions)
