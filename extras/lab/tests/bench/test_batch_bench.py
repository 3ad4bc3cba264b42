"""The benchmark of batches runs."""

import pytest

from extras.lab.tests.bench import batch
from quadrille.extras.lab.batch import Batch
from tests.bench.test_bench import told


@pytest.mark.slow
def test_the_tables(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = told(batch, capsys, monkeypatch)
    assert all(text.count(f"{name}  ") == 3 for name, *_ in batch.TABLES) and "by processor time" in text


def test_a_step_of_a_batch_counts_each_game() -> None:
    games = Batch("maze", {"size": 3}, games=5)
    play = batch.stepping(games)
    assert [play() for _ in range(7)] == [5] * 7
    assert games.plies.tolist() == [7] * 5


def test_openspiels_vector_is_stepped_where_it_is_installed() -> None:
    pytest.importorskip("open_spiel")
    play = batch.open_spiel_vector()
    assert play() == play() == batch.VECTOR_GAMES
