"""Rows of the command line that the league brings. `quadrille help` imports this module."""

from typing import Final

from quadrille.client.commands import Addition, Subcommand

_HERE: Final = "quadrille.extras.league"
LADDER: Final = Subcommand("find a bot's place among bots of known strength", f"{_HERE}.commands.ladder")
TUNE: Final = Subcommand("find better values for the numbers of a bot", f"{_HERE}.commands.tune")
TOURNAMENTS: Final = Addition("tournament", f"{_HERE}.ways:LEAGUE")
LIVE: Final = Addition("tournament", f"{_HERE}.ways:LIVE")
ENGAGING: Final = Addition("bot", f"{_HERE}.peers.engaged:Engagements")
