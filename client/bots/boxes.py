"""The box of a bot's program: the command line's option for it, and the sentence about the box in use.

Cheap to import, so that `--help` comes at once. See ai/isolation.py for what a box is.
"""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from quadrille.ai.isolation import Protection
    from quadrille.ai.program import Limits

#: The same words as in ai/isolation.py.
WAYS: Final = ("none", "if possible", "required")
USUAL: Final = "if possible"


def add_isolate(parser: argparse.ArgumentParser, usual: str = USUAL) -> None:
    """Add the option that says whether a bot needs a box."""
    parser.add_argument(
        "--isolate",
        type=way,
        default=usual,
        metavar="WAY",
        help="the box of a bot's program, in which it sees its own files and no network (Linux): none, 'if possible' "
        f"or required; {usual} if absent",
    )


def way(text: str) -> str:
    """Read one of `WAYS`; a dash may join its words."""
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
    """Say in a sentence what isolates a bot."""
    if protection.namespaces:
        return f"It is isolated by {protection}."
    why = f" ({protection.why})" if protection.why else ""
    if protection.landlock:
        return f"It is isolated by Landlock alone, because there are no namespaces{why}."
    return f"It is not isolated{why}: it has your rights."
