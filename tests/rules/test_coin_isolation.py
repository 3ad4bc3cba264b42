"""Coin Isolation by hand: every sentence of its rules on small boards. Rows of a layout go from the top."""

import random

import pytest

from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import Over, State, ToDraw, ToMove, settle
from quadrille.rules.errors import BadOptions
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.rules import table
from tests.rules.table import refusal

GAME = game("coin-isolation")


def played(layout: str, moves: str, seats: int = 2, **options: object) -> State:
    """The position after these moves, separated by semicolons."""
    state: State = table.played(GAME, {"layout": layout, **options}, moves, seats, ";")
    return state


def listed(state: State) -> list[str]:
    return [str(move) for move in state.moves]


def on(state: State, name: str) -> str:
    """What lies on a square: coins, then pawns by player."""
    cell = next(cell for cell in state.scene().sheet.cells if cell.name == name)
    return " ".join(f"P{mark.seat + 1}" if mark.kind == "pawn" else mark.label for mark in cell.marks)


class TestSides:
    def test_three_seats_the_first_picks_one_of_the_other_two(self) -> None:
        state = played("ppn/npp/pdp", "side east", 3)
        assert state.pending == ToMove(0) and listed(state) == ["side south", "side north"]
        assert "the east is taken" in refusal(state, "side east")

    def test_a_side_comes_first_and_once(self) -> None:
        start = GAME.start({"layout": "pp/pp"}, 2)
        assert listed(start) == ["side south", "side north", "side west", "side east"]
        assert refusal(start, "a1").startswith("pick a side first: side south or side north")
        assert refusal(played("pp/pp", "side south"), "side west") == "the sides are picked already"

    def test_a_side_may_be_named_alone(self) -> None:
        start = GAME.start({"layout": "pp/pp"}, 3)
        assert str(GAME.parse("south", start)) == str(GAME.parse("S", start)) == "side south"
        assert refusal(start.play("s"), "foo") == "pick a side first: side west or side east"


class TestPaths:
    LAYOUT = "ppn/npp/pdp"  # a3 p, b3 p, c3 n / a2 n, b2 p, c2 p / a1 p, b1 d, c1 p

    def test_paths_that_do_the_same_are_listed_once_and_all_legal(self) -> None:
        state = played("pp/pp", "side north")
        assert "a1-a2-b2" in listed(state)
        square = played("pn/pn", "side east")
        assert listed(square) == ["a1", "a1-a2", "a2", "a2-a1"]
        ring = played("ppp/pnp/ppp", "side north")
        both = ["a1-a2-a3-b3-c3-c2-c1-b1", "c1-c2-c3-b3-a3-a2-a1-b1"]
        assert [text in listed(ring) for text in both] == [True, False]
        after = [ring.play(GAME.parse(text, ring)) for text in both]
        assert after[0] == after[1]

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("c3", "c3 is not in the first row of your side, the south"),
            ("a1-b1", "the path runs along one type of coin, and b1 has no penny"),
            ("a1-b2", "b2 is not adjacent to a1"),
            ("c1-c2-c1", "c1 is on the path twice"),
            ("pass", "you can't pass: there is a path for you"),
            ("stand", "standing still is not played at this table"),
            ("renegade a1", "renegades are not played at this table"),
            ("d1", "d1 is off the board: its squares go from a1 to c3"),
            ("a1-", '"" is no square: write a letter and a number, such as c3'),
            ("c1 take 0", "take is only written in Semi-Greedy: here one coin is kept"),
            ("c1 type n", "type is not written here: all squares of the path have just one type of coin in common"),
            ("c1 to a2", "to is not written here: no coin is to be placed"),
            ("c1 give 1p", "give is not written here: piles don't mix"),
            ("c1 take 1 take 1", "take is there twice"),
            ("side up", '"up" is no side: pick south, north, west or east'),
            ("stand x", '"x" is no type of coin: write p, n, d or q'),
            ("c1 to a2,a2", "a2 is named twice: each square takes one coin"),
            ("c1 take many", '"many" is no number of coins to take: write take 0, take 1, …'),
            ("c1 nonsense", '"nonsense" is not understood: after a path come type, take, give or to'),
        ],
    )
    def test_refusals(self, text: str, why: str) -> None:
        assert refusal(played(self.LAYOUT, "side north"), text) == why

    def test_pawns_and_empty_squares_block(self) -> None:
        state = played("pppp/pppp/pppp", "side north;c1-d1")  # c1 empty, pawn of player 1 on d1
        state = state.play(GAME.parse("d3-d2", state))
        assert refusal(state, "d2") == "a pawn stands on d2: no pawn may stand on a path"
        assert refusal(state, "d1") == "your own pawn stands on d1: no pawn may stand on a path"
        assert refusal(state, "c1") == "c1 is empty: a path runs over coins, and the path begins there"
        assert refusal(state, "a1") == "a1 does not touch your pawn on d1"

    @pytest.mark.parametrize("text", ["C1-C2-B2", " c1 - c2-b2 ", "c1-c2-b2 take 1", "c1-c2-b2 type P"])
    def test_harmless_variations(self, text: str) -> None:
        state = played(self.LAYOUT, "side north")
        assert str(GAME.parse(text, state)) == "c1-c2-b2"
        assert GAME.parse(text, state) in state.moves


class TestPassing:
    def test_the_game_is_over_when_all_passed(self) -> None:
        state = played("../..", "side south;pass;pass")
        assert state.pending == Over((1, 1), state.figures(), "all players passed one after another")
        assert refusal(state, "pass") == "the game is over: all players passed one after another"
        assert refusal(state, "b7").startswith("b7 is off the board")

    def test_idle_rounds_end_it(self) -> None:
        moves = "side east;a1 take 0;d1 take 0"
        state = played("pppp/nnnn", moves, take="semi-greedy", idle_rounds=1)
        assert isinstance(state.pending, Over)
        assert state.pending.reason == "nobody kept a coin for a full round"
        assert isinstance(played("pppp/nnnn", moves, take="semi-greedy", idle_rounds=2).pending, ToMove)
        kept = played("pppp/nnnn", "side east;a1 take 0;d1 take 1", take="semi-greedy", idle_rounds=1)
        assert isinstance(kept.pending, ToMove)


class TestTakeAndCollect:
    ROW = "ppppp/nnnnn"

    def test_greedy_says_no_number(self) -> None:
        state = played("pppn/nndn", "side south", take="greedy")
        assert (
            refusal(state, "a2 take 2") == "take is only written in Semi-Greedy: here all coins on the target are kept"
        )
        assert str(GAME.parse("a2 take 1", state)) == "a2"

    def test_semi_greedy_always_says_how_many(self) -> None:
        state = played(self.ROW, "side south", take="semi-greedy")
        assert listed(state)[:2] == ["a2 take 0", "a2 take 1"]
        assert refusal(state, "a2") == "say how many coins you keep: add take 0 to take 1"
        assert refusal(state, "a2 take 2") == "you can't keep 2: 1 coin of the path's type lies on the target"
        state = state.play(GAME.parse("a2-b2 take 0", state))
        assert (on(state, "b2"), state.figures()["cents"], state.figures()["last_coin"]) == ("2p P1", (0, 0), (0, 0))


class TestTransplant:
    def test_squares_are_named_ascending_and_in_any_order_on_input(self) -> None:
        state = played("ppp/nnn/ddd", "side south", collect="transplant")
        assert listed(state)[:3] == ["a3", "a3-b3 to a3", "a3-b3 to b3"]
        assert str(GAME.parse("a3-b3-c3 to c3,a3", state)) == "a3-b3-c3 to a3,c3"
        state = state.play(GAME.parse("a3-b3-c3 to c3,a3", state))
        assert [on(state, name) for name in ("a3", "b3", "c3")] == ["p", "", "p P1"]

    def test_the_source_square_may_not_take_one_before_the_pawn_moves(self) -> None:
        state = played("ppp/nnn/ddd", "side south;a3-b3 to a3;c1", collect="transplant")
        assert on(state, "b3") == "P1"
        assert listed(state) == ["a3", "b2", "b2-a2 to a2", "b2-a2 to b2", "b2-c2 to b2", "b2-c2 to c2", "c3"]
        assert refusal(state, "b2-a2 to b3").startswith("your pawn still stands on b3")
        assert refusal(state, "b2-a2 to c3") == "c3 is not empty: a transplanted coin goes to an empty square"
        assert refusal(state, "b2-a2") == "say where the collected coins go: add to with 1 empty square"
        assert refusal(state, "b2-a2 to a2,b2").startswith("to is not written here")

    def test_after_the_pawn_moved_the_source_may_and_the_target_may_not(self) -> None:
        state = played("ppp/nnn/ddd", "side south;a3-b3 to a3;c1", collect="transplant-after")
        assert listed(state) == ["a3", "b2", "b2-a2 to b2", "b2-a2 to b3", "b2-c2 to b2", "b2-c2 to b3", "c3"]
        assert refusal(state, "b2-a2 to a2") == "your pawn will stand on a2 by then"

    def test_greedy_and_mixed_change_do_nothing_and_the_set_up_says_so(self) -> None:
        options = GAME.read_options({"collect": "transplant", "take": "greedy", "mixed_change": True})
        assert [text.split(" does")[0] for text in GAME.advice(options, 2)] == ["Greedy", "Mixed Change"]
        assert GAME.advice(GAME.read_options({"take": "greedy"}), 2) == ()


class TestMixedChange:
    """Player 1 comes from the north of `ppp/nnn/ddd` and makes a pile of two types."""

    def test_give_names_which_coins_go(self) -> None:
        # c2 gets a penny from c3 and two nickels from a2 and b2: a pile of two types under the pawn
        state = played("ppp/nnn/dpd", "side west;c3-b3-a3;a1;a2-b2-c2;b1", mixed_change=True)
        assert on(state, "c2") == "p 2n P1"
        assert listed(state) == ["c1 give 1p", "c1 give 1n"]
        assert refusal(state, "c1") == "say which coins go along from under your pawn: add give with 1 coin in all"
        assert (
            refusal(state, "c1 give 2n") == "give names 1 coin from under your pawn: that is half of them, rounded down"
        )
        state = state.play(GAME.parse("c1 give 1n", state))
        assert (on(state, "c1"), on(state, "c2")) == ("n P1", "p n")

    def test_a_needless_give_is_left_out(self) -> None:
        state = played("ppp/nnn/dpd", "side south;a3-b3-c3;a1", mixed_change=True)
        assert str(GAME.parse("c2 give 1p", state)) == "c2"
        assert refusal(state, "c2 give 1n").startswith("give is not written here")

    def test_type_is_written_where_more_than_one_is_possible(self) -> None:
        state = played("ppp/nnn/dpd", "side west;c3-b3-a3;a1;a2-b2-c2;b1;c1 give 1n;pass", mixed_change=True)
        assert listed(state) == ["c2 type p", "c2 type n"]
        assert refusal(state, "c2") == "say which type of coin the path runs along: add type p or type n"
        assert refusal(state, "c2 type d") == "not every square of the path has a coin of that type"
        assert str(GAME.parse("c2 type nickel", state)) == "c2 type n"


class TestStandingStill:
    def test_passing_is_legal_only_with_neither_path_nor_coin(self) -> None:
        state = played("pp/qd", "side south;a2-b2;a1", standing_still=True)
        state = state.play(GAME.parse("b1", state))
        assert listed(state) == ["pass"]
        stuck = played("pp/qd", "side south;a2-b2;a1;stand;b1", standing_still=True)
        assert listed(stuck) == ["pass"]
        alone = played("pp../....", "side west;pass;a2-b2;pass", standing_still=True)
        assert listed(alone) == ["stand"]
        assert refusal(alone, "pass") == "you can still stand still"

    def test_no_coin_no_stand(self) -> None:
        state = played("ppp/nnn/ddd", "side south", standing_still=True)
        assert refusal(state, "stand") == "your pawn is not on the board yet"
        state = played("ppp/nnn/ddd", "side south;b3;c1", standing_still=True)
        assert refusal(state, "stand") == "no coin lies under your pawn"

    def test_mixed_piles_name_the_type(self) -> None:
        moves = "side west;c3-b3-a3;a1;a2-b2-c2;b1"
        state = played("ppp/nnn/dpd", moves, mixed_change=True, standing_still=True)
        assert "stand" not in listed(state)
        assert listed(state)[-2:] == ["stand p", "stand n"]
        assert refusal(state, "stand") == "say which coin you keep: stand p or stand n"
        assert refusal(state, "stand q") == "no coin of that type lies under your pawn"


class TestRenegade:
    def test_one_shortest_path_a_target_and_any_other_is_legal(self) -> None:
        state = played("ppp/ppp/ppp", "side north", renegade=True)
        walks = [text for text in listed(state) if text.startswith("renegade")]
        assert walks == sorted(walks)
        assert "renegade a1-a2" in walks
        assert "renegade b1-b2-a2" not in walks
        assert GAME.parse("renegade b1-b2-a2", state) in state.moves

    def test_it_may_not_pass_with_a_path_and_has_no_clauses(self) -> None:
        state = played("ppn/npp/pdp", "side north;renegade c1;b3", renegade=True)
        assert "pass" not in listed(state)
        assert refusal(state, "pass") == "you can't pass: there is a path for you"
        assert refusal(state, "c2 take 1") == "a renegade keeps no coins and moves none: only the path is written"
        assert str(GAME.parse("renegade c2", state)) == "c2"

    def test_it_cannot_stand_still(self) -> None:
        state = played("ppp/nnn/ddd", "side south;renegade b3;c1", renegade=True, standing_still=True)
        assert refusal(state, "stand") == "a renegade can't stand still: it keeps no coins"

    def test_all_renegades_end_it_at_once(self) -> None:
        state = played("ppp/nnn/ddd", "side south;renegade b3;renegade c1", renegade=True)
        assert state.pending == Over((1, 1), state.figures(), "all players are renegades")


class TestLeaving:
    @pytest.mark.parametrize(("seats", "out", "then"), [(3, 2, 1), (4, 3, 1), (2, 1, None)])
    def test_who_leaves_before_picking_leaves_it_to_the_side_opposite(self, seats: int, out: int, then: int) -> None:
        state = GAME.start({"layout": "pp/pp"}, seats).leave(out)
        assert state.pending == (
            ToMove(then) if then is not None else Over((1, 2), state.figures(), "everybody else has left")
        )

    def test_the_second_pick_too(self) -> None:
        state = played("pp/pp", "side south", 4).leave(2)
        assert state.pending == ToMove(0)
        assert listed(state) == ["side west", "side east"]
        assert played("pp/pp", "side south", 3).leave(0).pending == ToMove(1)


class TestLayout:
    def test_coins_are_drawn_in_reading_order(self) -> None:
        start = GAME.start(None, 2)
        coins = ("p",) * 24 + ("n",) * 24 + ("d",) * 12 + ("q",) * 4
        assert isinstance(start.pending, ToDraw) and start.pending.pile.faces == coins
        first = start.play(GAME.parse("q", start))
        second = first.play(GAME.parse("d", first))
        assert (on(second, "a8"), on(second, "b8"), second.pending.position) == ("q", "d", 2)

    def test_a_seed_lays_all_of_them(self, monkeypatch: pytest.MonkeyPatch) -> None:
        match = Match(GAME, {"coins": "many-pennies"}, 2, deal=Deal("any"))
        labels = [mark.label for cell in match.state.scene().sheet.cells for mark in cell.marks]
        assert [labels.count(letter) for letter in "pndq"] == [27, 22, 11, 4] and match.state.pending == ToMove(1)
        monkeypatch.setattr(type(match.state), "lists", lambda state, _: isinstance(state.pending, ToDraw))
        assert settle(GAME.start(None, 2), SeedDealer("any")).pending == ToMove(1), "no question in between is kept"

    def test_no_more_of_a_kind_than_there_are(self) -> None:
        state = GAME.start(None, 2)
        for _ in range(4):
            state = state.play(GAME.parse("q", state))
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
    def test_bad_layouts(self, options: dict[str, object], why: str) -> None:
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
        whole = set(listed(state))
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
