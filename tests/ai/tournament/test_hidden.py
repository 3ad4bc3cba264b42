"""No hidden knowledge: nothing that a bot remembers or reads tells it what is dealt, and who deals can be checked."""

import hashlib
import json
import os
import re
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.journals.proof import check
from quadrille.ai.tournament.plans.plan import Plan
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play.playing import Job, Killed, job
from quadrille.ai.tournament.play.playing import play as play_one
from quadrille.ai.tournament.run import Run
from quadrille.ai.tournament.schedules.meetings import RoundRobin
from quadrille.ai.tournament.schedules.schedule import Contest, Schedule
from quadrille.ai.tournament.schedules.secret import SECRETS, Secrets, commitment, deal_label, made
from quadrille.client.tournament import tables
from quadrille.rules.chance import Stream
from quadrille.rules.match import Deal, Match
from quadrille.rules.record import read
from quadrille.rules.registry import games
from tests.ai.tournament.programs import TWO, Threads, entrant, play, three
from tests.client.conftest import Run as CommandRun

SECRET = bytes(range(32))
HOUSE = "[[entrant]]\nbot = 'random'\n[[entrant]]\nbot = 'greedy'\n"
DOTTER = "[[game]]\ngame = 'dotter'\noptions = {laps = 1, looks = 0, max_rounds = 1}\n"


def dotter(folder: Path, cycles: int = 4) -> Plan:
    three(folder)
    return parse(f"seed = 'league'\n[format]\ncycles = {cycles}\n{DOTTER}{''.join(map(entrant, TWO))}", str(folder))


def test_no_two_games_with_hidden_cards_share_a_deal() -> None:
    """Not even at tables without a common entrant: two bots of one author may tell each other."""
    schedule = Schedule("s", [*"abcdef"], [Contest("dotter"), Contest("coin-isolation")], RoundRobin(2))
    labels: tuple[list[str], list[str]] = [], []
    starts = []
    for block in iter(schedule.next, None):
        for fixture in block.fixtures:
            labels[block.contest].append(deal_label(schedule.contests[block.contest], fixture))
            starts += [f"start {fixture.nth}"] * block.contest
    assert len(set(labels[0])) == len(labels[0]) == 60
    assert labels[1] == starts and len(set(starts)) == 2  # where everybody sees all, a start is the same for all


def test_a_game_that_comes_to_nothing_is_dealt_anew_where_cards_are_hidden(tmp_path: Path) -> None:
    for name, same in (("dotter", False), ("coin-isolation", True)):
        plan = parse(f"[[game]]\ngame = '{name}'\n{HOUSE}", str(tmp_path))
        fixture = plan.schedule().fixture(1)
        first, second = (job(plan, fixture, SECRET, again=again) for again in (0, 1))
        assert (first.deal == second.deal, first.dice == second.dice) == (same, True)


def test_the_run_deals_a_void_game_anew(tmp_path: Path) -> None:
    """A bot that ends itself after it has seen the cards does not see them again."""
    plan, deals = dotter(tmp_path, 1), set[str]()
    for times in (2, 1):  # also in another run
        with Journal(tmp_path / "one.sqlite", plan=plan) as journal, Run(plan, journal, Threads()) as run:
            for _ in range(times):
                given = run._next()
                assert given.fixture == plan.schedule().fixture(0) and given.deal not in deals
                deals.add(given.deal)
                run._take(given, Killed(0, "random was ended by SIGKILL"))


LABELS = [f"{what} {number}" for what in ("start", "game") for number in range(40)]


def texts(folder: Path) -> Iterator[str]:
    """All that is written there, journals row by row."""
    for path in sorted(folder.iterdir()):
        if path.suffix == ".sqlite":
            with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
                for table in ("facts", "games"):
                    yield from (json.dumps(row, default=str) for row in file.execute(f"SELECT * FROM {table}"))
        elif path.is_file():
            yield path.read_text("utf-8", "replace")


def seeds(written: Iterator[str]) -> set[str]:
    """Seeds of deals that follow from what is written: as it stands, or as a tournament's seed or secret."""
    words: set[str] = set()
    for text in written:
        words |= set(re.findall(r'seed\W+?= *\W*"(.*?)"', text)) | set(re.findall(r'seed\\?": *\\?"(.*?)\\?"', text))
        words |= set(re.findall(r"\b[0-9a-f]{32}\b|\b[0-9a-f]{64}\b", text))
    streams = (Stream(word, label) for word in words for label in LABELS)
    return words | {f"{stream.word():016x}{stream.word():016x}" for stream in streams}


def test_no_file_of_its_folder_tells_a_bot_the_deal(tmp_path: Path) -> None:
    """By any seed or hash that stands there, and what docs/protocols/tournaments.md derives from such."""
    (tmp_path / "league.toml").write_text(f"seed = 'league'\n[format]\ncycles = 2\n{DOTTER}{HOUSE}", "utf-8")
    plan = dotter(tmp_path, 2)
    deals = {job(plan, plan.schedule().fixture(number), SECRET).deal for number in range(4)}
    with Journal(tmp_path / "league.sqlite", plan=plan, folder=tmp_path / "home", secret=SECRET):
        assert len(deals) == 4 and not deals & seeds(texts(tmp_path))
        (tmp_path / "leaked").write_text(SECRET.hex(), "utf-8")
        assert deals <= seeds(texts(tmp_path)), "the test's own reading finds no deal"


def test_a_worker_gets_what_it_needs_for_its_game_and_nothing_else(tmp_path: Path) -> None:
    plan = dotter(tmp_path)
    given = job(plan, plan.schedule().fixture(3), SECRET)
    assert isinstance(given, Job) and SECRET.hex() not in repr(given) and repr(SECRET) not in repr(given)
    assert given.deal == made(SECRET, "game 3")
    assert given.deal not in repr(given.fixture)


EVERY_KEY = """
seed = "golden"
anchor = "dice"
[format]
kind = "gauntlet"
seeds = 2
cycles = 2
[time]
clock = "1m+1s"
moves = 9
budget = "2s"
margin = "70ms"
work = 3
[adjudicate]
moves = 90
draws = 20
[limits]
memory = 512
fresh = true
ponder = false
[stop]
rule = "sprt"
elo1 = 30
against = "dice"
[openings]
plies = 6
count = 20
[[game]]
game = "maze"
options = {size = 5}
[[game]]
game = "dotter"
[[game]]
game = "coin-isolation"
[[entrant]]
bot = "greedy"
parameters = {depth = 2}
[[entrant]]
bot = "mcts:4"
limits = {cpu = 60, isolate = "none"}
[[entrant]]
name = "dice"
bot = "random"
"""


def test_a_file_and_a_secret_give_the_games_that_they_gave_when_tournaments_began_that_still_run() -> None:
    plan = parse(EVERY_KEY, "/")
    told = hashlib.sha256()
    schedule = plan.schedule()
    for block in iter(schedule.next, None):
        for fixture in block.fixtures:
            given = job(plan, fixture, SECRET)
            told.update(repr((fixture.id, fixture.start, fixture.seats, given.deal, given.dice)).encode())
    assert schedule.games == 24 and told.hexdigest()[:32] == "c2c72e17595deda27060ada508db26e6"
    identity = json.dumps(plan.plain() | {"rules": 0}, sort_keys=True)
    assert hashlib.sha256(identity.encode()).hexdigest()[:32] == "e606b87be1912ba0695e8461a38a8a66"


def test_nobody_knows_the_dice_of_another_seat(tmp_path: Path) -> None:
    """With the dice of a rival of the house a bot could work out all its moves."""
    plan = parse(f"[[game]]\ngame = 'maze'\n{HOUSE}", str(tmp_path))
    fixtures = plan.schedule().block(0).fixtures
    dice = [row for fixture in fixtures for row in job(plan, fixture, SECRET).dice]
    assert len(set(dice)) == 4
    assert not {*dice} & {row for fixture in fixtures for row in job(plan, fixture, bytes(32)).dice}


def test_the_commitment_stands_in_the_journal_first_and_the_secret_in_no_bot_s_folder(tmp_path: Path) -> None:
    plan, home = dotter(tmp_path, 1), tmp_path / "home"
    with Journal(tmp_path / "one.sqlite", plan=plan, folder=home) as journal:
        [row] = journal.commitments
        assert journal.games == 0 and row.secret is None
        [path] = home.iterdir()
        secret = bytes.fromhex(path.read_text().strip())
        assert commitment(secret) == row.commitment and row.commitment.startswith(path.stem)
        if os.name == "posix":
            assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stat.S_IMODE(home.stat().st_mode) == 0o700
        assert all(secret.hex() not in other.read_text("latin-1") for other in tmp_path.glob("one.*"))
        play(journal)
        [shown] = journal.commitments
        assert (shown.secret, shown.commitment) == (secret, row.commitment) and shown.kept
        said = " ".join(tables.text(tables.standing_of(journal)).split())
        assert f"Dealt by the secret {secret.hex()}: quadrille tournament verify" in said
        assert list(home.iterdir()) == []
    with Journal(tmp_path / "one.sqlite") as journal:
        found = check(journal)
        assert (found.right, found.closed, found.wrong) == (2, 0, [])
        records = [read(outcome.record) for outcome in journal.outcomes()]
        assert [record.deal and record.deal.seed for record in records] == [made(secret, f"game {n}") for n in (0, 1)]


def test_games_before_the_last_that_were_not_played_are_dealt_by_the_next_secret(tmp_path: Path) -> None:
    facts, played = dict[str, str](), [0, 1, 4]
    notes = SimpleNamespace(fact=lambda name: facts.get(name, ""), note=facts.__setitem__, numbers=lambda: played)
    secrets = Secrets(notes, tmp_path, SECRET)
    assert [(row.first, row.also) for row in secrets.rows] == [(5, (2, 3))]  # games of no other secret
    assert secrets.of(3) == SECRET
    secrets.show()
    played[:] = 0, 1, 2, 4, 6
    later = Secrets(notes, tmp_path)
    assert later.of(3) == later.of(5) == later.of(9) != SECRET
    assert [(row.first, row.also) for row in later.rows] == [(5, (2, 3)), (7, (3, 5))]
    assert Secrets(notes, tmp_path).of(3) == later.of(3)
    later.show()
    with pytest.raises(TournamentError, match="has been shown already"):
        Secrets(notes, tmp_path, SECRET).of(8)


def test_a_journal_whose_secret_is_another_one_is_refused(tmp_path: Path) -> None:
    plan, path, home = dotter(tmp_path, 1), tmp_path / "one.sqlite", tmp_path / "home"
    Journal(path, plan=plan, folder=home).close()
    [secret] = home.iterdir()
    kept = secret.read_text()
    for text, why in (
        (bytes(32).hex(), "is not the secret to which the journal is committed"),
        ("hello", "holds no secret: that is 64 hexadecimal digits"),
        ("", "holds no secret"),
        ("\xe9", "holds no secret"),
    ):
        secret.write_text(text)
        with pytest.raises(TournamentError, match=why):
            Journal(path, plan=plan, folder=home)
    secret.unlink()
    with pytest.raises(TournamentError, match=r"is not here: .* is missing. Bring it from where"):
        Journal(path, plan=plan, folder=home)
    with pytest.raises(TournamentError, match="is missing"):
        Journal(path, plan=plan, folder=home, secret=bytes(32))
    secret.write_text(kept)
    with Journal(path, plan=plan, folder=home) as journal:
        play(journal)
        journal.note("secrets", journal.fact("secrets").replace(kept.strip(), bytes(32).hex()))
    with Journal(path) as journal:
        assert check(journal).wrong[0].startswith("the secret that is shown for the commitment")
    with pytest.raises(TournamentError, match="secret 1 of the journal is not the one that it was committed to"):
        Journal(path, plan=plan, folder=home)


@pytest.mark.parametrize(
    "rows", ["{", "[1]", "[[]]", '[{"commitment": "00", "first": 0, "also": [], "secret": null}]', "[" * 100_000]
)
def test_commitments_that_were_made_by_hand_are_refused(tmp_path: Path, rows: str) -> None:
    with Journal(tmp_path / "one.sqlite", plan=dotter(tmp_path)) as journal:
        journal.note("secrets", rows)
    with Journal(tmp_path / "one.sqlite") as journal, pytest.raises(TournamentError, match="holds no commitments"):
        _ = journal.commitments


def test_games_that_were_changed_afterwards_are_named(tmp_path: Path) -> None:
    path = tmp_path / "one.sqlite"
    # Some decks lead to the same moves in two games.
    with Journal(path, plan=dotter(tmp_path, 2), secret=SECRET) as journal:
        play(journal)
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE games SET places = '[1,1]' WHERE number = 1")
        file.execute("UPDATE games SET record = (SELECT record FROM games WHERE number = 3) WHERE number = 2")
        file.execute("INSERT INTO voids (number, happened, why) VALUES (0, 1.0, 'none')")
        file.commit()
    with Journal(path) as journal:
        found = check(journal)
    assert found.right == 1
    assert [why.partition(": ")[2] for why in found.wrong] == [
        "the secret deals it otherwise",
        "its record and its result do not agree",
        "its record and its result do not agree",
    ]


def test_the_command_checks_and_shows(tmp_path: Path, run: CommandRun) -> None:
    plan = dotter(tmp_path, 1)
    with Journal(Path("dotter.sqlite"), plan=plan, folder=tmp_path / "home" / SECRETS, secret=SECRET) as journal:
        outcome = play_one(job(plan, plan.schedule().fixture(0), journal.secrets.of(0)))
        assert not isinstance(outcome, Killed)
        journal.keep(outcome)
    for words, code, *said in (
        ("verify dotter.sqlite", 1, f"Commitment {commitment(SECRET)}, from game 0 on; the secret: not shown yet."),
        ("verify dotter.sqlite", 1, "1 game can be checked when the tournament has ended"),
        ("game dotter.sqlite 0 --home home --run", 0),
        ("game dotter.sqlite 0 --home elsewhere --run", 2, "made from a secret that is not here"),
        ("verify dotter.sqlite --show-secret --home home", 0, SECRET.hex()),
        ("verify dotter.sqlite", 0, "1 game as the secret deals them."),
    ):
        ended, out, err = run(f"tournament {words}")
        assert ended == code and all(sentence in out + err for sentence in said)


def test_every_game_says_whether_it_is_dealt() -> None:
    """By what the boards do: a game of which a face is drawn is dealt."""
    for one in games():
        with_draws = Match(one, deal=Deal("law"))
        assert one.dealt == (bool(with_draws.opening) or one.hidden)
