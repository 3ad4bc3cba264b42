"""Tournaments of programs: who meets whom in which seats, what the results say, and what plays them.

The first part is pure, and starts no process, opens no file and looks at no clock: schedules are machines that are told
results, statistics are functions of results. Whatever is random comes from one seed (rules/chance.py), so that the same
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


class TournamentError(ValueError):
    """A tournament that can't be played or reckoned as it was described; the text says why and what would do."""
