"""A table that gathers: every field of the table in net/seating/gathering.py, with a message that could do
something.
"""

from dataclasses import replace

import pytest

from quadrille.net.core.errors import LocalError
from quadrille.net.entries import wire
from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.game_log.news import ChatLine
from quadrille.net.seating.gathering import (
    CLOSED,
    LAGS,
    MOST_PATIENCE,
    OPEN,
    PATIENCE,
    TABLE,
    ChairGranted,
    ChairRefused,
    Gathering,
    GatheringDeed,
    GatheringStage,
    InLine,
    NoMoreChairs,
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
    host.receive(GUEST.key, wire.Ask(NAME, "seat", "guest", "bot"), 0)
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
    """Both hear all that the other says, until the table has begun."""
    while not all(one.begun for one in two):
        for one, other in (two, two[::-1]):
            said, one.outgoing[:] = one.outgoing[:], []
            for key, message in said:
                if key == other.identity.key:
                    other.receive(one.identity.key, message, 0)


def sample(what: object, at: Gathering, other: Gathering) -> tuple[bytes, wire.Message]:
    """A message of that kind, which is new and true at most stages; and its author."""
    if what is wire.Answer and at.hosts:
        return INVITED.key, wire.Answer(NAME, False, "no time")
    if what is wire.Entries:
        begun, _ = pair(GatheringStage.DONE)
        assert begun.begun is not None
        return other.identity.key, wire.Entries(NAME, (begun.begun,))
    known = other._round
    turn = known.turn if known else 1
    own = known.accepted[other.identity.key] if known else None
    accepted = own or (bytes(32), bytes(64))
    messages: dict[object, wire.Message] = {
        wire.Ask: wire.Ask(NAME, "seat", "guest", "bot"),
        wire.Gone: wire.Gone(NAME),
        wire.Chat: wire.Chat(NAME, 0, "hello"),
        wire.Answer: wire.Answer(NAME, False, "no"),
        wire.Propose: wire.Propose(NAME, turn + 1, TERMS, tuple(chairs())),
        wire.Accept: wire.Accept(NAME, turn, known.hash if known else bytes(32), *accepted),
        wire.Reveal: wire.Reveal(NAME, turn, bytes(32), (), bytes(64)),
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
            assert said == [(GUEST.key, wire.Answer(NAME, True, ""))]
        case GatheringDeed.RESTART:  # this chair had not committed here: it keeps its chair, and the round goes on
            assert said == [(GUEST.key, wire.Answer(NAME, True, ""))] and known == before[2]
        case GatheringDeed.VACATE:
            assert [chair.key for chair in at.chairs] == [HOST.key] and events == [OfferChanged()]
        case GatheringDeed.NOTE:
            assert events == [TurnedDown(INVITED.key, "no time")]
        case GatheringDeed.OBEY | GatheringDeed.CLOSE:
            assert phase is CLOSED and events == [ChairRefused("no" if what is wire.Answer else "the host is gone")]
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
            assert said == [(HOST.key, wire.Ask(NAME, "seat", "guest", "bot"))] and missed is None
        case GatheringDeed.REOPEN:
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
    guest = Gathering(NAME, HOST.key, FOUR, GUEST, 0)
    guest.ask("guest", "bot")
    others = [Chair(identity(number).key, "somebody", "bot") for number in range(3, proposed.seats + 1)]
    guest.receive(HOST.key, wire.Propose(NAME, 1, proposed, (*chairs(), *others)), 0)
    assert (guest.phase is not CLOSED) == takes_part
    assert any(isinstance(message, wire.Accept) for _, message in guest.outgoing) == takes_part


def test_who_missed_the_proposal_takes_the_beginning_of_a_table_with_fewer_seats() -> None:
    """A chair that was killed after it had agreed asks again, and finds its own signature in entry 0."""
    two = replace(FOUR, seats=2)
    host, guest = (Gathering(NAME, HOST.key, FOUR, own, 0) for own in (HOST, GUEST))
    for chair in chairs():
        host.sit(chair)
    guest.ask("guest", "bot")
    host.drop_free_chairs()
    host.start(0)
    exchange(host, guest)
    again = Gathering(NAME, HOST.key, FOUR, GUEST, 0)
    assert host.begun is not None
    again.receive(HOST.key, wire.Entries(NAME, (host.begun,)), 0)
    assert again.begun == guest.begun == host.begun
    assert host.terms == two


def test_every_row_is_a_message_or_an_occasion_and_every_deed_is_done() -> None:
    assert {deed for row in TABLE.values() for deed in row.values()} == set(GatheringDeed)
    assert {what for what in TABLE if isinstance(what, Occasion)} == set(Occasion)


# Peers that bring others


def meeting(agreed: Terms, *, sits: bool = True) -> tuple[Gathering, Gathering]:
    """Ann's table, and Bob, who has heard of it."""
    host, guest = (
        Gathering(NAME, HOST.key, agreed, own, 0, name=name) for own, name in ((HOST, "Ann"), (GUEST, "Bob"))
    )
    if sits:
        host.sit(Chair(HOST.key, "Ann", "person"))
    return host, guest


def talk(*two: Gathering) -> list[object]:
    """Both hear all that the other says, until nobody says more. Return what the second one heard of the host."""
    while any(one.outgoing for one in two):
        for one, other in (two, two[::-1]):
            said, one.outgoing[:] = one.outgoing[:], []
            for _, message in said:
                other.receive(one.identity.key, message, 0)
    heard, two[1].events[:] = two[1].events[:], []
    return [event for event in heard if isinstance(event, ChairGranted | ChairRefused | InLine | NoMoreChairs)]


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
    assert talk(host, guest) == [NoMoreChairs(why)]
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


BROUGHT = (Chair(GUEST.key, "Bob", "person"), Chair(GUEST.key, "Cid", "guest", "Bob"))
OTHERS = "other seats for this program than it had asked for"
ANNS = Chair(HOST.key, "Ann", "person")


@pytest.mark.parametrize(
    ("proposed", "why"),
    [
        ((ANNS, *BROUGHT), None),
        ((*BROUGHT[::-1], ANNS), None),
        ((ANNS, BROUGHT[0]), OTHERS),
        ((ANNS, BROUGHT[1]), OTHERS),
        ((*BROUGHT, Chair(GUEST.key, "Eve", "guest", "Bob")), OTHERS),
        ((ANNS, BROUGHT[0], replace(BROUGHT[1], kind="bot")), OTHERS),
        ((ANNS, BROUGHT[0], replace(BROUGHT[1], at="Ann")), OTHERS),
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
    host = Gathering(NAME, HOST.key, TERMS, HOST, 0)
    host.sit(Chair(HOST.key, "host", "bot"))
    host.keep(Chair(GUEST.key, "Vic", "bot"))
    host.events.clear()
    host.receive(GUEST.key, wire.Ask(NAME, "seat", "Vic", "bot"), 0)
    assert host.events == [OfferChanged()] and not host.coming


# Patience that follows what is measured


def waits(lag: int) -> int:
    """How long a host waits for a guest that says nothing, whose link has this lag."""
    host, guest = HOST, GUEST
    made = Gathering(NAME, host.key, TERMS, host, 0, lags=lambda key: lag if key == guest.key else 0)
    made.sit(Chair(host.key, "host", "bot"))
    made.sit(Chair(guest.key, "guest", "bot"))
    made.start(0)
    while len(made.chairs) == 2:
        now = made.deadline
        made.wake(now)
    return now


def test_a_host_waits_longer_for_a_chair_with_a_slow_link() -> None:
    assert waits(4) == PATIENCE and waits(PATIENCE // LAGS) == PATIENCE
    assert waits(3000) == LAGS * 3000 and waits(60_000) == MOST_PATIENCE


def test_a_guest_waits_longer_for_a_host_with_a_slow_link_though_that_is_gone() -> None:
    host, guest = HOST, GUEST
    lags = {host.key: 2500}
    made = Gathering(NAME, host.key, TERMS, guest, 0, lags=lambda key: lags.get(key, 0))
    made.ask("guest", "bot")
    made.went(host.key, 1000)
    lags.clear()
    assert made.deadline == 1000 + LAGS * 2500
    made.wake(made.deadline)
    assert made.events == [ChairRefused("the host is gone")]
