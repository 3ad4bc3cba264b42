"""Every bounded list of this extra is bounded for each signer, or there is a reason, as in tests/net/test_bounds.py."""

from pathlib import Path

from tests.net.test_bounds import bounds, explained

REASONS = {
    "It bounds one value that somebody sends, and what is longer is refused.": """
        relay.frames: MOST_PARCEL _MOST_BODY; relay.parcels: MOST_BEACON MOST_DATA;
        relay.ticket: MOST_PLACES _MOST_WORDS
    """,
    "Each stream or member has a list of its own.": """
        link.relay_pipes: MOST_UNREAD; relay.meeting: _MOST_NUMBERS; relay.stream: MOST_EARLY MOST_PARTS MOST_UNHEARD
    """,
    "Whoever has a row has proved to have the ticket.": """
        relay.meeting: MOST_DOUBLINGS MOST_MEMBERS MOST_STREAMS
    """,
    "Addresses count, not keys: the part of the TCP listeners.": """
        link.relay_server: MOST_REFUSED; relay.exchange: _MOST_ADDRESSES _MOST_NUMBER
    """,
}


def test_every_bounded_list_of_relays_says_why_no_liar_fills_it_for_others() -> None:
    reasons = explained(REASONS)
    assert len(reasons) == len({*reasons})
    assert {*reasons} == {one for one in bounds(Path(__file__).parents[1]) if not one.startswith("tests.")}
