"""What strangers tell of unknown tables, and what it may cost."""

import tracemalloc
from collections.abc import Iterator

import pytest

from quadrille.net.cards.proof_checker import ProofChecker, Witness
from quadrille.net.entries.bodies import MotionBody, MoveBody
from quadrille.net.entries.entry import Entry, consent, statement
from quadrille.net.entries.motions import StandInMotion
from quadrille.net.entries.wire import Entries, Gone, Head, Message, Want
from quadrille.net.game_log.log import Log
from quadrille.net.seating import unopened_tables as hearsay
from quadrille.net.seating.lobby import MOST_STAND_INS, Dropped, Lobby, SeatAwaited
from quadrille.net.seating.unopened_tables import CHECKED_AT_ONCE, MOST_TABLES, PAUSE, SENDER_TABLES
from quadrille.net.trust.identity import Identity
from tests.net.cards.by_hand import dotter, serve
from tests.net.cards.stub import STUB
from tests.net.simulation import MemoryShelf
from tests.net.tables import begun, identity, mover, terms

ME, SENDER = identity(9), identity(1)


class Counting(ProofChecker):
    """An checker that counts what it was asked."""

    def __init__(self) -> None:
        super().__init__(STUB)
        self.asked = 0

    def knows(self, *about: object) -> bool:
        self.asked += 1
        return super().knows(*about)  # type: ignore[arg-type]

    def same(self, *about: object) -> bool:
        self.asked += 1
        return super().same(*about)  # type: ignore[arg-type]

    def shuffle_fault(self, *about: object) -> str | None:
        self.asked += 1
        return super().shuffle_fault(*about)  # type: ignore[arg-type]


def lobby(checker: ProofChecker | None = None) -> Lobby:
    mine = Lobby(ME, "Ann", "person", MemoryShelf(ME.key), checker=checker or ProofChecker(STUB), resumes=False)
    for number in range(1, 9):
        mine.came(identity(number).key, 0)
    mine.outgoing.clear()
    return mine


def named(log: Log) -> Log:
    """All others decide that this peer plays on for the seat whose turn it is, and it has agreed."""
    turn = log.now.turn
    assert turn is not None
    motion = StandInMotion(turn, ME.key, "Ann")
    said = statement(log.table, log.head, motion)
    signatures = tuple((seat, identity(seat + 1).sign(said)) for seat in motion.signers(log.now))
    log.take(log.write(MotionBody(motion, signatures, ME.sign(consent(log.table, log.head, turn))), None))
    return log


def barons(name: bytes, moves: int = 1) -> Log:
    log = begun(terms("barons", 3, {"width": 8, "height": 8}, lot=False), name)
    for _ in range(moves):
        move = next(iter(log.now.match.state.moves))
        log.take(log.write(MoveBody(str(move)), mover(log)))
    return log


def tell(mine: Lobby, sender: Identity, entries: list[Entry], now: int = 0) -> None:
    if entries:
        mine.receive(sender.key, Entries(entries[0].table, tuple(entries)), now)


def said(mine: Lobby, kind: type[Message]) -> list[Message]:
    return [message for _, message in mine.outgoing if isinstance(message, kind)]


def test_the_proofs_of_strangers_are_not_checked() -> None:
    checker = Counting()
    mine = lobby(checker)
    log = serve(dotter(3, STUB))
    for entry in log.entries:
        tell(mine, SENDER, [entry])
    assert checker.asked == 0
    mine.receive(SENDER.key, Head(log.table, len(log.entries), log.head), 0)
    assert said(mine, Gone) == [Gone(log.table)]
    assert mine._unopened.held == 0


def test_proofs_are_checked_when_this_peer_means_to_sit_down() -> None:
    checker = Counting()
    mine = lobby(checker)
    log = named(serve(dotter(3, STUB)))
    tell(mine, SENDER, log.entries)
    assert checker.asked == 0
    [awaited] = [event for event in mine.events if isinstance(event, SeatAwaited)]
    assert isinstance(awaited.log.checker, Witness)
    table = mine.accept(log.table, 0)
    assert checker.asked > 5 and table.log.checker is checker


def test_a_sender_of_entries_that_can_not_stand_is_not_heard_for_a_while() -> None:
    mine, log = lobby(), named(barons(b"a table of lies.", 2))
    wrong = Entry(**{**{name: getattr(log.entries[1], name) for name in Entry.__dataclass_fields__}, "used": 5})
    tell(mine, SENDER, [log.entries[0], wrong, *log.entries[2:]])
    assert not [event for event in mine.events if isinstance(event, SeatAwaited)]
    tell(mine, SENDER, log.entries, PAUSE - 1)
    assert not [event for event in mine.events if isinstance(event, SeatAwaited)]
    tell(mine, SENDER, log.entries, PAUSE)
    assert [event for event in mine.events if isinstance(event, SeatAwaited)]


def test_an_entry_that_is_missing_is_asked_for_also_of_a_table_of_others() -> None:
    mine, log = lobby(), barons(b"table of others.", 3)
    tell(mine, SENDER, log.entries[:1])
    tell(mine, SENDER, log.entries[3:])
    assert said(mine, Want) == [Want(log.table, 0)]


def test_an_entry_of_another_table_is_refused_and_its_sender_named() -> None:
    mine, log = lobby(), barons(b"one of two tables")
    mine.receive(SENDER.key, Entries(b"the other table.", tuple(log.entries)), 0)
    assert Dropped(SENDER.key, "an entry of another table") in mine.events


def test_one_message_makes_a_peer_check_few_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    take = Log.take

    def counted(log: Log, entry: Entry) -> bool:
        taken.append(entry.index)
        return take(log, entry)

    monkeypatch.setattr(hearsay, "CHECKED_AT_ONCE", 16)
    log = named(barons(b"a long table....", 40))
    monkeypatch.setattr(Log, "take", counted)
    mine = lobby()
    assert CHECKED_AT_ONCE >= 16
    for _ in range(3):
        before = len(taken)
        if not before:
            tell(mine, SENDER, log.entries)
        else:
            mine.receive(SENDER.key, Head(log.table, len(log.entries), log.head), 0)
        assert len(taken) - before <= 16
    assert [event for event in mine.events if isinstance(event, SeatAwaited)]


def invented(number: int) -> bytes:
    return b"invented %07d" % number


@pytest.fixture(scope="module")
def inventions() -> list[Log]:
    return [named(barons(invented(number))) for number in range(60)]


def test_a_stand_in_is_asked_first_and_nothing_is_kept_before(inventions: list[Log]) -> None:
    mine = lobby()
    for number, log in enumerate(inventions):
        tell(mine, identity(1 + number % 8), log.entries, 10_000 * number)
    assert len([event for event in mine.events if isinstance(event, SeatAwaited)]) == MOST_STAND_INS
    assert len(mine.stand_ins) == MOST_STAND_INS
    assert isinstance(mine.shelf, MemoryShelf) and mine.shelf.kept == [] and not mine.tables
    chosen = mine.stand_ins[3].table
    mine.accept(chosen, 0)
    assert list(mine.tables) == [chosen] and {name for name, _, _ in mine.shelf.kept} == {chosen}


def test_invented_tables_have_few_places_and_nobody_takes_them_all(inventions: list[Log]) -> None:
    mine = lobby()
    for log in inventions[:30]:
        tell(mine, SENDER, log.entries[:2], 0)
    assert len(mine._unopened._rumours) == SENDER_TABLES
    tell(mine, identity(2), inventions[40].entries, 0)
    assert [event.log.table for event in mine.events if isinstance(event, SeatAwaited)] == [inventions[40].table]
    for number, log in enumerate(inventions[:30]):
        tell(mine, identity(1 + number % 7), log.entries[:2], 0)
    assert len(mine._unopened._rumours) == MOST_TABLES
    for entry in inventions[41].entries:
        tell(mine, identity(8), [entry], 0)
    assert mine.stand_ins[-1].table == inventions[41].table, "whoever tells of most tables gives up a place"


def messages(inventions: list[Log]) -> Iterator[Entries]:
    """800 a second of two entries each, for ten seconds: 4 MB."""
    for number in range(8000):
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
        mine.receive(SENDER.key, message, number * 10_000 // 8000)
        mine.outgoing.clear()
        mine.events.clear()
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken == 0
    assert grown < 1 << 20
    assert mine._unopened.held < 1 << 16


def test_heads_of_invented_tables_are_not_remembered() -> None:
    mine = lobby()
    for number in range(1000):
        mine.receive(SENDER.key, Head(invented(number), 5, bytes(32)), 0)
    assert not len(mine._unopened._rumours)
    assert 0 < len(said(mine, Want)) == len(mine.outgoing)


def test_a_log_that_is_too_long_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    mine, log = lobby(), barons(b"a long table....", 8)
    monkeypatch.setattr(hearsay, "MOST_ENTRIES", 5)
    tell(mine, SENDER, log.entries)
    assert not len(mine._unopened._rumours)
