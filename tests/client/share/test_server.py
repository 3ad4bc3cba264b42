"""The server gives what is in its table, to neighbours, for a bounded time; whatever else is asked is refused."""

import asyncio
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.client.cli import main
from quadrille.client.network import addresses
from quadrille.client.share import server
from quadrille.client.share.parcel import SharedFile
from quadrille.client.share.server import MOST_OF_ONE, ShareServer, answer
from tests.client.programs import Program
from tests.net.ports import tcp_port

HERE = "10.77.0.1:8765"
FILES = {"/": SharedFile("install.py", 5, "", b"first"), "/a-1-py3-none-any.whl": SharedFile("a.whl", 6, "", b"second")}


def request(first: str, *lines: str) -> bytes:
    return "".join(f"{line}\r\n" for line in (first, *(lines or (f"Host: {HERE}",)), "")).encode("latin-1")


def status(asked: bytes) -> int:
    return answer(asked, HERE, FILES).status.value


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ("GET / HTTP/1.1", 200), ("HEAD / HTTP/1.0", 200), ("GET /a-1-py3-none-any.whl HTTP/1.1", 200),
        ("GET /a.whl HTTP/1.1", 404), ("GET /../../etc/passwd HTTP/1.1", 404), ("GET //etc/passwd HTTP/1.1", 404),
        ("GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1", 404), ("GET /..\\..\\secret HTTP/1.1", 404),
        ("GET /a-1-py3-none-any.whl?x HTTP/1.1", 404), ("GET /\x00 HTTP/1.1", 404), ("GET  HTTP/1.1", 404),
        ("GET http://10.77.0.1:8765/ HTTP/1.1", 404), ("POST / HTTP/1.1", 405), ("get / HTTP/1.1", 405),
        ("GET /", 400), ("GET / HTTP/2", 400), ("", 400), ("GET / HTTP/1.1 HTTP/1.1", 400),
    ],
)  # fmt: skip
def test_only_the_files_of_the_table_are_given(first: str, code: int) -> None:
    assert status(request(first)) == code


def test_only_the_address_itself_is_a_name_of_the_host() -> None:
    assert status(request("GET / HTTP/1.1", f"hOST:{HERE}")) == 200
    for lines in (["Host: evil.example"], ["X: y"], [f"Host: {HERE}", f"Host: {HERE}"], ["Host: 10.77.0.1"]):
        assert status(request("GET / HTTP/1.1", *lines)) == 403
    assert answer(request("GET / HTTP/1.1", "Host: 10.0.0.1"), "10.0.0.1:80", FILES).status is HTTPStatus.OK


#: Paths that anybody may ask for, in requests that are right but for that; and mere bytes.
PATHS = st.text(st.characters(max_codepoint=255, exclude_characters=" \r\n"), max_size=40)
ASKED = st.binary(max_size=300) | PATHS.map(lambda path: request(f"GET /{path} HTTP/1.1"))


@given(ASKED)
def test_any_bytes_are_a_file_of_the_table_or_a_refusal(asked: bytes) -> None:
    reply = answer(asked, HERE, FILES)
    assert reply.file is None or (reply.status is HTTPStatus.OK and reply.file in FILES.values())
    assert (reply.status is HTTPStatus.OK) == (reply.file is not None)
    assert reply.head.count(b"\r\n\r\n") == 1


@asynccontextmanager
async def sharing(port: int, sent: list[tuple[str, str]] | None = None, **more: SharedFile) -> AsyncIterator[None]:
    told = sent if sent is not None else []
    files = FILES | {f"/{name}": file for name, file in more.items()}
    one = ShareServer(files, ("127.0.0.1",), port, lambda address, name: told.append((address, name)))
    assert await one.open() == ("127.0.0.1",)
    try:
        yield
    finally:
        await one.close()


async def ask(port: int, said: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(said)
    with suppress(ConnectionResetError):
        found = await reader.read()
        writer.close()
        return found
    return b""


def test_files_are_sent_whole_from_memory_and_from_the_disk(tmp_path: Path) -> None:
    big = bytes(range(256)) * 2000
    (tmp_path / "big.whl").write_bytes(big + b"added later")

    async def run() -> None:
        port, sent = tcp_port(), list[tuple[str, str]]()
        async with sharing(port, sent, big=SharedFile("big.whl", len(big), "", tmp_path / "big.whl")):
            host = f"Host: 127.0.0.1:{port}"
            head, _, body = (await ask(port, request("GET /big HTTP/1.1", host))).partition(b"\r\n\r\n")
            assert body == big and f"Content-Length: {len(big)}".encode() in head
            head, _, body = (await ask(port, request("HEAD /big HTTP/1.1", host))).partition(b"\r\n\r\n")
            assert body == b"" and f"Content-Length: {len(big)}".encode() in head
            assert (await ask(port, request("GET /../big HTTP/1.1", host))).startswith(b"HTTP/1.1 404")
            assert (await ask(port, request("PUT / HTTP/1.1", host))).startswith(b"HTTP/1.1 405")
            assert await ask(port, b"x" * 10_000) == b""
            while not sent:
                await asyncio.sleep(0)
            assert sent == [("127.0.0.1", "big.whl")]

    asyncio.run(run())


def test_who_is_slow_or_comes_too_often_is_cut_and_others_are_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE", 600)

    async def run() -> None:
        port = tcp_port()
        whole = request("GET / HTTP/1.1", f"Host: 127.0.0.1:{port}")
        async with sharing(port):
            waiting = [await asyncio.open_connection("127.0.0.1", port) for _ in range(MOST_OF_ONE)]
            assert await ask(port, whole) == b""  # one too many
            for reader, writer in waiting:
                writer.write(whole)
                assert (await reader.read()).endswith(b"first")
                writer.close()
            monkeypatch.setattr(server, "PATIENCE", 0.05)
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(whole[:-1])
            with suppress(ConnectionResetError):
                assert await reader.read() == b""
            writer.close()
            monkeypatch.setattr(server, "PATIENCE", 600)
            found = b""
            while not found:  # until the server has seen that they are gone
                found = await ask(port, whole)
            assert found.endswith(b"first")

    asyncio.run(run())


def test_nobody_from_beyond_the_network_gets_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses.ListeningSockets, "admit", lambda *_: False)

    async def run() -> None:
        port = tcp_port()
        async with sharing(port):
            found = await ask(port, request("GET / HTTP/1.1", f"Host: 127.0.0.1:{port}"))
            assert found.startswith(b"HTTP/1.1 403") and b"first" not in found

    asyncio.run(run())


def test_a_port_that_is_taken_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("", tcp_port()))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["share", "--port", str(port), "--interface", "127.0.0.1"]) == 1
    assert f"port {port} can't be used" in capsys.readouterr().err


def test_the_files_can_be_listed_with_their_hashes_and_nothing_is_shared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["share", "--list"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert all(len(line.split()[0]) == 64 for line in lines) and lines[0].endswith("install.py")
    assert last.startswith("Fingerprint: ") and lines[0].startswith(last.removeprefix("Fingerprint: ").replace(" ", ""))


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal that can be sent there")
def test_ctrl_c_ends_it() -> None:
    port = tcp_port()
    with Program("share", "--interface", "127.0.0.1", "--port", str(port)) as host:
        host.wait(f"urlopen.'http://127.0.0.1:{port}'")
        host.wait("Other machines: ")
        assert host.end(signal.SIGINT) == 0
        assert host.lines[-1] == "Nothing is shared any more."
