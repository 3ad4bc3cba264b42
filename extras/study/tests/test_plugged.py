"""A game that a package plugs in takes no turn among the puzzles of a day."""

from datetime import date

from quadrille.extras.study.kept.puzzle_home import game_of
from quadrille.rules import registry
from tests.test_plugs import GAME, Install, install  # noqa: F401


def test_a_plugged_game_changes_nobody_elses_puzzle_of_the_day(install: Install) -> None:  # noqa: F811
    days = [date(2026, 5, day) for day in range(1, 9)]
    before = [game_of(day).key for day in days]
    install("acme", "[quadrille.games]\nmine = acme_game\n", acme_game=GAME)
    assert registry.keys()[-1] == "mine@acme" and [game_of(day).key for day in days] == before
