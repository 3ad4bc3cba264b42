"""Players of Dotter that count cards: they find the best guess, and use nothing that they have not seen."""

from itertools import combinations

import pytest

from quadrille.rules.board import CHANCE, UNKNOWN
from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import settle
from quadrille.rules.dice import Dice
from quadrille.rules.games.dotter import board as rules
from quadrille.rules.games.dotter import hands
from quadrille.rules.games.dotter.board import guess_of
from quadrille.rules.games.dotter.game import GAME, DotterState
from quadrille.rules.games.dotter.search import KINDS, UNSEEN, CardCount, SearchedDotter
from tests.rules.dotter_table import write

#: Numbers of cards in the pile.
CARDS = 54


def score_left(board: SearchedDotter) -> int:
    """The score of the only three cards on the table, without a guess."""
    code = board.nth(board.count() - 1)
    return code - guess_of(code)


def scored_away(dealt: int, *top: int) -> SearchedDotter:
    """A row of seat 0 is on the table, and seat 1 is to move; it scored all rows before. The pile begins with `top`."""
    board = GAME.start({"looks": 0}, 2).board.copy()
    assert isinstance(board, SearchedDotter)
    dice = Dice(dealt)
    faces = iter(top)
    while board.at[rules.DEALT] < dealt:
        board.make(0)
        if board.at[rules.DEALT] < dealt:
            board.make(score_left(board))
            while board.turn == CHANCE:
                board.make(next(faces, UNKNOWN) if top else board.random_move(dice))
    board.sharpen()
    return board


def look(board: SearchedDotter, card: int, dice: Dice) -> None:
    """The mover has looked at a card of the row on the table."""
    at = board.position(0, board.slots(0)[card])
    board.at[rules.FACES + at] = [face for face in range(CARDS) if face not in board.faces][dice.below(3)]
    board.at[rules.LOOKED + board.turn] |= 1 << at


def naive(board: SearchedDotter, guess: int) -> int:
    """The points of a guess at the three cards on the table, added up over all ways in which unseen ones can fall."""
    known = [board.faces[board.position(0, slot)] for slot in board.slots(0)]
    seen = [face for face in known if face != UNKNOWN]
    rest = [face for face in range(CARDS) if face not in board.faces]
    return sum(
        board.terms.worth[hands.place(guess, *(board.terms.ranks[face] for face in [*seen, *drawn]))]
        for drawn in combinations(rest, 3 - len(seen))
    )


@pytest.mark.parametrize("dealt", [27, 45, 48, 51, 54])
def test_the_guess_is_the_best_one_by_the_cards_that_are_left(dealt: int) -> None:
    board, dice = scored_away(dealt), Dice(dealt)
    for card in (1, 0, 2, None):
        sums = [naive(board, guess) for guess in range(board.terms.guesses)]
        count = CardCount(board)
        assert count.with_best_guess(score_left(board)) == score_left(board) + sums.index(max(sums))
        assert list(count.sums)[: board.terms.guesses] == sums
        if card is not None:
            look(board, card, dice)


def test_a_card_that_was_looked_at_counts_by_its_face_if_this_board_knows_it() -> None:
    board, dice = scored_away(27), Dice(27)
    for card in range(3):
        look(board, card, dice)
    kept, places = board.scratch(), [board.position(0, slot) for slot in board.slots(0)]
    for unknown in (UNKNOWN, places[0]):
        kinds = [UNSEEN if at == unknown else board.terms.ranks[board.faces[at]] for at in places]
        if unknown == places[0]:
            board.at[rules.FACES + unknown] = UNKNOWN
        assert board.best_scores(0, kept, 1) == 1
        assert kept[0] == board.outlook[(kinds[0] * KINDS + kinds[1]) * KINDS + kinds[2]] // 2
    assert board.kinds[0] == UNSEEN and UNSEEN not in board.kinds[1:3]


def test_who_counts_names_the_last_three_cards_and_who_does_not_does_not() -> None:
    sevens = (6, 19, 32)
    board = scored_away(CARDS, *(face for face in range(CARDS) if face not in sevens))
    assert board.at[rules.DEALT] == CARDS
    write(board, rules.HOLE, [0, 0])
    for counts, guess in ((True, hands.TRIPLE), (False, hands.NO_GUESS)):
        board.counts = counts
        number = board.promising(Dice(1), 256)
        assert [guess_of(move) for move in board.moves[:number] if move >= rules.SCORES] == [guess]
        sight = {board.at_sight(Dice(seed)) for seed in range(20)}
        assert {guess_of(move) for move in sight if move >= rules.SCORES} == {guess}


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3])
def test_counting_uses_nothing_that_the_mover_has_not_seen(seats: int) -> None:
    """With the same dice a player comes to the same moves on its view as on a board that knows all cards."""
    dealer, dice = SeedDealer("counted"), Dice(seats)
    state = settle(GAME.start({"laps": 6}, seats), dealer)
    hidden = 0
    while not state.board.ended and hidden < 30:
        assert isinstance(state, DotterState)
        seat = state.board.turn
        view, whole = state.view(seat).board.copy(), state.board.copy()
        hidden += list(view.faces) != list(whole.faces)
        whole.guess(dice)
        found = []
        for board in (view, whole):
            board.sharpen()
            number = board.promising(Dice(5), 256)
            found.append([*board.moves[:number], *(board.at_sight(Dice(seed)) for seed in range(5))])
        assert found[0] == found[1]
        board = state.board.copy()
        code = board.at_sight(dice) if dice.below(2) else board.random_move(dice)
        state = settle(state.play(state.move(code)), dealer)
    assert hidden == 30, "positions in which another seat has looked at cards that the mover has not seen"


def test_a_sharpened_board_stays_so_in_copies_and_nothing_else_of_it_is_different() -> None:
    board = scored_away(CARDS - 3)
    twin = board.copy()
    assert twin.counts
    other = GAME.start({}, 2).board.copy()
    other.become(board)
    assert not other.counts, "a search's board keeps its way to think when it takes over a position"
    assert other.key() == board.key()
    assert any(mask == rules.PUBLIC for mask in other.seen)


def test_at_sight_cards_are_counted_when_nine_are_left() -> None:
    """Four kings and two jokers are among the last cards: a double is likely."""
    last = (12, 25, 38, 51, 52, 53)
    others = [face for face in range(CARDS) if face not in last]
    for dealt, counted in ((CARDS - 9, False), (CARDS - 6, True), (CARDS - 3, True)):
        board = scored_away(dealt, *others)
        write(board, rules.HOLE, [0, 0])
        best = CardCount(board).with_best_guess(score_left(board))
        assert guess_of(best) != hands.NO_GUESS
        sight = {board.at_sight(Dice(seed)) for seed in range(20)}
        assert (best in sight) == counted
