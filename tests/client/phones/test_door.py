"""The door for phones against strangers, one demand after another (docs/protocols/phones.md)."""

import asyncio
import gc
import json
import socket
import subprocess
import sys
from contextlib import closing, suppress
from ipaddress import ip_interface
from pathlib import Path
from unittest.mock import Mock

import pytest
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from quadrille.client.network.options import NetworkOptions
from quadrille.client.phones import connection, door, listener
from quadrille.client.phones.door import PhoneDoor
from quadrille.client.phones.guests import LONGEST_NAME
from quadrille.client.phones.view import door_parts
from quadrille.client.presence.invitation import PhoneInvitation
from quadrille.client.table.notices import GuestAsks
from quadrille.client.words.phones import TRUST
from quadrille.net.core import doorkeeper
from quadrille.net.core.limits import Pace
from quadrille.net.link import interfaces
from quadrille.net.link.interfaces import Interface
from quadrille.net.trust.store import Store
from quadrille.rules.registry import game, keys
from tests.client.phones.doors import ABOUT, ANN, HOST, HostAlone, dialled, get, http, http_at, phone_door
from tests.client.phones.doors import page as page_at
from tests.client.phones.page_client import PageClient
from tests.net.hosts import inside
from tests.net.ports import tcp_port
from tests.waiting import DEADLINE, soon


async def turned_away(client: PageClient) -> int:
    """The code with which a page is turned away before it is told anything."""
    with pytest.raises(ConnectionClosed):
        async with client:
            await client.hear()
    return client.socket.close_code or 0


async def test_it_listens_on_the_chosen_addresses_alone(tmp_path: Path) -> None:
    async with phone_door(tmp_path) as here:
        with pytest.raises(OSError):
            await http(here, get("/"), "127.0.0.2")
    with pytest.raises(OSError):
        await http(here, get("/"))  # nothing listens when the host has gone


async def test_it_follows_the_addresses_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = ip_interface("127.0.0.2/8")

    def moved() -> tuple[Interface, ...]:
        return (Interface("wlan", (other,)),)

    async with phone_door(tmp_path) as here:
        monkeypatch.setattr(interfaces, "present", moved)
        listens = here.listener
        monkeypatch.setattr(listens, "_interfaces", ("127.0.0.2",))
        await listens.look()
        with pytest.raises(OSError):
            await http(here, get("/"))
        named = f"GET / HTTP/1.1\r\nHost: 127.0.0.2:{here.invitation.port}\r\n\r\n"
        assert (await http(here, named, "127.0.0.2")).startswith("HTTP/1.1 200")


async def test_a_name_in_place_of_the_address_is_refused(tmp_path: Path) -> None:
    async with phone_door(tmp_path) as here:
        port = here.invitation.port
        for named in (f"localhost:{port}", f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1", ""):
            for path in ("/", "/table"):
                told = await http(here, f"GET {path} HTTP/1.1\r\nHost: {named}\r\n\r\n")
                assert told.startswith("HTTP/1.1 403 ") or not told
                assert ABOUT not in told
        told = await http(here, f"GET / HTTP/1.1\r\nHost: x\r\nHost: {HOST}:{port}\r\n\r\n")
        assert not told.startswith("HTTP/1.1 200")
        told = await http(here, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert f"Use the address http://{HOST}:{port}/ and no other." in told


async def test_a_socket_from_another_page_is_refused(tmp_path: Path) -> None:
    async with phone_door(tmp_path) as here:
        ours = f"{HOST}:{here.invitation.port}"
        for origin in (None, "null", "http://evil.example", f"https://{ours}", f"http://{ours}.evil.example"):
            with pytest.raises(InvalidStatus) as refused:
                async with page_at(here, here.invitation.secret, origin=origin):
                    pass
            assert refused.value.response.status_code == 403


async def test_four_paths_no_cookie_and_the_headers(tmp_path: Path) -> None:
    async with phone_door(tmp_path) as here:
        for path in ("/", "/tv", "/phone.js", "/phone.css", "/nacl.js"):
            head, _, body = (await http(here, get(path))).partition("\r\n\r\n")
            assert head.startswith("HTTP/1.1 200") and body
            assert "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'" in head
            for line in (
                "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "Cache-Control: no-store",
                "Cross-Origin-Resource-Policy: same-origin",
            ):  # fmt: skip
                assert line in head
            assert "Server:" not in head and "Set-Cookie" not in head and "Access-Control" not in head
            assert ABOUT not in body and here.invitation.code not in body
        for path in ("/other", "/board", "/?code=1", "//", "/../etc/passwd", "/phone.js?x", "/?screen"):
            assert (await http(here, get(path))).startswith("HTTP/1.1 404")
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            told = await http(here, f"{method} / HTTP/1.1\r\nHost: {{HOST}}\r\nContent-Length: 3\r\n\r\nabc")
            assert "200" not in told.split("\r\n")[0]


async def test_the_page_is_served_as_soon_as_the_port_is_open(tmp_path: Path) -> None:
    """Phones dial again at once when a host that was killed is there again."""
    opened = PhoneDoor(NetworkOptions(None, str(tmp_path), (HOST,), (), 0, 0, None), Mock()).listener
    port = await opened.open([tcp_port()])
    told = await http_at(port, get("/").replace("{HOST}", f"{HOST}:{port}"), HOST)
    opened.close()
    await opened.wait_closed()
    assert told.startswith("HTTP/1.1 200")


async def test_five_codes_a_minute_and_the_invitation_goes_on(tmp_path: Path) -> None:
    async with phone_door(tmp_path) as here:
        pages = [page_at(here, f"bcdf-{n}{n}{n}{n}") for n in range(2, 9)]
        assert [await turned_away(page) for page in pages] == [4403] * 5 + [4429] * 2
        assert not any(page.parts for page in pages), "who has no secret is told nothing"
        assert await turned_away(page_at(here, here.invitation.code)) == 4429
        async with page_at(here) as page:
            assert (await page.hear())["stage"] == "door"


async def test_wrong_codes_of_one_address_lock_nobody_else_out(tmp_path: Path) -> None:
    async with phone_door(tmp_path) as here:
        for number in range(12):
            code = await turned_away(page_at(here, f"bcdf-22{number}"))
            assert code == (4403 if number < 5 else 4429)
            async with page_at(here, here.invitation.code, source="127.0.0.2") as page:
                assert (await page.hear())["stage"] == "door", "a right code is no try"


async def test_many_addresses_try_few_codes_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "_TRIES_OF_ALL", Pace(7, 60_000))

    async with phone_door(tmp_path) as here:
        pages = [page_at(here, "bcdf-2222", source=f"127.0.0.{2 + number % 3}") for number in range(9)]
        assert [await turned_away(page) for page in pages] == [4403] * 7 + [4429] * 2


@pytest.mark.parametrize("key", keys())
def test_the_door_says_who_is_trusted_before_a_name_is_given(key: str) -> None:
    played, parts = game(key), door_parts(ABOUT, 2, key=key)
    assert parts["door"].items() >= {"about": ABOUT, "more": TRUST, "free": 2}.items()
    assert "signs your moves" in TRUST and "can change its traffic" in TRUST
    assert parts["door"]["goal"] == played.lesson.goal and parts["door"]["rules"]
    assert ("cards" in parts["door"]["trust"]) == played.hidden
    frames = parts["film"]  # places are touched, then the board changes
    assert "board" in frames[0] and sum(bool(frame["path"]) for frame in frames) >= 2
    assert all(frame["spots"] for frame in frames if not frame["path"])
    places = {name for frame in frames for name, *_ in frame.get("board", {}).get("places", ())}
    assert {name for frame in frames for name in frame["path"]} <= places
    assert len(json.dumps(parts)) < 50_000


@pytest.mark.parametrize("request_", [{"do": "sit", "name": "Ben", "token": "0" * 32}, {"do": "come", "as": "screen"}])
async def test_who_comes_late_looks_on(tmp_path: Path, request_: dict[str, str]) -> None:
    async with phone_door(tmp_path, free=0) as here, page_at(here) as page:
        await page.send(json.dumps(request_).encode())
        await page.until(lambda parts: parts.get("stage") == "room" and parts["room"]["terms"] == ABOUT)
        assert page.parts["words"] == ([["quit", "Leave the evening", ""]] if page.seat else [])


async def test_so_many_at_the_door_and_of_one_address(tmp_path: Path) -> None:
    async with phone_door(tmp_path) as here:
        pages = [page_at(here) for _ in range(door.MOST_OF_ONE)]
        for page in pages:
            await page.__aenter__()
            await page.hear()
        for _ in range(6):
            assert await turned_away(page_at(here)) == 4428
        async with page_at(here, here.invitation.code, screen=True) as screen:  # being crowded out is no wrong code
            await screen.hear()
        for page in pages:
            await page.__aexit__(None, None, None)


async def test_silent_connections_of_one_address_keep_no_phone_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "MOST_CONNECTIONS", 16)
    monkeypatch.setattr(listener, "FIRST_WORDS", 3_600_000)  # so that only giving way closes a connection
    begun = (b"", b"GET / HTTP/1.1\r\nHost: ", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GE")

    async with phone_door(tmp_path) as here, page_at(here) as stays:
        await stays.hear()
        mute = [await dialled(here) for _ in range(24)]
        await stays.ask("here")
        assert (await stays.hear())["here"] == 1
        with pytest.raises(ConnectionClosed):
            await mute[0].recv()
        for one in mute:
            await one.close()
        port = here.invitation.port
        token = here.host.give("Ben").token
        silent = []
        for number in range(12):
            for first in begun:
                reader, writer = await asyncio.open_connection(HOST, port)
                writer.write(first)
                silent.append((reader, writer))
            assert (await http(here, get("/"))).startswith("HTTP/1.1 200"), number
            async with page_at(here, token) as page:
                await page.until(lambda parts: parts.get("stage") == "room")
        try:
            async with asyncio.timeout(DEADLINE):
                assert await silent[0][0].read() == b"", "the oldest gave way"
        finally:
            for _, writer in silent:
                writer.close()


async def test_connections_that_are_gone_take_no_place_from_one_that_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "MOST_CONNECTIONS", 8)

    async with phone_door(tmp_path) as here:
        reader, writer = await asyncio.open_connection(HOST, here.invitation.port)
        for _ in range(8):
            assert (await http(here, get("/"))).startswith("HTTP/1.1 200")
        writer.write(f"GET / HTTP/1.1\r\nHost: {HOST}:{here.invitation.port}\r\n\r\n".encode())
        assert (await reader.read()).startswith(b"HTTP/1.1 200")
        writer.close()


async def test_sockets_without_a_secret_are_paced_and_requests_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doorkeeper, "is_loopback", lambda _: False)
    monkeypatch.setattr(doorkeeper, "PACES", (Pace(3, 60_000), Pace(6, 60_000)))

    async with phone_door(tmp_path) as here:
        for _ in range(8):
            assert (await http(here, get("/"))).startswith("HTTP/1.1 200")
            async with page_at(here) as page:
                await page.hear()
        mute = [await dialled(here) for _ in range(3)]
        with pytest.raises((OSError, InvalidMessage)):
            await dialled(here)
        for one in mute:
            await one.close()


@pytest.mark.slow
def test_a_phone_comes_in_beside_neighbours_who_flood_the_door(tmp_path: Path) -> None:
    neighbours = 5
    inside("tests.client.phones.lan_flood", str(tmp_path), str(neighbours), hosts=2 + neighbours)


async def test_a_phone_that_dials_before_the_host_knows_its_guests_waits(tmp_path: Path) -> None:
    """A program that was killed listens where its phones dial again and again, and reads its store then."""
    options = NetworkOptions(None, str(tmp_path), (HOST,), (), 0, 0, None, phone_port=tcp_port())
    with closing(Store(tmp_path, ANN.key)) as store:
        host = HostAlone(store)
        here = door.PhoneDoor(options, host)
        invitation = PhoneInvitation.new(await here.listener.open([options.phone_port]))
        page = PageClient(HOST, invitation.port, invitation.secret)
        dials = asyncio.create_task(page.__aenter__())
        while not here._connections:
            await asyncio.sleep(0)
        here.meet(invitation, ())
        await dials
        assert (await page.hear())["stage"] == "door"
        await here.close(())
        assert host._calls.empty(), "no fault is reported"


async def test_a_crowd_at_the_door_keeps_no_seat_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MOST_AT_DOOR", 2)

    async with phone_door(tmp_path) as here:
        token = here.host.give("Ben").token
        async with page_at(here) as one, page_at(here) as two:
            assert [(await page.hear())["stage"] for page in (one, two)] == ["door", "door"]
            assert await turned_away(page_at(here)) == 4428
            async with page_at(here, token) as seat:
                await seat.until(lambda parts: parts.get("stage") == "room")


@pytest.mark.slow
def test_headers_have_bounds() -> None:
    code = (
        "import quadrille.client.phones, websockets.http11 as http; print(http.MAX_LINE_LENGTH, http.MAX_NUM_HEADERS)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "1024 48\n"


async def test_who_says_nothing_is_sent_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_FIRST", 0.05)

    async with phone_door(tmp_path) as here, dialled(here) as silent:
        with pytest.raises(ConnectionClosed):
            await silent.recv()
        assert silent.close_code == 4408


#: Well sealed and senseless.
REQUESTS = (
    b"", b"{", b"[]", b"1", b'"come"', b"{}", b'{"do": 1}', b'{"do": "fly"}', b'{"do": ["sit"]}', b"[" * 900,
    b'{"do": "sit", "name": 5}', b'{"do": "sit", "name": "' + b"x" * 201 + b'"}', b'{"do": "sit", "name": "Ben"}',
    b'{"do": "sit", "name": "Ben", "token": "0x0"}',
    b'{"do": "play", "at": -1, "line": ""}', b'{"do": "play", "at": true, "line": ""}', b'{"do": "answer"}',
    b'{"do": "look", "at": "x"}', b'{"do": "come", "as": "king"}', b"\xff\xfe", b"x" * 1020,
)  # fmt: skip


async def test_senseless_requests_end_that_page_alone(tmp_path: Path) -> None:
    async with phone_door(tmp_path) as here, page_at(here) as other:
        await other.hear()
        for request_ in REQUESTS:
            async with page_at(here) as page:
                await page.hear()
                await page.send(request_)
                with pytest.raises(ConnectionClosed):
                    await page.hear()
                assert page.socket.close_code == 4400, request_
            await other.ask("here")
            assert (await other.hear())["here"] == 1


#: Names that somebody types, and what their guests are called.
NAMES = {
    "a\u202eb": "ab", "Zo\u200d\te \U0001f468\u200d\U0001f469": "Zo e \U0001f468\u200d\U0001f469", "\t \u200d": "",
    "<b>你好</b>" * 20: "<b>你好</b>",
}  # fmt: skip


async def test_hostile_names_throw_nobody_out_and_are_cut_and_marked(tmp_path: Path) -> None:
    async with phone_door(tmp_path, free=len(NAMES)) as here:
        for name, is_named in NAMES.items():
            async with page_at(here) as page:
                await page.ask("sit", name=name)
                await page.until(
                    lambda parts, page=page: page.seat or "Type your name" in parts.get("told", {}).get("text", "")
                )
                given = page.seat.get("name", "")
                assert given.startswith(is_named) and bool(page.seat) == bool(is_named)
                assert len(given) <= LONGEST_NAME and "guest" not in given


async def test_two_guests_have_different_names(tmp_path: Path) -> None:
    async with phone_door(tmp_path, free=2) as here, page_at(here) as page:
        here.host.give("Ben")
        for name, why in (
            ("BEN", "a guest named BEN already"),
            ("ann", "Ann would be taken for somebody else"),
            ("A guest 2", "A guest 2 would be taken for somebody else"),
            ("Ben: I give up", "Ben: I give up would be taken for words behind a name"),
            ("Ben (watching)", "Ben (watching) would be taken for words behind a name"),
            ("Ben\uff1aI give up", "Ben\uff1aI give up would be taken for words behind a name"),
            ("Ben\uff08watching\uff09", "would be taken for words behind a name"),
        ):
            await page.ask("sit", name=name)
            await page.until(lambda parts, why=why: why in parts.get("told", {}).get("text", ""))
        assert len(here.host.guests) == 1


async def test_the_host_is_asked_about_each(tmp_path: Path) -> None:
    async with phone_door(tmp_path, asks=True) as here:
        async with page_at(here) as page:
            await page.ask("sit", name="Mallory")
            await page.until(lambda parts: "is asked" in parts.get("told", {}).get("text", ""))
            asking = here.host._context.asking
            assert [*asking] == [GuestAsks(1, "Mallory", HOST)]
            await page.ask("here")  # the page wants to hear something while the host thinks
            await page.until(lambda parts: parts.get("here"))
            asking.popitem()[1](False)
            await page.until(lambda parts: "did not let you in" in parts["told"]["text"])
            await page.ask("sit", name="Mallory")
            await page.until(lambda parts: "is asked" in parts["told"]["text"])
        while asking:  # it did not wait for the answer
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("turns", [0, 2, 3, 4])  # after 1 asyncio itself loses the socket (CPython 3.11)
async def test_a_connection_that_comes_in_the_last_moment_is_closed_with_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    monkeypatch.setattr(listener, "FIRST_WORDS", 1)
    async with phone_door(tmp_path) as here:
        silent = socket.create_connection((HOST, here.invitation.port))
        for _ in range(turns):
            await asyncio.sleep(0)
    silent.setblocking(False)
    with closing(silent), suppress(ConnectionResetError):
        assert not silent.recv(1)


def test_a_connection_that_outlasts_the_end_is_cut_off_and_leaves_no_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A socket that the browser opened ahead says nothing, and its handshake goes on when the host has gone."""
    options = NetworkOptions(None, str(tmp_path), (HOST,), (), 0, 0, None, phone_port=tcp_port())
    with closing(Store(tmp_path, ANN.key)) as store:
        pages = door.Pages(options, HostAlone(store))
        pages.open([options.phone_port])
        with closing(socket.create_connection((HOST, options.phone_port))) as silent:
            assert soon(lambda: [*pages.door.listener._doors])
            monkeypatch.setattr(door, "_PATIENCE", 0)
            pages.close(())
            pages._thread.join()
            silent.setblocking(False)
            with suppress(ConnectionResetError):
                assert not silent.recv(1)
    pages = None
    gc.collect()
