"""From neighbour to neighbour where there is no internet: hosts that have only each other."""

from pathlib import Path

import pytest

from tests.net.hosts import inside


@pytest.mark.slow
def test_a_party_without_the_internet_gets_everybody_in(tmp_path: Path) -> None:
    inside("tests.client.share.lan_share", str(tmp_path))
