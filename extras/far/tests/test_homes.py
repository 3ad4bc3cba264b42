"""Two homes behind NAT and relays between them, as network namespaces (homes.sh): each scene of homes_scenes.py."""

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from extras.far.tests.homes_scenes import SCENES
from tests.net.hosts import inside
from tests.net.programs import ROOT

HOMES = str(Path(__file__).with_name("homes.sh"))


@cache
def refusal() -> str:
    """Why there can be no such homes here; nothing, if there can."""
    if shutil.which("nft") is None:
        return "nft is not installed"
    try:
        done = subprocess.run(["bash", HOMES, "1", "true"], capture_output=True, text=True, timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return done.stderr.strip() or f"homes.sh ended with {done.returncode}" if done.returncode else ""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/net/tun").exists(), reason="no TAP devices here")
@pytest.mark.parametrize("game", ["barons", "dotter"])
def test_a_game_over_a_relay_at_300_ms_and_5_percent(game: str, tmp_path: Path) -> None:
    """Between the homes; half of it on either side of the relay. Nobody is blamed, and no game stops."""
    inside("extras.far.tests.relay_weather", str(tmp_path), game, "5", "150")


@pytest.mark.slow
def test_a_ticket_in_one_network_leads_to_a_direct_link(tmp_path: Path) -> None:
    inside("extras.far.tests.lan_ticket", str(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("scene", [scene.__name__ for scene in SCENES])
def test_homes(scene: str, tmp_path: Path) -> None:
    if reason := refusal():
        pytest.skip(f"no homes behind NAT here: {reason}")
    command = ["bash", HOMES, "2", sys.executable, "-m", "extras.far.tests.homes_scenes", scene, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
