"""Valid sessions in bad hands: any message, changed in any way, at any moment of any phase.

A message is a `PeerError`, or it does what a message of a member of the table can do: nobody is blamed for it but who
sealed it; what is refused has changed nothing; what is sent because of it, and what is remembered of it, is bounded.
"""

from typing import Any

import pytest

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.wire import Entries, Message, opened
from quadrille.net.game_log.log import replayed
from quadrille.net.game_log.news import Blamed, Stopped
from quadrille.net.game_log.said_lines import MOST_LINES
from quadrille.net.seating.lobby import At, Dropped, Lobby
from quadrille.rules.chance import Stream
from tests.net.sessions import Mutations, Session, copied
from tests.net.tables import terms

TERMS = {
    "barons-3": terms("barons", 3, {"width": 4, "height": 3}, grace=1000),
    "maze-2": terms("maze", 2, {"size": 3}, grace=1000),
}
#: Mutations that one copy of a peer gets, one on top of the other.
A_COPY = 100
#: Messages to each peer that is here, and other messages, that a single one may be answered by.
FOR_EACH, BESIDE = 8, MOST_LINES + 8


def standing(lobby: Lobby) -> list[Any]:
    """What a message that is refused must not change."""
    gatherings = [(each.phase, each.chairs[:], each._round, each.begun) for each in lobby.gatherings.values()]
    tables = [(table.log.head, table.stopped, dict(table.accord.resigned)) for table in lobby.tables.values()]
    return [gatherings, tables, dict(lobby.peers), set(lobby.here)]


def check_answers(lobby: Lobby, author: bytes, message: Message, before: list[Any]) -> None:
    """What came of one message. Entries stand or fall each by itself: the first may be good and the second not."""
    several = isinstance(message, Entries) and len(message.entries) > 1
    assert len(lobby.outgoing) <= BESIDE + FOR_EACH * (len(lobby.here) + 1)
    entries = [answer.entries for _, answer in lobby.outgoing if isinstance(answer, Entries)]
    assert sum(len(entry.data) for row in entries for entry in row) <= 60_000 * (len(lobby.here) + 1)
    assert len(lobby.events) <= BESIDE + FOR_EACH
    for event in lobby.events:
        match event:
            case At(_, Blamed() | Stopped() as found):
                # a copy that wrote otherwise than the peer it was made of will be shown what that one wrote
                assert found.culprit in (author, lobby.identity.key), found
            case Dropped(key, _):
                assert key == author
                assert several or standing(lobby) == before


def check_memory(lobby: Lobby) -> None:
    """Nothing grows by messages but the logs, and those stay what they say."""
    assert len(lobby.tables) <= 2
    assert len(lobby.gatherings) <= 1
    assert len(lobby.peers) <= 4  # as many as there are
    for table in lobby.tables.values():
        assert len(table.lines()) <= MOST_LINES
        assert len(table.accord.signed) <= table.log.now.terms.seats
        assert replayed(table.log.table, table.log.entries).head == table.log.head


def ill_treated(name: str, count: int) -> dict[str, int]:
    """So many mutations of one session; how many were refused where they came in, by the machines, or taken."""
    session = Session(f"fuzz/{name}", TERMS[name], every=10)
    mutations = Mutations(Stream(name, "mutations"), session.said, session.liar_s)
    came = {"bytes": 0, "refused": 0, "taken": 0}
    for number in range(count):
        if number % A_COPY == 0:
            moment = session.moments[number // A_COPY * 7919 % len(session.moments)]
            lobby, now = copied(moment.lobby), moment.now
            lobby.outgoing.clear()
            lobby.events.clear()
        data = mutations.one()
        now += mutations.dice.randrange(100)
        try:
            author, message = opened(data)
        except PeerError:
            came["bytes"] += 1
            continue
        before = standing(lobby)
        lobby.receive(author, message, now)
        check_answers(lobby, author, message, before)
        came["refused" if any(isinstance(event, Dropped) for event in lobby.events) else "taken"] += 1
        lobby.outgoing.clear()
        lobby.events.clear()
        if now >= lobby.deadline:
            lobby.wake(now)
            lobby.outgoing.clear()
            lobby.events.clear()
        if number % A_COPY == A_COPY - 1:
            check_memory(lobby)
    return came


@pytest.mark.parametrize("name", list(TERMS))
def test_a_few_thousand_mutations(name: str) -> None:
    came = ill_treated(name, 2000)
    assert min(came["bytes"], came["taken"]) > 30, came


@pytest.mark.slow
@pytest.mark.parametrize("name", list(TERMS))
def test_many_thousand_mutations(name: str) -> None:
    came = ill_treated(name, 20_000)
    assert min(came["bytes"], came["taken"]) > 400, came


def test_the_session_has_every_phase_and_nearly_every_message() -> None:
    session = Session("fuzz/barons-3", TERMS["barons-3"], every=2)
    said = {type(opened(data)[1]).__name__ for data in session.said}
    assert said >= {"Advert", "Ask", "Answer", "Propose", "Accept", "Reveal", "Entries", "Head", "Want"}
    assert said >= {"Motion", "Decline", "Resign", "Chat"}
    phases = {gathering.phase for moment in session.moments for gathering in moment.lobby.gatherings.values()}
    assert phases >= {"open", "agreeing"}
    assert any(moment.lobby.tables for moment in session.moments)
    assert any(table.accord.signed for moment in session.moments for table in moment.lobby.tables.values())
