"""The seat whose move turns cards up shares last: no other seat can see them, vanish, and have them dealt anew."""

import pytest

from quadrille.net.entries.bodies import MotionBody, ShareBody
from quadrille.net.entries.entry import statement
from quadrille.net.entries.faults import Fault
from quadrille.net.entries.motions import BackMotion
from quadrille.net.entries.wire import Motion
from quadrille.net.game_log.log import Log
from quadrille.net.tables.table import Table
from tests.net.cards.by_hand import answer, dotter, drop, lend, owner, play, serve, shelf_of
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
    up = len(log.now.deck.up)
    assert order(log) == shares
    assert len(log.now.deck.up) == up + 3


def test_the_scorer_still_shares_last_after_another_seat_vanished() -> None:
    """The cards are dealt anew, and the move that turns them up is still the first seat's."""
    assert order(serve(drop(game(*DRAWS, SCORE), 1), "share")) == [2, 0]


def test_an_owner_is_not_back_while_cards_are_turned_up() -> None:
    """A new deal in place of the last share would show another score, and cost nobody a seat."""
    log = play(serve(lend(serve(game("draw")), 1, identity(9))), "draw", "draw", SCORE)
    bound = BackMotion(1).bound(log.now, log.head)
    assert bound is not None
    signature = owner(1).sign(statement(log.table, bound, BackMotion(1)))
    serve(log, "share", 1)
    with pytest.raises(Fault, match="owner has to wait for a move"):
        log.write(MotionBody(BackMotion(1), ((1, signature),)), identity(9))
    table = Table(log, identity(9), shelf_of(log, identity(9)), 0)
    table.receive(owner(1).key, Motion(log.table, bound, BackMotion(1), 1, signature), 0)
    table.wake(0)
    assert [entry.kind for entry in log.entries[-2:]] == ["move", "share"], "it gives its share first"
