"""Lobbies, rooms and dialogs to be looked at: what a network may hold, as values."""

from dataclasses import replace

from quadrille.client.presence.invitation import PhoneInvitation
from quadrille.client.screen.draw.canvas import Picture
from quadrille.client.screen.evening import Evening, Front, draw_evening
from quadrille.client.screen.lobby.gallery import game_cards
from quadrille.client.screen.lobby.model import LobbyScreen
from quadrille.client.screen.lobby.new_table import NewTable
from quadrille.client.screen.lobby.waiting_room import WaitingRoomScreen
from quadrille.client.screen.network.news import Around, News, PersonRow, Room, TableRow
from quadrille.client.screen.network.session import shown_entrance
from quadrille.client.screen.table.page import Page
from quadrille.client.screen.table.terminal import Line, Look
from quadrille.client.table.notices import GuestEntrance

NOW = 1_000_000
TABLES = (
    TableRow("a1" * 16, "Barons", "", "Ben and Cid", 3, 3, "mine", NOW - 65_000, my_turn=True,
             terms="Barons, 3 players", names=("Ben", "Cid"), keys=("01" * 32, "02" * 32)),
    TableRow("b1" * 16, "Coin Isolation", "take greedy, mixed change", "Ben", 2, 4, "open", NOW - 12_000,
             terms="Coin Isolation, 4 players, take greedy, mixed change, clock 5m+10s",
             names=("Ben", "Vic (level 3 of Ben)")),
    TableRow("b2" * 16, "Maze", "size 8", "Eve with a name that is long", 1, 2, "open", NOW - 271_000,
             terms="Maze, 2 players, size 8", names=("Eve with a name that is long",)),
    TableRow("c1" * 16, "Dollar Draw", "", "Cid", 2, 2, "agreeing", NOW, terms="Dollar Draw, 2 players"),
    TableRow("d1" * 16, "Dotter", "", "Dot", 3, 3, "playing", NOW - 3_900_000, terms="Dotter, 3 players",
             names=("Dot", "漢字", "Flo")),
    TableRow("d2" * 16, "Barons", "5 x 5", "Cid", 2, 2, "playing", NOW - 1000, may_watch=False,
             terms="Barons, 2 players, 5 x 5, watchers: nobody"),
)  # fmt: skip
LEFT = (
    TableRow("a2" * 16, "Maze", "", "Ina", 2, 2, "kept", NOW - 3000, terms="Maze, 2 players; 7 moves; with Ina",
             keys=("09" * 32,)),
    TableRow("a3" * 16, "Barons", "", "Ada", 2, 2, "left", NOW - 86_400_000,
             terms="Barons, 2 players; 1 move; with Ada"),
)  # fmt: skip
VIC = PersonRow("05" * 32, "Vic (level 3 of Ben)", "bot")
PEOPLE = (
    PersonRow("01" * 32, "Ben", "person", "waits at Coin Isolation"),
    PersonRow("02" * 32, "Cid", "person", "plays Barons"),
    PersonRow("03" * 32, "Dot", "person", "plays Dotter"),
    PersonRow("04" * 32, "漢字", "person"),
    PersonRow("05" * 32, "Vic", "bot", "waits at Coin Isolation"),
    PersonRow("06" * 32, "a bot with quite a long name", "bot"),
)
AROUND = Around(TABLES, PEOPLE, "LAN: 6 others here")
EMPTY = Around(link="LAN: nobody else here")
ROOM = Room(
    "b1" * 16, "coin-isolation", "Coin Isolation take greedy", "Coin Isolation, 4 players, take greedy, clock 5m+10s",
    hosts=True, seats=4, chairs=(PersonRow("00" * 32, "you", "person"), VIC),
    others=(PEOPLE[0], PEOPLE[2], PEOPLE[3]),
    way="Others sit down with quadrille join or, where broadcasts do not get through, quadrille join 10.0.0.5:41234",
    coming=("a guest",),
    said=("Vic (level 3 of Ben) sits down: 2 of 4 seats are taken.", "Cid does not come: it plays already."),
)  # fmt: skip


def lobby(around: Around = AROUND, **more: object) -> LobbyScreen:
    more = {"cards": game_cards(), "around": around, "left": LEFT if around.tables else (), **more}
    return LobbyScreen(name="Ann", opened=NOW - 60_000, now=NOW, **more)


def shut_by(why: str) -> News:
    """What is told where there is no network."""
    return News(Around(link="NO NETWORK", shut=why), None)


def evening(around: Around = AROUND, **more: object) -> Evening:
    return Evening(lobby(around, **more))


#: How guests come to an evening, three of whom are here.
AT_HOME = PhoneInvitation(4080, "k7m29xqd4tzrw8bh", "bcdf-2345")
DOOR = shown_entrance(
    GuestEntrance(AT_HOME.code, (AT_HOME.address("192.168.1.5"),), (AT_HOME.link("192.168.1.5"),), outside=True)
)
AT_DOOR = tuple(
    PersonRow(f"{number:02}" * 32, name, "person", doing)
    for number, (name, doing) in enumerate((("Ann", "here by phone"), ("Bo", "asleep"), ("Cleo", "here by phone")))
)


#: What is shown, by name.
SCENES: dict[str, Evening] = {
    "lobby": evening(chosen=f"table {'b1' * 16}"),
    "lobby-typing": evening(line=Line.of("wat")),
    "lobby-nobody": evening(EMPTY, chosen="do doctor"),
    "lobby-shut": evening(
        Around(link="NO NETWORK", shut="another program is playing with the identity in /home/ann/quadrille")
    ),
    "lobby-evening": evening(replace(AROUND, people=(*AT_DOOR, *PEOPLE), guests=2, entrance=DOOR)),
    "new-table-evening": replace(evening(), front=NewTable("barons", local=False, here=3, at=5)),
    "new-table": replace(evening(), front=NewTable("coin-isolation", local=False, values={"bots": "1"}, at=2)),
    "new-table-wrong": replace(
        evening(), front=NewTable("maze", local=False, values={"seats": "2", "bots": "3"}, at=2)
    ),
    "play": replace(evening(), front=NewTable("barons", local=True, at=0)),
    "waiting": replace(evening(), front=WaitingRoomScreen(ROOM)),
    "page": replace(evening(), page=Page("What may keep programs from meeting", ("ok      All is well.",))),
}


def shown(name: str, rows: int, columns: int, *, plain: bool) -> Picture:
    scene = SCENES[name]
    look = Look(plain=plain)
    front: Front = scene.front
    if front is not None:
        front = replace(front, look=look, rows=rows, columns=columns)
    around = replace(scene.lobby, look=look, rows=rows, columns=columns)
    return draw_evening(replace(scene, lobby=around, front=front))
