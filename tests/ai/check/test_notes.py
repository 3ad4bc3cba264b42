"""What is kept of a bot's games: which lines, how much, how many; and that it never costs the game."""

import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.bots import notes
from quadrille.ai.bots.notes import KeptTalk, kept_games
from quadrille.ai.checks.bundle import Bundle, kept_bundle
from quadrille.ai.faults import BotFault
from tests.ai.bots.programs import play
from tests.ai.inside import Anything, Inside, small, talk


def kept_talk(folder: Path, said: list[str], errors: str = "", **more: Any) -> KeptTalk:
    """A bot in this process; `errors` is what it has written to standard error so far."""
    inside = Inside(Anything(), more.pop("distort", bytes))
    inside.errors = errors
    return KeptTalk(inside, folder, said.append, **more)


def bundled(folder: Path) -> list[Bundle]:
    return [kept_bundle(path.read_bytes().splitlines()) for path in kept_games(folder)]


def play_one(kept: KeptTalk) -> Any:
    return play(small(width=2, height=2), [kept, talk()])


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_each_game_has_a_file_with_all_lines(tmp_path: Path) -> None:
    said: list[str] = []
    kept = kept_talk(tmp_path / "games", said)
    play_one(kept)
    play_one(kept)
    kept.close()
    first, second = kept_games(tmp_path / "games")
    for path in (first, second):
        head, hello, greeting, start, ready, *moves = rows(path)
        assert head["kept"] == 1 and head["command"] == ["a bot"]
        assert (hello["told"]["do"], start["told"]["do"]) == ("hello", "start")
        assert json.loads(greeting["said"])["hello"] == "Anything"
        assert json.loads(ready["said"]) == {"ready": True}
        assert sum("said" in row for row in moves) == 2
        assert stat.S_IMODE(path.stat().st_mode) == 0o600 or sys.platform == "win32"
    assert rows(second)[-1]["told"]["do"] == "quit"
    assert said == []


def test_what_it_writes_to_standard_error_belongs_to_its_game(tmp_path: Path) -> None:
    kept = kept_talk(tmp_path, [], "hello\n")
    for name in ("first", "second"):
        play_one(kept)
        kept.program.errors += f"the {name}\n"
    kept.close()
    assert [game.errors for game in bundled(tmp_path)] == ["the first\n", "the second\n"]


def test_the_fault_is_kept_with_the_line(tmp_path: Path) -> None:
    kept = kept_talk(tmp_path, [], distort=lambda line: b'\xff{"turn"' if b"turn" in line else line)
    faults = play_one(kept).faults
    [bundle] = bundled(tmp_path)
    assert (bundle.fault.kind, bundle.fault.why) == ("protocol", faults[0].why)
    assert bundle.lines[-1].said == '\udcff{"turn"'
    with pytest.raises(BotFault):
        kept.hear()
    kept.close()
    assert len(kept_games(tmp_path)) == 1


def test_a_program_that_never_says_who_it_is_leaves_a_file_too(tmp_path: Path) -> None:
    kept = kept_talk(tmp_path, [], "no such model\n", distort=lambda line: b"ends\n")
    with pytest.raises(BotFault):
        kept.greet()
    [bundle] = bundled(tmp_path)
    assert (bundle.fault.kind, bundle.errors, bundle.plain()["view"]) == ("crash", "no such model\n", None)


def test_a_long_game_is_cut_and_its_end_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes, "MOST_BYTES", 700)
    kept = kept_talk(tmp_path, [], "late\n")
    play_one(kept)
    kept.close()
    [path] = kept_games(tmp_path)
    assert path.stat().st_size < 1200
    assert any("cut" in row for row in rows(path))
    assert bundled(tmp_path)[0].cut


def test_the_oldest_games_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes, "MOST_GAMES", 3)
    kept = kept_talk(tmp_path, [])
    seen: list[Path] = []
    for _ in range(5):
        play_one(kept)
        seen.append(kept_games(tmp_path)[-1])
    kept.close()
    assert kept_games(tmp_path) == seen[-3:]


FULL = Path("/dev/full")


@pytest.mark.parametrize(
    ("full", "why"),
    [
        (False, "not kept any more"),
        pytest.param(True, "No space left", marks=pytest.mark.skipif(not FULL.exists(), reason="needs a full device")),
    ],
)
def test_a_folder_that_can_not_be_written_costs_a_sentence_and_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: bool, why: str
) -> None:
    if full:
        monkeypatch.setattr(notes, "_new_file", lambda folder, table: (FULL, FULL.open("wb")))
    (tmp_path / "file").write_text("")
    said: list[str] = []
    kept = kept_talk(tmp_path if full else tmp_path / "file" / "games", said)
    assert play_one(kept).faults == {} and play_one(kept).faults == {}
    kept.close()
    assert len(said) == 1 and why in said[0]
