"""Coin Isolation by hand: what refuses a move, and how moves are written. Rows of a layout go from the top.

Which moves are legal, and what they do, the naive game tells (tests/naive).
"""

import random

import pytest

from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import Over, State, ToDraw, ToMove, settle
from quadrille.rules.errors import BadOptions
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.rules import table
from tests.rules.table import refusal, texts

GAME = game("coin-isolation")
#: Layouts: the coins mixed; a row of each kind; and one on which a pile of two kinds can be made.
MIXED, ROWS, PILE = "ppn/npp/pdp", "ppp/nnn/ddd", "ppp/nnn/dpd"
#: Moves on PILE after which c2 has a penny from c3 and two nickels from a2 and b2, under the pawn of player 1.
TO_PILE = "side west;c3-b3-a3;a1;a2-b2-c2;b1"


def played(layout: str, moves: str, seats: int = 2, **options: object) -> State:
    """The position after these moves, separated by semicolons."""
    state: State = table.played(GAME, {"layout": layout, **options}, moves, seats, ";")
    return state


def on(state: State, name: str) -> str:
    """What lies on a square: coins, then pawns by player."""
    cell = next(cell for cell in state.scene().sheet.cells if cell.name == name)
    return " ".join(f"P{mark.seat + 1}" if mark.kind == "pawn" else mark.label for mark in cell.marks)


SEMI, TRANSPLANT, AFTER = {"take": "semi-greedy"}, {"collect": "transplant"}, {"collect": "transplant-after"}
CHANGE, STANDING, RENEGADE = {"mixed_change": True}, {"standing_still": True}, {"renegade": True}


@pytest.mark.parametrize(
    ("layout", "moves", "options", "refused"),
    [
        ("pp/pp", "side south", {}, {"side west": "the sides are picked already"}),
        (MIXED, "side north", {}, {
            "c3": "c3 is not in the first row of your side, the south",
            "a1-b1": "the path runs along one type of coin, and b1 has no penny",
            "a1-b2": "b2 is not adjacent to a1",
            "c1-c2-c1": "c1 is on the path twice",
            "pass": "you can't pass: there is a path for you",
            "stand": "standing still is not played at this table",
            "renegade a1": "renegades are not played at this table",
            "d1": "d1 is off the board: its squares go from a1 to c3",
            "a1-": '"" is no square: write a letter and a number, such as c3',
            "c1 take 0": "take is only written in Semi-Greedy: here one coin is kept",
            "c1 type n": "type is not written here: all squares of the path have just one type of coin in common",
            "c1 to a2": "to is not written here: no coin is to be placed",
            "c1 give 1p": "give is not written here: piles don't mix",
            "c1 take 1 take 1": "take is there twice",
            "side up": '"up" is no side: pick south, north, west or east',
            "stand x": '"x" is no type of coin: write p, n, d or q',
            "c1 to a2,a2": "a2 is named twice: each square takes one coin",
            "c1 take many": '"many" is no number of coins to take: write take 0, take 1, …',
            "c1 nonsense": '"nonsense" is not understood: after a path come type, take, give or to',
        }),
        ("pppp/pppp/pppp", "side north;c1-d1;d3-d2", {}, {
            "d2": "a pawn stands on d2: no pawn may stand on a path",
            "d1": "your own pawn stands on d1: no pawn may stand on a path",
            "c1": "c1 is empty: a path runs over coins, and the path begins there",
            "a1": "a1 does not touch your pawn on d1",
        }),
        ("../..", "side south;pass;pass", {}, {
            "pass": "the game is over: all players passed one after another",
            "b7": "b7 is off the board: its squares go from a1 to b2",
        }),
        ("pppn/nndn", "side south", {"take": "greedy"}, {
            "a2 take 2": "take is only written in Semi-Greedy: here all coins on the target are kept",
        }),
        ("ppppp/nnnnn", "side south", SEMI, {
            "a2": "say how many coins you keep: add take 0 to take 1",
            "a2 take 2": "you can't keep 2: 1 coin of the path's type lies on the target",
        }),
        (ROWS, "side south;a3-b3 to a3;c1", TRANSPLANT, {
            "b2-a2 to b3": "your pawn still stands on b3: the coins are placed before it moves",
            "b2-a2 to c3": "c3 is not empty: a transplanted coin goes to an empty square",
            "b2-a2": "say where the collected coins go: add to with 1 empty square",
            "b2-a2 to a2,b2": "to is not written here: no coin is to be placed",
        }),
        (ROWS, "side south;a3-b3 to a3;c1", AFTER, {"b2-a2 to a2": "your pawn will stand on a2 by then"}),
        (PILE, TO_PILE, CHANGE, {
            "c1": "say which coins go along from under your pawn: add give with 1 coin in all",
            "c1 give 2n": "give names 1 coin from under your pawn: that is half of them, rounded down",
        }),
        (PILE, "side south;a3-b3-c3;a1", CHANGE, {
            "c2 give 1n": "give is not written here: half the coins under your pawn are of one type, or none",
        }),
        (PILE, TO_PILE + ";c1 give 1n;pass", CHANGE, {
            "c2": "say which type of coin the path runs along: add type p or type n",
            "c2 type d": "not every square of the path has a coin of that type",
        }),
        ("pp../....", "side west;pass;a2-b2;pass", STANDING, {"pass": "you can still stand still"}),
        (ROWS, "side south", STANDING, {"stand": "your pawn is not on the board yet"}),
        (ROWS, "side south;b3;c1", STANDING, {"stand": "no coin lies under your pawn"}),
        (PILE, TO_PILE, CHANGE | STANDING, {
            "stand": "say which coin you keep: stand p or stand n",
            "stand q": "no coin of that type lies under your pawn",
        }),
        (MIXED, "side north;renegade c1;b3", RENEGADE, {
            "pass": "you can't pass: there is a path for you",
            "c2 take 1": "a renegade keeps no coins and moves none: only the path is written",
        }),
        (ROWS, "side south;renegade b3;c1", RENEGADE | STANDING, {
            "stand": "a renegade can't stand still: it keeps no coins",
        }),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_what_is_not_legal_is_refused_with_its_reason(
    layout: str, moves: str, options: dict[str, object], refused: dict[str, str]
) -> None:
    state = played(layout, moves, **options)
    assert {text: refusal(state, text) for text in refused} == refused


@pytest.mark.parametrize(
    ("layout", "moves", "options", "text", "written"),
    [
        *((MIXED, "side north", {}, text, "c1-c2-b2") for text in ("C1-C2-B2", " c1 - c2-b2 ", "c1-c2-b2 take 1")),
        (MIXED, "side north", {}, "c1-c2-b2 type P", "c1-c2-b2"),
        ("pppn/nndn", "side south", {"take": "greedy"}, "a2 take 1", "a2"),
        (ROWS, "side south", TRANSPLANT, "a3-b3-c3 to c3,a3", "a3-b3-c3 to a3,c3"),
        (PILE, "side south;a3-b3-c3;a1", CHANGE, "c2 give 1p", "c2"),
        (PILE, TO_PILE + ";c1 give 1n;pass", CHANGE, "c2 type nickel", "c2 type n"),
        (MIXED, "side north;renegade c1;b3", RENEGADE, "renegade c2", "c2"),
    ],
)
def test_harmless_variations(layout: str, moves: str, options: dict[str, object], text: str, written: str) -> None:
    state = played(layout, moves, **options)
    assert str(GAME.parse(text, state)) == written
    assert GAME.parse(text, state) in state.moves


class TestSides:
    def test_three_seats_the_first_picks_one_of_the_other_two(self) -> None:
        state = played(MIXED, "side east", 3)
        assert state.pending == ToMove(0) and texts(state) == ["side south", "side north"]
        assert "the east is taken" in refusal(state, "side east")

    def test_a_side_comes_first_and_may_be_named_alone(self) -> None:
        start = GAME.start({"layout": "pp/pp"}, 3)
        assert refusal(start, "a1").startswith("pick a side first: side south or side north")
        assert str(GAME.parse("south", start)) == str(GAME.parse("S", start)) == "side south"
        assert refusal(start.play("s"), "foo") == "pick a side first: side west or side east"

    @pytest.mark.parametrize(("seats", "out", "then"), [(3, 2, 1), (4, 3, 1), (2, 1, None)])
    def test_who_leaves_before_picking_leaves_it_to_the_side_opposite(self, seats: int, out: int, then: int) -> None:
        state = GAME.start({"layout": "pp/pp"}, seats).leave(out)
        over = Over((1, 2), state.figures(), "everybody else has left")
        assert state.pending == (over if then is None else ToMove(then))

    def test_the_second_pick_too(self) -> None:
        state = played("pp/pp", "side south", 4).leave(2)
        assert state.pending == ToMove(0)
        assert texts(state) == ["side west", "side east"]
        assert played("pp/pp", "side south", 3).leave(0).pending == ToMove(1)


def test_paths_that_do_the_same_are_all_legal() -> None:
    ring = played("ppp/pnp/ppp", "side north")
    one, other = (ring.play(text) for text in ("a1-a2-a3-b3-c3-c2-c1-b1", "c1-c2-c3-b3-a3-a2-a1-b1"))
    assert one == other
    state = played("ppp/ppp/ppp", "side north", renegade=True)
    assert "renegade b1-b2-a2" not in texts(state)
    assert GAME.parse("renegade b1-b2-a2", state) in state.moves


def test_what_ends_a_game_is_told() -> None:
    idle = "side east;a1 take 0;d1 take 0"
    for state, reason in (
        (played("../..", "side south;pass;pass"), "all players passed one after another"),
        (played("pppp/nnnn", idle, idle_rounds=1, **SEMI), "nobody kept a coin for a full round"),
        (played(ROWS, "side south;renegade b3;renegade c1", renegade=True), "all players are renegades"),
    ):
        assert state.pending == Over((1, 1), state.figures(), reason)
    for moves, rounds in ((idle, 2), (idle.replace("d1 take 0", "d1 take 1"), 1)):
        assert isinstance(played("pppp/nnnn", moves, idle_rounds=rounds, **SEMI).pending, ToMove)


def test_greedy_and_mixed_change_do_nothing_where_coins_are_transplanted_and_the_set_up_says_so() -> None:
    options = GAME.read_options({"collect": "transplant", "take": "greedy", "mixed_change": True})
    assert [text.split(" does")[0] for text in GAME.advice(options, 2)] == ["Greedy", "Mixed Change"]
    assert GAME.advice(GAME.read_options({"take": "greedy"}), 2) == ()


def test_coins_are_drawn_in_reading_order() -> None:
    start = GAME.start(None, 2)
    coins = ("p",) * 24 + ("n",) * 24 + ("d",) * 12 + ("q",) * 4
    assert isinstance(start.pending, ToDraw) and start.pending.pile.faces == coins
    second = start.play("q").play("d")
    assert (on(second, "a8"), on(second, "b8"), second.pending.position) == ("q", "d", 2)


def test_a_seed_lays_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(GAME, {"coins": "many-pennies"}, 2, deal=Deal("any"))
    labels = [mark.label for cell in match.state.scene().sheet.cells for mark in cell.marks]
    assert [labels.count(letter) for letter in "pndq"] == [27, 22, 11, 4] and match.state.pending == ToMove(1)
    monkeypatch.setattr(type(match.state), "lists", lambda state, _: isinstance(state.pending, ToDraw))
    assert settle(GAME.start(None, 2), SeedDealer("any")).pending == ToMove(1), "no question in between is kept"


def test_no_more_of_a_kind_than_there_are() -> None:
    state = GAME.start(None, 2)
    for _ in range(4):
        state = state.play("q")
    assert [str(face) for face in state.moves] == ["p", "n", "d"] and "that is not used up" in refusal(state, "q")
    assert [one.lists(code) for one in (state, state.leave(0)) for code in range(-9, 99)].count(True) == 3


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"layout": "pp/ppp"}, "layout: its row 2 has 3 squares, the first has 2"),
        ({"layout": "px/pp"}, 'layout: "x" is no coin: write p, n, d, q, or . for an empty square'),
        ({"layout": "p/p"}, "layout: 1 x 2 squares; a side has 2 to 12"),
        ({"layout": "pp/" * 12 + "pp"}, "layout: 2 x 13 squares; a side has 2 to 12"),
        (
            {"layout": "pp/pp", "coins": "many-pennies"},
            "coins and layout can't go together: a layout brings its own coins",
        ),
    ],
)
def test_bad_layouts_are_refused(options: dict[str, object], why: str) -> None:
    with pytest.raises(BadOptions) as caught:
        GAME.start(options, 2)
    assert str(caught.value) == why


def test_a_path_in_the_making_blocks_nobody_once_its_player_is_gone() -> None:
    """Squares of a path are no way for its own further steps; they are one again when the path is never completed."""
    start = played("ppp/ppp/ppp", "side east;side south", 3)
    whole, halfway = start.board.copy(), start.board.copy()
    assert halfway.legal() > 0
    halfway.apply(halfway.moves[0])
    halfway.leave(halfway.turn)
    whole.leave(whole.turn)
    assert list(halfway.at) == list(whole.at)
    assert halfway.legal() == whole.legal()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"take": "semi-greedy", "mixed_change": True, "standing_still": True},
        {"collect": "transplant"},
        {"collect": "transplant-after", "take": "semi-greedy"},
        {"renegade": True},
    ],
)
def test_moves_of_a_half_made_turn_are_those_that_begin_with_its_steps(options: dict[str, object]) -> None:
    """They raised IndexError. They are the moves of the turn that begin with the steps made, and can be played."""
    state: State = GAME.start({"layout": "npd/pdd/ppp", **options}, 2)
    rng = random.Random(1)
    for _ in range(12):
        if isinstance(state.pending, Over):
            break
        whole = set(texts(state))
        board, made = state.board.copy(), []
        while len(steps := board.listed()):
            made.append(steps[rng.randrange(len(steps))])
            board.apply(made[-1])
            if board.plies != state.board.plies:
                break
            middle = state.on(board.copy())
            moves = list(middle.moves)
            assert moves and len(set(moves)) == len(moves) == middle.moves.count()
            assert all(state.steps(move)[: len(made)] == made for move in moves)
            assert all(middle.play(move).digest() == state.play(move).digest() for move in moves)
            assert middle.moves.sample(rng) in moves
            begin_so = {text for text in whole if state.steps(GAME.parse(text, state))[: len(made)] == made}
            assert begin_so <= set(map(str, moves))
        state = state.play(state.moves.sample(rng))
