"""The engine and the naive games at one table: every list, every figure, every place has to be the same."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from quadrille.laws.settings import Setting
from quadrille.laws.walks import plain
from quadrille.rules.chance import Stream
from quadrille.rules.match import Deal, Match
from tests.naive.barons import Barons
from tests.naive.coin_isolation import CoinIsolation
from tests.naive.dollar_draw import DollarDraw
from tests.naive.dotter import Dotter
from tests.naive.maze import Maze
from tests.naive.table import Table

ROUNDS = 40
TABLES: Mapping[str, type[Table]] = {
    "barons": Barons,
    "coin-isolation": CoinIsolation,
    "dollar-draw": DollarDraw,
    "dotter": Dotter,
    "maze": Maze,
}


def decks(jokers: int, seed: str) -> list[list[str]]:
    """Shuffled cards for so many rounds."""
    ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    cards = [rank + suit for suit in "SHDC" for rank in ranks] + ["JK1", "JK2"][:jokers]
    found, rng = [], Stream(seed, "decks")
    for _ in range(ROUNDS):
        rng.shuffle(cards)
        found.append(list(cards))
    return found


def lay(setting: Setting, seed: str) -> tuple[Table, Match]:
    """A naive game and a match of the engine, at the same table with the same cards."""
    game = setting.game
    options = game.read_options(dict(setting.options)).plain()
    table = TABLES[setting.key]
    if table is Dotter:
        dealt = decks(int(options["jokers"]), seed)
        deal = Deal("", {f"round {number}": tuple(deck) for number, deck in enumerate(dealt, 1)})
        return Dotter(options, setting.seats, lambda number: dealt[number - 1]), Match(
            game, options, setting.seats, deal=deal
        )
    return table(options, setting.seats), Match(game, options, setting.seats, deal=Deal(seed))


def facts(match: Match) -> tuple[Any, ...]:
    state = match.state
    turn = None if match.over else state.board.turn
    return turn, [str(move) for move in state.moves], {name: plain(figure) for name, figure in state.figures().items()}


def same(table: Table, match: Match) -> None:
    turn, moves, figures = facts(match)
    assert moves == table.moves()
    assert turn == (None if table.over else table.turn)
    assert match.ply == 0 or figures == table.figures()
    if match.over:
        assert list(match.over.places) == table.places()


def play_both(setting: Setting, seed: str, most: int, *, leaving: bool) -> None:
    """A random game at both tables; `leaving`: seats leave now and then, once the sides are picked."""
    table, match = lay(setting, seed)
    rng = Stream(seed, "both")
    same(table, match)
    while match.over is None and match.ply < most and getattr(table, "round", 0) < ROUNDS:
        if leaving and match.ply > 2 and rng.randrange(6) == 0:
            seat = table.turn if rng.randrange(2) else table.staying[rng.randrange(len(table.staying))]
            table.leave(seat)
            match.leave(seat)
        else:
            move = chosen(table.moves(), rng)
            table.play(move)
            match.play(move)
        same(table, match)


def chosen(moves: list[str], rng: Stream) -> str:
    """Any move; more often the first, so that rare ones come up, and seldom a renegade's: much ends with that."""
    if rng.randrange(3) == 0:
        return moves[0]
    loyal = [move for move in moves if not move.startswith("renegade")]
    some = loyal if loyal and rng.randrange(6) else moves
    return some[rng.randrange(len(some))]


def counts(table: Table, depth: int) -> list[int]:
    """How many sequences of 1, 2, … moves there are, by copying and playing them all."""
    tables, found = [table], []
    for _ in range(depth):
        lists = [(t, t.moves()) for t in tables]
        found.append(sum(len(moves) for _, moves in lists))
        if len(found) < depth:
            tables = []
            for t, move in ((t, move) for t, moves in lists for move in moves):
                tables.append(deepcopy(t))
                tables[-1].play(move)
    return found
