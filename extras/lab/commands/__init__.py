"""The commands that this extra brings."""

from typing import Final

from quadrille.client.commands import Subcommand

TRAIN: Final = Subcommand("learn the weights of a game from games of its own", "quadrille.extras.lab.commands.train")
