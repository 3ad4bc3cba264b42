"""Files of weights and of unfinished trainings, as bytes (extras/lab/docs/learned.md, "Files").

They are sealed files (rules/core/sealed.py) whose body is the weights as they are in memory. A reader refuses every
other file than `written` would make. The caller keeps the bytes.
"""

import struct
from dataclasses import dataclass
from typing import Any, Final

from quadrille.extras.lab.engine.sums import POINT, multiplied, rounded
from quadrille.extras.lab.learned.evaluation import Evaluation, LearningTerms, weights_of
from quadrille.rules.arrays import array
from quadrille.rules.core.sealed import SealedKind, seal, unseal, unusable, whole_number
from quadrille.rules.errors import RulesError
from quadrille.rules.ints import i64, vec
from quadrille.rules.registry import game as game_of

#: Maximum bytes of a file.
MOST_BYTES: Final = 64 << 20
#: Units of a kept weight in a point of the game, and the greatest weight: it has 16 bits.
KEPT: Final = 64
MOST: Final = (1 << 15) - 1
_AGAIN: Final = "learn again with quadrille train"


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file, and the letter of its weights in `struct`."""

    sealed: SealedKind
    letter: str


WEIGHTS: Final = FileKind(SealedKind("weights", 1, "weights", MOST_BYTES, _AGAIN), "h")
TRAINING: Final = FileKind(SealedKind("training", 1, "an unfinished training", MOST_BYTES, _AGAIN), "q")


def written(evaluation: Evaluation) -> bytes:
    """The file of an evaluation."""
    return pack(
        WEIGHTS, evaluation.terms, {"games": evaluation.games}, rounded(evaluation.weights, POINT // KEPT, MOST)
    )


def read(data: bytes, name: str) -> Evaluation:
    """The evaluation in a file of that name; a `RulesError` says what is wrong with it."""
    terms, numbers, weights = unpack(WEIGHTS, data, name, ("games",))
    return Evaluation(terms, numbers["games"], multiplied(weights, POINT // KEPT))


def pack(kind: FileKind, terms: LearningTerms, numbers: dict[str, int], weights: vec[i64]) -> bytes:
    """A file of that kind."""
    fields = _fields(terms, numbers, len(weights))
    return seal(kind.sealed, fields, struct.pack(f"<{len(weights)}{kind.letter}", *weights))


def _fields(terms: LearningTerms, numbers: dict[str, int], weights: int) -> dict[str, Any]:
    """The second line."""
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
    kind: FileKind, data: bytes, name: str, names: tuple[str, ...]
) -> tuple[LearningTerms, dict[str, int], vec[i64]]:
    """The terms, the numbers of these names and the weights that `pack` was given."""
    told, body = unseal(kind.sealed, data, name)
    try:
        if told.get("rules") != game_of(told.get("game")).rules:
            raise RulesError("its second line does not describe a game that can be played by these rules")
        state = game_of(told["game"]).start(told.get("options"), told.get("seats"))
        count = weights_of(state)
        numbers = {word: whole_number(told, word) for word in names}
        terms = LearningTerms(state.game.key, state.options, state.seats, whole_number(told, "seed"))
    except RulesError as error:
        raise unusable(kind.sealed, name, str(error)) from None
    fits = len(body) == count * struct.calcsize(f"<{kind.letter}")
    if not fits or seal(kind.sealed, _fields(terms, numbers, count), body) != data:
        why = f"{terms} takes {count:,} weights, and it is not written for exactly these"
        raise unusable(kind.sealed, name, why)
    return terms, numbers, array(struct.unpack(f"<{count}{kind.letter}", body))
