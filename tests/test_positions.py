"""What digests are taken over (docs/protocols/games.md, "Digest"): the vectors of the document, byte by byte.

That positions hold what the rules say is shown with the naive games (tests/naive); that digests stay, by tests/golden.
"""

import hashlib
import json
from collections.abc import Iterable

import msgpack
import pytest

from quadrille.rules.core import ToDraw
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, keys
from tests.documents import block

Vector = dict[str, str]


def vectors() -> list[Vector]:
    """Each position of the document with what stands at the head of its block."""
    told = []
    for group in block("positions").split("\n\n"):
        head: Vector = {}
        for line in group.splitlines():
            name, value = line.split(" ", 1)
            if name in ("after", "owing"):
                told.append({**head, "what": name, "moves": value})
            elif name in ("game", "options", "seats", "seed"):
                head[name] = value
            else:
                told[-1][name] = value
    return told


def words(vector: Vector) -> list[str]:
    return [] if vector["moves"] == "start" else vector["moves"].split("; ")


def play(match: Match, moves: Iterable[str]) -> None:
    for text in moves:
        if text.endswith(" resigned"):
            match.leave(int(text[1:].split(" ")[0]) - 1)
        else:
            match.play(text)


@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: f"{vector['game']} {vector['moves'][-20:]}")
def test_the_vectors_of_the_document(vector: Vector) -> None:
    options, moves, seats = json.loads(vector["options"]), words(vector), int(vector["seats"])
    match = Match(game(vector["game"]), options, seats, deal=Deal(json.loads(vector["seed"])))
    owing = moves.pop() if vector["what"] == "owing" else None
    play(match, moves)
    state = match.state
    if owing is not None:
        state = state.play(match.game.parse(owing, state))
        assert isinstance(state.pending, ToDraw)
    position, told = json.loads(vector["position"]), bytes.fromhex(vector["packed"])
    assert position == json.loads(json.dumps(state.view(None).plain()))
    all_options = sorted([name, value] for name, value in state.options.plain().items())
    assert told == msgpack.packb([vector["game"], 1, all_options, seats, [*state.board.left], position])
    assert hashlib.blake2b(told, digest_size=32).hexdigest() == vector["digest"] == state.digest().hex()


def test_each_game_has_its_first_position_one_on_its_way_and_its_last() -> None:
    for key in keys():
        own = [vector for vector in vectors() if vector["game"] == key]
        assert own[0]["moves"] == "start"
        assert sum(vector["moves"] != "start" for vector in own) >= 2
        last = next(v for v in reversed(own) if v["moves"] != "start" and v["what"] == "after")
        match = Match(game(key), json.loads(last["options"]), int(last["seats"]), deal=Deal(json.loads(last["seed"])))
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
