"""The command that this extra brings, and with it the tickets of the other commands."""

from typing import Final

from quadrille.client.commands import Subcommand

RELAY: Final = Subcommand(
    "join the sealed connections of people with a ticket",
    "quadrille.extras.far.commands.relay",
    tickets="quadrille.extras.far.way_in",
)
