"""Messages, shapes and envelopes: what opens, and that anything else is a named refusal."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.net.core.errors import PeerError
from quadrille.net.core.shapes import MOST_BYTES, pack, unpack
from quadrille.net.entries import entry as entry_module
from quadrille.net.entries import wire
from quadrille.net.entries.bodies import MoveBody
from quadrille.net.entries.entry import NOBODY, Entry, read_entry
from quadrille.net.entries.motions import StandInMotion
from quadrille.net.entries.terms import Chair, TimeControl
from quadrille.net.entries.wire import STATES, TYPES, VERSION, Entries, Head, Message, opened, sealed
from quadrille.net.tables.table import Table
from tests.net.by_hand import CrashShelf
from tests.net.tables import TABLE, begun, calls, identity, mover, terms

AGREED = terms("maze", clock=TimeControl(300_000, 10_000))
OFFER = wire.Offer(TABLE, identity(1).key, AGREED, (Chair(identity(1).key, "Zoë", "person"),), STATES[0], 17)
HASH, SIGNATURE = b"h" * 32, b"s" * 64
MOTION = StandInMotion(7, identity(9).key, "whatever")
#: What identity 1 wrote itself: it is sent without an envelope.
OWN = Entry(TABLE, 3, HASH, identity(1).key, MoveBody("e4"), 17, HASH).signed(identity(1))
MESSAGES: tuple[Message, ...] = (
    wire.Ask(TABLE, "seat", "bob", "bot"),
    wire.Answer(TABLE, False, "all seats are taken"),
    wire.Invite(TABLE, AGREED),
    wire.Propose(TABLE, 1, AGREED, (Chair(identity(1).key, "a", "bot"),)),
    wire.Accept(TABLE, 1, HASH, HASH, SIGNATURE),
    wire.Reveal(TABLE, 1, HASH, ((HASH, SIGNATURE),), SIGNATURE),
    Entries(TABLE, (OWN, OWN)),
    Head(TABLE, 3, HASH),
    wire.Want(TABLE, 0),
    wire.Motion(TABLE, HASH, MOTION, 1, SIGNATURE),
    wire.Decline(TABLE, HASH, MOTION),
    wire.Resign(TABLE, 0, SIGNATURE, b""),
    wire.Chat(TABLE, 0, "good luck"),
    wire.Gone(TABLE),
    wire.Book(TABLE, ((0, 1, HASH),)),
    wire.Engage(TABLE, AGREED, True),
    wire.Engaged(TABLE, "crash", "ended with exit code 1", 300),
    wire.Words(TABLE, 300, 17, b"data"),
    wire.Vouch(TABLE, HASH, HASH, identity(1).key, SIGNATURE),
)


BARE = Entries(TABLE, (OWN,))


@pytest.mark.parametrize("message", [*MESSAGES, BARE], ids=lambda message: type(message).__name__)
def test_a_message_opens_as_it_was_sealed(message: Message) -> None:
    assert opened(sealed(message, identity(1))) == (identity(1).key, message)


def test_every_kind_of_message_is_here() -> None:
    assert [type(message) for message in MESSAGES] == list(TYPES.values())


def test_one_s_own_entry_is_its_own_proof_and_anything_else_is_in_an_envelope() -> None:
    said: list[tuple[Message, int, int]] = [
        (BARE, 1, 3),
        (BARE, 2, 4),  # handed on
        (Entries(TABLE, (OWN, OWN)), 1, 4),
        (Entries(TABLE, ()), 1, 4),
        (Head(TABLE, 3, HASH), 1, 4),
    ]
    for message, sender, parts in said:
        data = sealed(message, identity(sender))
        assert len(unpack(data)) == parts
        assert opened(data) == (identity(sender).key, message)


@pytest.mark.parametrize(
    ("number", "values"),
    [
        (9, (TABLE, 3)),
        (7, (TABLE, ())),
        (7, (TABLE, (OWN.data, OWN.data))),
        (7, (b"another one here", (OWN.data,))),
        (7, (TABLE, (Entry(TABLE, 3, HASH, NOBODY, MoveBody("e4"), 0, HASH).data,))),
        (7, (TABLE, (OWN.data[:-1],))),
        (7, (TABLE, (replace(OWN, author=identity(2).key).data,))),
        (7, (TABLE, (replace(OWN, used=18).data,))),
        (7, (TABLE, OWN.data)),
        (250, ()),
    ],
)
def test_what_is_refused_without_an_envelope(number: int, values: object) -> None:
    """Else anybody could say something in another's name, or make a stranger check more than one signature."""
    assert opened(pack((VERSION, 7, (TABLE, (OWN.data,)))))[0] == identity(1).key
    with pytest.raises(PeerError):
        opened(pack((VERSION, number, values)))


@pytest.mark.parametrize("message", [*MESSAGES, BARE], ids=lambda message: type(message).__name__)
def test_any_bit_changed_is_refused(message: Message) -> None:
    data = sealed(message, identity(1))
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1 << place % 8
        with pytest.raises(PeerError):
            opened(bytes(changed))


#: What has no place in a message; and msgpack that is broken, needlessly long, or too long to be looked at.
STRANGE = (float("nan"), 1.5, {}, [1, [2, {"a": 1}]], msgpack.ExtType(1, b""), [[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]])
BROKEN = (b"", b"\xc1", b"\xdc\xff\xff", b"\xdf\xff\xff\xff\xff", b"\x91", b"\x01\x02", b"\xcd\x00\x01", b"\xd9\x01a")


@pytest.mark.parametrize("data", [*map(msgpack.packb, STRANGE), *BROKEN, bytes(MOST_BYTES + 1)])
def test_what_is_no_value_of_a_message_is_refused(data: bytes) -> None:
    with pytest.raises(PeerError, match="at most 65536" if len(data) > MOST_BYTES else None):
        unpack(data)


def test_another_version_is_named() -> None:
    with pytest.raises(PeerError, match=f"speaks version 9 of the table protocol; we speak {VERSION}"):
        opened(pack((9, "whatever")))


def attempted(read: Callable[[bytes], Any], data: bytes) -> tuple[Any, str]:
    """What was read, or why it was refused; anything but a PeerError is a failure."""
    try:
        return read(data), ""
    except PeerError as error:
        return None, str(error)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_message_or_a_named_refusal(data: bytes) -> None:
    for read in (opened, read_entry, unpack):
        _, why = attempted(read, data)
        assert why or pack(unpack(data)) == data


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.binary(max_size=70) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=6).map(tuple),
    max_leaves=30,
)


@given(PLAIN, st.integers(0, 20))
def test_any_values_well_signed_are_a_message_or_a_named_refusal(value: object, number: int) -> None:
    try:
        bodies = [pack((number, value)), pack(value)]
    except (UnicodeEncodeError, ValueError):
        return
    own = identity(1)
    signed = [pack((VERSION, own.key, body, own.sign(b"quadrille/message/3" + body))) for body in bodies]
    for data in (*signed, pack((VERSION, number, value))):
        found, why = attempted(opened, data)
        assert why or isinstance(found[1], Message)
        assert "is not signed" not in why


@given(st.integers(0, 8), PLAIN)
def test_any_field_of_an_entry_replaced_is_refused_by_name(place: int, value: object) -> None:
    log = begun(terms(options={"width": 3, "height": 3}))
    entry = log.write(MoveBody("a1"), mover(log))
    core = list(unpack(entry.core))
    core[place % len(core)] = value
    try:
        data = pack((pack(tuple(core)), entry.signature))
    except (UnicodeEncodeError, ValueError):
        return
    taken, why = attempted(lambda data: log.take(read_entry(data)), data)
    assert why or not taken or core == list(unpack(entry.core))


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_field_of_another_shape_is_refused_by_the_name_of_its_message(message: Message) -> None:
    """A flag is no number either, although Python takes it for one."""
    values = message.plain()
    for place, value in enumerate(values):
        wrong = (3, True, None, -1, 2**60, "\n", b"", (b"",), (None,))
        for other in [one for one in wrong if type(one) is not type(value) or one in (-1, 2**60, "\n")]:
            changed = (*values[:place], other, *values[place + 1 :])
            with pytest.raises(PeerError, match=f"{type(message).__name__} should be"):
                type(message).read(changed)
    for changed in (values[:-1], (*values, None)):
        with pytest.raises(PeerError):
            type(message).read(changed)


def test_an_entry_is_read_and_verified_once_on_its_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the bytes of a message without an envelope into the log of a table."""
    ours, theirs = begun(terms()), begun(terms())
    author = mover(theirs)
    data = sealed(Entries(TABLE, (theirs.write(MoveBody("a1"), author),)), author)
    other = next(identity(number) for number in (1, 2) if identity(number).key != author.key)
    table = Table(ours, other, CrashShelf(other.key), 0)
    verified, read = calls(monkeypatch, entry_module, "verified"), calls(monkeypatch, MoveBody, "read")
    key, message = opened(data)
    table.receive(key, message, 0)
    assert len(ours.entries) == 2 and len(verified) == len(read) == 1
