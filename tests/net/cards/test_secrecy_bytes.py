"""All bytes of a game are searched, of what each seat was told and of what is stored, a real store's file too: no
card's point and no secret of another seat is in it, until that seat leaves or opens its book.

What else is compared is said in test_secrecy.py.
"""

from pathlib import Path
from typing import Any

from quadrille.net.cards.group import RISTRETTO, card_points, scalar_bytes
from quadrille.net.cards.seat_secrets import SeatSecrets
from quadrille.net.entries.wire import Message, sealed
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.own_cards import CARDS
from quadrille.net.program.stored_tables import StoredTables
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store
from tests.net.cards.by_hand import owner
from tests.net.cards.dotter_world import DotterWorld, small
from tests.net.cards.test_secrecy import Observed, deals
from tests.net.simulation import Peer, Weather, drawn


def secrets_of(log: Log, identity: Identity, random: bytes | None = None) -> dict[str, bytes]:
    """What a seat must keep to itself while it is in the game, by what it is; `random` is what is on its shelf."""
    seat = log.now.keys.index(identity.key)
    more = [random] if random is not None else []
    found = {"key file": identity._sign_key, "cards": identity.secret("cards", log.table, *more)}
    for standing in log.standings:
        deck = standing.deck
        if deck is None:
            continue
        own = SeatSecrets(log.checker.group, deck.gid, seat, found["cards"])
        found[f"key {deck.epoch}"] = own.secret(deck.epoch)
        for look in deck.looked:
            if look.by == seat:
                blinds = {f"blind {look.before.hex()} {slot}": own._blind(look.before, slot) for slot in look.slots}
                found |= {name: scalar_bytes(blind) for name, blind in blinds.items()}
    return found


def leaked(where: bytes, what: dict[str, bytes]) -> set[str]:
    """What is found there, in either order of its bytes."""
    return {name for name, secret in what.items() if secret in where or secret[::-1] in where}


def points() -> dict[str, bytes]:
    return {f"card {value}": point for value, point in enumerate(card_points(RISTRETTO))}


class Wired(DotterWorld):
    """A world that keeps all that is said, and who was told."""

    def __init__(self, *given: Any, **more: Any) -> None:
        self.told: dict[bytes, list[bytes]] = {}
        super().__init__(*given, group=RISTRETTO, **more)

    def send(self, peer: Peer, key: bytes, message: Message) -> None:
        self.told.setdefault(key, []).append(sealed(message, peer.identity))
        super().send(peer, key, message)

    def everything(self, peer: Peer) -> bytes:
        """All that a peer was told, and all that is on its shelf."""
        kept = [data for _, _, data in peer.shelf.kept] + list(peer.shelf.secrets.values())
        return b"|".join(self.told[peer.identity.key] + kept)

    def secrets_of(self, log: Log, peer: Peer) -> dict[str, bytes]:
        return secrets_of(log, peer.identity, peer.shelf.secret(log.table, CARDS))

    def leaks(self, log: Log) -> set[tuple[str, str]]:
        """Whose secrets are anywhere else than with them, by the names of seats and secrets."""
        found = set()
        for peer in self.seated:
            for other in self.seated:
                for name in leaked(self.everything(peer), self.secrets_of(log, other)):
                    found.add((other.name, name))
        return found


class TestBytes:
    def test_no_secret_and_no_card_leaves_a_seat(self) -> None:
        """In bad weather, with crashes, power cuts and a seat that dies: to nobody, and onto no shelf."""
        weather = Weather(loss=50, twice=20, delay=200, cuts=4, crashes=8, power=True, deaths=4)
        world = Wired("leaks 4", small(3), weather)
        world.run(world.settled)
        log = world.logs()[0]
        assert log.now.deck.epoch > 0 and log.now.deck.looked
        assert world.leaks(log) == set()
        for peer in world.seated:
            assert leaked(world.everything(peer), points()) == set()
        for peer in world.honest():
            assert log.entries[-2].data in world.everything(peer), "it was told of the game"

    def test_who_leaves_tells_the_secret_of_its_key_and_no_other(self) -> None:
        world = Wired("leaves", small(3))
        world.run(lambda: any(log.now.owed == "move" and len(log.entries) > 20 for log in world.logs()))
        leaver = world.seated[1]
        [table] = leaver.lobby.tables.values()
        table.resign(world.clock(leaver))
        world.after(leaver)
        world.run(lambda: all(len(log.now.seats_in()) == 2 for log in world.logs()))
        assert world.leaks(table.log) == {(leaver.name, "key 0")}

    def test_a_book_tells_the_secrets_of_keys_and_no_other(self) -> None:
        world = Wired("book", small(2))
        world.run(world.settled)
        assert world.leaks(world.logs()[0]) == set()
        opener = world.seated[0]
        [table] = opener.lobby.tables.values()
        table.open_book()
        world.after(opener)
        world.run(lambda: all(log.books for log in world.logs()))
        assert world.leaks(table.log) == {(opener.name, "key 0")}

    def test_the_file_of_a_store_holds_no_secret_and_no_card(self, tmp_path: Path) -> None:
        log = deals()["as it was"]
        with Store(tmp_path, owner(0).key) as store:
            Observed(log, 0, StoredTables(store, owner(0)))
            names = [name for (name,) in store.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
            values = [value for name in names for row in store.rows(f"SELECT * FROM {name}") for value in row]
            rows = b"|".join(value if isinstance(value, bytes) else str(value).encode() for value in values)
            files = b"|".join(path.read_bytes() for path in sorted(tmp_path.iterdir()))
        assert {path.name for path in tmp_path.iterdir()} >= {"store.sqlite"}
        for where in (rows, files):
            assert log.entries[-1].signature in where, "the game is there"
            assert leaked(where, points()) == set()
            for seat in range(3):
                found = leaked(where, secrets_of(log, owner(seat), drawn(owner(seat).key, log.table)))
                assert found <= {"key file"}  # by chance: chairs of tests reveal the bytes of their identities
        texts = " ".join(value for value in values if isinstance(value, str))
        assert not [face for face in log.now.match.state.sealed().pile.faces if face in texts.split()]
