"""What the handling of messages costs is charged to their senders. The clock of work is the test's own."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from quadrille.net.entries.wire import Entries, Message, Want
from quadrille.net.program.charges import COMPANION, FREE, GONE_AFTER, LONGEST_REST, STRANGER, STRANGERS
from quadrille.net.program.station import Station, now
from quadrille.net.seating.lobby import At, Dropped, Lobby
from tests.documents import chapter
from tests.net.party import Company
from tests.net.tables import begun, terms

WANT = Want(bytes(16), 0)
RATE, BURST = STRANGER.units, STRANGER.burst


class Meeting:
    """Ann, who measures what messages cost, and Eve, whom she has met."""

    def __init__(self, company: Company, ann: Station, eve: Station, patch: pytest.MonkeyPatch) -> None:
        self.company, self.ann, self.eve = company, ann, eve
        self.began, self.done, self.cost, self.handled = now(), 0, 0, 0
        ann.charges.work = lambda: self.done
        receive = Lobby.receive

        def costs(lobby: Lobby, author: bytes, message: Message, now: int) -> None:
            if lobby is ann.lobby and isinstance(message, Want | Entries):
                self.done += self.cost
                self.handled += 1
            receive(lobby, author, message, now)

        patch.setattr(Lobby, "receive", costs)

    def is_met(self) -> bool:
        return self.eve.identity.peer in {peer.id for peer in self.ann.node.neighbours.peers()}

    def rests(self) -> bool:
        node = self.ann.node
        eve = node.neighbours.get(self.eve.identity.peer)
        connection = eve and node._lines.on(eve.way)
        return bool(connection and node._exchange.resting.get(connection))

    def hears(self, cost: int, time: int = 0, message: Message = WANT) -> bool:
        """Whether Ann handles a message of Eve's that costs so much, at that time after the meeting."""
        before, self.cost = self.handled, cost
        self.ann.charges.receive(self.eve.identity.peer, self.eve.identity.key, message, self.began + time)
        return self.handled > before


@pytest.fixture
def meeting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Meeting]:
    with Company(tmp_path) as company:
        ann, eve = company.meet("ann", "eve")
        yield Meeting(company, ann, eve, monkeypatch)


def test_messages_that_cost_little_are_free_however_many(meeting: Meeting) -> None:
    assert all(meeting.hears(FREE) for _ in range(10_000)) and meeting.is_met()


def test_a_stranger_whose_messages_are_dear_is_read_later_and_nothing_that_it_says_is_lost(meeting: Meeting) -> None:
    meeting.cost = (BURST + RATE) // 3
    ann, eve = meeting.ann, meeting.eve
    eve.lobby.outgoing += [(ann.identity.key, WANT)] * 3
    eve.lobby.watch(WANT.table, ann.identity.key)
    meeting.company.until(lambda: any(isinstance(event, At) for event in meeting.company.heard(eve)))
    assert meeting.handled == 3 and meeting.rests() and meeting.is_met()


def test_a_stranger_that_costs_far_too_much_goes_and_is_told_of(meeting: Meeting) -> None:
    assert meeting.hears(BURST + RATE * GONE_AFTER // 1000 + RATE)
    assert not meeting.is_met() and not meeting.hears(0), "what it said before is not heard either"
    told = [event for event in meeting.ann.turn(0) if isinstance(event, Dropped)]
    assert told == [Dropped(meeting.eve.identity.key, "its messages cost more work than those of a stranger may")]


def test_a_peer_at_a_table_of_ours_waits_and_never_goes(meeting: Meeting) -> None:
    meeting.ann.lobby.watching[bytes(16)] = meeting.eve.identity.key
    assert all(meeting.hears(COMPANION.burst) for _ in range(20)) and meeting.is_met()
    assert meeting.rests()


def test_a_long_log_that_is_fetched_costs_its_sender_nothing(meeting: Meeting) -> None:
    log = begun(terms("barons", 2, {"width": 4, "height": 4}, lot=False), bytes(16))
    meeting.ann.lobby.watch(log.table, meeting.eve.identity.key)
    entries = Entries(log.table, tuple(log.entries))
    assert meeting.hears(10**6, message=entries) and log.table in meeting.ann.lobby.tables
    assert not len(meeting.ann.charges._companions)
    assert meeting.hears(10**6, message=entries) and len(meeting.ann.charges._companions), (
        "said again it brings nothing"
    )


def test_no_garbage_of_ours_is_collected_at_a_senders_cost(meeting: Meeting, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a large program a collection takes as long as thousands of checks, and a busy machine doubles that."""
    collected: list[str] = []

    def allocates(*_: object) -> None:
        gc.callbacks.append(note)
        assert len([[number] for number in range(20_000)]) == 20_000
        gc.callbacks.remove(note)

    def note(phase: str, _: dict[str, int]) -> None:
        collected.append(phase)

    allocates()
    assert collected, "so many lists are a reason to collect"
    collected.clear()
    monkeypatch.setattr(Lobby, "receive", allocates)
    meeting.ann.charges.receive(meeting.eve.identity.peer, meeting.eve.identity.key, WANT, now())
    assert not collected and gc.isenabled()


def test_the_document_has_these_numbers() -> None:
    text = " ".join(chapter("discovery").split())
    for said in (
        f"beyond {FREE} signature checks",
        f"A stranger has {RATE} checks a second and {BURST:,} at once",
        f"read for up to {LONGEST_REST // 1000} seconds",
        f"more than {GONE_AFTER // 1000} seconds it is banned",
        f"all strangers together have {STRANGERS.units} a second and {STRANGERS.burst} at once",
        f"has {COMPANION.units:,} a second and {COMPANION.burst:,} at once",
    ):
        assert said in text, said
