"""What a guest sees and may do, without a connection: whatever it presses, nothing of the host's is reached."""

from hypothesis import given, settings
from hypothesis import strategies as some

from quadrille.client.guests.screen import (
    Effects,
    Enter,
    GuestEvent,
    GuestScreen,
    Inside,
    Knock,
    Lettered,
    Seat,
    draw_guest,
    update_guest,
)
from quadrille.client.screen.network.news import Around, News, Room, Seated, Sent, StationLeft, TableRow, Watch
from quadrille.client.screen.table.model import ShownChair, ShownTable
from quadrille.client.screen.table.terminal import Entitle, Key, Pasted, Resized, Ring, Told
from quadrille.client.table.effects import Quit, Wake
from quadrille.client.table.network.wishes import LeaveTable, NetworkWish, PlayFor, PlayMove, Save, StandIn, UnknownWord
from quadrille.client.words.commands import GUESTS
from quadrille.client.words.network.wished import word_of
from quadrille.rules.match import Match
from quadrille.rules.registry import game

ABOUT, TABLE = "Barons, 2 players", "ab" * 8
MATCH = Match(game("barons"), {"width": 3, "height": 3}, 2)
ROOM = Room(TABLE, "barons", "Barons", "terms", False, 2)
SEATED = Seated(TABLE, ShownTable(MATCH, (ShownChair("Ann"), ShownChair("Gus, guest")), (0,), 0, local=False))


def news(front: Room | Seated | None = None, *tables: TableRow) -> News:
    return News(Around(tables), front)


def after(guest: GuestScreen, *events: GuestEvent) -> tuple[GuestScreen, Effects]:
    """The guest after all that, and all that was asked for."""
    asked: Effects = ()
    for event in events:
        guest, more = update_guest(guest, event)
        draw_guest(guest)
        asked += more
    return guest, asked


def typed(text: str) -> list[GuestEvent]:
    return [*map(Key, text), Key("enter")]


def inside(*events: GuestEvent) -> GuestScreen:
    return after(GuestScreen(ABOUT, TABLE), Inside("bcdf-ghjk", "Gus, guest", plain=False), *events)[0]


def text(guest: GuestScreen) -> str:
    return "\n".join(draw_guest(guest).lines)


def test_s2_at_the_door_the_next_letter_takes_the_place_of_what_was_refused() -> None:
    guest = after(GuestScreen(ABOUT, TABLE), *typed("bcdf-wrong"), Told("There is no such code."))[0]
    assert "bcdf-wrong" in text(guest)
    assert after(guest, *typed("Gus"))[1] == (Knock("Gus"),)


def test_from_the_door_to_the_table() -> None:
    guest, asked = after(GuestScreen(ABOUT, TABLE), *typed("Gus"))
    assert asked == (Knock("Gus"),)
    assert "not encrypted" in text(guest) and ABOUT in text(guest)
    guest, asked = after(guest, Told("All seats are taken."))
    assert "All seats are taken." in text(guest)
    guest, asked = after(guest, Seat("bcdf-ghjk", "Gus, guest"), Key("x"), Key("enter"))
    assert "bcdf-ghjk" in text(guest) and asked == (Enter(),)
    guest, asked = after(guest, Inside("bcdf-ghjk", "Gus, guest", plain=True), news())
    assert "A seat is asked for" in text(guest) and text(guest).isascii()
    guest, asked = after(guest, news(ROOM), news(SEATED), *typed("b2"))
    assert "Gus, guest" in text(guest) and asked[-1] == Sent(PlayMove("b2"))


def test_a25_a_name_beyond_ascii_is_right_at_the_door() -> None:
    """As it is typed, and in the sentence about the seat; a terminal of which nothing is known gets plain letters."""
    guest, asked = after(GuestScreen(ABOUT, TABLE), Lettered(), *map(Key, "Zoë"))
    assert "> Zoë" in text(guest)
    guest, asked = after(guest, Key("enter"), Seat("bcdf-ghjk", "Zoë, guest"))
    assert asked == (Knock("Zoë"),)
    assert "There is a seat for you, Zoë, guest." in text(guest) and "\\" not in text(guest)
    assert text(after(GuestScreen(ABOUT, TABLE), Seat("bcdf-ghjk", "Zoë, guest"))[0]).isascii()


def test_a_name_is_short() -> None:
    _, asked = after(GuestScreen(ABOUT, TABLE), Pasted("x" * 5000 + "\nmore"), Key("enter"))
    assert asked == (Knock("x" * 24),)


def test_who_comes_late_may_look_on() -> None:
    row = TableRow(TABLE, "Barons", "", "Ann", 2, 2, "playing")
    guest = inside(news(None, row))
    assert "Enter looks on" in text(guest)
    assert after(guest, Key("enter"))[1] == (Sent(Watch(TABLE)),)
    closed = inside(news(None, TableRow(TABLE, "Barons", "", "Ann", 2, 2, "playing", may_watch=False)))
    assert "Enter" not in text(closed) and after(closed, Key("enter"))[1] == ()


def test_what_is_for_others_is_refused() -> None:
    guest = inside(news(SEATED))
    for line in ("save x.txt", "stand-in 3", "stand-in ./bot.py"):
        refused, asked = after(guest, *typed(line))
        assert not any(isinstance(effect, Sent) for effect in asked), line
    refused, asked = after(guest, Key("f2"))
    assert "for those who play on their own machine" in text(refused) and asked == ()
    refused, asked = after(guest, *typed("theme paper"))
    assert refused.look.theme == "paper" and asked == ()


def test_leaving() -> None:
    assert after(GuestScreen(ABOUT, TABLE), Key("c-q"))[1] == (Quit(),)
    assert after(inside(news()), Key("c-c"))[1] == (Quit(),)
    assert after(inside(news(SEATED)), Key("c-q"))[1][-1] == Sent(LeaveTable())
    assert after(inside(news(SEATED)), StationLeft(0))[1] == (Quit(),)


EVENTS = some.one_of(
    some.sampled_from(
        [Key(key) for key in ("enter", "escape", "tab", "up", "down", " ", "c-q", "c-t", "c-z", "c-l", "c-p", "home")]
        + [Key(f"f{number}") for number in range(1, 13)]
        + [news(ROOM), news(SEATED), news(), Seat("bcdf-ghjk", "x"), Inside("bcdf-ghjk", "x", plain=False)]
        + [Resized(10, 10), Resized(1, 1), Resized(40, 120)]
    ),
    some.sampled_from(
        ["save! x", "stand-in mcts", "kick Ann", "say x", "play maze", "host maze", "file x.txt", "name x"]
    ).map(Pasted),
    some.characters().map(Key),
)


@settings(deadline=None)
@given(some.lists(EVENTS, max_size=25))
def test_whatever_is_pressed_nothing_of_the_hosts_is_reached(events: list[GuestEvent]) -> None:
    _, asked = after(GuestScreen(ABOUT, TABLE), *events)
    for effect in asked:
        match effect:
            case Ring() | Entitle() | Wake() | Quit() | Knock() | Enter() | Sent(PlayMove()):
                continue
            case Sent(Watch(table)):
                assert table == TABLE
            case Sent(order) if isinstance(order, NetworkWish):
                assert word_of(order) in GUESTS and not isinstance(order, Save | StandIn | PlayFor | UnknownWord)
            case _:
                raise AssertionError(effect)
