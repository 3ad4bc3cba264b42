"""Sentences of a relay, and those about tickets and relays for players."""

from collections.abc import Mapping, Sequence

from quadrille.extras.far.link.relay_link import PlaceReport
from quadrille.extras.far.relay.ticket import RELAY_PORT, MeetingPlace, Ticket


def begun(port: int) -> str:
    """Say where a relay listens, and how a player names it."""
    named = "HOST" if port == RELAY_PORT else f"HOST:{port}"
    return (
        f"This relay listens at TCP port {port}, until Ctrl-C. A player names it with --relay {named}, where HOST is a "
        "name or an address of this machine that others reach."
    )


def ended(served: int, refused: Mapping[str, int]) -> str:
    """Say what a relay has done, in numbers that tell of nobody."""
    reasons = ", ".join(f"{why.lower().replace('_', ' ')}: {count}" for why, count in sorted(refused.items()))
    return f"Meetings served: {served}." + (f" Refused or closed: {reasons}." if reasons else "")


def join_line(ticket: Ticket) -> str:
    """The command by which others sit down."""
    return f"quadrille join {' '.join(ticket.words)}"


def ticket_way(ticket: Ticket, own: MeetingPlace | None) -> str:
    """Say how others come with a ticket, and where they have to be. `own` is its place that this program found by
    itself.
    """
    lines = ["", "Say these words to the others, or send them. They sit down with", f"  {join_line(ticket)}"]
    if own is not None and ticket.places == (own,) and not own.address.is_global:
        lines[1:1] = ["This ticket is for your own network: for somebody elsewhere add --relay HOST or --direct HOST."]
    return "\n".join(lines)  # the words come last, so that nothing is taken for one of them


def absent_at_relays(reports: Sequence[PlaceReport], *, alone: bool) -> list[str]:
    """Sentences without their ends on the places of a ticket that can't be used, and on an empty meeting."""
    found = [f"The relay at {report.place} can't be used: {report.trouble}" for report in reports if report.trouble]
    if alone:
        found.append(
            "Nobody else is where this ticket leads: its table may be closed by now, or there is a newer ticket. Ask "
            "the one who gave it to you"
        )
    return found
