"""Sentences about guests: how they come to a host's table, and its risks."""

from typing import Final

from quadrille.client.foreign import shown
from quadrille.client.table.notices import GuestEntrance
from quadrille.client.words.phones import seat_codes

#: Why no QR code is shown.
NO_WAY: Final = "No phone reaches this machine: it is on no network with IPv4. Join a Wi-Fi. From this machine alone:"
#: The text beside a QR code.
SCAN: Final = "To sit down by phone: scan"
#: The use of the code of a ticket.
TICKET_SCAN: Final = "The code holds the words of this ticket, for a phone that sends them on"


def wifi_scan(name: str) -> str:
    """Return what stands beside the QR code of a Wi-Fi."""
    return f"To join the Wi-Fi {shown(name)} by phone: scan"


def seats_kept(seats: int) -> str:
    """Return how many seats are reserved, without the full stop."""
    what = "1 seat is kept for a guest" if seats == 1 else f"{seats} seats are kept for guests"
    return f"{what} without an install"


def entrance_text(entrance: GuestEntrance) -> str:
    """Return the addresses that guests type, in lines."""
    lines = [] if entrance.outside else [NO_WAY]
    lines.append(f"  {entrance.pages[0]} in a browser, with the code {entrance.code}")
    if others := entrance.pages[1:]:
        lines.append(f"  or, by other networks of this machine: {' '.join(others)}")
    lines += seat_codes(entrance.seats)
    return "\n".join(lines)


def entrance_line(entrance: GuestEntrance) -> str:
    """Return the same in a sentence, for a screen that shows more on a page."""
    return f"Guests come by {entrance.pages[0]} with the code {entrance.code}. Type phones for more."
