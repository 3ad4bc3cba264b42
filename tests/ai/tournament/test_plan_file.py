"""A tournament's file: what it says, what it is refused for, in which line, and what its author is told."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.ai.bots.local import Adjudication
from quadrille.ai.bots.process.program import Limits
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans import plan_keys
from quadrille.ai.tournament.plans.openings import Openings
from quadrille.ai.tournament.plans.plan import Entrant, Plan, Stop, Time, plan_of
from quadrille.ai.tournament.plans.plan_file import PlanError, parse, read
from quadrille.ai.tournament.plans.plan_schema import PlanKey, keys_of
from quadrille.ai.tournament.plans.plan_text import differences, written
from quadrille.ai.tournament.schedules.meetings import Gauntlet, RoundRobin
from quadrille.ai.tournament.schedules.swiss import Swiss
from quadrille.client.tournament.tables import standing_of, text
from quadrille.net.core import spans
from quadrille.net.entries.terms import TimeControl
from tests.ai.tournament.programs import THREE, file, play, program, three, write_file
from tests.documents import block, chapter

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
    banked = Time(move=1000, period=5, bank=60_000, work=7)
    assert str(banked) == "1s a move, 5 moves a period, 1m in the bank, work 7 a move"
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
    ("wrong", "line", "why"),
    [
        ("", 0, "a tournament needs a game"),
        (MAZE, 0, "2 seats need as many entrants"),
        (f"{MAZE}seats = 3", 3, "is for 2 seats, not 3"),
        (f"entrant = 7\n{MAZE}", 1, "entrant takes tables: write [[entrant]] over each"),
        ("a = " + "[" * 100_000, 0, "not the TOML"),
        (f'[format]\nkind = "swiss"\n{FINE}', 1, "rounds is missing: it takes a whole number from 1 to 1000000000"),
        (FINE + "[what]\n", 7, '"what" means nothing here: there are seed, '),
        (FINE + 'exc = "node"\n', 7, "did you mean exec?"),
        (FINE + 'seed = "x"\n', 7, '"seed" means nothing here: it belongs at the top, before the first table'),
        (f"[time]\nat_once = 2\n{FINE}", 2, "it belongs at the top, before the first table"),
        (f"[format]\ncycles = 0\n{FINE}", 2, "cycles takes a whole number from 1 to 1000000000, not 0"),
        (f"[format]\ncycles = {9**20}\n{FINE}", 2, "from 1 to 1000000000, not a huge number"),
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
    with pytest.raises(PlanError, match=re.escape(why)) as caught:
        parse(wrong, ".")
    assert caught.value.line == line


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


# A plan in the words of its file: what a report shows, and in what two plans differ


TEXT = """\
seed = "spring"
anchor = "greedy"
[format]
cycles = 20
[time]
clock = "1m+1s"
[limits]
memory = 300
[[game]]
game = "maze"
options = {size = 5}
[[entrant]]
bot = "greedy"
[[entrant]]
bot = "random"
"""


def plan(*changes: tuple[str, str]) -> Plan:
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return parse(text, ".")


def apart(here: Plan, there: Plan) -> list[str]:
    """As a journal tells it, whose plan has been JSON."""
    return differences(here.plain(), json.loads(json.dumps(there.plain())))


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("memory = 300", "memory = 500", ["memory of [limits] is 500 here and 300 there"]),
        ("[limits]\nmemory = 300\n", "", ["memory of [limits] is absent here and 300 there"]),
        ("memory = 300", "memory = 300\nfresh = true", ["fresh of [limits] is true here and absent there"]),
        ("cycles = 20", "cycles = 30", ["cycles of [format] is 30 here and 20 there"]),
        ("1m+1s", "2m", ['clock of [time] is "2m+0s" here and "1m+1s" there']),
        ('seed = "spring"\n', "", ['seed is absent here and "spring" there']),
        ('anchor = "greedy"', 'anchor = "random"', ['anchor is "random" here and "greedy" there']),
        ("size = 5", "size = 4", ["options.size of game maze is 4 here and 5 there"]),
        ("[[game]]", "[stop]\nelo1 = 30\n[[game]]", [
            'rule of [stop] is "sprt" here and absent there',
            'entrant of [stop] is "greedy" here and absent there',
            'against of [stop] is "random" here and absent there',
            "elo0 of [stop] is 0 here and absent there",
            "elo1 of [stop] is 30 here and absent there",
            "alpha of [stop] is 0.05 here and absent there",
            "beta of [stop] is 0.05 here and absent there",
        ]),
        ('bot = "random"', 'bot = "random"\n[[entrant]]\nbot = "mcts:1"', ["entrant mcts:1 is new here"]),
        ('bot = "random"', 'bot = "random"\nlimits = {cpu = 9}', [
            "limits.cpu of entrant random is 9 here and absent there",
        ]),
        ('bot = "random"', 'bot = "2"', ["entrant 2 is new here", "entrant random is not here any more"]),
        ('bot = "greedy"\n[[entrant]]\nbot = "random"', 'bot = "random"\n[[entrant]]\nbot = "greedy"', [
            "the entrants stand in another order here",
        ]),
    ],
)  # fmt: skip
def test_differences_are_told_in_the_words_of_the_file(old: str, new: str, lines: list[str]) -> None:
    assert apart(plan((old, new)), plan()) == lines
    assert apart(plan(), plan()) == []


def test_a_program_that_was_changed_is_named(tmp_path: Path) -> None:
    text = file(three(tmp_path))
    there = parse(text, str(tmp_path))
    (tmp_path / "first.py").write_text("another")
    here = parse(text, str(tmp_path))
    old, new = there.entrants[0].digest, here.entrants[0].digest
    assert apart(here, there) == [f'the files of entrant first are not what they were ("{new}" here, "{old}" there)']


def test_whatever_differs_is_told() -> None:
    """Also what this version knows nothing of: no journal is gone on with that was begun otherwise."""
    plain = plan().plain()
    assert differences(plain | {"rules": 2}, plain | {"rules": 1}) == ["the version of the rules is 2 here and 1 there"]
    assert differences(plain, plain | {"weather": "fine"}) == [
        "another version of this program wrote weather otherwise"
    ]


def test_what_a_report_shows_can_be_put_into_a_file(tmp_path: Path) -> None:
    three(tmp_path)
    more = '[time]\nmove = "2s"\nbank = "1m"\n[stop]\nrule = "confidence"\nentrant = "first"\n[adjudicate]\ndraws = 9\n'
    text = file(("first", "last"), more=more, form='kind = "swiss"\nrounds = 3')
    begun = parse(
        text.replace("{size = 3}", "{size = 3}\n[[game]]\ngame = 'maze'\noptions = {size = 4}"), str(tmp_path)
    )
    lines = []
    for heading, row in written(begun.plain()):
        kind, _, name = heading.partition(" ")
        row = row.partition(", digest")[0] if kind == "entrant" else row
        match kind:
            case "game":
                lines += ["[[game]]", f'game = "{name.split()[0]}"', *row.split(", ")]
            case "entrant":
                lines += ["[[entrant]]", f'name = "{name}"', row]
            case _ if heading.startswith("["):
                lines += [heading, *row.split(", ")]
            case _:
                lines.append(f"{heading} = {row}")
    assert parse("\n".join(lines), str(tmp_path)).plain() == begun.plain()


def five(form: str, seats: int) -> Plan:
    names = "".join(f'[[entrant]]\nbot = "{level}"\n' for level in range(1, 6))
    return parse(f'[format]\n{form}\n[[game]]\ngame = "barons"\nseats = {seats}\n{names}', ".")


def played(plan: Plan) -> list[int]:
    fixtures = (fixture for block in iter(plan.schedule().next, None) for fixture in block.fixtures)
    games = Counter(entrant for fixture in fixtures for entrant in fixture.seats)
    return [games[entrant] for entrant in range(len(plan.entrants))]


@pytest.mark.parametrize(
    ("form", "seeds", "who", "cycles"), [("", 0, "5 entrants", 3), ('kind = "gauntlet"\n', 1, "4 challengers", 4)]
)
def test_what_does_not_come_out_even_says_so(form: str, seeds: int, who: str, cycles: int) -> None:
    odd, even = (five(f"{form}cycles = {number}", 4) for number in (1, cycles))
    assert odd.uneven() == (
        f"{who} at tables of 4 do not come out even: some of them play more games than others. "
        f"With cycles = {cycles} all of them play as many."
    )
    assert len(set(played(odd)[seeds:])) == 2
    assert even.uneven() == "" and len(set(played(even)[seeds:])) == 1
    assert five(f"{form}cycles = 7", 2).uneven() == "" == five('kind = "swiss"\nrounds = 3', 4).uneven()


def test_how_to_find_out_more_of_a_bot(tmp_path: Path) -> None:
    """The same words, whoever types them wherever, with the same limits in the same box."""
    assert Entrant("", "my bot.py:B").hint("/x") == " (quadrille bot check 'my bot.py:B' finds out more)"
    node = Entrant("", words=("node", "bot.js"), limits=Limits(memory=300))
    assert node.hint("/x") == " (quadrille bot check --exec 'node bot.js' --limit memory=300 finds out more)"
    (tmp_path / "bot.js").touch()
    assert f"--exec 'node {tmp_path / 'bot.js'}' --limit memory=300" in node.hint(str(tmp_path))
    loose = replace(node, limits=Limits(isolate="none"))
    assert "--isolate none" in loose.hint("/x")
    assert Entrant("", peer="a1" * 32).hint("/x") == ""


# The documentation of a tournament's file is made from its keys: python -m tests.ai.tournament.test_plan_file prints
# the table for docs/protocols/tournaments.md.


FORMATS = {"round robin": RoundRobin, "gauntlet": Gauntlet, "swiss": Swiss}
KEYS = {key.name: key.keys for key in plan_keys.TOP if key.keys}
TABLES: dict[str, Iterable[tuple[str, PlanKey]]] = {
    "the top": [("", key) for key in plan_keys.FIRST],
    "`[format]`": [
        ("", plan_keys.KIND),
        *((f"{kind}: ", key) for kind, shape in FORMATS.items() for key in keys_of(shape)),
    ],
    **{
        (f"`[[{name}]]`" if name in ("game", "entrant") else f"`[{name}]`"): [("", key) for key in keys]
        for name, keys in KEYS.items()
    },
}
SECTIONS = ("time", "adjudicate", "limits", "openings")


def takes(key: PlanKey) -> str:
    match key.kind:
        case "number":
            return f"{key.least} or more" if key.most == 10**9 else f"{key.least} to {key.most}"
        case "span" | "clock":
            return "time"
        case "table" | "numbers":
            return "`{ }`"
        case "fraction":
            return "number" if key.most > 1 else f"{key.least} to {key.most}"
    return key.takes.removeprefix("a ")


def absent(key: PlanKey) -> str:
    if key.needed:
        return "*it has to be there*"
    match key.kind:
        case "span" if key.usual:
            return f"`{spans.written(key.usual)}`"
        case "flag":
            return str(key.usual).lower()
        case "fraction":
            return f"{key.usual:g}"
        case "number" if key.usual:
            return f"{key.usual:g}"
    return key.absent or (key.usual if isinstance(key.usual, str) else "")


def table() -> str:
    rows = [
        f"| {section} | `{key.name}` | {prefix}{key.help} | {takes(key)} | {absent(key)} |"
        for section, keys in TABLES.items()
        for prefix, key in keys
    ]
    return "\n".join(["| section | key | what it is | takes | if absent |", "| --- | --- | --- | --- | --- |", *rows])


def test_the_table_of_keys_is_that_of_the_file() -> None:
    assert f"\n{table()}\n\n" in chapter("tournaments")


@pytest.mark.parametrize("heading", SECTIONS)
def test_each_key_refuses_what_is_of_another_kind_or_beyond_its_limits(heading: str) -> None:
    for key in KEYS[heading]:
        wrong = {"number": ["'1'", "true", "-1", "1.5"], "fraction": ["'1'", "nan", "true"]}.get(key.kind, ["7", "[]"])
        for value in wrong:
            with pytest.raises(PlanError, match=f"^{key.name} takes ") as refused:
                parse(f"[{heading}]\n{key.name} = {value}\n{MAZE}{ENTRANTS}", ".")
            assert refused.value.line == 2


@pytest.mark.parametrize("heading", SECTIONS)
def test_a_key_may_be_written_as_it_is_when_absent(heading: str) -> None:
    for key in KEYS[heading]:
        if key.kind in ("number", "flag", "choice", "fraction") and key.usual is not None:
            value = f'"{key.usual}"' if key.kind == "choice" else str(key.usual).lower()
            section = f"[{heading}]\n"
            assert parse(f"{section}{key.name} = {value}\n{FINE}", ".") == parse(section + FINE, ".")


def test_what_is_absent_is_what_a_plan_without_a_file_has() -> None:
    plan = parse(f"[time]\n[limits]\n[openings]\n[stop]\n[adjudicate]\n{FINE}", ".")
    assert (plan.time, plan.openings, plan.stop) == (Time(), Openings(), Stop("sprt", 0, 1))
    assert (plan.umpire, plan.entrants[0].limits, plan.format) == (Adjudication(), Limits(), RoundRobin())


# Entrants that are given values for the numbers that they declare


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


if __name__ == "__main__":
    print(table())
