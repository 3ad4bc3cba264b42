"""The commands of this extra, as the table of commands shows them; one module for each."""

from typing import Final

from quadrille.client.commands import PLAY, Addition, Subcommand
from quadrille.client.lobby_rows import CommandRow

PUZZLE: Final = Subcommand(
    "solve the puzzle of the day: one winning move",
    f"{__name__}.puzzle",
    PLAY,
    lobby=CommandRow(
        key="f7",
        takes="[GAME]",
        values="game",
        help="today's puzzle: one move wins",
        opener="quadrille.extras.study.screen.puzzle:LobbyPuzzle",
    ),
)
LEARN: Final = Subcommand("play the positions before your own mistakes again", f"{__name__}.learn", PLAY)
SOLVE: Final = Subcommand("find the winner with perfect play", f"{__name__}.solve")
OPENINGS: Final = Subcommand("show how first moves scored in many games", f"{__name__}.openings")
FIRST_MOVES: Final = Addition("tournament", "quadrille.extras.study.ways:FIRST_MOVES")
