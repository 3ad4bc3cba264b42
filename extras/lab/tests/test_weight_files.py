"""Whatever a file of weights or of a training holds, the answer is its contents or a sentence."""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from quadrille.extras.lab.learned.evaluation import MOST_BYTES, written
from quadrille.extras.lab.learned.evaluation import read as read_weights
from quadrille.extras.lab.learned.training import Training
from quadrille.rules.errors import RulesError
from tests.fuzz.test_fuzz import a_sentence, shortly

FLAWS = [json.loads(line) for line in Path(__file__).with_name("weights.jsonl").read_text("utf-8").splitlines()]


@cache
def learned_files() -> dict[str, bytes]:
    """Return a file of weights and one of an unfinished training, by the kind in their first lines."""
    training = Training("barons", {"width": 3, "height": 3}, 2, seed=7)
    training.go_on(20)
    return {"weights": written(training.evaluation()), "training": training.written()}


def flawed(true: bytes, kind: str, flaw: dict[str, Any]) -> bytes:
    """A file with a flaw, signed so that no more than this one is wrong; what is cut or flipped later is not signed."""
    first, second, *rest = true.split(b"\n", 2)
    weights = b"".join(rest)[: -hashlib.sha256().digest_size]
    head = json.loads(second)
    head |= flaw.get("head", {}) | ({"options": head["options"] | flaw["options"]} if "options" in flaw else {})
    text = json.dumps(head, separators=(",", ":"))
    text = flaw.get("second", text.replace(*flaw.get("replace", ("", ""))))
    line = flaw["first"].replace("KIND", kind).encode() if "first" in flaw else first
    count = flaw.get("weights")
    weights = weights if count is None else weights * count if count > 0 else weights[: count or len(weights) - 8]
    body = line + b"\n" + text.encode() + b"\n" + weights
    data = bytearray(body + hashlib.sha256(body).digest() + flaw.get("more", "").encode())
    if "flip" in flaw:
        data[flaw["flip"][0]] ^= flaw["flip"][1]
    return bytes(data[: flaw["cut"]] if "cut" in flaw else data)


@pytest.mark.parametrize("flaw", FLAWS, ids=shortly)
def test_corpus_of_weights(flaw: dict[str, Any]) -> None:
    """None of them is one of its kind, nor of the other."""
    for kind, true in learned_files().items():
        said = flawed(true, kind, flaw)
        assert said != true
        for reader in (read_weights, Training.read):
            with pytest.raises(RulesError) as caught:
                reader(said, "f")
            a_sentence(str(caught.value))


@pytest.mark.slow
def test_files_of_weights_that_never_end_and_those_of_the_other_kind() -> None:
    files = learned_files()
    assert flawed(files["weights"], "weights", {}) == files["weights"]
    assert flawed(files["training"], "training", {}) == files["training"]
    for kind, reader in (("training", read_weights), ("weights", Training.read)):
        with pytest.raises(RulesError, match="name another file"):
            reader(files[kind], "f")
    for kind, reader in (("weights", read_weights), ("training", Training.read)):
        for said in (b"\0", f"quadrille {kind} 1\n".encode(), f"quadrille {kind} 1\n{{}}\n".encode()):
            with pytest.raises(RulesError) as caught:
                reader(said + bytes(MOST_BYTES + 1 - len(said)), "f")
            a_sentence(str(caught.value))
