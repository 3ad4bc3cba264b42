"""The thread of a model's place by itself: it is asked, waits, and ends so that nobody waits for it in vain."""

from pathlib import Path

import pytest

from extras.models.tests.model import place_at
from quadrille.rules.errors import RulesError
from tests.waiting import DEADLINE


def test_what_a_job_raises_is_raised_where_it_was_asked_for(tmp_path: Path) -> None:
    with place_at(tmp_path) as place:
        with pytest.raises(RulesError, match="you sit at no table"):
            place.ask(place.view).result(DEADLINE)
        assert place.ask(place.news).result(DEADLINE) == ""
        assert place.ask(place.news, lambda: False, 0.01).result(DEADLINE) == ""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_when_the_thread_ends_by_error_nobody_waits_in_vain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise AssertionError("a fault")

    with place_at(tmp_path) as place:
        waits = place.ask(place.news, lambda: False, 3600)
        place.ask(place.news).result(DEADLINE)
        monkeypatch.setattr(place, "_go_on", fails)
        place._wake()
        waits.result(DEADLINE)
        place._thread.join(DEADLINE)
        with pytest.raises(RulesError, match="start the server again"):
            place.ask(place.news)
