"""`quadrille ladder [BOT]`: the sample bots and their ratings, and the place of a bot among them."""

import argparse
import json
import time
from typing import TYPE_CHECKING, Final

from quadrille.client.bots.boxes import add_isolate
from quadrille.client.bots.names import add_ways, bot_name
from quadrille.client.commands.tournament import add_workers, plainly
from quadrille.client.network.options import span
from quadrille.client.table_setup import within
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

if TYPE_CHECKING:
    from quadrille.extras.league.ladder.ladders import RatedLadder, Rung

DESCRIPTION: Final = """\
Find the place of a bot among sample bots of known strength: its Elo, which samples it stands
between, and games that it lost, those to the weakest samples first. Without a bot, show the ladders.

  quadrille ladder                                    all ladders
  quadrille ladder mybot.py --game maze               the place of a bot, in ten minutes at most
  quadrille ladder "node bot.js" --game maze --at-least level-2     exit code 1 if it is weaker

Its games are a tournament in a folder (--keep): the same command goes on where it was stopped. A
changed bot begins anew. Samples do fixed work for each move; the bot is advised to take --budget.

Exit codes: 0 it was placed; 1 it is shown to be weaker than --at-least; 2 it can't be played, with the
reason; 130 stopped by Ctrl-C, after what is known so far."""
_FOLDER: Final = "ladder"
_LEAST: Final = 8


def arguments(parser: argparse.ArgumentParser) -> None:
    add_ways(parser.add_argument("bot", metavar="BOT", nargs="?", type=bot_name), "%(ways)s")
    parser.add_argument("--game", metavar="GAME", help="the game (default: all that have a ladder and the bot plays)")
    parser.add_argument(
        "--games", type=within(_LEAST), default=400, metavar="N", help=f"games in each, {_LEAST} or more (default 400)"
    )
    parser.add_argument(
        "--within", type=span, default="10m", metavar="T", help="maximum time for all of it, such as 90s (default 10m)"
    )
    parser.add_argument(
        "--budget", type=span, default="100ms", metavar="T", help="advised time for each move (default 100ms)"
    )
    parser.add_argument(
        "--at-least",
        metavar="SAMPLE|ELO",
        help="exit code 1 if the bot is shown to be weaker than this sample, or than this number",
    )
    parser.add_argument(
        "--seed", metavar="TEXT", default="", help="deal and seat by this seed: the same games can be played again"
    )
    parser.add_argument(
        "--without", action="append", default=[], metavar="SAMPLE", help="leave this sample out; may be repeated"
    )
    parser.add_argument(
        "--keep", metavar="FOLDER", default=_FOLDER, help=f"the folder of its games (default: {_FOLDER})"
    )
    add_isolate(parser)
    add_workers(parser)
    parser.add_argument("--json", action="store_true", help="tell the place of the bot as data")


def run(settings: argparse.Namespace) -> int:
    with plainly():
        return _placed(settings) if settings.bot is not None else _shown(settings)


def _keys(settings: argparse.Namespace) -> list[str]:
    from quadrille.extras.league.ladder.ladders import drafts
    from quadrille.rules.registry import game

    return list(drafts()) if settings.game is None else [game(settings.game).key]


def _shown(settings: argparse.Namespace) -> int:
    from pathlib import Path

    from quadrille.extras.league.ladder.ladders import ladder, ladder_text
    from quadrille.extras.league.ladder.workshop import Workshop

    if settings.json:
        raise RulesError("--json tells the place of a bot: name one")
    ladders = [ladder(key) for key in _keys(settings)]
    workshop = Workshop(Path(settings.keep))
    print("\n\n".join(ladder_text(one, workshop.lacking(one)) for one in ladders))
    return 0


def _placed(settings: argparse.Namespace) -> int:
    from quadrille.ai.tournament.run_events import STOPPED
    from quadrille.client.cli import FINE, INTERRUPTED, NO
    from quadrille.client.progress_line import tell_pace
    from quadrille.extras.league.ladder.ladders import ladder
    from quadrille.extras.league.ladder.placements import checked_folder, games_of, newcomer, place
    from quadrille.extras.league.ladder.tables import outcome_data, outcome_text, reaches

    keys = _keys(settings)
    for name in ("within", "budget"):
        if not getattr(settings, name):
            raise RulesError(f"--{name} takes a time, such as 90s, and not nothing")
    folder = checked_folder(settings.keep)
    entrant = newcomer(settings.bot, settings.isolate, folder)
    keys = games_of(entrant, folder, keys, only=settings.game is not None)
    thresholds = {key: _threshold(ladder(key), settings.at_least) for key in keys}
    tell_pace(quiet=settings.quiet)
    until, code, data = time.monotonic() + settings.within / 1000, FINE, []
    for number, key in enumerate(keys):
        now = time.monotonic()
        outcome = place(entrant, folder, key, settings, now + max(0.0, until - now) / (len(keys) - number))
        threshold = thresholds[key]
        if settings.json:
            data.append(outcome_data(outcome, threshold))
        else:
            print(("\n" if number else "") + outcome_text(outcome, threshold), flush=True)
        if outcome.why == STOPPED and not outcome.late:
            code = INTERRUPTED
            break
        if threshold is not None and not reaches(outcome, threshold):
            code = NO
    if settings.json:
        print(json.dumps({"placements": data}, indent=2))
    return code


def _threshold(ladder: "RatedLadder", text: str | None) -> "Rung | float | None":
    """Read a sample's name or a number of Elo."""
    if text is None:
        return None
    if (rung := ladder.rung(text)) is not None:
        return rung
    try:
        return float(int(text))
    except ValueError:
        names = ", ".join(rung.sample.name for rung in ladder.rungs)
        raise RulesError(
            f"--at-least takes a number of Elo or a sample of {ladder.game}, not {quoted(text)}: {names}"
        ) from None
