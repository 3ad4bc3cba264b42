"""A seat asks a person to play on for another that is gone: the words, the yes, and where it leads."""

from dataclasses import replace

import pytest

from quadrille.client.presence.place import next_stage
from quadrille.client.table.network.calls import LASTING, MOST_CALLS, Calls
from quadrille.client.table.network.seat import NetworkSeat
from quadrille.client.table.network.stage import Bystander, NetworkStage
from quadrille.client.table.network.table_search import TableSearch
from quadrille.net.entries.terms import Terms
from quadrille.net.seating.lobby import Began, Called
from quadrille.net.tables.table import Table
from tests.client.evening import Evening, barons
from tests.net.simulation import Peer
from tests.net.tables import begun

SMALL = barons(3, grace=2000)


class Deputies(Evening):
    """Three at a table; the first, whose turn it is, is gone. A fourth person is on the network, in `talk`."""

    def __init__(self) -> None:
        super().__init__(SMALL, others=1)
        self.begin()
        self.world.plays_on = False
        self.crash("p0")
        self.settle(8000)
        self.fourth = self.peers[3]
        self.fourth.lobby._resumes = False
        self.told("p1")

    @property
    def number(self) -> str:
        return self.table("p1").table.log.table.hex()[:8]

    def comes(self, where: type[NetworkStage] = Bystander) -> None:
        self.sit(self.fourth, where(self.context(self.fourth)))
        self.told("p3")


def of(peer: Peer, **more: object) -> Called:
    fields = {"table": b"table of nobody.", "before": bytes(32), "seat": 1, "terms": SMALL} | more
    return Called(peer.identity.key, **fields)


@pytest.mark.parametrize("where", [Bystander, TableSearch])
def test_a_person_is_asked_once_and_sits_down_when_the_table_has_decided(where: type[NetworkStage]) -> None:
    made = Deputies()
    made.comes(where)
    assert "p3 is asked to play for player 1 (p0)." in made.type("p1", "stand-in p3")
    made.settle(8000)
    asked = made.told("p3")
    short = made.number
    words = "asks you to play for player 1 at a table of Barons, 3 players, 3 x 3"
    assert asked.count(f"p1 {words}") == 1, "though the seat repeats it every second"
    assert f"(table {short}). Type play-on {short} to agree.\n" in asked
    assert "proposes" not in made.told("p2"), "nothing is to sign before the yes"
    made.talks["p3"].typed(f"play-on {short[:4]}")
    made.world.after(made.fourth)
    made.settle()
    assert f"You will play for player 1 at table {short} once its players have agreed." in made.told("p3")
    assert isinstance(made.talks["p3"].stage, where)
    made.type("p2", "yes")
    assert made.table("p3").table.seat == 0
    made.type("p3", "b2")
    assert "player 1 (p3 for p0): b2" in made.told("p1")


def test_the_yes_is_said_again_to_another_seat_that_asks_the_same() -> None:
    made = Deputies()
    made.comes()
    made.type("p1", "stand-in p3")
    made.talks["p3"].typed(f"play-on {made.number}")
    made.fourth.lobby.outgoing.clear()
    made.settle(3000)
    assert "You propose that p3 plays for player 1 (p0), who is away." in made.told("p1")


def test_who_plays_elsewhere_hears_of_it_and_quit_leads_there() -> None:
    made = Deputies()
    peer, talk = made.peers[2], made.table("p2")
    elsewhere = Table(begun(SMALL), peer.identity, peer.shelf, 0)
    name = elsewhere.log.table
    talk.hear(of(made.fourth, table=name, before=elsewhere.log.head))
    assert f"Type play-on {name.hex()[:8]}" in made.told("p2")
    talk.typed(f"play-on {name.hex()}")
    made.told("p2")
    peer.lobby.tables[name] = elsewhere
    talk.hear(Began(name))
    assert f"From now on you play at table {name.hex()[:8]}: quit takes you there." in made.told("p2")
    assert talk.stage.onward is None
    talk.leave()
    there = next_stage(talk.stage)
    assert isinstance(there, NetworkSeat) and not talk.stage.done
    assert there.table is elsewhere
    there.begin()
    there.leave()
    assert there.done and there.onward is None, "and not back again"


def test_a_host_that_waits_closes_its_table_and_goes() -> None:
    made = Deputies()
    made.opens("p3", barons())
    made.type("p1", "stand-in p3")
    assert "Type play-on" in made.told("p3")
    made.type("p3", f"play-on {made.number}")
    made.type("p2", "yes")
    assert "The table is closed." in made.told("p3")
    assert made.table("p3").table.seat == 0
    assert not made.fourth.lobby.gatherings


def test_what_nobody_asks_is_refused_in_words() -> None:
    made = Deputies()
    made.comes()
    talk = made.talks["p3"]

    def typed(text: str) -> str:
        talk.typed(f"play-on {text}".strip())
        return made.told("p3")

    assert 'Nobody asks you to play on at table "3f2a", or at any other' in typed("3f2a")
    talk.hear(of(made.peers[1]))
    assert 'Nobody asks you to play on at table "3f2a": you are asked at 7461626c' in typed("3f2a")
    talk.hear(of(made.peers[2], before=b"1" * 32))
    assert 'Several people ask about table "7461", and not for the same seat: play-on 7461 NAME' in typed("7461")
    assert "You will play for player 2" in typed("7461 p1")
    talk.hear(of(made.peers[1], table=b"unknown game....", terms=Terms("chess", (), 2)))
    assert "That table can't be played here" in typed("756e")
    made.world.time.now += LASTING + 1
    assert "or at any other" in typed("7461")


def test_questions_are_few_and_those_who_can_not_be_asked_hear_none() -> None:
    made = Deputies()
    calls = Calls()
    for number in range(100):
        assert calls.hear(of(made.peers[1], table=bytes([number]) * 16), 0)
    assert len(calls._open) == MOST_CALLS
    silent = Bystander(replace(made.context(made.fourth), asks=False))
    silent.hear(of(made.peers[1]))
    assert silent.drain() == []
    talk = Bystander(made.context(made.fourth))
    for number in range(1000):
        talk.hear(of(made.peers[1], table=number.to_bytes(16)))
    assert 0 < len(talk.drain()) <= 3, "a flood of questions is a few lines"
