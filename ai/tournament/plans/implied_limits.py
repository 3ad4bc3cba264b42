"""The limits of bots whose isolation is required, where the plan names none: no stranger's bot runs without.

They depend on the machine, so they are no part of the plan's identity. Specification: docs/protocols/tournaments.md.
"""

import os
from dataclasses import replace
from typing import Final

from quadrille.ai.bots.process.program import Limits
from quadrille.ai.tournament.plans.plan import Entrant, Plan

#: The share of the memory that all bots may use at once: the rest is for the runner, its workers and the kernel.
_SHARE: Final = 0.75
#: Minimum MiB. Java starts with 100; fewer would lose games that nobody had to lose.
_LEAST: Final = 128
#: Processes and threads, and more for each core: Java starts about 30 threads on 2 cores, and 110 on 64.
_PROCESSES, _EACH_CORE = 64, 2


def with_limits(plan: Plan, at_once: int, kept: int) -> tuple[Plan, str]:
    """Return a plan whose required boxes have limits, and a sentence about those that the plan lacks ("": none).

    `at_once`: games at a time; `kept`: programs that a worker keeps.
    """
    strangers = {one for one in plan.entrants if one.limits.isolate == "required" and not one.peer}
    programs = at_once * min(len(plan.entrants), max(kept, *(contest.seats for contest in plan.contests)))
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20 if hasattr(os, "sysconf") else 0
    usual = Limits(max(_LEAST, int(_SHARE * total / programs)), None, _PROCESSES + _EACH_CORE * (os.cpu_count() or 1))
    words = {"memory": f"{usual.memory} MiB ({programs} may run at once)", "processes": f"{usual.processes} processes"}
    open_ones = [word for name, word in words.items() if any(getattr(one.limits, name) is None for one in strangers)]
    sentences = (
        [f"each bot for which [limits] says nothing else may have {' and '.join(open_ones)}"] if open_ones else []
    )
    if plan.ponder and any(one.limits.cpu is None for one in strangers):
        sentences.append("bots may compute while others are to move ([limits] ponder = false)")

    def limited(one: Entrant) -> Entrant:
        memory, processes = one.limits.memory or usual.memory, one.limits.processes or usual.processes
        return replace(one, limits=replace(one.limits, memory=memory, processes=processes)) if one in strangers else one

    reason = f"isolation is required: {'; '.join(sentences)}" if sentences else ""
    return replace(plan, entrants=tuple(map(limited, plan.entrants))), reason
