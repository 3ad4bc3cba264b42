"""The documentation of a tournament's file is made from its keys.

    python -m tests.ai.tournament.test_plan_keys

prints the tables for docs/protocols/tournaments.md.
"""

from collections.abc import Iterable

import pytest

from quadrille.ai.bots.local import Adjudication
from quadrille.ai.bots.process.program import Limits
from quadrille.ai.tournament.plans import plan_keys
from quadrille.ai.tournament.plans.openings import Openings
from quadrille.ai.tournament.plans.plan import Stop, Time
from quadrille.ai.tournament.plans.plan_file import PlanError, parse
from quadrille.ai.tournament.plans.plan_schema import PlanKey, keys_of
from quadrille.ai.tournament.schedules.meetings import Gauntlet, RoundRobin
from quadrille.ai.tournament.schedules.swiss import Swiss
from quadrille.net.core.spans import written
from tests.ai.tournament.test_plan_file import ENTRANTS, FINE, MAZE
from tests.documents import chapter

FORMATS = {"round robin": RoundRobin, "gauntlet": Gauntlet, "swiss": Swiss}
KEYS = {key.name: key.keys for key in plan_keys.TOP if key.keys}
TABLES: dict[str, Iterable[tuple[str, PlanKey]]] = {
    "Top": [("", key) for key in plan_keys.FIRST],
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
            return f"`{written(key.usual)}`"
        case "flag":
            return str(key.usual).lower()
        case "fraction":
            return f"{key.usual:g}"
        case "number" if key.usual:
            return f"{key.usual:g}"
    return key.absent or (key.usual if isinstance(key.usual, str) else "")


def table(keys: Iterable[tuple[str, PlanKey]]) -> str:
    rows = [f"| `{key.name}` | {prefix}{key.help} | {takes(key)} | {absent(key)} |" for prefix, key in keys]
    return "\n".join(["| key | what it is | takes | if absent |", "| --- | --- | --- | --- |", *rows, ""])


@pytest.mark.parametrize("heading", TABLES)
def test_the_tables_of_keys_are_those_of_the_file(heading: str) -> None:
    _, _, after = chapter("tournaments").partition(f"\n### {heading}")
    assert table(TABLES[heading]) in after.partition("\n### ")[0]


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


if __name__ == "__main__":
    for heading, keys in TABLES.items():
        print(f"### {heading}\n\n{table(keys)}")
