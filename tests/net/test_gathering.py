"""A table that gathers: every field of the table in net/seating/gathering.py, with a message that could do
something.
"""

from dataclasses import replace

import pytest

from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.entries.wire import Accept, Answer, Ask, Chat, Entries, Gone, Message, Propose, Reveal
from quadrille.net.game_log.news import ChatLine
from quadrille.net.seating.gathering import (
    CLOSED,
    OPEN,
    PATIENCE,
    TABLE,
    Gathering,
    GatheringDeed,
    GatheringStage,
    Occasion,
    OfferChanged,
    TurnedDown,
)
from tests.net.tables import TABLE as NAME
from tests.net.tables import identity, terms

TERMS = terms("maze", 2, {"size": 3})
HOST, GUEST, INVITED = identity(1), identity(2), identity(3)


def pair(stage: GatheringStage) -> tuple[Gathering, Gathering]:
    """A host and a guest with a chair, one of them at that stage; what was said on the way is not heard any more."""
    host = Gathering(NAME, HOST.key, TERMS, HOST, 0)
    guest = Gathering(NAME, HOST.key, TERMS, GUEST, 0)
    host.sit(Chair(HOST.key, "host", "bot"))
    host.invite(INVITED.key)
    guest.ask("guest", "bot")
    guest.went(HOST.key, 0)
    host.receive(GUEST.key, Ask(NAME, "seat", "guest", "bot"), 0)
    if "open" not in stage.value:
        host.start(0)
        [propose] = [message for _, message in host.outgoing if isinstance(message, Propose)]
        guest.receive(HOST.key, propose, 0)
    if stage is GatheringStage.DONE:
        exchange(host, guest)
    for one in (host, guest):
        one.outgoing.clear()
        one.events.clear()
    return host, guest


def exchange(*two: Gathering) -> None:
    """Both hear all that the other says, until the table has begun."""
    while not all(one.begun for one in two):
        for one, other in (two, two[::-1]):
            said, one.outgoing[:] = one.outgoing[:], []
            for key, message in said:
                if key == other.identity.key:
                    other.receive(one.identity.key, message, 0)


def sample(what: object, at: Gathering, other: Gathering) -> tuple[bytes, Message]:
    """A message of that kind, which is new and true at most stages; and its author."""
    if what is Answer and at.hosts:
        return INVITED.key, Answer(NAME, False, "no time")
    if what is Entries:
        begun, _ = pair(GatheringStage.DONE)
        assert begun.begun is not None
        return other.identity.key, Entries(NAME, (begun.begun,))
    known = other._round
    turn = known.turn if known else 1
    own = known.accepted[other.identity.key] if known else None
    accepted = own or (bytes(32), bytes(64))
    messages: dict[object, Message] = {
        Ask: Ask(NAME, "seat", "guest", "bot"),
        Gone: Gone(NAME),
        Chat: Chat(NAME, 0, "hello"),
        Answer: Answer(NAME, False, "no"),
        Propose: Propose(NAME, turn + 1, TERMS, tuple(chairs())),
        Accept: Accept(NAME, turn, known.hash if known else bytes(32), *accepted),
        Reveal: Reveal(NAME, turn, bytes(32), (), bytes(64)),
    }
    return other.identity.key, messages[what]


def chairs() -> tuple[Chair, ...]:
    return (Chair(HOST.key, "host", "bot"), Chair(GUEST.key, "guest", "bot"))


def seen(one: Gathering) -> tuple[object, ...]:
    state = one.phase, one.chairs[:], one._round, dict(one._early), one.begun, one._missed
    return *state, one.outgoing[:], one.events[:]


@pytest.mark.parametrize("stage", GatheringStage, ids=lambda stage: stage.value)
@pytest.mark.parametrize("what", TABLE, ids=lambda what: what.value if isinstance(what, Occasion) else what.__name__)
def test_each_field(what: object, stage: GatheringStage) -> None:
    host, guest = pair(stage)
    at, other = (host, guest) if "guest" not in stage.value else (guest, host)
    deed = TABLE[what][stage]  # type: ignore[index]
    before = seen(at)
    if what is Occasion.LATE:
        at.wake(2 * PATIENCE)
    elif what is Occasion.LOST:
        at.went(other.identity.key, 1)
    elif what is Occasion.BACK:
        at.came(other.identity.key)
    else:
        at.receive(*sample(what, at, other), 1)
    phase, _, known, early, begun, missed, said, events = after = seen(at)
    match deed:
        case GatheringDeed.DROP:
            assert after == before
        case GatheringDeed.SEAT:
            assert said == [(GUEST.key, Answer(NAME, True, ""))]
        case GatheringDeed.RESTART:  # this chair had not committed here: it keeps its chair, and the round goes on
            assert said == [(GUEST.key, Answer(NAME, True, ""))] and known == before[2]
        case GatheringDeed.VACATE:
            assert [chair.key for chair in at.chairs] == [HOST.key] and events == [OfferChanged()]
        case GatheringDeed.NOTE:
            assert events == [TurnedDown(INVITED.key, "no time")]
        case GatheringDeed.OBEY | GatheringDeed.CLOSE:
            assert phase is CLOSED
        case GatheringDeed.JOIN:
            assert known is not None and known != before[2]
        case GatheringDeed.COUNT:
            assert known != before[2] or early != before[3]
        case GatheringDeed.HEAR:
            assert events == [ChatLine(other.identity.key, "hello")]
            at.receive(*sample(what, at, other), 2)
            assert at.events == events
        case GatheringDeed.BEGIN:
            assert begun is not None
        case GatheringDeed.MISS:
            assert missed == 1
        case GatheringDeed.ASK:
            assert said == [(HOST.key, Ask(NAME, "seat", "guest", "bot"))] and missed is None
        case GatheringDeed.REOPEN:
            assert phase is OPEN and [chair.key for chair in at.chairs] == [HOST.key]


def test_only_the_host_is_obeyed() -> None:
    for stage in (GatheringStage.GUEST_OPEN, GatheringStage.GUEST_AGREEING):
        _, guest = pair(stage)
        before = seen(guest)
        for message in (Answer(NAME, False, "no"), Propose(NAME, 9, TERMS, ())):
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
    guest = Gathering(NAME, HOST.key, FOUR, GUEST, 0)
    guest.ask("guest", "bot")
    others = [Chair(identity(number).key, "somebody", "bot") for number in range(3, proposed.seats + 1)]
    guest.receive(HOST.key, Propose(NAME, 1, proposed, (*chairs(), *others)), 0)
    assert (guest.phase is not CLOSED) == takes_part
    assert any(isinstance(message, Accept) for _, message in guest.outgoing) == takes_part


def test_who_missed_the_proposal_takes_the_beginning_of_a_table_with_fewer_seats() -> None:
    """A chair that was killed after it had agreed asks again, and finds its own signature in entry 0."""
    two = replace(FOUR, seats=2)
    host, guest = (Gathering(NAME, HOST.key, FOUR, own, 0) for own in (HOST, GUEST))
    for chair in chairs():
        host.sit(chair)
    guest.ask("guest", "bot")
    host.go_on_without()
    host.start(0)
    exchange(host, guest)
    again = Gathering(NAME, HOST.key, FOUR, GUEST, 0)
    assert host.begun is not None
    again.receive(HOST.key, Entries(NAME, (host.begun,)), 0)
    assert again.begun == guest.begun == host.begun
    assert host.terms == two


def test_every_row_is_a_message_or_an_occasion_and_every_deed_is_done() -> None:
    assert {deed for row in TABLE.values() for deed in row.values()} == set(GatheringDeed)
    assert {what for what in TABLE if isinstance(what, Occasion)} == set(Occasion)
