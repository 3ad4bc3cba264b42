"""Puzzles with a proof: positions in which exactly one move wins and all others lose, found from a name alone.

The same name gives the same puzzle on every machine, compiled or not: all effort is counted, and no clock is read. A
caller says what a name is, such as a date, and shows the puzzle. See extras/study/docs/puzzles.md.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from quadrille.ai.bot import Clock
from quadrille.ai.opponents.kinds import House
from quadrille.rules.chance import Stream
from quadrille.rules.core import Game, Move, State
from quadrille.rules.match import Deal, Match
from quadrille.rules.search import Lookahead, Position, Proof, TreeSearch

#: The version of the search for puzzles. A change of it, or of the prover's effort, finds others and needs another.
VERSION: Final = 2
#: Maximum positions of the proof of a position, and of that of a move in it.
POSITIONS: Final = 10_000
#: Entries of the table of a proof.
PLACES: Final = 1 << 16
#: Minimum turns that a search has to look ahead to see the win.
DEPTH: Final = 5
#: Minimum and maximum moves to choose from.
FEWEST: Final = 3
MOST: Final = 40
#: Level of the bot that must not find the move.
LEVEL: Final = 2
#: Simulations of each move of the games in which puzzles are looked for; one move in so many is random.
SIMULATIONS: Final = 30
STRAY: Final = 3
#: Maximum positions of the search that must not see the win.
SEEN: Final = 200_000
#: Milliseconds for a move of a bot that counts its work.
HOURS: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, at the end of a match, and the one move that wins in it.

    `line` is a line of best moves to the end, from this one on. `refuted` has the winning answer to each other move; ""
    where the game is over after it.
    """

    match: Match
    solution: str
    line: tuple[str, ...]
    refuted: dict[str, str]

    @property
    def state(self) -> State[Any, Any]:
        """The position."""
        return self.match.state

    def after(self, moves: Iterable[str]) -> Match:
        match = self.match.copy()
        for move in moves:
            match.play(move)
        return match


def puzzle(game: Game[Any, Any], name: str) -> Puzzle:
    for _, found in search(game, name):
        if found is not None:
            return found
    raise AssertionError("a search for a puzzle has no end")


def search(game: Game[Any, Any], name: str) -> Iterator[tuple[int, Puzzle | None]]:
    """Yield the numbers of the games that were looked through, and at last the puzzle: for a caller that shows
    progress.
    """
    number = 0
    while True:
        number += 1
        yield number, None
        found = in_game(game, Stream(f"puzzle {VERSION} {game.key} {name}", str(number)))
        if found is not None:
            yield number, found
            return


def in_game(game: Game[Any, Any], stream: Stream) -> Puzzle | None:
    """Find the deepest puzzle near the end of a game of weak players; None if it has none."""
    match = played(game, stream)
    found: Puzzle | None = None
    proof: Proof | None = None
    for moves in reversed(range(match.length)):
        before = match.before(moves)
        state = before.state
        position = Position(state)
        if proof is None:
            proof = Proof(position, PLACES)
        proof.stand(position)
        if proof.go_on(POSITIONS):
            break
        if proof.found.value > 0 and FEWEST <= state.moves.count(MOST + 1) <= MOST:
            found = posed(proof, before, stream) or found
    return found


def played(game: Game[Any, Any], stream: Stream) -> Match:
    """Play a game of weak players to its end, in which every entry is a move."""
    match = Match(game, game.puzzle_options, 2, deal=Deal(str(stream.word())))
    while not match.over:
        state = match.state
        move: Move = state.moves.sample(stream)
        if stream.randrange(STRAY):
            position = Position(state)
            search = TreeSearch(position, stream.randrange(1 << 30))
            search.go_on(SIMULATIONS)
            move = position.move(search.turn())
        match.play(move)
    return match


def posed(proof: Proof, match: Match, stream: Stream) -> Puzzle | None:
    """Pose the puzzle in a position that its mover wins; None if it is none, or not proven to be one."""
    state = match.state
    winning: list[Move] = []
    refuted: dict[str, str] = {}
    for move in state.moves:
        after = state.play(move)
        lead = proof.payoff(Position(after), state.board.turn, POSITIONS)
        if lead is None or lead == 0:
            return None
        if lead > 0:
            winning.append(move)
            if len(winning) > 1:
                return None
        else:
            refuted[str(move)] = "" if not after.can_move else str(Position(after).move(proof.turn()))
    [solution] = winning
    if is_seen(state) or tried(state, stream) == solution:
        return None
    return Puzzle(match, str(solution), tuple(map(str, proof.line(Position(state), POSITIONS))), refuted)


def refutation(puzzle: Puzzle, move: str) -> tuple[str, ...]:
    """Return the best moves after a wrong one, from its refutation on: to the end, as far as each is proven."""
    answer = puzzle.refuted[move]
    if not answer:
        return ()
    start = Position(puzzle.after((move, answer)).state)
    return (answer, *map(str, Proof(start, PLACES).line(start, POSITIONS)))


def is_seen(state: State[Any, Any]) -> bool:
    """Return True if a search less than DEPTH turns ahead sees the win."""
    ahead = Lookahead(Position(state), PLACES)
    ahead.go_on(SEEN, DEPTH - 1)
    return ahead.found.certain


def tried(state: State[Any, Any], stream: Stream) -> Move:
    """Return the move of the bot that must not find the solution."""
    rng = random.Random(stream.word())  # noqa: S311
    return House(LEVEL).choose(state, Clock(state.board.turn, None, 0, HOURS), rng)
