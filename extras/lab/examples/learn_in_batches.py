"""A network in NumPy that learns Barons for two on 5 x 5 by search, in about a minute: many games at a time.

    python -m quadrille.extras.lab.examples.learn_in_batches    learns, and tells how it does against random moves

A batch has all the games, and a forest has a search tree for each of them. The trees ask the network for a prior of
each move and for a value, many positions at once. Moves are drawn by how often the search tried them. After each batch
of games the network learns these shares, and the results (AlphaZero, very small). The same seed learns the same.
"""

import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"  # threads cost more than they bring for matrices as small as these

import numpy as np

from quadrille.extras.lab.batch import Batch
from quadrille.extras.lab.forest import Forest

GAME, OPTIONS, SEATS = "barons", {"width": 5, "height": 5}, 2
GAMES, SEARCHES, UNITS = 32, 24, 64
ROUNDS, STEPS, ROWS, RATE = 24, 60, 256, 0.003


class Network:
    """One hidden layer for both answers, and Adam to make it better."""

    def __init__(self, places, actions, dice):
        sizes = [(places, UNITS), (UNITS,), (UNITS, actions), (actions,), (UNITS,), (1,)]
        self.weights = [dice.normal(0, size[0] ** -0.5, size) * (len(size) > 1) for size in sizes]
        self.means, self.squares, self.count = [0.0] * 6, [0.0] * 6, 0

    def layers(self, seen, mask):
        """Return the hidden layer, the shares of legal actions, and the values."""
        first, shift, policy, lift, value, level = self.weights
        hidden = np.tanh(seen.reshape(len(seen), -1) @ first + shift)
        logits = np.where(mask, hidden @ policy + lift, -np.inf)
        shares = np.exp(logits - logits.max(1, keepdims=True))
        return hidden, shares / shares.sum(1, keepdims=True), np.tanh(hidden @ value + level)

    def __call__(self, seen, mask, seats):
        """Answer a forest: priors, and values for the seats to move."""
        return self.layers(seen, mask)[1:]

    def learn(self, seen, mask, aims, ends):
        """Make a step of Adam that brings shares closer to these aims, and values to these ends."""
        hidden, shares, values = self.layers(seen, mask)
        wide, far = (shares - aims) / len(seen), (values - ends) * (1 - values**2) / len(seen)
        back = (wide @ self.weights[2].T + np.outer(far, self.weights[4])) * (1 - hidden**2)
        flat = seen.reshape(len(seen), -1)
        slopes = [flat.T @ back, back.sum(0), hidden.T @ wide, wide.sum(0), hidden.T @ far, far.sum(keepdims=True)]
        self.count += 1
        for at, slope in enumerate(slopes):
            self.means[at] = 0.9 * self.means[at] + 0.1 * slope
            self.squares[at] = 0.999 * self.squares[at] + 0.001 * slope**2
            mean, square = self.means[at] / (1 - 0.9**self.count), self.squares[at] / (1 - 0.999**self.count)
            self.weights[at] = self.weights[at] - RATE * mean / (np.sqrt(square) + 1e-8)


def self_play(network, batch, seed, dice):
    """Play every game of the batch to its end. Return observations, masks, shares, and results for the movers."""
    steps, forest = [], None
    while forest is None or not batch.done[0]:  # games of Barons are equally long: they end together
        states = [batch.state(game) for game in range(batch.games)]
        if forest:
            forest.follow(states)
        else:
            forest = Forest(network, states, seed, noise=25)
        forest.go_on(SEARCHES)
        shares = forest.visits / forest.visits.sum(1, keepdims=True)
        steps.append((batch.observations.copy(), batch.mask.copy(), shares, batch.seat.copy()))
        reached = shares.cumsum(1)
        batch.step((reached <= dice.random((batch.games, 1)) * reached[:, -1:]).sum(1))
    ends = [batch.rewards[np.arange(batch.games), seats] for *_, seats in steps]
    seen, masks, shares, _ = map(np.concatenate, zip(*steps, strict=True))
    return seen, masks, shares, np.concatenate(ends)


def learn(rounds=ROUNDS, games=GAMES, seed=1, out=sys.stderr):
    """Play and learn by turns; return the network."""
    dice = np.random.default_rng(seed)
    batch = Batch(GAME, OPTIONS, SEATS, games, seed)
    network = Network(batch.observations[0].size, batch.actions, dice)
    kept = []
    for number in range(rounds):
        kept = [*kept[-3:], self_play(network, batch, seed + number * games, dice)]
        seen, masks, shares, ends = map(np.concatenate, zip(*kept, strict=True))
        seen = seen.reshape(len(seen), seen.shape[1], -1)
        for _ in range(STEPS):
            some = dice.permutation(len(ends))[:ROWS]
            turned = dice.integers(len(batch.symmetries))  # turned or mirrored it is the same game
            squares, actions = batch.square_symmetries[turned].argsort(), batch.symmetries[turned].argsort()
            network.learn(seen[some][:, :, squares], masks[some][:, actions], shares[some][:, actions], ends[some])
        print(f"round {number + 1} of {rounds}: {(number + 1) * games} games", file=out)
    return network


def score(network, games=1000, seed=2):
    """Return the points a game of the network, without any search, against random moves, and their standard error."""
    batch = Batch(GAME, OPTIONS, SEATS, games, seed)
    own = np.arange(games) % 2
    while not batch.done[0]:
        shares, _ = network(batch.observations, batch.mask, batch.seat)
        batch.step(np.where(batch.seat == own, shares.argmax(1), batch.sample()))
    points = (1 + batch.rewards[np.arange(games), own]) / 2
    return points.mean(), points.std() / games**0.5


def main():
    """Learn, and tell the score."""
    for name, network in (("before", learn(rounds=0)), ("after", learn())):
        points, error = score(network)
        print(f"{name}: {points:.3f} +- {error:.3f} points a game against random moves")
    print(f"it took {time.process_time():.0f} s")


if __name__ == "__main__":
    main()
