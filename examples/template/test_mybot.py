"""The tests of my bot, whatever I change in it: python -m unittest"""

import random
import unittest

from mybot import MyBot

from quadrille.ai.bot import Clock
from quadrille.rules.search import Position


def played(seat, seed):
    """Play Maze on a small board, my bot in that seat and random moves in the other; return the places."""
    state, bot, dice = Position.start("maze", {"size": 4}).state, MyBot(), random.Random(seed)
    while not Position(state).over:
        view, mine = state.view(state.pending.seat), state.pending.seat == seat
        move = bot.choose(view, Clock(seat, None, 0, 1000), dice) if mine else view.moves.sample(dice)
        state = state.play(move)
    return state.pending.places


class TestMyBot(unittest.TestCase):
    def test_it_is_better_than_random(self):
        won = sum(played(game % 2, game)[game % 2] == 1 for game in range(20))
        self.assertGreaterEqual(won, 14)

    def test_the_same_dice_are_the_same_game(self):
        self.assertEqual(played(0, 7), played(0, 7))
