"""The lessons of a tuning: its task, its book of openings, and the score of each step. Plain data, in one file.

Everything else follows from these, so the file is small, and whoever reads it goes on with the next step.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any, Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.openings import Book

#: The first field of the file.
MARK: Final = "quadrille tune 1"


@dataclass(slots=True)
class Lessons:
    """A tuning's state. `task` is data; with another task it is another tuning. `steps` were planned
    when it began, which decides how fast its moves shrink. `seconds` is how long it has played.
    """

    task: Mapping[str, Any]
    steps: int
    book: Book | None = None
    scores: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def text(self, values: Mapping[str, float]) -> str:
        """Write the lessons as a file; `values` are for its readers."""
        data = {
            "what": MARK,
            "task": self.task,
            "values": values,
            "steps": self.steps,
            "seconds": round(self.seconds, 3),
            "scores": self.scores,
            "book": self.book,
        }
        return json.dumps(data, indent=1) + "\n"


def read(text: str, name: str, task: Mapping[str, Any]) -> Lessons:
    """Read the lessons in a file called `name`, if they belong to this task."""
    try:
        data = json.loads(text)
        if data["what"] != MARK:
            raise ValueError
        book = None if data["book"] is None else _book(data["book"])
        scores = [_share(score) for score in data["scores"]]
        steps, seconds = data["steps"], float(data["seconds"])
        if type(steps) is not int or steps < 1 or not 0 <= seconds < inf:
            raise ValueError
        lessons = Lessons(dict(data["task"]), steps, book, scores, seconds)
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
        raise TournamentError(
            f"{name} is damaged, or no file of a tuning: move it away, or name another file with -o"
        ) from None
    here = json.loads(json.dumps(task))
    differ = [word for word in {**here, **lessons.task} if here.get(word) != lessons.task.get(word)]
    if differ:
        raise TournamentError(f"{name} is of another tuning: {_difference(differ[0], here, lessons.task)}. {_CURE}")
    return lessons


_CURE: Final = "Make it what it was, or begin anew: with another file (-o), or after moving this one away"


def _difference(word: str, here: Mapping[str, Any], there: Mapping[str, Any]) -> str:
    if word == "digest":
        return "the files of the bot have changed since"
    if word == "parameters":
        return "the bot declared other parameters then"
    return f"{word} is {json.dumps(here.get(word))} here and {json.dumps(there.get(word))} there"


def _share(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value <= 1:
        raise ValueError
    return float(value)


def _book(rows: Any) -> Book:
    if not all(isinstance(text, str) for row in rows for opening in row for text in opening):
        raise ValueError
    return tuple(tuple(tuple(opening) for opening in row) for row in rows)
