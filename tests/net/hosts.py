"""Hosts on a bridge, made of network namespaces (lan.sh), where this machine has them; what runs and stands there."""

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.net.programs import ROOT

LAN = str(Path(__file__).with_name("lan.sh"))
IP: Final = shutil.which("ip") or "/sbin/ip"
#: What comes in is ruled by the last part; what is said about it to calls of the host's own, by the first.
WALL: Final = (
    "add table inet filter; add chain inet filter input {{ type filter hook input priority filter; policy accept; }}; "
    "add rule inet filter input iif lo accept; add rule inet filter input ct state established,related {}; "
    "add rule inet filter input {}"
)


def at(host: str) -> tuple[str, ...]:
    """The words before a command that runs on that host."""
    return IP, "netns", "exec", host


def ip(*words: str) -> None:
    subprocess.run([IP, *words], check=True)


def wall(host: str, rule: str, standing: str = "accept") -> None:
    subprocess.run([*at(host), "nft", WALL.format(standing, rule)], check=True)


@cache
def refusal(net: str) -> str:
    """Why there can be no such hosts here; nothing, if there can."""
    try:
        done = subprocess.run(["bash", net, "2", "true"], capture_output=True, text=True, timeout=900, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return done.stderr.strip() or f"{net} ended with {done.returncode}" if done.returncode else ""


def inside(*module: str, hosts: int = 3, net: str = LAN) -> None:
    """Run a module where there are so many hosts (some modules take fewer of them); it must end well."""
    if reason := refusal(net):
        pytest.skip(f"no network namespaces here: {reason}")
    command = ["bash", net, str(hosts), sys.executable, "-m", *module]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
