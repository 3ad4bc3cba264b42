"""Tournaments of bots in boxes: the same tables as without, what each sees, which stand still, what is said of it."""

import os
import re
import shutil
import socket
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from quadrille.ai.bots.command_files import start_folder
from quadrille.ai.bots.process import isolation
from quadrille.ai.bots.process.isolation import SEEN, sight
from quadrille.ai.bots.process.program import Limits, Program
from quadrille.ai.faults import BotFault
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.client.tournament.report import page
from quadrille.client.tournament.tables import standing_of, text
from tests.ai.bots.test_program import ended, ends
from tests.ai.tournament.programs import (
    FIRST,
    LAST,
    NO_BOX,
    THREE,
    TWO,
    finished,
    league,
    play,
    program,
    sights_in,
    told,
    write_file,
)
from tests.ai.tournament.test_attacks import CLI, NAMESPACES, NO_MORE, works

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="boxes are those of Linux")
BOXED = pytest.mark.skipif(not NAMESPACES, reason="needs a system that lets programs make namespaces")


def run(words: list[str], folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=900, check=False)


@pytest.mark.slow
@BOXED
def test_a_league_in_boxes_has_the_table_of_one_without(tmp_path: Path) -> None:
    found = []
    for name, more in (("boxed", '[limits]\nisolate = "required"\n'), ("open", NO_BOX)):
        with league(tmp_path, THREE, cycles=2, more=more, name=name) as journal:
            play(journal, tried=True)
            found.append(told(journal))
            held = {held for outcome in journal.outcomes() for held in outcome.held}
            assert all(one.startswith("namespaces and Landlock" if name == "boxed" else "nothing") for one in held)
            said, shown = " ".join(text(standing_of(journal)).split()), page(journal, 0)
            assert ("Isolation of the bots: nothing; they had the organiser's rights." in said) == (name == "open")
            assert "Isolation of bots" in shown
    assert found[0] == found[1]


@BOXED
def test_bots_beside_the_plan_see_neither_it_nor_the_journal_nor_each_other(tmp_path: Path) -> None:
    """In a folder that they share, a helper file is there, and what belongs to others is not."""
    program(tmp_path, "last", "sys.exit(' '.join(sorted(os.listdir('.'))))")
    (tmp_path / "weights.txt").write_text("1 2 3")
    write_file(tmp_path, cycles=1)
    whys = {why for outcome in finished(tmp_path, cycles=1) for why in outcome.whys if why}
    assert whys == {'ended with exit code 1: "last.py weights.txt"'}


@BOXED
def test_a_box_shows_no_home_and_its_files_can_not_be_written(tmp_path: Path) -> None:
    """A bot may play a game whose module answers the laws, which are there."""
    look = (
        "import os, pwd, quadrille.laws; home = pwd.getpwuid(os.getuid()).pw_dir; "
        "print(os.path.exists(os.path.join(home, '.bashrc')), os.path.exists(os.path.join(home, '.ssh')), "
        "[os.access(path, os.W_OK) for path in ('/', '/usr', '/etc', '/proc/sys', '.', '/tmp')], "
        "os.path.exists('/etc/shadow'), open('/proc/self/status').read().count('CapEff:\\t' + 16 * '0' + chr(10)), "
        "sorted(name for name in os.listdir('/proc') if name.isdigit()), flush=True)"
    )
    (tmp_path / "look.py").write_text(look)
    with Program([sys.executable, "look.py"], cwd=tmp_path, limits=Limits(isolate="required")) as one:
        said = one.line(20)
    assert said == b"False False [False, False, False, False, False, True] False 1 ['1', '2']"


@BOXED
def test_shared_memory_and_semaphores_work_in_a_box_and_stay_there(tmp_path: Path) -> None:
    share = (
        "from multiprocessing import Semaphore, shared_memory as m; a = m.SharedMemory(create=True, size=9); "
        "b = m.SharedMemory(a.name); a.buf[0] = 7; s = Semaphore(1); "
        "print(b.buf[0], s.acquire(), a.name, flush=True); input()"
    )
    with Program([sys.executable, "-c", share], cwd=tmp_path, limits=Limits(isolate="required")) as one:
        shared, taken, name = (one.line(20) or b"").decode().split()
        assert (shared, taken) == ("7", "True") and not Path("/dev/shm", name).exists()


def test_what_a_program_sees_is_its_own(tmp_path: Path) -> None:
    words = {}
    for place in ("ann", "bob", "ann/rival"):
        name = place.rpartition("/")[2]
        (tmp_path / place).mkdir()
        program(tmp_path / place, name)
        words[name] = f"{place}/{name}.py --fast"
    shown = [*sights_in(tmp_path, words)]
    assert start_folder(shown[0][0]) == str(tmp_path / "ann")
    assert shown[0][0] == ["python3", str(tmp_path / "ann" / "ann.py"), "--fast"]
    for (_, places), path in zip(shown, ("ann/ann.py", "bob", "ann/rival"), strict=True):
        seen = {place[1:] for place in places if place[0] == SEEN and str(tmp_path) in place}
        assert seen == {str(tmp_path / path)}


def test_a_home_is_never_a_bots_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    program(tmp_path, "bot")
    places = sight(["python3", "bot.py"], str(tmp_path), {"PATH": "/usr/bin"})
    assert {place[1:] for place in places if str(tmp_path) in place} == {str(tmp_path / "bot.py")}


def test_an_outlet_is_seen_by_the_bot_whose_command_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any other socket is not, whoever names it, nor is an outlet beside the named one, nor one of another user."""
    for name in ("own.outlet", "other.outlet", "own.sock"):
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(str(tmp_path / name))
    (tmp_path / "link.outlet").symlink_to("own.sock")
    command = ["python3", "bot.py", "own.outlet", "own.sock", "none.outlet", "link.outlet"]

    def seen() -> list[str]:
        return [place for place in sight(command, str(tmp_path), {"PATH": "/usr/bin"}) if str(tmp_path) in place]

    assert seen() == [f"{SEEN}{tmp_path / 'own.outlet'}"]
    monkeypatch.setattr(os, "geteuid", lambda: (tmp_path / "own.outlet").stat().st_uid + 1)
    assert seen() == []


def test_a_box_shows_the_packages_of_an_editable_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They stand on no path: a bot of the house ended with "No module named 'quadrille.ai'"."""

    def find(name: str) -> ModuleSpec:
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(tmp_path / name.removeprefix("quadrille."))]
        return spec

    names = ("rules", "net", "ai", "client")
    for name in names:
        (tmp_path / name).mkdir()
    monkeypatch.setattr(isolation, "find_spec", find)
    places = sight([sys.executable, "-m", "quadrille.ai.kit"], "/", {"PATH": "/usr/bin"})
    assert {place[1:] for place in places} >= {str(tmp_path / name) for name in names}


@pytest.mark.slow
@pytest.mark.skipif(not works(NO_MORE), reason="needs a system in which user namespaces can be switched off")
def test_required_where_there_are_no_namespaces_is_refused_before_the_first_game(tmp_path: Path) -> None:
    write_file(tmp_path, cycles=1, more='[limits]\nisolate = "required"\n')
    words = [*NO_MORE, *CLI, "tournament", "run", "one.toml", "--quiet"]
    done = run(words, tmp_path)
    assert done.returncode == 2 and done.stderr.count("bots can't be isolated, which is required: ") == 1
    assert "user.max_user_namespaces is 0 (sysctl -w user.max_user_namespaces=10000)" in done.stderr
    with Journal(tmp_path / "one.sqlite") as journal:
        assert journal.games == 0


#: A thread that counts, while the bot waits for its turn.
COUNTS = (
    "exec('import threading\\ndef run():\\n  while True: pass\\nthreading.Thread(target=run, daemon=True).start()')"
)


@pytest.mark.slow
def test_thinking_out_of_turn_can_be_forbidden(tmp_path: Path) -> None:
    """However little of the processor the bots get on a machine that has other things to do."""
    over = "open('used', 'w').write(str(time.process_time()))"
    program(tmp_path, "thinker", FIRST, before=f"games > 1 or {COUNTS}", over=over)
    program(tmp_path, "slow", f"time.sleep(0.3) or {LAST}")
    used = []
    for ponder in ("true", "false"):
        more = f"{NO_BOX}ponder = {ponder}\n"
        with league(tmp_path, ("thinker", "slow"), cycles=1, more=more, name=ponder) as journal:
            play(journal)
            said = " ".join(text(standing_of(journal)).split())
        assert ("Each bot stood still while others were to move." in said) is (ponder == "false")
        used.append(float((tmp_path / "used").read_text()))
    assert used[0] > 3 * used[1]


@pytest.mark.parametrize("box", [NO_BOX, pytest.param("[limits]\n", marks=BOXED)], ids=["open", "boxed"])
@pytest.mark.slow
def test_who_stands_still_hears_offers_and_ends(tmp_path: Path, box: str) -> None:
    """Draws are asked for, games end and begin, and a bot with children goes on as if nothing had been."""
    (tmp_path / "helper.py").write_text("import sys\nfor line in sys.stdin: print(line.strip(), flush=True)\n")
    ask = "(child.stdin.write(b'x\\n'), child.stdin.flush(), child.stdout.readline())"
    start = "import subprocess; child = subprocess.Popen([sys.executable, 'helper.py'], stdin=-1, stdout=-1)"
    program(tmp_path, "first", f"({ask}, {FIRST})[1]", before=f"if games == 1: {start}")
    found = []
    for ponder in ("true", "false"):
        more = f"{box}ponder = {ponder}\n[adjudicate]\nmoves = 6\n"
        with league(tmp_path, TWO, more=more, name=ponder) as journal:
            play(journal)
            assert not any(why for outcome in journal.outcomes() for why in outcome.whys)
            found.append(told(journal))
    assert found[0] == found[1]


@pytest.mark.slow
@BOXED
@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_limits_are_those_of_all_processes_together() -> None:
    code = "import os, time\nfor _ in range(4): os.fork()\nx = bytearray(b'x') * (20 << 20)\ntime.sleep(60)"
    assert ends(code, memory=150).why == "used more than its 150 MiB of memory"
    code = "import os\nfor _ in range(2): os.fork()\nwhile True: pass"
    assert ends(code, cpu=1).why == "used more than its 1 seconds of processor time"
    with Program(["node", "-e", "console.log(1)"], limits=Limits(memory=150)) as one:  # it reserves gigabytes
        assert one.line(20) == b"1"


@BOXED
def test_a_program_begins_in_a_box_as_it_does_elsewhere() -> None:
    """A session of its own, its limits, and signals as they usually are, though it is not started from a copy."""
    code = (
        "import os, resource as r, signal, time\n"
        "own = lambda: [r.getrlimit(kind) for kind in (r.RLIMIT_CPU, r.RLIMIT_CORE, r.RLIMIT_DATA)]\n"
        "while own()[2][0] == -1: time.sleep(0.001)\n"  # limits come when it has hardly begun
        "print(own(), os.getsid(0) == os.getpid(), signal.getsignal(signal.SIGPIPE) in (0, 1), flush=True)\n"
        "ignored = int(open('/proc/self/status').read().split('SigIgn:')[1].split()[0], 16)\n"
        "print([number for number in range(1, 65) if ignored >> number - 1 & 1 and number not in (32, 33)])\n"  # libc's
    )
    found = []
    for isolate in ("none", "required"):
        limits = Limits(memory=150, cpu=5, isolate=isolate)  # type: ignore[arg-type]
        with Program([sys.executable, "-c", code], limits=limits) as one:
            found.append((one.line(20), one.line(20)))
    assert found[0] == found[1]
    assert str(found[0][0]).count("(6, 7), (0, 0)") == 1


@BOXED
def test_a_bot_ends_no_warden_of_its_own_by_a_signal() -> None:
    """It could otherwise have any game void, by a way that Landlock only stops from Linux 6.12 on."""
    code = (
        "import os, signal\n"
        "for number in range(1, 65):\n"
        "    try: os.kill(1, number)\n"
        "    except OSError: pass\n"
        "print(os.getpid() > 1, flush=True)\n"
        "raise SystemExit(3)"
    )
    with Program([sys.executable, "-c", code], limits=Limits(memory=150)) as one:
        assert one.protection.namespaces
        assert one.line(20) == b"True"
        fault = ended(one)
    assert not fault.by_signal
    assert "ended with exit code 3" in fault.why


@BOXED
@pytest.mark.parametrize("name", ["bwrap", "firejail", "nsjail"])
def test_a_bots_own_file_that_is_called_like_a_program_that_makes_boxes_is_in_one(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("#!/bin/sh\necho on\n")
    (tmp_path / name).chmod(0o755)
    for word in (f"{tmp_path / name}", f"./{name}"):
        with Program([word], cwd=tmp_path, limits=Limits(isolate="required")) as one:
            assert one.protection.namespaces and one.line(20) == b"on"


def test_a_program_that_makes_a_box_of_its_own_is_left_alone(tmp_path: Path) -> None:
    if shutil.which("bwrap") is None:
        pytest.skip("needs bwrap")
    with Program(["bwrap", "--ro-bind", "/", "/", "echo", "on"], limits=Limits()) as one:
        assert "bwrap makes a box of its own" in one.protection.why
    with pytest.raises(BotFault, match="which is required: bwrap makes a box of its own"):
        Program(["bwrap", "echo"], limits=Limits(isolate="required"))


#: A container that hides a part of /proc, as Docker does: no other /proc can be mounted in it.
MASKED = [
    "unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "sh", "-c",
    'mount -t proc proc /proc && mount --bind /dev/null /proc/meminfo && exec "$@"', "sh",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(not works(MASKED), reason="needs a system in which a part of /proc can be hidden")
def test_in_a_container_that_hides_a_part_of_proc_landlock_holds_and_bots_play(tmp_path: Path) -> None:
    write_file(tmp_path, cycles=1)
    words = [*MASKED, *CLI, "tournament", "run", "one.toml", "--quiet"]
    done = run(words, tmp_path)
    said = " ".join(done.stdout.split())
    assert done.returncode == 0, done.stderr
    assert re.search(r"Isolation of the bots: (.* \(the system refuses them|nothing)", said)
    assert "lost games" not in said and "a /proc of its own" in said
