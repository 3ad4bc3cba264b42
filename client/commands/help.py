"""`quadrille help`: the commands on one screen, all commands, or the help of one."""

import argparse
from typing import Final

from quadrille.client.cli import main
from quadrille.client.commands import first_screen, line, subcommands

DESCRIPTION: Final = "Show the commands on one screen, or the help of one command."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("command", metavar="COMMAND", nargs="*", help="a command, such as play or bot new")
    parser.add_argument("--all", action="store_true", help="list all commands, or all about one")


def run(settings: argparse.Namespace) -> int:
    if settings.command:
        return main([*settings.command, "--help", *(["all"] if settings.all else [])])
    rows = [line((name, subcommand.help)) for name, subcommand in subcommands().items()]
    print("\n".join(rows) if settings.all else first_screen())
    return 0
