"""`quadrille verify FILE [FILE]`: checks a log or a record, and whether two logs agree."""

import argparse
from typing import Final

DESCRIPTION: Final = """Check a log that save has written at a table on the network, or the record of a game:
every signature, the chain of entries, every move by the rules. The first fault is
reported, with its author if the file proves it. Two logs of one table are both checked
and then compared: their first difference, and who lied, as far as it is proved."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a log or a record; - for standard input")
    parser.add_argument("other", metavar="FILE", nargs="?", help="another peer's log of the same table")


def run(settings: argparse.Namespace) -> int:
    """Check; the exit code is 1 if anything is wrong."""
    from quadrille.client.plain.verification import verify, verify_two

    return verify(settings.file) if settings.other is None else verify_two(settings.file, settings.other)
