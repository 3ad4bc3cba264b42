"""Many trees that ask one evaluator: search with a network of any library (extras/lab/docs/evaluators.md).

    from quadrille.rules.search import Position
    from quadrille.extras.lab.forest import Forest

    def evaluator(observations, mask, seats):
        return mask, seats * 0  # priors (n, actions), and values (n,) from -1 to 1 for the seats to move

    forest = Forest(evaluator, [Position.start("barons")], seed=7)
    forest.go_on(200)
    forest.visits  # (trees, actions)

Each round collects positions of all trees and asks once. The trees are engine/puct.py; here floats become whole
numbers, so that the same answers give the same search everywhere.
"""

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any, Final, TypeAlias

import numpy

from quadrille.extras.lab.actions import Steps
from quadrille.extras.lab.engine.puct import Puct, Questions
from quadrille.extras.lab.observations import observer_of
from quadrille.rules.arrays import array
from quadrille.rules.board import PART, Board
from quadrille.rules.core import State, is_stepped
from quadrille.rules.dice import Dice
from quadrille.rules.engine.tree import SHIFT, UNIT
from quadrille.rules.errors import GameOver, RulesError
from quadrille.rules.options import shown
from quadrille.rules.search import WANDER, Position
from quadrille.rules.search.results import Found, check, found_in

#: Observations, mask of legal actions, seats to move; the answer is a pair of priors and values.
Evaluator: TypeAlias = Callable[[Any, Any, Any], tuple[Any, Any]]
#: Maximum simulations of a tree, and positions of it in a round.
MOST_SIMULATIONS: Final = 1 << 20
MOST_LEAVES: Final = 1 << 10
#: Exploration constants above this, times 100, would not fit the whole numbers of the engine.
MOST_WANDER: Final = 1000


class Forest:
    """A tree for each position, all of one game with the same options and seats; tree i has the dice of `seed` + i.

    A simulation of a tree ends at a new position or at the end of the game. New positions are asked for, up to `leaves`
    of each tree in a round. `noise` is the share of chance in the priors of the first position, in hundredths.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        positions: Iterable[Position | State[Any, Any]],
        seed: int,
        *,
        leaves: int = 1,
        noise: int = 0,
        wander: int = WANDER,
    ) -> None:
        self.evaluator = evaluator
        check("leaves", leaves, MOST_LEAVES)
        check("wander", wander, MOST_WANDER)
        if noise:
            check("noise", noise, 100)
        self._leaves, self._noise, self._wander = leaves, noise * UNIT // 100, wander
        stands = [position if isinstance(position, Position) else Position(position) for position in positions]
        if not stands:
            raise RulesError("a forest is of one position or more: none was given")
        self._terms = stands[0].terms
        start = stands[0].state
        observer = observer_of(start)
        self.steps = Steps(start)
        self.trees = [self._tree(self._root(at, stand), Dice(seed + at)) for at, stand in enumerate(stands)]
        self._questions = Questions(observer)
        self._kind = numpy.uint8 if observer.bits() == 8 else numpy.int16

    def _root(self, at: int, stand: Position) -> Board:
        """Return the board of a position as its mover knows it."""
        if stand.terms != self._terms:
            raise RulesError(f"position {at} is of another game than the first one, or of other options or seats")
        if stand.seat is None:
            why = "a face is owed, or the game is over; only a seat that is to move can search"
            raise GameOver(f"position {at}: {why}")
        return stand.known(stand.seat).copy()

    def _tree(self, root: Board, dice: Dice) -> Puct:
        tree = Puct(root, dice, root.turn, self._wander, self._noise, not self.steps.start.game.hidden)
        tree.halves = is_stepped(self.steps.start)
        return tree

    def go_on(self, simulations: int) -> bool:
        """Add simulations to each tree, or fewer once its result is known; return whether more could change anything.

        If the evaluator fails, its error passes through, and the trees keep the rounds before it.
        """
        check("simulations", simulations, MOST_SIMULATIONS - max(int(tree.visits[tree.top]) for tree in self.trees))
        for tree in self.trees:
            tree.due = simulations
        while self._ask():
            pass
        return any(not tree.proved[tree.top] for tree in self.trees)

    def _ask(self) -> bool:
        """Do one round. Return whether there was anything to ask."""
        asked = self._questions
        asked.clear()
        try:
            for tree in self.trees:
                asked.collect(tree, self._leaves)
            if asked.count:
                asked.answer(*self._answers(asked))
        finally:
            asked.withdraw()  # what the evaluator failed to answer
        return asked.count > 0

    def _answers(self, asked: Questions) -> tuple[Any, Any]:
        """Return the evaluator's values and priors as whole numbers."""
        count = int(asked.count)
        ends = numpy.array(asked.ends[:count])
        seats = numpy.array(asked.seats[:count])
        seen = numpy.array(asked.seen[: count * asked.size]).reshape(count, asked.size)
        sight = numpy.zeros((count, prod(self.steps.sight)), self._kind)  # no turn is unfinished
        sight[:, : asked.size] = seen
        begins = numpy.concatenate([[0], ends[:-1]])
        rows = numpy.repeat(numpy.arange(count), ends - begins)
        actions = self._actions_of(numpy.array(asked.moves[: ends[-1]]))
        mask = numpy.zeros((count, self.steps.count), numpy.uint8)
        mask[rows, actions] = 1
        answer = self.evaluator(sight.reshape(count, *self.steps.sight), mask, seats)
        if not isinstance(answer, Sequence) or len(answer) != 2:
            raise RulesError(f"an evaluator returns two arrays, priors and values, not {shown(answer)}")
        priors = read("priors", answer[0], [mask.shape])[rows, actions]
        values = read("values", answer[1], [(count,), (count, self._terms[2])])
        return array(self._values(values).tolist()), array(self._weights(priors, begins, rows, actions).tolist())

    def _weights(self, priors: Any, begins: Any, rows: Any, actions: Any) -> Any:
        """Turn priors of legal moves into whole numbers: the highest of a row becomes UNIT / 2 to UNIT, by a power of
        two.

        Turns that begin with the same action share its prior.
        """
        bad = numpy.flatnonzero(~(numpy.isfinite(priors) & (priors >= 0)))
        if len(bad):
            row, action, prior = rows[bad[0]], actions[bad[0]], priors[bad[0]]
            raise RulesError(
                f"the evaluator gave position {row} of {len(begins)} the prior {prior} for action {action}: priors are"
                " finite and not negative, as after softmax"
            )
        highest = numpy.maximum.reduceat(priors, begins)
        if len(none := numpy.flatnonzero(highest == 0)):
            raise RulesError(
                f"the evaluator gave all legal actions of position {none[0]} of {len(begins)} the prior 0: one of them"
                " has to have more"
            )
        powers = numpy.frexp(highest)[1]
        weights = numpy.rint(numpy.ldexp(priors, SHIFT - powers[rows])).astype(numpy.int64)
        if self.steps.in_planes:
            return weights
        places = rows * self.steps.count + actions
        return (weights + numpy.bincount(places)[places] - 1) // numpy.bincount(places)[places]

    def _values(self, values: Any) -> Any:
        """Turn values into those of all seats in PARTs, the mover's first."""
        others = self._terms[2] - 1
        parts = numpy.rint(values * PART)
        wrong = numpy.argwhere(~(numpy.abs(parts) <= PART))
        if len(wrong):
            value = values[tuple(wrong[0])]
            raise RulesError(
                f"the evaluator gave position {wrong[0][0]} of {len(values)} the value {value}: values are from -1"
                " (behind all others) to 1 (ahead of all others)"
            )
        if parts.ndim == 1:
            return numpy.column_stack([others * parts, *[-parts] * others]).astype(numpy.int64).ravel()
        return (others * parts).astype(numpy.int64).ravel()

    def _actions_of(self, moves: Any) -> Any:
        if self.steps.in_planes:
            return numpy.searchsorted(numpy.array(self.steps.numbers), moves)
        return numpy.array([self.steps.first(move) for move in moves.tolist()])

    # Results

    @property
    def found(self) -> list[Found]:
        """The result of each tree so far; of a move that has not been tried, all numbers are 0."""
        for at, tree in enumerate(self.trees):
            if tree.block[tree.top] <= 0:
                raise RulesError(f"tree {at} has no result yet: `go_on` first")
        return [found_in(tree) for tree in self.trees]

    @property
    def visits(self) -> Any:
        """Number of trials of each action: (trees, actions), the target of a policy."""
        counts = numpy.zeros((len(self.trees), self.steps.count), numpy.int64)
        for row, result in zip(counts, self.found, strict=True):
            numpy.add.at(row, self._actions_of(numpy.array(result.moves)), result.visits)
        return counts

    @property
    def actions(self) -> Any:
        """The best action of each tree; a turn of several actions has more of them in `result`."""
        return self._actions_of(numpy.array([result.move for result in self.found]))

    @property
    def values(self) -> Any:
        """The average of each tree for the seat to move, the certain one where it is known: -1,000,000 to 1,000,000."""
        values = []
        for each in self.found:
            total = sum(map(int.__mul__, each.visits, each.values)) // max(1, sum(each.visits))
            values.append(total if each.certain is None else each.certain * 1_000_000)
        return numpy.array(values) // (self._terms[2] - 1)

    def follow(self, positions: Iterable[Position | State[Any, Any]]) -> list[bool]:
        """Stand on these positions, one for each tree; return which trees have them, and so keep their results.

        The others begin anew, with their dice as they are. With hidden faces all do.
        """
        stands = [position if isinstance(position, Position) else Position(position) for position in positions]
        if len(stands) != len(self.trees):
            raise RulesError(f"{len(self.trees)} trees follow {len(self.trees)} positions, not {len(stands)}")
        roots = [self._root(at, stand) for at, stand in enumerate(stands)]
        kept = []
        for at, root in enumerate(roots):
            kept.append(not self.steps.start.game.hidden and self.trees[at].follow(root))
            if not kept[-1]:
                self.trees[at] = self._tree(root, self.trees[at].dice)
        return kept


def read(what: str, given: Any, shapes: list[tuple[int, ...]]) -> Any:
    """Read an evaluator's array as floats; refuse any other shape."""
    try:
        numbers = numpy.asarray(given, numpy.float64)
    except (TypeError, ValueError):
        raise RulesError(f"the evaluator's {what} are no array of numbers: {shown(given)}") from None
    if numbers.shape not in shapes:
        wanted = " or ".join(map(str, shapes))
        raise RulesError(f"the evaluator gave {what} of shape {numbers.shape}: for these positions it is {wanted}")
    return numbers
