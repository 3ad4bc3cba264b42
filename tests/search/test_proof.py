"""Proofs: they find what all games show, know images again, and can be stopped, kept and helped."""

from typing import Any

import pytest

from quadrille.rules.arrays import array
from quadrille.rules.board import BEYOND
from quadrille.rules.dice import Dice
from quadrille.rules.engine.proof_table import (
    HIGH_SHIFT,
    LOW_SHIFT,
    MOST_WORK,
    NEAR,
    NONE,
    WORK_SHIFT,
    ProofTable,
    greatest_of,
    least_of,
)
from quadrille.rules.errors import GameOver, RulesError
from quadrille.rules.registry import game
from quadrille.rules.search import Position, Proof

BOARDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("maze", {"size": 3}),
    ("maze", {"size": 4}),
    ("maze", {"size": 5}),
    ("dollar-draw", {"width": 3, "height": 3}),
    ("dollar-draw", {"width": 3, "height": 4}),
    ("dollar-draw", {"width": 3, "height": 5}),
    ("dollar-draw", {"width": 4, "height": 2}),
    ("barons", {"width": 2, "height": 3}),
    ("barons", {"width": 3, "height": 3}),
    ("barons", {"width": 3, "height": 3, "end": "full"}),
    ("barons", {"width": 3, "height": 2, "row_bonus": 1, "column_bonus": 1}),
    ("coin-isolation", {"layout": "pd/np", "renegade": True}),
    ("coin-isolation", {"layout": "pdn/npp", "take": "greedy"}),
)


def begun(key: str, options: dict[str, Any], seats: int = 2) -> Position:
    return Position.start(key, options, seats)


def proved(position: Position, **more: Any) -> int:
    proof = Proof(position, **more)
    assert not proof.go_on(10_000_000) and proof.result is not None
    return proof.result


def test_a_board_without_a_proof_keeps_up_no_images() -> None:
    position = begun("maze", {"size": 4})
    proved(position)
    assert position.board.images is None


#: The largest of each game take seconds without a compiler.
LARGE = (BOARDS[2], BOARDS[4], BOARDS[5], BOARDS[9], BOARDS[11])


@pytest.mark.parametrize(
    ("key", "options"), [pytest.param(*board, marks=pytest.mark.slow if board in LARGE else ()) for board in BOARDS]
)
def test_the_move_and_the_line_keep_the_payoff(key: str, options: dict[str, Any]) -> None:
    """The best turns of both seats, one after the other, come to the payoff that was proved."""
    position = begun(key, options)
    proof = Proof(position)
    assert not proof.go_on(10_000_000) and proof.result is not None
    wanted, seat = proof.result, proof.seat
    while not position.over:
        proof.stand(position)
        assert not proof.go_on(10_000_000)
        assert proof.result == (wanted if proof.seat == seat else -wanted)
        for step in proof.turn():
            position.apply_quickly(step)
    assert position.payoffs()[seat] == wanted


def test_it_can_be_stopped_anywhere() -> None:
    proof, rounds = Proof(begun("maze", {"size": 5})), 0
    while proof.go_on(100):
        rounds += 1
        assert proof.result is None
    assert proof.result == -1 and rounds > 3


@pytest.mark.slow
def test_pauses_cost_nothing_and_can_end_a_search() -> None:
    """A stop forgets the positions that were begun. Pauses change no certificate, however often a clock is read."""
    whole, often = Proof(begun("maze", {"size": 5})), Proof(begun("maze", {"size": 5}))
    assert not whole.go_on(10_000)
    pauses: list[int] = []

    def pause() -> bool:
        pauses.append(often.positions)
        return len(pauses) != 5

    assert often.go_on(10_000, pause, 100) and pauses == [100, 200, 300, 400, 500] and often.positions == 500
    assert not often.go_on(10_000)
    often = Proof(begun("maze", {"size": 5}))
    assert not often.go_on(10_000, lambda: bool(pauses.append(0)) or True, 10)
    assert often.positions == whole.positions and len(pauses) > 100


@pytest.mark.slow
def test_what_one_knows_another_can_take_over() -> None:
    one = Proof(begun("maze", {"size": 5}))
    one.go_on(10_000)
    other = Proof(begun("maze", {"size": 5}))
    other.engine.shuffle(Dice(1))
    other.take_over(one.expensive(20, 10_000))
    assert not other.go_on(400) and other.result == one.result
    assert other.positions < one.positions // 4


@pytest.mark.slow
def test_what_took_most_is_told_first() -> None:
    """If not all may be told: a file of a proof has a bound, and no message may block a pipe for long."""
    proof = Proof(begun("maze", {"size": 5}))
    proof.go_on(10_000)
    every = proof.expensive(1, 100_000)
    few = proof.expensive(1, 20)
    assert 2 <= len(few) <= 40 < len(every) and len(few) % 2 == 0
    told, least = set(few[::2]), min(known >> WORK_SHIFT for known in few[1::2])
    left_out = [known >> WORK_SHIFT for key, known in zip(every[::2], every[1::2], strict=True) if key not in told]
    assert max(left_out) < least


def test_what_is_taken_over_forgets_nothing() -> None:
    """Two searches may each know one bound of a position."""
    table = ProofTable(1)
    lost, won = (NONE - 1 << LOW_SHIFT | NONE << HIGH_SHIFT), (NONE << LOW_SHIFT | NONE + 1 << HIGH_SHIFT)
    table.take_over(array([77, lost | 5 << WORK_SHIFT]))
    table.take_over(array([77, won | 9 << WORK_SHIFT]))
    assert list(table.expensive(1, 9)) == [77, NONE << LOW_SHIFT | NONE << HIGH_SHIFT | 9 << WORK_SHIFT]


def test_no_work_is_too_long_for_a_place() -> None:
    table = ProofTable(1)
    table.store(77, 3, -1, 1, 1 << 50)
    bounds = NONE - 1 << LOW_SHIFT | NONE + 1 << HIGH_SHIFT
    assert list(table.expensive(1, 9)) == [77, 3 | bounds | MOST_WORK << WORK_SHIFT]


@pytest.mark.parametrize(
    ("outcomes", "kept"),
    [
        ((-511, 510), (-511, 510)),
        ((-600, 600), (-BEYOND, BEYOND)),
        ((600, 900), (511, BEYOND)),
        ((-900, -600), (-BEYOND, -512)),
    ],
)
def test_an_outcome_too_large_for_a_place_is_kept_as_what_is_sure_of_it(
    outcomes: tuple[int, int], kept: tuple[int, int]
) -> None:
    """A lead can be larger than the numbers of an entry."""
    table = ProofTable(1)
    table.store(77, 3, *outcomes, 5)
    [_, known] = table.expensive(1, 9)
    assert (least_of(known), greatest_of(known)) == kept


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_full_table_changes_no_payoff(seat: int) -> None:
    """The smallest table and a large one."""
    position = begun("barons", {"width": 3, "height": 3}, 3)
    assert proved(position, seat=seat, places=2) == proved(position, seat=seat)


def test_refusals() -> None:
    with pytest.raises(RulesError, match="see everything"):
        Proof(Position(game("dotter").start(None, 2)))
    over = begun("maze", {"size": 2})
    while not over.over:
        over.apply_quickly(over.moves()[0])
    with pytest.raises(GameOver, match="nothing to prove"):
        Proof(over)


@pytest.mark.slow
def test_the_work_of_a_later_position_tells_nothing_of_earlier_turns() -> None:
    """Turns near the end are known by their average work. Counted from where a search stands, the first turns of a game
    came to be near once a search had stood at its end, and nothing known about them was found.
    """
    position = begun("maze", {"size": 6})
    proof = Proof(position, 8 * NEAR)
    assert not proof.go_on(10_000_000)
    while position.board.plies < 25:
        position.apply_quickly(position.moves()[0])
    before = list(proof.engine.table.labour)
    proof.stand(position)
    assert not proof.go_on(10_000_000)
    assert list(proof.engine.table.labour)[:25] == before[:25] and list(proof.engine.table.labour) != before
