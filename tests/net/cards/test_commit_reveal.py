"""The joint seed of a table: a chair that reveals anything but what it has committed to, for this chair, round and
game, is refused by every other chair, and no log begins with it (protocols.md, "Gathering").
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from quadrille.net.entry import NOBODY, Entry, acceptance, proposal_hash
from quadrille.net.errors import PeerError
from quadrille.net.faults import Fault
from quadrille.net.gathering import AGREEING, BEGUN, Gathering
from quadrille.net.hashing import committed
from quadrille.net.log import Log
from quadrille.net.terms import Chair
from quadrille.net.wire import Accept, Message, Propose, Reveal
from tests.net.cards.by_hand import ELSEWHERE, long_game
from tests.net.tables import TABLE, beginning, identity

TERMS: Final = long_game(3)
CHEAT: Final = identity(3)
SECRET: Final = b"\x03" * 32
OTHER: Final = b"\x04" * 32
#: What the third chair commits to, when it reveals SECRET.
COMMITMENTS: Final[dict[str, Callable[[int], bytes]]] = {
    "another value": lambda turn: committed(TABLE, turn, 2, OTHER),
    "another seat": lambda turn: committed(TABLE, turn, 1, SECRET),
    "another round": lambda turn: committed(TABLE, turn + 1, 2, SECRET),
    "another game": lambda turn: committed(ELSEWHERE, turn, 2, SECRET),
}


class Room:
    """Two honest chairs that are asked to agree, and what the third may say."""

    def __init__(self) -> None:
        host, guest = identity(1), identity(2)
        self.host = Gathering(TABLE, host.key, TERMS, host, 0)
        self.guest = Gathering(TABLE, host.key, TERMS, guest, 0)
        for number in (1, 2, 3):
            self.host.sit(Chair(identity(number).key, f"name {number}", "bot"))
        self.host.start(0)
        [propose] = {message for _, message in self.host.outgoing if isinstance(message, Propose)}
        self.proposal = propose
        self.hash = proposal_hash(propose.terms, propose.chairs)
        self.guest.receive(host.key, propose, 0)
        self.exchange()

    @property
    def honest(self) -> tuple[Gathering, Gathering]:
        return self.host, self.guest

    def exchange(self) -> None:
        """The two tell each other all they have to say."""
        for one, other in (self.honest, self.honest[::-1]):
            for key, message in one.outgoing:
                if key == other.identity.key:
                    other.receive(one.identity.key, message, 0)
        for one in self.honest:
            one.outgoing.clear()

    def hears(self, message: Message) -> None:
        for gathering in self.honest:
            gathering.receive(CHEAT.key, message, 0)

    def refuses(self, message: Message, why: str) -> None:
        """Each of them, and neither has anything that it had not before."""
        for gathering in self.honest:
            was = (gathering.phase, gathering._round, list(gathering.outgoing))
            with pytest.raises(PeerError, match=why):
                gathering.receive(CHEAT.key, message, 0)
            assert (gathering.phase, gathering._round, list(gathering.outgoing)) == was

    def accept(self, commitment: bytes, *, table: bytes = TABLE, turn: int = 1) -> Accept:
        """The third chair's acceptance, which it may have signed for something else."""
        signature = CHEAT.sign(acceptance(table, turn, self.hash, commitment))
        return Accept(TABLE, 1, self.hash, commitment, signature)


@pytest.mark.parametrize("name", COMMITMENTS)
def test_a_secret_that_was_not_committed_to(name: str) -> None:
    room = Room()
    room.hears(room.accept(COMMITMENTS[name](1)))
    room.refuses(Reveal(TABLE, 1, SECRET), "revealed something else")
    room.exchange()
    assert [gathering.phase for gathering in room.honest] == [AGREEING, AGREEING]


def test_the_right_secret_begins_the_game() -> None:
    """So that nothing but the secret was refused."""
    room = Room()
    room.hears(room.accept(committed(TABLE, 1, 2, SECRET)))
    room.exchange()
    room.hears(Reveal(TABLE, 1, SECRET))
    assert [gathering.phase for gathering in room.honest] == [BEGUN, BEGUN]


def test_a_secret_before_the_last_commitment_is_not_listened_to() -> None:
    room = Room()
    was = [gathering._round for gathering in room.honest]
    room.hears(Reveal(TABLE, 1, SECRET))
    assert [gathering._round for gathering in room.honest] == was
    assert not any(isinstance(message, Reveal) for gathering in room.honest for _, message in gathering.outgoing)


def test_a_copied_commitment_is_refused() -> None:
    room = Room()
    known = room.guest._round
    assert known is not None and known.accepted[1] is not None
    room.refuses(room.accept(known.accepted[1][0]), "two chairs with one commitment")


@pytest.mark.parametrize("other", [{"table": ELSEWHERE}, {"turn": 2}])
def test_an_acceptance_of_another_game_or_round_is_refused(other: dict[str, Any]) -> None:
    room = Room()
    room.refuses(room.accept(committed(TABLE, 1, 2, SECRET), **other), "an acceptance that is not its author's")


def first(commitment: bytes) -> Entry:
    """An entry 0 in which the third chair has committed to that, and reveals SECRET."""
    log = Log(TABLE)
    entry = log.write("begin", beginning(TERMS), None)
    plain, chairs, turn, commitments, signatures, secrets = entry.body
    signature = CHEAT.sign(acceptance(TABLE, turn, proposal_hash(plain, chairs), commitment))
    body = (plain, chairs, turn, (*commitments[:2], commitment), (*signatures[:2], signature), (*secrets[:2], SECRET))
    return replace(entry, body=body)


@pytest.mark.parametrize("name", COMMITMENTS)
def test_no_log_begins_with_it(name: str) -> None:
    log = Log(TABLE)
    with pytest.raises(Fault, match="chair 3 did not reveal what it had committed to") as caught:
        log.take(first(COMMITMENTS[name](1)))
    assert caught.value.culprit == CHEAT.key
    assert log.entries == []
    assert log.take(first(committed(TABLE, 1, 2, SECRET)))


def test_no_log_begins_with_a_copied_commitment() -> None:
    with pytest.raises(Fault, match="one commitment") as caught:
        Log(TABLE).take(first(committed(TABLE, 1, 1, b"\x02" * 32)))
    assert caught.value.culprit == NOBODY
