"""On small tables everything that could be written is tried: what is legal is listed, what is listed is legal.

The list is made by one part of a game and a move is judged by another; here they meet. Of the paths of Coin Isolation
that do the same thing one is listed and the others are legal.
"""

import itertools
from collections.abc import Callable, Iterator
from typing import Any, assert_type

import pytest

from quadrille.laws.order import order
from quadrille.laws.settings import GAMES, SMALL, Answers, Setting, plugged, small
from quadrille.laws.test_steps import rows
from quadrille.laws.walks import thinned, walk
from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import Game, State, ToMove, settle
from quadrille.rules.errors import BadNotation, RulesError
from quadrille.rules.games.barons.game import Claim
from quadrille.rules.games.maze.game import MazeOptions
from quadrille.rules.registry import game


def names(width: int, height: int) -> list[str]:
    """The squares of a sheet, and some beside it."""
    return [f"{'abcdefghijklm'[column]}{row + 1}" for column in range(width + 1) for row in range(height + 1)]


def squares(options: Any) -> Iterator[str]:
    return iter(names(options.width, options.height))


def segments(options: Any) -> Iterator[str]:
    return map("-".join, itertools.permutations(names(options.size, options.size), 2))


def coin_moves(options: Any) -> Iterator[str]:
    """Every sequence of different squares, with every clause the options could ask for; sides, stands, passes."""
    rows = options.layout.split("/")
    sheet = [f"{'abc'[column]}{row + 1}" for column in range(len(rows[0])) for row in range(len(rows))]
    yield from (f"side {side}" for side in ("south", "north", "west", "east"))
    yield from ("pass", "stand", "stand p", "stand n", "stand d")
    kinds = ("", " type p", " type n") if options.mixed_change else ("",)
    takes = [f" take {number}" for number in range(5)] if options.take == "semi-greedy" else [""]
    gives = ["", " give 1p", " give 1n", " give 2p", " give 1p1n", " give 2n"] if options.mixed_change else [""]
    for length in range(1, len(sheet) + 1):
        spots = itertools.combinations(sheet, length - 1) if options.collect.startswith("transplant") else [()]
        places = [f" to {','.join(spot)}" if spot else "" for spot in spots]
        for path in map("-".join, itertools.permutations(sheet, length)):
            yield from map("".join, itertools.product((path,), kinds, takes, gives, places))
            if options.renegade:
                yield f"renegade {path}"


def dotter_moves(options: Any) -> Iterator[str]:
    """Draws, looks and scores in the first three rows of three players."""
    yield "draw"
    slots = [f"{row}{letter}" for row in (1, 2, 3) for letter in "abc"]
    guesses = ("", " double", " triple", " difference", " quotient", " nothing")
    for player in ("p1", "p2", "p3", "p4"):
        yield from (f"peek {player} {' '.join(pair)}" for pair in itertools.combinations(slots, 2))
        for three in itertools.combinations(slots, 3):
            yield from (f"score {player} {' '.join(three)}{guess}" for guess in guesses)


WRITTEN: dict[str, Callable[[Any], Iterator[str]]] = Answers("WRITTEN in tests/laws/test_notation.py", {
    "barons": squares,
    "chomp": squares,
    "coin-isolation": coin_moves,
    "dollar-draw": squares,
    "dotter": dotter_moves,
    "maze": segments,
})  # fmt: skip


def written_at(setting: Setting) -> list[str]:
    told = plugged(setting.key)
    if told and told.written is None:
        pytest.skip(f"LAWS of {setting.key} have no `written`: all texts that could be a move")
    write = told.written if told and told.written else WRITTEN[setting.key]
    return list(write(setting.game.read_options(dict(setting.options))))


def legal(state: State[Any, Any], text: str) -> bool:
    try:
        move = state.game.parse(text, state)
    except RulesError:
        return False
    return str(move) == text and state.objection(move) is None


def listed_of(key: str, texts: list[str], *, renegade: bool) -> list[str]:
    """Of moves that do the same thing the one that is listed."""
    if key != "coin-isolation":
        return sorted(texts, key=lambda text: order(key, text))
    best: dict[Any, str] = {}
    for text in texts:
        words = text.split(" ")
        wild = words[0] == "renegade" or (renegade and "1" in words[0])
        path = words[-1].split("-") if wild else words[0].split("-")
        same = (words[0] == "renegade", path[-1]) if wild else (frozenset(path), path[-1], tuple(words[1:]))
        rank = (len(path) if wild else 0, order(key, text))
        known = best.get(same)
        if known is None or rank < (len(known.split("-")) if wild else 0, order(key, known)):
            best[same] = text
    return sorted(best.values(), key=lambda text: order(key, text))


#: The first of each game by default: to try everything that could be written takes seconds a table.
TRIED = [
    pytest.param(table, marks=[pytest.mark.slow] if place else [])
    for key in GAMES
    for place, table in enumerate(small(key))
]


@pytest.mark.parametrize("setting", TRIED, ids=str)
def test_the_list_is_what_is_legal(setting: Setting) -> None:
    written = written_at(setting)
    steps = [step for step in walk(setting, "written", 24) if isinstance(step.state.pending, ToMove)]
    for step in thinned(steps[1:], 2) if len(written) > 10000 else thinned(steps, 6):
        state, board = step.state, step.state.board
        # where the seat to move is a renegade already, its plain paths are a renegade's
        renegade = state.game.key == "coin-isolation" and bool(board.at[board.renegades + board.turn])
        found = [text for text in written if legal(state, text)]
        if setting.key == "coin-isolation":
            assert {tuple(state.steps(state.game.parse(text, state)) or ()) for text in found} == set(rows(state))
        assert listed_of(setting.key, found, renegade=renegade) == [str(move) for move in state.moves]


@pytest.mark.parametrize("setting", TRIED, ids=str)
def test_every_refusal_is_a_sentence(setting: Setting) -> None:
    """Of everything that could be written, at the start, on the way and at the end."""
    written = written_at(setting)
    for step in thinned(list(walk(setting, "refusal")), 4):
        for text in thinned(written, 1500):
            try:
                why = step.state.objection(step.state.game.parse(text, step.state))
            except RulesError as error:
                why = str(error)
            assert why is None or (len(why) > 10 and "\n" not in why)


@pytest.mark.parametrize("key", GAMES)
def test_a_text_is_played_and_moves_are_taken_by_number(key: str) -> None:
    state = settle(GAMES[key].start(), SeedDealer("new"))
    found = state.legal_moves
    assert found == list(itertools.islice(state.moves, 10_000)) and state.moves[0] == found[0]
    assert state.moves[-1] == list(state.moves)[-1]
    assert state.play(f" {str(found[0]).upper()} ") == state.play(found[0])
    with pytest.raises(IndexError):
        state.moves[100_000]
    with pytest.raises(BadNotation, match=r"\w+ \w+ \w+"):  # a sentence, in the game's own words
        state.play("no such move")
    if key == "coin-isolation":
        with pytest.raises(TypeError, match="ask count"):
            len(state.moves)
    else:
        assert len(state.moves) == state.moves.count()


def test_a_game_that_is_named_outright_has_typed_moves_and_options() -> None:
    """Which the type checker judges; a game by any other text is one of any moves."""
    assert all(assert_type(game("barons").start().legal_moves, list[Claim]))
    assert assert_type(game("maze").read_options({"size": 3}), MazeOptions).size == 3
    named = "maze"
    assert assert_type(game(str(named)), Game[Any, Any]).key == "maze"


def test_an_answer_that_a_game_has_not_got_is_asked_for_in_a_sentence() -> None:
    for table in (SMALL, WRITTEN):
        with pytest.raises(LookupError, match=r"in tests/laws/.* has no answer for nibble: docs/guides/add-a-game.md"):
            table["nibble"]
