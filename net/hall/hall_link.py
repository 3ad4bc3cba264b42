"""The state of one link of a hall. Part of hall.py.

Specification: docs/protocols/hall.md, "Messages of a hall".
"""

from typing import Final

from quadrille.net.core.pace import Bucket, Pace

#: Messages with news by one link.
NEWS_OF_LINK: Final = Pace(2, 1000)
#: Digests of one link that are answered.
ANSWERED: Final = Pace(4, 500)

#: Messages about missing peers that are read from one link.
MISSED_READ: Final = Pace(4, 5000)


class HallLink:
    """The state of one link: postings owed to its peer, and the paces of both ends."""

    __slots__ = (
        "answers", "asked_at", "asks", "beats", "is_over", "missed", "news", "offered_until", "paces", "questions",
        "version",
    )  # fmt: skip

    def __init__(self, version: int) -> None:
        self.version = version  # of the messages that the other end reads
        self.missed: dict[bytes, None] = {}  # keys of missing peers for which it is to be asked
        self.asks: set[bytes] = set()  # keys of missing peers for which its peer has asked us
        self.news: dict[bytes, None] = {}  # keys of postings that it may lack
        self.beats: dict[bytes, None] = {}  # keys of postings with a newer beat
        self.answers = Bucket(ANSWERED)
        self.questions = Bucket(MISSED_READ)
        self.paces = Bucket(NEWS_OF_LINK)
        self.asked_at: int | None = None  # when it got our last digest
        self.offered_until = 0  # until when our offer to do without it stands
        self.is_over = False  # whether the other end has agreed to that
