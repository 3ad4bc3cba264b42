"""Each game on two hosts, typed at two terminals, with a program that is killed in the middle and comes back."""

from pathlib import Path

import pytest

from tests.net.hosts import inside


@pytest.mark.slow
@pytest.mark.parametrize("game", ["coin-isolation", "dotter"])
def test_an_evening_with_a_crash_and_a_resume(game: str, tmp_path: Path) -> None:
    inside("tests.client.screen.network.lan_evening", str(tmp_path), game)
