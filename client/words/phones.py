"""Sentences on guests by phone: how they come, whom they trust, and why a page can't go on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from quadrille.client.foreign import isolated, shown

if TYPE_CHECKING:
    from quadrille.client.table.notices import GuestEntrance

#: Why no QR code is shown.
NO_WAY: Final = "No phone reaches this machine: it is on no network with IPv4. Join a Wi-Fi. From this machine alone:"
#: The text beside a QR code.
SCAN: Final = "To sit down by phone: scan"
#: The use of the code of a ticket.
TICKET_SCAN: Final = "The code holds the words of this ticket, for a phone that sends them on"
#: The risks of serving guests.
GUESTS_RISK: Final = (
    "Your program signs your guests' moves and sees their cards: the others trust it with that. "
    "Phones are encrypted by the QR code, but not against somebody who alters the traffic here."
)
#: The line in place of the risk of guests on a screen without room for it.
RISK_ELSEWHERE: Final = "Type phones for the risk of guests."
#: The line about the people whom a player by phone trusts, with its end for games with cards to see.
TRUSTED: Final = "The host's laptop plays for you"
SEES: Final = " and can see your cards"
#: More on that trust. It claims no more than the code keeps (SECURITY.md).
TRUST: Final = (
    "It signs your moves with its own key, and in games with cards it can see yours. Messages between it and this "
    "phone are sealed: nobody who listens on this Wi-Fi can read them, but somebody who can change its traffic could."
)
ENDED: Final = "This invitation opens nothing any more. Scan the code on the host's screen again."
TOO_MANY: Final = "Too many codes were tried. Wait a minute, or scan the code on the host's screen."
CROWDED: Final = "Too many wait at the door."
LEFT: Final = "The host has gone."
SILENT: Final = "Nothing came from this phone for too long."
STRANGE: Final = "The message of this page could not be read. Load the page again."
KICKED: Final = "The host took your seat away."
REFUSED: Final = "The host did not let you in."
ASKED: Final = "The host is asked whether you may sit down, as soon as a table is open. Stay on this page."
HELP: Final = "The menu has all words, and Rules tells the rules."
SLOWLY: Final = "That was too much at once. Wait a few seconds, and say or touch it again."
HINTS_REST: Final = "The next hint comes in a few seconds."
EVENING: Final = "An evening of games"
NEXT_GAME: Final = "The next game comes to this page when the host opens it."
EVENING_OVER: Final = "The evening is over."
LEAVES_EVENING: Final = "Leave the evening? Your seat is given back."
SO_FAR: Final = "The evening so far, as a page"
BET_ON: Final = "You bet on {}."
WHO_WINS: Final = "Who wins? Nobody sees your bet before the end."
NO_CHAT: Final = "You can talk once a table is open, in lines of 1 to 500 printable characters."
#: The place of a guest who waits for a seat; the game and the number of a table that the host has put away.
IN_LINE: Final = "You watch, and are number {} in line for a seat of the next game."
PUT_AWAY: Final = "{} is put away as it stands: choose it in the lobby, or type quadrille resume {}."
NAME_FIRST: Final = "Type your name first, and take a seat."
TOO_LATE: Final = "The game has gone on meanwhile: that move was not made."
NO_TABLE: Final = "There is no game here yet. Wait for the host."
NO_BET: Final = "This bet can't be taken: bets close soon after the start, and a bet can't change every moment."
WATCHES: Final = "You only watch: moves and looking back are for those who play."
ASLEEP: Final = "my phone is asleep"
LEAVES: Final = "Leave the table? While the game goes on, your seat is kept, and its code leads back to it."
NEIGHBOURS_ONLY: Final = "Guests are let in from the host's local network only."


def port_moved(before: int, now: int) -> str:
    """Return the sentence on an invitation whose port another program has meanwhile."""
    return f"Another program has port {before}: guests come by port {now} now, and scan the code again."


def bot_stopped(bot: str, guest: str, reason: str) -> str:
    """Return the sentence on a bot that fails while it plays for a guest, or in a seat of its own name."""
    return f"{bot}, which played for {isolated(guest)}, has stopped: {reason}. The seat waits."


def seat_codes(seats: Sequence[tuple[str, str]]) -> list[str]:
    """Return the lines by which another phone takes a guest's seat over, for one that is lost."""
    return [f"  {isolated(name)}: the code {code} opens this seat on another phone" for name, code in seats]


def wifi_scan(name: str) -> str:
    """Return what stands beside the QR code of a Wi-Fi."""
    return f"To join the Wi-Fi {shown(name)} by phone: scan"


def seats_kept(seats: int) -> str:
    """Return how many seats are reserved, without the full stop."""
    what = "1 seat is kept for a guest" if seats == 1 else f"{seats} seats are kept for guests"
    return f"{what} without an install"


def entrance_text(entrance: "GuestEntrance") -> str:
    """Return the addresses that guests type, in lines."""
    lines = [] if entrance.outside else [NO_WAY]
    page = entrance.pages[0]
    lines.append(f"  {page} in a browser, with the code {entrance.code}; {page}tv on a television")
    if others := entrance.pages[1:]:
        lines.append(f"  or, by other networks of this machine: {' '.join(others)}")
    lines += seat_codes(entrance.seats)
    return "\n".join(lines)


def entrance_line(entrance: "GuestEntrance") -> str:
    """Return the same in a sentence, for a screen that shows more on a page."""
    return f"Guests come by {entrance.pages[0]} with the code {entrance.code}. Type phones for more."
