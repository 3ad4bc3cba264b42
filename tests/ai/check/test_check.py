"""The check of bots names what each broken bot does wrong, finds nothing wrong with a good one, and ends in time."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai import Number
from quadrille.ai.bots.notes import KeptTalk
from quadrille.ai.bots.process.program import Limits, Program, kit_command
from quadrille.ai.checks import check as checks
from quadrille.ai.checks import trial
from quadrille.ai.checks.check import Checkup
from quadrille.ai.checks.end import _name
from quadrille.ai.checks.network import check_network
from quadrille.ai.checks.trial import Player, Setting
from quadrille.ai.faults import BotFault
from quadrille.rules.registry import keys
from tests.ai.bots.broken import AFTERWARDS, Broken, first
from tests.ai.inside import Anything, Inside, Noting
from tests.waiting import soon

#: So much that nobody is late and nothing cut short on however slow a machine: in seconds, and in milliseconds.
ALL_THE_TIME, PATIENT = 3600.0, 60_000
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what runs")


class PatientAtStart(KeptTalk):
    """Only in its turns it may be late."""

    def __init__(self, *given: Any, start: int) -> None:
        super().__init__(*given, start=max(start, PATIENT))


def few_games(monkeypatch: pytest.MonkeyPatch, count: int = 1) -> None:
    """Have each check play the first of its games only."""
    usual = checks._settings
    monkeypatch.setattr(checks, "_settings", lambda *given, **more: usual(*given, **more)[:count])


def test_what_a_tournament_asks_before_its_first_game_is_checked_first(tmp_path: Path) -> None:
    """That the bot begins, takes its values and makes two moves: this one makes a single one."""

    class Once(Anything):
        def choose(self, view: Any, clock: Any, rng: Any) -> str:
            return "nowhere" if view.board.legal() < 8 else str(view.moves.sample(rng))

    with Checkup(lambda: Inside(Once()), tmp_path, patience=PATIENT, seconds=ALL_THE_TIME) as checkup:
        [found] = checkup.greet().findings
    assert (found.check, found.kind) == ("start", "illegal") and "nowhere" in found.why


@pytest.mark.slow
@on_linux
@pytest.mark.parametrize("bot", first(AFTERWARDS, "leaves_children"))
def test_what_a_bot_does_after_its_game_is_named(bot: Broken, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    says = {"dies_between": "ended with exit code 1", "ignores_quit": "did not end", "leaves_children": "left 3 proc"}
    # these move at once, and leave proposals without an answer, for which they are waited for
    monkeypatch.setattr(trial, "OFFER", 1000)
    monkeypatch.setattr(checks, "KeptTalk", PatientAtStart)
    few_games(monkeypatch, 2 if bot.says else 1)
    command = [sys.executable, "-I", "-S", str(bot.path)]
    with Checkup(lambda: Program(command), tmp_path, patience=PATIENT, seconds=ALL_THE_TIME, quick=True) as checkup:
        checkup.greet()
        for run in checkup.checks():
            if not checkup.gives_up:
                run()
    assert checkup.findings and says[str(bot)] in checkup.findings[0].why


@on_linux
def test_what_a_bot_leaves_behind_is_named_in_a_line_whatever_it_calls_itself() -> None:
    with subprocess.Popen([b"\xff\nquadrille:\x1b[31m", "60"], executable="/bin/sleep") as left:
        named = soon(lambda: "quadrille:" in _name(left.pid))  # Popen may return before the system shows its words
        name = _name(left.pid)
        left.kill()
    assert named and name.isprintable()


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Checkup]:
    """Make a check of a bot in this process."""
    monkeypatch.setattr(checks, "check_end", lambda play, player: play())

    def inside(bot: Anything, program: Callable[[Anything], Inside] = Inside) -> Checkup:
        return Checkup(lambda: program(bot), tmp_path, patience=PATIENT, seconds=ALL_THE_TIME, quick=True)

    return inside


@pytest.mark.slow
def test_a_good_bot_is_fine(inside: Callable[..., Checkup]) -> None:
    with inside(Anything()) as checkup:
        done = [checkup.greet(), *(run() for run in checkup.checks())]
    assert checkup.findings == [] and all(one.complete for one in done)
    assert {one.key for one in checkup.known} == set(keys())
    games = {one.name: one.games for one in done}
    assert games["games"] >= 2 * len(keys()) and games["takebacks"] and games["network"] >= len(keys())
    assert checkup.remarks == []


@pytest.mark.slow
def test_a_bot_that_leaves_proposals_without_an_answer_is_noted(
    inside: Callable[..., Checkup], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Silent(Inside):
        def send(self, line: bytes) -> None:
            super().send(line)
            if line.startswith(b'{"do": "offer"'):
                self._said.pop()

    monkeypatch.setattr(trial, "OFFER", 1000)
    with inside(Anything(), Silent) as checkup:
        checkup.greet()
        offers = checkup.checks()[4]()
    assert (offers.name, offers.findings) == ("offers", [])
    assert checkup.remarks == ["it never answers proposals: each counts as declined"]


def test_a_field_that_is_dropped_is_noted_once(inside: Callable[..., Checkup], monkeypatch: pytest.MonkeyPatch) -> None:
    few_games(monkeypatch)
    with inside(Noting(value=2, note="sure")) as checkup:
        checkup.greet()
        assert checkup.checks()[0]().findings == []
    [remark] = checkup.remarks
    assert remark.startswith('its "value" beside a move is dropped: it takes a number from -1 to 1, not 2 (')


def test_a_check_ends_when_its_time_is_over(inside: Callable[..., Checkup]) -> None:
    with inside(Anything()) as checkup:
        checkup._end = 0
        checkup.greet()
        *rest, end = [run() for run in checkup.checks()]
    assert not any(one.complete or one.games for one in rest) and end.games == 1


def test_a_bot_that_knows_no_game_of_ours(inside: Callable[..., Checkup]) -> None:
    class Chess(Anything):
        games = ("chess",)

    with inside(Chess()) as checkup:
        [finding] = checkup.greet().findings
    assert finding.why == "plays chess only: no such game is here" and checkup.gives_up
    assert checkup.remarks == ['it says that it plays "chess", and there is no such game here']


def test_a_bot_is_checked_with_the_least_and_the_most_of_what_it_declares(inside: Callable[..., Checkup]) -> None:
    class Width(Anything):
        games = ("maze",)
        width = Number(0, 8, usual=4)

        def choose(self, view: Any, clock: Any, rng: Any) -> Any:
            assert 8 // self.width
            return super().choose(view, clock, rng)

    class Failing(Inside):
        def send(self, line: bytes) -> None:
            try:
                super().send(line)
            except ZeroDivisionError:
                self._said.append(b"ends")

    with inside(Width(), Failing) as checkup:
        assert checkup.greet().findings == []
        [check] = [one for run in checkup.checks()[:-2] if (one := run()).name == "parameters"]
    [finding] = check.findings
    assert (finding.kind, "width 0" in finding.setting) == ("crash", True)


def test_what_is_wrong_only_on_the_network_is_found_there(tmp_path: Path) -> None:
    """Each second program of it gives up: the one that comes after its peer has broken down."""
    made: list[Inside] = []

    def bring() -> KeptTalk:
        made.append(Inside(Anything(), lambda line: b"ends\n" if len(made) == 2 and b"turn" in line else line))
        return KeptTalk(made[-1], tmp_path, print)

    setting = Setting("barons", {"width": 4, "height": 5}, 2, 0, "network")
    with pytest.raises(BotFault, match="exit code 1"):
        check_network(setting, Player(bring), 5000, 2**40)
    assert check_network(setting, Player(bring), 5000, 2**40)


def test_the_same_seed_gives_the_same_game_on_the_network(tmp_path: Path) -> None:
    logs = []
    for _ in range(2):
        folder = tmp_path / str(len(logs))
        player = Player(lambda folder=folder: KeptTalk(Inside(Anything()), folder, print))
        assert check_network(Setting("maze", {"size": 4}, 2, 0, "again"), player, PATIENT, 2**40)
        told = [path.read_text().splitlines() for path in sorted(folder.iterdir())]
        logs.append([[line.partition('"told"')[2] for line in lines if '"told"' in line] for lines in told])
    assert logs[0] == logs[1]


@pytest.mark.first(1)
@on_linux
@pytest.mark.parametrize(
    "tries",
    [
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'here', ('192.0.2.1', 9))",
        "socket.socket(socket.AF_INET6).bind(('::1', 0))",
    ],
)
def test_a_bot_that_uses_the_network_is_noted(tmp_path: Path, tries: str, monkeypatch: pytest.MonkeyPatch) -> None:
    few_games(monkeypatch)
    (tmp_path / "bot.py").write_text(f"""
import contextlib, socket
from quadrille.ai import Bot
with contextlib.suppress(OSError):
    {tries}
class Mine(Bot):
    def choose(self, view, clock, rng):
        return view.moves.sample(rng)
""")

    def program() -> Program:
        return Program(kit_command(str(tmp_path / "bot.py")), limits=Limits(isolate="if possible"))

    with program() as first:
        if not first.protection.namespaces:
            pytest.skip("this system makes no namespaces")
    with Checkup(program, tmp_path / "games", patience=PATIENT, seconds=ALL_THE_TIME, quick=True) as checkup:
        checkup.greet()
        checkup.checks()[0]()
    assert not checkup.findings
    assert [note.partition(",")[0] for note in checkup.remarks] == ["it tried to use a network"], (
        "Java does, and needs none"
    )
