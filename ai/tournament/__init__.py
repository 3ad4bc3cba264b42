"""Tournaments of programs: schedules, statistics of the results, and the workers that play.

Schedules and statistics are pure: they start no process, open no file and read no clock. Schedules are machines that
take results, statistics are functions of results. All randomness comes from one seed (rules/chance.py), so the same
seed and the same results give the same schedule and the same report on any machine.

| room | what is in it |
| --- | --- |
| `results.py` | the result of a game |
| `statistics/` | strength with error bars, verdicts, cross-tables, favours (numpy) |
| `schedules/` | the formats, drawn block by block, and the secret that deals their games |
| `plans/` | what a tournament is, how its file is read and written, how its games begin |
| `play/` | one game with its bots; workers here, on many machines and at owners' |
| `journals/` | what survives kill -9; the book of openings; whether a journal was dealt as it should have been |
| `counting.py`, `run.py` | the results that statistics may look at so far; the loop |
"""

from quadrille.rules.errors import RulesError


class TournamentError(RulesError):
    """A tournament that can't be played or evaluated as described; the text says why, and how to fix it."""

    def __init__(self, text: str, absent: str = "") -> None:
        super().__init__(text)
        self.absent = absent  # the key of a peer whose bot did not come to its game
