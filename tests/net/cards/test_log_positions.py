"""The digests of a real log of Dotter, made once more by the second writer of positions (tests/test_positions.py).

It hears what a spectator hears: the moves, and the faces of cards that were turned up.
"""

import hashlib

import pytest

from quadrille.net.entries.bodies import MoveBody
from quadrille.net.game_log.log import Log
from quadrille.rules.match import Match, Played
from tests.net.cards.dotter_world import DotterWorld, small
from tests.test_positions import DotterWriter


class LogWriter(DotterWriter):
    """It knows the cards that were turned up; all others are one and the same to it."""

    def __init__(self, match: Match) -> None:
        self.up: dict[str, dict[int, str]] = {}
        for before, entry in zip(match.positions, match.entries, strict=False):
            if isinstance(entry, Played) and str(entry.move).startswith("score"):
                owed = before.play(entry.move).draws()
                for draw, face in zip(owed, entry.faces, strict=True):
                    self.up.setdefault(draw.pile.name, {})[draw.position] = face.name
        super().__init__(match.state.options.plain(), match.state.seats, "")

    def deck(self, number: int) -> list[str]:
        up = self.up.get(f"round {number}", {})
        return [up.get(at, "hidden") for at in range(len(self.cards))]

    def digest(self) -> bytes:
        return hashlib.blake2b(self.bytes(), digest_size=32).digest()


def log_of(seats: int, number: int) -> Log:
    world = DotterWorld(f"positions {seats} {number}", small(seats))
    world.run(world.settled)
    return world.logs()[0]


@pytest.mark.first(1)
@pytest.mark.parametrize(("seats", "number"), [(2, 1), (2, 2), (3, 1)])
def test_every_digest_of_a_log_with_hidden_cards(seats: int, number: int) -> None:
    log = log_of(seats, number)
    match = log.now.match
    writer, owed, waited = LogWriter(match), "", 0
    for entry in log.entries:
        if isinstance(entry.body, MoveBody):
            text = entry.body.move
            assert not owed
            if text == "draw":
                writer.play(text)
            else:
                writer.asks(text)
                owed = text
        elif owed and entry.digest != writer.digest():
            writer.play(owed)  # this was the last of the shares
            owed = ""
        waited += bool(owed)
        assert entry.digest == writer.digest(), (entry.index, entry.kind, entry.body)
    assert not owed and waited and any(isinstance(entry, Played) for entry in match.entries)
