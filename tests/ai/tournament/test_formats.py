"""Who meets whom: each format by what it promises, and some by hand."""

from collections import Counter
from itertools import combinations, product

import pytest

from quadrille.ai.tournament.schedules.meetings import Acquaintance, Gauntlet, RoundRobin, all_pairs, length
from quadrille.ai.tournament.schedules.schedule import Format, Schedule, Table
from quadrille.ai.tournament.schedules.swiss import Scores, Swiss, pairing
from quadrille.rules.chance import Stream
from tests.ai.tournament.simulated import lower_wins, run, schedule_of


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


def most_met(schedule: Schedule) -> int:
    """How often two meet at most, in a tournament in which all play equally often and the strongest comes out first."""
    blocks, _ = run(schedule, lower_wins)
    played = Counter(entrant for block in blocks for entrant in block.table)
    assert max(played.values()) - min(played.values()) <= 1
    assert schedule.ranking[0] == (0,)
    return max(Counter(pair for block in blocks for pair in combinations(block.table, 2)).values())


@pytest.mark.parametrize(("entrants", "rounds"), [(8, 5), (9, 9), (12, 6), (33, 10)])
def test_a_swiss_tournament(entrants: int, rounds: int) -> None:
    """Nobody meets twice, byes differ by one at most, and the order of strength comes out on top."""
    schedule = schedule_of(Swiss(rounds), entrants)
    assert most_met(schedule) == 1
    assert sorted(sum(schedule.ranking, ())) == list(range(entrants))


def test_a_swiss_tournament_at_tables() -> None:
    assert most_met(schedule_of(Swiss(6), 14, 4)) <= 4
