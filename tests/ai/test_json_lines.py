"""Lines of JSON from programs that send anything: bounded reading, and refusals that say why."""

import io
import tracemalloc
from itertools import cycle

import pytest

from quadrille.ai.json_lines import DEEPEST, LONGEST_LINE, LONGEST_NUMBER, BadJson, TooLong, decode, encode, lines


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", []),
        (b"\n", [b""]),
        (b"a\nb\n", [b"a", b"b"]),
        (b"a\n\nb", [b"a", b"", b"b"]),
        (b"a\r\n", [b"a\r"]),
        (b"x" * LONGEST_LINE + b"\nb\n", [b"x" * LONGEST_LINE, b"b"]),
        (b"x" * LONGEST_LINE, [b"x" * LONGEST_LINE]),
        (b"x" * (LONGEST_LINE + 1) + b"\nb\n", [None, b"b"]),
        (b"x" * (LONGEST_LINE + 1), [None]),
        (b"x" * (3 * LONGEST_LINE) + b"\n" + b"y" * (2 * LONGEST_LINE) + b"\nb", [None, None, b"b"]),
    ],
    ids=range(10),
)
def test_lines(data: bytes, found: list[bytes | None]) -> None:
    assert list(lines(io.BytesIO(data))) == found


def test_a_line_of_100_megabytes_costs_no_memory() -> None:
    stream = io.BytesIO(b"x" * (100 << 20) + b"\nnext\n")
    tracemalloc.start()
    try:
        found = list(lines(stream))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found == [None, b"next"]
    assert most < 5 * LONGEST_LINE


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"", "empty"),
        (b"  \r", "empty"),
        (b"{", "character 2"),
        (b"nonsense", "expecting value at character 1"),
        (b'{"do": "games"} {}', "extra data"),
        (b"{'do': 1}", "no JSON"),
        (b'{"a": 1, "a": 2}', '"a" stands twice'),
        (b'[{"a": {"b": 1, "b": 1}}]', '"b" stands twice'),
        (b"NaN", "NaN"),
        (b"[-Infinity]", "-Infinity"),
        (b"1e999", "more than a number can be"),
        (b"-1e999", "more than a number can be"),
        (b"1." + b"0" * 5000, "more than a number can be"),
        (b"1" * 5000, "at most 1000 digits"),
        (b"-" + b"9" * 100_000, "at most 1000 digits"),
        (b"\xff\xfe", "byte 1 of the line is not UTF-8"),
        (b'{"do": "\xc3\x28"}', "byte 9 of the line is not UTF-8"),
        ('{"do": "games"}'.encode("utf-16"), "not UTF-8"),
        (b'"\x00"', "no JSON"),
        (b"[" * 10_000, "nested deeper"),
        (b"[" * 10_000 + b"]" * 10_000, "nested deeper"),
        (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, "nested deeper"),
        (b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1), "nested deeper"),
    ],
    ids=range(23),
)
def test_what_is_no_json(line: bytes, says: str) -> None:
    with pytest.raises(BadJson) as caught:
        decode(line)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 200


def test_a_skipped_line_is_refused() -> None:
    with pytest.raises(TooLong):
        decode(None)


@pytest.mark.parametrize(
    "value",
    [
        None, True, 0, -5, 1.5, "", "é \ud800 \U0001f0a1", [], {}, {"a": [1, {"b": None}]}, ["[" * 500],
        10 ** (LONGEST_NUMBER - 1), [[]] * 1000,
    ],
    ids=range(13),
)  # fmt: skip
def test_values_come_through(value: object) -> None:
    line = encode(value)
    assert line.isascii() and line.endswith(b"\n") and line.count(b"\n") == 1
    assert decode(line.removesuffix(b"\n")) == value


def test_a_tower_of_brackets_as_high_as_it_may_be() -> None:
    kinds = cycle((b"[]", b'{"a":}'))
    tower = b""
    for _ in range(DEEPEST):
        kind = next(kinds)
        tower = kind[:-1] + (tower or b"1") + kind[-1:]
    assert encode(decode(tower)).replace(b" ", b"") == tower + b"\n"
    assert len(decode(b"[[]," + b"[" * (DEEPEST - 1) + b"]" * DEEPEST)) == 2, "and more brackets beside it"
