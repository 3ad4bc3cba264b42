"""Judges own games in a thread, behind the lesson that asks the positions found so far."""

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from itertools import islice
from threading import Condition, Event, Thread
from typing import Final

from quadrille.client.analysis.verdicts import judged
from quadrille.client.kept.own_games import OwnGame
from quadrille.client.reports import heading, many
from quadrille.client.words.analysis import done_text
from quadrille.extras.study.kept.lesson_home import JudgedGame, LessonHome
from quadrille.extras.study.lessons.mistakes import Exercise, MoreExercises
from quadrille.net.core.errors import NetError
from quadrille.rules.errors import RulesError

#: Maximum games of a glance, and its work for each move: it finds a first position in one or two seconds of plain
#: Python, where the whole judgement of one move of Coin Isolation can take ten. A mistake has to be as many standard
#: errors as ever, so that only a greater one is seen at a glance; without one, the whole judgement takes a while.
GLANCES: Final = 5
POSITIONS: Final = 200
SIMULATIONS: Final = 100


class Judging(AbstractContextManager["Judging"]):
    """The judgement of the games that fit, the last ones first, until `most` positions are due.

    `remarks` are sentences about games that can't be judged.
    """

    def __init__(self, learning: LessonHome, own: list[OwnGame], fits: Callable[[JudgedGame], bool], most: int) -> None:
        self.remarks: list[str] = []
        self._learning, self._fits, self._most = learning, fits, most
        self._left = learning.unjudged(own)
        self._found = learning.due(fits)[:most]
        self._given = {exercise.key for exercise in self._found}
        self._looking = "Looking for a mistake in your last games"
        self._over = Event()
        self._news = Condition()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        """End after the verdict that is being looked for."""
        self._over.set()

    def more(self, seconds: float) -> MoreExercises:
        """Wait at most this long for positions that were not given yet."""
        with self._news:
            self._news.wait_for(lambda: self._found or not self._looking, seconds)
            exercises, self._found = tuple(self._found), []
            return MoreExercises(exercises, self._looking)

    def _run(self) -> None:
        try:
            if not self._given:
                self._glance()
            self._judge()
        finally:
            self._tell("")

    def _tell(self, looking: str, *exercises: Exercise) -> None:
        with self._news:
            fresh = [exercise for exercise in exercises if exercise.key not in self._given]
            self._found += fresh[: self._most - len(self._given)]
            self._given |= {exercise.key for exercise in self._found}
            self._looking = looking
            self._news.notify_all()

    def _glance(self) -> None:
        """Find a first position, in the last games by turns. Its game is then the first to be judged, which is kept."""
        glances = []
        for left in self._left[:GLANCES]:
            with suppress(RulesError, NetError, OSError):
                game = self._learning.opened(left)
                verdicts = judged(game.match, game.seats, game.left, positions=POSITIONS, simulations=SIMULATIONS)
                if self._fits(game):
                    glances.append((left, game, verdicts))
        while glances and not self._over.is_set():
            left, game, verdicts = glances.pop(0)
            for verdict in islice(verdicts, 1):
                if verdict.is_mistake:
                    self._tell(self._looking, *self._learning.exercises_of(replace(game, found=(verdict,))))
                    self._left.remove(left)
                    self._left.insert(0, left)
                    return
                glances.append((left, game, verdicts))

    def _judge(self) -> None:
        unknown = 0
        for number, left in enumerate(self._left, 1):
            if self._over.is_set() or len(self._learning.due(self._fits)) >= self._most:
                break
            try:
                game = self._learning.opened(left)
            except (RulesError, NetError, OSError) as error:
                self.remarks.append(str(error))
                continue
            unknown += not game.seats
            if self._fits(game) and game.seats:
                text = f"Judging your games, {number} of {len(self._left)}: {heading(game.match)}"
                for now in self._learning.judge(game):
                    done = done_text(now.match.length - now.left, now.match.length)
                    self._tell(f"{text}: {done}", *self._learning.due(self._fits))
                    if self._over.is_set():
                        return
        if unknown:
            where = f"in {many(unknown, 'game')} of several people"
            self.remarks.append(f"{where} nobody is called as you are, so your moves there are unknown")
