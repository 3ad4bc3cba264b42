"""The check of a bot on the command line: its progress and its findings."""

import argparse
import glob
import json
import shlex
import sys
from pathlib import Path
from typing import Any, Final, TextIO

from quadrille.ai.bots.notes import GAMES
from quadrille.ai.bots.process.isolation import Protection
from quadrille.ai.bots.process.last_words import telling_lines
from quadrille.ai.bots.process.program import Program
from quadrille.ai.checks.check import MOST_FAULTS, CheckedGame, CheckResult, Checkup, Finding, lines_before
from quadrille.ai.faults import NotIsolated
from quadrille.client.bots.boxes import held, limits_of
from quadrille.client.bots.bundles import write_bundle
from quadrille.client.bots.program import command_of, name_of, started
from quadrille.client.files import path_of
from quadrille.client.foreign import shown
from quadrille.client.reports import many
from quadrille.client.table_setup import options_of
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import folder_in, home
from quadrille.rules.errors import RulesError
from quadrille.rules.registry import game

_QUICK: Final = 40.0
_FULL: Final = 300.0


def check(settings: argparse.Namespace) -> int:
    """Check a bot; the exit code is 1 when the bot does something wrong."""
    only = only_game(settings)  # a wrong option is refused before the check begins
    command, limits = command_of(settings), limits_of(settings)
    folder = path_of(settings.keep) if settings.keep else folder_in(home(settings.home), "checks")
    name = name_of(settings)
    for old in folder.glob(f"{glob.escape(name)}-*.json"):
        if old.stem.removeprefix(f"{name}-").isdigit():  # a folder to --keep may hold a package-lock.json
            old.unlink()
    seconds = settings.within / 1000 if settings.within else _QUICK if settings.quick else _FULL
    report = _Report(name, folder, sys.stderr if settings.json else sys.stdout)

    def start() -> Program:
        try:
            program = started(command, limits)
        except NotIsolated as fault:
            raise LocalError(f"the bot {fault.why}") from None
        report.protection = program.protection
        return program

    checkup = Checkup(
        start,
        folder / GAMES,
        patience=settings.patience,
        seconds=seconds,
        quick=settings.quick,
        only=only,
    )
    with checkup:
        report.tell(checkup.greet())
        for run in checkup.checks():
            if not checkup.gives_up:
                report.tell(run())
    report.end(checkup)
    if settings.json:
        print(json.dumps(report.data(checkup), indent=1))
    return 1 if checkup.findings else 0


def only_game(settings: argparse.Namespace) -> CheckedGame | None:
    """Return the one game that the command line chooses for the check; None means all games."""
    if settings.game is None:
        if settings.set or settings.preset is not None or settings.seats is not None:
            raise RulesError("--set, --preset and --seats are for one game: add --game and its name")
        return None
    chosen = game(settings.game)
    options = options_of(settings, chosen)
    seats = chosen.usual_seats if settings.seats is None else settings.seats
    chosen.playable(options, seats)
    return CheckedGame(chosen, options, settings.seats)


class _Report:
    """Prints a check's progress and its result."""

    def __init__(self, name: str, folder: Path, to: TextIO) -> None:
        self._name = name
        #: That of the last program that was started.
        self.protection: Protection | None = None
        self._folder = folder
        self._to = to
        self._done: list[CheckResult] = []
        self._found: list[tuple[Finding, str | None]] = []

    def tell(self, done: CheckResult) -> None:
        self._done.append(done)
        games = many(done.games, "game") if done.games else ""
        how = "FAULT" if done.findings else "fine" if done.complete else "not all of it" if done.games else "not done"
        self._say(f"{done.name:12} {how:14} {games:10} {done.seconds:5.1f} s")
        for finding in done.findings:
            self._tell_finding(finding)

    def _tell_finding(self, finding: Finding) -> None:
        path = self._keep(finding)
        self._found.append((finding, path))
        where = f", turn {finding.turn}" if finding.turn is not None else ""
        self._say(f"  {finding.kind}: the bot {finding.why}\n  in {finding.setting}{where}")
        for line in lines_before(finding):
            self._say(f"    {line}")
        errors = telling_lines(finding.bundle.errors) if finding.bundle else []
        for line in errors:
            self._say(f"    standard error: {line}")
        if path is not None:
            self._say(f"  once more:  quadrille bot replay --run {shlex.quote(path)}")

    def _keep(self, finding: Finding) -> str | None:
        if finding.bundle is None:
            return None
        self._folder.mkdir(parents=True, exist_ok=True)
        path = str(self._folder / f"{self._name}-{len(self._found) + 1}.json")
        return str(write_bundle(path, finding.bundle, over=True))

    def end(self, checkup: Checkup) -> None:
        if self.protection is not None:
            self._say(held(self.protection))
        for remark in dict.fromkeys(checkup.remarks):
            self._say(f"note: {remark}")
        games = sum(done.games for done in self._done)
        left = [done.name for done in self._done if not done.complete]
        if checkup.findings:
            more = ", and no more were looked for" if len(checkup.findings) >= MOST_FAULTS else ""
            self._say(f"{many(len(checkup.findings), 'fault')} in {games} games{more}.")
        else:
            rest = f"; there was no time for all of: {', '.join(left)}" if left else ""
            self._say(f"Nothing is wrong in {games} games{rest}.")

    def _say(self, text: str) -> None:
        print("\n".join(map(shown, text.split("\n"))), file=self._to, flush=True)

    def data(self, checkup: Checkup) -> dict[str, Any]:
        return {
            "bot": self._name,
            "fine": not checkup.findings,
            "isolation": {"held": str(self.protection), "why": self.protection.why} if self.protection else None,
            "checks": [
                {
                    "check": done.name,
                    "games": done.games,
                    "seconds": round(done.seconds, 3),
                    "complete": done.complete,
                    "faults": len(done.findings),
                }
                for done in self._done
            ],
            "faults": [
                {name: getattr(finding, name) for name in ("check", "setting", "turn", "kind", "why")}
                | {"lines": lines_before(finding), "bundle": path}
                for finding, path in self._found
            ],
            "notes": list(dict.fromkeys(checkup.remarks)),
        }
