"""The box of a bot's program as the command line asks for it, and what is said of the one that it has.

Cheap to import: `--help` comes at once. What a box is stands in ai/isolation.py.
"""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from quadrille.ai.isolation import Protection
    from quadrille.ai.program import Limits

#: As ai/isolation.py has them.
WAYS: Final = ("none", "if possible", "required")
USUAL: Final = "if possible"


def add_isolate(parser: argparse.ArgumentParser, usual: str = USUAL) -> None:
    """How much of a box a bot has to have."""
    parser.add_argument(
        "--isolate",
        type=way,
        default=usual,
        metavar="WAY",
        help="the box of a bot's program, in which it sees its own files and no network (Linux): none, 'if possible' "
        f"or required; {usual} if absent",
    )


def way(text: str) -> str:
    """One of the ways; its words may be joined by a dash."""
    found = " ".join(text.lower().replace("-", " ").split())
    if found not in WAYS:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(WAYS)}")
    return found


def limits_of(settings: argparse.Namespace) -> "Limits":
    """The limits of a bot that is named with them."""
    return limits(settings.isolate, dict(settings.limit))


def limits(isolate: str, numbers: Mapping[str, int] | None = None) -> "Limits":
    """The limits of a bot with that way of a box; the usual numbers if absent."""
    from quadrille.ai.isolation import ISOLATE
    from quadrille.ai.program import Limits

    return Limits(**(numbers or {}), isolate=ISOLATE[WAYS.index(isolate)])


def held(protection: "Protection") -> str:
    """What holds a bot, in a sentence."""
    if protection.namespaces:
        return f"It is isolated by {protection}."
    why = f" ({protection.why})" if protection.why else ""
    if protection.landlock:
        return f"It is isolated by Landlock alone, because there are no namespaces{why}."
    return f"It is not isolated{why}: it has your rights."
