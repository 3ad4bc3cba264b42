"""The games inside other frameworks: one adapter per file, each with the extra that it needs (setup.cfg).

`steps.py` (every turn in bounded actions) and `play.py` (a game played by them) need no other package; `openspiel.py`
and `pettingzoo.py` are the two adapters.
"""


def missing(library: str, extra: str) -> ModuleNotFoundError:
    """The error of an adapter whose library is not installed."""
    install = f'pip install "quadrille[{extra}]"'
    return ModuleNotFoundError(f"{library} is not installed: install it with {install}", name=extra)
