"""The opponents of the house: they play by the rules, in time, as well as their levels say, and see no hidden card."""

import itertools
import json
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from functools import cache
from typing import Any

import pytest

from quadrille.ai.bot import Bot, Clock
from quadrille.ai.bots.lines.dialogue import Seating
from quadrille.ai.bots.player import BotPlayer
from quadrille.ai.bots.talk import Talk
from quadrille.ai.house import levels
from quadrille.ai.kit import Part
from quadrille.ai.opponents import opponent, thinking
from quadrille.ai.opponents.kinds import GLANCE, POSITIONS, Mcts
from quadrille.ai.opponents.names import KINDS, UnknownOpponent
from quadrille.ai.opponents.second_tree import grown
from quadrille.ai.opponents.thinking import COUNTED, Effort, effort
from quadrille.ai.tournament.play.cores import cores
from quadrille.rules.board import Board
from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import Move, Over, State, settle
from quadrille.rules.core.thoughts import read_reason
from quadrille.rules.dice import Dice
from quadrille.rules.registry import game, keys
from quadrille.rules.search import Lookahead, Position, Proof, TreeSearch
from tests.ai.bots.test_dialogue import Talked
from tests.ai.inside import First, play, small
from tests.ai.inside import talk as inside
from tests.rules.test_reasons import after, results

#: So much time that only the count of a level ends its thinking.
AMPLE = 10_000_000
SMALL: dict[str, dict[str, Any]] = {
    "maze": {"size": 4},
    "dollar-draw": {"width": 4, "height": 4},
    "barons": {"width": 4, "height": 4},
    "coin-isolation": {"layout": "pndp/qpnd/ddpn/nppp"},
    "dotter": {"laps": 1, "lap_points": 31},
}


def ample(seat: int) -> Clock:
    return Clock(seat, (AMPLE,) * 8, 0, AMPLE)


def begun(key: str, seats: int | None = None) -> Any:
    return settle(game(key).start(SMALL.get(key), seats), SeedDealer("opponents"))


def dice(seed: object) -> random.Random:
    return random.Random(str(seed))


@pytest.mark.parametrize(
    "text", [*KINDS, *(f"{kind}:{level}" for kind in KINDS for level in (1, 5)), *"12345", " MCTS:2 "]
)
def test_opponents_are_called_by_their_names(text: str) -> None:
    found = opponent(text)
    level = text.strip()[-1]
    assert found.level == (int(level) if level.isdigit() else 5)
    assert found.name in (*KINDS, "quadrille")


@pytest.mark.parametrize("text", ["", "me", "mcts:", "mcts:6", "mcts:x", ":3", "0", "7", "mcts:3:3", "mcts 3"])
def test_a_wrong_name_is_refused_with_those_that_there_are(text: str) -> None:
    with pytest.raises(UnknownOpponent) as refused:
        opponent(text)
    assert str(refused.value).endswith(
        f"there are random, greedy, alphabeta, mcts, ismcts, solver, each with :1 to :5, or just 1 to {levels()[-1]}"
    )


@pytest.mark.first(1)
@pytest.mark.parametrize("text", ["random", "greedy", "alphabeta:1", "mcts:1", "ismcts:1", "solver:1", "1"])
@pytest.mark.parametrize("key", keys())
def test_every_opponent_plays_every_game_and_the_same_dice_give_the_same_moves(key: str, text: str) -> None:
    """Against itself; `State.play` refuses what is not legal. Its levels think for a fixed count."""

    def moves() -> list[str]:
        state, player, own = begun(key, game(key).seats[0]), opponent(text), dice(text)
        played: list[str] = []
        while not isinstance(state.pending, Over) and len(played) < 12:
            seat = state.board.turn
            played.append(str(player.choose(state.view(seat), ample(seat), own)))
            state = settle(state.play(played[-1]), SeedDealer("opponents"))
        return played

    assert moves() == moves()


# As well as can be: positions whose value is proved

SOLVED: dict[str, dict[str, Any]] = {
    "maze": {"size": 4},
    "dollar-draw": {"width": 4, "height": 3},
    "barons": {"width": 3, "height": 3, "horizontal": 3},
}


def decided(key: str, most: int) -> list[tuple[Position, int]]:
    """Positions of random games in which it matters what is played, with their values. To prove them takes long."""
    found: list[tuple[Position, int]] = []
    for seed in itertools.count(1):
        position, row = Position.start(key, SOLVED[key], 2), Dice(seed)
        while not position.over:
            value = position.prove(20_000).value
            if {*results(position).values()} != {value}:
                found.append((position.copy(), value))
                if len(found) == most:
                    return found
            position.apply_quickly(position.random_move(row))
    raise AssertionError("there are always more seeds")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "text"), [("maze", "solver:1"), ("maze", "4"), ("dollar-draw", "alphabeta:3"), ("barons", "mcts:3")]
)
def test_solved_positions_keep_their_value(key: str, text: str) -> None:
    """As many of random games, in which it matters what is played."""
    found = 0
    for number, (position, value) in enumerate(decided(key, 8)):
        state = position.state
        move = opponent(text).choose(state, ample(state.board.turn), dice(number))
        assert isinstance(move, Move)
        found += results(position)[position.steps(move)[0]] == value
    assert found == 8


# What is proved is what best play leads to

PROVED = (
    ("maze", {"size": 3}),
    ("dollar-draw", {"width": 3, "height": 3}),
    pytest.param("barons", {"width": 3, "height": 3, "horizontal": 3}, marks=pytest.mark.slow),
)


@pytest.mark.parametrize(
    "text", ["solver:4", *(pytest.param(text, marks=pytest.mark.slow) for text in ("mcts:4", "alphabeta:4"))]
)
@pytest.mark.parametrize(("key", "options"), PROVED, ids=lambda row: row if isinstance(row, str) else "")
def test_what_is_proved_is_what_best_play_leads_to(key: str, options: dict[str, Any], text: str) -> None:
    """In random games, in which it is asked in each turn; towards their end all of them know."""
    player, own, row, said = opponent(text), dice(text), Dice(7), 0
    for _ in range(3):
        position, last = Position.start(key, options, 2), None
        while not position.over:
            state = position.state
            player.choose(state, ample(state.board.turn), own)
            if (last := player.proved) is not None:
                found, said = position.prove(100_000), said + 1
                assert found.certain and (last > 0) - (last < 0) == found.value
            position.apply_quickly(position.random_move(row))
        assert last is not None, "there was one turn to go"
    assert said > 3


@pytest.mark.parametrize("text", ["alphabeta:1", "mcts:4", "solver:1"])
def test_what_was_sure_in_one_game_is_not_sure_in_the_next_of_cards_or_of_three(text: str) -> None:
    for other in (begun("coin-isolation", 3), begun("dotter", 2).view(0)):
        player, own = opponent(text), dice(text)
        for state, sure in ((game("maze").start({"size": 2}), True), (other, False)):
            player.choose(state, ample(0), own)
            assert (player.proved is not None) == sure


# Nothing hidden is read


@pytest.mark.parametrize("text", ["greedy", "mcts:1", "ismcts:1", "solver:1", "2"])
def test_no_opponent_sees_a_hidden_card(text: str) -> None:
    """From two wholes that look the same to a seat, it chooses the same, shown its view or, by mistake, the whole."""
    position, row = Position.start("dotter", None, 2), Dice(6)
    for _ in range(50):
        position.apply_quickly(position.random_move(row))
    while position.seat is None:
        position.apply_quickly(position.random_move(row))
    seat = position.seat
    one, other = position.guess(seat, seed=1), position.guess(seat, seed=2)
    assert list(one.board.faces) != list(other.board.faces)  # type: ignore[attr-defined]
    states = [one.state.view(seat), other.state.view(seat)]
    if text != "greedy":  # it has no search that takes what its seat knows out of a whole
        states += [one.state, other.state]
    assert len({opponent(text).choose(state, ample(seat), dice(text)) for state in states}) == 1


# In time


class Timer:
    """A clock that goes on only while somebody thinks."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, each: float) -> None:
        self.now = 100.0
        self.each = each
        self.slices: list[int] = []
        monkeypatch.setattr("quadrille.ai.opponents.thinking.time.perf_counter", lambda: self.now)

    def go_on(self, count: int) -> bool:
        self.slices.append(count)
        self.now += self.each * count
        return True


def tell_of_searches(monkeypatch: pytest.MonkeyPatch, told: Callable[[int], object]) -> None:
    """Tell of the work of each slice."""
    for kind in (TreeSearch, Proof, Lookahead):

        def go_on(self: Any, count: int, *more: int, usual: Any = kind.go_on) -> Any:
            told(count)
            return usual(self, count, *more)

        monkeypatch.setattr(kind, "go_on", go_on)


@pytest.mark.parametrize("each", [0.000_001, 0.003, 0.05])
@pytest.mark.parametrize("budget", [1, 400])
def test_an_answer_comes_in_time(monkeypatch: pytest.MonkeyPatch, each: float, budget: int) -> None:
    """Whatever a simulation costs: no more than a slice, or one simulation, after the time is over."""
    timer = Timer(monkeypatch, each)
    begin = timer.now
    effort(None, Clock(0, None, 0, budget, patience=60_000)).spend(timer.go_on, 8)
    late = 1000 * (timer.now - begin) - budget
    first = 8 * each * 1000
    assert late <= max(first, 0.3, 1000 * each) and sum(timer.slices) >= min(budget * 0.8 / 1000 / each, 1)
    assert max(timer.slices) * each * 1000 <= max(first, 4 * thinking.SLICE, 1000 * each)


@pytest.mark.first(1)
@pytest.mark.parametrize("text", "1234")
@pytest.mark.parametrize("key", keys())
def test_without_a_clock_machines_of_any_speed_find_alike(monkeypatch: pytest.MonkeyPatch, key: str, text: str) -> None:
    """Each simulation of levels 1 to 4 takes no time, or a second."""
    timer, state, found = Timer(monkeypatch, 0), begun(key), []
    tell_of_searches(monkeypatch, timer.go_on)
    for timer.each in (0, 1):
        player, timer.slices = opponent(text), []
        move = player.choose(state, Clock(state.board.turn, None, 0, 1500, patience=86_400_000), dice(text))
        found.append((move, player.searched and player.searched.found))
        assert sum(timer.slices) <= COUNTED
    assert found[0] == found[1]


def test_level_1_alone_is_careless_where_cards_are_hidden() -> None:
    """Of four moves it makes one without a search."""
    position = Position(settle(Position.start("dotter", {}, 2).state, SeedDealer("careless")))
    thoughtless = {}
    for level in (1, 2):
        bot, rng = Mcts(level), random.Random(1)
        for _ in range(20):
            bot.think(position, Effort(1, 0), rng)
            thoughtless[level] = thoughtless.get(level, 0) + (bot.searched is None)
    assert 1 <= thoughtless[1] <= 10 and thoughtless[2] == 0


def test_a_count_is_kept_to(monkeypatch: pytest.MonkeyPatch) -> None:
    timer = Timer(monkeypatch, 0.000_01)
    Effort(1234, timer.now + 10).spend(timer.go_on, 8)
    assert sum(timer.slices) == 1234
    timer.slices.clear()
    Effort(3500, timer.now + 10).spend(timer.go_on, 1000, steady=True)
    assert timer.slices == [1000, 1000, 1000, 500]


@pytest.mark.parametrize("text", ["5", "alphabeta", "solver"])
@pytest.mark.parametrize("key", ["maze", "coin-isolation"])
def test_a_move_is_found_in_no_time_at_all(key: str, text: str) -> None:
    """The clock is as good as over: any move is better than none."""
    state = begun(key, 2)
    move = opponent(text).choose(state, Clock(state.board.turn, (1, 1), 0, 1), dice(0))
    assert move in state.moves


@cache
def forced_position(key: str) -> Position:
    """A position of a random game in which one move is legal, far from its end."""
    for seed in itertools.count(1):
        position, row = Position(settle(game(key).start(None, 2), SeedDealer(str(seed)))), dice(seed)
        while not position.over:
            if len(list(position.state.moves)) == 1:
                return position
            for step in position.steps(position.state.moves.sample(row)):
                position.apply_quickly(step)
    raise AssertionError("there are always more seeds")


@pytest.mark.parametrize("text", [*levels()[3:], "mcts", "alphabeta", "solver"])
@pytest.mark.parametrize("key", ["maze", "coin-isolation"])
def test_a_forced_move_takes_no_time(monkeypatch: pytest.MonkeyPatch, key: str, text: str) -> None:
    """A minute for it stays unspent, and no chances are told without a depth or a proof."""
    state = forced_position(key).state
    spent: list[int] = []
    tell_of_searches(monkeypatch, spent.append)
    player = opponent(text)
    assert [player.choose(state, Clock(0, (60_000, 60_000), 0, 60_000), dice(0))] == list(state.moves)
    assert sum(spent) <= 1 + GLANCE + POSITIONS
    assert player.thought(state) is None or player.proved is not None or player.depth


# As strong as it says


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "options", "better", "other"),
    [("maze", {"size": 6}, "3", "1"), ("dollar-draw", {"width": 9, "height": 9}, "2", "random")],
)
def test_higher_levels_are_stronger(key: str, options: dict[str, int], better: str, other: str) -> None:
    won = 0
    for seed, seat in itertools.product("abc", range(2)):
        match = small(key, seed=seed, **options)
        names = (better, other) if seat == 0 else (other, better)
        play(match, [inside(opponent(name)) for name in names], seed=seed, budget=AMPLE, patience=AMPLE)
        won += match.over.places[seat] < match.over.places[1 - seat]
    assert won > 3


def moves(players: list[Talk], seed: str, budget: int = 600_000) -> list[str]:
    match = small("maze", seed=seed, size=4)
    play(match, players, seed=seed, patience=600_000, budget=budget)
    return list(map(repr, match.entries))


@pytest.mark.first(1)
@pytest.mark.parametrize("name", ["mcts:2", "solver:1", "alphabeta:1"])
def test_nothing_of_one_game_is_left_in_the_next(name: str) -> None:
    kept, fresh = ([inside(opponent(name)) for _ in range(2)] for _ in range(2))
    for seed in "abc":
        moves(kept, seed)
    assert moves(kept, "d") == moves(fresh, "d", budget=1), "nor is it another game with less time"


# A second core for level 5: what it finds counts, and where a count decides nobody asks it


class Here(Executor):
    """Does everything at once, in this process; `fails` after that."""

    def __init__(self, *, fails: bool = False) -> None:
        self.tasks = 0
        self.fails = fails

    def submit(self, work, /, *words, **named):
        self.tasks += 1
        told: Future = Future()
        told.set_result(work(*words, **named))
        if self.fails:
            told = Future()
            told.set_exception(OSError("the process was lost"))
        return told


def thinks(level: int, crew: Here | None) -> tuple[str, Mcts, int]:
    """Return a move from the same dice, its bot, and the trials that are counted."""
    bot = Mcts(level)
    bot.crew = crew
    view = game("dollar-draw").start()
    move = bot.choose(view, Clock(0, (10**7, 10**7), 0, 200 if level == 5 else 10**6), random.Random(7))
    return str(move), bot, sum(bot.searched.found.visits)


@pytest.mark.parametrize("fails", [False, True])
def test_the_trials_of_a_second_core_are_counted_and_one_that_is_lost_is_done_without(fails: bool) -> None:
    _, bot, counted = thinks(5, Here(fails=fails))
    own = bot.searched.tree.visits[bot.searched.tree.top]
    assert 0 < counted <= own if fails else counted > 1 + own


@pytest.mark.parametrize("level", [1, 3])
def test_a_level_that_counts_plays_the_same_with_a_second_core(level: int) -> None:
    crew = Here()
    assert thinks(level, crew)[0] == thinks(level, None)[0] and crew.tasks == 0


def test_a_second_core_ends_in_time_while_the_clock_of_the_machine_is_set_back() -> None:
    assert sum(grown(Position.start("maze", {"size": 4}), 1, 0, time.time() + 10**6, 0.01).visits) > 0


def test_trials_of_two_searches_add_up() -> None:
    """The average of a move is that of all its trials."""
    position = Position.start("maze", {"size": 4}, moves=["a4-b4"])
    one, other = TreeSearch(position, 1), TreeSearch(position, 2)
    one.go_on(50)
    other.go_on(30)
    before, second = one.found, other.found
    one.add(second)
    for at, move in enumerate(one.found.moves):
        there = second.moves.index(move)
        visits = before.visits[at] + second.visits[there]
        total = before.visits[at] * before.values[at] + second.visits[there] * second.values[there]
        assert one.found.visits[at] == visits and abs(one.found.values[at] - total / max(visits, 1)) < 2000


@pytest.mark.parametrize("offered", [1, 2])
def test_a_bot_has_a_process_more_while_its_table_offers_a_core(offered: int) -> None:
    """The process itself is started by the first search that needs it."""
    match, talk = small("maze"), inside()
    player = BotPlayer(talk, Seating(cores=offered))
    match.play(player.move(match).move)
    bot = talk.program.part.bot
    assert (bot.crew is not None) == (offered > 1 and cores() > 1)
    player.over(Over((1, 2), {}, "it is over"), match)
    talk.hear()
    assert bot.crew is None


def test_tournaments_offer_no_core() -> None:
    talks = [inside(), inside()]
    play(small("maze"), talks)
    starts = [line for talk in talks for line in talk.program.told if b'"start"' in line]
    assert starts and not any(b"cores" in line for line in starts)


# The answer turned by 180 degrees: proved where it is used, refused elsewhere, and known to the house from level 4


#: Tables where the answer holds: game, options, the seat that has it, its least payoff.
HOLDS: tuple[tuple[str, dict[str, Any], int, int], ...] = (
    ("dollar-draw", {"width": 2, "height": 3}, 1, 1),
    ("dollar-draw", {"width": 4, "height": 2}, 1, 1),
    ("dollar-draw", {"width": 3, "height": 4}, 1, 1),
    ("barons", {"width": 2, "height": 3, "horizontal": 3}, 1, 0),
    ("barons", {"width": 4, "height": 2, "horizontal": 0, "vertical": 5, "row_bonus": 0}, 1, 0),
    ("barons", {"width": 3, "height": 2, "end": "full", "column_bonus": 1000}, 1, 0),
    ("barons", {"width": 3, "height": 3, "end": "full"}, 0, 1),
    ("barons", {"width": 3, "height": 3, "end": "full", "horizontal": 0, "row_bonus": 0}, 0, 1),
    ("barons", {"width": 3, "height": 3, "end": "full", "horizontal": 0, "vertical": 0}, 0, 0),
)
#: Tables where it does not: nobody is ever told of one.
REFUSED: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("dollar-draw", {"width": 5, "height": 3}, 2),
    ("barons", {"width": 3, "height": 3}, 2),
    ("barons", {"width": 5, "height": 3, "end": "equal-turns"}, 2),
    ("barons", {"width": 4, "height": 4}, 4),
    ("maze", {"size": 4}, 2),
)


def ends(board: Board, seat: int, seen: set[int]) -> Iterator[int]:
    """The payoffs of a seat that answers by the half turn, whatever the other seat does, at the end of every game."""
    if (key := board.key()) in seen:
        return
    seen.add(key)
    count = board.legal()
    if count == 0:
        yield board.payoff(seat)
        return
    moves = list(board.moves[:count])
    if board.turn == seat:
        moves = [board.half_turn()]
        assert moves[0] in board.moves[:count], "there is an answer, and it is legal"
    for move in moves:
        board.apply(move)
        yield from ends(board, seat, seen)
        board.undo()


@pytest.mark.first(1)
@pytest.mark.parametrize(("key", "options", "seat", "least"), HOLDS, ids=str)
def test_the_half_turn_holds_to_the_end_whatever_the_other_seat_plays(
    key: str, options: dict[str, Any], seat: int, least: int
) -> None:
    """Every game that there is, and the solver, which knows nothing of it, comes to the same."""
    position = Position.start(key, options, 2)
    payoffs = set(ends(position.board, seat, set()))
    assert payoffs and min(payoffs) == least
    value = position.prove(2_000_000)
    assert value.certain and (value.value if seat == 0 else -value.value) >= least


@pytest.mark.parametrize(("key", "options", "seats"), REFUSED, ids=str)
def test_the_half_turn_is_refused_where_it_proves_nothing(key: str, options: dict[str, Any], seats: int) -> None:
    for seed in range(20):
        position, row = Position.start(key, options, seats), Dice(seed + 1)
        while not position.over:
            assert position.half_turn() is None
            position.apply_quickly(position.random_move(row))


@pytest.mark.parametrize(
    ("key", "moves", "answer"),
    [
        ("dollar-draw", "a2", ("d3", 1)),
        ("dollar-draw", "a2 c4 b2", None),  # who has left the turn once is told of none
        ("barons", "a1 a2 b3", None),
        ("barons", "d4", ("a1", 0)),  # the first of all moves is its number 0
        ("barons", "a1 d4 b1 c4 a3", ("d2", 0)),  # S is to move; the board will be its own image after the answer
    ],
)
def test_the_half_turn_is_known_by_the_position(key: str, moves: str, answer: tuple[str, int] | None) -> None:
    """Whatever moves it came by."""
    position = Position.start(key, {"width": 4, "height": 4}, 2, moves=moves.split())
    found = position.half_turn()
    assert (found and (position.text(found.move), found.payoff)) == answer


def played(
    key: str, options: dict[str, Any], *players: Bot, seed: int, budget: int = 5, work: int | None = None
) -> tuple[int, ...]:
    state: Any = game(key).start(options, len(players))
    own = [dice(f"{seed} {seat}") for seat in range(len(players))]
    while not isinstance(state.pending, Over):
        seat = state.board.turn
        state = state.play(players[seat].choose(state.view(seat), Clock(seat, None, 0, budget, work), own[seat]))
    return state.pending.places


@pytest.mark.parametrize("text", ["4", "alphabeta:5"])
@pytest.mark.parametrize("size", [(6, 6), (5, 4)])
def test_from_level_4_on_s_wins_every_dollar_draw_on_an_even_board(text: str, size: tuple[int, int]) -> None:
    options = {"width": size[0], "height": size[1]}
    for seed, other in enumerate(("random", "greedy", "mcts:1")):
        assert played("dollar-draw", options, opponent(other), opponent(text), seed=seed) == (2, 1)


def test_levels_below_4_have_to_find_it_themselves() -> None:
    position = Position.start("dollar-draw", {"width": 4, "height": 4}, moves=["a2"])
    assert {opponent(text).half_turn(position) for text in ("1", "3", "mcts:3", "alphabeta:3")} == {None}


@pytest.mark.slow
def test_second_in_barons_for_two_loses_nothing_to_a_bot_that_thinks_as_much() -> None:
    """By theorem it need not lose: what it plays instead of the answer has to look clearly better."""
    options = {"width": 4, "height": 4}
    both = opponent("mcts:4"), opponent("mcts:4")
    played_out = [played("barons", options, *both, seed=seed, budget=60_000, work=100) for seed in range(4)]
    assert played_out.count((1, 2)) <= 1


def test_first_in_barons_wins_where_the_last_square_is_played_on_an_odd_board() -> None:
    options = {"width": 5, "height": 5, "end": "full"}
    for seed, other in enumerate(("random", "mcts:2", "4")):
        assert played("barons", options, opponent("4"), opponent(other), seed=seed) == (1, 2)


# The reasons of the built-in bots for their hints: proofs first, then the only reply


def hinted(bot: Any, state: State[Any, Any], work: int = 200) -> tuple[str, dict[str, Any] | None]:
    clock = Clock(state.board.turn, None, 0, 600_000, work)
    move = str(bot.choose(state, clock, random.Random("hint")))
    reason = bot.reason(state, move)
    assert reason is None or read_reason(reason, state.seats) is not None
    return move, reason


def test_a_win_is_told_with_its_length() -> None:
    state = after("maze", "a3-b3 b3-b2 b2-a2", size=3)
    found = Position(state).prove()
    move, reason = hinted(opponent("5"), state, 2000)
    assert reason is not None and reason["proved"] == found.value
    assert found.value < 0 or ("turns" in reason and move in map(str, state.moves))


def test_the_answer_turned_by_180_degrees_is_told() -> None:
    state = after("dollar-draw", "b1", width=6, height=6)
    assert hinted(opponent("5"), state) == ("e6", {"half_turn": 1})
    assert hinted(opponent("alphabeta"), state) == ("e6", {"half_turn": 1})


@pytest.mark.slow
def test_a_proof_of_an_earlier_move_is_not_told_of_a_later_one() -> None:
    """The tree of a bot that plays by a proof is that of an earlier move: what it knew of moves is not so any more."""
    bot = opponent("5")
    state = after("barons", "", width=4, height=4)
    bot.starts(state, 0)
    while state.moves:
        move, reason = hinted(bot, state, 3000)
        if reason and "others" in reason:
            made = Position(state).read(move)
            assert reason["others"] == max(worth for other, worth in results(Position(state)).items() if other != made)
        state = state.play(state.game.parse(move, state))


def test_where_nothing_is_known_there_is_no_reason() -> None:
    """A proof about guessed cards is none."""
    cards = begun("dotter", 2)
    assert hinted(opponent("3"), cards.view(cards.board.turn), 10)[1] is None
    assert hinted(opponent("3"), game("barons").start(None, 4))[1] is None
    assert hinted(opponent("random"), after("maze", ""))[1] is None
    assert hinted(opponent("greedy"), after("barons", ""))[1] is None


# Between bot and table


def test_a_reason_is_asked_for_by_a_hint_alone() -> None:
    answer = b'{"turn": 1, "move": "a1", "reason": {"only": "b2"}}'
    talked = Talked()
    told = talked.turn(hint=True).receive(answer, 20)
    assert talked.last()["hint"] is True
    assert told.reason == read_reason({"only": "b2"}, 2)  # type: ignore[union-attr]
    talked = Talked()
    told = talked.turn().receive(answer, 20)
    assert "hint" not in talked.last() and told.reason is None  # type: ignore[union-attr]


@pytest.mark.parametrize("reason", ['"it wins"', "NaN", '{"worth": Infinity}', '{"proved": 3}', "[]", "null", "{}"])
def test_a_hint_counts_whatever_its_reason_is(reason: str) -> None:
    told = Talked().turn(hint=True).receive(f'{{"turn": 1, "move": "a1", "reason": {reason}}}'.encode(), 20)
    assert str(told.move) == "a1" and told.reason is None  # type: ignore[union-attr]


class Talker(First):
    """A bot with a reason that a test gives it."""

    def __init__(self, reason: object) -> None:
        self.given = reason
        self.asked: list[str] = []

    def reason(self, view: State[Any, Any], move: str) -> Any:
        self.asked.append(move)
        return self.given


START = b'{"do": "start", "game": "barons", "options": {}, "seats": 2, "seat": 0, "seed": "s", "news": []}'
TURN = {"do": "turn", "turn": 1, "news": [], "clock": None, "patience": 9, "budget": 9}


def answered(reason: object, **more: bool) -> tuple[Talker, dict[str, Any]]:
    bot = Talker(reason)
    part = Part(bot)
    part.answer(START)
    return bot, json.loads(part.answer(json.dumps(TURN | more).encode()) or b"")


def test_the_kit_sends_the_reason_of_a_bot_for_a_hint() -> None:
    bot, told = answered({"only": "b2"}, hint=True)
    assert told == {"turn": 1, "move": "a1", "reason": {"only": "b2"}} and bot.asked == ["a1"]
    bot, told = answered({"only": "b2"})
    assert told == {"turn": 1, "move": "a1"} and not bot.asked
    assert "reason" not in answered(None, hint=True)[1]


def test_a_reason_that_is_no_json_is_dropped_with_a_word_to_the_author(capsys: pytest.CaptureFixture[str]) -> None:
    assert answered({"only": {1, 2}}, hint=True)[1] == {"turn": 1, "move": "a1"}
    assert "which is no JSON" in capsys.readouterr().err
