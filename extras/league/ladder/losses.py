"""The losses of a placement that tell most: to the weakest samples, with the move that cost the bot its chances."""

from pathlib import Path
from typing import Final

from quadrille.ai.tournament.journals.book import starts_in
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.client.analysis.verdicts import Verdict, verdicts
from quadrille.client.files import write_text
from quadrille.client.table.players import Players, with_opening, with_thoughts
from quadrille.client.value import value
from quadrille.extras.league.ladder.ladders import Rung
from quadrille.extras.league.ladder.placements import PlacementEnd
from quadrille.rules.record import read, write

#: Losses that are shown, each to another sample.
MOST: Final = 3
#: Work for each move of a judged game: little, because somebody waits.
POSITIONS: Final = 3000
SIMULATIONS: Final = 300


@value
class Loss:
    """A lost game, its record, and the bot's worst move there, if one is known."""

    number: int
    to: Rung
    record: Path
    worst: Verdict | None


def losses(one: PlacementEnd) -> list[Loss]:
    """Write the records of the losses that tell most, and judge them. A game lost by a fault is none of them."""
    found: dict[str, tuple[int, int]] = {}
    with Journal(one.journal) as journal:
        names = [entrant.name for entrant in journal.plan().entrants]
        for outcome in journal.outcomes(records=False):
            result = outcome.result
            seat = result.seats.index(0)
            if result.places[seat] > result.places[1 - seat] and not any(result.faults):
                found.setdefault(names[result.seats[1 - seat]], (outcome.number, seat))
        rungs = [rung for rung in reversed(one.ladder.rungs) if rung.sample.name in found][:MOST]
        folder = one.journal.with_name(f"{one.journal.stem}-lost")
        return [_loss(journal, rung, *found[rung.sample.name], folder) for rung in rungs]


def kept_record(journal: Journal, outcome: GameOutcome) -> str:
    """A game's record with the names of its players, how many moves the opening has, and what the bots thought."""
    entrants, (_, opening) = journal.plan().entrants, starts_in(journal)(outcome.number)
    table = Players(tuple(entrants[entrant].name for entrant in outcome.result.seats)).told(private=False)
    table = with_thoughts(with_opening(table, len(opening)), outcome.thoughts)
    return write(read(outcome.record), table)


def _loss(journal: Journal, rung: Rung, number: int, seat: int, folder: Path) -> Loss:
    outcome = journal.outcome(number)
    assert outcome is not None, "its row has just been read"
    folder.mkdir(exist_ok=True)
    path = folder / f"{number}-to-{rung.sample.name}.txt"
    write_text(str(path), kept_record(journal, outcome), over=True)
    told = verdicts(read(outcome.record), positions=POSITIONS, simulations=SIMULATIONS)
    wrong = [verdict for verdict in told if verdict.seat == seat and verdict.is_mistake]
    return Loss(number, rung, path, max(wrong, key=lambda verdict: verdict.fall or 0, default=None))
