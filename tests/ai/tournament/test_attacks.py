"""Bots that attack their rival, its organiser and his machine: in a box nothing comes of it, but for the attacker.

A gauntlet: every attacker plays the victim. What an attack achieves is told by who was attacked, or by the attacker,
which ends with an exit code of its own where it believes that it was successful. A league is played three times: as
whoever runs the tests, as an ordinary user, and where user namespaces are switched off.
"""

import os
import platform
import shutil
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.play.playing import GameOutcome
from tests.ai.tournament.programs import FIRST, source

ATTACKS: Final = {
    "stop": "any([reaches(lambda: os.kill(pid, 19)) for pid in victims()])",
    "kill": "any([reaches(lambda: os.kill(pid, 9)) for pid in victims()])",
    "renice": "any([reaches(lambda: os.setpriority(os.PRIO_PROCESS, pid, 19)) for pid in victims()])",
    "affinity": "any([reaches(lambda: os.sched_setaffinity(pid, {0})) for pid in victims()])",
    "ptrace": "any([ctypes.CDLL(None).ptrace(0x4206, pid, 0, 0) == 0 for pid in victims()])",
    "forged": "any([reaches(lambda: os.open(f'/proc/{pid}/fd/1', os.O_WRONLY)) for pid in victims()])",
    "journal read": "any([reaches(lambda: open(path, 'rb').read(1)) for path in JOURNAL])",
    "journal written": "any([reaches(lambda: open(path, 'r+b')) for path in JOURNAL])",
    "journal removed": "any([reaches(lambda: os.remove(path)) for path in JOURNAL])",
    "code read": "any([reaches(lambda: open(path).read()) for path in CODE])",
    "link": "any([reaches(lambda: os.listdir('home')), reaches(lambda: open('rival').read())])",
    "lease": "any([reaches(lambda: fcntl.fcntl(os.open(path, os.O_RDONLY), 1024, fcntl.F_RDLCK)) for path in SHARED])",
    "mode": "any([reaches(lambda: os.chmod(path, 0)) for path in CODE])",
    "write outside": "[reaches(lambda: open(path, 'w')) for path in OUTSIDE] and None",
    "tcp": "reaches(lambda: socket.create_connection(('127.0.0.1', TCP), 1))",
    "udp": "reaches(lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', UDP))) and None",
    "abstract": "reaches(lambda: socket.socket(socket.AF_UNIX).connect('\\0' + ABSTRACT))",
    "memory": "much_memory()",
    "disk": "full_disk()",
}
#: What Landlock alone does not stop (docs/protocols/isolation.md): less on machines whose calls are known.
NOT_BY_LANDLOCK: Final = () if platform.machine() in ("x86_64", "aarch64") else ("renice", "affinity", "udp")
#: What costs an attacker its game, whatever else holds it: a limit.
ITS_OWN_FAULT: Final = {"memory": "used more than its 200 MiB of memory"}
#: What an attack may cost the attacker.
ALLOWED: Final = {"disk": ("wrote more than 64 MiB of temporary files",)}
MEANS: Final = """
import ctypes, fcntl, os, socket, sys, time
def reaches(what):
    try:
        what()
    except (OSError, MemoryError):
        return False
    return True
def victims():
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if b"victim.py" in open(f"/proc/{name}/cmdline", "rb").read():
                found.append(int(name))
        except OSError:
            pass
    return found
def much_memory():
    for _ in range(8):
        if os.fork() == 0:
            kept = [bytearray(os.urandom(1)) * (1 << 20) for _ in range(512)]
            time.sleep(60)
    time.sleep(60)
    return True
def full_disk():
    written = 0
    for folder in (".", "/tmp", "/dev/shm", "/var/tmp", os.environ.get("TMPDIR", "/"), os.path.expanduser("~")):
        def fill():
            nonlocal written
            for number in range(64):
                with open(f"{folder}/full-{number}", "wb", buffering=0) as file:
                    for _ in range(8):
                        written += file.write(b"x" * (1 << 20))
        reaches(fill)
    return written > (300 << 20)
"""
GAUNTLET: Final = """\
seed = "attacks"
[format]
kind = "gauntlet"
cycles = 1
[time]
move = "20s"
[limits]
memory = 200
isolate = "{isolate}"
[[game]]
game = "maze"
options = {{size = 2}}
"""
ENTRANT: Final = '[[entrant]]\nname = "{name}"\nexec = "{python} -I -S bots/{folder}/{folder}.py{links}"\n'
#: How a program is started as an ordinary user, and where user namespaces are switched off for it.
ORDINARY: Final = ["unshare", "--user", "--map-user=1000", "--map-group=1000"]
NO_MORE: Final = [
    "unshare", "--user", "--map-root-user", "sh", "-c",
    'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh",
]  # fmt: skip
MODES: Final = {"namespaces": [], "ordinary": ORDINARY, "landlock": NO_MORE}
CLI: Final = [sys.executable, "-m", "quadrille.client.cli"]


def works(before: list[str], *words: str) -> bool:
    """Whether this system starts a program so."""
    return bool(shutil.which("unshare")) and not subprocess.call([*before, *words, "true"], stderr=subprocess.DEVNULL)


NAMESPACES: Final = works(["unshare"], "--user", "--pid", "--net", "--ipc", "--mount", "--fork", "--mount-proc")
pytestmark = pytest.mark.skipif(not NAMESPACES, reason="needs a system that lets programs make namespaces")


def play(folder: Path, mode: str) -> tuple[list[GameOutcome], set[str]]:
    """Return the games of a league, and which attacks reached something outside of it."""
    with ExitStack() as stack:
        tcp, udp, abstract = (
            stack.enter_context(socket.socket(*kind))
            for kind in (
                (socket.AF_INET, socket.SOCK_STREAM),
                (socket.AF_INET, socket.SOCK_DGRAM),
                (socket.AF_UNIX, socket.SOCK_STREAM),
            )
        )
        for one in (tcp, udp):
            one.bind(("127.0.0.1", 0))
        abstract.bind(f"\0{folder.name}-{mode}")
        for one in (tcp, abstract):
            one.listen()
        outside = [folder / "outside", *(folder / "bots" / name / "outside" for name in ("victim", "write_outside"))]
        facts = {
            "JOURNAL": [str(folder / f"one.sqlite{ending}") for ending in ("", "-wal", "-lock")],
            "CODE": [str(folder / "bots" / "victim" / "victim.py"), str(folder / "one.toml")],
            "SHARED": [os.path.realpath(sys.executable), "/bin/sh"],
            "OUTSIDE": [*map(str, outside), "/usr/outside", str(Path.home() / "outside")],
            "TCP": tcp.getsockname()[1],
            "UDP": udp.getsockname()[1],
            "ABSTRACT": abstract.getsockname()[1:].decode(),
        }
        lines = [f"{name} = {value!r}" for name, value in facts.items()]
        before = "\n".join([MEANS, *lines])
        toml = GAUNTLET.format(isolate="required" if mode != "landlock" else "if possible")
        for name in ("victim", *ATTACKS):
            own = folder / "bots" / name.replace(" ", "_")
            own.mkdir(parents=True)
            attack = "None" if name == "victim" else ATTACKS[name]
            choose = f"(sys.exit(7) if attack() else None, {FIRST})[1]"
            code = f"{before}\ndef attack():\n    return {attack}\n{source(choose)}"
            (own / f"{own.name}.py").write_text(code)
            links = {"home": os.environ["QUADRILLE_HOME"], "rival": "../victim/victim.py"} if name == "link" else {}
            for link, target in links.items():
                (own / link).symlink_to(target)
            more = "".join(f" bots/link/{link}" for link in links)
            toml += ENTRANT.format(name=name, python=sys.executable, folder=own.name, links=more)
        (folder / "one.toml").write_text(toml, "utf-8")
        words = [*MODES[mode], *CLI, "tournament", "run", "one.toml", "--untried", "--quiet", "--at-once", "1"]
        run = subprocess.run(words, cwd=folder, capture_output=True, timeout=900, check=False)
        assert run.returncode == 0, run.stderr.decode()
        reached = {"write outside" for path in outside if path.exists()}
        udp.setblocking(False)
        try:
            udp.recv(10)
            reached.add("udp")
        except BlockingIOError:
            pass
    with Journal(folder / "one.sqlite") as journal:
        assert not journal.kills(), journal.kills()
        return list(journal.outcomes()), reached


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.slow
def test_no_attack_from_a_box_succeeds(tmp_path: Path, mode: str) -> None:
    """Neither the attacker nor who was attacked says that one did, and the victim lost nothing by a fault."""
    if not works(MODES[mode]):
        pytest.skip("this system starts no program so")
    outcomes, reached = play(tmp_path, mode)
    names, succeeds = ["victim", *ATTACKS], NOT_BY_LANDLOCK if mode == "landlock" else ()
    tried = set()
    for outcome in outcomes:
        whys = {names[entrant]: why for entrant, why in zip(outcome.result.seats, outcome.whys, strict=True)}
        assert whys.pop("victim") == "", whys
        [(attack, why)] = whys.items()
        tried.add(attack)
        if attack in ITS_OWN_FAULT:
            assert why.startswith(ITS_OWN_FAULT[attack]), whys
        elif attack not in succeeds:
            assert why in ("", *ALLOWED.get(attack, ())), whys
    assert tried == {*ATTACKS} and reached <= {*succeeds}
    held = {told.partition(":")[0].partition(", with")[0] for outcome in outcomes for told in outcome.held}
    if mode == "landlock":
        assert held <= {"Landlock", "nothing"}
        assert "user.max_user_namespaces is 0" in outcomes[0].held[0]
    else:
        assert held <= {"namespaces and Landlock", "namespaces"}
