"""Coin Isolation: walk along coins of one type, keep one, push the others before you.

Rules for players: page.md. The board decides the game; turns.py lists and writes turns, talk.py says what is wrong
with one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import ClassVar, Final

from quadrille.rules import options as option
from quadrille.rules.board import CHANCE
from quadrille.rules.chance import Randomness
from quadrille.rules.core import (
    Face,
    Figures,
    Game,
    Lesson,
    Move,
    Moves,
    Pile,
    Plain,
    Preset,
    State,
    ToDraw,
    panels,
    wrong_kind,
)
from quadrille.rules.core.talk import Consequence, Criterion, counted
from quadrille.rules.errors import BadNotation, BadOptions, GameOver
from quadrille.rules.games.coin_isolation import board as rules
from quadrille.rules.games.coin_isolation.board import CoinBoard, CoinTerms
from quadrille.rules.games.coin_isolation.paths import KINDS
from quadrille.rules.games.coin_isolation.talk import half_made, reason
from quadrille.rules.games.coin_isolation.turns import (
    COIN_NAMES,
    LETTERS,
    SIDE_NAMES,
    CoinMove,
    CoinTurn,
    beginning,
    read,
    rows,
    sampled,
    sheet_of,
    spelled,
    steps_of,
    turn_of,
    word_of,
)  # fmt: skip
from quadrille.rules.options import Options
from quadrille.rules.scene import Scene, Sheet, cell, letter, mark
from quadrille.rules.squares import clean, grid, quoted

SETS: Final = {"standard": (24, 24, 12, 4), "many-pennies": (27, 22, 11, 4), "many-many-pennies": (30, 20, 10, 4)}
TAKES: Final = ("one", "greedy", "semi-greedy")
COLLECTS: Final = ("pile", "transplant", "transplant-after", "cleanup")
_SIDE: Final = range(2, 13)
_KIND_OF: Final = {letter: kind for kind, letter in enumerate(LETTERS)}


@dataclass(frozen=True, slots=True)
class CoinOptions(Options):
    """The options of Coin Isolation; all of them can be combined."""

    coins: str = option.choice(tuple(SETS), "the coins: 24p 24n 12d 4q, 27p 22n 11d 4q or 30p 20n 10d 4q")
    layout: str = option.text("the coins outright: rows from the top, / between, a letter a square, . for none", 155)
    adjacency: str = option.choice(("orthogonal", "diagonal"), "whether squares that share a corner are adjacent too")
    take: str = option.choice(TAKES, "keep one coin of the target, all of them, or as many as you like")
    collect: str = option.choice(COLLECTS, "one coin of each square goes to the target, to empty squares, or all go")
    mixed_change: bool = option.flag("piles may mix types, and half the coins under the pawn go along")
    standing_still: bool = option.flag("a player may stay and keep one of the coins under the pawn")
    renegade: bool = option.flag("a player may turn renegade: no more coins, but also over empty squares")
    idle_rounds: int = option.number(8, 1, 100, "the game ends after this many rounds in which nobody kept a coin")


@lru_cache(maxsize=256)
def _owed(coins: str, position: int) -> ToDraw:
    names = "".join(letter * n for letter, n in zip(LETTERS, SETS[coins], strict=True))
    return ToDraw(Pile("layout", tuple(names)), position)


class CoinState(State[CoinBoard, CoinMove]):
    """A position of Coin Isolation. A turn is several steps of the board, so a move is a row of numbers."""

    __slots__ = ()

    kinds = (CoinTurn, Face)
    reads = half_made

    def move(self, code: int) -> CoinMove:
        """Refuse: the moves of this game are rows of steps, and `moves` makes them itself."""
        raise AssertionError("a move of Coin Isolation has no number")

    def code(self, move: CoinMove) -> int | None:
        """Return the number of a face: no other move has one."""
        assert isinstance(move, Face)
        kind = _KIND_OF.get(move.name)
        return None if kind is None else self.board.first + rules.COIN + kind

    def steps(self, move: CoinMove) -> list[int] | None:
        """Return the board's steps of a move; None if a square of it is off the board."""
        return steps_of(self.board, move) if isinstance(move, CoinTurn) else super().steps(move)

    def move_of(self, steps: Sequence[int]) -> CoinMove:
        return turn_of(self.board, steps) if steps else super().move_of(steps)

    def word(self, prefix: Sequence[int], step: int) -> str:
        """Return a square, a clause, or another word of a turn."""
        tried, _ = self.trial(prefix)
        text = word_of(tried.board, step)
        self._tried = [tried]
        return text

    def phrase(self, steps: Sequence[int]) -> str:
        return str(turn_of(self.board, steps)) if steps else ""

    @property
    def step_numbers(self) -> Sequence[int]:
        """The squares, the clauses, and the numbers of coins taken where that is a choice."""
        takes = max(self._coins) + 1 if self.options.take == "semi-greedy" else 0
        return range(self.board.first + rules.TAKE + takes)

    @property
    def longest(self) -> int:
        """The board's maximum of turns; in each renegade, path, end, type, take, half the coins, transplants."""
        coins, terms = sum(self._coins), self.board.terms
        return 2 + (coins + 1) * terms.idle_rounds * self.seats * (4 + 2 * terms.cells + coins // 2)

    @property
    def _coins(self) -> list[int]:
        """How many coins of each kind there are."""
        terms = self.board.terms
        return [list(terms.layout).count(kind) for kind in range(KINDS)] if self.options.layout else list(terms.coins)

    def lists(self, code: int) -> bool:
        """Answer without a list while coins are laid."""
        board, kind = self.board, code - self.board.first - rules.COIN
        if board.turn != CHANCE or board.ended:
            return super().lists(code)
        return 0 <= kind < KINDS and board.unlaid(kind) > 0

    def objection(self, move: Move) -> str | None:
        """Explain in a sentence why the move is illegal now; None if it is legal. The list is never walked for it."""
        if self.board.ended or not isinstance(move, Face if self.board.turn == CHANCE else CoinTurn):
            return wrong_kind(self, move)
        tried, step = self.trial(self.steps(move) or ())
        legal = step is None and tried.done
        objection = None if legal else reason(self.board, tried.board, move, step, done=tried.done)
        self._tried = [tried]
        return objection

    def reason(self, move: CoinMove) -> str:
        return self.objection(move) or ""

    def _after(self, move: CoinMove) -> "CoinState | None":
        """Return the position after a move, on the board of the trial."""
        tried, wrong = self.trial(self.steps(move) or ())
        if wrong is not None or not tried.done:
            return None
        after = self.on(tried.board)
        after._codes = tuple(tried.following)
        return after

    @property
    def moves(self) -> "CoinMoves":
        """The legal moves: to be asked, not listed."""
        return CoinMoves(self)

    def draw(self) -> ToDraw:
        """Return the next coin of the layout: everybody sees it."""
        return _owed(self.options.coins, self.board.at[rules.LAID])

    def figures(self) -> Figures:
        """Return money, coins by type, and the turn in which the last coin was kept."""
        board, seats = self.board, range(self.seats)
        held = [board.held + KINDS * seat for seat in seats]
        return {
            "cents": tuple(board.cents(seat) for seat in seats),
            "coins": tuple(dict(zip(LETTERS, board.at[place : place + KINDS], strict=True)) for place in held),
            "last_coin": tuple(board.at[board.last_coin + seat] for seat in seats),
        }

    def criteria(self, seat: int) -> tuple[Criterion, ...]:
        """Return money, then the last coin. "Most money. Equal money: who took a coin most recently is ahead." """
        last = Criterion(self.board.at[self.board.last_coin + seat], "the coin that was kept last", is_count=False)
        return Criterion(self.board.cents(seat), "cents"), last

    def story(self, move: CoinMove, faces: Sequence[Face], after: "CoinState") -> tuple[Consequence, ...]:
        """Tell of the coins that a turn kept."""
        seat, worth = self.board.turn, after.board.cents(self.board.turn) - self.board.cents(self.board.turn)
        if self.board.turn == CHANCE or not worth:
            return ()
        first = self.board.held + KINDS * seat
        kept = [after.board.at[first + kind] - self.board.at[first + kind] for kind in range(KINDS)]
        coins = " and ".join(counted(n, *COIN_NAMES[kind]) for kind, n in enumerate(kept) if n)
        return (Consequence(seat, "keep", f"{coins}: {counted(after.board.cents(seat), 'cent')} now"),)

    def ending(self) -> str:
        board = self.board
        if board.all_renegades():
            return "all players are renegades"
        if board.at[rules.PASSES] >= self.seats:
            return "all players passed one after another"
        rounds = "a full round" if self.options.idle_rounds == 1 else f"{self.options.idle_rounds} full rounds"
        return f"nobody kept a coin for {rounds}"

    def plain(self) -> Plain:
        """Return all numbers of the board between two turns."""
        board = self.board
        counted = tuple(board.at[place] for place in (rules.TURNS, rules.PASSES, rules.IDLE, rules.LAID, rules.STAGE))
        coins = tuple(board.at[board.piles : board.ways])
        return (board.turn, counted, coins, tuple(board.at[board.pawn : board.path]))

    def scene(self) -> Scene:
        """Draw the coins by kind on every square, pawns on top."""
        board = self.board
        sheet = grid(board.terms.width, board.terms.height)
        cells = []
        mover = board.turn if board.ended else (board.turn - 1) % self.seats
        moved = board.at[rules.TURNS] > 0 and board.at[rules.PASSES] == 0
        fresh = board.at[board.pawn + mover] if moved else rules.NONE
        for q, name in enumerate(sheet.names):
            coins = [(board.most(q, kind), LETTERS[kind]) for kind in range(KINDS)]
            marks = [mark("coin", f"{n}{letter}" if n > 1 else letter) for n, letter in coins if n]
            marks += [mark("pawn", "", seat) for seat in range(self.seats) if board.at[board.pawn + seat] == q]
            cells.append(cell(name, tuple(marks), q == fresh))
        # money alone: the turn of the last coin decides between equals only, and coins by type are a note
        money = tuple(replace(panel, figures=panel.figures[:1]) for panel in panels(self))
        drawn = Sheet(sheet.width, sheet.height, tuple(cells))
        return Scene(self.game.key, money, drawn, notes=self._notes())

    def _notes(self) -> tuple[str, ...]:
        """Note the coins kept ("Players must answer honestly"), the sides of pawns off the board, and the renegades."""
        at, board, kept, starts, renegades = self.board.at, self.board, list[str](), list[str](), list[str]()
        for seat in range(self.seats):
            side, held = at[board.side + seat], board.held + KINDS * seat
            if coins := [f"{at[held + kind]}{LETTERS[kind]}" for kind in range(KINDS) if at[held + kind]]:
                kept.append(f"{letter(seat)} {' '.join(coins)}")
            if at[board.renegades + seat]:
                renegades.append(letter(seat))
            elif side != rules.NONE and at[board.pawn + seat] == rules.NONE:
                starts.append(f"{letter(seat)} {SIDE_NAMES[side]}")
        notes = (("Coins kept", kept), ("Starts", starts), ("Renegades", renegades))
        return tuple(f"{name}: {', '.join(names)}" for name, names in notes if names)


class CoinMoves(Moves[CoinMove]):
    """The legal moves of Coin Isolation. Of paths with the same effect all are legal, and one is listed."""

    __slots__ = ()

    _state: CoinState

    def __iter__(self) -> Iterator[CoinMove]:
        state = self._state
        return (turn_of(state.board, steps) for steps in rows(state.board, state.codes))

    def __len__(self) -> int:
        raise TypeError("a turn of Coin Isolation can have more moves than anybody can count: ask count(at_most)")

    def count(self, at_most: int | None = None) -> int:
        """Count the listed moves; counting may stop at `at_most`."""
        return sum(1 for _ in islice(rows(self._state.board, self._state.codes), at_most))

    def sample(self, rng: Randomness) -> CoinMove:
        """Choose a random listed move, without listing them: every one is possible, not all equally likely."""
        if not self:
            raise GameOver("the game is over: there is no move to choose from")
        return turn_of(self._state.board, sampled(self._state, rng))


class CoinIsolation(Game[CoinOptions, CoinMove]):
    """The game of coins on a chessboard."""

    key = "coin-isolation"
    dealt = True
    title = "Coin Isolation"
    legend = "p penny 1, n nickel 5, d dime 10, q quarter 25"
    seats = range(2, 5)
    usual_seats = 2
    credit = "Ken Samuel, after the game Isolation"
    Options = CoinOptions
    # A simulation is dear here: with the usual 1,000, level 4 takes 0.55 s for a move in plain Python, and too long on
    # a machine three times slower. 700 score 45 % against them (± 11, 60 games). With the usual 20, level 1 scored 26 %
    # against level 2 (± 6), too little for a beginner; 40 score 36 % (± 7). `tournament quick` plays such matches.
    simulations = (40, 80, 300, 700)
    lesson = Lesson(
        "Keep the most money: each move keeps one coin.",
        (
            "You keep the coin on the last square of your path, so end on a large one.",
            "The other coins of your path lie under your pawn, out of reach for all until you move on.",
            "Look one move ahead: a pawn with nothing but empty squares next to it has to pass.",
        ),
        minutes=(5, 10),
        age=8,
    )
    presets: ClassVar = {"starter": Preset(lesson.options, "the usual game, which is short")}
    ties = False

    def _start(self, options: CoinOptions, seats: int) -> CoinState:
        return CoinState(self, options, CoinBoard(seats, _terms(options)))

    def check(self, options: CoinOptions, seats: int) -> None:
        """Refuse a layout that is no rectangle of coins, or beside a set of coins, which it replaces."""
        if not options.layout:
            return
        if options.coins != "standard":
            raise BadOptions("coins and layout can't go together: a layout brings its own coins")
        rows = options.layout.split("/")
        for number, row in enumerate(rows):
            if len(row) != len(rows[0]):
                raise BadOptions(f"layout: its row {number + 1} has {len(row)} squares, the first has {len(rows[0])}")
            if wrong := [letter for letter in row if letter not in LETTERS + "."]:
                raise BadOptions(f"layout: {quoted(wrong[0])} is no coin: write p, n, d, q, or . for an empty square")
        if len(rows) not in _SIDE or len(rows[0]) not in _SIDE:
            raise BadOptions(f"layout: {len(rows[0])} x {len(rows)} squares; a side has {_SIDE[0]} to {_SIDE[-1]}")

    def advice(self, options: CoinOptions, seats: int) -> tuple[str, ...]:
        """Warn of options without effect."""
        if not options.collect.startswith("transplant"):
            return ()
        options_on = (("Greedy", options.take == "greedy"), ("Mixed Change", options.mixed_change))
        idle = [name for name, on in options_on if on]
        return tuple(f"{name} does nothing here: with transplants no square ever holds two coins" for name in idle)

    def parse(self, text: object, state: CoinState) -> CoinMove:
        """Read a move in its canonical form: clauses with only one possibility are left out."""
        words = clean(text)
        if state.board.turn == CHANCE and words in LETTERS:
            return Face(words)
        if state.board.at[rules.STAGE] == rules.SIDES and not words.startswith("side"):
            for pick in map(str, state.moves):
                if words in (pick[len("side ") :], pick[len("side ")]):
                    return CoinTurn(pick)
            raise BadNotation(f"pick a side first: {' or '.join(map(str, state.moves))}")
        turn = read(words, sheet_of(state.board))
        if state.board.ended or state.board.turn == CHANCE:
            return turn
        board = beginning(state.board)
        if board.is_wild() and turn.word == "renegade":
            return replace(turn, word="")
        whole = state if board is state.board else state.on(board)
        legal = not turn.path or whole.trial(steps_of(board, CoinTurn("", turn.path)) or ())[1] is None
        return spelled(board, turn) if legal and not turn.word.startswith("renegade") and not board.is_wild() else turn


@lru_cache(maxsize=64)
def _terms(options: CoinOptions) -> CoinTerms:
    """Return the board's terms for options that have been checked."""
    rows = options.layout.split("/") if options.layout else []
    width, height = (len(rows[0]), len(rows)) if rows else (8, 8)
    sheet = grid(width, height)
    near = [list(row) for row in (sheet.around if options.adjacency == "diagonal" else sheet.beside)]
    layout = [LETTERS.find(rows[height - 1 - square.row][square.column]) for square in sheet.squares] if rows else []
    terms = CoinTerms(width, height, near, layout, list(SETS[options.coins]))
    terms.take = TAKES.index(options.take)
    terms.collect = COLLECTS.index(options.collect)
    terms.mixed_change = options.mixed_change
    terms.standing_still = options.standing_still
    terms.renegade = options.renegade
    terms.idle_rounds = options.idle_rounds
    return terms


GAME = CoinIsolation()
