"""Games recorded by an implementation of the rules that shares nothing with this one: every line has to agree.

The files `*.jsonl` beside this one hold a game a line: `game`, `options` (the others are the inventor's), `seats`,
`decks` (Dotter: a text a round), `plies`, `refused` (pairs of a ply and a text that is no legal move there), `places`,
`figures`. A ply is
`[seat, count, list, sorted, move, after]`: `count` is None above 20000, `list` and `sorted` are the first 12 digits
of the SHA-256 of the list in canonical order and sorted as texts, None above 5000; `after` are figures after the move.
"""

import hashlib
import itertools
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from quadrille.laws.walks import plain
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys

Line = Mapping[str, Any]
MOST_COUNTED = 20000
MOST_LISTED = 5000
AT_ONCE = 3  # lines of one test


@cache
def lines(key: str) -> list[Line]:
    path = Path(__file__).parent / f"{key}.jsonl"
    return [json.loads(text) for text in path.read_text("utf-8").splitlines()]


def after(key: str, state: Any) -> list[int]:
    """The figures that a vector gives after each move."""
    figures = state.figures()
    match key:
        case "dollar-draw":
            return [*figures["captured"], *figures["claimed"]]
        case "coin-isolation":
            return list(figures["cents"])
        case "maze":
            return [figures["crosses"]]
        case "barons":
            return list(figures["points"])
        case "dotter":
            return [*figures["laps"], *figures["points"]]
    raise AssertionError(f"what comes after a move of {key}?")


def fingerprint(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]


def refuse(match: Match, text: str) -> None:
    before = match.state.digest(), match.ply
    with pytest.raises(RulesError):
        match.play(text)
    assert (match.state.digest(), match.ply) == before


def replay(line: Line) -> None:
    """Play a line and compare all that it tells."""
    key = line["game"]
    decks = {f"round {number}": tuple(deck.split()) for number, deck in enumerate(line.get("decks", ()), 1)}
    usual = game(key).preset("inventor") if "inventor" in game(key).presets else {}
    match = Match(game(key), {**usual, **line["options"]}, line["seats"], deal=Deal("", decks))
    for number, (seat, count, listed, ordered, move, figures) in enumerate(line["plies"]):
        state = match.state
        where = f"{key}, before move {number}, {move}"
        assert state.pending.seat == seat, where  # type: ignore[union-attr]
        found = state.moves.count(MOST_COUNTED + 1)
        assert (None if found > MOST_COUNTED else found) == count, where
        if listed is not None:
            texts = [str(legal) for legal in itertools.islice(state.moves, MOST_LISTED + 1)]
            assert len(texts) == count, where
            assert fingerprint(sorted(texts)) == ordered, where
            assert fingerprint(texts) == listed, where
        for text in (text for ply, text in line["refused"] if ply == number):
            refuse(match, text)
        assert str(match.play(move)) == move, where
        assert after(key, match.state) == figures, where
    assert list(match.over.places) == line["places"]
    assert {name: plain(figure) for name, figure in match.over.figures.items()} == line["figures"]


#: By default the first of each game.
PARTS = [
    pytest.param(key, first, marks=pytest.mark.slow if first else ())
    for key in keys()
    for first in range(0, len(lines(key)), AT_ONCE)
]


@pytest.mark.parametrize(("key", "first"), PARTS)
def test_recorded_games(key: str, first: int) -> None:
    for line in lines(key)[first : first + AT_ONCE]:
        replay(line)


def test_a_wrong_line_does_not_pass() -> None:
    """The replay above does compare: each of these lies about one thing."""
    line = next(line for line in lines("barons") if len(line["plies"]) > 1 and line["refused"])
    first, *rest = line["plies"]
    for lie in (
        {"places": [*line["places"], 9]},
        {"figures": line["figures"] | {"points": [0]}},
        {"refused": [[0, line["plies"][0][4]]]},
        *({"plies": [[*first[:at], "x", *first[at + 1 :]], *rest]} for at in range(len(first))),
    ):
        with pytest.raises((AssertionError, RulesError, pytest.fail.Exception)):
            replay({**line, **lie})
