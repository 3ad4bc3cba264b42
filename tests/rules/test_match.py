"""What a match keeps, and moves that keep their texts."""

import pytest

from quadrille.rules.chance import Stream
from quadrille.rules.errors import RulesError
from quadrille.rules.match import KEPT_EVERY, Deal, Left, Match, Played
from quadrille.rules.record import story, write
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


def test_a_move_whose_cards_can_not_be_dealt_is_not_made() -> None:
    match, dice = Match(game("dotter"), deal=Deal("deal", {"round 2": ("no card",)})), Stream("deal", "moves")
    kept: list[object] = []

    def play_on() -> None:
        while True:
            kept.append((match.entries, match.state))
            match.play(match.state.moves.sample(dice))

    with pytest.raises(RulesError, match="round 2 was given outright"):
        play_on()
    assert (match.entries, match.state) == kept[-1] and len(kept) > 20


def test_a_list_of_what_happened_is_the_askers_own() -> None:
    match = Match(game("maze"), deal=Deal("own"))
    match.play(next(iter(match.state.moves)))
    match.since(0).clear()
    assert len(match.entries) == 1


@pytest.mark.parametrize("key", keys())
def test_a_match_keeps_few_positions_and_plays_the_others_anew(key: str) -> None:
    match, dice = Match(game(key), deal=Deal("kept")), Stream("kept", "moves")
    stood = [match.state]
    while not match.over and len(stood) < 3 * KEPT_EVERY:
        match.play(match.state.moves.sample(dice))
        stood.append(match.state)
    assert list(match.positions) == stood == [match.after(entries) for entries in range(len(stood))]
    assert len(match._kept) == (len(stood) - 1) // KEPT_EVERY + 1
    for entries in reversed(range(len(stood) - 1)):
        assert match.before(entries).state == stood[entries]
        match.undo()
        assert match.state == stood[entries] and len(match._kept) == entries // KEPT_EVERY + 1


def test_stories_stand_in_the_order_in_which_games_begin_alike() -> None:
    match = Match(game("maze"), {"size": 2}, deal=Deal("story"))
    match.play("a2-b2")
    match.leave(1)
    assert story(write(match)) == ["1 p1 a2-b2", "2 p2 resigned", "end: places 1 2", ""]
    assert story(write(Match(game("maze")))) == ["end: unfinished", ""]
