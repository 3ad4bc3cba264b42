"""numpy, or one line that says how to install it; every module with arrays imports it from here."""

from typing import Any, TypeAlias

from quadrille.ai.missing import needs

with needs("numpy", "numpy", "numpy"):
    import numpy as np

__all__ = ["Array", "np"]

#: numpy's types say nothing about shapes; the names do.
Array: TypeAlias = Any
