"""Waiting in looks."""

import time

import pytest

from quadrille.ai.bots.process.program_lines import within


def test_a_machine_that_stands_still_is_not_held_against_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes until the next look: no clock is asked."""
    for clock in ("monotonic", "time", "perf_counter"):
        monkeypatch.delattr(time, clock)
    looks: list[float] = []
    assert within(1, lambda: len(looks) > 20, looks.append)
    assert len(looks) == 21


def test_there_are_so_many_looks() -> None:
    looks: list[float] = []
    assert not within(1, lambda: False, looks.append)
    assert sum(looks) == pytest.approx(1)
    assert within(1, lambda: True, pytest.fail)
