"""Tables by terms that can't be played here, of a later version or of malice: nobody sits down there."""

from dataclasses import replace
from typing import Any

import pytest

from quadrille.ai.peer.guest import Guest
from quadrille.client.screen.lobby.draw import state_words
from quadrille.client.screen.lobby.model import LobbyScreen as Screen
from quadrille.client.screen.lobby.update import _go_to
from quadrille.client.screen.network.session import listed
from quadrille.client.table.network.table_search import unplayable_tables
from quadrille.client.table.stage import NetworkContext
from quadrille.client.words.table import unplayable_lines
from quadrille.net.core.errors import PeerError
from quadrille.net.entries.terms import Terms, TimeControl
from quadrille.net.entries.wire import Advert, Answer, Invite, Offer, opened, sealed
from quadrille.net.hall.posting import advert_of, content_of
from quadrille.net.seating.lobby import Dropped, Invited, Lobby
from quadrille.net.seating.offers import offers, unplayable
from quadrille.rules.native.install import UPDATE
from tests.ai.inside import talk
from tests.net.by_hand import CrashShelf
from tests.net.tables import TABLE, identity, terms

GOOD = terms("barons")
HOST = identity(2)
#: Terms of the right shape that nobody here can play.
STRANGE = {
    "a later version": replace(GOOD, rules=99),
    "another game": replace(GOOD, game="chess"),
    "an option that is none": replace(GOOD, options=(("nothing", 1),)),
    "an option of another type": replace(GOOD, options=(("height", "--1"), ("width", "--1"))),
    "an option twice": replace(GOOD, options=(*GOOD.options, *GOOD.options)),
    "half of the options": replace(GOOD, options=GOOD.options[:1]),
    "a long option": replace(GOOD, options=(("x" * 40, "y" * 400),)),
    "too many seats": replace(GOOD, seats=26),
    "takebacks of what was seen": terms("dotter", takebacks=True),
}


@pytest.fixture(params=STRANGE.values(), ids=STRANGE)
def strange(request: pytest.FixtureRequest) -> Terms:
    found: Terms = request.param
    return found


def bystander() -> Lobby:
    lobby = Lobby(identity(1), "Ann", "person", CrashShelf(identity(1).key))
    lobby.came(HOST.key, 0)
    return lobby


def offered(*tables: tuple[bytes, Terms]) -> Advert:
    return Advert("Bob", "person", tuple(Offer(table, HOST.key, one, (), "open", 0) for table, one in tables))


def hear(lobby: Lobby, message: Any) -> list[Any]:
    """What it says to a message that came over the wire, or to a posting."""
    lobby.outgoing.clear()
    if isinstance(message, Advert):
        lobby.list_peer(HOST.key, advert_of(content_of(message)))
        return []
    _, read = opened(sealed(message, HOST))
    lobby.receive(HOST.key, read, 0)
    return [said for _, said in lobby.outgoing]


def test_a_table_that_can_t_be_played_is_left_out_and_told_where_tables_are_listed(strange: Terms) -> None:
    lobby, other = bystander(), b"table number two"
    hear(lobby, offered((TABLE, strange), (other, GOOD)))
    assert [offer.table for offer in offers(lobby)] == [other]
    [(offer, why)] = unplayable(lobby)
    assert offer.table == TABLE and why
    assert unplayable_lines(unplayable_tables(lobby)) == [
        f"Table {TABLE.hex()[:8]} of Bob can't be played here: {why}."
    ]
    assert not [event for event in lobby.events if isinstance(event, Dropped)]
    hear(lobby, offered((other, GOOD)))
    assert unplayable(lobby) == [] and unplayable_tables(lobby) == []


def test_an_invitation_there_is_turned_down_with_the_reason(strange: Terms) -> None:
    lobby = bystander()
    [answer] = hear(lobby, Invite(TABLE, strange))
    assert isinstance(answer, Answer) and answer.table == TABLE and not answer.yes and answer.why
    opened(sealed(answer, identity(1)))  # it can be sent
    assert not [event for event in lobby.events if isinstance(event, Invited)]
    assert hear(lobby, Invite(TABLE, GOOD)) == []
    assert [event.terms for event in lobby.events if isinstance(event, Invited)] == [GOOD]


def test_a_bot_that_waits_sits_down_at_none_and_goes_on_waiting(strange: Terms) -> None:
    lobby = bystander()
    guest = Guest(lobby, talk, asks=lambda offer, at: None, comes=lambda offer, at: None, stays=True)
    for message in (offered((TABLE, strange)), Invite(TABLE, strange)):
        hear(lobby, message)
        for event in lobby.events:
            guest.hear(event, 0)
        lobby.events.clear()
        guest.act(0)
    assert not lobby.gatherings and not guest.done and guest.failure is None
    hear(lobby, offered((b"table number two", GOOD)))
    guest.act(0)
    assert list(lobby.gatherings) == [b"table number two"]
    guest.close()


def test_the_screen_lists_it_and_does_not_sit_down(strange: Terms) -> None:
    lobby = bystander()
    hear(lobby, offered((TABLE, strange)))
    [row] = listed(NetworkContext(lobby, lambda: 0))
    assert (row.id, row.state, state_words(row)[0]) == (TABLE.hex(), "unplayable", "can't be played here")
    full = replace(row, state="open", taken=row.seats)
    assert state_words(full) == ("all seats are taken", "waits there for a seat")
    assert row.terms == unplayable(lobby)[0][1]
    after, effects = _go_to(Screen(), row)
    assert effects == () and f"That table can't be played here: {row.terms}" in after.notice


def test_terms_may_grow_and_a_table_with_unknown_ones_is_refused_by_their_names() -> None:
    """A later version's table is seen, with the reason for which this program can't sit down."""
    agreed = terms("barons", 2)
    later = (*agreed.plain(), (("handicap", 3),))
    assert Terms.SHAPE.fits(agreed.plain()) and Terms.SHAPE.fits(later)
    assert not Terms.SHAPE.fits((*agreed.plain(), ())), "what is empty is left out"
    read = Terms.read(later)
    assert read.plain() == later and read != agreed
    assert read.objection() == (f"this program does not know these terms: handicap; {UPDATE}")
    assert Terms.read(agreed.plain()).plain() == agreed.plain()


def test_hints_are_a_term_that_only_tables_with_hints_have() -> None:
    """Terms without hints are as before, so peers of before sit down at such tables."""
    agreed = terms("barons", 2)
    assert not agreed.hints and agreed.more == ()
    read = Terms.read((*agreed.plain(), (("hints", True),)))
    assert read.hints and read.objection() is None
    for more in ((("hints", False),), (("hints", 1),), (("hints", True), ("hints", True))):
        assert "written once, as true" in str(Terms.read((*agreed.plain(), more)).objection())


@pytest.mark.parametrize(
    "more",
    [
        [("deal", '["s", {}]')], [("times", "[1, 2]")], [("deal", "s")], [("deal", "[1, {}]")],
        [("deal", '["s", {"p": [1]}]')], [("deal", '["s", []]')], [("deal", "[" * 99_999)], [("times", "[1]")],
        [("times", "[true, 1]")], [("times", "5")], [("times", "[-1, 1]")], [("deal", True)],
        [("times", "[1, 2]"), ("deal", '["s", {}]')],
    ],
)  # fmt: skip
def test_how_a_game_begins_is_said_by_one_who_plays_alone_and_said_right(more: list[tuple[str, object]]) -> None:
    clock = TimeControl(60_000, 0)
    for agreed in (terms("barons", 2, more=tuple(more), clock=clock), terms("barons", 2, more=tuple(more))):
        with pytest.raises(PeerError):
            agreed.check()
    if len(more) > 1 or more[0][1] not in ('["s", {}]', "[1, 2]"):
        with pytest.raises(PeerError):
            terms("barons", 2, more=tuple(more), clock=clock).check(alone=True)
    else:
        terms("barons", 2, more=tuple(more), clock=clock).check(alone=True)
