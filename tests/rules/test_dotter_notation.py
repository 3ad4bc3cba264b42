"""Dotter: how moves are written and read, their order, and the sentences that refuse them."""

import pytest

from quadrille.rules.core import Face
from quadrille.rules.core.talk import half_made
from quadrille.rules.errors import BadNotation
from quadrille.rules.games.dotter import board as rules
from quadrille.rules.games.dotter.board import turn_code
from quadrille.rules.games.dotter.game import GAME
from quadrille.rules.games.dotter.moves import DotterMove
from tests.rules.dotter_table import deck, play, start
from tests.rules.table import refusal, texts


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("draw", "draw"),
        ("  DRAW ", "draw"),
        ("peek p2 1a 3c", "peek p2 1a 3c"),
        ("Peek P2 3C 1A", "peek p2 1a 3c"),
        ("peek 2 3c 1a", "peek p2 1a 3c"),
        ("peek  p 2  1 a  3 c", "peek p2 1a 3c"),
        ("peek p2 1a, 3c", "peek p2 1a 3c"),
        ("score p1 1a 1b 2c", "score p1 1a 1b 2c"),
        ("score p1 2c 1b 1a DOUBLE", "score p1 1a 1b 2c double"),
        ("score 1 10a 2c 1b quotient", "score p1 1b 2c 10a quotient"),
        ("score p2 1a 1b 1c nothing", "score p2 1a 1b 1c nothing"),
    ],
)
def test_moves_are_read_with_harmless_variations(text: str, canonical: str) -> None:
    move = GAME.parse(text, start())
    assert str(move) == canonical
    assert GAME.parse(canonical, start()) == move


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "an empty line is no move"),
        (",", "is no move of Dotter"),
        ("look p1 1a 1b", '"look" is no move of Dotter: its moves are such as draw, peek p2 1a 3c'),
        ("draw 3", "draw is a move by itself"),
        ("peek", "after peek comes the player"),
        ("peek 1a 1b", "after peek comes the player"),
        ("score double", "after score comes the player"),
        ("peek p3 1a 1b", "there is no player 3: the players here are p1 to p2"),
        ("peek p0 1a 1b", "there is no player 0"),
        ("peek p1 1a", "a peek takes 2 slots, not 1"),
        ("peek p1 1a 1b 1c", "a peek takes 2 slots, not 3"),
        ("score p1 1a 1b", "a score takes 3 slots, not 2"),
        ("score p1 1a 1b double", "a score takes 3 slots, not 2"),
        ("peek p1 1a 1a", "1a is named twice: a peek takes 2 different cards"),
        ("score p1 1b 1a 1b", "1b is named twice"),
        ("peek p1 1a 1d", '"1d" is no slot'),
        ("peek p1 0a 1b", '"0a" is no slot'),
        ("peek p1 1a 19b", "nobody gets more than 18 rows"),
        ("peek p1 1a 1b double", '"double" is too much: only a score has a guess'),
        ("score p1 1a 1b 1c series", '"series" is no guess: double, triple, difference and quotient are'),
    ],
)
def test_what_is_no_move_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadNotation) as refusal:
        GAME.parse(text, start())
    assert sentence in str(refusal.value)


def test_what_is_not_legal_is_refused_with_a_sentence_and_nothing_changes() -> None:
    cards = deck("5 7 9 K Q 2")
    state = play(start(), cards, "draw")
    before = state.plain()
    assert "there is no card 1a of player 2, who has no cards yet in this round" in refusal(state, "peek p2 1a 1b")
    assert "there is no card 2a of player 1, who has row 1 only" in refusal(state, "score p1 1a 1b 2a")
    seen = play(state, cards, "peek p1 1a 1b", "draw")
    assert "both cards" in refusal(seen, "peek p1 1a 1b")
    assert "there is no card 3c of player 1, who has rows 1 to 2" in refusal(seen, "score p1 1a 2b 3c")
    for move, sentence in (
        (DotterMove(turn_code(5 * rules.SLOTS * rules.SLOTS + 1, 2, 0)), "there is no player 6"),
        (DotterMove(turn_code(rules.SLOTS, 2, 0)), "the slots ascending"),
        (DotterMove(rules.MOVES), "there is no player 7"),
        (DotterMove(-1), "there is no player 0"),
        (Face("5S"), "no card is owed now"),
    ):
        assert sentence in (state.objection(move) or "")
        assert move not in state.moves
    assert state.plain() == before
    owed = "peek p1 1a 1b comes first: its cards are not all turned up yet"
    assert state.play("peek p1 1a 1b").objection(GAME.parse("draw", state)) == owed


@pytest.mark.slow
def test_moves_are_listed_in_canonical_order() -> None:
    state = play(start(guess_nothing=True), deck(""), "draw", "draw")
    guesses = ["", " double", " triple", " difference", " quotient", " nothing"]
    looks = [f"peek p{player} {slots}" for player in (1, 2) for slots in ("1a 1b", "1a 1c", "1b 1c")]
    assert texts(state) == ["draw", *looks, *(f"score p{p} 1a 1b 1c{guess}" for p in (1, 2) for guess in guesses)]
    # rows are compared as numbers: 2 before 10
    state = start()
    for _ in range(18):
        state = play(state, deck(""), "draw")
    listed = texts(state)
    assert listed.index("peek p1 1a 2a") < listed.index("peek p1 1a 9c") < listed.index("peek p1 1b 1c")
    board = start().board.copy()
    for _ in range(18):
        board.draw()
        board.begin_turn(0)
    listed = texts(state.on(board))
    assert len(listed) == 1431 + 5 * 24804 == state.on(board).moves.count()
    assert listed.index("peek p1 1a 2a") < listed.index("peek p1 1a 10a") < listed.index("peek p1 1a 18c")


def test_a_half_made_score_of_anothers_cards_leads_to_those_that_were_looked_at() -> None:
    """A third card that makes no legal score can be touched: it is refused in words, and no guess is offered."""
    cards = deck("5 7 9 K Q 2")
    state = play(start(looks=2), cards, "draw", "draw", "draw", "peek p1 1a 2b", "peek p2 1a 1b")
    assert sorted(half_made(state, "peek p1 1a 2b").nexts) == ["p1 1b", "p1 1c", "p1 2a", "p1 2c"]
    assert sorted(half_made(state, "peek p1 1a 1b").nexts) == ["p1 2b"]
    refused = half_made(state, "score p1 1a 1b 1c")
    assert "look at 2 of the three" in refused.why and not (refused.begins or refused.choices or refused.words)
    assert half_made(state, "score p1 1a 1b").words == ("score p1 1a 1b 2b",)
    assert half_made(state, "score ").words == ("score p1", "score p2")
    assert half_made(state, "score p1 1a 1b 2b").words[0] == "score p1 1a 1b 2b double"
