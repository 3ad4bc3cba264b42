"""What strangers tell of unknown tables, and what it may cost."""

import tracemalloc
from collections.abc import Iterator

import pytest

from quadrille.net.cards import proof_checker
from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.entries.bodies import MoveBody
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.motions import HandMotion
from quadrille.net.entries.terms import Terms
from quadrille.net.entries.wire import Call, Consent, Entries, Gone, Head, Message, Offer, Want
from quadrille.net.game_log.log import Log
from quadrille.net.seating.lobby import Dropped, Lobby, SeatAwaited
from quadrille.net.trust.identity import Identity
from tests.net.cards.by_hand import dotter, serve
from tests.net.cards.stub import STUB
from tests.net.tables import MemoryShelf, begun, identity, mover, terms
from tests.net.tables import agreed as decided

ME, SENDER = identity(9), identity(1)


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The proofs about cards that are checked, as it happens."""
    made: list[str] = []
    for name in ("check_known", "check_same", "check_shuffle"):
        right = getattr(proof_checker, name)
        counted = lambda *about, name=name, right=right: (made.append(name), right(*about))[1]  # noqa: E731
        monkeypatch.setattr(proof_checker, name, counted)
    return made


def lobby() -> Lobby:
    mine = Lobby(ME, "Ann", "person", MemoryShelf(ME.key), checker=ProofChecker(STUB), resumes=False)
    for number in range(1, 9):
        mine.came(identity(number).key, 0)
    mine.outgoing.clear()
    return mine


def named(log: Log) -> Log:
    """All hand the seat whose turn it is to this peer, and it has agreed."""
    turn = log.now.turn
    assert turn is not None
    log.take(decided(log, HandMotion(turn, ME.key, "Ann")))
    return log


def barons(name: bytes, moves: int = 1) -> Log:
    log = begun(terms("barons", 3, {"width": 8, "height": 8}, lot=False), name)
    for _ in range(moves):
        move = next(iter(log.now.match.state.moves))
        log.take(log.write(MoveBody(str(move)), mover(log)))
    return log


def agrees(mine: Lobby, log: Log, told: Terms | None = None) -> bool:
    """Call this peer to a seat of that table, by other terms if so; return whether it agrees."""
    mine.receive(SENDER.key, Call(log.table, bytes(32), 0, told or log.now.terms), 0)
    return bool(said(mine, Consent))


def asks(mine: Lobby, log: Log) -> None:
    """Ask for a seat of that table, as the sender offers it."""
    mine.join(Offer(log.table, SENDER.key, log.now.terms, (), "open", 0), 0)


def tell(mine: Lobby, sender: Identity, entries: list[Entry], now: int = 0) -> None:
    if entries:
        mine.receive(sender.key, Entries(entries[0].table, tuple(entries)), now)


def said(mine: Lobby, kind: type[Message]) -> list[Message]:
    return [message for _, message in mine.outgoing if isinstance(message, kind)]


def test_the_proofs_of_strangers_are_not_checked(checked: list[str]) -> None:
    """A log where nobody of this peer's sits is not read beyond its first entry."""
    mine, log = lobby(), serve(dotter(3, STUB))
    checked.clear()
    tell(mine, SENDER, log.entries)
    assert not checked and said(mine, Gone) == [Gone(log.table)]


def test_who_agreed_to_play_is_shown_the_table_by_who_called_and_by_nobody_else(checked: list[str]) -> None:
    mine, log = lobby(), named(serve(dotter(3, STUB)))
    asks(mine, log)
    assert agrees(mine, log)
    mine.outgoing.clear()
    checked.clear()
    tell(mine, identity(2), log.entries)
    assert not checked and not mine.tables and said(mine, Gone) == [Gone(log.table)]
    tell(mine, SENDER, log.entries[-1:])
    assert not mine.tables and said(mine, Want) == [Want(log.table, 0)]
    tell(mine, SENDER, log.entries)
    table = mine.tables[log.table]
    assert len(checked) > 5 and table.log.checker is mine._checker and table.seat is not None


def test_an_entry_of_another_table_is_refused_and_its_sender_named() -> None:
    mine, log = lobby(), begun(terms(seats=8), b"one of two tables")
    mine.watch(b"the other table.", SENDER.key)
    mine.receive(SENDER.key, Entries(b"the other table.", tuple(log.entries)), 0)
    assert Dropped(SENDER.key, "an entry of another table") in mine.events and not mine.tables


def invented(number: int) -> bytes:
    return b"invented %07d" % number


@pytest.fixture(scope="module")
def inventions() -> list[Log]:
    return [named(barons(invented(number))) for number in range(60)]


def test_who_is_given_a_seat_has_asked_for_it_and_nothing_is_kept_before(inventions: list[Log]) -> None:
    """A log that names this peer without its yes is none of its business, even with its signature."""
    mine, chosen = lobby(), inventions[3]
    for number, log in enumerate(inventions):
        tell(mine, identity(1 + number % 8), log.entries, 10_000 * number)
    assert isinstance(mine.shelf, MemoryShelf) and mine.shelf.kept == [] and not mine.tables
    assert not [event for event in mine.events if isinstance(event, SeatAwaited)]
    assert not agrees(mine, chosen)
    asks(mine, chosen)
    assert not agrees(mine, chosen, terms()), "it has asked for a seat by other terms"
    assert agrees(mine, chosen)
    tell(mine, SENDER, chosen.entries, 10_000_000)
    assert list(mine.tables) == [chosen.table] and {name for name, _, _ in mine.shelf.kept} == {chosen.table}


def messages(inventions: list[Log]) -> Iterator[Entries]:
    """800 a second of two entries each, for two seconds: 800 kB."""
    for number in range(1600):
        log = inventions[number % 60]
        yield Entries(log.table, tuple(log.entries[:2]))


def test_entries_of_invented_tables_cost_little_memory_and_work(
    inventions: list[Log], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = 0
    take = Log.take

    def counted(log: Log, entry: Entry) -> bool:
        nonlocal taken
        taken += 1
        return take(log, entry)

    mine, told = lobby(), list(messages(inventions))
    monkeypatch.setattr(Log, "take", counted)
    tracemalloc.start()
    for number, message in enumerate(told):
        mine.receive(SENDER.key, message, number * 10 // 8)
        mine.outgoing.clear()
        mine.events.clear()
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken == 0
    assert grown < 1 << 18


def test_heads_of_invented_tables_are_answered_by_a_question() -> None:
    mine = lobby()
    for number in range(1000):
        mine.receive(SENDER.key, Head(invented(number), 5, bytes(32)), 0)
    assert 0 < len(said(mine, Want)) == len(mine.outgoing)
