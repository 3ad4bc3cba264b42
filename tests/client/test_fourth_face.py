"""A fourth face, which reads aloud: it plays games by a seat's `state()`, `wish`, `drain`, and the sentences alone."""

import threading
from collections import deque
from contextlib import closing
from typing import cast

import pytest

from quadrille.client.bots.opponents import Opponents
from quadrille.client.table import wishes
from quadrille.client.table.effects import Settled
from quadrille.client.table.local import LocalTable
from quadrille.client.table.network.next_stage import next_stage
from quadrille.client.table.network.seat import NetworkSeat
from quadrille.client.table.network.stage import NetworkStage
from quadrille.client.table.notices import ProposalTold, Refused
from quadrille.client.table.seat import LocalSeat, Seat
from quadrille.client.table.wishes import BareWish, PlayMove, ProposeMotion, Wish
from quadrille.client.words.story import verdict
from quadrille.client.words.table import by_name
from quadrille.net.entries.terms import Terms
from quadrille.net.seating.lobby import Event
from quadrille.rules.match import Agreed, Deal, Match
from quadrille.rules.registry import game
from tests.client.evening import Evening
from tests.net.simulation import Peer
from tests.net.tables import terms

SMALL = {"width": 3, "height": 3}
#: A wish of each kind, most of which are refused wherever they are made.
ANY: tuple[Wish, ...] = (
    *BareWish, wishes.PlayMove("z9"), wishes.Takeback(9), ProposeMotion("nonsense"), wishes.ResignSeat(),
    wishes.Rematch(), wishes.Say("\n"), wishes.Against(("2",)), wishes.StandIn(""), wishes.Save(""), wishes.Uncover(),
    wishes.Hint("2"), wishes.Load("x"), wishes.InvitePeer(""), wishes.PlayFor("77"), wishes.Kick("x"),
)  # fmt: skip


class Voice:
    """Somebody who hears what a seat says, makes the first move that the rules allow, and agrees to everything."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.heard: list[str] = []
        self.first: Wish | None = None  # what it wishes on its first turn, before it moves

    def acts(self) -> bool:
        """Hear what is new, and do what the table waits for; return whether the game is over."""
        self.heard += filter(None, (by_name(notice, self.seat.seats) for notice in self.seat.drain()))
        state = self.seat.state()
        if state is None:
            return False
        if state.over:
            self.heard.append(verdict(state.match, state.over, lambda seat: state.seats.names[seat]))
        elif isinstance(state.concern, ProposalTold):
            self.seat.wish(BareWish.AGREE)
        elif state.is_mine and state.concern is None:
            self.seat.wish(self.first or PlayMove(str(next(iter(state.view.moves)))))
            self.first = None
        return state.over is not None


class Voices(Evening):
    """People on the network, all before this face."""

    def __init__(self, agreed: Terms, others: int = 0) -> None:
        self.voices: dict[str, Voice] = {}
        super().__init__(agreed, others)

    def sit(self, peer: Peer, stage: NetworkStage) -> Voice:  # type: ignore[override]
        self.voices[peer.name] = Voice(stage)
        stage.begin()
        self.world.after(peer)
        return self.voices[peer.name]

    def stage(self, peer: Peer) -> NetworkStage | None:
        """Return where a person is now; the way leads on by itself."""
        if peer.name not in self.voices or not peer.lobby:
            return None
        stage = cast("NetworkStage", self.voices[peer.name].seat)
        while (after := next_stage(stage)) is not None:
            stage = self.voices[peer.name].seat = after
            stage.begin()
        return stage

    def _notice(self, peer: Peer, event: Event) -> None:
        if stage := self.stage(peer):
            stage.hear(event)

    def _act(self, peer: Peer) -> None:
        if stage := self.stage(peer):
            stage.tick()
            self.voices[peer.name].acts()


def test_it_plays_at_a_local_table_with_a_bot() -> None:
    came, answers = threading.Event(), deque[Wish]()
    with closing(Opponents(answers.append, came.set, isolate="none")) as bots:
        match = Match(game("barons"), game("barons").read_options(SMALL), 2, deal=Deal("s"))
        table = LocalTable.of(match, ("", "random"), names=("Ann", ""))
        seat = LocalSeat(table, lambda effect: bots.perform(cast("Settled", effect)))
        voice = Voice(seat)
        seat.wish(wishes.Begin())
        while not voice.acts():
            came.wait(0.05)
            came.clear()
            bots.pump()
            while answers:
                seat.wish(answers.popleft())
    assert voice.heard[0].startswith("Ann: a1") and seat.table.match.ply >= 8
    assert voice.heard[-1].startswith("Ann wins by ")


@pytest.mark.parametrize("key", ["barons", "maze", "coin-isolation", "dollar-draw"])
def test_it_plays_at_a_table_on_the_network_and_somebody_looks_on(key: str) -> None:
    small = {"barons": SMALL, "maze": {"size": 3}}.get(key)
    made = Voices(terms(key, 2, small, lot=False, takebacks=False), others=1)
    made.world.run(lambda: all(voice.seat.state() for voice in made.voices.values()))
    host, _, watcher = made.peers
    assert host.lobby and watcher.lobby
    [table] = host.lobby.tables
    watcher.lobby.watch(table, host.identity.key)
    made.world.run(lambda: watcher.lobby is not None and table in watcher.lobby.tables)
    made.sit(watcher, NetworkSeat(made.context(watcher), watcher.lobby.tables[table]))
    voices = made.voices.values()
    made.world.run(lambda: all((state := voice.seat.state()) and state.over for voice in voices))
    made.settle()
    first, second, looker = (state for voice in voices if (state := voice.seat.state()))
    assert first.match.entries == second.match.entries == looker.match.entries and looker.mine == ()
    assert len({voice.heard[-1] for voice in voices}) == 1


def test_what_is_proposed_is_agreed_to() -> None:
    made = Voices(terms("barons", 3, SMALL, lot=False))
    made.voices["p0"].first = ProposeMotion("draw")
    made.world.run(lambda: all((state := voice.seat.state()) and state.over for voice in made.voices.values()))
    assert {state.match.entries[-1] for voice in made.voices.values() if (state := voice.seat.state())} == {Agreed()}


def test_no_wish_raises_at_any_seat() -> None:
    made = Evening(terms("barons", 2, SMALL, lot=False))
    match = Match(game("barons"), None, 2, deal=Deal("s"))
    room = made.talks["p0"].stage
    made.begin()
    for seat in (room, made.table("p0").stage, LocalSeat(LocalTable.of(match, ("", "")), lambda _: None)):
        for wish in ANY:
            seat.wish(wish)
            told = [by_name(one, seat.seats) for one in seat.drain() if isinstance(one, Refused)]
            assert all(told), f"{wish} is refused without a word"
