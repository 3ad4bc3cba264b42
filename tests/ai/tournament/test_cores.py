"""How many games are played at a time."""

import pytest

from quadrille.ai.tournament.play import cores


def test_a_core_is_left_where_a_clock_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    for count, clocked, free in ((1, 1, 1), (2, 1, 2), (8, 7, 8)):
        monkeypatch.setattr(cores, "usable", lambda count=count: tuple(range(count)))
        assert (cores.slots(clocked=True), cores.slots(clocked=False)) == (clocked, free)
