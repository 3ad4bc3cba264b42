"""Packed observations, and the planes that they were made of.

The engine writes the rows (extras/lab/engine/sight.py); here NumPy reads them, many at a time. Specification:
extras/lab/docs/batch.md, "Layouts".
"""

import math
from typing import Any

import numpy

from quadrille.extras.lab.actions import Steps
from quadrille.extras.lab.engine.layout import BIT, FIGURE, NUMBER, RowLayout
from quadrille.rules.errors import RulesError


class Packing:
    """The packed rows of one game at one table: `shape` is that of a row, `kind` the type of its numbers."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self.cells = math.prod(steps.shape[1:])
        self._layout = RowLayout(steps.observer.packing(), self.cells)
        self._turn = 0 if steps.in_planes else 2 * steps.count
        self.kind = numpy.uint8 if steps.observer.bits() == 8 else numpy.int16
        is_byte = self._layout.is_byte and not self._turn
        self.size = self.cells if is_byte else self._layout.size + self._turn
        self.shape: tuple[int, ...] = steps.shape[1:] if is_byte else (self.size,)

    def unpacked(self, rows: Any, still: Any, out: Any = None) -> Any:
        """Return the planes of packed rows, in the rows of `out` if it is given.

        `still` has those of any position, for the planes that never change.
        """
        try:
            rows = numpy.asarray(rows)
        except ValueError as error:
            raise RulesError("packed rows are an array, and these are of several lengths") from error
        if rows.dtype != self.kind or rows.shape[-len(self.shape) :] != self.shape:
            wanted = f"{numpy.dtype(self.kind)} of the shape (…, {', '.join(map(str, self.shape))})"
            raise RulesError(f"packed rows of this batch are {wanted}, not {rows.dtype} of {rows.shape}")
        before = rows.shape[: -len(self.shape)]
        flat = rows.reshape(-1, self.size)
        kinds, places, bits = self._layout.kinds, self._layout.places, self._layout.shifts
        out = numpy.empty((len(flat), math.prod(self._steps.sight)), self.kind) if out is None else out
        planes = out[:, : len(kinds) * self.cells].reshape(len(flat), len(kinds), self.cells)
        for plane, (kind, first) in enumerate(zip(kinds, places, strict=True)):
            if kind == BIT:
                planes[:, plane] = flat[:, first : first + self.cells] >> bits[plane] & 1
            elif kind == NUMBER:
                planes[:, plane] = flat[:, first : first + self.cells]
            else:
                planes[:, plane] = flat[:, first, None] if kind == FIGURE else still[plane]
        if self._turn:
            out[:, -self._turn :] = flat[:, -self._turn :]
        return out.reshape(*before, *self._steps.sight)

    def show_turns(self, rows: Any, made: Any, counts: Any) -> None:
        """Write the unfinished turns to the ends of packed rows: how often each action was made, then 1 for the last.

        `made` has the actions of each turn, as many as `counts` tells, and no more columns than the longest has.
        """
        turns = rows[:, -self._turn :]
        turns[:] = 0
        for place in range(made.shape[1]):
            games = numpy.flatnonzero(counts > place)
            turns[games, made[games, place]] += 1
        begun = numpy.flatnonzero(counts)
        turns[begun, self._turn // 2 + made[begun, counts[begun] - 1]] = 1
