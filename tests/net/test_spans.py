"""Times as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadrille.net.core.spans import clock, span, written


@pytest.mark.parametrize(
    ("text", "ms"), [("200ms", 200), (" 90S ", 90_000), ("5m", 300_000), ("24h", 86_400_000), ("0s", 0)]
)
def test_times(text: str, ms: int) -> None:
    assert span(text) == ms


@pytest.mark.parametrize("text", ["", "5", "1d", "25h", "-1s", "1.5s", "1 s", "٣s", "86400001ms", "999999999999s"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(ValueError, match="is not a time: write 90s, 5m or 1h"):
        span(text)


def test_clocks() -> None:
    assert (clock("5m+10s"), clock("1m"), clock("1m + 200ms")) == ((300_000, 10_000), (60_000, 0), (60_000, 200))
    with pytest.raises(ValueError, match='"0s" leaves no time'):
        clock("0s")
    with pytest.raises(ValueError, match='"" is not a time'):
        clock("5m+")


@given(st.integers(0, 86_400_000))
def test_what_is_written_is_read(ms: int) -> None:
    assert span(written(ms)) == ms
