"""`quadrille help`: the commands on one screen, all commands, or the help of one."""

import argparse
from typing import Final

from quadrille.client.cli import help_text, main

DESCRIPTION: Final = "Show the commands on one screen, or the help of one command."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("command", metavar="COMMAND", nargs="*", help="a command, such as play or bot new")
    parser.add_argument("--all", action="store_true", help="list all commands, or all about one")


def run(settings: argparse.Namespace) -> int:
    if settings.command:
        return main([*settings.command, "--help", *(["all"] if settings.all else [])])
    print(help_text(whole=settings.all))
    return 0
