"""Tickets for the commands of the core: their options, and what reads them (client/network/tickets.py).

It is imported with every command line on the network, so what it needs is imported when it is used.
"""

import argparse
from typing import Any

from quadrille.client.network.tickets import TicketWay


def add_arguments(group: "argparse._ArgumentGroup", *, makes: bool, returns: bool) -> None:
    """Add the options about a ticket; a command that `makes` a new one names relays too. A host that `returns` runs the
    relay again that it ran before.
    """
    group.set_defaults(runs_relay=returns)
    if not makes:
        group.add_argument(
            "--ticket", metavar="WORDS", help="in the meeting of this ticket, whose words are joined by hyphens"
        )
        return
    group.add_argument(
        "--ticket",
        action="store_const",
        const="",
        help="only for people with a ticket: a row of words by which they come from anywhere. It is shown to you",
    )
    group.add_argument(
        "--relay",
        action="append",
        metavar="HOST[:PORT]",
        help="a relay that you and they can reach (quadrille relay); repeatable: another one goes on where one dies",
    )
    group.add_argument(
        "--direct",
        metavar="HOST[:PORT]",
        help="the address at which others reach this machine, if its router lets them in; without this and --relay, "
        "tickets are for people in the same network",
    )


def add_examined(parser: argparse.ArgumentParser) -> None:
    """Add the option of `quadrille doctor`."""
    parser.add_argument(
        "--relay", dest="relays", action="append", default=[], metavar="HOST[:PORT]",
        help="also examine this relay, to which a ticket leads; repeatable",
    )  # fmt: skip


def ticket_of(settings: argparse.Namespace) -> TicketWay | None:
    """Return the ticket of a command line; None without one."""
    if all(getattr(settings, name, None) is None for name in ("ticket", "relay", "direct")):
        return None
    from quadrille.extras.far.table_ticket import chosen_ticket, way_of

    return way_of(*chosen_ticket(settings), is_named=getattr(settings, "direct", None) is not None)


def __getattr__(name: str) -> Any:
    """Return all else that a `TicketOffice` has."""
    from quadrille.extras.far import table_ticket

    return getattr(table_ticket, name)
