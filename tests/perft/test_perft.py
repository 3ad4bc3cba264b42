"""The engine finds as many sequences of moves as are known, and so do the naive games."""

import itertools
from collections.abc import Iterator

import pytest

from quadrille.rules.chance import OpenDealer, SeedDealer
from quadrille.rules.core import Over, settle
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game, keys
from quadrille.rules.search.perft import perft
from tests.naive.compare import counts
from tests.perft.entries import NAIVE, Entry, entries, naive

QUICK, MANY, ALL = 100, 500_000, 2_000_000
QUICK_NAIVE, ALL_NAIVE = 50, 10_000
ENTRIES = [(key, number) for key in keys() for number in range(len(entries(key)))]
EVERY_THIRD = [pytest.param(key, number, marks=pytest.mark.slow if number % 3 else ()) for key, number in ENTRIES]


def dealer(entry: Entry) -> OpenDealer:
    decks = {"round 1": entry["deck"].split()} if "deck" in entry else {}
    return OpenDealer(decks, SeedDealer(""))


@pytest.mark.parametrize(("least", "most"), [(0, QUICK), pytest.param(QUICK, ALL, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("key", "number"), EVERY_THIRD)
def test_perft(key: str, number: int, least: int, most: int) -> None:
    """All counts from `least` up to `most`, those beyond `MANY` of every third table: they take a minute."""
    entry = entries(key)[number]
    start = game(key).start(entry["options"], entry["seats"])
    for depth, count in enumerate(entry["counts"], 1):
        if least <= count < (most if number % 3 == 0 else min(most, MANY)):
            assert perft(start, depth, dealer(entry)) == count, f"{depth} moves"


@pytest.mark.parametrize("most", [QUICK_NAIVE, pytest.param(ALL_NAIVE, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("key", "number"), EVERY_THIRD)
def test_naive_perft(key: str, number: int, most: int) -> None:
    entry = entries(key)[number]
    shallow = list(itertools.takewhile(lambda count: count < most, entry["counts"]))
    assert counts(naive(key, entry), len(shallow)) == shallow


def with_games() -> Iterator[object]:
    """The entries that say how many whole games there are; many of them take long."""
    for key, number in ENTRIES:
        if "games" in (entry := entries(key)[number]):
            yield pytest.param(entry, key, marks=[pytest.mark.slow] if entry["games"] > QUICK else [])


@pytest.mark.parametrize(("entry", "key"), list(with_games()))
def test_whole_games(entry: Entry, key: str) -> None:
    """Each game of these small tables is played to its end."""
    found, going_on = 0, [settle(game(key).start(entry["options"], entry["seats"]), dealer(entry))]
    while going_on:
        state = going_on.pop()
        found += isinstance(state.pending, Over)
        going_on += [settle(state.play(move), dealer(entry)) for move in state.moves]
    assert found == entry["games"]


@pytest.mark.parametrize("key", keys())
def test_every_preset_and_seat_count_has_numbers(key: str) -> None:
    """Worked out by another implementation, or by the naive game."""
    found = entries(key)
    bare = [
        ({name: value for name, value in entry["options"].items() if name != "layout"}, entry["seats"])
        for entry in found
    ]
    assert {seats for _, seats in bare} == set(game(key).seats)
    for preset in ({}, *(preset.options for preset in game(key).presets.values())):
        assert (dict(preset), game(key).usual_seats) in bare
    assert {entry["by"] for entry in found} <= {NAIVE, "another implementation"}


def test_perft_of_nothing() -> None:
    start = game("maze").start({"size": 2})
    assert [perft(start, depth, SeedDealer("")) for depth in (0, 4)] == [1, 0]
    with pytest.raises(RulesError):
        perft(start, -1, SeedDealer(""))
