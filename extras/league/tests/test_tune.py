"""`quadrille tune`: from the command line to better values, through kill -9 and wrong input."""

import argparse
import inspect
import json
import re
import subprocess
import sys
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quadrille.ai.bots.lines.parameters import Parameter
from quadrille.client.files import alone
from quadrille.client.tournament import runs
from quadrille.extras.league.commands import tune
from quadrille.extras.league.tuning import tuned
from tests.ai.tournament.programs import program
from tests.client.conftest import Run, output, refusal
from tests.waiting import soon

EXAMPLE = Path(__file__).parents[3] / "examples" / "tuned_bot.py"
#: Small and quick: no openings are made, since the example leaves ties to chance.
SMALL = ["barons", "--set", "width=4", "--set", "height=4", "--openings", "none", "--home", "home"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mybot.py").write_bytes(EXAMPLE.read_bytes())
    return tmp_path


def test_wrong_input_is_refused_before_anything_is_played(folder: Path, run: Run) -> None:
    (folder / "plain.py").write_text(
        "from quadrille.ai import Bot\nclass Plain(Bot):\n    def choose(self, view, clock, rng): ...\n"
    )
    told = refusal(run, "tune", "plain.py", *SMALL)
    assert "plain.py declares no numbers to tune" in told
    assert "depth = Number(1, 9, usual=4)" in told and '"parameters": [{"name": "depth"' in told
    assert "did you mean barons?" in refusal(run, "tune", "mybot.py", "baron")
    assert "mybot.py does not play maze, only barons" in refusal(run, "tune", "mybot.py", "maze", "--openings", "none")
    assert 'there is no file "nobody.py"' in refusal(run, "tune", "nobody.py", *SMALL)
    assert "-o names the notes" in refusal(run, "tune", "mybot.py", *SMALL, "-o", "league.toml")
    Path("notes.json").write_text("{")
    assert "notes.json is damaged, or no file of a tuning" in refusal(
        run, "tune", "mybot.py", *SMALL, "-o", "notes.json"
    )
    with alone("notes.json"):
        told = refusal(run, "tune", "mybot.py", *SMALL, "-o", "notes.json")
    assert "another run is writing notes.json: wait until it has ended" in told, "and what it writes is not read yet"
    assert {file.name for file in folder.iterdir()} == {"mybot.py", "notes.json", "plain.py"}


@pytest.mark.slow
def test_nothing_is_lost_where_notes_cant_be_written(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tuned, "write_file", full)
    told = refusal(run, "tune", "mybot.py", *SMALL, "--games", "8", "--blocks", "1", "--quiet", "--at-once", "1")
    assert " ".join(told.split()).count("can't be written: No space left on device. Its earlier lessons are still") == 1


def test_values_are_written_as_their_author_copies_them(folder: Path) -> None:
    numbers = Parameter("depth", 1, 9, 4), Parameter("width", 0.0, 1, 0.5)
    made: Any = SimpleNamespace(parameters=numbers, bot=SimpleNamespace(bot="mybot.py"))
    lines = "\n".join(tuned._lines(made, (("depth", 6), ("width", 0.75))))
    assert "    depth = Number(1, 9, usual=6)\n    width = Number(0.0, 1, usual=0.75)\n" in lines
    assert "    parameters = {depth = 6, width = 0.75}" in lines
    made.bot.bot = ""
    lines = "\n".join(tuned._lines(made, (("depth", 6), ("width", 0.75))))
    assert '"parameters": [{"name": "depth", "least": 1, "most": 9, "usual": 6}, {"name": "width"' in lines
    assert list(tuned._bounds(made, (("depth", 9), ("width", 1)))) == [
        "depth and width are at the most that the bot allows: a wider range may be better still."
    ]


def test_the_notes_are_called_after_bot_and_game() -> None:
    assert [*map(tuned._stem, ("bots/mybot.py:Deep", "node bot.js 3", "./mybot"))] == ["mybot", "bot", "mybot"]


@pytest.mark.parametrize(("found", "half"), [("stronger", 40.0), (None, 700.0), (None, inf)])
def test_the_elo_of_a_verdict_is_against_the_own_usual_values(
    found: str | None, half: float, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuned, "verdict", lambda one: f"it is {one.verdict}.")
    task = tuned._task(_settings(), folder)
    rated = SimpleNamespace(elo=(178.0, -179.0), error=(half, half))
    one: Any = SimpleNamespace(verdict=found, line=lambda _: SimpleNamespace(score=0.887, games=106), ratings=rated)
    values = tuple((one.name, one.usual) for one in task.parameters)
    said = " ".join(tuned._result(one, task, values, Path("v.toml")))
    known = "Elo +357 ± 80 against its own usual values." if found else "Elo +357 against its own usual values, and"
    assert known in said
    assert ("keep the usual ones" in said) == (not found)
    heading = next(line for line in tuned._lines(task, values, kept=bool(found)) if line)
    assert heading.startswith("The values, for" if found else "The tuned values, if you still want them")
    assert list(tuned._against_others(task))[-1] == "    quadrille ladder mybot.py --game barons"


@pytest.mark.slow
def test_a_changed_bot_begins_anew_in_other_notes(folder: Path) -> None:
    def name(**changes: Any) -> str:
        known = {"bot": "mybot.py", "game": "barons", "output": None, "set": [], "games": None, "blocks": None}
        return tuned._usual_name(tuned._task(_settings(**known | changes), folder))

    first = name()
    assert re.fullmatch(r"mybot-barons-tune-[0-9a-f]{8}\.json", first)
    assert name() == name(games=4000) == first  # more games go on
    assert name(set=["width=4"]) != first
    with (folder / "mybot.py").open("a") as file:
        file.write("# the tuned values, pasted in\n")
    assert name() != first


def test_the_verdict_has_all_settings_of_a_tournament(folder: Path) -> None:
    found = tuned._match(_settings(), folder / "verdict.toml", 8)
    wanted = set(re.findall(r"\bsettings\.(\w+)", inspect.getsource(runs.quick_file)))
    assert "openings" in wanted
    assert wanted - vars(found).keys() == set()
    assert tuned._terms(_settings(at_once=3)) == runs.RunTerms(home=None, at_once=3), "the type has all else"


def _settings(**words: Any) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    tune.arguments(parser)
    return argparse.Namespace(**vars(parser.parse_args(["mybot.py", "barons"])) | words)


@pytest.mark.slow
def test_a_tuning_survives_kill_9_is_the_same_again_and_finds_stronger_values(folder: Path, run: Run) -> None:
    words = ["tune", "mybot.py", *SMALL, "--games", "200", "--seed", "7"]
    assert output(run, *words, "-o", "whole.json").startswith("Tuned is stronger than usual")
    assert (folder / "whole-25.toml").exists()
    whole = json.loads((folder / "whole.json").read_text())
    assert len(whole["scores"]) == 25 and whole["values"] != {"mine": 8, "theirs": 6, "free": 12, "line": 2.0}

    notes = folder / "killed.json"
    killed = subprocess.Popen([sys.executable, "-m", "quadrille.client.cli", *words, "-o", notes.name, "--quiet"])
    assert soon(lambda: killed.poll() is not None or (notes.exists() and json.loads(notes.read_text())["scores"]))
    killed.kill()
    killed.wait()
    assert len(json.loads(notes.read_text())["scores"]) < 25
    output(run, *words, "-o", notes.name, "--verdict-games", "0")
    again = json.loads(notes.read_text())
    assert (again["values"], again["scores"]) == (whole["values"], whole["scores"])

    # a number more in the file is another bot
    with (folder / "mybot.py").open("a") as file:
        file.write("# changed\n")
    assert "the files of the bot have changed since" in refusal(run, *words, "-o", "whole.json")


@pytest.mark.slow
def test_a_program_in_any_language_is_tuned(folder: Path, run: Run) -> None:
    greeting = ', "parameters": [{"name": "last", "least": 0, "most": 1, "usual": 0}]'
    before = 'last = said.get("parameters", {}).get("last", 0)'
    program(folder, "bot", 'said["moves"][-1 if last else 0]', before=before, greeting=greeting)
    words = ["tune", f"{sys.executable} -I -S bot.py", "maze", "--set", "size=3", "--openings", "none"]
    told = run([*words, "--games", "16", "--blocks", "1", "--home", "home", "--against", "random"])
    assert told.code in (0, 1)
    assert '"parameters": [{"name": "last"' in told.out or "usual values are still the best" in told.out
    assert "8 steps" in told.err or "4 steps" in told.err
