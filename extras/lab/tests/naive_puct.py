"""PUCT, naively: one tree of objects, a board for each position, proofs looked for anew after each simulation."""

from dataclasses import dataclass, field
from math import frexp, isqrt, ldexp, prod
from typing import Any

import numpy as np

from quadrille.extras.lab.actions import Steps
from quadrille.extras.lab.forest import Evaluator
from quadrille.rules.board import CHANCE, PART, UNKNOWN, Board
from quadrille.rules.dice import Dice

ONE = 1 << 20
NEVER = -(1 << 50)


@dataclass
class Node:
    """A position; `chooser` made the move to it, whose prior, visits and results these are."""

    board: Board
    chooser: int = CHANCE
    prior: int = 0
    visits: int = 0
    total: int = 0
    hope: int = 0
    awaited: bool = False
    seen: Any = None
    proved: int | None = None
    moves: list[int] | None = None
    children: dict[int, "Node"] = field(default_factory=dict)

    def look(self, dice: Dice) -> None:
        """List the moves that the tree is to have, when it comes here first."""
        if self.moves is None:
            board = self.board.copy()
            count = 0 if board.ended else board.promising(dice, 1 << 20)
            self.moves = list(board.moves[:count])

    @property
    def over(self) -> bool:
        """Return whether the tree came here, and found that the game is over."""
        return self.moves == []


class NaiveTree:
    def __init__(
        self, board: Board, dice: Dice, evaluator: Evaluator, steps: Steps, *, wander: int, leaves: int
    ) -> None:
        self.top = Node(board.copy())
        self.seat, self.seats = board.turn, board.seats
        self.dice = dice
        self.evaluator, self.steps = evaluator, steps
        self.wander, self.leaves = wander * (self.seats - 1), leaves

    def search(self, simulations: int) -> None:
        while simulations and self.proof(self.top) is None:
            asked: list[list[Node]] = []
            while simulations and len(asked) < self.leaves and self.proof(self.top) is None:
                path = self.descend()
                leaf = path[-1]
                if leaf.awaited:
                    break
                simulations -= 1
                if (known := self.proof(leaf)) is not None:
                    sign = PART * known
                    self.add(path, [sign if seat == leaf.chooser else -sign for seat in range(2)], 1)
                elif leaf.over:
                    self.add(path, [PART * leaf.board.payoff(seat) for seat in range(self.seats)], 1)
                else:
                    leaf.awaited, leaf.seen = True, self.sight(leaf.board.copy())
                    self.add(path, [-PART * (self.seats - 1)] * self.seats, 1)
                    asked.append(path)
            for path in asked:
                self.answer(path)

    def follow(self, moves: list[int]) -> bool:
        """Go on from the position after these moves, if the tree came there."""
        node = self.top
        for move in moves:
            if move not in node.children or not node.children[move].visits:
                return False
            node = node.children[move]
        self.top = node
        return True

    def descend(self) -> list[Node]:
        path = [self.top]
        while True:
            node = path[-1]
            node.look(self.dice)
            if node.over or node.awaited or (self.proof(node) is not None and node is not self.top):
                return path
            if node.board.turn == CHANCE:
                self.expand(node)
                path.append(list(node.children.values())[self.dice.below(len(node.children))])
            elif node.children:
                path.append(self.choose(node))
            else:
                return path

    def expand(self, node: Node) -> None:
        if node.children:
            return
        chance = node.board.turn == CHANCE
        for move in [UNKNOWN] if chance and node.board.hides(self.seat) else node.moves or []:
            after = node.board.copy()
            after.apply(move)
            node.children[move] = Node(after, node.board.turn)

    def choose(self, node: Node) -> Node:
        spread = isqrt(node.visits << 40) * self.wander // 100

        def bound(child: Node) -> int:
            if self.proof(child) == -1:
                mean = NEVER
            else:
                mean = (child.total << 10) // child.visits if child.visits else node.hope
            return mean + (spread * child.prior >> 20) // (1 + child.visits)

        return max(node.children.values(), key=bound)

    def proof(self, node: Node) -> int | None:
        """Return the certain result of two seats for the one that chose the node."""
        if self.seats != 2 or node.proved is not None:
            return node.proved
        if node.over and node.chooser != CHANCE:
            node.proved = node.board.payoff(node.chooser)
        elif node.children and not node.awaited and node.board.turn != CHANCE:
            found = [self.proof(child) for child in node.children.values()]
            best = 1 if 1 in found else None if None in found else max(known for known in found if known is not None)
            if best is not None:
                node.proved = best if node.chooser == node.board.turn else -best
        return node.proved

    def add(self, path: list[Node], payoffs: list[int], visits: int) -> None:
        for node in path:
            node.visits += visits
            if node.chooser != CHANCE:
                node.total += payoffs[node.chooser]

    def sight(self, board: Board) -> Any:
        """Return what the mover sees. Draw each card that the searching seat has not seen from those left."""
        board.guess(self.dice)
        seen = list(self.steps.observer.observe(board, board.turn))
        return np.array([seen + [0] * (prod(self.steps.sight) - len(seen))]).reshape(1, *self.steps.sight)

    def answer(self, path: list[Node]) -> None:
        node = path[-1]
        mover, moves = node.board.turn, node.moves or []
        chosen = [self.steps.first(move) for move in moves]
        mask = np.zeros((1, self.steps.count), np.uint8)
        mask[0, chosen] = 1
        priors, values = self.evaluator(node.seen, mask, np.array([mover]))
        weights = [float(priors[0, action]) for action in chosen]
        highest = frexp(max(weights))[1]
        # several turns of Dotter begin with one action, and share its prior
        alike = [chosen.count(action) for action in chosen]
        parts = [-(-round(ldexp(w, 20 - highest)) // many) for w, many in zip(weights, alike, strict=True)]
        self.expand(node)
        for move, part in zip(moves, parts, strict=True):
            node.children[move].prior = part * ONE // sum(parts)
        value, others = float(values[0]), self.seats - 1
        payoffs = [-round(value * PART)] * self.seats
        payoffs[mover] = round(value * PART) * others
        node.hope, node.awaited = payoffs[mover] << 10, False
        self.add(path, [payoff + PART * others for payoff in payoffs], 0)
