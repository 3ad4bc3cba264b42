"""`quadrille tournament`: from the command line to the table, the page and the exit code."""

import contextlib
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.journals.journal_values import MOST_BYTES
from quadrille.ai.tournament.plans.plan_file import read as read_plan
from quadrille.ai.tournament.play.playing import GameOutcome, moves_hash
from quadrille.ai.tournament.results import BEGINNINGS, Result
from quadrille.client.tournament import inspection
from quadrille.client.tournament.report import HIGH, WIDE, over_time, page
from quadrille.client.tournament.standings import standing_of
from quadrille.rules.chance import Stream as Rolls
from quadrille.rules.core import ToMove
from quadrille.rules.match import Deal, Match
from quadrille.rules.record import MOST_CHARACTERS, read, read_with_table, write
from quadrille.rules.registry import game
from tests.ai.tournament.programs import clear, file, left_in, play, program, three
from tests.client.conftest import Run, output, refusal
from tests.client.phones.browser import browser
from tests.client.pictures.test_pages import Reader, data_of, self_contained
from tests.waiting import soon

QUIET = ["--quiet", "--untried", "--at-once", "1"]


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tournament that has been played, which nobody changes."""
    folder = tmp_path_factory.mktemp("league")
    league_of(folder, three(folder), cycles=3)
    return folder


@pytest.fixture
def league(tmp_path: Path, once: Path) -> Path:
    """The file of that tournament, in a folder of the test's own."""
    shutil.copytree(once, tmp_path, dirs_exist_ok=True)
    return tmp_path / "league.toml"


def played(path: Path) -> None:
    with Journal(path.with_suffix(".sqlite"), plan=read_plan(path)) as journal:
        play(journal)


def league_of(folder: Path, bots: Sequence[str], cycles: int, more: str = "") -> Path:
    """Play a tournament of these bots; return its file."""
    path = folder / "league.toml"
    path.write_text(file(bots, cycles=cycles, more=more), "utf-8")
    path.with_suffix(".sqlite").unlink(missing_ok=True)
    played(path)
    return path


def test_run_plays_tells_and_goes_on(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "bots" / "league.toml"
    path.parent.mkdir()
    path.write_text(file(three(path.parent), cycles=2), "utf-8")
    _, out, err = run(["tournament", "run", path, "--at-once", "1"])
    assert "12 games in 6 complete blocks" in out
    assert re.search(r"1\. +(first|last|middle) +\d+", out)
    assert re.search(r"12 of 12 games, .* a second.*; \w+ [01]\.\d{3}  \w+", err)
    assert output(run, "tournament", "run", path, *QUIET) == output(run, "tournament", "show", path) == out
    folder = tmp_path / "new" / "tables"
    for _ in range(2):  # the second time over what is there
        assert "are written in" in output(run, "tournament", "show", path, "--csv", folder)
    assert (folder / "standing.csv").read_bytes().startswith(b"rank,name,")
    assert len((folder / "pairs.csv").read_bytes().split(b"\r\n")) == 1 + 6 + 1
    assert "can't be made" in refusal(run, "tournament", "show", path, "--csv", path)
    assert soon(lambda: left_in(path.parent) == [])


def test_quick_can_keep_a_file(run: Run) -> None:
    words = ["tournament", "quick", "maze", "random", "random", "--set", "size=2", "--games", "4", *QUIET]
    assert "random (2)" in output(run, *words, "--seed", "q", "--keep", "kept.toml", "--clock", "10s+1s")
    assert "4 games" in output(run, "tournament", "show", "kept.toml")
    assert 'clock = "10s+1s"' in Path("kept.toml").read_text()
    assert "going on" not in output(run, "tournament", "run", "kept.toml", *QUIET)


def test_exit_codes(tmp_path: Path, run: Run) -> None:
    three(tmp_path)
    program(tmp_path, "rude", "'nothing'")
    stop = '[stop]\nelo0 = 0\nelo1 = 1200\nentrant = "{}"\nagainst = "{}"'
    for entrant, against, cycles, code, said in (
        ("first", "last", 1, 1, "Not decided"),
        ("first", "rude", 20, 0, "first is stronger than rude"),
        ("rude", "first", 20, 1, "rude is not stronger than first"),
    ):
        path = league_of(tmp_path, (entrant, against), cycles, stop.format(entrant, against))
        ran = run(["tournament", "run", path, *QUIET])
        assert ran.code == code and said in ran.out
    ran = run(["tournament", "run", path, *QUIET, "--strict"])
    assert ran.code == 1 and "lost games by their faults" in ran.err
    output(run, "tournament", "show", path)
    path.write_text("[[game]]")
    refusal(run, "tournament", "run", path, *QUIET)


@pytest.mark.parametrize(("more", "code"), [([], 1), (["--lenient"], 0), (["--lenient", "--strict"], 0)])
def test_a_withdrawn_entrant_forfeits_and_the_exit_code_tells(
    tmp_path: Path, run: Run, more: list[str], code: int
) -> None:
    """Also when the run is repeated, and nothing is left to try: what a build server reads is the code."""
    three(tmp_path)
    (tmp_path / "broken.py").write_text("import sys\n\nsys.exit('no weights')\n")
    path = tmp_path / "league.toml"
    path.write_text(file(("first", "last", "broken"), cycles=1), "utf-8")
    for _ in range(2):
        found, out, err = run(["tournament", "run", path, "--quiet", "--at-once", "1", *more])
        assert found == code
        assert "broken is withdrawn: it forfeited 4 games, which nobody played." in " ".join(out.split())
        assert "crash" not in out and ("not all entrants have played" in err) == bool(code)
    told = []
    for number in range(6):
        output(run, "tournament", "game", path, number, "--kept", "-o", record := tmp_path / f"{number}.txt")
        told.append(output(run, "replay", record))
    assert sum("(broken) has lost the game without a move: it is withdrawn" in game for game in told) == 4


def test_a_game_again(league: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    record = league.parent / "game.txt"
    out = output(run, "tournament", "game", league, 7, "--run", "-o", record)
    assert out.startswith("Game 7: Maze, 2 players") and "The game is over" in out
    assert out.rstrip().endswith("It went as it had gone before.")
    assert read(record.read_text()).over
    with monkeypatch.context() as early:
        early.setattr(inspection, "play", lambda _: pytest.fail("it is played before its file is looked at"))
        assert "there is a file" in refusal(run, "tournament", "game", league, 7, "--run", "-o", record)
        told = output(run, "tournament", "game", league, 7)
    kept = output(run, "tournament", "game", league.with_suffix(".sqlite"), 7, "--kept")
    assert kept in out and told.startswith(kept) and "Nothing was run. " in told
    clear()
    assert "there is no game 198: games are 0 to 17" in refusal(run, "tournament", "game", league, 198)
    assert "there is no game -1: " in refusal(run, "tournament", "game", league, -1)


def test_without_numpy_few_games_are_played_and_many_end_in_one_line(tmp_path: Path) -> None:
    words = ["tournament", "quick", "maze", "random", "random", "--set", "size=2", *QUIET]
    code = f"""import sys; sys.modules['numpy'] = None; from quadrille.client.cli import main
print(main({words} + ['--games', '2']), flush=True); sys.exit(main({words} + ['--games', '10']))"""
    found = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.stdout.splitlines()[-1] == "0", "few games need no ratings"
    assert (found.returncode, found.stderr.splitlines()) == (
        2,
        ["quadrille: numpy is not installed: install it with pip install numpy"],
    )


# The page


def links(reader: Reader) -> set[str]:
    return {str(given["href"]) for tag, given in reader.tags if tag == "a" and "href" in given}


def shapes(reader: Reader) -> set[tuple[str, ...]]:
    """Tags, each with the names of its attributes."""
    return {(tag, *sorted(given)) for tag, given in reader.tags}


def test_the_page_has_all_and_needs_nothing(league: Path, run: Run) -> None:
    target = league.with_suffix(".html")
    output(run, "tournament", "report", league, "-o", target)
    text = target.read_text("utf-8")
    reader = self_contained(text)
    for part in ("verdict", "board", "standing", "met", "seats", "time", "clock", "faults", "games", "again"):
        assert reader.element(f"on-{part}")
    for link in links(reader):
        assert re.fullmatch(r"#\d+", link) or reader.element(link[1:])
    assert {f"#{number}" for number in range(18)} <= links(reader)
    for name in ("first", "last", "middle"):
        assert name in text


def test_a_spectator_finds_the_leaders_the_last_game_and_the_greatest_surprise(league: Path) -> None:
    """`first` wins nearly all; the one game that it lost is the surprise, with which the film begins."""
    path = written_over(league, "places = CASE WHEN seats LIKE '[0,%' THEN '[1,2]' ELSE '[2,1]' END")
    with contextlib.closing(sqlite3.connect(path)) as file, file:
        lost = "SELECT min(number) FROM games WHERE seats LIKE '[0,%'"
        file.execute(f"UPDATE games SET places = '[2,1]' WHERE number = ({lost})")
        [[surprise]] = file.execute(lost)
    with Journal(path) as journal:
        names = [entrant.name for entrant in journal.plan().entrants]
        made = page(journal)
    assert [game["number"] for game in data_of(made)["games"]][:2] == [surprise, 17]
    assert f'<li value="1"><strong>{names[0]}</strong> <span>0.917 points a game in 12 games</span></li>' in made
    assert 'The last one: game <a href="#17">17</a>.' in made
    assert f'game <a href="#{surprise}">{surprise}</a>, whose winner could expect 0.' in made
    assert "<option" not in made and re.search(r'<h1>.*<section id="on-board">.*<section id="on-standing">', made, re.S)


def test_faults_are_on_the_page_and_names_are_harmless(tmp_path: Path) -> None:
    program(tmp_path, "rude", "'<script>alert(1)</script>'")
    path = tmp_path / "league.toml"
    text = file((*three(tmp_path)[:1], "rude"), cycles=2)
    path.write_text(text.replace('name = "first"', "name = '<b>s1|&\"x'"), "utf-8")
    played(path)
    with Journal(path.with_suffix(".sqlite")) as journal:
        made = page(journal)
    self_contained(made)
    assert "<b>" not in made and "alert(1)</script>" not in made
    assert "&lt;b&gt;s1|&amp;&#34;x" in made
    assert "which is not legal" in made
    assert re.search(r'rude</td><td class="name">illegal</td><td>4</td>', made)


@pytest.mark.slow
def test_few_games_are_chosen_with_those_that_were_lost_by_faults(tmp_path: Path) -> None:
    program(tmp_path, "moody", "'nothing' if games == 2 else said['moves'][0]")
    path = league_of(tmp_path, (*three(tmp_path), "moody"), 2)
    with Journal(path.with_suffix(".sqlite")) as journal:
        faulty = sorted(outcome.number for outcome in journal.outcomes() if any(outcome.whys))[-3:]
        made = page(journal, 9)
    found = {int(link[1:]) for link in links(self_contained(made)) if link[1:].isdigit()}
    assert len(faulty) == 3 and faulty[0] < 15, "the last games alone would have left one out"
    assert found >= {*faulty, 22, 23} and len(found) == 9 and "9 of 24 games are here" in made


def test_all_records_are_written_once(league: Path, run: Run) -> None:
    folder = league.parent / "some" / "records"
    assert output(run, "tournament", "show", league, "--records", folder).startswith("18 records in ")
    with Journal(league.with_suffix(".sqlite")) as journal:
        for outcome in journal.outcomes():
            record, told = read_with_table((folder / f"game-{outcome.number}.txt").read_text("ascii"))
            names = [journal.plan().entrants[entrant].name for entrant in outcome.result.seats]
            assert (write(record), told) == (outcome.record, {"names": names})
    assert "The game is over" in output(run, "replay", folder / "game-3.txt")
    output(run, "tournament", "show", league, "--records", folder)
    (folder / "game-3.txt").write_text("mine")
    assert "tells of something else" in refusal(run, "tournament", "show", league, "--records", folder)
    assert (folder / "game-3.txt").read_text() == "mine"
    assert "can't be made" in refusal(run, "tournament", "show", league, "--records", folder / "game-3.txt")


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_a_folder_is_no_tournament(name: str, run: Run) -> None:
    for words in (["show", name], ["report", name], ["game", name, "1"]):
        assert "is no file: name that of a tournament" in refusal(run, "tournament", *words)


@pytest.mark.slow
def test_what_a_bot_wrote_before_it_failed_is_kept(tmp_path: Path, run: Run) -> None:
    program(tmp_path, "rude", "print('because of\\nthe \\x1b book', file=sys.stderr) or 1 / 0")
    path = league_of(tmp_path, (*three(tmp_path), "rude"), 1)
    with Journal(path.with_suffix(".sqlite")) as journal:
        found = [outcome for outcome in journal.outcomes() if outcome.errors]
        assert [any(outcome.whys) for outcome in journal.outcomes()].count(True) == len(found) == 6
    out = output(run, "tournament", "game", path, found[0].number, "--kept")
    told = out.partition("The last that rude wrote to standard error:\n")[2]
    assert told.startswith("because of\nthe \\x1b book\n") and "ZeroDivisionError" in told


def fill(path: Path, games: int) -> None:
    """A tournament of twelve whose games were played at random, all in this process."""
    names = [f"bot_{number}" for number in range(12)]
    for name in names:
        program(path.parent, name)
    path.write_text(file(names, cycles=games // 66, size=4), "utf-8")
    plan = read_plan(path)
    schedule = plan.schedule()
    with Journal(path.with_suffix(".sqlite"), plan=plan) as journal:
        journal._file.execute("BEGIN")
        while journal.games < games and (block := schedule.next()):
            for fixture in block.fixtures:
                match = Match(game("maze"), {"size": 4}, 2, deal=Deal(fixture.start))
                dice = Rolls(fixture.id, "moves")
                while isinstance(match.pending, ToMove):
                    match.play(match.state.moves.sample(dice))
                assert match.over is not None
                moves, second = moves_hash(match), match.ply // 2
                first = match.ply - second
                result = Result(
                    fixture.id, fixture.block, fixture.seats, match.over.places, 0, moves, match.ply, (0.01, 0.02)
                )
                host, paces = f"host {dice.randrange(3)}", (((60, first),), ((66, second),))
                counts, record, reason = (first, second), write(match), match.over.reason
                journal.keep(
                    GameOutcome(
                        fixture.number, result, record, reason, (0.1, 0.2), counts, ("", ""), host, 0, 0.03, paces
                    )
                )
        journal._file.execute("COMMIT")


@pytest.mark.slow
def test_thousands_of_games_make_a_small_page(tmp_path: Path) -> None:
    """100 kB without games, 1 MB more with as many as can be stepped through; names and hosts."""
    path = tmp_path / "long.toml"
    fill(path, 2100)
    with Journal(path.with_suffix(".sqlite")) as journal:
        bare = page(journal, 0)
        made = page(journal)
    for text in (bare, made):
        self_contained(text)
    assert len(bare.encode()) < 100_000
    assert len(made.encode()) < 1_100_000
    assert bare.count("host ") >= 3
    assert "99 of 100" in bare and "bot_11" in bare


@pytest.mark.parametrize("many", [1, 6, 40])
def test_the_chart_over_time_holds_all_entrants_within_its_frame(many: int) -> None:
    names = [f"bot {number}" for number in range(many)]
    drawn = over_time(names, [[0.0, -50.0 * number] for number in range(many)], [2, 90])
    assert [course["name"] for course in drawn["courses"]] == names
    points = [tuple(map(float, point.split(","))) for course in drawn["courses"] for point in course["points"].split()]
    assert all(0 <= across <= WIDE and 0 <= down <= HIGH for across, down in points)
    marks = [down for down, _ in drawn["marks"]]
    assert len(marks) > 1 and all(before - after > 14 for before, after in pairwise(marks))


@pytest.mark.slow
def test_nothing_of_the_report_is_cut_without_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "league.html"
    fill(tmp_path / "league.toml", 132)
    with Journal(tmp_path / "league.sqlite") as journal:
        path.write_text(page(journal, 3), "utf-8")
    inside = "!node.closest('.scroll, .tall, svg, select')"
    broader = "node.clientWidth && node.scrollWidth > node.clientWidth + 1"
    every = "[...document.querySelectorAll('main *')]"
    cut = f"{every}.filter(node => {inside} && {broader}).map(node => node.outerHTML)"
    hints = "[...document.querySelectorAll('.broad')].map(node => getComputedStyle(node, '::before').content)"
    with browser() as chromium:
        for wide, dark in ((390, False), (390, True), (768, False), (1280, True)):
            shows = chromium.page((wide, 844), dark=dark)
            shows.open(path.as_uri())
            shows.until("!!document.querySelector('#on-standing .chart')")
            assert shows.run("document.documentElement.scrollWidth <= innerWidth")
            shows.run("document.querySelectorAll('details').forEach(node => { node.open = true })")
            assert shows.run(cut) == []
            assert {hint != "none" for hint in shows.run(hints)} == {wide < 640}
            assert shows.run("document.querySelectorAll('details').length") > 5
            shows.close()


# A journal of somebody else

EVIL = '"><meta http-equiv="refresh" content="0;url=http://evil"><svg onload=x><style>*{}</style></td>\x1b]0;x\x07'
EVILS = json.dumps([EVIL, EVIL])


def written_over(league: Path, sets: str, *values: object) -> Path:
    """The journal of a tournament, with these values in all its games."""
    path = league.with_suffix(".sqlite")
    with contextlib.closing(sqlite3.connect(path)) as file, file:
        file.execute(f"UPDATE games SET {sets}", values)
    return path


def test_a_hostile_journal_puts_no_tag_into_the_page(league: Path) -> None:
    with Journal(league.with_suffix(".sqlite")) as journal:
        journal.void(3, "a worker was lost")
        ours = shapes(self_contained(page(journal))) | {("td", "class"), ("div", "class")}
    ours |= {("h3",), ("pre", "class", "tabindex")}  # of a fault on the page of its bot
    columns = "reason = ?, moves = ?, whys = ?, errors = ?, host = ?, faults = ?"
    path = written_over(league, columns, EVIL, EVIL, EVILS, EVILS, EVIL, '["crash", null]')
    with contextlib.closing(sqlite3.connect(path)) as file, file:
        [[plan]] = file.execute("SELECT value FROM facts WHERE name = 'plan'").fetchall()
        told = json.loads(plan)
        for number, entrant in enumerate(told["entrants"]):
            entrant["name"] = f"{number}{EVIL}"
            entrant["words"] = [EVIL] if entrant["words"] else []
            entrant["bot"] = EVIL if entrant["bot"] else ""
        file.execute("UPDATE facts SET value = ? WHERE name = 'plan'", (json.dumps(told),))
        file.execute("INSERT INTO voids (number, happened, why) VALUES (0, 1, ?)", (EVIL,))
    with Journal(path) as journal:
        made = page(journal)
    assert shapes(self_contained(made.replace("http://evil", ""))) <= ours
    assert "\x1b" not in made
    assert "&lt;svg onload=x&gt;" in made


#: What no column of a journal should hold, whatever it is for; most is nothing for any.
ODD = (
    EVIL, b"x", -1, 99, "[NaN, 1]", "[1e999, 1]", '["x", "y"]', "[1.5, 2]", '{"a": 1}', "5", "[]", "[0]", "[0, 99]",
    "[-1, 0]", "[1, 2, 3]", "[null]", json.dumps([EVIL, None]), '[["crash"], null]', "[[[1000000, 1]], []]",
    "[[[1]], []]", "[1, 2]", "[" * 10**5, "[" + "1," * 10**4 + "1]",
    f"[1{'0' * 400}, 1]",
)  # fmt: skip
COLUMNS = (
    "games: plies faults seats places times counts paces whys host reason errors began speed contest block longest",
    "voids: number id block contest seats entrant why",
)


@pytest.mark.parametrize(("table", "column"), [(one[:5], column) for one in COLUMNS for column in one[7:].split()])
def test_whatever_stands_in_a_journal_is_read_or_refused(league: Path, table: str, column: str) -> None:
    """A value has the type and the range that this program writes, or the journal is damaged, and no page is made."""
    path, refused = league.with_suffix(".sqlite"), list[str]()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as file:
        if table == "voids":
            file.execute("DELETE FROM games WHERE number = 0")
            row = (1.0, 0, "x", 0, 0, "[0, 1]", 0, "SIGKILL")
            names = "happened, number, id, block, contest, seats, entrant, why"
            for _ in range(BEGINNINGS):
                file.execute(f"INSERT INTO voids ({names}) VALUES (?,?,?,?,?,?,?,?)", row)
        for value in ODD:
            file.execute(f"UPDATE {table} SET {column} = ?", (value,))
            try:
                with Journal(path) as journal:
                    assert standing_of(journal) and [*journal.outcomes()]
            except TournamentError as error:
                refused.append(str(error))
    assert all("the journal was damaged, or made by hand" in why for why in refused)
    assert len(refused) >= (1 if column in ("host", "reason", "id", "why") else 3), "and what is odd is noticed"


@pytest.mark.parametrize("plan", ["{}", "5", "[]", '{"entrants": 5}', "no JSON", "[" * 10**5, "null"])
def test_a_journal_without_a_plan_is_refused(league: Path, run: Run, plan: str) -> None:
    path = league.with_suffix(".sqlite")
    with contextlib.closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE facts SET value = ? WHERE name = 'plan'", (plan,))
    for what in ("report", "show"):
        assert "holds no plan of a tournament" in refusal(run, "tournament", what, path)


@pytest.mark.slow
def test_a_record_is_unpacked_no_further_than_records_go(league: Path, run: Run) -> None:
    packing = zlib.compressobj(1)
    bomb = b"".join([*(packing.compress(bytes(1 << 20)) for _ in range((MOST_CHARACTERS >> 20) + 1)), packing.flush()])
    path = written_over(league, "record = ?", bomb)
    with Journal(path) as journal, pytest.raises(TournamentError, match="a record of at most"):
        journal.outcome(0)
    assert "a record of at most" in refusal(run, "tournament", "game", path, 0, "--kept")


def test_a_row_of_any_size_is_not_read(league: Path, run: Run) -> None:
    path = written_over(league, "errors = CASE number WHEN 0 THEN zeroblob(?) ELSE errors END", MOST_BYTES + 1)
    assert "larger than any that this program writes" in refusal(run, "tournament", "report", path)


def test_what_a_journal_tells_is_spelled_out(league: Path, run: Run) -> None:
    path = written_over(league, "reason = ?, whys = ?, errors = ?, host = ?", EVIL, EVILS, EVILS, EVIL)
    for words in (("game", path, "0", "--kept"), ("show", path)):
        told = output(run, "tournament", *words)
        assert {letter for letter in told if not letter.isprintable()} == {"\n"}
