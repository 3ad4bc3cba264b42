"""All that a person has to learn, in the home: judged games, their exercises, and the boxes that say when each is due.

One program at a time writes there. The day comes from outside.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from quadrille.client.analysis.verdicts import judged
from quadrille.client.bots.names import called
from quadrille.client.kept.own_games import OwnGame
from quadrille.client.table.players import Players
from quadrille.extras.study.kept.judged_games import (
    FOLDER,
    JudgedGame,
    judged_games,
    keep_judged,
    prune_judged,
)
from quadrille.extras.study.kept.repetitions import LOCK, read_boxes, write_boxes
from quadrille.extras.study.lessons.boxes import Repetition
from quadrille.extras.study.lessons.exercises import Exercise, exercises, turns
from quadrille.extras.study.lessons.lesson import KeepAnswer
from quadrille.extras.study.words.lessons import played_text
from quadrille.net.core.home import Lock, folder_in, home

_TAKEN: Final = "another program is learning from the games in {}: close it there first"


class LessonHome:
    """The judged games and the boxes of one home, for one program."""

    def __init__(self, at_home: str | None, today: int) -> None:
        self.folder: Path = folder_in(home(at_home), FOLDER)
        self.today = today
        self._lock = Lock(self.folder, LOCK, _TAKEN.format(self.folder))
        try:
            kept = read_boxes(self.folder)
            found, self._damaged = judged_games(self.folder)
        except BaseException:
            self._lock.close()
            raise
        self.repetitions = dict(kept.repetitions)
        self.games: dict[str, JudgedGame] = {game.number: game for game in found}
        #: Why all positions begin again; "" if they don't.
        self.remark = kept.remark
        #: Why something could not be written; "" if all could be. Everything holds for now.
        self.trouble = ""
        self._found: dict[str, tuple[JudgedGame, list[Exercise]]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Release the home for other programs."""
        prune_judged(self.folder, list(self.games.values()))
        self._lock.close()

    # Games

    def unjudged(self, own: Iterable[OwnGame]) -> list[OwnGame]:
        """Those of these games that are not judged to the end, each once."""
        games = {game.number: game for game in reversed(list(own))}
        return [game for game in reversed(games.values()) if not self._is_judged(game)]

    def _is_judged(self, own: OwnGame) -> bool:
        game = self.games.get(own.number)
        return game is not None and not game.left and set(own.seats) <= set(game.seats)

    def lost(self, own: Iterable[OwnGame]) -> list[str]:
        """The numbers of games whose verdicts are damaged, and which are not there any more."""
        return sorted(set(self._damaged) - {game.number for game in own} - set(self.games))

    def opened(self, own: OwnGame) -> JudgedGame:
        """A game with the verdicts so far; an error says why it can't be read."""
        game = self.games.get(own.number)
        if game is not None and set(own.seats) <= set(game.seats):
            return game
        found = JudgedGame.of(own.number, own.opened(), own.changed)
        seats = tuple(sorted({*found.seats, *(game.seats if game is not None else ())}))
        return replace(found, seats=seats)

    def judge(self, game: JudgedGame) -> Iterator[JudgedGame]:
        """Judge a game, verdict by verdict. However that ends, the verdicts so far are kept."""
        try:
            numbers = turns(game.match)
            for verdict in judged(game.match, game.seats, game.left):
                game = replace(game, found=(verdict, *game.found), left=numbers[verdict.ply - 1])
                yield game
            game = replace(game, left=0)
            yield game
        finally:
            self.games[game.number] = game
            with self._writing():
                keep_judged(self.folder, game)

    # Exercises

    def exercises(self, fits: Callable[[JudgedGame], bool]) -> list[Exercise]:
        """All exercises of the games that fit, each position once: as it was met last."""
        found: dict[str, Exercise] = {}
        for game in sorted(self.games.values(), key=lambda one: -one.changed):
            if fits(game):
                names = seat_names(game.players, game.match.state.seats)
                others = [name for seat, name in enumerate(names) if seat not in game.seats]
                where = played_text(time.strftime("%Y-%m-%d", time.localtime(game.changed)), others)
                for one in self._exercises(game):
                    found.setdefault(one.key, replace(one, names=tuple(names), where=where))
        return list(found.values())

    def _exercises(self, game: JudgedGame) -> list[Exercise]:
        """The exercises of a game, which are looked for once."""
        known, found = self._found.get(game.number, (None, []))
        if known is not game:
            found = list(exercises(game.match, game.found))
            self._found[game.number] = game, found
        return found

    def repetition(self, one: Exercise) -> Repetition:
        return self.repetitions.get(one.key, Repetition())

    def due(self, fits: Callable[[JudgedGame], bool]) -> list[Exercise]:
        """The exercises that are due: those that wait longest first, new ones by the size of the mistake.

        Of equal ones those of the last game come first.
        """
        there = [one for one in self.exercises(fits) if self.repetition(one).is_due(self.today)]
        return sorted(there, key=lambda one: (self.repetition(one).due or self.today, -(one.known.fall or 0)))

    def answered(self, answer: KeepAnswer) -> None:
        """Put a position into its next box, and write that down at once."""
        before = self.repetitions.get(answer.key, Repetition())
        self.repetitions[answer.key] = before.after(self.today, right=answer.right)
        with self._writing():
            write_boxes(self.folder, self.repetitions)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.trouble = f"{error.filename}: {error.strerror}"


def seat_names(players: Players, seats: int) -> list[str]:
    """The names of all seats as far as a record tells them, bots without a name by their kind."""
    nobody = ("",) * seats
    return [
        name or (called(bot) if bot else "")
        for name, bot in zip(players.names or nobody, players.bots or nobody, strict=True)
    ]
