"""What all tests share: fuzzing that is the same every time. Which tests run by default is said in pyproject.toml."""

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
