"""numpy, or one line that says how to get it; all that reckons with arrays takes it from here."""

from typing import Any, TypeAlias

from quadrille.ai.adapters import missing

try:
    import numpy as np
except ModuleNotFoundError as error:
    if error.name != "numpy":
        raise
    raise missing("numpy", "tournament") from None

__all__ = ["Array", "np"]

#: numpy's types say nothing about shapes: they are said in words.
Array: TypeAlias = Any
