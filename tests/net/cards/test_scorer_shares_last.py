"""The seat whose move turns cards up shares last: no other seat can see them, vanish, and have them dealt anew."""

import pytest

from quadrille.net.cards.deck import Due
from quadrille.net.entries.bodies import BODIES, MotionBody, MoveBody, ShareBody
from quadrille.net.entries.entry import consent, statement
from quadrille.net.entries.faults import Fault
from quadrille.net.entries.motions import BackMotion, StandInMotion
from quadrille.net.entries.wire import Motion
from quadrille.net.game_log.log import Log
from quadrille.net.tables.table import Table
from tests.net.cards.by_hand import answer, dotter, drop, owner, play, secrets_of, serve, shelf_of
from tests.net.cards.refused import deck_of
from tests.net.cards.stub import STUB
from tests.net.tables import identity

DRAWS = ("draw", "draw", "draw")
SCORE = "score p2 1a 1b 1c"


def game(*moves: str) -> Log:
    """Dotter for three, where the first seat scores after these moves."""
    return play(serve(dotter(3, STUB)), *moves)


def order(log: Log) -> list[int]:
    """The seats in the order in which they share."""
    seats = []
    while log.now.owed == "share":
        assert log.now.turn is not None
        seats.append(log.now.turn)
        log.take(log.write(ShareBody.read(answer(log)), owner(log.now.turn)))
    return seats


@pytest.mark.parametrize(("moves", "shares"), [
    ((*DRAWS, SCORE), [1, 2, 0]),
    ((*DRAWS, "draw", SCORE), [0, 2, 1]),
])  # fmt: skip
def test_the_scorer_shares_last(moves: tuple[str, ...], shares: list[int]) -> None:
    log = game(*moves)
    up = len(deck_of(log).up)
    assert order(log) == shares
    assert len(deck_of(log).up) == up + 3


def test_nobody_but_the_scorer_can_open_the_cards_before_the_others_have_shared() -> None:
    log = game(*DRAWS, SCORE)
    for _ in range(2):
        assert log.now.turn not in (None, 0)
        log.take(log.write(ShareBody.read(answer(log)), owner(log.now.turn or 0)))
    request = deck_of(log).asked
    assert request is not None
    assert [seat for seat, _ in request.shares] == [1, 2]
    assert deck_of(log).due == Due(0, "share")


def test_the_scorer_still_shares_last_after_another_seat_vanished() -> None:
    """The cards are dealt anew, and the move that turns them up is still the first seat's."""
    log = drop(game(*DRAWS, SCORE), 1)
    assert order(serve(log, "share")) == [2, 0]


def test_where_the_scorer_is_gone_nobody_knows_its_cards() -> None:
    log = game(*DRAWS, SCORE)
    for _ in range(2):
        log.take(log.write(ShareBody.read(answer(log)), owner(log.now.turn or 0)))
    drop(log, 0)
    serve(log)
    assert set(log.now.seats_in()) == {1, 2}


def lent() -> Log:
    """Identity 9 plays for seat 1, and seat 0 has scored."""
    log = serve(game("draw"))
    motion, needed = StandInMotion(1, identity(9).key, "stranger"), (0, 2)
    said = statement(log.table, log.head, motion)
    agreed = identity(9).sign(consent(log.table, log.head, 1))
    log.take(log.write(MotionBody(motion, tuple((seat, owner(seat).sign(said)) for seat in needed), agreed), None))
    return log


def stranger_serves(log: Log, kind: str) -> Log:
    while log.now.owed != kind:
        seat = log.now.turn or 0
        who = identity(9) if log.now.keys[seat] == identity(9).key else owner(seat)
        assert log.now.deck is not None
        body = BODIES[log.now.owed].read(secrets_of(log, seat, who).answer(log.now.deck, log.head))
        log.take(log.write(body, who))
    return log


def test_an_owner_is_not_back_while_cards_are_turned_up() -> None:
    """A new deal in place of the last share would show another score, and cost nobody a seat."""
    log = stranger_serves(lent(), "move")
    for _ in range(2):
        seat = log.now.turn or 0
        who = identity(9) if log.now.keys[seat] == identity(9).key else owner(seat)
        log.take(log.write(MoveBody("draw"), who))
        stranger_serves(log, "move")
    assert log.now.turn == 0
    log.take(log.write(MoveBody(SCORE), owner(0)))
    bound = BackMotion(1).bound(log.now, log.head)
    assert bound is not None
    signature = owner(1).sign(statement(log.table, bound, BackMotion(1)))
    stranger_serves(log, "share")
    assert log.now.turn == 1
    with pytest.raises(Fault, match="owner has to wait for a move"):
        log.write(MotionBody(BackMotion(1), ((1, signature),)), identity(9))
    table = Table(log, identity(9), shelf_of(log, identity(9)), 0)
    table.receive(owner(1).key, Motion(log.table, bound, BackMotion(1), 1, signature), 0)
    table.wake(0)
    assert [entry.kind for entry in log.entries[-2:]] == ["move", "share"], "it gives its share first"
