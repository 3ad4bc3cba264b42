"""`quadrille tournament run FILE.toml`, and its siblings quick, game, show, report and verify."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from quadrille.client.bots.boxes import add_isolate
from quadrille.client.bots.names import add_ways
from quadrille.client.commands import additions
from quadrille.client.commands.shared import add_home
from quadrille.client.table_setup import add_options, whole, within
from quadrille.net.core.errors import NetError
from quadrille.rules.errors import RulesError

DESCRIPTION: Final = """Tournaments of bots: fair, honest and crash-proof.

  quadrille tournament run --folder bots/ --game maze         all bots of a folder; later without --game
  quadrille tournament run league.toml                        play it, or resume it
  quadrille tournament quick maze mcts:2 ./mybot.py           two bots, right now
  quadrille tournament show league.toml                       the standing
  quadrille tournament game league.toml 12                    play game 12 again, and show it
  quadrille tournament report league.toml -o league.html      a report on one page
  quadrille tournament verify league.toml                     check that the secret dealt its games

quadrille docs run-a-tournament: a small one step by step, and how to read the report.

quadrille docs tournaments describes the file. Every game is kept in FILE.sqlite beside it: a run
that was interrupted in any way resumes when it is run again. Ctrl-C finishes the games in progress,
and a second one stops at once.

Exit codes of run and quick:
  0    All is played, or the match is decided for the entrant.
  1    The match is decided against it, or not at all.
       An entrant was withdrawn, and --lenient was not given.
       A bot lost a game by a fault, and --strict was given.
       Nobody can be ranked, since signals ended bots (show and report say so too).
  2    It can't be played, or not to its end. The reason is printed, and
       played games are kept.
  130  Ctrl-C stopped it.

1 of game: it went otherwise than before. 1 of verify: a deal is wrong, or can't be checked yet."""
#: The commands of a tournament that has a journal.
_ONES: Final = (
    ("game", "play one game again from its number, and show it"),
    ("show", "show the standing"),
    ("report", "write a report as one HTML page"),
    ("verify", "check that the committed secret dealt all games"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    ways = additions("tournament")
    parser.set_defaults(ways=ways)
    commands = parser.add_subparsers(dest="what", required=True, metavar="run|quick|game|show|report|verify")
    run = _one_of(commands, "run", "play a tournament, or resume it", "FILE.toml", "the tournament", nargs="?")
    run.add_argument(
        "--folder",
        metavar="BOTS",
        help="instead of a file: a bot for each folder in this one; BOTS.toml beside it is written where it is missing",
    )
    run.add_argument("--game", metavar="GAME", help="with --folder, the first time: which game")
    _add_game_terms(run)
    run.set_defaults(bots=[], sprt=None, keep=None)
    quick = commands.add_parser("quick", help="some bots at one game, right now")
    game, show, report, verify = (_one_of(commands, *row, "FILE", "the tournament, or its journal") for row in _ONES)
    _add_quick(quick)
    _add_running(run)
    _add_running(quick)
    for command in (game, verify):
        add_home(command, " with the secrets")
    game.add_argument("number", metavar="N", type=whole, help="which game")
    game.add_argument("--kept", action="store_true", help="show the kept game, without playing it again")
    game.add_argument("--run", action="store_true", dest="run_it", help="start the bots' own programs for that")
    game.add_argument("--dialogue", action="store_true", help="show every line told and answered, if it was kept")
    game.add_argument(
        "--bundles", metavar="FOLDER",
        help="write the kept dialogue of each seat to this folder, for quadrille bot replay",
    )  # fmt: skip
    game.add_argument("-o", "--output", metavar="RECORD", help="also write its record to this file")
    form = show.add_mutually_exclusive_group()
    form.add_argument("--csv", metavar="FOLDER", help="write standing.csv and pairs.csv to this folder, over old ones")
    form.add_argument("--json", action="store_true", help="print the same tables and the notes as JSON")
    form.add_argument(
        "--records", metavar="FOLDER", help="write the record of every game to this folder, for quadrille replay"
    )
    for command in (game, show):
        command.add_argument("--thoughts", action="store_true", help="let the records have what the bots thought, too")
    report.add_argument("-o", "--output", metavar="PAGE", help="the file to write; an existing one is overwritten")
    report.add_argument("--games", type=within(0), metavar="N", help="maximum games that readers can step through")
    verify.add_argument(
        "--show-secret", action="store_true", help="reveal the secret before the end; later games get another one"
    )
    for name, command in commands.choices.items():
        for way in ways:
            way.arguments(command, name)


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add the options of whatever plays games here and keeps their secret."""
    parser.add_argument(
        "--at-once", type=within(1), metavar="N", help="number of parallel games (default: one for each core)"
    )
    parser.add_argument("--quiet", action="store_true", help="show only the result")
    add_home(parser, " with the secrets")


def _one_of(
    commands: Any, what: str, help: str, file: str, about: str, nargs: str | None = None
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(what, help=help)
    parser.add_argument("file", metavar=file, help=about, nargs=nargs)
    return parser


def _add_quick(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="which game")
    add_ways(parser.add_argument("bots", metavar="BOT", nargs="+"), "%(ways)s")
    _add_game_terms(parser)
    parser.add_argument(
        "--sprt",
        metavar="ELO0,ELO1",
        help="stop when it is decided whether the first bot is stronger by ELO1, or by no more than ELO0 (such as "
        "0,20): Elo as in the table, each error in 5 of 100 at most",
    )
    parser.add_argument(
        "--keep", metavar="FILE.toml", help="write the tournament to this file, and its journal beside it"
    )


def _add_game_terms(parser: argparse.ArgumentParser) -> None:
    """Add what stands in the file that `quick` plays, and that `run --folder` writes."""
    parser.add_argument(
        "--games",
        type=within(1),
        metavar="N",
        help="minimum games (default 100; 20000 with --sprt, which seldom needs them all)",
    )
    parser.add_argument(
        "--seats",
        type=whole,
        metavar="N",
        help="the number of players in each game (default: as many as bots, up to the game's usual number, which "
        "quadrille rules lists)",
    )
    add_terms(parser)
    parser.add_argument(
        "--seed", metavar="TEXT", default="", help="decides the seating; deals and openings are drawn anew each time"
    )
    add_isolate(parser)


def add_terms(parser: argparse.ArgumentParser) -> None:
    """Add the options of a game between bots."""
    add_options(parser)
    parser.add_argument("--clock", metavar="T", help="time for each, and increment for each move: 1m+1s, or 5s+50ms")
    parser.add_argument(
        "--work", type=whole, metavar="N", help="amount of thinking for each move, in each bot's own unit"
    )
    parser.add_argument(
        "--openings",
        metavar="none|FILE",
        help="none, or a file of records to begin with (default: random openings that are about even)",
    )


def _add_running(parser: argparse.ArgumentParser) -> None:
    add_workers(parser)
    parser.add_argument(
        "--secret",
        metavar="FILE",
        help="deal by the secret in this file (64 hexadecimal digits): the same games are dealt again",
    )
    parser.add_argument(
        "--untried",
        action="store_true",
        help="do not try every bot before the first game, and withdraw none that fails",
    )
    parser.add_argument(
        "--skip-failing",
        type=within(0),
        default=0,
        metavar="N",
        help="withdraw an entrant that fails in N games in a row: it loses the rest without being started",
    )
    parser.add_argument(
        "--dialogues", action="store_true", help="keep every line told and answered, for tournament game --dialogue"
    )
    parser.add_argument("--strict", action="store_true", help="exit code 1 if a bot lost a game by a fault")
    parser.add_argument("--lenient", action="store_true", help="exit code 0 although an entrant was withdrawn")


def run(settings: argparse.Namespace) -> int:
    with plainly():
        return _command(settings)


@contextmanager
def plainly() -> Iterator[None]:
    """Raise faults of this machine as refusals, for commands whose exit code 1 is a verdict."""
    try:
        yield
    except NetError as error:
        raise RulesError(str(error)) from None


def _command(settings: argparse.Namespace) -> int:
    for way in settings.ways:
        if (other := way.instead(settings)) is not None:
            return int(other)
    if settings.what in ("run", "quick"):
        from quadrille.client.tournament import runs as running

        return running.quick(settings) if settings.what == "quick" else running.run(settings)
    from quadrille.client.tournament import inspection

    return int(getattr(inspection, settings.what)(settings))
