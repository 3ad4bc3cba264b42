"""Golden schedules: what a seed makes of each format must stay as it is, or old tournaments can't go on.

    python -m tests.ai.tournament.schedules

writes `golden/<case>.txt` anew for all of them.
"""

from pathlib import Path

from quadrille.ai.tournament.schedules.meetings import Gauntlet, RoundRobin
from quadrille.ai.tournament.schedules.schedule import Contest, Format, Schedule
from quadrille.ai.tournament.schedules.swiss import Swiss
from tests.ai.tournament.simulated import bradley_terry, run

GOLDEN = Path(__file__).parent / "golden"
STRENGTHS = [2.0, 1.5, 1.0, 0.5, 0.0, -0.5, -1.0, -1.5, -2.0, -2.5, -3.0]
#: Format, entrants, seats.
CASES: dict[str, tuple[Format, int, int]] = {
    "round-robin": (RoundRobin(2), 5, 2),
    "round-robin-tables": (RoundRobin(2), 7, 3),
    "gauntlet": (Gauntlet(2), 5, 2),
    "gauntlet-tables": (Gauntlet(1, 2), 8, 4),
    "swiss": (Swiss(5), 9, 2),
    "swiss-tables": (Swiss(3), 11, 4),
}


def told(format: Format, entrants: int, seats: int) -> str:
    """A case played through: each block with its start and its first game, and the ranking if the format has one."""
    names = [f"bot {number + 1}" for number in range(entrants)]
    contest = Contest("maze", (("size", 5),), seats, "1m+1s")
    schedule = Schedule("golden", names, [contest], format)
    blocks, _ = run(schedule, bradley_terry(STRENGTHS))
    lines = [f"{format}, {entrants} entrants, {seats} seats"]
    for block in blocks:
        table = " ".join(map(str, block.table))
        games = " ".join("".join(map(str, fixture.seats)) for fixture in block.fixtures)
        lines.append(f"{block.number}: round {block.round}, table {table}, start {block.start}, {block.ids[0]}")
        lines.append(f"    {games}" if entrants <= 10 else f"    {len(block.fixtures)} games")
    if schedule.ranking:
        lines.append("ranking: " + " > ".join("=".join(map(str, group)) for group in schedule.ranking))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, case in CASES.items():
        (GOLDEN / f"{name}.txt").write_text(told(*case), "utf-8")
