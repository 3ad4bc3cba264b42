"""Seats on phones at a real table: what each shows, how its guest leaves, and what a host in plain lines reads."""

import argparse
import asyncio
from pathlib import Path

import pytest

from quadrille.client.commands import host as command
from quadrille.client.table.wishes import Host
from tests.client.phones.doors import kept_guests
from tests.client.phones.served import NINE, at_phones, is_open, served, told


@pytest.mark.slow
async def test_a_page_shows_what_its_own_seat_has_seen_and_a_host_what_the_keyboard_has(tmp_path: Path) -> None:
    """The host's program knows all cards here. What Ann peeks at is on no page, and what Gus sees not in her lines."""
    dotter = ("dotter", "--seats", "2", "--set", "laps=1", "--no-takebacks")
    with served(tmp_path, *dotter) as table:
        ann = table.host
        async with at_phones(table, "Gus") as (gus,), table.page(screen=True) as screen:
            for number in range(6):
                if number % 2:
                    await gus.until(lambda parts, at=number: parts["at"] == at and parts["head"]["mine"])
                    await gus.ask("play", at=number, line="draw")
                else:
                    await told(ann, "^Your turn")
                    ann.enter("draw")
            await told(ann, "^Your turn")
            peek = "peek p1 1a 2a"
            ann.enter(peek)
            first, other = ann.wait("You see (\\S+) and (\\S+)\\.").groups()
            await gus.until(lambda parts: parts["at"] == 7 and parts["head"]["mine"])
            assert "You see" not in str(gus.parts) and "= " not in str(gus.parts["log"]), "what Ann saw"
            await gus.ask("play", at=7, line=peek)
            await gus.until(lambda parts: "You see" in str(parts["told"]))  # his own
            await screen.until(lambda parts: parts.get("at") == 8)
            assert "You see" not in str(screen.parts) and "= " not in str(screen.parts["log"])
            await told(ann, "Gus.*: peek")
            assert ann.text.count("You see") == 1 and f"{first} {other}" not in ann.text


@pytest.mark.slow
async def test_it_asks_before_somebody_leaves(tmp_path: Path) -> None:
    with served(tmp_path, *NINE) as table:
        async with at_phones(table, "Ben") as (ben,):
            for yes in (False, True):
                await ben.ask("word", word="quit", rest="")
                await ben.answer(yes=yes)
                if not yes:
                    await ben.until(lambda parts: not parts["ask"])
            await ben.is_sent_away()
            assert ben.socket.close_code == 4405 and ben.socket.close_reason == "Your seat is kept."
        await told(table.host, "Ben.* is away")
        async with table.page(ben.seat["token"]) as again:  # the seat was kept
            await again.until(lambda parts: parts.get("at") == 0)
            await told(table.host, "Ben.* is back")


# `quadrille host --guests` as a program: what it says, that pages come and go with it, and what it leaves behind


def test_guests_are_let_in_only_where_the_host_says_so() -> None:
    command.arguments(parser := argparse.ArgumentParser())
    words = (["maze"], ["maze", "--guests"], ["maze", "--guests", "3"], ["maze", "--guests=ask"])
    assert [parser.parse_args(row).guests for row in words] == [0, "all", 3, "ask"]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("maze --guests", (2, 1)),
        ("maze --guests 2", (2, 2)),
        ("maze --bots 1 --guests", (2, 1)),
        ("barons --guests", (4, 3)),
        ("barons --guests=ask", (4, 3)),
        ("barons --guests --seats 3", (3, 2)),
        ("barons --bots 1 --guests", (4, 2)),
        ("barons --bots 1 --guests 2", (4, 2)),
        ("barons --seats 2 --bots 1 --guests", (2, 1)),
    ],
)
def test_guests_have_all_free_seats_unless_a_number_is_named(
    monkeypatch: pytest.MonkeyPatch, words: str, wanted: tuple[int, int]
) -> None:
    """Seats, and those of them for guests. The host has one unless others have all."""
    found: list[Host] = []
    monkeypatch.setattr(command, "spend", lambda settings, wish: found.append(wish) or 0)
    command.arguments(parser := argparse.ArgumentParser())
    assert command.run(parser.parse_args(words.split())) == 0
    assert [(wish.terms.seats, wish.guests) for wish in found] == [wanted]


@pytest.mark.slow
async def test_a_host_in_plain_lines_and_a_guest(tmp_path: Path) -> None:
    with served(tmp_path, *NINE) as table:
        ann = table.host
        for line in ("1 seat is kept for a guest without an install", "No phone reaches this machine"):
            assert line in ann.text
        await told(ann, "signs your guests' moves and sees their cards")
        await told(ann, "encrypted by the QR code")
        async with table.page() as gus:
            await gus.sit("Gus")
            await told(ann, "Gus sits down")
            await told(ann, "^Your turn")
            ann.enter("a1")
            await gus.until(lambda parts: parts.get("at") == 1)
            ann.enter("quit")
            assert await asyncio.to_thread(ann.end) == 0
            await gus.is_sent_away()
            assert gus.socket.close_reason == "The host has gone."
    assert not is_open(table.port)
    assert [guest.name for guest in kept_guests(tmp_path)] == ["Gus"]  # the game is not over: quadrille resume
