"""The command of this extra, as the table of commands shows it."""

from typing import Final

from quadrille.client.commands import Subcommand

PLAYTEST: Final = Subcommand("let bots try out a game, for whoever invents one", f"{__name__}.playtest")
