"""A table with an arbiter: it is shown with its fingerprint, and nobody sits down there unless it was accepted."""

from dataclasses import replace

from quadrille.client.plain.network import PlainStage
from quadrille.client.plain.who import table_data
from quadrille.client.screen.network.views import listed, room
from quadrille.client.table.network.seat import NetworkSeat
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.net.seating.lobby import Invited
from quadrille.net.seating.offers import offers
from quadrille.net.trust.identity import fingerprint
from tests.client.evening import Evening, barons
from tests.net.tables import identity

STRANGER = identity(99).key


def at_choice(arbiter: str = "stranger", **told: object) -> tuple[Evening, PlainStage]:
    """p0 hosts a table with an arbiter, and p1 looks for one."""
    made = Evening(barons(), guests=0)
    host, guest = made.peers
    key = {"stranger": STRANGER, "host": host.identity.key, "guest": guest.identity.key}[arbiter]
    for gathering in host.lobby.gatherings.values():
        gathering.leave()
    host.lobby.host(barons(arbiter=key), b"another", made.world.now)
    made.world.after(host)
    context = replace(made.context(guest), **told)
    talk = made.sit(guest, TableSearch(context, sits=True))
    made.settle(4000)
    return made, talk


def test_nobody_sits_down_under_an_arbiter_before_a_yes() -> None:
    made, talk = at_choice()
    told = made.told("p1")
    assert told.count(f"{fingerprint(STRANGER)}, may put you out of the game here. Type yes to sit down") == 1
    assert made.talks["p1"] is talk and talk.stage.is_idle
    made.settle(10_000)
    assert made.told("p1") == "" and made.talks["p1"] is talk
    assert "You have a seat." in made.type("p1", "yes")


def test_a_yes_from_a_pipe_waits_for_its_question() -> None:
    made = Evening(barons(), guests=0)
    talk = made.sit(made.peers[1], TableSearch(made.context(made.peers[1]), sits=True))
    assert talk.holds("yes") and talk.holds("no")
    assert "No question awaits your answer" in made.type("p1", "yes")
    made, talk = at_choice()
    assert not talk.holds("yes")


def test_a_guest_who_cannot_be_asked_is_refused() -> None:
    made, talk = at_choice(asks=False)
    assert talk.stage.done and talk.stage.code == 1 and talk.stage.onward is None
    assert "so there is no seat for you" in made.told("p1")


def test_one_who_looks_on_is_not_asked() -> None:
    made, _ = at_choice()
    guest = made.peers[1]
    lobby = guest.lobby
    [offer] = offers(lobby)
    lobby.peers[offer.host] = replace(lobby.peers[offer.host], tables=(replace(offer, state="playing"),))
    talk = TableSearch(made.context(guest), "p0")
    talk.tick()
    assert lobby.watching == {offer.table: offer.host} and talk.drain() == []


def test_lists_and_the_waiting_room_show_it() -> None:
    made, _ = at_choice("host", arbiters={STRANGER})
    host, guest = made.peers
    [offer] = offers(guest.lobby)
    key, digits = host.identity.key, fingerprint(host.identity.key)
    assert table_data(guest.lobby, offer)["arbiter"] == {
        "key": key.hex(), "fingerprint": digits, "name": "p0", "plays": True,
    }  # fmt: skip
    context = made.context(guest)
    assert f"arbiter {digits}" in listed(context, [], lambda *_: 0)[0].terms
    waiting = WaitingRoom(context, guest.lobby.join(offer, made.world.now))
    assert f"arbiter {digits}" in room(waiting, ()).terms
    made.sit(guest, waiting)
    assert f"The host may put you out of the game: its key ({digits})" in made.told("p1")


def test_the_table_says_it_and_a_rematch_with_another_arbiter_is_refused() -> None:
    made = Evening(barons()).begin()
    made.type("p0", "resign")
    made.table("p1").hear(Invited(made.peers[0].identity.key, b"t" * 16, barons(arbiter=STRANGER)))
    said = made.type("p1", "rematch")
    assert f"An arbiter, {fingerprint(STRANGER)}, may put you out of the game here. Nobody has told you of it" in said
    assert f"--arbiter {STRANGER.hex()}" in said
    assert isinstance(made.talks["p1"].stage, NetworkSeat)


def test_two_who_want_a_rematch_at_once_do_not_take_the_other_s_arbiter() -> None:
    made = Evening(barons()).begin()
    made.type("p0", "resign")
    guest = made.peers[1]
    made.talks["p1"].typed("rematch")
    made._onward(guest)
    waiting = made.talks["p1"]
    assert isinstance(waiting.stage, WaitingRoom)
    waiting.hear(Invited(made.peers[0].identity.key, bytes(16), barons(arbiter=STRANGER)))
    assert waiting.stage.onward is None
    assert f"arbiter {fingerprint(STRANGER)}" in made.told("p1")
