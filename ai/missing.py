"""Optional libraries (setup.cfg, `extras_require`), and the refusal where one is not installed."""

from collections.abc import Iterator
from contextlib import contextmanager

from quadrille.rules.errors import RulesError


class MissingLibrary(ModuleNotFoundError, RulesError):
    """A library is not installed: a person reads it as any refusal, and an importing script as what it is."""


@contextmanager
def needs(library: str, package: str, *modules: str) -> Iterator[None]:
    """Import modules of a library; without one of these modules, the refusal says how to install it.

    An error about any other module comes through: it is a fault of the library.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in modules:
            raise
        raise MissingLibrary(f"{library} is not installed: install it with pip install {package}") from None
