"""What these tests share with those of the floor that people see: a home, a command line, a terminal's surroundings."""

from tests.client.conftest import _home, run
from tests.client.screen.conftest import surroundings

__all__ = ["_home", "run", "surroundings"]
