"""The benchmark of openings runs, and tells what it should. How long a book takes, no test can say."""

from multiprocessing.pool import ThreadPool

import pytest

from tests.bench import openings


@pytest.mark.slow
def test_openings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "GAMES", {"dollar-draw": {"width": 5, "height": 5}})
    with ThreadPool(1) as pool:
        found = openings.cost("dollar-draw", 2, pool, 1)
    assert found.openings == 2 <= found.drafts
    assert found.worked > found.games > 0, "no book is measured without the games of its own openings"
    assert len(found.scores) > 1 and all(score in (0, 0.5, 1) for score in found.scores)
