"""Several hosts, made of network namespaces (lan.sh): each scene of lan_scenes.py, and a whole game."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.net.lan_scenes import SCENES
from tests.net.programs import ROOT

LAN = str(Path(__file__).with_name("lan.sh"))


@cache
def refusal() -> str:
    """Why there can be no such hosts here; nothing, if there can."""
    try:
        done = subprocess.run(["bash", LAN, "2", "true"], capture_output=True, text=True, timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return done.stderr.strip() or f"lan.sh ended with {done.returncode}" if done.returncode else ""


def inside(*module: str) -> None:
    """Run a module where there are three hosts (some modules take two of them); it must end well."""
    if reason := refusal():
        pytest.skip(f"no network namespaces here: {reason}")
    command = ["bash", LAN, "3", sys.executable, "-m", *module]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("scene", [scene.__name__ for scene in SCENES])
def test_hosts(scene: str) -> None:
    inside("tests.net.lan_scenes", scene)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/net/tun").exists(), reason="no TAP devices here")
@pytest.mark.parametrize(("loss", "delay"), [(20, 300), (0, 800)])
def test_n7_n19_a_game_begins_and_ends_in_bad_weather(loss: int, delay: int, tmp_path: Path) -> None:
    inside("tests.net.lan_weather", str(tmp_path), str(loss), str(delay))


@pytest.mark.slow
def test_a_table_of_three_hosts_and_a_cable_that_is_pulled_and_put_back(tmp_path: Path) -> None:
    inside("tests.net.lan_table", str(tmp_path))
