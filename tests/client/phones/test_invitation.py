"""The invitation: its strength, its way to the guests' program, and that it is never told by accident."""

import os

import pytest

from quadrille.client.presence.invitation import PhoneInvitation, hand_over, read_invitation
from quadrille.net.core.errors import LocalError


def test_a_secret_has_80_bits_and_no_letter_that_looks_like_another() -> None:
    made = [PhoneInvitation.new(4080) for _ in range(300)]
    assert len({one.secret for one in made}) == len({one.code for one in made}) == 300
    assert all(len(one.secret) == 16 for one in made)
    letters = set("".join(one.secret for one in made))
    assert len(letters) == 32 and not letters & set("01lo")  # 5 bits each


def test_the_link_has_the_secret_in_its_fragment_alone() -> None:
    mine = PhoneInvitation(4080, "k7m29xqd4tzrw8bh", "bcdf-2345")
    assert mine.address("192.168.1.5") == "http://192.168.1.5:4080/"
    assert mine.link("192.168.1.5") == "http://192.168.1.5:4080/#k7m2-9xqd-4tzr-w8bh"
    assert "k7m2" not in repr(mine) and "bcdf" not in repr(mine)


def test_it_goes_through_a_pipe_and_takes_nothing_of_what_follows() -> None:
    reads, writes = os.pipe()
    mine = PhoneInvitation.new(4081)
    with open(writes, "wb") as pipe:
        hand_over(mine, pipe)
        pipe.write(b'{"answer": 1, "yes": true}\n')
    assert read_invitation(reads) == mine
    assert os.read(reads, 99) == b'{"answer": 1, "yes": true}\n'
    os.close(reads)


@pytest.mark.parametrize(
    "line",
    [
        b"", b"\xff", b"[]", b"x" * 999, b"null",
        b'{"port": 0, "secret": "k7m29xqd4tzrw8bh", "code": "bcdf-2345"}',
        b'{"port": 4080, "secret": "k7m29xqd4tzrw8b", "code": "bcdf-2345"}',
        b'{"port": 4080, "secret": "k7m29xqd4tzrw8bl", "code": "bcdf-2345"}',
        b'{"port": 4080, "secret": "k7m29xqd4tzrw8bh", "code": "bcdf2345"}',
        b'{"port": 4080, "secret": "k7m29xqd4tzrw8bh", "code": "abcd-2345"}',
    ],
)  # fmt: skip
def test_no_other_line_is_one(line: bytes) -> None:
    reads, writes = os.pipe()
    os.write(writes, line + b"\n")
    os.close(writes)
    with pytest.raises(LocalError, match="no invitation"):
        read_invitation(reads)
    os.close(reads)
