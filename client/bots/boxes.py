"""The bots of a command line and the boxes of their programs: their options, and the sentence about a box in use.

Cheap to import, so that `--help` comes at once. See ai/bots/process/isolation.py for what a box is.
"""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from quadrille.client.bots.names import bot_names, command_name
from quadrille.rules.squares import quoted

if TYPE_CHECKING:
    from quadrille.ai.bots.process.isolation import Protection
    from quadrille.ai.bots.process.program import Limits

#: The same words as in ai/bots/process/isolation.py.
WAYS: Final = ("none", "if possible", "required")
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
    """Read one of `WAYS`; a dash may join its words."""
    found = " ".join(text.lower().replace("-", " ").split())
    if found not in WAYS:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is none of {', '.join(WAYS)}")
    return found


def add_bots(parser: argparse.ArgumentParser, option: str, help: str) -> None:
    """Add the options by which bots come along, and say whether they need a box."""
    parser.add_argument(option, type=bot_names, action="extend", default=[], metavar="BOT,BOT", help=help)
    add_isolate(parser)
    parser.add_argument(
        "--exec",
        dest=option.removeprefix("--"),
        type=command_name,
        action="append",
        metavar="COMMAND",
        help='instead of a BOT: a program that speaks JSON lines, such as --exec "mybot --fast,x"',
    )


def limits_of(settings: argparse.Namespace) -> "Limits":
    return limits(settings.isolate, dict(settings.limit))


def limits(isolate: str, numbers: Mapping[str, int] | None = None) -> "Limits":
    """The limits of a bot with that way of a box; the usual numbers if absent."""
    from quadrille.ai.bots.process.isolation import ISOLATE
    from quadrille.ai.bots.process.program import Limits

    return Limits(**(numbers or {}), isolate=ISOLATE[WAYS.index(isolate)])


def held(protection: "Protection") -> str:
    if protection.namespaces:
        return f"It is isolated by {protection}."
    why = f" ({protection.why})" if protection.why else ""
    if protection.landlock:
        return f"It is isolated by Landlock alone, because there are no namespaces{why}."
    return f"It is not isolated{why}: it has your rights."
