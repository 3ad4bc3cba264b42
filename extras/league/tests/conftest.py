"""A command line in this process, as in the tests of the client."""

from tests.client.conftest import run

__all__ = ["run"]
