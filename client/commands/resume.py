"""`quadrille resume`: go on with a game that was left in the middle."""

import argparse
from typing import Final

from quadrille.client.bot_processes import at_home
from quadrille.client.conversation import DIGITS
from quadrille.client.ending import Ending
from quadrille.client.network_options import add_network, cleanly, station
from quadrille.client.network_table import NetworkTable
from quadrille.client.sitting import company_of, parlour, sit
from quadrille.client.table_words import few, terms_text
from quadrille.net.errors import LocalError
from quadrille.net.home import home
from quadrille.net.offers import begins
from quadrille.net.station import Station
from quadrille.net.table import Table
from quadrille.rules.squares import quoted

DESCRIPTION: Final = """Go on with a game that was left in the middle: by quit, a crash or a power cut.
The bots that you brought along come back too; the others find you when they resume."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "table", metavar="TABLE", nargs="?", default="", help="how its number begins, or a player's name"
    )
    add_network(parser)


@cleanly
def run(settings: argparse.Namespace) -> int:
    """Sit down again."""
    mine = station(settings)
    with Ending(mine.node.wake_up) as ending, mine:
        table = left_in_the_middle(mine, settings.table)
        keys = [chair.key for chair in table.log.now.chairs]
        with company_of(mine, settings) as company:
            for name in at_home(home(settings.home), keys):
                company.start(name, table.log.table)
            return sit(mine, NetworkTable(parlour(mine), table), ending, company)


def left_in_the_middle(mine: Station, wanted: str) -> Table:
    """The one table that is meant; a LocalError lists them where there is not just one."""
    tables = [table for table in mine.lobby.tables.values() if not table.over and table.seat is not None]
    if not tables:
        raise LocalError("no game was left in the middle")
    found = [table for table in tables if not wanted or _is_meant(table, wanted)]
    if len(found) == 1:
        return found[0]
    lines = [f"  {_line(mine, table)}" for table in tables]
    which = "several games were left" if found else f"none of the games that were left is {quoted(wanted)}"
    raise LocalError("\n".join([f"{which}; name one of these:", *lines]))


def _is_meant(table: Table, wanted: str) -> bool:
    names = [chair.name.casefold() for chair in table.log.now.chairs]
    return wanted.casefold() in names or begins(table.log.table, wanted.lower())


def _line(mine: Station, table: Table) -> str:
    standing = table.log.now
    others = [chair.name for chair in standing.chairs if chair.key != mine.identity.key]
    short = table.log.table.hex()[:DIGITS]
    return f"{short}  {terms_text(standing.terms)}; {standing.match.ply} moves; with {few(others)}"
