"""The values exchanged between the network (session.py) and the screen.

Its thread and the screen's share only immutable values. A match is one of them, because both play on in copies. The
network sends its `News`, and the person sends orders. Names and sentences in here are fit to be shown.
"""

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from quadrille.client.screen.network.entrance import ScanCode, ShownEntrance
from quadrille.client.table.wishes import NetworkWish, PlaceWish
from quadrille.value import value

if TYPE_CHECKING:
    from quadrille.client.screen.table.model import ShownTable
    from quadrille.client.table.notices import EveningTold

#: The state of a row: at play with a seat of this person; with a free seat; about to begin; at play among others;
#: unplayable here. Unfinished are "kept", on the network, and "left", at this keyboard.
TableState: TypeAlias = Literal["mine", "kept", "left", "open", "agreeing", "playing", "unplayable"]
#: The state of a person who has been invited to the table in front, and has not answered yet.
INVITED: Final = "invited"


@value
class TableRow:
    """A table in the list: `id` is its full number, `since` when it was first seen in its state, in milliseconds.
    `terms` of an unplayable one say why. `keys` are those of the others where this person has a seat, "" for guests.
    """

    id: str
    game: str
    options: str
    host: str
    taken: int
    seats: int
    state: TableState
    since: int = 0
    my_turn: bool = False
    may_watch: bool = True
    terms: str = ""
    names: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


@value
class PersonRow:
    """A person on the network: full `key`, and activity."""

    key: str
    name: str
    kind: str
    doing: str = ""

    @property
    def mark(self) -> str:
        """The sign before the name: a star for a program."""
        from quadrille.net.entries.terms import PEOPLE  # imported here: the first picture of the lobby shows nobody

        return " " if self.kind in PEOPLE else "*"


@value
class Around:
    """The network as the lobby shows it. `link` describes the connection, `address` is ours for others to type,
    `missing` says why expected peers are not here. `entrance` is how guests come by phone, and `guests` the number of
    those who are here. `searching`: a table is being looked for. `shut` says why there is no network here.
    """

    tables: tuple[TableRow, ...] = ()
    people: tuple[PersonRow, ...] = ()
    link: str = "opening the network"
    address: str = ""
    missing: tuple[str, ...] = ()
    guests: int = 0
    entrance: ShownEntrance | None = None
    searching: bool = False
    shut: str = ""


@value
class Room:
    """A waiting room: its game by key and by title, those who sit, reserved seats, people to invite, and the `question`
    about a guest. `again`: a rematch, whose seats are reserved for its former players. `ticket` is the line with the
    words of a ticket as a code.
    """

    id: str
    key: str
    game: str
    terms: str
    hosts: bool
    seats: int
    chairs: tuple[PersonRow, ...] = ()
    coming: tuple[str, ...] = ()
    others: tuple[PersonRow, ...] = ()
    way: str = ""
    beginning: bool = False
    said: tuple[str, ...] = ()
    question: str = ""
    again: bool = False
    ticket: ScanCode | None = None


Front: TypeAlias = "Room | ShownTable | None"


@value
class News:
    """The present state, as far as it has changed. `front` is the person's place: a table, or the lobby (None).
    `refused`: one of the lines `said` says why a wish was not granted. `remarks` about identities are for the lobby.
    """

    around: Around
    front: Front
    said: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    refused: bool = False


@value
class StationLeft:
    """The person has left the table for which the program was started: the exit code."""

    code: int
    said: tuple[str, ...] = ()


Told: TypeAlias = "News | StationLeft | EveningTold"


# Orders


@value
class Rename:
    """Change this person's name on the network."""

    name: str


#: A wish is for the person's place; the others lead to a place, or away from the network.
Order: TypeAlias = NetworkWish | PlaceWish | Rename
