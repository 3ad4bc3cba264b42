"""`quadrille watch`: look on at another peer's table, and check its log."""

import argparse
from functools import partial
from typing import Final

from quadrille.client.commands import join
from quadrille.client.commands.shared import spend

DESCRIPTION: Final = """Look on at a game on the network, and check its log. A watcher has no seat.

  quadrille watch                    the only game, or one of a list
  quadrille watch Ann                the table of Ann

Nobody there? Try quadrille doctor, or read quadrille docs play-with-friends."""
arguments: Final = partial(join.arguments, sits=False)


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.table.wishes import JoinTable

    return spend(settings, JoinTable(join.wanted_table(settings), watches=True))
