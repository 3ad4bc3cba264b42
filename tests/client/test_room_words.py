"""What a person reads at a table: the way back into a private room, and cards that were dealt anew."""

from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.client.network.options import NetworkOptions
from quadrille.client.presence.place import StationPresence, stage_of
from quadrille.client.table import notices
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.notices import Fact, Refused, Seats
from quadrille.client.table.stage import Absence
from quadrille.client.table.wishes import Host
from quadrille.client.words.table import by_name, by_seat
from quadrille.net.program.station import PrivateRoom
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Left
from tests.client.evening import Evening
from tests.net.ports import udp_port
from tests.net.tables import TABLE, terms

IN_ROOM = Seats((), (), " --room attic")
TOLD = (
    notices.About(Fact.TABLE_KEPT, table=TABLE),
    notices.AwaitedAt("Bob", TABLE),
    notices.TableStopped("the same identity is at this table twice", own=True, table=TABLE),
)


@pytest.mark.parametrize("notice", TOLD, ids=lambda notice: str(getattr(notice, "fact", type(notice).__name__)))
@pytest.mark.parametrize("say", [by_name, by_seat])
def test_the_way_back_to_a_table_names_its_room(say: object, notice: notices.Notice) -> None:
    assert callable(say)
    command = f"quadrille resume {TABLE.hex()[:8]}"
    assert f"{command} --room attic" in say(notice, IN_ROOM)
    outside = say(notice, Seats((), ()))
    assert command in outside and "--room" not in outside


@pytest.mark.parametrize(
    ("name", "words"), [("", ""), ("attic", " --room attic"), ("Ann's loft", """ --room 'Ann'"'"'s loft'""")]
)
@pytest.mark.parametrize("usual", [True, False])
def test_the_way_to_a_table_names_its_room_and_an_unusual_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, words: str, usual: bool
) -> None:
    room = PrivateRoom(name, "nine words are enough for one small room here") if name else None
    options = NetworkOptions("Ann", str(tmp_path), ("127.0.0.1",), (), udp_port(), 0, room)
    if usual:
        monkeypatch.setattr("quadrille.client.presence.place.OPEN_PORT", options.port)
    with StationPresence(options) as place:
        stage, _ = stage_of(place, Host(terms("barons", 2)), {})
        assert stage.seats.room == words
        assert stage.way.split("\n")[2] == f"  quadrille join{'' if usual else f' --port {options.port}'}{words}"


def test_cards_that_were_dealt_anew_are_said_before_and_after() -> None:
    anew = notices.About(Fact.SHARE_TAKEN, seat=1)
    seats = Seats(("Ann", "level 2 for Ben"), ("Ann", "Ben"))
    why = "Ben left with a share of the shuffle, so the hidden cards are dealt anew."
    seen = notices.CardsSeen(("JK1", "10H"), anew, ("QD", "AH"))
    assert by_name(seen, seats) == f"{why} You had seen Q♦ and A♥ there; now they are ★ and 10♥."
    assert by_seat(seen, seats).endswith("You had seen QD and AH there; now they are JK1 and 10H.")
    one = notices.CardsSeen(("2S", "3S"), anew, ("", "4C"))
    assert by_name(one, seats) == f"{why} You see 2♠. You had seen 4♣ there; now it is 3♠."
    assert by_name(notices.CardsSeen(("2S",)), seats) == "You see 2♠."


SEATS = Seats(("Ann", "random-1 for Ben"), ("Ann", "Ben"))


def test_a_person_is_spoken_to() -> None:
    back = notices.About(Fact.SHARE_BROUGHT, seat=0)
    assert by_name(Left(0, "resigned"), SEATS, 0) == "You have resigned."
    assert by_name(Left(0, "resigned"), SEATS, 1) == by_name(Left(0, "resigned"), SEATS) == "Ann has resigned."
    assert by_name(back, SEATS, 0).startswith("You are back, with a new share of the shuffle, so the hidden")
    assert by_name(notices.Overdue(0, True, True, False), SEATS, 0).startswith("You are here, but have kept the table")
    assert by_name(notices.MoveMade(0, "pass", forced=True), SEATS, 0) == "You pass: there is no other move."
    assert by_name(notices.About(Fact.OPENED_BOOK, 0), SEATS, 0) == "You open the book of cards."
    assert by_name(notices.About(Fact.SIGNED_TWICE, 0), SEATS, 0).startswith("Your program signed two")
    assert by_name(notices.About(Fact.GONE, 1), SEATS, 1) == "random-1 for you is away. The table waits."
    carried = notices.Carried(notices.ShownMotion("stand-in", 1, "random-1"))
    assert by_name(carried, SEATS, 1) == "random-1 plays for you."
    drop = notices.ProposalTold(notices.ShownMotion("drop", 0, is_away=True), (1,))
    assert by_name(drop, SEATS, 0) == "random-1 for Ben proposes to drop you, who are away."
    assert by_name(drop, SEATS, 1) == "random-1 for you proposes to drop Ann, who is away."
    stands_in = notices.ProposalTold(notices.ShownMotion("stand-in", 0, "Cy"), (1,))
    assert by_name(stands_in, SEATS, 0).endswith("that Cy plays for you, who keep the table waiting.")
    assert "that your time is up" in by_name(notices.ProposalTold(notices.ShownMotion("flag", 0), (1,)), SEATS, 0)


def test_a_refusal_of_the_rules_says_names_on_the_network() -> None:
    why = Refused(RulesError("a1 belongs to player 1: nothing is ever taken over"))
    assert by_name(why, SEATS) == "a1 belongs to Ann: nothing is ever taken over."
    assert by_name(why, SEATS, 0) == "a1 belongs to you: nothing is ever taken over."
    assert by_seat(why, SEATS) == "a1 belongs to player 1 (Ann): nothing is ever taken over."


def test_another_search_does_not_tell_again_why_the_last_one_failed() -> None:
    made = Evening(terms("barons", 2), guests=0)
    known: list[Absence] = []
    context = replace(made.context(made.peers[1]), absent=known.copy)
    late = "Nobody listens at x."
    known.append(Absence("1.2.3.4:555", "1.2.3.4:555 takes connections, but what is there is not Quadrille."))
    first = TableSearch(context, "ann", sits=True)
    first.tick()
    assert len(first.drain()) == 1
    search = TableSearch(context, "bob", sits=True)
    search.tick()
    assert search.drain() == []
    known.append(Absence("x", late))
    search.tick()
    assert search.drain() == [notices.About(Fact.PEER_MISSING, text=late)]
    by_address = TableSearch(context, sits=True, address="1.2.3.4:555", is_there=lambda _: False)
    by_address.tick()
    assert len(by_address.drain()) == 2
