"""Every bounded list of this extra is bounded for each signer, or there is a reason, as in tests/net/test_bounds.py."""

from pathlib import Path

from tests.net.test_bounds import bounds, explained

REASONS = {
    "It bounds one value that somebody sends, and what is longer is refused.": """
        relay: MOST_LINE; ticket: MOST_PLACES _MOST_WORDS
    """,
    "Whoever has a row has proved to have the ticket.": "meeting: MOST_MEMBERS MOST_TAKEN MOST_THERE",
    "Each connection has a list of its own.": "relay: MOST_UNSENT",
    "Addresses count, not keys: the part of the TCP listeners.": "relay: MOST_ADDRESSES MOST_REFUSED",
}


def test_every_bounded_list_of_relays_says_why_no_liar_fills_it_for_others() -> None:
    reasons = explained(REASONS)
    assert len(reasons) == len({*reasons})
    assert {*reasons} == {one for one in bounds(Path(__file__).parents[1]) if not one.startswith("tests.")}
