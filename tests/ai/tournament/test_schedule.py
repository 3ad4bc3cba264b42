"""The machine that gives blocks: in one order whatever happens, each fixture made again from its number."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.schedules.blocks import block_size, seatings
from quadrille.ai.tournament.schedules.meetings import Gauntlet, RoundRobin
from quadrille.ai.tournament.schedules.schedule import Contest, Format, Schedule, fixture_id
from quadrille.ai.tournament.schedules.swiss import Swiss
from tests.ai.tournament.simulated import bradley_terry, lower_wins, run, schedule_of

FORMATS: list[tuple[Format, int, int]] = [
    (RoundRobin(2), 5, 2),
    (RoundRobin(2), 7, 3),
    (Gauntlet(2, 2), 7, 3),
    (Swiss(4), 7, 2),
    (Swiss(4, starts=2), 9, 4),
]
STRENGTHS = [1.2, 0.9, 0.6, 0.3, 0.0, -0.3, -0.6, -0.9, -1.2, -1.5, -1.8]


@pytest.mark.first(1)
@pytest.mark.parametrize(("format", "entrants", "seats"), FORMATS)
def test_results_may_arrive_in_any_order(format: Format, entrants: int, seats: int) -> None:
    play = bradley_terry(STRENGTHS)
    calm, results = run(schedule_of(format, entrants, seats, contests=2), play)
    wild, again = run(schedule_of(format, entrants, seats, contests=2), play, shuffled=True, at_once=64)
    assert calm == wild
    assert sorted(results, key=lambda result: result.game) == sorted(again, key=lambda result: result.game)


@pytest.mark.first(1)
@pytest.mark.parametrize(("format", "entrants", "seats"), FORMATS)
def test_a_schedule_that_was_killed_goes_on(format: Format, entrants: int, seats: int) -> None:
    play = bradley_terry(STRENGTHS)
    whole, results = run(schedule_of(format, entrants, seats), play)
    known = {result.game: result for result in results[: len(results) * 2 // 3]}
    resumed = schedule_of(format, entrants, seats)
    for result in reversed(known.values()):
        resumed.tell(result)
        resumed.tell(result)  # nothing counts twice
    blocks, _ = run(resumed, lambda fixture: known[fixture.id].places if fixture.id in known else play(fixture))
    assert blocks == whole


@pytest.mark.first(1)
@pytest.mark.parametrize(("format", "entrants", "seats"), FORMATS)
def test_any_fixture_is_made_again_from_its_number(format: Format, entrants: int, seats: int) -> None:
    schedule = schedule_of(format, entrants, seats)
    blocks, results = run(schedule, bradley_terry(STRENGTHS))
    fixtures = [fixture for block in blocks for fixture in block.fixtures]
    assert [fixture.number for fixture in fixtures] == list(range(len(fixtures)))
    assert [block.number for block in blocks] == list(range(len(blocks)))
    assert len({fixture.id for fixture in fixtures}) == len(fixtures)
    assert schedule.games in (None, len(fixtures))
    again = schedule_of(format, entrants, seats)
    for result in results:
        again.tell(result)
    assert [again.fixture(number) for number in reversed(range(len(fixtures)))] == fixtures[::-1]
    assert again.next() == blocks[0]  # looking ahead has given nothing away
    with pytest.raises(TournamentError, match=f"blocks are 0 to {len(blocks) - 1}$"):
        again.block(len(blocks))
    for number in (-1, len(fixtures), 9999):
        with pytest.raises(TournamentError, match=f"no game {number}: games are 0 to {len(fixtures) - 1}$"):
            again.fixture(number)


def test_what_depends_on_results_waits_for_them() -> None:
    schedule = schedule_of(Swiss(2), 4)
    first = [schedule.next(), schedule.next()]
    assert schedule.next() is None
    assert not schedule.over
    with pytest.raises(TournamentError, match="there is no block 2: it depends on results that are not there yet"):
        schedule.block(2)
    with pytest.raises(TournamentError, match="no game 7: it depends on results that are not there yet"):
        schedule.fixture(7)
    with pytest.raises(TournamentError, match=r"no game 8: games are 0 to 7$"):
        schedule.fixture(8)
    fixtures = [fixture for block in first if block for fixture in block.fixtures]
    for fixture in fixtures[:-1]:
        schedule.tell(Result(fixture.id, fixture.block, fixture.seats, (1, 2)))
    assert schedule.next() is None
    schedule.tell(Result(fixtures[-1].id, fixtures[-1].block, fixtures[-1].seats, (1, 2)))
    assert schedule.next() is not None


def test_a_block_with_a_void_game_gives_nobody_points() -> None:
    """Neither for the other games of the block: whoever loses one would else end the other."""
    schedule = schedule_of(Swiss(1), 4)
    blocks = [schedule.next(), schedule.next()]
    for block in filter(None, blocks):
        first, second = block.fixtures
        schedule.tell(Result(first.id, first.block, first.seats, (1, 2)))
        void = block is blocks[0]
        schedule.tell(Result(second.id, second.block, second.seats, () if void else (2, 1), void=void))
    assert schedule.next() is None and schedule.over and not schedule.stuck
    spoilt, played = (set(block.table) for block in blocks if block)
    assert schedule.ranking is not None
    assert set(schedule.ranking[0]) <= played and set(schedule.ranking[-1]) == spoilt


def test_all_who_meet_in_a_cycle_have_the_same_start_and_no_other_cycle_has_it() -> None:
    blocks, _ = run(schedule_of(RoundRobin(3), 4), lower_wins)
    starts = [block.start for block in blocks]
    assert [len(set(starts[first : first + 6])) for first in (0, 6, 12)] == [1, 1, 1]
    assert len(set(starts)) == 3
    assert starts == [block.start for block in run(schedule_of(RoundRobin(3), 4, seed="seed"), lower_wins)[0]]
    assert not {*starts} & {block.start for block in run(schedule_of(RoundRobin(3), 4, seed="other"), lower_wins)[0]}


def test_an_id_is_of_all_that_makes_a_game() -> None:
    contest = Contest("maze", (("size", 4),), 2, "10s+1s")
    made = fixture_id(contest, ["a 1", "b 1"], "start")
    assert made == "580fc9ebba1abc247651138671f33aee"
    changed = (replace(contest, game="barons"), replace(contest, options=(("size", 5),)), replace(contest, clock="20s"))
    others = [
        *(fixture_id(one, ["a 1", "b 1"], "start") for one in changed),
        fixture_id(contest, ["b 1", "a 1"], "start"),
        fixture_id(contest, ["a 1", "b 2"], "start"),
        fixture_id(contest, ["a 1", "b 1"], "other"),
    ]
    assert len({made, *others}) == 7
    swapped = Contest("maze", (("b", 1), ("a", 2)))
    assert fixture_id(swapped, ["x", "y"], "s") == fixture_id(Contest("maze", (("a", 2), ("b", 1))), ["x", "y"], "s")


THREE = Contest("maze", seats=3)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Schedule("s", ["a", "b"], [], RoundRobin()), "a tournament needs a game"),
        (lambda: Schedule("s", ["a", "b"], [THREE], RoundRobin()), "3 seats need as many entrants: there are 2"),
        (lambda: Schedule("s", ["a", "a"], [Contest("maze")], RoundRobin()), "the entrants 1 and 2 are the same"),
        (lambda: Schedule("s", ["a", "b"], [Contest("maze")] * 2, RoundRobin()), "the games 1 and 2 are the same"),
        (
            lambda: schedule_of(Gauntlet(3), 4, 3),
            "a gauntlet of 3 seeds for 3 seats needs 5 entrants or more: there are 4",
        ),
    ],
)
def test_what_can_t_be_played_is_refused(make: Callable[[], Schedule], why: str) -> None:
    with pytest.raises(TournamentError, match=why):
        make()


# Golden schedules: what a seed makes of each format must stay as it is, or old tournaments can't go on
#
#     python -m tests.ai.tournament.test_schedule
#
# writes `golden/<case>.txt` anew for all of them.


GOLDEN = Path(__file__).parent / "golden"
OF_GOLDEN = [2.0, 1.5, 1.0, 0.5, 0.0, -0.5, -1.0, -1.5, -2.0, -2.5, -3.0]
#: Format, entrants, seats.
CASES: dict[str, tuple[Format, int, int]] = {
    "round-robin": (RoundRobin(2), 5, 2),
    "round-robin-tables": (RoundRobin(2), 7, 3),
    "gauntlet": (Gauntlet(2), 5, 2),
    "gauntlet-tables": (Gauntlet(1, 2), 8, 4),
    "swiss": (Swiss(5), 9, 2),
    "swiss-tables": (Swiss(3), 11, 4),
}


def told(format: Format, entrants: int, seats: int) -> str:
    """A case played through: each block with its start and its first game, and the ranking if the format has one."""
    names = [f"bot {number + 1}" for number in range(entrants)]
    contest = Contest("maze", (("size", 5),), seats, "1m+1s")
    schedule = Schedule("golden", names, [contest], format)
    blocks, _ = run(schedule, bradley_terry(OF_GOLDEN))
    lines = [f"{format}, {entrants} entrants, {seats} seats"]
    for block in blocks:
        table = " ".join(map(str, block.table))
        games = " ".join("".join(map(str, fixture.seats)) for fixture in block.fixtures)
        lines.append(f"{block.number}: round {block.round}, table {table}, start {block.start}, {block.ids[0]}")
        lines.append(f"    {games}" if entrants <= 10 else f"    {len(block.fixtures)} games")
    if schedule.ranking:
        lines.append("ranking: " + " > ".join("=".join(map(str, group)) for group in schedule.ranking))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", CASES)
def test_golden_schedules(name: str) -> None:
    golden = (GOLDEN / f"{name}.txt").read_text("utf-8")
    assert told(*CASES[name]) == golden, "wanted? python -m tests.ai.tournament.test_schedule writes it anew"


def test_games_a_block() -> None:
    assert [block_size(seats) for seats in range(2, 9)] == [2, 6, 24, 20, 60, 42, 112]


@pytest.mark.parametrize("seats", range(2, 12))
def test_everybody_in_every_seat_and_before_everybody_else_equally_often(seats: int) -> None:
    games = list(seatings(range(seats)))
    assert len(games) == block_size(seats) == len(set(games))
    assert all(sorted(game) == list(range(seats)) for game in games)
    sat = Counter({(entrant, seat): 0 for entrant in range(seats) for seat in range(seats)})
    for game in games:
        sat.update((entrant, seat) for seat, entrant in enumerate(game))
        assert max(sat.values()) - min(sat.values()) <= 1, "a part of a block is fair but for one game"
    assert set(sat.values()) == {len(games) // seats}
    followed = Counter((game[seat - 1], game[seat]) for game in games for seat in range(seats))
    assert followed == dict.fromkeys(permutations(range(seats), 2), len(games) // (seats - 1))


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, case in CASES.items():
        (GOLDEN / f"{name}.txt").write_text(told(*case), "utf-8")
