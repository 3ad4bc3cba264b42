"""Two logs of one table: where they differ first, and whose signatures prove a lie."""

from dataclasses import replace
from itertools import pairwise

import pytest

from quadrille.net.entries.bodies import ExcludedBody, MotionBody, MoveBody
from quadrille.net.entries.entry import Entry
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.two_logs import Difference, Ground, difference
from tests.net.tables import TABLE, beginning, both, identity, mover, terms
from tests.net.test_log import moved
from tests.net.test_precedence import copy, drop, lend, three


def with_entries(log: Log, *entries: Entry) -> Log:
    made = copy(log)
    for entry in entries:
        made.take(entry)
    return made


def both_ways(one: Log, other: Log) -> Difference | None:
    """The same whichever log is named first."""
    found = difference(one, other)
    assert difference(other, one) == found
    return found


def test_the_beginning_of_a_log_differs_in_nothing() -> None:
    log = three()
    before = copy(log)
    moved(log, "a1")
    assert both_ways(log, before) is None
    assert both_ways(log, copy(log)) is None


def test_one_key_under_two_entries() -> None:
    log = three()
    author = mover(log)
    logs = [with_entries(log, log.write(MoveBody(text), author)) for text in ("a1", "b2", "c3")]
    for one, other in pairwise(logs):
        moved(one, str(next(iter(one.now.match.state.moves))))
        assert both_ways(one, other) == Difference(1, Ground.SIGNED_BOTH, (author.key,))


def by_keys(ground: Ground, *numbers: int) -> Difference:
    return Difference(1, ground, tuple(sorted(identity(number).key for number in numbers)))


@pytest.mark.parametrize(
    ("moves", "found"),
    [
        ("a1", by_keys(Ground.UNSEEN)),
        ("a1 b2", by_keys(Ground.WENT_ON, 2)),
        ("a1 b2 c3", by_keys(Ground.WENT_ON, 2, 3)),
    ],
)
def test_who_signed_a_decision_and_went_on_from_what_it_denies(moves: str, found: Difference) -> None:
    """A seat that wrote unseen and was dropped accuses nobody."""
    log = three()
    decided, played = with_entries(log, drop(log, 0, 2, 3)), copy(log)
    for text in moves.split():
        moved(played, text)
    assert both_ways(decided, played) == found
    moved(decided, "c2")
    assert both_ways(decided, played) == found


def test_two_decisions_accuse_nobody_and_a_proof_of_exclusion_is_a_proof() -> None:
    log = three()
    first, second = both(log, identity(1), "a1", "b2")
    excluded = with_entries(log, log.write(ExcludedBody(0, (first.data, second.data)), None))
    dropped, lent = with_entries(log, drop(log, 0, 2, 3)), with_entries(log, lend(log))
    assert both_ways(dropped, lent) == by_keys(Ground.DECIDED_TWICE)
    assert both_ways(excluded, with_entries(log, second)) == by_keys(Ground.EXCLUDED, 1)


def test_two_beginnings() -> None:
    logs = Log(TABLE), Log(TABLE)
    for turn, log in enumerate(logs, 1):
        log.take(log.write(beginning(terms("barons", 3, lot=False), TABLE, turn), None))
    assert both_ways(*logs) == Difference(0, Ground.BEGUN_TWICE)


def test_a_decision_that_is_signed_in_two_ways() -> None:
    """Honest programs sign the same bytes the same way. Another signature that verifies is made by its key alone."""
    log = three()
    decided = drop(log, 0, 2, 3)
    motion, (first, (seat, _)) = decided.body.motion, decided.body.signatures
    again = replace(decided, body=MotionBody(motion, (first, (seat, bytes(64)))))
    one, other = with_entries(log, decided), copy(log)
    other.entries.append(again)  # no signature of libsodium's varies, so the log can't be made to take this
    other.standings.append(one.now)
    assert both_ways(one, other) == Difference(1, Ground.SIGNED_TWICE, (identity(3).key,))
