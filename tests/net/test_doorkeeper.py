"""The rule of all listeners for the connections that come to them. Its places in the listeners have tests there."""

from random import Random

import pytest

from quadrille.net.core.doorkeeper import FIRST_WORDS, Doorkeeper, Full
from quadrille.net.core.ip_addresses import crowd_of

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
    assert doors.come(NAT) and doors.come(NAT) and doors.gone == [second, third] and len(doors) == 4


def test_silent_connections_without_end_keep_nobody_out() -> None:
    for strangers in ([NAT], [f"192.0.2.{n}" for n in range(1, 200)], [f"2001:db8::{n:x}" for n in range(1, 200)]):
        doors, random = Doors(128), Random(1)
        for now in range(2000):
            doors.come(random.choice(strangers), now)
            if now % 10 == 0:
                honest = doors.come(random.choice([NAT, "10.0.0.7"]), now)
                assert honest and honest not in doors.gone
                doors.spoke(honest)
                doors.left(honest)
        assert len(doors) <= 128


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
    assert len(doors) == 6 and doors.come("2001:db8:0:1::1") and len(doors) == 7


def test_an_address_of_ipv4_that_a_socket_of_both_tells_is_that_address_alone() -> None:
    doors = Doors(8)
    for number in range(1, 8):
        assert doors.come(f"::ffff:192.0.2.{number}")
    assert not doors.gone and crowd_of("::ffff:192.0.2.9") == "192.0.2.9"


@pytest.mark.parametrize(
    ("addresses", "full"),
    [([NAT] * 4, Full.ADDRESS), (["2001:db8::1", "2001:db8::2"] * 3, Full.NETWORK), (["10.0.0.1", NAT] * 4, Full.ALL)],
)
def test_a_newcomer_is_refused_where_all_have_spoken(addresses: list[str], full: Full) -> None:
    doors = Doors(8)
    for address in addresses:
        doors.spoke(doors.come(address))
    newcomer = {Full.ADDRESS: NAT, Full.NETWORK: "2001:db8::3", Full.ALL: "10.0.0.2"}[full]
    assert doors.admit(0, newcomer, 0) is full and not doors.gone and len(doors) == len(addresses)


def test_where_first_words_prove_nothing_who_spoke_gives_way_as_well() -> None:
    doors = Doors(8, proved := set[int]())
    for _ in range(4):
        doors.spoke(doors.come(NAT))
    proved.add(1)
    assert doors.come(NAT) and doors.gone == [2]


def test_first_words_have_a_deadline() -> None:
    doors = Doors(8)
    first, second = doors.come(NAT, 0), doors.come(NAT, 10)
    assert doors.deadline == FIRST_WORDS and doors.late(FIRST_WORDS - 1) == []
    assert doors.late(FIRST_WORDS) == [first]
    doors.spoke(first)
    assert doors.deadline == FIRST_WORDS + 10 and doors.late(FIRST_WORDS + 10) == [second]


def test_nothing_is_kept_of_connections_that_are_gone() -> None:
    doors = Doors(8)
    for number in range(1000):
        doors.left(doors.come(f"10.0.{number % 4}.{number % 250}"))
    assert not (doors._count or doors._silent or doors._crowds)
