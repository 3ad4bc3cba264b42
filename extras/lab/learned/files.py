"""Files of weights and of unfinished trainings, as bytes (extras/lab/docs/learned.md, "Files").

They are sealed files (rules/core/sealed.py) whose body is the weights as they are in memory. A reader refuses every
other file than `written` would make. The caller keeps the bytes.
"""

import struct
from typing import Any, Final

from quadrille.extras.lab.engine.sums import POINT
from quadrille.extras.lab.learned.evaluation import Evaluation, LearningTerms, weights_of
from quadrille.rules.arrays import array
from quadrille.rules.core.sealed import SealedKind, seal, unseal, unusable, whole_number
from quadrille.rules.errors import RulesError
from quadrille.rules.ints import i64, vec
from quadrille.rules.registry import game as game_of

#: Maximum bytes of a file.
MOST_BYTES: Final = 64 << 20
#: The unit of a kept weight is 1/64 point of the game; the greatest weight has 16 bits.
UNIT: Final = POINT // 64
MOST: Final = (1 << 15) - 1
_AGAIN: Final = "learn again with quadrille train"


WEIGHTS: Final = SealedKind("weights", 1, "weights", MOST_BYTES, _AGAIN)
TRAINING: Final = SealedKind("training", 1, "an unfinished training", MOST_BYTES, _AGAIN)
#: The letters of their weights in `struct`.
_LETTERS: Final = {WEIGHTS.name: "h", TRAINING.name: "q"}


def written(evaluation: Evaluation) -> bytes:
    """Write the file of an evaluation."""
    return pack(WEIGHTS, evaluation.terms, {"games": evaluation.games}, kept(evaluation.weights))


def read(data: bytes, name: str) -> Evaluation:
    """Read the evaluation in a file of that name; a `RulesError` says what is wrong with it."""
    terms, numbers, weights = unpack(WEIGHTS, data, name, ("games",))
    return Evaluation(terms, numbers["games"], restored(weights))


def kept(weights: vec[i64]) -> vec[i64]:
    """Round weights to what a file keeps of them."""
    return array([min(max((weight + UNIT // 2) // UNIT, -MOST), MOST) for weight in weights])


def restored(weights: vec[i64]) -> vec[i64]:
    """Return the weights that a file keeps, in units of a POINT."""
    return array([weight * UNIT for weight in weights])


def pack(kind: SealedKind, terms: LearningTerms, numbers: dict[str, int], weights: vec[i64]) -> bytes:
    """Write a file of that kind."""
    fields = _fields(terms, numbers, len(weights))
    return seal(kind, fields, struct.pack(f"<{len(weights)}{_LETTERS[kind.name]}", *weights))


def _fields(terms: LearningTerms, numbers: dict[str, int], weights: int) -> dict[str, Any]:
    """Return the fields of the second line."""
    return {
        "game": terms.game,
        "rules": game_of(terms.game).rules,
        "options": terms.options.plain(),
        "seats": terms.seats,
        "seed": terms.seed,
        **numbers,
        "weights": weights,
    }


def unpack(
    kind: SealedKind, data: bytes, name: str, names: tuple[str, ...]
) -> tuple[LearningTerms, dict[str, int], vec[i64]]:
    """Read the terms, the numbers of these names and the weights that `pack` was given."""
    told, body = unseal(kind, data, name)
    try:
        if told.get("rules") != game_of(told.get("game")).rules:
            raise RulesError("its second line does not describe a game that can be played by these rules")
        state = game_of(told["game"]).start(told.get("options"), told.get("seats"))
        count = weights_of(state)
        numbers = {word: whole_number(told, word) for word in names}
        terms = LearningTerms(state.game.key, state.options, state.seats, whole_number(told, "seed"))
    except RulesError as error:
        raise unusable(kind, name, str(error)) from None
    layout = struct.Struct(f"<{count}{_LETTERS[kind.name]}")
    if len(body) != layout.size or seal(kind, _fields(terms, numbers, count), body) != data:
        why = f"{terms} takes {count:,} weights, and it is not written for exactly these"
        raise unusable(kind, name, why)
    return terms, numbers, array(layout.unpack(body))
