"""`quadrille tournament run FILE.toml`, and its siblings quick, game, show, report and verify."""

import argparse
from typing import Final

from quadrille.client.bots.boxes import add_isolate
from quadrille.client.network.options import add_network
from quadrille.client.table_setup import fraction, whole

DESCRIPTION: Final = """Tournaments of bots: fair, honest, and impossible to lose.

  quadrille tournament run league.toml                        play it, or go on with it
  quadrille tournament quick maze mcts:2 ./mybot.py           two bots, right now
  quadrille tournament show league.toml                       how it stands
  quadrille tournament game league.toml 12                    play game 12 again, and show it
  quadrille tournament report league.toml -o league.html      all of it on one page
  quadrille tournament verify league.toml                     whether the secret dealt its games

quadrille docs run-a-tournament: a small one step by step, then many machines, and how to read the report.

What stands in the file is told in protocols.md, "Tournaments". Every game is kept in FILE.sqlite
beside it: a run that was ended in any way goes on when it is run again. Ctrl-C finishes the games
that have begun, and a second one stops at once. An entrant may be a bot on somebody else's machine
(quadrille bot --serve), named by its key.

Exit codes: 0 all is played, or the match is decided for the entrant; 1 it is decided against it or not
at all, or a limit such as --fail-if-slower-than was missed; 2 it can't be played, or not to its end
(the reason is said, and what has been played is kept); 130 stopped by Ctrl-C."""
_BOT: Final = 'a bot of the house, FILE.py, ./PROGRAM, or a command with its words, such as "node bot.js"'


def arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="what", required=True, metavar="run|quick|game|show|report|verify")
    run = commands.add_parser("run", help="play a tournament, or go on with it")
    run.add_argument("file", metavar="FILE.toml", help="the tournament")
    _add_running(run)
    add_network(run)
    quick = commands.add_parser("quick", help="some bots at one game, right now")
    _add_quick(quick)
    _add_running(quick)
    _add_home(quick)
    game = commands.add_parser("game", help="play one game again from its number, and show it")
    game.add_argument("file", metavar="FILE", help="the tournament, or its journal")
    game.add_argument("number", metavar="N", type=whole, help="which game")
    game.add_argument("--kept", action="store_true", help="show it as it was kept, without playing it again")
    game.add_argument("-o", "--output", metavar="RECORD", help="write its record there as well")
    show = commands.add_parser("show", help="how it stands")
    show.add_argument("file", metavar="FILE", help="the tournament, or its journal")
    form = show.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as data")
    form.add_argument("--csv", action="store_true", help="all games, one a row")
    form.add_argument("--lines", action="store_true", help="all games, one a line, as JSON")
    form.add_argument("--records", metavar="FOLDER", help="write the record of every game there, for quadrille replay")
    _add_home(game)
    report = commands.add_parser("report", help="all of it on one HTML page")
    report.add_argument("file", metavar="FILE", help="the tournament, or its journal")
    report.add_argument("-o", "--output", metavar="PAGE", help="where to write it, over what is there")
    report.add_argument("--games", type=whole, metavar="N", help="so many games to step through at most")
    verify = commands.add_parser("verify", help="whether all was dealt by the secret it was committed to")
    verify.add_argument("file", metavar="FILE", help="the tournament, or its journal")
    verify.add_argument(
        "--show-secret",
        action="store_true",
        help="show the secret before the end, as of a ladder that has none; what is played later has another one",
    )

    _add_home(verify)


def _add_home(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--home", metavar="FOLDER", help="where secrets are kept; that of QUADRILLE_HOME if absent")


def _add_quick(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="which game")
    parser.add_argument("bots", metavar="BOT", nargs="+", help=_BOT)
    parser.add_argument(
        "--games",
        type=whole,
        metavar="N",
        help="so many at least; 100 if absent, and 20000 with --sprt, which seldom needs them all",
    )
    parser.add_argument("--seats", type=whole, metavar="N", help="how many play")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="an option of the game")
    parser.add_argument("--preset", metavar="P", help="a name for some options of the game")
    parser.add_argument("--clock", metavar="T", help="time for each, and more after each move: 1m+1s, or 5s+50ms")
    parser.add_argument("--work", type=whole, metavar="N", help="so much thinking a move, in what each bot counts")
    parser.add_argument(
        "--seed",
        metavar="TEXT",
        default="",
        help="decides who sits where; what is dealt, and the openings, are drawn anew each time",
    )
    parser.add_argument(
        "--openings",
        metavar="none|FILE",
        help="begin as usual, or with the records in a file; if absent, with random openings that are about even",
    )
    parser.add_argument(
        "--sprt",
        metavar="ELO0,ELO1",
        help="stop when it is decided whether the first bot is stronger by ELO1, or by no more than ELO0 (such as "
        "0,20): Elo as in the table, each error in 5 of 100 at most",
    )
    add_isolate(parser)
    parser.add_argument(
        "--keep",
        metavar="FILE.toml",
        help="write it as a tournament there, and its journal beside it",
    )


def _add_running(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--at-once", type=whole, metavar="N", help="so many games at a time; as many as there are cores"
    )
    parser.add_argument("--on", metavar="dask://HOST:PORT", help="on a Dask cluster (quadrille[cluster])")
    parser.add_argument("--tls", metavar="FILE.pem", default="", help="certificates and key for an encrypted cluster")
    parser.add_argument(
        "--secret",
        metavar="FILE",
        help="deal by the secret in this file, 64 hexadecimal digits, and draw none: the same games are dealt again",
    )
    parser.add_argument(
        "--untried",
        action="store_true",
        help="do not try every bot before the first game, and withdraw none that fails",
    )
    parser.add_argument(
        "--events",
        metavar="FILE",
        help="write what happens there, as lines of JSON; - for standard output, where nothing else is written then",
    )
    parser.add_argument("--quiet", action="store_true", help="show nothing but the end")
    parser.add_argument("--json", action="store_true", help="print the standing as data")
    parser.add_argument(
        "--fail-if-slower-than", type=fraction, metavar="X", help="end with 1 if there were fewer than X games a second"
    )
    parser.add_argument("--strict", action="store_true", help="end with 1 if a bot lost a game by a fault")


def run(settings: argparse.Namespace) -> int:
    from quadrille.ai.tournament import TournamentError
    from quadrille.net.core.errors import NetError
    from quadrille.rules.errors import RulesError

    try:
        return _command(settings)
    except (TournamentError, NetError) as error:
        raise RulesError(str(error)) from None
    except ModuleNotFoundError as error:
        if error.name not in ("tournament", "cluster", "ladder"):  # only a missing extra is a refusal (ai/adapters)
            raise
        raise RulesError(str(error)) from None


def _command(settings: argparse.Namespace) -> int:
    if settings.what in ("run", "quick"):
        from quadrille.client.tournament import runs as running

        return running.quick(settings) if settings.what == "quick" else running.run(settings)
    from quadrille.client.tournament import inspection

    code: int = getattr(inspection, settings.what)(settings)
    return code
