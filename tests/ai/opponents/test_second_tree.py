"""A second core for level 5: what it finds counts, and where a count decides nobody asks it."""

import random
from concurrent.futures import Executor, Future

import pytest

from quadrille.ai.bot import Clock
from quadrille.ai.bots.lines.dialogue import Seating
from quadrille.ai.bots.player import BotPlayer
from quadrille.ai.opponents.kinds import Mcts
from quadrille.ai.tournament.play.cores import cores
from quadrille.rules.core import Over
from quadrille.rules.registry import game
from quadrille.rules.search import Position, TreeSearch
from tests.ai.bots.programs import play
from tests.ai.inside import small
from tests.ai.inside import talk as inside


class Here(Executor):
    """Does everything at once, in this process; `fails` after that."""

    def __init__(self, *, fails: bool = False) -> None:
        self.tasks = 0
        self.fails = fails

    def submit(self, work, /, *words, **named):
        self.tasks += 1
        told: Future = Future()
        told.set_result(work(*words, **named))
        if self.fails:
            told = Future()
            told.set_exception(OSError("the process was lost"))
        return told


def thinks(level: int, crew: Here | None) -> tuple[str, Mcts, int]:
    """Return a move from the same dice, its bot, and the trials that are counted."""
    bot = Mcts(level)
    bot.crew = crew
    view = game("dollar-draw").start()
    move = bot.choose(view, Clock(0, (10**7, 10**7), 0, 40 if level == 5 else 10**6), random.Random(7))
    return str(move), bot, sum(bot.searched.found.visits)


def test_the_trials_of_a_second_core_are_counted() -> None:
    _, bot, counted = thinks(5, Here())
    assert counted > 1 + bot.searched.tree.visits[bot.searched.tree.top]


def test_a_second_core_that_is_lost_is_done_without() -> None:
    _, bot, counted = thinks(5, Here(fails=True))
    assert 0 < counted <= bot.searched.tree.visits[bot.searched.tree.top]


@pytest.mark.parametrize("level", [1, 3])
def test_a_level_that_counts_plays_the_same_with_a_second_core(level: int) -> None:
    crew = Here()
    assert thinks(level, crew)[0] == thinks(level, None)[0] and crew.tasks == 0


def test_trials_of_two_searches_add_up() -> None:
    """The average of a move is that of all its trials."""
    position = Position.start("maze", {"size": 4}, moves=["a4-b4"])
    one, other = TreeSearch(position, 1), TreeSearch(position, 2)
    one.go_on(50)
    other.go_on(30)
    before, second = one.found, other.found
    one.add(second)
    for at, move in enumerate(one.found.moves):
        there = second.moves.index(move)
        visits = before.visits[at] + second.visits[there]
        total = before.visits[at] * before.values[at] + second.visits[there] * second.values[there]
        assert one.found.visits[at] == visits and abs(one.found.values[at] - total / max(visits, 1)) < 2000


@pytest.mark.parametrize("offered", [1, 2])
def test_a_bot_has_a_process_more_while_its_table_offers_a_core(offered: int) -> None:
    """The process itself is started by the first search that needs it."""
    match, talk = small("maze"), inside()
    player = BotPlayer(talk, Seating(cores=offered))
    match.play(player.move(match).move)
    bot = talk.program.part.bot
    assert (bot.crew is not None) == (offered > 1 and cores() > 1)
    player.over(Over((1, 2), {}, "it is over"), match)
    talk.hear()
    assert bot.crew is None


def test_tournaments_offer_no_core() -> None:
    talks = [inside(), inside()]
    play(small("maze"), talks)
    starts = [line for talk in talks for line in talk.program.told if b'"start"' in line]
    assert starts and not any(b"cores" in line for line in starts)
