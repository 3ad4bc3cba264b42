"""A tournament's file: what it says, what it is refused for, and in which line."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.ai.bots.process.program import Limits
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan import Plan, Stop, Time, plan_of
from quadrille.ai.tournament.plans.plan_file import PlanError, parse, read
from quadrille.ai.tournament.schedules.swiss import Swiss
from quadrille.net.entries.terms import TimeControl
from tests.ai.tournament.programs import file, three
from tests.documents import block

WHOLE = """\
seed = "spring"
at_once = 3
anchor = "house"

[format]
kind = "swiss"
rounds = 3
starts = 8

[time]
clock = "1m+500ms"
budget = "200ms"

[limits]
memory = 512
fresh = true

[stop]
rule = "confidence"
entrant = "house"
alpha = 0.01

[[game]]
game = "maze"
preset = "small"
options = {size = 5}

[[entrant]]
name = "house"
bot = "MCTS:2"

[[entrant]]
bot = "greedy"
limits = {cpu = 60}

[[entrant]]
bot = "random"
"""
WHOLE = WHOLE.replace('preset = "small"\n', "")


def test_all_of_it(tmp_path: Path) -> None:
    plan = parse(WHOLE, str(tmp_path))
    assert [(entrant.name, entrant.bot) for entrant in plan.entrants] == [
        ("house", "mcts:2"),
        ("greedy", "greedy"),
        ("random", "random"),
    ]
    assert [entrant.limits for entrant in plan.entrants] == [Limits(512), Limits(512, 60), Limits(512)]
    assert plan.format == Swiss(3, 8)
    assert (plan.fresh, plan.seed, plan.at_once, plan.anchor) == (True, "spring", 3, 0)
    assert plan.time == Time(TimeControl(60_000, 500), budget=200)
    assert plan.stop == Stop("confidence", 0, alpha=0.01)
    [contest] = plan.contests
    assert (contest.game, dict(contest.options)["size"], contest.seats) == ("maze", 5, 2)
    again = plan_of(json.loads(json.dumps(plan.plain())), plan.folder)
    assert again.plain() == plan.plain()
    assert again.schedule().block(0) == plan.schedule().block(0)


def test_programs_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "league.toml"
    path.write_text(file(three(tmp_path)), "utf-8")
    plan = read(path)
    assert [entrant.name for entrant in plan.entrants] == ["first", "last", "middle"]
    assert len({entrant.digest for entrant in plan.entrants}) == 3
    first = plan.entrants[0]
    assert first.command(plan.folder)[1:] == ["-I", "-S", "first.py"]
    (tmp_path / "first.py").write_text("another")
    with pytest.raises(TournamentError, match=r"first .* is not what it was when the tournament began"):
        first.command(plan.folder)


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("seed =", "sed =", 1, "'sed' means nothing here: did you mean seed?"),
        ("rounds = 3", "rounds = 'many'", 7, "rounds takes a whole number from 1 to 1000000000, not 'many'"),
        ("starts = 8", "cycles = 3", 8, "'cycles' means nothing here"),
        ('kind = "swiss"', 'kind = "cup"', 6, "there is no format 'cup': there are round robin, gauntlet"),
        ("starts = 8", 'balance = "turns"', 8, "'balance' means nothing here: there are kind, "),
        ("1m+500ms", "soon", 11, "clock: 'soon' is not a time"),
        ("200ms", "-1s", 12, "budget: '-1s' is not a time"),
        ('rule = "confidence"', 'rule = "feeling"', 19, "rule takes 'sprt', 'confidence', not 'feeling'"),
        ('entrant = "house"', 'entrant = "nobody"', 20, "there is no entrant 'nobody': there are house, greedy"),
        ("alpha = 0.01", "alpha = 7", 18, "the chance of an error"),
        ('game = "maze"', 'game = "mazes"', 24, "did you mean maze?"),
        ("size = 5", "size = 99", 25, "option size takes"),
        ("size = 5", "sice = 5", 25, "there is no option 'sice': did you mean size?"),
        ('"MCTS:2"', '"mcts:9"', 29, "there is no opponent 'mcts:9'"),
        ('"greedy"', '"./nobody.py"', 32, "there is no file './nobody.py' (looked for from"),
        ('"greedy"', '"./nobody"', 32, "there is no file './nobody' (looked for from"),
        ('bot = "greedy"', 'exec = "no-such-program-at-all --fast"', 32, "no program 'no-such-program-at-all'"),
        ('bot = "greedy"', "exec = '\"'", 32, "is no command"),
        ('bot = "greedy"', 'bot = "greedy"\nexec = "x"', 31, "bot = or exec = or peer =, and only one of them"),
        ('bot = "random"', 'bot = "greedy"', 35, "there are two entrants 'greedy'"),
        ("[[entrant]]\nname", "[entrant]\nname", 31, "this is not TOML"),
        ("[time]", "[tine]", 10, "'tine' means nothing here: did you mean time?"),
        ("[[game]]", "[[gme]]", 23, "'gme' means nothing here: did you mean game?"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_with_its_line(tmp_path: Path, old: str, new: str, line: int, why: str) -> None:
    assert old in WHOLE
    path = tmp_path / "wrong.toml"
    path.write_text(WHOLE.replace(old, new), "utf-8")
    with pytest.raises(PlanError) as caught:
        read(path)
    assert why.replace("'", '"') in str(caught.value).replace("'", '"')
    assert caught.value.line == line
    assert str(caught.value).startswith(f"{path}, line {line}: ")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a tournament needs a game"),
        ('[[game]]\ngame = "maze"', "2 seats need as many entrants"),
        ('[[game]]\ngame = "maze"\nseats = 3', "is for 2 seats, not 3"),
        ('entrant = 7\n[[game]]\ngame = "maze"', "entrant takes tables: write [[entrant]] over each"),
        ("a = " + "[" * 100_000, "not the TOML"),
    ],
)
def test_what_is_missing(text: str, why: str) -> None:
    with pytest.raises(PlanError) as caught:
        parse(text, ".")
    assert why in str(caught.value)


@given(st.integers(0, len(WHOLE) - 1), st.integers(0, 40), st.text("=[]{}\"'\n\\.#\0é0ax", max_size=6))
def test_any_file_is_a_plan_or_is_refused(at: int, cut: int, put: str) -> None:
    try:
        plan = parse(WHOLE[:at] + put + WHOLE[at + cut :], ".")
    except PlanError:
        return
    assert isinstance(plan, Plan)


def test_the_file_in_protocols_md() -> None:
    plan = parse(block("tournament"), ".")
    fixture = plan.schedule().fixture(3)
    seats = " ".join(plan.entrants[entrant].name for entrant in fixture.seats)
    assert block("fixture") == f"number 3, id {fixture.id}, start {fixture.start}, seats {seats}\n"
