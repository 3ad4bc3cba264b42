"""`quadrille tune`: steps of a tuning, then the verdict: the tuned values against the usual ones."""

import argparse
import hashlib
import json
import shlex
import time
from collections.abc import Iterator
from math import ceil, inf
from pathlib import Path
from typing import Final

from quadrille.ai.bots.lines.parameters import Number, Parameter, Values, written
from quadrille.ai.house import split_file
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import SUFFIX
from quadrille.ai.tournament.plans.plan import Entrant
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.plans.plan_schema import toml_key
from quadrille.ai.tournament.run_events import STOPPED, Event, Unplayed, Void, Warned
from quadrille.ai.tournament.statistics.ratings import told
from quadrille.client.bots.names import slug
from quadrille.client.cli import FINE, INTERRUPTED, NO, interrupts
from quadrille.client.files import alone, write_file
from quadrille.client.foreign import shown
from quadrille.client.progress_line import ProgressLine, duration
from quadrille.client.tournament.notes import many, verdict
from quadrille.client.tournament.progress import sentence
from quadrille.client.tournament.runs import RunTerms, played, quick_file, workers
from quadrille.client.tournament.standings import TournamentStanding
from quadrille.client.tournament.tables import folded
from quadrille.client.words.story import few
from quadrille.extras.league.tuning.lessons import Lessons, read
from quadrille.extras.league.tuning.tuning import Task, Tuning, declared
from quadrille.rules.errors import RulesError

#: Games of a tuning by default, and blocks of a step.
GAMES: Final = 2000
BLOCKS: Final = 4
#: Openings of the steps, and of the verdict; made anew for it, so that it does not ask what was learned by heart.
OPENINGS: Final = 100
#: The hypotheses of the verdict, in Elo.
ELO: Final = "0,20"
#: The share of the time limit that steps take; the rest is for the verdict.
STEPS: Final = 2 / 3
TUNED: Final = "tuned"
USUAL: Final = "usual"


def tune(settings: argparse.Namespace) -> int:
    began = time.monotonic()
    named = Path(settings.output).expanduser() if settings.output else None
    if named is not None and named.suffix in (".toml", SUFFIX):
        raise RulesError("-o names the notes of the tuning, such as mybot.json: the verdict goes beside it")
    task = _task(settings, Path.cwd() if named is None else named.absolute().parent)
    path = named or Path(_usual_name(task))
    with alone(str(path)):
        lessons = _lessons(path, task, settings)
        until = inf if settings.within is None else began - lessons.seconds + settings.within / 1000
        tuning = _steps(task, lessons, path, settings)
    values = tuning.spsa.values
    if tuning.stopping:
        steps, text = tuning.spsa.step, "Stopped before the end of the first step: run it again to begin."
        if steps:
            kept = f"Stopped after {many(steps, 'step')}, which {path} keeps: run it again to go on"
            text = f"{kept}. So far: {centre(tuning)}."
        ProgressLine().say(text)
        return INTERRUPTED
    if not lessons.scores:
        raise TournamentError(f"there was no time for a single step: {settings.within / 1000:g} seconds are too few")
    if all(number == parameter.usual for parameter, (_, number) in zip(task.parameters, values, strict=True)):
        best = f"After {many(tuning.spsa.step, 'step')} the usual values are still the best that it found"
        print("\n".join(folded(f"{best}: there is nothing to compare. With more --games it looks further.")))
        return NO
    if not settings.verdict_games and settings.verdict_games is not None:
        print("\n".join(_lines(task, values)))
        return FINE
    return _verdict(tuning, path, settings, until)


def _usual_name(task: Task) -> str:
    """Return the name of a tuning's notes if the person names none: a changed bot, or another task, begins anew."""
    plain = task.plain()
    identity = hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:8]
    return f"{_stem(plain['bot'])}-{plain['game']}-tune-{identity}.json"


def _stem(bot: str) -> str:
    file = split_file(bot)[0] or next((word for word in bot.split()[::-1] if "." in word), bot)
    return slug(Path(file).stem)


def _task(settings: argparse.Namespace, folder: Path) -> Task:
    """Return the task of the tuning; start the bot once to hear what it declares."""
    # only the folder of this file counts, from which the bot is found
    match_settings = _match(settings, folder / "tune.toml", 2, sprt=None)
    match_settings.bots = [settings.bot, settings.against or settings.bot]
    plan = parse(quick_file(match_settings, ("bot", "rival"), openings=OPENINGS), str(folder))
    against: Entrant | None = plan.entrants[1] if settings.against else None
    return Task(plan, declared(plan), settings.blocks or BLOCKS, settings.seed, against)


def _lessons(path: Path, task: Task, settings: argparse.Namespace) -> Lessons:
    """Return the notes of an earlier run, or empty ones."""
    try:
        return read(path.read_text("utf-8"), str(path), task.plain())
    except FileNotFoundError:
        return Lessons(task.plain(), max(1, ceil((settings.games or GAMES) / task.games)))
    except UnicodeDecodeError:
        return read("", str(path), task.plain())


def _steps(task: Task, lessons: Lessons, path: Path, settings: argparse.Namespace) -> Tuning:
    """Play the steps that are left, and keep the notes after each."""
    games = settings.games or (GAMES if settings.within is None else None)
    steps = None if games is None else ceil(games / task.games)
    limit = inf if settings.within is None else STEPS * settings.within / 1000

    def keep() -> None:
        try:
            write_file(str(path), lessons.text(dict(tuning.spsa.values)), over=True)
        except OSError as error:
            raise TournamentError(
                f"{path} can't be written: {error.strerror or error}. Its earlier lessons are still there: free some "
                "space or see to its folder, and run the same command again"
            ) from None

    def done(tuning: Tuning) -> bool:
        if steps is not None and tuning.spsa.step >= steps:
            return True
        own = tuning.spsa.step - before
        return lessons.seconds + (tuning.seconds / own / 2 if own else 0) >= limit

    show = TuningProgress(steps, limit, quiet=settings.quiet)
    tuning = Tuning(task, lessons, workers(task.plan, _terms(settings)), show.take, keep)
    before = tuning.spsa.step
    if before:
        show.say(f"{many(before, 'step')} have been played before: going on with {path}.")

    def abort() -> None:
        """Wait for no game in progress: its step would be lost in any case."""
        tuning.stop()
        tuning.stop()

    with interrupts(abort):
        try:
            tuning.go(done)
        except TournamentError as error:
            show.end()
            if lessons.scores:
                learned = ", ".join(f"{name} {written(value)}" for name, value in tuning.spsa.values)
                error = TournamentError(f"{error}. Learned so far, in {many(tuning.spsa.step, 'step')}: {learned}")
            raise error from None
        finally:
            show.end()
            tuning.close()
    if tuning.played and not tuning.stopping:
        steps, games = many(tuning.spsa.step, "step"), many(tuning.spsa.step * task.games, "game")
        show.say(f"{steps}, {games} in {duration(lessons.seconds)}: {centre(tuning)}.")
    return tuning


class TuningProgress(ProgressLine):
    """Shows how far a tuning is; a quiet one says nothing."""

    def __init__(self, steps: int | None, limit: float, *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self._steps, self._limit = steps, limit

    def take(self, tuning: Tuning, event: Event) -> None:
        if isinstance(event, Void | Unplayed | Warned):
            self.say(sentence(event))
        self.tell(lambda: self._line(tuning))

    def _line(self, tuning: Tuning) -> str:
        if tuning.task.plan.openings is not None and tuning.lessons.book is None:
            return f"making openings, {tuning.making}" if tuning.making else "making openings"
        step, played = tuning.spsa.step, tuning.played
        of = f" of {self._steps}" if self._steps else ""
        left, rate = self._left(tuning), f"{tuning.rate:.1f} games a second" if played else "trying the bot"
        return f"{', '.join(filter(None, (f'step {step + 1}{of}', rate, left)))}: {centre(tuning)}"

    def _left(self, tuning: Tuning) -> str:
        left = self._limit - tuning.lessons.seconds
        if self._steps and tuning.played:
            games = (self._steps - len(tuning.lessons.scores)) * tuning.task.games
            left = min(left, games / tuning.rate)
        return f"{duration(max(0.0, left))} left" if left < inf else ""


def centre(tuning: Tuning) -> str:
    """Say where the search stands; whole numbers with a digit more, so that one sees them move."""
    places = iter(tuning.spsa.places)
    parts = []
    for parameter in tuning.task.parameters:
        span = parameter.most - parameter.least
        number = parameter.usual if parameter.fixed else parameter.least + next(places) * span
        parts.append(f"{shown(parameter.name)} {number:{'.1f' if parameter.whole else '.4g'}}")
    return ", ".join(parts)


def _verdict(tuning: Tuning, path: Path, settings: argparse.Namespace, until: float) -> int:
    """Play the tuned values against the usual ones, and print what came out."""
    task, values = tuning.task, tuning.spsa.values
    games = settings.verdict_games or max(2, tuning.spsa.step * task.games)
    file = path.with_name(f"{path.stem}-{tuning.spsa.step}.toml")
    told = quick_file(_match(settings, file, games), (TUNED, USUAL), (values, ()), openings=OPENINGS)
    plan = parse(told, str(file.absolute().parent))
    if not file.exists() or file.read_bytes() != told.encode():
        write_file(str(file), told, over=True)
    ProgressLine(quiet=settings.quiet).say(f"The verdict: {TUNED} against {USUAL}, {many(games, 'game')} at most.")
    secret = tuning.secret(f"verdict {tuning.spsa.step} {games}")
    standing, ending, _ = played(plan, file.with_suffix(SUFFIX), _terms(settings), secret, until=until)
    if ending == STOPPED and time.monotonic() < until:
        ProgressLine().say("Stopped in the middle of the verdict: run it again to go on.")
        return INTERRUPTED
    better = standing.verdict == "stronger"
    sentences = [line for text in _result(standing, task, values, file) for line in folded(text)]
    print("\n".join([*sentences, *_lines(task, values, kept=better), *(_against_others(task) if better else ())]))
    return FINE if better else NO


def _terms(settings: argparse.Namespace) -> RunTerms:
    return RunTerms(home=settings.home, at_once=settings.at_once, quiet=settings.quiet)


def _match(settings: argparse.Namespace, file: Path, games: int, sprt: str | None = ELO) -> argparse.Namespace:
    """Return the settings of a tournament's file, as if somebody had typed them for a quick tournament."""
    quick = {"bots": [settings.bot] * 2, "keep": str(file.absolute()), "seats": None, "sprt": sprt, "games": games}
    return argparse.Namespace(**vars(settings) | quick)


def _result(standing: TournamentStanding, task: Task, values: Values, file: Path) -> Iterator[str]:
    text = verdict(standing)
    yield text[0].upper() + text[1:]
    (elo, error), line = strength(standing), standing.line(0)
    if line.score is not None:
        known, more = (f" ± {error:.0f}", "") if error < inf else ("", ", and blocks are too few to tell its error")
        points = f"{100 * line.score:.1f} % of the points of {many(line.games, 'game')}"
        yield f"{points}: Elo {elo:+.0f}{known} against its own usual values{more}."
    if standing.verdict != "stronger":
        more = "or tune with more --games"
        if standing.verdict is None:
            more = "tune with more --games, or let the verdict go on with more --verdict-games"
        yield f"The tuned values are not shown to be stronger: keep the usual ones, {more}."
    yield from _bounds(task, values)
    yield f"Its games: quadrille tournament report {file}"


def _bounds(task: Task, values: Values) -> Iterator[str]:
    """Name the values that might have gone further."""
    for word in ("least", "most"):
        there = [
            shown(parameter.name)
            for parameter, (_, number) in zip(task.parameters, values, strict=True)
            if number == getattr(parameter, word) != parameter.usual
            and not (parameter.whole and parameter.most - parameter.least == 1)
        ]
        if there:
            are = "is" if len(there) == 1 else "are"
            yield f"{few(there)} {are} at the {word} that the bot allows: a wider range may be better still."


def strength(standing: TournamentStanding) -> tuple[float, float]:
    """Return how far the first of two entrants is above the other in Elo, and half of its 95 % interval."""
    rated = standing.ratings
    return rated.elo[0] - rated.elo[1], told(rated.error[0] + rated.error[1])


def _against_others(task: Task) -> Iterator[str]:
    """Point at the ladder: nobody may take a bot's Elo against itself for its strength."""
    yield "With them in the bot, this tells what it is worth against others:"
    yield f"    quadrille ladder {shlex.quote(task.bot.written)} --game {task.plan.contests[0].game}"


def _lines(task: Task, values: Values, *, kept: bool = True) -> Iterator[str]:
    """Yield the values as an author copies them; not `kept`: as one may still want to try them."""
    rows = list(zip(task.parameters, (number for _, number in values), strict=True))
    what = "The values" if kept else "The tuned values, if you still want them"
    yield ""
    if split_file(task.bot.bot)[0]:
        yield f"{what}, for the class of the bot:"
        for parameter, number in rows:
            bounds = f"{written(parameter.least)}, {written(parameter.most)}"
            yield f"    {parameter.name} = Number({bounds}, usual={_kind(parameter, number)})"
    else:
        yield f"{what}, for the greeting of the bot:"
        plain = [parameter.plain() | {"usual": number} for parameter, number in rows]
        yield f'    "parameters": {json.dumps(plain, ensure_ascii=False)}'
    yield "And for a tournament's file:"
    yield "    parameters = {" + ", ".join(f"{toml_key(name)} = {written(number)}" for name, number in values) + "}"


def _kind(parameter: Parameter, number: Number) -> str:
    """Write a value so that the parameter stays what it is: whole, or a fraction."""
    return written(number if parameter.whole else float(number))
