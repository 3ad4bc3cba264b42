"""What moves did that counts, and what placed the seats: each sentence worked by hand from the rules."""

from itertools import combinations_with_replacement

import pytest

from quadrille.rules.core import Given
from quadrille.rules.core.talk import Consequence, Criterion, Margin, margin
from quadrille.rules.games.dotter import hands
from quadrille.rules.games.dotter.story import explained
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.rules.dotter_table import deck


def told(key: str, options: Given, moves: str, seats: int | None = None, deal: Deal | None = None) -> list[str]:
    """The deeds of the last of these moves, which commas separate: seat, verb, rest."""
    match = Match(game(key), options, seats, deal=deal)
    for text in moves.split(","):
        match.play(text.strip())
    return [f"{deed.seat} {deed.verb} {deed.rest}" for deed in match.story(match.length - 1)]


def test_barons_tells_connections_rows_and_columns() -> None:
    small = {"width": 3, "height": 2}
    assert told("barons", small, "a1", 2) == []
    assert told("barons", small, "a1, a2, b1", 2) == ["0 score 2 for 1 connection"]
    assert told("barons", small, "a1, a2, c1, c2, b1", 2) == [
        "0 score 4 for 2 connections",
        "0 score 40 for the whole of row 1",
    ]
    assert told("barons", small, "a1, b1, a2", 2) == [
        "0 score 2 for 1 connection",
        "0 score 10 for the whole of column a",
    ]
    assert told("barons", {**small, "vertical": 0, "column_bonus": 0}, "a1, b1, a2", 2) == []


def test_dollar_draw_tells_of_dollars_and_not_of_claims() -> None:
    start = {"width": 3, "height": 3}
    match = Match(game("dollar-draw"), start)
    deeds: list[Consequence] = []
    while match.over is None:
        match.play(next(iter(match.state.moves)))
        deeds += match.story(match.length - 1)
    captured = match.state.figures()["captured"]
    assert [deed.verb for deed in deeds].count("capture") == sum(captured)
    turned = [deed for deed in deeds if deed.verb == "turn"]
    assert all(deed.other == 1 - deed.seat and deed.rest.startswith("{whose} mark on ") for deed in turned)
    assert len(turned) >= sum(captured) > 0


def test_maze_tells_of_each_x() -> None:
    # On 2 x 2 the third segment takes the last square, which has no untaken neighbour left.
    assert told("maze", {"size": 2}, "a2-b2") == []
    assert told("maze", {"size": 2}, "a2-b2, b2-b1, b1-a1") == ["0 make 1 X: 1 now, an odd number"]


def test_coin_isolation_tells_what_was_kept() -> None:
    layout = {"layout": "qq/pd", "take": "greedy"}
    assert told("coin-isolation", layout, "side south") == []
    assert told("coin-isolation", layout, "side south, a2") == ["0 keep 1 quarter: 25 cents now"]
    assert told("coin-isolation", layout, "side south, a2, a1") == ["1 keep 1 penny: 1 cent now"]
    assert told("coin-isolation", layout, "side south, a2, a1, b2") == ["0 keep 1 quarter: 50 cents now"]
    coins = {"layout": "pp.p/....", "take": "greedy", "mixed_change": True}
    assert told("coin-isolation", coins, "side south, a2-b2") == ["0 keep 1 penny: 1 cent now"]


@pytest.mark.parametrize(
    ("ranks", "guess", "why"),
    [
        ((5, 7, 9), hands.NO_GUESS, "series 5, 7, 9"),
        ((3, 12, 3), hands.NO_GUESS, "3, 3, Q, a pair of threes"),
        ((11, 11, 11), hands.NO_GUESS, "J, J, J, three jacks"),
        ((3, 4, 1), hands.NO_GUESS, "A, 3, 4, the highest card alone"),
        ((0, 12, 13), hands.NO_GUESS, "series Q, K, joker as A"),
        ((0, 11, 11), hands.DOUBLE, "joker as A, J, J, a pair of jacks, guessed right and doubled"),
        ((12, 13, 1), hands.DOUBLE, "the lowest card, A, because the guess double is wrong"),
        ((11, 11, 11), hands.QUOTIENT, "series J, J, J, guessed right and doubled"),
    ],
)
def test_dotter_explains_three_cards(ranks: tuple[int, ...], guess: int, why: str) -> None:
    assert explained(guess, ranks) == why


@pytest.mark.slow
def test_the_hand_that_is_told_is_worth_what_the_board_gives() -> None:
    """All hands of three ranks and jokers, with each guess and with none."""
    worth = hands.points()
    for ranks in combinations_with_replacement(range(hands.RANKS), 3):
        for guess in range(hands.GUESSES):
            points = hands.best(guess, *ranks).points
            given = worth[hands.place(guess, *ranks)]
            if guess != hands.NO_GUESS:
                points *= 2
            assert points == given or (points == 0 and guess != hands.NO_GUESS), (ranks, guess)


def dotter(cards: str, moves: str, seats: int = 2, **options: int) -> list[str]:
    deal = Deal("any", {"round 1": tuple(deck(cards))})
    return told("dotter", {"looks": 0, **options}, moves, seats, deal)


def test_dotter_tells_a_score_with_its_row_and_its_halving() -> None:
    assert dotter("JK1 Q K", "draw, draw, score p1 1a 1b 1c") == ["0 score 27: series Q, K, joker as A"]
    halved = "draw, draw, score p2 1a 1b 1c"
    assert dotter("A 2 3 3 Q 3", halved) == ["0 score 3 from {whose} row: 3, 3, Q, a pair of threes, halved"]


def test_dotter_tells_a_lap_a_wait_and_what_is_lost() -> None:
    row = "J J J J K K"
    lap = "draw, draw, score p1 1a 1b 1c"
    assert dotter(row, lap, lap_points=21)[1:] == ["0 complete lap 1 of 2"]
    assert dotter("J J J 2 4 9 5 7 9", lap + ", score p2 1a 1b 1c", lap_points=21)[1:] == [
        "0 start the next lap from 0"
    ]


def test_the_margin_is_the_first_criterion_that_separates() -> None:
    same, more, less = Criterion(2, "a"), Criterion(1, "b"), Criterion(0, "b")
    assert margin([same, more], [same, less]) == Margin("b", 1, 0, is_count=True)
    assert margin([same], [same]) is None
