"""A plan in the form of its file, for reports, and the differences of two plans.

Both are made from plain forms (plan.py), as journals hold them: defaults are written out.
"""

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Final

from quadrille.ai.tournament.plans.plan_keys import ADJUDICATE, ALL_LIMITS, OPENINGS, SPRT, STOP, TIME, PlanKey

#: Prefixes of headings that occur several times.
_ROWS: Final = ("game ", "entrant ")
_ABSENT: Final = "absent"

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
        mine, others = ([name for name in one if name.startswith(row)] for one in (now, then))
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
    found: dict[str, dict[str, Any]] = {
        "": {"seed": plain["seed"], "anchor": _name(plain, plain["anchor"])},
        "[format]": dict(plain["format"]),
        "[time]": _written(TIME, {**time, "move": None} if time["clock"] else time),
        "[adjudicate]": _written(ADJUDICATE, plain["adjudicate"]),
        "[limits]": _written(ALL_LIMITS, {**limits, "fresh": plain["fresh"], "ponder": plain.get("ponder", True)}),
    }
    if stop:
        who = {name: _name(plain, stop[name]) for name in ("entrant", "against")}
        found["[stop]"] = _written(
            [key for key in STOP if stop["rule"] == "sprt" or key.name not in SPRT], {**stop, **who}
        )
    if openings:
        made = ("file",) if openings["file"] else ("plies", "count", "balance", "fewer")
        found["[openings]"] = _written(OPENINGS, {name: openings[name] for name in made})
        found["[openings]"]["digest"] = openings["digest"]
    for game in plain["games"]:
        options = {f"options.{name}": value for name, value in game["options"].items()}
        found[_free(f"game {game['game']}", found)] = {"seats": game["seats"], **options}
    for entrant in entrants:
        own = {} if together else {f"limits.{name}": value for name, value in entrant["limits"].items()}
        found[_free(f"entrant {entrant['name']}", found)] = _program(entrant) | own
    texts = {
        heading: {name: toml(value) for name, value in section.items() if value not in (None, "")}
        for heading, section in found.items()
    }
    return {heading: section for heading, section in texts.items() if section}


def _written(keys: Iterable[PlanKey], data: Plain) -> dict[str, Any]:
    """Return the values of a table as its file has them."""
    return {key.name: key.write(data.get(key.field or key.name)) for key in keys}


def _program(row: Plain) -> dict[str, Any]:
    who = {"bot": row["bot"], "exec": shlex.join(row["words"]), "peer": row.get("peer"), "digest": row["digest"]}
    return who | {f"parameters.{name}": value for name, value in row.get("parameters", {}).items()}


def _name(plain: Plain, entrant: int | None) -> str | None:
    return None if entrant is None else str(plain["entrants"][entrant]["name"])


def _free(heading: str, taken: Mapping[str, object]) -> str:
    """Return the heading, with a number if it is taken."""
    numbered = (f"{heading} ({number})" for number in count(2))
    return heading if heading not in taken else next(name for name in numbered if name not in taken)


def toml(value: object) -> str:
    """Write a value as TOML, whose texts differ from JSON's by one letter."""
    match value:
        case bool() | str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case float():
            return short if float(short := f"{value:g}") == value else repr(value)
        case dict():
            return "{" + ", ".join(f"{toml_key(name)} = {toml(one)}" for name, one in value.items()) + "}"
    return str(value)


def toml_key(name: str) -> str:
    """Write a key of TOML, quoted where it has to be."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml(name)
