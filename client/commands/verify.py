"""`quadrille verify FILE`: whether a log or a record holds what it should."""

import argparse
from typing import Final

DESCRIPTION: Final = """Check a log that save has kept at a table on the network, or the record of a game:
every signature, the chain of entries, every move by the rules. The first fault is
named, with its author where that can be told."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", metavar="FILE", help="a log or a record; - for standard input")


def run(settings: argparse.Namespace) -> int:
    """Check; exit code 1 for whatever is wrong."""
    from quadrille.client.verifying import verify

    return verify(settings.file)
