"""The course of a local table, worked by hand: wishes in, tables, effects and notices out."""

from dataclasses import replace
from pathlib import Path

import pytest

from quadrille.ai.bots.player import StillThinking
from quadrille.ai.faults import BotFault
from quadrille.client.files import load
from quadrille.client.kept.own_tables import begun_table
from quadrille.client.table.game_setup import Cover, GameSetup
from quadrille.client.table.notices import (
    About,
    BotStopped,
    DeclineTold,
    Fact,
    HintGiven,
    MoveMade,
    ProposedHere,
    Refused,
    ShownMotion,
    Why,
)
from quadrille.client.table.players import Players
from quadrille.client.table.wishes import (
    Advise,
    BareWish,
    Hinted,
    Loaded,
    PlayMove,
    Takeback,
    TextWish,
    Verb,
)
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from quadrille.net.game_log.log import replayed
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Left
from tests.client.screen.keyboard import match_of, played
from tests.client.sittings import Answered, Begin, Heard, Moved, Sitting
from tests.net.tables import identity

GOLDEN = Path(__file__).parents[2] / "golden"


def table(*bots: str, key: str = "barons", clock: TimeControl | None = None) -> Sitting:
    """A table at its start, `bots` with "" for a person."""
    return Sitting.of(played(key, seats=len(bots)), bots, clock).begun()


def test_what_is_refused_leaves_the_table_as_it_was() -> None:
    waits = table("", "random").after(PlayMove("a1"))
    for wish, why in {
        PlayMove("b2"): Why.BOTS_TURN,
        Takeback(2): Why.TOO_FEW_TO_TAKE_BACK,
        BareWish.REMATCH: Why.NOT_OVER,
        TextWish(Verb.HINT, "2"): Why.NO_HINT_NOW,
        TextWish(Verb.SAY, "hello"): Why.NOBODY_HEARS,
        BareWish.LIST_TABLES: Why.NOT_HERE,
    }.items():
        refused = waits.after(wish)
        assert (refused, refused.effects, [told.why for told in refused.said]) == (waits, (), [why]), wish
    for wish in (BareWish.WAIT, TextWish(Verb.STAND_IN, "2")):
        assert table("", "random").after(wish).said == (Refused(Why.NO_BOT_TO_MOVE),)
    [refused] = table("", "").after(PlayMove("zz")).said
    assert isinstance(refused, Refused) and isinstance(refused.why, RulesError)


def test_a_draw_is_asked_of_all_bots_in_the_game() -> None:
    offered = table("", "random", "greedy").after(BareWish.DRAW)
    assert offered.said == (ProposedHere(ShownMotion("draw"), (1, 2)),)
    one = offered.after(Answered(1, agrees=True))
    assert one.match.over is None and [*one.seat.ballot.bots] == [2]
    assert one.after(Answered(2, agrees=True)).match.over
    declined = one.after(Answered(2, agrees=False))
    assert declined.said == (DeclineTold(ShownMotion("draw"), 2),)
    assert not declined.seat.ballot.bots and declined.match.over is None
    assert declined.after(Answered(2, agrees=True)) == declined
    match = played("barons", seats=3)
    match.leave(2, "time")
    assert Sitting.of(match, ["", "", "random"]).after(Begin(), BareWish.DRAW).match.over


def test_a_person_resigns_on_a_bots_turn_too() -> None:
    waits = table("", "random", "random").after(PlayMove("a1"))
    out = waits.after(BareWish.RESIGN)
    assert out.match.entries[-1] == Left(0, "resigned") and out.said[0] == Left(0, "resigned") and out.thinks
    assert out.after(BareWish.RESIGN).said == (Refused(Why.NO_SEAT),)


def test_a_pause_stops_bots_and_no_move_is_made_then() -> None:
    assert table("", "").after(BareWish.PAUSE).said == (Refused(Why.NO_CLOCK),)
    waits = table("", "random").after(PlayMove("a1"))
    paused = waits.after(BareWish.PAUSE)
    assert paused.after(Moved("b2")) == paused and not paused.thinks
    assert paused.after(BareWish.DRAW).said == (Refused(Why.PAUSED),), "a bot that rests answers nothing"
    assert paused.after(BareWish.PAUSE).thinks


# Time


def test_a_seat_pays_for_its_turns() -> None:
    timed = table("", "", clock=TimeControl(60_000, 5000)).after(1000)
    late = timed.after(60_000)
    assert timed.after(59_999).match.over is None and late.match.entries[-1] == Left(0, "time")
    moved = timed.after(20_000, PlayMove("a1"), 20_000)
    assert moved.clocks and moved.clocks.left == (45_000, 60_000) and moved.clocks.seat == 1


def test_the_time_of_a_bot_runs_when_it_has_heard_of_its_turn_and_until_it_fails() -> None:
    timed = table("", "random", clock=TimeControl(60_000, 0)).after(0, PlayMove("a1"), 0, 9000)
    assert timed.clocks and timed.clocks.seat is None and timed.clocks.left[1] == 60_000
    heard = timed.after(Heard(), 9000)
    assert heard.clocks and heard.clocks.seat == 1
    failed = heard.after(10_000, BotFault("crash", "ended"), 900_000)
    assert failed.clocks and failed.clocks.left[1] == 59_000 and not failed.match.over
    assert heard.after(BotFault("time", "ran out of time")).match.entries[-1] == Left(1, "time")


# Bots


def test_a_bot_that_stops_is_asked_again_or_replaced() -> None:
    waits = table("", "random").after(PlayMove("a1"))
    stopped = waits.after(BotFault("crash", "ended"))
    assert stopped.said == (BotStopped(1, "ended", "random"),) and not stopped.thinks
    assert stopped.after(BareWish.WAIT).thinks
    stood = stopped.after(TextWish(Verb.STAND_IN, "greedy"))
    assert stood.bots == ("", "greedy") and stood.thinks


def test_a_slow_bot_still_thinks() -> None:
    waits = table("", "random").after(PlayMove("a1"))
    slow = waits.after(StillThinking(15_000))
    assert slow.said == (About(Fact.BOT_SLOW, text="15", seat=1),) == (slow.trouble,)
    assert slow.after(BareWish.WAIT).trouble is None
    assert slow.after(Moved("b2")).moves == ["a1", "b2"]


def test_a_hint_is_for_the_person_whose_turn_it_is() -> None:
    asked = table("", "random").after(TextWish(Verb.HINT, "greedy"))
    assert asked.effects == (Advise(asked.ticket, 0, "greedy", asked.match),)
    for hint in (HintGiven("greedy", "c3"), About(Fact.HINT_MISSED, "greedy", "ended")):
        assert asked.after(Hinted(asked.ticket, hint)).said == (hint,)
        assert asked.after(PlayMove("a1")).after(Hinted(asked.ticket, hint)).said == ()


# Hidden hands


def test_where_nobody_has_looked_at_a_card_nothing_is_covered_and_a_covered_hand_costs_no_time() -> None:
    dealt = table("", "", key="dotter", clock=TimeControl(60_000, 0))
    assert dealt.cover is None and dealt.viewer == 0
    drawn = dealt.after(0, PlayMove("draw"), 0)
    assert drawn.cover is None and drawn.viewer == 1
    assert drawn.after(PlayMove("draw")).cover is None
    assert (clocks := drawn.after(50_000).clocks) and clocks.left == (60_000, 60_000)


def test_a_hand_of_a_game_that_goes_on_is_covered_first_and_in_the_end_all_is_shown() -> None:
    moved = table("", "", key="dotter").after(
        PlayMove("draw"), PlayMove("peek p1 1a 1b"), BareWish.UNCOVER, BareWish.UNCOVER
    )
    assert Sitting.of(moved.match, ["", ""]).after(Begin()).cover == Cover(0)
    over = moved.after(BareWish.RESIGN)
    assert over.match.over and over.viewer == "whole" and over.cover is None
    assert over.after(Takeback()).cover is not None


def test_a_table_shows_a_look_until_the_next_move_where_memory_is_not_open() -> None:
    for open_memory in (True, False):
        match, known = played("dotter", options={"open_memory": open_memory}), []
        for move in ("draw", "draw", "peek p1 1a 1b", "draw"):
            match.play(move)
            shown = Sitting.of(match.copy(), ("", "random")).view
            known.append(sum(face >= 0 for face in shown.board.faces))
        assert known == [0, 0, 2, 2 if open_memory else 0]


# Files, and the end


@pytest.mark.parametrize(
    ("bots", "seats", "row"),
    [
        (("", "2"), 2, ("", "2")), (("", "2"), 3, ("", "2", "2")), (("", "2", "3"), 2, ("", "")),
        (("", ""), 3, ("", "", "")), (("", "2", "2"), 2, ("", "2")),
        (("2", "", "2"), 4, ("2", "", "2", "2")), (("2", "2", ""), 2, ("2", "")),
    ],
)  # fmt: skip
def test_a_game_that_is_loaded_is_played_by_those_who_are_here(
    bots: tuple[str, ...], seats: int, row: tuple[str, ...]
) -> None:
    loaded = table(*bots).after(Loaded("x", match_of("barons", seats, 3), Players()))
    assert loaded.bots == row and loaded.file == "x" and not loaded.would_be_lost


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_the_game_of_a_record_goes_on_in_a_log(path: Path) -> None:
    """A seat that others dropped resigns there, since nobody else could say so."""
    try:
        match, players = load(str(path))
    except RulesError:
        return  # what one who looked on saw
    clocks = Clocks(TimeControl(60_000, 5000), tuple(range(20_000, 20_000 + match.state.seats)))
    log = begun_table(identity(1), replace(GameSetup.loaded(match, players), clocks=clocks), 0).log
    assert log.now.match.state == match.state and log.now.match.deal == match.deal
    said = [
        replace(entry, how="resigned") if isinstance(entry, Left) and entry.how == "dropped" else entry
        for entry in match.entries
    ]
    assert list(log.now.match.entries) == said and log.now.remaining == clocks.left
    assert replayed(log.table, log.entries).now.match.state == match.state


def test_a_forced_pass_is_made_by_itself_also_for_a_bot() -> None:
    match = match_of("coin-isolation", 2, 17, seed="d")
    for bots in (("", ""), ("random", "random")):
        begun = Sitting.of(match, bots).after(Begin())
        assert begun.moves[-1] == "pass"
        assert [notice for notice in begun.said if isinstance(notice, MoveMade) and notice.forced]
