"""How well placements keep their word: so many bots (200) are placed after 40 and after 120 games.

python -m extras.league.tests.bench_placements [N]
"""

import random
import statistics
import sys

from extras.league.tests.test_place import TRUTH, placement, rated_ladder, schedule_of, simulated, truth_of
from quadrille.extras.league.ladder.place import placed


def placements(bots: int) -> None:
    """Print a row for bots inside the ladder and above it, after as many games."""
    for above in (False, True):
        for games in (40, 120):
            held, errors, naive, bounds = 0, [], [], 0
            for number in range(bots):
                dice = random.Random(number)
                own = max(TRUTH) + dice.uniform(0, 500) if above else dice.uniform(100, 800)
                one = rated_ladder(dice, 3)
                names = ["new", *(rung.sample.name for rung in one.rungs)]
                schedule = schedule_of(placement(one, games // 8), names)
                found = placed(one, simulated(schedule, truth_of(one, own), dice), names)
                assert found is not None
                true = own - sum(TRUTH) / len(TRUTH) + one.mean
                held += found.low <= true <= found.high
                naive.append(found.elo - true)
                bounds += found.beyond != 0
                errors += [] if found.beyond else [found.elo - true]
            mean = f"{statistics.mean(errors):+.0f}" if errors else "none"
            print(
                f"{'0 to 500 above' if above else 'inside'}, {games} games, {bots} bots: held {held / bots:.3f}, "
                f"with a bound {bounds / bots:.2f}, mean error of numbers {mean}; of all, if all had one, "
                f"{statistics.mean(naive):+.0f}",
                flush=True,
            )


if __name__ == "__main__":
    placements(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
