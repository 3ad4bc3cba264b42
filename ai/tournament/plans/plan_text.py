"""A plan in the form of its file, for reports, and the differences of two plans.

Both are made from plain forms (plan.py), as journals hold them: defaults are written out.
"""

import shlex
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, Final

from quadrille.ai.tournament.plans.plan_keys import SPRT, TOP
from quadrille.ai.tournament.plans.plan_schema import toml

#: Prefixes of headings that occur several times.
_ROWS: Final = ("game ", "entrant ")
_ABSENT: Final = "absent"
#: The values that are numbers of entrants.
_ENTRANTS: Final = ("anchor", "entrant", "against")

Plain = Mapping[str, Any]
#: The tables of a file by heading; the given names with the texts of their values.
Sections = dict[str, dict[str, str]]


def written(plain: Plain) -> Iterator[tuple[str, str]]:
    """Yield row by row a heading and its content. Values at the top have their names as headings."""
    for heading, section in _sections(plain, together=_limited_alike(plain)).items():
        if heading:
            yield heading, ", ".join(f"{name} = {value}" for name, value in section.items())
        else:
            yield from section.items()


def differences(here: Plain, there: Plain) -> list[str]:
    """List the differences between a plan and the one of a journal, one line each."""
    together = _limited_alike(here) and _limited_alike(there)
    now, then = _sections(here, together=together), _sections(there, together=together)
    lines = []
    for heading in dict.fromkeys([*now, *then]):
        if heading.startswith(_ROWS) and not (heading in now and heading in then):
            lines.append(f"{heading} is new here" if heading in now else f"{heading} is not here any more")
        else:
            lines += _apart(heading, now.get(heading, {}), then.get(heading, {}))
    for row in _ROWS:
        mine, others = ([name for name in sections if name.startswith(row)] for sections in (now, then))
        if [name for name in mine if name in others] != [name for name in others if name in mine]:
            lines.append(f"the {row.strip()}s stand in another order here")
    if here["rules"] != there["rules"]:
        ours, theirs = map(_numbers, (here["rules"], there["rules"]))
        lines.append(f"the version of the rules is {ours} here and {theirs} there")
    rest = ", ".join(name for name in {**here, **there} if here.get(name) != there.get(name))
    return lines or ([f"another version of this program wrote {rest} otherwise"] if rest else [])


def _numbers(rules: int | Mapping[str, int]) -> str:
    """Write the rules version of all games, or one for each."""
    return str(rules) if isinstance(rules, int) else ", ".join(f"{number} of {key}" for key, number in rules.items())


def _apart(heading: str, now: Mapping[str, str], then: Mapping[str, str]) -> Iterator[str]:
    of = f" of {heading}" if heading else ""
    for name in dict.fromkeys([*now, *then]):
        here, there = now.get(name, _ABSENT), then.get(name, _ABSENT)
        if here != there and name == "digest":
            yield f"the files of {heading} are not what they were ({here} here, {there} there)"
        elif here != there:
            yield f"{name}{of} is {here} here and {there} there"


def _limited_alike(plain: Plain) -> bool:
    """Return whether all programs have the same limits, which then have a table of their own."""
    return all(entrant["limits"] == plain["entrants"][0]["limits"] for entrant in plain["entrants"])


def _sections(plain: Plain, *, together: bool) -> Sections:
    """Return all tables of a plan. Its limits have a table if `together`, or else stand with each entrant."""
    entrants, time, stop, openings = plain["entrants"], plain["time"], plain["stop"], plain.get("openings")
    limits = dict(entrants[0]["limits"]) if together else {}
    unsaid = SPRT if stop and stop["rule"] != "sprt" else ()
    tables = {
        "time": {**time, "move": None} if time["clock"] else time,
        "adjudicate": plain["adjudicate"],
        "limits": {**limits, "fresh": plain["fresh"], "ponder": plain.get("ponder", True)},
        "stop": stop and {name: value for name, value in _named(plain, stop).items() if name not in unsaid},
        "openings": {"file": openings["file"]} if openings and openings["file"] else openings,
    }
    sections: dict[str, dict[str, Any]] = {"": _named(plain, {"seed": plain["seed"], "anchor": plain["anchor"]})}
    sections["[format]"] = dict(plain["format"])
    sections |= {f"[{key.name}]": key.write(tables[key.name]) for key in TOP if tables.get(key.name)}
    if openings:
        sections["[openings]"]["digest"] = openings["digest"]
    for game in plain["games"]:
        options = {f"options.{name}": value for name, value in game["options"].items()}
        sections[_free(f"game {game['game']}", sections)] = {"seats": game["seats"], **options}
    for entrant in entrants:
        own = {} if together else {f"limits.{name}": value for name, value in entrant["limits"].items()}
        sections[_free(f"entrant {entrant['name']}", sections)] = _program(entrant) | own
    texts = {
        heading: {name: toml(value) for name, value in section.items() if value not in (None, "")}
        for heading, section in sections.items()
    }
    return {heading: section for heading, section in texts.items() if section}


def _program(row: Plain) -> dict[str, Any]:
    who = {"bot": row["bot"], "exec": shlex.join(row["words"]), "peer": row.get("peer"), "digest": row["digest"]}
    return who | {f"parameters.{name}": value for name, value in row.get("parameters", {}).items()}


def _named(plain: Plain, row: Plain) -> dict[str, Any]:
    """Return a row with the names of its entrants in place of their numbers."""
    names = {number: entrant["name"] for number, entrant in enumerate(plain["entrants"])}
    return {name: names.get(value) if name in _ENTRANTS else value for name, value in row.items()}


def _free(heading: str, taken: Mapping[str, object]) -> str:
    """Return the heading, with a number if it is taken."""
    numbered = (f"{heading} ({number})" for number in count(2))
    return heading if heading not in taken else next(name for name in numbered if name not in taken)
