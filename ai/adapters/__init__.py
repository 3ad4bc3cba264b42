"""The games inside other frameworks: one adapter per file, each with the extra that it needs (setup.cfg).

`play.py` (a game played by the actions of rules/core/actions.py) needs no other package; `openspiel.py`,
`pettingzoo.py` and `gymnasium.py` are the adapters.
"""


def missing(library: str, package: str) -> ModuleNotFoundError:
    """The error of a module whose library is not installed."""
    return ModuleNotFoundError(f"{library} is not installed: install it with pip install {package}", name=package)
