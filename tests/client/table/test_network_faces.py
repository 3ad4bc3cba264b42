"""The same words at the same network tables in every face: plain lines, the screen, the screen of a guest.

A word is the same wish wherever it is typed, and a face by itself refuses only what the table would refuse, so that
every face reaches the same table. What each face says of it, the stories hold (test_sentences.py).
"""

import io
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import pytest

from quadrille.client.phones.requests import GiveAnswer, Word
from quadrille.client.plain.network import PlainNetworkTable
from quadrille.client.reports import is_move
from quadrille.client.screen.evening import Evening as ScreenEvening
from quadrille.client.screen.evening import update_evening
from quadrille.client.screen.lobby.model import LobbyScreen
from quadrille.client.screen.network.news import Around, News, Order
from quadrille.client.screen.network.views import seated
from quadrille.client.screen.table.model import Model, Question
from quadrille.client.screen.table.terminal import Key, Pasted
from quadrille.client.table import wishes
from quadrille.client.table.notices import Refused
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import Wish
from quadrille.client.words.commands import GUESTS, Place, by_any_word, network_wish, word_of
from quadrille.client.words.table import by_name
from quadrille.net.entries.motions import all_of
from quadrille.net.entries.terms import TimeControl
from quadrille.net.game_log.news import Proposed
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.evening import Evening, barons, here, plain_face
from tests.client.parties import StillSeat
from tests.client.sittings import Sitting

#: Lines at a table. Those that only one face knows (its board, its help) are not among them.
LINES: Final = (
    *(word for word, one in by_any_word(Place.TALK).items() if one.wish),
    "takeback 2", "takeback x", "stand-in 3", "stand-in p2", "say hello", "invite p1", "invite nobody", "block p1",
    "a1", "b2",
)  # fmt: skip
#: What one who looks on may wish in plain lines alone.
_LINES_ONLY: Final = ("invite", "wait")


def seat_at(*typed: tuple[str, str], who: str = "p0", seats: int = 2, lost: str = "", **more: object) -> TableSeat:
    """A seat after these lines; the program of `lost` has died, and the grace has passed. The last one looks on."""
    made = Evening(barons(seats, grace=2000, **more), others=1).begin()
    if who == f"p{seats}":
        made.watches(who)
    for name, line in typed:
        made.type(name, line)
    if lost:
        made.crash(lost)
        made.settle(8000)
    made.told(who)
    return made.table(who).stage


def proposed() -> TableSeat:
    seat = seat_at()
    here(PlainNetworkTable(seat, plain_face(seat, io.StringIO()).console), Proposed(all_of("draw"), (1,)))
    return seat


SITUATIONS: Final[dict[str, Callable[[], TableSeat]]] = {
    "my turn": seat_at,
    "the turn of another": lambda: seat_at(who="p1"),
    "after moves of mine": lambda: seat_at(("p0", "a1"), ("p1", "b2")),
    "something is proposed": proposed,
    "a pause": lambda: seat_at(("p0", "pause"), ("p1", "yes")),
    "clocks run": lambda: seat_at(seats=3, clock=TimeControl(60_000, 0)),
    "one of two is gone": lambda: seat_at(who="p1", lost="p0"),
    "one of three is gone": lambda: seat_at(who="p1", seats=3, lost="p0"),
    "the game is over": lambda: seat_at(("p0", "resign")),
    "looking on": lambda: seat_at(who="p2"),
}
Wished: TypeAlias = Wish | None


def plain(seat: TableSeat, line: str) -> Wished:
    face, found = plain_face(seat, io.StringIO()), []
    face.wish = found.append
    face.typed(line)
    return found[0] if found else None


def _orders(seat: TableSeat, line: str, update: Callable[..., tuple[object, tuple[object, ...]]], there: Any) -> Wished:
    """What a line wishes on a screen, where a question is answered by yes."""
    shown = seated(seat, (), cut_off=False, here=2)
    orders: list[Any] = []
    for event in (News(Around(), shown), Pasted(line), Key("enter"), Key("enter")):
        front = getattr(there, "evening", there).front
        asks = isinstance(front, Model) and isinstance(front.overlay, Question)
        if event != Key("enter") or asks or (isinstance(front, Model) and front.line.text == line):
            there, effects = update(there, event)
            orders += [effect for effect in effects if isinstance(effect, Order)]
    return orders[0] if orders else None


def screen(seat: TableSeat, line: str) -> Wished:
    return _orders(seat, line, update_evening, ScreenEvening(LobbyScreen()))


def guest(seat: TableSeat, line: str) -> Wished:
    """What a page wishes, where a question is answered by yes."""
    orders: list[Any] = []
    phone, page = (
        StillSeat(orders.append, lambda: orders.append(wishes.LeaveTable())),
        SimpleNamespace(tell=lambda _: 0),
    )
    phone.hear(seated(seat, (), cut_off=False, here=2), (), "", alarm=False)
    word, _, rest = line.partition(" ")
    phone.obey(page, Word(word, rest))
    if phone._leaving or isinstance(getattr(phone.front, "overlay", None), Question):
        phone.obey(page, GiveAnswer(True))
    return orders[0] if orders else None


def expected(seat: TableSeat, line: str) -> Wished:
    word, _, rest = line.partition(" ")
    if is_move(seat.table.log.now.match, line) or word not in by_any_word(Place.TALK):
        return wishes.PlayMove(line)
    try:
        return network_wish(Place.TALK, word, rest)
    except RulesError:
        return None


def refused(seat: TableSeat, wish: Wish) -> list[Refused]:
    seat.drain()
    seat.wish(wish)
    return [notice for notice in seat.drain() if isinstance(notice, Refused)]


@pytest.mark.parametrize("face", [plain, screen, guest])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_word_is_the_same_wish_in_every_face_or_the_table_would_refuse_it(
    situation: str, face: Callable[[TableSeat, str], Wished]
) -> None:
    seat = SITUATIONS[situation]()
    withheld: list[Wish] = []
    for line in LINES:
        wish, found = expected(seat, line), face(seat, line)
        if found is not None:
            assert found == wish, line
        elif wish is not None and not (face is guest and word_of(wish) not in (*GUESTS, line)):
            withheld.append(wish)
    looks_on = seat.table.seat is None
    for wish in withheld:  # at the end, since one that is granted would change the table
        if isinstance(wish, wishes.Save) and not wish.name:
            continue  # the screen puts a name at the prompt
        assert refused(seat, wish) or (looks_on and word_of(wish) in _LINES_ONLY), f"{wish} is withheld by a face"


#: A wish of each kind, most of which are refused wherever they are made.
ANY: Final[tuple[Wish, ...]] = (
    *wishes.BareWish, wishes.PlayMove("z9"), wishes.Takeback(9), wishes.ProposeMotion("nonsense"), wishes.ResignSeat(),
    wishes.Rematch(), wishes.Say("\n"), wishes.Against(("2",)), wishes.StandIn(""), wishes.Save(""), wishes.Uncover(),
    wishes.Hint("2"), wishes.Load("x"), wishes.InvitePeer(""), wishes.Kick("x"),
)  # fmt: skip


def test_no_wish_raises_at_any_seat_and_each_refusal_has_words() -> None:
    made = Evening(barons())
    room = made.talks["p0"].stage
    made.begin()
    own = Sitting.of(Match(game("barons"), None, 2, deal=Deal("s")), ("", "")).begun().apart()
    for seat in (room, made.table("p0").stage, own):
        for wish in ANY:
            seat.wish(wish)
            told = [by_name(one, seat.seats) for one in seat.drain() if isinstance(one, Refused)]
            assert all(told), f"{wish} is refused without a word"
