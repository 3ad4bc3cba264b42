"""Other ways to meet than by beacons: seeds, introductions; and private rooms, where not everybody is met."""

import pytest

from quadrille.net.core.errors import PeerError
from quadrille.net.neighbours.link_queue import Dial
from quadrille.net.neighbours.neighbour import (
    Contact,
    Endpoint,
    LossReason,
    PeerLeft,
    PeerMet,
    Phase,
    Source,
    Way,
)
from quadrille.net.zeromq.zre import Hello, Join, Leave, Ping, PingOk, encode
from tests.net.strangers import HERE, ME, PORT, Desk, Stranger

# Seeds and introductions


def test_a_seed_is_called_until_it_answers() -> None:
    seed = Endpoint("10.9.0.1", 5000)
    desk = Desk(seeds=[seed])
    assert desk.dials() == [seed]
    for _ in range(1200):
        neighbour = desk.machine._board.at(seed)
        if neighbour is not None:
            desk.machine.lost(neighbour.link or 0, desk.now)
            desk.collect()
        desk.wait(250)
    assert 12 <= len(desk.dials()) <= 20
    stranger = Stranger(desk, address=seed.host)
    stranger.port = seed.port
    desk.wait(31_000)
    stranger.hello()
    assert stranger.phase is Phase.HEARD
    stranger.say(PingOk(0))
    assert [type(event) for event in desk.events()] == [PeerMet]


def test_the_link_to_a_seed_is_the_link_to_who_answers() -> None:
    seed = Endpoint("10.9.0.1", 5000)
    desk = Desk(seeds=[seed, seed])
    stranger = Stranger(desk, address=seed.host)
    stranger.port = seed.port
    stranger.beacon()
    stranger.hello()
    stranger.say(PingOk(0))
    assert desk.dials() == [seed]
    assert [type(event) for event in desk.events()] == [PeerMet]
    stranger.lose()
    stranger.beacon(port=0)
    desk.wait(1000)
    assert desk.dials() == [seed], "a seed stays a seed"


@pytest.mark.parametrize("elsewhere", [Endpoint("10.9.0.2", 5000), Endpoint("10.9.0.1", 6000)])
def test_a_seed_may_answer_from_another_address_or_port(elsewhere: Endpoint) -> None:
    seed = Endpoint("10.9.0.1", 5000)
    desk = Desk(seeds=[seed])
    desk.machine.connected(1)
    stranger = Stranger(desk, address=elsewhere.host)
    stranger.port = elsewhere.port
    stranger.hello()
    stranger.say(PingOk(0))
    assert desk.dials() == [seed] and stranger.phase is Phase.MET


def test_another_program_of_this_machine_is_not_taken_for_a_seed() -> None:
    """All of them are at 127.0.0.1: its link led to somebody else, and only time mended that."""
    desk = Desk(seeds=[Endpoint("127.0.0.1", 5000)])
    desk.machine.connected(1)
    stranger = Stranger(desk, address="127.0.0.1")
    stranger.hello()
    stranger.say(PingOk(0))
    assert desk.dials() == [Endpoint("127.0.0.1", 5000), stranger.endpoint] and stranger.phase is Phase.MET


def test_the_call_to_a_seed_counts_as_one_that_crossed_its_hello() -> None:
    seed = Endpoint("10.9.0.1", 5000)
    desk = Desk(seeds=[seed])
    stranger = Stranger(desk, address=seed.host)
    stranger.port = seed.port
    for _ in range(5):
        stranger.hello()
    assert desk.dials() == [seed]


def test_who_is_not_taken_for_a_seed() -> None:
    """Somebody whose beacons tell where it is; and where two seeds are alike, nobody can say which it was."""
    seeds = [Endpoint("10.9.0.1", 5000), Endpoint("10.9.0.2", 5000)]
    for some, beacon in ((seeds[:1], True), (seeds, False)):
        desk = Desk(seeds=some)
        stranger = Stranger(desk, address="10.0.0.7")
        stranger.port = 5000
        if beacon:
            stranger.beacon()
            stranger.lose()
        stranger.hello()
        assert desk.dials()[-1] == Endpoint("10.0.0.7", 5000)
        callers = [desk.machine._board.at(seed) for seed in some]
        assert [caller and caller.id for caller in callers] == [None] * len(some) and None not in callers


def test_a_seed_that_is_ourselves_is_given_up() -> None:
    desk = Desk(seeds=[Endpoint(HERE, PORT)])
    myself = Source(HERE, Way(identity=b"\x01" + ME))
    desk.machine.receive(myself, encode(Hello(1, f"tcp://{HERE}:{PORT}", (), 0, "me", ())), desk.now)
    desk.collect()
    desk.wait(60_000)
    assert desk.dials() == [Endpoint(HERE, PORT)] and desk.machine.halfway() == []


def test_seeds_get_our_beacons() -> None:
    desk = Desk(seeds=[Endpoint("10.9.0.1", 0), Endpoint("10.9.0.2", 5000), Endpoint("10.9.0.2", 5001)])
    assert [beacon.hosts for beacon in desk.beacons()] == [("10.9.0.1", "10.9.0.2")]


def test_an_introduction_is_tried_and_believed_only_when_it_answers() -> None:
    desk = Desk()
    friend, other = Stranger(desk, 1), Stranger(desk, 2, "10.5.0.1")
    friend.meet()
    desk.dials()
    desk.events()
    desk.machine.introduce(Contact(other.id, other.endpoint), friend.id, desk.now)
    desk.machine.introduce(Contact(ME, Endpoint("10.0.0.9", 50009)), friend.id, desk.now)
    desk.collect()
    assert desk.dials() == [other.endpoint] and desk.events() == []
    assert desk.machine.introducible(friend.id, other.id) == friend.endpoint
    other.hello()
    other.say(PingOk(0))
    assert [type(event) for event in desk.events()] == [PeerMet]
    assert desk.machine.introducible(other.id, friend.id) == other.endpoint


@pytest.mark.parametrize(
    ("host", "port"),
    [
        ("127.0.0.1", 5000),
        ("224.0.0.1", 5000),
        ("255.255.255.255", 5),
        ("0.0.0.0", 5),
        ("example.org", 5),
        ("10.0.0.1", 0),
        ("10.0.0.1", 65536),
        ("::1", 5000),
    ],
)
def test_introductions_to_no_host_are_refused(host: str, port: int) -> None:
    desk = Desk()
    friend = Stranger(desk)
    friend.meet()
    with pytest.raises(PeerError):
        desk.machine.introduce(Contact(b"x" * 16, Endpoint(host, port)), friend.id, desk.now)


def test_the_last_words_of_one_who_is_gone_introduce_nobody() -> None:
    """What it said and that it left can come together: it is read when it is forgotten, and it was honest."""
    desk = Desk()
    friend, other = Stranger(desk, 1, "127.0.0.1"), Stranger(desk, 2, "127.0.0.1")
    friend.meet()
    desk.dials()
    desk.machine.ban(friend.id, desk.now, 1000)
    desk.machine.introduce(Contact(other.id, other.endpoint), friend.id, desk.now)
    assert desk.dials() == []
    assert desk.machine.counts["introduction by a peer that is gone"] == 1


def test_a_neighbour_at_another_address_of_our_machine_may_name_its_loopback() -> None:
    """It called us at the loopback, and we called it at an address of this machine."""
    desk = Desk()
    friend = Stranger(desk, 1, HERE)
    friend.meet()
    desk.dials()
    desk.machine.introduce(Contact(b"x" * 16, Endpoint("127.0.0.1", 5000)), friend.id, desk.now)
    desk.collect()
    assert desk.dials() == [Endpoint("127.0.0.1", 5000)]


def test_within_one_machine_peers_may_be_introduced_at_its_loopback() -> None:
    desk = Desk()
    friend, other, far = Stranger(desk, 1, "127.0.0.1"), Stranger(desk, 2, "127.0.0.1"), Stranger(desk, 3)
    for each in (friend, far):
        each.meet()
    desk.machine.introduce(Contact(other.id, other.endpoint), friend.id, desk.now)
    desk.collect()
    other.hello()
    other.say(PingOk(0))
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
    desk.dials()
    third = Endpoint("127.0.0.1", 5003)
    desk.machine.introduce(Contact(b"x" * 16, third), outer.id, desk.now)
    desk.collect()
    assert desk.dials() == [third]


# Private rooms


def test_in_a_private_room_everybody_has_a_key_and_keeps_it() -> None:
    desk = Desk(key=b"m" * 32)
    stranger, thief = Stranger(desk, key=b"s" * 32), Stranger(desk, key=b"t" * 32)
    stranger.beacon()
    assert [action.key for action in desk.take(Dial) if isinstance(action, Dial)] == [b"s" * 32]
    stranger.hello()
    stranger.say(PingOk(0))
    assert [event.peer.key for event in desk.events()] == [b"s" * 32]
    thief.hello()
    thief.beacon()
    assert stranger.phase is Phase.MET and desk.machine.counts["not wanted"] == 2
    tail = bytes([stranger.stream]) * 8
    here, own = "10.0.0.7", b"\x01" + stranger.id
    desk.machine.receive(Source(here, Way(identity=own + tail)), encode(Ping(3)), desk.now)
    assert desk.machine.counts["not wanted"] == 3
    desk.machine.receive(Source(here, Way(identity=own), stranger.key), encode(Ping(3)), desk.now)
    assert desk.machine.counts["no ZRE identity"] == 1
    desk.machine.receive(Source(here, Way(identity=own + b"oldtail!"), stranger.key), encode(Ping(3)), desk.now)
    assert desk.machine.counts["before HELLO"] == 1 and stranger.phase is Phase.MET


def test_a_forged_beacon_does_not_keep_the_owner_of_an_identity_out() -> None:
    desk = Desk(key=b"m" * 32)
    stranger, thief = Stranger(desk, key=b"s" * 32), Stranger(desk, key=b"t" * 32)
    thief.beacon()
    stranger.hello()
    stranger.say(PingOk(0))
    assert [event.peer.key for event in desk.events()] == [b"s" * 32]


def test_in_a_private_room_strangers_learn_no_groups() -> None:
    desk = Desk(key=b"m" * 32)
    desk.machine.join("secret")
    one, two = Stranger(desk, 1, key=b"1" * 32), Stranger(desk, 2, key=b"2" * 32)
    for each in (one, two):
        each.meet("secret")
    desk.machine.join("more")
    desk.collect()
    assert all(message.groups == () for message in desk.sent() if isinstance(message, Hello))
    assert desk.machine.shout("secret", b"x") == 0
    assert desk.machine.introducible(two.id, one.id) is None
    desk.machine.admit(one.id)
    desk.collect()
    assert desk.sent() == [Join(3, "secret", 1), Join(4, "more", 2)]
    desk.machine.leave("secret")
    desk.collect()
    assert desk.sent() == [Leave(5, "secret", 3)]
    assert desk.machine.shout("secret", b"x") == 1
    desk.machine.outgoing.clear()
    one.hello("secret")
    one.say(PingOk(0))
    assert desk.machine.shout("secret", b"x") == 0, "it has to prove itself again"


def test_in_a_private_room_an_unsigned_farewell_ends_nothing() -> None:
    desk = Desk(key=b"m" * 32)
    stranger = Stranger(desk, key=b"s" * 32)
    stranger.meet()
    desk.events()
    stranger.beacon(port=0)
    desk.wait(1000)
    assert desk.events() == [] and stranger.phase is Phase.MET
    stranger.beacon()
    stranger.lose()
    assert [event.why for event in desk.events() if isinstance(event, PeerLeft)] == [LossReason.LOST], (
        "it was still there"
    )
    stranger.meet()
    desk.events()
    stranger.beacon(port=0)
    stranger.lose()
    assert [event.why for event in desk.events() if isinstance(event, PeerLeft)] == [LossReason.LEFT]
    assert desk.machine.halfway() == []


def test_in_a_private_room_seeds_are_told_of_us_and_call() -> None:
    desk = Desk(key=b"m" * 32, seeds=[Endpoint("10.9.0.1", 5000)])
    assert [beacon.hosts for beacon in desk.beacons()] == [("10.9.0.1",)]
    assert desk.dials() == []
