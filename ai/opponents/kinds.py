"""The kinds of opponents and their choice of a move. Each has a table of its levels.

quadrille.rules.search searches in slices (thinking.py). A bot's dice are its own. So levels 1 to 4, which think for a
fixed count, play the same game from the same dice on any machine, unless a clock is short. Level 5 thinks by the clock.
"""

import random
from typing import Any, ClassVar, Final

from quadrille.ai import house
from quadrille.ai.bot import Bot, Clock
from quadrille.ai.opponents.second_tree import seconded
from quadrille.ai.opponents.thinking import Effort, effort, least
from quadrille.rules.core import Move, State
from quadrille.rules.dice import Dice
from quadrille.rules.search import TABLE, WANDER, HalfTurn, Lookahead, Position, Proof, TreeSearch

LEVELS: Final = tuple(map(int, house.LEVELS))
#: Maximum moves that are tried one ahead; of longer lists a random sample.
LISTED: Final = 400
#: Positions in a slice of alpha-beta, and table entries for each position of a move: a larger table takes longer to
#: allocate than weak levels search.
POSITIONS: Final = 1000
_ROOM: Final = 4
#: Simulations of a forced move: enough to see that it ends the game.
GLANCE: Final = 8
#: Entries of the solver's transposition table: it is allocated within the time for the first move.
PLACES: Final = 1 << 18
#: Minimum level that knows the answer turned by 180 degrees (Position.half_turn).
MIRRORS: Final = 4
#: Minimum average of a search that counts as more than a sure tie, in millionths of a payoff and in standard errors.
#: With less it is wrong too often, because a search explores its own moves better than the answers to them.
MARGIN: Final = 200_000
ERRORS: Final = 1.5
_SEEDS: Final = 1 << 31
#: With hidden cards, level 1 makes one move in four at random: boards that weigh moves need hardly a simulation.
CARELESS: Final = 4
#: A payoff in a search's values, and being ahead in those of alpha-beta.
_PAYOFF: Final = 1_000_000
_ESTIMATE: Final = 1000


class Opponent(Bot):
    """A built-in bot at a level."""

    author: ClassVar[str] = "Quadrille"
    counts_work: ClassVar[bool] = True
    #: Whether the worth of moves is at hand in this bot; else only a compiled engine is asked for it.
    weighs: ClassVar[bool] = False
    #: Simulations or positions of each level; None: as many as the clock allows.
    counts: ClassVar[tuple[int | None, ...]] = (None,) * len(LEVELS)

    def __init__(self, level: int = LEVELS[-1]) -> None:
        self.level = level
        self.forget()

    def forget(self) -> None:
        """Clear the findings in the position of the last move."""
        #: The proven payoff of its seat, of two; what its search expects; its depth.
        self.proved: int | None = None
        self.expected: float | None = None
        self.depth: int | None = None
        #: The least payoff of the answer turned by 180 degrees, if that was its move.
        self.half_turned: int | None = None
        #: The tree in which it looked for its move.
        self.searched: TreeSearch | None = None

    def adopt(self, other: "Opponent") -> None:
        """Take over what another bot found, whose move it plays."""
        self.proved, self.expected, self.depth = other.proved, other.expected, other.depth
        self.half_turned, self.searched = other.half_turned, other.searched

    def position(self, view: State[Any, Any]) -> Position:
        return Position(view)

    def effort(self, clock: Clock) -> Effort:
        return effort(self.counts[self.level - 1], clock)

    def half_turn(self, position: Position) -> HalfTurn | None:
        """Return the answer turned by 180 degrees, if this level knows it and it is proven to be useful here."""
        return position.half_turn() if self.level >= MIRRORS else None

    def thought(self, view: State[Any, Any]) -> dict[str, Any] | None:
        """Return the bot's chances, if it has searched, and how deep."""
        value = self.expected if self.proved is None else self.proved
        if value is None:
            return None
        return {"value": value} if self.depth is None else {"value": value, "depth": self.depth}

    def reason(self, view: State[Any, Any], move: str) -> dict[str, Any] | None:
        """Return the proof behind the move, or the window by which it is better than the next best."""
        from quadrille.ai.opponents.reasons import reason_of  # here alone: only hints need weights and words

        reason = reason_of(self, view, view.game.parse(move, view))
        return None if reason is None else reason.data()

    @property
    def proof(self) -> Proof | None:
        """A search to the end whose table knows positions of this game."""
        return None

    def turned(self, position: Position, answer: HalfTurn) -> Move:
        """Play the answer turned by 180 degrees."""
        self.half_turned = answer.payoff
        return position.move([answer.move])


class Random(Opponent):
    """Plays random legal moves: a sparring partner for beginners and a yardstick for programs."""

    name = "random"

    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> Move:
        move: Move = view.moves.sample(rng)
        return move


class Greedy(Opponent):
    """Plays the move with the best figures right after it, without looking further ahead."""

    name = "greedy"

    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> Move:
        """Choose at random among equally good moves; with hidden cards, expected figures count."""
        if view.game.hidden:
            position = Position(view)
            return position.move([position.board.at_sight(Dice(rng.randrange(_SEEDS)))])
        seat = view.board.turn
        many = view.moves.count(LISTED + 1) > LISTED
        moves = [view.moves.sample(rng) for _ in range(LISTED)] if many else list(view.moves)
        leads = [self._lead(view.play(move), seat) for move in moves]
        best: list[Move] = [move for move, lead in zip(moves, leads, strict=True) if lead == max(leads)]
        return best[rng.randrange(len(best))]

    @staticmethod
    def _lead(state: State[Any, Any], seat: int) -> int:
        board = state.board
        return sum(board.compare(seat, other) for other in range(board.seats) if other != seat)


class Mcts(Opponent):
    """Monte Carlo tree search (UCT), for any number of seats; with hidden cards on its seat's knowledge (ISMCTS).

    Without hidden cards its tree is kept for the following moves.
    """

    name = "mcts"
    counts = (20, 80, 300, 1000, None)
    #: As `counts`, for games with hidden cards: there a few games tell as much as many.
    hidden_counts: ClassVar[tuple[int | None, ...]] = (2, 8, 24, 80, None)
    #: UCT's exploration constant, times 100.
    wander: ClassVar[int] = WANDER

    def __init__(self, level: int = LEVELS[-1]) -> None:
        super().__init__(level)
        self._search: TreeSearch | None = None
        self._terms: tuple[Any, ...] = ()

    def starts(self, view: State[Any, Any], seat: int) -> None:
        """Clear all results: an earlier game must not change how this one goes."""
        self._search = None

    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> Move:
        """Choose the move with the most visits."""
        position = self.position(view)
        return self.think(position, effort(self.count(position), clock), rng, self.half_turn(position))

    def count(self, position: Position) -> int | None:
        """Return the simulations of this level, by the game's own table if it has one; None: no limit."""
        usual, own = self.hidden_counts if position.hidden else self.counts, position.state.game.simulations
        return (*own, None)[self.level - 1] if own else usual[self.level - 1]

    def think(self, position: Position, effort: Effort, rng: random.Random, answer: HalfTurn | None = None) -> Move:
        """Search with that effort; at least a little, whatever the clock says. Refuse moves that look worse than
        `answer`. Where the move is forced, leave the chances unknown: the search has hardly looked.
        """
        self.forget()
        if position.hidden and self.level == 1 and rng.randrange(CARELESS) == 0:
            move: Move = position.state.moves.sample(rng)
            return move
        if answer and answer.payoff > 0:
            self.proved = answer.payoff
            return self.turned(position, answer)
        search = self.searched = self._tree(position, rng)
        search.go_on(1)
        forced = is_forced(position)
        effort = glance(effort, GLANCE, forced=forced)
        with seconded(self.crew if effort.most is None else None, search, position, rng, effort):
            effort.spend(search.go_on, 8)
        tree = search.tree
        result = search.found
        self.proved = result.certain if tree.proved[tree.top] else None
        self.expected = None if forced else _share(result.value / _PAYOFF / max(position.seats - 1, 1))
        if answer and self.proved is None and result.value < max(MARGIN, ERRORS * 1_000_000 / result.most_visits**0.5):
            return self.turned(position, answer)
        return position.move(search.turn())

    def _tree(self, position: Position, rng: random.Random) -> TreeSearch:
        """Return the tree of the moves before, if this position is in it, or a new one."""
        terms = position.terms
        if self._search is None or self._terms != terms or not self._search.follow(position):
            self._search, self._terms = TreeSearch(position, rng.randrange(_SEEDS), wander=self.wander), terms
        return self._search


class Ismcts(Mcts):
    """The same search; its name where cards are hidden."""

    name = "ismcts"


class AlphaBeta(Opponent):
    """Iterative deepening alpha-beta, for two players without hidden cards; other games are played as by mcts."""

    name = "alphabeta"
    counts = (60, 500, 4000, 30000, None)

    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> Move:
        """Choose the best move at the greatest depth reached."""
        position = Position(view)
        self.forget()
        if position.seats != 2 or position.hidden:
            other = Mcts(self.level)
            move = other.choose(view, clock, rng)
            self.adopt(other)
            return move
        answer = self.half_turn(position)
        if answer and answer.payoff > 0:
            self.proved = answer.payoff
            return self.turned(position, answer)
        effort = glance(self.effort(clock), POSITIONS, forced=is_forced(position))
        search = look_ahead(position, self.counts[self.level - 1], effort)
        result = search.found
        self.proved = result.value if result.certain else None
        self.expected, self.depth = _share(result.value / _ESTIMATE) if result.depth else None, result.depth
        if answer and self.proved is None and result.value < MARGIN // 1000:
            return self.turned(position, answer)
        return position.move(search.turn()) if result.depth else view.moves.sample(rng)


def is_forced(position: Position) -> bool:
    return position.board.legal() == 1 and position.state.moves.count(2) == 1


def glance(effort: Effort, most: int, *, forced: bool) -> Effort:
    """Limit the effort of a forced move to `most` simulations or positions: enough to see a result that is near."""
    return effort.of(least(effort.most, most)) if forced else effort


def _share(value: float) -> float:
    """Return a search's value as a bot's chances, from -1 to 1."""
    return round(max(-1.0, min(1.0, value)), 3)


def look_ahead(position: Position, most: int | None, effort: Effort) -> Lookahead:
    """Search by alpha-beta at a level with `most` positions a move, with that effort."""
    search = Lookahead(position, TABLE if most is None else min(TABLE, 1 << (_ROOM * most - 1).bit_length()))
    effort.spend(search.go_on, POSITIONS, steady=True)
    return search


class Solver(Opponent):
    """Perfect play if it can search to the end of the game; before that it plays like mcts.

    Its table is kept for later moves of a game, so it gets further each time.
    """

    name = "solver"
    counts = (2000, 10000, 50000, 250000, None)
    #: The share of its effort that goes into the proof.
    share: ClassVar[float] = 0.5

    def __init__(self, level: int = LEVELS[-1]) -> None:
        super().__init__(level)
        self._otherwise = self.searcher(level)
        self._proof: Proof | None = None
        self._terms: tuple[Any, ...] = ()

    def searcher(self, level: int) -> Mcts:
        """Return the bot that plays where nothing can be proven."""
        return Mcts(level)

    def starts(self, view: State[Any, Any], seat: int) -> None:
        """Clear all proofs: those of one game would change its moves in the next."""
        self._proof = None
        self._otherwise.starts(view, seat)

    def choose(self, view: State[Any, Any], clock: Clock, rng: random.Random) -> Move:
        """Choose a move that is proven best. In a lost position play as if nothing were known."""
        position = self.position(view)
        effort, work, answer = self.effort(clock), clock.work, self.half_turn(position)
        effort = glance(effort, POSITIONS, forced=is_forced(position))
        self.forget()
        wins = answer is not None and answer.payoff > 0
        if position.seats == 2 and not position.hidden and effort.most != 0 and not wins:
            search = self._standing(position)
            effort.part(self.share).spend(search.go_on, POSITIONS, steady=True)
            work = None if work is None else work - int(work * self.share)
            result = search.found
            if result.certain:
                self.proved = result.value
                if result.value >= 0:
                    return position.move(search.turn())
        most, self._otherwise.crew = least(self._otherwise.count(position), work), self.crew
        move = self._otherwise.think(position, effort.of(most), rng, answer)
        proved = self.proved
        self.adopt(self._otherwise)
        self.proved = self.proved if proved is None else proved
        return move

    @property
    def proof(self) -> Proof | None:
        """The search to the end of this game, if it has begun one."""
        return self._proof

    def _standing(self, position: Position) -> Proof:
        """Return the search to the end, from this position on."""
        if self._proof is None or self._terms != position.terms:
            self._proof, self._terms = Proof(position, PLACES), position.terms
        else:
            self._proof.stand(position)
        return self._proof


class House(Solver):
    """The best built-in bot at that level: mcts, which from level 4 on plays the end of a game perfectly if it can."""

    name = "quadrille"
    counts = (0, 0, 0, 2000, None)
    share = 0.25
