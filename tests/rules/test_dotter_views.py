"""Dotter: what is hidden from whom, what may be answered when a card is owed, and the board beneath it all."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest

from quadrille.laws.walks import frozen
from quadrille.rules.arrays import array
from quadrille.rules.chance import SeedDealer, Stream
from quadrille.rules.core import HIDDEN, WHOLE, Face, Move, Over, ToDraw
from quadrille.rules.errors import BadSeats, IllegalMove
from quadrille.rules.games.dotter import board as rules
from quadrille.rules.games.dotter.game import GAME, DotterState
from quadrille.rules.match import Deal, Match
from tests.rules.dotter_table import deck, play, start, write
from tests.rules.table import texts


def walk(seats: int, seed: str, most: int, **options: int) -> Iterator[tuple[DotterState, Move]]:
    """A random game: each position with what is played in it."""
    state, dealer, rng = start(seats, **options), SeedDealer(seed), Stream(seed, "moves")
    for _ in range(most):
        match state.pending:
            case Over():
                return
            case ToDraw(pile, position):
                move: Move = Face(dealer.face(pile.name, pile.faces, position))
            case _:
                move = state.moves.sample(rng)
        yield state, move
        state = state.play(move)


# Views


@pytest.mark.first(1)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_spectator_s_position_told_what_a_seat_has_seen_is_that_seat_s_view(seats: int) -> None:
    """So a table of peers keeps the public position alone, and each adds to it what it knows."""
    for state, _ in walk(seats, f"told {seats}", 300, lap_points=60, laps=2):
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
    for state, move in walk(3, "draws", 300, lap_points=60):
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
