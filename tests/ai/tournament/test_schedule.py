"""The machine that gives blocks: in one order whatever happens, each fixture made again from its number."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, permutations, product
from pathlib import Path

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.schedules.blocks import block_size, seatings
from quadrille.ai.tournament.schedules.meetings import Acquaintance, Gauntlet, RoundRobin, all_pairs, length
from quadrille.ai.tournament.schedules.schedule import Contest, Format, Schedule, Table, fixture_id
from quadrille.ai.tournament.schedules.swiss import Scores, Swiss, pairing
from quadrille.rules.chance import Stream
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


# Who meets whom: each format by what it promises, and some by hand


def tables(format: Format, entrants: int, seats: int = 2, **more: str) -> list[list[Table]]:
    """Those of a whole tournament that the lower number always wins, by round."""
    schedule = schedule_of(format, entrants, seats, **more)
    blocks, _ = run(schedule, lower_wins)
    rounds: list[list[Table]] = [[] for _ in range(blocks[-1].round + 1)]
    for block in blocks:
        rounds[block.round].append(block.table)
    return rounds


@pytest.mark.parametrize("entrants", range(2, 12))
def test_all_pairs_once_and_nobody_twice_in_a_round(entrants: int) -> None:
    rounds = list(all_pairs(entrants, Stream("pairs")))
    assert len(rounds) == entrants - 1 + entrants % 2
    assert sorted(pair for pairs in rounds for pair in pairs) == list(combinations(range(entrants), 2))
    assert all(len({*entrant}) == len(entrant) for pairs in rounds for entrant in [[*sum(pairs, ())]])


@pytest.mark.parametrize("entrants", range(2, 8))
def test_a_round_robin_has_every_pair_in_every_cycle(entrants: int) -> None:
    met = Counter(table for tables in tables(RoundRobin(3), entrants) for table in tables)
    assert met == dict.fromkeys(combinations(range(entrants), 2), 3)


#: Two tables that leave too little choice for pairs to stay within one meeting of each other's mean.
CROWDED = {(10, 5), (11, 5), (12, 6), (13, 6), (14, 6)}


def balanced(entrants: int, seats: int, cycles: int) -> bool:
    """Whether all have played equally often, give or take a game, after every round, and all pairs have met equally
    often, give or take a meeting, at the end of every cycle: two where it is crowded, and in between.
    """
    acquaintance, ends = Acquaintance(entrants), {length(cycle + 1, entrants, seats) for cycle in range(cycles)}
    drawing = RoundRobin(cycles).draw(entrants, seats, "balanced")
    number = 0
    for number, drawn in enumerate(drawing, 1):
        assert len(drawn.tables) == entrants // seats
        assert len({entrant for table in drawn.tables for entrant in table}) == len(drawn.tables) * seats
        for table in drawn.tables:
            acquaintance.note(table)
        counts = acquaintance.counts()
        close = number in ends and (entrants, seats) not in CROWDED
        if max(acquaintance.played) - min(acquaintance.played) > 1 or max(counts) - min(counts) > (2 if close else 3):
            return False
    return number == max(ends)


#: By the number of seats.
FIELDS = {3: (4, 6, 9, 13, 40), 4: (5, 7, 9, 12, 22), 5: (8, 9, 10, 11, 21), 6: (8, 10, 13, 18, 25)}


@pytest.mark.first(8)
@pytest.mark.parametrize(
    ("entrants", "seats"), [*((many, seats) for seats in FIELDS for many in FIELDS[seats]), (40, 3)]
)
def test_all_pairs_meet_equally_often_in_every_cycle(entrants: int, seats: int) -> None:
    assert balanced(entrants, seats, 2)


@pytest.mark.slow
def test_where_it_is_crowded_pairs_are_off_by_two_at_most() -> None:
    assert [field for field in sorted(CROWDED) if not balanced(*field, 4)] == []


def test_a_round_robin_of_tables_is_as_long_as_its_cycles() -> None:
    """Ten at tables of 4: 45 pairs, 12 a round, so that 2 cycles take 8 rounds. Who fill one table always meet."""
    assert [len(tables) for tables in tables(RoundRobin(2), 10, 4)] == [2] * 8
    assert tables(RoundRobin(3), 4, 4) == [[(0, 1, 2, 3)]] * 3


def test_a_gauntlet() -> None:
    met = Counter(table for tables in tables(Gauntlet(2, 3), 5) for table in tables)
    assert met == dict.fromkeys(product((0, 1), (2, 3, 4)), 3)


def test_a_gauntlet_at_tables() -> None:
    """One seed and three of seven challengers at each: 14 rounds let each of those play 12 times, and meet 4 times."""
    met = Counter(pair for round in tables(Gauntlet(1, 14), 8, 4) for table in round for pair in combinations(table, 2))
    assert {met[0, other] for other in range(1, 8)} == {12}
    assert {met[pair] for pair in combinations(range(1, 8), 2)} <= {3, 4, 5}


@pytest.mark.first(1)
@pytest.mark.parametrize(("challengers", "seats", "apart"), [(7, 3, 2), (13, 6, 3)])
def test_challengers_of_several_who_do_not_come_out_even_with_tables(challengers: int, seats: int, apart: int) -> None:
    """To each seed they are a field of their own."""
    met = [Acquaintance(2 + challengers) for _ in range(2)]
    for drawn in Gauntlet(2, 12).draw(2 + challengers, seats, "uneven"):
        for seed, *group in drawn.tables:
            met[seed].note(tuple(group))
        played = met[drawn.tables[0][0]].played[2:]
        assert max(played) - min(played) <= 1
    for one in met:
        counts = [one.met[pair[0]][pair[1]] for pair in combinations(range(2, 2 + challengers), 2)]
        assert max(counts) - min(counts) <= apart


def scores(entrants: int, met: list[Table], points: dict[int, int], byes: list[int]) -> Scores:
    made = Scores(entrants, Stream("scores"))
    for table in met:
        made.acquaintance.note(table)
    for entrant, won in points.items():
        made.points[entrant] = won
    for entrant in byes:
        made.byes[entrant] += 1
    return made


def test_a_swiss_pairing_by_hand() -> None:
    """Two score groups of four: in each the first against the third and the second against the fourth, as they rank."""
    points = dict(zip(range(8), [8, 8, 8, 8, 4, 4, 4, 4], strict=True))
    made = scores(8, [], points, [])
    ranked = made.rank()
    first, second = ranked[:4], ranked[4:]
    wanted = [(first[0], first[2]), (first[1], first[3]), (second[0], second[2]), (second[1], second[3])]
    assert pairing(made) == tuple(tuple(sorted(pair)) for pair in wanted)
    # those two have met: the first takes the last of its group, and the other two remain
    again = scores(8, [(first[0], first[2])], points, [])
    assert {*pairing(again)[:2]} == {tuple(sorted((first[0], first[3]))), tuple(sorted((first[1], first[2])))}


def matchings(members: list[int]) -> list[list[Table]]:
    """All ways to pair them, one by one: the naive count."""
    if not members:
        return [[]]
    first, *rest = members
    return [
        [(min(first, other), max(first, other)), *others]
        for other in rest
        for others in matchings([entrant for entrant in rest if entrant != other])
    ]


def test_nobody_meets_twice_while_that_can_be_avoided() -> None:
    """Compared with all ways to pair up to 8 entrants in random histories; and byes go to those with the fewest."""
    stream = Stream("histories")
    avoidable = 0
    for _ in range(400):
        entrants = 3 + stream.randrange(6)
        pairs = list(combinations(range(entrants), 2))
        met = [pair for pair in pairs if stream.randrange(100) < 55]
        points = {entrant: 2 * stream.randrange(4) for entrant in range(entrants)}
        byes = [entrant for entrant in range(entrants) if stream.randrange(3) == 0]
        made = scores(entrants, met, points, byes)
        found = pairing(made)
        out = [entrant for entrant in range(entrants) if entrant not in sum(found, ())]
        assert len(out) == entrants % 2
        fewest = [entrant for entrant in range(entrants) if made.byes[entrant] == min(made.byes)]
        assert all(entrant in fewest for entrant in out)
        ways = [
            way
            for rests in (fewest if entrants % 2 else [None])
            for way in matchings([entrant for entrant in range(entrants) if entrant != rests])
        ]
        fresh = any(not {*way} & {*met} for way in ways)
        avoidable += fresh
        assert bool({*found} & {*met}) != fresh
    assert 50 < avoidable < 350


@pytest.mark.parametrize(
    ("entrants", "rounds", "seats", "most"), [(8, 5, 2, 1), (9, 9, 2, 1), (12, 6, 2, 1), (33, 10, 2, 1), (14, 6, 4, 4)]
)
def test_a_swiss_tournament(entrants: int, rounds: int, seats: int, most: int) -> None:
    """No two meet more often, byes differ by one at most, and the order of strength comes out on top."""
    schedule = schedule_of(Swiss(rounds), entrants, seats)
    blocks, _ = run(schedule, lower_wins)
    played = Counter(entrant for block in blocks for entrant in block.table)
    assert max(played.values()) - min(played.values()) <= 1
    assert max(Counter(pair for block in blocks for pair in combinations(block.table, 2)).values()) <= most
    assert schedule.ranking[0] == (0,) and sorted(sum(schedule.ranking, ())) == list(range(entrants))


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, case in CASES.items():
        (GOLDEN / f"{name}.txt").write_text(told(*case), "utf-8")
