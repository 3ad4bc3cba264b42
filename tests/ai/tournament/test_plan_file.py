"""A tournament's file: what it says, what it is refused for, in which line, and what its author is told."""

import json
from dataclasses import replace
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
from tests.ai.tournament.programs import THREE, write_file
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
ENTRANTS = '[[entrant]]\nbot = "greedy"\n[[entrant]]\nbot = "random"\n'
MAZE = '[[game]]\ngame = "maze"\n'
FINE = MAZE + ENTRANTS


def test_all_of_it(tmp_path: Path) -> None:
    plan = parse(WHOLE, str(tmp_path))
    assert [(entrant.name, entrant.bot, entrant.limits) for entrant in plan.entrants] == [
        ("house", "mcts:2", Limits(512)), ("greedy", "greedy", Limits(512, 60)), ("random", "random", Limits(512)),
    ]  # fmt: skip
    assert plan.format == Swiss(3, 8)
    assert (plan.fresh, plan.seed, plan.at_once, plan.anchor) == (True, "spring", 3, 0)
    assert plan.time == Time(TimeControl(60_000, 500), budget=200)
    assert plan.stop == Stop("confidence", 0, alpha=0.01)
    [contest] = plan.contests
    assert (contest.game, dict(contest.options)["size"], contest.seats) == ("maze", 5, 2)
    assert plan_of(json.loads(json.dumps(plan.plain())), plan.folder) == replace(plan, at_once=0)


def test_programs_beside_the_file(tmp_path: Path) -> None:
    write_file(tmp_path, THREE)
    plan = read(tmp_path / "one.toml")
    assert [entrant.name for entrant in plan.entrants] == ["first", "last", "middle"]
    assert len({entrant.digest for entrant in plan.entrants}) == 3
    first = plan.entrants[0]
    assert first.command(plan.folder)[1:] == ["-I", "-S", str(tmp_path / "first.py")]
    (tmp_path / "first.py").write_text("another")
    with pytest.raises(TournamentError, match=r"first .* is not what it was when the tournament began"):
        first.command(plan.folder)


def refused(text: str) -> tuple[int, str]:
    with pytest.raises(PlanError) as caught:
        parse(text, ".")
    return caught.value.line, str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("seed =", "sed =", 1, "'sed' means nothing here: did you mean seed?"),
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
    assert why in refused(text)[1]


@pytest.mark.parametrize(
    ("wrong", "line", "why"),
    [
        (f'[format]\nkind = "swiss"\n{FINE}', 1, "rounds is missing: it takes a whole number from 1 to 1000000000"),
        (FINE + "[what]\n", 7, '"what" means nothing here: there are seed, '),
        (FINE + 'exc = "node"\n', 7, "did you mean exec?"),
        (FINE + 'seed = "x"\n', 7, '"seed" means nothing here: it belongs at the top, before the first table'),
        (f"[time]\nat_once = 2\n{FINE}", 2, "it belongs at the top, before the first table"),
        (f"[format]\ncycles = 0\n{FINE}", 2, "cycles takes a whole number from 1 to 1000000000, not 0"),
        (f'time = "1m"\n{FINE}', 1, 'time takes names and values: write [time] over them, not "1m"'),
        (f"[[time]]\nmove = 1\n{FINE}", 1, "time takes names and values: write [time] over them, not a list"),
        (f"{MAZE}options = 5\n{ENTRANTS}", 3, "options takes names and values in { }, not 5"),
        (f"{MAZE}[entrant]\nbot = '4'", 3, "entrant takes tables: write [[entrant]] over each, not a table"),
        (f"[time]\nclock = 60\n{FINE}", 2, 'clock takes a text such as "1m" or "1m+1s", not 60'),
        (f"[time]\nmove = 60\n{FINE}", 2, 'move takes a text such as "200ms", "90s", "5m" or "1h", not 60'),
        (f'[time]\nmove = "0s"\n{FINE}', 2, 'move takes more time than "0s"'),
        (f'[time]\nclock = "0s+1s"\n{FINE}', 2, "leaves no time"),
        (f"[time]\nmoves = 5\n{FINE}", 2, "there is no clock"),
        (f'[time]\nbank = "1m"\n{FINE}', 2, "excludes clock"),
        (f'[time]\nclock = "1m"\nbank = "1m"\n{FINE}', 3, "excludes clock"),
        (f'{FINE}[stop]\nrule = "confidence"\nelo0 = 0\n', 9, "elo0 is for the rule sprt: confidence has only alpha"),
        (f'{FINE}[stop]\nrule = "confidence"\nbeta = 0.1\n', 9, "beta is for the rule sprt"),
        (f'[limits]\nponder = false\n{FINE}[[entrant]]\npeer = "{"ab" * 32}"\n', 2, "is for bots of this machine"),
        (f"at_once = 0\n{FINE}", 1, "from 1 to 10000, not 0: leave it out for as many as there are cores"),
        (f'seed = ""\n{FINE}', 1, 'seed takes a text such as "league 7", not ""'),
        (FINE.replace("maze", "barons"), 1, "Write seats = 2 under each [[game]]"),
        (FINE.replace('"maze"', '"barons"\nseats = 3'), 3, "this game is for 3 seats; 3"),
        (f'{MAZE}[[game]]\ngame = "barons"\nseats = 3\n{ENTRANTS}', 5, "here they are for 2 and for 3 seats"),
        *(
            (f'{MAZE}[[entrant]]\nbot = "{name}"\n{ENTRANTS}', 4, "there is no file")
            for name in ("x" * 400 + ".py", "./" + "x" * 400, "x" * 5000 + ".py:Bot")  # no file can be called so
        ),
        (f"seed = {'9' * 5000}\n{FINE}", 0, "not the TOML of a tournament: a number in it has too many digits"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_what_is_wrong_is_said_as_the_file_says_it(wrong: str, line: int, why: str) -> None:
    found = refused(wrong)
    assert (found[0], why in found[1]) == (line, True), found


def test_a_file_from_notepad_is_read(tmp_path: Path) -> None:
    """It begins with a byte order mark."""
    path = tmp_path / "league.toml"
    path.write_text('seed = "x"\n' + FINE, "utf-8-sig")
    assert read(path).seed == "x"


@pytest.mark.parametrize(
    ("entrant", "name"),
    [
        ("exec = 'sh bot.js chat --model gemma3 --moves'", "gemma3"),
        ("exec = 'sh bot.js'", "bot.js"),
        ("exec = 'sh --stack-size=900 deep/bot.js'", "bot.js"),
        ("exec = 'sh bot.js fast'", "bot.js fast"),
        ("exec = 'sh -e 1'", "sh -e 1"),
        (f"exec = 'sh bot.js {40 * 'x'}'", "bot.js"),
        (f"exec = './mybot {400 * 'x'}'", "mybot"),
        ("bot = './mybot bot.js'", "mybot bot.js"),
        ("bot = './mybot --fast'", "mybot --fast"),
        ("exec = 'python3 one.py'", "one.py"),
        ("bot = 'deep/one.py:Mine'", "one.py:Mine"),
        (f"bot = 'deep/{12 * 'deep'}.py'", 10 * "deep"),
    ],
)
def test_an_entrant_goes_by_the_file_that_it_names_without_folders(tmp_path: Path, entrant: str, name: str) -> None:
    (tmp_path / "deep").mkdir()
    for path in ("bot.js", "deep/bot.js", "mybot", "one.py", "deep/one.py", f"deep/{12 * 'deep'}.py"):
        (tmp_path / path).write_text("#!/bin/sh\n")
    (tmp_path / "mybot").chmod(0o755)
    rivals = "[[entrant]]\nexec = 'python3 deep/bot.js'\n" * ("bot.js" not in entrant) + "[[entrant]]\nbot = 'random'\n"
    plan = parse(f"{MAZE}[[entrant]]\n{entrant}\n{rivals}", str(tmp_path))
    assert plan.entrants[0].name == name


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
