"""The games of a playtest on all cores, in the order of the plan, until their number or the time is reached.

Games are told in the order of the plan, whichever core has ended first. So one seed and one number give the same
games on any machine.
"""

import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, wait
from itertools import islice
from typing import Final

from quadrille.ai.tournament.play.farm import WorkerLost
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
            yield _one(plan.cells[place], place, number, seed, most)
        return
    waiting, workers = deque[tuple[int, int, Future[Trial]]](), Processes(processes)
    crew = workers.open()
    try:
        while True:
            ends = games is None and time.monotonic() >= until
            for place, number in islice(left, 0 if ends else processes * _AHEAD - len(waiting)):
                waiting.append((place, number, crew.submit(_one, plan.cells[place], place, number, seed, most)))
            if not waiting or (ends and not waiting[0][2].done()):
                return  # a game that is not ended in time is left out with all after it
            if wait([waiting[0][2]], _LOOK).done:
                place, number, told = waiting.popleft()
                try:
                    yield told.result()
                except WorkerLost as error:
                    yield Trial(place, number, broken=str(error))
    finally:
        workers.close(at_once=True)


def _one(cell: TrialCell, place: int, number: int, seed: str, most: int) -> Trial:
    return play(cell, place, number, seed, most)[0]
