"""Finds a bot's faults by playing with it: every game that it knows, and everything that can happen at a table.

trial.py plays the games, network.py those among peers. The client reports the result.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from quadrille.ai.bots.first_moves import make_first_moves
from quadrille.ai.bots.lines.parameters import Parameter
from quadrille.ai.bots.notes import KeptTalk
from quadrille.ai.bots.process.last_words import KEPT_ERRORS
from quadrille.ai.bots.process.program import Program
from quadrille.ai.checks.bundle import Bundle, kept_bundle
from quadrille.ai.checks.end import check_end
from quadrille.ai.checks.network import check_network
from quadrille.ai.checks.trial import CheckGame, Player, Setting
from quadrille.ai.faults import BotFault
from quadrille.net.entries.motions import BY_ALL
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.core import Game
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal, Match
from quadrille.rules.options import Value
from quadrille.rules.registry import game, games, keys
from quadrille.rules.squares import quoted

#: Maximum faults to report.
MOST_FAULTS: Final = 3
#: Bytes of standard error above which a program is mentioned.
MUCH_TO_ERRORS: Final = 1 << 20
CLOCK: Final = TimeControl(30_000, 100)
SHORT_CLOCK: Final = TimeControl(2_000, 50)
_LONG: Final = 400
_LEAST: Final = attrgetter("least")
_MOST: Final = attrgetter("most")
#: Maximum seconds of the last game.
_ENDING: Final = 5.0


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of the bot: its check and game, with a bundle of the game if there was one."""

    check: str
    setting: str
    kind: str
    why: str
    bundle: Bundle | None

    @property
    def turn(self) -> int | None:
        """The last turn that the bot got."""
        lines = self.bundle.lines if self.bundle else ()
        turns = [line.told["turn"] for line in lines if line.told is not None and line.told["do"] == "turn"]
        return turns[-1] if turns else None


@dataclass(slots=True)
class CheckResult:
    """The result of a check: its number of games, and whether it is complete."""

    name: str
    games: int = 0
    seconds: float = 0.0
    complete: bool = True
    findings: list[Finding] = field(default_factory=list)


#: Plays one game with the bot; returns False if there was no time for all of it.
Scene = Callable[[CheckGame], bool | None]


def whole(trial: CheckGame) -> None:
    """Play a whole game."""
    trial.begin()
    while trial.goes_on:
        trial.move()
    trial.over()


def middle(trial: CheckGame) -> None:
    """Let the bot join in the middle of the game."""
    for _ in range(1 + trial.dice.randrange(12)):
        if trial.goes_on:
            trial.roll()
    whole(trial)


def restarted(trial: CheckGame) -> None:
    """Let the bot's program die in the middle, and another one go on."""
    trial.begin()
    for _ in range(1 + trial.dice.randrange(8)):
        if trial.goes_on:
            trial.move()
    trial.restart()
    while trial.goes_on:
        trial.move()
    trial.over()


def taken_back(trial: CheckGame) -> None:
    """Take moves back: the bot's own, others', and while it thinks."""
    trial.begin()
    left = 6
    while trial.goes_on:
        if trial.is_bots_turn and left and trial.match.ply and trial.dice.randrange(2):
            trial.give_turn()
            trial.undo(1 + trial.dice.randrange(3))
            left -= 1
        else:
            trial.move()
            if left and trial.goes_on and not trial.dice.randrange(4):
                trial.undo(1 + trial.dice.randrange(2))
                left -= 1
    trial.over()


def offered(trial: CheckGame) -> None:
    """Make proposals of every kind at odd times: during others' moves or the bot's, two at once, at the end."""
    kinds = [*BY_ALL, *BY_ALL]
    trial.begin()
    trial.offer(kinds[trial.dice.randrange(len(kinds))])
    while trial.goes_on:
        if trial.is_bots_turn:
            trial.give_turn()
            for _ in range(trial.dice.randrange(3)):
                if kinds:
                    trial.offer(kinds.pop())
            trial.await_move()
        else:
            trial.roll()
            if kinds and trial.dice.randrange(2):
                trial.offer(kinds.pop())
    first, second, *_ = BY_ALL
    trial.offer(first)
    trial.settle()
    trial.offer(second)
    trial.over()


def cut_short(trial: CheckGame) -> None:
    """End the game before the bot is ready, or while it thinks."""
    trial.begin(waits=False)
    if trial.dice.randrange(2):
        trial.over()
        return
    while trial.goes_on and not trial.is_bots_turn:
        trial.roll()
    if trial.goes_on:
        trial.give_turn()
    trial.over()


def deserted(trial: CheckGame) -> None:
    """Let seats leave: others before the bot comes and while it plays, and its own as the others decided."""
    match, seats, seat = trial.match, trial.setting.seats, trial.seat
    if seats > 2:
        match.leave((seat + 1) % seats, "dropped")
    trial.begin()
    for number in range(trial.dice.randrange(10)):
        if trial.goes_on:
            trial.move()
        if number == 3 and seats > 3 and trial.goes_on:
            match.leave((seat + 2) % seats, "time")
    if trial.goes_on:
        match.leave(seat, "dropped")
    if trial.goes_on and trial.dice.randrange(2):
        trial.restart()  # after a loss already
    while trial.goes_on:
        trial.roll()
    trial.over()


def among_peers(trial: CheckGame) -> bool:
    """Let the bot play at a table of the network."""
    return check_network(trial.setting, trial.player, trial.terms.patience, trial.end)


@dataclass(frozen=True, slots=True)
class Check:
    """A scene, and the games to play it in."""

    name: str
    scene: Scene
    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """The only game to check, and its options; `seats` None: the fewest and the most."""

    game: Game[Any, Any]
    options: Mapping[str, Value]
    seats: int | None = None


class Checkup(AbstractContextManager["Checkup"]):
    """All checks of one bot."""

    def __init__(
        self,
        program: Callable[[], Program],
        folder: Path,
        *,
        patience: int,
        seconds: float,
        quick: bool = False,
        only: CheckedGame | None = None,
    ) -> None:
        """`program` starts the bot; notes of its games go to the folder. `patience` in milliseconds."""

        def bring() -> KeptTalk:
            self._programs.append(program())
            return KeptTalk(self._programs[-1], folder, self.remarks.append, start=patience)

        self._programs: list[Program] = []
        self._only = only
        self.player = Player(bring)
        self.remarks: list[str] = []
        self.findings: list[Finding] = []
        self.known: tuple[Game[Any, Any], ...] = ()
        self._parameters: tuple[Parameter, ...] = ()
        self._patience = patience
        self._end = self._until = time.monotonic() + seconds
        self._to_do = 1
        self._quick = quick

    @property
    def gives_up(self) -> bool:
        """Return whether it is useless to go on with the checks."""
        return len(self.findings) >= MOST_FAULTS or not self.known

    def __exit__(self, *_: object) -> None:
        self.player.restart()
        for name, reason in self.player.dropped.items():
            self.remarks.append(f"its {quoted(name)} beside a move is dropped: {reason}")
        written = [program.errors_written for program in self._programs if isinstance(program, Program)]
        most = max(written, default=0)
        if most > MUCH_TO_ERRORS:
            self.remarks.append(
                f"it wrote {most >> 20} MiB to standard error within one program: the last {KEPT_ERRORS >> 10} KiB are "
                "kept, and its writing takes time from its moves"
            )

    def greet(self) -> CheckResult:
        """Check what a tournament asks before its first game (ai/bots/first_moves.py)."""
        done, began, where = CheckResult("start"), time.monotonic(), "before any game"
        try:
            greeting = self.player.talk.greet()
            self._parameters = greeting.parameters
            wanted = games() if self._only is None else [self._only.game]
            self.known = tuple(known for known in wanted if greeting.plays(known.key))
            for name in greeting.games:
                if name not in keys():
                    self.remarks.append(f"it says that it plays {quoted(name)}, and there is no such game here")
            if not self.known:
                here = "no such game is here" if self._only is None else f"{self._only.game.key} is to be checked"
                reason = f"plays {', '.join(greeting.games)} only: {here}"
                raise BotFault("protocol", reason)
            for setting in _settings(self.known, (1,), self._only, quick=True):
                if setting.seat == 0:
                    where = str(setting)
                    match = Match(game(setting.game), setting.options, setting.seats, deal=Deal(setting.seed))
                    make_first_moves(self.player.talk, match, patience=self._patience)
        except BotFault as fault:
            self._found(done, where, fault)
        done.seconds = time.monotonic() - began
        return done

    def checks(self) -> list[Callable[[], CheckResult]]:
        """Return the checks to run, in order."""
        checks = _checks(self.known, self._only, quick=self._quick)
        if self._parameters:
            checks.append(_extremes(self._parameters, _settings(self.known, (1,), self._only, quick=True)))
        on_network = _settings(self.known, (1,), self._only, quick=self._quick)
        checks.append(Check("network", among_peers, tuple(setting for setting in on_network if setting.seats <= 3)))
        self._to_do = len(checks)
        return [*(lambda check=check: self._run(check) for check in checks), self._ending]

    def _run(self, check: Check) -> CheckResult:
        done = CheckResult(check.name)
        failed: set[str] = set()  # games
        for setting in self._each(done, check.settings):
            if setting.game in failed:  # one fault in a game is enough
                continue
            done.games += 1
            try:
                done.complete &= check.scene(CheckGame(setting, self.player, self._patience, self._until)) is not False
            except BotFault as fault:
                failed.add(setting.game)
                self._found(done, str(setting), fault)
            self._note_network()
        if self.player.is_silent and check.scene is offered:
            self.remarks.append("it never answers proposals: each counts as declined")
        return done

    def _note_network(self) -> None:
        if any(isinstance(program, Program) and program.uses_network for program in self._programs[-1:]):
            self.remarks.append(
                "it tried to use a network, and its box has none. If it needs one, whoever plays with it has to start "
                "it with --isolate none, which lets it see the whole machine (quadrille docs isolation)"
            )

    def _ending(self) -> CheckResult:
        """Check that the bot ends after `quit`, even if the time is up."""
        done, began = CheckResult("end", games=1), time.monotonic()
        setting = next(iter(_settings(self.known, (1,), self._only, quick=True)))
        self.player.restart()
        try:
            check_end(lambda: whole(CheckGame(setting, self.player, self._patience, began + _ENDING)), self.player)
        except BotFault as fault:
            self._found(done, str(setting), fault)
        self.player.restart()
        done.seconds = time.monotonic() - began
        return done

    def _each(self, done: CheckResult, settings: Sequence[Setting]) -> Iterator[Setting]:
        """Yield the settings, as long as they are useful; no check takes more than its share of the time."""
        began = time.monotonic()
        self._until = began + (self._end - began) / self._to_do
        self._to_do -= 1
        for setting in settings:
            if self.gives_up or time.monotonic() > self._until:
                done.complete = False
                break
            yield setting
        done.complete &= time.monotonic() <= self._until
        done.seconds = time.monotonic() - began

    def _found(self, done: CheckResult, setting: str, fault: BotFault) -> None:
        path = self.player.last.notes.path if isinstance(self.player.last, KeptTalk) else None
        bundle = kept_bundle(path.read_bytes().splitlines()) if path is not None else None
        if bundle is not None and bundle.fault is None:
            bundle = replace(bundle, fault=fault)
        finding = Finding(done.name, setting, fault.kind, fault.why, bundle)
        done.findings.append(finding)
        self.findings.append(finding)


def _checks(known: Sequence[Game[Any, Any]], only: CheckedGame | None, *, quick: bool) -> list[Check]:
    small = _settings(known, (0, 1), only, quick=quick)
    few = _settings(known, (1,), only, quick=True)
    several = few if quick else small
    open_games = {one.key for one in known if not one.hidden}
    usual: Mapping[str, Value] = {} if only is None else only.options
    fewest = min((setting.seats for setting in few), default=0) if only else 0
    long = [replace(one, options=usual) for one in few if one.seats == (fewest or game(one.game).seats[0])]
    return [
        Check("games", whole, tuple(small)),
        Check("middle", middle, tuple(several)),
        Check("restart", restarted, tuple(few)),
        Check("takebacks", taken_back, tuple(one for one in several if one.game in open_games)),
        Check("offers", offered, tuple(several)),
        Check("cut short", cut_short, tuple(several)),
        Check("seats leave", deserted, tuple(several)),
        Check("clock", whole, tuple(replace(setting, clock=CLOCK) for setting in several)),
        Check("short clock", whole, tuple(replace(setting, clock=SHORT_CLOCK) for setting in few)),
        Check("long games", whole, tuple(long)),
    ]


def _extremes(parameters: Sequence[Parameter], settings: Sequence[Setting]) -> Check:
    """Check whole games with the least values that the bot declares, and with the most."""
    least, most = (tuple((parameter.name, number(parameter)) for parameter in parameters) for number in (_LEAST, _MOST))
    extremes = [replace(setting, values=values) for setting in settings for values in (least, most)]
    return Check("parameters", whole, tuple(extremes))


def _settings(
    known: Sequence[Game[Any, Any]], steps: Sequence[int], only: CheckedGame | None, *, quick: bool
) -> list[Setting]:
    """Return each game with odd options, the fewest and the most seats, and the bot in each of them (quick: at the
    ends). The games take turns, so that each has had one if time runs out.
    """
    groups: list[list[Setting]] = []
    for played in known:
        groups.append([])
        for step in steps if only is None else steps[-1:]:
            options = _odd_options(played, step) if only is None else only.options
            fixed = only is not None and only.seats
            for seats in (fixed,) if fixed else dict.fromkeys((played.seats[0], played.seats[-1])):
                try:
                    played.check(played.read_options(options), seats)
                except RulesError:
                    continue
                places = dict.fromkeys((0, seats - 1)) if quick else range(seats)
                groups[-1] += [
                    Setting(played.key, options, seats, seat, f"{played.key}{step}{seats}{seat}") for seat in places
                ]
    return [setting for turn in zip_longest(*groups) for setting in turn if setting is not None]


def _odd_options(game: Game[Any, Any], step: int) -> Mapping[str, Value]:
    """Return unusual options: with step 0 all numbers at their minimum and all others not at their default; then a step
    further, each number another one, so that no board is square.
    """
    options: dict[str, Value] = {}
    for place, spec in enumerate(game.Options.specs()):
        match spec.kind:
            case "number":
                options[spec.name] = min(spec.most, spec.least + (step and step + place))
            case "choice":
                options[spec.name] = spec.choices[step - 1]
            case "flag":
                options[spec.name] = bool((step + place) % 2) if step else not spec.default
    return options


def lines_before(finding: Finding, most: int = 6) -> list[str]:
    """Return the last lines before the fault, each with its time, cut if they are long."""
    lines = finding.bundle.lines[-most:] if finding.bundle else ()
    shown = []
    for line in lines:
        text = line.said if line.told is None else json.dumps(line.told)
        more = " …" if len(text) > _LONG else ""
        shown.append(f"{line.at:6} ms  {'it wrote' if line.told is None else 'it was told'}  {text[:_LONG]}{more}")
    return shown
