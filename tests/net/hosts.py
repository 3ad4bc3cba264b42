"""Hosts on a bridge, made of network namespaces (lan.sh), where this machine has them; and modules that run there."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.net.programs import ROOT

LAN = str(Path(__file__).with_name("lan.sh"))


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
