"""The journal: one file for one tournament, to which nothing is added twice and which is never misread."""

import json
import signal
import sqlite3
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.bots import spoken
from quadrille.ai.bots.process.executable import why_not
from quadrille.ai.checks.bundle import read_bundle
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.journals.journal_file import plainly
from quadrille.ai.tournament.plans.plan import Plan
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play.playing import GameOutcome, job
from quadrille.ai.tournament.play.playing import play as play_one
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.schedules.meetings import Gauntlet, RoundRobin
from quadrille.ai.tournament.schedules.schedule import Contest, Format, Schedule
from quadrille.ai.tournament.schedules.swiss import Swiss
from tests.ai.tournament.programs import TWO, league, plan_in, play, program, write_file
from tests.ai.tournament.simulated import bradley_terry, run
from tests.client.conftest import Run, output, refusal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "one.sqlite"


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return parse('[[game]]\ngame = "maze"\n[[entrant]]\nbot = "random"\n[[entrant]]\nbot = "greedy"', str(tmp_path))


def outcome(plan: Plan, number: int = 0) -> GameOutcome:
    fixture = plan.schedule().fixture(number)
    result = Result(fixture.id, fixture.block, fixture.seats, (1, 2), 0, "ab", 7, (0.1, 0.2), ("time", None))
    return GameOutcome(
        number, result, "record\n" * 50, "the reason", (0.1, 0.1), (4, 3), ("late", ""), "here", 5.0, 0.4, speed=0.71,
        errors=("Traceback", ""),
    )  # fmt: skip


def test_a_game_is_kept_once(path: Path, plan: Plan) -> None:
    first = outcome(plan)
    with Journal(path, plan=plan) as journal:
        assert journal.keep(first)
        assert not journal.keep(replace(first, reason="another"))
        journal.void(1, "its worker was lost")
        assert journal.games == 1
    with Journal(path) as journal:
        assert journal.outcome(0) == first
        assert journal.outcome(1) is None
        assert journal.result(0) == first.result
        assert list(journal.outcomes()) == [first]
        assert [(number, why) for number, _, why in journal.voids()] == [(1, "its worker was lost")]
        assert journal.plan().plain() == plan.plain()


def test_it_goes_on_with_the_same_tournament_only(path: Path, plan: Plan) -> None:
    Journal(path, plan=plan).close()
    with Journal(path, plan=replace(plan, at_once=7, folder="/elsewhere")) as journal:
        journal.keep(outcome(plan))
    with pytest.raises(TournamentError, match='journal of another tournament: seed is "x" here and absent there'):
        Journal(path, plan=replace(plan, seed="x"))
    Journal(path, plan=plan).close()


def test_a_plan_by_which_nothing_was_played_may_be_mended(path: Path, plan: Plan) -> None:
    Journal(path, plan=plan).close()
    mended = replace(plan, seed="x")
    with Journal(path, plan=mended) as journal:
        assert journal.plan() == mended
        journal.keep(outcome(mended))
    with pytest.raises(TournamentError, match="journal of another tournament"):
        Journal(path, plan=plan)


def test_one_run_at_a_time_and_anybody_may_look(path: Path, plan: Plan) -> None:
    with Journal(path, plan=plan) as journal:
        journal.keep(outcome(plan))
        with pytest.raises(TournamentError, match="another run is playing this tournament"):
            Journal(path, plan=plan)
        with Journal(path) as looking:
            assert looking.games == 1


def test_what_is_no_journal_stays_as_it_is(path: Path, plan: Plan) -> None:
    with pytest.raises(TournamentError, match="nothing has been played yet"):
        Journal(path)
    path.write_text("letters to a friend " * 100)
    with pytest.raises(TournamentError, match="not a journal of a tournament"):
        Journal(path, plan=plan)
    assert path.read_text().startswith("letters")
    path.unlink()
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("CREATE TABLE letters (text)")
    with pytest.raises(TournamentError, match="not a journal of a tournament"):
        Journal(path, plan=plan)
    path.unlink()
    Journal(path, plan=plan).close()
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(TournamentError, match=r"written by another version of this program \(99\)"):
        Journal(path, plan=plan)


@pytest.mark.parametrize("beside", [False, True])
def test_a_full_disk_is_said_and_keeps_what_is_there(path: Path, plan: Plan, *, beside: bool) -> None:
    """Of a file beside the journal that can't grow SQLite says no more than "disk I/O error"."""
    with Journal(path, plan=plan) as journal, ExitStack() as stack:
        if beside:
            resource = pytest.importorskip("resource")
            size, limits = resource.RLIMIT_FSIZE, resource.getrlimit(resource.RLIMIT_FSIZE)
            stack.callback(resource.setrlimit, size, limits)
            stack.callback(signal.signal, signal.SIGXFSZ, signal.signal(signal.SIGXFSZ, signal.SIG_IGN))
            resource.setrlimit(size, (0, limits[1]))
            with pytest.raises(TournamentError, match="the disk is full"):
                Journal(path.with_name("two.sqlite"), plan=plan)
            resource.setrlimit(size, (1 << 16, limits[1]))
        else:
            [pages] = journal._file.execute("PRAGMA page_count").fetchone()
            journal._file.execute(f"PRAGMA max_page_count = {pages + 1}")
        first, kept = outcome(plan), []

        def fill() -> None:
            for number in range(1000):
                journal.keep(replace(first, number=number, result=replace(first.result, game=str(number))))
                kept.append(number)

        with pytest.raises(TournamentError, match="the disk is full"):
            fill()
    with Journal(path, plan=plan) as journal:
        assert journal.numbers() == kept != []


def test_many_that_open_it_at_once(path: Path) -> None:
    error = sqlite3.OperationalError("locking protocol")
    error.sqlite_errorcode = sqlite3.SQLITE_PROTOCOL
    with pytest.raises(TournamentError, match="another program holds it"), plainly(path):
        raise error


# A tournament may become longer: all that was played stays, and is how the longer one begins


def drawn(format: Format, entrants: int, seats: int) -> list[Any]:
    names = [f"bot {number}" for number in range(entrants)]
    schedule = Schedule("longer", names, [Contest("maze", (), seats)], format)
    return run(schedule, bradley_terry([2.0, 1.5, 1.0, 0.5, 0.0, -0.5, -1.0]))[0]


@pytest.mark.parametrize(("entrants", "seats"), [(7, 2), (7, 3), (2, 2)])
@pytest.mark.parametrize(
    ("short", "long"), [(RoundRobin(2), RoundRobin(5)), (Gauntlet(1, 1), Gauntlet(1, 3)), (Swiss(3), Swiss(6))]
)
def test_a_longer_one_begins_as_the_shorter_one(short: Format, long: Format, entrants: int, seats: int) -> None:
    few, many = drawn(short, entrants, seats), drawn(long, entrants, seats)
    assert len(few) < len(many) and many[: len(few)] == few


@pytest.mark.slow
def test_it_goes_on_with_more_cycles_and_keeps_its_games(tmp_path: Path, path: Path) -> None:
    short, long = (plan_in(tmp_path, cycles=cycles) for cycles in (1, 3))
    with Journal(path, plan=short) as journal:
        play(journal)
        before = list(journal.outcomes())
    with Journal(path, plan=long) as journal:
        again = play(journal)
        assert (again.there, again.played, journal.games) == (6, 12, 18)
        assert list(journal.outcomes())[:6] == before
        assert journal.plan() == long
    with pytest.raises(TournamentError, match=r"cycles of \[format\] is 1 here and 3 there"):
        Journal(path, plan=short)
    with pytest.raises(TournamentError, match="another tournament"):
        Journal(path, plan=replace(long, format=RoundRobin(4), seed="another"))
    with pytest.raises(TournamentError, match="another tournament"):
        Journal(path, plan=replace(long, format=Swiss(3)))


# The dialogue of a game is kept on request: every line of every seat, bounded, shown, and run again


def kept(folder: Path, *, speaks: bool = True) -> GameOutcome:
    """The outcome of game 0, which is in the journal."""
    write_file(folder, cycles=1)
    with league(folder, TWO, cycles=1) as journal:
        plan = journal.plan()
        given = job(plan, plan.schedule().fixture(0), journal.secrets.of(0))
        outcome = play_one(replace(given, speaks=speaks))
        assert isinstance(outcome, GameOutcome)
        journal.keep(outcome)
        assert journal.outcome(0) == outcome
    return outcome


def test_every_line_is_kept_with_its_seat_and_time(tmp_path: Path, run: Run) -> None:
    outcome = kept(tmp_path)
    rows = [json.loads(line) for line in outcome.dialogue.splitlines()]
    for seat, moves in enumerate(outcome.counts):
        told = [row["told"]["do"] for row in rows if row["seat"] == seat and "told" in row]
        said = [json.loads(row["said"]) for row in rows if row["seat"] == seat and "said" in row]
        assert told == ["hello", "start", *["turn"] * moves, "over"]
        assert "hello" in said[0] and said[1] == {"ready": True} and len(said) == moves + 2
    assert all(row["at"] >= 0 for row in rows)
    lines = output(run, *["tournament", "game", "one.toml", "0", "--dialogue"]).splitlines()
    assert len(lines) == len(rows) and '<- {"do": "hello"' in lines[0]
    assert any('-> {"hello": "a bot"' in line for line in lines)
    output(run, *["tournament", "game", "one.toml", "0", "--bundles", "bundles"])
    for seat in (0, 1):
        bundle = read_bundle((tmp_path / f"bundles/game-0-seat-{seat + 1}.json").read_bytes())
        assert [line.told for line in bundle.lines] == [row.get("told") for row in rows if row["seat"] == seat]
        assert why_not(bundle.command, "/") == "", "it can be started from anywhere"


def test_a_bot_that_talks_without_end_fills_only_its_own_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spoken, "MOST_OF_SEAT", 2000)
    program(tmp_path, "first", before='print(json.dumps({"error": "x" * 1500}), flush=True)')
    outcome = kept(tmp_path)
    rows = [json.loads(line) for line in outcome.dialogue.splitlines()]
    assert len(outcome.dialogue) < 5000
    assert sum("cut" in row for row in rows) <= 2 and {row["seat"] for row in rows} == {0, 1}


def test_without_the_request_nothing_is_kept(tmp_path: Path, run: Run) -> None:
    assert kept(tmp_path, speaks=False).dialogue == ""
    assert "was not kept: tournament run with --dialogues keeps" in refusal(
        run, *["tournament", "game", "one.toml", "0", "--dialogue"]
    )
    with Journal(tmp_path / "one.sqlite") as journal:
        assert journal._file.execute("SELECT DISTINCT dialogue FROM games").fetchall() == [(None,)]
