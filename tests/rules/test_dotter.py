"""Dotter: every sentence of its rules, worked by hand.

What three cards are worth is in test_dotter_hands.py, what is hidden from whom in test_dotter_views.py, how moves are
written in test_dotter_notation.py.
"""

from collections.abc import Sequence

import pytest

from quadrille.rules.arrays import array
from quadrille.rules.chance import Stream
from quadrille.rules.core import Face, Over, Pile, ToDraw, ToMove
from quadrille.rules.errors import BadOptions, BadSeats, GameOver
from quadrille.rules.games.dotter.game import GAME, DotterState
from quadrille.rules.scene import Mark, Row
from tests.rules.dotter_table import DECK, deck, first, pegged, play, settled, start, texts
from tests.rules.table import refusal

# Options, seats, the deck


def test_options_have_the_defaults_and_ranges_of_the_rules() -> None:
    specs = {spec.name: (spec.default, spec.least, spec.most) for spec in GAME.Options.specs() if spec.kind == "number"}
    assert specs == {
        "laps": (2, 1, 20),
        "lap_points": (121, 21, 1000),
        "jokers": (2, 0, 2),
        "max_rounds": (100, 1, 1000),
    }
    flags = {spec.name: spec.default for spec in GAME.Options.specs() if spec.kind == "flag"}
    assert flags == {"guess_nothing": False, "open_memory": True}
    for name, value in (("laps", 21), ("lap_points", 20), ("jokers", 3), ("max_rounds", 0), ("guess_nothing", 1)):
        with pytest.raises(BadOptions, match=name):
            GAME.start({name: value})


def test_two_to_six_players_and_the_advice_for_them() -> None:
    for seats in (1, 7):
        with pytest.raises(BadSeats, match="2 to 6"):
            GAME.start(seats=seats)
    for seats, laps in zip(range(2, 7), (6, 4, 3, 2, 2), strict=True):
        assert GAME.advice(GAME.Options(laps=laps), seats) == ()
        (sentence,) = GAME.advice(GAME.Options(laps=laps + 1), seats)
        assert sentence.startswith(f"{laps} laps are advised for {seats} players")
    assert GAME.preset("inventor") == {"laps": 6}
    assert GAME.usual_seats == 2 and GAME.hidden


def test_the_pile_of_a_round_lists_the_unshuffled_deck() -> None:
    for jokers in (0, 1, 2):
        state = play(start(jokers=jokers), DECK, "draw").play(GAME.parse("score p1 1a 1b 1c", start()))
        assert state.pending == ToDraw(Pile("round 1", (*DECK, *["JK1", "JK2"][:jokers])), 0, None)


# Play


def test_a_draw_puts_the_top_three_cards_unseen_in_a_new_row() -> None:
    cards = deck("5 7 9 K Q 2 A 3 4")
    state = play(start(), cards, "draw", "draw", "draw")
    assert list(state.board.drawn) == [2, 1]
    assert set(state.board.seen) == {0} and set(state.board.faces) == {-1}
    seen = play(state, cards, "peek p1 2a 2c").view(1)
    assert [mark and mark.label for row in seen.scene().rows for mark in row.marks] == [
        "?", "?", "?", "AS", "?", "4S", "?", "?", "?",
    ]  # fmt: skip


@pytest.mark.slow
def test_a_draw_is_legal_while_the_deck_holds_three() -> None:
    for jokers, left in ((0, "1 card"), (1, "2 cards"), (2, "0 cards")):
        state = start(jokers=jokers)
        rows = (52 + jokers) // 3
        for _ in range(rows):
            state = play(state, DECK, "draw")
        assert refusal(state, "draw") == f"the deck is down to {left}: a draw takes three"
        assert "draw" not in texts(state)


def test_a_peek_shows_two_cards_to_the_player_alone() -> None:
    cards = deck("5 7 9 K Q 2")
    state = play(start(3), cards, "draw", "draw")
    state = state.play(GAME.parse("peek p1 1a 1c", state))
    assert state.pending == ToDraw(Pile("round 1", (*DECK, "JK1", "JK2")), 0, 2)
    state = state.play(Face("5S"))
    assert state.pending == ToDraw(Pile("round 1", (*DECK, "JK1", "JK2")), 2, 2)
    state = state.play(Face("9S"))
    assert state.pending == ToMove(0)
    labels = {
        seat: [mark and mark.label for mark in state.view(seat).scene().rows[0].marks] for seat in (0, 1, 2, None)
    }
    assert labels == {0: ["?"] * 3, 1: ["?"] * 3, 2: ["5S", "?", "9S"], None: ["?"] * 3}
    for seat in (0, 1, 2, None):
        assert "Player 3 has looked at p1 1a 1c" in state.view(seat).scene().notes


def test_at_least_one_of_the_two_must_be_new_to_this_player() -> None:
    cards = deck("5 7 9 K Q 2")
    state = play(start(), cards, "draw", "peek p1 1a 1b", "draw")
    assert "both cards" in refusal(state, "peek p1 1a 1b")
    looks = [text for text in texts(state) if text.startswith("peek")]
    assert len(looks) == 15 - 1 and "peek p1 1a 1b" not in looks
    assert "peek p1 1a 2a" in looks and "peek p1 1b 1c" in looks
    # only the new card of the two is asked for
    state = state.play(GAME.parse("peek p1 1b 1c", state))
    assert isinstance(state.pending, ToDraw) and state.pending.position == 2
    state = state.play(Face("9S"))
    # what one has seen is nothing to another: player 1 has looked at none of these
    assert state.pending == ToMove(0)
    assert {"peek p1 1a 1b", "peek p1 1a 1c", "peek p1 1b 1c"} <= set(texts(state))


def test_with_nothing_new_to_peek_at_and_no_draw_scoring_is_the_only_move() -> None:
    state, cards = start(jokers=0), deck("", 0)
    while not (text := first(state)).startswith("score"):
        state = play(state, cards, text)
    assert state.board.dealt == 51 and set(state.board.seen[:51]) == {0b11}
    assert {text.split()[0] for text in texts(state)} == {"score"}


def test_three_cards_of_one_player_are_turned_up_for_all_and_discarded() -> None:
    cards = deck("5 7 9 K Q 2 3 6 4")
    state = play(start(), cards, "draw", "draw", "draw")
    state = state.play(GAME.parse("score p1 1a 1b 2c", state))
    state = state.play(Face("5S"))
    for viewer in (0, 1, None):
        row = state.view(viewer).scene().rows[0]
        assert row == Row("p1 1", (Mark("card", "5S"), *[Mark("card", "?")] * 2), 0, ((), (), ()))
    state = settled(state, cards)
    empty, card = None, Mark("card", "?")
    nobody = ((), (), ())
    for viewer in (0, 1, None):
        rows = state.view(viewer).scene().rows
        assert rows[0] == Row("p1 1", (empty, empty, card), 0, nobody)
        assert rows[1] == Row("p1 2", (card, card, empty), 0, nobody)
        assert rows[3] == Row("discards", tuple(Mark("card", name) for name in ("4S", "5S", "7S")))
    # "A scored card leaves its slot empty; nothing moves up."
    assert (
        refusal(state, "score p1 1a 1c 2a") == "1a of player 1 is empty: its card has been scored, and nothing moves up"
    )
    assert "is empty" in refusal(state, "peek p1 1c 2c")
    assert list(state.board.drawn) == [2, 1]


def test_the_cards_of_two_players_can_not_go_together_and_any_rows_of_one_can() -> None:
    state = play(start(), deck(""), "draw", "draw", "draw", "draw", "draw")
    assert "score p1 1a 2b 3c" in texts(state)
    assert refusal(state, "score p2 1a 2b 3c").startswith("there is no card 3c of player 2, who has rows 1 to 2")


def test_a_round_ends_when_the_deck_cannot_serve_and_no_cards_are_left() -> None:
    state, cards = start(jokers=1, lap_points=1000), deck("", 1)
    for row in range(1, 18):
        # the table is empty time and again, and the round goes on while the deck can serve
        assert state.board.round == 0 and texts(state) == ["draw"]
        state = play(state, cards, "draw")
        assert not state.board.serves() if row == 17 else state.board.serves()
        # with two cards in the deck the last score ends it
        state = play(state, cards, f"score p1 {row}a {row}b {row}c")
    assert state.board.round == 1 and state.pending == ToMove(1) and texts(state) == ["draw"]
    assert state.board.dealt == 0 and set(state.board.seen) == {0} and list(state.board.drawn) == [0, 0]
    # all cards are shuffled again: those of the last round can come once more
    state = play(state, cards, "draw")
    state = state.play(GAME.parse("peek p2 1a 1b", state))
    assert state.pending == ToDraw(Pile("round 2", tuple(deck("", 1))), 0, 0)
    assert state.moves.count() == 53


# Pegs and laps


def test_the_last_hole_is_121_exactly() -> None:
    """A score that reaches it completes the lap; one hole short of it does not."""
    cards = deck("5 7 9")
    for hole, after, laps in ((104, 120, 0), (105, 121, 1), (106, 121, 1), (120, 121, 1)):
        state = play(pegged(play(start(), cards, "draw"), [hole, 0], turn=0), cards, "score p1 1a 1b 1c")
        assert (list(state.board.hole), list(state.board.laps)) == ([after, 0], [laps, 0])
        assert isinstance(state.pending, ToMove)


def test_a_waiting_peg_stays_until_another_player_has_scored() -> None:
    """At 115, scores 20: on 121, first lap complete. Scores 66 at once: stays there."""
    cards = deck("10 10 3 2 4 6 J J J A 2 5")
    state = play(start(), cards, "draw", "draw", "draw", "draw")
    state = play(pegged(state, [80, 115], turn=1), cards, "score p2 1a 1b 1c")
    assert (list(state.board.hole), list(state.board.laps)) == ([80, 121], [0, 1])
    # neither a draw nor a look of the other frees it
    state = play(state, cards, "peek p1 1a 1b")
    state = play(pegged(state, list(state.board.hole), turn=1), cards, "score p1 2a 2b 2c triple")
    assert (list(state.board.hole), list(state.board.laps)) == ([80, 121], [0, 1])
    assert list(state.board.best) == [0, 33]
    assert "Player 2 waits on the last hole until another player has scored" in state.scene().notes
    state = play(state, cards, "draw", "draw")
    assert list(state.board.hole) == [80, 121]
    # a score that is worth nothing does
    state = play(state, cards, "score p2 2a 2b 2c double")
    assert state.board.best[0] == 0
    assert (list(state.board.hole), list(state.board.laps)) == ([80, 0], [0, 1])
    state = play(state, cards, "score p2 3a 3b 3c")
    assert state.board.hole[1] > 0 and list(state.board.laps) == [0, 1]


def test_two_pegs_wait_and_each_frees_the_other() -> None:
    cards = deck("10 10 3 2 4 6 J J J")
    state = pegged(play(start(3), cards, "draw", "draw", "draw"), [121, 121, 60], [1, 2, 0])
    state = play(state, cards, "score p1 1a 1b 1c")
    assert (list(state.board.hole), list(state.board.laps)) == ([121, 0, 60], [1, 2, 0])
    state = play(state, cards, "score p2 1a 1b 1c double")
    assert (list(state.board.hole), list(state.board.laps)) == ([0, 2, 60], [1, 2, 0])


def test_who_completes_the_last_lap_wins_at_once() -> None:
    cards = deck("10 10 3 2 4 6")
    state = pegged(play(start(3), cards, "draw", "draw"), [120, 90, 120], [5, 5, 5], turn=1)
    state = play(state, cards, "score p2 1a 1b 1c")
    assert list(state.board.hole) == [120, 100, 120]
    state = play(pegged(state, [120, 100, 120], turn=0), cards, "score p1 1a 1b 1c")
    over = state.pending
    assert isinstance(over, Over)
    assert over.places == (1, 3, 2)
    assert over.figures == {"laps": (6, 5, 5), "points": (121, 100, 120), "best": (20, 10, 0)}
    assert over.reason == "player 1 has completed all 6 laps"
    assert state.moves.count() == 0 and not state.moves and texts(state) == []
    with pytest.raises(GameOver, match="player 1 has completed all 6 laps"):
        state.play(GAME.parse("draw", state))


def last_score(cards: Sequence[str], hole: list[int], laps: list[int], turn: int, **options: int) -> DotterState:
    """A position in which three cards of player 1 are all that is left of the round, with the pegs as told."""
    state = start(len(hole), **options)
    board = state.board.copy()
    row = len(board.ranks) // 3 - 1
    board.dealt = 3 * row
    board.discarded = 3 * row
    board.seen = array([-1] * board.dealt + [0] * (len(board.ranks) - board.dealt))
    board.faces = array([*range(3, 3 + board.dealt)] + [-1] * (len(board.ranks) - board.dealt))
    state = play(pegged(state.on(board), hole, laps, turn=0), cards, "draw")
    return pegged(state, hole, laps, turn)


def test_between_rounds_the_furthest_keep_their_points_and_all_others_start_from_0() -> None:
    ace_two_three = [*["?"] * 51, "AS", "2S", "3S"]  # worth 5, or 1 for a wrong guess

    def after(hole: list[int], laps: list[int], turn: int, guess: str = "") -> tuple[list[int], list[int]]:
        state = play(last_score(ace_two_three, hole, laps, turn), ace_two_three, f"score p1 1a 1b 1c {guess}")
        assert state.board.round == 1 and state.pending == ToMove(1 % len(hole))
        return list(state.board.hole), list(state.board.laps)

    # P1 two laps and 53, P2 one lap and 78: P2 keeps 78, P1 starts from 0.
    assert after([48, 78], [2, 1], turn=0) == ([0, 78], [2, 1])
    assert after([53, 78], [2, 1], turn=1, guess="double") == ([0, 78], [2, 1])
    # P1 just completed his fourth lap and is on 121, P2 three laps and 100, P3 four laps and 100.
    assert after([119, 100, 100], [3, 3, 4], turn=0) == ([0, 100, 100], [4, 3, 4])
    # who waits already is on 0 as well, and no longer waits
    assert after([121, 100, 101], [4, 3, 4], turn=0) == ([0, 0, 101], [4, 3, 4])
    assert after([121, 0], [1, 0], turn=0) == ([0, 0], [1, 0])
    # the last score counts before the pegs are compared
    assert after([76, 80], [0, 0], turn=0) == ([81, 0], [0, 0])
    assert after([75, 80], [0, 0], turn=0) == ([80, 80], [0, 0])


def test_after_max_rounds_the_same_order_decides() -> None:
    cards = [*["?"] * 51, "AS", "2S", "3S"]

    def after(hole: list[int], laps: list[int], turn: int = 0, guess: str = "") -> Over:
        state = last_score(cards, hole, laps, turn, max_rounds=1)
        assert isinstance(state.pending, ToMove)
        over = play(state, cards, f"score p1 1a 1b 1c {guess}").pending
        assert isinstance(over, Over) and over.reason == "the one round is over"
        return over

    assert after([70, 78, 75], [2, 2, 2]).places == (2, 1, 2)
    assert after([70, 78, 75], [2, 2, 2]).figures["points"] == (75, 78, 75)
    assert after([10, 100, 120], [3, 2, 2]).places == (1, 3, 2)
    # a peg on the last hole counts as 0 of the next lap
    over = after([118, 5, 0], [2, 3, 3])
    assert over.places == (2, 1, 2) and over.figures["points"] == (121, 5, 0) and over.figures["laps"] == (3, 3, 3)


def test_max_rounds_counts_rounds() -> None:
    rng = Stream("rounds")
    for rounds in (1, 2, 3):
        state = start(2, max_rounds=rounds, lap_points=1000, laps=20)
        seen = set()
        while not isinstance(state.pending, Over):
            seen.add(state.board.round)
            state = settled(state.play(state.moves.sample(rng)), deck("K"))
        assert seen == set(range(rounds))


# Leaving


def test_the_turns_of_a_seat_that_is_out_are_skipped_and_its_cards_stay() -> None:
    cards = deck("5 7 9 K Q 2")
    state = play(start(3), cards, "draw", "draw").leave(1)
    assert state.pending == ToMove(2)
    assert {"peek p2 1a 1b", "score p2 1a 1b 1c"} <= set(texts(state))
    state = play(state, cards, "peek p2 1a 1b")
    assert state.pending == ToMove(0)
    state = play(state, cards, "draw").leave(2)
    over = state.pending
    assert isinstance(over, Over) and over.places == (1, 3, 2) and over.reason == "everybody else has left"
    for refused in (lambda: state.leave(0), lambda: state.play(GAME.parse("draw", state))):
        with pytest.raises(GameOver):
            refused()


def test_a_round_starts_with_the_next_seat_still_in() -> None:
    cards = [*["?"] * 51, "AS", "2S", "3S"]
    for gone, starter in (((1,), 2), ((1, 2), 3), ((0,), 1)):
        state = last_score(cards, [0, 0, 0, 0], [0, 0, 0, 0], turn=3)
        for seat in gone:
            state = state.leave(seat)
        state = play(state, cards, "score p1 1a 1b 1c")
        assert state.board.round == 1 and state.pending == ToMove(starter)


def test_seats_that_are_out_are_not_compared_between_rounds() -> None:
    cards = [*["?"] * 51, "AS", "2S", "3S"]
    state = last_score(cards, [100, 40, 30, 121, 10], [5, 0, 0, 1, 0], turn=1).leave(0).leave(4).leave(3)
    state = play(state, cards, "score p1 1a 1b 1c")
    # their pegs stay; but player 4's was freed by the score of another, as any
    assert list(state.board.hole) == [100, 42, 0, 0, 10]
    # and in the end they are behind all others, whoever left first last
    assert [state.board.place(seat) for seat in range(5)] == [5, 1, 2, 3, 4]


def test_who_leaves_while_cards_are_owed_leaves_the_move_to_be_done() -> None:
    cards = deck("5 7 9 K Q 2")
    state = play(start(3), cards, "draw", "draw", "draw")
    looking = state.play(GAME.parse("peek p2 1a 1b", state)).leave(0)
    assert isinstance(looking.pending, ToDraw) and looking.pending.owner == 0
    after = settled(looking, cards)
    assert after.pending == ToMove(1)
    assert list(after.board.seen[3:5]) == [1, 1]
    turning = state.play(GAME.parse("score p1 1a 1b 1c", state)).play(Face("5S")).leave(0)
    assert isinstance(turning.pending, ToDraw) and turning.pending.owner is None
    after = settled(turning, cards)
    assert after.pending == ToMove(1)
    assert list(after.board.hole) == [16, 0, 0]
    # another's leaving meanwhile changes only who is next
    assert settled(state.play(GAME.parse("peek p2 1a 1b", state)).leave(1), cards).pending == ToMove(2)


def test_who_left_wins_nothing_by_the_cards_turned_up_meanwhile() -> None:
    cards = deck("5 7 9 K Q 2")
    state = pegged(play(start(3), cards, "draw", "draw", "draw"), [120, 0, 0], [5, 0, 0])
    state = settled(state.play(GAME.parse("score p1 1a 1b 1c", state)).leave(0), cards)
    assert state.pending == ToMove(1) and list(state.board.laps) == [6, 0, 0]
    won = play(pegged(state, [121, 120, 0], [6, 5, 0]), cards, "score p2 1a 1b 1c").pending
    assert isinstance(won, Over) and won.places == (3, 1, 2) and won.reason == "player 2 has completed all 6 laps"
    state = play(state, cards, "draw").leave(2)
    assert isinstance(state.pending, Over) and state.pending.places == (3, 1, 2)


def test_leaving_in_the_middle_of_a_look_ends_a_game_of_two() -> None:
    state = play(start(), deck(""), "draw")
    state = state.play(GAME.parse("peek p1 1a 1b", state)).leave(1)
    assert isinstance(state.pending, Over) and state.pending.places == (1, 2)
    assert list(state.moves) == [] and not state.moves and state.moves.count() == 0
    with pytest.raises(GameOver):
        state.play(Face("AS"))


# Above all


def test_options_that_change_no_move_are_still_part_of_the_game() -> None:
    one, other = start(), start(open_memory=False)
    assert one != other and one.digest() != other.digest()
    assert one.plain() == other.plain() and texts(one) == texts(other)


def test_every_game_ends_within_the_bound_even_of_players_who_look_at_everything() -> None:
    for seats in (2, 6):
        state, looks, others = start(seats, max_rounds=1, lap_points=1000), 0, 0
        while isinstance(state.pending, ToMove):
            # the first look, or where there is none the first of the others
            text = first(state)
            if text == "draw" and state.moves.count() > 1:
                look = str(state.move(state.board.nth(1)))
                text = look if look.startswith("peek") else text
            looks += text.startswith("peek")
            others += not text.startswith("peek")
            state = play(state, deck(""), text)
        assert isinstance(state.pending, Over)
        assert others == 18 + 18 and 0 < looks <= 54 * seats
