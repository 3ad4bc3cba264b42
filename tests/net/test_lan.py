"""Several hosts, made of network namespaces (lan.sh): each scene of lan_scenes.py, and a whole game."""

import shutil
from pathlib import Path

import pytest

from tests.net.hosts import inside
from tests.net.lan_scenes import SCENES


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_hosts(scene: str) -> None:
    if "firewall" in scene and shutil.which("nft") is None:
        pytest.skip("nft is not installed")
    inside("tests.net.lan_scenes", scene)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/net/tun").exists(), reason="no TAP devices here")
@pytest.mark.parametrize(("loss", "delay"), [(20, 300), (0, 800)])
def test_a_game_begins_and_ends_in_bad_weather(loss: int, delay: int, tmp_path: Path) -> None:
    inside("tests.net.lan_weather", str(tmp_path), str(loss), str(delay))
