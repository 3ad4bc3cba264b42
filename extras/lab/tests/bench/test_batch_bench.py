"""The benchmark of batches runs."""

import pytest

from extras.lab.tests.bench import batch
from quadrille.extras.lab.batch import Batch


@pytest.mark.slow
def test_the_tables(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["batch", "--rounds", "1", "--milliseconds", "0"])
    batch.main(batch.cases)
    text = capsys.readouterr().out
    assert all(text.count(f"{name}  ") == 3 for name, *_ in batch.TABLES)


def test_a_step_of_a_batch_counts_each_game() -> None:
    games = Batch("maze", {"size": 3}, games=5)
    play = batch.stepping(games)
    assert [play() for _ in range(7)] == [5] * 7
    assert games.plies.tolist() == [7] * 5


def test_openspiels_vector_is_stepped_where_it_is_installed() -> None:
    pytest.importorskip("open_spiel")
    play = batch.open_spiel_vector()
    assert play() == play() == batch.VECTOR_GAMES
