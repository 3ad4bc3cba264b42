"""The tables and vectors of docs/protocols/ that tell of peers, compared with the code's, and the transcripts.

tests/net/transcripts.py makes those.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, fields
from enum import Enum
from itertools import chain
from typing import Any, get_args

import pytest

from quadrille.net.core import shapes as shapes_module
from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import joint
from quadrille.net.core.shapes import LAYOUTS, pack, unpack
from quadrille.net.entries import entry, wire
from quadrille.net.entries.bodies import BODIES, MoveBody
from quadrille.net.entries.entry import Entry, proposal_hash, resignation, statement, vouching
from quadrille.net.entries.motions import MOTIONS, StandInMotion
from quadrille.net.entries.terms import MOST_ENTRIES
from quadrille.net.entries.wire import MOST_ROWS, TYPES, Entries, Want, Words, opened, sealed
from quadrille.net.game_log.archive import MOST_CHARACTERS
from quadrille.net.game_log.log import Log
from quadrille.net.neighbours import neighbour
from quadrille.net.neighbours.neighbour import NeighbourLimits
from quadrille.net.private_room import door, pake, room
from quadrille.net.private_room.guesses import GUESS_EVERY, GUESSES
from quadrille.net.program.station_news import SPEAKS
from quadrille.net.seating import gathering
from quadrille.net.tables.table import MOST_BYTES, OTHERS_RATE, RECEIVES, SEAT_RATE
from quadrille.net.trust.identity import Identity, fingerprint, owner_of
from quadrille.net.trust.names import looks
from quadrille.net.trust.proof import Prover, SenderClaim
from quadrille.net.zeromq import zre
from quadrille.net.zeromq.zre import MOST_FRAME_BYTES, Beacon, decode_beacon
from tests.documents import block, chapter, section, table, values
from tests.net.tables import beginning, identity, terms
from tests.net.test_zre import HELLO_BYTES, PING_OK_BYTES
from tests.net.transcripts import BLOCKS, connection

TEXT = chapter("discovery") + chapter("links")


def discovery(heading: str) -> list[list[str]]:
    """The rows of the table in those chapters whose heading begins so, the heading among them."""
    return table(TEXT, heading)


def printed(table: Mapping[Any, Mapping[Any, Enum]], names: Mapping[Any, str], corner: str = "") -> list[list[str]]:
    """A table of transitions as the chapters show it."""
    head = [corner, *(column.value for column in next(iter(table.values())))]
    return [head, *([names[row], *(reaction.value for reaction in deeds.values())] for row, deeds in table.items())]


COMMANDS = {zre.Hello: "HELLO", zre.Whisper: "WHISPER", zre.Ping: "PING", zre.PingOk: "PING-OK"}


def test_states() -> None:
    assert discovery("| away") == printed(neighbour.TABLE, {**COMMANDS, zre.Unused: "any other"})


def test_commands() -> None:
    told = {int(command): name for command, name, *_ in discovery("command")[1:]}
    assert told == {number: COMMANDS[kind] for number, kind in zre.TYPES.items()}
    assert {*zre.TYPES.values()} == {*get_args(zre.Command)}, "a command without a number, or two with one"


def test_limits() -> None:
    told = [zip(names.split(", "), map(int, are.split(", ")), strict=True) for names, are, _ in discovery("limit")[1:]]
    assert dict(chain.from_iterable(told)) == asdict(NeighbourLimits())
    for number in (zre.MOST_GROUPS, zre.MOST_HEADER_BYTES, zre.MOST_FRAME_BYTES, zre.MOST_CONTENT_FRAMES):
        assert re.search(rf"\b{number}\b", TEXT)


def test_vectors() -> None:
    """Those of messages are made by hand in tests/net/test_zre.py."""
    beacon, keyed = Beacon(bytes(range(16)), 49152), Beacon(bytes(range(16)), 5671, bytes(range(100, 132)))
    assert {name: bytes.fromhex(data) for name, data in values("zre").items()} == {
        "beacon": beacon.encode(), "beacon-with-key": keyed.encode(), "hello": HELLO_BYTES, "ping-ok": PING_OK_BYTES,
    }  # fmt: skip
    assert [decode_beacon(one.encode()) for one in (beacon, keyed)] == [beacon, keyed]


def test_a_proof_of_a_link() -> None:
    told = {name: bytes.fromhex(data) for name, data in values("link").items()}
    prover, verifier = Identity(bytes([1]) * 32), Identity(bytes([2]) * 32)
    assert (told["prover"], told["verifier"]) == (prover.key, verifier.key)
    proof = Prover(prover).proof(told["prover-nonce"], SenderClaim(verifier.key, told["verifier-nonce"]))
    assert proof == told["proof"]
    assert Prover(verifier).is_right(proof, SenderClaim(prover.key, told["prover-nonce"]), told["verifier-nonce"])


def test_a_peer_written_from_the_chapters_says_that_it_speaks_this_protocol() -> None:
    assert re.findall(r"`X-SPEAKS` is .*, now (\d+) \(none: 1\)", chapter("identity")) == [f"{SPEAKS}"]


def rows(title: str, heading: str) -> list[list[str]]:
    """The rows of the first table under a title whose heading begins so, without its heading."""
    return table(section(title), heading)[1:]


def test_messages_with_their_numbers_and_fields() -> None:
    told = [(int(number), name, re.split(", ", listed)) for number, name, listed, *_ in rows("Messages", "number")]
    assert told == [(number, kind.__name__, [field.name for field in fields(kind)]) for number, kind in TYPES.items()]
    assert {*TYPES.values()} == {*get_args(wire.Message)}, "a message without a number, or two with one"


def test_the_table_of_a_gathering_is_that_of_the_code() -> None:
    """tests/net/test_gathering.py tries every field of it."""
    names = {what: what.value if isinstance(what, gathering.Occasion) else what.__name__ for what in gathering.TABLE}
    head, *told = printed(gathering.TABLE, names)
    assert rows("Gathering", " | ".join(head).strip()) == told
    part = section("Gathering")
    assert all(f"*{reaction.value}*" in part for reaction in gathering.GatheringReaction)


def test_what_a_table_does_with_a_message_in_each_phase() -> None:
    assert rows("Play", "| waiting") == printed(RECEIVES, {kind: kind.__name__ for kind in RECEIVES})[1:]
    said = r"(\d+) MiB of the log a\s+second \((\d+) MiB at once\); one without a seat (\d+) KiB \((\d+) KiB\)"
    rates = [f"{size >> 20}" for size in SEAT_RATE] + [f"{size >> 10}" for size in OTHERS_RATE]
    assert re.findall(said, chapter("play")) == [tuple(rates)]


def test_the_kinds_of_entries_and_motions() -> None:
    assert [kind for kind, *_ in rows("The log", "kind")] == list(BODIES)
    told = [kind for kinds, *_ in rows("Motions", "motion | number") for kind in kinds.split(", ")]
    assert told == list(MOTIONS)


def test_identity_vectors() -> None:
    vector = values("identity")
    one = Identity(bytes.fromhex(vector["secret"]))
    curve = one.curve()
    told = one.key.hex(), one.peer.hex(), fingerprint(one.key)
    assert told == (vector["key"], vector["peer"], vector["fingerprint"])
    assert (curve.public.hex(), curve.secret.hex()) == (vector["curve"], vector["curve-secret"])
    assert one.sign(b"quadrille").hex() == vector["signature-of-quadrille"]
    assert one.secret("seed", b"table", b"").hex() == vector["secret-seed-table-empty"]
    assert owner_of(bytes.fromhex(vector["peer"]), bytes.fromhex(vector["curve"])) == one.key


def test_message_vectors() -> None:
    vector = {name: bytes.fromhex(value) for name, value in values("message").items()}
    one, two, table = Identity(vector["secret"]), Identity(bytes([2]) * 32), bytes(range(16))
    written = Entry(table, 3, b"\x11" * 32, one.key, MoveBody("e4"), 17, b"\x22" * 32).signed(one)
    said = Entries(table, (written,))
    assert vector["entry"] == written.data
    for name, author, message in (("want", one, Want(table, 3)), ("own-entry", one, said), ("handed-on", two, said)):
        assert vector[name] == sealed(message, author)
        assert opened(vector[name]) == (author.key, message)


def test_gathering_vectors() -> None:
    """Two chairs that begin a game of Maze, as tests/net/tables.py has them begin."""
    table, one = bytes(range(16)), identity(1)
    body = beginning(terms("maze", 2, {"size": 3}, lot=False), table)
    chairs = tuple(chair.plain() for chair in body.chairs)
    first, motion = Log(table).write(body, None), StandInMotion(1, identity(3).key, "Cleo")
    assert values("gathering") == {
        "terms": pack(body.terms.plain()).hex(),
        "chairs": pack(chairs).hex(),
        "proposal": proposal_hash(body.terms, body.chairs).hex(),
        "commitments": " ".join(each.hex() for each in body.commitments),
        "accept": body.signatures[0].hex(),
        "reveal": body.revelations[0].hex(),
        "seed": joint(table, body.turn, body.secrets).hex(),
        "digest": first.digest.hex(),
        "entry-0": first.hash.hex(),
    }
    before, entry = first.hash, bytes([0x22]) * 32
    assert values("decided") == {
        "motion": one.sign(statement(table, before, motion)).hex(),
        "vouch": one.sign(vouching(table, before, entry)).hex(),
        "resign": one.sign(resignation(table, 0, b"")).hex(),
    }


def test_the_skeletons_of_names() -> None:
    for line in block("names").splitlines():
        name, *skeletons = line.split()
        assert sorted(looks(name.encode().decode("unicode_escape"))) == skeletons


def test_room_vectors() -> None:
    vector = values("room")
    key = room.room_key(vector["name"], vector["passphrase"])
    assert (str(room.port(vector["name"])), key.hex()) == (vector["port"], vector["key"])
    one, other = (
        room.LinkEnd(*(bytes.fromhex(vector[name]) for name in (who, f"{who}-peer", f"{who}-nonce")))
        for who in ("one", "other")
    )
    channel, session = bytes.fromhex(vector["channel"]), bytes.fromhex(vector["session"])
    assert pake.generator(key, channel, session).hex() == vector["generator"]
    runs = [
        room.run_between(key, one, other, lambda length: bytes([5]) * length),
        room.run_between(key, other, one, lambda length: bytes([6]) * length),
    ]
    assert [run.sent.share.hex() for run in runs] == [vector["one-share"], vector["other-share"]]
    assert runs[0].hears(runs[1].sent) and runs[1].hears(runs[0].sent)
    assert [run.tag.hex() for run in runs] == [vector["one-confirmation"], vector["other-confirmation"]]
    scalar = pake.scalar(lambda length: bytes([5]) * length)
    assert pake.session_key(scalar, session, runs[0].sent, runs[1].sent) == bytes.fromhex(vector["run-key"])


def test_the_limits_on_guesses_are_those_of_the_code() -> None:
    rooms = " ".join(chapter("rooms").split())
    assert f"A budget holds {GUESSES} guesses and gains one each {GUESS_EVERY // 1000} seconds" in rooms
    hour, day = (GUESSES + hours * 3_600_000 // GUESS_EVERY for hours in (1, 24))
    assert f"{hour} in the first hour and {day} in the first day" in rooms


def test_the_door_s_table_is_that_of_the_code() -> None:
    """tests/net/test_room.py tries every field of it."""
    assert rows("Rooms", "state") == printed(door.TABLE, {state: state.value for state in door.DoorState})[1:]


def shapes() -> list[str]:
    return [f"{name}: {layout}" for name, layout in LAYOUTS.items()]


def test_every_limit_of_what_comes_from_outside_is_written_down() -> None:
    """Where this fails after a change of a shape, the line that it shows belongs in the document."""
    told = [f"{name}: {shape}" for _, name, _, shape, _ in rows("Messages", "number")]
    told += [f"body of {kind}: {shape}" for kind, _, shape, _ in rows("The log", "kind")]
    assert sorted([*told, *block("shapes").splitlines()]) == sorted(shapes())


def test_the_limits_of_bytes_are_those_of_the_code() -> None:
    told = {name: int(is_) for name, is_, _ in rows("Shapes", "limit")}
    assert told == {
        "frame": MOST_FRAME_BYTES,
        "packed": shapes_module.MOST_BYTES,
        "text": shapes_module._LIMITS["max_str_len"],
        "array": shapes_module._LIMITS["max_array_len"],
        "depth": 16,
        "table": MOST_BYTES,
        "archive": MOST_CHARACTERS,
        "rows": MOST_ROWS,
        "entries": MOST_ENTRIES,
    }


def test_lists_are_sixteen_deep_at_most() -> None:
    def nested(depth: int) -> bytes:
        return b"\x91" * (depth - 1) + b"\x90"

    unpack(nested(16))
    with pytest.raises(PeerError, match="more than 16 deep"):
        unpack(nested(17))


def test_a_body_and_a_core_of_the_largest_size_are_taken_and_no_byte_more() -> None:
    envelope, one = wire._ENVELOPE.fits, bytes(32)
    assert [envelope((1, one, bytes(length), bytes(64))) for length in (63_000, 63_001)] == [True, False]
    assert [entry._SIGNED.fits((bytes(length), bytes(64))) for length in (60_000, 60_001)] == [True, False]
    assert [Words.SHAPE.fits((bytes(16), 0, 0, bytes(length))) for length in (60_000, 60_001)] == [True, False]


def shown(language: str) -> list[str]:
    """The lines of a block without those that explain."""
    return [line for line in block(language).splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("language", BLOCKS)
def test_a_transcript_is_what_the_code_says(language: str) -> None:
    assert shown(language) == BLOCKS[language]().splitlines(), "wanted? python -m tests.net.transcripts prints it"


def test_the_bytes_of_a_connection_are_those_of_the_code() -> None:
    """Octets stand before the first two blanks of a line; `>` is the end that calls."""
    told = {sign: bytearray() for sign in "><"}
    for line in shown("octets"):
        told[line[0]] += bytes.fromhex(line[2:].split("  ")[0])
    assert (told[">"], told["<"]) == connection()


def test_the_envelope_byte_by_byte_is_that_of_the_vectors() -> None:
    told = "".join(line.strip().split("  ")[0] for line in shown("envelope"))
    assert told == values("message")["want"]


if __name__ == "__main__":  # the lines as the document has them
    print("\n".join(shapes()))
