"""Positions for programs: what can be done on them, and that the numbers are the same however the engine runs."""

import json
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from quadrille.laws.settings import Setting, everywhere, tried
from quadrille.laws.walks import frozen
from quadrille.rules.board import BEYOND, CHANCE, Board
from quadrille.rules.chance import SeedDealer, Stream
from quadrille.rules.core import Over, settle
from quadrille.rules.dice import Dice
from quadrille.rules.errors import GameOver, IllegalMove, RulesError
from quadrille.rules.games.barons.search import SearchedBarons
from quadrille.rules.games.dollar_draw.search import SearchedDollarDraw
from quadrille.rules.games.dotter.board import DotterBoard
from quadrille.rules.games.maze.search import SearchedMaze
from quadrille.rules.registry import game
from quadrille.rules.search import Lookahead, Position, Proof, TreeSearch
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


# Searches that can be gone on with: trees, alpha-beta and proofs, and that what they are sure of is so


#: Tables so small that every game on them can be played.
SMALL: tuple[tuple[str, dict[str, Any]], ...] = (
    ("maze", {"size": 3}),
    ("dollar-draw", {"width": 3, "height": 3}),
    ("dollar-draw", {"width": 4, "height": 2}),
    ("barons", {"width": 3, "height": 3}),
    ("barons", {"width": 3, "height": 2, "end": "full", "row_bonus": 3}),
    ("coin-isolation", {"layout": "pnd/ppn"}),
    ("coin-isolation", {"layout": "pp/nd", "take": "semi-greedy", "idle_rounds": 2}),
)
IDS = [f"{key} {number}" for number, (key, _) in enumerate(SMALL)]
#: Where playing everything takes a second: each of these games has a smaller table.
SLOW = ("coin-isolation 6", "coin-isolation 5", "barons 3", "dollar-draw 1")
#: The small tables, by their numbers.
NUMBERS = [pytest.param(n, id=name, marks=pytest.mark.slow if name in SLOW else ()) for n, name in enumerate(IDS)]


def minimax(board: Board, known: dict[int, int], worth: Callable[[Board, int], int] = Board.payoff) -> int:
    """The payoff of the seat to move at best play, or what else an end is `worth`: every game is played to its end."""
    key = board.key()
    if key not in known:
        seat = board.turn
        count = board.legal()
        best = worth(board, seat) if count == 0 else -BEYOND
        for move in list(board.moves[:count]):
            board.apply(move)
            value = minimax(board, known, worth)
            best = max(best, value if board.turn == seat else -value)
            board.undo()
        known[key] = best
    return known[key]


def positions(key: str, options: dict[str, Any], games: int, seed: str) -> Iterator[Position]:
    """All positions of some random games, but for their ends."""
    dice = Dice(len(seed))
    for _ in range(games):
        position = Position.start(key, options, 2)
        while not position.over:
            yield position
            position.apply_quickly(position.random_move(dice))


@cache
def worths(number: int) -> dict[int, int]:
    """What positions of a small table are worth, by their keys; filled as they are met."""
    return {}


@pytest.mark.parametrize("number", NUMBERS)
def test_a_proof_is_what_playing_everything_comes_to(number: int) -> None:
    key, options = SMALL[number]
    alike: dict[int, int] = {}
    for position in positions(key, options, 2, "proof"):
        worth = minimax(position.board.copy(), worths(number))
        assert alike.setdefault(position.board.alike(), worth) == worth
        proved = position.prove(50_000)
        assert (proved.certain, proved.value) == (True, worth)
        solved = position.solve(100)
        assert (solved.certain, solved.value) == (True, worth)
        for found in (proved, solved):
            kept = Position(position.state)
            kept.apply(found.move)
            value = minimax(kept.board.copy(), worths(number))
            assert (value if kept.seat == position.seat else -value) == worth or kept.over


def seen(board: Any, at: Callable[[int, int], int]) -> tuple[object, ...]:
    """What `at` finds in one image after the other of a board of Barons, Maze or Dollar Draw, the least first."""
    match board:
        case SearchedBarons():
            width, height = board.squares // board.height, board.height
            images = [
                tuple(at(c if c_up else width - 1 - c, r if r_up else height - 1 - r) for c, r in grid(width, height))
                for c_up in (True, False)
                for r_up in (True, False)
            ]
        case SearchedMaze():
            width = height = board.size
            last = board.size - 1
            images = [tuple(at(c, r) for c, r in grid(width, height))]
            images.append(tuple(at(last - r, last - c) for c, r in grid(width, height)))
        case SearchedDollarDraw():
            height = board.stride - 1
            width = (board.last + 1) // board.stride
            images = [tuple(at(c, r) for c, r in grid(width, height))]
            if width == height:
                images.append(tuple(at(r, c) for c, r in grid(width, height)))
    return min(images)


def grid(width: int, height: int) -> list[tuple[int, int]]:
    return [(column, row) for column in range(width) for row in range(height)]


def image(board: Any) -> tuple[object, ...]:
    """All that `alike` may depend on, written out square by square."""
    turn = board.turn
    match board:
        case SearchedBarons():
            faces = {-1: 0, turn: 1, 1 - turn: 2}
            return seen(board, lambda c, r: faces[board.owner[board.height * c + r]])
        case SearchedMaze():
            start = board.last if board.room[board.last] > 0 else -1
            marks = seen(board, lambda c, r: (board.room[board.size * c + r] >= 0) + 2 * (board.size * c + r == start))
            return board.crosses % 2, marks
        case _:
            height = board.stride - 1
            width = (board.last + 1) // board.stride
            own, other = board.tokens[turn], board.tokens[1 - turn]
            faces = {0: 0, 1: 1, 2 + turn: 2, 3 - turn: 3, 4: 4, 5: 4}

            def at(column: int, row: int) -> int:
                if turn:
                    column, row = width - 1 - column, height - 1 - row
                square = board.stride * (column + 1) + row
                return faces[board.holds[square]] + 8 * (square == own) + 16 * (square == other)

            return board.captured[turn] - board.captured[1 - turn], seen(board, at)


def turned(board: Any) -> Any:
    """The board half turned in Barons, and mirrored on a square grid in Dollar Draw; in Maze as it is."""
    twin = board.copy()
    if isinstance(board, SearchedBarons):
        twin.owner = board.owner[::-1]
    elif isinstance(board, SearchedDollarDraw) and board.last + 1 == board.stride * (board.stride - 1):
        for column, row in grid(board.stride - 1, board.stride - 1):
            here, there = board.stride * (column + 1) + row, board.stride * (row + 1) + column
            twin.holds[there] = board.holds[here]
            for seat in (0, 1):
                if board.tokens[seat] == here:
                    twin.tokens[seat] = there
    return twin


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("maze", {"size": 3}),
        ("maze", {"size": 8}),
        ("barons", {"width": 3, "height": 3}),
        ("barons", {"width": 8, "height": 5}),
        ("barons", {"width": 3, "height": 26}),
        ("dollar-draw", {"width": 3, "height": 3}),
        ("dollar-draw", {"width": 9, "height": 9}),
        ("dollar-draw", {"width": 4, "height": 11}),
        ("dollar-draw", {"width": 10, "height": 2}),
    ],
    ids=str,
)
def test_positions_are_alike_where_one_is_the_image_of_the_other_and_nowhere_else(
    key: str, options: dict[str, Any]
) -> None:
    """Keys take many squares at once, and must leave none of them out, wherever it stands."""
    images: dict[int, object] = {}
    keys: dict[object, int] = {}
    games = 60 if options.get("size") == 3 else 6  # so many that the same squares are met with odd and even X's
    for position in positions(key, options, games, "images"):
        alike, known = position.board.alike(), image(position.board)
        assert turned(position.board).alike() == alike
        assert images.setdefault(alike, known) == known
        assert keys.setdefault(known, alike) == alike
    assert len(keys) > 15


@pytest.mark.parametrize("number", NUMBERS)
def test_what_a_tree_is_sure_of_is_so(number: int) -> None:
    key, options = SMALL[number]
    sure = 0
    for position in positions(key, options, 2, "tree"):
        search = TreeSearch(position, 5)
        for count in (20, 380):
            search.go_on(count)
            found = search.found
            chosen = found.proved[found.moves.index(found.move)]
            assert chosen == 1 or 1 not in found.proved
            assert chosen != -1 or set(found.proved) == {-1}
        worth = minimax(position.board.copy(), worths(number))
        if found.certain is not None:
            sure += 1
            assert found.certain == worth
            assert not search.go_on(1)
        for move, known in zip(found.moves, found.proved, strict=True):
            if known is not None:
                position.apply(move)
                value = minimax(position.board.copy(), worths(number))
                assert known == (value if position.board.turn == search.tree.seat else -value)
                position.undo()
    assert sure > 3


def test_a_search_that_is_gone_on_with_is_the_same_search() -> None:
    for key, options in SMALL[1], SMALL[3], ("barons", {}):
        position = Position.start(key, options, 2)
        whole, parts = TreeSearch(position, 9), TreeSearch(position, 9)
        whole.go_on(60)
        for count in (1, 2, 7, 50):
            parts.go_on(count)
        assert whole.found == parts.found


@pytest.mark.slow
def test_alpha_beta_goes_on_where_it_was_stopped() -> None:
    position = Position.start("dollar-draw", {"width": 4, "height": 4})
    ahead = Lookahead(position)
    depths = []
    while ahead.go_on(300):
        depths.append(ahead.found.depth)
    assert ahead.found.certain and ahead.found.value == -1 and depths == sorted(depths)


def test_a_tree_is_kept_for_later_positions() -> None:
    position = Position.start("dollar-draw", {"width": 5, "height": 5})
    search = TreeSearch(position, 3)
    search.go_on(500)
    first = search.turn()
    for step in first:
        position.apply(step)
    reply = max(position.moves(), key=lambda move: search.seen([*first, move])[0])
    visits = search.seen([*first, reply])[0]
    position.apply(reply)
    assert search.follow(position) and search.tree.visits[search.tree.top] == visits
    search.go_on(100)
    assert sum(search.found.visits) >= 100 and sorted(search.found.moves) == sorted(position.moves())
    # another game is not in it, nor the position of another seat
    assert not search.follow(Position.start("dollar-draw", {"width": 5, "height": 5}))
    position.apply(position.moves()[0])
    assert not search.follow(position)


@pytest.mark.first(1)
@pytest.mark.parametrize("setting", tried(s for s in everywhere() if s.key == "coin-isolation"), ids=str)
def test_whole_turns_are_found_and_read(setting: Any) -> None:
    """In Coin Isolation a search chooses steps: put together they are a move, and the move has these steps."""
    state: Any = settle(setting.start(), SeedDealer("turns"))
    rng = Stream("turns")
    for _ in range(6):
        if isinstance(state.pending, Over):
            break
        position = Position(state)
        search = TreeSearch(position, 1)
        search.go_on(15)
        steps = search.turn()
        move = position.move(steps)
        assert move in state.moves and str(state.game.parse(str(move), state)) == str(move)
        assert position.steps(move) == steps
        state = settle(state.play(state.moves.sample(rng)), SeedDealer("turns"))


def test_each_step_of_a_won_turn_is_searched() -> None:
    options = {"layout": "pp/nd", "take": "semi-greedy", "idle_rounds": 2}
    position, dice = Position.start("coin-isolation", options, 2), Dice(2)
    position.apply_quickly(position.random_move(dice))
    ahead, reply = Lookahead(position), Position(position.state)
    ahead.go_on(10_000)
    steps = ahead.turn()
    for step in steps:
        reply.apply(step)
    after = Lookahead(reply)
    assert not after.go_on(10_000) and (ahead.found.value, after.found.value, len(steps)) == (1, -1, 3)


def test_a_tree_of_dotter_holds_no_card_that_its_seat_has_not_seen() -> None:
    position, dice = Position.start("dotter", None, 3), Dice(4)
    for _ in range(70):
        position.apply_quickly(position.random_move(dice))
    while position.seat is None:
        position.apply_quickly(position.random_move(dice))
    seat = position.seat
    whole = position.guess(seat, 1)
    search = TreeSearch(whole, 2)
    board: Any = search.tree.board
    seen = [mask == -1 or mask >> seat & 1 == 1 for mask in board.seen]
    assert [face >= 0 for face in board.faces] == seen and not all(seen)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "options"), [("barons", {"width": 26, "height": 26}), ("maze", {"size": 26})], ids=["barons", "maze"]
)
def test_a_proof_on_the_largest_board_is_not_too_deep(key: str, options: dict[str, Any]) -> None:
    """A line to the end of it has hundreds of turns, each of which is a call within a call."""
    proof = Proof(Position.start(key, options, 2), 1 << 10)
    assert proof.go_on(800)
    assert not proof.found.certain


@pytest.mark.first(1)
@pytest.mark.parametrize(("key", "seats"), [("barons", 4), ("dotter", 2), ("coin-isolation", 2)])
def test_two_turns_share_all_simulations(key: str, seats: int) -> None:
    """Also turns that a search of all moves would leave out, and turns of several steps."""
    state = settle(Position.start(key, {}, seats).state, SeedDealer("compare"))
    while settle(state, SeedDealer("compare")).moves.count(3) < 3:
        state = settle(state.play(next(iter(state.moves))), SeedDealer("compare"))
    position, rng = Position(state), Stream("compare")
    for _ in range(5):
        one, other = (position.steps(state.moves.sample(rng)) for _ in range(2))
        if one == other:
            continue
        search = TreeSearch(position, 1)
        search.compare(one, other)
        search.go_on(60)
        assert search.seen(one)[0] + search.seen(other)[0] == 60 and min(search.seen(one)[0], search.seen(other)[0]) > 0
        assert search.turn() in (one, other)
