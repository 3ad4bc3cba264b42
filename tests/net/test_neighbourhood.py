"""Neighbours: every cell of the table; calls, beacons and signs of life, message by message and in virtual time."""

import pytest

from quadrille.net.neighbours.link_queue import Dial
from quadrille.net.neighbours.neighbour import (
    COMMANDS,
    TABLE,
    Contact,
    Deed,
    Endpoint,
    Joined,
    LeftGroup,
    LossReason,
    NeighbourLimits,
    PeerLeft,
    PeerMet,
    Phase,
    Said,
    rows,
)
from quadrille.net.zeromq.zre import Beacon, Hello, Join, Message, Ping, PingOk, Shout, Whisper, encode
from tests.net.strangers import HERE, ME, PORT, SAMPLES, Desk, Stranger


def stranger_in(desk: Desk, phase: Phase) -> Stranger:
    stranger = Stranger(desk)
    if phase is Phase.GREETED:
        stranger.beacon()
    elif phase is not Phase.AWAY:
        stranger.hello("G")
        if phase is Phase.MET:
            stranger.say(PingOk(0))
    assert stranger.phase is phase
    desk.events()
    desk.actions.clear()
    return stranger


def test_the_table_is_whole_and_printable() -> None:
    assert set(TABLE) == set(COMMANDS)
    assert all(set(deeds) == set(Phase) for deeds in TABLE.values())
    assert rows()[0] == ["", "away", "greeted", "heard", "met"]
    assert ["PING-OK", "drop", "drop", "meet", "count"] in rows()


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: COMMANDS[type(message)])
def test_each_message_does_in_each_phase_what_the_table_says(message: Message, phase: Phase) -> None:
    desk = Desk()
    stranger = stranger_in(desk, phase)
    stranger.say(message)
    events, sent = desk.events(), desk.sent()
    told = [type(event) for event in events]
    deed = TABLE[type(message)][phase]
    expected: dict[Deed, tuple[list[type], list[type], Phase]] = {
        Deed.DROP: ([], [], phase),
        Deed.COUNT: ([], [], phase),
        Deed.HOLD: ([], [], phase),
        Deed.SAY: ([Said], [], phase),
        Deed.JOIN: ([Joined] if phase is Phase.MET else [], [], phase),
        Deed.LEAVE: ([LeftGroup] if phase is Phase.MET else [], [], phase),
        Deed.ANSWER: ([], [PingOk], phase),
        Deed.MEET: ([PeerMet, Joined], [], Phase.MET),
    }
    assert (told, [type(one) for one in sent], stranger.phase) == expected[deed]
    assert desk.machine.counts["before HELLO"] == (deed is Deed.DROP)
    if deed is not Deed.DROP:  # its number was counted: the next one is understood
        stranger.say(Ping(0))
        assert [type(one) for one in desk.sent()] == [PingOk]


@pytest.mark.parametrize("phase", Phase)
def test_a_hello_opens_or_reopens(phase: Phase) -> None:
    desk = Desk()
    stranger = stranger_in(desk, phase)
    old = stranger.link
    desk.wait(2000)
    stranger.hello()
    assert stranger.phase is Phase.HEARD
    again = TABLE[Hello][phase] is Deed.REOPEN
    assert again == (phase in (Phase.HEARD, Phase.MET))
    assert [type(event) for event in desk.events()] == ([PeerLeft] if phase is Phase.MET else [])
    assert (stranger.link == old) == (phase is Phase.GREETED)
    assert stranger.link is not None


def test_what_is_said_before_the_meeting_is_heard_after_it() -> None:
    desk = Desk()
    stranger = stranger_in(desk, Phase.HEARD)
    stranger.say(Whisper(0, (b"early",)))
    stranger.say(Join(0, "H", 1))
    stranger.say(Shout(0, "G", (b"bird",)))
    assert desk.events() == []
    stranger.say(PingOk(0))
    met, one, two, early, bird = desk.events()
    assert isinstance(met, PeerMet) and met.peer.groups == {"G", "H"}
    assert [one, two] == [Joined(met.peer, "G"), Joined(met.peer, "H")]
    assert [early, bird] == [Said(met.peer, None, b"early"), Said(met.peer, "G", b"bird")]


def test_who_says_too_much_before_the_meeting_is_not_heard_in_full() -> None:
    desk = Desk(NeighbourLimits(held=3))
    stranger = stranger_in(desk, Phase.HEARD)
    for number in range(5):
        stranger.say(Whisper(0, (bytes([number]),)))
    stranger.say(PingOk(0))
    assert [event.payload for event in desk.events() if isinstance(event, Said)] == [b"\0", b"\1", b"\2"]
    assert desk.machine.counts["said too much before it was met"] == 2


# Calling


def test_a_beacon_is_answered_with_hello_and_ping() -> None:
    desk = Desk()
    desk.machine.join("G")
    stranger = Stranger(desk)
    desk.actions.clear()
    stranger.beacon()
    assert [type(action) for action in desk.actions[:1]] == [Dial]
    assert desk.sent() == [Hello(1, f"tcp://{HERE}:{PORT}", ("G",), 0, "me", (("K", "v"),)), Ping(2)]
    assert desk.events() == [] and desk.machine.peers() == []
    stranger.hello("A", name="Zoë", headers=(("X", "y"),))
    assert desk.events() == [] and desk.dials() == []
    stranger.say(PingOk(0))
    met = desk.events()[0]
    assert isinstance(met, PeerMet) and desk.machine.peers() == [met.peer]
    assert (met.peer.id, met.peer.name, met.peer.headers, met.peer.address, met.peer.key) == (
        stranger.id,
        "Zoë",
        {"X": "y"},
        "10.0.0.7",
        None,
    )


def test_a_hello_is_answered_at_the_address_it_comes_from() -> None:
    """Whatever its text says: a peer on several interfaces may name the wrong one, a hostile one somebody else's."""
    desk = Desk()
    stranger = Stranger(desk)
    stranger.sequence = 1
    stranger.raw(*encode(Hello(1, "tcp://172.17.0.1:50001", (), 0, "", ())))
    assert desk.dials() == [Endpoint("10.0.0.7", 50001)]


def test_a_peer_on_two_interfaces_is_called_once() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.beacon(address="10.0.0.7")
    stranger.beacon(address="10.1.0.7")
    stranger.hello()
    assert desk.dials() == [Endpoint("10.0.0.7", 50001)]
    stranger.lose()
    assert desk.dials() == [Endpoint("10.1.0.7", 50001)]


def test_all_places_are_tried_before_the_pause_and_pauses_grow() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.beacon(address="10.0.0.7")
    stranger.beacon(address="10.1.0.7")
    times = []
    for _ in range(10):
        while stranger.link is not None:
            stranger.lose()
        assert set(desk.dials()) == {Endpoint("10.0.0.7", 50001), Endpoint("10.1.0.7", 50001)}
        start = desk.now
        while stranger.link is None and desk.now - start < 60_000:
            stranger.beacon()
            desk.wait(250)
        times.append(desk.now - start)
    assert times[0] <= 1000 and 20_000 <= times[-1] <= 36_250
    assert times[:4] == sorted(times[:4])


def test_a_beacon_after_a_silence_ends_the_pause() -> None:
    """Perhaps the cable is back."""
    desk = Desk()
    stranger = Stranger(desk)
    stranger.beacon()
    for _ in range(300):
        if stranger.link is not None:
            stranger.lose()
        stranger.beacon()
        desk.wait(250)
    while stranger.link is None:
        desk.wait(250)
    stranger.lose()
    stranger.beacon()
    assert stranger.link is None
    desk.wait(6000)
    assert stranger.link is None
    stranger.beacon()
    assert stranger.link is not None


def test_of_many_places_the_newest_are_kept_and_hearsay_replaces_none() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    for number in range(20):
        stranger.beacon(address=f"10.1.0.{number}")
    neighbour = desk.machine._known.get(stranger.id)
    assert neighbour is not None
    newest = [Endpoint(f"10.1.0.{number}", stranger.port) for number in range(19, 11, -1)]
    assert neighbour.contacts == newest
    friend = Stranger(desk, 2)
    friend.meet()
    desk.machine.introduce(Contact(stranger.id, Endpoint("10.2.0.1", 5000)), friend.id, desk.now)
    desk.collect()
    assert neighbour.contacts == newest


def test_a_ghost_is_never_shown() -> None:
    """It hears us and greets us, but where it is said to be nobody answers (network.md: docker0 first)."""
    desk = Desk()
    stranger = Stranger(desk)
    for second in range(120):
        stranger.beacon()
        if second % 10 == 0:
            stranger.hello()
        if stranger.link is not None:
            stranger.lose()
        desk.wait(1000)
    assert desk.events() == [] and desk.machine.peers() == []
    assert len(desk.machine.halfway()) == 1
    assert len(desk.dials()) < 40


def test_a_call_without_an_answer_is_given_up_and_made_again() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.beacon()
    desk.machine.connected(stranger.link or 0)
    assert [half.connected for half in desk.machine.halfway()] == [True]
    desk.wait(5500)  # somebody is there, and may be slow
    assert stranger.phase is Phase.GREETED
    desk.wait(500)
    assert stranger.phase is Phase.AWAY
    desk.wait(1000)
    assert stranger.phase is Phase.GREETED


def test_calls_are_rationed() -> None:
    """A flood of beacons is cheap to make; calls are not."""
    desk = Desk(NeighbourLimits(calls=8))
    for number in range(1, 200):
        Stranger(desk, number, f"10.0.1.{number}").beacon()
    assert len(desk.dials()) == 8
    desk.wait(1000)
    assert len(desk.dials()) <= 9


def test_only_calls_that_are_made_are_counted() -> None:
    """Beacons of many identities at one place lead to one call, and use up nobody else's."""
    desk = Desk(NeighbourLimits(calls=8))
    for number in range(1, 8):
        Stranger(desk, number, "10.0.1.1").beacon(50001)
    honest = [Stranger(desk, number, f"10.0.0.{number}") for number in range(100, 107)]
    for stranger in honest:
        stranger.beacon()
    assert desk.dials() == [Endpoint("10.0.1.1", 50001), *(stranger.endpoint for stranger in honest)]


def test_room_is_limited_and_who_says_hello_goes_first() -> None:
    desk = Desk(NeighbourLimits(peers=4, calls=4))
    beacons = [Stranger(desk, number, f"10.0.1.{number}") for number in range(1, 21)]
    for stranger in beacons:
        stranger.beacon()
    desk.wait(5000)
    greeters = [Stranger(desk, number, f"10.0.1.{number}") for number in range(31, 41)]
    for stranger in greeters:
        stranger.hello()
    assert [stranger.phase for stranger in greeters] == [Phase.HEARD] * 4 + [Phase.AWAY] * 6
    assert desk.machine.counts["no room"] > 0
    desk.wait(1000)
    for stranger in greeters[:4]:
        stranger.say(PingOk(0))
    assert len(desk.machine.peers()) == 4
    greeters[0].beacon(port=0)
    desk.wait(500)
    greeters[5].hello()
    assert greeters[5].phase is Phase.HEARD


# Beacons


def test_our_beacon_goes_out_about_every_second() -> None:
    desk = Desk()
    desk.take(Dial)
    desk.wait(60_000)
    beacons = desk.beacons()
    assert 54 <= len(beacons) <= 67
    assert {(beacon.datagram, beacon.hosts) for beacon in beacons} == {(Beacon(ME, PORT).encode(), ())}


def test_our_own_beacon_is_not_a_peer() -> None:
    desk = Desk()
    desk.machine.heard_beacon(HERE, Beacon(ME, PORT).encode(), desk.now)
    assert desk.machine.halfway() == [] and desk.machine.counts == {"own echo": 1}


def test_beacons_of_the_other_world_are_not_answered() -> None:
    desk = Desk()
    Stranger(desk, key=b"k" * 32).beacon()
    assert desk.dials() == [] and desk.machine.counts == {"beacon of another world": 1}
    room = Desk(key=b"m" * 32)
    Stranger(room).beacon()
    assert room.dials() == [] and room.machine.counts == {"beacon of another world": 1}


def test_port_zero_means_farewell() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet()
    desk.events()
    stranger.beacon(port=0, address="10.0.0.8")
    desk.wait(500)
    assert desk.events() == [], "somebody else's word"
    stranger.beacon(port=0)
    stranger.say(Whisper(0, (b"last words",)))
    assert [event.payload for event in desk.events() if isinstance(event, Said)] == [b"last words"]
    desk.wait(500)
    assert [event.why for event in desk.events() if isinstance(event, PeerLeft)] == [LossReason.LEFT]
    desk.wait(60_000)
    assert desk.machine.halfway() == []


def test_we_say_farewell() -> None:
    desk = Desk(seeds=[Endpoint("10.9.0.1", 0)])
    desk.beacons()
    desk.machine.close()
    desk.collect()
    assert [(beacon.datagram, beacon.hosts) for beacon in desk.beacons()] == [(Beacon(ME, 0).encode(), ("10.9.0.1",))]


# Signs of life


def test_a_quiet_peer_is_pinged_and_a_silent_one_given_up() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet()
    desk.events()
    desk.sent()
    desk.wait(1900)
    assert desk.sent() == []
    desk.wait(2600)
    assert 2 <= len(desk.sent()) <= 3
    stranger.say(PingOk(0))
    desk.wait(1700)
    assert desk.sent() == [] and desk.events() == []
    desk.wait(3600)
    assert desk.events() == [], "its last answer came late, so it may be silent for longer than five seconds"
    desk.wait(6000)
    assert [event.why for event in desk.events() if isinstance(event, PeerLeft)] == [LossReason.SILENT]


def test_a_peer_that_answers_is_pinged_every_two_seconds_at_most() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet()
    desk.sent()
    pings = 0
    for _ in range(100):
        desk.wait(100)
        if asked := desk.sent():
            pings += len(asked)
            stranger.say(PingOk(0))
    assert 3 <= pings <= 5 and len(desk.machine.peers()) == 1


def test_the_time_in_which_we_did_not_listen_is_nobodys_silence() -> None:
    """Stopped, asleep or busy for a minute: what was sent meanwhile is read after the clock."""
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet()
    desk.events()
    desk.now += 60_000
    desk.wait(0)
    assert desk.events() == [] and stranger.phase is Phase.MET
    desk.wait(5300)
    assert [event.why for event in desk.events() if isinstance(event, PeerLeft)] == [LossReason.SILENT]


def test_beacons_are_signs_of_life() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet()
    desk.sent()
    for _ in range(100):
        desk.wait(1000)
        stranger.beacon()
    assert desk.sent() == [] and len(desk.machine.peers()) == 1


def test_who_does_not_read_is_parted_with() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet()
    desk.events()
    desk.machine.choked(stranger.link or 0, desk.now)
    desk.collect()
    assert [event.why for event in desk.events() if isinstance(event, PeerLeft)] == [LossReason.CHOKED]
    assert desk.machine.whisper(stranger.id, b"x") is False


def test_news_of_links_that_are_closed_mean_nothing() -> None:
    desk = Desk()
    stranger = Stranger(desk)
    stranger.meet()
    for link in (0, 99):
        desk.machine.lost(link, desk.now)
        desk.machine.choked(link, desk.now)
        desk.machine.connected(link)
    assert stranger.phase is Phase.MET
