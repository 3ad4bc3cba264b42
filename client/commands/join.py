"""`quadrille join`: sit down at another peer's table, or watch a game there."""

import argparse
from typing import Final

from quadrille.client.commands.shared import add_plain, spend
from quadrille.client.network.options import add_arbiter, add_network
from quadrille.client.network.tickets import is_ticket, offices
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

DESCRIPTION: Final = """Sit down at a table on the network; with --watch, only watch it and check its log.

  quadrille join                     the only open table, or one of a list
  quadrille join Ann                 the table that Ann has opened
  quadrille join 3f2a                the table whose number begins with that
  quadrille join 192.168.1.5:49200   the table at that address
  quadrille join --watch             watch the only game, or one of a list

No table? Try quadrille doctor, or read quadrille docs play-with-friends."""


def arguments(parser: argparse.ArgumentParser) -> None:
    words = ", or the words of a ticket" if offices() else ""
    parser.add_argument("table", metavar="TABLE", nargs="*", help=f"its number, its host, or HOST:PORT{words}")
    parser.add_argument("--watch", action="store_true", help="look on and take no seat")
    add_plain(parser)
    add_arbiter(parser)
    add_network(parser)


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.table.wishes import JoinTable, Watch

    if is_ticket(settings.table):
        if settings.ticket is not None:
            raise RulesError("there are two tickets on this line: leave --ticket out")
        settings.ticket, settings.table = "-".join(settings.table), []
    if len(settings.table) > 1:
        raise RulesError(f"{quoted(' '.join(settings.table))} is neither one table nor the words of a ticket")
    table = "".join(settings.table)
    if settings.watch and settings.arbiter:
        raise RulesError("--arbiter is for a seat: leave it out with --watch")
    return spend(settings, Watch(table) if settings.watch else JoinTable(table))
