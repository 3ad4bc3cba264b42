"""The wishes of commands that take a text: what may be typed after a word, and why not (commands.py has the words)."""

from collections.abc import Callable
from typing import TypeAlias

from quadrille.client.table.network import wishes
from quadrille.client.table.network.wishes import NetworkWish
from quadrille.client.table.wishes import Against, PluggedWish, Wish
from quadrille.client.table_setup import named_bots
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

#: Makes a wish from the bot for hints and the text after the word.
AnyWish: TypeAlias = Wish | NetworkWish | PluggedWish
WishMaker: TypeAlias = Callable[[str, str], AnyWish]


def proposal(what: str) -> WishMaker:
    return lambda _, rest: wishes.ProposeMotion(what, rest)


def takeback(_: str, rest: str) -> wishes.Takeback:
    if rest and not (rest.isascii() and rest.isdigit() and int(rest[:9]) > 0 and len(rest) < 10):
        raise RulesError(f"takeback takes the number of moves to take back, not {quoted(rest)}")
    return wishes.Takeback(int(rest or 1))


def takeback_there(_: str, rest: str) -> wishes.Takeback:
    return takeback(_, rest) if rest else wishes.TO_MY_LAST_MOVE


def against(_: str, rest: str) -> Against:
    if not rest:
        raise RulesError("who? Write against and a bot, such as against 2 or against mcts:3, or against people")
    return Against(() if rest == "people" else named_bots(rest))


def say(_: str, rest: str) -> wishes.Say:
    if not rest:
        raise RulesError("write say and what you want to say")
    return wishes.Say(rest)


def play_for(_: str, rest: str) -> wishes.PlayFor:
    table, _, name = rest.strip().partition(" ")
    return wishes.PlayFor(table, name)
