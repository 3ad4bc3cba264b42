"""Open books: after the game every card can be shown when all seats have told their secrets, and not one before.

After a seat that left politely, one that was dropped, and one that another played on for.
"""

from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from typing import Any

import pytest

from quadrille.net.cards.group import scalar_bytes
from quadrille.net.core.errors import PeerError
from quadrille.net.entries.motions import all_of
from quadrille.net.entries.wire import Book
from quadrille.net.game_log import archive, books
from quadrille.net.game_log.archive import BadArchive
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Blamed, Opened
from quadrille.net.tables.table import Table
from tests.net.by_hand import Crash, CrashShelf, cut
from tests.net.cards import by_hand

Secrets = dict[tuple[int, int], bytes]
START = ("draw", "draw", "draw", "peek p1 1a 1b", "peek p1 1b 1c", "score p2 1a 1b 1c", "draw", "peek p1 1a 1b")


def over(log: Log) -> Log:
    """All go but one; the last to go need not be on turn."""
    for seat in log.now.seats_in()[1:]:
        by_hand.leave(log, seat)
        if not log.now.over:
            by_hand.serve(log)
    return log


def begun() -> Log:
    return by_hand.serve(by_hand.play(by_hand.dotter(3), *START))


def own_book(log: Log, seat: int) -> Secrets:
    return books.own(log, by_hand.owner(seat), by_hand.shelf_of(log, by_hand.owner(seat)))


def all_books(log: Log) -> Secrets:
    return own_book(log, 0) | own_book(log, 1) | own_book(log, 2)


#: How a game ends: nobody leaves and all agree on a draw, or one after another leaves.
ENDS: dict[str, Callable[[Log], Log]] = {
    "drawn": lambda log: by_hand.decide(log, all_of("draw")),
    "politely": lambda log: over(by_hand.serve(by_hand.leave(log, 1))),
    "dropped": lambda log: over(by_hand.serve(by_hand.play(by_hand.drop(log, log.now.turn or 0), "draw"))),
}


@cache
def ended(name: str) -> Log:
    log = ENDS[name](begun())
    assert log.now.over
    return log


def standings_of(log: Log, deal: books.DealtPile) -> list[Any]:
    """The standings in which that deal lies on the table."""
    rows = [one for one in log.standings if one.deck is not None and not one.deck.shuffling and one.deck.cards]
    return [one for one in rows if (one.deck.pile, one.deck.epoch) == (deal.pile, deal.epoch)]


@pytest.mark.first(1)
@pytest.mark.parametrize("name", ENDS)
def test_open_books_show_every_card_and_agree_with_what_was_seen(name: str) -> None:
    log = ended(name)
    deals = books.deals(log, all_books(log))
    assert [deal.epoch for deal in deals] == ([0, 1] if name == "dropped" else [0])
    for deal in deals:
        rows = standings_of(log, deal)
        first = rows[0].match.state.sealed()
        assert {*deal.cards.values(), *first.up.values()} == set(range(54)), "every card of the deck, each once"
        assert len(deal.cards) + len(first.up) == 54
        for standing in rows:
            up = standing.match.state.sealed().up
            assert {at: face for at, face in up.items() if at in deal.cards} == {
                at: deal.cards[at] for at in up if at in deal.cards
            }
            for seat in standing.deck.live:
                for slot, value in by_hand.seat_secrets(log, seat).faces(standing.deck).items():
                    assert deal.cards[slot] == value
    assert sum(len(row.match.state.sealed().up) for row in log.standings[-1:]) >= 3


@pytest.mark.parametrize("name", ENDS)
def test_one_missing_book_hides_every_card(name: str) -> None:
    log = ended(name)
    secrets, told = all_books(log), books.told(log)
    assert secrets.keys() == books.pages(log).keys()
    laid = {deal.epoch: standings_of(log, deal)[0].deck.live for deal in books.deals(log, {})}
    for page in secrets:
        rest = {key: secret for key, secret in secrets.items() if key != page}
        deals = {deal.epoch: deal.cards for deal in books.deals(log, rest)}
        needed = page not in told and page[1] in laid[page[0]]
        assert (deals[page[0]] is None) == needed
        assert all(cards is not None for epoch, cards in deals.items() if epoch != page[0])
    assert all(deal.cards is None for deal in books.deals(log, {}))


def test_after_a_stand_in_both_have_a_book() -> None:
    """The owner has that of the first epoch, who played on that of the second."""
    log = begun()
    seat = log.now.turn or 0
    own_seat, third = sorted({0, 1, 2} - {seat})
    by_hand.lend(log, seat, by_hand.owner(own_seat))
    by_hand.leave(by_hand.serve(by_hand.leave(by_hand.serve(log), third)), own_seat)
    assert log.now.over
    assert own_book(log, seat).keys() == {(0, seat)}
    pages = {(0, own_seat), *((epoch, min(seat, own_seat)) for epoch in (1, 2))}
    assert own_book(log, own_seat).keys() == pages & books.pages(log).keys() > {(0, own_seat)}
    secrets = all_books(log)
    assert secrets.keys() == books.pages(log).keys()
    assert [deal.epoch for deal in books.deals(log, secrets) if deal.cards] == [0, 1]


def told(table: Table) -> list[Any]:
    return [event for event in table.events if isinstance(event, Opened | Blamed)]


def test_a_table_takes_books_and_hands_them_on() -> None:
    log = cut(ended("drawn"))
    one, other = by_hand.seated(log, 0), by_hand.seated(cut(log), 1)
    one.open_book()
    assert told(one) == [Opened(0, 0)]
    [(_, book)] = one.outgoing
    other.receive(by_hand.owner(2).key, book, 0)  # whoever knows a book may tell it
    assert told(other) == [Opened(0, 0)]
    other.receive(by_hand.owner(0).key, book, 0)
    assert told(other) == [Opened(0, 0)], "no news"
    other.came(by_hand.owner(2).key, 0)
    assert book in [message for _, message in other.outgoing]


def test_a_wrong_secret_is_refused_and_its_sender_blamed() -> None:
    log = cut(ended("dropped"))
    right = all_books(log)
    wrong = [
        (0, 0, right[0, 1]),
        (1, 0, right[0, 0]),
        (0, 1, scalar_bytes(int.from_bytes(right[0, 1], "little") + 1)),
        (0, 1, bytes(32)),
        (0, 1, b"\xff" * 32),
        (0, 3, right[0, 1]),
        (2, 0, right[0, 0]),
        (1, 2 if (1, 2) not in right else 0, by_hand.seat_secrets(log, 2).secret(1)),
    ]
    for row in wrong:
        table = by_hand.seated(log, 0)
        table.receive(by_hand.owner(1).key, Book(log.table, (row,)), 0)
        [blamed] = told(table)
        assert isinstance(blamed, Blamed) and blamed.culprit == by_hand.owner(1).key
        assert log.books == {}
        with pytest.raises(PeerError):
            books.check(log, *row)


def test_no_book_is_opened_or_heard_before_the_end() -> None:
    log = begun()
    table, secret = by_hand.seated(log, 0), by_hand.seat_secrets(log, 1).secret(0)
    table.open_book()
    table.receive(by_hand.owner(1).key, Book(log.table, ((0, 1, secret),)), 0)
    assert (table.outgoing, told(table), log.books) == ([], [], {})
    with pytest.raises(PeerError, match="when the game is over"):
        books.check(log, 0, 1, secret)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_book_that_the_disk_refuses_is_opened_and_kept_when_it_comes_again(seat: int) -> None:
    """One's own and that of another: as if nobody had opened it before."""
    log, shelf = cut(ended("drawn")), CrashShelf(by_hand.owner(0).key)
    table, theirs = by_hand.seated(log, 0, shelf), Book(log.table, ((0, 1, by_hand.seat_secrets(log, 1).secret(0)),))
    for refused in (True, False):
        shelf.die_at = shelf.moments + 1 if refused else None
        with pytest.raises(Crash) if refused else nullcontext():
            table.open_book() if seat == 0 else table.receive(by_hand.owner(1).key, theirs, 0)
    assert told(table) == [Opened(0, seat)]
    assert by_hand.seated(cut(log), 0, shelf).log.books == log.books


def test_a_crash_after_opening_keeps_the_books() -> None:
    """One's own and those that others told: they are on the shelf before they are sent."""
    log = cut(ended("drawn"))
    shelf = CrashShelf(by_hand.owner(0).key)
    table, told = (
        by_hand.seated(log, 0, shelf),
        {(0, seat): by_hand.seat_secrets(log, seat).secret(0) for seat in (0, 1)},
    )
    table.receive(by_hand.owner(1).key, Book(log.table, ((0, 1, told[0, 1]),)), 0)
    table.open_book()
    shelf.lose_power()
    again = cut(log)
    assert again.books == {}
    back = by_hand.seated(again, 0, shelf)
    assert again.books == log.books == told
    back.came(by_hand.owner(2).key, 0)
    assert any(isinstance(message, Book) for _, message in back.outgoing)


def opened(name: str) -> Log:
    log = cut(ended(name))
    log.books = all_books(log)
    return log


@pytest.mark.first(1)
@pytest.mark.parametrize("name", ENDS)
def test_an_archive_brings_the_books_back(name: str) -> None:
    log = opened(name)
    text = archive.write(log)
    again = archive.read(text)
    assert again.books == log.books
    assert books.deals(again, again.books) == books.deals(log, log.books)
    assert archive.write(again) == text


def test_any_character_changed_in_a_book_is_refused() -> None:
    """Every other sign that such a line may hold, in every third place. (An end cut off: test_log.py.)"""
    log = opened("drawn")
    lines = archive.write(log).splitlines(keepends=True)
    whole = "".join(line for line in lines if line.startswith(archive.BOOK))
    assert read_books(whole) == log.books
    for place, there in list(enumerate(whole[:-1]))[::3]:
        for sign in "0123456789abcdef Xbok\n":
            if sign != there:
                with pytest.raises(PeerError):
                    read_books(whole[:place] + sign + whole[place + 1 :])


def read_books(text: str) -> Secrets:
    """What `archive.read` does with these lines after the entries, which take it much longer."""
    log = cut(ended("drawn"))
    for number, line in enumerate(text.split("\n")[:-1], 2 + len(log.entries)):
        archive._open(log, number, line)
    return log.books


def test_a_false_book_in_an_archive_is_named_by_its_line() -> None:
    text = archive.write(opened("drawn"))
    number = text.count("\n")
    for wrong in (
        text[:-2] + "\n",
        text[:-2] + ("0\n" if text[-2] != "0" else "1\n"),
        text + text.splitlines()[-1] + "\n",
    ):
        with pytest.raises(BadArchive) as caught:
            archive.read(wrong)
        assert caught.value.line == number + (wrong.count("\n") > number)
