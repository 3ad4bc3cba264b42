"""Dotter: every sentence of its rules, worked by hand.

What three cards are worth is in test_dotter_hands.py, what is hidden from whom in test_dotter_views.py, how moves are
written in test_dotter_notation.py.
"""

import pytest

from quadrille.rules.core import Face, Over, Pile, ToDraw, ToMove
from quadrille.rules.errors import BadSeats, GameOver
from quadrille.rules.games.dotter import board as rules
from quadrille.rules.games.dotter.game import GAME
from quadrille.rules.scene import Mark, Row
from tests.rules.dotter_table import DECK, deck, first, pegged, play, settled, start
from tests.rules.table import refusal, texts

# Options, seats, the deck


def test_options_have_the_defaults_and_ranges_of_the_rules() -> None:
    """That nothing outside of its range is taken, the laws of options show."""
    specs = {spec.name: (spec.default, spec.least, spec.most) for spec in GAME.Options.specs() if spec.kind == "number"}
    assert specs == {
        "laps": (2, 1, 20),
        "lap_points": (121, 21, 1000),
        "jokers": (2, 0, 2),
        "looks": (2, 0, 3),
        "max_rounds": (100, 1, 1000),
    }
    flags = {spec.name: spec.default for spec in GAME.Options.specs() if spec.kind == "flag"}
    assert flags == {"guess_nothing": False, "open_memory": True}


def test_two_to_six_players_and_the_advice_for_them() -> None:
    for seats in (1, 7):
        with pytest.raises(BadSeats, match="2 to 6"):
            GAME.start(seats=seats)
    for seats, laps in zip(range(2, 7), (6, 4, 3, 2, 2), strict=True):
        assert GAME.advice(GAME.Options(laps=laps), seats) == ()
        (sentence,) = GAME.advice(GAME.Options(laps=laps + 1), seats)
        assert sentence.startswith(f"{laps} laps are advised for {seats} players")
    assert GAME.preset("inventor") == {"laps": 6, "looks": 0}
    assert GAME.usual_seats == 2 and GAME.hidden


def test_the_pile_of_a_round_lists_the_unshuffled_deck() -> None:
    for jokers in (0, 1, 2):
        state = play(start(jokers=jokers), DECK, "draw").play(GAME.parse("score p1 1a 1b 1c", start()))
        assert state.pending == ToDraw(Pile("round 1", (*DECK, *["JK1", "JK2"][:jokers])), 0, None)


# Play


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
    state = play(start(3), deck("5 7 9 K Q 2"), "draw", "draw").play("peek p1 1a 1c")
    pile = Pile("round 1", (*DECK, "JK1", "JK2"))
    assert state.pending == ToDraw(pile, 0, 2)
    state = state.play(Face("5S"))
    assert state.pending == ToDraw(pile, 2, 2)
    state = state.play(Face("9S"))
    assert state.pending == ToMove(0)
    labels = {
        seat: [mark and mark.label for mark in state.view(seat).scene().rows[0].marks] for seat in (0, 1, 2, None)
    }
    assert labels == {0: ["?"] * 3, 1: ["?"] * 3, 2: ["5S", "?", "9S"], None: ["?"] * 3}
    for seat in (0, 1, 2, None):
        assert "Player 3 has looked at p1 1a 1c" in state.view(seat).scene().notes


def test_three_cards_of_one_player_are_turned_up_for_all_and_discarded() -> None:
    cards = deck("5 7 9 K Q 2 3 6 4")
    state = play(start(), cards, "draw", "draw", "draw").play("score p1 1a 1b 2c").play(Face("5S"))
    for viewer in (0, 1, None):
        row = state.view(viewer).scene().rows[0]
        assert row == Row("p1 1", (Mark("card", "5S"), *[Mark("card", "?")] * 2), 0, ((), (), ()))
    state = settled(state, cards)
    empty, card, nobody = None, Mark("card", "?"), ((), (), ())
    for viewer in (0, 1, None):
        rows = state.view(viewer).scene().rows
        assert rows[0] == Row("p1 1", (empty, empty, card), 0, nobody)
        assert rows[1] == Row("p1 2", (card, card, empty), 0, nobody)
        assert rows[3] == Row("discards", tuple(Mark("card", name) for name in ("4S", "5S", "7S")))
    # "A scored card leaves its slot empty; nothing moves up."
    why = "1a of player 1 is empty: its card has been scored, and nothing moves up"
    assert refusal(state, "score p1 1a 1c 2a") == why
    assert "is empty" in refusal(state, "peek p1 1c 2c")
    assert [len(state.board.rows(seat)) for seat in (0, 1)] == [2, 1]


# Whose cards may be scored


def test_another_players_cards_are_scored_by_who_has_looked_at_two_of_the_three() -> None:
    cards = deck("5 7 9 K Q 2 3 6 4")
    state = play(start(looks=2), cards, "draw")
    assert refusal(state, "score p1 1a 1b 1c") == (
        "you have looked at 0 of these cards of player 1: look at 2 of the three before you score them"
    )
    assert [text for text in texts(state) if text.startswith("score")] == []
    state = play(state, cards, "peek p1 1a 1c", "draw")
    # of six cards those two that were looked at, and any third
    wanted = ["1a 1b 1c", "1a 1c 2a", "1a 1c 2b", "1a 1c 2c"]
    scores = [text for text in texts(state) if text.startswith("score") and len(text.split()) == 5]
    assert scores == [f"score p1 {slots}" for slots in wanted]
    assert "1 of these cards" in refusal(state, "score p1 1a 1b 2a")
    assert "option guess_nothing is off" in refusal(state, "score p1 1a 1b 1c nothing")
    assert list(play(state, cards, "score p1 1a 1b 1c").board.by_seat(rules.HOLE)) == [0, 8]
    own = play(state, cards, "draw")  # and the owner takes any three
    assert "score p1 1b 2a 2c" in texts(own)
    assert "you have looked at 0 of these cards of player 2" in refusal(own, "score p2 1a 1b 1c")


@pytest.mark.parametrize(("looks", "taken"), [(1, "1 of the three"), (3, "all three")])
def test_the_option_says_at_how_many_one_must_have_looked(looks: int, taken: str) -> None:
    state = play(start(3, looks=looks), deck("5 7 9"), "draw")
    assert f"look at {taken} before" in refusal(state, "score p1 1a 1b 1c")
    state = play(state, deck("5 7 9"), "peek p1 1a 1b", "draw", "draw")
    assert ("score p1 1a 1b 1c" in texts(state)) == (looks == 1)


def test_every_peer_knows_who_may_score_whose_cards() -> None:
    """Which slots were looked at is public, so a peer that has not seen the faces lists and refuses as all others."""
    state = play(start(3, looks=2), deck("5 7 9 K Q 2"), "draw", "peek p1 1a 1b", "draw", "draw")
    assert state.board.turn == 1
    listed = texts(state)
    assert "score p1 1a 1b 1c" in listed
    for viewer in (0, 2, None):
        assert texts(state.view(viewer)) == listed


# Pegs and laps


def test_a_waiting_peg_is_told_until_another_player_has_scored() -> None:
    cards = deck("10 10 3 2 4 6 J J J A 2 5")
    state = play(start(), cards, "draw", "draw", "draw", "draw")
    state = play(pegged(state, [80, 115], turn=1), cards, "score p2 1a 1b 1c")
    note = "Player 2 waits on the last hole until another player has scored"
    assert (list(state.board.by_seat(rules.HOLE)), list(state.board.by_seat(rules.LAPS))) == ([80, 121], [0, 1])
    assert note in state.scene().notes
    state = play(state, cards, "score p2 2a 2b 2c double")  # worth nothing, and a score all the same
    assert list(state.board.by_seat(rules.HOLE)) == [80, 0]
    assert note not in state.scene().notes


# Leaving


def test_who_leaves_while_cards_are_owed_leaves_the_move_to_be_done() -> None:
    cards = deck("5 7 9 K Q 2")
    state = play(start(3), cards, "draw", "draw", "draw")
    looking = state.play("peek p2 1a 1b").leave(0)
    assert isinstance(looking.pending, ToDraw) and looking.pending.owner == 0
    after = settled(looking, cards)
    assert after.pending == ToMove(1)
    assert list(after.board.seen)[3:5] == [1, 1]
    turning = state.play("score p1 1a 1b 1c").play(Face("5S")).leave(0)
    assert isinstance(turning.pending, ToDraw) and turning.pending.owner is None
    after = settled(turning, cards)
    assert after.pending == ToMove(1)
    assert list(after.board.by_seat(rules.HOLE)) == [16, 0, 0]
    # another's leaving meanwhile changes only who is next
    assert settled(state.play("peek p2 1a 1b").leave(1), cards).pending == ToMove(2)


def test_who_left_wins_nothing_by_the_cards_turned_up_meanwhile() -> None:
    cards = deck("5 7 9 K Q 2")
    state = pegged(play(start(3), cards, "draw", "draw", "draw"), [120, 0, 0], [5, 0, 0])
    state = settled(state.play("score p1 1a 1b 1c").leave(0), cards)
    assert state.pending == ToMove(1) and list(state.board.by_seat(rules.LAPS)) == [6, 0, 0]
    won = play(pegged(state, [121, 120, 0], [6, 5, 0]), cards, "score p2 1a 1b 1c").pending
    assert isinstance(won, Over) and won.places == (3, 1, 2) and won.reason == "player 2 has completed all 6 laps"
    state = play(state, cards, "draw").leave(2)
    assert isinstance(state.pending, Over) and state.pending.places == (3, 1, 2)


def test_leaving_in_the_middle_of_a_look_ends_a_game_of_two() -> None:
    state = play(start(), deck(""), "draw").play("peek p1 1a 1b").leave(1)
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
        assert isinstance(state.pending, Over) and state.pending.reason == "the one round is over"
        assert others == 18 + 18 and 0 < looks <= 54 * seats
