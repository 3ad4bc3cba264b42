"""Entrants that come or go after games of a tournament were played: nothing that was played is played again.

The journal never forgets an entrant, because its games name entrants by their places. One that is not in the file any
more is `out`: its games are kept, and neither played nor counted, until it is in the file again. A new one comes last.
Specification: docs/protocols/tournaments.md, "Entrants that come or go".
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan import Plan, plan_of

#: The formats whose tables do not depend on results.
PLANNED: Final = ("round robin", "gauntlet")
#: Parts of a plan that entrants who come or go may change.
_FREE: Final = ("entrants", "format", "stages", "out")


def grown(plan: Plan, there: Mapping[str, Any]) -> Plan:
    """The plan of a file as it continues that of a journal; the same plan if it does not, or has the same entrants."""
    here = plan.plain()
    old, new = [row["name"] for row in there["entrants"]], [row["name"] for row in here["entrants"]]
    come = [name for name in new if name not in old]
    before = [old[entrant] for entrant in there.get("out", ())]
    kept = [name for name in old if name in new]
    if [name for name in new if name in old] != kept or not kept:
        return plan
    if kept == old and not come and not there.get("stages"):
        return plan
    begun = plan_of(there, plan.folder)
    newcomers = [entrant for entrant in plan.entrants if entrant.name in come]
    ours = {entrant.name: entrant for entrant in plan.entrants}
    entrants = (*(ours.get(entrant.name, entrant) for entrant in begun.entrants), *newcomers)
    where = {entrant.name: number for number, entrant in enumerate(entrants)}
    out = tuple(where[name] for name in old if name not in new)
    merged = replace(
        plan,
        entrants=entrants,
        out=out,
        anchor=None if plan.anchor is None else where[new[plan.anchor]],
        stages=_stages(plan, there, len(entrants)),
    )
    stop = plan.stop
    if stop is not None:
        against = None if stop.against is None else where[new[stop.against]]
        merged = replace(merged, stop=replace(stop, entrant=where[new[stop.entrant]], against=against))
    gone = [old[entrant] for entrant in out]
    changed = bool(come) or gone != before
    # who is the other of two depends on who is there
    test = {"stop": there["stop"]} if changed and stop is not None and there["stop"] else {}
    if not continues(merged.plain() | test, there):
        return plan
    if changed:
        _check(merged, there, [*come, *(name for name in old if (name in gone) != (name in before))])
    return merged


def _stages(plan: Plan, there: Mapping[str, Any], entrants: int) -> tuple[tuple[int, int], ...]:
    """The stages of growth, with this one."""
    cycles = getattr(plan.format, "cycles", 0)
    begun = tuple((many, often) for many, often in there.get("stages", ()))
    if not begun and entrants == len(there["entrants"]):
        return ()
    begun = begun or ((len(there["entrants"]), there["format"].get("cycles", 0)),)
    return begun if begun[-1] == (entrants, cycles) else (*begun, (entrants, cycles))


def continues(here: Mapping[str, Any], there: Mapping[str, Any]) -> bool:
    """Whether a plan differs from that of a journal by entrants that come or go, and perhaps by more cycles."""
    same = [{name: value for name, value in one.items() if name not in _FREE} for one in (here, there)]
    shape, other = here["format"], there["format"]
    longer = shape.get("cycles", 0) >= other.get("cycles", 0) and {**shape, "cycles": 0} == {**other, "cycles": 0}
    return same[0] == same[1] and longer and list(here["entrants"][: len(there["entrants"])]) == there["entrants"]


def _check(merged: Plan, there: Mapping[str, Any], changed: Sequence[str]) -> None:
    """Refuse entrants that come or go where that would not be the same tournament any more."""
    kind, names = there["format"]["kind"], ", ".join(changed)
    if kind not in PLANNED:
        a = f"a {kind} tournament" if kind == "swiss" else f"a {kind}"
        why = f"{a} draws its tables from the results of all its entrants, so with others it is another one"
    elif merged.stop is not None:
        why = "the test of [stop] holds only for the entrants with which it began"
    elif kind == "gauntlet" and any(entrant < there["format"]["seeds"] for entrant in merged.out):
        why = "the seeds of a gauntlet, the first of its file, meet all others and can't go"
    else:
        return
    raise TournamentError(
        f"nobody can come or go here ({names}): {why}. Make the file what it was, or name another file, whose "
        "tournament begins afresh"
    )


def changes(plan: Plan, there: Mapping[str, Any]) -> list[str]:
    """A sentence about each entrant that has come or gone since the last run."""
    before = {there["entrants"][entrant]["name"] for entrant in there.get("out", ())}
    old = {row["name"] for row in there["entrants"]}
    gone = {plan.entrants[entrant].name for entrant in plan.out}
    found = []
    for entrant in plan.entrants:
        if entrant.name not in old:
            found.append(f"{entrant.name} is new here: only its games are played")
        elif entrant.name in before - gone:
            found.append(f"{entrant.name} is back: its kept games count again")
        elif entrant.name in gone - before:
            found.append(f"{entrant.name} is in the file no more: its games are kept, and do not count")
    return found
