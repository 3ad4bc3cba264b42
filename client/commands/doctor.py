"""`quadrille doctor`: the reasons that keep programs from meeting."""

import argparse
from typing import Final

from quadrille.client.network.options import add_network, network_options
from quadrille.client.network.tickets import offices

DESCRIPTION: Final = """Find out what keeps programs on the network from meeting: interfaces, ports, firewalls.
Two programs are started here for a few seconds. Exit code 1 if something is in the way.
quadrille docs play-with-friends explains what to do about firewalls, guest networks and VPNs."""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_network(parser, rooms=False)
    for office in offices():
        office.add_examined(parser)


def run(settings: argparse.Namespace) -> int:
    """Examine the machine, and print each finding as soon as it is known."""
    from functools import partial
    from itertools import chain
    from shutil import get_terminal_size
    from textwrap import fill

    from quadrille.client.presence.diagnosis import Diagnosis, examine, verdict
    from quadrille.rules.drawing.plain_text import WIDTH

    laid_out = partial(
        fill, width=min(WIDTH, get_terminal_size().columns), break_long_words=False, break_on_hyphens=False
    )
    findings = []
    of_tickets = (Diagnosis(text, fine) for office in offices() for text, fine in office.findings(settings))
    for finding in chain(of_tickets, examine(network_options(settings))):
        findings.append(finding)
        print(laid_out(finding.line, subsequent_indent=" " * 9), flush=True)
    print(f"\n{laid_out(verdict(findings))}")
    return 0 if all(finding.fine for finding in findings) else 1
