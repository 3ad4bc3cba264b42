"""The rule of all listeners for the connections that come to them. Its places in the listeners have tests there."""

from random import Random

import pytest

from quadrille.net.core.doorkeeper import FIRST_WORDS, MOST_PACED, PACES, Doorkeeper, Full
from quadrille.net.core.ip_addresses import subnet_of

NAT = "192.0.2.1"


class Doors(Doorkeeper[int]):
    """A listener whose connections are numbers, and those that had to go."""

    def __init__(self, most: int, proved: set[int] | None = None) -> None:
        self.gone: list[int] = []
        super().__init__(most, lambda one, _: self.gone.append(one), proved=None if proved is None else lambda: proved)
        self.number = 0

    def come(self, address: str, now: int = 0) -> int:
        self.number += 1
        return self.number if self.admit(self.number, address, now) is None else 0


def test_the_oldest_silent_connection_of_a_full_address_gives_way_and_those_that_spoke_stay() -> None:
    doors = Doors(8)
    first, second, third, _ = (doors.come(NAT) for _ in range(4))
    doors.spoke(first)
    assert doors.come(NAT) and doors.come(NAT) and doors.gone == [second, third] and len([*doors]) == 4


def test_silent_connections_without_end_keep_nobody_out() -> None:
    for strangers in ([NAT], [f"192.0.2.{n}" for n in range(1, 200)], [f"2001:db8::{n:x}" for n in range(1, 200)]):
        doors, random = Doors(128), Random(1)
        for now in range(2000):
            doors.come(random.choice(strangers), now)
            if now % 10 == 0:
                honest = doors.come(random.choice(["10.0.0.8", "10.0.0.7"]), now)
                assert honest and honest not in doors.gone
                doors.spoke(honest)
                doors.left(honest)
        assert len([*doors]) <= 128


def test_a_full_address_takes_nothing_from_others() -> None:
    doors = Doors(8)
    quiet = doors.come("10.0.0.7")
    for _ in range(100):
        doors.come(NAT)
    assert quiet not in doors.gone and doors.come("10.0.0.8")


def test_a_network_of_ipv6_has_half_as_much_again_as_an_address() -> None:
    doors = Doors(8)
    for number in range(1, 20):
        doors.come(f"2001:db8::{number:x}")
    assert len([*doors]) == 6 and doors.come("2001:db8:0:1::1") and len([*doors]) == 7


def test_an_address_of_ipv4_that_a_socket_of_both_tells_is_that_address_alone() -> None:
    doors = Doors(8)
    for number in range(1, 8):
        assert doors.come(f"::ffff:192.0.2.{number}")
    assert not doors.gone and subnet_of("::ffff:192.0.2.9") == "192.0.2.9"


def test_an_address_whose_connections_say_nothing_gets_five_a_second_and_others_come_as_always() -> None:
    doors, (each, _) = Doors(1000), PACES
    assert sum(bool(doors.come(NAT)) for _ in range(500)) == each.burst
    assert doors.admit(0, NAT, 199) is Full.PACE and doors.come(NAT, 200)
    assert sum(bool(doors.come(NAT, 200 + now)) for now in range(10_001)) == 50 == 10 * each.units
    assert doors.come("192.0.2.2", 200)


@pytest.mark.parametrize("address", [NAT, "2001:db8::1", "fe80::1%2"])
def test_who_says_its_first_words_is_never_slowed(address: str) -> None:
    doors = Doors(1000)
    for _ in range(1000):
        doors.spoke(number := doors.come(address))
        assert number
        doors.left(number)


def test_who_gives_way_or_breaks_a_limit_after_its_first_words_is_slowed_too() -> None:
    for breaks in (True, False):
        doors, came = Doors(8, set()), 0
        while number := doors.come(NAT):
            came += 1
            doors.spoke(number)
            if breaks:
                doors.failed(number, 0)
                doors.left(number)
        assert came == PACES[0].burst + (0 if breaks else 4), "four have their places"


def test_programs_of_one_machine_are_never_slowed() -> None:
    doors = Doors(8)
    assert all(doors.come(here) for here in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "127.5.0.1") for _ in range(500))


def test_an_address_of_ipv6_leaves_its_network_as_much_and_many_have_no_more() -> None:
    doors, (each, network) = Doors(4000), PACES
    assert sum(bool(doors.come("fe80::1%2")) for _ in range(500)) == each.burst
    rest = [doors.come(f"fe80::{number:x}%2") for number in range(2, 500)]
    assert sum(map(bool, rest)) == network.burst - each.burst and doors.come("fe80::2%3")


def test_however_many_addresses_come_few_are_remembered() -> None:
    doors = Doors(8)
    for number in range(3 * MOST_PACED):
        doors.come(f"2001:db8:{number:x}::1")
    assert [len(pace) for pace in doors._paces] == [MOST_PACED, MOST_PACED]


@pytest.mark.parametrize(
    ("addresses", "full"),
    [([NAT] * 4, Full.ADDRESS), (["2001:db8::1", "2001:db8::2"] * 3, Full.NETWORK), (["10.0.0.1", NAT] * 4, Full.ALL)],
)
def test_a_newcomer_is_refused_where_all_have_spoken(addresses: list[str], full: Full) -> None:
    doors = Doors(8)
    for address in addresses:
        doors.spoke(doors.come(address))
    newcomer = {Full.ADDRESS: NAT, Full.NETWORK: "2001:db8::3", Full.ALL: "10.0.0.2"}[full]
    assert doors.admit(0, newcomer, 0) is full and not doors.gone and len([*doors]) == len(addresses)


def test_where_first_words_prove_nothing_who_spoke_gives_way_as_well() -> None:
    doors = Doors(8, proved := set[int]())
    for _ in range(4):
        doors.spoke(doors.come(NAT))
    proved.add(1)
    assert doors.come(NAT) and doors.gone == [2]


def test_first_words_have_a_deadline() -> None:
    doors = Doors(8)
    first, second = doors.come(NAT, 0), doors.come(NAT, 10)
    assert doors.late(FIRST_WORDS - 1) == []
    assert doors.late(FIRST_WORDS) == [first]
    doors.spoke(first)
    assert doors.late(FIRST_WORDS + 10) == [second]


def test_nothing_is_kept_of_connections_that_are_gone() -> None:
    doors = Doors(8)
    for number in range(1000):
        doors.left(doors.come(f"10.0.{number % 4}.{number % 250}"))
    assert not (doors._count or doors._silent or doors._sources)
