"""Openings: even, undecided, different, the same for all games of a block, and refused where they can't be had."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.book import book_in, decided
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.journals.proof import check
from quadrille.ai.tournament.plans.openings import Book, Drafter, Drafts, Openings, digest, judge, opening_of, start_of
from quadrille.ai.tournament.plans.plan import Plan
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play.playing import GameOutcome, job
from quadrille.ai.tournament.play.playing import play as play_one
from quadrille.ai.tournament.run import Run
from quadrille.ai.tournament.schedules.schedule import Contest
from quadrille.laws.settings import setting
from quadrille.laws.walks import random_match
from quadrille.rules.match import Match
from quadrille.rules.record import read, write
from quadrille.rules.registry import game
from tests.ai.tournament import programs
from tests.ai.tournament.programs import FIRST, TWO, Threads, play, program
from tests.client.conftest import Run as CommandRun
from tests.client.conftest import output

SECRET = bytes(range(32))
HOUSE = "[[entrant]]\nbot = 'random'\n[[entrant]]\nbot = 'greedy'\n"


def contest(key: str, seats: int = 2, **options: object) -> Contest:
    chosen = game(key)
    return Contest(key, tuple(sorted(chosen.read_options(options).plain().items())), seats)  # type: ignore[arg-type]


def bound(maker: Drafter) -> tuple[tuple[str, ...], ...]:
    """What becomes of it in one worker."""
    while not maker.full and (drafts := maker.give()) is not None:
        maker.take(judge(drafts))
    return maker.finished()


def plan_in(folder: Path, openings: str, cycles: int = 3, size: int = 5) -> Plan:
    return programs.plan_in(folder, TWO, cycles=cycles, size=size, more=f"[openings]\n{openings}\n")


def league(folder: Path, openings: str, cycles: int = 3, size: int = 5) -> Journal:
    return Journal(folder / "one.sqlite", plan=plan_in(folder, openings, cycles, size))


def bind(journal: Journal) -> Book | None:
    """The openings that a run binds itself to before its first game."""
    with Run(journal.plan(), journal, Threads()) as run:
        run._bind()
    return book_in(journal)


def played(outcome: GameOutcome) -> tuple[str, ...]:
    return tuple(str(entry.move) for entry in read(outcome.record).entries)


def record(*moves: str, size: int = 5, key: str = "maze") -> str:
    match = Match(game(key), {"size": size} if key == "maze" else {}, 2)
    for move in moves:
        match.play(move)
    return write(match)


@pytest.mark.slow
def test_openings_differ_up_to_symmetry_and_none_is_decided() -> None:
    maze = contest("maze", size=5)
    book = bound(Drafter(maze, Openings(count=4), "seed"))
    keys = []
    for opening in book:
        position = start_of(maze)
        for text in opening:
            position.apply(position.read(text))
        keys.append(position.board.alike())
    assert len(set(keys)) == len(book) == 4
    assert not any(decided((maze, book)))
    lengths = sorted(map(len, book))
    assert lengths[0] + 1 == lengths[-1] and lengths.count(lengths[0]) == 2  # each seat is to move in half of them
    one = Openings(plies=6, count=1)
    found = [bound(Drafter(maze, one, seed)) for seed in ("seed", "seed", "other")]
    assert found[0] == found[1] != found[2]


@pytest.mark.parametrize("late", [2, pytest.param(9, marks=pytest.mark.slow)])
def test_the_same_book_comes_however_late_workers_judge_it(late: int) -> None:
    barons = contest("barons", 3, width=5, height=5, horizontal=3, vertical=3)
    maker, asked = Drafter(barons, Openings(plies=3, count=7, balance=0.5), "seed"), list[Drafts]()
    while not maker.full:
        if (drafts := maker.give()) is not None:
            asked.append(drafts)
        if drafts is None or len(asked) >= late:
            maker.take(judge(asked.pop(0)))
    found = maker.finished()
    assert [len(opening) for opening in found] == [5, 3, 4, 5, 3, 4, 5], "a part of each length, wherever it is cut"
    assert digest((found,)) == "09957a5edc6035dbc27b5020da62e877", "the same secret has the same openings"


@pytest.mark.slow
def test_a_draft_that_is_decided_or_favours_a_seat_by_more_than_the_balance_is_no_opening() -> None:
    maker = Drafter(contest("maze", size=5), Openings(plies=4, count=6), "seed")
    if (asked := maker.give()) is not None:  # of the second draft only the study's bounds know that it is decided
        asked = replace(asked, drafts=(asked.drafts[0], *asked.drafts[2:]))
    assert asked and decided((maker.contest, [maker._texts(moves) for moves in asked.drafts])) == [True, False, False]
    assert judge(replace(asked, balance=0.2)) == [False, True, True]
    assert judge(replace(asked, balance=0.03)) == [False, True, False]
    assert judge(replace(asked, balance=0.001)) == [False] * 3


@pytest.mark.slow
def test_all_games_of_a_block_have_one_opening_and_bots_hear_of_it(tmp_path: Path) -> None:
    told = "open('told', 'a').write(json.dumps([item['move'] for item in said['news']]) + '\\n')"
    program(tmp_path, "first", FIRST, before=told)
    openings = "count = 2\nplies = 6\n[limits]\nisolate = 'none'"  # they write down what they hear
    with league(tmp_path, openings, 2) as journal:
        play(journal, tried=True)
        plan, book = journal.plan(), book_in(journal)
        assert digest(book) == plan.openings.digest
        for number, outcome in enumerate(journal.outcomes()):
            assert not any(outcome.whys)
            opening = opening_of(book, 0, number // 2)
            assert played(outcome)[: len(opening)] == opening
        assert (check(journal).right, check(journal).wrong) == (4, [])
        heard = [tuple(json.loads(line)) for line in (tmp_path / "told").read_text().splitlines()]
        assert set(book[0]) <= set(heard)
        kept = journal.outcome(2)
    again = play_one(job(plan, plan.schedule().fixture(2), SECRET, opening=opening_of(book, 0, 1)))
    assert again.record == kept.record


@pytest.mark.slow
def test_a_run_goes_on_with_its_book_and_refuses_another(tmp_path: Path) -> None:
    path = tmp_path / "one.sqlite"
    with league(tmp_path, "count = 3", 1) as journal:
        play(journal)
        book = book_in(journal)
    with league(tmp_path, "count = 3", 2) as journal:
        play(journal)
        assert book_in(journal) == book and journal.games == 4 and check(journal).wrong == []
    with pytest.raises(TournamentError, match=r"count of \[openings\] is 4 here and 3 there"):
        Journal(path, plan=plan_in(tmp_path, "count = 4", 2))
    with pytest.raises(TournamentError, match="journal of another tournament"):
        Journal(path, plan=replace(plan_in(tmp_path, "count = 3", 2), openings=None))
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE facts SET value = replace(value, 'a1-', 'a2-') || ' ' WHERE name = 'openings'")
        file.execute("UPDATE facts SET value = '[[[\"a5-b5\"]]]' WHERE name = 'openings'")
        file.commit()
    refused = pytest.raises(TournamentError, match="the openings in the journal are not those that its plan names")
    with league(tmp_path, "count = 3", 3) as journal, refused:
        play(journal)


@pytest.mark.slow
def test_a_plan_that_is_mended_before_the_first_game_has_another_book(tmp_path: Path) -> None:
    with league(tmp_path, "count = 1", 1) as journal:
        made = bind(journal)
    with league(tmp_path, "count = 1", 1) as journal:
        assert book_in(journal) == made is not None
    with league(tmp_path, "count = 2", 1) as journal:
        assert book_in(journal) is None
    with league(tmp_path, "count = 1", 1) as journal:
        bind(journal)
    with league(tmp_path, "count = 1", 1, size=6) as journal:
        assert book_in(journal) is None
        play(journal)
        assert journal.games == 2 and check(journal).wrong == []


def test_openings_of_a_file(tmp_path: Path) -> None:
    lines = (("a6-b6", "b6-c6", "c6-c5"), ("a6-a5", "a5-b5", "b5-b4", "b4-c4"))
    (tmp_path / "book.txt").write_text("".join(record(*row, size=6) for row in lines))
    plan = plan_in(tmp_path, "file = 'book.txt'", size=6)
    with league(tmp_path, "file = 'book.txt'", size=6) as journal:
        play(journal)
        for number, outcome in enumerate(journal.outcomes()):
            opening = lines[number // 2 % 2]
            assert played(outcome)[: len(opening)] == opening
    (tmp_path / "book.txt").write_text(record(*lines[0], size=6))
    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        assert bind(journal) == (lines,), "the one that the journal holds"
    with pytest.raises(TournamentError, match=r"digest of \[openings\]|files of \[openings\]"):
        Journal(tmp_path / "one.sqlite", plan=plan_in(tmp_path, "file = 'book.txt'", size=6))


RESIGNED = Match(game("maze"), {"size": 5}, 2)
RESIGNED.leave(0)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has no openings: they are records"),
        ("hello", "has no openings: they are records"),
        (record(), "opening 1 has no moves"),
        (record("a6-b6", size=6), "opening 1 is of another game: maze for 2 with"),
        (record("a1", key="barons"), "opening 1 is of another game: barons"),
        (write(random_match(setting("maze", {"size": 5}, 2), "whole")), "opening 1 is decided: every square is taken"),
        (write(RESIGNED), "opening 1 is decided: everybody else has left"),
        (record("a5-b5") * 2, "line 8: opening 2 is the same as opening 1"),
        (record("a5-b5").replace("a5-b5", "a5-c5"), "opening 1 is refused in its line 6: something was changed"),
        (record("a5-b5")[:-20], "opening 1 is refused in its line"),
    ],
)
def test_a_file_that_begins_no_game_is_refused(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "book.txt").write_text(text)
    with pytest.raises(TournamentError) as refused:
        plan_in(tmp_path, "file = 'book.txt'")
    assert why in str(refused.value)


def test_an_opening_that_is_proved_is_refused_before_the_first_game(tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text(record("a3-b3", size=3))
    refused = pytest.raises(TournamentError, match=r"the opening a3-b3 of maze in book\.txt is decided: best play")
    with league(tmp_path, "file = 'book.txt'", size=3) as journal, refused:
        play(journal, tried=True)


@pytest.mark.slow
def test_a_board_that_is_too_small_is_refused_unless_fewer_will_do(tmp_path: Path) -> None:
    refused = pytest.raises(TournamentError, match=r"wants 50 openings of maze .* only 0 of .* ask for fewer")
    with league(tmp_path, "count = 50", 1, size=3) as journal, refused:
        play(journal)
    with league(tmp_path, "count = 50\nfewer = true", 1, size=3) as journal:
        play(journal)
        assert journal.games == 2 and book_in(journal) == ((),)


@pytest.mark.parametrize(
    ("openings", "why"),
    [
        ("plies = 61", "plies takes a whole number from 1 to 60"),
        ("balance = -0.1", "balance takes a number from 0 to 1"),
        ("file = ''", "file takes the name of a file"),
        ("file = 'nothing'", "nothing can't be read: No such file"),
        ("file = 'x'\nplies = 4", "plies is for openings that are made"),
    ],
)
def test_wrong_openings_are_refused_with_their_line(tmp_path: Path, openings: str, why: str) -> None:
    with pytest.raises(TournamentError, match=why):
        plan_in(tmp_path, openings)


def test_openings_are_for_games_without_a_deal(tmp_path: Path) -> None:
    dealt = "[[game]]\ngame = 'dotter'\n"
    with pytest.raises(TournamentError, match="openings are for games without a deal: dotter begins differently"):
        parse("[openings]\n" + dealt + HOUSE, str(tmp_path))
    both = parse("[openings]\ncount = 1\n" + dealt + "[[game]]\ngame = 'maze'\n" + HOUSE, str(tmp_path))
    assert [contest.clock for contest in both.contests] == ["1m a move", "1m a move, 1 openings, even within 0.15"]


@pytest.mark.slow
def test_quick_begins_with_openings_where_nothing_is_dealt(run: CommandRun) -> None:
    def quick(keep: str, *more: str) -> str:
        words = "maze greedy random --set size=5 --games 4 --at-once 1 --quiet --keep"
        output(run, "tournament", "quick", *words.split(), keep, *more)
        return Path(keep).read_text()

    assert "[openings]\ncount = 2\nfewer = true\n" in quick("one.toml")
    with Journal(Path("one.sqlite")) as journal:
        book = book_in(journal)
        assert len(book[0]) == 2
        assert all(played(one)[0] == book[0][at // 2][0] for at, one in enumerate(journal.outcomes()))
    assert "moves are the opening." in run("tournament game one.toml 1").out
    assert "[openings]" not in quick("two.toml", "--openings", "none")
    Path("book.txt").write_text(record("a5-b5", "b5-c5"))
    assert '[openings]\nfile = "book.txt"' in quick("three.toml", "--openings", "book.txt")
