"""The dialogue of a game is kept on request: every line of every seat, bounded, shown, and run again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.ai.bots import spoken
from quadrille.ai.bots.process.executable import why_not
from quadrille.ai.checks.bundle import read_bundle
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.play.playing import GameOutcome, job
from quadrille.ai.tournament.play.playing import play as play_one
from quadrille.client.cli import main
from tests.ai.tournament.programs import TWO, league, program, write_file


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


def test_every_line_is_kept_with_its_seat_and_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = kept(tmp_path)
    rows = [json.loads(line) for line in outcome.dialogue.splitlines()]
    for seat, moves in enumerate(outcome.counts):
        told = [row["told"]["do"] for row in rows if row["seat"] == seat and "told" in row]
        said = [json.loads(row["said"]) for row in rows if row["seat"] == seat and "said" in row]
        assert told == ["hello", "start", *["turn"] * moves, "over"]
        assert "hello" in said[0] and said[1] == {"ready": True} and len(said) == moves + 2
    assert all(row["at"] >= 0 for row in rows)
    assert main(["tournament", "game", str(tmp_path / "one.toml"), "0", "--dialogue"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(rows) and '<- {"do": "hello"' in lines[0]
    assert any('-> {"hello": "a bot"' in line for line in lines)
    folder = tmp_path / "bundles"
    assert main(["tournament", "game", str(tmp_path / "one.toml"), "0", "--bundles", str(folder)]) == 0
    for seat in (0, 1):
        bundle = read_bundle((folder / f"game-0-seat-{seat + 1}.json").read_bytes())
        assert [line.told for line in bundle.lines] == [row.get("told") for row in rows if row["seat"] == seat]
        assert why_not(bundle.command, "/") == "", "it can be started from anywhere"


def test_a_bot_that_talks_without_end_fills_only_its_own_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spoken, "MOST_OF_SEAT", 2000)
    program(tmp_path, "first", before='print(json.dumps({"error": "x" * 1500}), flush=True)')
    outcome = kept(tmp_path)
    rows = [json.loads(line) for line in outcome.dialogue.splitlines()]
    assert len(outcome.dialogue) < 5000
    assert sum("cut" in row for row in rows) <= 2 and {row["seat"] for row in rows} == {0, 1}


def test_without_the_request_nothing_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kept(tmp_path, speaks=False).dialogue == ""
    assert main(["tournament", "game", str(tmp_path / "one.toml"), "0", "--dialogue"]) == 2
    assert "was not kept: tournament run with --dialogues keeps" in capsys.readouterr().err
    with Journal(tmp_path / "one.sqlite") as journal:
        assert journal._file.execute("SELECT DISTINCT dialogue FROM games").fetchall() == [(None,)]
