"""The journal of a tournament: its plan and every game that was played, in one SQLite file beside its TOML.

A game is one transaction, with its record. A committed game survives a crash of this program at any moment; a power
cut may take the last games, which are then played again. Others may read the file while a run writes it. Layout:
docs/protocols/journal.md.
"""

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal_file import APPLICATION, LAYOUT, VERSION, locked, opened, plainly
from quadrille.ai.tournament.journals.journal_values import (
    COLUMNS,
    MOST_BYTES,
    RESULT,
    checked,
    checked_kill,
    seconds_of,
    whole,
    words,
)
from quadrille.ai.tournament.plans.openings import Openings
from quadrille.ai.tournament.plans.plan import Plan, joined, lengthens, plan_of
from quadrille.ai.tournament.plans.plan_text import differences
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.ai.tournament.results import BEGINNINGS, Kill, Result
from quadrille.ai.tournament.schedules import secret
from quadrille.ai.tournament.schedules.schedule import Fixture, Schedule
from quadrille.ai.tournament.schedules.secret import Committed, Secrets

SUFFIX: Final = ".sqlite"
#: In place of a path: a journal in memory, which leaves nothing behind.
NOWHERE: Final = Path(":memory:")
_seats: Final = COLUMNS["seats"].read


class Journal(AbstractContextManager["Journal"]):
    """The journal of one tournament."""

    def __init__(
        self, path: Path, *, plan: Plan | None = None, folder: Path | None = None, secret: bytes | None = None
    ) -> None:
        """Open the journal to go on writing, or begin it, with a `plan`; without one only read it.

        `folder` holds the secret that deals its games, by default beside the journal. A new one is drawn, unless a
        `secret` is given.
        """
        self.path = path
        self._secrets: Secrets | None = None
        self._lock: sqlite3.Connection | None = None
        self._bounds: tuple[int, int] | None = None
        #: The plan that is played, with all entrants that there ever were; sentences about those that come or go.
        self.begun_plan = plan
        self.changes: list[str] = []
        if plan is None and not path.exists():
            raise TournamentError(f"nothing has been played yet: there is no {path}")
        with plainly(path):
            if plan is not None and path != NOWHERE:
                self._lock = locked(path)
            try:
                self._file = opened(path, 10)
                self._file.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
                self._open(plan)
                if plan is not None:
                    keeps = None if path == NOWHERE else folder or path.absolute().parent
                    self._secrets = Secrets(self, keeps, secret)
            except BaseException:
                self.close()
                raise

    def _open(self, plan: Plan | None) -> None:
        """Check that the file is a journal, of our version and of this tournament."""
        [application] = self._file.execute("PRAGMA application_id").fetchone()
        [version] = self._file.execute("PRAGMA user_version").fetchone()
        [tables] = self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if plan is not None and not application and not tables:
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.executescript(f"BEGIN; {LAYOUT}")
            self.note("plan", json.dumps(plan.plain()))
            self.note("began", str(time.time()))
            self._ask("COMMIT")
        elif not application and not tables:
            raise TournamentError(f"nothing has been played yet: {self.path} is empty")
        elif application != APPLICATION:
            raise TournamentError(f"{self.path} is not a journal of a tournament: move it away, or name another file")
        elif version != VERSION:
            raise TournamentError(f"{self.path} was written by another version of this program ({version})")
        self._file.execute("PRAGMA synchronous = NORMAL")
        if plan is None:
            return
        stored = self.plain()
        plan = _with_book(plan, stored)
        if self.games:
            plan, self.changes = joined(plan, stored)
        self.go_on(plan)

    def go_on(self, plan: Plan) -> None:
        """Store a plan that has more to play after that of the journal; refuse one of another tournament."""
        stored = self.plain()
        self.begun_plan = plan
        if not (wrong := differences(plan.plain(), stored)):
            return
        text = json.dumps(plan.plain())
        if self.games and not lengthens(json.loads(text), stored):
            raise TournamentError(
                f"{self.path} is the journal of another tournament: {'; '.join(wrong)}. "
                "Make the file what it was, or move the journal away and start afresh"
            )
        # Nothing was played by the stored plan, perhaps because one of its bots was refused and has been fixed; or
        # the new plan extends the stored one.
        if json.loads(text).get("openings") != stored.get("openings"):
            self._ask("DELETE FROM facts WHERE name = 'openings'")  # others are made, or read
        self._ask("UPDATE facts SET value = ? WHERE name = 'plan'", text)
        self._bounds = None

    def plain(self) -> dict[str, Any]:
        """Return the plan in plain form, as the journal was begun with it."""
        plan: dict[str, Any] = json.loads(self.fact("plan"))
        return plan

    def plan(self) -> Plan:
        """Return the plan; programs are searched beside the journal, where the tournament's file is too."""
        try:
            return plan_of(self.plain(), str(self.path.absolute().parent))
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OverflowError):
            raise TournamentError(
                f"{self.path} holds no plan of a tournament: it was damaged, or made by hand"
            ) from None

    def schedule(self) -> Schedule:
        """Return the schedule of the plan, which knows the results so far."""
        schedule = self.plan().schedule()
        for game in (*self.results(), *self.unplayed().values()):
            schedule.tell(game)
        return schedule

    def fact(self, name: str) -> str:
        """Return a stored fact about the whole; "" if there is none."""
        return next((str(text) for (text,) in self._ask("SELECT value FROM facts WHERE name = ?", name)), "")

    def note(self, name: str, value: str) -> None:
        """Store a fact about the whole, replacing the old one."""
        self._ask("INSERT OR REPLACE INTO facts VALUES (?, ?)", name, value)

    def name_book(self, openings: Openings, name: str, book: str) -> None:
        """Store the openings of this tournament, and their hash in its plan."""
        plan = self.plain() | {"openings": asdict(openings)}
        self._ask("BEGIN IMMEDIATE")
        self.note(name, book)
        self._ask("UPDATE facts SET value = ? WHERE name = 'plan'", json.dumps(plan))
        self._ask("COMMIT")

    @property
    def secrets(self) -> Secrets:
        """The secrets behind the deals, while the journal is open for writing."""
        assert self._secrets is not None
        return self._secrets

    @property
    def commitments(self) -> tuple[Committed, ...]:
        """The commitments to the secrets of the deals."""
        return self._secrets.rows if self._secrets else secret.read(self.fact(secret.FACT) or "[]")

    # Games

    def numbers(self) -> list[int]:
        """List the numbers of all ended games."""
        return [number for (number,) in self._ask("SELECT number FROM games ORDER BY number")]

    def begun(self, number: int) -> int:
        """Count how often a game was begun and failed."""
        return len(self._ask("SELECT number FROM voids WHERE number = ?", number))

    def keep(self, outcome: GameOutcome) -> bool:
        """Store an ended game; False if it had ended already, which then stands."""
        game = outcome.result
        given = {name: getattr(game, "game" if name == "id" else name) for name in RESULT}
        row = [
            column.write(given[name] if name in given else getattr(outcome, name)) for name, column in COLUMNS.items()
        ]
        marks = ", ".join("?" * len(row))
        with plainly(self.path):
            return self._file.execute(f"INSERT OR IGNORE INTO games VALUES ({marks})", row).rowcount > 0  # noqa: S608

    def void(self, number: int, reason: str) -> None:
        """Note that a game has to be repeated, through nobody's fault."""
        self._ask("INSERT INTO voids (number, happened, why) VALUES (?, ?, ?)", number, time.time(), reason)

    def kill(self, fixture: Fixture, seat: int, reason: str) -> int:
        """Note that a signal ended the program of a seat; return how often that happened in this game."""
        game = fixture.id, fixture.block, fixture.contest, json.dumps(fixture.seats), fixture.seats[seat]
        self._ask("INSERT INTO voids VALUES (?, ?, ?, ?, ?, ?, ?, ?)", fixture.number, time.time(), reason, *game)
        return len(self._ask("SELECT entrant FROM voids WHERE number = ? AND entrant IS NOT NULL", fixture.number))

    def kills(self) -> list[Kill]:
        """List all beginnings of games in which a signal ended a program, in order."""
        lines = self._ask("SELECT number, seats, entrant, why FROM voids WHERE entrant IS NOT NULL ORDER BY rowid")
        return [
            checked_kill(Kill(whole(number), _seats(seats), whole(entrant), words(reason)), self._most_of_plan[0])
            for number, seats, entrant, reason in lines
        ]

    def unplayed(self) -> dict[int, Result]:
        """Return the games without a result, by number: a signal ended a program at each beginning."""
        lines = self._ask(
            "SELECT number, id, block, seats, contest FROM voids WHERE entrant IS NOT NULL "
            "AND number NOT IN (SELECT number FROM games) GROUP BY number HAVING count(*) >= ? ORDER BY number",
            BEGINNINGS,
        )
        return {
            whole(number): checked(
                Result(words(game), whole(block), _seats(seats), (), whole(contest), void=True), *self._most_of_plan
            )
            for number, game, block, seats, contest in lines
        }

    @property
    def games(self) -> int:
        """Number of ended games."""
        [(count,)] = self._ask("SELECT count(*) FROM games")
        return int(count)

    def rows(self, names: Sequence[str], which: str = "ORDER BY number", *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield these columns of all games in schedule order, or of the games that the end of a query chooses."""
        readers = [COLUMNS[name].read for name in names]
        with plainly(self.path):
            for row in self._file.execute(f"SELECT {', '.join(names)} FROM games {which}", values):  # noqa: S608
                yield tuple([read(value) for read, value in zip(readers, row, strict=True)])

    def result(self, number: int) -> Result | None:
        return next((self._result(row) for row in self.rows(tuple(RESULT), "WHERE number = ?", number)), None)

    def results(self) -> Iterator[Result]:
        """Yield all results, in schedule order."""
        return map(self._result, self.rows(tuple(RESULT)))

    def outcome(self, number: int) -> GameOutcome | None:
        return next(self._outcomes(COLUMNS, "WHERE number = ?", number), None)

    def outcomes(self, *, records: bool = True) -> Iterator[GameOutcome]:
        """Yield all outcomes without their dialogues, in schedule order; without `records` those and the thoughts are
        empty, and nothing is unpacked.
        """
        out = {"dialogue"} if records else {"dialogue", "record", "thoughts"}
        return self._outcomes([name for name in COLUMNS if name not in out])

    def _outcomes(self, names: Iterable[str], *which: Any) -> Iterator[GameOutcome]:
        rest = [name for name in names if name not in RESULT]
        for row in self.rows((*RESULT, *rest), *which):
            more = dict(zip(rest, row[len(RESULT) :], strict=True))
            yield GameOutcome(result=self._result(row[: len(RESULT)]), **{"record": ""} | more)

    def _result(self, row: tuple[Any, ...]) -> Result:
        return checked(Result(*row), *self._most_of_plan)

    @property
    def _most_of_plan(self) -> tuple[int, int]:
        """The number of entrants, and that of contests."""
        if self._bounds is None:
            plan = self.plan()
            self._bounds = (len(plan.entrants), len(plan.contests))
        return self._bounds

    def voids(self) -> list[tuple[int, float, str]]:
        """List the games that had to be repeated: number, time, reason."""
        lines = self._ask("SELECT number, happened, why FROM voids ORDER BY happened")
        return [(whole(number), seconds_of(happened), words(reason)) for number, happened, reason in lines]

    def _ask(self, query: str, *values: object) -> list[Any]:
        """Return the rows of a query, or raise an error that says in a sentence why SQLite refused it."""
        with plainly(self.path):
            return self._file.execute(query, values).fetchall()

    def close(self) -> None:
        """Close the file, so that another run may open it."""
        for file in (getattr(self, "_file", None), self._lock):
            if file is not None:
                file.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def _with_book(plan: Plan, stored: Mapping[str, Any]) -> Plan:
    """Return a plan with the hash of its book, which no file states."""
    begun = dict(stored.get("openings") or {})
    digest = begun.pop("digest", "")
    here = json.loads(json.dumps(plan.plain()))
    if plan.openings is None or plan.openings.file or here["games"] != stored["games"]:
        return plan
    same = here["openings"] == begun | {"digest": ""}
    return replace(plan, openings=replace(plan.openings, digest=digest)) if same else plan
