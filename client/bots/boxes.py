"""The bots of a command line and the boxes of their programs: their options, and the sentence about a box in use.

Cheap to import, so that `--help` comes at once. See ai/bots/process/isolation.py for what a box is.
"""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from quadrille.ai.house import LEVELS, levels
from quadrille.client.bots.names import USUAL_LEVEL, WordRefused, add_ways, bot_names, command_name
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

if TYPE_CHECKING:
    from quadrille.ai.bots.process.isolation import Protection
    from quadrille.ai.bots.process.program import Limits

#: The same words as in ai/bots/process/isolation.py.
BOXES: Final = ("none", "if possible", "required")
USUAL: Final = "if possible"


def add_isolate(parser: argparse.ArgumentParser, usual: str = USUAL) -> None:
    parser.add_argument(
        "--isolate",
        type=way,
        default=usual,
        metavar="WAY",
        help="the box that hides other files and the network from a bot's program (Linux): none, "
        f'"if possible" or required (default {usual})',
    )


def way(text: str) -> str:
    """Read one of `BOXES`; a dash may join its words."""
    words = " ".join(text.lower().replace("-", " ").split())
    if words not in BOXES:
        raise WordRefused(f"{quoted(text)} is none of {', '.join(BOXES)}")
    return words


def add_bots(parser: argparse.ArgumentParser, alone: str = "") -> None:
    """Add the options by which bots come along, counted or named, and say whether they need a box."""
    parser.add_argument("--bots", type=_count, metavar="N", help="N bots play too")
    parser.add_argument(
        "--level", type=_level, metavar="L", help="their strength: 1 is a beginner, the last plays best (default 2)"
    )
    against = parser.add_argument("--against", type=bot_names, action="extend", default=[], metavar="BOT,BOT")
    add_ways(against, f"bots by name instead of by number{alone}: %(ways)s; repeatable")
    add_isolate(parser)
    parser.add_argument(
        "--exec",
        dest="against",
        type=command_name,
        action="append",
        metavar="COMMAND",
        help='instead of a BOT: a program that speaks JSON lines, such as --exec "mybot --fast,x"',
    )


def bots_of(settings: argparse.Namespace) -> tuple[str, ...]:
    """Return the bots of a command line: a number of one level, or those that are named."""
    counted = settings.bots is not None
    if settings.against and (counted or settings.level is not None):
        raise RulesError("count the bots (--bots 2 --level 3) or name them (--against greedy,3), not both")
    if settings.level is not None and not counted:
        raise RulesError(f"how many bots of level {settings.level}? Add --bots 1, or another number")
    return tuple(settings.against) or (settings.level or USUAL_LEVEL,) * (settings.bots or 0)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 3):
        named = f": --against {text} names a bot" if text else ""
        raise WordRefused(f"{quoted(text)} is no number of bots{named}")
    return int(text)


def _level(text: str) -> str:
    if text not in LEVELS and text not in levels():
        raise WordRefused(f"{quoted(text)} is no level: choose one from {LEVELS[0]} to {levels()[-1]}")
    return text


def limits_of(settings: argparse.Namespace) -> "Limits":
    return limits(settings.isolate, dict(settings.limit))


def limits(isolate: str, numbers: Mapping[str, int] | None = None) -> "Limits":
    """Return the limits of a bot that is isolated in this way; without `numbers` the usual ones."""
    from quadrille.ai.bots.process.isolation import ISOLATE
    from quadrille.ai.bots.process.program import Limits

    return Limits(**(numbers or {}), isolate=ISOLATE[BOXES.index(isolate)])


def held(protection: "Protection") -> str:
    if protection.namespaces:
        return f"It is isolated by {protection.told}."
    reason = f" ({protection.why})" if protection.why else ""
    if protection.landlock:
        return f"It is isolated by Landlock alone, because there are no namespaces{reason}."
    return f"It is not isolated{reason}: it has your rights."
