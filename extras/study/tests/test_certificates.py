"""Certificates: what they claim is true, anybody can check it, and nothing else passes."""

import functools
from dataclasses import replace
from math import prod
from typing import Any

import pytest

from quadrille.extras.study.certificates.answers import AnswerReader, AnswerWriter
from quadrille.extras.study.certificates.certificate import KIND, TURNED, Certificate, ClaimedPosition, ProvenShare
from quadrille.extras.study.certificates.checking import Checking
from quadrille.extras.study.certificates.writing import Writing, by_half_turn
from quadrille.rules.board import Board
from quadrille.rules.core.sealed import seal
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game
from quadrille.rules.search import Position, Proof

BOARDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("maze", {"size": 3}),
    ("maze", {"size": 4}),
    ("dollar-draw", {"width": 3, "height": 3}),
    ("dollar-draw", {"width": 2, "height": 3}),
    ("barons", {"width": 2, "height": 3}),
    ("barons", {"width": 3, "height": 3, "end": "full"}),
    ("coin-isolation", {"layout": "pd/np", "renegade": True}),
    ("coin-isolation", {"layout": "pdn/npp", "take": "greedy"}),
)


def claimed(key: str, options: dict[str, Any], *moves: str) -> ClaimedPosition:
    return ClaimedPosition.of(game(key), options, 2, moves)


@functools.cache
def made(key: str, plain: tuple[tuple[str, Any], ...], *moves: str) -> Certificate:
    """Return a certificate by the prover's best moves."""
    position = claimed(key, dict(plain), *moves)
    start = Position.start(key, dict(plain), 2, moves=moves)
    proof = Proof(start)
    assert not proof.go_on(10_000_000) and proof.result is not None
    value = proof.result if start.seat == 0 else -proof.result
    writing = Writing(position, {0: value, 1: -value}, lambda _: proof.keeps)
    while writing.go_on(1000):
        pass
    return writing.certificate()


def certificate(key: str, options: dict[str, Any], *moves: str) -> Certificate:
    return made(key, tuple(options.items()), *moves)


def check(data: bytes) -> Checking:
    checking = Checking(Certificate.read(data, "x"), "x")
    while checking.go_on():
        pass
    return checking


@pytest.mark.parametrize(
    ("key", "options", "moves"),
    [
        *(pytest.param(*board, (), marks=pytest.mark.slow if board == BOARDS[6] else ()) for board in BOARDS),
        ("dollar-draw", {"width": 3, "height": 3}, ("a2", "c2")),
    ],
)
def test_a_certificate_claims_what_all_games_show_and_its_check_ends(
    key: str, options: dict[str, Any], moves: tuple[str, ...]
) -> None:
    found = certificate(key, options, *moves)
    assert found.position.moves == moves
    assert found.value == against(claimed(key, options, *moves).start.board.copy(), 0, {})
    checking = check(found.written())
    assert checking.answers == checking.answers_in_all == sum(claim.answers for claim in found.claims)
    assert Certificate.read(found.written(), "x") == found


@pytest.mark.slow
def test_each_of_three_seats_is_certified_against_the_others_together() -> None:
    """ "What a seat gets whatever the others do": by all games, and as a claim of each seat that gets more than the
    last place.
    """
    start = Position.start("barons", {"width": 3, "height": 2}, 3)
    proofs = [Proof(start, seat=seat) for seat in range(3)]
    assert not any(proof.go_on(1_000_000) for proof in proofs)
    payoffs = {seat: proof.result for seat, proof in enumerate(proofs) if proof.result is not None}
    assert payoffs == {seat: against(start.board.copy(), seat, {}) for seat in range(3)}
    writing = Writing(
        ClaimedPosition.of(game("barons"), {"width": 3, "height": 2}, 3, ()), payoffs, lambda seat: proofs[seat].keeps
    )
    while writing.go_on(100):
        pass
    found = writing.certificate()
    assert found.value is None and check(found.written()).answers > 0
    [claim, *_] = found.claims
    with pytest.raises(RulesError, match="has not got a payoff of"):
        check(replaced(found, claims=(replace(claim, payoff=claim.payoff + 1),), body=found.body[: claim.length]))


def against(board: Board, seat: int, known: dict[tuple[int, ...], int]) -> int:
    """Return the payoff of a seat whatever all others do, by all games."""
    facts = tuple(map(int, board.facts()))
    count = board.legal()
    if count == 0:
        return int(board.payoff(seat))
    if facts not in known:
        found = []
        for move in list(board.moves[:count]):
            board.apply(move)
            found.append(against(board, seat, known))
            board.undo()
        known[facts] = max(found) if board.turn == seat else min(found)
    return known[facts]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "options"), [("maze", {"size": 4}), ("dollar-draw", {"width": 3, "height": 3})])
def test_facts_decide_moves_and_results(key: str, options: dict[str, Any]) -> None:
    """Of all positions, those with other keys and the same facts have as many moves and the same value."""
    met: dict[tuple[int, ...], list[Board]] = {}
    keys: set[int] = set()
    todo = [claimed(key, options).start.board]
    while todo and len(keys) < 4000:
        board = todo.pop().copy()
        facts, key_ = (int(board.turn), *map(int, board.facts())), int(board.key())
        if key_ not in keys:
            keys.add(key_)
            met.setdefault(facts, []).append(board.copy())
            for move in list(board.moves[: board.legal()]):
                todo.append(board.copy())
                todo[-1].apply(move)
    pairs = [(boards[0], boards[-1]) for boards in met.values() if len(boards) > 1]
    assert pairs
    for one, other in pairs[:50]:
        assert one.legal() == other.legal()
        assert against(one, 0, {}) == against(other, 0, {})


# What is wrong


def replaced(found: Certificate, **changes: Any) -> bytes:
    """Return the file of other claims, with a seal of its own."""
    return replace(found, **changes).written()


@pytest.mark.parametrize(("key", "options"), BOARDS)
def test_the_other_winner_is_refused(key: str, options: dict[str, Any]) -> None:
    """Each claim for the other seat, or for more, is refused with the line of play."""
    found = certificate(key, options)
    for claim in found.claims:
        for wrong in (replace(claim, seat=1 - claim.seat, payoff=1), replace(claim, payoff=1)):
            if found.value and wrong == claim:
                continue
            with pytest.raises(RulesError, match=r"x can't be used: .*"):
                check(replaced(found, claims=(wrong,), body=found.body[: claim.length]))


@pytest.mark.parametrize(("key", "options"), [BOARDS[1], BOARDS[2], BOARDS[4]])
def test_each_changed_answer_is_refused_unless_it_keeps_the_claim_as_well(key: str, options: dict[str, Any]) -> None:
    """Every answer, changed to every other place: the body is as long as before, and has a seal of its own."""
    found = certificate(key, options)
    [claim, *_] = found.claims
    rest = found.body[claim.length :]
    choices = recorded(found, claim)
    refused = 0
    for number, (place, count) in enumerate(choices):
        for other in range(count):
            if other == place:
                continue
            writer = AnswerWriter()
            for at, (kept, among) in enumerate(choices):
                writer.add(other if at == number else kept, among)
            try:
                check(replaced(found, body=writer.written() + rest))
            except RulesError:
                refused += 1
    assert refused > 0
    assert found.value == against(claimed(key, options).start.board.copy(), 0, {})


def recorded(found: Certificate, claim: ProvenShare) -> list[tuple[int, int]]:
    """Return the places and numbers of choices of the answers of the first claim."""
    seen: list[tuple[int, int]] = []
    following = AnswerReader.next

    def noted(reader: AnswerReader, choices: int) -> int:
        place = following(reader, choices)
        seen.append((place, choices))
        return place

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AnswerReader, "next", noted)
        check(found.written())
    return seen[: claim.answers]


def test_no_flipped_bit_is_read() -> None:
    whole = certificate("maze", {"size": 3}).written()
    for place in range(len(whole)):
        for bit in range(8):
            with pytest.raises(RulesError, match=r"[^\n]{10,1000}"):
                check(whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :])
    for end in range(len(whole)):
        with pytest.raises(RulesError, match=r"[^\n]{10,1000}"):
            check(whole[:end])


FIELDS = {
    "game": "maze", "rules": 1, "options": {"size": 3}, "seats": 2, "moves": [], "claims": [[0, 1, "answers", 0, 0]],
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"game": "chess"}, "there is no game"),
        ({"game": 7}, "there is no game"),
        ({"game": "dotter", "options": {}}, "has hidden cards"),
        ({"game": "coin-isolation", "options": {}}, "draws its start, unless an option"),
        ({"rules": 99}, "made for other rules of Maze"),
        ({"options": {"size": 99}}, "size"),
        ({"options": []}, "options"),
        ({"moves": "a1"}, "no list of at most 200 moves"),
        ({"moves": ["x"] * 201}, "no list of at most 200 moves"),
        ({"moves": ["a1-a2"]}, "starts from the upper left"),
        ({"moves": ["?"]}, "can't be used: "),
        ({"claims": []}, "contradict each other, or there are none"),
        ({"claims": [[0, 1, "answers", 0, 0], [1, 1, "answers", 0, 0]]}, "contradict each other"),
        ({"claims": [[0, 0, "answers", 0, 0], [0, 0, "answers", 0, 0]]}, "contradict each other"),
        ({"claims": [[2, 1, "answers", 0, 0]]}, "a claim is a seat, 0 to 1; a payoff, 0 to 1"),
        ({"claims": [[0, 2, "answers", 0, 0]]}, "a claim is a seat, 0 to 1; a payoff, 0 to 1"),
        ({"claims": [[0, 1, "magic", 0, 0]]}, "a claim is a seat, 0 to 1; a payoff, 0 to 1"),
        ({"seats": 3}, "is for 2"),
        ({"seats": "2"}, "its seats is no whole number"),
        ({"claims": [[0, -1, "answers", 0, 0]]}, "a claim is a seat, 0 to 1; a payoff, 0 to 1"),
        ({"claims": [[0, 1, "answers", -1, 0]]}, "its answers is no whole number"),
        ({"claims": [[True, 1, "answers", 0, 0]]}, "its seat is no whole number"),
        ({"claims": [[0, 1]]}, "no lists of five"),
        ({"claims": 3}, "no lists of five"),
        ({"claims": [[0, 1, "turned", 0, 0]]}, "no half turn is proven in Maze"),
        ({"claims": [[0, 1, "turned", 7, 0]]}, "kept by turning has no answers"),
        ({"claims": [[0, 1, "turned", 0, 7]]}, "kept by turning has no answers"),
        ({}, "ends after 0 answers"),
        ({"more": 1}, "second line is not as quadrille writes it"),
    ],
)
def test_senseless_fields_are_refused_in_a_sentence(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(RulesError, match=says):
        check(seal(KIND, FIELDS | changes, b""))


def test_answers_too_few_and_too_many_are_refused() -> None:
    found = certificate("maze", {"size": 4})
    [claim] = found.claims
    for body in (b"", found.body + bytes(8)):
        with pytest.raises(RulesError, match="answers, and"):
            check(replaced(found, claims=(replace(claim, length=len(body)),), body=body))
    with pytest.raises(RulesError, match="it has others"):
        check(replaced(found, claims=(replace(claim, answers=claim.answers + 1),)))
    weight = prod(choices for _, choices in recorded(found, claim))
    with pytest.raises(RulesError, match="is followed by a number that answers nothing"):
        check(replaced(found, body=(int.from_bytes(found.body, "little") + weight).to_bytes(8, "little")))


# The half turn

#: An even number of squares, on which the second seat has an answer to each move.
TEN: dict[str, Any] = {"width": 10, "height": 10}


@pytest.mark.parametrize(
    ("key", "options", "seat", "value"),
    [
        ("dollar-draw", TEN, 1, -1),
        ("dollar-draw", {"width": 2, "height": 7}, 1, -1),
        pytest.param("dollar-draw", {"width": 26, "height": 26}, 1, -1, marks=pytest.mark.slow),
        pytest.param("barons", TEN, 1, None, marks=pytest.mark.slow),
        ("barons", {"width": 9, "height": 9, "end": "full"}, 0, 1),
    ],
)
def test_the_half_turn_is_a_certificate_without_answers(
    key: str, options: dict[str, Any], seat: int, value: int | None
) -> None:
    found = by_half_turn(claimed(key, options))
    assert found is not None and found.value == value
    assert [(claim.seat, claim.way) for claim in found.claims] == [(seat, TURNED)]
    assert check(found.written()).positions > 100


@pytest.mark.parametrize(
    ("key", "options", "moves"),
    [
        ("dollar-draw", {"width": 3, "height": 3}, ()),
        ("barons", {"width": 3, "height": 3}, ()),
        ("maze", {"size": 4}, ()),
        ("dollar-draw", TEN, ("a2",)),
    ],
)
def test_no_half_turn_is_claimed_where_none_is_proven(key: str, options: dict[str, Any], moves: tuple[str]) -> None:
    with pytest.raises(RulesError, match="has not won"):  # a tie is no win
        check(Certificate(claimed("barons", TEN), (ProvenShare(1, 1, TURNED),), b"").written())
    position = claimed(key, options, *moves)
    assert by_half_turn(position) is None
    for seat in (0, 1):
        with pytest.raises(RulesError):
            check(Certificate(position, (ProvenShare(seat, 0, TURNED),), b"").written())
