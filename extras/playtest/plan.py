"""The plan of a playtest: which games are played, and in which order, for as long as there is time.

About a half of the games is the table as it was asked for, at equal levels and at levels that differ by one. In the
rest one option is changed, or one seat forgoes a kind of move. The order is a cycle, so that a run of any length has
all of them in the same proportions.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

from quadrille.extras.playtest.trials import MEMORY, RANDOM, UNFINISHED, TrialCell, dice_of, play
from quadrille.rules.core import Game
from quadrille.rules.errors import RulesError
from quadrille.rules.options import Spec, Value

#: Games of random moves that are tried first.
PILOTS: Final = 12
#: The factors of a smaller and a larger board, and the maximum kinds of moves that a seat forgoes.
_SMALLER, _LARGER = 0.7, 1.4
_KINDS: Final = 6


@dataclass(frozen=True, slots=True)
class TrialPlan:
    """The cells, the table as it was asked for first, and their order in a cycle. Random games have shown the `kinds`
    of moves, the most frequent first, and whether the game `ends`.
    """

    cells: tuple[TrialCell, ...]
    order: tuple[int, ...]
    kinds: tuple[str, ...]
    ends: bool

    def games(self) -> Iterator[tuple[int, int]]:
        """Yield the games without end: the place of a cell, and the number of the game there."""
        played = [0] * len(self.cells)
        for at in count():
            place = self.order[at % len(self.order)]
            yield place, played[place]
            played[place] += 1


def plan(game: Game[Any, Any], options: Mapping[str, Value], seats: int, level: int, seed: str, most: int) -> TrialPlan:
    """Plan the games for a table, at `level` and at all levels below it."""
    whole = game.start(options, seats).options.plain()
    randomly = TrialCell("self", game.key, whole, seats, RANDOM)
    kinds, ends = _pilot(randomly, seed, most)
    if not ends:
        return TrialPlan((randomly,), (0,), kinds, ends)

    def cell(name: str, changed: Mapping[str, Value], own: int = level, **odd: Any) -> TrialCell:
        return TrialCell(name, game.key, {**whole, **changed}, seats, own, **odd)

    base = [cell("self", {}), *(cell(f"self {lower}", {}, lower) for lower in range(level - 1, 0, -1))]
    more, sizes = list[TrialCell](), size_options(game, whole, seats)
    if seats > 1:
        base += [cell(f"ladder {lower}", {}, lower, other=lower + 1) for lower in range(1, level)]
        more += [cell(f"without {kind}", {}, without=kind) for kind in (kinds[:_KINDS] if len(kinds) > 1 else ())]
        more += [cell("memory", {}, without=MEMORY)] * game.hidden
    for factor in (_SMALLER, _LARGER):
        changed = {spec.name: round(factor * int(whole[spec.name])) for spec in sizes}
        if changed and fits(game, {**whole, **changed}, seats):
            more.append(cell(f"option {named(changed)}", changed))
            if seats > 1 and level > 1:
                more.append(cell(f"ladder {named(changed)}", changed, level - 1, other=level))
    for spec in game.Options.specs():
        for value in _values(spec, whole[spec.name]) if spec not in sizes else ():
            if fits(game, {**whole, spec.name: value}, seats):
                more.append(cell(f"option {named({spec.name: value})}", {spec.name: value}))
    # all others are compared with the first cell, so it has most games
    often = max(4, len(more) // 2)
    order = [0] * often + [*range(1, len(base))] * max(1, often // 4) + [*range(len(base), len(base) + len(more))]
    dice_of("order").shuffle(order)
    return TrialPlan((*base, *more), tuple(order), kinds, ends)


def _pilot(cell: TrialCell, seed: str, most: int) -> tuple[tuple[str, ...], bool]:
    """Play some games of random moves. Return their kinds of moves, and whether they end."""
    kinds = Counter[str]()
    for number in range(PILOTS):
        tried, _ = play(cell, 0, number, f"{seed}/pilot", most)
        if tried.broken:
            raise RulesError(f"the game breaks after {tried.moves} random moves: {tried.broken}")
        kinds.update({kind: every for kind, (every, _) in tried.kinds.items()})
        if tried.ended == UNFINISHED:
            return tuple(kinds), False
    return tuple(sorted(kinds, key=lambda kind: (-kinds[kind], kind))), True


def named(changed: Mapping[str, Value]) -> str:
    """Write options as a person sets them: `width=5 height=5`."""
    return " ".join(f"{name}={str(value).lower()}" for name, value in changed.items())


def fits(game: Game[Any, Any], options: Mapping[str, Value], seats: int) -> bool:
    """Tell if there is such a table."""
    try:
        game.start(options, seats)
    except RulesError:
        return False
    return True


def size_options(game: Game[Any, Any], options: Mapping[str, Value], seats: int) -> list[Spec]:
    """Find the numbers with which a board has more moves in all."""
    specs, room = [], len(game.start(options, seats).step_numbers)
    for spec in game.Options.specs():
        larger = {**options, spec.name: min(spec.most, 2 * int(options[spec.name])) if spec.kind == "number" else ""}
        if spec.kind == "number" and fits(game, larger, seats):
            specs += [spec] * (len(game.start(larger, seats).step_numbers) > room)
    return specs


def _values(spec: Spec, now: Value) -> list[Value]:
    """List other values of an option that are worth a try: off or half, and double; each other word."""
    match spec.kind:
        case "flag":
            return [not now]
        case "choice":
            return [word for word in spec.choices if word != now]
        case "number":
            less = 0 if spec.least == 0 else max(spec.least, int(now) // 2)
            return [value for value in (less, min(spec.most, 2 * int(now))) if value != now]
    return []
