"""A program that sits at tables: a Station that plays random legal moves and tells on its output what happens.

    python -m tests.net.player NAME FOLDER PORT [--host JSON [--crowd N] | --join] [--die N] [--think MS]
        [--seeds HOST …] [--interfaces NAME …]

Every line it prints is a JSON object with `what`. It plays the tables that it finds in its folder, and else hosts (as
soon as N others are here) or joins. It ends when its input ends. `--die N`: it kills itself as soon as entry N is on
the disk, before it tells anybody. The same seed moves alike in the same position, in whatever life.
"""

import argparse
import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

from quadrille.net.core.shapes import plain_options
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.motions import DropMotion, TableMotion
from quadrille.net.entries.terms import Terms, TimeControl
from quadrille.net.game_log.news import Blamed, Presence, Stopped, Took
from quadrille.net.link.overlay import FarRoom
from quadrille.net.program.station import Remark, Station, now
from quadrille.net.program.stored_tables import StoredTables
from quadrille.net.seating.lobby import Arrived, At, Began, Dropped, Event
from quadrille.net.seating.offers import offers
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import peer_of
from quadrille.rules.chance import Stream
from quadrille.rules.registry import game
from tests.net.peer import tell


def terms_of(text: str) -> Terms:
    """Terms from `{"game": …, "seats": …, "options": {…}, "clock": [ms, ms], …}`."""
    given = json.loads(text)
    clock = given.pop("clock", None)
    options = plain_options(game(given["game"]).read_options(given.pop("options", {})).plain())
    return Terms(options=options, clock=TimeControl(*clock) if clock else None, **given)


def standing(table: Table) -> dict[str, Any]:
    """Where we are at a table."""
    return {"seat": table.seat, "length": len(table.log.entries), "remaining": table.log.now.remaining}


class Player:
    """A station, and what it does at its tables."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.station = Station(
            given.name,
            "bot",
            folder=given.folder,
            port=given.port,
            seeds=given.seeds,
            interfaces=given.interfaces,
            far=self.far_room(),
        )
        self.told: set[bytes] = set()

    def far_room(self) -> FarRoom | None:
        """Where it plays, if that is far away."""
        return None

    def start(self) -> None:
        self.station.start()
        lobby = self.station.lobby
        tell("ready", port=self.station.node.tcp_port, tables=[standing(table) for table in lobby.tables.values()])

    def turn(self) -> None:
        lobby = self.station.lobby
        for event in self.station.turn(self.patience()):
            self.hear(event)
        for gathering in list(lobby.gatherings.values()):
            gathering.start(now())
        self.open_table()
        self.find_table()
        for table in lobby.tables.values():
            self.play(table)

    def patience(self) -> int:
        """Milliseconds until there is something to do here, whatever the others do."""
        mine = [table.began + self.given.think for table in self.station.lobby.tables.values() if table.is_my_turn]
        return max(0, min([100, *(due - now() for due in mine)]))

    def open_table(self) -> None:
        """Host once, when everybody is here who has to know of it."""
        lobby = self.station.lobby
        if self.given.host and len(lobby.peers) >= self.given.crowd:
            if not lobby.tables:
                lobby.host(terms_of(self.given.host), os.urandom(8), now())
            self.given.host = None

    def find_table(self) -> None:
        """Ask for a chair where one is free, until somebody says yes."""
        lobby = self.station.lobby
        if self.given.join and not lobby.tables and not lobby.gatherings:
            free = [offer for offer in offers(lobby, "open") if len(offer.chairs) < offer.terms.seats]
            if free:
                lobby.join(free[0], now())

    def hear(self, event: Event | Remark) -> None:
        lobby = self.station.lobby
        match event:
            case Arrived(peer):
                address = next(
                    (one.address for one in self.station.node.neighbours.peers() if one.id == peer_of(peer.key)), ""
                )
                tell("arrived", name=peer.name, address=address)
            case Began(name):
                tell("began", **standing(lobby.tables[name]))
            case At(_, Took(entry)):
                tell("took", index=entry.index, kind=entry.kind, hash=entry.hash.hex())
            case At(_, Presence(seat, here)):
                tell("presence", seat=seat, here=here)
            case At(_, Blamed() | Stopped() as found):
                tell(type(found).__name__.lower(), why=str(found))
            case Dropped(_, why):
                tell("dropped", why=why)

    def agree(self, table: Table, motion: TableMotion) -> None:
        signed = table.accord.open == motion and table.seat in table.accord.signed
        if not signed:
            table.agree(motion, now())

    def play(self, table: Table) -> None:
        standing = table.log.now
        if standing.over and table.log.head not in self.told:
            self.told.add(table.log.head)
            tell("over", places=standing.over.places, head=table.log.head.hex(), remaining=standing.remaining)
        if standing.over or not table.is_my_turn:
            for seat in table.overdue(now()):
                if standing.turn == seat and len(standing.seats_in()) > 2:
                    self.agree(table, DropMotion(seat))
        elif now() - table.began >= self.given.think:
            dice = Stream("player", f"{standing.match.ply}/{table.seat}")
            table.play(str(table.view.moves.sample(dice)), now())


def die_at(last: int) -> None:
    """See to it that this program dies when that entry is on the disk."""
    keep = StoredTables.keep_entry

    def keep_and_die(shelf: StoredTables, entry: Entry, *, heard: bool = False) -> None:
        keep(shelf, entry, heard=heard)
        if entry.index == last:
            shelf.catch_up()
            os.kill(os.getpid(), signal.SIGKILL)

    StoredTables.keep_entry = keep_and_die  # type: ignore[method-assign]


def main(player_of: Callable[[argparse.Namespace], Player] = Player, *options: str) -> None:
    """Run a player; `options` are more of its own, with a value each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("folder")
    parser.add_argument("port", type=int)
    parser.add_argument("--host")
    parser.add_argument("--crowd", type=int, default=0)
    parser.add_argument("--join", action="store_true")
    parser.add_argument("--die", type=int)
    parser.add_argument("--think", type=int, default=0)
    parser.add_argument("--seeds", nargs="*", default=())
    parser.add_argument("--interfaces", nargs="*")
    for option in options:
        parser.add_argument(option)
    given = parser.parse_args()
    if given.die is not None:
        die_at(given.die)
    player = player_of(given)
    ended = threading.Event()

    def wait_for_end() -> None:
        sys.stdin.read()
        ended.set()
        player.station.node.wake_up()

    threading.Thread(target=wait_for_end, daemon=True).start()
    player.start()
    while not ended.is_set():
        player.turn()
    player.station.close()


if __name__ == "__main__":
    main()
