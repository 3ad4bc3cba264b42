"""What seeds give, to be the same plain, compiled and under PyPy: `python -m tests.search.numbers` writes it down.

Nothing but boards and what is done with them is used here, so that any Python can run it.
"""

import json
from pathlib import Path

from quadrille.rules.arrays import array, filled
from quadrille.rules.board import Board
from quadrille.rules.dice import Dice
from quadrille.rules.engine.alpha_beta import AlphaBetaSearch
from quadrille.rules.engine.playouts import play_out
from quadrille.rules.engine.tree import Tree
from quadrille.rules.games.barons.search import SearchedBarons
from quadrille.rules.games.coin_isolation.board import SEMI_GREEDY, TRANSPLANT, CoinBoard, CoinTerms
from quadrille.rules.games.dollar_draw.search import SearchedDollarDraw
from quadrille.rules.games.dotter.board import DotterTerms
from quadrille.rules.games.dotter.search import SearchedDotter
from quadrille.rules.games.maze.search import SearchedMaze

Numbers = dict[str, list[int]]


def coins(seats: int, *, rich: bool) -> Board:
    side = 4
    near = [
        [
            c * side + r
            for c in range(side)
            for r in range(side)
            if abs(c - q // side) + abs(r - q % side) == 1 or (rich and max(abs(c - q // side), abs(r - q % side)) == 1)
        ]
        for q in range(side * side)
    ]
    terms = CoinTerms(side, side, near, [0, 1, 0, 2] * 4, [0, 0, 0, 0])
    if rich:
        terms.take, terms.collect = SEMI_GREEDY, TRANSPLANT
        terms.renegade = terms.standing_still = True
    return CoinBoard(seats, terms)


def dotter(seats: int) -> Board:
    ranks = [*range(1, 14)] * 4 + [0, 0]
    return SearchedDotter(seats, DotterTerms(array(ranks), 2, 61, 3, 5, 2))


def counted() -> Board:
    board = dotter(3)
    board.sharpen()
    return board


TABLES = (
    "dollar-draw", "maze", "barons", "barons full", "coins", "rich coins", "dotter", "dotter of three",
    "dotter counted",
)  # fmt: skip


def board_of(name: str) -> Board:
    match = {
        "dollar-draw": lambda: SearchedDollarDraw(6, 5),
        "maze": lambda: SearchedMaze(6),
        "barons": lambda: SearchedBarons(3, 5, 4, array((2, 2, 40, 10)), full=False),
        "barons full": lambda: SearchedBarons(4, 4, 4, array((3, 2, 10, 10)), full=True),
        "coins": lambda: coins(2, rich=False),
        "rich coins": lambda: coins(3, rich=True),
        "dotter": lambda: dotter(2),
        "dotter of three": lambda: dotter(3),
        "dotter counted": counted,
    }
    made: Board = match[name]()
    return made


def worked_out(name: str) -> Numbers:
    """A game move by move, the results of playouts, a tree, and for two who see everything some turns ahead."""
    board, dice = board_of(name), Dice(2026)
    game: list[int] = []
    while (move := board.random_move(dice)) >= 0 and len(game) < 200:
        game.append(int(move))
        board.apply(move)
    board.reset()
    games = 4 if name.startswith("dotter") else 20
    payoffs = filled(games * board.seats, 0)
    moves = play_out(board, dice, games, payoffs)
    tree = Tree(board, dice, 0, 140, not name.startswith("dotter"))
    tree.search(10 if name.startswith("dotter") else 150)
    found = {"game": game, "payoffs": [int(moves), *payoffs], "tree": list(tree.result()), "dice": [int(dice.state)]}
    if board.seats == 2 and name != "dotter":
        search = AlphaBetaSearch(board, 1 << 10)
        for _ in range(3):
            search.search(5, 1000)
        found["ahead"] = [int(search.value), int(search.move), int(search.depth), int(search.nodes)]
    return found


def main() -> None:
    text = ",\n".join(f'"{name}": {json.dumps(worked_out(name))}' for name in TABLES)
    Path(__file__).with_name("numbers.json").write_text("{\n" + text + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
