"""The same words at the same tables in every face: plain lines, the screen, the screen of a guest.

A word is the same wish wherever it is typed, and a face by itself refuses only what the table would refuse, so that
every face reaches the same table. What each face says of it, the stories hold (test_sentences.py).
"""

import io
from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import pytest

from quadrille.ai.bots.player import StillThinking
from quadrille.ai.faults import BotFault
from quadrille.client.phones.requests import GiveAnswer, Word
from quadrille.client.plain.table import PlainTable
from quadrille.client.reports import is_move
from quadrille.client.screen.evening import Evening as ScreenEvening
from quadrille.client.screen.evening import update_evening
from quadrille.client.screen.lobby.model import LobbyScreen
from quadrille.client.screen.network.news import Around, News, Order
from quadrille.client.screen.table.model import Model, Own, Question
from quadrille.client.screen.table.shown import seated
from quadrille.client.screen.table.terminal import Key, Pasted, Quit
from quadrille.client.screen.table.update import update
from quadrille.client.settings import Settings
from quadrille.client.table import wishes
from quadrille.client.table.notices import Refused
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import Advise, BareWish, PlayMove, TextWish, Wish
from quadrille.client.words.commands import GUESTS, Place, by_any_word, by_word, network_wish, word_of
from quadrille.client.words.table import by_name
from quadrille.net.entries.motions import all_of
from quadrille.net.entries.terms import TimeControl
from quadrille.net.game_log.news import Proposed
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.evening import Evening, StillSeat, barons, here, plain_face
from tests.client.screen.keyboard import match_of, shown_at
from tests.client.sittings import Sitting, Typist, plain_table

Wished: TypeAlias = Wish | None
#: A table at one keyboard, or a seat on the network.
Table: TypeAlias = Sitting | TableSeat
#: No program is started: what bots answer is written down with the situations.
BOT: Final = "/nowhere/bot.py"
CLOCK: Final = TimeControl(60_000, 0)


def own(*wished: Wish | int, bots: tuple[str, ...] = ("", ""), key: str = "barons", clock: bool = False) -> Sitting:
    match = Match(game(key), None, len(bots), deal=Deal("s"))
    return Sitting.of(match, bots, CLOCK if clock else None).begun().after(*wished)


THREE: Final = ("", BOT, BOT)
THINKS: Final = own(PlayMove("a1"), bots=THREE)
OWN: Final = {
    "two people at the start": own(),
    "two people later": own(PlayMove("a1"), PlayMove("b2"), PlayMove("c3")),
    "a person against bots at the start": own(bots=THREE),
    "a bot thinks": THINKS,
    "a bot has thought for long": THINKS.after(StillThinking(15_000)),
    "a bot has failed": THINKS.after(BotFault("crash", "ended")),
    "a hint is awaited": own(wishes.TextWish(wishes.Verb.HINT, "2"), bots=THREE),
    "a draw is offered": own(BareWish.DRAW, bots=THREE),
    "the game is over": own(PlayMove("a1"), BareWish.RESIGN),
    "the only person has left": own(BareWish.RESIGN, bots=THREE),
    "clocks run": own(0, PlayMove("a1"), 9000, clock=True),
    "a person's hand is hidden": own(PlayMove("draw"), wishes.BareWish.UNCOVER, wishes.BareWish.UNCOVER, key="dotter"),
    "a pass was forced": Sitting.of(match_of("coin-isolation", 2, 17, seed="d"), ("", "")).begun(),
}


def seat_at(*typed: tuple[str, str], who: str = "p0", seats: int = 2, lost: str = "", **more: object) -> TableSeat:
    """A seat after these lines; the program of `lost` has died, and the grace has passed. The last one looks on."""
    made = Evening(barons(seats, grace=2000, **more), others=1).begin()
    if who == f"p{seats}":
        made.choose(who)
        made.settle(4000)
    for name, line in typed:
        made.type(name, line)
    if lost:
        made.crash(lost)
        made.settle(8000)
    made.told(who)
    return made.table(who).stage


def proposed() -> TableSeat:
    seat = seat_at()
    here(PlainTable(seat, plain_face(seat, io.StringIO()).console), Proposed(all_of("draw"), (1,)))
    return seat


ON_NETWORK: Final[dict[str, Callable[[], TableSeat]]] = {
    "my turn": seat_at,
    "the turn of another": lambda: seat_at(who="p1"),
    "after moves of mine": lambda: seat_at(("p0", "a1"), ("p1", "b2")),
    "something is proposed": proposed,
    "a pause": lambda: seat_at(("p0", "pause"), ("p1", "yes")),
    "clocks run": lambda: seat_at(seats=3, clock=CLOCK),
    "one of two is gone": lambda: seat_at(who="p1", lost="p0"),
    "one of three is gone": lambda: seat_at(who="p1", seats=3, lost="p0"),
    "the game is over": lambda: seat_at(("p0", "resign")),
    "looking on": lambda: seat_at(who="p2"),
}


def words_at(place: Place) -> list[str]:
    """Words that are wishes. A face knows others alone (its board, its help), and asks for a file's name by itself."""
    own_files = place is Place.LINES
    return [word for word, one in by_any_word(place).items() if one.wish and not (own_files and one.takes == "FILE")]


#: Lines at a table of one keyboard, and at one on the network.
LINES: Final = {
    Place.LINES: (
        *words_at(Place.LINES), "takeback 2", "takeback 9", "takeback x", "takeback 0", "undo 1", "stand-in greedy",
        "stand-in greedy,2", "stand-in nobody", "against greedy", "against people", "against greedy,greedy",
        "against 1,2,3,4", "against nobody", "a1", "b2",
    ),
    Place.TALK: (
        *words_at(Place.TALK), "takeback 2", "takeback x", "stand-in 3", "stand-in p2", "say hello", "invite p1",
        "invite nobody", "block p1", "a1", "b2",
    ),
}  # fmt: skip


def seat_of(table: Table) -> TableSeat:
    return table.seat if isinstance(table, Sitting) else table


def place_of(table: Table) -> Place:
    return Place.LINES if isinstance(table, Sitting) else Place.TALK


def first(found: list[Any]) -> Wished:
    return next(iter(found), None)


def plain(table: Table, line: str) -> Wished:
    found: list[Wish] = []
    if isinstance(table, Sitting):
        face: Any = plain_table(table.match, Typist(lambda _: None))
        face.stage = table.seat
    else:
        face = plain_face(table, io.StringIO())
    face.wish = found.append
    face.typed(line)
    return first(found)


def screen(table: Table, line: str) -> Wished:
    """What a line wishes on a screen, where a question is answered by yes."""
    own = isinstance(table, Sitting)
    there: Any = shown_at(table) if own else ScreenEvening(LobbyScreen())
    shown = [] if own else [News(Around(), seated(table, (), here=2))]
    found: list[Any] = []
    for event in (*shown, Pasted(line), Key("enter"), Key("enter")):
        front = there if own else there.front
        asks = isinstance(front, Model) and isinstance(front.overlay, Question)
        if event != Key("enter") or asks or (isinstance(front, Model) and front.line.text == line):
            there, effects = (update if own else update_evening)(there, event)
            found += [effect.wish if isinstance(effect, Own) else effect for effect in effects
                      if isinstance(effect, Own | Order)]  # fmt: skip
            found += [wishes.BareWish.LEAVE] * effects.count(Quit())
            found += [TextWish(wishes.Verb.HINT, effect.bot) for effect in effects if isinstance(effect, Advise)]
    return first(found)


def guest(table: TableSeat, line: str) -> Wished:
    """What a page wishes, where a question is answered by yes."""
    found: list[Any] = []
    phone = StillSeat(found.append, lambda: found.append(wishes.BareWish.LEAVE))
    page = SimpleNamespace(tell=lambda _: 0, refuse=lambda _: 0)
    phone.hear(seated(table, (), here=2), (), "", alarm=False)
    word, _, rest = line.partition(" ")
    phone.obey(page, Word(word, rest))
    if phone.is_leaving or isinstance(getattr(phone.front, "overlay", None), Question):
        phone.obey(page, GiveAnswer(True))
    return first(found)


def expected(table: Table, line: str) -> Wished:
    """The wish of a line; None where the words after the first one mean nothing."""
    (word, _, rest), place = line.partition(" "), place_of(table)
    if is_move(seat_of(table).match, line) or word not in by_any_word(place):
        return PlayMove(line)
    local = isinstance(table, Sitting)
    with suppress(RulesError):
        return by_any_word(place)[word].wished(rest, Settings().hints) if local else network_wish(place, word, rest)
    return None


def refused(seat: TableSeat, wish: Wish) -> list[Refused]:
    seat.drain()
    seat.wish(wish)
    return [notice for notice in seat.drain() if isinstance(notice, Refused)]


#: What one who looks on may wish in plain lines alone; a phone waits for a seat by its own page.
_LINES_ONLY: Final = ("invite", "wait", "join")


@pytest.mark.parametrize(
    "make", [*(lambda name=name: OWN[name] for name in OWN), *ON_NETWORK.values()], ids=[*OWN, *ON_NETWORK]
)
def test_a_word_is_the_same_wish_in_every_face_or_the_table_would_refuse_it(make: Callable[[], Table]) -> None:
    table = make()
    withheld: dict[str, Wish] = {}
    for line in LINES[place_of(table)]:
        wish = expected(table, line)
        for face in (plain, screen) if isinstance(table, Sitting) else (plain, screen, guest):
            found = face(table, line)
            if found == PlayMove(line) != wish:  # no word of this face
                assert refused(seat_of(table), found), f"{line}, {face.__name__}"
            elif found is not None:
                assert found == wish, f"{line}, {face.__name__}"
            elif wish is not None and not (face is guest and word_of(wish) not in (*GUESTS, line)):
                withheld[f"{line}, {face.__name__}"] = wish
    seat = table.apart() if isinstance(table, Sitting) else table
    for where, wish in withheld.items():  # at the end, since one that is granted would change the table
        if isinstance(wish, wishes.Save) and not wish.name:
            continue  # the screen puts a name at the prompt
        looks_on = seat.table.seat is None and word_of(wish) in _LINES_ONLY
        assert refused(seat, wish) or looks_on, f"{wish} is withheld: {where}"


#: A wish of each kind, most of which are refused wherever they are made.
ANY: Final[tuple[Wish, ...]] = (
    *(wish for wish in wishes.BareWish if wish is not wishes.BareWish.LEAVE), wishes.Against(("2",)),
    PlayMove("z9"), wishes.Takeback(9), BareWish.LIST_TABLES,
    *(wishes.TextWish(verb, "\n") for verb in wishes.Verb), wishes.Save(""), wishes.Load("x"),
)  # fmt: skip


def test_no_wish_raises_at_any_seat_and_each_refusal_has_words() -> None:
    made = Evening(barons())
    room = made.talks["p0"].stage
    made.begin()
    for seat in (room, made.table("p0").stage, own().apart()):
        for wish in ANY:
            told = [by_name(one, seat.seats) for one in refused(seat, wish)]
            assert all(told), f"{wish} is refused without a word"


# The table of commands: what it says of each word holds in all faces, and nothing is said twice


def test_a_word_means_itself_where_a_place_has_it_and_else_its_namesake() -> None:
    assert by_any_word(Place.OWN)["rules"].word == "help"
    assert by_any_word(Place.LOBBY)["rules"].word == "rules"
    assert by_any_word(Place.OWN)["undo"] is by_word(Place.OWN)["takeback"]
