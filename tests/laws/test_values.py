"""States are values: any number of threads may read one, and pickles and copies of all that holds them are equal.

Threads are made to switch as often as Python can. What they read must be what one thread reads alone.
"""

import copy
import itertools
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from quadrille.laws.settings import GAMES, Setting, small, usual
from quadrille.laws.walks import frozen, random_match, slots, thinned, viewers, walk, walk_on
from quadrille.rules.board import Board
from quadrille.rules.chance import Stream
from quadrille.rules.core import HIDDEN, WHOLE, Face, Move, Over, State, is_stepped
from quadrille.rules.games.barons.search import SearchedBarons
from quadrille.rules.match import Match
from quadrille.rules.record import write
from quadrille.rules.search import Position

LISTED = 40
READERS = 2
ROUNDS = 2


def loaded(value: Any, protocol: int) -> Any:
    return pickle.loads(pickle.dumps(value, protocol))


#: Of each game the usual table, and one that comes to its end.
TABLES = [table for key in GAMES for table in (usual(key)[0], small(key)[-1])]
#: Of each game the usual table, and all that are small.
SOME = [table for key in GAMES for table in (usual(key)[0], *small(key))]
AGAIN: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"pickle {number}": partial(loaded, protocol=number) for number in (2, pickle.HIGHEST_PROTOCOL)},
}


def positions(setting: Setting, count: int) -> list[State[Any, Any]]:
    """Some positions of a random game: the first, the last, draws that are owed; seats have left in some."""
    steps = list(walk(setting, "values", 60))
    match = random_match(setting, "values", 60, leaving=True)
    return thinned([*(step.state for step in steps), *match.positions], count)


def as_anybody_knows(state: State[Any, Any]) -> Iterator[State[Any, Any]]:
    """The whole; and where something is hidden, what each viewer knows."""
    yield state
    if state.game.hidden:
        yield from map(state.view, viewers(state))


def played(setting: Setting) -> list[Move]:
    """Moves of the game, to be asked about in positions where most of them are not legal."""
    moves = [step.move for step in walk(setting, "values", 30) if step.move is not None]
    return [*thinned(moves, 12), Face("no card")]


def told(state: State[Any, Any], asked: Sequence[Move] = ()) -> list[object]:
    moves = list(itertools.islice(state.moves, LISTED))
    return [
        state.pending,
        state.draws(),
        state.sealed(),
        moves,
        [move.text for move in moves],
        state.moves.count(LISTED),
        bool(state.moves),
        isinstance(state.pending, Over) or state.moves.sample(Stream("sample")),
        [state.objection(move) for move in (*moves, *asked)],
        [state.game.parse(str(move), state) for move in moves if not isinstance(move, Face)],
        isinstance(state.pending, Over) or state.leave([*state.board.left].index(0)).plain(),
        state.scene(),
        state.digest(),
        state.plain(),
        repr(state),
        [state.view(seat).plain() for seat in viewers(state)] if state.viewer == WHOLE else (),
        state.guess(Stream("guess")).plain(),
        [[state.board.payoff(seat), state.board.place(seat)] for seat in range(state.seats)],
    ]


def gone_on(state: State[Any, Any]) -> list[object]:
    return [(step.state.plain(), step.move) for step in walk_on(state, "on", 12, known=True)]


def every_slot(board: Board) -> dict[str, object]:
    """What `frozen` leaves out as well: the places that a board computes in."""
    return {name: list(value) if hasattr(value, "__len__") else value for name, value in slots(board)}


def blank(board: Board) -> Board:
    """With its lists overwritten; in Barons they are part of the position."""
    if not isinstance(board, SearchedBarons):
        for place in range(len(board.moves)):
            board.moves[place] = -7
    return board


# Threads


@pytest.mark.parametrize("setting", SOME, ids=str)
def test_whoever_reads_a_state_writes_nothing(setting: Setting) -> None:
    """Not even to places that hold nothing of the position."""
    asked = played(setting)
    for whole in positions(setting, 4):
        for known in as_anybody_knows(whole):
            state = known.on(blank(known.board.copy()))
            before = every_slot(state.board)
            told(state, asked)
            gone_on(state)
            assert every_slot(state.board) == before


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads take turns after every few steps."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("restless")
@pytest.mark.parametrize("setting", TABLES, ids=str)
def test_threads_read_a_state_while_another_plays_on_from_it(setting: Setting) -> None:
    """All ask it for the first time: what it remembers of questions may be found twice, and is the same."""
    asked = played(setting)
    for whole in positions(setting, 3):
        for state in as_anybody_knows(whole):
            alone, after = told(state, asked), gone_on(state)
            for _ in range(ROUNDS):
                fresh, begin = state.on(state.board), Barrier(READERS + 1)

                def at_once(deed: Callable[[], list[object]], begin: Barrier = begin) -> list[object]:
                    begin.wait()
                    return deed()

                with ThreadPoolExecutor(READERS + 1) as threads:
                    readers = [threads.submit(at_once, partial(told, fresh, asked)) for _ in range(READERS)]
                    player = threads.submit(at_once, partial(gone_on, fresh))
                    assert [reader.result() for reader in readers] == [alone] * READERS
                    assert player.result() == after


# Pickles and copies


@pytest.mark.parametrize("setting", SOME, ids=str)
def test_states_come_back_equal(setting: Setting) -> None:
    """With the same list, picture and digest, and the game goes on alike; what takes long, of each way in its turn."""
    ways = itertools.cycle(AGAIN.values())
    for whole in positions(setting, 4):
        for state in as_anybody_knows(whole):
            for again in AGAIN.values():
                found = again(state)
                assert found is not state and found == state and hash(found) == hash(state)
                assert type(found) is type(state) and found.game is state.game and found.viewer == state.viewer
                assert again(state.moves).count(LISTED) == state.moves.count(LISTED)
            found = next(ways)(state)
            assert told(found) == told(state)
            assert gone_on(found) == gone_on(state)


@pytest.mark.parametrize("setting", SOME, ids=str)
def test_boards_and_positions_come_back_with_all_that_can_be_taken_back(setting: Setting) -> None:
    """And go their own ways: whatever is made on one of the two, the other stays as it was."""
    for state in positions(setting, 3):
        position, made = Position(state), 0
        while made < 5 and (moves := position.moves()):
            position.apply(moves[len(moves) // 2])
            made += 1
        for again in AGAIN.values():
            before = position.moves(), frozen(position.board)
            board, found = again(position.board), again(position)
            assert type(board) is type(position.board) and board is not position.board
            for _ in range(made):
                board.undo()
                found.undo()
            assert (position.moves(), frozen(position.board)) == before
            assert board.key() == found.board.key() == state.board.key()
            assert found.state == state and found.terms == position.terms
            if moves := found.moves():
                found.apply(moves[0])
                assert (position.moves(), frozen(position.board)) == before


@pytest.mark.parametrize("setting", SOME, ids=str)
def test_matches_come_back_equal(setting: Setting) -> None:
    """In the middle and at the end; the match of each viewer too, who gets the faces from outside."""
    whole = random_match(setting, "pickles", 40, leaving=True)
    for match in (whole, whole.before(whole.length // 2), *map(partial(seen, setting), (None, 0))):
        for again in AGAIN.values():
            found = again(match)
            assert (found.entries, found.opening, found.positions) == (match.entries, match.opening, match.positions)
            assert (found.game, found.deal, found.viewer) == (match.game, match.deal, match.viewer)
            assert found.pending == match.pending and write(found) == write(match)
            assert gone_on(found.state) == gone_on(match.state)
            while found.ply:
                found.undo()
            assert match.positions[-1] is match.state and found.state == match.positions[0]


def seen(setting: Setting, viewer: int | None) -> Match:
    """A match as that viewer sees it, in the middle of whatever is being drawn."""
    match = Match(setting.game, dict(setting.options), setting.seats, viewer=viewer)
    for step in walk(setting, "seen", 25):
        if step.move is not None:
            step.tell(match, viewer)
    return match


@pytest.mark.parametrize("again", AGAIN.values(), ids=AGAIN)
def test_what_there_is_once_stays_what_it_is(again: Callable[[Any], Any]) -> None:
    """A game, what is hidden, and the moves of a board's numbers."""
    for game in GAMES.values():
        assert again(game) is game
        state = game.start()
        if not is_stepped(state):
            assert all(again(state).move(code) is state.move(code) for code in state.codes)
    assert again(HIDDEN) is HIDDEN
    assert again(Face("AS")) == Face("AS") and again(Face("?")) == HIDDEN
