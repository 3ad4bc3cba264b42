"""`quadrille ladder`: the ladders, a bot's place on one of them, and what is refused."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.tournament.run_events import OVER, STOPPED
from quadrille.extras.league.ladder.ladders import ladder
from quadrille.extras.league.ladder.place import Placing
from quadrille.extras.league.ladder.placements import PlacementEnd
from quadrille.extras.league.ladder.tables import outcome_data, outcome_text, reaches
from tests.client.conftest import Run, output, refusal

RANDOM = """\
from quadrille.ai import Bot


class Any(Bot):
    games = ("maze",)

    def choose(self, view, clock, rng):
        return view.moves.sample(rng)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUADRILLE_HOME", str(tmp_path / "home"))
    (tmp_path / "mybot.py").write_text(RANDOM, "utf-8")
    return tmp_path


def outcome(**changes: Any) -> PlacementEnd:
    """Return a bot between level-1 and its neighbour below, after twenty games."""
    one = ladder("maze")
    middle = one.rung("level-1")
    assert middle is not None
    stronger = {rung.sample.name: 0.99 if rung.elo < middle.elo - 100 else 0.5 for rung in one.rungs}
    stronger |= {rung.sample.name: 0.01 for rung in one.rungs if rung.elo > middle.elo + 100}
    facts: dict[str, Any] = {
        "ladder": one, "name": "mybot.py", "why": OVER, "late": False, "seconds": 83.0,
        "placing": Placing(middle.elo - 1, 60.0, stronger, 0),
        "points": {"level-1": 4.5, "random": 9.0}, "games": {"level-1": 10, "random": 10}, "lost": {}, "faults": (),
        "lacking": {}, "journal": Path("ladder/maze-01.sqlite").absolute(),
    }  # fmt: skip
    return PlacementEnd(**facts | changes)


def test_a_bot_stands_between_its_neighbours_in_the_table_and_in_words() -> None:
    text = outcome_text(outcome(), None)
    lines = text.splitlines()
    assert lines[0] == "mybot.py on the ladder of maze (size=7): 20 games in 1:23."
    rows = [line.split()[1] for line in lines[3 : 4 + len(ladder("maze").rungs)]]
    assert rows[rows.index("mybot.py") - 1] == "level-1"
    assert "mybot.py stands between level-1" in text
    assert "It is stronger than " in text and " and weaker than " in text
    assert "quadrille tournament report ladder/maze-01.sqlite -o report.html" in text
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"late": True, "why": STOPPED}, "Time was over: the same command goes on"),
        ({"placing": Placing(100.0, float("inf"), {}, 0)}, "100 Elo; games are too few to say how sure"),
        ({"why": STOPPED}, "Stopped: the same command goes on."),
        ({"placing": None, "games": {}, "points": {}}, "No game counts yet"),
        ({"placing": Placing(9000.0, 700.0, {}, 1)}, "the top, with at least 8300 Elo; no sample tells how far"),
        ({"placing": Placing(-900.0, 700.0, {}, -1)}, "below all samples, with at most -200 Elo; no sample"),
        ({"faults": ('game 3 against random: it ended with exit code 1: "KeyError"',)}, "It lost 1 game by its own"),
        ({"lacking": {"mirror": "node", "random": ""}}, "Not played here: mirror (no node), random."),
    ],
)
def test_what_else_there_is_to_say(changes: dict[str, Any], told: str) -> None:
    if (own := changes.get("placing")) is not None:
        likely = 1.0 if own.beyond > 0 else 0.5
        changes["placing"] = replace(own, stronger={rung.sample.name: likely for rung in ladder("maze").rungs})
    found = outcome(**changes)
    assert told in " ".join(outcome_text(found, None).split())
    data = json.loads(json.dumps(outcome_data(found, None), allow_nan=False))
    if own is not None and own.beyond:
        assert (data["elo"], data["error"]) == (None, None)
        assert (data["at_least"], data["at_most"]) == ((8300, None) if own.beyond > 0 else (None, -200))


def test_losses_are_told_the_weakest_opponent_first() -> None:
    strong, *_, weaker, weak = (rung for rung in ladder("maze").rungs)
    found = outcome(lost={strong.sample.name: 8, weak.sample.name: 3, weaker.sample.name: 5})
    lines = outcome_text(found, None).splitlines()
    start = lines.index(f"Lost to {weak.sample.name} ({weak.elo:.0f}):")
    assert lines[start + 1] == "  quadrille tournament game ladder/maze-01.sqlite 3 --kept"
    assert [row["game"] for row in outcome_data(found, None)["losses"]] == [3, 5, 8]


def test_a_bot_is_below_a_limit_only_if_it_is_shown_to_be_weaker() -> None:
    one, found = ladder("maze"), outcome()
    own = found.placing
    assert own is not None
    assert reaches(found, own.elo + own.error - 1)
    assert not reaches(found, own.elo + own.error + 1)
    assert [reaches(found, rung) for rung in one.rungs] == [own.stronger[r.sample.name] > 0.025 for r in one.rungs]
    assert not reaches(outcome(placing=None), 0.0)


def test_the_ladder_says_which_samples_cannot_be_played_here(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_: None)
    text = output(run, "ladder", "--game", "maze")
    needs = [rung.sample for rung in ladder("maze").rungs if rung.sample.needs]
    assert all(f"{sample.name} (no {sample.needs})" in " ".join(text.split()) for sample in needs)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["mybot.py", "--game", "mase"], 'there is no game "mase": did you mean maze?'),
        (["mybot.py", "--game", "maze", "--games", "3"], "argument --games: it takes a number from 8 on, not 3"),
        (["mybot.py", "--game", "maze", "--within", "soon"], '"soon" is not a time'),
        (["mybot.py", "--game", "maze", "--within", "0s"], "--within takes a time, such as 90s"),
        (["mybot.py", "--game", "maze", "--at-once", "0"], "argument --at-once: it takes a number from 1 on, not 0"),
        (["nobody.py", "--game", "maze"], 'there is no file "nobody.py"'),
        (["rndom"], "did you mean random?"),
        (["--json"], "--json tells the place of a bot: name one"),
    ],
)
def test_refusals_name_what_is_wrong(words: list[str], told: str, run: Run) -> None:
    assert told in refusal(run, "ladder", *words).splitlines()[0]


@pytest.mark.slow
def test_a_bot_is_placed_and_the_same_command_goes_on(folder: Path, run: Run) -> None:
    strong = ["level-4", "level-5", "level-5-long", "solver-3", "alphabeta-3"]
    out = [word for name in strong for word in ("--without", name)]
    words = ["mybot.py", "--games", "16", "--seed", "s", "--json", "--quiet", *out]  # it plays maze alone
    [found] = json.loads(output(run, "ladder", *words))["placements"]
    assert (found["game"], found["games"], found["finished"], found["faults"]) == ("maze", 16, True, [])
    assert (found["at_least"] or 0) < 400
    output(run, "tournament", "game", found["journal"], found["losses"][0]["game"], "--kept", "-o", "lost.txt")
    assert "mybot.py" in output(run, "analyse", "lost.txt")
    for what in (["show"], ["report", "-o", "report.html"], ["verify"]):
        output(run, "tournament", *what, found["journal"])
    ran = run(["ladder", *words, "--at-least", "3000"])
    [again] = json.loads(ran.out)["placements"]
    assert ran.code == 1
    assert (again["elo"], again["games"], again["reached"]) == (found["elo"], 16, False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "told"),
    [
        ('raise ValueError("no")', 'ended with exit code 1: "ValueError: no"'),
        (RANDOM.replace("maze", "barons"), "does not play maze, only barons"),
    ],
)
def test_a_bot_that_cannot_play_is_refused_with_its_fault(folder: Path, source: str, told: str, run: Run) -> None:
    (folder / "mybot.py").write_text(source, "utf-8")
    assert told in refusal(run, "ladder", "mybot.py", "--game", "maze", "--games", "8", "--quiet")
