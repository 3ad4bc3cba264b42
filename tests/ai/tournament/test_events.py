"""Every event is as its schema says, which stands in docs/ for programs in any language."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.event_data import plain
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.run import Run
from quadrille.ai.tournament.run_events import Event
from tests.ai.tournament.programs import FIRST, clear, file, play, program, three
from tests.ai.tournament.test_run import Skies, quick
from tests.documents import block
from tests.schemas import schema, wrong

SCHEMA = schema("tournament-events")


def data(events: list[Event], run: Run) -> list[dict[str, Any]]:
    """Those that are told, through JSON and back."""
    rows = [row for event in events if (row := plain(event, run)) is not None]
    return list(map(json.loads, map(json.dumps, rows)))


def test_events_of_a_run_are_as_the_schema_says(tmp_path: Path) -> None:
    program(tmp_path, "rude", "'nothing' if games > 1 else said['moves'][0]")
    plan = parse(file((*three(tmp_path)[:2], "rude"), cycles=2), str(tmp_path))
    events: list[Event] = []
    with Journal(tmp_path / "one.sqlite", plan=plan) as journal:
        run = play(journal, events.append)
        clear()
    rows = data(events, run)
    assert [why for row in rows for why in wrong(row, SCHEMA)] == []
    kinds = [row["event"] for row in rows]
    assert (kinds[0], kinds[-1]) == ("begin", "end")
    assert (kinds.count("start"), kinds.count("game"), kinds.count("warning")) == (12, 12, 1)
    [why] = [row["why"] for row in rows if row["event"] == "warning"]
    assert re.match(r'rude lost game \d+: it moved "nothing", which is not legal', why)
    started = {row["game"]: row for row in rows if row["event"] == "start"}
    for row in rows:
        if row["event"] == "game":
            assert started[row["game"]].items() >= {name: row[name] for name in ("id", "block", "seats")}.items()


def test_events_of_a_run_that_can_not_go_on(tmp_path: Path) -> None:
    program(tmp_path, "first", FIRST)
    program(tmp_path, "last", FIRST)
    plan = parse(file(("first", "last"), more="[stop]\nelo0 = 0\nelo1 = 9"), str(tmp_path))
    events: list[Event] = []
    with (
        Journal(tmp_path / "one.sqlite", plan=plan) as journal,
        pytest.raises(TournamentError, match="can't be played"),
        Run(plan, journal, Skies(lambda: True, quick), events.append) as run,
    ):
        run.go()
    rows = data(events, run)
    assert [why for row in rows for why in wrong(row, SCHEMA)] == []
    assert {row["event"] for row in rows} == {"begin", "start", "void", "end"}
    assert "can't be played" in rows[-1]["why"]


def test_the_events_in_the_document_are_of_its_file() -> None:
    """They were written by a real run: its times are its own, the rest follows from the file and the secret."""
    plan = parse(block("league"), ".")
    rows = [json.loads(line) for line in block("events").splitlines() if not line.startswith("#")]
    assert [why for row in rows for why in wrong(row, SCHEMA)] == []
    assert [row["event"] for row in rows] == ["begin", "start", "start", "game", "game", "end"]
    assert rows[0]["plan"] == json.loads(json.dumps(plan.plain()))
    for row in rows[1:5]:
        fixture = plan.schedule().fixture(row["game"])
        assert (row["id"], row["block"]) == (fixture.id, fixture.block)
        assert row["seats"] == [plan.entrants[entrant].name for entrant in fixture.seats]
        assert row.get("start", fixture.start) == fixture.start
    [before], [after] = rows[0]["secrets"], rows[-1]["secrets"]
    digest = hashlib.sha256(b"quadrille/secret/1" + bytes.fromhex(after["secret"])).hexdigest()
    assert before["commitment"] == after["commitment"] == digest


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"event": "void", "game": -1, "why": ""},
        {"event": "void", "game": 1},
        {"event": "other", "why": ""},
        {"event": "begin", "games": "many", "there": 0, "plan": {}},
        {"event": "end", "why": "", "verdict": "perhaps", "counted": 0, "played": 0},
    ],
)
def test_the_schema_refuses(row: dict[str, Any]) -> None:
    assert wrong(row, SCHEMA)
