"""A phone on another host than the table's."""

from pathlib import Path

import pytest

from tests.client.phones.browser import program
from tests.net.hosts import inside


@pytest.mark.slow
def test_a_phone_on_another_host(tmp_path: Path) -> None:
    program()  # skips where there is no browser
    inside("tests.client.phones.lan_phone", str(tmp_path))
