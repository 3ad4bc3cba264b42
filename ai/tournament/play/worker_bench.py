"""A worker's bots, kept alive between its games."""

import atexit
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Protocol

from quadrille.ai.bots.command_files import start_folder
from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.talk import Talk
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan import Entrant, Time
from quadrille.ai.tournament.play.places import Hidden, hidden_from, journals
from quadrille.ai.tournament.schedules.schedule import Contest
from quadrille.rules.match import Match

if TYPE_CHECKING:
    from quadrille.ai.tournament.play.playing import Job

#: Maximum bots that a worker keeps alive, unless a table needs more: about 20 MB each when they think little.
KEPT: Final = 16
#: Milliseconds to search for a bot on its owner's machine before the first game, and before any other.
FIND: Final = 20_000
FIND_AGAIN: Final = 60_000


class BringsFarBots(Protocol):
    """How a run's workers engage a bot on its owner's machine (docs/protocols/tournaments.md, "Ways to play")."""

    def __call__(self, entrant: Entrant, contest: Contest, time: Time, *, fresh: bool, patience: int) -> Talk:
        """Engage a bot for one game; a `TournamentError` says why it does not come in that many milliseconds."""


_ENGAGES: Final[list[BringsFarBots]] = []


def reach(engage: BringsFarBots) -> None:
    """Set how a worker engages bots on their owners' machines, before its first game."""
    _ENGAGES[:] = [engage]


class Bench:
    """A worker's bots between their games. If there are too many, the one used least recently goes. A program that
    gets other values for its parameters is still the same program.
    """

    def __init__(self) -> None:
        self._talks: dict[tuple[Entrant, str], Talk] = {}
        #: The game that is played just now, for a thread of this worker that reads it.
        self.playing: tuple[Job, Match] | None = None

    def bring(self, entrant: Entrant, folder: str, most: int = KEPT, hidden: Hidden | None = None) -> Talk:
        """Return a reused or new bot, whose box hides `hidden`. At most `most` are kept."""
        key = entrant.program, folder
        talk = self._talks.pop(key, None)
        if talk is None or talk.fault is not None or talk.program.ended:
            while len(self._talks) >= most:
                self._talks.pop(next(iter(self._talks))).close()
            command = entrant.command(folder)
            program = Program(
                command,
                cwd=start_folder(command),
                limits=entrant.limits,
                hidden=(*hidden_from(command, hidden or Hidden()), *journals(folder)),
            )
            talk = Talk(program)
        talk.parameters = dict(entrant.parameters)
        self._talks[key] = talk
        return talk

    def engage(
        self, entrant: Entrant, folder: str, contest: Contest, time: Time, *, fresh: bool, patience: int
    ) -> Talk:
        """Engage a bot on its owner's machine, for one game."""
        self.dismiss((entrant,), folder)
        if not _ENGAGES:
            raise TournamentError(
                f"{entrant.known_as} is played by a peer on the network, who is reached by `quadrille tournament run` "
                "only: `tournament game --kept` shows a game as it went"
            )
        talk = _ENGAGES[0](entrant, contest, time, fresh=fresh, patience=patience)
        talk.parameters = dict(entrant.parameters)
        self._talks[entrant.program, folder] = talk
        return talk

    def has(self, entrant: Entrant, folder: str) -> bool:
        """Return whether a bot is here and well, as far as is known."""
        talk = self._talks.get((entrant.program, folder))
        return talk is not None and talk.fault is None and not talk.program.ended

    def dismiss(self, entrants: Sequence[Entrant], folder: str) -> None:
        for entrant in entrants:
            if (talk := self._talks.pop((entrant.program, folder), None)) is not None:
                talk.close()

    def clear(self) -> None:
        for talk in self._talks.values():
            talk.close()
        self._talks.clear()


_HERE: Final = threading.local()


def bench() -> Bench:
    """Return the worker's bench: each playing thread is a worker."""
    if not hasattr(_HERE, "bench"):
        _HERE.bench = Bench()
        atexit.register(_HERE.bench.clear)
    bench: Bench = _HERE.bench
    return bench


#: The beginning of the reason for a loss without a game.
WITHDRAWN: Final = "is withdrawn, since"
