"""Matches as films: what can be seen after every entry, told by what has changed since the one before.

A film may hold many matches, as the report of a tournament does. They share their patches, and matches that are set up
alike share the plan of their picture too. How it is shown is page.py's affair, and page.js's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from quadrille.client.foreign import shown, shown_lines
from quadrille.client.picture.layout import Layout, Plan
from quadrille.client.picture.patches import Patch, Patches, Slots, Spot, taken_apart
from quadrille.client.reports import entry_text, heading, player, result, seen
from quadrille.rules.core import HIDDEN, WHOLE, State, Viewer
from quadrille.rules.errors import BadSeats
from quadrille.rules.match import Match, Played


@dataclass(frozen=True, slots=True)
class Shown:
    """A match as somebody sees it, with the names of who played, if they are known."""

    match: Match
    viewer: Viewer = WHOLE
    names: Sequence[str] = ()

    @property
    def title(self) -> str:
        """Which game this is."""
        return heading(self.match)

    @property
    def result(self) -> str:
        """How it ended."""
        over = self.match.over
        return shown_lines(result(self.match, over, names=self.safe_names)) if over else "The game is not finished."

    @property
    def safe_names(self) -> list[str]:
        """Names as they may be shown."""
        return [shown(name) for name in self.names]


def through(match: Match, person: int | None) -> Viewer:
    """Who looks at a match: the player of that number (from 1), or whoever its record was made for."""
    if person is None:
        return match.viewer
    if not 1 <= person <= match.state.seats:
        raise BadSeats(f"there is no player {person}: the players here are 1 to {match.state.seats}")
    if match.viewer not in (WHOLE, person - 1) and match.game.hidden:
        whose = "one who looked on" if match.viewer is None else f"player {int(match.viewer) + 1}"
        raise BadSeats(f"this record tells what {whose} saw, not what player {person} did")
    return person - 1


def position(one: Shown, number: int) -> State[Any, Any]:
    """The position after so many entries, as it is seen."""
    state = one.match.before(number).state
    return state if one.viewer == "whole" or one.viewer == one.match.viewer else state.view(one.viewer)


def patches(one: Shown, number: int, slots: Slots | None = None) -> Patches:
    """What is to be seen after so many entries; at the end of the game also how it ended."""
    scene = position(one, number).scene()
    over = one.match.over if number == len(one.match.entries) else None
    if over is None:
        return taken_apart(scene, one.names, slots=slots)
    notes = (*scene.notes, *one.result.splitlines()[:2])
    return taken_apart(replace(scene, notes=notes), one.names, over.places, slots)


def frames(one: Shown) -> Iterator[Patches]:
    """What is to be seen at the start and after each entry."""
    slots: Slots = {}
    return (patches(one, number, slots) for number in range(len(one.match.entries) + 1))


def happened(one: Shown, number: int) -> tuple[int, str]:
    """Which seat did what in an entry; -1 and a whole sentence where it was no move."""
    entry = one.match.entries[number]
    if not isinstance(entry, Played):
        return -1, shown(entry_text(one.match, number, one.viewer, one.safe_names))
    faces = seen(one.match, number, one.viewer)
    is_told = any(face != HIDDEN for face in faces)
    return entry.seat, f"{entry.move}" + (f" = {' '.join(map(str, faces))}" if is_told else "")


@dataclass(slots=True)
class _Reel:
    """The plan that some matches share, its number, and the numbers of its spots."""

    plan: Plan
    number: int
    spots: dict[Spot, int] = field(default_factory=dict)


class Film:
    """Takes in one match after another; the first is the one that is shown first."""

    def __init__(self, first: Shown) -> None:
        self._patches: dict[Patch, int] = {}
        self._reels: dict[object, _Reel] = {}
        self._games: list[dict[str, Any]] = []
        self.last = self.take(first)

    def take(self, one: Shown) -> Patches:
        """Add a match; gives what is to be seen at its end."""
        match = one.match
        key = (match.game.key, match.state.options, match.state.seats)
        if key not in self._reels:
            self._reels[key] = _Reel(Plan(position(one, 0).scene()), len(self._reels))
        reel, rows = self._reels[key], []
        before: dict[int, int] = {}
        now: Patches = {}
        for now in frames(one):
            reel.plan.take(now)
            after = {reel.spots.setdefault(spot, len(reel.spots)): self._number(patch) for spot, patch in now.items()}
            gone = [value for spot in before if spot not in after for value in (spot, 0)]
            rows.append(gone + [value for pair in after.items() if before.get(pair[0]) != pair[1] for value in pair])
            before = after
        game = {
            "plan": reel.number,
            "title": one.title,
            "result": one.result,
            "players": [player(seat, one.safe_names) for seat in range(match.state.seats)],
            "moves": [happened(one, number) for number in range(len(match.entries))],
            "frames": rows,
        }
        self._games.append(game)
        return now

    def _number(self, patch: Patch) -> int:
        """0 is for nothing."""
        return self._patches.setdefault(patch, len(self._patches) + 1)

    def drawn(self) -> Iterator[str]:
        """All pieces of drawing, for the symbols in them."""
        yield from (patch.drawn for patch in self._patches)
        yield from (layout.under for layout in self.layouts())

    def layouts(self) -> list[Layout]:
        """The plan of each kind of picture; that of the first match is the first."""
        return [reel.plan.layout() for reel in self._reels.values()]

    def data(self) -> dict[str, Any]:
        """All of it as plain data, which page.js draws from. Spots are numbered in the order of drawing there."""
        plans, orders = [], []
        for reel, layout in zip(self._reels.values(), self.layouts(), strict=True):
            drawing = {spot: number for number, spot in enumerate(layout.places)}
            orders.append([drawing[spot] for spot in reel.spots])
            places = [[place.x, place.y, place.called] for place in layout.places.values()]
            plans.append({"width": layout.width, "height": layout.height, "under": layout.under, "places": places})
        games = [game | {"frames": _ordered(game["frames"], orders[game["plan"]])} for game in self._games]
        pieces = [["", ""], *([patch.drawn, patch.words] for patch in self._patches)]
        return {"patches": pieces, "plans": plans, "games": games}


def _ordered(rows: list[list[int]], order: list[int]) -> list[list[int]]:
    """Changes with spots by other numbers."""
    return [[value if at % 2 else order[value] for at, value in enumerate(row)] for row in rows]
