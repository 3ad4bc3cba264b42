"""The host's consent: questions of the guests' program and answers to them, on both ends of their pipe."""

import asyncio
import json
import os
import threading

import pytest

from quadrille.client.presence.consent import HostConsent, listen
from quadrille.client.presence.guest_door import guest_request
from quadrille.client.table.notices import GuestAsks, GuestGone


def asking(said: list[str]) -> HostConsent:
    consent = HostConsent(said.append)
    consent.asks = True
    return consent


async def test_each_guest_has_its_own_answer_in_any_order() -> None:
    said: list[str] = []
    consent = asking(said)
    ben, cid = (asyncio.create_task(consent.ask(name, "192.168.1.7")) for name in ("Ben", "Cid"))
    while len(said) < 2:
        await asyncio.sleep(0)
    first, second = (guest_request(line.encode()) for line in said)
    assert first == GuestAsks(1, "Ben", "192.168.1.7") and second == GuestAsks(2, "Cid", "192.168.1.7")
    consent.hear(2, yes=True)
    assert await cid and not ben.done()
    consent.hear(9, yes=True)
    assert not ben.done()
    consent.hear(1, yes=False)
    consent.hear(1, yes=True)
    assert not await ben


async def test_nobody_waits_for_a_host_who_does_not_want_to_be_asked_any_more() -> None:
    said: list[str] = []
    consent = asking(said)
    ben = asyncio.create_task(consent.ask("Ben", "10.0.0.7"))
    while not said:
        await asyncio.sleep(0)
    consent.follow(asks=False)
    assert await ben and guest_request(said[-1].encode()) == GuestGone(1)
    assert await consent.ask("Cid", "10.0.0.8") and len(said) == 2


async def test_a_guest_who_goes_takes_the_question_back() -> None:
    said: list[str] = []
    consent = asking(said)
    assert await HostConsent(said.append).ask("Ben", "10.0.0.7") and not said, "unless the host wants to be asked"
    asked = asyncio.create_task(consent.ask("Ben", "10.0.0.7"))
    while not said:
        await asyncio.sleep(0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert guest_request(said[-1].encode()) == GuestGone(1)
    consent.hear(1, yes=True)


async def test_lines_come_by_the_pipe_whose_end_ends_the_program() -> None:
    reads, writes = os.pipe()
    heard: list[bytes] = []
    ended = asyncio.Event()
    hears = threading.Thread(target=listen, args=(heard.append, asyncio.get_running_loop(), ended, reads))
    hears.start()
    os.write(writes, b'x\n{"answer": ')
    os.write(writes, b'1, "yes": true}\n')
    os.close(writes)
    await ended.wait()
    assert heard == [b"x", b'{"answer": 1, "yes": true}']
    hears.join()
    os.close(reads)


@pytest.mark.parametrize("line", [b"", b"\xff\n", b"7\n", b'{"ask": "1", "name": "Ben", "from": "x"}\n', b"{" * 999])
def test_the_host_reads_nothing_else(line: bytes) -> None:
    assert guest_request(line) is None


def test_a_name_can_not_write_a_line_of_the_hosts_terminal() -> None:
    asked = guest_request(json.dumps({"ask": 1, "name": "\x1b[2J\nBen" + "n" * 99, "from": "::1"}).encode())
    assert isinstance(asked, GuestAsks) and asked.name.isprintable() and len(asked.name) < 60
