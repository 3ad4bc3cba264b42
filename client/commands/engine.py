"""`quadrille engine`: the rules as a service on standard input and output."""

import argparse
import sys
from typing import Final

from quadrille.ai.engine import serve

DESCRIPTION: Final = """Answer questions about the rules: one JSON object a line on standard input, one answer a line.

  {"do": "games"}                                          every game with its options
  {"do": "start", "game": "barons", "seed": "any text"}    begin a game
  {"do": "moves"}   {"do": "play", "move": "c4"}           what can be played; play it
  {"do": "show"}    {"do": "record"}    {"do": "quit"}     the board; the record; the end

quadrille docs engine has the rest."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no argument: the command has none."""


def run(_: argparse.Namespace) -> int:
    """Serve until the end of input."""
    if sys.stdin is not None and sys.stdout is not None:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0
