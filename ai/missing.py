"""The error of a module whose library is optional (setup.cfg, `extras_require`)."""


def missing(library: str, package: str) -> ModuleNotFoundError:
    """Return the error of a library that is not installed."""
    return ModuleNotFoundError(f"{library} is not installed: install it with pip install {package}", name=package)
