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
    from itertools import chain
    from textwrap import wrap

    from quadrille.client.presence.diagnosis import Diagnosis, examine, verdict
    from quadrille.rules.drawing.plain_text import WIDTH

    findings = []
    of_tickets = (Diagnosis(text, fine) for office in offices() for text, fine in office.findings(settings))
    for finding in chain(of_tickets, examine(network_options(settings))):
        findings.append(finding)
        lines = wrap(finding.line, WIDTH, subsequent_indent=" " * 9, break_long_words=False, break_on_hyphens=False)
        print("\n".join(lines), flush=True)
    print("\n" + "\n".join(wrap(verdict(findings), WIDTH)))
    return 0 if all(finding.fine for finding in findings) else 1
