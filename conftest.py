"""What all tests share: fuzzing that is always the same, how many run at a time. pyproject.toml says which run."""

import asyncio
import contextlib
import faulthandler
import functools
import gc
import importlib
import inspect
import os
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

# Derandomized: the same inputs on every machine and every run, so that a failure is everybody's failure.
settings.register_profile(
    "quadrille",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", parent=settings.get_profile("quadrille"), max_examples=2000)
settings.load_profile("quadrille")
# It would also draw what stands in our modules, if it has read them: others in each worker, and in a test by itself.
providers._get_local_constants = lambda: providers._local_constants

_watched = -60.0

# Where Python is told to leave no bytecode among sources, as in many containers, it goes to a place of its own. With
# none at all each process would rewrite the asserts of all tests, and each of hundreds of programs compile its modules.
if sys.dont_write_bytecode:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    if sys.pycache_prefix is None:
        sys.pycache_prefix = str(Path(__file__).resolve().parent / ".pytest_cache" / "bytecode")
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

# A shell that runs this in the background may have it ignore Ctrl-C, and so all programs that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """More than cores: some tests wait for programs and sockets, slow ones for longer. Each worker collects all."""
    return (os.cpu_count() or 1) + (3 if config.getoption("markexpr") == "slow" else 2)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.args == config.getini("testpaths"):
        architecture = importlib.import_module("tests.test_architecture")
        terminalreporter.write_line(f"Lines, and where each floor is to come to: {architecture.distance()}")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Rewriting the asserts of all tests takes long in a fresh clone: each process does a share, and finds the rest."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    if not worker or session.config.args != session.config.getini("testpaths"):
        return
    count = int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    root = session.config.rootpath
    names = [".".join(path.relative_to(root).with_suffix("").parts) for path in _test_files(root)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in names[len(names) * int(worker) // count : len(names) * (int(worker) + 1) // count]:
            # What can't be imported is told of when it is collected.
            with contextlib.suppress(Exception, pytest.skip.Exception):
                importlib.import_module(name)


def _test_files(root: Path) -> list[Path]:
    return sorted(path for folder in ("tests", "extras") for path in (root / folder).glob("**/test_*.py"))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine to its end, on an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}))
    return True


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Iterator[None]:
    """What is collected stays to the end: whoever looks for garbage need not look through it each time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.set_threshold(20_000, 20, 100)
        gc.enable()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what comes after the first cases of a dear test, as its mark `first` says.

    Tests of the wheels come first, so that one worker builds these while the others have something else to do.
    """
    cases = Counter[str]()
    for item in items:
        if mark := item.get_closest_marker("first"):
            test = item.nodeid.partition("[")[0]
            cases[test] += 1
            if cases[test] > mark.args[0]:
                item.add_marker("slow")
    items.sort(key=lambda item: "wheels" not in getattr(item, "fixturenames", ()))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """A machine's fault ends a test, or it would be counted unseen; and nodes that share a thread close quickly."""
    if guard := sys.modules.get("quadrille.net.trust.guard"):

        @functools.wraps(guard.Guard.caught)
        def raised(guard: object, place: str, error: Exception, by: bytes | None = None) -> None:
            raise error

        guard.Guard.caught = raised
    if node := sys.modules.get("quadrille.net.link.node"):
        node.LAST_LOOK = 30  # the one that closes first waits for others that can do nothing meanwhile


@pytest.fixture
def guards_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a test that asks for it, faults of a machine are caught as they are in a program (net/trust/guard.py)."""
    guard = sys.modules["quadrille.net.trust.guard"].Guard
    monkeypatch.setattr(guard, "caught", guard.caught.__wrapped__)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Print where a test hangs that takes ten minutes: a watch is set once a minute, since each starts a thread."""
    global _watched
    if time.monotonic() > _watched + 60:
        _watched = time.monotonic()
        faulthandler.dump_traceback_later(600, file=_stderr(item.config))


@functools.cache
def _stderr(config: pytest.Config) -> int:
    with config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        return os.dup(2)
