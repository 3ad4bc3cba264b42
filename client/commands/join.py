"""`quadrille join`: sit down at another peer's table."""

import argparse
from typing import Final

from quadrille.client.commands.shared import add_people, add_plain, others_of, spend
from quadrille.client.network.options import add_network
from quadrille.client.network.tickets import is_ticket, offices
from quadrille.client.table_setup import within
from quadrille.plugs import game_name
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

DESCRIPTION: Final = """Sit down at a table on the network.

  quadrille join                     the only open table, or one of a list
  quadrille join Ann                 the table that Ann has opened
  quadrille join 3f2a                the table whose number begins with that
  quadrille join 192.168.1.5:49200   the table at that address
  quadrille join Ann --names Ben,Cid two people at this keyboard

No table? Try quadrille doctor, or read quadrille docs play-with-friends."""


def arguments(parser: argparse.ArgumentParser, *, sits: bool = True) -> None:
    """Add the table, the face and the network of a person who comes to another's table, to sit down or to watch."""
    words = ", or the words of a ticket" if offices() else ""
    parser.add_argument("table", metavar="TABLE", nargs="*", help=f"its number, its host, or HOST:PORT{words}")
    parser.add_argument(
        "--game", type=game_name, metavar="FILE.py", help="the file that the table plays, if its game is in one"
    )
    if sits:
        add_people(parser)
        parser.add_argument(
            "--guests", type=within(0), nargs="?", const=1, default=0, metavar="N",
            help="let guests come by phone; they get the free seats of the table, as long as there are any",
        )  # fmt: skip
    add_plain(parser)
    add_network(parser)


def wanted_table(settings: argparse.Namespace) -> str:
    if is_ticket(settings.table):
        if settings.ticket is not None:
            raise RulesError("there are two tickets on this line: leave --ticket out")
        settings.ticket, settings.table = "-".join(settings.table), []
    if len(settings.table) > 1:
        raise RulesError(f"{quoted(' '.join(settings.table))} is neither one table nor the words of a ticket")
    return "".join(settings.table)


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.table.wishes import JoinTable

    return spend(settings, JoinTable(wanted_table(settings), others_of(settings), settings.guests))
