"""The back ends of this machine, for tests that run on each, and decks for them."""

from typing import Final

import pytest

from quadrille.net.cards.group import BASE, Group, best_group, card_points
from quadrille.net.cards.pure import Pure
from quadrille.net.cards.shuffle import Card

BEST: Final = best_group()
PURE: Final = Pure()
#: Both of them; plain Python alone where no libsodium is found.
GROUPS: Final[dict[str, Group]] = {PURE.name: PURE, BEST.name: BEST}

on_each = pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS.keys())

#: A joint key, and the secret that would open every card.
SECRET: Final = 123456789123456789
JOINT: Final = BEST.base(SECRET)


def fresh_deck(group: Group, count: int) -> list[Card]:
    """The first cards, as they are before the first shuffle."""
    return [(BASE, group.plus(point, JOINT)) for point in card_points(group)[:count]]
