"""`quadrille mcp`: a server of the Model Context Protocol on standard input and output, by which a model plays."""

import argparse
import os
from typing import Final

from quadrille.client.bots.boxes import add_isolate
from quadrille.client.network.options import add_network, network_options

DESCRIPTION: Final = """Let a model play by tools: a server of the Model Context Protocol (MCP) on standard input and
output. A model's program starts it; its settings name this command. One server is one seat: at a local table against
bots, or at a table of this network, under an identity of its own. It plays as a bot, and others see that.

  quadrille mcp                      the command that a model's program starts
  quadrille mcp --name Claude        under that name
  quadrille mcp --identity second    a second seat beside the first
  quadrille mcp --tournament ~/model.outlet    also in a tournament, whose file has
                                     exec = "quadrille mcp --play ~/model.outlet"

quadrille docs mcp has examples of settings, and the tools. It needs the package mcp:

  pip install '.[mcp]'"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--identity", metavar="ID", default="mcp", help="the identity to use (default mcp)")
    seat = parser.add_mutually_exclusive_group()
    seat.add_argument("--tournament", metavar="FILE", help="also play for a tournament's bot, which comes by it")
    seat.add_argument("--play", metavar="FILE", help="be that bot, for the server that has this outlet open")
    parser.add_argument("--theory", action="store_true", help="let rules tell also what is known of good play")
    add_isolate(parser)
    add_network(parser)


def run(settings: argparse.Namespace) -> int:
    if settings.play is not None:
        from quadrille.extras.models.tournament_seat import pass_on

        return pass_on(os.path.expanduser(settings.play))
    from quadrille.extras.models.model_place import ModelPlace
    from quadrille.extras.models.outlet import free_outlet
    from quadrille.extras.models.server import server

    outlet = None if settings.tournament is None else free_outlet(settings.tournament)
    with ModelPlace(network_options(settings), settings.identity) as place:
        server(place, outlet, theory=settings.theory).run("stdio")
    return 0
