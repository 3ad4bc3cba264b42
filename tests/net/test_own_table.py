"""Tables whose seats one peer holds: games at one keyboard, without a network. The same Table as any other."""

import json
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.motions import DrawMotion, HandMotion, all_of
from quadrille.net.entries.terms import DEAL, Chair, Terms, TimeControl
from quadrille.net.game_log import archive
from quadrille.net.game_log.log import Log, replayed
from quadrille.net.seating.own_table import own_table
from quadrille.net.tables.table import Table
from quadrille.rules import record
from quadrille.rules.chance import Stream
from quadrille.rules.errors import RulesError
from tests.fuzz.logs import CHECKER, honest
from tests.net.tables import KEYS, MemoryShelf, agreed, begun, identity, terms

ME = identity(1)
LAP = {"laps": 1, "lap_points": 21}
#: A table of each game.
GAMES = [
    terms("maze", 2), terms("barons", 4), terms("dollar-draw", 2), terms("coin-isolation", 3), terms("dotter", 4, LAP),
]  # fmt: skip
HIDDEN = GAMES[-1]


def opened(agreed: Terms, shelf: Any = None) -> Table:
    """A table that has begun, always the same one."""
    drawn = count(1)
    chairs = tuple(Chair(ME.key, f"player {seat}", "person") for seat in range(agreed.seats))
    return own_table(ME, shelf or MemoryShelf(ME.key), agreed, chairs, 0, lambda size: bytes([next(drawn)]) * size)


def played(table: Table, moves: int = 10_000) -> Table:
    """So many random moves later, or at its end."""
    dice = Stream("own", "moves")
    for now in range(moves):
        if table.over is None:
            assert table.is_my_turn and table.seat == table.log.now.turn
            table.play(str(table.view.moves.sample(dice)), now)
    return table


@pytest.mark.parametrize("agreed", GAMES, ids=lambda agreed: agreed.game)
def test_a_whole_game_comes_back_from_its_archive(agreed: Terms) -> None:
    table = played(opened(agreed))
    assert table.over and table.log.now.deck is None
    text = record.write(table.log.now.match)
    back = archive.read(archive.write(table.log))
    assert back.head == table.log.head and record.write(back.now.match) == text


@pytest.mark.parametrize("agreed", [GAMES[3], HIDDEN], ids=["open", "hidden"])
def test_cards_that_can_not_lie_so_are_refused_whoever_brings_them(agreed: Terms) -> None:
    """The terms of one peer name its cards. Those of a stranger ended the program of who looked on, or read a file."""
    piles = {"layout": ["1"], "round 1": ["AS"]}
    strange = replace(agreed, more=((DEAL, json.dumps(["seed", piles])),))
    with pytest.raises(PeerError, match="was given outright"):
        played(opened(strange), 3)
    with pytest.raises(PeerError):
        begun(replace(strange, takebacks=False))


def test_a_game_by_hand() -> None:
    shelf = MemoryShelf(ME.key)
    table = opened(terms("barons", 2, {"width": 2, "height": 2}, clock=TimeControl(60_000, 0), lot=False), shelf)
    for now, text in enumerate(("a1", "a2", "b1", "b2")):
        with pytest.raises(RulesError):
            table.play("c9", now)
        table.play(text, 1000 * (now + 1))
    assert table.over and table.log.now.remaining == (58_000, 58_000)
    assert shelf.entries(table.log.table) == [entry.data for entry in table.log.entries]


def test_a_clock_that_runs_out_takes_its_seat_and_the_others_play_on() -> None:
    table = opened(terms("barons", 3, {"width": 3, "height": 3}, clock=TimeControl(1000, 0)))
    table.wake(1001)
    assert table.log.now.seats_in() == (1, 2) and table.seat == 1


def test_a_look_is_seen_by_the_seat_that_looked_alone() -> None:
    table = opened(HIDDEN)
    while not (looks := [str(move) for move in table.view.moves if str(move).startswith("peek")]):
        played(table, 1)
    looker, everybody = table.seat, (None, *table.seats)
    before = {seat: table.hand.view(seat).board.faces for seat in everybody}
    table.play(looks[0], 0)
    assert [seat for seat in everybody if table.hand.view(seat).board.faces != before[seat]] == [looker]


def test_a_look_is_taken_back_where_nobody_else_plays_and_not_where_cards_are_dealt() -> None:
    table = played(opened(HIDDEN), 3)
    assert table.agree(all_of("takeback", 2), 0) and table.log.now.match.ply == 1
    log = replayed(table.log.table, table.log.entries, CHECKER)
    log.take(agreed(log, HandMotion(3, identity(2).key, "Bob")))
    assert log.now.deck is not None
    assert all_of("takeback", 1).objection(log.now, bytes(32)) == "this table takes no move back"
    with pytest.raises(PeerError, match="a look can't be taken back"):
        begun(HIDDEN)


@pytest.mark.parametrize("moves", [0, 1, 4, 9])
@pytest.mark.parametrize("agreed", [GAMES[3], HIDDEN], ids=["open", "hidden"])
def test_a_game_at_one_keyboard_goes_on_with_another_peer(agreed: Terms, moves: int) -> None:
    """Cards that one peer has dealt are dealt again by both."""
    table = played(opened(agreed), moves)
    log, dice = replayed(table.log.table, table.log.entries, CHECKER), Stream("own", "handed")
    log.take(handed(log, 1))
    while log.now.over is None:
        log.take(honest(log, dice, KEYS))
    assert bool(log.now.deck) is (agreed is HIDDEN)
    assert {entry.author for entry in log.entries if entry.kind == "move"} == {ME.key, identity(2).key}
    log = replayed(table.log.table, table.log.entries, CHECKER)
    for seat in range(agreed.seats):
        log.take(handed(log, seat))
        while log.now.due is not None:
            log.take(honest(log, dice, KEYS))
    assert log.now.speakers() == (0,), "the other way: it is finished at another keyboard"


def handed(log: Log, seat: int) -> Entry:
    return agreed(log, HandMotion(seat, identity(2).key, f"guest {seat}"))


def test_a_draw_is_one_peer_s_word() -> None:
    table = played(opened(GAMES[1]), 2)
    assert table.agree(DrawMotion(), 0) and table.over
    assert table.log.entries[-1].body.signatures == ()
