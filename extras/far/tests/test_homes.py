"""Two homes behind NAT and relays between them, as network namespaces (homes.sh): each scene of homes_scenes.py."""

import shutil
from pathlib import Path

import pytest

from extras.far.tests.homes_scenes import SCENES
from tests.net.hosts import inside

HOMES = str(Path(__file__).with_name("homes.sh"))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/net/tun").exists(), reason="no TAP devices here")
@pytest.mark.parametrize("game", ["barons", "dotter"])
def test_a_game_over_a_relay_at_300_ms_and_5_percent(game: str, tmp_path: Path) -> None:
    """Between the homes; half of it on either side of the relay. Nobody is blamed, and no game stops."""
    inside("extras.far.tests.homes_scenes", "bad_weather", str(tmp_path), game, "5", "150")


@pytest.mark.slow
def test_a_ticket_in_one_network_leads_to_a_direct_link(tmp_path: Path) -> None:
    inside("extras.far.tests.homes_scenes", "a_direct_link", str(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("scene", [scene.__name__ for scene in SCENES])
def test_homes(scene: str, tmp_path: Path) -> None:
    if shutil.which("nft") is None:
        pytest.skip("nft is not installed")
    inside("extras.far.tests.homes_scenes", scene, str(tmp_path), hosts=2, net=HOMES)
