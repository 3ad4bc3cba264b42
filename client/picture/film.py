"""Matches as films: the picture after every entry, stored as its changes since the entry before.

A film may hold many matches, as the report of a tournament does. They share their patches, and matches with the same
setup share the layout too. See page.py and page.js for the display.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Any

from quadrille.client.claimed_names import short_names
from quadrille.client.foreign import isolated, shown_lines
from quadrille.client.picture.layout import Drawing, Layout, LayoutPlan
from quadrille.client.picture.patches import Patch, Patches, Slots, apart
from quadrille.client.reports import heading, player, result
from quadrille.client.table.notices import Seats
from quadrille.client.words.signs import face
from quadrille.client.words.story import few, move_text
from quadrille.client.words.table import by_name
from quadrille.client.words.thoughts import opening_text, thought_text
from quadrille.net.trust.names import are_alike
from quadrille.rules.core import WHOLE, State, Viewer
from quadrille.rules.core.thoughts import Thoughts
from quadrille.rules.errors import BadSeats
from quadrille.rules.match import Entry, Match, Played
from quadrille.value import value


@value
class FilmedMatch:
    """A match as one viewer sees it, with the players' names and the bots' thoughts if they are known; `opening` is the
    number of moves that it began with, and `day` when it was played.
    """

    match: Match
    viewer: Viewer = WHOLE
    names: Sequence[str] = ()
    thoughts: Thoughts = Thoughts()
    opening: int = 0
    day: date | None = None

    @property
    def title(self) -> str:
        """The name of the game with its options."""
        return heading(self.match)

    @property
    def about(self) -> str:
        """The title, and how many moves were given."""
        return f"{self.title}. {opening_text(self.opening)}" if self.opening else self.title

    @property
    def headline(self) -> str:
        """`Maze: Ann won against Ben, 27 November 2026`."""
        over, called, day = self.match.over, self.players, self.day
        won = over.winners if over else range(len(called))
        lost = [called[seat] for seat in range(len(called)) if seat not in won]
        what = ", not finished" if over is None else " won" if len(won) == 1 else " shared the first place"
        headline = f"{self.match.game.title}: {few([called[seat] for seat in won])}{what}"
        headline += f"{' against' if len(won) == 1 else ', ahead of'} {few(lost)}" if lost else ""
        return f"{headline}, {day.day} {day:%B %Y}" if day else headline

    @property
    def result(self) -> str:
        """The result in words."""
        return shown_lines(result(self.match, known=self.players))

    @property
    def players(self) -> tuple[str, ...]:
        """The players by their names alone; by their numbers where a name is missing, or looks like another's."""
        return _called(tuple(self.safe_names), self.match.state.seats)

    @property
    def safe_names(self) -> list[str]:
        """The names, safe to print."""
        return [isolated(name) for name in self.names]


@lru_cache
def _called(names: tuple[str, ...], seats: int) -> tuple[str, ...]:
    brief, numbers = short_names(names), tuple(map(player, range(seats)))
    return tuple(
        name if sum(are_alike(name, other) for other in brief + numbers) == 1 else player(seat, names)
        for seat, name in enumerate(brief or [""] * seats)
    )


def through(match: Match, person: int | None) -> Viewer:
    """Return the viewer of a match: the given player (from 1), or the viewer of its record."""
    if person is None:
        return match.viewer
    if not 1 <= person <= match.state.seats:
        raise BadSeats(f"there is no player {person}: the players here are 1 to {match.state.seats}")
    if match.viewer not in (WHOLE, person - 1) and match.game.hidden:
        whose = "one who looked on" if match.viewer is None else f"player {int(match.viewer) + 1}"
        raise BadSeats(f"this record tells what {whose} saw, not what player {person} did")
    return person - 1


def position(filmed: FilmedMatch, number: int) -> State[Any, Any]:
    """Return the viewer's position after that many entries."""
    return _seen(filmed, filmed.match.after(number))


def _seen(filmed: FilmedMatch, state: State[Any, Any]) -> State[Any, Any]:
    return state if filmed.viewer == "whole" or filmed.viewer == filmed.match.viewer else state.view(filmed.viewer)


def patches(filmed: FilmedMatch, number: int, seen: State[Any, Any], slots: Slots) -> Patches:
    """Return the patches of the position after that many entries; at the end of the game also its result, and the maze
    if a way leads through it. In `slots` rows of cards keep their places from one position to the next.
    """
    scene, over = seen.scene(), filmed.match.over
    if over is None or number < filmed.match.length:
        return apart(scene, slots, names=filmed.names)
    maze = seen.labyrinth()
    shown_maze = maze if maze is not None and maze.finished else None
    scene = replace(scene, notes=(*scene.notes, *filmed.result.splitlines()[:2]))
    return apart(scene, slots, names=filmed.names, places=over.places, maze=shown_maze)


def happened(filmed: FilmedMatch, number: int, entry: Entry) -> tuple[int, str]:
    """Return an entry's seat and its move in words; -1 and a whole sentence if it was no move."""
    if not isinstance(entry, Played):
        return -1, by_name(entry, Seats.of(filmed.players)).removesuffix(".")
    faces = [face(str(drawn)) for drawn in filmed.match.seen(number, filmed.viewer)]
    story = filmed.match.story(number)
    return entry.seat, move_text(entry.seat, entry.move.text, faces, story, filmed.players.__getitem__)


def _thought_data(filmed: FilmedMatch) -> list[list[Any]]:
    """Return a row for each thought of a bot, for page.js.

    A row has the number of its frame, the seat, the chances or null; if there is more, the rest as a text, then squares
    with their signs.
    """
    data: list[list[Any]] = []
    for number, thought in sorted(filmed.thoughts.by_entry.items()):
        entry = filmed.match.entries[number] if number < filmed.match.length else None
        if isinstance(entry, Played):
            value = None if thought.value is None else round(thought.value, 2)
            rest: list[Any] = [thought_text(replace(thought, value=None), filmed.match.state.seats, marks=False)]
            rest += [sign for mark in thought.marks for sign in mark]
            data.append([number + 1, entry.seat, value, *(rest if any(rest) else [])])
    return data


class Film:
    """One match or more, each as the pictures of all its positions. Those with the same setup share a layout."""

    def __init__(self, games: Iterable[FilmedMatch]) -> None:
        self._plans: dict[object, LayoutPlan] = {}
        #: The patches at the end of the first match.
        self.end: Patches = {}
        #: The numbers of patches, in order of appearance; 0 is nothing.
        self._patches: dict[Patch | None, int] = {None: 0}
        self._games: list[tuple[LayoutPlan, dict[str, Any], list[list[int]]]] = []
        for filmed in games:
            self._take(filmed)

    def _take(self, filmed: FilmedMatch) -> None:
        """Add a game: its names, moves and result, and for each position the patch at each spot of its plan so far."""
        setup = (filmed.match.game.key, filmed.match.state.options, filmed.match.state.seats, filmed.viewer)
        if setup not in self._plans:
            self._plans[setup] = LayoutPlan(position(filmed, 0).scene())
        plan, slots, frames, now = self._plans[setup], Slots(), list[list[int]](), Patches()
        for number, state in enumerate(filmed.match.positions):
            now = patches(filmed, number, _seen(filmed, state), slots)
            plan.take(now.items())
            frames.append([self._patches.setdefault(now.get(spot), len(self._patches)) for spot in plan.spots])
        if not self._games:
            self.end = now
        labels = {
            "title": filmed.title,
            "result": filmed.result,
            "players": filmed.players,
            "moves": [happened(filmed, number, entry) for number, entry in enumerate(filmed.match.entries)],
        }
        if said_beside := _thought_data(filmed):
            labels["thoughts"] = said_beside
        self._games.append((plan, labels, frames))

    def drawn(self) -> Iterator[str]:
        """Yield all drawings, to find the symbols in them."""
        yield from (patch.drawn for patch in self._patches if patch)
        yield from (layout.under for layout in self.layouts())

    def layouts(self) -> list[Layout]:
        """Return the layout of each setup, the first match's first."""
        return [Drawing(plan).layout() for plan in self._plans.values()]

    def data(self) -> dict[str, Any]:
        """Return the film as plain data for page.js, where spots are numbered in the order of drawing."""
        layouts = dict(zip(self._plans.values(), self.layouts(), strict=True))
        plans = list[dict[str, Any]]()
        for plan, layout in layouts.items():
            places = [[place.x, place.y, place.called] for place in layout.places.values()]
            plans.append({"width": layout.width, "height": layout.height, "under": layout.under, "places": places})
            if any("thoughts" in labels for its, labels, _ in self._games if its is plan):
                plans[-1]["squares"] = layout.squares
        games = []
        for plan, labels, frames in self._games:
            order = {spot: number for number, spot in enumerate(plan.spots)}
            rows = [*_changes(frames, [order[spot] for spot in layouts[plan].places])]
            games.append({"plan": [*layouts].index(plan), **labels, "frames": rows})
        return {"patches": [["", ""], *map(list, filter(None, self._patches))], "plans": plans, "games": games}


def _changes(frames: Iterable[Sequence[int]], order: Sequence[int]) -> Iterator[list[int]]:
    """Yield what is new in each frame as (place, patch), in one row, with the spots in another order."""
    was = [0] * len(order)
    for frame in frames:
        now = [frame[spot] if spot < len(frame) else 0 for spot in order]
        yield [part for place, patch in enumerate(now) if patch != was[place] for part in (place, patch)]
        was = now
