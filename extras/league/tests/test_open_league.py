"""An open league without sockets: who is tried and plays, who meets whom, and a journal that goes on."""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from heapq import heappop, heappush
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.bot import Bot, Clock
from quadrille.ai.bots.talk import Talk
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.counting import counted
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.journals.proof import check
from quadrille.ai.tournament.plans.plan import Entrant, Plan
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play import worker_bench
from quadrille.ai.tournament.play.farm import Farm
from quadrille.ai.tournament.play.playing import Job, job
from quadrille.client.cli import main
from quadrille.client.tournament.standings import standing_of
from quadrille.client.tournament.tables import csv_text, standing_rows
from quadrille.extras.league.formats.open_tables import OpenTables, Pairing
from quadrille.extras.league.open_league.field import (
    AFTER_TRIAL,
    BACK,
    FAULTS,
    KEYS_EACH,
    MOST_TRIALS,
    SENT_AWAY,
    Field,
    Member,
    SeenBot,
    rows_in,
)
from quadrille.extras.league.open_league.run import OPENING, TRIES, OpenLeague, continued
from quadrille.extras.league.peers.exchange import Exchange
from quadrille.extras.league.ways import LEAGUE
from quadrille.net.trust.identity import fingerprint
from quadrille.rules.core import Move, State
from tests.ai.inside import First, talk
from tests.ai.tournament.programs import Threads, clear
from tests.net.ports import udp_port
from tests.net.tables import identity
from tests.waiting import soon

# The field


def seen(number: int, name: str = "", machine: str = "") -> SeenBot:
    return SeenBot(identity(number).key, name or f"bot {number}", machine or f"10.0.0.{number}")


def admitted(field: Field, *bots: SeenBot, now: int = 0) -> list[Member]:
    """Return those bots, which are there and have passed their trials."""
    field.see(bots, now)
    while (one := field.next_trial(now)) is not None:
        field.tried(one, "", now)
    field.news.clear()
    return [field.members[bot.key] for bot in bots if bot.key in field.members]


def test_a_bot_is_tried_once_it_is_there_and_plays() -> None:
    field = Field(2)
    field.see([seen(1)], 0)
    one = field.next_trial(0)
    assert one is not None and field.next_trial(0) is None and not one.is_ready
    field.tried(one, "", 0)
    assert one.is_ready and one.entrant == 0
    assert field.news == [f"bot 1 ({fingerprint(one.key)}) plays"]
    assert field.rows() == [["bot 1", fingerprint(one.key), "plays"]]


def test_a_bot_that_fails_its_trial_waits_twice_as_long_each_time() -> None:
    field, now = Field(2), 0
    field.see([seen(1)], 0)
    for times in range(3):
        one = field.next_trial(now)
        assert one is not None
        field.tried(one, "ended with exit code 1", now)
        assert one.entrant is None and not one.is_ready
        now += AFTER_TRIAL << times
        assert field.next_trial(now - 1) is None
    assert field.news[-1].endswith("does not play: ended with exit code 1")


def test_one_that_leaves_comes_back_as_the_same_entrant_and_is_tried_again() -> None:
    field = Field(2)
    one, other = admitted(field, seen(1), seen(2))
    field.see([seen(2)], 1)
    assert not one.is_ready and other.is_ready
    assert field.news.pop().startswith("bot 1 is gone")
    field.see([seen(1, "another name"), seen(2)], 2)
    assert field.next_trial(2 + BACK - 1) is None and field.next_trial(2 + BACK, [0]) is None  # its game goes on
    assert field.next_trial(2 + BACK) is one
    field.tried(one, "", 2 + BACK)
    assert (one.entrant, one.name, one.is_ready) == (0, "bot 1", True)
    assert field.news == [f"bot 1 ({fingerprint(one.key)}) is back"]


def test_one_that_comes_and_goes_all_the_time_waits_longer_and_longer() -> None:
    field, now, waited = Field(2), 0, []
    [one] = admitted(field, seen(1))
    for _ in range(6):
        field.see([], now)
        field.see([seen(1)], now)
        waited.append(one.due - now)
        now = one.due
        assert field.next_trial(now) is one
        field.tried(one, "", now)
    assert waited == [BACK << times for times in range(6)]
    field.ended(one, "", now)  # a game is a game: its owner may go on to mend it
    field.see([], now)
    field.see([seen(1)], now)
    assert one.due - now == BACK


def test_one_that_leaves_while_it_is_tried_does_not_play() -> None:
    field = Field(2)
    field.see([seen(1)], 0)
    one = field.next_trial(0)
    assert one is not None
    field.see([], 1)
    field.see([seen(1)], 2)
    assert field.next_trial(2 + BACK) is None  # the first trial is still going on
    field.see([], 3)
    assert not field.tried(one, "", 4) and one.entrant is None
    field.see([seen(1)], 5)
    assert field.next_trial(5 + 4 * BACK) is one


def test_a_machine_with_forty_bots_plays_with_as_many_as_it_may_and_holds_nobody_up() -> None:
    field = Field(2)
    crowd = [seen(number, machine="10.0.0.1") for number in range(1, 41)]
    alone = Field(2)
    alone.see(crowd, 0)
    assert alone.next_trial(0) is not None and alone.next_trial(0) is None  # one of a machine at a time
    field.see([*crowd, seen(50)], 0)
    first, second = field.next_trial(0), field.next_trial(0)
    assert first is not None and second is not None and first.machine != second.machine
    tried = [first.machine, second.machine]
    assert field.tried(first, "", 0) and field.tried(second, "", 0)
    while (one := field.next_trial(0)) is not None:
        tried.append(one.machine)
        field.tried(one, "", 0)
    assert tried == ["10.0.0.1", "10.0.0.50", "10.0.0.1"]
    assert sum(one.is_ready for one in field.members.values()) == 3
    assert len(field.members) == KEYS_EACH * 2 + 1  # and it is not asked about the others
    assert sum(line.endswith("waits: 2 bots of its machine play already") for line in field.news) == KEYS_EACH * 2 - 2
    assert Counter(row[2] for row in field.rows())["waits: 2 bots of its machine play already"] == KEYS_EACH * 2 - 2
    field.see([*crowd[1:], seen(50)], 1)  # one of the two leaves: another has its place
    assert field.next_trial(1) is not None


def test_new_keys_of_one_machine_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field(1)
    for number in range(1, 30):
        admitted(field, seen(number, machine="10.0.0.1"), now=number)
        field.see([], number)
    assert sum(one.entrant is not None for one in field.members.values()) == KEYS_EACH
    monkeypatch.setattr(f"{Field.__module__}.MOST", KEYS_EACH + 1)
    field.see([seen(30), seen(31)], 30)
    assert field.news[-1] == f"this run has {KEYS_EACH + 1} bots: it looks at no others"


def test_bots_of_one_name_or_of_names_that_look_alike_are_told_apart_by_their_keys() -> None:
    field = Field(2)
    first, second, third = admitted(field, seen(1, "Paul"), seen(2, "Paul"), seen(3, "PauI"))
    assert first.name == "Paul"
    assert second.name == f"Paul {fingerprint(second.key)[:4]}" and third.name == f"PauI {fingerprint(third.key)[:4]}"
    [strange] = admitted(field, seen(4, "x" * 300 + "\x1b[2J\n"))
    assert len(strange.name) <= 40 and strange.name.isprintable()


def test_nobody_has_the_name_of_another_whatever_the_others_call_themselves() -> None:
    """Keys are public: others may come first, under all the names that digits of a key would make."""
    short = fingerprint(seen(9).key).replace(" ", "")
    crowd = [seen(number, f"Ann {short[: 4 * (number - 1)]}", "10.0.0.1") for number in range(1, 6)]
    field = Field(5)
    names = [one.name for one in admitted(field, *crowd, seen(6, f"Ann {short} 2"), seen(9, "Ann"))]
    assert len({*names}) == 7 and names[-1] == f"Ann {short} 3"


def test_one_that_loses_by_faults_game_after_game_is_sent_away_and_tried_again() -> None:
    field = Field(2)
    [one] = admitted(field, seen(1))
    for fault in (["crashed"] * (FAULTS - 1) + [""]) * 5:
        field.ended(one, fault, 0)
    assert one.is_ready  # never so many in a row
    for _ in range(FAULTS):
        field.ended(one, "crashed", 0)
    assert not one.is_ready and field.news[-1].startswith("bot 1 is sent away for 2m: it lost 3 games in a row")
    assert field.next_trial(SENT_AWAY - 1) is None and field.next_trial(SENT_AWAY) is one
    field.tried(one, "", SENT_AWAY)
    for _ in range(FAULTS):
        field.ended(one, "crashed", SENT_AWAY)
    assert one.due == SENT_AWAY + 2 * SENT_AWAY


# The pairing


@pytest.mark.parametrize("seats", [2, 3])
def test_all_meet_about_as_often_and_a_newcomer_meets_everybody(seats: int) -> None:
    pairing, met = Pairing(), Counter[tuple[int, int]]()
    for number in range(600):
        there = range(7) if number < 300 else range(8)
        table = pairing.table(there, seats, len(there))
        assert table is not None and len({*table}) == seats
        pairing.add(table)
        met.update(combinations(sorted(table), 2))
    assert {pair for pair in met if 7 in pair} == {(other, 7) for other in range(7)}
    old = [met[pair] for pair in combinations(range(7), 2)]
    assert max(old) - min(old) <= seats
    assert pairing.table(range(seats - 1), seats, seats - 1) is None


@pytest.mark.parametrize("slow", [30, 400])
def test_quick_bots_of_one_owner_meet_the_others_as_often_as_each_other(slow: int) -> None:
    """Each has a table as soon as it may, two of eight lose to each other at once, and nobody waits for ever."""
    pairing, at_play, met = Pairing(), list[tuple[int, tuple[int, ...]]](), Counter[tuple[int, int]]()
    idle, now = {*range(8)}, 0
    while sum(met.values()) < 280:
        while (table := pairing.table(sorted(idle), 2, 8)) is not None:
            pairing.add(table)
            met[min(table), max(table)] += 1
            heappush(at_play, (now + (1 if max(table) < 2 else slow + sum(table)), table))
            idle -= {*table}
        now, table = heappop(at_play)
        idle |= {*table}
    assert len(met) == 28 and met[0, 1] <= 1.5 * 280 / 28
    assert max(met.values()) <= 2 * min(met.values())


# The format


MAZE = 'game = "maze"\noptions = {{size = {}}}'


def plan(entrants: int = 3, drawn: tuple[tuple[int, ...], ...] = (), size: int = 3) -> Plan:
    text = f'seed = "open"\n[[game]]\n{MAZE.format(size)}\n' + '[[entrant]]\nbot = "random"\n' * 2
    found = parse(text.replace('"random"', '"greedy"', 1), ".")
    named = tuple(Entrant(f"bot {number}", peer=identity(number + 1).key.hex()) for number in range(entrants))
    return Plan(named, found.contests, OpenTables(drawn), seed=found.seed)


def test_tables_of_before_keep_their_numbers_ids_and_starts() -> None:
    drawn = ((0, 1), (1, 2), (0, 1), (2, 3))
    few, many = plan(3, drawn[:3]).schedule(), plan(4, drawn).schedule()
    before, after = list(iter(few.next, None)), list(iter(many.next, None))
    assert after[:3] == before and many.games == 8
    assert len({block.start for block in after}) == 4
    for wrong in (((0, 0),), ((0, 4),), ((0, 1, 2),)):
        with pytest.raises(TournamentError, match="has no table"):
            plan(4, wrong).schedule()


def test_a_plan_goes_on_only_with_more_entrants_and_tables() -> None:
    there = plan(3, ((0, 1), (1, 2))).plain()
    for fits in (plan(3, ((0, 1), (1, 2), (0, 2))), plan(4, ((0, 1), (1, 2), (0, 3)))):
        assert OpenTables.continues(fits.plain(), there)
    renamed = replace(plan(3, ((0, 1), (1, 2))), entrants=(Entrant("bot 9", peer="09" * 32), *plan(3).entrants[1:]))
    for other in (renamed, plan(3, ((0, 1),)), plan(2, ((0, 1), (0, 1))), plan(3, ((0, 1), (0, 2))), plan(3, size=4)):
        assert not OpenTables.continues(other.plain(), there)


# A league, whose bots play inside this process


class Cheat(First):
    """Moves as it should in its trial, and as it may not in a game."""

    def choose(self, view: State[Any, Any], clock: Clock, rng: Any) -> Move | str:
        return super().choose(view, clock, rng) if clock.budget <= 100 else "z99-z98"


class World:
    """A league in a folder, a clock, and bots by their keys in place of those of a network: a class of the kit for
    each, None for one that is gone.
    """

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("quadrille.extras.league.open_league.run.TICK", 0.01)
        self.path, self.now, self.there = folder / "maze-open.sqlite", 0, [seen(number) for number in (1, 2, 3)]
        self.bots: dict[str, type[Bot] | None] = {bot.key.hex(): First for bot in self.there}
        self.news: list[str] = []
        self.reason = ""
        worker_bench._ENGAGES[:] = [self.engage]

    def engage(self, entrant: Entrant, *_: Any, **__: Any) -> Talk:
        bot = self.bots[entrant.peer]
        if bot is None:
            raise TournamentError(self.reason or f"{entrant.known_as} is not there: nobody was found", entrant.peer)
        return talk(bot())

    def begin(self, games: int = 0, size: int = 3) -> OpenLeague:
        workers = Threads()
        workers.slots = 2 + MOST_TRIALS  # one thread for games and trials
        league = OpenLeague(continued(plan(0, size=size), self.path), partial(Journal, self.path), 2, Farm(workers))
        if games:
            self.play(league, games)
        return league

    def play(self, league: OpenLeague, games: int, pause: int = 1) -> None:
        """Turn until so many games have ended."""
        for _ in range(20_000):
            league.turn(self.there, self.now)
            self.now += pause
            seats = [seat for left in league._blocks.values() for seat in left[0].seats]
            assert len(seats) == len({*seats}), "a bot plays two games at a time"
            if league._journal is not None and league._journal.games >= games:
                return
        pytest.fail(f"no {games} games came: {league.news}")

    def end(self, league: OpenLeague, *, shows: bool = False) -> Journal:
        league.stop()
        while not league.is_over:
            league.turn(self.there, self.now)
        self.news += league.news
        if shows and league._journal is not None:
            league._journal.secrets.show()
        league.__exit__(None, None, None)
        return Journal(self.path)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    yield World(tmp_path, monkeypatch)
    worker_bench._ENGAGES.clear()
    clear()


def test_a_league_that_is_begun_again_goes_on_and_all_of_it_is_checked(world: World) -> None:
    league = world.begin(5)
    league.__exit__(None, None, None)  # in the middle of a block
    world.there.append(seen(4))
    world.bots[seen(4).key.hex()] = First
    again = world.begin()
    before = [entrant.name for entrant in again.plan.entrants]
    assert sorted(before) == ["bot 1", "bot 2", "bot 3"]
    again._open()
    assert isinstance(again.plan.format, OpenTables)
    assert again._pairing._met == Pairing(again.plan.format.drawn)._met
    with Journal(world.path) as journal:
        left = {fixture.number for fixtures in again._blocks.values() for fixture in fixtures}
        assert 0 < len(left) <= 4 and left.isdisjoint(journal.numbers())
    world.play(again, 12)
    with world.end(again) as journal:
        assert [entrant.name for entrant in journal.plan().entrants] == [*before, "bot 4"]
        assert check(journal).wrong == [] and check(journal).closed == journal.games >= 12
        count = counted(journal.plan(), journal.results())
        assert count.count.games >= 10 and all(tally.games for tally in count.count.tallies)
        assert standing_of(journal).plan.uneven().startswith("Bots play while they are there")


def test_a_person_reads_what_keeps_a_league_busy_before_its_first_game(world: World) -> None:
    league = world.begin()
    league.field.see(world.there, 0)
    league.field.see(world.there, 0)
    league._try()
    assert "bot 1" in league.line() and league.line().endswith(": tried by a short game first")
    while OPENING not in league.news:
        league.turn(world.there, world.now)
        world.now += 1
    assert league._journal is None
    world.play(league, 1)
    assert "tried" not in league.line()
    world.end(league).close()


def test_a_league_by_other_terms_is_another_one(world: World) -> None:
    league = world.begin(2)
    world.end(league).close()
    with pytest.raises(TournamentError, match=r"options\.size of game maze is 4 here and 3 there"):
        world.begin(3, size=4)


def test_one_that_cheats_loses_its_games_and_is_sent_away_while_the_others_play_on(world: World) -> None:
    world.bots[seen(2).key.hex()] = Cheat
    league = world.begin(40)
    world.end(league)
    with Journal(world.path) as journal:
        seats = [seat for one in journal.results() for seat, fault in zip(one.seats, one.faults, strict=False) if fault]
    [told] = [line for line in world.news if line.startswith("bot 2 is sent away for 2m: it lost 3 games in a row")]
    assert "which is not legal" in told
    assert {*seats} == {league.field.members[seen(2).key].entrant} and len(seats) <= FAULTS + 1


def test_one_that_does_not_come_to_its_game_loses_it_and_is_drawn_no_more(world: World) -> None:
    league = world.begin(6)
    leaver = world.there[2]
    world.bots[leaver.key.hex()] = None  # it is still seen for a while
    world.play(league, 30)
    assert not league.field.members[leaver.key].is_ready
    world.there.pop()
    world.play(league, 36)
    with world.end(league) as journal:
        whys = [why for (row,) in journal.rows(("whys",)) for why in row if why]
        assert whys == ["is withdrawn, since it did not come to the game"] * 2
        assert counted(journal.plan(), journal.results()).beyond == 0
    assert [line for line in world.news if line.startswith("bot 3 is sent away for 30s: it is not there")]


def test_one_that_does_not_come_makes_nobody_else_lose_whatever_it_is_called(world: World) -> None:
    world.there.pop()
    world.reason = f"bot 1 (peer {fingerprint(seen(1).key)}) is not there"
    league = world.begin(6)
    world.bots[world.there[1].key.hex()] = None
    world.play(league, 8)
    with world.end(league) as journal:
        rows = zip(journal.results(), journal.rows(("whys",)), strict=True)
        lost = {seat for result, (whys,) in rows for seat, why in zip(result.seats, whys, strict=True) if why}
    first, second = league.field.members.values()
    assert (first.is_ready, second.is_ready, lost) == (True, False, {second.entrant}), world.news


def test_when_the_runner_s_own_cable_is_out_nobody_loses(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []

    def counts(*given: Any, again: int, **more: Any) -> Job:
        begun.append(again)
        return job(*given, again=again, **more)

    monkeypatch.setattr("quadrille.extras.league.open_league.run.job", counts)
    comes, goes_on = threading.Event(), threading.Event()

    def engage(*given: Any, **more: Any) -> Talk:
        comes.set()
        assert goes_on.wait(60)
        return world.engage(*given, **more)

    league = world.begin(2)
    worker_bench._ENGAGES[:] = [engage]
    assert soon(lambda: league.turn(world.there, world.now) or comes.is_set())
    there, bots = [*world.there], {**world.bots}
    world.there.clear()
    world.bots.update(dict.fromkeys(bots))
    goes_on.set()

    def has_voids() -> bool:
        league.turn(world.there, world.now)
        assert league._journal is not None
        return bool(league._journal.voids())

    assert soon(has_voids)
    for _ in range(TRIES * 3):
        league.turn(world.there, world.now)
    world.there += there
    world.bots.update(bots)
    world.play(league, 8, pause=1000)
    with world.end(league, shows=True) as journal:
        assert journal.voids() and not [why for (row,) in journal.rows(("whys",)) for why in row if why]
        assert check(journal).wrong == [] and check(journal).right >= 8
        assert len([again for again in begun if again]) == len(journal.voids())  # each with a deal of its own


def test_a_name_that_is_a_formula_is_a_text_in_every_table(world: World) -> None:
    """The page says who is here, as long as anybody is; what the network tells of a bot is said with its name."""
    world.there[0] = seen(1, "=cmd()")
    league, peers = world.begin(6), Exchange(lambda: pytest.fail("it needs no place on the network"))
    peers.news.put((seen(2).key, "is out of reach"))
    assert [*peers.warnings(lambda key: league.field.members[key].name)] == ["bot 2 is out of reach"]
    with Journal(world.path) as journal:
        [(_, title, [table])] = LEAGUE.sections(standing_of(journal), journal)
        assert title == "Who is here" and [row[0] for row in table.rows] == ["=cmd()", "bot 2", "bot 3"]
    with world.end(league) as journal:
        assert "'=cmd()" in csv_text(standing_rows(standing_of(journal)))
        assert list(LEAGUE.sections(standing_of(journal), journal)) == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["x.toml", "--clock", "1m"], "--clock is for a new --folder: x.toml says what is played, and how"),
        (["--open", "maze", "--strict"], "--strict is for a tournament with a file only: leave it out"),
        (["--open", "maze", "x.toml"], "x.toml is a tournament with entrants of its own: name another file"),
        (["--open", "chess"], 'there is no game "chess"'),
        (["--open", "maze", "--seats", "9"], "seats"),
    ],
)
def test_options_that_do_not_go_together_are_refused_in_a_sentence(
    words: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.toml").touch()
    own = ["--home", str(tmp_path), "--port", str(udp_port()), "--interface", "127.0.0.1", "--name", "Run"]
    assert main(["tournament", "run", *words, *own]) == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("damaged", ["7", "{", '["x"]', '{"a": 1}', "[[1, 2], null]"])
def test_rows_that_somebody_damaged_say_nothing_of_who_is_here(damaged: str) -> None:
    assert rows_in('[["a", "b", "c\\u001b"]]') == [["a", "b", "c\\x1b"]]
    assert rows_in("") == rows_in(damaged) == []


@pytest.mark.parametrize("drawn", [["a"], 7, [[float("inf")]], [[None, 1]]])
def test_a_journal_whose_tables_somebody_damaged_is_refused(tmp_path: Path, drawn: Any) -> None:
    with Journal(tmp_path / "league.sqlite", plan=plan(3)) as journal:
        told = journal.plain()
        journal.note("plan", json.dumps(told | {"format": told["format"] | {"drawn": drawn}}))
        with pytest.raises(TournamentError, match="holds no plan of a tournament"):
            journal.plan()
