"""Dotter: every sentence of its rules, worked by hand."""

from collections import Counter
from itertools import combinations, permutations, product

import pytest

from quadrille.laws.settings import Setting, setting
from quadrille.laws.walks import frozen, walk
from quadrille.rules.arrays import array
from quadrille.rules.board import CHANCE, UNKNOWN
from quadrille.rules.chance import SeedDealer, Stream
from quadrille.rules.core import HIDDEN, WHOLE, Face, Over, Pile, ToDraw, ToMove, settle
from quadrille.rules.core.talk import half_made
from quadrille.rules.dice import Dice
from quadrille.rules.errors import BadNotation, BadSeats, GameOver, IllegalMove
from quadrille.rules.games.dotter import board as rules
from quadrille.rules.games.dotter import hands
from quadrille.rules.games.dotter.board import guess_of, turn_code
from quadrille.rules.games.dotter.game import GAME, DotterState
from quadrille.rules.games.dotter.moves import DotterMove
from quadrille.rules.games.dotter.search import KINDS, UNSEEN, CardCount, SearchedDotter
from quadrille.rules.match import Deal, Match
from quadrille.rules.scene import Mark, Row
from tests.naive.dotter import RANKS, points
from tests.rules.dotter_table import DECK, deck, first, pegged, play, settled, start, write
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


# Dotter: what three cards are worth, by every worked example of the rules and once more as a whole


def scored(cards: str, guess: str = "", *, whose: int = 1, hole: int = 0, **options: int) -> int:
    """What player 1's peg moves by for three cards of that player, and that the other peg stays."""
    state = start(**options)
    row = deck(cards, options.get("jokers", 2))
    state = play(state, row, "draw") if whose == 1 else play(state, row, "draw", "peek p1 1a 1b")
    state = pegged(state, [hole, 0], turn=0 if whose == 1 else 1)
    mover = state.board.turn
    state = play(state, row, f"score p1 1a 1b 1c {guess}")
    holes, best = state.board.by_seat(rules.HOLE), state.board.by_seat(rules.BEST)
    assert holes[1 - mover] == (0 if mover == 0 else hole)
    assert best[mover] == holes[mover] - (hole if mover == 0 else 0)
    return best[mover]


@pytest.mark.parametrize(
    ("guess", "hands"),
    [
        ("", {"5 7 9": 16, "A 3 9": 12, "3 Q 3": 6, "J J J": 33, "A A K": 2, "6 10 A": 24, "3 4 A": 4, "3 4 8": 8}),
        # "exactly, as fractions: 4,6,9 counts"
        ("", {"4 6 9": 15}),
        ("quotient", {"9 4 6": 30, "5 7 9": 5, "2 4 8": 24, "J J J": 44, "2 2 4": 2, "A JK1 JK2": 24}),
        ("difference", {"4 6 9": 4, "5 7 9": 32, "J J J": 44, "J J 3": 3, "Q K JK1": 54}),
        # "An ace may count 14 as the one highest card of a series", and nowhere else
        ("", {"Q K A": 27, "A 2 3": 5, "A A A": 3, "A 3 K": 13}),
        ("difference", {"Q K A": 54, "A A A": 4}),
        # three of a rank "are no double"; a pair is no triple and no series
        ("double", {"3 3 8": 12, "Q K A": 1, "J J J": 11, "J J JK2": 44, "K JK1 JK2": 52}),
        ("triple", {"J J J": 66, "J J 3": 3, "3 4 8": 3, "J J JK1": 66, "A 8 JK1": 1}),
        # jokers are wild
        ("", {"Q K JK1": 27, "J J JK1": 33, "K JK1 JK2": 39}),
        ("nothing", {"3 4 8": 16, "5 7 9": 5, "Q K JK1": 26, "8 8 JK1": 8, "K JK1 JK2": 26}),
    ],
)
def test_points_of_three_cards(guess: str, hands: dict[str, int]) -> None:
    for cards, worth in hands.items():
        assert scored(cards, guess, guess_nothing=guess == "nothing") == worth, cards


def test_nothing_can_be_guessed_where_it_is_an_option() -> None:
    state = play(start(), deck("3 4 8"), "draw")
    assert "guess_nothing is off" in refusal(state, "score p1 1a 1b 1c nothing")
    assert "score p1 1a 1b 1c nothing" not in texts(state)


@pytest.mark.slow
def test_the_whole_table_of_points_is_what_the_rules_say() -> None:
    names = ("", "double", "triple", "difference", "quotient", "nothing")
    texts, table = ["JK1", *(f"{rank}S" for rank in sorted(RANKS, key=RANKS.__getitem__))], hands.points()
    for cards in product(range(14), repeat=3):
        if any(cards):
            for number, guess in enumerate(names):
                worth = points([texts[card] for card in cards], guess)
                assert table[hands.place(number, *cards)] == worth, (cards, guess)


@pytest.mark.parametrize(
    ("cards", "guess", "half"), [("5 7 9", "", 8), ("Q K A", "", 13), ("Q K A", "double", 0), ("3 3 8", "double", 6)]
)
def test_points_from_another_players_cards_are_halved_last_and_rounded_down(cards: str, guess: str, half: int) -> None:
    assert scored(cards, guess, whose=2) == half
    assert scored(cards, guess) // 2 == half


# Players of Dotter that count cards: they find the best guess, and use nothing that they have not seen


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


# Dotter: what is hidden from whom, what may be answered when a card is owed, and the board beneath it all


# Views


def inventor(seats: int, **options: int) -> Setting:
    """The inventor's game with short laps."""
    return setting(GAME.key, {**GAME.preset("inventor"), "lap_points": 60, **options}, seats)


@pytest.mark.first(1)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_spectator_s_position_told_what_a_seat_has_seen_is_that_seat_s_view(seats: int) -> None:
    """So a table of peers keeps the public position alone, and each adds to it what it knows."""
    for state in (step.state for step in walk(inventor(seats, laps=2), f"told {seats}")):
        public = state.view(None)
        assert public.sealed() == state.sealed()
        for seat, looked in enumerate(state.sealed().looks):
            faces = {at: state.board.faces[at] for at in looked}
            told = public.told(seat, faces)
            assert told == state.view(seat)
            assert frozen(told.board) == frozen(state.view(seat).board)
        assert state.sealed().up == {at: f for at, f in enumerate(public.board.faces) if f >= 0}
        with pytest.raises(BadSeats):
            public.told(seats, {})


def test_all_draws_of_a_move_are_told_at_once() -> None:
    """In their order; each that is answered leaves the others."""
    for state, move in ((step.state, step.move) for step in walk(inventor(3), "draws")):
        if isinstance(state.pending, ToDraw):
            assert state.draws()[0] == state.pending
            after = state.play(move)
            rest = after.draws() if after.board.at[rules.DOING] == state.board.at[rules.DOING] else ()
            assert state.draws()[1:] == rest
        else:
            assert state.draws() == ()


def test_a_whole_knows_what_anybody_has_seen() -> None:
    cards = deck("5 7 9 K Q 2")
    state = play(start(3), cards, "draw", "peek p1 1a 1b", "peek p1 1b 1c")
    assert [mark and mark.label for mark in state.scene().rows[0].marks] == ["5S", "7S", "9S"]
    assert [mark and mark.label for mark in state.view(1).scene().rows[0].marks] == ["5S", "7S", "?"]
    assert [mark and mark.label for mark in state.view(2).scene().rows[0].marks] == ["?", "7S", "9S"]


def test_nobody_sees_with_the_eyes_of_another() -> None:
    state = play(start(3), deck(""), "draw", "peek p1 1a 1b")
    view = state.view(1)
    assert view.view(1) == view and view.viewer == 1
    assert view.view(None) == state.view(None) == state.view(None).view(None)
    with pytest.raises(BadSeats, match="as player 2 knows it: what player 1 has seen is not in it"):
        view.view(0)
    with pytest.raises(BadSeats, match="as a spectator knows it"):
        state.view(None).view(1)
    with pytest.raises(BadSeats, match="there is no seat 3"):
        state.view(3)
    assert state.viewer == WHOLE


# Cards that are owed


def owing(text: str) -> DotterState:
    """Three seats; player 2 has seen p1 1a and 1b; player 3 plays this, and the first card is owed."""
    return play(start(3), deck("5 7 9"), "draw", "peek p1 1a 1b").play(text)


def test_at_a_look_only_the_one_who_looks_has_a_face_to_give() -> None:
    state = owing("peek p1 1b 1c")
    assert texts(state.view(0)) == texts(state.view(1)) == texts(state.view(None)) == ["?"]
    # player 3 knows nothing yet, and may see any card: in the pile's order
    assert texts(state.view(2)) == deck("")
    # the whole knows already what it is
    assert texts(state) == ["7S"]
    alone = "player 3 alone looks at this card: for everybody else it stays ?"
    for viewer in (0, 1, None):
        assert state.view(viewer).moves.sample(Stream("one")) == HIDDEN
        assert state.view(viewer).objection(Face("7S")) == alone
    assert state.view(2).objection(HIDDEN) == "this card is seen: its face is wanted, not ?"
    assert state.objection(HIDDEN) == "this card is seen: its face is wanted, not ?"
    assert state.objection(Face("8S")) == "this card has been seen: it is 7S, not 8S"
    for nonsense in ("1S", "", "7s", "JK3"):
        assert state.objection(Face(nonsense)) == f"{nonsense} is no card of this deck"
    after = state.play(Face("7S"))
    # what is known to lie elsewhere can't be this card
    assert texts(after) == [card for card in deck("") if card not in ("5S", "7S")]
    assert texts(after.view(2)) == [card for card in deck("") if card != "7S"]
    assert after.objection(Face("5S")) == "5S has been seen elsewhere in this round: it can't be this card"
    assert after.view(2).objection(Face("5S")) is None


def test_at_a_score_everybody_sees_the_face_and_some_know_it_already() -> None:
    state = owing("score p1 1a 1b 1c")
    for viewer, count in ((0, 54), (2, 54), (None, 54), (1, 1)):
        assert state.view(viewer).moves.count() == count
        assert state.view(viewer).objection(HIDDEN) == "this card is seen: its face is wanted, not ?"
    assert texts(state.view(1)) == texts(state) == ["5S"]
    assert state.view(1).objection(Face("7S")) == "this card has been seen: it is 5S, not 7S"
    after = state.play(Face("5S")).play(Face("7S"))
    assert all(after.view(viewer).moves.count() == 52 for viewer in (0, 1, 2, None))
    with pytest.raises(IllegalMove, match="7S has been seen elsewhere"):
        after.view(0).play(Face("7S"))


# Guesses


def test_each_assignment_of_the_unseen_cards_is_as_likely_as_any() -> None:
    """With three cards unseen, each of the six ways a shuffle can go gives another order of them."""
    state, cards = start(jokers=1), deck("", 1)
    for row in range(1, 17):
        state = play(state, cards, "draw", f"score p1 {row}a {row}b {row}c")
    state = play(state, cards, "draw", "peek p1 17a 17c")
    assert list(state.view(None).board.faces).count(-1) == 5
    view = state.view(1)
    unseen = [at for at, face in enumerate(view.board.faces) if face == -1]
    assert unseen == [49, 51, 52]
    rng = Stream("guesses")
    wholes = [view.guess(rng).board.faces for _ in range(600)]
    found = Counter(tuple(faces[at] for at in unseen) for faces in wholes)
    assert sorted(found) == sorted(permutations([49, 51, 52])) and all(70 < times < 130 for times in found.values())


# The board


def test_whatever_differs_on_the_table_is_seen_in_the_digest() -> None:
    state = play(start(3), deck("5 7 9 K Q 2"), "draw", "draw", "score p1 1a 1b 1c", "peek p2 1a 1b")
    faces = list(state.board.faces)
    others = (
        (rules.ROUND, 1), (rules.MOVER, 2), (rules.DOING, 5), (rules.DEALT, 9), (rules.FACES, 1, 2, *faces[2:]),
        (rules.LOOKED, 0, 0, 1 << 5), (rules.OWN, 7, 0, 7 << 3), (rules.HOLE, 1, 0, 16), (rules.LAPS, 0, 1, 0),
        (rules.BEST, 0, 0, 17),
    )  # fmt: skip
    boards = [state.board.copy() for _ in (*others, "left")]
    boards[-1].left = array([0, 1, 0])
    for board, (place, *numbers) in zip(boards, others, strict=False):
        assert list(board.at[place : place + len(numbers)]) != numbers
        write(board, place, numbers)
    assert all(state.on(board) != state for board in boards)
    assert len({state.digest(), *(state.on(board).digest() for board in boards)}) == 1 + len(boards)


# What a person is shown: the option open_memory


def looked(*, open_memory: bool, more: tuple[str, ...] = ()) -> Match:
    match = Match(GAME, {"open_memory": open_memory, "laps": 1}, 2, deal=Deal("memory"))
    for move in ("draw", "draw", "peek p2 1a 1b", *more):
        match.play(move)
    return match


def faces(state: DotterState) -> list[str]:
    row = next(row for row in state.scene().rows if row.name == "p2 1")
    return [mark.label if mark else "" for mark in row.marks]


def test_cards_that_were_looked_at_stay_in_sight_with_open_memory() -> None:
    match = looked(open_memory=True, more=("draw", "draw", "draw"))
    view = match.state.view(0)
    assert match.shown(view) is view and view.recalls
    assert [face == "?" for face in faces(match.shown(view))] == [False, False, True]


def test_cards_that_were_looked_at_are_shown_until_the_next_move_without_it() -> None:
    match = looked(open_memory=False)
    view = match.state.view(0)
    assert faces(match.shown(view)) == faces(view) != ["?", "?", "?"]
    assert faces(match.shown(match.state.view(1))) == faces(match.shown(match.state.view(None))) == ["?", "?", "?"]
    match.play("peek p2 1b 1c")  # the other seat, at a card that this one has seen
    assert faces(match.shown(match.state.view(0))) == ["?", "?", "?"]
    assert [face == "?" for face in faces(match.shown(match.state.view(1)))] == [True, False, False]
    whole = match.state
    assert match.shown(whole) is whole, "who holds all cards, as after the game, sees them"


def test_what_a_person_must_remember_is_no_part_of_the_position() -> None:
    """Moves, records and what bots know are those of any other table."""
    match = looked(open_memory=False, more=("draw",))
    view, shown = match.state.view(0), match.shown(match.state.view(0))
    assert view != shown and list(view.moves) == list(shown.moves) and view.digest() == shown.digest()
    assert [str(entry.faces) for entry in match.entries] == [
        str(entry.faces) for entry in looked(open_memory=True, more=("draw",)).entries
    ]
    match.leave(1)
    assert match.over and faces(match.shown(match.state.view(0)))[:2] == faces(view)[:2] != ["?", "?"]


def test_a_look_that_is_not_over_is_shown() -> None:
    match = Match(GAME, {"open_memory": False}, 2)
    for move in ("draw", "draw", "peek p2 1a 1b"):
        match.play(move)
    match.answer(Face("AS"))
    assert faces(match.shown(match.state.view(0))) == ["AS", "?", "?"]
    assert faces(match.shown(match.state.view(1))) == ["?", "?", "?"]


# Dotter: how moves are written and read, their order, and the sentences that refuse them


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
