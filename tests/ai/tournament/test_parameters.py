"""Entrants that are given values for the numbers that they declare."""

import json
from pathlib import Path

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan import plan_of
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.plans.plan_schema import PlanError
from quadrille.ai.tournament.plans.plan_text import differences
from quadrille.client.tournament.tables import standing_of, text
from tests.ai.tournament.programs import file, play, program

#: Plays the first move of the list, or the last if it is told so.
CHOOSE = 'said["moves"][-1 if last else 0]'
DECLARED = ', "parameters": [{"name": "last", "least": 0, "most": 1, "usual": 0}]'
BEFORE = 'last = said.get("parameters", {}).get("last", 0)'


def told(folder: Path, values: str = "{last = 1}") -> str:
    """Two entrants of one program; the second has another value."""
    program(folder, "one", CHOOSE, before=BEFORE, greeting=DECLARED)
    program(folder, "other", CHOOSE, before=BEFORE, greeting=DECLARED)
    return file(("one", "other"), cycles=2) + f"parameters = {values}\n"


def test_values_reach_the_bot_and_are_a_part_of_what_is_played(tmp_path: Path) -> None:
    plan = parse(told(tmp_path), str(tmp_path))
    assert plan.entrants[1].parameters == (("last", 1),)
    assert plan_of(json.loads(json.dumps(plan.plain())), str(tmp_path)) == plan
    usual = parse(told(tmp_path, "{}"), str(tmp_path))
    assert "parameters" not in usual.entrants[1].plain()
    assert usual.schedule().fixture(0).id != plan.schedule().fixture(0).id
    assert differences(plan.plain(), usual.plain()) == ["parameters.last of entrant other is 1 here and absent there"]
    with Journal(tmp_path / "a.sqlite", plan=plan) as journal:
        run = play(journal, tried=True)
        found = standing_of(journal)
        moves = [outcome.record.splitlines()[-1] for outcome in journal.outcomes()]
    assert run.played == 4
    assert len(set(moves)) > 1  # they play differently, though their programs are the same
    assert "other plays with last 1." in text(found)


def test_values_that_a_bot_does_not_take_are_refused_before_the_first_game(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.sqlite", plan=parse(told(tmp_path, "{lst = 1}"), str(tmp_path))) as journal:
        with pytest.raises(TournamentError, match=r'^other \(.* has no parameter "lst": did you mean last\?'):
            play(journal, tried=True)
        assert journal.games == 0


@pytest.mark.parametrize("values", ['{last = "1"}', "{last = true}", "{last = nan}", "7"])
def test_values_that_are_no_numbers_are_refused_with_their_line(tmp_path: Path, values: str) -> None:
    text = told(tmp_path, values)
    with pytest.raises(PlanError, match="parameters takes") as refused:
        parse(text, str(tmp_path))
    assert refused.value.line == len(text.splitlines())
