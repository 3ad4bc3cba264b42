"""`quadrille host --guests` as a program: what it says, that pages come and go with it, and what it leaves behind."""

import argparse
import asyncio
from pathlib import Path

import pytest

from quadrille.client.commands import host as command
from quadrille.client.table.wishes import Host
from tests.client.phones.doors import kept_guests
from tests.client.phones.served import is_open, served
from tests.client.phones.test_seats import END, left, page, sit, told


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
    with served(tmp_path, *END) as table:
        ann = table.host
        for line in ("1 seat is kept for a guest without an install", "No phone reaches this machine"):
            assert line in ann.text
        await told(ann, "signs your guests' moves and sees their cards")
        await told(ann, "encrypted by the QR code")
        async with page(table) as gus:
            await sit(gus, "Gus")
            await told(ann, "Gus sits down")
            await told(ann, "^Your turn")
            ann.enter("a1")
            await gus.until(lambda parts: parts.get("at") == 1)
            ann.enter("quit")
            assert await asyncio.to_thread(ann.end) == 0
            await left(gus)
            assert gus.socket.close_reason == "The host has gone."
    assert not is_open(table.port)
    assert [guest.name for guest in kept_guests(tmp_path)] == ["Gus"]  # the game is not over: quadrille resume
