"""Packed observations, and the planes that they were made of.

The engine writes the rows (rules/observations/); here NumPy reads them, many at a time. Specification:
extras/lab/docs/batch.md, "Layouts".
"""

import math
from typing import Any

from quadrille.extras.lab.actions import Steps
from quadrille.extras.lab.engine.layout import (
    BIT,
    FIGURE,
    NUMBER,
    figures_of,
    one_byte,
    packed_places,
    packed_planes,
    packed_weights,
)
from quadrille.rules.errors import RulesError
from quadrille.rules.native.buffers import BYTE


class Packing:
    """The packed rows of one game at one table: `shape` is that of a row, `kind` the type of its numbers."""

    def __init__(self, numpy: Any, steps: Steps) -> None:
        self._numpy = numpy
        self._steps = steps
        self._kinds = steps.observer.packing()
        self.cells = math.prod(steps.shape[1:])
        self._turn = 0 if steps.in_planes else 2 * steps.count
        self.kind = numpy.uint8 if steps.observer.largest() <= BYTE else numpy.int16
        self._squares = packed_planes(self._kinds) * self.cells
        self.size = self._squares + figures_of(self._kinds) + self._turn
        one = one_byte(self._kinds) and not self._turn
        self.shape: tuple[int, ...] = steps.shape[1:] if one else (self.size,)

    def unpacked(self, rows: Any, still: Any) -> Any:
        """The planes of packed rows; `still` has those of any position, for the planes that never change."""
        numpy = self._numpy
        try:
            rows = numpy.asarray(rows)
        except ValueError as error:
            raise RulesError("packed rows are an array, and these are of several lengths") from error
        if rows.dtype != self.kind or rows.shape[-len(self.shape) :] != self.shape:
            wanted = f"{numpy.dtype(self.kind)} of the shape (…, {', '.join(map(str, self.shape))})"
            raise RulesError(f"packed rows of this batch are {wanted}, not {rows.dtype} of {rows.shape}")
        before = rows.shape[: -len(self.shape)]
        flat = rows.reshape(-1, self.size)
        planes = numpy.empty((len(flat), len(self._kinds), self.cells), self.kind)
        places, weights = packed_places(self._kinds, self.cells), packed_weights(self._kinds)
        for plane, kind in enumerate(self._kinds):
            first = places[plane]
            if kind == BIT:
                planes[:, plane] = (flat[:, first : first + self.cells] & weights[plane]) > 0
            elif kind == NUMBER:
                planes[:, plane] = flat[:, first : first + self.cells]
            else:
                planes[:, plane] = flat[:, first, None] if kind == FIGURE else still[plane]
        if not self._turn:
            return planes.reshape(*before, *self._steps.shape)
        whole = [planes.reshape(len(flat), -1), flat[:, -self._turn :]]
        return numpy.concatenate(whole, axis=1).reshape(*before, *self._steps.sight)
