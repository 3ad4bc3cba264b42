"""Optional libraries (setup.cfg, `extras_require`), and the error of one that is not installed."""

from collections.abc import Iterator
from contextlib import contextmanager

from quadrille.rules.errors import RulesError


class LibraryMissing(ModuleNotFoundError, RulesError):
    """For the command line a refusal, as any other; for whoever imports a module, what Python says of a missing one."""


@contextmanager
def needs(library: str, package: str, *modules: str) -> Iterator[None]:
    """Import modules of a library; without one of these modules, the error says how to install it.

    An error about any other module comes through: it is a fault of the library.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in modules:
            raise
        raise LibraryMissing(
            f"{library} is not installed: install it with pip install {package}", name=package
        ) from None
