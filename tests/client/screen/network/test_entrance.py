"""How guests come, on the host's screen: the code for phones beside the seats and on a page of its own."""

from dataclasses import replace

import pytest

from quadrille.client.presence.invitation import half_blocks, matrix
from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.draw.theme import ALL_COLOURS, FEW_COLOURS, NO_COLOURS, TABLE_OF_COLOURS, THEMES, styles
from quadrille.client.screen.evening import Evening, draw_evening, update_evening
from quadrille.client.screen.network.news import Around, News
from quadrille.client.screen.network.session import shown_entrance
from quadrille.client.screen.table.terminal import Key, Look, Resized
from quadrille.client.table.notices import GuestEntrance
from quadrille.client.table.wishes import BareWish
from quadrille.client.words.phones import GUESTS_RISK, RISK_ELSEWHERE, entrance_text
from tests.client.screen.keyboard import after, pasted, press, prose, text
from tests.client.screen.network.scenes import AROUND, ROOM, lobby, shut_by
from tests.client.screen.network.scenes import AT_HOME as CARD


def entrance(*hosts: str, outside: bool = True) -> GuestEntrance:
    return GuestEntrance(CARD.code, tuple(map(CARD.address, hosts)), tuple(map(CARD.link, hosts)), outside=outside)


WIFI = ("Attic; left", r"WIFI:T:WPA;S:Attic\; left;P:open sesame;;")


def waiting(found: GuestEntrance | None, rows: int = 24, columns: int = 80, *, plain: bool = False) -> Evening:
    shown, evening = shown_entrance(found), Evening(lobby(look=Look(plain=plain)))
    return after(evening, Resized(rows, columns), News(Around(entrance=shown), ROOM))[0]


def code(picture: Picture) -> tuple[str, ...]:
    """The lines in the style of codes, and nothing else."""
    found = ["".join(text for style, text in row if style.split()[-1:] == ["qr"]) for row in picture.rows]
    return tuple(line for line in found if line)


def test_the_code_stands_beside_the_seats_in_80x24() -> None:
    evening = waiting(entrance("192.168.178.123"))
    picture = draw_evening(evening)
    assert code(picture) == half_blocks(matrix(CARD.link("192.168.178.123")))
    left = "\n".join(line[:43] for line in picture.lines)
    for told in ("( kept for a guest )", "Also on the network", "▸ Ben", "http://192.168.178.123:4080/", "bcdf-2345"):
        assert told in left
    for theme in THEMES:  # it is black on white in each
        assert styles(theme, ALL_COLOURS)["qr"] == styles(theme, TABLE_OF_COLOURS)["qr"] == "bg:#ffffff #000000"
        assert styles(theme, FEW_COLOURS)["qr"] == "bg:ansiwhite ansiblack"
        assert styles(theme, NO_COLOURS)["qr"] == "reverse"


def test_tab_shows_the_codes_of_other_addresses() -> None:
    evening = waiting(replace(entrance("10.0.0.5", "172.16.0.9"), seats=(("Ben", "zzzz-2222"),)))
    second = press(evening, "tab")[0]
    assert code(draw_evening(second)) == half_blocks(matrix(CARD.link("172.16.0.9")))
    assert code(draw_evening(press(second, "tab")[0])) == code(draw_evening(evening))
    page = press(evening, *"phones", "enter")[0]
    assert "Tab Another address" in text(page) and "zzzz-2222" in text(page) and "zzzz" not in text(evening)
    assert code(draw_evening(press(page, "tab")[0])) == code(draw_evening(second))


def test_tab_switches_between_the_wifi_and_the_seat() -> None:
    evening = waiting(replace(entrance("10.0.0.5"), wifi=WIFI))
    assert "Tab Join the Wi-Fi" in draw_evening(evening).lines[-1]
    joins = press(evening, "tab")[0]
    assert code(draw_evening(joins)) == half_blocks(matrix(WIFI[1]))
    beside = 80 - len(code(draw_evening(joins))[0])
    told = " ".join(line[:beside].strip() for line in draw_evening(joins).lines)
    assert "To join the Wi-Fi Attic; left by phone: scan" in told and "Tab Sit down" in draw_evening(joins).lines[-1]
    assert "sesame" not in text(joins) and "10.0.0.5:4080" not in text(joins)
    assert code(draw_evening(press(joins, "tab")[0])) == code(draw_evening(evening))
    page = press(evening, *"phones", "enter", "tab")[0]
    assert code(draw_evening(page)) == half_blocks(matrix(WIFI[1])) and "sesame" not in text(page)
    assert "sesame" not in entrance_text(replace(entrance("10.0.0.5"), wifi=WIFI))


def test_a_wifi_whose_code_has_no_room_names_the_window_that_shows_it() -> None:
    long = ("n" * 32, f"WIFI:T:WPA;S:{'n' * 32};P:{'k' * 63};;")
    evening = press(waiting(replace(entrance("10.0.0.5"), wifi=long)), "tab")[0]
    lines = half_blocks(matrix(long[1]))
    rows, columns = len(lines) + 2, len(lines[0]) + 22
    assert not code(draw_evening(evening))
    told = prose(evening)
    assert f"The word phones shows the code in a window of {columns} x {rows} characters." in told
    page = press(after(evening, Resized(rows, columns))[0], *"phones", "enter", "tab")[0]
    assert code(draw_evening(page)) == lines


def test_without_a_network_it_says_so_and_names_the_way_on_this_machine() -> None:
    found = entrance("127.0.0.1", outside=False)
    evening = waiting(found)
    assert not code(draw_evening(evening))
    told = prose(evening)
    assert "No phone reaches this machine" in told and "http://127.0.0.1:4080/" in told
    [line] = entrance_text(found).splitlines()[1:]
    way = "  http://127.0.0.1:4080/ in a browser, with the code bcdf-2345"
    assert line == f"{way}; http://127.0.0.1:4080/tv on a television"


def test_other_addresses_are_named_in_lines() -> None:
    told = entrance_text(replace(entrance("10.0.0.5", "172.16.0.9"), seats=(("Ben", "zzzz-2222"),)))
    assert told.splitlines()[-1] == "  Ben: the code zzzz-2222 opens this seat on another phone"
    assert "http://10.0.0.5:4080/" in told and "other networks of this machine: http://172.16.0.9:4080/" in told
    assert "k7m2" not in told, "the secret is for eyes that scan"


@pytest.mark.parametrize(("rows", "whole"), [(24, False), (40, True)])
def test_the_risk_of_guests_is_whole_or_stands_on_the_page(rows: int, whole: bool) -> None:
    shown = shown_entrance(entrance("192.168.178.123"))
    room = replace(ROOM, said=("1 seat is kept for a guest without an install.", GUESTS_RISK))
    evening = after(Evening(lobby()), Resized(rows, 80), News(Around(entrance=shown), room))[0]
    told = " ".join(" ".join(line[:44].strip() for line in draw_evening(evening).lines).split())
    assert (GUESTS_RISK in told, RISK_ELSEWHERE in told) == (whole, not whole)
    page = press(after(evening, Resized(40, 80))[0], *"phones", "enter")[0]
    assert GUESTS_RISK in " ".join(" ".join(line[:44].strip() for line in draw_evening(page).lines).split())


def test_what_has_no_room_above_the_message_of_a_waiting_room_is_cut() -> None:
    shown = waiting(entrance("192.168.178.123"), 16, 60)
    crowded = replace(
        ROOM, seats=8, way="Others sit down with quadrille join, or elsewhere with quadrille join 192.0.2.2:1"
    )
    lines = draw_evening(after(shown, News(Around(entrance=shown_entrance(entrance("10.0.0.5"))), crowded))[0]).lines
    assert [line.strip() for line in lines[-4:-1]] == [
        "The game begins when all are here, or by start. Enter", "invites Ben.", ">",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("size", "beside"), [((16, 60), False), ((20, 60), False), ((24, 80), False), ((30, 120), True), ((40, 120), True)]
)
def test_the_lobby_opens_an_evening_and_has_the_code_beside_the_list_where_it_fits(
    size: tuple[int, int], *, beside: bool
) -> None:
    closed = after(Evening(lobby()), Resized(*size))[0]
    assert update_evening(closed, Key("f10"))[1] == (BareWish.SHOW_ENTRANCE,)
    found = shown_entrance(entrance("192.168.178.123"))
    opened = after(closed, News(replace(AROUND, entrance=found), None))[0]
    picture = draw_evening(opened)
    assert bool(code(picture)) == beside
    told = " ".join(" ".join(picture.lines).split())
    for part in ("http://192.168.178.123:4080/", "bcdf-2345", "Tables on this network", "Ben"):
        assert part in told or (part == "Ben" and size[0] < 24)
    on_page = draw_evening(press(opened, "f10")[0])
    assert bool(code(on_page)) == (beside or "F10 shows the code to scan." in told), "no more is promised than fits"
    assert draw_evening(pasted(opened, "phones")[0]).lines == on_page.lines, "the word that sentences name"
    assert draw_evening(press(opened, "f10", "escape")[0]) == picture
    shut = after(press(opened, "f10")[0], shut_by("the cable is cut"))[0]
    assert "bcdf-2345" not in text(shut), "the code leads nowhere now"
    assert "That needs a network" in prose(press(shut, "f10")[0])
