"""What digests are taken over (docs/protocols/games.md, "Digest"): docs/position.vectors.jsonl, byte by byte.

That positions hold what the rules say is shown with the naive games (tests/naive), and that digests stay as they are by
the golden records.
"""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import msgpack
import pytest

from quadrille.rules.core import ToDraw
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys
from tests.schemas import FOLDER

Vector = dict[str, Any]
VECTORS: list[Vector] = list(map(json.loads, (FOLDER / "position.vectors.jsonl").read_text("utf-8").splitlines()))


def words(vector: Vector) -> list[str]:
    moves: str = vector["after"] if "after" in vector else vector["owing"]
    return [] if moves == "start" else moves.split("; ")


def play(match: Match, moves: Iterable[str]) -> None:
    for text in moves:
        if text.endswith(" resigned"):
            match.leave(int(text[1:].split(" ")[0]) - 1)
        else:
            match.play(text)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['game']} {'; '.join(words(vector))[-20:]}")
def test_the_vectors_of_the_document(vector: Vector) -> None:
    moves, seats = words(vector), vector["seats"]
    match = Match(game(vector["game"]), vector["options"], seats, deal=Deal(vector["seed"]))
    owing = moves.pop() if "owing" in vector else None
    play(match, moves)
    state = match.state
    if owing is not None:
        state = state.play(match.game.parse(owing, state))
        assert isinstance(state.pending, ToDraw)
    position, told = vector["position"], bytes.fromhex(vector["packed"])
    assert position == json.loads(json.dumps(state.view(None).plain()))
    all_options = sorted([*each] for each in state.options.plain().items() if each != ("looks", 0))
    assert told == msgpack.packb([vector["game"], 1, all_options, seats, [*state.board.left], position])
    assert hashlib.blake2b(told, digest_size=32).hexdigest() == vector["digest"] == state.digest().hex()


def test_each_game_has_its_first_position_one_on_its_way_and_its_last() -> None:
    for key in keys():
        own = [vector for vector in VECTORS if vector["game"] == key]
        assert words(own[0]) == []
        assert sum(words(vector) != [] for vector in own) >= 2
        last = next(vector for vector in reversed(own) if "after" in vector and words(vector))
        match = Match(game(key), last["options"], last["seats"], deal=Deal(last["seed"]))
        play(match, words(last))
        assert match.over is not None


def test_a_digest_tells_nothing_that_one_seat_alone_has_seen() -> None:
    """The same peek at other cards: the log's digest is the same, what the seat knows is not."""
    states = []
    for seed in ("one", "two"):
        match = Match(game("dotter"), None, 2, deal=Deal(seed))
        for text in ("draw", "peek p1 1a 1b"):
            match.play(text)
        states.append(match.state)
    assert states[0].view(1).plain() != states[1].view(1).plain()
    assert states[0].digest() == states[1].digest() == states[0].view(None).digest() == states[0].view(1).digest()
