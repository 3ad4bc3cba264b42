"""`quadrille tournament quick` and `run`, as a newcomer and a class use them: what they refuse, keep and say."""

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.tournament import run as tournament_run
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan import Entrant
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.client.cli import Parser
from quadrille.client.commands import tournament
from quadrille.client.tournament import inspection
from quadrille.client.tournament import runs as running
from quadrille.client.tournament.report import page, teams
from quadrille.client.tournament.standings import standing_of
from quadrille.client.words.rules import about_text, rules_text
from quadrille.rules.registry import game
from tests.ai.tournament.programs import FIRST, LAST, program, three
from tests.client.conftest import Run, output, refusal
from tests.client.test_tournament import league_of

QUICK = ["tournament", "quick", "maze", "random", "random", "--set", "size=2", "--games", "2"]
HERE = ["--untried", "--at-once", "1"]


def told(*words: str) -> dict[str, Any]:
    return tomllib.loads(quick("maze", *words))


def quick(*words: str) -> str:
    parser = Parser(prog="quadrille tournament")
    tournament.arguments(parser)
    return running.quick_file(parser.parse_args(["quick", *words]))


@pytest.mark.parametrize("command", ["run", "show", "report"])
def test_a_typo_in_a_tournament_s_name_has_a_hint(command: str, folder: Path, run: Run) -> None:
    (folder / "small.toml").touch()
    assert 'there is no file "./smal.toml": did you mean "./small.toml"?' in refusal(
        run, "tournament", command, "./smal.toml"
    )
    assert "nothing has been played yet" in refusal(run, "tournament", "show", "small")
    assert refusal(run, "tournament", "run").endswith("or a folder of bots: --folder bots/\n")


def test_a_bot_is_named_once_and_what_was_written_is_named(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Entrant("a.py", "a.py").known_as == Entrant("a.py", "/x/a.py").known_as == "a.py"
    assert Entrant("mine", "a.py").known_as == "mine (a.py)"
    league_of(folder, three(folder), 1)
    written = "league.html is written: open it in a browser.\n"
    assert output(run, "tournament", "report", "league.toml", "-o", "league.html") == written
    assert "quadrille tournament game" in refusal(run, "replay", "league.sqlite")
    kept = {path: path.read_bytes() for path in (folder / "league.toml", folder / "league.sqlite")}
    with monkeypatch.context() as early:
        early.setattr(inspection, "standing_of", lambda *_: pytest.fail("the work comes before the file"))
        for name in ("league.sqlite", "./league.toml"):
            why = refusal(run, "tournament", "report", "league.toml", "-o", name)
            assert f"{name} is what this is made from" in why
        assert "none: no such folder" in refusal(run, "tournament", "report", "league.toml", "-o", "none/league.html")
    assert kept == {path: path.read_bytes() for path in kept}, "a page over the journal would cost all its games"
    (folder / "bots.v2").mkdir()
    (folder / "league.sqlite").rename(folder / "bots.v2.sqlite")
    assert "maze for 2" in output(run, "tournament", "show", "bots.v2"), "as run --folder names it"


# What quick takes


@pytest.mark.slow
def test_a_tournament_is_kept_at_home(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "home").mkdir()
    monkeypatch.setenv("HOME", str(folder / "home"))
    output(run, *QUICK, *HERE, "--quiet", "--keep", "~/kept.toml")
    assert {"kept.sqlite", "kept.toml"} <= {path.name for path in folder.glob("home/*")}
    output(run, "tournament", "show", "~/kept.toml")
    output(run, "tournament", "run", "~/kept.toml", "--quiet")


def test_what_seats_are_usual_is_told(folder: Path) -> None:
    def seated(key: str, *words: str) -> str:
        return running.seating(parse(quick(key, *words), str(folder)))

    assert seated("barons", "random", "greedy", "2") == "Each game is for 3 bots; --seats 2 plays pairs."
    assert seated("barons", "random", "greedy") == seated("maze", "random", "greedy", "2") == ""
    assert about_text(game("maze")) == "2 players; 4 to 8 minutes; ages 7 and up"
    assert "Barons: 2 to 8 players, usually 4; 7 to 13 minutes; ages 7 and up." in rules_text(game("barons"))


def test_a_command_with_words_plays(folder: Path, run: Run) -> None:
    program(folder, "first")
    command = f"{sys.executable} -I -S first.py"
    out = output(run, *QUICK[:3], command, "random", *QUICK[5:], *HERE, "--quiet")
    assert f"{Path(sys.executable).name} -I -S first.py" in out and "maze for 2" in out
    assert "2 games in 1 complete block" in out and [path.name for path in folder.iterdir()] == ["first.py"]
    assert "there is no program" in refusal(run, "tournament", "quick", "maze", "nobody bot.js", "random")


def test_a_match_that_stops_by_itself_is_long() -> None:
    assert told("random", "greedy")["format"]["cycles"] == 50
    assert told("random", "greedy", "--sprt", "0,20")["format"]["cycles"] == 10_000
    assert told("random", "greedy", "--sprt", "0,20", "--games", "300")["format"]["cycles"] == 150


# What is said


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody presses Ctrl-C before the first game."""

    class Stopped(tournament_run.Run):
        def go(self) -> str:
            self.stopping = 1
            return super().go()

    monkeypatch.setattr(running, "Run", Stopped)


@pytest.mark.usefixtures("stopped")
def test_what_is_not_kept_is_not_called_kept(run: Run) -> None:
    code, _, said = run([*QUICK, *HERE])
    assert code == 130 and said.endswith("Stopped; nothing of it is kept: --keep FILE.toml would have kept it.\n")
    assert "run it again" not in said
    code, _, said = run([*QUICK, *HERE, "--keep", "kept.toml"])
    assert code == 130 and said.endswith("Stopped: run it again to go on.\n")


@pytest.mark.slow
def test_a_quick_tournament_says_how_its_games_could_be_looked_at(run: Run) -> None:
    for words, said in (([], True), (["--quiet"], False), (["--keep", "kept.toml"], False)):
        code, _, err = run([*QUICK, *HERE, *words])
        assert code == 0 and ("with --keep FILE.toml they could be looked at" in err) is said


def test_a_run_that_had_been_finished_says_so(folder: Path, run: Run) -> None:
    ran = run(["tournament", "run", league_of(folder, three(folder), 1), *HERE])
    assert (ran.code, ran.err) == (0, "Nothing was left to play: all games are played.\n")


# A class in one command: a folder of bots, again after one has changed, and a page for each


RUN = ["tournament", "run", "--folder", "bots", "--at-once", "1", "--lenient"]
WRONG = '(sys.stderr.write("no idea\\n"), "nonsense")[1]'


def hand_in(folder: Path, name: str, choose: str) -> None:
    """Write a bot's folder, with the command that starts it."""
    there = folder / "bots" / name
    there.mkdir(parents=True, exist_ok=True)
    program(there, "mine", choose)
    (there / "bot.toml").write_text(f'exec = "{sys.executable} -I -S mine.py"\n')


def shown(run: Run, *words: str) -> dict[str, Any]:
    return dict(json.loads(output(run, "tournament", "show", *words, "--json")))


def test_the_first_run_needs_a_game_and_a_folder(folder: Path, run: Run) -> None:
    assert 'there is no folder "bots"' in refusal(run, *RUN)
    (folder / "bots").mkdir()
    assert "which game do they play? Add --game" in refusal(run, *RUN)
    assert "there is no bot in" in refusal(run, *RUN, "--game", "maze")
    for option, said in (("--clock", "1m"), ("--isolate", "required")):
        why = f"{option} is for a new --folder: x.toml says what is played"
        assert why in refusal(run, "tournament", "run", "x.toml", option, said)
    hand_in(folder, "ann", FIRST)
    (folder / "bots/carl.js").write_text("")
    assert '2 seats need as many bots: there is 1; "carl": ' in refusal(run, *RUN, "--game", "maze")
    assert [*folder.glob("*.toml")] == []


@pytest.mark.slow
def test_a_class_plays_each_week_by_one_command(folder: Path, run: Run) -> None:
    """Somebody's bot changes, another one comes, and nobody else plays a game again."""
    for name, choose in {"ann": FIRST, "bob": LAST, "eve": WRONG}.items():
        hand_in(folder, name, choose)
    (folder / "bots/carl").mkdir()
    output(run, *RUN, "--game", "maze", "--set", "size=3", "--games", "6", "--untried")
    first = shown(run, "bots")
    assert list(first["absent"]) == ["carl"]
    with Journal(folder / "bots.sqlite") as journal:
        before, made = list(journal.outcomes()), teams(standing_of(journal), journal)
        eve = next(row for row in made if row["name"] == "eve")
        assert all(row["lines"] == "no idea" and "nonsense" in row["why"] for row in eve["faults"])
        told = page(journal)
    assert f'id="bot-{eve["number"]}" class="team"' in told
    assert f"quadrille tournament game bots.toml {eve['faults'][0]['number']}" in told
    hand_in(folder, "eve", LAST)
    hand_in(folder, "carl", FIRST)
    code, _, said = run(RUN)
    assert code == 0 and "eve has changed: it plays on as version 2" in said and "carl is new here" in said
    with Journal(folder / "bots.sqlite") as journal:
        assert list(journal.outcomes())[: len(before)] == before and journal.games > len(before)
        rows = {row["name"]: row["versions"] for row in teams(standing_of(journal), journal)}
    assert {name: len(versions) for name, versions in rows.items()} == {"ann": 1, "bob": 1, "carl": 1, "eve": 2}
    assert rows["eve"][0]["digest"] != rows["eve"][1]["digest"] and rows["eve"][1]["score"] == "0.000"
    again = shown(run, "bots.toml")
    assert again["absent"] == {} and len(again["standing"]) == 4
    code, _, said = run([*RUN, "--quiet"])
    assert code == 0 and "Nothing was left to play" in said
