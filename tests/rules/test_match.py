"""What a match keeps, and moves that keep their texts."""

import pickle

import pytest

from quadrille.rules.chance import Stream
from quadrille.rules.core import ToMove
from quadrille.rules.match import Deal, Left, Match, Played
from quadrille.rules.registry import game, keys


@pytest.mark.parametrize("key", keys())
def test_what_happened_since(key: str) -> None:
    match, dice = Match(game(key), deal=Deal("since")), Stream("since", "moves")
    for count in range(6):
        assert match.since(0) == list(match.entries)
        assert match.since(count) == []
        match.play(match.state.moves.sample(dice))
        [entry] = match.since(count)
        assert isinstance(entry, Played) and entry is match.entries[-1]
    early = match.before(4)
    assert (early.entries, early.opening) == (match.entries[:4], match.opening)
    early.undo(2)
    assert early.entries == match.entries[:2] and len(match.entries) == 6
    match.leave(1)
    assert match.since(6) == [Left(1, "resigned")]


def test_a_list_of_what_happened_is_the_askers_own() -> None:
    match = Match(game("maze"), deal=Deal("own"))
    match.play(next(iter(match.state.moves)))
    match.since(0).clear()
    assert len(match.entries) == 1


@pytest.mark.parametrize("key", keys())
def test_a_move_keeps_its_text_and_is_the_same_with_it(key: str) -> None:
    match, dice = Match(game(key), deal=Deal("text")), Stream("text", "moves")
    for _ in range(8):
        move = match.state.moves.sample(dice)
        fresh = match.game.parse(str(move), match.state)
        assert move.text == move.text == str(move)
        assert (fresh, hash(fresh), repr(fresh)) == (move, hash(move), repr(move))
        assert pickle.loads(pickle.dumps(move)) == move
        match.play(move)


def test_whoever_is_to_move_in_dotter_has_the_list_of_the_whole() -> None:
    """A view takes over the list of the whole: it would list the same by itself."""
    match, dice = Match(game("dotter"), {"max_rounds": 1}, 3, deal=Deal("list")), Stream("list", "moves")
    for _ in range(40):
        turn = match.pending
        if not isinstance(turn, ToMove):
            break
        view = match.state.view(turn.seat)
        board = view.board.copy()
        count = board.legal()
        assert view.codes == match.state.codes == tuple(board.moves[:count])
        match.play(match.state.moves.sample(dice))
