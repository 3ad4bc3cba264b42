"""The engine plays as the naive games do: lists, figures and places after every move, with and without leavers."""

import pytest

from quadrille.laws.settings import Setting, combined, quick, setting, small, usual, varied
from quadrille.rules.registry import keys
from tests.naive.compare import TABLES, play_both

LAYOUTS = ("ppn/npp/pdp", "pnp/p.n/pnp/dpp")
#: Where two kinds of coin may lead a renegade to the same square: rare, so that many games are needed to see it.
RARE = setting(
    "coin-isolation", {"layout": "pppp/npnp/pnpn", "take": "semi-greedy", "mixed_change": True, "renegade": True}, 2
)
SMALL = {table for key in keys() for table in small(key)}


def tables(key: str) -> list[Setting]:
    """Those that are small enough for the naive game."""
    if key == "coin-isolation":
        given = [dict(table.options) for table in varied(key)]
        some = [{**options, "layout": LAYOUTS[number % 2]} for number, options in enumerate(given)]
        laid = [setting(key, options, 2 + number % 3) for number, options in enumerate(some)]
        return [table for table in (RARE, *laid, *small(key)) if table.possible]
    return [*small(key), *(table for table in (*usual(key), *varied(key)) if "26" not in str(table))]


@pytest.mark.parametrize("table", quick(table for key in keys() for table in tables(key)), ids=str)
def test_same_as_naive(table: Setting) -> None:
    """Long enough to see a round of Dotter end, and a peg that waits; small tables often enough for what is rare."""
    for seed in range(60 if table == RARE else 5 if table in SMALL else 2):
        play_both(table, f"same {seed}", 120, leaving=True)


@pytest.mark.slow
@pytest.mark.parametrize("table", [table for key in keys() for table in tables(key)], ids=str)
def test_same_as_naive_to_the_end(table: Setting) -> None:
    for leaving in (False, True):
        play_both(table, f"to the end {leaving}", 300, leaving=leaving)


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_same_as_naive_in_many_variants(layout: str) -> None:
    found = [table for table in combined("coin-isolation") if dict(table.options).get("layout") == layout]
    for table in found[::11]:
        play_both(table, "variant", 60, leaving=False)


def test_every_game_has_a_naive_one() -> None:
    assert set(keys()) <= set(TABLES)
