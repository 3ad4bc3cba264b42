"""A simulated network in which some peers are bots: they hear and act as a program has them; others do nothing."""

from collections.abc import Callable
from typing import Any

from quadrille.ai.bots.talk import Talk
from quadrille.ai.peer.guest import Guest
from quadrille.net.entries.terms import Terms
from quadrille.net.seating import lobby as net
from quadrille.net.seating.gathering import Gathering
from quadrille.net.tables.table import Table
from tests.ai.inside import talk
from tests.net.simulation import Peer, World

#: A board of Barons on which games are short.
SMALL = {"width": 3, "height": 3}


class BotWorld(World):
    """The bots by the names of their peers, and all that anybody has noticed."""

    def __init__(self, seed: str, agreed: Terms, **more: Any) -> None:
        self.guests: dict[str, Guest] = {}
        self.events: list[tuple[Peer, net.Event]] = []
        super().__init__(seed, agreed, **more)

    def bring(self, peer: Peer, program: Callable[[], Talk] = talk, **more: Any) -> Guest:
        """A bot comes to a peer; it asks for a seat at every open table, unless `more` says otherwise."""
        guest = self.guests[peer.name] = Guest(peer.lobby, program, **{"asks": lambda *_: None} | more)
        return guest

    def act(self, peer: Peer) -> None:
        if peer.name in self.guests:
            self.guests[peer.name].act(self.now)

    def notice(self, peer: Peer, event: net.Event) -> None:
        super().notice(peer, event)
        self.events.append((peer, event))
        if peer.name in self.guests:
            self.guests[peer.name].hear(event, self.now)

    def told(self, kind: type, *peers: Peer) -> list[Any]:
        """What these peers, or all, have noticed of that kind at a table."""
        found = [event.event for peer, event in self.events if peer in (peers or (peer,)) and isinstance(event, net.At)]
        return [event for event in found if isinstance(event, kind)]

    def host(self, peer: Peer, agreed: Terms | None = None) -> Gathering:
        gathering = peer.lobby.host(agreed or self.terms, b"nonce", self.now)
        self.after(peer)
        return gathering

    def start_game(self, peer: Peer, gathering: Gathering) -> None:
        gathering.start(self.now)
        self.after(peer)

    def play_first(self, peer: Peer, table: Table) -> None:
        """A person makes the first move of the list, if it is their turn."""
        if table.is_my_turn and not table.over:
            table.play(str(next(iter(table.log.now.match.state.moves))), self.now)
            self.after(peer)
