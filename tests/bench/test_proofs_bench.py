"""The benchmark of proofs runs. How fast they are, no test can say."""

from tests.bench import proofs


def test_proofs() -> None:
    new, old, times = proofs.compared("maze", {"size": 9}, 500, 1, 1 << 20)
    assert new > 0 and old > 0 and times > 0
