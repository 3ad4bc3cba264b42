"""`quadrille openings`: counted by hand, up to symmetry, with what is proven; and whatever may lie in a folder."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import compress

import pytest

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan_file import read as read_plan
from quadrille.ai.tournament.play.playing import GameOutcome
from quadrille.ai.tournament.results import Result
from quadrille.client.commands import additions
from quadrille.client.tournament.report import page
from quadrille.extras.study.openings import exploration
from quadrille.extras.study.openings.exploration import Exploration
from quadrille.extras.study.openings.tables import OpeningTable
from quadrille.extras.study.openings.tree import BoundedProofs, CountedGame, OpeningTree, ProvenPayoff
from quadrille.rules.chance import Stream
from quadrille.rules.match import Deal, Match
from quadrille.rules.record import first_moves, write
from quadrille.rules.registry import game
from quadrille.rules.search import Position
from tests.ai.tournament.programs import file, program, three
from tests.client.conftest import Run, output
from tests.client.test_tournament import played

SMALL = {"width": 3, "height": 3}


def decided(moves: str, *places: int, key: str = "barons", **options: object) -> Match:
    """Return a game with these moves that somebody ended with these places."""
    match = Match(game(key), options or SMALL, len(places))
    for move in moves.split():
        match.play(move)
    match.adjudicate(places, "by hand")
    return match


def saved(name: str, match: Match, **table: object) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(write(match, table), "ascii")


def by_hand() -> None:
    """Seven games of Barons 3 x 3 in the folder games: five begin in a corner, two in the middle."""
    games = (
        ("a1 b2", 1, 2),
        ("c3 b2", 2, 1),  # the same, turned
        ("a3 b2", 1, 1),  # the same, mirrored
        ("a1 c1", 1, 2),
        ("c3 a3", 2, 1),  # the same, turned
        ("b2 a1", 1, 2),
        ("b2 c1", 1, 2),  # the same, mirrored
    )
    for number, (moves, *places) in enumerate(games):
        saved(f"games/{number}.txt", decided(moves, *places))


def found(run: Run, words: str, code: int = 0) -> Any:
    ran = run(f"openings {words} --json")
    assert ran.code == code, ran.err
    return json.loads(ran.out)


def told(line: dict[str, Any]) -> tuple[str, int, float]:
    """Return a line's last move, its games, and its mover's share."""
    return (line["given"] + line["moves"])[-1], line["games"], line["shares"][line["seat"]]["share"]


def test_games_counted_by_hand(run: Run) -> None:
    by_hand()
    [table] = found(run, "games --least 1 --positions 0")["tables"]
    [start] = table["starts"]
    assert (start["given"], start["moves"], start["games"]) == ([], [], 7)
    corner, middle = start["after"]
    assert told(corner) == ("a1", 5, 0.5) and told(middle) == ("b2", 2, 1.0)
    assert list(map(told, corner["after"])) == [("b2", 3, 0.5), ("c1", 2, 0.5)]
    assert list(map(told, middle["after"])) == [("a1", 2, 0.0)]
    # Student's 0.975 quantile with 4 degrees of freedom is 2.776; the points are 1, 0, a half, 1 and 0
    assert 2.776 * (0.25 / 5) ** 0.5 > 0.5
    assert (corner["shares"][0]["low"], corner["shares"][0]["high"]) == (0.0, 1.0)
    # of all seven it is 2.447
    assert start["shares"][0]["share"] == round(4.5 / 7, 6)
    assert start["shares"][0]["low"] == pytest.approx(4.5 / 7 - 2.447 * 0.18, abs=0.06)


def test_the_table_for_a_person(run: Run) -> None:
    by_hand()
    ran = run("openings games --least 3")
    assert ran.code == 0
    lines = [line.rstrip() for line in ran.out.splitlines()]
    assert lines[0] == "Barons, 2 players, 3 x 3: 7 games"
    assert [" ".join(line.split()[:2]) for line in lines[3:7]] == ["first position", "1. a1", "2. b2", "1 rarer"]
    assert "A line also counts the images of its moves by the symmetries of the board" in ran.out
    assert "from the scatter of single games (7)" in " ".join(ran.out.split())
    assert max(map(len, lines)) <= 80


def test_given_moves_are_nobodys_choice(run: Run) -> None:
    saved("games/0.txt", decided("a1 b2 c3", 1, 2), opening=1)
    saved("games/1.txt", decided("c1 b2 c3", 2, 1), opening=1)  # the same opening, mirrored
    saved("games/2.txt", decided("a1 b2 c3", 1, 2))
    saved("games/3.txt", decided("b2 a1", 1, 2), opening=1)
    [table] = found(run, "games --least 2 --positions 0 --plies 1")["tables"]
    usual, given = table["starts"]
    assert (usual["given"], usual["games"], usual["rare"]) == ([], 1, {"moves": 1, "games": 1})
    assert (given["given"], given["games"], given["seat"]) == (["a1"], 2, 1)
    assert [(line["given"], line["moves"], line["games"]) for line in given["after"]] == [(["a1"], ["b2"], 2)]
    assert (table["given"], table["rare"]) == (3, {"openings": 1, "games": 1})
    said = " ".join(run("openings games --least 2").out.split())
    assert "3 games began with given moves, which nobody chose: each such opening stands by itself" in said
    assert "; 1 opening, with 1 game in all, is too rare to be shown." in said


@pytest.mark.slow
def test_proven_values_are_those_of_a_full_proof() -> None:
    """Lines of forty games of Dollar Draw 3 x 3 at random, up to their ends, each against a proof of its own."""
    made, dice = OpeningTree(game("dollar-draw"), SMALL, 2, 20), Stream("proofs")
    for _ in range(40):
        state, moves = made.first, list[str]()
        while state.moves:
            move = state.moves.sample(dice)
            moves.append(str(move))
            state = state.play(move)
        made.add(CountedGame(tuple(moves), 0, (2, 0), object(), ""))
    lines = OpeningTable(made, 1, 100_000).proven
    assert len(lines) > 50
    for node, proven in [*lines.items()][:50]:
        position = Position.start("dollar-draw", SMALL, 2, moves=node.moves)
        value = position.prove(100_000).value if not position.over else 2 * (position.payoffs()[node.seat] > 0) - 1
        expected = value if position.over or position.seat == node.seat else -value
        assert proven == ProvenPayoff(expected, expected)


def test_the_half_turn_needs_no_search(run: Run) -> None:
    """Dollar Draw on an even number of squares is won for S; Barons on one gives the second seat a share at least."""
    saved("d/0.txt", decided("a2", 1, 2, key="dollar-draw", width=4, height=4))
    ran = run("openings d --least 1 --positions 0")
    assert [line.split()[-1] for line in ran.out.splitlines()[3:5]] == ["loses", "loses"]
    saved("b/0.txt", decided("a1", 1, 2, width=4, height=3))
    ran = run("openings b --least 1 --positions 0")
    assert [line.split()[-3:] for line in ran.out.splitlines()[3:5]] == [["at", "most", "ties"]] * 2


def test_every_seat_of_a_larger_table_has_its_points(run: Run) -> None:
    saved("games/0.txt", decided("a1 b2", 1, 2, 3))
    saved("games/1.txt", decided("c3 b2", 3, 1, 2))
    [table] = found(run, "games --least 1")["tables"]
    [start] = table["starts"]
    assert [share["share"] for share in start["shares"]] == [0.5, 0.75, 0.25]
    assert start["proven"] is None
    rows = [line.split() for line in run("openings games --least 1").out.splitlines()]
    assert [row[-3:-1] for row in rows[3:4]] == [["1", "0.50"]] and rows[4][:2] == ["2", "0.75"]


@pytest.mark.parametrize(
    ("key", "why"),
    [("dotter", "Dotter deals hidden cards"), ("coin-isolation", "Coin Isolation draws its first position")],
)
def test_what_is_dealt_has_no_openings(run: Run, key: str, why: str) -> None:
    match = Match(game(key), None, 2, deal=Deal("s"))
    match.adjudicate((1, 2), "by hand")
    saved("f", match)
    ran = run("openings f")
    assert ran.code == 1 and why in ran.out
    assert found(run, "f", 1)["tables"][0]["starts"] == []


def test_different_tables_stand_apart(run: Run) -> None:
    by_hand()
    saved("games/more/a.txt", decided("a1", 1, 2, width=4, height=3))
    saved("games/more/b.txt", decided("a1", 1, 2, 3))
    tables = found(run, "games --least 1 --positions 0")["tables"]
    assert [(table["games"], table["seats"], table["options"]["width"]) for table in tables] == [
        (7, 2, 3), (1, 2, 4), (1, 3, 3)
    ]  # fmt: skip


def test_whatever_lies_in_a_folder(run: Run) -> None:
    """A cut record, one of another version, a copy, other files, a pipe, a link that leads nowhere or back."""
    by_hand()
    whole = Path("games/0.txt").read_text()
    Path("games/cut.txt").write_text(whole[:-20])
    Path("games/changed.txt").write_text(whole.replace("p1 a1", "p1 a2"))
    Path("games/later.txt").write_text("quadrille record 9 #00000000\n")
    Path("games/copy.txt").write_text(whole)
    Path("games/notes.txt").write_text("mine")
    Path("games/empty.txt").write_text("")
    Path("games/nowhere").symlink_to("nothing")
    Path("games/back").symlink_to(".")
    match = Match(game("barons"), SMALL, 2)
    match.play("b2")
    saved("games/unfinished.txt", match)
    match.leave(1)
    saved("games/left.txt", match)
    if hasattr(os, "mkfifo"):
        os.mkfifo("games/pipe")
    ran = run("openings games --least 1 --positions 0")
    assert ran.code == 0
    assert ran.err.count("passed over: ") == 4
    for name in ("cut.txt: line ", "changed.txt: line ", "later.txt: line 1: this is a record of form 9", "nowhere: "):
        assert f"games/{name}" in ran.err
    said = " ".join(ran.out.split())
    assert "Barons, 2 players, 3 x 3: 8 games" in said
    assert "1 game is not finished and does not count." in said
    assert "1 game was left by a seat and counts as it ended." in said
    assert "1 record is the same as another and counts once." in said
    assert f"{3 if hasattr(os, 'mkfifo') else 2} other files are no records." in said


@pytest.mark.slow
def test_copies_of_a_dealt_game_are_found_whoever_saved_them(run: Run) -> None:
    """Two people who play the same moves without a seed may have played twice."""
    for seed, folder in (("s", "dealt"), (None, "undealt")):
        match = Match(game("barons"), SMALL, 2, deal=Deal(seed) if seed else None)
        match.play("a1")
        match.adjudicate((1, 2), "by hand")
        saved(f"{folder}/ann.txt", match, names=["Ann", "Ben"])
        saved(f"{folder}/ben.txt", match, names=["Ann", "B."])
    assert (one := found(run, "dealt"))["copies"] == 1 == one["games"]
    assert (two := found(run, "undealt"))["copies"] == 0 and two["tables"][0]["repeated"] == 1


def test_an_endless_folder_is_bounded(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    by_hand()
    monkeypatch.setattr(exploration, "MOST_FILES", 3)
    ran = run("openings games --least 1")
    assert ran.code == 0 and "3 x 3: 3 games" in ran.out
    assert "there are more than 3 files: the rest was not read" in ran.err


def stop_after(monkeypatch: pytest.MonkeyPatch, kind: type, name: str, times: int) -> None:
    """Let somebody press Ctrl-C in that call."""
    real: Callable[..., Any] = getattr(kind, name)
    calls = Counter[str]()

    def stopping(*words: Any) -> Any:
        calls[name] += 1
        if calls[name] == times:
            raise KeyboardInterrupt
        return real(*words)

    monkeypatch.setattr(kind, name, stopping)


def test_ctrl_c_shows_what_was_read_and_the_games_during_the_proofs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    by_hand()
    with monkeypatch.context() as patch:
        stop_after(patch, Exploration, "_read_one", 4)
        ran = run("openings games --least 1")
        assert ran.code == 130 and "3 x 3: 3 games" in ran.out
        assert "stopped: the tables have only what was read and proven so far" in ran.err
    stop_after(monkeypatch, BoundedProofs, "of", 3)
    data = found(run, "games --least 1", 130)
    assert data["stopped"] and data["games"] == 7
    assert data["tables"][0]["starts"][0]["proven"] is None


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("nothing", "nothing: No such file"),
        ("nothing.toml", 'there is no file "nothing.toml"'),
        ("games --plies 0", "--plies: it takes a number from 1 to 20, not 0"),
        ("games --plies 21", "--plies: it takes a number from 1 to 20, not 21"),
        ("games --least 0", "--least: it takes a number from 1 "),
        ("games --positions -1", "--positions: it takes a number from 0 "),
        ("/dev/null", "/dev/null is no ordinary file"),
    ],
)
def test_refusals(run: Run, words: str, why: str) -> None:
    by_hand()
    ran = run(f"openings {words}")
    assert ran.code == 2 and why in ran.err


def test_nothing_to_tell(run: Run) -> None:
    Path("games").mkdir()
    Path("f").write_text("mine")
    assert run("openings games").code == run("openings f").code == 1
    assert "No finished game is there to tell anything." in run("openings games").out
    assert "passed over: f: line 1: this is no record" in run("openings f").err


def test_first_moves_of_a_record_are_read_without_replaying_it() -> None:
    match = Match(game("barons"), SMALL, 3)
    for move in ("a1", "b2"):
        match.play(move)
    match.leave(2)
    match.play("c3")
    assert first_moves(write(match), 9) == ("a1", "b2")
    assert first_moves(write(match), 1) == ("a1",)
    assert first_moves("", 3) == ()


# Tournaments

#: The second is the mirror image of the first.
OPENINGS = ("a6-b6 b6-c6", "a6-a5 a5-a4", "a6-b6 b6-b5")


@pytest.fixture
def opened(tmp_path: Path) -> Path:
    """Return the file of a tournament that began with openings."""
    path, book = tmp_path / "opened.toml", []
    for moves in OPENINGS:
        match = Match(game("maze"), {"size": 6}, 2)
        for move in moves.split():
            match.play(move)
        book.append(write(match))
    (tmp_path / "book.txt").write_text("".join(book), "ascii")
    path.write_text(file(three(tmp_path), cycles=3, size=6, more="[openings]\nfile = 'book.txt'\n"), "utf-8")
    played(path)
    return path


@pytest.mark.slow
def test_records_of_a_tournament_tell_how_many_moves_were_given(opened: Path, run: Run) -> None:
    """`tournament show --records` wrote given moves as if the bots had chosen them."""
    folder = opened.parent / "records"
    output(run, "tournament", "show", opened, "--records", folder)
    words = ("--least", 1, "--positions", 0, "--json")
    apart = json.loads(output(run, "openings", folder, *words))
    together = json.loads(output(run, "openings", folder, opened, *words))
    assert apart["single"] + apart["copies"] == 18 and apart["tables"][0]["given"] == apart["single"]
    assert (together["in_blocks"], together["single"], together["copies"]) == (18, 0, 18)
    known = {tuple(start["given"]) for start in apart["tables"][0]["starts"]}
    assert known == {tuple(start["given"]) for start in together["tables"][0]["starts"]} and () not in known
    single = opened.parent / "one.txt"
    output(run, "tournament", "game", opened, 3, "--kept", "-o", single)
    assert single.read_text() == (folder / "game-3.txt").read_text()


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Journal]:
    """Keep twelve blocks of equal games by hand: both first moves of Maze 3 are images of one another."""
    path = tmp_path / "long.toml"
    for name in ("one", "other"):
        program(tmp_path, name)
    path.write_text(file(("one", "other"), cycles=12, size=3), "utf-8")
    plan = read_plan(path)
    schedule = plan.schedule()
    with Journal(path.with_suffix(".sqlite"), plan=plan) as journal:
        while block := schedule.next():
            for at, fixture in enumerate(block.fixtures):
                match = Match(game("maze"), {"size": 3}, 2, deal=Deal(fixture.start))
                match.play(sorted(map(str, match.state.moves))[0 if at == 0 else -1])
                match.play(next(iter(match.state.moves)))
                places = (1, 2) if at == 0 else (2, 1)
                match.adjudicate(places, "by hand")
                result = Result(fixture.id, fixture.block, fixture.seats, places, 0, f"{fixture.number}", match.ply)
                nothing = ((0.0, 0.0), (1, 1), ("", ""), "host", 0.0, 0.0)
                journal.keep(GameOutcome(fixture.number, result, write(match), "by hand", *nothing))
        yield journal


def test_a_damaged_record_and_an_incomplete_block_do_not_count(kept: Journal, tmp_path: Path, run: Run) -> None:
    [[record]] = kept.rows(["record"], "WHERE number = 5")
    damaged = compress(record.replace("\n1 p1 ", "\n1 p1 z").encode())
    kept._file.execute("UPDATE games SET record = ? WHERE number = 5", (damaged,))
    kept._file.execute("DELETE FROM games WHERE number = 23")
    kept.close()
    data = json.loads(output(run, "openings", tmp_path / "long.toml", "--positions", 0, "--json"))
    assert (data["games"], data["damaged"], data["beyond"]) == (21, 1, 1)


def test_a_report_of_a_larger_tree_indents_replies(kept: Journal) -> None:
    made = page(kept, ways=additions("tournament"))
    section = made.partition('<details id="on-openings">')[2].partition("</details>")[0]
    assert '<td class="name">1. a3-a2</td><td>24</td><td class="name">0.50, 0.37 to 0.63</td>' in section
    assert '<td class="name">· 2. a2-a1</td><td>12</td><td class="name">0.00, 0.00 to 0.26</td>' in section
