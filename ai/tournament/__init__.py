"""Tournaments of programs, the pure part: who meets whom in which seats, and what the results say.

Nothing here starts a process, opens a file or looks at a clock: schedules are machines that are told results,
statistics are functions of results. Whatever is random comes from one seed (rules/chance.py), so that the same seed and
the same results give the same schedule and the same report on any machine.

| file | what is in it |
| --- | --- |
| `results.py` | the result of a game, and the part of the results that statistics may look at |
| `blocks.py` | seatings: one start played in seats that are exactly balanced |
| `schedule.py` | fixtures with their ids, and the machine that draws a format block by block |
| `meetings.py`, `swiss.py`, `knockout.py`, `ladder.py` | the formats; `certainty.py` is what a ladder goes by |
| `ratings.py` | strength with error bars (numpy) |
| `stopping.py` | when a match may be called decided (numpy) |
| `tables.py` | cross-table, seats, standing, duplicates, time, faults |
| `collusion.py` | who helps whom beyond chance (numpy) |
| `arrays.py` | numpy, or the line that says how to get it |
"""


class TournamentError(ValueError):
    """A tournament that can't be played or reckoned as it was described; the text says why and what would do."""
