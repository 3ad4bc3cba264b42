"""The games of a playtest on all cores, in the order of the plan, until their number or the time is reached.

Games are told in the order of the plan, whichever core has ended first. So one seed and one number give the same
games on any machine.
"""

import time
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Final

from quadrille.ai.tournament.play.farm import Farm, Lost
from quadrille.ai.tournament.play.processes import Processes
from quadrille.extras.playtest.plan import TrialPlan
from quadrille.extras.playtest.trials import Trial, TrialCell, play

#: Games that are given out before their turn, for each process; seconds between two looks at the clock.
_AHEAD: Final = 3
_LOOK: Final = 0.2


def run(plan: TrialPlan, seed: str, most: int, *, games: int | None, seconds: float, processes: int) -> Iterator[Trial]:
    """Play that many games, or for that time; a game is broken off after `most` moves."""
    until = time.monotonic() + seconds
    left = islice(plan.games(), games)
    if processes == 1:
        for place, number in left:
            if games is None and time.monotonic() >= until:
                return
            yield _one((plan.cells[place], place, number, seed, most))
        return
    waiting, told, farm = deque[tuple[int, int]](), dict[tuple[int, int], Trial](), Farm(Processes(processes))
    try:
        while True:
            while waiting and waiting[0] in told:
                yield told.pop(waiting.popleft())
            ends = games is None and time.monotonic() >= until
            for place, number in islice(left, 0 if ends else processes * _AHEAD - len(waiting)):
                waiting.append((place, number))
                farm.submit(_one, (plan.cells[place], place, number, seed, most))
            if not waiting or ends:
                return  # a game that is not ended in time is left out with all after it
            for (_, place, number, *_), end in farm.ended(_LOOK):
                told[place, number] = Trial(place, number, broken=end.why) if isinstance(end, Lost) else end
    finally:
        farm.close(at_once=True)


def _one(given: tuple[TrialCell, int, int, str, int]) -> Trial:
    return play(*given)[0]
