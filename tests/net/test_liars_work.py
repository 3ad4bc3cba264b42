"""How little liars cost: rightly formed and false entries are checked once, and no signer fills a list for others.

What a table keeps of faults, and how much of its log it sends to whoever asks again and again. What strangers tell of
unknown tables, and what that may cost. Costs are counted in checks and bytes, not in time.
"""

import tracemalloc
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace

import pytest

from quadrille.net.core.hashing import short
from quadrille.net.core.limits import FairBuffer
from quadrille.net.core.shapes import unpack
from quadrille.net.entries.bodies import BODIES, ExcludedBody, MotionBody, MoveBody
from quadrille.net.entries.entry import NOBODY, Entry, vouching
from quadrille.net.entries.faults import Fault
from quadrille.net.entries.motions import DropMotion, HandMotion
from quadrille.net.entries.terms import Terms
from quadrille.net.entries.wire import (
    Ask,
    Chat,
    Entries,
    Gone,
    Head,
    Message,
    Motion,
    Offer,
    Vouch,
    Want,
)
from quadrille.net.game_log import log as log_module
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Blamed
from quadrille.net.seating.lobby import Dropped, Lobby, SeatAwaited
from quadrille.net.tables.accord import FAULT, PROOF, evidence_label
from quadrille.net.tables.table import FIRST_STEP_BACK, HEARTBEAT, OTHERS_RATE, SEAT_RATE, Table
from quadrille.net.trust.identity import Identity
from tests.net import by_hand
from tests.net.by_hand import CrashShelf, agreed, culprits, cut, moved, signatures, table_of, three, vouch, with_moves
from tests.net.cards.by_hand import answer, dotter, owner, play, seated, secrets_of, serve, signed
from tests.net.cards.stub import counted
from tests.net.tables import TABLE, begun, calls, identity, mover, terms

pytestmark = pytest.mark.usefixtures("numbers")

STRANGER = identity(9).key


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every standing that a log computes and every signature that its rulings check, as it happens."""
    return calls(monkeypatch, log_module, "_continued", "verified")


def false_drops(log: Log) -> tuple[Entry, ...]:
    """Decisions by nobody for the last place, each with other signatures that are none."""
    last, seat = log.entries[-1], log.standings[-2].turn
    row = [(other, short("false", bytes([other])) * 2) for other in log.now.seats_in() if other != seat]
    return tuple(
        Entry(TABLE, last.index, last.before, NOBODY, MotionBody(DropMotion(seat), tuple(row)), 0, short(str(n)))
        for n in range(160)
    )


def test_false_decisions_of_a_seat_cost_one_check(checks: list[str]) -> None:
    log = with_moves(three(), "a1")
    table, false = table_of(3, cut(log)), false_drops(log)
    checks.clear()
    for _ in range(3):
        table.receive(identity(2).key, Entries(TABLE, false), 0)
    assert len(checks) <= 3 * 4, "the first false one ends each message"
    assert {*culprits(table)} == {identity(2).key}
    assert table.log.head == log.head


def test_false_decisions_behind_an_entry_that_comes_later_are_checked_once(checks: list[str]) -> None:
    """Nobody can check them when they come, because what they follow is not here."""
    log, fork = with_moves(three(), "a1"), three()
    other = fork.write(MoveBody("b2"), identity(1))
    fork.take(other)
    moved(fork, "c3")
    false = tuple(replace(one, before=other.hash, index=2) for one in false_drops(fork))
    table = table_of(3, cut(log))
    checks.clear()
    table.receive(identity(2).key, Entries(TABLE, false), 0)
    table.receive(identity(2).key, Entries(TABLE, (other,)), 0)
    table.receive(identity(2).key, Entries(TABLE, (other,)), 0)
    assert len(checks) <= 30, "one that is false ends what else its sender sent"


def test_what_is_put_aside_of_another_branch_is_checked_once_each(checks: list[str]) -> None:
    log = three()
    other = cut(log)
    with_moves(log, "a1", "b2", "c3", "a2", "b1")
    with_moves(other, "b2", "a1")
    checks.clear()
    for _ in range(20):
        log.take_aside(other.entries[1:])
    assert checks.count("_continued") == 2


def test_who_looks_on_reaches_no_log(checks: list[str]) -> None:
    log = with_moves(three(), "a1")
    table, entry = table_of(3, cut(log)), moved(log, "b2")
    motion = Motion(TABLE, table.log.head, DropMotion(1), 0, bytes(64))
    checks.clear()
    messages: list[Message] = [Entries(TABLE, false_drops(log)), Entries(TABLE, (entry,)), motion]
    messages += [Vouch(TABLE, table.log.entries[0].hash, entry.hash, identity(2).key, bytes(64))]
    for message in messages:
        table.receive(STRANGER, message, 0)
    assert not checks and not table.events and len(table.log.entries) == 2
    table.receive(STRANGER, Head(TABLE, 9, bytes(32)), 0)
    assert not table.outgoing, "no question whose answer nobody hears"
    table.receive(STRANGER, Want(TABLE, 0), 0)
    assert [type(message) for key, message in table.outgoing if key == STRANGER] == [Entries], "it is told the log"


class TestHeard:
    """Whoever plays is heard, also where this log does not know it yet."""

    def test_a_newcomer_is_heard_by_a_seat_that_has_signed_and_does_not_know_that_all_have(self) -> None:
        log, hand = three(), HandMotion(0, identity(8).key, "Zoe")
        table, [own] = table_of(3, cut(log)), signatures(log, hand, 2)
        table.receive(identity(8).key, Entries(TABLE, ()), 0)
        table.receive(identity(2).key, Motion(TABLE, log.head, hand, *own), 0)
        table.receive(identity(8).key, Entries(TABLE, (agreed(log, hand),)), 0)
        assert table.log.now.keys[0] == identity(8).key

    def test_a_watcher_hears_whom_it_asked(self) -> None:
        log = three()
        table, entries = table_of(8, cut(log)), (moved(log, "a1"), moved(log, "b2"))
        table.receive(identity(7).key, Entries(TABLE, entries), 0, asked=True)
        assert table.log.head == log.head
        assert table.outgoing == [(identity(7).key, table.head)], "so it is sent the rest at once"


def flood(table: Table, number: int, place: bytes) -> None:
    """Vouches of that identity for entries that nobody has."""
    for count in range(300):
        entry = short("nobody has it", bytes([number]), str(count).encode())
        signature = identity(number).sign(vouching(TABLE, place, entry))
        table.receive(identity(number).key, Vouch(TABLE, place, entry, identity(number).key, signature), 0)


def test_vouches_for_entries_that_nobody_has_crowd_out_no_others(checks: list[str]) -> None:
    log = three(4)
    table, head = table_of(2, cut(log)), log.head
    flood(table, 4, head)
    table.agree(DropMotion(0), 0)
    entry = moved(log, "a1")
    honest = vouch(3, entry)
    table.receive(identity(3).key, Entries(TABLE, (entry,)), 0)
    checks.clear()
    flood(table, 4, head)
    assert not checks, "nobody checks what would count for nothing"
    table.receive(identity(3).key, honest, 0)
    assert table.log.head == log.head, "the seat that promised is freed"
    flood(table, 3, log.entries[0].hash)
    assert table.log.vouchers(entry.hash).keys() == {identity(3).key}, "also later, from its own key"


def test_nobody_vouches_against_a_decision_that_is_not_signed() -> None:
    log = with_moves(three(), "a1")
    table = table_of(3, cut(log))
    false = Motion(TABLE, log.entries[1].before, DropMotion(0), 1, bytes(64))
    table.receive(identity(2).key, false, 0)
    assert not table.log.vouchers(log.head) and not table.outgoing


def test_one_liar_does_not_stop_the_table_of_a_seat_by_excluding_it() -> None:
    log = with_moves(three(), "a1")
    table = table_of(1, cut(log))
    moved(log, "b2")
    false = Entry(TABLE, 2, log.entries[1].hash, identity(2).key, ExcludedBody(0, (log.entries[1].data,)), 0, bytes(32))
    for _ in range(3):
        table.receive(identity(2).key, Entries(TABLE, (false.signed(identity(2)),)), 0)
    assert table.stopped is None
    table.receive(identity(3).key, Entries(TABLE, (false.signed(identity(2)),)), 0)
    assert table.stopped is not None, "all the others say it"


def test_two_entries_of_any_length_prove_that_their_author_cheated() -> None:
    """A shuffle, and an exclusion that holds two of them: both together did not fit into an exclusion."""
    log = serve(dotter(4), "shuffle")
    culprit = log.now.turn
    right = answer(log), secrets_of(log, culprit, identity(20)).answer(log.now.deck, log.head)
    one, two = sorted((signed(log, culprit, "shuffle", body) for body in right), key=lambda entry: entry.hash)
    log.take(one)
    accomplice = log.now.turn
    shelf = CrashShelf(owner(3).key)
    table = seated(log, 3, shelf)
    long = log.write(ExcludedBody(culprit, (one.data, two.data)), owner(accomplice))
    entries = [long, log.write(BODIES[log.now.owed].read(answer(log)), owner(accomplice))]
    assert len(long.data) > 16_000
    for entry in entries:
        table.receive(owner(2).key, Entries(TABLE, (entry,)), 0)
    if accomplice in log.now.seats_in():  # the next seat carries it, with the proof that this one has shown
        log.take(log.write(table.convictions.due(writes_next=True).body, owner(log.now.turn)))
    assert accomplice not in log.now.seats_in()
    told = [entry.data for _, message in table.outgoing if isinstance(message, Entries) for entry in message.entries]
    assert {entry.data for entry in entries} <= {*told}, "the proof is shown to all"
    assert shelf.secret(TABLE, evidence_label(PROOF, owner(accomplice).key)) and max(map(len, told)) < 60_000


def test_who_talks_most_crowds_out_nobody() -> None:
    table = table_of(2, three())
    table.receive(identity(1).key, Chat(TABLE, 0, "good luck"), 0)
    for number in range(1000):
        table.receive(identity(3).key, Chat(TABLE, number, "x"), 0)
    assert "good luck" in [line.line for line in table.lines()]


def test_long_lines_do_not_keep_a_peer_from_sitting_down_again() -> None:
    """What it had heard before its own line was stored in a form too long to be read."""
    shelf = CrashShelf(identity(2).key)
    table = table_of(2, three(), shelf)
    for number in range(100):
        table.receive(identity(3).key, Chat(TABLE, number, "\N{GAME DIE}" * 500), 0)
    table.say("well")
    table.receive(identity(7).key, Ask(TABLE, "watch", "Zoe", "person"), 0)
    assert (identity(7).key, Chat(TABLE, 0, "well")) in table.outgoing, "a late-comer hears this peer's own lines"
    lines = table_of(2, three(), shelf).lines()
    assert len(lines) > 20 and lines[-1].line == "well"


def test_a_signer_above_its_share_loses_its_own_oldest() -> None:
    rows = FairBuffer[str, int, str](2)
    rows.put("honest", 0, "kept")
    for number in (1, 2, 3, 4, 5, 4):
        rows.put("liar", number, "x")
    assert [*rows.items()] == [(0, "kept"), (5, "x"), (4, "x")], "a row that comes again is the newest"
    assert rows.pop(0) == "kept" and rows.pop(0) is None and list(rows._own) == ["liar"]


def test_the_whole_is_kept_by_whoever_holds_most() -> None:
    rows = FairBuffer[str, int, None](9, 4)
    for number in range(9):
        rows.put("liar", number, None)
    for number, name in enumerate("abc", 10):
        rows.put(name, number, None)
    assert list(rows) == [8, 10, 11, 12] and len(rows) == 4 and 8 in rows and rows.get(8) is None


def at_a_share() -> tuple[Table, CrashShelf]:
    """The program of the first seat, where the second owes a share."""
    log = play(dotter(3), "draw", "draw", "draw", "peek p2 1a 1b")
    serve(log, "share", 1)
    shelf = CrashShelf(owner(0).key)
    return seated(log, 0, shelf), shelf


def wrong(table: Table, number: int = 0) -> Entry:
    """A share whose proof is none."""
    points, proof = answer(table.log)
    return signed(table.log, 1, "share", (points, bytes([proof[0] ^ (1 + number)]) + proof[1:]))


def faults(shelf: CrashShelf) -> dict[str, bytes]:
    return {label: data for (_, label), data in shelf.secrets.items() if label.startswith("fault/")}


def test_signed_evidence_of_a_bad_proof_is_kept() -> None:
    table, shelf = at_a_share()
    entry = wrong(table)
    table.receive(owner(2).key, Entries(table.log.table, (entry,)), 0)
    assert [event.culprit for event in table.events if isinstance(event, Blamed)] == [owner(1).key]
    shelf.lose_power()
    [(label, data)] = faults(shelf).items()
    why, (evidence,) = unpack(data)
    assert (label, evidence) == (evidence_label(FAULT, owner(1).key), entry.data) and "share" in why
    with pytest.raises(Fault) as caught:
        cut(table.log).take(entry)
    assert caught.value.culprit == owner(1).key, "whoever has the log can check it"


def test_a_fault_is_told_though_the_disk_refuses_its_evidence_and_that_is_kept_when_it_comes_again() -> None:
    table, shelf = at_a_share()
    for refused in (True, False):
        shelf.die_at = shelf.moments + 1 if refused else None
        with pytest.raises(by_hand.Crash) if refused else nullcontext():
            table.receive(owner(1).key, Entries(table.log.table, (wrong(table),)), 0)
        assert owner(1).key in culprits(table) and bool(faults(shelf)) is not refused


def test_what_is_kept_of_faults_is_bounded() -> None:
    table, shelf = at_a_share()
    for number in range(50):
        table.receive(owner(1).key, Entries(table.log.table, (wrong(table, number),)), 0)
    assert len(faults(shelf)) == 1
    moved = signed(table.log, 2, "move", ("draw",))
    table.receive(owner(2).key, Entries(table.log.table, (moved,)), 0)
    assert {*faults(shelf)} == {evidence_label(FAULT, owner(number).key) for number in (1, 2)}


def test_what_its_author_did_not_sign_is_no_evidence() -> None:
    table, shelf = at_a_share()
    forged = replace(wrong(table), signature=bytes(64))
    stranger = signed(table.log, 8, "share", answer(table.log))
    for entry in (forged, stranger):
        table.receive(owner(2).key, Entries(table.log.table, (entry,)), 0)
    assert faults(shelf) == {}


def sent(table: Table) -> int:
    """Bytes of entries that go out."""
    size = sum(len(e.data) for _, said in table.outgoing if isinstance(said, Entries) for e in said.entries)
    table.outgoing.clear()
    return size


@pytest.mark.parametrize(("who", "rate"), [(STRANGER, OTHERS_RATE), (owner(1).key, SEAT_RATE)])
@pytest.mark.parametrize("asks", [Want, Head, Ask])
def test_who_asks_for_the_log_again_and_again_gets_it_at_a_bounded_rate(
    who: bytes, rate: tuple[int, int], asks: type[Message]
) -> None:
    table, _ = at_a_share()
    name = table.log.table
    message = (
        Want(name, 0) if asks is Want else Head(name, 1, bytes(32)) if asks is Head else Ask(name, "watch", "", "")
    )
    whole = sum(len(entry.data) for entry in table.log.entries)
    for _ in range(10 + 2 * rate[1] // whole):
        table.receive(who, message, 0)
    assert rate[1] // 2 < sent(table) <= rate[1]
    for _ in range(10 + 2 * rate[1] // whole):
        table.receive(who, message, 1000)
    assert 0 < sent(table) <= rate[0] + whole, "and what was left of the first"
    table.receive(identity(7).key, Want(name, 0), 1000)
    assert sent(table) > 0, "another who asks once is answered"


def test_a_peer_with_another_branch_is_asked_from_further_back_once_a_second() -> None:
    """Two that differ would answer each other for ever, and ask in vain if the place where they part is long ago."""
    here, there = (begun(terms("barons", 2, {"width": 8, "height": 8}, lot=False)) for _ in range(2))
    for log, place in ((here, 0), (there, -1)):
        for _ in range(30):
            log.take(log.write(MoveBody(str(list(log.now.match.state.moves)[place])), mover(log)))
    table, asked = table_of(9, here), list[int]()
    for beat in range(3):
        table.wake(beat * HEARTBEAT)
        table.outgoing.clear()
        for _ in range(2):
            table.receive(identity(1).key, Entries(here.table, (there.entries[30],)), beat * HEARTBEAT, asked=True)
        asked += [message.start for _, message in table.outgoing if isinstance(message, Want)]
    assert asked == [30 - FIRST_STEP_BACK, 30 - 2 * FIRST_STEP_BACK, 0]


# What strangers tell of unknown tables

ME, SENDER = identity(9), identity(1)


@pytest.fixture
def checked() -> Iterator[list[str]]:
    """The proofs about cards that are checked, as it happens."""
    with counted() as made:
        yield made


def lobby() -> Lobby:
    mine = Lobby(ME, "Ann", "person", CrashShelf(ME.key), resumes=False)
    for number in range(1, 9):
        mine.came(identity(number).key, 0)
    mine.outgoing.clear()
    return mine


def named(log: Log) -> Log:
    """All hand the seat whose turn it is to this peer, and it has agreed."""
    turn = log.now.turn
    log.take(agreed(log, HandMotion(turn, ME.key, "Ann")))
    return log


def asks(mine: Lobby, log: Log, offered: Terms | None = None) -> None:
    """Ask for a seat of that table, as the sender offers it, by other terms if so."""
    mine.join(Offer(log.table, SENDER.key, offered or log.now.terms, (), "open", 0), 0)


def tell(mine: Lobby, sender: Identity, entries: list[Entry], now: int = 0) -> None:
    if entries:
        mine.receive(sender.key, Entries(entries[0].table, tuple(entries)), now)


def said(mine: Lobby, kind: type[Message]) -> list[Message]:
    return [message for _, message in mine.outgoing if isinstance(message, kind)]


def test_the_proofs_of_strangers_are_not_checked(checked: list[str]) -> None:
    """A log where nobody of this peer's sits is not read beyond its first entry."""
    mine, log = lobby(), serve(dotter(3))
    checked.clear()
    tell(mine, SENDER, log.entries)
    assert not checked and said(mine, Gone) == [Gone(log.table)]


def test_who_asks_for_a_seat_is_shown_the_table_by_whom_it_asked_and_by_nobody_else(checked: list[str]) -> None:
    mine, log = lobby(), named(serve(dotter(3)))
    asks(mine, log)
    mine.outgoing.clear()
    checked.clear()
    tell(mine, identity(2), log.entries)
    assert not checked and not mine.tables and said(mine, Gone) == [Gone(log.table)]
    tell(mine, SENDER, log.entries[-1:])
    assert not mine.tables and said(mine, Want) == [Want(log.table, 0)]
    tell(mine, SENDER, log.entries)
    table = mine.tables[log.table]
    assert len(checked) > 5 and not table.log.believes and table.seat is not None


def test_an_entry_of_another_table_is_refused_and_its_sender_named() -> None:
    mine, log = lobby(), begun(terms(seats=8), b"one of two tables")
    mine.watch(b"the other table.", SENDER.key)
    mine.receive(SENDER.key, Entries(b"the other table.", tuple(log.entries)), 0)
    assert Dropped(SENDER.key, "an entry of another table") in mine.events and not mine.tables


def invented(number: int) -> bytes:
    return b"invented %07d" % number


@pytest.fixture(scope="module")
def inventions() -> list[Log]:
    agreed = terms("barons", 3, {"width": 8, "height": 8}, lot=False)
    return [named(with_moves(begun(agreed, invented(number)), "a1")) for number in range(60)]


def test_who_is_given_a_seat_has_asked_for_it_and_nothing_is_kept_before(inventions: list[Log]) -> None:
    """A log that names this peer is none of its business, even with its signature."""
    mine, chosen = lobby(), inventions[3]
    for number, log in enumerate(inventions):
        tell(mine, identity(1 + number % 8), log.entries, 10_000 * number)
    assert isinstance(mine.shelf, CrashShelf) and mine.shelf.kept == [] and not mine.tables
    assert not [event for event in mine.events if isinstance(event, SeatAwaited)]
    asks(mine, chosen, terms())
    tell(mine, SENDER, chosen.entries, 10_000_000)
    assert not mine.tables, "it has asked for a seat by other terms"
    mine.gatherings.clear()
    asks(mine, chosen)
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
    mine, told, taken = lobby(), list(messages(inventions)), calls(monkeypatch, Log, "take")
    tracemalloc.start()
    for number, message in enumerate(told):
        mine.receive(SENDER.key, message, number * 10 // 8)
        mine.outgoing.clear()
        mine.events.clear()
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert not taken and grown < 1 << 18


def test_heads_of_invented_tables_are_answered_by_a_question() -> None:
    mine = lobby()
    for number in range(1000):
        mine.receive(SENDER.key, Head(invented(number), 5, bytes(32)), 0)
    assert 0 < len(said(mine, Want)) == len(mine.outgoing)
