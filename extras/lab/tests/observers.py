"""The observer of any board, for tests that have no State of it."""

from quadrille.extras.lab.engine.observer import Observer
from quadrille.extras.lab.observations import PlainObserver
from quadrille.rules.board import Board
from quadrille.rules.registry import game, own_keys
from quadrille.rules.search.views import view

OBSERVERS = {type(game(key).start().board): view("lab", key) for key in own_keys()}


def observer_for(board: Board) -> Observer:
    observer: Observer = OBSERVERS.get(type(board), PlainObserver)(board)
    return observer
