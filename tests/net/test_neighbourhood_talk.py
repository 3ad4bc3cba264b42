"""What neighbours say to each other: beginnings, groups, numbers, content, bad manners; message by message."""

import pytest

from quadrille.net.core.errors import LocalError
from quadrille.net.neighbours.neighbour import (
    Close,
    Dial,
    LossReason,
    NeighbourLimits,
    PeerLeft,
    PeerMet,
    Phase,
    Said,
    Source,
    Way,
)
from quadrille.net.zeromq.zre import Hello, Ping, PingOk, Unused, Whisper, encode
from tests.net.strangers import Desk, Stranger

# Beginning anew


def test_a_restarted_peer_is_greeted_again() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet("G")
    desk.wait(4000)
    desk.events()
    desk.actions.clear()
    stranger.port += 1000
    stranger.hello()
    assert [event.why for event in desk.events() if isinstance(event, PeerLeft)] == [LossReason.RESTARTED]
    assert [type(action) for action in desk.actions[:2]] == [Close, Dial]
    assert [type(message) for message in desk.sent()] == [Hello, Ping]
    stranger.say(PingOk(0))
    assert [type(event) for event in desk.events()] == [PeerMet]


def test_a_hello_that_crossed_ours_begets_no_other() -> None:
    """Else two peers could greet each other for ever."""
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet()
    desk.actions.clear()
    stranger.hello()
    assert [type(message) for message in desk.sent()] == [Ping] and stranger.phase is Phase.HEARD
    stranger.say(PingOk(0))
    assert stranger.phase is Phase.MET
    stranger.hello()
    desk.wait(3500)
    assert [type(message) for message in desk.sent() if isinstance(message, Hello)] == [Hello], "it did not answer"


def test_another_identity_at_the_same_place_has_taken_it() -> None:
    desk = Desk()
    old, new = Stranger(desk, 1), Stranger(desk, 2)
    new.port = old.port
    old.meet()
    old.lose()
    new.meet()
    assert [peer.id for peer in desk.machine.peers()] == [new.id]
    for _ in range(20):
        desk.wait(1000)
        new.say(Ping(0))
    assert desk.machine.halfway() == []


def test_another_identity_cannot_take_the_place_of_who_is_there() -> None:
    desk = Desk()
    old, new = Stranger(desk, 1), Stranger(desk, 2)
    new.port = old.port
    old.meet()
    desk.events()
    new.beacon()
    new.hello()
    new.say(PingOk(0))
    desk.wait(4000)
    assert [peer.id for peer in desk.machine.peers()] == [old.id] and desk.events() == []


def test_lost_messages_end_the_conversation_and_it_begins_again() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet()
    desk.events()
    desk.dials()
    stranger.sequence += 1
    stranger.say(Whisper(0, (b"x",)))
    assert [event.why for event in desk.events() if isinstance(event, PeerLeft)] == [LossReason.GAPS]
    desk.wait(1000)
    assert desk.dials() == [stranger.endpoint]


# Sequence numbers


@pytest.mark.slow
def test_66000_messages_both_ways_across_the_wrap() -> None:
    desk = Desk(NeighbourLimits(burst=100_000))
    stranger = Stranger(desk)
    stranger.meet("G")
    desk.events()
    desk.actions.clear()
    for number in range(66_000):
        if number % 2:
            stranger.say(Whisper(0, (b"x",)))
        else:
            stranger.say(Unused(8 + number % 3, 0))
        desk.machine.whisper(stranger.id, b"y")
    desk.collect()
    assert len(desk.events()) == 33_000 and stranger.phase is Phase.MET
    sent = desk.sent()
    assert [message.sequence for message in sent] == [number % 65536 for number in range(3, 66_003)]


# Content


def test_whispers_go_to_whom_they_are_for() -> None:
    desk = Desk()
    one, two, three = (Stranger(desk, number) for number in (1, 2, 3))
    one.meet()
    two.meet()
    three.hello()
    desk.actions.clear()
    assert desk.machine.whisper(two.id, b"w") is True
    assert desk.machine.whisper(three.id, b"w") is False, "not met yet"
    assert desk.machine.whisper(b"?" * 16, b"w") is False
    desk.collect()
    assert desk.sent() == [Whisper(3, (b"w",))]
    with pytest.raises(LocalError, match="65537 bytes"):
        desk.machine.whisper(one.id, bytes(65537))


def test_content_that_is_not_one_frame_is_another_programs() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet()
    desk.events()
    stranger.say(Whisper(0, ()))
    stranger.say(Whisper(0, (b"a", b"b")))
    assert desk.events() == [] and desk.machine.counts["content not in one frame"] == 2
    assert stranger.phase is Phase.MET


# Bad manners


def test_a_malformed_message_ends_the_conversation_and_the_third_one_bans() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    for number in range(3):
        stranger.meet()
        desk.events()
        stranger.raw(*encode(Ping(3)), b"more")
        left = desk.events()[-1]
        assert (
            isinstance(left, PeerLeft)
            and left.why is LossReason.BROKE
            and left.detail == "command 6 with 1 frames of content"
        )
        assert (desk.machine.counts["not wanted"] > 0) == (number > 2)
    stranger.meet()
    assert desk.events() == [] and stranger.phase is Phase.AWAY
    desk.wait(60_000)
    stranger.meet()
    assert [type(event) for event in desk.events()] == [PeerMet]


def test_malformed_messages_of_strangers_are_counted() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    for frames in ([b""], [b"x" * 100], []):
        stranger.raw(*frames)
    assert desk.machine.counts == {"malformed": 3} and desk.events() == []
    desk.machine.receive(Source("10.0.0.7", Way(identity=b"\x02" + stranger.id)), encode(Ping(1)), desk.now)
    desk.machine.receive(Source("10.0.0.7", Way()), encode(Ping(1)), desk.now)
    assert desk.machine.counts["no ZRE identity"] == 2


def test_a_flood_is_ended() -> None:
    desk = Desk(NeighbourLimits(messages_a_second=10, burst=100))
    stranger = Stranger(desk)
    stranger.meet()
    desk.events()
    for _ in range(30):
        desk.wait(1000)
        for _ in range(10):
            stranger.say(Whisper(0, (b"x",)))
    assert all(isinstance(event, Said) for event in desk.events())
    for _ in range(200):
        stranger.say(Whisper(0, (b"x",)))
    events = desk.events()
    assert len(events) < 120 and isinstance(events[-1], PeerLeft) and events[-1].why is LossReason.FLOODED
    desk.wait(59_000)
    stranger.hello()
    assert stranger.phase is Phase.AWAY


def test_hellos_cost_more() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    for _ in range(200):
        stranger.hello()
    assert stranger.phase is Phase.AWAY and desk.machine.counts["not wanted"] > 50


def test_whom_the_program_does_not_want() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet()
    desk.events()
    desk.machine.ban(stranger.id, desk.now, 5000)
    desk.collect()
    assert [event.why for event in desk.events() if isinstance(event, PeerLeft)] == [LossReason.BANNED]
    stranger.meet()
    assert desk.events() == []
    for number in range(3000):
        desk.machine.ban(number.to_bytes(16, "big"), desk.now, 5000)
    desk.wait(5000)
    stranger.meet()
    assert [type(event) for event in desk.events()] == [PeerMet]


def test_a_long_meeting_makes_good_for_all_failures_before() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    pauses = []
    for length in (0, 0, 0, 0, 12_000):
        stranger.meet()
        for _ in range(length // 1000):
            desk.wait(1000)
            stranger.beacon()
        assert stranger.phase is Phase.MET
        stranger.lose()
        start = desk.now
        while stranger.link is None:
            desk.wait(100)
        pauses.append(desk.now - start)
    assert pauses[0] <= 900 and pauses[3] >= 3000 and pauses[4] <= 900
