"""The last guard: a machine that is made to fail in each place, and a program that goes on."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from quadrille.net.core.errors import LocalError, PeerError
from quadrille.net.entries.wire import Gone, sealed
from quadrille.net.game_log.news import ChatLine, Stopped, Took
from quadrille.net.neighbours.neighbour import Peer
from quadrille.net.neighbours.neighbours import Neighbours
from quadrille.net.program.hall_desk import HallDesk
from quadrille.net.program.station import Remark, Station
from quadrille.net.seating.gathering import ChairRefused
from quadrille.net.seating.lobby import At, Dropped, Lobby
from quadrille.net.tables.table import Table
from quadrille.net.trust.guard import FILE, MOST_BYTES, MOST_WRITTEN, Guard, author_of
from tests.fuzz.logs import ME, played
from tests.net.by_hand import CrashShelf
from tests.net.party import Company
from tests.net.tables import identity, terms

KEY = identity(3).key

pytestmark = pytest.mark.usefixtures("guards_on")


def failed(why: str = "planted") -> Exception:
    try:
        raise ZeroDivisionError(why)
    except ZeroDivisionError as error:
        return error


def planted(*_: object, **__: object) -> Any:
    raise ZeroDivisionError("planted")


def test_a_fault_is_counted_written_and_told_once(tmp_path: Path) -> None:
    guard = Guard(tmp_path)
    for _ in range(MOST_WRITTEN + 3):
        guard.caught("a place", failed(), KEY)
    guard.caught("another", failed())
    assert guard.counts == {"a place": MOST_WRITTEN + 3, "another": 1}
    assert [text.count(str(tmp_path / FILE)) for text in guard.news] == [1, 1]
    kept = (tmp_path / FILE).read_text("ascii")
    assert kept.count("ZeroDivisionError: planted") == MOST_WRITTEN + 1
    assert kept.count("test_guard.py") >= MOST_WRITTEN + 1
    assert KEY.hex() in kept
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


def test_the_file_is_bounded_and_holds_nothing_that_steers_a_terminal(tmp_path: Path) -> None:
    guard = Guard(tmp_path)
    for number in range(100):
        guard.caught(f"place {number}", failed("\x1b]0;title\x07\u202e" + "x" * 100_000))
    assert 0 < (tmp_path / FILE).stat().st_size <= MOST_BYTES
    assert (tmp_path / FILE).read_text("ascii").replace("\n", "").isprintable()


def test_what_is_a_matter_of_this_machine_goes_on_to_the_person(tmp_path: Path) -> None:
    guard, error = Guard(tmp_path), OSError(28, "No space left on device")
    with pytest.raises(type(error)):
        guard.caught("a place", error)
    for _ in range(3):
        assert not guard.caught("a place", LocalError("the disk is full"))
    assert guard.counts.total() == 0 and guard.news == ["the disk is full"]


def test_a_disk_that_takes_no_file_ends_nothing(tmp_path: Path) -> None:
    guard = Guard(tmp_path / "gone")
    guard.caught("a place", failed())
    assert guard.counts.total() == 1


def test_whose_doing_an_event_is() -> None:
    entry = played("barons", "early")[1]
    assert author_of(At(b"", ChatLine(KEY, "x"))) == KEY
    assert author_of(At(b"", Took(entry))) == entry.author
    assert author_of(At(b"", ChairRefused("x"))) is None


def lobby_with(*ways: str) -> tuple[Lobby, list[tuple[str, Exception]]]:
    faults: list[tuple[str, Exception]] = []
    lobby = Lobby(ME, "me", "person", CrashShelf(ME.key))
    lobby.faults = lambda place, error: faults.append((place, error)) is None
    for way in ways:
        entries = played("barons", way)
        for entry in entries:
            lobby.shelf.keep_entry(entry)
        lobby.resume(entries[0].table, 0)
    lobby.flush(0)
    lobby.events.clear()
    return lobby, faults


def test_a_table_that_fails_as_time_passes_is_stopped_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    lobby, faults = lobby_with("early", "middle", "back")
    first, *others = lobby.tables.values()
    wake = Table.wake

    def fails(table: Table, now: int) -> None:
        planted() if table is first else wake(table, now)

    monkeypatch.setattr(Table, "wake", fails)
    for now in (5000, 6000, 7000):
        lobby.wake(now)
    assert [place for place, _ in faults] == ["a table"]
    assert first.stopped is not None
    assert [event.event for event in lobby.events if isinstance(event, At)] == [first.stopped]
    assert all(table.stopped is None and table.deadline == 8000 for table in others)
    monkeypatch.undo()
    again = lobby.resume(first.log.table, 8000)
    assert again.stopped is None
    assert again.log.head == first.log.head


def test_a_gathering_that_fails_as_time_passes_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    lobby, faults = lobby_with("early")
    gathering = lobby.host(terms(), b"nonce", 0)
    monkeypatch.setattr(type(gathering), "wake", planted)
    lobby.wake(5000)
    assert [place for place, _ in faults] == ["a table that has not begun"]
    assert not lobby.gatherings
    assert ChairRefused("this program made a mistake here") in [
        event.event for event in lobby.events if isinstance(event, At)
    ]


def test_without_a_guard_a_fault_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    lobby, _ = lobby_with("early")
    lobby.faults = Lobby(ME, "me", "person", CrashShelf(ME.key)).faults
    monkeypatch.setattr(Table, "wake", planted)
    with pytest.raises(ZeroDivisionError):
        lobby.wake(5000)


def remarks(company: Company, station: Station) -> list[str]:
    return [remark.text for remark in company.remarks(station) if "mistake" in remark.text]


def goes_on(company: Company, station: Station, name: str) -> None:
    """Somebody who comes now is met."""
    newcomer = company.enter(name)
    company.until(lambda: newcomer.identity.key in station.lobby.peers)


def test_who_sends_what_a_machine_fails_at_is_banned_and_the_program_goes_on(
    company: Company, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, other = company.meet("mine", "other")
    table = mine.lobby.host(terms(), b"nonce", 0)
    kept = Lobby.list_peer

    def fails(lobby: Lobby, author: bytes, advert: Any) -> None:
        if lobby is mine.lobby and author == other.identity.key:
            planted()
        kept(lobby, author, advert)

    monkeypatch.setattr(Lobby, "list_peer", fails)
    other.lobby.host(terms(), b"nonce", 0)
    company.until(lambda: mine.guard.counts.total())
    assert set(mine.guard.counts) == {"what a peer said"}
    company.until(lambda: other.identity.key not in mine.lobby.here)
    assert len(remarks(company, mine)) == 1
    assert "Traceback" in (tmp_path / "mine" / FILE).read_text()
    goes_on(company, mine, "third")
    assert mine.lobby.gatherings == {table.table: table}
    assert other.identity.key not in mine.lobby.here | mine.lobby.peers.keys()


@pytest.mark.parametrize(
    ("machine", "method", "place"),
    [
        (HallDesk, "wake", "what time brings"),
        (Lobby, "flush", "what tables say"),
        (Station, "_keep", "what is kept of the tables"),
        (Neighbours, "_take", "the network"),
    ],
)
def test_each_place_where_a_station_meets_its_machines(
    company: Company, monkeypatch: pytest.MonkeyPatch, machine: type, method: str, place: str
) -> None:
    mine = company.enter("mine")
    company.until(lambda: True)
    mine.lobby.host(terms(), b"nonce", 0)
    kept, left = getattr(machine, method), [2]

    def fails(self: object, *args: Any) -> Any:
        if left[0] and self in (mine.lobby, mine, mine.node.neighbours, mine._hall):
            left[0] -= 1
            planted()
        return kept(self, *args)

    monkeypatch.setattr(machine, method, fails)
    company.enter("other")
    company.until(lambda: mine.guard.counts[place] >= 1)
    left[0] = 0
    company.until(lambda: remarks(company, mine))
    goes_on(company, mine, "third")
    assert set(mine.guard.counts) == {place}
    assert len(mine.lobby.gatherings) == 1


def test_what_sits_on_top_of_a_station_is_guarded_and_a_refusal_is_no_fault(tmp_path: Path) -> None:
    with closing(Station("mine", "bot", folder=tmp_path)) as station:
        station.lobby.dropped(KEY, str(PeerError("no message")))
        assert station.guard.counts.total() == 0 and not (tmp_path / FILE).exists()
        assert not [event for event in station.lobby.events if isinstance(event, Remark | Stopped)]
        for by in (KEY, None):
            with station.watch("a part", by):
                planted()
        assert station.guard.counts == {"a part": 2}
        for error in (KeyboardInterrupt(), SystemExit(1), OSError(28, "No space left on device")):
            with pytest.raises(type(error)), station.watch("a part"):
                raise error


def test_what_a_peer_may_not_say_is_dropped_with_the_reason(tmp_path: Path) -> None:
    """Bytes that are no message, a message cut off, and one of another author."""
    one, gone = identity(3), Gone(bytes(16))
    with closing(Station("mine", "bot", folder=tmp_path)) as station:
        station._keys[one.peer] = KEY
        for payload in (b"", sealed(gone, one)[:-1], sealed(gone, identity(4))):
            station._open(Peer(one.peer, "three", {}, "127.0.0.1", None), payload)
        dropped = [event for event in station.lobby.events if isinstance(event, Dropped)]
        assert [event.key for event in dropped] == [KEY] * 3 and "by another author" in dropped[-1].why
        assert station.guard.counts.total() == 0
