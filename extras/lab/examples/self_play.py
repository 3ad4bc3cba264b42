"""A bot that has taught itself Barons for two on 4 x 4: a small network in NumPy, and games against itself.

    python extras/lab/examples/self_play.py       learns for about a minute, and writes self_play.npz beside itself
    quadrille bot check extras/lab/examples/self_play.py --game barons --seats 2 --set width=4 --set height=4
    quadrille tournament quick barons extras/lab/examples/self_play.py random --set width=4 --set height=4

The network looks at what the seat to move sees, and says how the game will end for it, from -1 to 1. The bot makes the
move after which its opponent stands worst. So it plays both seats, now and then with a random move. After each batch of
games the network learns what the positions came to (TD(lambda)). The same seed gives the same weights. Without weights
it plays as it would before its first game. Keep both files in a folder of their own: a box shows a bot that folder.
"""

import os
import sys
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"  # threads cost more than they bring for matrices as small as these

import numpy as np

from quadrille.ai import Bot
from quadrille.extras.lab.observations import observation
from quadrille.rules.search import Position

WEIGHTS = Path(__file__).with_suffix(".npz")
OPTIONS = {"width": 4, "height": 4}
PLACES, UNITS = 7 * 4 * 4, 32
BATCHES, GAMES = 500, 20
CURIOUS, TRUST, RATE = 0.15, 0.7, 0.005


class Network:
    """One hidden layer, and Adam to make it better."""

    def __init__(self, seed=1):
        dice = np.random.default_rng(seed)
        first = dice.normal(0, PLACES**-0.5, (PLACES, UNITS))
        self.weights = [first, np.zeros(UNITS), dice.normal(0, UNITS**-0.5, UNITS), np.zeros(1)]
        self.means, self.squares, self.count = [0.0] * 4, [0.0] * 4, 0

    def values(self, seen):
        """How the game will end for the seats that see this."""
        first, shift, second, level = self.weights
        return np.tanh(np.tanh(seen @ first + shift) @ second + level)

    def learn(self, seen, ends, rate):
        """A step of Adam that brings the values closer to these ends."""
        first, shift, second, level = self.weights
        hidden = np.tanh(seen @ first + shift)
        value = np.tanh(hidden @ second + level)
        error = (value - ends) * (1 - value**2) / len(ends)
        back = np.outer(error, second) * (1 - hidden**2)
        self.count += 1
        for at, slope in enumerate([seen.T @ back, back.sum(0), hidden.T @ error, error.sum(keepdims=True)]):
            self.means[at] = 0.9 * self.means[at] + 0.1 * slope
            self.squares[at] = 0.999 * self.squares[at] + 0.001 * slope**2
            mean, square = self.means[at] / (1 - 0.9**self.count), self.squares[at] / (1 - 0.999**self.count)
            self.weights[at] = self.weights[at] - rate * mean / (np.sqrt(square) + 1e-8)


def looks(position):
    """Return the planes of the seat to move, as one row of numbers."""
    return observation(position, position.seat).ravel().astype(float)


def judged(network, position):
    """All moves, and what each is worth to the seat that makes it."""
    seat, moves, worth, seen, open_ends = position.seat, position.moves(), [], [], []
    for move in moves:
        position.apply_quickly(move)
        worth.append(0.0 if not position.over else float(position.payoffs()[seat]))
        if not position.over:
            seen.append(looks(position))
            open_ends.append(len(worth) - 1)
        position.undo()
    worth = np.array(worth)
    if seen:
        worth[open_ends] = -network.values(np.array(seen))
    return moves, worth


def play(network, dice):
    """A game against itself: what the seats to move saw, and what each of these positions came to for them."""
    position, seen, steps = Position.start("barons", OPTIONS, 2), [], []
    while not position.over:
        moves, worth = judged(network, position)
        best = int(worth.argmax())
        made = int(dice.integers(len(moves))) if dice.random() < CURIOUS else best
        seen.append(looks(position))
        steps.append((worth[best], made == best))
        position.apply_quickly(moves[made])
    ends = [steps[-1][0]]
    for worth, followed in reversed(steps[:-1]):  # what came of a move tells nothing about one that was not made
        ends.append((1 - TRUST) * worth - TRUST * ends[-1] if followed else worth)
    return seen, ends[::-1]


def learn(batches=BATCHES, seed=1, file=WEIGHTS):
    """Play and learn by turns, and write the weights."""
    network, dice = Network(seed), np.random.default_rng(seed)
    for batch in range(batches):
        seen, ends = map(np.concatenate, zip(*(play(network, dice) for _ in range(GAMES)), strict=True))
        seen = seen.reshape(-1, PLACES)
        for _ in range(16):
            some = dice.permutation(len(ends))[:256]
            network.learn(seen[some], ends[some], RATE * (1 - batch / batches))
        if batch % 100 == 99:
            print(f"{(batch + 1) * GAMES} games", file=sys.stderr)
    np.savez(file, *network.weights)


class SelfPlay(Bot):
    """Plays the board that it has learned."""

    games = ("barons",)

    def __init__(self):
        self.network = Network()
        if WEIGHTS.exists():
            with np.load(WEIGHTS) as kept:
                self.network.weights = [kept[name] for name in kept.files]

    def choose(self, view, clock, rng):
        """The move that is worth most; on another board, any."""
        position = Position(view)
        if (view.seats, observation(position, clock.seat).shape[1:]) != (2, (4, 4)):
            return view.moves.sample(rng)
        moves, worth = judged(self.network, position)
        return position.move([moves[int(worth.argmax())]])


if __name__ == "__main__":
    learn()
