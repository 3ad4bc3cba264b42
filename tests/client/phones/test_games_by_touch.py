"""All games in real browsers, from the scan to the page to take home: phones, a television and the host's terminal."""

from pathlib import Path

import pytest

from tests.net.hosts import inside


@pytest.mark.slow
def test_an_evening_of_all_games_with_six_phones_and_a_television(tmp_path: Path) -> None:
    inside("tests.client.phones.lan_evening", str(tmp_path), hosts=2)
