"""Rows of the command line that the models bring. `quadrille help` imports this module."""

from typing import Final

from quadrille.client.commands import Addition, Subcommand

MCP: Final = Subcommand("seat a model by the Model Context Protocol", f"{__name__}.mcp")
CHAT: Final = Subcommand("play as a bot by a chat service", f"{__name__}.chat")
OUTLET: Final = Subcommand("let a bot in its box reach one host", f"{__name__}.outlet")
REGRET: Final = Addition("tournament", "quadrille.extras.models.regret:REGRET")
