"""Where a bot sits down: the policy as a value, and by it in a simulated network, invited or not."""

from typing import Any

import pytest

from quadrille.ai.peer.guest import Guest, Objection
from quadrille.ai.peer.policy import ANYONE, BOTS, PEOPLE, Policy
from quadrille.net.entries.terms import Chair, Terms, TimeControl
from quadrille.net.entries.wire import Offer
from quadrille.net.seating.gathering import TurnedDown
from quadrille.net.seating.lobby import At, Lobby
from tests.ai.inside import talk
from tests.net.simulation import Peer, World
from tests.net.tables import terms

SMALL = {"width": 3, "height": 3}
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


class Salon:
    """A bot by a policy, and hosts who are people."""

    def __init__(self, policy: Policy, hosts: int = 1) -> None:
        self.world = World("salon", terms("barons", 2, SMALL, lot=False), others=hosts - 1)
        self.world.act = self._act  # type: ignore[method-assign]
        self.world.notice = self._notice  # type: ignore[method-assign]
        self.news: list[Any] = []
        self.guest: Guest | None = None
        bot, *hosts_here = list(self.world.peers.values())[: hosts + 1]
        self.bot = bot
        self.policy = policy
        for peer in self.world.peers.values():
            self.world.start(peer)
        self.lobbies: list[Lobby] = [peer.lobby for peer in hosts_here if peer.lobby]
        self.hosts = hosts_here
        assert bot.lobby
        self.guest = Guest(
            bot.lobby, talk, asks=lambda *_: "only by invitation", comes=self._comes(bot.lobby), stays=True,
            tables=policy.tables,
        )  # fmt: skip

    def _comes(self, lobby: Lobby) -> Objection:
        def objection(offer: Offer, at_tables: int) -> str | None:
            peer = lobby.peers[offer.host]
            return self.policy.objection(offer.terms, Chair(offer.host, peer.name, peer.kind), offer.chairs, at_tables)

        return objection

    def _act(self, peer: Peer) -> None:
        if peer is self.bot and self.guest:
            self.guest.act(self.world.now)

    def _notice(self, peer: Peer, event: Any) -> None:
        if peer is self.bot and self.guest:
            self.guest.hear(event, self.world.now)
        match event:
            case At(_, TurnedDown(_, why)):
                self.news.append(why)

    def settle(self, time: int = 2000) -> None:
        self.world.pass_time(time)

    def invite(self, host: int, agreed: Terms) -> Any:
        """A host opens a table and invites the bot."""
        self.settle()
        lobby = self.lobbies[host]
        gathering = lobby.host(agreed, b"nonce", self.world.now)
        gathering.invite(self.bot.identity.key)
        self.world.after(self.hosts[host])
        self.settle()
        return gathering


def test_it_turns_down_with_the_reason() -> None:
    salon, says = Salon(Policy(opponents=frozenset({PEOPLE}))), "it does not play with p1"
    gathering = salon.invite(0, salon.world.terms)
    assert len(gathering.chairs) == 1 and salon.news == [says]
    assert salon.guest and salon.guest.news[-1].endswith(f"where it was invited: {says}")


def test_it_plays_at_two_tables_at_once_and_at_no_third() -> None:
    salon = Salon(Policy(tables=2), hosts=3)
    gatherings = [salon.invite(host, salon.world.terms) for host in range(2)]
    for host, gathering in enumerate(gatherings):
        gathering.start(salon.world.now)
        salon.world.after(salon.hosts[host])
    salon.settle()
    third = salon.invite(2, salon.world.terms)
    assert len(third.chairs) == 1 and salon.news == ["it is at another table"]
    assert salon.guest and len(salon.guest.sittings) == 2
    tables = [lobby.tables[gathering.table] for lobby, gathering in zip(salon.lobbies, gatherings, strict=False)]
    for _ in range(60):
        for host, table in enumerate(tables):
            if table.is_my_turn and not table.over:
                table.play(str(next(iter(table.log.now.match.state.moves))), salon.world.now)
                salon.world.after(salon.hosts[host])
        salon.settle(300)
    assert all(table.over for table in tables)
    assert salon.guest.fault is None and salon.guest.sittings == {}
    salon.news.clear()
    salon.settle(3000)
    third.invited.clear()
    third.invite(salon.bot.identity.key)
    salon.world.after(salon.hosts[2])
    salon.settle()
    assert len(third.chairs) == 2 and salon.news == []


def test_a_bot_plays_under_no_arbiter_that_its_owner_did_not_name() -> None:
    key = b"x" * 32
    under = terms("barons", 3, SMALL, arbiter=key)
    why = Policy().objection(under, ANN, [ANN], 0)
    assert why is not None and "it was not told of the arbiter" in why
    assert Policy(arbiters=frozenset({key})).objection(under, ANN, [ANN], 0) is None
    assert Policy().objection_to_arbiter(terms("barons", 3, SMALL)) is None
    runner = Chair(key, "Run", "runner")
    assert Policy().objection_to_runner(under, runner) is None  # who runs a tournament is its arbiter
    assert Policy().objection_to_runner(under, Chair(b"r" * 32, "Run", "runner")) == why
