"""Several hosts, made of network namespaces (lan.sh): each scene of lan_scenes.py."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.net.lan_scenes import SCENES

FOLDER = Path(__file__).parent
LAN = str(FOLDER / "lan.sh")


@cache
def refusal() -> str:
    """Why there can be no such hosts here; nothing, if there can."""
    try:
        done = subprocess.run(["bash", LAN, "2", "true"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return done.stderr.strip() or f"lan.sh ended with {done.returncode}" if done.returncode else ""


@pytest.mark.slow
@pytest.mark.parametrize("scene", [scene.__name__ for scene in SCENES])
def test_hosts(scene: str) -> None:
    if reason := refusal():
        pytest.skip(f"no network namespaces here: {reason}")
    program = [sys.executable, str(FOLDER / "lan_scenes.py"), scene]
    done = subprocess.run(["bash", LAN, "3", *program], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
