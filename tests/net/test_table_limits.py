"""What a table keeps of faults, and how much of its log it sends to whoever asks again and again."""

from dataclasses import replace

import pytest

from quadrille.net.core.shapes import unpack
from quadrille.net.entries.bodies import MoveBody
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.faults import Fault
from quadrille.net.entries.wire import Ask, Entries, Head, Message, Want
from quadrille.net.game_log.news import Blamed
from quadrille.net.tables.accord import FAULT, evidence_label
from quadrille.net.tables.table import FIRST_STEP_BACK, HEARTBEAT, OTHERS_RATE, SEAT_RATE, Table
from tests.net.cards.by_hand import answer, cut, dotter, owner, play, seated, serve, signed
from tests.net.cards.stub import STUB
from tests.net.simulation import MemoryShelf
from tests.net.tables import begun, identity, mover, terms

STRANGER = identity(9)


def at_a_share() -> tuple[Table, MemoryShelf]:
    """The program of the first seat, where the second owes a share."""
    log = play(dotter(3, STUB), "draw", "draw", "draw", "peek p2 1a 1b")
    serve(log, "share", 1)
    shelf = MemoryShelf(owner(0).key)
    return seated(log, 0, shelf), shelf


def wrong(table: Table, number: int = 0) -> Entry:
    """A share whose proof is none."""
    points, proof = answer(table.log)
    return signed(table.log, 1, "share", (points, bytes([proof[0] ^ (1 + number)]) + proof[1:]))


def faults(shelf: MemoryShelf) -> dict[str, bytes]:
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
        cut(table.log, len(table.log.entries)).take(entry)
    assert caught.value.culprit == owner(1).key, "whoever has the log can check it"


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


@pytest.mark.parametrize(("who", "rate"), [(STRANGER.key, OTHERS_RATE), (owner(1).key, SEAT_RATE)])
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
    table, asked = Table(here, STRANGER, MemoryShelf(STRANGER.key), 0), list[int]()
    for beat in range(3):
        table.wake(beat * HEARTBEAT)
        table.outgoing.clear()
        for _ in range(2):
            table.receive(identity(1).key, Entries(here.table, (there.entries[30],)), beat * HEARTBEAT, asked=True)
        asked += [message.start for _, message in table.outgoing if isinstance(message, Want)]
    assert asked == [30 - FIRST_STEP_BACK, 30 - 2 * FIRST_STEP_BACK, 0]
