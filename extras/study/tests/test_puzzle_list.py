"""The list of puzzles: a line a day, proved again here; and the tool that finds its lines."""

import json
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import pytest

from extras.study.tests import find_puzzles
from extras.study.tests.find_puzzles import FEWEST, LONGEST, MOST, OPTIONS, alike, extend, found, is_seen, line_of
from quadrille.extras.study import puzzles
from quadrille.extras.study.puzzles import FIRST, PLACES, Puzzle, lines, of_day, of_line, refutation
from quadrille.rules.registry import game, games
from quadrille.rules.search import Position, Proof

TOLD = [json.loads(line) for line in lines()]
#: The places of lines of all games in turn, over the whole list.
SPREAD = range(0, len(TOLD), 97)


def test_the_list_has_a_line_for_each_day_of_the_next_years_and_the_games_take_turns() -> None:
    days = [date.fromisoformat(one["day"]) for one in TOLD]
    assert days == [FIRST + timedelta(number) for number in range(len(days))] and days[-1] >= date(2029, 11, 28)
    turns = [one["game"] for one in TOLD]
    assert all({*turns[at : at + len(OPTIONS)]} == {*OPTIONS} for at in range(len(turns) - len(OPTIONS) + 1))
    assert {one.key for one in games() if not one.hidden} == {*OPTIONS} == {*puzzles.games_with_puzzles()}


def test_each_line_names_all_options_so_that_no_usual_one_can_change_it() -> None:
    for one in TOLD:
        assert one["options"].keys() == {spec.name for spec in game(one["game"]).Options.specs()}, one["day"]


@pytest.mark.slow
def test_each_line_is_a_game_in_which_the_best_moves_win_and_no_position_comes_twice() -> None:
    known = set()
    for text in lines():
        day, one = of_line(text)
        state = one.state
        assert line_of(day, one) == text, "it is written as it was read"
        assert sorted([one.solution, *one.refuted]) == sorted(map(str, state.moves)), day
        assert FEWEST <= len(one.refuted) + 1 <= MOST and len(one.line) <= LONGEST, day
        assert ended(one, one.line) == state.board.turn and set(one.refuted.values()) != {one.solution}, day
        for move, answer in one.refuted.items():
            one.after((move, answer) if answer else (move,))
        known.add(alike(state))
    assert len(known) == len(lines())


@pytest.mark.parametrize("place", [pytest.param(at, marks=pytest.mark.first(1)) for at in SPREAD])
def test_one_move_wins_and_all_others_lose(place: int) -> None:
    _, one = of_line(lines()[place])
    mover = one.state.board.turn
    proof = Proof(Position(one.state), PLACES)
    for move in one.state.moves:
        payoff = proof.payoff(Position(one.state.play(move)), mover, 1_000_000)
        assert payoff is not None and (payoff > 0) == (str(move) == one.solution) and payoff, move
    assert not is_seen(one.state)
    for text, answer in one.refuted.items():
        line = refutation(one, text)
        assert line[:1] == ((answer,) if answer else ()) and ended(one, (text, *line)) == 1 - mover


def ended(one: Puzzle, moves: Sequence[str]) -> int:
    """Return the seat that wins after these moves, which end the game."""
    match = one.after(moves)
    assert match.over
    return 0 if match.state.board.payoff(0) > 0 else 1


def test_an_answer_that_ends_the_game_ends_its_line() -> None:
    """So `line` after such a wrong move shows it, where a proof of a game that is over is refused."""
    _, one = of_day(date(2027, 2, 18))
    assert refutation(one, "a2") == ("e5",) and one.after(("a2", "e5")).over


@pytest.mark.slow
def test_the_line_with_the_longest_proof_goes_to_the_end() -> None:
    _, one = of_day(date(2027, 8, 29))
    assert all(one.after((move, *refutation(one, move))).over for move in one.refuted)


def test_after_its_last_line_the_list_begins_again() -> None:
    after = FIRST + timedelta(len(TOLD))
    for number in range(4):
        day, one = of_day(after + timedelta(number))
        assert (day, line_of(FIRST + timedelta(number), one)) == (after + timedelta(number), lines()[number])
    last, one = of_day(after + timedelta(3), "maze")
    assert one.match.game.key == "maze" and after <= last <= after + timedelta(3)


# The tool


@pytest.mark.slow
def test_a_killed_search_goes_on_and_writes_the_same_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Maze alone takes turns here, because its puzzles are found fastest."""
    monkeypatch.setattr(find_puzzles, "OPTIONS", {"maze": OPTIONS["maze"]})
    path = tmp_path / "list.jsonl"
    extend(path, 2)
    whole = path.read_text()
    assert [one["day"] for one in map(json.loads, whole.splitlines())] == ["2026-11-01", "2026-11-02"]
    for cut in (whole.index("\n") + 40, len(whole) - 1):
        path.write_text(whole[:cut])
        extend(path, 2)
        assert path.read_text() == whole
    path.write_text(whole[whole.index("\n") + 1 :])
    with pytest.raises(SystemExit, match="is no list of puzzles: its lines should be those of 2026-11-01"):
        extend(path, 2)


@pytest.mark.slow
def test_no_position_is_found_twice() -> None:
    known = set[int]()
    one, other = (found(game("maze"), "2026-05-18", known) for _ in range(2))
    assert known == {alike(one.state), alike(other.state)} and len(known) == 2
