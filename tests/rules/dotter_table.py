"""A table for tests of Dotter: decks with known cards on top, moves as texts, faces dealt."""

from collections.abc import Sequence

from quadrille.rules.core import Face, ToDraw
from quadrille.rules.games.dotter import board as rules
from quadrille.rules.games.dotter.board import DotterBoard
from quadrille.rules.games.dotter.game import GAME, DotterState

SUITS = "SHDC"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
DECK = [rank + suit for suit in SUITS for rank in RANKS]


def start(seats: int = 2, **options: int) -> DotterState:
    """The inventor's game, but for `options`."""
    state = GAME.start({**GAME.preset("inventor"), **options}, seats)
    assert isinstance(state, DotterState)
    return state


def deck(text: str, jokers: int = 2) -> list[str]:
    """A deck with these cards on top: ranks take the first suit that is free, the rest follow in order."""
    rest = DECK + ["JK1", "JK2"][:jokers]
    top = []
    for word in text.split():
        card = next(card for card in rest if card in (word, word + card[-1]))
        rest.remove(card)
        top.append(card)
    return top + rest


def settled(state: DotterState, cards: Sequence[str]) -> DotterState:
    """The position after the faces that are owed."""
    while isinstance(owed := state.pending, ToDraw):
        state = state.play(Face(cards[owed.position]))
    return state


def play(state: DotterState, cards: Sequence[str], *texts: str) -> DotterState:
    for text in texts:
        state = settled(state.play(GAME.parse(text, state)), cards)
    return state


def pegged(state: DotterState, hole: list[int], laps: list[int] | None = None, turn: int | None = None) -> DotterState:
    """The same cards with the pegs, and the turn, somewhere else."""
    board = state.board.copy()
    write(board, rules.HOLE, hole)
    write(board, rules.LAPS, laps or [])
    board.turn = board.at[rules.MOVER] = board.turn if turn is None else turn
    return state.on(board)


def write(board: DotterBoard, first: int, numbers: Sequence[int]) -> None:
    """Put these numbers into the board, from that place on."""
    for place, number in enumerate(numbers):
        board.at[first + place] = number


def first(state: DotterState) -> str:
    """The first move of the list: a draw, or a look, or a score if there is nothing else."""
    return str(state.move(state.board.nth(0)))
