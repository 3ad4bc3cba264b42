"""The texts that people read about commands stay as they are, byte for byte."""

from tests.client.command_texts import GOLDEN, page


def test_every_help_key_line_completion_and_refusal_is_the_golden_one() -> None:
    assert page() == GOLDEN.read_text("utf-8"), "wanted? python -m tests.client.command_texts writes it anew"
