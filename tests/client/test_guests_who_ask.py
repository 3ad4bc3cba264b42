"""A host who is asked about each guest: the waiting room before plain lines, and the screen."""

from dataclasses import replace

import pytest

from quadrille.client.screen.evening import Evening as Screen
from quadrille.client.screen.evening import update_evening
from quadrille.client.screen.network.news import Around, News
from quadrille.client.screen.table.terminal import Key, Ring
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.notices import GuestAsks, GuestGone, Seats
from quadrille.client.table.stage import Bystander
from quadrille.client.table.wishes import BareWish
from quadrille.client.words.table import by_name
from tests.client.evening import Evening
from tests.client.screen.keyboard import text
from tests.client.screen.network.scenes import ROOM, lobby
from tests.net.tables import terms

BEN, CID = GuestAsks(1, "Ben", "10.0.0.7"), GuestAsks(2, "Cid", "10.0.0.8")


class Host:
    """A host in lines, and the answers that the guests get."""

    def __init__(self) -> None:
        self.evening = Evening(terms("barons", 3), guests=0)
        [(self.name, self.face)] = self.evening.talks.items()
        self.answers: list[tuple[int, bool]] = []
        stage = self.face.stage
        stage.context = replace(stage.context, admit=lambda number, yes: self.answers.append((number, yes)))

    def told(self) -> str:
        return self.evening.told(self.name)


def test_the_host_is_asked_about_one_after_another() -> None:
    host = Host()
    host.told()
    host.face.hear(BEN)
    host.face.hear(CID)
    assert "Ben, at 10.0.0.7, wants to sit down. Type yes or no." in (asked := host.told()) and "Cid" not in asked
    host.face.typed("no")
    assert host.answers == [(1, False)]
    told = host.told()
    assert "Ben is turned away." in told and "Cid, at 10.0.0.8, wants to sit down." in told
    host.face.typed("y")
    assert host.answers == [(1, False), (2, True)] and "Cid may sit down." in host.told()
    host.face.typed("yes")
    assert "No question awaits your answer." in host.told()


def test_the_question_about_a_guest_who_goes_is_taken_back() -> None:
    host = Host()
    for event in (BEN, CID, GuestGone(1), GuestGone(9)):
        host.face.hear(event)
    told = host.told()
    assert "Ben asks no longer." in told and told.count("Cid, at 10.0.0.8") == 1
    host.face.typed("yes")
    assert host.answers == [(2, True)]


def test_guests_who_ask_in_the_lobby_or_at_play_wait_for_the_next_table() -> None:
    host = Host()
    host.face.hear(BEN)
    host.face.leave()
    lobby = Bystander(host.face.stage.context)
    for event in (CID, GuestGone(1)):
        lobby.hear(event)
    told = " ".join(by_name(notice, Seats.of(())) for notice in lobby.drain())
    assert told == "Ben asks no longer. Cid wants to sit down: you are asked when a table of yours is open."
    room = WaitingRoom(lobby.context, lobby.context.lobby.host(terms("maze"), b"n" * 16, 0))
    room.begin()
    assert room.drain() == [CID]
    room.wish(BareWish.AGREE)
    assert host.answers == [(2, True)]


def test_an_answer_from_a_pipe_waits_for_its_question() -> None:
    host = Host()
    assert host.face.holds("yes") and host.face.holds("n")
    host.face.hear(BEN)
    assert not host.face.holds("yes") and not host.face.holds("n")


def asked() -> tuple[Screen, tuple[object, ...]]:
    evening, _ = update_evening(Screen(lobby()), News(Around(), ROOM))
    return update_evening(evening, News(Around(), replace(ROOM, question=by_name(BEN, Seats.of(())))))


@pytest.mark.parametrize(("typed", "wish"), [("y", BareWish.AGREE), ("n", BareWish.DECLINE)])
def test_the_screen_rings_and_asks_for_one_letter(typed: str, wish: BareWish) -> None:
    evening, effects = asked()
    assert Ring() in effects
    assert "Ben, at 10.0.0.7, wants to sit down. y: yes. n: no." in text(evening)
    assert {BareWish.AGREE, BareWish.DECLINE}.isdisjoint(update_evening(evening, Key("enter"))[1])
    evening, effects = update_evening(evening, Key(typed))
    assert effects == (wish,)
    for key in "es" if typed == "y" else "o":  # the rest of the word is no line
        evening, effects = update_evening(evening, Key(key))
    assert "wants to sit down" not in text(evening)
    assert evening.front and not evening.front.line.text


def test_a_line_that_is_typed_goes_on_and_the_question_stays() -> None:
    evening, _ = asked()
    for key in "kick yan":
        evening, effects = update_evening(evening, Key(key))
        assert not effects
    evening, _ = update_evening(evening, Key("c-u"))
    assert "wants to sit down" in text(evening)
