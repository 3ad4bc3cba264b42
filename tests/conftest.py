"""What all tests share: fuzzing that is always the same, how many run at a time. pyproject.toml says which run."""

import os
import signal

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
