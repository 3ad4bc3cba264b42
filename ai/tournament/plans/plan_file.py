"""A tournament from a TOML file: read, checked, and refused with the line and the reason.

plan_keys.py has all keys; here are the rules that more than one key take part in. Specification:
docs/protocols/tournaments.md, "The file".
"""

import os
import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final

from quadrille.ai.bots.local import Adjudication
from quadrille.ai.bots.process.executable import meant_command, no_file, path_of, split_words, why_not
from quadrille.ai.bots.process.program import Limits
from quadrille.ai.house import split_file
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.folders import LONGEST_NAME, found, with_folders
from quadrille.ai.tournament.plans.opening_records import read_book
from quadrille.ai.tournament.plans.openings import Openings, digest, has_openings
from quadrille.ai.tournament.plans.plan import Entrant, Plan, Stop, Time, digest_of
from quadrille.ai.tournament.plans.plan_keys import FIRST, KIND, MADE, SPRT, TOP
from quadrille.ai.tournament.plans.plan_schema import Lines, PlanError, Section, keys_of
from quadrille.ai.tournament.schedules.formats import format_of
from quadrille.ai.tournament.schedules.schedule import Contest, Format
from quadrille.rules.errors import RulesError
from quadrille.rules.options import shown
from quadrille.rules.registry import game
from quadrille.rules.squares import is_line

_A_KEY: Final = re.compile(r"[0-9a-f]{64}")


def read(path: str | Path) -> Plan:
    """Read the plan of a file; a `PlanError` begins with the file and the line."""
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")  # some editors begin every file with a byte order mark
    except UnicodeDecodeError as error:
        raise PlanError(0, f"{path}: byte {error.start + 1} is not UTF-8") from None
    try:
        return parse(text, str(path.absolute().parent))
    except PlanError as error:
        where = f"{path}, line {error.line}" if error.line else str(path)
        raise PlanError(error.line, f"{where}: {error}") from None


def parse(text: str, folder: str) -> Plan:
    """Read the plan of a text; files of programs are named relative to `folder`."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+)", str(error))
        reason = re.sub(r" \(at .*\)$", "", str(error))
        raise PlanError(int(place[1]) if place else len(text.splitlines()), f"this is not TOML: {reason}") from None
    except ValueError:  # more digits than Python reads
        raise PlanError(0, "this is not the TOML of a tournament: a number in it has too many digits") from None
    except RecursionError:
        raise PlanError(0, "this is not the TOML of a tournament: its brackets are nested too deep") from None
    top = Section(data, TOP, Lines(text, [key.name for key in FIRST]))
    time = _time(top.section("time"))
    limits = top.section("limits")
    usual = limits.made(Limits)
    sections = top.sections("entrant")
    entrants = [_entrant(section, usual, folder) for section in sections]
    _check_different(sections, entrants)
    absent, handed = list[tuple[str, str]](), list[str]()
    if "entrants" in top:
        there = top.section("entrants")
        with there.naming("from"):
            entrants, absent = with_folders(entrants, there["from"], folder, usual)
            handed = [os.path.abspath(path) for _, path in found(there["from"], folder)]
    umpire = top.section("adjudicate").made(Adjudication)
    terms = ", ".join(filter(None, (str(time), str(umpire))))
    contests = [_contest(section, terms) for section in top.sections("game")]
    openings = _openings(top.section("openings"), contests, folder) if "openings" in top else None
    if openings is not None:
        contests = [replace(one, clock=f"{one.clock}, {openings}") if has_openings(one) else one for one in contests]
    if "seed" in top and not top["seed"]:
        raise top.fail('seed takes a text such as "league 7", not ""', "seed")
    plan = limits.made(
        Plan,
        entrants=tuple(entrants),
        contests=tuple(contests),
        format=_format(top),
        seed=top["seed"],
        time=time,
        umpire=umpire,
        anchor=_one_of(top, "anchor", entrants),
        stop=_stop(top.section("stop"), entrants) if "stop" in top else None,
        openings=openings,
        folder=folder,
        at_once=top["at_once"] or 0,
        absent=tuple(absent),
        handed=tuple(handed),
    )
    try:
        _check(plan, top)
    except PlanError as error:
        raise PlanError(
            error.line, "; ".join([str(error), *(f"{name}: {reason}" for name, reason in absent)])
        ) from None
    return plan


def _check_different(sections: Sequence[Section], entrants: Sequence[Entrant]) -> None:
    """Check that no two entrants have one name or one key."""
    for number, (section, entrant) in enumerate(zip(sections, entrants, strict=True)):
        for other in entrants[:number]:
            if entrant.name == other.name:
                raise section.fail(
                    f"there are two entrants {shown(entrant.name)}: give one of them another name", "name"
                )
            if entrant.peer and entrant.peer == other.peer:
                raise section.fail(f"there are two entrants with the key {entrant.peer}: each has its own", "peer")


def _check(plan: Plan, top: Section) -> None:
    """Make the checks that need the whole plan."""
    far = next((entrant.name for entrant in plan.entrants if entrant.peer), None)
    if not plan.ponder and far is not None:
        raise top.section("limits").fail(
            f"ponder = false is for bots of this machine, and {far} plays on its owner's, where nobody can stop it",
            "ponder",
        )
    if not plan.contests:
        raise PlanError(0, "a tournament needs a game: write [[game]], and under it game = and the name of one")
    _check_seats(plan.contests, top)
    seats, entrants = plan.contests[0].seats, len(plan.entrants)
    fewest = max(game(contest.game).seats[0] for contest in plan.contests)
    if fewest <= entrants < seats:
        written = "" if "seats" in top.sections("game")[0] else f", and nothing else is written: {seats} is usual"
        raise top.sections("game")[0].fail(
            f"this game is for {seats} seats{written}; {seats} seats need as many entrants: there are {entrants}. "
            f"Write seats = {entrants} under each [[game]], or add entrants",
            "seats",
        )
    with top.naming("format" if "format" in top else "entrant"):
        plan.schedule()


def _check_seats(contests: Sequence[Contest], top: Section) -> None:
    """Check that all games have the same number of seats: otherwise one of them is wrong, and the file may not
    mention seats at all.
    """
    seats = contests[0].seats
    for number, contest in enumerate(contests):
        if contest.seats == seats:
            continue
        common = set(game(contest.game).seats).intersection(*(game(contest.game).seats for contest in contests))
        todo = "make a tournament of each: no number is right for all"
        if common:
            todo = f"write seats = {seats if seats in common else min(common)} under each [[game]]"
        raise top.sections("game")[number].fail(
            "all games of a tournament need the same number of seats: "
            f"here they are for {seats} and for {contest.seats} seats; {todo}",
            "seats",
        )


def _entrant(section: Section, usual: Limits, folder: str) -> Entrant:
    own = section.section("limits")
    limits = replace(usual, **{name: own[name] for name in section["limits"] or ()})
    if sum(name in section for name in ("bot", "exec", "peer")) != 1:
        raise section.fail(
            "an entrant has bot = or exec = or peer =, and only one of them: "
            "a bot of the house or FILE.py, a command, or the key of a peer on the network"
        )
    if "peer" in section:
        return _peer(section)
    by, bot, words = "bot" if "bot" in section else "exec", "", tuple[str, ...]()
    try:
        if by == "bot":
            bot, words = named(section["bot"], folder)
        else:
            words = command(section["exec"], folder)
        digest = digest_of(bot, words, folder)
    except TournamentError as error:
        raise section.fail(str(error), by) from None
    except OSError as error:
        reason = f"{error.filename or bot or words[0]} can't be read: {error.strerror or error}"
        raise section.fail(reason, by) from None
    name = _name(section, _called((bot,) if bot else words, folder))
    return Entrant(name, bot, words, digest, limits, parameters=section["parameters"])


def _peer(section: Section) -> Entrant:
    """Read a bot that its owner serves. The whole key is required: the few digits that people compare could fit
    another's too.
    """
    key = section["peer"].lower()
    if not _A_KEY.fullmatch(key):
        raise section.fail(
            f"peer takes a whole key, 64 hexadecimal digits, not {shown(key)}: `quadrille bot … --serve` says which it "
            "has, and `quadrille who --json` shows those of all who are there",
            "peer",
        )
    if "limits" in section:
        raise section.fail("limits are for programs of this machine: what a peer's may use its owner says", "limits")
    return Entrant(_name(section, Entrant("", peer=key).written), peer=key, parameters=section["parameters"])


def _name(section: Section, usual: str) -> str:
    name = usual if section["name"] is None else section["name"]
    if not name.strip() or len(name) > LONGEST_NAME:
        raise section.fail(f"name takes 1 to {LONGEST_NAME} characters, not {shown(name)}", "name")
    return name


def _called(words: tuple[str, ...], folder: str) -> str:
    """Name a bot or a command by its words, without a program of the PATH before the file that it runs (`node bot.js 3`
    is `bot.js 3`), and without folders; only by the first word if all are too long. A model is called what it is.
    """
    if model := model_in(words):
        return model
    files = (place for place, word in enumerate(words) if os.path.isfile(path_of(word, folder)))
    start = 0 if os.path.dirname(words[0]) else next(files, 0)
    first, *more = words[start:]
    name = Path(first).name
    whole = " ".join((name, *more))
    return whole if len(whole) <= LONGEST_NAME else name[:LONGEST_NAME]


def model_in(words: Sequence[str]) -> str:
    """Return the model that a command names by `--model`; "" if it names none that is a name."""
    name = next((after for word, after in pairwise(words) if word == "--model"), "")
    return name if name.strip() and is_line(name) and len(name) <= LONGEST_NAME else ""


def named(text: str, folder: str) -> tuple[str, tuple[str, ...]]:
    """Read a bot as a person writes it: a built-in one or a kit file, or (the second) a program with its words."""
    path, _ = split_file(text)
    if path:
        if not os.path.isfile(path_of(path, folder)):
            raise TournamentError(no_file(path, folder))
        return text, ()
    if "/" in text or os.sep in text:
        return "", command(text, folder)
    from quadrille.ai.opponents import opponent  # imported here: it brings the search

    try:
        opponent(text, meant_command(text, folder))
    except RulesError as error:
        raise TournamentError(f'{error}, or FILE.py, or ./PROGRAM, or a command such as "node bot.js"') from None
    return text.strip().lower(), ()


def command(text: str, folder: str) -> tuple[str, ...]:
    """Split a command into words, and check that its program exists."""
    try:
        words = tuple(split_words(text))
    except ValueError as error:
        raise TournamentError(f"{shown(text)} is no command: {error}") from None
    if not words:
        raise TournamentError("a command has a program, such as ./mybot --fast")
    if obstacle := why_not(words, folder):
        raise TournamentError(obstacle)
    return words


def _contest(section: Section, time: str) -> Contest:
    with section.naming("game"):
        chosen = game(section["game"])
    seats = chosen.usual_seats if section["seats"] is None else section["seats"]
    preset = section["preset"]
    try:
        options = chosen.playable((dict(chosen.preset(preset)) if preset else {}) | (section["options"] or {}), seats)
    except RulesError as error:
        word = next((word for word in ("seats", "preset") if word in str(error)), "options")
        raise section.fail(str(error), word) from None
    return Contest(chosen.key, tuple(sorted(options.plain().items())), seats, time)


def _openings(section: Section, contests: Sequence[Contest], folder: str) -> Openings:
    """Read the openings; those of a file are refused if they can't begin any game."""
    if "file" in section and (name := next((maker.name for maker in MADE if maker.name in section), None)):
        raise section.fail(f"{name} is for openings that are made: those of a file are what they are", name)
    openings = section.made(Openings, plies=section["plies"] or 0, file="")
    if contests and not any(map(has_openings, contests)):
        games = ", ".join(dict.fromkeys(contest.game for contest in contests))
        raise section.fail(f"openings are for games without a deal: {games} begins differently each time anyway")
    if "file" not in section:
        return openings
    file = section["file"]
    if not file:
        raise section.fail("file takes the name of a file of records", "file")
    with section.naming("file"):
        book = read_book(Path(folder) / Path(file).expanduser(), contests)
    return replace(openings, file=file, digest=digest(book))


def _format(top: Section) -> Format:
    with top.naming("format", "kind"):
        kind = KIND.read((top["format"] or {}).get("kind", KIND.usual))
        shape = format_of(kind)
    if not shape.in_files:
        raise top.fail(f"no file can ask for the format {kind}", "format", "kind")
    format: Format = top.section("format", (KIND, *keys_of(shape))).made(shape)
    return format


def _time(section: Section) -> Time:
    if "clock" in section and "move" in section:
        raise section.fail("set either clock or move, not both", "move")
    if section["moves"] and not section["clock"]:
        raise section.fail("moves are those after which a clock has its time anew: there is no clock", "moves")
    if section["bank"] and (section["clock"] or "move" not in section):
        raise section.fail("bank needs move, and excludes clock", "bank")
    return section.made(Time)


def _stop(section: Section, entrants: Sequence[Entrant]) -> Stop:
    rule = section["rule"]
    if rule != "sprt" and (name := next((key for key in SPRT if key in section), None)):
        raise section.fail(f"{name} is for the rule sprt: {rule} has only alpha", name)
    entrant = _one_of(section, "entrant", entrants) or 0
    against = _one_of(section, "against", entrants)
    if against is None and len(entrants) == 2:
        against = 1 - entrant
    if against == entrant:
        raise section.fail("an entrant is not decided against itself", "against")
    stop = section.made(Stop, entrant=entrant, against=against)
    with section.naming():
        stop.machine()
    return stop


def _one_of(section: Section, name: str, entrants: Sequence[Entrant]) -> int | None:
    """Return the number of the named entrant."""
    if name not in section:
        return None
    names = [entrant.name for entrant in entrants]
    if section[name] not in names:
        raise section.fail(f"there is no entrant {shown(section[name])}: there are {', '.join(names)}", name)
    return names.index(section[name])
