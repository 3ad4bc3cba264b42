"""What passes between the thread that is on the network (thread.py) and the screen: values, both ways.

The two threads share only values that never change. A match is one of them, because both threads play on in copies.
The network tells its `News`, and the person sends orders. Names and sentences in here are fit to be shown.
"""

from typing import Final, Literal, TypeAlias

from quadrille.client.screen.network.entrance import ShownEntrance
from quadrille.client.screen.table.model import ShownTable
from quadrille.client.table.network.wishes import Host as Host
from quadrille.client.table.network.wishes import JoinTable as JoinTable
from quadrille.client.table.network.wishes import NetworkWish, PlaceWish
from quadrille.client.table.network.wishes import Return as Return
from quadrille.client.table.network.wishes import Watch as Watch
from quadrille.client.value import value
from quadrille.rules.match import Match

#: A row of the list: at play with a seat of this person; left in the middle; with a free seat; about to begin; at play
#: among others; unplayable here. "left" is a local game that was left in the middle.
TableState: TypeAlias = Literal["mine", "kept", "left", "open", "agreeing", "playing", "unplayable"]
#: What somebody does who has been invited to the table in front, and has not answered yet.
INVITED: Final = "invited"


@value
class TableRow:
    """A table in the list: `id` is its number in full, `since` when it was first seen so, in milliseconds. `terms` of
    one that is unplayable here say why.
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


@value
class PersonRow:
    """Somebody on the network: `key` in full, what it does there."""

    key: str
    name: str
    kind: str
    doing: str = ""

    @property
    def mark(self) -> str:
        """The sign before the name: a star for a program."""
        return " " if self.kind == "person" else "*"


@value
class PlayedRow:
    """A game that is over and that the store has, and when it ended, for people."""

    id: str
    game: str
    when: str


@value
class Around:
    """The network as the lobby shows it. `link` says how we are connected, `address` where others find us by hand,
    `missing` why peers that should be here are not.
    """

    tables: tuple[TableRow, ...] = ()
    people: tuple[PersonRow, ...] = ()
    played: tuple[PlayedRow, ...] = ()
    link: str = "opening the network"
    address: str = ""
    missing: tuple[str, ...] = ()


@value
class Room:
    """A table before its first move: its game by key and by title, who sits, for whom a seat is kept, who could be
    invited; how guests come, and the `question` about one of them. `again`: a rematch, whose seats are for those who
    played before.
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
    entrance: ShownEntrance | None = None
    again: bool = False


@value
class Seated:
    """A table at play, as its seat or a watcher may know it.

    `votes`: the others have to decide now about a seat that is gone; `waits`: somebody is gone, or our own network.
    """

    id: str
    table: ShownTable
    votes: bool = False
    waits: bool = False


Front: TypeAlias = Room | Seated | None


@value
class News:
    """How it is now, as far as it has changed. `front` is where the person is: at a table, or in the lobby (None).
    `question` is one that the person has to answer in the lobby; `entrance` is how guests come; `remarks` about
    identities are for the lobby.
    """

    around: Around
    front: Front
    said: tuple[str, ...] = ()
    searching: bool = False
    question: str = ""
    entrance: ShownEntrance | None = None
    remarks: tuple[str, ...] = ()


@value
class Shut:
    """There is no network here, and why."""

    why: str


@value
class StationLeft:
    """The person has left the table for which the program was started: the exit code."""

    code: int
    said: tuple[str, ...] = ()


@value
class Shown:
    """A game to look at: of the store, or of a file."""

    name: str
    match: Match
    names: tuple[str, ...] = ()


@value
class LogTaken:
    """The log of the table in front, as `save` keeps it, with a name for its file."""

    name: str
    text: str


Told: TypeAlias = News | Shut | StationLeft | Shown | LogTaken


# What a person wants


@value
class Show:
    """A game that is over and in the store: answered by `Shown`."""

    id: str


@value
class Rename:
    """Another name for all to see."""

    name: str


@value
class TakeLog:
    """The log of the table in front, for somebody who has no files here: answered by `LogTaken`."""


#: A wish is for the place where the person is; the others lead to a place, or away from the network.
Order: TypeAlias = NetworkWish | PlaceWish | Show | Rename | TakeLog


@value
class Sent:
    """An order for the network, as an effect of the screen."""

    order: Order
