"""numpy, or one line that says how to install it; every module with arrays imports it from here."""

from typing import Any, TypeAlias

from quadrille.ai.missing import missing
from quadrille.ai.tournament import TournamentError

try:
    import numpy as np
except ModuleNotFoundError as error:
    if error.name != "numpy":
        raise
    raise TournamentError(str(missing("numpy", "numpy"))) from None

__all__ = ["Array", "np"]

#: numpy's types say nothing about shapes; the names do.
Array: TypeAlias = Any
