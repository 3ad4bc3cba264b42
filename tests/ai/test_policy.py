"""Where a bot sits down: the policy as a value, and by it in a simulated network, invited or not."""

from typing import Any

import pytest

from quadrille.ai.peer.policy import ANYONE, BOTS, PEOPLE, Policy
from quadrille.net.entries.terms import Chair, TimeControl
from quadrille.net.entries.wire import Offer
from quadrille.net.seating.gathering import Gathering, TurnedDown
from tests.ai.guests import SMALL, BotWorld
from tests.net.tables import terms

ANN = Chair(b"a" * 32, "Ann", "person")
BEN = Chair(b"b" * 32, "Ben", "bot")


@pytest.mark.parametrize(
    ("policy", "more", "says"),
    [
        (Policy(), {}, None),
        (Policy(games=frozenset({"maze", "dotter"})), {}, "it does not play barons, only dotter, maze"),
        (Policy(games=frozenset({"barons"})), {}, None),
        (Policy(untimed=False), {}, "it plays with a clock only"),
        (Policy(untimed=False), {"clock": TimeControl(1000, 0)}, None),
        (Policy(shortest=60_000), {"clock": TimeControl(59_000, 0)}, "the clock 59s+0s is too short for it"),
        (Policy(shortest=60_000), {"clock": TimeControl(60_000, 0)}, None),
        (Policy(longest=60_000), {"clock": TimeControl(61_000, 0)}, "the clock 61s+0s is too long for it"),
        (Policy(shortest=60_000, longest=60_000), {}, None),
    ],
)
def test_games_and_clocks(policy: Policy, more: dict[str, Any], says: str | None) -> None:
    assert policy.objection(terms("barons", 3, SMALL, **more), ANN, [ANN], 0) == says


@pytest.mark.parametrize(
    ("opponents", "chairs", "says"),
    [
        ({ANYONE}, [ANN, BEN], None),
        ({PEOPLE}, [ANN], None),
        ({PEOPLE}, [ANN, BEN], "it does not play with Ben"),
        ({BOTS}, [BEN], "it does not play with Ann"),
        ({ANN.key.hex()}, [ANN], None),
        ({ANN.key.hex(), BOTS}, [ANN, BEN], None),
        ({"Ann"}, [ANN], "it does not play with Ann"),
        ({BEN.key.hex()}, [ANN], "it does not play with Ann"),
    ],
)
def test_opponents(opponents: set[str], chairs: list[Chair], says: str | None) -> None:
    assert Policy(opponents=frozenset(opponents)).objection(terms("barons", 3, SMALL), ANN, chairs, 0) == says


def test_tables_at_once_and_seats_for_people() -> None:
    three = terms("barons", 3, SMALL)
    assert Policy(tables=2).objection(three, ANN, [ANN], 1) is None
    assert Policy(tables=1).objection(three, ANN, [ANN], 1) == "it sits at 1 table already, as many as it may"
    assert Policy(tables=2).objection(three, ANN, [ANN], 2) == "it sits at 2 tables already, as many as it may"
    kept = "the seats that are left are kept for people"
    assert Policy(kept_for_people=1).objection(three, ANN, [ANN], 0) is None  # she is the one
    assert Policy(kept_for_people=2).objection(three, ANN, [ANN], 0) is None
    assert Policy(kept_for_people=2).objection(three, ANN, [ANN, BEN], 0) == kept
    assert Policy(kept_for_people=1).objection(three, BEN, [BEN], 0) is None
    assert Policy(kept_for_people=2).objection(three, BEN, [BEN], 0) == kept


class Salon(BotWorld):
    """A bot by a policy, and hosts who are people."""

    def __init__(self, policy: Policy, hosts: int = 1) -> None:
        super().__init__("salon", terms("barons", 2, SMALL, lot=False), others=hosts - 1)
        self.bot, *people = self.peers.values()
        self.people = people[:hosts]
        for peer in self.peers.values():
            self.start(peer)

        def comes(offer: Offer, at_tables: int) -> str | None:
            peer = self.bot.lobby.peers[offer.host]
            return policy.objection(offer.terms, Chair(offer.host, peer.name, peer.kind), offer.chairs, at_tables)

        self.guest = self.bring(
            self.bot, asks=lambda *_: "only by invitation", comes=comes, stays=True, tables=policy.tables
        )

    @property
    def news(self) -> list[str]:
        return [declined.why for declined in self.told(TurnedDown)]

    def invite(self, number: int) -> Gathering:
        """A person opens a table and invites the bot."""
        self.pass_time(2000)
        gathering = self.host(self.people[number])
        self.invite_to(gathering, number)
        return gathering

    def invite_to(self, gathering: Gathering, number: int) -> None:
        gathering.invite(self.bot.key)
        self.after(self.people[number])
        self.pass_time(2000)


def test_it_turns_down_with_the_reason() -> None:
    salon, says = Salon(Policy(opponents=frozenset({PEOPLE}))), "it does not play with p1"
    assert len(salon.invite(0).chairs) == 1 and salon.news == [says]
    assert salon.guest.news[-1].endswith(f"where it was invited: {says}")


def test_it_plays_at_two_tables_at_once_and_at_no_third() -> None:
    salon = Salon(Policy(tables=2), hosts=3)
    gatherings = [salon.invite(number) for number in range(2)]
    for person, gathering in zip(salon.people, gatherings, strict=False):
        salon.start_game(person, gathering)
    salon.pass_time(2000)
    third = salon.invite(2)
    assert len(third.chairs) == 1 and salon.news == ["it is at another table"]
    assert len(salon.guest.sittings) == 2
    tables = [person.lobby.tables[one.table] for person, one in zip(salon.people, gatherings, strict=False)]
    for _ in range(60):
        for person, table in zip(salon.people, tables, strict=False):
            salon.play_first(person, table)
        salon.pass_time(300)
    assert all(table.over for table in tables)
    assert salon.guest.fault is None and salon.guest.sittings == {}
    salon.events.clear()
    salon.pass_time(3000)
    third.invited.clear()
    salon.invite_to(third, 2)
    assert len(third.chairs) == 2 and salon.news == []
