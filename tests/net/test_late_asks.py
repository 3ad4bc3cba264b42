"""An Ask for a seat that arrives when its table has begun: it is answered, whoever sends it."""

from quadrille.net.entries.wire import Ask, Entries, Offer
from quadrille.net.seating.gathering import ChairRefused
from tests.net.tables import terms
from tests.net.test_lobby import SMALL, Room


def test_who_asks_for_a_seat_as_the_game_begins_hears_that_it_has_begun() -> None:
    """Its Ask arrives when the host is at play already: it got no answer, and waited for ever."""
    room = Room(terms("barons", 2, SMALL), others=1)
    [late] = room.others
    host = room.seated[0]
    assert late.lobby and host.lobby
    table = room.table(0)
    late.lobby.join(Offer(table.log.table, host.identity.key, room.world.terms, (), "open", 0), room.world.now)
    room.world.after(late)
    room.settle()
    assert room.events(ChairRefused) == [ChairRefused("the game has begun")]
    assert not late.lobby.gatherings and late.identity.key not in host.lobby.watchers.get(table.log.table, ())


def test_a_seat_that_asks_again_when_the_game_has_begun_gets_its_entries() -> None:
    room = Room(terms("barons", 2, SMALL))
    host, guest = room.seated
    assert host.lobby
    host.lobby.outgoing.clear()
    host.lobby.receive(guest.identity.key, Ask(room.table(0).log.table, "seat", "Bob", "bot"), room.world.now)
    sent = [message for key, message in host.lobby.outgoing if key == guest.identity.key]
    assert [message.entries for message in sent if isinstance(message, Entries)]
