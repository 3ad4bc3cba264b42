"""From a command line to the page: games are played, boards are solved, and the page is made and written.

Games are told in the order of the plan, whichever core has ended first. So one seed and one number give the same games
on any machine.
"""

import argparse
import os
import shlex
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final

from quadrille import __version__
from quadrille.ai.tournament.play.cores import cores
from quadrille.ai.tournament.play.farm import Farm, Lost
from quadrille.ai.tournament.play.processes import Processes
from quadrille.client.files import write_file
from quadrille.client.picture.records import check_output
from quadrille.client.progress_line import ProgressLine, duration, tell_pace
from quadrille.client.reports import heading, many
from quadrille.client.table_setup import options_of
from quadrille.extras.playtest.commands.playtest import MOST_MOVES
from quadrille.extras.playtest.findings import Games, Measurement
from quadrille.extras.playtest.kinds import playtested
from quadrille.extras.playtest.page import PageSection, html, markdown
from quadrille.extras.playtest.plan import PILOTS, TrialPlan, plan
from quadrille.extras.playtest.solved import solved
from quadrille.extras.playtest.trials import RANDOM, Trial, TrialCell, play
from quadrille.plugs import FILE, GAME_FILE
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match, Played
from quadrille.rules.registry import game

#: The sections by the first words of the keys of their findings. A finding that answers a question stands there alone.
_SECTIONS: Final = {
    "The game as it is": ("length", "seats", "decides", "drama", "skill", "memory"),
    "Options": ("option",),
    "Kinds of moves": ("kinds",),
    "First moves": ("opening",),
    "Figures at the end": ("figure",),
}
#: Maximum characters of the moves of a game that are written down.
_MOST_WRITTEN: Final = 600
#: Games that are given out before their turn, for each process; seconds between two looks at the clock.
_AHEAD: Final = 3
_LOOK: Final = 0.2


def playtest(settings: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    for name in (settings.html, settings.output):
        check_output(name)
    tell_pace()
    chosen = game(settings.game)
    start = Match(chosen, options_of(settings, chosen), settings.seats)
    options, seats = start.state.options.plain(), start.state.seats
    planned = plan(chosen, options, seats, settings.level, settings.seed, settings.longest)
    trials, whole = _played(planned, settings)
    if not trials:
        raise RulesError("no game has ended yet, so there is nothing to tell: give it more time")
    games = Games(planned, trials, start)
    boards = list[str]()
    with suppress(KeyboardInterrupt):
        boards = solved(chosen, options) if whole and planned.ends else []
    best = [play(planned.cells[0], 0, trial.number, settings.seed, settings.longest)[1] for trial in games.best()]
    title, sections = f"Playtest: {heading(start)}", _sections(games, boards, best, _again(settings, len(trials)))
    if settings.html is not None:
        write_file(settings.html, html(title, sections, best, [f"level {games.level}"] * seats), over=True)
    if settings.output is not None:
        write_file(settings.output, markdown(title, sections), over=True)
    if settings.html is settings.output is None:
        print(markdown(title, sections), end="")
    return 0


def _played(planned: TrialPlan, settings: argparse.Namespace) -> tuple[list[Trial], bool]:
    """Play the games; return them, and whether nobody has stopped them."""
    trials, line, processes = list[Trial](), ProgressLine(), settings.processes or cores()
    games = settings.games if planned.ends else min(settings.games or PILOTS, PILOTS)
    seconds = 60.0 * settings.minutes
    played = run(planned, settings.seed, settings.longest, games=games, seconds=seconds, processes=processes)
    try:
        for trial in played:
            trials.append(trial)
            line.tell(lambda: f"{len(trials):,} games, {duration(line.age)}; Ctrl-C makes the page of these")
    except KeyboardInterrupt:
        return trials, False
    finally:
        line.end()
    return trials, True


def run(plan: TrialPlan, seed: str, most: int, *, games: int | None, seconds: float, processes: int) -> Iterator[Trial]:
    """Play that many games, or for that time; a game is broken off after `most` moves."""
    until = time.monotonic() + seconds
    left = islice(plan.games(), games)
    if processes == 1:
        for place, number in left:
            if games is None and time.monotonic() >= until:
                return
            yield _one((plan.cells[place], place, number, seed, most))
        return
    waiting, told, farm = deque[tuple[int, int]](), dict[tuple[int, int], Trial](), Farm(Processes(processes))
    try:
        while True:
            while waiting and waiting[0] in told:
                yield told.pop(waiting.popleft())
            ends = games is None and time.monotonic() >= until
            for place, number in islice(left, 0 if ends else processes * _AHEAD - len(waiting)):
                waiting.append((place, number))
                farm.submit(_one, (plan.cells[place], place, number, seed, most))
            if not waiting or ends:
                return  # a game that is not ended in time is left out with all after it
            for (_, place, number, *_), end in farm.ended(_LOOK):
                told[place, number] = Trial(place, number, broken=end.why) if isinstance(end, Lost) else end
    finally:
        farm.close(at_once=True)


def _one(given: tuple[TrialCell, int, int, str, int]) -> Trial:
    return play(*given)[0]


def _again(settings: argparse.Namespace, games: int) -> str:
    """Return the command that makes the same page."""
    file = os.environ.get(GAME_FILE, "") if settings.game.endswith(f"@{FILE}") else ""
    words = ["quadrille", "playtest", os.path.basename(file) or settings.game]
    given = {name: getattr(settings, name) for name in ("seats", "preset", "longest")}
    words += [f"--{name}={value}" for name, value in given.items() if value not in (None, MOST_MOVES)]
    words += [*(f"--set={setting}" for setting in settings.set), f"--level={settings.level}"]
    return shlex.join([*words, f"--games={games}", f"--seed={settings.seed}"])


def _sections(games: Games, boards: Sequence[str], best: Sequence[Match], again: str) -> list[PageSection]:
    sections = [PageSection("", [_lead(games), *_faults(games)])]
    results, answered = [f"{finding}." for finding in boards], set[str]()
    for question, keys in playtested(games.start.game.key).asked:
        rows = [finding for key in keys for finding in games.of(key) if finding.what not in answered]
        answered |= {finding.what for finding in rows} | ({*keys} & {"solved"})
        differs = {finding.measured.found for finding in rows if finding.verdict}
        sentences = results * ("solved" in keys) + ["Nothing was found that differs."] * (differs == {False})
        sections.append(_folded(f"Asked: {question}", sentences, rows))
    answered |= {finding.rpartition(": ")[0] for finding in games.dead}  # and stands with the rules that did nothing
    for name, keys in _SECTIONS.items():
        rows = [finding for key in keys for finding in games.of(key) if finding.what not in answered]
        sections.append(_folded(name, [], rows))
    dead = [f"{finding}." for finding in games.dead] or ["None was found."] * bool(games.own)
    sections.append(PageSection("Rules that did nothing for these bots", dead))
    sections.append(PageSection("Small boards solved", results * ("solved" not in answered)))
    sections.append(PageSection("Games to look at", _best(games, best), film=True))
    compared = [finding.measured.found for finding in games.findings if finding.measured.against is not None]
    made = [
        f"`{again}` plays these games and makes this page again, with Quadrille {__version__} and version "
        f"{games.start.game.rules} of the rules.",
        "Each interval holds the truth 95 times in 100, for bots of these levels. Without a verdict these games cannot "
        "tell; ? stands where they are too few.",
        f"Of {many(len(compared), 'comparison')} {sum(compared)} found something. By chance alone 1 in 20 leaves its "
        'interval: that is "perhaps". The other verdicts all hold in 95 of 100 pages (Holm\'s procedure).',
    ]
    different = len({trial.trace for trial in games.own})
    if different < len(games.own):
        made.append(f"{different} of the {len(games.own)} games at equal levels differ: intervals are a bit narrow.")
    sections.append(PageSection("How this was made", made))
    return [finding for finding in sections if finding.said or finding.findings]


def _folded(heading: str, sentences: list[str], rows: Sequence[Measurement]) -> PageSection:
    """Make a section in which one sentence names all that makes no difference in any measure."""
    telling = {finding.subject for finding in rows if not finding.silent}
    silent = ", ".join(dict.fromkeys(finding.subject for finding in rows if finding.subject not in telling))
    sentences += [f"Without a finding: {silent}."] * bool(silent)
    return PageSection(heading, sentences, [finding for finding in rows if finding.subject in telling])


def _lead(games: Games) -> str:
    number = many(len(games.trials), "game")
    if games.level == RANDOM:
        return f"Bots have played {number}. Those of random moves do not end, so no bot can try what follows a move."
    text = f"Bots have played {number}. {len(games.own)} of them are of this table at equal levels, {games.level}."
    if games.seats == 1:
        text += " One seat: points, skill and lead are not measured."
    skill = [finding for finding in games.of("skill") if finding.key == "skill"]  # and not that of another board
    for finding in (*games.of("length")[:1], *games.of("seats 1"), *skill[-1:], *games.of("drama settled")):
        text += f" {finding.what.capitalize()}: {finding.told}."
    return text


def _faults(games: Games) -> list[str]:
    cells = games.plan.cells
    broken = {cells[one.cell].told and f" ({cells[one.cell].name})": one for one in games.unfinished if one.broken}
    sentences = []
    for which, one in broken.items():
        after = f" after {many(one.moves, 'move')}" if one.moves else ""
        sentences.append(f"A game{which} broke{after}: {one.broken}.")
    lost = sum(not trial.broken for trial in games.unfinished)
    return sentences + [f"{lost} of {len(games.trials)} games did not come to an end and count nowhere."] * bool(lost)


def _best(games: Games, best: Sequence[Match]) -> list[str]:
    sentences = []
    for place, (trial, match) in enumerate(zip(games.best(), best, strict=True), 1):
        moves = ", ".join(str(entry.move) for entry in match.entries if isinstance(entry, Played))
        moves_told = f"; `{moves}`" if len(moves) <= _MOST_WRITTEN else ""
        low = f", the winner had expected {trial.lowest:+.1f}" if trial.lowest < -0.05 else ""
        counts = f"{many(trial.moves, 'move')}, {many(trial.swings, 'change')} of the lead"
        sentences.append(f"Game {place}: {counts}{low}{moves_told}.")
    return sentences
