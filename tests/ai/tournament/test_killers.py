"""Bots that end their rivals, or themselves: in a box who ends itself loses. Elsewhere nobody loses by a signal, nobody
gains, and the run ends and says so.
"""

import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from quadrille.ai.bots.process import cgroup
from quadrille.ai.bots.process.cgroup import Cgroup
from quadrille.ai.tournament.counting import FEW_KILLS
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play import playing
from quadrille.ai.tournament.results import BEGINNINGS
from quadrille.ai.tournament.run_events import OVER, Event, Finished, Unplayed, Void, Warned
from quadrille.client.cli import main
from quadrille.client.tournament.tables import TournamentStanding, ranks, standing_of, text
from tests.ai.bots.test_program import ends
from tests.ai.tournament.programs import FIRST, LAST, MIDDLE, NO_BOX, THREE, league, left_in, play, program, write_file
from tests.ai.tournament.test_attacks import NAMESPACES
from tests.documents import block
from tests.waiting import soon

pytestmark = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="killers find their rivals in /proc")
#: Ends programs of this folder, or what watches over them, by a signal, and goes on when those programs run no more.
KILL = """\
import os

def read(number, name):
    try:
        return open(f"/proc/{{number}}/{{name}}", "rb").read()
    except OSError:
        return b""
def here(number):
    try:
        return os.readlink(f"/proc/{{number}}/cwd") == os.getcwd()
    except OSError:
        return False
def runs(number):
    return read(number, "stat").rpartition(b") ")[2][:1] not in (b"", b"Z", b"X", b"T")
rivals = [number for number in os.listdir("/proc") if number.isdigit() and b"rival.py" in read(number, "cmdline")]
rivals = {{number: b"import warden" in read(number, "cmdline") for number in rivals if here(number)}}
for warden, signal in {deeds}:
    for number in rivals:
        if rivals[number] == warden and runs(number):
            os.kill(int(number), signal)
while any(runs(number) for number in rivals if not rivals[number]):
    pass
"""


def killer(folder: Path, *deeds: tuple[bool, int]) -> None:
    """At each of its turns it sends signals to the rival, or (true) to what watches over it, and plays on."""
    deeds = deeds or ((False, signal.SIGKILL),)
    (folder / "kill.py").write_text(KILL.format(deeds=[(warden, int(number)) for warden, number in deeds]))
    program(folder, "killer", f"(exec(open('kill.py').read()), {FIRST})[1]")
    program(folder, "rival", LAST)
    program(folder, "other", MIDDLE)


def run(
    folder: Path, *names: str, more: str = NO_BOX, skip_failing: int = 0, **others: Any
) -> tuple[TournamentStanding, list[Event]]:
    events: list[Event] = []
    with league(folder, names, more=more, **others) as journal:
        play(journal, events.append, skip_failing=skip_failing)
        return standing_of(journal), events


BOXED = pytest.mark.skipif(not NAMESPACES, reason="needs a system that lets programs make namespaces")
REQUIRED = '[limits]\nisolate = "required"\n'
#: Choices and beginnings of bots that end themselves: in the third turn of each game, after the two of the trial; on
#: sight of a true game; where they sit behind; where a certain rival sits.
THIRD = f"(mine := mine + 1) == 3 and os.kill(os.getpid(), 9) or {LAST}", "mine = 0"
SELF = {
    "in its third turn": THIRD,
    "after the trial": (f"real and os.kill(os.getpid(), 9) or {LAST}", "real = said['table'] != 'trial'"),
    "in a losing seat": (f"seat and os.kill(os.getpid(), 15) or {LAST}", "seat = said['seat']"),
    "beside first": (f"hated and os.kill(os.getpid(), 19) or {LAST}", "hated = 'first' in said['names']"),
}


@BOXED
@pytest.mark.slow
@pytest.mark.parametrize("deed", SELF.values(), ids=SELF)
def test_who_ends_itself_in_a_box_has_lost_that_game(tmp_path: Path, deed: tuple[str, str]) -> None:
    program(tmp_path, "first", greeting=", 'hello': 'first'")
    program(tmp_path, "killer", deed[0], before=deed[1])
    found, events = run(tmp_path, *THREE, "killer", more=REQUIRED, cycles=1, size=4)
    assert not any(isinstance(event, Void | Unplayed) for event in events)
    assert [bool(found.line(entrant).faults) for entrant in range(4)] == [False, False, False, True]
    assert all(ranks(found).values())
    assert found.counted.count.games == 12 and found.line(3).games == 6 and found.kills == ()


@BOXED
@pytest.mark.slow
def test_a_bot_that_the_machine_had_no_memory_for_has_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It kept within its limit of memory, so somebody else used it up. Without a limit it has what there is. A cgroup
    tells whether its own programs were ended for that: another bot is ended at its own limit whenever it likes.
    """
    shortages = iter(range(1000))
    monkeypatch.setattr(playing, "shortages", lambda: next(shortages))
    limit, of_another, beyond_its_own = "memory = 500\n", "oom 0\noom_kill 0\n", "oom 1\noom_kill 1\n"
    rows = (
        ("", "", 0),
        (limit, of_another, 0),
        (limit, beyond_its_own, 0),
        (limit, "oom 0\noom_kill 2\n", 2),
        (limit, "", 2),
    )
    for number, (limits, events_there, void) in enumerate(rows):
        folder, own = tmp_path / str(number), Cgroup(tmp_path / f"cgroup {number}", has_limits=True)
        folder.mkdir()
        own.folder.mkdir()
        if events_there:
            (own.folder / "memory.events").write_text(events_there)
        monkeypatch.setattr(cgroup, "make", lambda *_, own=own: own)
        program(folder, "killer", THIRD[0], before=THIRD[1])
        found, events = run(folder, "first", "killer", more=REQUIRED + limits, cycles=1)
        assert sum(isinstance(event, Unplayed) for event in events) == void and len(found.unjudged) == void
    said = " ".join(text(found).split())
    assert "the machine had no memory left" in said and "let bots play in boxes" not in said


@pytest.mark.slow
def test_a_killer_that_is_out_of_the_file_takes_nothing_from_the_others(tmp_path: Path) -> None:
    """In no box nobody knows who ended it, until it is gone: with the same journal."""
    program(tmp_path, "killer", THIRD[0], before=THIRD[1])
    write_file(tmp_path, (*THREE, "killer"), cycles=1, more=NO_BOX)
    first, _ = run(tmp_path, *THREE, "killer", cycles=1)
    assert first.unjudged == {0, 1, 2, 3}
    journal = str(tmp_path / "one.sqlite")
    for words in (["run", str(tmp_path / "one.toml"), "--quiet"], ["show", journal], ["report", journal]):
        assert main(["tournament", *words]) == 1, words
    found, _ = run(tmp_path, *THREE, cycles=1)
    assert main(["tournament", "show", journal]) == 0
    assert found.unjudged == frozenset() and {ranks(found)[entrant] for entrant in found.order} <= {1, 2, 3}
    assert "no result" not in text(found) and found.unplayed == {}


@pytest.mark.slow
def test_void_games_count_for_skip_failing_and_what_is_withdrawn_spoils_no_ranking(tmp_path: Path) -> None:
    program(tmp_path, "killer", THIRD[0], before=THIRD[1])
    found, events = run(tmp_path, *THREE, "killer", cycles=2, skip_failing=3)
    said = [event.why for event in events if isinstance(event, Warned) and "is withdrawn" in event.why]
    assert len(said) == 1 and said[0].startswith("killer failed in 3 games in a row, at last by a signal")
    assert found.unjudged == frozenset() and None not in ranks(found).values()
    assert found.line(3).games and max(ranks(found), key=lambda entrant: ranks(found)[entrant] or 0) == 3


DEEDS = {
    "SIGKILL": [(False, signal.SIGKILL)],
    "SIGSTOP": [(False, signal.SIGSTOP)],
    "SIGKILL to the warden": [(True, signal.SIGKILL)],
    "the warden stands meanwhile": [(True, signal.SIGSTOP), (False, signal.SIGKILL)],
}


@pytest.mark.first(1)
@pytest.mark.parametrize("deeds", DEEDS.values(), ids=DEEDS)
def test_a_bot_that_ends_its_rival_by_a_signal_does_not_gain(tmp_path: Path, deeds: list[tuple[bool, int]]) -> None:
    """Nor is one of the two withdrawn: nobody knows which of them ended the other, or itself."""
    killer(tmp_path, *deeds)
    found, events = run(tmp_path, "killer", "rival", cycles=1, skip_failing=1)
    assert not any(isinstance(event, Warned) for event in events)
    assert isinstance(events[-1], Finished) and events[-1].why == OVER
    assert found.counted.results == () and found.counted.beyond == 0
    assert [event.number for event in events if isinstance(event, Unplayed)] == [0, 1]
    assert sum(isinstance(event, Void) for event in events) == 2 * (BEGINNINGS - 1)
    assert found.unjudged == {0, 1} and found.verdict is None
    assert soon(lambda: left_in(tmp_path) == []), left_in(tmp_path)


@pytest.mark.slow
def test_which_games_have_no_result_is_said_and_why(tmp_path: Path) -> None:
    killer(tmp_path)
    found, _ = run(tmp_path, "killer", "rival", "other", cycles=3)
    said = " ".join(text(found).split())
    assert "has no result for anybody: it was begun 3 times, and each time a signal that no limit sent" in said
    for name in ("killer", "rival"):
        assert f"{name} could not be judged: signals ended programs at its tables" in said
    assert "other could not be judged" not in said and "lost games by its own fault" not in said
    assert found.unjudged == {0, 1} and not any(ranks(found).values())
    kills = next(iter(found.unplayed.values()))
    assert len(found.unplayed) == 6 and {0, 1} == set(kills[0].seats)
    assert [kill.entrant for kill in kills] == [1] * BEGINNINGS
    assert not any(found.line(entrant).faults for entrant in range(3))
    assert found.line(2).games == 12 and found.line(0).games == found.line(1).games == 6


@pytest.mark.slow
def test_a_stopping_rule_says_nothing_of_who_could_not_be_judged(tmp_path: Path) -> None:
    program(tmp_path, "fool", "'nothing'")
    rule = '[stop]\nrule = "sprt"\nelo0 = 0\nelo1 = 400\nentrant = "first"\n'
    with league(tmp_path, ("first", "fool"), cycles=40, more=rule) as journal:
        play(journal)
        assert standing_of(journal).verdict == "stronger"
        fixture = journal.plan().schedule().fixture(0)
        for _ in range(FEW_KILLS + 1):
            journal.kill(fixture, 1, "fool was ended by SIGKILL")
        found = standing_of(journal)
        assert found.verdict is None
        assert "not all entrants could be judged" in " ".join(text(found).split())


def test_a_bot_that_ends_programs_where_it_does_not_sit_does_not_stand_above_them(tmp_path: Path) -> None:
    killer(tmp_path)
    program(tmp_path, "killer")
    with league(tmp_path, ("other", "killer", "rival"), cycles=1) as journal:
        play(journal)
        elsewhere = next(one for one in map(journal.plan().schedule().fixture, range(6)) if set(one.seats) == {0, 2})
        for _ in range(FEW_KILLS + 1):
            journal.kill(elsewhere, 0, "a program was ended by SIGKILL")
        found = standing_of(journal)
    assert found.unjudged == {0, 2} and set(ranks(found).values()) == {None}
    assert "killer is first" not in text(found) and "Nobody can say who is the strongest" in text(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "ends"),
    [
        ('kind = "swiss"\nrounds = 2', OVER),
        ('kind = "knockout"\nstarts = 1\nextra = 0', "who goes on can't be said, since game"),
    ],
)
def test_formats_that_look_at_results_end_too(tmp_path: Path, form: str, ends: str) -> None:
    killer(tmp_path)
    program(tmp_path, "fourth", FIRST)
    found, events = run(tmp_path, "killer", "rival", "other", "fourth", form=form)
    assert isinstance(events[-1], Finished) and events[-1].why.startswith(ends)
    assert {0, 1} <= found.unjudged
    assert "wins the tournament" not in text(found)
    again, more = run(tmp_path, "killer", "rival", "other", "fourth", form=form)
    assert not any(isinstance(event, Unplayed | Void) for event in more)  # what is void stays so
    assert text(again) == text(found)


IGNORES = "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\n"


@pytest.mark.slow
@pytest.mark.parametrize("before", ["", IGNORES], ids=["told", "killed"])
def test_what_the_limit_of_processor_time_does_is_its_own_fault(before: str) -> None:
    fault = ends(f"{before}while True: pass", cpu=1)
    assert (fault.why, fault.by_signal) == ("used more than its 1 seconds of processor time", False)


@pytest.mark.first(2)
@pytest.mark.parametrize("name", ["SIGKILL", "SIGSTOP", "SIGTERM", "SIGSEGV", "SIGABRT", "SIGXCPU"])
def test_what_a_signal_does_is_told_apart(name: str) -> None:
    fault = ends(f"import os, signal\nos.kill(os.getpid(), signal.{name})", cpu=60)
    assert (fault.kind, fault.by_signal) == ("crash", True)
    assert name in fault.why


#: Whether programs can be boxed in here, and an interpreter is where all see it.
BOXES = bool(Path("/usr/bin/python3").exists() and shutil.which("bwrap")) and not subprocess.call(
    ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"], stderr=subprocess.DEVNULL
)


def boxed(folder: Path, bot: str) -> str:
    """The line of docs/protocols/isolation.md, for a program in a folder of its own."""
    line = block("exec")
    own = folder / bot
    own.mkdir()
    (folder / f"{bot}.py").rename(own / f"{bot}.py")
    words = f"/usr/bin/python3 -I -S {bot}.py"
    return line.partition("\n")[0].replace("/srv/bots/ann", str(own)).replace("./bot", words)


@pytest.mark.skipif(not BOXES, reason="needs bwrap, and a system that lets it work")
def test_bots_that_are_boxed_in_as_the_document_says_can_t_reach_each_other(tmp_path: Path) -> None:
    killer(tmp_path)
    secret = tmp_path / "secret"
    secret.write_text("of the organiser")
    seen = f"os.path.exists({str(secret)!r}) or os.path.exists('../rival')"
    program(tmp_path, "killer", f"sys.exit('seen') if {seen} else (exec(open('kill.py').read()), {FIRST})[1]")
    lines = {bot: boxed(tmp_path, bot) for bot in ("killer", "rival")}
    (tmp_path / "kill.py").rename(tmp_path / "killer" / "kill.py")
    entrants = "\n".join(f"[[entrant]]\nname = {bot!r}\nexec = {line!r}" for bot, line in lines.items())
    game = '[[game]]\ngame = "maze"\nseats = 2\noptions = {size = 3}\n'
    with Journal(tmp_path / "one.sqlite", plan=parse(f"{game}\n{entrants}\n", str(tmp_path))) as journal:
        play(journal)
        found = standing_of(journal)
    assert len(found.counted.results) == 2 and found.unjudged == frozenset() and found.kills == ()
    assert not any(tally.faults for tally in found.counted.count.tallies)


def test_what_readme_and_guides_say_of_malice_is_there() -> None:
    """As long as bots run with the rights of whoever starts them, the documents say so."""
    root = Path(__file__).parents[3]
    for name in ("README.md", "ARCHITECTURE.md", "docs/guides/first-bot.md", "docs/guides/run-a-tournament.md"):
        words = " ".join((root / name).read_text("utf-8").split())
        assert "rights" in words and "nobody else anything" not in words and "what it does hurts nobody" not in words
