"""What trees that ask an evaluator give from seeds, to be the same plain and compiled (tests/search/numbers.py)."""

import json
from pathlib import Path

import pytest

from extras.lab.tests.observers import observer_for
from quadrille.extras.lab.engine.observer import Observer
from quadrille.extras.lab.engine.puct import Puct, Questions
from quadrille.rules.arrays import array
from quadrille.rules.board import CHANCE, Board
from quadrille.rules.dice import Dice
from tests.search.numbers import TABLES, board_of
from tests.search.test_search import KNOWN

SEEN = json.loads(Path(__file__).with_name("seen.json").read_text("utf-8"))
ASKED = json.loads(Path(__file__).with_name("asked.json").read_text("utf-8"))


def asked(board: Board, observer: Observer) -> list[int]:
    """Return the first moves of two trees that ask together, answered by numbers that follow from what is seen."""
    together = Questions(observer)
    trees = [Puct(board, Dice(seed), board.turn, 140, 1 << 18, proves=True) for seed in (1, 2)]
    for tree in trees:
        tree.due = 60
    while True:
        together.clear()
        for tree in trees:
            together.collect(tree, 3)
        if not together.count:
            return [number for tree in trees for number in (*tree.result(), tree.dice.state)]
        told = [
            sum(together.seen[row * together.size : (row + 1) * together.size]) + 7 * together.seats[row]
            for row in range(together.count)
        ]
        values = [
            (31 * told[row] + 5 * seat) % 2049 - 1024 for row in range(together.count) for seat in range(board.seats)
        ]
        weights = [(move * 37 + told[0]) % 11 + 1 for move in together.moves[: together.ends[together.count - 1]]]
        together.answer(array(values), array(weights))


@pytest.mark.parametrize("name", TABLES)
def test_trees_that_ask_give_the_known_numbers(name: str) -> None:
    board, dice = board_of(name), Dice(1)
    [dice.state] = KNOWN[name]["dice"]
    observer = observer_for(board)
    assert list(observer.observe(board, 1))[:200] == SEEN[name]
    while board.turn == CHANCE:
        board.apply(board.random_move(dice))
    assert asked(board, observer) == ASKED[name]
