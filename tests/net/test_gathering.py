"""A table that gathers: every field of the table in net/seating/gathering.py, with a message that could do something.

And its joint seed: a chair that reveals anything but what it has committed to, for this chair, round and game, is
refused by every other chair, and no log begins with it (docs/protocols/gathering.md).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.core.hashing import committed
from quadrille.net.core.machine import drain
from quadrille.net.entries import wire
from quadrille.net.entries.bodies import BeginBody
from quadrille.net.entries.entry import Entry, acceptance, proposal_hash, revelation
from quadrille.net.entries.faults import Fault
from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import ChatLine
from quadrille.net.seating.gathering import (
    AGAIN,
    AGREEING,
    BEGUN,
    CLOSED,
    FORGIVEN,
    LAGS,
    MOST_PATIENCE,
    OPEN,
    PATIENCE,
    TABLE,
    ChairGranted,
    ChairRefused,
    Gathering,
    GatheringReaction,
    GatheringStage,
    InLine,
    Occasion,
    OfferChanged,
    TurnedDown,
)
from quadrille.net.seating.joint_seed import Pair
from quadrille.net.trust.identity import Identity
from tests.net.cards.by_hand import ELSEWHERE, long_game
from tests.net.tables import TABLE as NAME
from tests.net.tables import beginning, identity, terms

TERMS = terms("maze", 2, {"size": 3})
HOST, GUEST, INVITED = identity(1), identity(2), identity(3)
ANNS, BOBS = Chair(HOST.key, "Ann", "person"), Chair(GUEST.key, "Bob", "person")
ASK: Final = wire.Ask(NAME, "seat", "Bob", "person")


def meeting(
    agreed: Terms, *, sits: bool = True, lags: Callable[[bytes], int] = lambda _: 0
) -> tuple[Gathering, Gathering]:
    """Ann's table, and Bob, who has heard of it."""
    host, guest = (
        Gathering(NAME, HOST.key, agreed, own, 0, name=name, lags=lags) for own, name in ((HOST, "Ann"), (GUEST, "Bob"))
    )
    if sits:
        host.sit(ANNS)
    return host, guest


def pair(stage: GatheringStage) -> tuple[Gathering, Gathering]:
    """A host and a guest with a chair, one of them at that stage; what was said on the way is not heard any more."""
    host, guest = meeting(TERMS)
    host.invite(INVITED.key)
    guest.ask("Bob", "person")
    guest.went(HOST.key, 0)
    host.receive(GUEST.key, ASK, 0)
    if "open" not in stage.value:
        host.start(0)
        [propose] = [message for _, message in host.outgoing if isinstance(message, wire.Propose)]
        guest.receive(HOST.key, propose, 0)
    if stage is GatheringStage.DONE:
        exchange(host, guest)
    for one in (host, guest):
        one.outgoing.clear()
        one.events.clear()
    return host, guest


def exchange(*two: Gathering) -> None:
    """Both hear all that the other says, until nobody says more."""
    while any(one.outgoing for one in two):
        for one, other in (two, two[::-1]):
            for key, message in drain(one.outgoing):
                if key == other.identity.key:
                    other.receive(one.identity.key, message, 0)


def sample(what: object, at: Gathering, other: Gathering) -> tuple[bytes, wire.Message]:
    """A message of that kind, which is new and true at most stages; and its author."""
    if what is wire.Answer and at.hosts:
        return INVITED.key, wire.Answer(NAME, False, "no time")
    if what is wire.Entries:
        begun, _ = pair(GatheringStage.DONE)
        return other.identity.key, wire.Entries(NAME, (begun.begun,))
    known = other._round
    turn = known.turn if known else 1
    own = known.accepted[other.identity.key] if known else None
    accepted = own or (bytes(32), bytes(64))
    share, row = bytes(32), tuple[Pair, ...]()
    if what is wire.Reveal and known is not None and at._round is not None:  # both have committed, and it knows that
        both = {**at._round.accepted, **known.accepted}
        share, row = known.share, tuple(both[key] for key in known.keys)
    told = revelation(NAME, turn, known.hash if known else bytes(32), tuple(pair[0] for pair in row), share)
    messages: dict[object, wire.Message] = {
        wire.Ask: ASK,
        wire.Gone: wire.Gone(NAME),
        wire.Chat: wire.Chat(NAME, 0, "hello"),
        wire.Answer: wire.Answer(NAME, False, "no"),
        wire.Propose: wire.Propose(NAME, turn + 1, TERMS, (ANNS, BOBS)),
        wire.Accept: wire.Accept(NAME, turn, known.hash if known else bytes(32), *accepted),
        wire.Reveal: wire.Reveal(NAME, turn, share, row, other.identity.sign(told)),
    }
    return other.identity.key, messages[what]


def seen(one: Gathering) -> tuple[object, ...]:
    state = one.phase, one.chairs[:], one._round, one.begun, one._missed
    return *state, one.outgoing[:], one.events[:]


@pytest.mark.parametrize("stage", GatheringStage, ids=lambda stage: stage.value)
@pytest.mark.parametrize("what", TABLE, ids=lambda what: what.value if isinstance(what, Occasion) else what.__name__)
def test_each_field(what: object, stage: GatheringStage) -> None:
    host, guest = pair(stage)
    at, other = (host, guest) if "guest" not in stage.value else (guest, host)
    reaction = TABLE[what][stage]  # type: ignore[index]
    before = seen(at)
    if what is Occasion.LATE:
        at.wake(2 * PATIENCE)
    elif what is Occasion.LOST:
        at.went(other.identity.key, 1)
    elif what is Occasion.BACK:
        at.came(other.identity.key)
    else:
        at.receive(*sample(what, at, other), 1)
    phase, _, known, begun, missed, said, events = after = seen(at)
    match reaction:
        case GatheringReaction.DROP:
            assert after == before
        case GatheringReaction.SEAT:
            assert said == [(GUEST.key, wire.Answer(NAME, True, ""))]
        case GatheringReaction.RESTART:  # this chair had not committed here: it keeps its chair, and the round goes on
            assert said == [(GUEST.key, wire.Answer(NAME, True, ""))] and known == before[2]
        case GatheringReaction.VACATE:
            assert [chair.key for chair in at.chairs] == [HOST.key] and events == [OfferChanged()]
        case GatheringReaction.NOTE:
            assert events == [TurnedDown(INVITED.key, "no time")]
        case GatheringReaction.OBEY | GatheringReaction.CLOSE:
            assert phase is CLOSED and events == [ChairRefused("no" if what is wire.Answer else "the host is gone")]
        case GatheringReaction.JOIN:
            assert known is not None and known != before[2]
        case GatheringReaction.COUNT:
            assert known != before[2]
        case GatheringReaction.HEAR:
            assert events == [ChatLine(other.identity.key, "hello")]
            at.receive(*sample(what, at, other), 2)
            assert at.events == events
        case GatheringReaction.BEGIN:
            assert begun is not None
        case GatheringReaction.MISS:
            assert missed == 1
        case GatheringReaction.ASK:
            assert said == [(HOST.key, ASK)] and missed is None
        case GatheringReaction.REOPEN:
            assert phase is OPEN and [chair.key for chair in at.chairs] == [HOST.key]


def test_only_the_host_is_obeyed() -> None:
    for stage in (GatheringStage.GUEST_OPEN, GatheringStage.GUEST_AGREEING):
        _, guest = pair(stage)
        before = seen(guest)
        for message in (wire.Answer(NAME, False, "no"), wire.Propose(NAME, 9, TERMS, ())):
            guest.receive(INVITED.key, message, 1)
        guest.went(INVITED.key, 1)
        guest.came(INVITED.key)
        assert seen(guest) == before


FOUR = terms("barons", 4, {"width": 4, "height": 4})


@pytest.mark.parametrize(
    ("proposed", "takes_part"),
    [
        (FOUR, True),
        (replace(FOUR, seats=2), True),
        (replace(FOUR, seats=5), False),
        (replace(FOUR, seats=2, lot=not FOUR.lot), False),
        (replace(FOUR, seats=2, options=()), False),
    ],
    ids=["the same", "fewer seats", "more seats", "fewer seats and another lot", "fewer seats and other options"],
)
def test_a_chair_takes_part_in_a_proposal_that_differs_by_fewer_seats_alone(proposed: Terms, takes_part: bool) -> None:
    _, guest = meeting(FOUR)
    guest.ask("Bob", "person")
    others = [Chair(identity(number).key, "somebody", "bot") for number in range(3, proposed.seats + 1)]
    guest.receive(HOST.key, wire.Propose(NAME, 1, proposed, (ANNS, BOBS, *others)), 0)
    assert (guest.phase is not CLOSED) == takes_part
    assert any(isinstance(message, wire.Accept) for _, message in guest.outgoing) == takes_part


def test_every_row_is_a_message_or_an_occasion_and_every_deed_is_done() -> None:
    assert {reaction for row in TABLE.values() for reaction in row.values()} == set(GatheringReaction)
    assert {what for what in TABLE if isinstance(what, Occasion)} == set(Occasion)


# Peers that bring others


def talk(*two: Gathering) -> list[object]:
    """What the second one heard of the host, once nobody says more."""
    exchange(*two)
    return [event for event in drain(two[1].events) if isinstance(event, ChairGranted | ChairRefused | InLine)]


def names(gathering: Gathering) -> list[str]:
    return [f"{chair.name} at {chair.at}" if chair.at else chair.name for chair in gathering.chairs]


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({}, "of the 4 seats asked for 3 can be had"),
        ({"seats": 5, "held": 3}, "one peer may hold 3 seats here, and no more"),
    ],
)
def test_who_asks_for_more_than_there_is_keeps_what_it_has(more: dict[str, int], why: str) -> None:
    host, guest = meeting(replace(FOUR, **more))
    guest.ask("Bob", "person", (("Cid", "guest"), ("Dora", "guest")))
    talk(host, guest)
    guest.add("Emil", "guest")
    with pytest.raises(LocalError, match="has not answered the last question yet"):
        guest.add("Fay", "guest")
    assert talk(host, guest) == [ChairGranted(why)]
    for number in range(host.terms.seats - 4):
        host.add(f"guest {number}", "guest")
    host.start(0)
    talk(host, guest)
    assert host.begun and host.begun == guest.begun


@pytest.mark.parametrize("closes", [False, True])
def test_who_waits_in_line_gets_a_chair_that_is_free_or_hears_that_the_table_is_closed(closes: bool) -> None:
    host, guest = meeting(terms("barons", 2, {}))
    host.sit(Chair(INVITED.key, "Cid", "person"))
    guest.ask("Bob", "person")
    assert talk(host, guest) == [InLine("number 1 in line")] and guest.in_line and guest.phase is OPEN
    if closes:
        host.leave()
    else:
        host.receive(INVITED.key, wire.Gone(NAME), 0)
        host.receive(
            INVITED.key, wire.Ask(NAME, "seat", "Cid", "person"), 0
        )  # who asks first now was not first in line
        assert host.outgoing.pop() == (INVITED.key, wire.Answer(NAME, True, "number 1 in line"))
    assert talk(host, guest) == [ChairRefused("the host closed the table") if closes else ChairGranted()]
    assert closes or names(host) == ["Ann", "Bob"]


def test_nobody_waits_in_line_for_more_seats_than_the_host_can_ever_free() -> None:
    host, guest = meeting(replace(FOUR, seats=2))
    guest.ask("Bob", "person", (("Cid", "guest"),))
    assert talk(host, guest) == [ChairRefused("of the 2 seats asked for 1 can be had")]


@pytest.mark.parametrize("name", ["Bob", "Cid"])
def test_two_at_one_program_have_different_names(name: str) -> None:
    host, guest = meeting(FOUR)
    guest.ask("Bob", "person", (("Cid", "guest"), (name, "guest")))
    assert talk(host, guest) == [ChairRefused("two seats of one peer have one name")]
    host.add("Ann's mother", "guest", comes=True)
    with pytest.raises(LocalError, match="two seats of one peer have one name"):
        host.add("Ann", "guest")
    with pytest.raises(LocalError, match="two seats of one peer have one name"):
        host.came_to("Ann's mother", "Ann")
    host.came_to("Ann's mother", name)
    assert names(host) == ["Ann", f"{name} at Ann"] and not host.expected


def test_a_table_waits_for_a_guest_who_is_expected_and_begins_without_its_host() -> None:
    host, guest = meeting(replace(FOUR, seats=2), sits=False)
    host.add("somebody", "guest", comes=True)
    guest.ask("Bob", "person")
    talk(host, guest)
    host.start(0)
    assert host.phase is OPEN
    host.came_to("somebody", "Dora")
    host.start(0)
    talk(host, guest)
    assert host.begun and [chair.at for chair in host.begun.body.chairs] == ["Ann", ""]


BROUGHT = (BOBS, Chair(GUEST.key, "Cid", "guest", "Bob"))
OTHERS = "other seats for this program than it had asked for"


@pytest.mark.parametrize(
    ("proposed", "why"),
    [
        ((ANNS, *BROUGHT), None),
        ((*BROUGHT[::-1], ANNS), None),
        ((ANNS, BOBS), OTHERS),
        ((ANNS, BROUGHT[1]), OTHERS),
        ((*BROUGHT, Chair(GUEST.key, "Eve", "guest", "Bob")), OTHERS),
        ((ANNS, BOBS, replace(BROUGHT[1], kind="bot")), OTHERS),
        ((ANNS, BOBS, replace(BROUGHT[1], at="Ann")), OTHERS),
        ((*BROUGHT, ANNS, ANNS), "seats that can't be: two seats of one peer have one name"),
        ((*BROUGHT, ANNS, replace(ANNS, name="Eve", at="Bob")), "seats that can't be: the seat of a guest"),
        (
            (*BROUGHT, *(replace(ANNS, name=f"{n}", at="Ann") for n in range(3))),
            "seats that can't be: one peer may hold 2",
        ),
    ],
)
def test_a_host_that_proposes_other_seats_than_asked_for_is_left(proposed: tuple[Chair, ...], why: str | None) -> None:
    """Also one that sits in more seats than the terms allow: its guests waited without a word."""
    agreed = replace(FOUR, seats=5, held=2)
    _, guest = meeting(agreed)
    guest.ask("Bob", "person", (("Cid", "guest"),))
    guest.receive(HOST.key, wire.Propose(NAME, 1, replace(agreed, seats=len(proposed)), proposed), 0)
    assert (guest.phase is CLOSED) is bool(why)
    if why:
        assert [why in event.why for event in guest.events if isinstance(event, ChairRefused)] == [True]


@pytest.mark.parametrize("accepts_first", [False, True])
def test_a_question_that_crosses_the_proposal_changes_nothing(accepts_first: bool) -> None:
    """The host proposes as its guest asks for one more."""
    host, guest = meeting(replace(FOUR, seats=3))
    guest.ask("Bob", "person", (("Cid", "guest"),))
    talk(host, guest)
    guest.remove("Cid")
    host.start(0)
    if accepts_first:  # the guest's question is heard after its answer to the proposal, as over another link
        [proposal] = [message for _, message in host.outgoing if isinstance(message, wire.Propose)]
        guest.receive(HOST.key, proposal, 0)
        guest.outgoing.append(guest.outgoing.pop(0))
    talk(host, guest)
    if accepts_first:
        assert host.phase is OPEN and names(host) == ["Ann", "Bob"], "it has begun anew"
    else:
        assert host.begun and host.begun == guest.begun and len(host.begun.body.chairs) == 3


def test_a_peer_that_asks_for_all_seats_of_the_alphabet() -> None:
    host, guest = meeting(FOUR)
    guest.ask("Bob", "person", tuple((f"guest {number}", "guest") for number in range(25)))
    [(_, ask)] = guest.outgoing
    assert wire.opened(wire.sealed(ask, GUEST)) == (GUEST.key, ask)
    assert talk(host, guest) == [ChairRefused("of the 26 seats asked for 3 can be had")] and names(host) == ["Ann"]


def test_a_bot_that_comes_to_the_chair_that_is_kept_for_it_is_told_of() -> None:
    """Also where it comes by the very name under which the chair is kept."""
    host, _ = meeting(TERMS)
    host.keep(Chair(GUEST.key, "Vic", "bot"))
    host.events.clear()
    host.receive(GUEST.key, wire.Ask(NAME, "seat", "Vic", "bot"), 0)
    assert host.events == [OfferChanged()] and not host.coming


# Patience that follows what is measured


def waits(lag: int) -> int:
    """How long a host waits for a guest that says nothing, whose link has this lag."""
    host, _ = meeting(TERMS, lags=lambda key: lag if key == GUEST.key else 0)
    host.sit(BOBS)
    host.start(0)
    while len(host.chairs) == 2:
        now = host.deadline
        host.wake(now)
    return now


def test_a_host_waits_longer_for_a_chair_with_a_slow_link() -> None:
    assert waits(4) == PATIENCE and waits(PATIENCE // LAGS) == PATIENCE
    assert waits(3000) == LAGS * 3000 and waits(60_000) == MOST_PATIENCE


def test_a_guest_waits_longer_for_a_host_with_a_slow_link_though_that_is_gone() -> None:
    lags = {HOST.key: 2500}
    _, guest = meeting(TERMS, lags=lambda key: lags.get(key, 0))
    guest.ask("Bob", "person")
    guest.went(HOST.key, 1000)
    lags.clear()
    assert guest.deadline == 1000 + LAGS * 2500
    guest.wake(guest.deadline)
    assert guest.events == [ChairRefused("the host is gone")]


# The joint seed

DEALT: Final = long_game(3)
CHEAT: Final = identity(3)
EVES: Final = Chair(CHEAT.key, "Eve", "bot")
SECRET: Final = b"\x03" * 32
OTHER: Final = b"\x04" * 32
#: What the third chair commits to, when it reveals SECRET.
COMMITMENTS: Final[dict[str, Callable[[int], bytes]]] = {
    "another value": lambda turn: committed(NAME, turn, CHEAT.key, OTHER),
    "another key": lambda turn: committed(NAME, turn, GUEST.key, SECRET),
    "another round": lambda turn: committed(NAME, turn + 1, CHEAT.key, SECRET),
    "another game": lambda turn: committed(ELSEWHERE, turn, CHEAT.key, SECRET),
}


#: And what it honestly commits to.
RIGHT: Final = committed(NAME, 1, CHEAT.key, SECRET)


def started() -> tuple[Gathering, Gathering]:
    """A host that has asked three chairs to agree, and a guest that has not heard of it."""
    host, guest = meeting(DEALT)
    host.sit(BOBS)
    host.sit(EVES)
    guest.ask("Bob", "person")
    guest.outgoing.clear()
    host.start(0)
    return host, guest


class Room:
    """Two honest chairs that are asked to agree, and what the third may say."""

    def __init__(self) -> None:
        self.host, self.guest = self.honest = started()
        [propose] = {message for _, message in self.host.outgoing if isinstance(message, wire.Propose)}
        self.proposal = propose
        self.hash = proposal_hash(propose.terms, propose.chairs)
        self.guest.receive(HOST.key, propose, 0)
        exchange(*self.honest)

    def hears(self, message: wire.Message) -> None:
        for gathering in self.honest:
            gathering.receive(CHEAT.key, message, 0)

    def refuses(self, message: wire.Message, why: str) -> None:
        """Each of them, and neither has anything that it had not before."""
        for gathering in self.honest:
            was = (gathering.phase, gathering._round, list(gathering.outgoing))
            with pytest.raises(PeerError, match=why):
                gathering.receive(CHEAT.key, message, 0)
            assert (gathering.phase, gathering._round, list(gathering.outgoing)) == was

    def accept(self, commitment: bytes, chair: Identity = CHEAT, *, table: bytes = NAME, turn: int = 1) -> wire.Accept:
        """That chair's acceptance, which it may have signed for something else."""
        signature = chair.sign(acceptance(table, turn, self.hash, commitment))
        return wire.Accept(NAME, 1, self.hash, commitment, signature)

    def reveal(self, secret: bytes) -> wire.Reveal:
        """The third chair's secret, signed with the commitments that have come to the host."""
        row = self.host._round.row
        said = revelation(NAME, 1, self.hash, tuple(commitment for commitment, _ in row), secret)
        return wire.Reveal(NAME, 1, secret, row, CHEAT.sign(said))


def agreed() -> Room:
    """The third chair has committed to SECRET, and all know that."""
    room = Room()
    room.hears(room.accept(RIGHT))
    exchange(*room.honest)
    return room


@pytest.mark.parametrize("name", COMMITMENTS)
def test_a_secret_that_its_author_did_not_sign_or_commit_to_is_refused(name: str) -> None:
    room = Room()
    room.hears(room.accept(COMMITMENTS[name](1)))
    room.refuses(replace(room.reveal(SECRET), signature=bytes(64)), "a secret that is not its author's")
    room.refuses(room.reveal(SECRET), "revealed something else")
    exchange(*room.honest)
    assert [gathering.phase for gathering in room.honest] == [AGREEING, AGREEING]


def test_a_secret_that_comes_again_does_not_keep_a_stalled_round_alive() -> None:
    room = agreed()
    was = room.host._round
    room.guest.wake(AGAIN)
    for key, message in room.guest.outgoing:
        if key == HOST.key:
            room.host.receive(GUEST.key, message, AGAIN)
    assert was is not None and GUEST.key in was.revealed and room.host._round == was


@pytest.mark.parametrize("heard", [0, 2])
def test_a_secret_without_the_commitments_of_all_is_refused(heard: int) -> None:
    room = Room()
    known = room.host._round
    row = tuple(known.accepted[key] for key in known.keys[:heard])
    said = revelation(NAME, 1, room.hash, tuple(commitment for commitment, _ in row), SECRET)
    room.refuses(wire.Reveal(NAME, 1, SECRET, row, CHEAT.sign(said)), "other commitments")
    assert not any(isinstance(message, wire.Reveal) for gathering in room.honest for _, message in gathering.outgoing)


def test_a_copied_commitment_does_not_put_the_honest_chair_out() -> None:
    """It is bound to the key of its author: the copy can't be opened, and the author is not taken for the copier."""
    room = Room()
    known = room.guest._round
    copied = room.accept(known.accepted[GUEST.key][0])
    early, _ = started()
    early.receive(CHEAT.key, copied, 0)
    early.receive(GUEST.key, wire.Accept(NAME, 1, room.hash, *known.accepted[GUEST.key]), 0)
    assert early._round is not None and early._round.row
    room.hears(copied)
    exchange(*room.honest)
    with pytest.raises(PeerError, match="revealed something else"):
        room.host.receive(CHEAT.key, room.reveal(known.share), 0)


@pytest.mark.parametrize("other", [{"table": ELSEWHERE}, {"turn": 2}])
def test_an_acceptance_of_another_game_or_round_is_refused(other: dict[str, Any]) -> None:
    room = Room()
    room.refuses(room.accept(RIGHT, **other), "an acceptance that is not its author's")


def first(commitment: bytes) -> Entry:
    """An entry 0 in which the third chair has committed to that, and reveals SECRET."""
    body = beginning(DEALT)
    turn, proposal = body.turn, proposal_hash(body.terms, body.chairs)
    row, drawn = (*body.commitments[:2], commitment), (*body.secrets[:2], SECRET)
    signature = CHEAT.sign(acceptance(NAME, turn, proposal, commitment))
    told = tuple(
        identity(place + 1).sign(revelation(NAME, turn, proposal, row, own)) for place, own in enumerate(drawn)
    )
    signed = (*body.signatures[:2], signature)
    changed = replace(body, commitments=row, signatures=signed, secrets=drawn, revelations=told)
    return replace(Log(NAME).write(body, None), body=changed)


@pytest.mark.parametrize("name", COMMITMENTS)
def test_no_log_begins_with_it(name: str) -> None:
    log = Log(NAME)
    with pytest.raises(Fault, match="peer 3 did not reveal what it had committed to") as caught:
        log.take(first(COMMITMENTS[name](1)))
    assert caught.value.culprit == CHEAT.key
    assert log.entries == []
    assert log.take(first(RIGHT))


def test_no_chair_commits_anew_once_it_knows_the_secrets() -> None:
    """The last chair hears all secrets, commits to another secret, signs that, and sends its own entry 0."""
    room = agreed()
    known = room.host._round
    revealed = [known.revealed[identity(number).key] for number in (1, 2)]
    forged = committed(NAME, 1, CHEAT.key, OTHER)
    row = (*known.row[:2], (forged, CHEAT.sign(acceptance(NAME, 1, room.hash, forged))))
    secrets = (*(pair[0] for pair in revealed), OTHER)
    told = CHEAT.sign(revelation(NAME, 1, room.hash, tuple(pair[0] for pair in row), OTHER))
    proofs = (*(pair[1] for pair in revealed), told)
    body = BeginBody(DEALT, known.chairs, 1, tuple(p[0] for p in row), tuple(p[1] for p in row), secrets, proofs)
    draft = Log(NAME).write(beginning(DEALT), None)
    for gathering in room.honest:
        with pytest.raises(PeerError):
            gathering.receive(CHEAT.key, wire.Entries(NAME, (replace(draft, body=body),)), 0)
        assert gathering.phase == AGREEING


def test_a_chair_that_commits_twice_is_found_and_sent_away() -> None:
    """It tells the host and the guest different commitments: neither begins, and both see whose fault that is."""
    room = Room()
    room.host.receive(CHEAT.key, room.accept(RIGHT), 0)
    room.guest.receive(CHEAT.key, room.accept(committed(NAME, 1, CHEAT.key, OTHER)), 0)
    exchange(*room.honest)
    assert room.host.phase == OPEN and room.guest.phase == AGREEING
    assert CHEAT.key in room.host.kicked
    assert [chair.key for chair in room.host.chairs] == [HOST.key, GUEST.key]


def test_a_second_commitment_ends_the_round_and_is_not_refused() -> None:
    """The host takes the chair away, and a guest leaves a host that signs two."""
    room = Room()
    room.hears(room.accept(RIGHT))
    room.host.receive(CHEAT.key, room.accept(committed(NAME, 1, CHEAT.key, OTHER)), 0)
    room.guest.receive(HOST.key, room.accept(committed(NAME, 1, HOST.key, OTHER), HOST), 0)
    assert room.host.kicked == {CHEAT.key} and [each.phase for each in room.honest] == [OPEN, CLOSED]


def test_a_chair_that_keeps_its_secret_back_draws_again_once_and_not_twice() -> None:
    """Its program may have been killed just then. A second time it is sent away, and guests do not go on with it."""
    room = agreed()
    room.host.wake(PATIENCE)
    assert room.host.phase == OPEN and room.host.kicked == set()
    assert room.host.events[-1] == OfferChanged((CHEAT.key,)), "the host's person is told"
    room.host.sit(EVES)
    room.host.start(PATIENCE)
    exchange(*room.honest)
    known = room.host._round
    assert known is not None and known.turn == 2 and room.guest.phase == AGREEING
    room.hears(replace(room.accept(committed(NAME, 2, CHEAT.key, SECRET), turn=2), turn=2))
    exchange(*room.honest)
    guest = room.guest
    guest.receive(HOST.key, wire.Propose(NAME, 3, room.proposal.terms, room.proposal.chairs), PATIENCE)
    assert guest.phase == CLOSED and [event.why for event in guest.events if isinstance(event, ChairRefused)]
    room.host.wake(3 * PATIENCE)
    assert room.host.phase == OPEN and room.host.kicked == {CHEAT.key}
    assert CHEAT.key not in [chair.key for chair in room.host.chairs]


def test_a_chair_that_asks_again_does_not_make_another_keep_its_secret_back() -> None:
    """It asks before the guest's secret can be there; then the guest's program is killed once, which is forgiven."""
    room = Room()
    room.host.receive(CHEAT.key, room.accept(RIGHT), 0)
    room.host.receive(CHEAT.key, wire.Ask(NAME, "seat", "Eve", "bot"), 0)
    assert room.host.phase == OPEN and not room.host.kicked
    assert room.host.events[-1] == OfferChanged((CHEAT.key,))
    room.host.start(0)
    exchange(*room.honest)
    room.host.receive(CHEAT.key, replace(room.accept(committed(NAME, 2, CHEAT.key, SECRET), turn=2), turn=2), 0)
    room.host.wake(PATIENCE)
    assert room.host.phase == OPEN and room.host.kicked == {CHEAT.key}


def test_a_commitment_that_is_kept_from_one_chair_comes_to_it_with_the_secrets_of_others() -> None:
    """That chair could not tell its secret, and the host took it for one that keeps it back."""
    room = Room()
    room.host.receive(CHEAT.key, room.accept(RIGHT), 0)
    room.host.receive(CHEAT.key, room.reveal(SECRET), 0)
    exchange(*room.honest)
    assert room.host.phase == BEGUN and GUEST.key in room.guest._round.revealed


def test_a_host_that_keeps_its_secret_back_twice_draws_alone() -> None:
    room = Room()
    guest = room.guest
    for turn in (1, 2):
        assert guest._round is not None and guest._round.turn == turn
        for chair in (CHEAT, HOST)[:turn]:
            said = room.accept(committed(NAME, turn, chair.key, SECRET), chair, turn=turn)
            guest.receive(chair.key, replace(said, turn=turn), 0)
        guest.receive(HOST.key, wire.Propose(NAME, turn + 1, room.proposal.terms, room.proposal.chairs), 0)
        assert guest.phase == (AGREEING if turn == 1 else CLOSED)


def test_a_host_that_has_one_chair_after_another_keep_its_secret_back_draws_alone() -> None:
    """Each has a key of its own, and would be forgiven once."""
    room, terms = Room(), DEALT
    for turn in range(2, 10):
        third = Chair(identity(20 + turn).key, "another", "bot")
        chairs = (*room.proposal.chairs[:2], third)
        room.guest.receive(HOST.key, wire.Propose(NAME, turn, terms, chairs), 0)
        if room.guest.phase == CLOSED:
            break
        room.hash = proposal_hash(terms, chairs)
        for chair in (identity(20 + turn), HOST):
            said = room.accept(committed(NAME, turn, chair.key, SECRET), chair, turn=turn)
            room.guest.receive(chair.key, replace(said, turn=turn), 0)
        known = room.guest._round
        told = HOST.sign(revelation(NAME, turn, known.hash, known.commitments, SECRET))
        room.guest.receive(HOST.key, wire.Reveal(NAME, turn, SECRET, known.row, told), 0)
        assert known.withheld() and room.guest._round.withheld() == {third.key}
    assert room.guest.phase == CLOSED and turn == FORGIVEN + 3, "the host would choose the seed"


def test_no_secret_is_drawn_twice() -> None:
    """A host that lets a round die and has the guest again in the same turn knows nothing of its next secret."""
    assert len({Room().guest._round.share for _ in range(3)}) == 3


def test_the_last_beginning_that_this_chair_revealed_for_is_the_one() -> None:
    """Another round's entry 0, which the others can complete as well, is not taken then."""
    room = agreed()
    other = Log(NAME).write(beginning(DEALT), None)
    last = replace(other, body=replace(other.body, commitments=room.guest._round.commitments))
    for turn in (1, 2):  # and in a later round in which it has told nothing yet
        room.guest.receive(HOST.key, wire.Propose(NAME, turn, room.proposal.terms, room.proposal.chairs), 0)
        assert room.guest._round.turn == turn and room.guest.stands(last) and not room.guest.stands(other)
    assert meeting(DEALT)[1].stands(other)
