"""What all tests share: fuzzing that is always the same, how many run at a time. pyproject.toml says which run."""

import os
import signal
import sys

import pytest
from hypothesis import HealthCheck, settings

# Derandomized: the same inputs on every machine and every run, so that a failure is everybody's failure.
settings.register_profile(
    "quadrille",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", parent=settings.get_profile("quadrille"), max_examples=2000)
settings.load_profile("quadrille")

# A shell that runs this in the background may have it ignore Ctrl-C, and so all programs that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """Two to a core: many tests wait for programs and sockets as long as they work."""
    return 2 * (os.cpu_count() or 1)


@pytest.fixture
def guards_on() -> None:
    """In a test that asks for it, faults of a machine are caught as they are in a program (net/trust/guard.py)."""


@pytest.fixture(autouse=True)
def _guards_off(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every other test they end it: else a mistake would be counted, and nobody would see it."""

    def raised(guard: object, place: str, error: Exception, by: bytes | None = None) -> None:
        raise error

    if "guards_on" not in request.fixturenames and "quadrille.net.trust.guard" in sys.modules:
        monkeypatch.setattr("quadrille.net.trust.guard.Guard.caught", raised)


@pytest.fixture(autouse=True)
def _closes_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nodes share a thread, the one that closes first waits for others that can do nothing meanwhile."""
    if "quadrille.net.link.node" in sys.modules:
        monkeypatch.setattr("quadrille.net.link.node.LAST_LOOK", 30)
