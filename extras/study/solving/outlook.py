"""The outlook of a proof that is too large: about how many positions it takes, and where in a game one is possible.

Both come from some games of weak players. Each is proven backwards from its end as far as the effort goes. The number
of positions grows with the product of the numbers of legal moves, to some power: the power of the proven part is
taken for the rest. The estimate is too high rather than too low, often by a factor of ten. It is counted, not timed:
the same position has the same outlook.
"""

import math
from dataclasses import dataclass
from statistics import median
from typing import Final

from quadrille.rules.dice import Dice
from quadrille.rules.search import Position, Proof, TreeSearch

#: The number of games, and the maximum of simulations for each move of them.
GAMES: Final = 5
SIMULATIONS: Final = 20
#: Maximum positions for all games, and the entries of a table for them.
MOST: Final = 200_000
PLACES: Final = 1 << 18
#: The greatest power of ten.
MOST_POWER: Final = 99


@dataclass(frozen=True, slots=True)
class Outlook:
    """About 10 to the `power` positions; in games like those tried, a proof is possible after so many `moves`."""

    power: int
    moves: int


def outlook(position: Position, seat: int, effort: int) -> Outlook:
    """Estimate what the proof of a seat's payoff takes, where `effort` positions have not been enough."""
    proof = Proof(position, PLACES, seat=seat)
    simulations = max(1, min(SIMULATIONS, effort // 1000))
    left = min(effort, MOST) // GAMES
    games = [_backwards(proof, _played(position, Dice(seed), simulations), left) for seed in range(GAMES)]
    power = max(median(power for power, _ in games), math.log10(2 * effort))
    return Outlook(min(round(power), MOST_POWER), round(median(moves for _, moves in games)))


def _played(position: Position, dice: Dice, simulations: int) -> list[tuple[Position, int]]:
    """Play a game; return its positions at each turn, and the number of moves there."""
    found = []
    trial = position.copy()
    while not trial.over:
        found.append((trial.copy(), len(trial.moves())))
        search = TreeSearch(trial, dice.below(1 << 30))
        search.go_on(simulations)
        for step in search.turn():
            trial.apply_quickly(step)
    return found


def _backwards(proof: Proof, game: list[tuple[Position, int]], most: int) -> tuple[float, int]:
    """Prove a game backwards; return the power of ten, and the number of moves before the first position that was
    proven.
    """
    seen, spent, first = 0.0, 1, len(game)
    for number in range(len(game) - 1, -1, -1):
        position, moves = game[number]
        proof.stand(position)
        before = proof.positions
        if spent >= most or proof.go_on(most - spent):
            break
        spent += proof.positions - before
        seen, first = seen + math.log10(moves), number
    whole = sum(math.log10(moves) for _, moves in game)
    return (math.log10(spent) * whole / seen if seen else whole), first
