"""`quadrille tournament show`, `game`, `report` and `verify`: views of a journal, during or after the run."""

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from quadrille import __version__
from quadrille.ai.bots.process.executable import no_file
from quadrille.ai.checks.bundle import Bundle, kept_bundle
from quadrille.ai.house import is_of_house
from quadrille.ai.json_lines import BadJson, decode, encode
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.book import openings_in, starts_in
from quadrille.ai.tournament.journals.journal import SUFFIX, Journal
from quadrille.ai.tournament.journals.proof import check
from quadrille.ai.tournament.plans.plan import Entrant, Plan
from quadrille.ai.tournament.play.playing import GameOutcome, Killed, job, play
from quadrille.ai.tournament.play.worker_bench import bench
from quadrille.ai.tournament.schedules.secret import SECRETS, Committed, known
from quadrille.client.bots.bundles import write_bundle
from quadrille.client.cli import FINE, NO
from quadrille.client.files import write_file
from quadrille.client.foreign import isolated, shown, shown_lines
from quadrille.client.picture.records import check_output, keep
from quadrille.client.reports import folded, heading, many, result
from quadrille.client.table.players import Players, with_opening, with_thoughts
from quadrille.client.tournament.standings import standing_of
from quadrille.client.tournament.tables import csv_text, data_of, pair_rows, standing_rows, text
from quadrille.client.words.table import move_lines
from quadrille.client.words.thoughts import opening_text, remark_texts
from quadrille.net.core.home import home
from quadrille.rules.core import RULES_VERSION
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.record import read, write
from quadrille.rules.squares import quoted

#: The suffix of a tournament's file.
TOML: Final = ".toml"
#: Maximum faults that are listed one by one.
_MOST_FAULTS: Final = 20


def opened(name: str) -> Journal:
    """Open a tournament's journal for reading; `name` is that of its file, the tournament's file, or its folder."""
    path = Path(name).expanduser()
    if path.name and path.is_dir() and (beside := Path(f"{os.path.abspath(path)}{SUFFIX}")).exists():
        path = beside
    if not path.name or path.is_dir():
        raise TournamentError(f"{quoted(name)} is no file: name that of a tournament, or its journal")
    if not any(file.exists() for file in (path, path.with_suffix(SUFFIX), path.with_suffix(TOML))):
        raise TournamentError(no_file(name))
    return Journal(path if path.suffix == SUFFIX else path.with_suffix(SUFFIX))


def show(settings: argparse.Namespace) -> int:
    with opened(settings.file) as journal:
        if settings.records is not None:
            return _records(journal, settings.records, thoughts=settings.thoughts)
        standing = standing_of(journal, moves=settings.json or settings.csv is not None)
    if settings.json:
        print(json.dumps(data_of(standing), indent=1))
    elif settings.csv is None:
        print(text(standing))
    else:
        folder = _folder(settings.csv)
        for name, rows in (("standing", standing_rows(standing)), ("pairs", pair_rows(standing))):
            write_file(str(folder / f"{name}.csv"), csv_text(rows), over=True)
        print(f"standing.csv and pairs.csv are written in {settings.csv}.")
    return NO if standing.is_unranked else FINE


def _records(journal: Journal, name: str, *, thoughts: bool) -> int:
    """Write every game to a file of its own. An existing file stays, and must hold the same game."""
    folder = _folder(name)
    opening, entrants = openings_in(journal), journal.plan().entrants
    for outcome in journal.outcomes():
        path = folder / f"game-{outcome.number}.txt"
        record = _record(outcome, entrants, len(opening(outcome.number)), thoughts=thoughts)
        if not path.exists():
            write_file(str(path), record)
        elif path.read_bytes() != record.encode("ascii"):
            raise TournamentError(f"{path} is there and tells of something else: name another folder")
    print(f"{many(journal.games, 'record')} in {name}: quadrille replay shows them.")
    return FINE


def _folder(name: str) -> Path:
    folder = Path(name).expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TournamentError(f"{name} can't be made: {error.strerror or error}") from None
    return folder


def game(settings: argparse.Namespace) -> int:
    if settings.output is not None:
        write_file(settings.output, b"", trial=True)
    with opened(settings.file) as journal:
        plan, kept = journal.plan(), journal.outcome(settings.number)
        fixture, opening = starts_in(journal)(settings.number)
        secret = known(journal.commitments, settings.number, home(settings.home) / SECRETS)
        again = journal.begun(settings.number)
    # a journal may come from anybody: only --run starts what it names
    players = [plan.entrants[entrant] for entrant in fixture.seats]
    programs = [shown(bot.written) for bot in players if not (bot.peer or is_of_house(bot.bot))]
    talks = settings.dialogue or settings.bundles is not None
    shows = talks or settings.kept or (programs and not settings.run_it)
    if shows and kept is None:
        raise TournamentError(f"game {settings.number} has not been played (--run plays it)")
    if talks and kept:
        print(told_dialogue(kept, plan, settings.bundles))
        return FINE
    outcome = kept if shows and kept else play(job(plan, fixture, secret, again=again, opening=opening))
    bench().clear()
    if isinstance(outcome, Killed):
        raise TournamentError(f"game {settings.number} has no result: {outcome.why}")
    print(told(outcome, [isolated(player.name) for player in players]))
    if opening:
        print(opening_text(len(opening)))
    if settings.output is not None:
        write_file(settings.output, _record(outcome, plan.entrants, len(opening), thoughts=settings.thoughts))
    if shows and not settings.kept:
        print(f"Nothing was run. If you trust it, --run plays it again with {', '.join(programs)}")
    if kept is None or shows:
        return FINE
    same = kept.result.moves == outcome.result.moves
    otherwise = "It went otherwise than before, as bots do that think by the clock: --kept shows how it was."
    print("It went as it had gone before." if same else otherwise)
    return FINE if same else NO


def told(outcome: GameOutcome, names: list[str]) -> str:
    """Describe a game from its first move to its end."""
    match = read(outcome.record)
    moves = [move_lines(match, number, match.viewer, names, outcome.thoughts) for number in range(match.length)]
    faults = [f"{name} {shown(fault)}." for name, fault in zip(names, outcome.whys, strict=True) if fault]
    for name, errors in zip(names, outcome.errors, strict=False):
        if errors.strip():
            faults += ["", f"The last that {name} wrote to standard error:", shown_lines(errors.rstrip())]
    lines = [f"Game {outcome.number}: {heading(match)}", *moves, "", drawing(match.state.scene()), ""]
    return "\n".join([*lines, result(match, names=names), *faults, *remark_texts(outcome.thoughts, names, match)])


def _record(outcome: GameOutcome, entrants: Sequence[Entrant], opening: int, *, thoughts: bool) -> str:
    """Write a game's record with its players' names, the length of its opening, and perhaps what its bots thought."""
    players = Players(tuple(entrants[entrant].name for entrant in outcome.result.seats))
    about = with_opening(players.told(private=False), opening)
    return write(read(outcome.record), with_thoughts(about, outcome.thoughts) if thoughts else about)


def report(settings: argparse.Namespace) -> int:
    from quadrille.client.tournament.replays import MOST_GAMES
    from quadrille.client.tournament.report import page

    with opened(settings.file) as journal:
        check_output(settings.output, str(journal.path), str(journal.path.with_suffix(TOML)))
        standing = standing_of(journal)
        most = MOST_GAMES if settings.games is None else settings.games
        made = page(journal, most, standing=standing, ways=settings.ways)
    keep(made, settings.output)
    if settings.output is not None:
        print(f"{settings.output} is written: open it in a browser.")
    return NO if standing.is_unranked else FINE


def verify(settings: argparse.Namespace) -> int:
    """Check every game; the exit code is 1 if anything is wrong, or nothing can be checked yet."""
    with opened(settings.file) as journal:
        if settings.show_secret:  # later games of an unfinished tournament get another one
            with Journal(journal.path, plan=journal.plan(), folder=home(settings.home) / SECRETS) as its_run:
                its_run.secrets.show()
                print(_commitment(its_run.commitments[-1]))
            return FINE
        rows, result = journal.commitments, check(journal)
    for row in rows:
        print(_commitment(row))
    for fault in result.wrong[:_MOST_FAULTS]:
        print("\n".join(folded(f"Wrong: {shown(fault)}.")))
    if len(result.wrong) > _MOST_FAULTS:
        print(f"{many(len(result.wrong) - _MOST_FAULTS, 'more fault')} of this kind.")
    if result.closed:
        print(f"{many(result.closed, 'game')} can be checked when the tournament has ended and its secret is shown.")
    print(f"{many(result.right, 'game')} as the secret deals them.")
    return NO if result.wrong or result.closed else FINE


def _commitment(row: Committed) -> str:
    shown_as = row.secret.hex() if row.secret else "not shown yet"
    return f"Commitment {row.commitment}, from game {row.first} on; the secret: {shown_as}."


#: Lines before a fault that its page has, and characters of each.
_LAST: Final = 8
_LONGEST: Final = 300


def told_dialogue(outcome: GameOutcome, plan: Plan, folder: str | None) -> str:
    """Return the dialogue of a game in lines; or write its bundles to a folder, and say so."""
    if not outcome.dialogue:
        raise TournamentError(
            f"the dialogue of game {outcome.number} was not kept: tournament run with --dialogues keeps what it plays"
        )
    lines = list(_rows(outcome.dialogue, len(outcome.result.seats)))
    entrants = [plan.entrants[entrant] for entrant in outcome.result.seats]
    if folder is not None:
        there = _folder(folder)
        for seat, entrant in enumerate(entrants):
            bundle = _bundle(lines, seat, entrant.command(plan.folder), outcome)
            write_bundle(str(there / f"game-{outcome.number}-seat-{seat + 1}.json"), bundle)
        return f"{many(len(entrants), 'bundle')} in {shown(folder)}: quadrille bot replay runs a bot on one."
    wide = max(len(shown(entrant.name)) for entrant in entrants)
    return "\n".join(_line(row, isolated(shown(entrants[row["seat"]].name).ljust(wide))) for row in lines)


def last_lines(outcome: GameOutcome, seat: int) -> str:
    """Return the last lines between the table and a seat, if they were kept, and what its program wrote to standard
    error.
    """
    lines_of = [row for row in _rows(outcome.dialogue, len(outcome.result.seats)) if row["seat"] == seat][-_LAST:]
    lines = [_line(row, "")[:_LONGEST] for row in lines_of]
    errors = outcome.errors[seat].rstrip() if outcome.errors else ""
    return "\n".join([*lines, *(shown(line) for line in errors.splitlines()[-_LAST:])])


def _rows(text: str, seats: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of a dialogue, which may come from anybody."""
    for line in text.splitlines():
        try:
            row = decode(line.encode("ascii"))
        except BadJson:
            row = None
        match row:
            case {"seat": int(seat), "cut": str(_)} | {"seat": int(seat), "at": int(_)} if 0 <= seat < seats:
                yield row
            case _:
                raise TournamentError("the journal was damaged, or made by hand: it holds no dialogue of that game")


def _line(row: dict[str, Any], name: str) -> str:
    if "cut" in row:
        return f"          {name}    ({shown(row['cut'])})"
    arrow, text = ("<-", json.dumps(row["told"])) if "told" in row else ("->", str(row.get("said")))
    return f"{row['at']:>7} ms {name} {arrow} {shown(text)}"


def _bundle(rows: list[dict[str, Any]], seat: int, command: list[str], outcome: GameOutcome) -> Bundle:
    """Return what a seat was told and said, and how it failed; a peer's bot has no command here."""
    lines = [{"kept": 1, "quadrille": __version__, "rules": RULES_VERSION, "command": command}]
    lines += [row for row in rows if row["seat"] == seat]
    if outcome.result.faults and (fault := outcome.result.faults[seat]) is not None:
        lines.append({"fault": fault, "why": outcome.whys[seat]})
    return kept_bundle([encode(line) for line in lines])
