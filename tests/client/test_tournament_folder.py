"""A class in one command: `quadrille tournament run --folder`, again after a bot has changed, and a page for each."""

import json
import sys
from pathlib import Path

import pytest

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.client.cli import main
from quadrille.client.tournament.report import page
from quadrille.client.tournament.standings import standing_of
from quadrille.client.tournament.teams import teams
from tests.ai.tournament.programs import FIRST, LAST, program

RUN = ["tournament", "run", "--folder", "bots", "--at-once", "1", "--lenient"]
WRONG = '(sys.stderr.write("no idea\\n"), "nonsense")[1]'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def hand_in(folder: Path, name: str, choose: str) -> None:
    """Write a bot's folder, with the command that starts it."""
    there = folder / "bots" / name
    there.mkdir(parents=True, exist_ok=True)
    program(there, "mine", choose)
    (there / "bot.toml").write_text(f'exec = "{sys.executable} -I -S mine.py"\n')


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    capsys.readouterr()
    assert main(["tournament", "show", *words, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_the_first_run_needs_a_game_and_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(RUN) == 2 and 'there is no folder "bots"' in capsys.readouterr().err
    (folder / "bots").mkdir()
    assert main(RUN) == 2 and "which game do they play? Add --game" in capsys.readouterr().err
    assert main([*RUN, "--game", "maze"]) == 2 and "there is no bot in" in capsys.readouterr().err
    assert main(["tournament", "run", "x.toml", "--clock", "1m"]) == 2
    assert "--clock is for a new --folder: x.toml says what is played" in capsys.readouterr().err
    hand_in(folder, "ann", FIRST)
    (folder / "bots/carl.js").write_text("")
    assert main([*RUN, "--game", "maze"]) == 2
    assert '2 seats need as many bots: there is 1; "carl": ' in capsys.readouterr().err
    assert [*folder.glob("*.toml")] == []


@pytest.mark.slow
def test_a_class_plays_each_week_by_one_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody's bot changes, another one comes, and nobody else plays a game again."""
    for name, choose in {"ann": FIRST, "bob": LAST, "eve": WRONG}.items():
        hand_in(folder, name, choose)
    (folder / "bots/carl").mkdir()
    assert main([*RUN, "--game", "maze", "--set", "size=3", "--games", "6", "--untried"]) == 0
    first = shown(capsys, "bots")
    assert list(first["absent"]) == ["carl"]  # type: ignore[call-overload]
    with Journal(folder / "bots.sqlite") as journal:
        before, made = list(journal.outcomes()), teams(standing_of(journal), journal)
        eve = next(row for row in made if row["name"] == "eve")
        assert all(row["lines"] == "no idea" and "nonsense" in row["why"] for row in eve["faults"])
        told = page(journal)
    assert f'id="bot-{eve["number"]}" class="team"' in told
    assert f"quadrille tournament game bots.toml {eve['faults'][0]['number']}" in told
    hand_in(folder, "eve", LAST)
    hand_in(folder, "carl", FIRST)
    assert main(RUN) == 0
    said = capsys.readouterr().err
    assert "eve has changed: it plays on as version 2" in said and "carl is new here" in said
    with Journal(folder / "bots.sqlite") as journal:
        assert list(journal.outcomes())[: len(before)] == before and journal.games > len(before)
        rows = {row["name"]: row["versions"] for row in teams(standing_of(journal), journal)}
    assert {name: len(versions) for name, versions in rows.items()} == {"ann": 1, "bob": 1, "carl": 1, "eve": 2}
    assert rows["eve"][0]["digest"] != rows["eve"][1]["digest"] and rows["eve"][1]["score"] == "0.000"
    again = shown(capsys, "bots.toml")
    assert again["absent"] == {} and len(again["standing"]) == 4  # type: ignore[arg-type]
    assert main([*RUN, "--quiet"]) == 0
    assert "Nothing was left to play" in capsys.readouterr().err
