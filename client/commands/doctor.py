"""`quadrille doctor`: what keeps programs from meeting."""

import argparse
from typing import Final

from quadrille.client.network_options import add_network

DESCRIPTION: Final = """Find out what keeps programs on the network from meeting: interfaces, ports, firewalls.
Two programs are started here for a few seconds. Exit code 1 if something is in the way."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add_network(parser, rooms=False)


def run(settings: argparse.Namespace) -> int:
    """Examine, and say each finding as soon as it is known."""
    from quadrille.client.checkup import examine

    fine = True
    for finding in examine(settings):
        fine = fine and finding.fine
        print(f"{'ok     ' if finding.fine else 'BLOCKED'}  {finding.text}", flush=True)
    print("\nNothing is in the way." if fine else "\nSomething is in the way; see the lines that begin with BLOCKED.")
    return 0 if fine else 1
