"""What tests of commands share with those of the core."""

from tests.client.conftest import _home, run  # noqa: F401
from tests.net.conftest import company  # noqa: F401
