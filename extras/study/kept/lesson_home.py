"""All that a person has to learn, in the home: judged games, their exercises, and the boxes that say when each is due.

A game with its verdicts is in HOME/learn/NUMBER.json. So a mistake outlives its game, since only the newest games are
kept. A damaged file or one of another version is made anew while the game is there.

The boxes are Leitner's (Sebastian Leitner, "So lernt man lernen", 1972), in HOME/learn/boxes.json. A new position is in
the first box. Solved at the first try it moves to the next box, where it waits longer. Otherwise it goes back to the
first one. One program at a time writes there. The day comes from outside.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from quadrille.client.analysis.verdicts import POSITIONS, SIMULATIONS, Verdict, judged, turns
from quadrille.client.files import OpenedGame
from quadrille.client.kept.own_games import OwnGame
from quadrille.client.table.players import Players
from quadrille.client.words.kept import seat_names
from quadrille.client.words.story import few
from quadrille.extras.study.kept.files import DAMAGE, HomeFolder, read_kept, read_rows, write_kept, write_rows
from quadrille.extras.study.lessons.lesson import Note
from quadrille.extras.study.lessons.mistakes import Exercise, exercises
from quadrille.net.core.home import Lock, folder_in, home
from quadrille.rules.match import Match
from quadrille.rules.record import read_with_table, write
from quadrille.value import value

FOLDER: Final = "learn"
FILE: Final = "boxes.json"
#: The version of the files of games, and the work behind a verdict. Files of other versions are made anew.
VERSION: Final = [3, POSITIONS, SIMULATIONS]
#: Maximum games; the oldest files go first.
MOST: Final = 1000
_NUMBER: Final = re.compile(r"[0-9a-f]{32,64}")
#: Days until a position comes back, by its box.
INTERVALS: Final = (1, 3, 7, 14, 30, 90)
BOXES: Final = len(INTERVALS)
_LOCK: Final = "learn.lock"
_TAKEN: Final = "another program is learning from the games in {}: close it there first"


# The files of games


@value
class JudgedGame:
    """A game and the verdicts on the moves of own seats, the first move's first; `left` entries are not judged yet."""

    number: str
    match: Match
    players: Players
    seats: tuple[int, ...]
    found: tuple[Verdict, ...]
    left: int
    changed: float

    @classmethod
    def of(cls, number: str, game: OpenedGame, changed: float) -> "JudgedGame":
        """Begin to judge a game: none with hidden cards, where chance blurs the worth of a move by half a win."""
        left = game.match.length if game.seats and not game.match.game.hidden else 0
        return cls(number, game.match, game.players, game.seats, (), left, changed)


def keep_judged(folder: Path, game: JudgedGame) -> None:
    """Write a game and its verdicts."""
    told = {
        "changed": game.changed,
        "seats": list(game.seats),
        "left": game.left,
        "verdicts": [asdict(replace(one, reason=None)) for one in game.found],
        "record": write(game.match, game.players.told(private=False)),
    }
    write_kept(folder / f"{game.number}.json", FOLDER, VERSION, told)


def read_judged(path: Path) -> JudgedGame | None:
    """Read a judged game; None if its file is damaged or of another version."""
    with suppress(OSError, *DAMAGE):
        told = read_kept(path, VERSION)
        match, table = read_with_table(told["record"])
        found, players = (Verdict(**row) for row in told["verdicts"]), Players.read(table, match.state.seats)
        return JudgedGame(path.stem, match, players, tuple(told["seats"]), tuple(found), told["left"], told["changed"])
    return None


# The boxes


@value
class Repetition:
    """The box of a position, from 1, and the day from which it is due."""

    box: int = 1
    due: int = 0

    def is_due(self, today: int) -> bool:
        """Return whether it is due. A day that no interval reaches was set by a wrong clock."""
        return self.due <= today or self.due > today + INTERVALS[-1]

    def after(self, today: int, *, right: bool) -> "Repetition":
        box = min(self.box + 1, BOXES) if right else 1
        return Repetition(box, today + INTERVALS[box - 1])


def next_due(repetitions: Iterable[Repetition], today: int) -> int | None:
    """Return the first day after today on which something is due; None if nothing waits."""
    return min((repetition.due for repetition in repetitions if not repetition.is_due(today)), default=None)


def read_boxes(folder: Path) -> tuple[dict[str, Repetition], str]:
    """Read the repetitions by the keys of their positions, and why those of the file are lost ("" if none are)."""
    rows, remark = read_rows(folder / FILE, "all positions begin again")
    return {key: Repetition(*row) for key, row in rows.items()}, remark


def write_boxes(folder: Path, repetitions: Mapping[str, Repetition]) -> None:
    write_rows(folder / FILE, {key: [row.box, row.due] for key, row in sorted(repetitions.items())})


class LessonHome(HomeFolder, AbstractContextManager["LessonHome"]):
    """The judged games and the boxes of one home, for one program."""

    def __init__(self, at_home: str | None, today: int) -> None:
        super().__init__(folder_in(home(at_home), FOLDER))
        self.today = today
        self._lock = Lock(self.folder, _LOCK, _TAKEN.format(self.folder))
        try:
            self.repetitions, self.remark = read_boxes(self.folder)
            paths = [path for path in sorted(self.folder.glob("*.json")) if _NUMBER.fullmatch(path.stem)]
            games = {path.stem: read_judged(path) for path in paths}
        except BaseException:
            self._lock.close()
            raise
        self.games = {number: game for number, game in games.items() if game is not None}
        self._damaged = games.keys() - self.games.keys()
        self._found: dict[str, tuple[JudgedGame, list[Exercise]]] = {}
        self._unkept: JudgedGame | None = None
        self._closed = False

    def __exit__(self, *_: object) -> None:
        """Keep what is judged but the oldest games above the maximum, and release the home for other programs."""
        self._keep()
        self._closed = True
        for game in sorted(self.games.values(), key=lambda one: -one.changed)[MOST:]:
            with suppress(OSError):
                (self.folder / f"{game.number}.json").unlink(missing_ok=True)
        self._lock.close()

    # Games

    def unjudged(self, own: Iterable[OwnGame]) -> list[OwnGame]:
        """Return those of these games that are not judged to the end, each once."""
        games = {game.number: game for game in reversed(list(own))}
        return [game for game in reversed(games.values()) if not self._is_judged(game)]

    def _is_judged(self, own: OwnGame) -> bool:
        game = self.games.get(own.number)
        return game is not None and not game.left and set(own.seats) <= set(game.seats)

    def lost(self, own: Iterable[OwnGame]) -> list[str]:
        """Return the numbers of games whose verdicts are damaged, and which are not there any more."""
        return sorted(self._damaged - {game.number for game in own} - set(self.games))

    def opened(self, own: OwnGame) -> JudgedGame:
        """Open a game with the verdicts so far; an error says why it can't be read."""
        game = self.games.get(own.number)
        if game is not None and set(own.seats) <= set(game.seats):
            return game
        judged = JudgedGame.of(own.number, own.opened(), own.changed)
        seats = tuple(sorted({*judged.seats, *(game.seats if game is not None else ())}))
        return replace(judged, seats=seats)

    def judge(self, game: JudgedGame) -> Iterator[JudgedGame]:
        """Judge a game, verdict by verdict. However that ends, the verdicts so far are kept."""
        try:
            numbers = turns(game.match)
            for verdict in judged(game.match, game.seats, game.left):
                game = replace(game, found=(verdict, *game.found), left=numbers[verdict.ply - 1])
                self._unkept = self.games[game.number] = game
                yield game
            self._unkept = self.games[game.number] = game = replace(game, left=0)
            yield game
        finally:
            self._keep()

    def _keep(self) -> None:
        """Write the verdicts that are not written yet; a thread that still judges writes nothing after the end."""
        if self._unkept is not None and not self._closed:
            with self.writing():
                keep_judged(self.folder, self._unkept)

    # Exercises

    def exercises(self, fits: Callable[[JudgedGame], bool]) -> list[Exercise]:
        """Return all exercises of the games that fit, each position once: as it was met last."""
        by_key: dict[str, Exercise] = {}
        for game in sorted(self.games.values(), key=lambda exercise: -exercise.changed):
            if fits(game):
                for exercise in self.exercises_of(game):
                    by_key.setdefault(exercise.key, exercise)
        return list(by_key.values())

    def exercises_of(self, game: JudgedGame) -> list[Exercise]:
        """Look for the exercises of a game, only once."""
        known, own_exercises = self._found.get(game.number, (None, []))
        if known is not game:
            names = seat_names(game.players, game.match.state.seats)
            others = dict.fromkeys(name for seat, name in enumerate(names) if name and seat not in game.seats)
            day = time.strftime("%Y-%m-%d", time.localtime(game.changed))
            where = f"{day}, with {few([*others])}" if others else day
            told = exercises(game.match, game.found)
            own_exercises = [replace(exercise, names=tuple(names), where=where) for exercise in told]
            self._found[game.number] = game, own_exercises
        return own_exercises

    def repetition(self, exercise: Exercise) -> Repetition:
        return self.repetitions.get(exercise.key, Repetition())

    def due(self, fits: Callable[[JudgedGame], bool]) -> list[Exercise]:
        """Return the exercises that are due: those that wait longest first, new ones by the size of the mistake.

        Of equal ones those of the last game come first.
        """
        there = [exercise for exercise in self.exercises(fits) if self.repetition(exercise).is_due(self.today)]
        return sorted(there, key=lambda one: (self.repetition(one).due or self.today, -(one.known.fall or 0)))

    def noted(self, note: Note) -> None:
        """Put a position into its next box, and write that down at once."""
        before = self.repetitions.get(note.about, Repetition())
        self.repetitions[note.about] = before.after(self.today, right=note.result)
        with self.writing():
            write_boxes(self.folder, self.repetitions)
