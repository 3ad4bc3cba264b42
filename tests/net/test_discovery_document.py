"""The chapters "Discovery" and "Links" of the protocols, compared with the code: states, commands, limits, vectors."""

import re
from dataclasses import asdict
from typing import get_args

from quadrille.net.neighbours import neighbour
from quadrille.net.neighbours.neighbour import NeighbourLimits
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.proof import Prover, SenderClaim
from quadrille.net.zeromq import zre
from quadrille.net.zeromq.zre import Beacon, Hello, PingOk, decode, decode_beacon, encode
from tests.documents import chapter, table, values

TEXT = chapter("discovery") + chapter("links")


def rows(heading: str) -> list[list[str]]:
    """The rows of the table whose heading begins so, the heading among them."""
    return table(TEXT, heading)


def test_states() -> None:
    assert rows("| away") == neighbour.rows()


def test_commands() -> None:
    told = {int(command): name for command, name, *_ in rows("command")[1:]}
    assert told == {number: neighbour.COMMANDS[kind] for number, kind in zre.TYPES.items()}
    assert {*zre.TYPES.values()} == {*get_args(zre.Command)}, "a command without a number, or two with one"


def test_limits() -> None:
    assert {name: int(value) for name, value, _ in rows("limit")[1:]} == asdict(NeighbourLimits())
    for number in (zre.MOST_GROUPS, zre.MOST_HEADER_BYTES, zre.MOST_FRAME_BYTES, zre.MOST_CONTENT_FRAMES):
        assert re.search(rf"\b{number}\b", TEXT)


VECTORS = {
    "beacon": Beacon(bytes(range(16)), 49152),
    "beacon-with-key": Beacon(bytes(range(16)), 5671, bytes(range(100, 132))),
    "hello": Hello(1, "tcp://10.0.0.1:49152", ("A", "é"), 2, "Zoë", (("K", "v"), ("X-GAME", ""))),
    "ping-ok": PingOk(5),
}


def test_vectors() -> None:
    told = {name: bytes.fromhex(data) for name, data in values("zre").items()}
    assert told.keys() == VECTORS.keys()
    for name, value in VECTORS.items():
        if isinstance(value, Beacon):
            assert value.encode() == told[name] and decode_beacon(told[name]) == value
        else:
            assert encode(value) == [told[name]] and decode([told[name]]) == value


def test_a_proof_of_a_link() -> None:
    told = {name: bytes.fromhex(data) for name, data in values("link").items()}
    prover, verifier = Identity(bytes([1]) * 32), Identity(bytes([2]) * 32)
    assert (told["prover"], told["verifier"]) == (prover.key, verifier.key)
    proof = Prover(prover).proof(told["prover-nonce"], SenderClaim(verifier.key, told["verifier-nonce"]))
    assert proof == told["proof"]
    assert Prover(verifier).is_right(proof, SenderClaim(prover.key, told["prover-nonce"]), told["verifier-nonce"])
