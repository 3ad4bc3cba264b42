"""Whatever is wished and answered at a table: it stays one table, and its game can be written down and read again."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from quadrille.ai.bots.player import StillThinking
from quadrille.ai.faults import BotFault
from quadrille.client.table import notices, wishes
from quadrille.client.table.game_setup import forced
from quadrille.client.table.players import Players
from quadrille.client.words.table import by_name, by_seat
from quadrille.net.entries.terms import TimeControl
from quadrille.net.game_log.log import replayed
from quadrille.rules.match import Deal, Match
from quadrille.rules.record import read, write
from quadrille.rules.registry import game
from tests.client.screen.positions import match_of
from tests.client.sittings import Answered, Heard, Moved, Sitting, Step

TABLES = [("barons", 3, {"width": 3, "height": 3}), ("dotter", 3, {"laps": 1}), ("coin-isolation", 2, None)]
#: Bots of a row are of one length with it; a person's place is "".
ROWS = [("", "", ""), ("", "2", "3"), ("2", "", ""), ("2", "3", "2")]

wished = st.one_of(
    st.sampled_from([
        wishes.Begin(), wishes.ResignSeat(), wishes.Rematch(), wishes.Uncover(), wishes.LeaveTable(),
        wishes.StayAfterAll(), wishes.Hint("2"), wishes.StandIn("greedy"), wishes.Against(()), wishes.Against(("2",)),
        wishes.Save("x"), wishes.Load("x"), wishes.Say("hello"),
        wishes.Loaded("x", match_of("barons", 2, 3), Players()),
        wishes.Loaded("y", match_of("dotter", 3, 9), Players()), wishes.Kept("x", "/x", ()), wishes.PlayMove("zz"),
        "first", "last",
    ]),
    st.builds(wishes.ProposeMotion, st.sampled_from(["draw", "pause", "wait", "abort"])),
    st.builds(wishes.Takeback, st.integers(1, 3)),
    st.builds(wishes.PlayOn, st.integers(0, 3)),
    st.integers(0, 200_000),
    st.sampled_from(["heard", "moved", "faulted", "late", "slow", "hinted", "agrees", "declines"]),
)  # fmt: skip


def as_wish(table: Sitting, what: object) -> Step:
    """A wish, or one that fits the position: a move, or what a bot answers."""
    ticket, legal = table.ticket, [] if table.match.over else list(map(str, table.match.state.moves))[:50]
    seat = table.offered[0] if table.offered else 0
    match what:
        case "first" | "last":
            return wishes.PlayMove((legal or ["a1"])[0 if what == "first" else -1])
        case "heard":
            return Heard()
        case "moved":
            return Moved((legal or ["a1"])[-1])
        case "faulted" | "late":
            return BotFault("time" if what == "late" else "crash", "ended")
        case "slow":
            return StillThinking(15_000)
        case "hinted":
            return wishes.Hinted(ticket, notices.HintGiven("2", "a1"))
        case "agrees" | "declines":
            return Answered(seat, agrees=what == "agrees")
    return what


def is_sound(table: Sitting) -> None:
    state, turn, held = table.match.state, table.turn, table.seat.held
    assert len(held.bots) == state.seats == len(table.seat.table.log.now.chairs)
    assert not table.thinks or (table.is_bots_turn and not held.paused)
    if table.is_bots_turn and not held.paused:
        assert table.thinks or isinstance(held.trouble, notices.BotStopped)
    assert held.cover is None or (table.is_secret and held.cover.seat == turn)
    if table.is_secret and turn in table.people and held.cover is None:
        assert table.viewer == turn
    assert held.paused or not forced(state)
    assert all(held.bots[seat] for seat in held.offered)
    assert not table.match.over or not (table.thinks or held.offered or held.hint)
    assert read(write(table.match)).state == state


@settings(deadline=None)
@given(
    table=st.sampled_from(TABLES), row=st.sampled_from(ROWS), clock=st.booleans(), wanted=st.lists(wished, max_size=25)
)
def test_no_wish_makes_a_table_unsound(
    table: tuple[str, int, dict[str, object] | None], row: tuple[str, ...], clock: bool, wanted: list[object]
) -> None:
    key, seats, options = table
    match = Match(game(key), options, seats, deal=Deal("s"))
    now = Sitting.of(match, row[:seats], TimeControl(60_000, 5000) if clock else None).begun()
    for what in wanted:
        wish, before, had = as_wish(now, what), now.values, now.match
        now = now.after(wish)
        is_sound(now)
        for notice in now.said:
            assert "\n\n" not in by_seat(notice, now.seats) + by_name(notice, now.seats)
        if any(isinstance(notice, notices.Refused) for notice in now.said):
            entries, deal, held = before
            assert now.values == (entries, deal, replace(held, warned=False)) and not now.effects and now.match is had
    log = now.seat.table.log
    assert replayed(log.table, log.entries).now.match.state == now.match.state, "others can verify it"
