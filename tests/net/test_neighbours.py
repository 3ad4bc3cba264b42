"""Neighbours, message by message: every cell of the table, calls, signs of life, seeds, and who is not met."""

import pytest

from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.neighbours.neighbour import (
    TABLE,
    Announce,
    Dial,
    Endpoint,
    LossReason,
    NeighbourLimits,
    NeighbourReaction,
    PeerLeft,
    PeerMet,
    Phase,
    Said,
    Source,
)
from quadrille.net.zeromq.zre import Beacon, Hello, Message, Ping, PingOk, Unused, Whisper, encode
from tests.net.street import HERE, ME, PORT, SAMPLES, Desk, Stranger, alone, left, met


def stranger_in(phase: Phase, limits: NeighbourLimits | None = None) -> tuple[Desk, Stranger]:
    desk, stranger = alone(limits)
    if phase is Phase.GREETED:
        stranger.beacon()
    elif phase is not Phase.AWAY:
        stranger.hello()
        if phase is Phase.MET:
            stranger.say(PingOk(0))
    assert stranger.phase is phase
    desk.events()
    desk.actions.clear()
    return desk, stranger


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: type(message).__name__)
def test_each_message_does_in_each_phase_what_the_table_says(message: Message, phase: Phase) -> None:
    desk, stranger = stranger_in(phase)
    stranger.say(message)
    told, sent = [type(event) for event in desk.events()], desk.sent()
    reaction = TABLE[type(message)][phase]
    expected: dict[NeighbourReaction, tuple[list[type], list[type], Phase]] = {
        NeighbourReaction.SAY: ([Said], [], phase),
        NeighbourReaction.ANSWER: ([], [PingOk], phase),
        NeighbourReaction.MEET: ([PeerMet], [], Phase.MET),
    }
    assert (told, [type(one) for one in sent], stranger.phase) == expected.get(reaction, ([], [], phase))
    assert desk.machine.counts["before HELLO"] == (reaction is NeighbourReaction.DROP)
    if reaction is not NeighbourReaction.DROP:  # its number was counted: the next one is understood
        stranger.say(Ping(0))
        assert [type(one) for one in desk.sent()] == [PingOk]


@pytest.mark.parametrize("phase", Phase)
def test_a_hello_opens_or_reopens(phase: Phase) -> None:
    desk, stranger = stranger_in(phase)
    old = stranger.link
    desk.run(2000)
    stranger.hello()
    assert stranger.phase is Phase.HEARD
    assert (TABLE[Hello][phase] is NeighbourReaction.REOPEN) == (phase in (Phase.HEARD, Phase.MET))
    assert left(desk) == ([LossReason.RESTARTED] if phase is Phase.MET else [])
    assert (stranger.link == old) == (phase is Phase.GREETED)
    assert stranger.link is not None


def test_what_is_said_before_the_meeting_is_heard_after_it_and_too_much_is_not() -> None:
    desk, stranger = stranger_in(Phase.HEARD, NeighbourLimits(held=3))
    for number in range(5):
        stranger.say(Whisper(0, (bytes([number]),)))
    assert desk.events() == []
    stranger.say(PingOk(0))
    [peer] = desk.machine.peers()
    assert desk.events() == [PeerMet(peer), *(Said(peer, bytes([number])) for number in range(3))]
    assert desk.machine.counts["said too much before it was met"] == 2


# Calling


def test_a_hello_is_answered_at_the_address_it_comes_from() -> None:
    """Whatever its text says: a peer on several interfaces may name the wrong one, a hostile one somebody else's."""
    desk, stranger = alone()
    stranger.raw(*encode(Hello(1, "tcp://172.17.0.1:50001", (), 0, "", ())))
    assert desk.dialled() == [Endpoint("10.0.0.7", 50001)]


def test_all_places_are_tried_before_the_pause_and_pauses_grow() -> None:
    desk, stranger = alone()
    stranger.beacon(address="10.0.0.7")
    stranger.beacon(address="10.1.0.7")
    times = []
    for _ in range(10):
        while stranger.link is not None:
            stranger.lose()
        assert set(desk.dialled()) == {Endpoint("10.0.0.7", 50001), Endpoint("10.1.0.7", 50001)}
        start = desk.now
        while stranger.link is None and desk.now - start < 60_000:
            stranger.beacon()
            desk.run(250)
        times.append(desk.now - start)
    assert times[0] <= 1000 and 20_000 <= times[-1] <= 36_250
    assert times[:4] == sorted(times[:4])


def test_a_beacon_after_a_silence_ends_the_pause() -> None:
    """Perhaps the cable is back."""
    desk, stranger = alone()
    stranger.beacon()
    for _ in range(300):
        if stranger.link is not None:
            stranger.lose()
        stranger.beacon()
        desk.run(250)
    while stranger.link is None:
        desk.run(250)
    stranger.lose()
    stranger.beacon()
    assert stranger.link is None
    desk.run(6000)
    assert stranger.link is None
    stranger.beacon()
    assert stranger.link is not None


def test_of_many_places_the_newest_are_kept_and_hearsay_replaces_none() -> None:
    desk, stranger = alone()
    for number in range(20):
        stranger.beacon(address=f"10.1.0.{number}")
    neighbour = desk.machine.get(stranger.id)
    newest = [Endpoint(f"10.1.0.{number}", stranger.port) for number in range(19, 11, -1)]
    assert neighbour.contacts == newest
    friend = Stranger(desk, 2)
    friend.meet()
    desk.hears_of(stranger.id, Endpoint("10.2.0.1", 5000), friend)
    assert neighbour.contacts == newest


def test_calls_are_rationed() -> None:
    """A flood of beacons is cheap to make; calls are not."""
    desk = Desk(NeighbourLimits(calls=8))
    for number in range(1, 200):
        Stranger(desk, number, f"10.0.1.{number}").beacon()
    assert len(desk.dialled()) == 8
    desk.run(1000)
    assert len(desk.dialled()) <= 9


def test_only_calls_that_are_made_are_counted() -> None:
    """Beacons of many identities at one place lead to one call, and use up nobody else's."""
    desk = Desk(NeighbourLimits(calls=8))
    for number in range(1, 8):
        Stranger(desk, number, "10.0.1.1").beacon(50001)
    honest = [Stranger(desk, number, f"10.0.0.{number}") for number in range(100, 107)]
    for stranger in honest:
        stranger.beacon()
    assert desk.dialled() == [Endpoint("10.0.1.1", 50001), *(stranger.endpoint for stranger in honest)]


def test_room_is_limited_and_who_says_hello_goes_first() -> None:
    desk = Desk(NeighbourLimits(peers=4, calls=4))
    beacons = [Stranger(desk, number, f"10.0.1.{number}") for number in range(1, 21)]
    for stranger in beacons:
        stranger.beacon()
    desk.run(5000)
    greeters = [Stranger(desk, number, f"10.0.1.{number}") for number in range(31, 41)]
    for stranger in greeters:
        stranger.hello()
    assert [stranger.phase for stranger in greeters] == [Phase.HEARD] * 4 + [Phase.AWAY] * 6
    assert desk.machine.counts["no room"] > 0
    desk.run(1000)
    for stranger in greeters[:4]:
        stranger.say(PingOk(0))
    assert len(desk.machine.peers()) == 4
    greeters[0].beacon(port=0)
    desk.run(500)
    greeters[5].hello()
    assert greeters[5].phase is Phase.HEARD


# Beacons


def test_our_own_beacon_is_not_a_peer() -> None:
    desk = Desk()
    desk.machine.heard_beacon(HERE, Beacon(ME, PORT).encode(), desk.now)
    assert desk.machine.halfway() == [] and desk.machine.counts == {"own echo": 1}


def test_beacons_of_the_other_world_are_not_answered() -> None:
    desk = Desk()
    Stranger(desk, key=b"k" * 32).beacon()
    assert desk.dialled() == [] and desk.machine.counts == {"beacon of another world": 1}
    room = Desk(key=b"m" * 32)
    Stranger(room).beacon()
    assert room.dialled() == [] and room.machine.counts == {"beacon of another world": 1}


@pytest.mark.parametrize(("address", "another"), [("10.0.0.7", "10.0.0.8"), ("fe80::7%2", "fe80::8%2")])
def test_port_zero_means_farewell(address: str, another: str) -> None:
    desk, stranger = alone(address=address)
    stranger.meet()
    desk.events()
    stranger.beacon(port=0, address=another)
    desk.run(500)
    assert desk.events() == [], "somebody else's word"
    stranger.beacon(port=0)
    stranger.say(Whisper(0, (b"last words",)))
    assert [event.payload for event in desk.events() if isinstance(event, Said)] == [b"last words"]
    desk.run(500)
    assert left(desk) == [LossReason.LEFT]
    desk.run(60_000)
    assert desk.machine.halfway() == []


def test_we_say_farewell() -> None:
    desk = Desk(seeds=[Endpoint("10.9.0.1", 0)])
    desk.beacons()
    desk.machine.close()
    desk.collect()
    assert desk.beacons() == [Announce(Beacon(ME, 0).encode(), ("10.9.0.1",), by_ipv6=True)]


# Signs of life


def test_a_quiet_peer_is_pinged_and_a_silent_one_given_up() -> None:
    desk, stranger = met()
    desk.run(1900)
    assert desk.sent() == []
    desk.run(2600)
    assert 2 <= len(desk.sent()) <= 3
    stranger.say(PingOk(0))
    desk.run(1700)
    assert desk.sent() == [] and desk.events() == []
    desk.run(3600)
    assert desk.events() == [], "its last answer came late, so it may be silent for longer than five seconds"
    desk.run(6000)
    assert left(desk) == [LossReason.SILENT]


def test_who_does_not_read_is_parted_with() -> None:
    desk, stranger = met()
    desk.machine.choked(stranger.link or 0, desk.now)
    desk.collect()
    assert left(desk) == [LossReason.CHOKED]
    assert desk.machine.whisper(stranger.id, b"x") is False


# Beginning anew


def test_a_hello_that_crossed_ours_begets_no_other() -> None:
    """Else two peers could greet each other for ever."""
    desk, stranger = met()
    stranger.hello()
    assert [type(message) for message in desk.sent()] == [Ping] and stranger.phase is Phase.HEARD
    stranger.say(PingOk(0))
    assert stranger.phase is Phase.MET
    stranger.hello()
    desk.run(3500)
    assert [type(message) for message in desk.sent() if isinstance(message, Hello)] == [Hello], "it did not answer"


def test_lost_messages_end_the_conversation_and_it_begins_again() -> None:
    desk, stranger = met()
    stranger.sequence += 1
    stranger.say(Whisper(0, (b"x",)))
    assert left(desk) == [LossReason.GAPS]
    desk.run(1000)
    assert desk.dialled() == [stranger.endpoint]


# Numbers and content


def test_numbers_go_on_from_0_after_65535_both_ways() -> None:
    desk, stranger = met()
    neighbour = desk.machine.get(stranger.id)
    neighbour.want = neighbour.sent = stranger.sequence = 65_533
    for number in range(6):
        stranger.say(Whisper(0, (b"x",)) if number % 2 else Unused(8 + number % 3, 0))
        desk.machine.whisper(stranger.id, b"y")
    desk.collect()
    assert len(desk.events()) == 3 and stranger.phase is Phase.MET
    assert [message.sequence for message in desk.sent()] == [65_534, 65_535, 0, 1, 2, 3]


def test_whispers_go_to_whom_they_are_for() -> None:
    desk, one = met()
    two, three = (Stranger(desk, number) for number in (2, 3))
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
    desk, stranger = met()
    stranger.say(Whisper(0, ()))
    stranger.say(Whisper(0, (b"a", b"b")))
    assert desk.events() == [] and desk.machine.counts["content not in one frame"] == 2
    assert stranger.phase is Phase.MET


# Bad manners


def test_a_malformed_message_ends_the_conversation_and_the_third_one_bans() -> None:
    desk, stranger = alone()
    for number in range(3):
        stranger.meet()
        desk.events()
        stranger.raw(*encode(Ping(3)), b"more")
        left = desk.events()[-1]
        assert left.why is LossReason.BROKE
        assert (desk.machine.counts["not wanted"] > 0) == (number > 2)
    stranger.meet()
    assert desk.events() == [] and stranger.phase is Phase.AWAY
    desk.run(60_000)
    stranger.meet()
    assert [type(event) for event in desk.events()] == [PeerMet]


def test_malformed_messages_of_strangers_are_counted() -> None:
    desk, stranger = alone()
    for frames in ([b""], [b"x" * 100], []):
        stranger.raw(*frames)
    assert desk.machine.counts == {"malformed": 3} and desk.events() == []
    desk.machine.receive(Source("10.0.0.7", 0, b"\x02" + stranger.id), encode(Ping(1)), desk.now)
    desk.machine.receive(Source("10.0.0.7", 0), encode(Ping(1)), desk.now)
    assert desk.machine.counts["no ZRE identity"] == 2


def test_a_flood_is_ended() -> None:
    desk, stranger = met(NeighbourLimits(messages_a_second=10, burst=100))
    for _ in range(30):
        desk.run(1000)
        for _ in range(10):
            stranger.say(Whisper(0, (b"x",)))
    assert all(isinstance(event, Said) for event in desk.events())
    for _ in range(200):
        stranger.say(Whisper(0, (b"x",)))
    events = desk.events()
    assert len(events) < 120 and isinstance(events[-1], PeerLeft) and events[-1].why is LossReason.FLOODED
    desk.run(59_000)
    stranger.hello()
    assert stranger.phase is Phase.AWAY


def test_hellos_cost_more() -> None:
    desk, stranger = alone()
    for _ in range(200):
        stranger.hello()
    assert stranger.phase is Phase.AWAY and desk.machine.counts["not wanted"] > 50


def test_whom_the_program_does_not_want() -> None:
    desk, stranger = met()
    desk.machine.ban(stranger.id, desk.now, 5000)
    desk.collect()
    assert left(desk) == [LossReason.BANNED]
    stranger.meet()
    assert desk.events() == []
    for number in range(3000):
        desk.machine.ban(number.to_bytes(16, "big"), desk.now, 5000)
    desk.run(5000)
    stranger.meet()
    assert [type(event) for event in desk.events()] == [PeerMet]


def test_a_long_meeting_makes_good_for_all_failures_before() -> None:
    desk, stranger = alone()
    pauses = []
    for length in (0, 0, 0, 0, 12_000):
        stranger.meet()
        for _ in range(length // 1000):
            desk.run(1000)
            stranger.beacon()
        assert stranger.phase is Phase.MET
        stranger.lose()
        start = desk.now
        while stranger.link is None:
            desk.run(100)
        pauses.append(desk.now - start)
    assert pauses[0] <= 900 and pauses[3] >= 3000 and pauses[4] <= 900


# Seeds and introductions


def test_the_link_to_a_seed_is_the_link_to_who_answers() -> None:
    seed = Endpoint("10.9.0.1", 5000)
    desk, stranger = alone(seeds=[seed, seed], address=seed.host)
    stranger.port = seed.port
    stranger.meet()
    assert desk.dialled() == [seed]
    assert [type(event) for event in desk.events()] == [PeerMet]
    stranger.lose()
    stranger.beacon(port=0)
    desk.run(1000)
    assert desk.dialled() == [seed], "a seed stays a seed"


@pytest.mark.parametrize("elsewhere", [Endpoint("10.9.0.2", 5000), Endpoint("10.9.0.1", 6000)])
@pytest.mark.parametrize("is_connected", [True, False])
def test_a_seed_may_answer_from_another_address_or_port(elsewhere: Endpoint, *, is_connected: bool) -> None:
    """On the connection that we made, or before that stands."""
    seed = Endpoint("10.9.0.1", 5000)
    desk, stranger = alone(seeds=[seed], address=elsewhere.host)
    if is_connected:
        desk.machine.connected(-1)
    stranger.port = elsewhere.port
    stranger.greet()
    assert desk.dialled() == [seed] and stranger.phase is Phase.MET


def test_another_program_of_this_machine_is_not_taken_for_a_seed() -> None:
    """All of them are at 127.0.0.1: its link led to somebody else, and only time mended that."""
    desk, stranger = alone(seeds=[Endpoint("127.0.0.1", 5000)], address="127.0.0.1")
    desk.machine.connected(-1)
    stranger.greet()
    assert desk.dialled() == [Endpoint("127.0.0.1", 5000), stranger.endpoint] and stranger.phase is Phase.MET


def test_who_is_not_taken_for_a_seed() -> None:
    """Somebody whose beacons tell where it is; and where two seeds are alike, nobody can say which it was."""
    seeds = [Endpoint("10.9.0.1", 5000), Endpoint("10.9.0.2", 5000)]
    for some, beacon in ((seeds[:1], True), (seeds, False)):
        desk, stranger = alone(seeds=some)
        stranger.port = 5000
        if beacon:
            stranger.beacon()
            stranger.lose()
        stranger.hello()
        assert desk.dialled()[-1] == Endpoint("10.0.0.7", 5000)
        callers = [desk.machine._at(seed) for seed in some]
        assert [caller and caller.id for caller in callers] == [None] * len(some) and None not in callers


def test_a_seed_that_is_ourselves_is_given_up() -> None:
    desk = Desk(seeds=[Endpoint(HERE, PORT)])
    myself = Source(HERE, 0, b"\x01" + ME)
    desk.machine.receive(myself, encode(Hello(1, f"tcp://{HERE}:{PORT}", (), 0, "me", ())), desk.now)
    desk.collect()
    desk.run(60_000)
    assert desk.dialled() == [Endpoint(HERE, PORT)] and desk.machine.halfway() == []


@pytest.mark.parametrize("key", [None, b"m" * 32])
def test_seeds_get_our_beacons_and_without_a_port_or_in_a_private_room_nothing_else(key: bytes | None) -> None:
    called = [] if key else [Endpoint("10.9.0.2", 5000), Endpoint("10.9.0.2", 5001)]
    desk = Desk(key=key, seeds=[Endpoint("10.9.0.1", 0), Endpoint("10.9.0.2", 5000), Endpoint("10.9.0.2", 5001)])
    assert [one.endpoint for one in desk.actions if isinstance(one, Dial)] == called
    assert [beacon.hosts for beacon in desk.beacons()] == [("10.9.0.1", "10.9.0.2")]


def test_an_introduction_is_tried_and_believed_only_when_it_answers() -> None:
    desk, friend = met()
    other = Stranger(desk, 2, "10.5.0.1")
    desk.hears_of(other.id, other.endpoint, friend)
    desk.hears_of(ME, Endpoint("10.0.0.9", 50009), friend)
    assert desk.dialled() == [other.endpoint] and desk.events() == []
    assert desk.machine.introducible(friend.id, other.id) == friend.endpoint
    other.greet()
    assert [type(event) for event in desk.events()] == [PeerMet]
    assert desk.machine.introducible(other.id, friend.id) == other.endpoint


@pytest.mark.parametrize(
    "place",
    [
        *(("10.0.0.1", port) for port in (0, 65536)),
        *((host, 5) for host in ("127.0.0.1", "224.0.0.1", "255.255.255.255", "0.0.0.0", "example.org", "::1")),
        *((host, 5) for host in ("fe80::7%2", "fe80::7", "::ffff:10.0.0.7", "ff02::1", "fd77:0::7")),
    ],
    ids=str,
)
def test_introductions_to_no_host_are_refused(place: tuple[str, int]) -> None:
    desk, friend = met()
    with pytest.raises(PeerError):
        desk.hears_of(b"x" * 16, Endpoint(*place), friend)


def test_the_last_words_of_one_who_is_gone_introduce_nobody() -> None:
    """What it said and that it left can come together: it is read when it is forgotten, and it was honest."""
    desk, friend = met(address="127.0.0.1")
    other = Stranger(desk, 2, "127.0.0.1")
    desk.machine.ban(friend.id, desk.now, 1000)
    desk.hears_of(other.id, other.endpoint, friend)
    assert desk.dialled() == []
    assert desk.machine.counts["introduction by a peer that is gone"] == 1


def test_within_one_machine_peers_may_be_introduced_at_its_loopback() -> None:
    desk, friend = met(address="127.0.0.1")
    other, far = Stranger(desk, 2, "127.0.0.1"), Stranger(desk, 3)
    far.meet()
    desk.hears_of(other.id, other.endpoint, friend)
    other.greet()
    assert desk.machine.introducible(other.id, friend.id) and desk.machine.introducible(far.id, friend.id)
    assert desk.machine.introducible(other.id, far.id) is None
    other.beacon(address="10.0.0.1")
    assert desk.machine.introducible(other.id, far.id) == Endpoint("10.0.0.1", other.port)


def test_peers_on_one_machine_are_introduced_whichever_of_its_addresses_they_use() -> None:
    desk = Desk(near=lambda host: host.startswith("10.0."))
    desk.machine._facing = lambda host: host if host in (HERE, "127.0.0.1") else HERE
    inner, outer = Stranger(desk, 1, "127.0.0.1"), Stranger(desk, 2, HERE)
    for each in (inner, outer):
        each.meet()
    assert desk.machine.introducible(inner.id, outer.id) == inner.endpoint
    desk.dialled()
    third = Endpoint("127.0.0.1", 5003)
    desk.hears_of(b"x" * 16, third, outer)
    assert desk.dialled() == [third]


# Private rooms


def test_in_a_private_room_everybody_has_a_key_and_keeps_it() -> None:
    desk = Desk(key=b"m" * 32)
    stranger, thief = Stranger(desk, key=b"s" * 32), Stranger(desk, key=b"t" * 32)
    stranger.beacon()
    assert [action.key for action in desk.take(Dial) if isinstance(action, Dial)] == [b"s" * 32]
    stranger.greet()
    assert [event.peer.key for event in desk.events()] == [b"s" * 32]
    thief.hello()
    thief.beacon()
    assert stranger.phase is Phase.MET and desk.machine.counts["not wanted"] == 2
    here, own = "10.0.0.7", b"\x01" + stranger.id
    desk.machine.receive(Source(here, 0, own), encode(Ping(3)), desk.now)
    assert desk.machine.counts["not wanted"] == 3
    desk.machine.receive(Source(here, 0, own + b"x", stranger.key), encode(Ping(3)), desk.now)
    assert desk.machine.counts["no ZRE identity"] == 1
    desk.machine.receive(Source(here, 9, own, stranger.key), encode(Ping(3)), desk.now)
    assert desk.machine.counts["before HELLO"] == 1 and stranger.phase is Phase.MET


def test_a_forged_beacon_does_not_keep_the_owner_of_an_identity_out() -> None:
    desk = Desk(key=b"m" * 32)
    stranger, thief = Stranger(desk, key=b"s" * 32), Stranger(desk, key=b"t" * 32)
    thief.beacon()
    stranger.greet()
    assert [event.peer.key for event in desk.events()] == [b"s" * 32]


def test_in_a_private_room_nobody_learns_of_strangers() -> None:
    desk = Desk(key=b"m" * 32)
    one, two = Stranger(desk, 1, key=b"1" * 32), Stranger(desk, 2, key=b"2" * 32)
    for each in (one, two):
        each.meet()
    assert desk.machine.introducible(two.id, one.id) is None
    desk.machine.admit(two.id)
    assert desk.machine.introducible(two.id, one.id) == two.endpoint
    two.greet()
    assert desk.machine.introducible(two.id, one.id) is None, "it has to prove itself again"


def test_in_a_private_room_an_unsigned_farewell_ends_nothing() -> None:
    desk = Desk(key=b"m" * 32)
    stranger = Stranger(desk, key=b"s" * 32)
    stranger.meet()
    desk.events()
    stranger.beacon(port=0)
    desk.run(1000)
    assert desk.events() == [] and stranger.phase is Phase.MET
    stranger.beacon()
    stranger.lose()
    assert left(desk) == [LossReason.LOST], "it was still there"
    stranger.meet()
    desk.events()
    stranger.beacon(port=0)
    stranger.lose()
    assert left(desk) == [LossReason.LEFT]
    assert desk.machine.halfway() == []


def test_a_peer_whose_answers_are_late_may_be_silent_for_longer_and_not_for_ever() -> None:
    """How long after one late answer, a quiet peer's test says."""
    desk, stranger = met()
    one = desk.machine.get(stranger.id)
    for late, lag in ((9000, 9000), (10, 9000 * 7 // 8)):
        one.asked_at = desk.now - late
        one.answered(desk.now)
        assert one.lag == lag
    desk.run(desk.machine.limits.most_silent - 500)
    assert desk.events() == []
    desk.run(1000)
    assert left(desk) == [LossReason.SILENT]


def test_a_peer_that_was_reached_and_answers_late_is_given_longer_at_each_call() -> None:
    desk, stranger = alone()
    given = []
    for _ in range(4):
        while (link := stranger.link) is None:
            stranger.beacon()
            desk.run(250)
        desk.machine.reached(link)
        start = desk.now
        while stranger.link == link:
            desk.run(250)
        given.append(desk.now - start)
    assert given[0] <= desk.machine.limits.slowness + 500 and given[1] > 1.8 * given[0] and given[2] > 1.8 * given[1]
    assert given[3] < 1.2 * given[2], "four times, and no more"
