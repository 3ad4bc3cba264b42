"""Moves of Coin Isolation in the making: a path square by square, then the clauses that its options ask for.

A turn can be more than anybody lists, so the board is asked step by step what can come next (rules/boards/
coin_isolation.py); nothing is listed here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from quadrille.client.screen.drafts.draft import Draft, Maker, foreseen, verdict
from quadrille.rules.boards.coin_isolation import CoinBoard
from quadrille.rules.boards.coin_terms import (
    COIN,
    END,
    GIVE_WANTED,
    KIND_WANTED,
    PASS,
    PLACE_WANTED,
    RENEGADE,
    SIDE,
    STAGE,
    STAND,
    STAND_WANTED,
    TAKE,
    TAKE_WANTED,
    WALK,
)
from quadrille.rules.core import State
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import grid

_SQUARE: Final = re.compile(r"[a-z][1-9][0-9]?")
#: A path of whole squares, with what may stand before and behind it.
_LINE: Final = re.compile(r"(renegade )?([a-z][1-9][0-9]?(?: ?- ?[a-z][1-9][0-9]?)*)( .*)?")
#: What is no whole square or clause yet at the end of a line.
_HALF_SQUARE: Final = re.compile(r"(?: ?-|^|(?<=renegade)) ?[a-z]?$")
_HALF_CLAUSE: Final = re.compile(r"(?: (?:type|take|give|to))?[ ,]*$")
_LAST_CLAUSE: Final = re.compile(r" (?:type|take|give|to)(?: [^ ]+)?(?<!type|take|give)$")
_GIVEN: Final = re.compile(r" give ([0-9pndq]*)$")
_KINDS: Final = "pndq"
_SIDES: Final = ("south", "north", "west", "east")
_WANTED: Final = {
    KIND_WANTED: "which type of coin is walked along?",
    TAKE_WANTED: "how many coins of the target are kept?",
    GIVE_WANTED: "which coins under the pawn go along?",
    PLACE_WANTED: "which empty squares do the coins go to?",
    STAND_WANTED: "which coin is kept?",
}


@dataclass(frozen=True, slots=True)
class Trial:
    """A line made on a board as far as it goes: the path in it, and whether all of the line was legal."""

    board: CoinBoard
    path: tuple[str, ...]
    start: str
    fits: bool
    done: bool = False

    @property
    def steps(self) -> list[int]:
        """What can come next; nothing when the turn is complete or the line wrong."""
        if self.done or not self.fits:
            return []
        count = self.board.legal()
        return list(self.board.moves[:count])


def _names(state: State[Any, Any]) -> tuple[str, ...]:
    return grid(state.board.terms.width, state.board.terms.height).names


def _trial(state: State[Any, Any], text: str) -> Trial:
    board: CoinBoard = state.board.copy()
    text = _HALF_SQUARE.sub("", text)
    found = _LINE.fullmatch(text)
    if found is None:
        steps = [board.first + RENEGADE] if text == "renegade" else [board.first + STAND] if text == "stand" else []
        return _made(board, steps, (), "renegade " if text == "renegade" else "", fits=True)
    names, path = _names(state), tuple(_SQUARE.findall(found[2]))
    start = found[1] or ""
    steps = [board.first + RENEGADE] if start else []
    steps += [names.index(name) if name in names else -1 for name in path]
    if found[3]:
        try:
            steps = state.steps(state.game.parse(_HALF_CLAUSE.sub("", text), state)) or [-1]  # type: ignore[attr-defined]
        except RulesError:
            return Trial(board, path, start, fits=False)
    return _made(board, steps, path, start, fits=True)


def _made(board: CoinBoard, steps: list[int], path: tuple[str, ...], start: str, *, fits: bool) -> Trial:
    plies = board.plies
    for step in steps:
        count = board.legal()
        if step not in board.moves[:count]:
            return Trial(board, path, start, fits=False)
        board.apply(step)
        if board.plies != plies:
            return Trial(board, path, start, fits=True, done=True)
    return Trial(board, path, start, fits=fits)


def _draft(state: State[Any, Any], text: str) -> Draft:
    trial = _trial(state, text)
    move, why = verdict(state, text) if text else (None, "")
    names, first = _names(state), trial.board.first
    steps = trial.steps
    squares = frozenset(names[step] for step in steps if step < first)
    choices = tuple(_choices(trial, text, [step for step in steps if step >= first]))
    longer = [_add(trial, text, name) for name in squares] + [line for _, line in choices]
    words = tuple(sorted({line for line in longer if line.startswith(text) and line != text}))
    if not text:
        return Draft("none", nexts=squares, words=words, choices=choices)
    if move is not None and not why:
        return Draft("legal", "", trial.path, squares, words, choices, foreseen(state, move), shows_after=False)
    if words or (choices and trial.path):
        return Draft("begun", _WANTED.get(trial.board.at[STAGE], ""), trial.path, squares, words, choices)
    return Draft("wrong" if move is not None or trial.path else "foreign", why, trial.path)


def _choices(trial: Trial, text: str, steps: list[int]) -> Iterator[tuple[str, str]]:
    """Lines for steps that are no squares, each with a short name."""
    board = trial.board
    for step in steps:
        clause = step - board.first
        if clause >= TAKE:
            yield f"take {clause - TAKE}", f"{_HALF_CLAUSE.sub('', text)} take {clause - TAKE}"
        elif clause >= COIN:
            yield _coin_choice(board, text, _KINDS[clause - COIN])
        elif clause >= SIDE:
            yield f"side {_SIDES[clause - SIDE]}", f"side {_SIDES[clause - SIDE]}"
        elif clause == END:
            yield from _ended(trial, text)
        else:
            word = {STAND: "stand", RENEGADE: "renegade", PASS: "pass"}[clause]
            yield word, word


def _ended(trial: Trial, text: str) -> Iterator[tuple[str, str]]:
    """What has to be said behind a path that is not to go on."""
    after = _made(trial.board.copy(), [trial.board.first + END], trial.path, trial.start, fits=True)
    if after.done:
        return
    if after.board.at[STAGE] == PLACE_WANTED:
        yield "to ...", f"{text} to "
    else:
        yield from _choices(after, text, [step for step in after.steps if step >= after.board.first])


def _coin_choice(board: CoinBoard, text: str, kind: str) -> tuple[str, str]:
    if text.startswith("stand"):
        return f"stand {kind}", f"stand {kind}"
    if board.at[STAGE] != GIVE_WANTED:
        return f"type {kind}", f"{_HALF_CLAUSE.sub('', text)} type {kind}"
    found = _GIVEN.search(text)
    counts = {letter: int(number) for number, letter in re.findall(r"([0-9]+)([pndq])", found[1])} if found else {}
    counts[kind] = counts.get(kind, 0) + 1
    given = "".join(f"{counts[letter]}{letter}" for letter in _KINDS if letter in counts)
    return f"give {given}", f"{_HALF_CLAUSE.sub('', _GIVEN.sub('', text))} give {given}"


def _add(trial: Trial, text: str, name: str) -> str:
    """The line with a square more: of the path, or for a coin that is transplanted."""
    if trial.board.at[STAGE] != PLACE_WANTED:
        return trial.start + "-".join((*trial.path, name))
    bare = _HALF_CLAUSE.sub("", text)
    return f"{bare},{name}" if " to " in bare else f"{bare} to {name}"


def _pick(state: State[Any, Any], text: str, place: str) -> str:
    """A square that can come next is added; one of the path cuts it there; any other begins a path."""
    trial, names = _trial(state, text), _names(state)
    if place not in names or (trial.path and place == trial.path[-1] and trial.board.at[STAGE] == WALK):
        return text
    if names.index(place) in trial.steps:
        return _add(trial, text, place)
    if place in trial.path:
        return trial.start + "-".join(trial.path[: trial.path.index(place) + 1])
    return trial.start + place


def _drop(state: State[Any, Any], text: str) -> str:
    """A clause goes, or the last square of the path."""
    if _LAST_CLAUSE.search(text):
        return _LAST_CLAUSE.sub("", text)
    trial = _trial(state, text)
    return trial.start + "-".join(trial.path[:-1]) if len(trial.path) > 1 else ""


MAKER: Final = Maker(_draft, _pick, _drop)
