"""Bundles: made of a game that was kept, read with care, and run again."""

import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.bots import notes
from quadrille.ai.bots.notes import KeptTalk, kept_games
from quadrille.ai.checks.bundle import BadBundle, Bundle, BundledLine, KeptMatch, kept_bundle, read_bundle
from quadrille.ai.checks.rerun import Rerun
from quadrille.ai.faults import BotFault
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.errors import RulesError
from tests.ai.inside import Anything, First, Inside, Wrong, play, small, talk

BEGUN = {"do": "start", "game": "maze", "options": {"size": 2}, "seats": 2, "seat": 1, "names": ["A", "B"], "news": []}


@pytest.mark.parametrize(
    "said", ["", "{", '{"turn": 1}', '{"turn": 1, "move": 3, "value": 1}', '{"turn": "x", "move": []}']
)
def test_a_kept_answer_that_is_none_has_no_thoughts(said: str) -> None:
    turn = {"do": "turn", "turn": 1, "news": [{"seat": 0, "move": "a2-a1"}]}
    over = {"do": "over", "news": [{"seat": 1, "move": "a1-b1"}, {"seat": 0, "move": "b1-b2"}]}
    answer = BundledLine(0, said=said)
    begun, asked, ended = (BundledLine(0, told=line) for line in (BEGUN, turn, over))
    kept = KeptMatch(Bundle(("a bot",), (begun, asked, answer, ended)))
    assert kept.match.over and kept.match.viewer == 1 and kept.names == ("A", "B") and not kept.thoughts


class Asks(Inside):
    """Before each move it asks what it may, and what it may not."""

    def send(self, line: bytes) -> None:
        told = json.loads(line)
        if told["do"] == "turn":
            self.asked = told["turn"]
            self._said += [b'{"ask": "moves", "limit": 2}', b'{"ask": "future"}']
        elif told["do"] == "answer" and told["answer"] == "future":
            assert "nothing to ask" in told["why"]
            self._said.append(json.dumps({"turn": self.asked, "move": self.move}).encode())
        elif told["do"] == "answer":
            self.move = told["moves"][0]
        else:
            super().send(line)


def bundle(folder: Path, inside: Inside, key: str = "barons", **terms: Any) -> Bundle:
    options = {} if key == "barons" else {"laps": 1, "lap_points": 21, "max_rounds": 2}
    kept = KeptTalk(inside, folder, print)
    play(small(key, **options), [talk(), kept], seed="dice", **terms)
    kept.close()
    return kept_bundle(kept_games(folder)[-1].read_bytes().splitlines())


def crashing() -> Inside:
    return Inside(First(), lambda line: b"ends\n" if b'"turn"' in line else line)


@pytest.mark.parametrize("key", ["barons", "dotter"])
def test_the_same_bot_answers_the_same(tmp_path: Path, key: str) -> None:
    made = bundle(tmp_path, Inside(Anything()), key)
    again = Rerun(made, Inside(Anything()), 100)
    replies = list(again.replies())
    assert [reply.to for reply in replies[:3]] == ["hello", "start", "turn 1"]
    assert len(replies) > 4 and all(reply.same for reply in replies)
    assert again.fault is None


def test_another_bot_answers_otherwise_and_the_game_goes_on_as_it_went(tmp_path: Path) -> None:
    made = bundle(tmp_path, Inside(Anything()))
    again = Rerun(made, Inside(First()), 100)
    moves = [reply for reply in again.replies() if reply.to.startswith("turn")]
    assert len(moves) == 4 and not all(reply.same for reply in moves)
    assert again.fault is None


def test_what_it_asks_is_answered_from_its_view(tmp_path: Path) -> None:
    made = bundle(tmp_path, Asks(First()))
    assert sum('"ask"' in line.said for line in made.lines) == 8
    again = Rerun(made, Asks(First()), 100)
    assert all(reply.same for reply in again.replies()) and again.fault is None


def test_an_illegal_move_is_illegal_again_and_a_good_bot_moves_there(tmp_path: Path) -> None:
    made = bundle(tmp_path, Inside(Wrong()))
    assert made.fault.kind == "illegal"
    again = Rerun(made, Inside(Wrong()), 100)
    *_, last = again.replies()
    assert (last.to, last.then, last.now, last.same) == ("turn 1", "z99", "z99", True)
    assert again.fault.kind == "illegal"
    better = Rerun(made, Inside(First()), 100)
    *_, last = better.replies()
    assert last.then == "z99" and better.fault is None
    assert last.now in map(str, better.course.view.moves)


def test_what_was_missing_then_is_asked_for_again(tmp_path: Path) -> None:
    made = bundle(tmp_path, crashing())
    assert made.fault.kind == "crash"
    *_, last = Rerun(made, Inside(First()), 100).replies()
    assert (last.to, last.then) == ("turn 1", None) and last.now
    again = Rerun(made, crashing(), 100)
    *_, last = again.replies()
    assert last.now is None and again.fault.kind == "crash"


def test_a_bundle_holds_the_view_the_clock_and_the_seed(tmp_path: Path) -> None:
    made = bundle(tmp_path, Inside(Anything()), clock=TimeControl(60_000, 1000))
    data = json.loads(json.dumps(made.plain()))
    assert (data["game"], data["seats"], data["seat"], data["seed"]) == ("barons", 2, 1, "dice")
    assert data["terms"] == {"initial": 60_000, "increment": 1000}
    assert len(data["clock"]["left"]) == 2 and data["turn"] == 4
    assert data["view"]["game"] == "barons" and any("player 2" in line for line in data["text"])
    read = read_bundle(json.dumps(data).encode())
    assert read.plain() == made.plain()


def test_the_bundle_of_a_fault_is_read_as_it_was(tmp_path: Path) -> None:
    made = bundle(tmp_path, Inside(First(), lambda line: b"\xff\xfe" if b'"turn"' in line else line))
    read = read_bundle(json.dumps(made.plain()).encode())
    assert (read.fault.kind, read.fault.why, read.lines) == (made.fault.kind, made.fault.why, made.lines)


GOOD = {"bundle": 1, "command": ["x"], "lines": []}


WRONG = [1], [{"at": 1}], [{"at": 1, "told": {"do": 3}}], [{"at": "1", "said": "x"}]


@pytest.mark.parametrize(
    "text",
    [
        *(b"", b"\xff", b"[]", b"{}", b"[" * 5000, b'{"bundle": 2}', b'{"bundle": 1}'),
        *(json.dumps(GOOD | wrong).encode() for wrong in ({"command": "rm"}, *({"lines": lines} for lines in WRONG))),
    ],
)
def test_what_is_no_bundle_is_refused(text: bytes) -> None:
    with pytest.raises(BadBundle):
        read_bundle(text)


@pytest.mark.parametrize(
    "told",
    [
        {"do": "start"}, {"do": "turn", "turn": "1"}, {"do": "turn", "turn": 1},
        *({"do": "turn", "turn": 1, "news": [news]} for news in ({"seat": 0, "move": "a2-a1"}, {"faces": ["1p"]})),
        *(
            BEGUN | wrong
            for wrong in (
                {"seat": "x"}, {"seat": 7}, {"seats": "2"}, {"seats": 99}, {"game": "chess"}, {"game": 3},
                {"options": 3}, {"options": {"size": 10**9}}, {"options": {"size": "no"}}, {"news": [3]}, {"news": 3},
            )
        ),
        *(
            BEGUN | {"news": [news]}
            for news in (
                {"seat": 0, "move": "z9"}, {"seat": 0, "move": 3}, {"seat": 5, "left": "resigned"}, {"faces": ["?"]},
                {"undone": "x"}, {"undone": 5}, {"seen": {"x": "y"}},
            )
        ),
    ],
)  # fmt: skip
def test_a_game_that_can_not_have_been_is_refused(told: dict[str, Any]) -> None:
    made = read_bundle(json.dumps(GOOD | {"lines": [{"at": 0, "told": told}, {"at": 1, "said": "{}"}]}).encode())
    deaf = Inside(Anything())
    deaf.send = lambda line: None  # type: ignore[method-assign]
    for reads in (lambda: list(Rerun(made, deaf, 100).replies()), made.plain, lambda: KeptMatch(made)):
        with pytest.raises(RulesError):
            reads()


@pytest.mark.parametrize(
    "lines", [[], [BEGUN | {"names": 3}], [BEGUN, {"do": "over", "news": [{"adjudicated": [7], "why": 3}]}]]
)
def test_a_kept_match_that_is_none_is_refused_in_words(lines: list[dict[str, Any]]) -> None:
    with pytest.raises(RulesError):
        KeptMatch(Bundle(("a bot",), tuple(BundledLine(0, told=line) for line in lines)))


# What is kept of a bot's games: which lines, how much, how many; and that it never costs the game


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
