"""Steps: the prefixes of all legal moves are exactly what `next_steps` gives; and all else a game says of its steps."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quadrille.laws.settings import GAMES, Setting, everywhere, setting, small, tried
from quadrille.laws.walks import walk
from quadrille.rules.chance import Stream
from quadrille.rules.core import Over, State, ToDraw, ToMove
from quadrille.rules.core.talk import half_made
from quadrille.rules.errors import IllegalMove

SMALL = [table for key in GAMES for table in small(key)]
#: Positions with more moves than this are left to chance.
MOST_MOVES = 3000


def positions(table: Setting, most: int) -> Iterator[State[Any, Any]]:
    """Those of a random game in which a seat is to move."""
    return (step.state for step in walk(table, "steps", most) if isinstance(step.state.pending, ToMove))


def rows(state: State[Any, Any], prefix: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every row of steps down to where nothing follows."""
    following = state.next_steps(prefix)
    if not following:
        yield prefix
    for step in following:
        yield from rows(state, (*prefix, step))


@pytest.mark.parametrize("table", SMALL, ids=str)
def test_the_prefixes_of_all_legal_moves_are_what_next_steps_gives(table: Setting) -> None:
    """Of paths of Coin Isolation that do the same thing all are legal, and one is listed."""
    for state in positions(table, 60):
        if state.moves.count(MOST_MOVES) == MOST_MOVES:
            continue
        made, listed = set(rows(state)), {tuple(state.steps(move) or ()) for move in state.moves}
        assert made == listed if table.key != "coin-isolation" else made >= listed
        for row in made:
            move = state.move_of(row)
            assert state.objection(move) is None, (row, str(move))
            assert tuple(state.steps(move) or ()) == row


@pytest.mark.parametrize("table", tried(everywhere()), ids=str)
def test_steps_at_random_make_a_legal_move(table: Setting) -> None:
    rng = Stream(str(table), "rows")
    for state in itertools.islice(positions(table, 40), 12):
        prefix: tuple[int, ...] = ()
        while following := state.next_steps(prefix):
            assert following == sorted(set(following))
            assert set(following) <= set(table.start().step_numbers)
            assert len({state.word(prefix, step) for step in following}) == len(following), "two steps have one name"
            prefix = (*prefix, following[rng.randrange(len(following))])
        move = state.move_of(prefix)
        assert state.objection(move) is None and tuple(state.steps(move) or ()) == prefix
        sampled = state.moves.sample(rng)
        row = state.steps(sampled)
        assert row and all(step in state.next_steps(row[:at]) for at, step in enumerate(row))
        assert state.next_steps(row) == [] and state.move_of(row) == sampled


@pytest.mark.parametrize("key", GAMES)
def test_nothing_follows_wrong_steps(key: str) -> None:
    state = next(positions(small(key)[0], 10))
    for wrong in ((-5,), (10**6,), (*state.next_steps()[:1], -5), (*state.next_steps()[:1], 10**6)):
        assert state.next_steps(wrong) == [], wrong
    with pytest.raises(IllegalMove, match="no move without a step"):
        state.move_of([])


@pytest.mark.parametrize("key", GAMES)
def test_a_face_is_a_step_while_it_is_owed(key: str) -> None:
    for step in itertools.takewhile(lambda step: step.move is not None, walk(small(key)[-1], "faces", 60)):
        if isinstance(step.state.pending, ToDraw):
            faces = {str(step.state.move_of([number])) for number in step.state.next_steps()}
            assert faces == set(map(str, step.state.moves)) and str(step.move) in faces
            assert faces == {step.state.word((), number) for number in step.state.next_steps()}
            row = step.state.steps(step.move)
            assert row is not None and step.state.next_steps(row) == []


SYMMETRIC = [
    setting("barons", {"width": 4, "height": 3}, 3), setting("barons", {"width": 3, "height": 3, "end": "full"}, 2),
    setting("dollar-draw", {"width": 4, "height": 4}, 2), setting("maze", {"size": 4}, 2),
    setting("chomp", {"width": 4, "height": 4}, 2),
]  # fmt: skip


@pytest.mark.parametrize("table", SYMMETRIC, ids=str)
def test_a_symmetry_leaves_the_game_as_it_is(table: Setting) -> None:
    """Whoever plays the images of all moves has the images of all legal moves, and in the end the same places."""
    first = table.start()
    same, *images = first.symmetries
    assert all(step == image for step, image in same.items()) and images
    for image, seed in itertools.product(images, "abc"):
        assert image != same and sorted(image) == sorted(image.values()) == sorted(same)
        state = other = first
        rng = Stream(seed, "symmetry")
        while following := state.next_steps():
            assert sorted(image[step] for step in following) == other.next_steps()
            step = following[rng.randrange(len(following))]
            state, other = state.play(state.move_of([step])), other.play(other.move_of([image[step]]))
            assert state.board.alike() == other.board.alike() or table.seats > 2 or table.key == "chomp"
        assert isinstance(state.pending, Over) and isinstance(other.pending, Over)
        assert state.pending.places == other.pending.places


@pytest.mark.slow
@settings(max_examples=80)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 12), st.data())
def test_any_line_is_read_as_a_half_made_move(key: str, moves: int, data: st.DataObject) -> None:
    """Whatever is typed, each line that is offered behind it is read too, and what is offered first begins a move."""
    table = small(key)[-1]
    states = list(itertools.islice(positions(table, 3 * moves + 9), moves + 1))
    state = states[-1]
    typed = ("a1-", "to ", "peek p1", "score p9 99c", "renegade", "take 3")
    words = [*map(str, itertools.islice(state.moves, 40)), *typed]
    word = st.sampled_from(words)
    line = data.draw(st.text(max_size=12) | word | word.map(lambda word: word[:-1]))
    for text in (line, " ".join(line.lower().split())):
        half = half_made(state, text)
        offered = [*half.words, half.shorter, *(line for _, line in half.choices), *half.picks.values()]
        assert all(isinstance(half_made(state, other).begins, bool) for other in offered[:30])
        assert half.nexts <= set(half.picks)
        if half.move is not None and not half.why:
            assert state.objection(half.move) is None
    first = half_made(state, "")
    for other in [*(line for _, line in first.choices), *(first.picks[place] for place in first.nexts)]:
        begun = half_made(state, other)
        assert begun.begins or (begun.move is not None and not begun.why), other


@pytest.mark.parametrize("key", GAMES)
def test_after_the_end_nothing_is_half_made(key: str) -> None:
    *_, last = walk(small(key)[0], "end", 3000)
    assert isinstance(last.state.pending, Over) and last.state.next_steps() == []
    for line in ("", "a1", "draw", "pass"):
        half = half_made(last.state, line)
        assert not half.nexts and not half.words
        assert half.move is None or half.why
