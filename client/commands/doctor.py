"""`quadrille doctor`: the reasons that keep programs from meeting."""

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from quadrille.client.network.options import add_network, network_options

if TYPE_CHECKING:
    from quadrille.client.presence.diagnosis import Diagnosis

DESCRIPTION: Final = """Find out what keeps programs on the network from meeting: interfaces, ports, firewalls.
Two programs are started here for a few seconds. Exit code 1 if something is in the way.
quadrille docs play-with-friends explains what to do about firewalls, guest networks and VPNs."""


def arguments(parser: argparse.ArgumentParser) -> None:
    add_network(parser, rooms=False)
    parser.add_argument(
        "--relay", dest="relays", action="append", default=[], metavar="HOST[:PORT]",
        help="also examine this relay, to which a ticket leads, and the ways around it; repeatable",
    )  # fmt: skip


def run(settings: argparse.Namespace) -> int:
    """Examine the machine, and print each finding as soon as it is known."""
    from itertools import chain
    from textwrap import wrap

    from quadrille.client.presence.diagnosis import examine, verdict
    from quadrille.rules.drawing.plain_text import WIDTH

    findings = []
    for finding in chain(_of_relays(settings), examine(network_options(settings))):
        findings.append(finding)
        lines = wrap(finding.line, WIDTH, subsequent_indent=" " * 9, break_long_words=False, break_on_hyphens=False)
        print("\n".join(lines), flush=True)
    print("\n" + "\n".join(wrap(verdict(findings), WIDTH)))
    return 0 if all(finding.fine for finding in findings) else 1


def _of_relays(settings: argparse.Namespace) -> "Iterator[Diagnosis]":
    from quadrille.client.network.ticket import place_of
    from quadrille.client.presence.relay_check import relay_finding, ways_finding

    for text in settings.relays:
        yield relay_finding(place_of(text))
    if settings.relays:
        yield ways_finding(network_options(settings).interfaces)
