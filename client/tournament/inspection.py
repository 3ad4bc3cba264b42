"""`quadrille tournament show`, `game` and `report`: views of a journal, during or after the run."""

import argparse
import json
from pathlib import Path
from typing import Final

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.book import book_in
from quadrille.ai.tournament.journal import SUFFIX, Journal
from quadrille.ai.tournament.openings import opening_of
from quadrille.ai.tournament.playing import GameOutcome, Killed, bench, job, play
from quadrille.ai.tournament.secret import known
from quadrille.client.cli import FINE, NO
from quadrille.client.files import write_text
from quadrille.client.foreign import shown, shown_lines
from quadrille.client.reports import entry_text, heading, result
from quadrille.client.tournament.tables import csv_text, data, lines_text, many, standing_of, text
from quadrille.net.home import home
from quadrille.rules.plain_text import drawing
from quadrille.rules.record import read

#: The folder of tournaments' secrets in this user's home, which no bot can see.
SECRETS: Final = "tournaments"


def opened(name: str) -> Journal:
    """Open a tournament's journal for reading; `name` is the journal's file or the tournament's."""
    path = Path(name).expanduser()
    if not path.name or path.is_dir():
        raise TournamentError(f"{name!r} is no file: name that of a tournament, or its journal")
    return Journal(path if path.suffix == SUFFIX else path.with_suffix(SUFFIX))


def show(settings: argparse.Namespace) -> int:
    """Print the standing."""
    with opened(settings.file) as journal:
        if settings.records is not None:
            return _records(journal, settings.records)
        if settings.csv or settings.lines:
            names = [entrant.name for entrant in journal.plan().entrants]
            outcomes = journal.outcomes(records=False)
            print(csv_text(outcomes, names) if settings.csv else lines_text(outcomes, names), end="")
            return FINE
        found = standing_of(journal)
    print(json.dumps(data(found), indent=2) if settings.json else text(found))
    return FINE


def _records(journal: Journal, name: str) -> int:
    """Write every game to a file of its own. An existing file stays, and must hold the same game."""
    folder = Path(name).expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TournamentError(f"{name} can't be made: {error.strerror or error}") from None
    for outcome in journal.outcomes():
        path = folder / f"game-{outcome.number}.txt"
        if not path.exists():
            write_text(str(path), outcome.record)
        elif path.read_bytes() != outcome.record.encode("ascii"):
            raise TournamentError(f"{path} is there and tells of something else: name another folder")
    print(f"{many(journal.games, 'record')} in {name}: quadrille replay shows them.")
    return FINE


def game(settings: argparse.Namespace) -> int:
    """Replay one game, and print it."""
    with opened(settings.file) as journal:
        plan, kept = journal.plan(), journal.outcome(settings.number)
        schedule = plan.schedule()
        for there in (*journal.results(), *journal.unplayed().values()):
            schedule.tell(there)
        fixture = schedule.fixture(settings.number)
        secret = known(journal.commitments, settings.number, home(settings.home) / SECRETS)
        again, book = journal.begun(settings.number), book_in(journal) or ()
    opening = opening_of(book, fixture.contest, fixture.nth)
    if settings.kept and kept is None:
        raise TournamentError(f"game {settings.number} has not been played")
    outcome = kept if settings.kept and kept else play(job(plan, fixture, secret, again=again, opening=opening))
    bench().clear()
    if isinstance(outcome, Killed):
        raise TournamentError(f"game {settings.number} has no result: {outcome.why}")
    names = [shown(plan.entrants[entrant].name) for entrant in fixture.seats]
    print(told(outcome, names))
    if opening:
        print(f"The first {many(len(opening), 'move')} {'is' if len(opening) == 1 else 'are'} the opening.")
    if settings.output is not None:
        write_text(settings.output, outcome.record)
    if kept is None or settings.kept:
        return FINE
    same = kept.result.moves == outcome.result.moves
    otherwise = "It went otherwise than before, as bots do that think by the clock: --kept shows how it was."
    print("It went as it had gone before." if same else otherwise)
    return FINE if same else NO


def told(outcome: GameOutcome, names: list[str]) -> str:
    """Describe a game from its first move to its end."""
    match = read(outcome.record)
    moves = [f"{number + 1}. {entry_text(match, number, match.viewer, names)}" for number in range(len(match.entries))]
    over = match.over
    assert over is not None
    faults = [f"{name} {shown(why)}." for name, why in zip(names, outcome.whys, strict=True) if why]
    for name, errors in zip(names, outcome.errors, strict=False):
        if errors.strip():
            faults += ["", f"The last that {name} wrote to standard error:", shown_lines(errors.rstrip())]
    lines = [f"Game {outcome.number}: {heading(match)}", *moves, "", drawing(match.state.scene()), ""]
    return "\n".join([*lines, result(match, over, names=names), *faults])


def report(settings: argparse.Namespace) -> int:
    """Write the report, one HTML page."""
    from quadrille.client.tournament.replays import MOST_GAMES
    from quadrille.client.tournament.report import page

    with opened(settings.file) as journal:
        made = page(journal, settings.games if settings.games is not None else MOST_GAMES)
    if settings.output is None:
        print(made, end="")
    else:
        write_text(settings.output, made, over=True)
    return FINE
