"""Whatever is wished and answered at a table: it stays one table, and its game can be written down and read again."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from quadrille.client.table import notices, wishes
from quadrille.client.table.course import grant
from quadrille.client.table.effects import Think
from quadrille.client.table.local import LocalTable, forced
from quadrille.client.table.players import Players
from quadrille.client.words.table import by_name, by_seat
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Deal, Match
from quadrille.rules.record import read, write
from quadrille.rules.registry import game
from tests.client.screen.positions import match_of

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
    st.builds(wishes.TimeIs, st.integers(0, 200_000)),
    st.sampled_from(["heard", "moved", "illegal", "faulted", "late", "slow", "hinted", "agrees", "declines"]),
)  # fmt: skip


def as_wish(table: LocalTable, what: object) -> wishes.Wish:
    """A wish, or one that fits the position: a move, or what a bot answers."""
    ticket, legal = table.ticket, [] if table.match.over else list(map(str, table.match.state.moves))[:50]
    seat = table.offered[0] if table.offered else 0
    match what:
        case "first" | "last":
            return wishes.PlayMove((legal or ["a1"])[0 if what == "first" else -1])
        case "heard":
            return wishes.Heard(ticket)
        case "moved":
            return wishes.Moved(ticket, (legal or ["a1"])[-1])
        case "illegal":
            return wishes.Moved(ticket, "zz")
        case "faulted" | "late":
            return wishes.Faulted(ticket, "ended", what == "late", "bot")
        case "slow":
            return wishes.Slow(ticket, 15)
        case "hinted":
            return wishes.Hinted(ticket, "a1")
        case "agrees" | "declines":
            return wishes.Answered(ticket, seat, agrees=what == "agrees")
    return what


def is_sound(table: LocalTable) -> None:
    state, turn = table.match.state, table.turn
    assert len(table.bots) == state.seats
    assert not table.thinks or (table.is_bots_turn and not table.paused)
    assert not table.heard or table.thinks
    begun = table.ticket > 0
    if begun and table.is_bots_turn and not table.paused:
        assert table.thinks or isinstance(table.trouble, notices.BotStopped)
    assert table.cover is None or (table.is_secret and table.cover.seat == turn)
    if begun and table.is_secret and turn in table.people and table.cover is None:
        assert table.viewer == turn
    assert not begun or table.paused or not forced(state)
    assert all(table.bots[seat] for seat in table.offered)
    assert not table.match.over or not (table.thinks or table.offered or table.hint)
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
    now = LocalTable.of(match, row[:seats], TimeControl(60_000, 5000) if clock else None)
    for what in [wishes.Begin(), *wanted]:
        before, entries = now, now.match.entries
        now, effects, said = grant(before, as_wish(before, what))
        assert before.match.entries == entries, "a table is a value"
        is_sound(now)
        for notice in said:
            assert "\n\n" not in by_seat(notice, now.seats) + by_name(notice, now.seats)
        if any(isinstance(notice, notices.Refused) for notice in said):
            assert now == replace(before, warned=False) and not effects
        assert len([effect for effect in effects if isinstance(effect, Think)]) <= 1
        thought = [effect for effect in effects if isinstance(effect, Think)]
        assert all(effect.ticket == now.ticket and effect.seat == now.turn for effect in thought)
