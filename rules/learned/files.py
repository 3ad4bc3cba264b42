"""Files of weights and of unfinished trainings, as bytes (docs/protocols/learned.md, "Files").

A file is a first line with its kind and version, a line of JSON, the weights as they are in memory, and the SHA-256 of
all before. A reader refuses every other file than `written` would make. The caller keeps the bytes.
"""

import hashlib
import json
import re
import struct
from dataclasses import dataclass
from typing import Any, Final

from quadrille.rules.arrays import array
from quadrille.rules.core import State
from quadrille.rules.errors import RulesError
from quadrille.rules.ints import i64, vec
from quadrille.rules.learned.evaluation import Evaluation, weights_of
from quadrille.rules.options import Options
from quadrille.rules.patterns.sums import POINT, multiplied, rounded
from quadrille.rules.registry import game as game_of

VERSION: Final = 1
#: More bytes than any file has.
MOST_BYTES: Final = 64 << 20
#: Units of a kept weight in a point of the game, and the greatest weight: it has 16 bits.
KEPT: Final = 64
MOST: Final = (1 << 15) - 1
#: Maximum characters of the line of JSON, and the greatest whole number in it.
_MOST_HEAD: Final = 4096
_MOST_NUMBER: Final = (1 << 62) - 1
AGAIN: Final = "Learn again with quadrille train"
_DIGEST: Final = hashlib.sha256().digest_size
_FIRST: Final = re.compile(rb"quadrille ([a-z]{1,20}) ([0-9]{1,9})\n")


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file: its name in the first line, its name in sentences, and the letter of its weights in `struct`."""

    word: str
    name: str
    letter: str


WEIGHTS: Final = FileKind("weights", "weights", "h")
TRAINING: Final = FileKind("training", "an unfinished training", "q")
_KINDS: Final = {kind.word: kind for kind in (WEIGHTS, TRAINING)}


@dataclass(frozen=True, slots=True)
class LearningTerms:
    """Game, options and seats that weights are learned for, and the seed of the training."""

    game: str
    options: Options
    seats: int
    seed: int

    def start(self) -> State[Any, Any]:
        """The first position."""
        return game_of(self.game).start(self.options, self.seats)

    def __str__(self) -> str:
        changed = [f"{name}={value}" for name, value in self.options.changed().items()]
        return ", ".join([self.game, f"{self.seats} seats", *changed, f"seed {self.seed}"])


def written(evaluation: Evaluation) -> bytes:
    """The file of an evaluation."""
    terms = LearningTerms(evaluation.game, evaluation.options, evaluation.seats, evaluation.seed)
    return pack(WEIGHTS, terms, {"games": evaluation.games}, rounded(evaluation.weights, POINT // KEPT, MOST))


def read(data: bytes, name: str) -> Evaluation:
    """The evaluation in a file of that name; a `RulesError` says what is wrong with it."""
    terms, numbers, weights = unpack(WEIGHTS, data, name, ("games",))
    scaled = multiplied(weights, POINT // KEPT)
    return Evaluation(terms.game, terms.options, terms.seats, terms.seed, numbers["games"], scaled)


def pack(kind: FileKind, terms: LearningTerms, numbers: dict[str, int], weights: vec[i64]) -> bytes:
    """A file of that kind."""
    head = _head(kind, terms, numbers, len(weights))
    body = head + struct.pack(f"<{len(weights)}{kind.letter}", *weights)
    return body + hashlib.sha256(body).digest()


def _head(kind: FileKind, terms: LearningTerms, numbers: dict[str, int], weights: int) -> bytes:
    """The first two lines."""
    told = {
        "game": terms.game,
        "rules": game_of(terms.game).rules,
        "options": terms.options.plain(),
        "seats": terms.seats,
        "seed": terms.seed,
        **numbers,
        "weights": weights,
    }
    return f"quadrille {kind.word} {VERSION}\n{json.dumps(told, separators=(',', ':'))}\n".encode("ascii")


def unpack(
    kind: FileKind, data: bytes, name: str, names: tuple[str, ...]
) -> tuple[LearningTerms, dict[str, int], vec[i64]]:
    """The terms, the numbers of these names and the weights that `pack` was given."""
    _check(kind, data, name)
    first, end = data.index(b"\n") + 1, len(data) - _DIGEST
    after = data.find(b"\n", first, first + _MOST_HEAD) + 1
    told = _told(data[first : after - 1]) if after else None
    try:
        if told is None or told.get("rules") != game_of(told.get("game")).rules:
            raise RulesError("its second line does not describe a game that can be played by these rules")
        state = game_of(told["game"]).start(told.get("options"), told.get("seats"))
        count = weights_of(state)
        numbers = {word: _number(told, word) for word in names}
        terms = LearningTerms(state.game.key, state.options, state.seats, _number(told, "seed"))
    except RulesError as error:
        raise RulesError(f"{name} can't be used: {error}. {AGAIN}") from None
    if data[:after] != _head(kind, terms, numbers, count) or end - after != count * struct.calcsize(f"<{kind.letter}"):
        raise RulesError(
            f"{name} can't be used: {terms} takes {count:,} weights, and it is not written for exactly these. " + AGAIN
        )
    return terms, numbers, array(struct.unpack(f"<{count}{kind.letter}", data[after:end]))


def _check(kind: FileKind, data: bytes, name: str) -> None:
    """Refuse another file, another version and damage."""
    found = _FIRST.match(data)
    if found is None:
        raise RulesError(f"{name} is no file of {kind.name}: quadrille train writes those")
    word, version = found[1].decode(), int(found[2])
    if word != kind.word:
        held = _KINDS[word].name if word in _KINDS else "something else"
        raise RulesError(f"{name} is no file of {kind.name}, but of {held}: name another file")
    if version != VERSION:
        raise RulesError(
            f"{name} is in version {version} of the format, and this quadrille reads version {VERSION}: "
            + (
                "update it, or learn again with quadrille train"
                if version > VERSION
                else "learn again with quadrille train"
            )
        )
    if len(data) > MOST_BYTES:
        raise RulesError(f"{name} is longer than any file of {kind.name} ({MOST_BYTES >> 20} MB): name another file")
    if hashlib.sha256(data[:-_DIGEST]).digest() != data[-_DIGEST:]:
        raise RulesError(
            f"{name} is damaged: it was cut or changed. Copy it again, or learn again with quadrille train"
        )


def _told(line: bytes) -> dict[str, Any] | None:
    """The object of a line of JSON; None if there is none."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def _number(told: dict[str, Any], name: str) -> int:
    """A whole number of a header."""
    number = told.get(name)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= _MOST_NUMBER:
        raise RulesError(f"its {name} is no whole number")
    return number
