"""The transcripts of the chapters about peers are what the code says today; tests/net/transcripts.py makes them."""

import pytest

from tests.documents import block, values
from tests.net.transcripts import BLOCKS, connection


def shown(language: str) -> list[str]:
    """The lines of a block without those that explain."""
    return [line for line in block(language).splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("language", BLOCKS)
def test_a_transcript_is_what_the_code_says(language: str) -> None:
    assert shown(language) == BLOCKS[language]().splitlines()


def test_the_bytes_of_a_connection_are_those_of_the_code() -> None:
    """Octets stand before the first two blanks of a line; `>` is the end that calls."""
    told = {sign: bytearray() for sign in "><"}
    for line in shown("octets"):
        told[line[0]] += bytes.fromhex(line[2:].split("  ")[0])
    assert (told[">"], told["<"]) == connection()


def test_the_envelope_byte_by_byte_is_that_of_the_vectors() -> None:
    told = "".join(line.strip().split("  ")[0] for line in shown("envelope"))
    assert told == values("message")["want"]
