"""How much one peer of a hall sends, checks and asks for, and how often. Part of hall.py.

Specification: docs/protocols/hall.md, "Messages of a hall".
"""

from typing import Final

from quadrille.net.core.pace import Pace

#: Maximum other peers in a room where everybody is linked with everybody.
SMALL: Final = 12
#: Milliseconds, 10 % more or less, between two turns; in each the next link gets a digest and the beats it lacks.
TURN: Final = 2000
#: The same for a newcomer, and for how long it is one.
QUICK_TURN: Final = 300
NEWCOMER: Final = 3000
#: Milliseconds between two choices of links.
CHOICE: Final = 10_000
#: Milliseconds for which news waits for more, at most.
WINDOW: Final = 100
#: Messages with news: a burst at once, then one in so many milliseconds.
NEWS: Final = Pace(96, 500)
#: Contents that one author is relayed: faster ones wait for a digest.
RELAYED: Final = Pace(6, 1000)
#: Signatures that one link may have checked in a second, and at once; all links together so many times that.
CHECKS: Final = (100, 1500)
CHECKED_LINKS: Final = 4
#: Bytes of postings that one link may ask for in a second, and at once.
ASKED: Final = (32_000, 1 << 20)
ASKED_LINKS: Final = 16
#: Milliseconds within which the answer to a digest, or to an offer to end a link, is expected.
ANSWER_COMES: Final = 10_000
#: Marks that a full directory asks for at once, and postings that are sent unasked after a comparison.
FEW_MARKS: Final = 16
MOST_UNASKED: Final = 64
#: Maximum links offered to be ended in one turn.
MOST_SPARED: Final = 4
