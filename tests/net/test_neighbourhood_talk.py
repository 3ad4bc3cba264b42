"""What neighbours say to each other: beginnings, groups, numbers, content, bad manners; message by message."""

import pytest

from quadrille.net.core.errors import LocalError
from quadrille.net.neighbours.link_queue import Dial, HangUp
from quadrille.net.neighbours.neighbour import (
    Joined,
    LeftGroup,
    LossReason,
    NeighbourLimits,
    PeerLeft,
    PeerMet,
    Phase,
    Said,
    Source,
    Way,
)
from quadrille.net.zeromq.zre import Hello, Join, Leave, Ping, PingOk, Shout, Unknown, Whisper, encode
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
    assert [type(action) for action in desk.actions[:2]] == [HangUp, Dial]
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


# Groups and sequence numbers


def test_281_joins_and_leaves() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet()
    status = 0
    desk.events()
    for number in range(281):
        status = (status + 1) % 256
        stranger.say(Join(0, f"g{number}", status))
        status = (status + 1) % 256
        stranger.say(Leave(0, f"g{number}", status))
    events = desk.events()
    assert [type(event) for event in events] == [Joined, LeftGroup] * 281
    assert stranger.phase is Phase.MET


def test_our_own_281_joins() -> None:
    desk = Desk()
    Stranger(desk).meet()
    desk.sent()
    for number in range(281):
        desk.machine.join(f"g{number}")
        desk.machine.leave(f"g{number}")
        desk.machine.leave(f"g{number}")
    desk.collect()
    sent = desk.sent()
    assert [message.status for message in sent if isinstance(message, Join | Leave)] == [
        number % 256 for number in range(1, 563)
    ]
    assert [message.sequence for message in sent] == list(range(3, 565))


def test_who_is_only_greeted_hears_of_our_groups_too() -> None:
    desk = Desk()
    Stranger(desk).beacon()
    desk.sent()
    desk.machine.join("A")
    desk.machine.join("A")
    desk.machine.leave("A")
    desk.collect()
    assert desk.sent() == [Join(3, "A", 1), Leave(4, "A", 2)]


def test_a_group_joined_twice_or_left_unjoined_is_no_news() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet("G")
    desk.events()
    stranger.say(Join(0, "G", 1))
    stranger.say(Leave(0, "H", 2))
    assert desk.events() == [] and stranger.phase is Phase.MET


def test_a_join_with_a_status_out_of_turn_ends_the_conversation() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet()
    stranger.say(Join(0, "G", 9))
    left = desk.events()[-1]
    assert isinstance(left, PeerLeft) and (left.why, left.detail) == (
        LossReason.BROKE,
        "group status 9; 1 was its turn",
    )


def test_more_groups_than_anybody_needs() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet()
    for number in range(33):
        stranger.say(Join(0, f"g{number}", number + 1))
    left = desk.events()[-1]
    assert isinstance(left, PeerLeft) and (left.why, left.detail) == (LossReason.BROKE, "in more than 32 groups")
    for number in range(32):
        desk.machine.join(f"g{number}")
    with pytest.raises(LocalError, match="32 groups"):
        desk.machine.join("one more")


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
            stranger.say(Unknown(8 + number % 3, 0))
        desk.machine.shout("G", b"y")
    desk.collect()
    assert len(desk.events()) == 33_000 and stranger.phase is Phase.MET
    sent = desk.sent()
    assert [message.sequence for message in sent] == [number % 65536 for number in range(3, 66_003)]


# Content


def test_whispers_and_shouts_go_to_whom_they_are_for() -> None:
    desk = Desk()
    one, two, three = (Stranger(desk, number) for number in (1, 2, 3))
    one.meet("G")
    two.meet("H")
    three.hello("G")
    desk.actions.clear()
    assert desk.machine.whisper(two.id, b"w") is True
    assert desk.machine.shout("G", b"s") == 1
    assert desk.machine.whisper(three.id, b"w") is False, "not met yet"
    assert desk.machine.whisper(b"?" * 16, b"w") is False
    desk.collect()
    assert desk.sent() == [Whisper(3, (b"w",)), Shout(3, "G", (b"s",))]
    with pytest.raises(LocalError, match="65537 bytes"):
        desk.machine.whisper(one.id, bytes(65537))


def test_content_that_is_not_one_frame_is_another_programs() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet()
    desk.events()
    stranger.say(Whisper(0, ()))
    stranger.say(Shout(0, "G", (b"a", b"b")))
    assert desk.events() == [] and desk.machine.counts["content not in one frame"] == 2
    assert stranger.phase is Phase.MET


# Bad manners


def test_a_malformed_message_ends_the_conversation_and_the_third_one_bans() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    for number in range(3):
        stranger.meet()
        desk.events()
        stranger.raw(b"\xaa\xa1\x04\x02\x00\x03\xff")
        left = desk.events()[-1]
        assert isinstance(left, PeerLeft) and left.why is LossReason.BROKE and "too early" in left.detail
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
