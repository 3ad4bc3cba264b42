"""Entries that nobody signed as a whole, and what can be made of the signatures in them by who has them."""

from dataclasses import replace

import pytest

from quadrille.net.entries.bodies import MotionBody
from quadrille.net.entries.entry import acceptance, proposal_hash, statement
from quadrille.net.entries.faults import Fault, Fork
from quadrille.net.entries.motions import DropMotion
from quadrille.net.entries.wire import Entries, Head
from quadrille.net.game_log.log import Log
from tests.net.simulation import MemoryShelf
from tests.net.tables import TABLE, culprits, identity
from tests.net.test_log import moved
from tests.net.test_precedence import drop, table_of, three

DROP = DropMotion(0)


def other_signature(number: int, data: bytes) -> bytes:
    """A second signature of an identity under the same bytes, made with another secret nonce: as only a liar does."""
    from nacl import bindings as sodium

    one = identity(number)
    whole = sodium.crypto_sign_seed_keypair(bytes([number]) * 32)[1]
    digest = sodium.crypto_hash_sha512(whole[:32])
    scalar = bytes([digest[0] & 248, *digest[1:31], digest[31] & 63 | 64])
    nonce = sodium.crypto_core_ed25519_scalar_reduce(sodium.crypto_hash_sha512(b"another nonce"))
    point = sodium.crypto_scalarmult_ed25519_base_noclamp(nonce)
    challenge = sodium.crypto_core_ed25519_scalar_reduce(sodium.crypto_hash_sha512(point + one.key + data))
    reduced = sodium.crypto_core_ed25519_scalar_reduce(scalar + bytes(32))
    product = sodium.crypto_core_ed25519_scalar_mul(challenge, reduced)
    return point + sodium.crypto_core_ed25519_scalar_add(nonce, product)


def test_a_false_digest_under_nobody_s_name_is_the_sender_s_fault() -> None:
    log = three()
    false = replace(drop(log, 0, 2, 3), digest=bytes(32))
    with pytest.raises(Fault, match="leads to position") as error:
        log.take(false)
    assert type(error.value) is Fault
    table = table_of(2, log)
    table.receive(identity(3).key, Entries(TABLE, (false,)), 0)
    assert table.stopped is None
    assert culprits(table) == [identity(3).key]


def test_what_nobody_wrote_states_no_time() -> None:
    """Else whoever has the signatures could make another entry of them, with a smaller hash, at any time."""
    log = three()
    with pytest.raises(Fault, match="no time"):
        log.take(replace(drop(log, 0, 2, 3), used=7))
    begin = log.entries[0]
    with pytest.raises(Fault, match="no time"):
        Log(TABLE).take(replace(begin, used=7))


def test_one_decision_signed_twice_otherwise_is_proof_against_who_did() -> None:
    """A smaller hash must not undo what was played since: an honest seat signs the same bytes the same way."""
    log = three()
    first = drop(log, 0, 2, 3)
    log.take(first)
    moved(log, "a1")
    one, (seat, _) = first.body.signatures
    other = other_signature(3, statement(TABLE, first.before, DROP))
    again = replace(first, body=MotionBody(DROP, (one, (seat, other))))
    with pytest.raises(Fork) as error:
        log.take(again)
    assert error.value.culprit == identity(3).key
    assert len(log.entries) == 3
    table = table_of(2, log)
    table.receive(identity(1).key, Entries(TABLE, (again,)), 0)
    assert culprits(table) == [identity(3).key]
    assert len(log.entries) == 3 and table.convictions.due(writes_next=True) is None, "both are nobody's entries"


def test_who_accepts_otherwise_towards_one_than_towards_another_is_proved_to_cheat() -> None:
    """Else each of them would have another entry 0, and they would never keep step."""
    log = three()
    begin = log.entries[0]
    body = begin.body
    proposal = proposal_hash(body.terms, body.chairs)
    said = acceptance(TABLE, body.turn, proposal, body.commitments[2])
    other = (*body.signatures[:2], other_signature(3, said))
    with pytest.raises(Fork) as error:
        log.take(replace(begin, body=replace(body, signatures=other)))
    assert error.value.culprit == identity(3).key


def test_what_is_handed_on_is_on_the_disk_first() -> None:
    """Who has handed on an entry of a seat can not sign later that it never wrote it, not even after a power cut."""
    log, away = three(), three()
    shelf = MemoryShelf(identity(2).key)
    table = table_of(2, log, shelf)
    entry = moved(away, "a1")
    table.receive(identity(1).key, Entries(TABLE, (entry,)), 0)
    table.came(identity(3).key, 0)
    table.receive(identity(3).key, Head(TABLE, 1, log.entries[0].hash), 0)
    assert any(isinstance(message, Entries) for _, message in table.outgoing)
    shelf.lose_power()
    assert shelf.entries(TABLE) == [entry.data]
