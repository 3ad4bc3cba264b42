"""What these tests share with those of commands: a home, a command line, a port."""

from tests.client.conftest import _home, port, run

__all__ = ["_home", "port", "run"]
