"""Tournaments of programs: who meets whom in which seats, what the results say, and what plays them.

The first part is pure, and starts no process, opens no file and looks at no clock: schedules are machines that are told
results, statistics are functions of results. Whatever is random comes from one seed (rules/chance.py), so that the same
seed and the same results give the same schedule and the same report on any machine.

| file | what is in it |
| --- | --- |
| `results.py` | the result of a game, and the part of the results that statistics may look at |
| `secret.py` | what deals the games: its commitment, its labels, when it is shown |
| `openings.py`, `opening_records.py` | how games begin where nothing is dealt: made, or from a file |
| `blocks.py` | seatings: one start played in seats that are exactly balanced |
| `schedule.py` | fixtures with their ids, and the machine that draws a format block by block |
| `meetings.py`, `swiss.py`, `knockout.py`, `ladder.py` | the formats; `certainty.py` is what a ladder goes by |
| `ratings.py` | strength with error bars (numpy) |
| `stopping.py` | when a match may be called decided (numpy) |
| `tables.py` | cross-table, seats, standing, duplicates, time, faults |
| `collusion.py` | who helps whom beyond chance (numpy) |
| `arrays.py` | numpy, or the line that says how to get it |

| file | what runs it |
| --- | --- |
| `plan.py`, `plan_file.py`, `plan_text.py` | what a tournament is, how its file is read, how it would be written |
| `toml_section.py` | a TOML file name by name, refused with its line |
| `journal.py` | what survives kill -9: SQLite, one transaction a game |
| `playing.py`, `farm.py`, `processes.py`, `cluster.py` | one game with its bots; workers here and on many machines |
| `peers.py`, `peers_exchange.py` | bots of others on the network: a worker's end, and the run's place there |
| `book.py`, `proof.py` | the openings of a run; whether a journal was dealt as it should have been |
| `counting.py`, `run.py` | what counts so far; the loop |
"""


class TournamentError(ValueError):
    """A tournament that can't be played or reckoned as it was described; the text says why and what would do."""
