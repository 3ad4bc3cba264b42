"""A table with a deck in bad hands: its messages, changed in any way, at any moment, as tests/net/test_session_fuzz.py
has it for the other games. Every second peer waits for the liar to give the deck what it owes, and half of what comes
then is that very entry, with something else in it and signed anew.
"""

from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.core.errors import PeerError
from quadrille.net.entries.wire import Entries, Message, opened, sealed
from quadrille.net.game_log.log import replayed
from quadrille.net.game_log.news import Blamed
from quadrille.net.game_log.said_lines import MOST_LINES
from quadrille.net.seating.lobby import Dropped, Lobby
from quadrille.rules.chance import Stream
from quadrille.rules.registry import game
from tests.net.cards.dotter_world import GRACE, small
from tests.net.cards.stub import STUB
from tests.net.sessions import Moment, Mutations, Session
from tests.net.simulation import Peer, World
from tests.net.test_session_fuzz import A_COPY, check_answers, standing


class CardSession(Session):
    """A session of Dotter on numbers, in which seats also open their books when it is over."""

    def __init__(self) -> None:
        super().__init__("fuzz/dotter", small(3, lap_points=121), every=3)
        for table in self.tables():
            if table.over:
                table.open_book()
        for peer in self.honest():
            self.after(peer)
        end = self.now + 2 * GRACE
        self.run(lambda: self.now > end)

    def start(self, peer: Peer) -> None:
        self.checker = ProofChecker(STUB)
        super().start(peer)

    def deliver(self, sender: Peer, receiver: Peer, message: Message) -> None:
        harmed = receiver.lobby is not None and receiver.identity is not self.liar_s
        if harmed and len(self.said) % self.every == 0:
            assert receiver.lobby
            self.moments.append(Moment(copied(receiver.lobby), self.clock(receiver)))
        World.deliver(self, sender, receiver, message)


def copied(lobby: Lobby) -> Lobby:
    """The same program again; the group and its tables are shared, and what cannot change."""
    shared: dict[int, Any] = {id(one): one for one in (lobby.identity, STUB, game("dotter"))}
    for table in lobby.tables.values():
        shared |= {id(one): one for one in (*table.log.standings, *table.log.entries)}
    return deepcopy(lobby, shared)


class CardMutations(Mutations):
    """Also of what the liar owes just now."""

    def __init__(self, session: CardSession) -> None:
        super().__init__(Stream("dotter", "mutations"), session.said, session.liar_s)
        self.after: dict[bytes, bytes] = {}
        for data in session.said:
            _, message = opened(data)
            for entry in message.entries if isinstance(message, Entries) else ():
                if entry.author == self.liar.key and entry.kind != "move":
                    self.after[entry.before] = sealed(Entries(entry.table, (entry,)), self.liar)

    def due(self, lobby: Lobby) -> bytes | None:
        """The entry that a peer waits for."""
        heads = [table.log.head for table in lobby.tables.values()]
        return next((self.after[head] for head in heads if head in self.after), None)

    def one_for(self, lobby: Lobby) -> bytes:
        due = self.due(lobby)
        return self._entry(due) if due and self.dice.randrange(2) else self.one()


@cache
def session() -> CardSession:
    return CardSession()


def check_memory(lobby: Lobby) -> None:
    """Nothing grows by messages but the logs, and those stay what they say, the deck too."""
    assert len(lobby.tables) <= 2 and len(lobby.gatherings) <= 1 and len(lobby.peers) <= 4
    for table in lobby.tables.values():
        assert len(table.lines()) <= MOST_LINES
        again = replayed(table.log.table, table.log.entries, ProofChecker(STUB))
        assert again.head == table.log.head
        assert [one.deck and one.deck.digest() for one in again.standings] == [
            one.deck and one.deck.digest() for one in table.log.standings
        ]


def ill_treated(count: int) -> dict[str, int]:
    """So many mutations; how many were refused where they came in, refused later, blamed, or taken."""
    mutations, moments = CardMutations(session()), session().moments
    waiting = [moment for moment in moments if mutations.due(moment.lobby)]
    came = {"bytes": 0, "refused": 0, "blamed": 0, "taken": 0}
    for number in range(count):
        if number % A_COPY == 0:
            copy, chosen = number // A_COPY, (moments, waiting)[number // A_COPY % 2]
            moment = chosen[copy * 7919 % len(chosen)]
            lobby, now = copied(moment.lobby), moment.now
            lobby.outgoing.clear()
            lobby.events.clear()
        data = mutations.one_for(lobby)
        now += mutations.dice.randrange(100)
        try:
            author, message = opened(data)
        except PeerError:
            came["bytes"] += 1
            continue
        before = standing(lobby)
        lobby.receive(author, message, now)
        check_answers(lobby, author, message, before)
        found = [getattr(event, "event", event) for event in lobby.events]
        refused = "refused" if any(isinstance(event, Dropped) for event in found) else "taken"
        came["blamed" if any(isinstance(event, Blamed) for event in found) else refused] += 1
        if now >= lobby.deadline:
            lobby.wake(now)
        lobby.outgoing.clear()
        lobby.events.clear()
        if number % A_COPY == A_COPY - 1:
            check_memory(lobby)
    return came


def check_variety(count: int) -> None:
    """All that can become of a message does, and often enough: how often depends on how the session went."""
    came = ill_treated(count)
    assert min(came["bytes"], came["blamed"], came["taken"]) > count // 50, came


def test_two_thousand_mutations() -> None:
    check_variety(2000)


@pytest.mark.slow
def test_fifteen_thousand_mutations() -> None:
    check_variety(15_000)


def test_the_session_has_all_that_a_deck_waits_for() -> None:
    messages = [opened(data)[1] for data in session().said]
    entries = [entry for message in messages for entry in getattr(message, "entries", ())]
    kinds = {entry.kind for entry in entries}
    assert kinds >= {"key", "shuffle", "look", "share", "move"}
    assert {entry.kind for entry in entries if entry.author == session().liar_s.key} >= {"key", "shuffle", "share"}
    assert "Book" in {type(message).__name__ for message in messages}
    owed = {table.log.now.owed for moment in session().moments for table in moment.lobby.tables.values()}
    assert owed >= {"key", "shuffle", "look", "share", "move"}
    mutations = CardMutations(session())
    waiting = [moment.lobby for moment in session().moments if mutations.due(moment.lobby)]
    assert {table.log.now.owed for lobby in waiting for table in lobby.tables.values()} >= {"key", "shuffle", "share"}
