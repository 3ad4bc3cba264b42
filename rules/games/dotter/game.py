"""Dotter: rows of cards face down, looked at in secret, turned up in public, pegged in laps.

Rules for players: page.md. Notation: docs/protocols/games.md, "Notation". The board decides the game (board.py);
hands.py has the points of three cards, moves.py reads moves.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final, Self

from quadrille.rules import options as option
from quadrille.rules.arrays import array, filled
from quadrille.rules.board import CHANCE, UNKNOWN
from quadrille.rules.chance import Randomness
from quadrille.rules.core import (
    HIDDEN,
    WHOLE,
    Face,
    Figures,
    Game,
    Lesson,
    Move,
    Moves,
    Pile,
    Plain,
    Preset,
    Sealed,
    State,
    ToDraw,
    Viewer,
    check_seat,
    panels,
)
from quadrille.rules.core.talk import Consequence, Criterion
from quadrille.rules.errors import BadSeats, IllegalMove, RulesError
from quadrille.rules.games.dotter import board as rules
from quadrille.rules.games.dotter import hands
from quadrille.rules.games.dotter.board import DotterBoard, DotterTerms, counted, guess_of
from quadrille.rules.games.dotter.moves import GUESS_NAMES, SLOT_NAMES, VERBS, DotterMove, half_made, read_move
from quadrille.rules.games.dotter.search import SearchedDotter
from quadrille.rules.games.dotter.story import story
from quadrille.rules.options import Options, shown
from quadrille.rules.scene import Mark, Row, Scene, Track, mark

SUITS: Final = "SHDC"
RANK_NAMES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JOKERS: Final = ("JK1", "JK2")
#: "advice at set-up: 6, 4, 3, 2, 2 laps for 2 to 6 players"
ADVISED_LAPS: Final = (6, 4, 3, 2, 2)


@dataclass(frozen=True, slots=True)
class DotterOptions(Options):
    """The options of Dotter."""

    laps: int = option.number(2, 1, 20, "laps to win")
    lap_points: int = option.number(121, 21, 1000, "points in a lap")
    jokers: int = option.number(2, 0, 2, "jokers in the deck")
    guess_nothing: bool = option.flag("also allow to guess that three cards are nothing")
    looks: int = option.number(
        2, 0, 3, "cards, of three that another player drew, that you must have looked at to score them", before=0
    )
    max_rounds: int = option.number(100, 1, 1000, "rounds after which the game ends, however far the pegs are")
    open_memory: bool = option.flag(
        "show players the cards they have seen, not only in the turn of the look", default=True
    )


@lru_cache(maxsize=3)
def _faces(jokers: int) -> tuple[Face, ...]:
    """Return the faces of the pile, unshuffled."""
    names = [rank + suit for suit in SUITS for rank in RANK_NAMES]
    return tuple(map(Face, [*names, *JOKERS[:jokers]]))


@lru_cache(maxsize=256)
def _pile(jokers: int, number: int) -> Pile:
    """Return the pile of a round, counted from 0."""
    return Pile(f"round {number + 1}", tuple(face.name for face in _faces(jokers)))


@lru_cache(maxsize=1 << 10)
def _owed(jokers: int, number: int, position: int, owner: int | None) -> ToDraw:
    """Return the draw of a card of a round's pile that is owed."""
    return ToDraw(_pile(jokers, number), position, owner)


@lru_cache(maxsize=3)
def _numbers(jokers: int) -> dict[str, int]:
    """Return the number of each face of the pile by its name, and of the hidden one."""
    return {face.name: number for number, face in enumerate(_faces(jokers))} | {HIDDEN.name: UNKNOWN}


_move = lru_cache(maxsize=1 << 16)(DotterMove)


def _places(mask: int) -> Iterator[int]:
    """Yield the places of the bits that are set: positions of cards, or seats."""
    return (place for place in range(mask.bit_length()) if mask >> place & 1)


@lru_cache(maxsize=256)
def _following(board: DotterBoard, steps: tuple[int, ...]) -> tuple[int, ...]:
    """Return the steps that can follow these on the board of a State, which never changes; none after a wrong one."""
    if steps and steps[-1] not in _following(board, steps[:-1]):
        return ()
    steps_on = filled(rules.SLOTS, 0)
    return tuple(steps_on[: board.next_steps(array(steps), 0, len(steps), steps_on)])


class DotterMoves(Moves[Move]):
    """The legal moves; a turn's are counted and sampled by arithmetic: there can be more than 100,000."""

    __slots__ = ()

    def __bool__(self) -> bool:
        """Until the end there is always a move or an owed card."""
        return not self._state.board.ended

    def count(self, at_most: int | None = None) -> int:
        board = self._state.board
        if board.ended or board.turn == CHANCE:
            return super().count(at_most)
        total: int = board.count()
        return total if at_most is None else min(total, at_most)

    def sample(self, rng: Randomness) -> Move:
        """Choose one of the listed moves at random, without listing the others."""
        board = self._state.board
        if board.ended or board.turn == CHANCE:
            return super().sample(rng)
        return _move(board.nth(rng.randrange(board.count())))


class DotterState(State[DotterBoard, Move]):
    """A position of Dotter as a seat, a spectator or the whole table knows it."""

    __slots__ = ()

    kinds = (DotterMove, Face)
    reads = half_made
    board_steps = False

    def move(self, code: int) -> Move:
        """Return a move by its number; while a card is owed, a face by its number in the pile."""
        if self.board.turn == CHANCE:
            return HIDDEN if code == UNKNOWN else _faces(self.options.jokers)[code]
        return _move(code)

    def code(self, move: Move) -> int | None:
        """Return the number of a move; of a face, while a card is owed."""
        if self.board.turn == CHANCE:
            return _numbers(self.options.jokers).get(move.name) if isinstance(move, Face) else None
        return move.code if isinstance(move, DotterMove) else None

    @property
    def codes(self) -> tuple[int, ...]:
        """The board's list; a viewer who may not look at the owed card has no choice of faces."""
        if self.board.turn == CHANCE and not self.board.ended and not self.looks:
            return (UNKNOWN,)
        return super().codes

    def lists(self, code: int) -> bool:
        """Answer without listing a turn's moves."""
        if self.viewer != WHOLE and self.board.turn == CHANCE and not self.looks:
            return code == UNKNOWN and not self.board.ended
        return self.board.has(code)

    @property
    def moves(self) -> DotterMoves:
        """The legal moves: to be asked, not listed."""
        return DotterMoves(self)

    def draw(self) -> ToDraw:
        """Return the draw of the card to be looked at by the mover, or turned up for all."""
        board = self.board
        at = board.at
        owner = None if at[rules.DOING] >= rules.SCORES else at[rules.MOVER]
        return _owed(self.options.jokers, at[rules.ROUND], board.owed(), owner)

    def draws(self) -> tuple[ToDraw, ...]:
        """Return the draws of the cards to be looked at, or of all three to be turned up."""
        board = self.board
        if board.ended or board.turn != CHANCE:
            return ()
        first = self.draw()
        return tuple(ToDraw(first.pile, at, first.owner) for at in _places(board.at[rules.ASKED]))

    def sealed(self) -> Sealed:
        """Return the pile of the round: its turned-up cards, and the seats' looks at cards still face down."""
        board = self.board
        faces = board.faces
        up = {at: faces[at] for at in _places(board.up())}
        looks = tuple(tuple(_places(mask)) for mask in board.by_seat(rules.LOOKED))
        return Sealed(_pile(self.options.jokers, board.at[rules.ROUND]), up, looks)

    @property
    def looks(self) -> bool:
        """Return whether this viewer may see the owed card."""
        return self.board.at[rules.DOING] >= rules.SCORES or self.viewer in (WHOLE, self.board.at[rules.MOVER])

    # Steps: draw; or peek, a player, two slots; or score, a player, three slots, a guess. Slots are ascending.

    def steps(self, move: Move) -> list[int] | None:
        """Return the action, the player, the cards and the guess; a face while a card is owed."""
        if not isinstance(move, DotterMove) or self.board.turn == CHANCE:
            return super().steps(move)
        if move.player >= self.seats:
            return None
        if move.code == rules.DRAW:
            return [rules.TO_DRAW]
        first = rules.PLAYERS + self.seats
        guess = [first + rules.SLOTS + guess_of(move.code)] if move.scores else []
        kind = rules.TO_SCORE if move.scores else rules.TO_PEEK
        return [kind, rules.PLAYERS + move.player, *(first + slot for slot in move.slots), *guess]

    def next_steps(self, prefix: Sequence[int] = ()) -> list[int]:
        """Return the steps that can follow these; while a card is owed, faces."""
        board = self.board
        if board.ended or board.turn == CHANCE:
            return [] if prefix else sorted(self.codes)
        return list(_following(board, tuple(prefix)))

    def move_of(self, steps: Sequence[int]) -> Move:
        if self.board.turn == CHANCE or not steps:
            return super().move_of(steps)
        code = self.board.move_of(array(steps), 0, len(steps))
        if code == UNKNOWN:
            raise IllegalMove("a peek takes a player and two slots, a score a player, three slots and a guess")
        return _move(code)

    def word(self, prefix: Sequence[int], step: int) -> str:
        """Return a word of the move; of a score without a guess the last one is `no guess`."""
        if self.board.turn == CHANCE:
            return str(self.move(step))
        players = [f"p{seat + 1}" for seat in range(self.seats)]
        return [*VERBS, *players, *SLOT_NAMES, "no guess", *GUESS_NAMES[1:]][step]

    @property
    def step_numbers(self) -> Sequence[int]:
        """Draw, peek, score; the players; the slots; the guesses."""
        return range(rules.PLAYERS + self.seats + rules.SLOTS + len(GUESS_NAMES))

    @property
    def longest(self) -> int:
        """The board's limits on moves in a round, added up."""
        terms = self.board.terms
        rows, looks = len(terms.ranks) // 3, len(terms.ranks) * self.seats
        return int(terms.max_rounds) * (rows + looks * 4 + rows * 6)

    # Refusals

    def reason(self, move: Move) -> str:
        """Explain that a named card must be there, or that a peek must show something new."""
        board = self.board
        if isinstance(move, Face):
            return self._face_reason(move)
        assert isinstance(move, DotterMove)
        if board.turn == CHANCE:
            return f"{_move(board.at[rules.DOING])} comes first: its cards are not all turned up yet"
        if move.code == rules.DRAW:
            return f"the deck is down to {_cards(len(board.terms.ranks) - board.at[rules.DEALT])}: a draw takes three"
        player, slots = move.player + 1, move.slots
        if not 1 <= player <= self.seats:
            return f"there is no player {player}: the players here are p1 to p{self.seats}"
        if not rules.DRAW < move.code < rules.MOVES or slots != sorted(set(slots)):
            return f"{move} is no move: a peek takes two slots, a score three and a guess, the slots ascending"
        down, rows = board.slots(move.player), len(board.rows(move.player))
        for slot in slots:
            if slot >= 3 * rows:
                has = f"rows 1 to {rows}" if rows > 1 else "row 1 only" if rows else "no cards yet in this round"
                return f"there is no card {SLOT_NAMES[slot]} of player {player}, who has {has}"
            if slot not in down:
                return f"{SLOT_NAMES[slot]} of player {player} is empty: its card has been scored, and nothing moves up"
        if not move.scores:
            return "you have seen both cards in this round: at least one of the two must be new to you"
        if not board.has(move.code - guess_of(move.code)):
            seen = counted(board.named(move.code) & board.marked(move.player, 3))
            taken = f"{board.terms.looks} of the three" if board.terms.looks < len(slots) else "all three"
            return f"you have looked at {seen} of these cards of player {player}: look at {taken} before you score them"
        return "nothing can't be guessed at this table: the option guess_nothing is off"

    def _face_reason(self, face: Face) -> str:
        board = self.board
        if board.turn != CHANCE:
            return "no card is owed now"
        if not self.looks:
            return f"player {board.at[rules.MOVER] + 1} alone looks at this card: for everybody else it stays {HIDDEN}"
        if face == HIDDEN:
            return f"this card is seen: its face is wanted, not {HIDDEN}"
        number = _numbers(self.options.jokers).get(face.name)
        if number is None:
            return f"{face} is no card of this deck"
        known = board.faces[board.owed()]
        if known != UNKNOWN:
            return f"this card has been seen: it is {_faces(self.options.jokers)[known]}, not {face}"
        return f"{face} has been seen elsewhere in this round: it can't be this card"

    # Views

    def view(self, seat: int | None) -> Self:
        """Return the position with the turned-up cards, and those that this seat has looked at."""
        if seat is not None:
            check_seat(self, seat)
        if seat == self.viewer:
            return self
        if seat is not None and self.viewer != WHOLE:
            whose = "a spectator" if self.viewer is None else f"player {int(self.viewer) + 1}"
            raise BadSeats(f"this position is as {whose} knows it: what player {seat + 1} has seen is not in it")
        looked = 0 if seat is None else self.board.at[rules.LOOKED + seat]
        state = self._known(looked, seat)
        if seat == self.board.turn:  # the mover knows its possible moves, and the list is long
            state._codes = self._codes
        return state

    def told(self, seat: int, faces: Mapping[int, int]) -> Self:
        """Return the position with the faces of the cards that this seat has looked at."""
        check_seat(self, seat)
        return self._known(-1, seat, faces)  # all that this position knows

    def _known(self, cards: int, viewer: Viewer, faces: Mapping[int, int] | None = None) -> Self:
        """Return the position of a viewer that knows these cards, all turned-up ones, and the faces in `faces`."""
        board = self.board.copy()
        cards |= board.up()
        known = (face if cards >> at & 1 else UNKNOWN for at, face in enumerate(board.faces))
        board.know(array([(faces or {}).get(at, face) for at, face in enumerate(known)]))
        state = self.on(board)
        state.viewer = viewer
        return state

    @property
    def recalls(self) -> bool:
        """As the option says: at a real table nobody may look again."""
        return bool(self.options.open_memory)

    def recalled(self, look: Move | None = None) -> Self:
        """Show without `open_memory` only the cards face down that the viewer is looking at, or has looked at last."""
        board, viewer = self.board, self.viewer
        if self.recalls or not isinstance(viewer, int):
            return self
        kept = board.named(look.code) if isinstance(look, DotterMove) else 0
        if board.at[rules.MOVER] == viewer:
            kept |= board.at[rules.NAMED]
        return self._known(kept, viewer)

    def plain(self) -> Plain:
        """Return the round, the turn and its stage, the cards, the looks, the pegs."""
        board = self.board
        rows = tuple(tuple(board.rows(seat)) for seat in range(self.seats))
        pegs = (tuple(board.by_seat(first)) for first in (rules.HOLE, rules.LAPS, rules.BEST))
        numbers = (board.at[place] for place in (rules.ROUND, rules.MOVER, rules.DOING, rules.DEALT))
        return (*numbers, tuple(board.faces), tuple(board.seen), rows, *pegs)

    # Display

    def figures(self) -> Figures:
        """Return laps completed, the hole (the last one for a waiting peg), the most that one score was worth."""
        board = self.board
        names = {"laps": rules.LAPS, "points": rules.HOLE, "best": rules.BEST}
        return {name: tuple(board.by_seat(first)) for name, first in names.items()}

    def criteria(self, seat: int) -> tuple[Criterion, ...]:
        """Return the criteria. "Laps completed, then the peg's place (a peg on the last hole counts as 0 of the next
        lap)."
        """
        return (Criterion(self.board.at[rules.LAPS + seat], "laps"), Criterion(self.board.along(seat), "points"))

    def story(self, move: Move, faces: Sequence[Face], after: Self) -> tuple[Consequence, ...]:
        """Explain the points of a score, and the moves of the pegs."""
        known = [face.name for face in faces if face != HIDDEN]
        if not isinstance(move, DotterMove) or not move.scores or len(known) < 3:
            return ()
        numbers, ranks = _numbers(self.options.jokers), self.board.terms.ranks
        return story(self.board, move, [ranks[numbers[name]] for name in known], after.board)

    def ending(self) -> str:
        """Name the immediate winner, or say that the rounds are over."""
        board = self.board
        for seat in range(self.seats):
            wanted = board.terms.laps_wanted
            if board.at[rules.LAPS + seat] == wanted and not board.left[seat]:
                laps = "the lap" if wanted == 1 else f"all {wanted} laps"
                return f"player {seat + 1} has completed {laps}"
        rounds = board.terms.max_rounds
        return "the one round is over" if rounds == 1 else f"all {rounds} rounds are over"

    def scene(self) -> Scene:
        """Draw the rows before each player, the discards, the pegs, and the seats' looks."""
        board = self.board
        gone = board.up() & ~board.at[rules.NAMED]
        rows = [self._row(seat, row, gone) for seat in range(self.seats) for row in range(len(board.rows(seat)))]
        if gone:
            discards = sorted(_places(gone), key=board.faces.__getitem__)
            rows.append(Row("discards", tuple(map(self._card, discards))))
        at, terms = board.at, board.terms
        tracks = tuple(
            Track(seat, at[rules.HOLE + seat], terms.lap_points, at[rules.LAPS + seat], terms.laps_wanted)
            for seat in range(self.seats)
        )
        return Scene(self.game.key, panels(self), rows=tuple(rows), tracks=tracks, notes=self._notes())

    def _row(self, seat: int, row: int, gone: int) -> Row:
        """Draw the cards still in a row, and those just being turned up."""
        cards = [self.board.position(seat, 3 * row + card) for card in range(3)]
        marks = tuple(None if gone >> at & 1 else self._card(at) for at in cards)
        return Row(f"p{seat + 1} {row + 1}", marks, seat, tuple(tuple(_places(self.board.lookers(at))) for at in cards))

    def _card(self, position: int) -> Mark:
        face = self.board.faces[position]
        return mark("card", str(HIDDEN if face == UNKNOWN else _faces(self.options.jokers)[face]))

    def _notes(self) -> tuple[str, ...]:
        """Note the facts that rows and tracks do not show."""
        board, terms = self.board, self.board.terms
        left = _cards(len(terms.ranks) - board.at[rules.DEALT])
        notes = [f"Round {board.at[rules.ROUND] + 1} of at most {terms.max_rounds}, {left} in the deck"]
        if board.turn == CHANCE:
            notes.append(f"Player {board.at[rules.MOVER] + 1} plays {_move(board.at[rules.DOING])}")
        seats = range(self.seats)
        looks = [(seat, [text for player in seats for text in self._looked(seat, player)]) for seat in seats]
        notes += [f"Player {seat + 1} has looked at " + ", ".join(cards) for seat, cards in looks if cards]
        waiting = [seat for seat in seats if board.at[rules.HOLE + seat] == terms.lap_points and not board.ended]
        notes += [f"Player {seat + 1} waits on the last hole until another player has scored" for seat in waiting]
        return tuple(notes)

    def _looked(self, seat: int, player: int) -> list[str]:
        """Name the cards face down before a player that a seat has looked at, as `p2 1a 3c`; none, or one text."""
        board, looked = self.board, self.board.at[rules.LOOKED + seat]
        slots = [slot for slot in board.slots(player) if looked >> board.position(player, slot) & 1]
        return [" ".join([f"p{player + 1}", *(SLOT_NAMES[slot] for slot in slots)])] if slots else []


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


class Dotter(Game[DotterOptions, Move]):
    """The game of rows, looks and pegs."""

    key = "dotter"
    title = "Dotter"
    seats = range(2, 7)
    usual_seats = 2
    hidden = True
    dealt = True
    credit = "from the weblog No Importance Whatever, 2024"
    Options = DotterOptions
    lesson = Lesson(
        "Score sets of three cards, and bring your peg home first.",
        (
            "Peek before you score: a series or a triple is worth far more than three odd cards.",
            "A rival who has looked at two cards of your row may score it: then score it first.",
            "Name what the three cards are before you turn them up, and a right guess scores twice.",
        ),
        {"laps": 1, "lap_points": 61},
        minutes=(12, 24),
        age=10,
    )
    presets: ClassVar = {
        "starter": Preset(lesson.options, "half a lap to learn on"),
        "one-lap": Preset({"laps": 1}, "one whole lap"),
        "inventor": Preset({"laps": 6, "looks": 0}, "the inventor's 6 laps; anybody may score cards unseen"),
    }

    def _start(self, options: DotterOptions, seats: int) -> DotterState:
        ranks = [*range(hands.ACE, hands.RANKS)] * len(SUITS) + [hands.JOKER] * options.jokers
        guesses = hands.GUESSES if options.guess_nothing else hands.NOTHING
        rounds = options.max_rounds
        terms = DotterTerms(array(ranks), options.laps, options.lap_points, rounds, guesses, options.looks)
        return DotterState(self, options, SearchedDotter(seats, terms), WHOLE)

    def parse(self, text: object, state: DotterState) -> Move:
        """Read `draw`, `peek p2 1a 3c`, `score p1 1a 1b 2c double`."""
        return read_move(text, state.seats)

    def piles(self, deal: object, options: DotterOptions) -> dict[str, tuple[str, ...]]:
        """Read a list of decks, one a round, each a list of all its cards from the top down."""
        if not isinstance(deal, list):
            raise RulesError(f"a deal of Dotter is a list of decks, one a round, not {shown(deal)}")
        piles = {}
        for number, deck in enumerate(deal):
            pile = _pile(options.jokers, number)
            if not isinstance(deck, list) or not all(isinstance(face, str) for face in deck):
                raise RulesError(f"the deck of {pile.name} is a list of cards, such as AS, 10H and QC")
            if sorted(deck) != sorted(pile.faces):
                wrong = next((face for face in deck if face not in pile.faces or deck.count(face) > 1), None)
                reason = f"only {len(deck)} are there" if wrong is None else f"{shown(wrong)} is one too many"
                raise RulesError(f"the deck of {pile.name} has {len(pile.faces)} cards, each once: {reason}")
            piles[pile.name] = tuple(deck)
        return piles

    def advice(self, options: DotterOptions, seats: int) -> tuple[str, ...]:
        """Warn that more laps than advised make a long game."""
        advised = ADVISED_LAPS[seats - 2]
        if options.laps <= advised:
            return ()
        return (f"{advised} laps are advised for {seats} players: with {options.laps} the game may be long",)


GAME = Dotter()
