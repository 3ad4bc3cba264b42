"""The joint seed of a table: a chair that reveals anything but what it has committed to, for this chair, round and
game, is refused by every other chair, and no log begins with it (docs/protocols/gathering.md).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import committed
from quadrille.net.entries.bodies import BeginBody
from quadrille.net.entries.entry import NOBODY, Entry, acceptance, proposal_hash, revelation
from quadrille.net.entries.faults import Fault
from quadrille.net.entries.terms import Chair
from quadrille.net.entries.wire import Accept, Entries, Message, Propose, Reveal
from quadrille.net.game_log.log import Log
from quadrille.net.seating.gathering import AGAIN, AGREEING, BEGUN, CLOSED, OPEN, PATIENCE, ChairRefused, Gathering
from quadrille.net.trust.identity import Identity
from tests.net.cards.by_hand import ELSEWHERE, long_game
from tests.net.tables import TABLE, beginning, identity

TERMS: Final = long_game(3)
CHEAT: Final = identity(3)
SECRET: Final = b"\x03" * 32
OTHER: Final = b"\x04" * 32
#: What the third chair commits to, when it reveals SECRET.
COMMITMENTS: Final[dict[str, Callable[[int], bytes]]] = {
    "another value": lambda turn: committed(TABLE, turn, CHEAT.key, OTHER),
    "another key": lambda turn: committed(TABLE, turn, identity(2).key, SECRET),
    "another round": lambda turn: committed(TABLE, turn + 1, CHEAT.key, SECRET),
    "another game": lambda turn: committed(ELSEWHERE, turn, CHEAT.key, SECRET),
}


#: And what it honestly commits to.
RIGHT: Final = committed(TABLE, 1, CHEAT.key, SECRET)


def started() -> Gathering:
    """A host that has asked three chairs to agree."""
    host = Gathering(TABLE, identity(1).key, TERMS, identity(1), 0)
    for number in (1, 2, 3):
        host.sit(Chair(identity(number).key, f"name {number}", "bot"))
    host.start(0)
    return host


class Room:
    """Two honest chairs that are asked to agree, and what the third may say."""

    def __init__(self) -> None:
        self.host = started()
        self.guest = Gathering(TABLE, identity(1).key, TERMS, identity(2), 0)
        self.guest.ask("name 2", "bot")
        self.guest.outgoing.clear()
        [propose] = {message for _, message in self.host.outgoing if isinstance(message, Propose)}
        self.proposal = propose
        self.hash = proposal_hash(propose.terms, propose.chairs)
        self.guest.receive(identity(1).key, propose, 0)
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

    def accept(self, commitment: bytes, chair: Identity = CHEAT, *, table: bytes = TABLE, turn: int = 1) -> Accept:
        """That chair's acceptance, which it may have signed for something else."""
        signature = chair.sign(acceptance(table, turn, self.hash, commitment))
        return Accept(TABLE, 1, self.hash, commitment, signature)

    def reveal(self, secret: bytes, row: tuple[tuple[bytes, bytes], ...] | None = None) -> Reveal:
        """The third chair's secret, signed with the commitments that have come to the host, or with others."""
        known = self.host._round
        pairs = known.row if row is None else row
        said = revelation(TABLE, 1, self.hash, tuple(commitment for commitment, _ in pairs), secret)
        return Reveal(TABLE, 1, secret, pairs, CHEAT.sign(said))


def agreed() -> Room:
    """The third chair has committed to SECRET, and all know that."""
    room = Room()
    room.hears(room.accept(RIGHT))
    room.exchange()
    return room


@pytest.mark.parametrize("name", COMMITMENTS)
def test_a_secret_that_was_not_committed_to(name: str) -> None:
    room = Room()
    room.hears(room.accept(COMMITMENTS[name](1)))
    room.refuses(room.reveal(SECRET), "revealed something else")
    room.exchange()
    assert [gathering.phase for gathering in room.honest] == [AGREEING, AGREEING]


def test_the_right_secret_begins_the_game() -> None:
    """So that nothing but the secret was refused."""
    room = agreed()
    room.hears(room.reveal(SECRET))
    assert [gathering.phase for gathering in room.honest] == [BEGUN, BEGUN]


def test_a_secret_that_its_author_did_not_sign_is_refused() -> None:
    room = Room()
    room.hears(room.accept(RIGHT))
    room.refuses(replace(room.reveal(SECRET), signature=bytes(64)), "a secret that is not its author's")


def test_a_secret_that_comes_again_does_not_keep_a_stalled_round_alive() -> None:
    room = agreed()
    was = room.host._round
    room.guest.wake(AGAIN)
    for key, message in room.guest.outgoing:
        if key == identity(1).key:
            room.host.receive(identity(2).key, message, AGAIN)
    assert was is not None and identity(2).key in was.revealed and room.host._round == was


def test_a_secret_before_the_last_commitment_is_not_listened_to() -> None:
    room = Room()
    was = [gathering._round for gathering in room.honest]
    room.hears(room.reveal(SECRET))
    assert [gathering._round for gathering in room.honest] == was
    assert not any(isinstance(message, Reveal) for gathering in room.honest for _, message in gathering.outgoing)


def test_a_copied_commitment_does_not_put_the_honest_chair_out() -> None:
    """It is bound to the key of its author: the copy can't be opened, and the author is not taken for the copier."""
    room = Room()
    known = room.guest._round
    copied = room.accept(known.accepted[identity(2).key][0])
    early = started()
    early.receive(CHEAT.key, copied, 0)
    early.receive(identity(2).key, Accept(TABLE, 1, room.hash, *known.accepted[identity(2).key]), 0)
    assert early._round is not None and early._round.row
    room.hears(copied)
    room.exchange()
    with pytest.raises(PeerError, match="revealed something else"):
        room.host.receive(CHEAT.key, room.reveal(known.share), 0)


@pytest.mark.parametrize("other", [{"table": ELSEWHERE}, {"turn": 2}])
def test_an_acceptance_of_another_game_or_round_is_refused(other: dict[str, Any]) -> None:
    room = Room()
    room.refuses(room.accept(RIGHT, **other), "an acceptance that is not its author's")


def first(commitment: bytes) -> Entry:
    """An entry 0 in which the third chair has committed to that, and reveals SECRET."""
    body = beginning(TERMS)
    turn, proposal = body.turn, proposal_hash(body.terms, body.chairs)
    row, drawn = (*body.commitments[:2], commitment), (*body.secrets[:2], SECRET)
    signature = CHEAT.sign(acceptance(TABLE, turn, proposal, commitment))
    told = tuple(
        identity(place + 1).sign(revelation(TABLE, turn, proposal, row, own)) for place, own in enumerate(drawn)
    )
    signed = (*body.signatures[:2], signature)
    changed = replace(body, commitments=row, signatures=signed, secrets=drawn, revelations=told)
    return replace(Log(TABLE).write(body, None), body=changed)


@pytest.mark.parametrize("name", COMMITMENTS)
def test_no_log_begins_with_it(name: str) -> None:
    log = Log(TABLE)
    with pytest.raises(Fault, match="peer 3 did not reveal what it had committed to") as caught:
        log.take(first(COMMITMENTS[name](1)))
    assert caught.value.culprit == CHEAT.key
    assert log.entries == []
    assert log.take(first(RIGHT))


def test_a_secret_that_was_changed_in_entry_0_is_nobody_s_fault() -> None:
    """A key is named only for what it has signed."""
    body = beginning(TERMS)
    with pytest.raises(Fault) as caught:
        Log(TABLE).write(replace(body, secrets=(OTHER, *body.secrets[1:])), None)
    assert caught.value.culprit == NOBODY


def test_no_chair_commits_anew_once_it_knows_the_secrets() -> None:
    """The last chair hears all secrets, commits to another secret, signs that, and sends its own entry 0."""
    room = agreed()
    known = room.host._round
    revealed = [known.revealed[identity(number).key] for number in (1, 2)]
    forged = committed(TABLE, 1, CHEAT.key, OTHER)
    row = (*known.row[:2], (forged, CHEAT.sign(acceptance(TABLE, 1, room.hash, forged))))
    secrets = (*(pair[0] for pair in revealed), OTHER)
    told = CHEAT.sign(revelation(TABLE, 1, room.hash, tuple(pair[0] for pair in row), OTHER))
    proofs = (*(pair[1] for pair in revealed), told)
    body = BeginBody(TERMS, known.chairs, 1, tuple(p[0] for p in row), tuple(p[1] for p in row), secrets, proofs)
    draft = Log(TABLE).write(beginning(TERMS), None)
    for gathering in room.honest:
        with pytest.raises(PeerError):
            gathering.receive(CHEAT.key, Entries(TABLE, (replace(draft, body=body),)), 0)
        assert gathering.phase == AGREEING


def test_a_chair_that_commits_twice_is_found_and_sent_away() -> None:
    """It tells the host and the guest different commitments: neither begins, and both see whose fault that is."""
    room = Room()
    room.host.receive(CHEAT.key, room.accept(RIGHT), 0)
    room.guest.receive(CHEAT.key, room.accept(committed(TABLE, 1, CHEAT.key, OTHER)), 0)
    room.exchange()
    assert room.host.phase == OPEN and room.guest.phase == AGREEING
    assert CHEAT.key in room.host.kicked
    assert [chair.key for chair in room.host.chairs] == [identity(1).key, identity(2).key]


def test_a_second_commitment_ends_the_round_and_is_not_refused() -> None:
    """The host takes the chair away, and a guest leaves a host that signs two."""
    room, host = Room(), identity(1)
    room.hears(room.accept(RIGHT))
    room.host.receive(CHEAT.key, room.accept(committed(TABLE, 1, CHEAT.key, OTHER)), 0)
    room.guest.receive(host.key, room.accept(committed(TABLE, 1, host.key, OTHER), host), 0)
    assert room.host.kicked == {CHEAT.key} and [each.phase for each in room.honest] == [OPEN, CLOSED]


def test_a_chair_that_keeps_its_secret_back_draws_again_once_and_not_twice() -> None:
    """Its program may have been killed just then. A second time it is sent away, and guests do not go on with it."""
    room = agreed()
    room.host.wake(PATIENCE)
    assert room.host.phase == OPEN and room.host.kicked == set()
    room.host.sit(Chair(CHEAT.key, "name 3", "bot"))
    room.host.start(PATIENCE)
    room.exchange()
    known = room.host._round
    assert known is not None and known.turn == 2 and room.guest.phase == AGREEING
    room.hears(replace(room.accept(committed(TABLE, 2, CHEAT.key, SECRET), turn=2), turn=2))
    room.exchange()
    guest = room.guest
    guest.receive(identity(1).key, Propose(TABLE, 3, room.proposal.terms, room.proposal.chairs), PATIENCE)
    assert guest.phase == CLOSED and [event.why for event in guest.events if isinstance(event, ChairRefused)]
    room.host.wake(3 * PATIENCE)
    assert room.host.phase == OPEN and room.host.kicked == {CHEAT.key}
    assert CHEAT.key not in [chair.key for chair in room.host.chairs]


def test_a_host_that_keeps_its_secret_back_twice_draws_alone() -> None:
    room = Room()
    guest = room.guest
    for turn in (1, 2):
        assert guest._round is not None and guest._round.turn == turn
        for chair in (CHEAT, identity(1))[:turn]:
            said = room.accept(committed(TABLE, turn, chair.key, SECRET), chair, turn=turn)
            guest.receive(chair.key, replace(said, turn=turn), 0)
        guest.receive(identity(1).key, Propose(TABLE, turn + 1, room.proposal.terms, room.proposal.chairs), 0)
        assert guest.phase == (AGREEING if turn == 1 else CLOSED)


def test_no_secret_is_drawn_twice() -> None:
    """A host that lets a round die and has the guest again in the same turn knows nothing of its next secret."""
    assert len({Room().guest._round.share for _ in range(3)}) == 3


def test_the_last_beginning_that_this_chair_revealed_for_is_the_one() -> None:
    """Another round's entry 0, which the others can complete as well, is not taken then."""
    room = agreed()
    other = Log(TABLE).write(beginning(TERMS), None)
    assert not room.guest.stands(other)
    assert Gathering(TABLE, identity(1).key, TERMS, identity(2), 0).stands(other)
