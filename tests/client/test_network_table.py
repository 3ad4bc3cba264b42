"""What people at a table on the network are told and may type, in a simulated network."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.client.kept.games import plays
from quadrille.client.network.options import NetworkOptions
from quadrille.client.presence.place import StationPresence, stage_of
from quadrille.client.screen.table.shown import seated
from quadrille.client.table import notices
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.notices import Fact, Refused, Seats, Why
from quadrille.client.table.stage import NOBODY_YET, Absence, kept_names
from quadrille.client.table.wishes import Host, TextWish, Verb
from quadrille.client.words.table import by_name, by_seat
from quadrille.net.core.machine import drain
from quadrille.net.core.machine import now as clock
from quadrille.net.entries.terms import GUEST, TimeControl
from quadrille.net.program.station import PrivateRoom
from quadrille.net.seating.gathering import OPEN
from quadrille.net.seating.lobby import Invited
from quadrille.net.tables.table import Table
from tests.client.conftest import Run
from tests.client.evening import Evening, PhoneParty, ScreenParty, barons
from tests.net.ports import udp_port
from tests.net.tables import terms

LARGER = {"width": 4, "height": 4}


def test_the_screen_shows_the_same_clocks_as_lines_after_the_program_was_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seat = Evening(barons(clock=TimeControl(600_000, 0))).begin().table("p0").stage
    monkeypatch.setattr(clock, "apart", 3_600_000)
    now, shown = seat.context.now() + 5000, seated(seat, (), here=2)
    for each in (0, 1):
        assert shown.time_left(each, now + clock.apart) == seat.table.time_left(each, now)


def test_who_was_dropped_while_away_reads_so_at_each_return_and_has_nothing_to_resume() -> None:
    made = with_a_seat_gone()
    made.type("p1", "drop")
    made.type("p2", "drop")
    made.start("p0")
    made.returns("p0")
    assert "You are out of this game, and the others play on: quit leaves." in made.told("p0")
    logs = [made.table(name).table.log for name in ("p0", "p1")]
    assert [plays(log, peer.identity.key) for log, peer in zip(logs, made.peers, strict=False)] == [False, True]


@pytest.mark.parametrize(("who", "says"), [("p1", "quit keeps it for later."), ("p2", "quit leaves.")])
def test_a_table_is_kept_for_those_who_sit_there(who: str, says: str) -> None:
    made = Evening(barons(grace=2000), others=1).begin()
    made.choose("p2")
    made.settle(4000)
    made.crash("p0")
    made.settle(8000)
    seat = made.table(who).stage
    concern = seat.concern()
    assert concern is not None and by_name(concern, seat.seats).endswith(says)


def test_who_joins_a_full_table_looks_on_and_gets_the_seat_of_who_declines_the_rematch() -> None:
    """`join p0` said that there was no table "p0", with that table on the same screen."""
    made = Evening(terms("barons", 2, {"width": 2, "height": 2}, lot=False), others=2, kind="person").begin()
    for name in ("p2", "p3"):
        made.choose(name, "p0", sits=True)
        made.settle(2000)
    assert "You are watching, number 1 in line for a seat here. You get it when one comes free" in made.told("p2")
    assert "You are watching, number 2 in line for a seat" in made.told("p3")
    for player in ("p0", "p1"):
        told = made.told(player)
        assert told.index("p2 (") < told.index("waits for a seat here.") < told.index("p3 ("), player
    assert "You have a seat here" in made.type("p0", "join") and "p2 (watching): hello" in (
        made.type("p2", "say hello") + made.told("p0")
    )
    for name, move in (("p0", "a1"), ("p1", "a2"), ("p0", "b1"), ("p1", "b2")):
        made.type(name, move)
    made.settle(500)
    assert "the table tells you when" in made.type("p2", "rematch")
    made.type("p1", "rematch")
    for name in ("p3", "p2"):  # who is quick does not overtake
        made.settle(500)
        assert "player 2 (p1) wants a rematch. Type yes or no." in made.told(name)
        assert "number 1 in line" in made.type(name, "yes")
    made.type("p0", "no")
    made.settle(2000)
    assert made.table("p1").table.log.now.keys == tuple(made.peer(name).key for name in ("p1", "p2"))
    assert made.table("p3").table.seat is None, "the other looks on, and still waits"


def test_people_at_one_keyboard_play_again_at_a_table_that_they_hold_alone() -> None:
    """They read "No other game can be begun here"."""
    made = Evening(barons(), guests=0, beside=(("Ben", "person"),), kind="person").begin()
    before = made.table("p0").table.log.now
    told = made.type("p0", "resign", "rematch")
    after = made.table("p0").table.log.now
    assert "can be begun here" not in told and not after.match.over and after.keys == before.keys
    assert [chair.name for chair in after.chairs] == [chair.name for chair in before.chairs][::-1]
    made.type("p0", "a1")
    assert made.table("p0").table.log.now.match.ply == 1


@pytest.mark.parametrize("shape", [ScreenParty, PhoneParty])
def test_who_goes_to_a_rematch_as_it_is_offered_is_not_asked_about_it_in_the_waiting_room(
    shape: type[ScreenParty],
) -> None:
    """The room repeated "p0 wants a rematch. Type yes or no.", also on a page, where nobody types."""
    made = shape(barons())
    made.passes(3000)
    made.types("p1", "resign")
    made.enter("p0", "rematch")
    [offered] = made.peer("p0").lobby.gatherings.values()
    made.people["p1"].session._hear(Invited(made.peer("p0").key, offered.table, offered.terms))
    made.enter("p1", "rematch")
    read = made.read("p1")
    assert any(line.startswith("room: ") for line in read) and "wants" not in " ".join(read)


def test_a_rematch_that_both_want_at_once() -> None:
    """Who gave way to the other's left the second person at the same keyboard behind."""
    agreed = terms("barons", 3, {"width": 2, "height": 2}, lot=False)
    made = Evening(agreed, guests=1, beside=(("Cid", "person"),)).begin()
    for name, move in (("p0", "a1"), ("p0", "a2"), ("p1", "b1")):
        made.type(name, move)
    assert "The game is over" in made.told("p0")
    for name in ("p0", "p1"):
        made.talks[name].typed("rematch")
        made._onward(made.peer(name))
        made.world.after(made.peer(name))
    made.settle(3000)
    chairs, others = (made.table(name).table.log.now.chairs for name in ("p0", "p1"))
    assert chairs == others and [chair.name for chair in chairs] == ["Cid", "p1", "p0"]


def test_a_forced_pass_is_made_by_itself_and_told_once_to_all() -> None:
    """Whose pass it was heard of it twice, and the others did not hear that it was the only move."""
    made = Evening(terms("coin-isolation", 2, {"layout": "pn/np"}, lot=False, takebacks=False)).begin()
    said = {"p0": "", "p1": ""}
    while not (now := made.table("p0").table.log.now).match.over:
        mover = f"p{now.turn}"
        said[mover] += made.type(mover, str(next(iter(now.match.state.moves))))
        made.settle(500)
        for name in said:
            said[name] += made.told(name)
    for name, told in said.items():
        assert "player 1 (p0): pass, there is no other move\n" in told, name
        assert "player 1 (p0): pass\n" not in told and told.count("player 1 (p0): pass, ") == 1, name


def test_a_move_is_told_before_the_turn_to_which_it_leads() -> None:
    """A guest's bot and a forced pass move after the events of a turn were taken: they are heard a turn later."""
    made = Evening(barons()).begin()
    made.type("p0", "a1")
    made.told("p0")
    face, (host, other) = made.table("p0"), made.peers
    made.table("p1").table.play("b2", made.world.now)
    for _, sent in made.table("p1").table.outgoing:
        host.lobby.receive(other.identity.key, sent, made.world.now)
    host.lobby.flush(made.world.now)
    face.tick()
    assert made.told("p0") == ""
    for event in drain(host.lobby.events):
        face.hear(event)
    face.tick()
    assert made.told("p0") == "player 2 (p1): b2\nYour turn.\n"


def test_lines_from_a_pipe_wait_for_their_turn_and_a_game_is_saved_as_a_page(tmp_path: Path) -> None:
    made = Evening(barons()).begin()
    assert "Saved to" in made.type("p0", f"save {tmp_path / 'game.html'}")
    (tmp_path / "link").symlink_to(tmp_path)
    for same in (tmp_path / "link" / "game.html", f"{tmp_path}/./game.html"):
        assert "Saved to" in made.type("p0", f"save {same}"), "it is written anew however its path is spelled"
    assert "save! " in made.type("p1", f"save {tmp_path / 'game.html'}"), "another seat's file is not"
    assert "player 1 (p0)" in (tmp_path / "game.html").read_text("utf-8")
    first, second = made.table("p0"), made.table("p1")
    assert not first.holds("a1") and second.holds("a1") and second.holds("nonsense")
    assert not second.holds("say hello") and not second.holds("draw")
    assert first.stage.is_idle and not second.stage.is_idle


def test_a_saved_log_is_played_on_at_one_keyboard_and_stays_as_it_is(run: Run) -> None:
    """Its seed is of 128 digits, which nobody reads or types."""
    made = Evening(barons()).begin()
    made.type("p0", "a1", "save game.txt")
    log = Path("game.txt").read_text("utf-8")
    out = run("play --load game.txt", "b2", "resign", "y", "rematch").out
    assert "player 2 (p1)> b2" in out and not re.search("[0-9a-f]{17}", out)
    out = run("play barons --seats 2", "load game.txt", "b2", "save").out
    assert "There is a file game.txt already: save! game.txt writes over it." in out
    assert Path("game.txt").read_text("utf-8") == log


def test_who_saves_a_game_of_cards_before_all_books_are_open_reads_that(tmp_path: Path) -> None:
    made = Evening(terms("dotter", 2, {"laps": 1}, lot=False, takebacks=False)).begin()
    made.settle(4000)
    made.type("p0", "draw")
    assert "books" not in made.type("p1", f"save {tmp_path / 'running.log'}")
    assert "Not all seats have opened their books yet" in made.type("p1", "resign", f"save {tmp_path / 'early.log'}")
    made.type("p0", "book")
    made.type("p1", "book")
    assert "books" not in made.type("p1", f"save {tmp_path / 'late.log'}")
    early, late = ((tmp_path / f"{name}.log").read_text("utf-8") for name in ("early", "late"))
    assert late.startswith(early.rstrip("\n")) and late != early


def test_who_does_not_say_nobody_where_somebody_was_refused() -> None:
    made = Evening(barons(3), guests=0)
    room = made.talks["p0"].stage
    room.context = replace(room.context, absent=lambda: [Absence("64", "64 programs have been met here.")])
    made.peers[0].lobby.peers.clear()
    told = made.type("p0", "who")
    assert "64 programs have been met here." in told and "Also on the network: nobody" not in told


def with_a_seat_gone() -> Evening:
    """Three at a table; the first, whose turn it is, is gone for longer than agreed. A fourth is on the network."""
    made = Evening(barons(3, grace=2000), others=1).begin()
    made.crash("p0")
    made.settle(8000)
    return made


def test_back_is_proposed_until_it_is_done() -> None:
    made = with_a_seat_gone()
    made.type("p1", "stand-in random")
    made.type("p2", "yes")
    made.start("p0")
    made.returns("p0")
    made.talks["p0"].typed("back")
    made.type("p1", "c3")  # at the same moment: what was proposed is void
    assert made.table("p0").table.seat == 0


@pytest.mark.parametrize("meanwhile", [0, 1500])
def test_who_comes_back_to_a_proposal_reads_who_is_for_it_and_not_who_proposed_it(meanwhile: int) -> None:
    """It was p0 that had proposed the draw: the first signature that a program hears again may be anybody's."""
    made = Evening(barons(3)).begin()
    made.type("p0", "draw")
    made.type("p1", "yes")
    made.told("p0")
    made.crash("p0")
    made.world.start(made.peer("p0"))
    made.settle(meanwhile)
    made.returns("p0")
    made.settle()
    assert "player 2 (p1) agrees to a draw. Type yes or no.\n" in made.told("p0")
    concern = made.table("p0").stage.concern()
    assert concern is not None and by_name(concern, Seats.of(("", "p1", ""))) == "p1 agrees to a draw. Type yes or no."
    made.type("p0", "no")
    made.type("p1", "pause")
    assert "player 2 (p1) proposes a pause: no clock runs until the next move. Type yes or no.\n" in made.told("p0")


def test_at_a_table_that_has_closed_meanwhile_nobody_is_heard() -> None:
    """World slow/8/43 of the fuzzed machines: the person still saw the room, and the lobby had let it go."""
    made = Evening(barons(3), guests=1)
    room = made.talks["p1"].stage
    made.peers[1].lobby.gatherings.clear()
    room.wish(TextWish(Verb.SAY, "hello"))
    assert room.drain() == [Refused(Why.NOBODY_HEARS)]


def test_a_seat_that_is_here_and_keeps_its_cards_back_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """All conversations go on, those that draw a screen too, and the others may decide about that seat."""
    made = Evening(terms("dotter", 3, {"laps": 1}, lot=False, takebacks=False, grace=2000))
    silent, serve = made.peers[0].identity.key, Table._serve

    def withheld(table: Table, now: int) -> None:
        if table.identity.key != silent:
            serve(table, now)

    monkeypatch.setattr(Table, "_serve", withheld)
    made.begin()
    made.settle(8000)
    for name in ("p1", "p2"):
        talk = made.table(name)
        assert talk.table.log.now.turn == 0
        assert 0 not in talk.table.gone
        assert made.told(name).count("(p0) is here, but has kept the table waiting for longer than agreed.") == 1
        shown = seated(talk.stage, (), here=2)
        assert shown.votes
        assert shown.banner.startswith("p0 is here, but keeps the table waiting. Choose: ")
    assert "to drop player 1 (p0), who keeps the table waiting" in made.type("p1", "drop")
    assert "p1 proposes to drop p0, who keeps the table waiting" in seated(made.table("p2").stage, (), here=2).banner
    assert "player 1 (p0) has been dropped" in made.type("p2", "drop")


def test_a_host_begins_with_those_who_are_here_and_puts_bots_on_free_seats() -> None:
    """A bot takes a free seat, then one that is kept for a guest who has not come; a seat still free is dropped."""
    made = Evening(terms("barons", 4, LARGER), others=1, guests=1)
    room, bot = made.talks["p0"].stage, made.peers[-1]
    for name in kept_names(2):
        room.gathering.add(name, GUEST, comes=True)
    assert room.taken == 2 and room.gathering.expected == {NOBODY_YET, f"{NOBODY_YET} 2"}
    assert "Write bot and the name of one" in made.type("p0", "bot")
    assert made.type("p0", "bot 2,2,2") == "2 seats are free: kick NAME frees another.\n"
    alone = Evening(terms("barons", 4, LARGER), guests=0)
    assert alone.type("p0", "start") == "1 of 4 seats is taken: the game can't begin with so few.\n"
    made.type("p0", "bot 2")
    assert room.gathering.expected == {NOBODY_YET} and room.gathering.coming == {bot.key}
    assert "on their way: 2-1." in made.type("p0", "start")
    assert room.total == 3 and not room.gathering.expected
    assert room.gathering.phase == OPEN and room.gathering.coming == {bot.key}
    made.joins(bot.name, room.gathering)
    made.begin()
    assert {log.now.terms.seats for log in made.world.logs()} == {3}


@pytest.mark.parametrize("lines", [("start",), ("bot 2",)])
def test_a_rematch_begins_without_a_player_who_does_not_come_or_with_a_bot_in_that_seat(lines: tuple[str, ...]) -> None:
    made = Evening(terms("barons", 3, LARGER, lot=False), others=1).begin()
    for name in ("p1", "p2"):
        made.type(name, "resign")
    made.type("p0", "rematch")
    made.type("p1", "rematch")
    room, bot = made.talks["p0"].stage, made.peers[-1]
    assert isinstance(room, WaitingRoom) and len(room.chairs) == 2
    made.type("p0", *lines)
    if room.gathering.coming:
        made.joins(bot.name, room.gathering)
    made.settle(5000)
    again = made.table("p0").table.log.now
    third = [] if lines == ("start",) else [bot.key]
    assert [*again.keys] == [made.peers[1].key, made.peers[0].key, *third]


# What a person reads at a table: the way back into a private room, and cards that were dealt anew


@pytest.mark.parametrize(
    ("name", "words"), [("", ""), ("attic", " --room attic"), ("Ann's loft", """ --room 'Ann'"'"'s loft'""")]
)
@pytest.mark.parametrize("usual", [True, False])
def test_the_way_to_a_table_names_its_room_and_an_unusual_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, words: str, usual: bool
) -> None:
    room = PrivateRoom(name, "nine words are enough for one small room here") if name else None
    options = NetworkOptions("Ann", str(tmp_path), ("127.0.0.1",), (), udp_port(), 0, room)
    if usual:
        monkeypatch.setattr("quadrille.client.presence.place.OPEN_PORT", options.port)
    with StationPresence(options) as place:
        stage, _ = stage_of(place, Host(terms("barons", 2)), {})
        assert stage.seats.room == words
        assert stage.way.split("\n")[2] == f"  quadrille join{'' if usual else f' --port {options.port}'}{words}"


def test_cards_that_were_dealt_anew_are_said_before_and_after() -> None:
    anew = notices.About(Fact.SHARE_TAKEN, seat=1)
    seats = Seats(("Ann", "level 2 for Ben"), ("Ann", "Ben"))
    why = "Ben left with a share of the shuffle, so the hidden cards are dealt anew."
    seen = notices.CardsSeen(("JK1", "10H"), anew, ("QD", "AH"))
    assert by_name(seen, seats) == f"{why} You had seen Q♦ and A♥ there; now they are ★ and 10♥."
    assert by_seat(seen, seats).endswith("You had seen QD and AH there; now they are JK1 and 10H.")
    one = notices.CardsSeen(("2S", "3S"), anew, ("", "4C"))
    assert by_name(one, seats) == f"{why} You see 2♠. You had seen 4♣ there; now it is 3♠."
    assert by_name(notices.CardsSeen(("2S",)), seats) == "You see 2♠."


def test_another_search_does_not_tell_again_why_the_last_one_failed() -> None:
    made = Evening(terms("barons", 2), guests=0)
    known: list[Absence] = []
    context = replace(made.context(made.peers[1]), absent=known.copy)
    late = "Nobody listens at x."
    known.append(Absence("1.2.3.4:555", "1.2.3.4:555 accepts connections, but is not Quadrille."))
    first = TableSearch(context, "ann", sits=True)
    first.tick()
    assert len(first.drain()) == 1
    search = TableSearch(context, "bob", sits=True)
    search.tick()
    assert search.drain() == []
    known.append(Absence("x", late))
    search.tick()
    assert search.drain() == [notices.About(Fact.PEER_MISSING, text=late)]
    by_address = TableSearch(context, sits=True, address="1.2.3.4:555", is_there=lambda _: False)
    by_address.tick()
    assert len(by_address.drain()) == 2
