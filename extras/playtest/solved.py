"""Small boards of a game, solved: who wins if nobody errs, with the prover of `quadrille solve`."""

from collections.abc import Mapping
from typing import Any, Final

from quadrille.extras.playtest.plan import fits, named, size_options
from quadrille.extras.playtest.trials import where
from quadrille.rules.core import Game
from quadrille.rules.options import Value
from quadrille.rules.search import Position

#: Maximum positions of a proof, and of proofs that fail.
POSITIONS: Final = 60_000
_FAILURES: Final = 2
_RESULTS: Final = {1: "player 1 wins", 0: "the first place is shared", -1: "player 2 wins"}


def solved(game: Game[Any, Any], options: Mapping[str, Value]) -> list[str]:
    """Solve boards of all sizes, from the smallest to the one that was asked for, until they are too large."""
    if game.hidden or game.dealt:
        return ["Chance decides with the players, so no board can be solved"]
    if 2 not in game.seats:
        return []
    boards, failures, tried = dict[str, list[str]](), 0, list[dict[str, int]]()
    most = {spec.name: int(options[spec.name]) for spec in size_options(game, options, 2)}
    sides = range(2, max(most.values(), default=2) + 1)
    for side, other in ((length, less) for length in sides for less in (length - 1, length)):
        sizes = {name: min(size, other if at else side) for at, (name, size) in enumerate(most.items())}
        if failures == _FAILURES or sizes in tried or not fits(game, {**options, **sizes}, 2):
            continue
        tried.append(sizes)
        try:
            result = Position.start(game, {**options, **sizes}, 2).prove(POSITIONS)
            told = _RESULTS[result.value] if result.certain else ""
        except Exception as error:  # noqa: BLE001 - a game of today may do anything
            told = f"the proof breaks, {where(error)}"
        failures = failures + 1 if not told else 0
        boards.setdefault(told, []).append(f"`{named(sizes)}`" if sizes else "the usual options")
    return [f"With two seats that do not err {told}: {', '.join(rows)}" for told, rows in boards.items() if told]
