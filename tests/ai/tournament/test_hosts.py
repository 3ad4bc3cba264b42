"""The machines of a tournament: what each played, and which are slow."""

import pytest

from quadrille.ai.tournament.results import Result
from quadrille.ai.tournament.statistics.hosts import HostFigures, host_figures, slower


def test_games_and_faults_are_those_that_count_and_the_speed_is_of_all() -> None:
    results = [
        Result("one", 0, (0, 1), (1, 2), faults=(None, "time")),
        Result("two", 0, (1, 0), (1, 2)),
        Result("three", 1, (0, 1), (2, 1), faults=("crash", None)),
    ]
    where = {"one": "b", "two": "a", "three": "b", "aside": "c"}
    found = host_figures(results, where, {"b": [0.7, 0.75, 0.4], "a": [1.0], "c": [0.92, 0.94]})
    assert found == (
        HostFigures("a", 1, 0, 1.0),
        HostFigures("b", 2, 2, 0.7),
        HostFigures("c", 0, 0, pytest.approx(0.93)),
    )
    assert slower(found) == ("a", {"b": 0.7}), "within 10 % they are the same"
    assert slower(found[1:2]) == ("b", {})
    assert slower(host_figures([], {}, {})) == ("", {})
