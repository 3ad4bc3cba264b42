"""`show --pgn`: read here as ordo and bayeselo read it, line by line and tag by tag."""

import re
from collections import Counter
from pathlib import Path

import pytest

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan_file import read
from quadrille.client.cli import main
from quadrille.client.tournament.pgn import pgn_names
from tests.ai.tournament.programs import clear, file, play, three

#: What stands between two tags that rating programs look for, in the first of their kind on a line.
TAG = re.compile(r'\[(White|Black|Result) "([^"]*)"\]')


def as_ordo(text: str) -> Counter[tuple[str, str, str]]:
    """The games: a game is complete as soon as all three tags were there."""
    games: Counter[tuple[str, str, str]] = Counter()
    tags: dict[str, str] = {}
    for line in text.splitlines():
        tags |= dict(TAG.findall(line))
        if len(tags) == 3:
            games[tags["White"], tags["Black"], tags["Result"]] += 1
            tags = {}
    assert not tags
    return games


def terminations(text: str) -> list[str]:
    """How each game ends, for a reader that skips from the tags to a result of its own (bayeselo)."""
    return [game.split("\n\n")[1] for game in text.strip().split("\n\n[Event")]


def pgn(folder: Path, capsys: pytest.CaptureFixture[str], game: str) -> tuple[str, list[tuple[int, ...]], Journal]:
    path = folder / "league.toml"
    path.write_text(file(three(folder), cycles=2, game=game), "utf-8")
    with Journal(path.with_suffix(".sqlite"), plan=read(path)) as journal:
        play(journal)
    clear()
    capsys.readouterr()
    assert main(["tournament", "show", str(path), "--pgn"]) == 0
    with Journal(path.with_suffix(".sqlite")) as journal:
        rows = [(*result.seats, *result.places) for result in journal.results()]
    return capsys.readouterr().out, rows, journal


def test_a_game_for_two_is_one_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, rows, _ = pgn(tmp_path, capsys, "maze")
    names = ["first", "last", "middle"]
    wanted = Counter((names[a], names[b], "1-0" if p < q else "0-1" if p > q else "1/2-1/2") for a, b, p, q in rows)
    assert as_ordo(text) == wanted and sum(wanted.values()) == 12
    assert Counter(terminations(text)) == Counter(result for _, _, result in wanted.elements())


def test_a_game_for_three_is_a_game_for_each_pair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, rows, _ = pgn(tmp_path, capsys, "barons")
    games = as_ordo(text)
    assert sum(games.values()) == 3 * len(rows) == 3 * 12
    assert {result for *_, result in games} <= {"1-0", "0-1", "1/2-1/2"}


def test_names_can_be_read_and_stay_apart() -> None:
    assert pgn_names(['a "b"]', "a 'b')", "a\\b", "\n", "é"]) == ["a 'b')", "a 'b') (2)", "a/b", "/n", "é"]
