"""`quadrille bot new FILE|FOLDER`: a bot to begin with."""

import argparse
from pathlib import Path
from typing import Final

from quadrille.client.bots.starters import WAYS, begin

DESCRIPTION: Final = f"""Write a bot to begin with: a file in the language of its ending. A name without an ending is a
folder with a bot in Python, a test, and a workflow that checks the bot and finds its place on the ladder.

  quadrille bot new mybot.py
  quadrille bot new mybot.rs
  quadrille bot new mybot

Endings: {WAYS}.
Existing files are never overwritten."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="FILE", type=Path, help="the new file; a name without an ending is a folder")


def run(settings: argparse.Namespace) -> int:
    lines = begin(settings.path)
    print("\n".join([f"{settings.path} is written. Go on with:", *(f"  {line}" for line in lines)]))
    return 0
