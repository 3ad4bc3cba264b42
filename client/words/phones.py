"""Sentences for people at a phone: whom they trust, and why a page can't go on."""

from collections.abc import Sequence
from typing import Final

from quadrille.client.foreign import shown

#: In the place of a name: a seat that is kept for a guest.
NOBODY_YET: Final = "a guest"
#: The risks of serving guests.
GUESTS_RISK: Final = (
    "The others trust this program of yours with your guests' keys and hidden cards. "
    "Phones are encrypted by the QR code, but not against somebody who alters the traffic here."
)
#: The line in place of the risk of guests on a screen without room for it.
RISK_ELSEWHERE: Final = "Type phones for the risk of guests."
#: The people whom a player by phone trusts. It claims no more than the code keeps (SECURITY.md).
TRUST: Final = (
    "The machine that hosts this table plays for you: it holds your key and sees your cards. Messages "
    "between it and this phone are sealed, so that nobody who listens on this Wi-Fi can read them; somebody who can "
    "change the traffic of this Wi-Fi still could."
)
ENDED: Final = "This invitation opens nothing any more. Scan the code on the host's screen again."
TOO_MANY: Final = "Too many codes were tried. Wait a minute, or scan the code on the host's screen."
CROWDED: Final = "Too many wait at the door."
LEFT: Final = "The host has gone."
SILENT: Final = "Nothing came from this phone for too long."
STRANGE: Final = "The message of this page could not be read. Load the page again."
REFUSED: Final = "The host did not let you in."
ASKED: Final = "The host is asked whether you may sit down."
ASLEEP: Final = "my phone is asleep"
LEAVES: Final = "Leave the table? While the game goes on, your seat is kept, and its code leads back to it."
NEIGHBOURS_ONLY: Final = "Guests are let in from the host's local network only."


def seat_codes(seats: Sequence[tuple[str, str]]) -> list[str]:
    """Return the lines by which another phone takes a guest's seat over, for one that is lost."""
    return [f"  {shown(name)}: the code {code} opens this seat on another phone" for name, code in seats]
