"""Positions for programs: what can be done on them, and that the numbers are the same however the engine runs."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from quadrille.laws.settings import Setting, everywhere, tried
from quadrille.laws.walks import frozen
from quadrille.rules.board import CHANCE, Board
from quadrille.rules.chance import SeedDealer, Stream
from quadrille.rules.core import settle
from quadrille.rules.dice import Dice
from quadrille.rules.errors import GameOver, IllegalMove, RulesError
from quadrille.rules.games.dotter.board import DotterBoard
from quadrille.rules.registry import game
from quadrille.rules.search import Position
from tests.documents import blocks, chapter
from tests.search.numbers import TABLES, worked_out

KNOWN = json.loads(Path(__file__).with_name("numbers.json").read_text("utf-8"))


#: A game of Dotter has thousands of moves: a few of its tables are enough where whole ones are played.
QUICK = [setting for setting in everywhere() if setting.key != "dotter" or "max_rounds" in dict(setting.options)]


def begun(key: str, seats: int | None = None, **options: object) -> Position:
    """A position of a game in which chance has had its say."""
    return Position(settle(game(key).start(options, seats), SeedDealer("search")))


def made(setting: Setting) -> Board:
    return setting.start().board.copy()


@pytest.mark.first(1)
@pytest.mark.parametrize("name", TABLES)
def test_the_same_seed_gives_the_same_numbers_everywhere(name: str) -> None:
    """Written down once, and met by CPython plain and compiled, and by PyPy: games, results, trees."""
    assert worked_out(name) == KNOWN[name], "wanted? python -m tests.search.numbers writes them anew"


@pytest.mark.parametrize("setting", tried(QUICK), ids=str)
def test_a_playout_is_one_random_move_after_another(setting: Setting) -> None:
    """However a board has made it faster: the same dice come to the same end."""
    quick, slow = made(setting), made(setting)
    fast, each = Dice(5), Dice(5)
    quick.playout(fast)
    while (move := slow.random_move(each)) >= 0:
        slow.apply(move)
    assert fast.state == each.state
    assert [quick.plies, quick.turn, quick.ended] == [slow.plies, slow.turn, slow.ended]
    assert [quick.payoff(seat) for seat in range(setting.seats)] == [slow.payoff(seat) for seat in range(setting.seats)]
    assert quick.legal() == slow.legal() == 0


@pytest.mark.parametrize("setting", tried(everywhere()), ids=str)
def test_random_moves_are_legal_and_candidates_as_well(setting: Setting) -> None:
    board, dice = made(setting), Dice(3)
    for _ in range(40):
        count = board.legal()
        if count == 0 or count > 3000:
            break
        listed = set(board.moves[:count])
        few = board.promising(dice, 6)
        chosen = list(board.moves[:few])
        assert set(chosen) <= listed and len(set(chosen)) == len(chosen)
        assert len(chosen) == min(6, count) or setting.game.hidden
        move = board.random_move(dice)
        assert move in listed
        board.apply(move)


@pytest.mark.parametrize("setting", tried(everywhere()), ids=str)
def test_a_board_becomes_another_and_has_its_key(setting: Setting) -> None:
    board, other, dice = made(setting), made(setting), Dice(11)
    keys_met = set()
    for _ in range(25):
        move = board.random_move(dice)
        if move < 0:
            break
        keys_met.add(board.key())
        board.apply(move)
        other.become(board)
        assert frozen(other) == frozen(board)
        assert other.key() == board.key() not in keys_met
        assert 0 <= board.key() < 1 << 62
    board.reset()
    assert frozen(other) != frozen(board)


def test_making_moves_and_taking_them_back() -> None:
    position = Position.start("maze", {"size": 3})
    assert position.seat == 0 and not position.over and not position.chance and position.seats == 2
    first = position.moves()
    assert [position.text(move) for move in first] == [str(move) for move in position.state.moves]
    position.apply(position.read("a3-b3"))
    twin = position.copy()
    position.undo()
    assert position.moves() == first and twin.seat == 1
    for wrong in (999, True, "a1"):
        with pytest.raises(IllegalMove):
            position.apply(wrong)  # type: ignore[arg-type]
    for empty in (position, twin):
        with pytest.raises(RulesError, match="taken back"):
            empty.undo()
    with pytest.raises(RulesError):
        position.read("c1-b1")
    assert sum(position.payoffs()) == 0


def test_playouts_in_a_batch() -> None:
    position = begun("barons", 3, width=3, height=3)
    found = position.playouts(50, seed=1)
    assert found.moves == 50 * 9
    rows = [list(map(int, row)) for row in found.payoffs]
    assert len(rows) == 50 and all(sum(row) == 0 for row in rows)
    assert rows == [list(map(int, row)) for row in position.playouts(50, seed=1).payoffs]
    assert rows != [list(map(int, row)) for row in position.playouts(50, seed=2).payoffs]
    assert position.board.plies == 0


def test_without_numpy_rows_are_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    position = Position.start("barons", {"width": 3, "height": 2}, 2)
    payoffs = position.playouts(4, seed=1).payoffs
    assert isinstance(payoffs, list) and [len(payoffs), len(payoffs[0])] == [4, 2]


@pytest.mark.parametrize("wrong", [0, -1, 10**9, True, "5"])
def test_numbers_that_nobody_can_mean_are_refused(wrong: Any) -> None:
    position = Position.start("maze", {"size": 2})
    for ask in (lambda: position.playouts(wrong, 1), lambda: position.search(wrong, 1), lambda: position.solve(wrong)):
        with pytest.raises(RulesError, match="a number from 1 to"):
            ask()


def test_a_search_tells_what_it_did() -> None:
    position = begun("barons", 4, width=4, height=4)
    found = position.search(300, seed=9)
    assert sorted(found.moves) == sorted(position.moves())
    assert sum(found.visits) == 300 and found.visits[found.moves.index(found.move)] == max(found.visits)
    assert all(-3_000_000 <= value <= 3_000_000 for value in found.values)
    assert found == position.search(300, seed=9) != position.search(300, seed=10)


def test_alpha_beta_and_proofs_stop_where_they_are_told() -> None:
    found = Position.start("dollar-draw", {"width": 10, "height": 10}).prove(1000)
    assert not found.certain and found.positions <= 1001
    found = Position.start("dollar-draw").solve(30, positions=2000)
    assert not found.certain and found.positions <= 2001 and 0 < found.depth < 30
    assert found.move in Position.start("dollar-draw").moves()


def test_a_tie_is_certain_once_no_game_goes_on_beyond_the_depth() -> None:
    found = Position.start("barons", {"width": 2, "height": 2}, 2).solve(30)
    assert found.certain and (found.value, found.depth) == (0, 4)


def test_what_can_not_be_searched_says_so() -> None:
    with pytest.raises(RulesError, match="two seats"):
        begun("barons", 3).solve(3)
    with pytest.raises(RulesError, match="two seats"):
        begun("dotter", 2).solve(3)
    with pytest.raises(GameOver):
        Position.start("coin-isolation").search(10, 1)
    over = Position.start("maze", {"size": 2}, moves=["a2-a1", "a1-b1", "b1-b2"])
    assert over.over and over.seat is None and over.moves() == []
    for ask in (lambda: over.search(10, 1), lambda: over.solve(5), lambda: over.random_move(Dice(1))):
        with pytest.raises(GameOver):
            ask()


@pytest.mark.parametrize("setting", tried(QUICK), ids=str)
def test_boards_and_states_agree(setting: Setting) -> None:
    """A State plays a game move by move. A board beside it is told the numbers only, and is never copied.

    At each position what they list is the same, and so is all that they hold.
    """
    state: Any = setting.start()
    board, rng = state.board.copy(), Stream(str(setting), "agree")
    while state.moves:
        assert listed(board) == listed(state.board)
        move = state.moves.sample(rng)
        for code in state.steps(move) if state.board_steps else (state.code(move),):
            assert board.has(code) if isinstance(board, DotterBoard) and board.turn != CHANCE else code in listed(board)
            board.apply(code)
        state = state.play(move)
        assert frozen(board) == frozen(state.board)
    assert board.legal() == 0
    assert state.pending.places == tuple(map(board.place, range(state.seats)))


def listed(board: Board) -> Any:
    """The board's list; of a turn of Dotter, which can have thousands of moves, how long it is."""
    if isinstance(board, DotterBoard) and board.turn != CHANCE:
        return board.count()
    return board.moves[: board.legal()]


def test_the_example_in_the_protocols_runs_and_gives_what_it_says() -> None:
    """Each line of it; what its comments say of numbers and shapes is so."""
    block = blocks("python", chapter("search"))[0]
    names: dict[str, Any] = {}
    said = []
    for line in block.splitlines():
        code, _, comment = line.partition("#")
        exec(code, names)
        if code.startswith("position.") and "(" not in code:
            said.append((eval(code.strip(), names), comment))
    assert said == [(2, " 2: whose move it is; None when a face is owed (position.chance) or all is over")]
    assert names["found"].move in names["position"].moves()
