"""What a seat is told of a game: its story comes to the table's view of that seat, and to nothing more."""

import json
from typing import Any

import pytest

from quadrille.ai.bots.lines.news import Story, Teller
from quadrille.laws.settings import Setting, setting, small, usual
from quadrille.laws.walks import random_move
from quadrille.net.entries.motions import StandInMotion
from quadrille.net.tables.table import Table
from quadrille.rules.chance import Stream
from quadrille.rules.core import HIDDEN, State
from quadrille.rules.match import WAYS_OUT, Deal, Match
from quadrille.rules.registry import game
from tests.net.cards.dotter_world import DotterWorld
from tests.net.cards.dotter_world import small as small_table
from tests.net.simulation import Peer as TablePeer
from tests.net.simulation import Weather

KEYS = ("barons", "coin-isolation", "dollar-draw", "dotter", "maze")
TABLES = [table for key in KEYS for table in (usual(key)[-1], *small(key))]
STEPS = 120


class Listener:
    """A seat that is told, through JSON, and what it makes of it."""

    def __init__(self, match: Match, seat: int) -> None:
        start = match.game.start(match.state.options, match.state.seats)
        self.teller, self.story, self.seat = Teller(match, seat), Story(start, seat), seat

    def listen(self, match: Match, view: State[Any, Any]) -> list[dict[str, Any]]:
        news = json.loads(self.teller.news_line(match, view))
        for item in news:
            self.story.hear(item)
        for told in ("plain", "digest", "scene", "sealed", "draws"):
            assert getattr(self.story.view, told)() == getattr(view, told)()
        assert self.story.view == view and self.story.view.pending == view.pending
        assert len(self.story.entries) == len(match.entries)
        return news  # type: ignore[no-any-return]


def happen(match: Match, rng: Stream) -> None:
    """Something happens in a match: a move, now and then a seat that leaves, or moves that are taken back."""
    chance = rng.randrange(20)
    stay = [seat for seat in range(match.state.seats) if not match.state.board.left[seat]]
    if chance == 0 and len(stay) > 2:
        match.leave(stay[rng.randrange(len(stay))], list(WAYS_OUT)[rng.randrange(len(WAYS_OUT))])
    elif chance in (1, 2) and match.ply:
        match.undo(1 + rng.randrange(min(3, match.ply)))
    else:
        match.play(random_move(match.state, rng))


@pytest.mark.first(1)
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_story_comes_to_the_view_of_its_seat(table: Setting) -> None:
    match, rng = table.match(f"news {table}"), Stream("news", str(table))
    listeners = [Listener(match, seat) for seat in range(table.seats)]
    for _ in range(STEPS):
        if match.over:
            break
        happen(match, rng)
        for listener in listeners:
            if rng.randrange(3) == 0:  # not every seat hears of everything at once
                listener.listen(match, match.state.view(listener.seat))
    for listener in listeners:
        listener.listen(match, match.state.view(listener.seat))
        Listener(match, listener.seat).listen(match, match.state.view(listener.seat))  # all of it to one who comes late


@pytest.mark.parametrize("key", ["barons", "dotter"])
def test_a_game_that_is_ended_by_agreement_or_by_somebody(key: str) -> None:
    for end in ("agree", "adjudicate"):
        match = usual(key)[0].match("ended")
        listener = Listener(match, 1)
        match.play(next(iter(match.state.moves)))
        if end == "agree":
            match.agree()
        else:
            match.adjudicate((2, 1), "the lights went out")
        news = listener.listen(match, match.state.view(1))
        assert set(news[-1]) == ({"agreed"} if end == "agree" else {"adjudicated", "why"})
        assert listener.story.entries[-1] == match.entries[-1]


def test_what_a_seat_sees_comes_with_the_move_or_after_it() -> None:
    """As a peer on the network has it: a match as a spectator sees it, and what its seat has seen beside it."""
    table = setting("dotter", {"laps": 2, "lap_points": 60}, 2)
    whole, public = table.match("look"), Match(table.game, dict(table.options), table.seats, viewer=None)
    for match in (whole, public):
        match.play("draw")
    mover = whole.state.board.turn
    listeners = [Listener(public, mover) for _ in range(2)]
    for match in (whole, public):
        match.play("peek p1 1a 1b")
    for _ in range(2):
        public.answer(HIDDEN)
    faces = [str(face) for face in whole.entries[-1].faces]  # type: ignore[union-attr]
    seen = {at: whole.state.board.faces[at] for at in public.state.sealed().looks[mover]}
    early, late = (lambda seen, one=one: one.listen(public, public.state.told(mover, seen)) for one in listeners)
    assert early(seen)[-1]["faces"] == faces
    # the deck has not yet shown it the cards; then it does; then they are dealt anew, to be looked at again
    assert late({})[-1]["faces"] == ["?", "?"]
    assert late(seen) == [{"seen": dict(zip("01", faces, strict=True))}]
    assert late({}) == [{"seen": {}}]
    assert late({0: 7}) == [{"seen": {"0": "8S"}}]


# Nothing else is told


@pytest.mark.slow
def test_no_line_tells_what_the_seat_may_not_see() -> None:
    """Two games with the same moves and other cards: the lines differ only when the seat sees a difference."""
    rng = Stream("two decks")
    cards = list(game("dotter").start().view(None).sealed().pile.faces)  # type: ignore[union-attr]
    rng.shuffle(cards)
    shuffled = cards[:]
    rng.shuffle(shuffled)
    piles = [{f"round {number + 1}": tuple(pile) for number in range(3)} for pile in (cards, shuffled)]
    one, other = (Match(game("dotter"), {"max_rounds": 3}, 3, deal=Deal("rest", each)) for each in piles)
    listeners = [(Listener(one, seat), Listener(other, seat)) for seat in range(3)]
    apart: set[int] = set()
    known: list[tuple[set[str], set[str]]] = [(set(), set()) for _ in range(3)]
    for _ in range(200):
        if one.over or other.over or one.state.sealed().pile != other.state.sealed().pile:
            break
        move = random_move(one.state, rng)
        if one.state.board.turn != other.state.board.turn or other.state.objection(move):
            break  # what was turned up has led to another game
        one.play(move)
        other.play(move)
        for seat, (here, there) in enumerate(listeners):
            views = one.state.view(seat), other.state.view(seat)
            news = here.listen(one, views[0]), there.listen(other, views[1])
            apart |= {seat} if views[0] != views[1] else set()
            assert seat in apart or news[0] == news[1]
            for item, match, view, cards_known in zip(news, (one, other), views, known[seat], strict=True):
                faces = view.sealed().pile.faces  # type: ignore[union-attr]
                cards_known |= {faces[number] for number in view.board.faces if number >= 0}
                told = {name for each in item for name in each.get("faces", ())} - {"?"}
                # three cards of the last move are turned up: they are in no view any more if it ended the round
                turned_up = map(str, match.entries[-1].faces) if str(move).startswith("score") else ()  # type: ignore[union-attr]
                assert told <= cards_known.union(turned_up)
    assert apart == {0, 1, 2}


# What a seat at a table of peers is told, with cards that nobody holds: its story is always the table's view
#
# Also when cards are dealt anew because a seat vanished, or another plays on for it.


class ToldWorld(DotterWorld):
    """A world in which every seat has somebody who is told of every change."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self.listeners: dict[tuple[bytes, int], Listener] = {}
        self.told: dict[tuple[bytes, int], tuple[bytes, object]] = {}
        self.kinds: set[str] = set()
        super().__init__(*args, **more)

    def check_step(self) -> None:
        super().check_step()
        for peer in self.honest():
            for table in peer.lobby.tables.values():
                if table.seat is not None:
                    self.tell(peer, table, table.seat)

    def tell(self, peer: TablePeer, table: Table, seat: int) -> None:
        match, view, name = table.log.now.match, table.view, (peer.identity.key, seat)
        if self.told.get(name) == (table.log.head, view):
            return
        self.told[name] = (table.log.head, view)
        listener = self.listeners.setdefault(name, Listener(match, seat))
        for item in listener.listen(match, view):
            self.kinds |= item.keys()


def test_a_whole_game() -> None:
    world = ToldWorld("told", small_table(2, lap_points=31), Weather(loss=50, twice=50, delay=200, cuts=1, crashes=2))
    world.run(world.settled)
    assert "faces" in world.kinds


@pytest.mark.slow
def test_another_plays_on_and_hears_all_of_it() -> None:
    world = ToldWorld("told stand-in 3", small_table(3, lap_points=1000, max_rounds=1))

    def have_looked() -> bool:
        """There are cards that the others look at again when another plays on."""
        for log in world.logs()[:1]:
            others = [row for seat, row in enumerate(log.now.match.state.sealed().looks) if seat != log.now.turn]
            return log.now.owed == "move" and all(others)
        return False

    world.run(have_looked)
    log = world.logs()[0]
    seat = log.now.turn
    assert seat is not None
    world.crash(world.peers[log.now.keys[seat]], None)
    deputy = log.now.keys[seat - 1]
    motion = StandInMotion(seat, deputy, "deputy")

    def agree(peer: TablePeer) -> None:
        for table in peer.lobby.tables.values():
            if table.seat is not None and table.log.now.turn == seat and seat in table.overdue(world.clock(peer)):
                table.agree(motion, world.clock(peer))
            elif table.is_my_turn:
                table.play(str(table.view.moves.sample(world.dice)), world.clock(peer))

    world.act = agree  # type: ignore[method-assign]
    world.run(world.settled)
    assert any(other.now.keys[seat] == deputy for other in world.logs())
    assert "seen" in world.kinds
