"""The tree of first moves of games at equal tables, and what is proven of it: nothing is read or printed here.

Moves that are images of one another by a symmetry of the game (`State.symmetries`) are one line, shown as the least of
the images. Games that began from a given opening have a tree of their own for each opening: its moves were nobody's
choice. A payoff is proven by the rules, the half turn, or a search of bounded work: that is counted in positions, so
the same games give the same answer everywhere.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from quadrille.ai.tournament.statistics.shares import MeanShare, mean_share
from quadrille.rules.core import Game, State, ToDraw, ToMove
from quadrille.rules.errors import RulesError
from quadrille.rules.search import Position, Proof, turner
from quadrille.value import value

#: The steps of each move.
Steps: TypeAlias = tuple[tuple[int, ...], ...]
#: Entries of the table of proofs.
_PLACES: Final = 1 << 16


@value
class CountedGame:
    """A finished game: its first moves, and each seat's half points. Nobody chose the first `given` of the moves.

    Games of one block share its `unit`. `whole` is the same for games that are equal move by move.
    """

    moves: tuple[str, ...]
    given: int
    halves: tuple[int, ...]
    unit: object
    whole: str


class MoveNode:
    """A position of the tree, with the results of the games that came to it; `seat` made the last of `moves`.

    At a start nobody made it, and `seat` is the one to move. `steps` are those of each move.
    """

    __slots__ = ("after", "moves", "seat", "state", "steps", "units")

    def __init__(self, state: State[Any, Any], seat: int, steps: Steps = (), moves: tuple[str, ...] = ()) -> None:
        self.state, self.seat, self.steps, self.moves = state, seat, steps, moves
        #: For each unit the number of games, and the half points of each seat.
        self.units: dict[object, list[int]] = {}
        self.after: dict[tuple[int, ...], MoveNode] = {}

    def played(self, steps: tuple[int, ...]) -> "MoveNode":
        """Return the position after a move, without any game."""
        move, turn = self.state.move_of(steps), int(self.state.board.turn)
        return MoveNode(self.state.play(move), turn, (*self.steps, steps), (*self.moves, str(move)))

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(row[0] for row in self.units.values())

    def shares(self) -> tuple[MeanShare, ...]:
        """Return each seat's share of the points."""
        seats = self.state.seats
        rows = self.units.values()
        return tuple(mean_share((row[0], row[1 + seat] / (2 * (seats - 1))) for row in rows) for seat in range(seats))

    def add(self, game: CountedGame) -> None:
        """Count a game that came here."""
        row = self.units.setdefault(game.unit, [0] * (1 + self.state.seats))
        row[0] += 1
        for seat, halves in enumerate(game.halves, 1):
            row[seat] += halves

    def frequent(self, least: int) -> "list[MoveNode]":
        """Return the positions after the moves from here that were played this often, the most played first."""
        return sorted(
            (node for node in self.after.values() if node.games >= least), key=lambda node: (-node.games, node.steps)
        )

    def moves_below_threshold(self, least: int) -> tuple[int, int]:
        """Count the other moves from here, and their games."""
        few = [node.games for node in self.after.values() if node.games < least]
        return len(few), sum(few)


class OpeningTree:
    """The first moves of games with the same game, options and seats."""

    def __init__(self, game: Game[Any, Any], options: Mapping[str, object], seats: int, plies: int) -> None:
        """Follow this many moves, counted from each game's first free one."""
        self.first: State[Any, Any] = game.start(options, seats)
        #: The positions that games began from, by the given moves to each; none for the usual one.
        self.starts: dict[Steps, MoveNode] = {}
        self.games = 0
        #: Games that had a given opening, and games that ended without a free move.
        self.given = self.unmoved = 0
        #: Whole games, to find those that repeat another.
        self._wholes: set[str] = set()
        self._plies = plies
        self._images = self.first.symmetries
        #: For lines of moves as they were played: the position, and the steps to it.
        self._known: dict[tuple[str, ...], tuple[State[Any, Any], Steps]] = {(): (self.first, ())}

    @property
    def why_not(self) -> str:
        """Why first moves of this game say nothing; "" if they do."""
        game = self.first.game
        if game.hidden:
            return (
                f"{game.title} deals hidden cards: each seat knew something else when it moved, so equal moves of "
                "two games are not the same choice"
            )
        if not isinstance(self.first.pending, ToMove):
            return (
                f"{game.title} draws its first position: games begin differently, so their first moves can't be "
                "compared. Games with a given layout can"
            )
        return ""

    @property
    def repeated(self) -> int:
        """Number of games that repeat another move by move."""
        return self.games - len(self._wholes)

    def add(self, game: CountedGame) -> None:
        """Count a game; a refusal leaves all as it was."""
        if self.why_not:
            self.games += 1
            self._wholes.add(game.whole)
            return
        steps = self._steps(game.moves[: game.given + self._plies])
        if len(steps) < game.given:
            raise RulesError(f"its opening has {game.given} moves, and the game is over before")
        steps = min(tuple(tuple(image[step] for step in move) for move in steps) for image in self._images)
        self.games += 1
        self.given += game.given > 0
        self.unmoved += len(steps) == game.given
        self._wholes.add(game.whole)
        node = self._start(steps[: game.given])
        node.add(game)
        for move in steps[game.given :]:
            if move not in node.after:
                node.after[move] = node.played(move)
            node = node.after[move]
            node.add(game)

    def ordered(self) -> list[MoveNode]:
        """Return the starts, the usual one first."""
        return sorted(self.starts.values(), key=lambda node: (node.steps != (), -node.games, node.steps))

    def _start(self, steps: Steps) -> MoveNode:
        if steps not in self.starts:
            node = MoveNode(self.first, 0)
            for move in steps:
                node = node.played(move)
            node.seat = int(node.state.board.turn)
            self.starts[steps] = node
        return self.starts[steps]

    def _steps(self, moves: Sequence[str]) -> Steps:
        """Return the steps of moves in the game's notation, up to a position in which nobody is to move."""
        texts = tuple(moves)
        state, steps = self._known[()]
        for ply, text in enumerate(texts, 1):
            if not isinstance(state.pending, ToMove):
                break
            if texts[:ply] not in self._known:
                move = state.game.parse(text, state)
                after = state.play(move)
                self._known[texts[:ply]] = after, (*steps, tuple(state.steps(move) or ()))
            state, steps = self._known[texts[:ply]]
        return steps


# Proven payoffs


class ProvenPayoff(NamedTuple):
    """The payoffs that a seat of two can get with perfect play: from `least` to `most`, 1 for a win, 0 for a share."""

    least: int
    most: int

    def __str__(self) -> str:
        """Write the result in a word or two."""
        if self.least == self.most:
            return {1: "wins", 0: "ties", -1: "loses"}[self.least]
        return "at least ties" if self.least == 0 else "at most ties"


class BoundedProofs:
    """Proofs of positions of one game, each of a limited number of positions; their table stays warm."""

    def __init__(self, positions: int) -> None:
        self._positions = positions
        self._proof: Proof | None = None

    def of(self, node: MoveNode) -> ProvenPayoff | None:
        """Return the payoff of the node's seat; None if it is open."""
        state, seat = node.state, node.seat
        if state.seats != 2 or state.game.hidden or isinstance(state.pending, ToDraw):
            return None
        position = Position(state)
        if position.over:
            return ProvenPayoff(position.payoffs()[seat], position.payoffs()[seat])
        least = [-1, -1]  # what each seat gets at least, by theorems
        if (turned := position.half_turn()) is not None:
            least[state.board.turn] = turned.payoff
        if not node.steps and (first := turner(state)) is not None:
            least[first[0]] = max(least[first[0]], first[1])
        if 1 not in least and self._positions:
            self._proof = self._proof or Proof(position, _PLACES)
            if (payoff := self._proof.payoff(position, seat, self._positions)) is not None:
                return ProvenPayoff(payoff, payoff)
        return ProvenPayoff(least[seat], -least[1 - seat]) if max(least) > -1 else None
