"""A plan in the words of its file: what a report shows, and in what two plans differ."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.ai.bots.process.program import Limits
from quadrille.ai.tournament.plans.plan import Entrant, Plan
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.plans.plan_text import differences, written
from tests.ai.tournament.programs import file, three

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


def test_another_version_of_the_rules_is_told() -> None:
    there = plan().plain() | {"rules": 1}
    here = plan().plain() | {"rules": 2}
    assert differences(here, there) == ["the version of the rules is 2 here and 1 there"]


def test_whatever_differs_is_told() -> None:
    """Also what this version knows nothing of: no journal is gone on with that was begun otherwise."""
    assert differences(plan().plain(), plan().plain() | {"weather": "fine"}) == [
        "another version of this program wrote weather otherwise"
    ]


def test_a_report_shows_the_file() -> None:
    rows = dict(written(plan(("1m+1s", "90s")).plain()))
    assert rows["seed"] == '"spring"' and rows["anchor"] == '"greedy"'
    assert rows["[format]"] == 'kind = "round robin", cycles = 20'
    assert rows["[time]"] == 'clock = "90s+0s", margin = "50ms"'
    assert rows["[limits]"] == "memory = 300"
    assert rows["game maze"].startswith("seats = 2, options.size = 5")
    assert rows["entrant greedy"] == 'bot = "greedy"'
    assert "[stop]" not in rows and "[adjudicate]" not in rows


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
    ("form", "seeds", "who", "cycles"),
    [("", 0, "5 entrants", 3), ('kind = "gauntlet"\n', 1, "4 challengers", 4)],
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
