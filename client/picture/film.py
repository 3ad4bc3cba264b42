"""Matches as films: the picture after every entry, stored as its changes since the entry before.

A film may hold many matches, as the report of a tournament does. They share their patches, and matches with the same
setup share the layout too. If a match begins with the same positions as the one before it, those are not drawn
again. Matches share no name and no result: two may have the same moves and other players.
See page.py and page.js for the display.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import takewhile
from typing import Any, TypeAlias

from quadrille.client.claimed_names import short_names
from quadrille.client.foreign import isolated, shown, shown_lines
from quadrille.client.picture.layout import Layout, LayoutPlan
from quadrille.client.picture.patches import PAPER, Apart, Patch, Patches, Spot, apart, nameplate
from quadrille.client.reports import decision_text, heading, player, result
from quadrille.client.words.signs import face
from quadrille.client.words.story import few, story_after
from quadrille.client.words.thoughts import thought_text
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
    def headline(self) -> str:
        """`Maze: Ann won against Ben, 27 November 2026`."""
        over, called, day = self.match.over, self.players, self.day
        won = over.winners if over else range(len(called))
        lost = [called[seat] for seat in range(len(called)) if seat not in won]
        what = ", not finished" if over is None else " won" if len(won) == 1 else " shared the first place"
        told = f"{self.match.game.title}: {few([called[seat] for seat in won])}{what}"
        told += f"{' against' if len(won) == 1 else ', ahead of'} {few(lost)}" if lost else ""
        return f"{told}, {day.day} {day:%B %Y}" if day else told

    @property
    def result(self) -> str:
        """The result in words."""
        over = self.match.over
        return shown_lines(result(self.match, over, known=self.players)) if over else "The game is not finished."

    @property
    def players(self) -> tuple[str, ...]:
        """The players by their names alone; by their numbers where a name is missing, or looks like another's."""
        return _called(tuple(self.safe_names), self.match.state.seats)

    @property
    def safe_names(self) -> list[str]:
        """The names, safe to print."""
        return [isolated(shown(name)) for name in self.names]


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


def position(one: FilmedMatch, number: int) -> State[Any, Any]:
    """Return the viewer's position after that many entries."""
    return _seen(one.match, one.match.before(number).state, one.viewer)


def _seen(match: Match, state: State[Any, Any], viewer: Viewer) -> State[Any, Any]:
    return state if viewer == "whole" or viewer == match.viewer else state.view(viewer)


def patches(one: FilmedMatch, number: int, before: Apart = PAPER) -> Apart:
    """Return the patches after that many entries; at the end of the game also its result."""
    now = apart(position(one, number).scene(), before, names=one.names)
    return _ended(one, now, one.names) if number == one.match.length else now


def _ended(one: FilmedMatch, last: Apart, names: Sequence[str] = ()) -> Apart:
    """Add the result to the last position, and the maze if a way leads through it; nothing while the game goes on."""
    if (over := one.match.over) is None:
        return last
    scene = replace(last.scene, notes=(*last.scene.notes, *one.result.splitlines()[:2]))
    maze = position(one, one.match.length).labyrinth()
    shown_maze = maze if maze is not None and maze.finished else None
    return apart(scene, last, names=names, places=over.places, maze=shown_maze)


def happened(one: FilmedMatch, number: int, entry: Entry) -> tuple[int, str]:
    """Return an entry's seat and its move in words; -1 and a whole sentence if it was no move."""
    if not isinstance(entry, Played):
        return -1, shown(decision_text(entry, one.players))
    faces = one.match.seen(number, one.viewer)
    story = story_after(entry.seat, one.match.story(number), one.players.__getitem__)
    shown_faces = f" = {' '.join(face(str(drawn)) for drawn in faces)}" if faces else ""
    return entry.seat, entry.move.text + shown_faces + story


#: The changes of a position. Those of all positions with the same setup share their spots and patches.
_Row: TypeAlias = tuple[tuple[Spot, Patch | None], ...]


@value
class _Frame:
    """A position and its patches without names and result, for all games that begin so."""

    position: State[Any, Any]
    apart: Apart
    row: _Row


@value
class _Game:
    """A match of the film."""

    reel: "_Reel"
    told: dict[str, Any]
    rows: list[_Row]


class _Reel:
    """The games of one setup, with their common layout."""

    def __init__(self, one: FilmedMatch) -> None:
        self.title = one.title
        self.viewer = one.viewer
        self.plan = LayoutPlan(position(one, 0).scene())
        #: The changes of all frames, as the page gets them.
        self.rows: dict[_Row, list[int]] = {}
        self._last: list[_Frame] = []

    def take(self, one: FilmedMatch) -> _Game:
        """Add a game: what it shares with others, then its names and its result."""
        frames = self._frames(one.match)
        told = {
            "title": self.title,
            "result": one.result,
            "players": one.players,
            "moves": [happened(one, number, entry) for number, entry in enumerate(one.match.entries)],
        }
        if said_beside := _thought_data(one):
            told["thoughts"] = said_beside
        *before, last = frames
        ended = _ended(one, last.apart).since(before[-1].apart if before else PAPER)
        changes = [*((frame.row, frame.apart) for frame in before), (tuple(ended), last.apart)]
        return _Game(self, told, [_with_names(row, now, tuple(one.names)) for row, now in changes])

    def _frames(self, match: Match) -> list[_Frame]:
        """Return a match's frames; those at its beginning that it shares with the match before are reused.

        A match knows no names, so a frame can't show those of another game.
        """
        pairs = zip(self._last, match.positions, strict=False)
        found = [last for last, _ in takewhile(lambda pair: pair[0].position == pair[1], pairs)]
        before = found[-1].apart if found else PAPER
        for state in match.positions[len(found) :]:
            now = apart(_seen(match, state, self.viewer).scene(), before)
            found.append(_Frame(state, now, tuple(now.since(before))))
            before = now
        self._last = found
        return found


def _thought_data(one: FilmedMatch) -> list[list[Any]]:
    """Return a row for each thought of a bot, for page.js.

    A row has the number of its frame, the seat, the chances or null; if there is more, the rest as a text, then squares
    with their signs.
    """
    found: list[list[Any]] = []
    for number, thought in sorted(one.thoughts.by_entry.items()):
        entry = one.match.entries[number] if number < one.match.length else None
        if isinstance(entry, Played):
            value = None if thought.value is None else round(thought.value, 2)
            rest: list[Any] = [thought_text(replace(thought, value=None), one.match.state.seats, marks=False)]
            rest += [sign for mark in thought.marks for sign in mark]
            found.append([number + 1, entry.seat, value, *(rest if any(rest) else [])])
    return found


def _with_names(row: _Row, now: Apart, names: tuple[str, ...]) -> _Row:
    """Return the changes that lead to a scene, with names on its nameplates."""
    if not names or all(spot.part != "name" for spot, _ in row):
        return row
    panels = {panel.seat: panel for panel in now.scene.panels}
    return tuple((spot, nameplate(panels[spot.number], names) if spot.part == "name" else patch) for spot, patch in row)


class Film:
    """One match or more. They may come in any order: `places` has each one's place in the film, counted from 0; the
    page shows the one at 0 first.
    """

    def __init__(self, games: Iterable[FilmedMatch], places: Sequence[int] = ()) -> None:
        reels, found = dict[object, _Reel](), dict[int, _Game]()
        for number, one in enumerate(games):
            key = (one.match.game.key, one.match.state.options, one.match.state.seats, one.viewer)
            if key not in reels:
                reels[key] = _Reel(one)
            found[places[number] if places else number] = reels[key].take(one)
        self._games = [found[place] for place in range(len(found))]
        self._reels = list(dict.fromkeys(game.reel for game in self._games))
        #: The numbers of patches, in order of appearance; 0 is nothing.
        self._patches: dict[Patch | None, int] = {None: 0}
        for game in self._games:
            for row in game.rows:
                if row not in game.reel.rows:
                    game.reel.rows[row] = []
                    game.reel.plan.take(row)
                    for _, patch in row:
                        self._patches.setdefault(patch, len(self._patches))

    @property
    def end(self) -> Patches:
        """The patches at the end of the first match."""
        found = {spot: patch for row in self._games[0].rows for spot, patch in row}
        return {spot: patch for spot, patch in found.items() if patch is not None}

    def drawn(self) -> Iterator[str]:
        """Yield all drawings, to find the symbols in them."""
        yield from (patch.drawn for patch in self._patches if patch)
        yield from (layout.under for layout in self.layouts())

    def layouts(self) -> list[Layout]:
        """Return the layout of each setup, the first match's first."""
        return [reel.plan.layout() for reel in self._reels]

    def data(self) -> dict[str, Any]:
        """Return the film as plain data for page.js, where spots are numbered in the order of drawing."""
        plans = []
        for reel, layout in zip(self._reels, self.layouts(), strict=True):
            places = [[place.x, place.y, place.called] for place in layout.places.values()]
            plans.append({"width": layout.width, "height": layout.height, "under": layout.under, "places": places})
            if any("thoughts" in game.told for game in self._games if game.reel is reel):
                plans[-1]["squares"] = layout.squares
            spots = {spot: number for number, spot in enumerate(layout.places)}
            for row in reel.rows:
                reel.rows[row] = [number for spot, patch in row for number in (spots[spot], self._patches[patch])]
        numbers = {reel: number for number, reel in enumerate(self._reels)}
        games = [
            {"plan": numbers[game.reel], **game.told, "frames": [game.reel.rows[row] for row in game.rows]}
            for game in self._games
        ]
        return {"patches": [["", ""], *map(list, filter(None, self._patches))], "plans": plans, "games": games}
